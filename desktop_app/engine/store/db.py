"""The library file: one SQLite database through APSW, its schema, transactions and undo.

Owns locking, and the rule that nothing is written outside a transaction; `connection` opens the
file, `sqlite_errors` says what SQLite's errors mean. Knows no table but `history`.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from ..errors import (
    Cancelled,
    DamagedLibrary,
    EnvironmentProblem,
    PassphraseNeeded,
    UserError,
)
from ..log_files import plain
from ..messages import Message
from ..writing_systems import replace_lone_surrogates
from .connection import (
    BUSY_TIMEOUT_MS,
    SCHEMA_SQL,
    build_encrypted_uri,
    can_get_checksums,
    connect,
    create_library,
    decrypt_with_checksums,
    expected_schema,
    load_checksum_vfs,
    load_vectors,
    newest_version,
    register_functions,
    replace_with_checksums,
    restrict,
    run_migrations,
    take_passwords,
)
from .damage import WAYS_OUT, DamageRecord, join_record, leave_record, read_note
from .encryption import (
    APPLICATION_ID,
    LibraryKey,
    find_known_key,
    read_salt,
)
from .library_file import (
    CHECKSUM_BYTES,
    HEADER_DAMAGED,
    MIN_BYTES,
    describe_file_damage,
)
from .library_schema import (
    NEWEST_SCHEMA,
    digest_schema,
    find_strange_objects,
    list_own_objects,
)
from .sqlite_errors import (
    ErrorTranslator,
    library_in_use,
    not_a_library,
    read_only_library,
    strange_schema,
)

log = logging.getLogger(__name__)

CURATION_TABLES = (
    "merged",
    "never_merged",
    "entity_edit",
    "alias",
    "split_mention",
    "deleted_name",
    "hand_relation",
    "hand_entity",
    "removed_event",
    "hand_event",
    "line_correction",
    "description_correction",
    "collection",
    "collection_document",
    "report_edit",
)
# What is typed is in no edit, but deleted and restored with its chat.
UNSENT_TABLES = ("chat_draft", "waiting_question")
UNDOABLE_TABLES = (
    *CURATION_TABLES,
    "chat",
    "message",
    "citation",
    *UNSENT_TABLES,
    "annotation",
    "document_edit",
    "excluded_document",
    "trash",
    "version_choice",
    "graph_view",
    "layout",
)
# Copied into memory where a library is opened for reading only.
SESSION_TABLES = ("chat", "message", "citation", *UNSENT_TABLES)
MAX_VALUES = 500  # in one query
# Pages in memory of the connection that writes, and of each that reads, of which the window has
# many: four times as much makes no query of a library of 1,000 documents faster.
CACHE_KB, READING_CACHE_KB = 32_768, 8_192
MAX_HISTORY = 100  # edits that can be undone
FIRST_WITHOUT_PASSWORDS = 12  # older versions of the file held the passwords of documents
SYNC_NORMAL, SYNC_FULL = 1, 2  # of the pragma: at checkpoints only, at every commit
CLOSE_CHECKPOINT_S = 1.0
# Pages of the write-ahead log (of 4 KB) from which a commit moves them into the file, and waits
# 60 ms for the disk. With SQLite's 1,000, that was every fourth edit; a quiet library is
# checkpointed by `backups.py` each minute, so that the log seldom becomes as long as this.
LOG_PAGES = 4000
BACKUP_STEP_PAGES = 1000
# All pages of files up to this size are verified before anything is written: at most 0.1 s.
MAX_VERIFIED_AT_OPENING = 256 << 20
# Decrypting with checksums holds the library in memory.
MAX_CHECKSUMS_AT_DECRYPTING = 1 << 30


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
    old, new = change.old, change.new
    values: tuple[Any, ...] = new or old or ()
    if old and new:  # an update
        values = tuple(o if n is apsw.no_change else n for o, n in zip(old, new, strict=True))
        values = tuple(None if v is apsw.no_change else v for v in values)
    return RowChange(change.name, new is None, values)


def _resolve_conflict(_kind: int, change: apsw.TableChange) -> int:
    is_unsent = change.name in UNSENT_TABLES
    return apsw.SQLITE_CHANGESET_OMIT if is_unsent else apsw.SQLITE_CHANGESET_ABORT


def _clean(value: Any) -> Any:
    return replace_lone_surrogates(value) if isinstance(value, str) else value


class OwnEdits:
    """Which steps of the history this process made, known by their times.

    Their ids would not do: the id of an undone step is used again.
    """

    def __init__(self) -> None:
        self._times: set[float] = set()
        self._earlier = float("-inf")

    def add(self, created_at: float) -> None:
        """Add a step that this process makes."""
        self._times.add(created_at)

    def adopt_earlier(self) -> None:
        """Count all steps until now as made by this process."""
        self._earlier = time.time()

    def __contains__(self, created_at: float) -> bool:
        return created_at <= self._earlier or created_at in self._times


class Db:
    """One connection to a library. Read-only ones see the last committed state.

    A read-write one may be used from several threads: each transaction holds its lock.

    Args:
        looks_for_damage: False opens a file that another connection has looked at as a whole.
        verify_pages: False also reads pages that do not fit their checksum.
        before_upgrade: called with this object before the migrations of an older library; makes
            its backup.
        any_version: opens an older library for reading without an upgrade, to verify a copy.
        key: encrypts a new library and opens an encrypted one. A library that is open, and its
            backups, need none (`store/encryption.py`).

    Raises:
        PassphraseNeeded: the library is encrypted, and the key is missing or wrong.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        read_only: bool = False,
        looks_for_damage: bool = True,
        verify_pages: bool = True,
        before_upgrade: Callable[[Db], object] | None = None,
        any_version: bool = False,
        key: LibraryKey | None = None,
    ) -> None:
        self.path = Path(path)
        self.read_only = read_only
        self._looks_for_damage, self._verifies_pages = looks_for_damage, verify_pages
        self.key = key or find_known_key(self.path)
        self.is_medium_read_only = False  # the file or its folder cannot be written
        self._before_upgrade, self._any_version = before_upgrade, any_version
        self._errors = ErrorTranslator(
            self.path, read_only=read_only, key=self.key, is_key_given=key is not None
        )
        self.lock = threading.RLock()
        self.n_rolled_back = 0
        self._depth = 0
        self.taken_passwords: dict[str, str] = {}  # from an older version: SHA-256 -> password
        self._client = ""  # the program whose edits these are
        self.own_edits = OwnEdits()
        self._user = 0  # the thread of the last statement
        self._is_stopped = False
        self._kept_thread: int | None = None
        try:
            self._open()
        except (apsw.Error, UnicodeDecodeError, OSError) as error:
            problem = self._errors.translate_opening(error)
            leave_record(self.damage, self)
            raise problem from error
        except BaseException:
            leave_record(self.damage, self)
            raise

    @property
    def damage(self) -> DamageRecord:
        """What damage any connection of this process found in the file."""
        return self._errors.damage

    @property
    def is_writable(self) -> bool:
        """Whether this connection accepts changes."""
        return not self.read_only and self.is_library_writable

    @property
    def is_library_writable(self) -> bool:
        """Whether the library accepts changes: it is not damaged, nor read-only where it is."""
        return not self.is_medium_read_only and self.damage.found is None

    # --- opening --------------------------------------------------------------------------------

    def _open(self) -> None:
        is_new = not self.path.exists()
        if is_new and not self.read_only:
            create_library(self.path, self.key)
        self._join_record()
        salt = read_salt(self.path)
        if salt != self.damage.salt:  # it was another one when the file was opened first
            raise self._errors.refuse_opening(HEADER_DAMAGED)
        if self.key is None and salt is not None:
            raise PassphraseNeeded(
                "“{name}” is encrypted.", "Enter its passphrase.", name=self.path.name
            )
        if self._looks_for_damage and not is_new:
            self._find_known_damage()
        self._connection = self._connect()
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise
        self.damage.was_opened = True

    def _join_record(self) -> None:
        """Share the record of damage with the other connections to the file."""
        leave_record(self.damage, self)
        self._errors.damage = join_record(self.path, self)

    def _find_known_damage(self) -> None:
        """Look for damage that needs no connection; the file is not written if there is any."""
        if self.path.stat().st_size == 0:
            self.damage.add(Message("it is empty (0 bytes)"), prevents_opening=True)
            raise DamagedLibrary(
                "The library “{name}” is empty (0 bytes).",
                WAYS_OUT,
                name=self.path.name,
            )
        if what := describe_file_damage(self.path):
            raise self._errors.refuse_opening(what)
        if self.path.stat().st_size < MIN_BYTES:  # SQLite would overwrite it
            raise not_a_library(self.path)
        if self.damage.found is not None:
            return
        if noted := read_note(self.path):
            self.damage.add(noted)
        elif self.path.stat().st_size <= MAX_VERIFIED_AT_OPENING:
            self._errors.verify_pages()

    def _connect(self) -> apsw.Connection:
        """Open the file for writing if that is wanted and possible, otherwise for reading."""
        folder = self.path.parent
        may_write = os.access(self.path, os.W_OK) and os.access(folder, os.W_OK)
        if not self.read_only and self.damage.found is None and may_write:
            try:
                connection = self._try(connect(self.path, apsw.SQLITE_OPEN_READWRITE, key=self.key))
                if not connection.readonly("main"):
                    return connection
                connection.close()
            except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError):
                pass
            may_write = False
        self.is_medium_read_only = not may_write
        try:
            return self._try(connect(self.path, apsw.SQLITE_OPEN_READONLY, key=self.key))
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            # The index of the write-ahead log can't be made where nothing can be written.
            return self._connect_immutable()

    def _connect_immutable(self) -> apsw.Connection:
        log_file = self.path.with_name(self.path.name + "-wal")
        if log_file.exists() and log_file.stat().st_size:
            raise EnvironmentProblem(
                "The latest changes of “{name}” are in “{log}” and can't be read here.",
                "Copy both files to a folder where you may write, and open the library there.",
                name=self.path.name,
                log=log_file.name,
            )
        flags = apsw.SQLITE_OPEN_READONLY
        return self._try(connect(self.path, flags, key=self.key, immutable=True))

    def _try(self, connection: apsw.Connection) -> apsw.Connection:
        """Read once, because SQLite opens the files beside the library only then."""
        try:
            connection.set_busy_timeout(BUSY_TIMEOUT_MS)
            if not self._verifies_pages:
                connection.pragma("checksum_verification", False)
            connection.pragma("schema_version")
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self) -> None:
        connection = self._connection
        restrict(connection)
        version = self._check_schema()
        load_vectors(connection)
        register_functions(connection)
        connection.pragma("foreign_keys", True)
        connection.pragma("cache_size", -(READING_CACHE_KB if self.read_only else CACHE_KB))
        if not self.is_writable:
            self._check_is_current(version)
            return
        # The schema is our own, and triggers use the virtual table of the vectors.
        connection.pragma("trusted_schema", True)
        mode = connection.pragma("journal_mode", "wal")
        if mode != "wal":  # network folders have no shared memory
            log.info("no write-ahead log on this file system, journal mode is %s", plain(mode))
            connection.pragma("journal_mode", "delete")
        connection.pragma("wal_autocheckpoint", LOG_PAGES)
        connection.pragma("synchronous", SYNC_NORMAL)
        connection.pragma("fullfsync", True)  # macOS: fsync alone does not reach the disk
        self._migrate()
        if self._ensure_checksums():
            self._join_record()  # it is another file now
            self._connection = self._connect()
            self._prepare()

    def _check_schema(self) -> int:
        """Return the version of the schema, if nothing in it was made by another program."""
        connection = self._connection
        version = connection.pragma("user_version")
        if version > newest_version():
            raise UserError(
                "“{name}” was made by a newer Inkgraph.",
                "Update Inkgraph to open it.",
                name=self.path.name,
            )
        found: list[Any] = connection.execute(SCHEMA_SQL).fetchall()
        is_ours = connection.pragma("application_id") == APPLICATION_ID
        if found and (version < 1 or not is_ours):
            raise UserError(
                "“{name}” is a database, but not an Inkgraph library.",
                "Choose another name for a new library.",
                name=self.path.name,
            )
        own = list_own_objects(found)
        is_newest = version == newest_version() and digest_schema(own) == NEWEST_SCHEMA
        if strange := find_strange_objects(found, own if is_newest else expected_schema(version)):
            raise strange_schema(self.path, strange)
        return int(version)

    def _check_is_current(self, version: int) -> None:
        """Raise if a library that cannot be written would have to be upgraded."""
        if version < newest_version() and not self._any_version:
            if not self.is_medium_read_only:
                raise EnvironmentProblem(
                    "“{name}” was made by an older Inkgraph and has to be upgraded first; here it "
                    "is only read.",
                    "Open it once in the window, or run: inkgraph status --library FILE",
                    name=self.path.name,
                )
            raise EnvironmentProblem(
                "“{name}” was made by an older Inkgraph and can't be upgraded where it is.",
                "Copy it to a folder where you may write, and open the copy.",
                name=self.path.name,
            )

    def _migrate(self) -> None:
        version = self._connection.pragma("user_version")
        if 0 < version < FIRST_WITHOUT_PASSWORDS:
            self.taken_passwords = take_passwords(self._connection)
        if 0 < version < newest_version() and self._before_upgrade is not None:
            self._before_upgrade(self)
        run_migrations(self._connection, version)

    def _ensure_checksums(self) -> bool:
        """Replace the file of an older version by one with page checksums; True if replaced.

        The caller connects again. Pages of an encrypted library are authenticated instead.
        """
        if self.key is not None or not can_get_checksums(self._connection, self.path):
            return False
        try:
            if self.integrity_problems():
                self.damage.add(Message("its structure is inconsistent"))
                return False
            return replace_with_checksums(self._connection, self.path)
        except DamagedLibrary:  # is recorded: the library is opened for reading
            return False
        except apsw.Error as error:
            problem = self._errors.translate(error)
            if isinstance(problem, DamagedLibrary):
                return False
            if not isinstance(problem, EnvironmentProblem):
                raise problem from error
            log.info("page checksums are added another time: %s", problem)
            return False
        except (EnvironmentProblem, OSError) as problem:
            log.info("page checksums are added another time: %s", problem)
            return False

    # --- statements ---------------------------------------------------------------------

    def rows(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query.

        Raises:
            Cancelled: the library was closed meanwhile, or `stop` was called.
            DamagedLibrary: the rows can't be read.
        """
        with self.lock:
            try:
                return self._execute(sql, values).fetchall()
            except (apsw.Error, UnicodeDecodeError) as error:
                raise self._errors.translate(error) from error

    def iterate(
        self, sql: str, values: Sequence[Any] | dict[str, Any] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query without holding all in memory; raises as `rows` does."""
        with self.lock:
            try:
                yield from self._execute(sql, values)
            except (apsw.Error, UnicodeDecodeError) as error:
                raise self._errors.translate(error) from error

    def row(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> tuple[Any, ...] | None:
        """Return the first row of a query, None if there is none; raises as `rows` does."""
        with self.lock:
            try:
                return next(iter(self._execute(sql, values)), None)
            except (apsw.Error, UnicodeDecodeError) as error:
                raise self._errors.translate(error) from error

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
        try:
            self._execute(sql, values)
        except apsw.Error as error:
            raise self._errors.translate(error) from error
        return self._connection.last_insert_rowid()

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self._check_writing()
        self._check_stopped()
        try:
            self._connection.executemany(sql, rows)
        except apsw.Error as error:
            raise self._errors.translate(error) from error

    @contextmanager
    def small_cache(self) -> Iterator[None]:
        """Keep few pages in memory, while what is read and written is larger than any cache."""
        try:
            with self.lock:  # covers are read in another thread meanwhile
                self._connection.pragma("cache_size", -READING_CACHE_KB)
            yield
        finally:
            with self.lock, suppress(apsw.ConnectionClosedError):
                self._connection.pragma("cache_size", -CACHE_KB)

    def read_blob(self, table: str, row_id: int, start: int, n: int, *, of_size: int) -> bytes:
        """Return `n` bytes of the column `content` of a row.

        Raises:
            Cancelled: the row is gone, or its content has another size than `of_size` by now.
        """
        with self.lock:
            self._check_stopped()
            try:
                with closing(
                    self._connection.blob_open("main", table, "content", row_id, False)
                ) as blob:
                    if blob.length() != of_size:
                        raise Cancelled
                    blob.seek(start)
                    return blob.read(n)
            except apsw.SQLError as error:  # no such row, or no bytes in it
                raise Cancelled from error
            except apsw.Error as error:
                raise self._errors.translate(error) from error

    def write_blob(self, table: str, row_id: int, pieces: Iterable[bytes]) -> None:
        """Overwrite the column `content` of a row with as many bytes as it has.

        Raises:
            ValueError: there are more or fewer bytes.
        """
        self._check_writing()
        try:
            with self._connection.blob_open("main", table, "content", row_id, True) as blob:
                for piece in pieces:
                    self._check_stopped()
                    blob.write(piece)
                if blob.tell() != blob.length():
                    raise ValueError("a content that has fewer bytes than its size")
        except apsw.Error as error:
            raise self._errors.translate(error) from error

    def _execute(self, sql: str, values: Sequence[Any] | dict[str, Any]) -> apsw.Cursor:
        """Execute a statement; lone surrogates, as in some file names, become U+FFFD."""
        self._check_stopped()
        try:
            return self._connection.execute(sql, values)
        except UnicodeEncodeError:
            if isinstance(values, dict):
                return self._connection.execute(sql, {k: _clean(v) for k, v in values.items()})
            return self._connection.execute(sql, [_clean(v) for v in values])

    def _check_writing(self) -> None:
        if self._depth == 0:
            raise RuntimeError("a write outside a transaction")

    def check_writable(self) -> None:
        """Raise the reason if changes are not accepted.

        Raises:
            DamagedLibrary: damage was found since the library was opened, or before.
            ReadOnlyLibrary: the file or its folder cannot be written.
        """
        if self.damage.found is not None:
            raise self.damage.build_refusal()
        if self.is_medium_read_only and not self.read_only:
            raise read_only_library(self.path)

    # --- transactions and undo ---------------------------------------------------------------

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[None]:
        """Write everything inside together or not at all; nested ones join the outer one.

        Args:
            durable: wait until the disk has the commit, so that a power cut does not undo it.
                Has no effect in a nested transaction.
        """
        with self.lock:
            if self._depth:
                self._depth += 1
                try:
                    yield
                finally:
                    self._depth -= 1
                return
            self.check_writable()
            try:
                self._connection.pragma("synchronous", SYNC_FULL if durable else SYNC_NORMAL)
                self._connection.execute("BEGIN IMMEDIATE")
            except apsw.Error as error:
                raise self._errors.translate(error) from error
            self._depth = 1
            try:
                yield
                self.check_writable()  # another connection may have met damage meanwhile
                self._connection.execute("COMMIT")
            except BaseException as error:
                self._roll_back()
                problem = error
                if isinstance(error, apsw.Error):
                    problem = self._errors.translate(error)
                if isinstance(problem, DamagedLibrary) and self.damage.found is not None:
                    problem = self.damage.build_refusal()  # what was read says not what was lost
                if problem is error:
                    raise
                raise problem from error
            finally:
                self._depth = 0

    @contextmanager
    def session_transaction(self) -> Iterator[None]:
        """Open a transaction on the tables of chats.

        Of a library that was opened for reading only, these are copied into memory, so that
        questions can be asked; what is written there is lost when the library is closed.
        """
        with self.lock:  # first: another thread may be in a transaction of this connection
            if self._depth or not self._connection.readonly("main"):
                with self.transaction():
                    yield
                return
            try:
                self._ensure_session_tables()
                with self._connection:
                    self._depth = 1
                    yield
            except (apsw.Error, UnicodeDecodeError) as error:
                raise self._errors.translate(error) from error
            finally:
                self._depth = 0

    def _ensure_session_tables(self) -> None:
        """Copy the tables of chats into temporary ones, which take precedence by name."""
        if self._has_temporary(SESSION_TABLES[0]):
            return
        with self._connection:
            for table in SESSION_TABLES:
                sql = str(self.value("SELECT sql FROM main.sqlite_schema WHERE name = ?", (table,)))
                self._connection.execute(sql.replace("CREATE TABLE", "CREATE TEMP TABLE", 1))
                self._connection.execute(f"INSERT INTO temp.{table} SELECT * FROM main.{table}")

    def _has_temporary(self, table: str) -> bool:
        sql = "SELECT 1 FROM temp.sqlite_schema WHERE type = 'table' AND name = ?"
        return self._connection.execute(sql, (table,)).get is not None

    @contextmanager
    def temporary_tables(self, tables: Iterable[str], statements: Iterable[str]) -> Iterator[None]:
        """Open a transaction on new temporary tables; the file is not written.

        What this connection reads by their names is read from them, until `drop_temporary`.

        Args:
            tables: their names; those that are there already are dropped.
            statements: make the tables and their indexes.
        """
        with self.lock:
            if self._depth:
                raise RuntimeError("temporary tables inside a transaction")
            self.drop_temporary(tables)
            try:
                with self._connection:
                    for statement in statements:
                        self._connection.execute(statement)
                    self._depth = 1
                    yield
            except (apsw.Error, UnicodeDecodeError) as error:
                raise self._errors.translate(error) from error
            finally:
                self._depth = 0

    def drop_temporary(self, tables: Iterable[str]) -> None:
        """Drop those temporary tables that are there; the ones in the file are read again."""
        with self.lock:
            for table in tables:
                if self._has_temporary(table):
                    self._connection.execute(f"DROP TABLE temp.{table}")

    def _roll_back(self) -> None:
        self.n_rolled_back += 1
        if self._connection.in_transaction:
            with suppress(apsw.CorruptError, apsw.IOError):  # as the error that led here
                self._connection.execute("ROLLBACK")

    @contextmanager
    def edit(self, label: Message, *, joins: int = 0) -> Iterator[None]:
        """Open a durable transaction on the user's tables, stored in the history under `label`.

        `store.history` undoes it.

        Args:
            joins: an edit that is undone together with this one, if it is still the last one.
        """
        if self._client:
            label = Message("{edit} ({client})", edit=label, client=self._client)
        with self.transaction(durable=True):
            session = apsw.Session(self._connection, "main")
            earlier: bytes | None = None  # the changes that the new ones are joined with
            for table in UNDOABLE_TABLES:
                session.attach(table)
            try:
                yield
                changeset = session.changeset()
            finally:
                session.close()
            if changeset:
                self._connection.execute("DELETE FROM history WHERE undone = 1")
                earlier = self._find_last_edit(joins) if joins else None
                if earlier is not None:
                    changeset = _join_changesets(earlier, changeset)
            if changeset:
                created_at = time.time()
                self._execute(  # the label may name what is no Unicode
                    "INSERT INTO history(label, changeset, created_at) VALUES (?, ?, ?)",
                    (label.to_stored(), changeset, created_at),
                )
                self.own_edits.add(created_at)
            if earlier is not None:  # after the new one, so that this has another id
                self._connection.execute("DELETE FROM history WHERE id = ?", (joins,))
            if changeset:
                self._connection.execute(
                    "DELETE FROM history WHERE id NOT IN"
                    " (SELECT id FROM history ORDER BY id DESC LIMIT ?)",
                    (MAX_HISTORY,),
                )

    def _find_last_edit(self, edit_id: int) -> bytes | None:
        """Return the changes of an edit, None if another one came after it."""
        row = self.row(
            "SELECT changeset FROM history WHERE id = ? AND id = (SELECT max(id) FROM history)",
            (edit_id,),
        )
        return row[0] if row is not None else None

    @contextmanager
    def edits_of(self, client: str) -> Iterator[None]:
        """Put the name of another program into the labels of all edits in this context."""
        with self.lock:
            self._client = client
            try:
                yield
            finally:
                self._client = ""

    def apply_changeset(
        self, changeset: bytes, *, invert: bool, keep: Callable[[RowChange], bool] | None = None
    ) -> bool:
        """Apply a changeset or its inverse; return False if it no longer fits.

        Text that was typed since stays as it is.

        Args:
            keep: changes for which it returns False are left out; without it, none is.
        """
        self._check_writing()
        try:
            apsw.Changeset.apply(
                apsw.Changeset.invert(changeset) if invert else changeset,
                self._connection,
                filter_change=None if keep is None else lambda change: keep(_read_change(change)),
                conflict=_resolve_conflict,
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

    def compact(self) -> None:
        """Write the file again without unused space."""
        with self.lock:
            self.check_writable()
            try:
                self._connection.execute("VACUUM")
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except apsw.Error as error:
                raise self._errors.translate(error) from error

    # --- the end --------------------------------------------------------------------------------

    def stop(self, *, keep_thread: int | None = None) -> None:
        """Interrupt the running statement and refuse all further ones with `Cancelled`.

        For the end of the program: what is not committed is rolled back. From any thread.

        Args:
            keep_thread: the identifier of a thread that may go on.
        """
        self._kept_thread, self._is_stopped = keep_thread, True
        if keep_thread is None or self._user != keep_thread:
            with suppress(apsw.ConnectionClosedError):
                self._connection.interrupt()

    def _check_stopped(self) -> None:
        self._user = threading.get_ident()
        if self._is_stopped and self._user != self._kept_thread:
            raise Cancelled

    def close(self) -> None:
        """Close the connection; the last one of a library leaves one complete file."""
        with self.lock:
            self._is_stopped = False
            if self.damage.found is not None:
                self._protect_damaged_file()
            elif self.is_writable:
                self._checkpoint_within(CLOSE_CHECKPOINT_S)
            try:
                self._connection.close()
            finally:
                leave_record(self.damage, self)

    def _protect_damaged_file(self) -> None:
        """Keep what is in the write-ahead log out of a damaged file."""
        if not self.read_only:
            with suppress(apsw.ConnectionClosedError):
                self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)

    # --- copies of the file ---------------------------------------------------------------------

    def connect_like(self, path: Path) -> apsw.Connection:
        """Return a connection to a file that a copy of this library is written to or read from.

        The copy of an encrypted library is encrypted with the same key.
        """
        is_new = not path.exists()
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        connection = connect(path, flags, key=self.key)
        has_checksums = self._connection.reserve_bytes("main") == CHECKSUM_BYTES
        if is_new and self.key is None and has_checksums:
            # The VFS computes checksums from the first page on that says so. Pages that come out of
            # the write-ahead log have none, and a copy may write them before its first page.
            connection.reserve_bytes("main", CHECKSUM_BYTES)
            connection.pragma("user_version", 1)
        return connection

    def open_like(self, path: Path) -> Db:
        """Return a read-only connection to a copy of this library."""
        return Db(path, read_only=True, any_version=True, key=self.key)

    def copy_to(
        self, target: apsw.Connection, on_step: Callable[[int, int], None] = lambda left, n: None
    ) -> None:
        """Copy the library as this connection sees it, in steps of 4 MB.

        A read-only connection copies one state while others write. Without a write-ahead log the
        copy starts again whenever another connection writes.

        Args:
            on_step: gets the number of pages left and of all pages.
        """
        try:
            with target.backup("main", self._connection, "main") as backup:
                while not backup.done:
                    try:
                        backup.step(BACKUP_STEP_PAGES)
                    except (apsw.BusyError, apsw.LockedError):
                        log.info("the library is busy; the backup waits")
                    on_step(backup.remaining, backup.page_count)
        except (apsw.FullError, apsw.CantOpenError):
            raise  # of the target
        except apsw.Error as error:
            raise self._errors.translate(error) from error

    def write_encrypted(self, path: Path, key: LibraryKey | None) -> None:
        """Write the library to a new file, encrypted with another key or, with None, plain.

        A plain one gets page checksums, unless it is too large for that.
        """
        has_checksums = self.path.stat().st_size <= MAX_CHECKSUMS_AT_DECRYPTING
        written = self.key if key is None and has_checksums else key
        vfs = (load_checksum_vfs() if written is None else None) or ""
        target = build_encrypted_uri(path, written, vfs)
        try:
            with self.lock:
                self._connection.execute("VACUUM INTO ?", (target,)).fetchall()
            if key is None and written is not None:
                decrypt_with_checksums(path, written)
        except apsw.Error as error:  # its text may hold the key: it ends here
            translated = self._errors.translate(error)
            if isinstance(translated, EnvironmentProblem):
                raise translated from None
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
            self.check_writable()
            self._connection.set_busy_timeout(0)
            try:
                self._connection.pragma("locking_mode", "exclusive")
                self._connection.pragma("journal_mode", "delete")
                self._connection.execute("BEGIN EXCLUSIVE; COMMIT")
            except (apsw.BusyError, apsw.LockedError) as error:
                raise library_in_use(self.path) from error
            except apsw.Error as error:
                raise self._errors.translate(error) from error

    def count_rows(self) -> dict[str, int]:
        """Return the number of rows of every table."""
        tables = self.column("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        return {name: self.value(f'SELECT count(*) FROM "{name}"') for name in tables}

    @contextmanager
    def snapshot(self) -> Iterator[bool]:
        """Read one state of the library until the end; writers do not wait for it.

        Yields whether it is one state: without a write-ahead log writers would wait, so it is not.
        """
        if self.value("PRAGMA journal_mode") != "wal":
            yield False
            return
        with self.lock:
            self.rows("BEGIN")
            try:
                self.value("SELECT count(*) FROM sqlite_schema")
                yield True
            finally:
                if self._connection.in_transaction:  # damage that was read ends it
                    self._connection.execute("ROLLBACK")

    def fetch_foreign_commits(self) -> int | None:
        """Return a number that changes when another connection commits; None while this one writes.

        Other numbers say nothing: they belong to this connection. The program has one connection
        that writes, so for this one a new number means a commit of another process.
        """
        if not self.lock.acquire(blocking=False):
            return None
        try:
            return None if self._depth else int(self.value("PRAGMA data_version"))
        finally:
            self.lock.release()

    def checkpoint(self) -> bool:
        """Move the write-ahead log into the file if nobody uses it; return whether it is empty."""
        if not self.is_writable or not self.lock.acquire(blocking=False):
            return False
        try:
            if self._depth:
                return False
            self._connection.set_busy_timeout(0)
            [(busy, _, _)] = self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            return not busy
        except (EnvironmentProblem, Cancelled):
            return False
        finally:
            self._restore_busy_timeout()
            self.lock.release()

    def _restore_busy_timeout(self) -> None:
        try:
            self._connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        except apsw.ConnectionClosedError:
            log.debug("closed during a checkpoint")

    def _checkpoint_within(self, seconds: float) -> None:
        """Move the write-ahead log into the file; leave the rest for the next start after a time.

        SQLite would do it while closing, for as long as it takes.
        """
        timer = threading.Timer(seconds, self._connection.interrupt)
        timer.daemon = True
        timer.start()
        try:
            self._connection.set_busy_timeout(0)
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except apsw.ConnectionClosedError:
            log.debug("already closed")
        except apsw.Error as error:
            log.info("the write-ahead log stays beside the library: %s", error)
            self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        finally:
            timer.cancel()
            timer.join()


def _join_changesets(first: bytes, second: bytes) -> bytes:
    """Return two changesets as one; empty if the second takes the first one back."""
    joined = apsw.ChangesetBuilder()  # type: ignore[no-untyped-call]
    try:
        joined.add(first)
        joined.add(second)
        return joined.output()
    finally:
        joined.close()
