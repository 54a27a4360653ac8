"""Files that a process holds as long as it lives, so that other processes see whether it is there.

The system releases them when the process ends, however it ends.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import BinaryIO


def hold_file(file: BinaryIO) -> None:
    """Hold the file as long as this process lives (Windows: an open file can't be renamed).

    Raises:
        OSError: another process holds it, or the place knows no locks.
    """
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_abandoned(file: Path) -> bool:
    """Return whether the process that held a file is gone."""
    if sys.platform == "win32":
        probe = file.with_suffix(f".{time.monotonic_ns()}")
        try:
            file.rename(probe)
            probe.rename(file)
        except OSError:
            return False
        return True
    import fcntl

    try:
        with file.open("rb") as opened:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
