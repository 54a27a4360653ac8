"""Garbage collections and freed memory.

A full collection examines all objects that are alive and holds the interpreter meanwhile: a second
for a graph of 100,000 entities, again and again while it is built, although such a graph has no
cycles. So a large piece of work holds them back; the window collects by a timer
(`workers/garbage_collection.py`), which asks here first.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_n_holding = 0
_is_disabled_here = False


@contextmanager
def without_full_collections() -> Iterator[None]:
    """Hold back full collections in this context; in a program without the timer, all of them."""
    global _n_holding, _is_disabled_here
    with _lock:
        _n_holding += 1
        if gc.isenabled():
            gc.disable()
            _is_disabled_here = True
    try:
        yield
    finally:
        with _lock:
            _n_holding -= 1
            if not _n_holding and _is_disabled_here:
                gc.enable()
                _is_disabled_here = False


def may_collect_fully() -> bool:
    return not _n_holding


_M_MMAP_THRESHOLD = -3  # https://man7.org/linux/man-pages/man3/mallopt.3.html
_LARGE_BYTES = 1 << 20


def return_large_blocks() -> None:
    """Make the C library (glibc) return each freed block of 1 MiB and more at once.

    By default it keeps blocks of up to 32 MiB after the first one was freed, and the small blocks
    between them keep the memory from being returned later.
    """
    _call_glibc("mallopt", _M_MMAP_THRESHOLD, _LARGE_BYTES)


def release_freed_memory() -> None:
    """Give memory that was freed back to the system, where the C library keeps it (glibc).

    It takes some milliseconds: never in the window's thread.
    """
    _call_glibc("malloc_trim", 0)


def _call_glibc(name: str, *values: int) -> None:
    if sys.platform == "linux":
        function = getattr(ctypes.CDLL(None), name, None)  # other C libraries have none
        if function is not None:
            function(*values)
