"""A small file beside a library that is deleted when the disk is full, so that deleting works.

It is made again when the library is closed.

SQLite writes a deletion to its log first, and so needs room on a disk that has none. Only libraries
of some size have a reserve: the log of a small one needs little.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

MIN_LIBRARY_BYTES = 4 * 2**20
MAX_BYTES = 8 * 2**20  # the log is emptied at 4 MB, after at most one more transaction
MIN_FREE = (
    32  # times the reserve: a disk with less is left alone, unless the room was the reserve's
)
_used: set[Path] = set()  # libraries whose reserve this process deleted


def reserve_path(library: Path) -> Path:
    return library.with_name(f".{library.name}-reserve")


def ensure_reserve(library: Path) -> None:
    """Make the reserve of a library, unless it is small or the disk has little room.

    A reserve that was used is made again as soon as its room is free, on a full disk too: before
    another program takes it.
    """
    path = reserve_path(library)
    with suppress(OSError):
        n_bytes = min(library.stat().st_size // 2, MAX_BYTES)
        if n_bytes < MIN_LIBRARY_BYTES // 2 or path.exists():
            return
        least = n_bytes if library in _used else MIN_FREE * n_bytes
        if shutil.disk_usage(library.parent).free < least:
            return
        try:
            with path.open("xb") as file:
                if hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(file.fileno(), 0, n_bytes)
                else:
                    file.write(bytes(n_bytes))
        except OSError:
            path.unlink(missing_ok=True)


def release_reserve(library: Path) -> bool:
    """Delete the reserve of a library; return whether there was one."""
    try:
        reserve_path(library).unlink()
    except OSError:
        return False
    _used.add(library)
    return True
