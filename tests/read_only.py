"""Makes a folder read-only for a test, also where the tests run as root."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CAPABILITY_VERSION_3 = 0x20080522
_DAC_OVERRIDE = 1 << 1


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing in a folder can be written by this thread."""
    files = [*folder.iterdir(), folder]
    modes = [path.stat().st_mode for path in files]
    for path in files:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        with _without_override():
            yield
    finally:
        for path, mode in reversed(list(zip(files, modes, strict=True))):
            path.chmod(mode)


@contextmanager
def _without_override() -> Iterator[None]:
    """Let root be bound by permissions as everybody is."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    data = (ctypes.c_uint32 * 6)()
    assert libc.capget(header, data) == 0, "capget failed"
    before = data[0]
    data[0] = before & ~_DAC_OVERRIDE
    assert libc.capset(header, data) == 0, "capset failed"
    try:
        yield
    finally:
        data[0] = before
        libc.capset(header, data)
