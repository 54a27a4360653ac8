"""Connections to a library file: how it is opened, made and upgraded.

Owns SQLite's page checksums and keys, the migrations, and the restrictions for files of other
people. `db` builds transactions and reading on it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import apsw
import apsw.sqlite_extra

from ..log_files import plain
from .encryption import APPLICATION_ID, CIPHER, LibraryKey
from .fts_tokens import search_tokens
from .library_file import CHECKSUM_BYTES, find_damaged_pages, write_checksums
from .library_schema import SchemaRow

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_TIMEOUT_MS = 10_000
MMAP_BYTES = 1 << 30  # has no effect on files with page checksums
# Older files up to this size get page checksums when they are opened for the first time (20 s).
MAX_CHECKSUMS_AT_OPENING = 4 << 30
MAX_REWRITE_BYTES = 200 * 2**20
FIRST_WITH_ID = 12  # version of the schema; a library of an older one has no id
LIMITS = {  # of what a file from another person may contain; the others are SQLite's own
    apsw.SQLITE_LIMIT_LENGTH: 1_000_000_000,
    apsw.SQLITE_LIMIT_SQL_LENGTH: 32_000_000,
    apsw.SQLITE_LIMIT_ATTACHED: 1,  # VACUUM needs one
    apsw.SQLITE_LIMIT_TRIGGER_DEPTH: 100,
}
SCHEMA_SQL = "SELECT type, name, tbl_name, rootpage, sql FROM main.sqlite_schema"


@cache  # asked for each time that a library is opened
def migration_files() -> tuple[Path, ...]:
    """Return the migrations in order; each raises `user_version` to the number in its name."""
    return tuple(sorted(MIGRATIONS.glob("*.sql")))


def migration_number(file: Path) -> int:
    return int(file.name[:4])


def newest_version() -> int:
    """Return the version of the schema that new libraries have."""
    return migration_number(migration_files()[-1])


@cache
def load_checksum_vfs() -> str | None:
    """Register SQLite's `cksumvfs` in this process; return its name, None if it is missing.

    It is not made the default, so that only connections that name it have checksums.
    """
    default = apsw.vfs_names()[0]
    connection = apsw.Connection("")
    try:
        apsw.sqlite_extra.load(connection, "cksumvfs")
    except (apsw.Error, OSError, apsw.sqlite_extra.NotAvailable) as error:
        log.warning("no page checksums: cksumvfs can't be loaded: %s", error)
        return None
    finally:
        connection.close()
    apsw.set_default_vfs(default)
    return "cksmvfs"


def connect(
    path: Path, flags: int, *, key: LibraryKey | None = None, immutable: bool = False
) -> apsw.Connection:
    """Open a library file: the only place where a key is given to SQLite.

    Pages of a plain library are verified when read and written with checksums. Those of an
    encrypted one are authenticated by the cipher; nothing of it reaches the disk in plain text,
    since temporary tables stay in memory.

    Args:
        key: of an encrypted library.
        immutable: the file cannot change, so that SQLite needs no file beside it.
    """
    if key is None:
        vfs = load_checksum_vfs()
    else:
        load_checksum_vfs()  # makes the VFS of the cipher the default again
        vfs = None
    # An absolute path is never taken for a URI.
    name = f"{path.absolute().as_uri()}?immutable=1" if immutable else str(path.absolute())
    connection = apsw.Connection(name, flags=flags | apsw.SQLITE_OPEN_URI, vfs=vfs)
    if key is not None:
        connection.execute(f"PRAGMA cipher = '{CIPHER}'").fetchall()
        connection.execute(f"PRAGMA key = '{key.to_raw()}'").fetchall()
    connection.pragma("temp_store", "memory")
    connection.pragma("mmap_size", 0 if key else MMAP_BYTES)
    connection.pragma("secure_delete", False)  # on by default in this build; overwrites are slow
    return connection


def create_library(path: Path, key: LibraryKey | None = None) -> None:
    """Make an empty library at a path where no file is, complete or not at all.

    Args:
        key: encrypts it.
    """
    part = path.with_name(path.name + ".new")
    part.unlink(missing_ok=True)
    try:
        # It gets its name when it is complete and on the disk.
        if key is None:
            _write_plain(part)
        else:
            _create_encrypted(part, key)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    try:
        os.link(part, path)  # fails if another process was faster
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        part.replace(path)
    part.unlink(missing_ok=True)


def _write_plain(path: Path) -> None:
    has_checksums = load_checksum_vfs() is not None
    content = _build_new_library(newest_version(), CHECKSUM_BYTES if has_checksums else 0)
    with path.open("wb") as file:
        file.write(content)
        if not has_checksums:
            file.flush()
            os.fsync(file.fileno())
    if has_checksums:
        write_checksums(path)  # and waits for the disk


def _create_encrypted(path: Path, key: LibraryKey) -> None:
    load_checksum_vfs()  # makes the VFS of the cipher the default again
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(":memory:", flags=flags)
    try:
        connection.deserialize("main", _build_new_library(newest_version(), 0))
        register_functions(connection)
        connection.execute("VACUUM INTO ?", (build_encrypted_uri(path, key),)).fetchall()
    except apsw.Error as error:  # its text may hold the key: it ends here
        raise type(error)("the encrypted library can't be written") from None
    finally:
        connection.close()
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def build_encrypted_uri(path: Path, key: LibraryKey | None, vfs: str = "") -> str:
    """Return the name by which SQLite makes a file with a key, or with None a plain one."""
    raw = key.to_raw() if key else ""
    vfs = vfs or apsw.vfs_names()[0]
    return f"{path.absolute().as_uri()}?vfs={vfs}&cipher={CIPHER}&key={raw}"


def _build_new_library(version: int, n_reserved: int) -> bytes:
    """Return the file of an empty library with an id of its own.

    Args:
        n_reserved: bytes at the end of each page, for its checksum, which is not there yet.
    """
    connection = apsw.Connection(":memory:")
    try:
        connection.deserialize("main", _serialize_empty(version, n_reserved))
        if version >= FIRST_WITH_ID:
            connection.execute("UPDATE library_state SET library_id = lower(hex(randomblob(16)))")
        return connection.serialize("main")
    finally:
        connection.close()


@cache
def _serialize_empty(version: int, n_reserved: int) -> bytes:
    """Return an empty library; the migrations take longer than all else when one is made."""
    connection = build_empty(version, n_reserved)
    try:
        return connection.serialize("main")
    finally:
        connection.close()


def is_sound(path: Path) -> bool:
    """Return whether SQLite finds no problem in a closed library."""
    connection = connect(path, apsw.SQLITE_OPEN_READONLY)
    try:
        register_functions(connection)
        load_vectors(connection)
        return bool(connection.execute("PRAGMA integrity_check").get == "ok")
    except apsw.Error:
        return False
    finally:
        connection.close()


def can_get_checksums(connection: apsw.Connection, path: Path) -> bool:
    """Return whether a library without page checksums can be replaced by one with them."""
    n_reserved = connection.reserve_bytes("main")
    if not load_checksum_vfs() or n_reserved == CHECKSUM_BYTES:
        return False
    size = path.stat().st_size
    if n_reserved > CHECKSUM_BYTES:  # it was decrypted by an older version, or is large
        reason = "its pages have no room for them"
    elif size > MAX_CHECKSUMS_AT_OPENING:
        reason = "its file is too large"
    elif shutil.disk_usage(path.parent).free < 2 * size:
        reason = "the disk has no room for a copy"
    else:
        return True
    log.info("the library gets no page checksums: %s", plain(reason))
    return False


def replace_with_checksums(connection: apsw.Connection, path: Path) -> bool:
    """Replace a library by a copy with page checksums, if no other connection uses it.

    cksumvfs cannot do this in place: it computes checksums only after it has seen the first page,
    which a VACUUM of a large file writes last.

    Returns:
        True if the file was replaced: the connection is closed then.

    Raises:
        apsw.Error, OSError: the copy could not be written; the library is as before.
    """
    part = path.with_name(path.name + ".new")
    connection.set_busy_timeout(0)
    try:
        if connection.pragma("journal_mode", "delete") != "delete":
            log.info("page checksums are added when no other program uses the library")
            return False
        connection.pragma("locking_mode", "exclusive")
        connection.execute("BEGIN EXCLUSIVE; COMMIT")  # keeps the lock
        log.warning("adding page checksums to %s, %d MB", path.name, path.stat().st_size >> 20)
        part.unlink(missing_ok=True)
        connection.reserve_bytes("main", CHECKSUM_BYTES)
        connection.execute("VACUUM INTO ?", (str(part),))
        write_checksums(part)
        if find_damaged_pages(part) or not is_sound(part):
            log.error("%s with page checksums is not sound, and not used", path.name)
            return False
        shutil.copymode(path, part)
        if os.name == "nt":  # no file can be replaced while it is open
            connection.close()
        os.replace(part, path)
        connection.close()
        return True
    finally:
        part.unlink(missing_ok=True)
        with suppress(apsw.ConnectionClosedError):
            connection.pragma("locking_mode", "normal")
            connection.set_busy_timeout(BUSY_TIMEOUT_MS)
            connection.pragma("journal_mode", "wal")


def decrypt_with_checksums(path: Path, key: LibraryKey) -> None:
    """Write a closed encrypted file anew as a plain one with page checksums.

    VACUUM never reserves less on each page than the file has, and the cipher reserves more than
    cksumvfs accepts. Removing the key in place is the only way to reserve nothing. If that fails,
    the file is not usable.
    """
    connection = connect(path, apsw.SQLITE_OPEN_READWRITE, key=key)
    try:
        connection.pragma("journal_mode", "off")
        connection.execute("PRAGMA rekey = ''").fetchall()
    finally:
        connection.close()
    connection = connect(path, apsw.SQLITE_OPEN_READWRITE)
    try:
        register_functions(connection)
        load_vectors(connection)
        if load_checksum_vfs():
            replace_with_checksums(connection, path)
    finally:
        connection.close()


def run_migrations(connection: apsw.Connection, start: int = 0, end: int | None = None) -> None:
    """Raise the version of the schema from `start` to `end`, each step in one transaction."""
    for file in migration_files():
        number = migration_number(file)
        if start < number <= (end or number):
            with connection:
                connection.execute(file.read_text("utf-8"))
                connection.pragma("user_version", number)
                connection.pragma("application_id", APPLICATION_ID)


def register_functions(connection: apsw.Connection) -> None:
    connection.create_scalar_function(
        "search_tokens", _search_tokens, 1, deterministic=True, flags=apsw.SQLITE_INNOCUOUS
    )
    connection.create_scalar_function("sha256_of", _sha256_of, 1, deterministic=True)


def load_vectors(connection: apsw.Connection) -> None:
    """Load sqlite-vec, the only extension that a connection may load."""
    connection.enable_load_extension(True)
    connection.load_extension(_find_vectors())
    connection.enable_load_extension(False)


@cache
def _find_vectors() -> str:
    """Return the path of sqlite-vec, as its `loadable_path`, whose import takes NumPy's along."""
    spec = find_spec("sqlite_vec")
    assert spec is not None and spec.origin is not None
    return str(Path(spec.origin).with_name("vec0"))


@cache
def expected_schema(version: int) -> list[SchemaRow]:
    """Return the schema that the migrations up to this version make."""
    if version == newest_version():  # it is there if this process made a library
        connection = apsw.Connection(":memory:")
        connection.deserialize("main", _serialize_empty(version, CHECKSUM_BYTES))
    else:
        connection = build_empty(version)
    rows: list[Any] = connection.execute(SCHEMA_SQL).fetchall()
    connection.close()
    return rows


def build_empty(version: int, n_reserved: int = 0) -> apsw.Connection:
    """Return an empty library of a version, in memory; `n_reserved` bytes of a page stay free."""
    connection = apsw.Connection(":memory:")
    connection.reserve_bytes("main", n_reserved)
    register_functions(connection)
    run_migrations(connection, end=version)
    return connection


def restrict(connection: apsw.Connection) -> None:
    """Restrict what the content of the file can cause; it may come from another person."""
    connection.pragma("trusted_schema", False)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.pragma("cell_size_check", True)
    for limit, value in LIMITS.items():
        connection.limit(limit, value)


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


def _sha256_of(*values: apsw.SQLiteValue) -> str:
    return hashlib.sha256(str(values[0]).encode("utf-8", "surrogatepass")).hexdigest()
