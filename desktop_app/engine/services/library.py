"""One open library: its connections, actions on whole documents, and backups."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import DiskFull, EnvironmentProblem, UserError
from ..store.backup import is_in_use, write_copy
from ..store.damage import DamageRecord
from ..store.db import Db
from ..store.disk_reserve import ensure_reserve, release_reserve
from ..store.document_metadata import fetch_library_id
from ..store.encryption import LibraryKey, hold_key, release_key
from ..text.file_kinds import is_supported
from .backups import UPGRADE, Backups, check_room, read_library_file, restore
from .document_import import list_files
from .document_passwords import shared_passwords

SUFFIX = ".inkgraph"


def complete_path(path: Path) -> Path:
    """Return the path of a library that may be given without its suffix."""
    path = path.expanduser()
    return path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)


class Library:
    """An open `.inkgraph` file: one connection for writing, others for reading.

    Each reading thread takes its own connection from `reader`.

    Args:
        key: of an encrypted library; a new library is encrypted with it. It is in memory until
            `close`.
        may_write: False opens a library that is there for reading only: it is not upgraded, and
            `writer` only reads.
    """

    def __init__(
        self,
        path: Path,
        *,
        create: bool = True,
        key: LibraryKey | None = None,
        may_write: bool = True,
    ) -> None:
        given, path = Path(path), complete_path(Path(path))
        if not path.exists() and given.is_file():
            raise UserError(
                "“{name}” is a document, not a library.",
                "Give a library, whose name ends in .inkgraph; documents are added to one.",
                name=given.name,
            )
        if not (create and may_write) and not path.exists():
            raise UserError(
                "There is no library at “{path}”.",
                "Add a document first: this creates the library.",
                path=path,
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentProblem(
                "The folder “{folder}” can't be created: {reason}.",
                "Choose another place for the library.",
                folder=path.parent,
                reason=error.strerror,
            ) from error
        self.path = path
        self.backups = Backups(path)
        self.writer = self._open_writer(key) if may_write else Db(path, read_only=True, key=key)
        shared_passwords().take_over(self.writer.taken_passwords)
        self._readers: list[Db] = []
        self._is_closed = False
        if self.key is not None:
            hold_key(self.key)

    @property
    def damage(self) -> DamageRecord:
        """What damage any connection of this process found in the file."""
        return self.writer.damage

    @property
    def is_writable(self) -> bool:
        """Whether changes are accepted: not in a damaged or a read-only library."""
        return self.writer.is_writable

    def _open_writer(self, key: LibraryKey | None) -> Db:
        def open_writer() -> Db:
            return Db(
                self.path,
                before_upgrade=lambda db: self.backups.make_from(db, UPGRADE),
                key=key,
            )

        try:
            db = open_writer()
        except DiskFull:  # opening needs some room for the log
            if not release_reserve(self.path):
                raise
            db = open_writer()
        if db.is_writable:
            ensure_reserve(self.path)
        return db

    def reader(self) -> Db:
        """Return a new read-only connection, closed with the library."""
        db = Db(self.path, read_only=True, looks_for_damage=False)
        db.is_medium_read_only = self.writer.is_medium_read_only
        self._readers.append(db)
        return db

    def stop_reading(self, *, keep_thread: int | None = None) -> None:
        """Stop the reading connections, see `Db.stop`."""
        for db in self._readers:
            db.stop(keep_thread=keep_thread)

    @property
    def key(self) -> LibraryKey | None:
        """The key of an encrypted library, None for a plain one."""
        return self.writer.key

    def close(self) -> None:
        for db in self._readers:
            db.close()
        is_writable = self.writer.is_writable
        self.writer.close()
        if is_writable and not self._is_closed:
            ensure_reserve(self.path)
        if self.key is not None and not self._is_closed:
            release_key(self.key)
        self._is_closed = True


@dataclass(frozen=True, slots=True)
class LibrarySize:
    """The files that would be added: their number and total size."""

    n_files: int
    n_bytes: int


def measure_files(paths: Iterable[str | Path]) -> LibrarySize:
    """Count files and the readable files of folders before they are added."""
    n_files = n_bytes = 0
    for path in map(Path, paths):
        files = [path]
        if path.is_dir():
            files = [p for p in list_files(path) if is_supported(p.name)]
        for file in files:
            with suppress(OSError):  # it is refused when it is added
                n_bytes += file.stat().st_size
                n_files += 1
    return LibrarySize(n_files, n_bytes)


def write_backup(library: Path, path: Path, *, may_replace: bool = False) -> int:
    """Write a verified copy of a library to a file; return its size.

    Args:
        may_replace: whether it replaces any other file than an earlier backup of this library.

    Raises:
        UserError: the file is the library itself, or must not be replaced.
        EnvironmentProblem: it is in use, or can't be written.
    """
    if path.is_dir():
        raise UserError("“{name}” is a folder.", "Enter the name of a file.", name=path.name)
    if path.exists() and path.resolve() == library.resolve():
        raise UserError("This is the library itself.", "Choose another file for its copy.")
    if path.parent.is_dir():
        check_room(library, path.parent)
    reader = Db(library, read_only=True)
    try:
        if path.exists():
            _check_replaceable(reader, path, may_replace=may_replace)
        write_copy(reader, path)
    finally:
        reader.close()
    return path.stat().st_size


def _check_replaceable(library: Db, path: Path, *, may_replace: bool) -> None:
    """Raise unless a backup of a library may replace a file.

    A copy of a library has its id. One that is open somewhere is a library that is worked with.
    """
    is_empty = not path.stat().st_size
    is_own = is_empty or read_library_file(path, fetch_library_id) == fetch_library_id(library)
    if not (may_replace or is_own):
        raise UserError(
            "“{name}” is there already, and is no backup of this library that can be read.",
            "Choose another name. On the command line, --replace replaces it.",
            name=path.name,
        )
    if is_in_use(path):
        raise EnvironmentProblem(
            "The library “{name}” is in use by another program.",
            "Close the other Inkgraph window or command and try again.",
            name=path.name,
        )


def compact(db: Db) -> tuple[int, int]:
    """Free the space of deleted data; return the size before and after."""
    db.checkpoint()  # what is still in the write-ahead log belongs to the size
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
        raise UserError("“{name}” already exists.", "Choose another name.", name=target.name)
    restore(backup, target)
    return target
