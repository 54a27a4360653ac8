"""Holds back Python's full garbage collections while a large piece of work runs.

A full collection examines all objects that are alive and holds the interpreter meanwhile: a second
for a graph of 100,000 entities, again and again while it is built, although such a graph has no
cycles. The window collects by a timer (`workers/garbage_collection.py`), which asks here first.
"""

from __future__ import annotations

import gc
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
