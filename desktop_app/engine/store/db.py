"""The library file: one SQLite database through APSW, its schema, transactions and undo.

The only module that imports apsw. Owns opening, upgrading, locking and the rule that nothing
is written outside a transaction; knows no table but `history`.
"""

from __future__ import annotations

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

from ..errors import Cancelled, EnvironmentProblem, PassphraseNeeded, UserError
from ..messages import Message
from ..writing_systems import replace_lone_surrogates
from .encryption import APPLICATION_ID, CIPHER, LibraryKey, is_encrypted
from .fts_tokens import search_tokens

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"
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
    "watched_folder",
)
BUSY_TIMEOUT_MS = 10_000
MMAP_BYTES = 1 << 30
MAX_VALUES = 500  # in one query
MAX_HISTORY = 100  # edits that can be undone


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


def _search_tokens(*values: apsw.SQLiteValue) -> str:
    return search_tokens(str(values[0]))


def _clean(value: Any) -> Any:
    return replace_lone_surrogates(value) if isinstance(value, str) else value


def _in_use(path: Path) -> EnvironmentProblem:
    return EnvironmentProblem(
        "The library “{name}” is in use by another program.",
        "Close the other Inkgraph window or command and try again.",
        name=path.name,
    )


def _wrong_passphrase(path: Path) -> PassphraseNeeded:
    # The first page holds the salt and is authenticated like every other, so that nothing in
    # the file tells a wrong passphrase from damage there.
    return PassphraseNeeded(
        "The passphrase of “{name}” is wrong, or the beginning of the file is damaged.",
        "Try again. If you are sure of the passphrase, restore a backup.",
        wrong=True,
        name=path.name,
    )


def connect(path: Path, key: LibraryKey | None, *, read_only: bool = False) -> apsw.Connection:
    """Open a file, with the key of an encrypted library or None: the only place where one is given.

    Nothing of the content reaches the disk in plain text: temporary tables and indices stay in
    memory, and encrypted pages are not mapped.
    """
    flags = (
        apsw.SQLITE_OPEN_READONLY
        if read_only
        else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    )
    # An absolute path is never taken for a URI; the flag is for the target of `write_copy`.
    connection = apsw.Connection(str(path.absolute()), flags=flags | apsw.SQLITE_OPEN_URI)
    if key is not None:
        connection.execute(f"PRAGMA cipher = '{CIPHER}'").fetchall()
        connection.execute(f"PRAGMA key = '{key.to_raw()}'").fetchall()
    connection.pragma("temp_store", "memory")
    connection.pragma("mmap_size", 0 if key else MMAP_BYTES)
    connection.pragma("secure_delete", False)  # on by default in this build; overwrites are slow
    return connection


class Db:
    """One connection to a library. Read-only ones see the last committed state.

    A read-write one may be used from several threads: each transaction holds its lock.

    Args:
        key: of an encrypted library; a new library is encrypted with it.

    Raises:
        PassphraseNeeded: the library is encrypted and the key is missing or wrong.
    """

    def __init__(
        self, path: Path | str, *, read_only: bool = False, key: LibraryKey | None = None
    ) -> None:
        self.path = Path(path)
        self.read_only = read_only
        self.key = key
        self.lock = threading.RLock()
        self._depth = 0
        if key is None and is_encrypted(self.path):
            raise PassphraseNeeded(
                "“{name}” is encrypted.", "Enter its passphrase.", name=self.path.name
            )
        try:
            self._connection = connect(self.path, key, read_only=read_only)
            self._prepare()
        except apsw.NotADBError as error:
            self._connection.close()
            if key is not None and is_encrypted(self.path):
                raise _wrong_passphrase(self.path) from error
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
            raise _in_use(self.path) from error
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
        """Copy the library to a new file, encrypted with the same key if it is encrypted."""
        target = connect(path, self.key)
        with target.backup("main", self._connection, "main") as backup:
            while not backup.done:
                backup.step(2000)
        target.close()

    def write_copy(self, path: Path, key: LibraryKey | None) -> None:
        """Write the library to a new file, encrypted with another key or, with None, plain."""
        raw = key.to_raw() if key else ""
        target = f"{path.absolute().as_uri()}?cipher={CIPHER}&key={raw}"
        try:
            with self.lock:
                self._connection.execute("VACUUM INTO ?", (target,)).fetchall()
        except apsw.FullError:
            raise EnvironmentProblem(
                "The disk is full; nothing was changed.", "Make room and try again."
            ) from None
        except apsw.Error as error:  # its text and traceback may hold the key: they end here
            raise EnvironmentProblem(
                "“{name}” can't be written: {reason}.",
                "Check the library first.",
                name=path.name,
                reason=type(error).__name__,
            ) from None

    def exclude_others(self) -> None:
        """Empty and remove the write-ahead log, and keep other programs out until `close`.

        Raises:
            EnvironmentProblem: another program has the library open.
        """
        with self.lock:
            self._connection.set_busy_timeout(0)
            try:
                self._connection.pragma("locking_mode", "exclusive")
                self._connection.pragma("journal_mode", "delete")
                self._connection.execute("BEGIN EXCLUSIVE; COMMIT")
            except (apsw.BusyError, apsw.LockedError) as error:
                raise _in_use(self.path) from error

    def count_rows(self) -> dict[str, int]:
        """Return the number of rows of every table."""
        tables = self.column("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        return {name: self.value(f'SELECT count(*) FROM "{name}"') for name in tables}

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
