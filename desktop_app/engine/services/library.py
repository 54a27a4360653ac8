"""One open library: its connections, actions on whole documents, and backups."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..errors import EnvironmentProblem, UserError, cannot_write
from ..store.db import Db
from ..text.reading import SUPPORTED_SUFFIXES
from .document_passwords import shared_passwords

SUFFIX = ".inkgraph"


class Library:
    """An open `.inkgraph` file: one connection for writing, others for reading.

    Each reading thread takes its own connection from `reader`.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        path = Path(path).expanduser()
        if path.suffix != SUFFIX:
            path = path.with_name(path.name + SUFFIX)
        if not create and not path.exists():
            raise UserError(
                "There is no library at “{path}”.",
                "Add a document first: that makes it.",
                path=path,
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentProblem(
                "The folder “{folder}” can't be made: {reason}.",
                "Choose another place for the library.",
                folder=path.parent,
                reason=error.strerror,
            ) from error
        self.path = path
        self.writer = Db(path)
        shared_passwords().take_over(self.writer.taken_passwords)
        self._readers: list[Db] = []

    def reader(self) -> Db:
        """Return a new read-only connection, closed with the library."""
        db = Db(self.path, read_only=True)
        self._readers.append(db)
        return db

    def close(self) -> None:
        for db in self._readers:
            db.close()
        self.writer.close()


@dataclass(frozen=True, slots=True)
class LibrarySize:
    """The files that would be added: their number and total size."""

    n_files: int
    n_bytes: int


def measure_files(paths: Iterable[str | Path]) -> LibrarySize:
    """Count files and the readable files of folders before they are added."""
    n_files = n_bytes = 0
    for path in map(Path, paths):
        found = (
            (p for p in path.rglob("*") if p.is_file() and p.suffix.lower() in SUPPORTED_SUFFIXES)
            if path.is_dir()
            else (p for p in (path,) if p.is_file())
        )
        for file in found:
            n_files += 1
            n_bytes += file.stat().st_size
    return LibrarySize(n_files, n_bytes)


def back_up(db: Db, path: Path) -> int:
    """Copy an open library to a file in a consistent state; return its size."""
    if path.exists() and path.resolve() == db.path.resolve():
        raise UserError("This is the library itself.", "Choose another file for its copy.")
    part = path.with_name(path.name + ".part")
    try:
        part.unlink(missing_ok=True)
        db.backup_to(part)
        part.replace(path)
    except OSError as error:
        raise cannot_write(path.name, error) from error
    finally:
        part.unlink(missing_ok=True)
    return path.stat().st_size


def compact(db: Db) -> tuple[int, int]:
    """Free the space of deleted data; return the size before and after."""
    before = db.path.stat().st_size
    free = shutil.disk_usage(db.path.parent).free
    if free < before * 1.2:
        raise EnvironmentProblem(
            "There is too little room on the disk to compact the library.",
            "It needs as much free room as the library has, for a while.",
        )
    db.compact()
    return before, db.path.stat().st_size


def restore_backup(backup: Path, target: Path) -> Path:
    """Copy a backup to a new file, and check that it is a library.

    Raises:
        UserError: the file exists, or the backup is no library.
    """
    if target.exists():
        raise UserError("There is “{name}” already.", "Choose another name.", name=target.name)
    try:
        shutil.copyfile(backup, target)
        Db(target).close()
    except OSError as error:
        raise EnvironmentProblem(
            "“{name}” can't be copied: {reason}.",
            "Choose another place.",
            name=backup.name,
            reason=error.strerror,
        ) from error
    except Exception:
        target.unlink(missing_ok=True)
        raise
    return target
