"""Notices whether anything opens a file, also Qt's own code, which Python does not see.

Linux reports each opening (inotify). Elsewhere the time of the last access is compared, which
some file systems do not keep.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

_IN_ACCESS, _IN_OPEN = 0x1, 0x20


class FileOpens:
    """Watches one file from now on."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._accessed = path.stat().st_atime_ns
        self._descriptor = -1
        if sys.platform == "linux":
            libc = ctypes.CDLL(None, use_errno=True)
            self._descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
            added = libc.inotify_add_watch(
                self._descriptor, os.fsencode(path), _IN_OPEN | _IN_ACCESS
            )
            assert self._descriptor >= 0 and added >= 0, "inotify is missing"

    def was_opened(self) -> bool:
        """Return whether the file was opened since the start or the last call."""
        if self._descriptor < 0:
            return self._path.stat().st_atime_ns != self._accessed
        try:
            return bool(os.read(self._descriptor, 65536))
        except BlockingIOError:
            return False

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
