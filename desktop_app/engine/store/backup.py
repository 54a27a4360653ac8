"""Copies of a library: writing one, verifying it, and what tells two states apart.

A copy is made with SQLite's backup API: page by page, in steps that can be cancelled, from one
state that a read-only connection sees while others write. It has the same pages as the library,
with their checksums and encryption, which `VACUUM INTO` would write anew. It appears under its
name only after it was verified. Knows no folder and no rule about which copies are kept.
"""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import dataclass
from pathlib import Path

import apsw

from ..errors import EnvironmentProblem, cannot_write
from ..progress import CancelToken
from .connection import connect
from .damage import NOTE_SUFFIX
from .db import CURATION_TABLES, Db
from .encryption import find_known_key

log = logging.getLogger(__name__)

PART_SUFFIX = ".part"
CLOSING_MS = 3000
EDITS = 1  # the place of the history in `fetch_state`


@dataclass(frozen=True, slots=True)
class LibraryCounts:
    """Rows of a library that a copy must have too."""

    n_documents: int
    n_entities: int
    n_relations: int
    n_corrections: int


def count_library(db: Db) -> LibraryCounts:
    """Count documents, entities, relations and rows of the curation tables."""
    present = set(db.column("SELECT name FROM sqlite_schema WHERE type = 'table'"))

    def count(table: str) -> int:
        return int(db.value(f"SELECT count(*) FROM {table}")) if table in present else 0

    corrections = sum(map(count, CURATION_TABLES))
    return LibraryCounts(count("document"), count("entity"), count("relation"), corrections)


def fetch_state(db: Db) -> tuple[object, ...]:
    """Return values that differ after any change worth a backup; takes milliseconds.

    Reading positions and cached model calls are not among them.
    """
    return tuple(
        db.row(f"SELECT {query}")
        for query in (
            "content_version, vectors_version FROM library_state",
            "max(id), count(*), total(undone) FROM history",  # at `EDITS`
            "max(id), count(*) FROM document",
            "max(id), count(*) FROM extraction",
            "max(id), count(*) FROM message",
            "count(*) FROM report",
            "count(*) FROM trash",
        )
    )


def write_copy(db: Db, path: Path, *, cancel: CancelToken | None = None) -> LibraryCounts:
    """Write a verified copy of a library to a file that does not exist or is replaced.

    Args:
        db: a connection for this work alone; a read-only one copies one state.

    Raises:
        EnvironmentProblem: the disk is full, or the copy is not equal to the library.
        Cancelled: the token was set; nothing is left.
    """
    cancel = cancel or CancelToken()
    part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}{PART_SUFFIX}")
    _remove(part)
    try:
        with db.snapshot() as is_one_state:
            counts = count_library(db)
            _copy(db, part, cancel)
        _verify(db, part, counts if is_one_state else None, cancel)
        for one in list_companions(path):  # of a library that is replaced: not a log of the copy
            one.unlink(missing_ok=True)
        os.replace(part, path)
        sync_folder(path.parent)
    except apsw.FullError as error:
        raise EnvironmentProblem(
            "There is too little room on the disk to back up the library.",
            "Make room, or choose another folder for backups.",
        ) from error
    except apsw.CantOpenError as error:
        raise EnvironmentProblem(
            "“{what}” can't be written: {reason}.",
            "Choose another place.",
            what=path.name,
            reason=error,
        ) from error
    except apsw.Error as error:
        raise _build_problem(db, str(error)) from error
    except OSError as error:
        raise cannot_write(path.name, error) from error
    finally:
        _remove(part)
    return counts


def _build_problem(db: Db, reason: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        "The backup of “{name}” was not kept, because it is damaged: {reason}.",
        "Check the library, and the disk.",
        name=db.path.stem,
        reason=reason,
    )


def _copy(db: Db, part: Path, cancel: CancelToken) -> None:
    target = db.connect_like(part)
    try:
        db.copy_to(target, lambda _left, _n: cancel.check())
        target.pragma("journal_mode", "delete")  # so that the copy is one file
    finally:
        target.close()


def _verify(db: Db, part: Path, counts: LibraryCounts | None, cancel: CancelToken) -> None:
    """Raise unless a copy opens, is consistent and has the same number of rows."""
    copy = db.open_like(part)
    try:
        with cancel.notifying(copy.stop):
            problems = copy.integrity_problems()
            found = count_library(copy)
    finally:
        copy.close()
    if counts is not None and found != counts:
        problems.append(f"{found} instead of {counts}")
    if problems:
        log.error("the copy of %s is not sound: %s", db.path.name, "; ".join(problems[:5]))
        raise _build_problem(db, problems[0])


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the names in a folder, where the system can do that."""
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _remove(part: Path) -> None:
    beside = (part.with_name(part.name + suffix) for suffix in ("-journal", NOTE_SUFFIX))
    for path in (part, *beside, *list_companions(part)):
        path.unlink(missing_ok=True)


def list_companions(path: Path) -> tuple[Path, ...]:
    """Return the paths of the write-ahead log and its index beside a library."""
    return path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")


def is_in_use(path: Path) -> bool:
    """Return whether another connection has a library open; a damaged file counts as free."""
    log_file = list_companions(path)[0]
    had_log = log_file.exists()
    try:
        connection = connect(path, apsw.SQLITE_OPEN_READWRITE, key=find_known_key(path))
    except apsw.Error:
        return False
    try:
        connection.set_busy_timeout(CLOSING_MS)  # a session that is closing ends within that
        connection.pragma("locking_mode", "exclusive")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("ROLLBACK")
    except (apsw.BusyError, apsw.LockedError):
        return True
    except apsw.Error:
        log.info("%s can't be locked, because it can't be read", path.name)
    finally:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.close()
    if not had_log and log_file.exists() and not log_file.stat().st_size:
        log_file.unlink()
    return False
