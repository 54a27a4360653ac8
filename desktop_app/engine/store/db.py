"""The library file: one SQLite database through APSW, its schema, transactions and undo.

The only module that imports apsw. Owns opening, upgrading, locking and the rule that nothing
is written outside a transaction; knows no table but `history`.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import sqlite_vec

from ..errors import Cancelled, EnvironmentProblem, UserError
from ..messages import Message
from ..writing_systems import replace_lone_surrogates
from .fts_tokens import search_tokens

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"
APPLICATION_ID = 0x496E6B67  # "Inkg"
UNDOABLE_TABLES = (
    "merged",
    "never_merged",
    "entity_edit",
    "alias",
    "split_mention",
    "deleted_name",
    "hand_relation",
    "hand_entity",
    "collection",
    "collection_document",
    "report_edit",
    "chat",
    "message",
    "citation",
    "annotation",
    "document_edit",
    "trash",
)
BUSY_TIMEOUT_MS = 10_000
MAX_VALUES = 500  # in one query
MAX_HISTORY = 100  # edits that can be undone
FIRST_WITHOUT_PASSWORDS = 12  # older versions of the file held the passwords of documents
MAX_REWRITE_BYTES = 200 * 2**20


def migration_files() -> list[Path]:
    """Return the migrations in order; the n-th raises `user_version` to n."""
    return sorted(MIGRATIONS.glob("*.sql"))


@dataclass(frozen=True, slots=True)
class RowChange:
    """A changed row; `values` are the new or, where there are none, the old ones.

    Columns that the change leaves alone are None, except the primary key.
    """

    table: str
    is_delete: bool
    values: tuple[Any, ...]


def read_changes(changeset: bytes, *, invert: bool = False) -> list[RowChange]:
    """Return the changes of a changeset, or of its inverse."""
    return [
        _read_change(change)
        for change in apsw.Changeset.iter(apsw.Changeset.invert(changeset) if invert else changeset)
    ]


def _read_change(change: apsw.TableChange) -> RowChange:
    old = change.old or (apsw.no_change,) * change.column_count
    new = change.new or (apsw.no_change,) * change.column_count
    values = (o if n is apsw.no_change else n for o, n in zip(old, new, strict=True))
    return RowChange(
        change.name,
        change.op == "DELETE",
        tuple(None if v is apsw.no_change else v for v in values),
    )


def take_passwords(connection: apsw.Connection) -> dict[str, str]:
    """Erase the passwords in a library of an older version; return them by SHA-256 of the file.

    They are overwritten in the file. Earlier values may be left in unused parts of pages, so a
    file that is not large is written again; for a large one, "Compact" does it.
    """
    found: dict[str, str] = {}
    sql = (
        "SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c"
        " WHERE t.type = 'table' AND t.name IN ('original', 'trash', 'trash_file')"
        " AND c.name = 'password'"
    )
    tables = [row[0] for row in connection.execute(sql).fetchall()]
    connection.pragma("secure_delete", True)
    with connection:
        for table in tables:
            where = "WHERE password <> ''"
            for content, password in connection.execute(
                f"SELECT content, password FROM {table} {where}"
            ):
                found[hashlib.sha256(content).hexdigest()] = password
            connection.execute(f"UPDATE {table} SET password = '' {where}")
    if found and connection.pragma("page_count") * connection.pragma("page_size") < (
        MAX_REWRITE_BYTES
    ):
        try:
            connection.execute("VACUUM")
        except (apsw.FullError, apsw.BusyError, apsw.IOError) as error:
            log.warning("the library can't be written again without old passwords: %s", error)
    connection.pragma("secure_delete", False)
    if found:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return found


def _search_tokens(*values: apsw.SQLiteValue) -> str:
    return search_tokens(str(values[0]))


def _clean(value: Any) -> Any:
    return replace_lone_surrogates(value) if isinstance(value, str) else value


class Db:
    """One connection to a library. Read-only ones see the last committed state.

    A read-write one may be used from several threads: each transaction holds its lock.
    """

    def __init__(self, path: Path | str, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self.read_only = read_only
        self.lock = threading.RLock()
        self._depth = 0
        self.taken_passwords: dict[str, str] = {}  # from an older version: SHA-256 -> password
        flags = (
            apsw.SQLITE_OPEN_READONLY
            if read_only
            else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        )
        try:
            self._connection = apsw.Connection(str(self.path), flags=flags)
            self._prepare()
        except apsw.NotADBError as error:
            raise UserError(
                "“{name}” is not an Inkgraph library.",
                "Choose a file that Inkgraph made, or another name for a new one.",
                name=self.path.name,
            ) from error
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
            raise EnvironmentProblem(
                "The library “{path}” can't be opened: {reason}.",
                "Check that the folder exists and that you may write there.",
                path=self.path,
                reason=error,
            ) from error
        except (apsw.BusyError, apsw.LockedError) as error:
            raise EnvironmentProblem(
                "The library “{name}” is in use by another program.",
                "Close the other Inkgraph window or command and try again.",
                name=self.path.name,
            ) from error
        except (apsw.CorruptError, apsw.IOError) as error:
            raise EnvironmentProblem(
                "The library “{name}” can't be read: {reason}.",
                "Restore it from the backup beside it (its name ends in .backup).",
                name=self.path.name,
                reason=error,
            ) from error

    def _prepare(self) -> None:
        connection = self._connection
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        connection.enable_load_extension(False)
        connection.create_scalar_function("search_tokens", _search_tokens, 1, deterministic=True)
        connection.pragma("foreign_keys", True)
        connection.pragma("cache_size", -65536)
        connection.pragma("temp_store", "memory")
        connection.pragma("mmap_size", 1 << 30)
        if self.read_only:
            connection.pragma("query_only", True)
            return
        mode = connection.pragma("journal_mode", "wal")
        if mode != "wal":  # network folders have no shared memory
            log.info("no write-ahead log on this file system, journal mode is %s", mode)
            connection.pragma("journal_mode", "delete")
        connection.pragma("synchronous", 1)
        self._migrate()

    def _migrate(self) -> None:
        version = self._connection.pragma("user_version")
        files = migration_files()
        if version > len(files):
            raise UserError(
                "“{name}” was made by a newer Inkgraph.",
                "Update Inkgraph to open it.",
                name=self.path.name,
            )
        if version == 0 and self._connection.execute("SELECT count(*) FROM sqlite_schema").get:
            raise UserError(
                "“{name}” is a database, but not an Inkgraph library.",
                "Choose another name for a new library.",
                name=self.path.name,
            )
        if 0 < version < len(files):
            if version < FIRST_WITHOUT_PASSWORDS:
                self.taken_passwords = take_passwords(self._connection)
            shutil.copy2(self.path, self.path.with_suffix(f".v{version}.backup"))
        for number, file in enumerate(files[version:], start=version + 1):
            with self.transaction():
                self._connection.execute(file.read_text("utf-8"))
                self._connection.pragma("user_version", number)
                self._connection.pragma("application_id", APPLICATION_ID)

    # --- statements ---------------------------------------------------------------------

    def rows(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query.

        Raises:
            Cancelled: the library was closed meanwhile.
        """
        with self.lock:
            try:
                return self._execute(sql, values).fetchall()
            except apsw.ConnectionClosedError as error:
                raise Cancelled from error

    def row(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> tuple[Any, ...] | None:
        """Return the first row of a query, None if there is none; raises as `rows` does."""
        with self.lock:
            try:
                return next(iter(self._execute(sql, values)), None)
            except apsw.ConnectionClosedError as error:
                raise Cancelled from error

    def rows_in(self, sql: str, values: Iterable[Any], end: str = "") -> list[tuple[Any, ...]]:
        """Return the rows of a query that ends with a column, for these values of the column.

        Args:
            end: the rest of the query, such as GROUP BY.
        """
        wanted = list(dict.fromkeys(v if isinstance(v, str) else int(v) for v in values))
        found: list[tuple[Any, ...]] = []
        for i in range(0, len(wanted), MAX_VALUES):
            part = wanted[i : i + MAX_VALUES]
            found += self.rows(f"{sql} IN ({','.join('?' * len(part))}){end}", part)
        return found

    def column(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[Any]:
        """Return the first column of all rows of a query."""
        return [row[0] for row in self.rows(sql, values)]

    def value(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> Any:
        """Return the first column of the first row, None if there is no row."""
        row = self.row(sql, values)
        return row[0] if row else None

    def write(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> int:
        """Run one statement inside a transaction and return the last inserted row id."""
        self._check_writing()
        self._execute(sql, values)
        return self._connection.last_insert_rowid()

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self._check_writing()
        self._connection.executemany(sql, rows)

    def _execute(self, sql: str, values: Sequence[Any] | dict[str, Any]) -> apsw.Cursor:
        """Execute a statement; lone surrogates, as in some file names, become U+FFFD."""
        try:
            return self._connection.execute(sql, values)
        except UnicodeEncodeError:
            if isinstance(values, dict):
                return self._connection.execute(sql, {k: _clean(v) for k, v in values.items()})
            return self._connection.execute(sql, [_clean(v) for v in values])

    def _check_writing(self) -> None:
        if self._depth == 0:
            raise RuntimeError("a write outside a transaction")

    # --- transactions and undo ---------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write everything inside together or not at all; nested ones join the outer one."""
        with self.lock:
            if self._depth:
                self._depth += 1
                try:
                    yield
                finally:
                    self._depth -= 1
                return
            try:
                self._connection.execute("BEGIN IMMEDIATE")
            except apsw.ConnectionClosedError as error:
                raise Cancelled from error
            except apsw.BusyError as error:
                raise EnvironmentProblem(
                    "Another program is writing to this library.",
                    "Close the other Inkgraph window or command and try again.",
                ) from error
            self._depth = 1
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                if isinstance(error, apsw.FullError):
                    raise EnvironmentProblem(
                        "The disk is full; nothing was changed.",
                        "Make room and try again.",
                    ) from error
                raise
            finally:
                self._depth = 0

    @contextmanager
    def edit(self, label: Message) -> Iterator[None]:
        """Open a transaction on the user's tables, stored in the history under `label`.

        `store.history` undoes it.
        """
        with self.transaction():
            session = apsw.Session(self._connection, "main")
            for table in UNDOABLE_TABLES:
                session.attach(table)
            try:
                yield
                changeset = session.changeset()
            finally:
                session.close()
            if changeset:
                self._connection.execute("DELETE FROM history WHERE undone = 1")
                self._connection.execute(
                    "INSERT INTO history(label, changeset, created_at) VALUES (?, ?, ?)",
                    (label.to_stored(), changeset, time.time()),
                )
                self._connection.execute(
                    "DELETE FROM history WHERE id NOT IN"
                    " (SELECT id FROM history ORDER BY id DESC LIMIT ?)",
                    (MAX_HISTORY,),
                )

    def apply_changeset(
        self, changeset: bytes, *, invert: bool, keep: Callable[[RowChange], bool]
    ) -> bool:
        """Apply a changeset or its inverse; return False if it no longer fits.

        Args:
            keep: changes for which it returns False are left out.
        """
        self._check_writing()
        try:
            apsw.Changeset.apply(
                apsw.Changeset.invert(changeset) if invert else changeset,
                self._connection,
                filter_change=lambda change: keep(_read_change(change)),
                conflict=lambda _kind, _change: apsw.SQLITE_CHANGESET_ABORT,
                flags=apsw.SQLITE_CHANGESETAPPLY_FKNOACTION,  # its changes include the cascades
            )
        except apsw.AbortError:
            return False
        return True

    # --- maintenance ----------------------------------------------------------------------------

    def integrity_problems(self) -> list[str]:
        """Return the problems that SQLite finds in the file; empty is good."""
        problems = [r[0] for r in self.rows("PRAGMA integrity_check") if r[0] != "ok"]
        problems += [f"dangling row in {r[0]}" for r in self.rows("PRAGMA foreign_key_check")]
        return problems

    def backup_to(self, path: Path) -> None:
        target = apsw.Connection(str(path))
        with target.backup("main", self._connection, "main") as backup:
            while not backup.done:
                backup.step(2000)
        target.close()

    def compact(self) -> None:
        """Write the file again without unused space."""
        with self.lock:
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def interrupt(self) -> None:
        self._connection.interrupt()

    def close(self) -> None:
        with self.lock:
            self._connection.close()
