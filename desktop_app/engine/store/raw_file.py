"""Reads the bytes of a library file without ending the locks that SQLite holds on it.

On Unix, closing any descriptor of a file ends all locks that the process has on this file (POSIX,
`fcntl`). SQLite relies on them: a process without its lock is taken for gone, and the next program
that closes the library deletes the write-ahead log which the first one still writes into. What is
written from then on damages the library. So the file is opened and closed by SQLite's own layer,
which keeps a descriptor until the last lock of the process has ended.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import apsw

if TYPE_CHECKING:
    from typing_extensions import Buffer

_LAYER = "unix"  # SQLite's layer for POSIX; below those of the cipher and of checksums


def open_database_file(path: Path) -> BinaryIO:
    """Open a file that may be an open library, for reading bytes.

    Raises:
        OSError: it is not there, or can't be read.
    """
    if _LAYER not in apsw.vfs_names():  # Windows, where each handle has its own locks
        return path.open("rb")
    path.stat()
    if path.is_dir() or not os.access(path, os.R_OK):
        raise PermissionError(f"{path.name} can't be read")
    return cast(BinaryIO, io.BufferedReader(_RawFile(path)))


class _RawFile(io.RawIOBase):
    """A database file as a stream of bytes."""

    def __init__(self, path: Path) -> None:
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB
        try:
            self._file = apsw.VFSFile(_LAYER, str(path.resolve()), [flags, 0])
        except apsw.Error as error:
            raise OSError(f"{path.name} can't be read") from error
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._file.xFileSize()}
        self._at = max(0, start[whence] + offset)
        return self._at

    def readinto(self, buffer: Buffer) -> int:
        with memoryview(buffer) as view, view.cast("B") as target:
            # behind the end SQLite returns zeros, and APSW leaves zeros at the end out
            n_bytes = max(0, min(len(target), self._file.xFileSize() - self._at))
            try:
                content = self._file.xRead(n_bytes, self._at) if n_bytes else b""
            except apsw.Error as error:
                raise OSError("a part of the file can't be read") from error
            target[:n_bytes] = content.ljust(n_bytes, b"\0")
        self._at += n_bytes
        return n_bytes

    def close(self) -> None:
        if not self.closed:
            self._file.xClose()
        super().close()
