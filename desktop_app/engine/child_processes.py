"""The child processes of this process, so that its end can end them all.

Owns the list of those that run. What they do is known to the modules that start them.
"""

from __future__ import annotations

import subprocess
import threading
import weakref
from contextlib import suppress
from typing import Any

_lock = threading.Lock()
_children: weakref.WeakSet[subprocess.Popen[Any]] = weakref.WeakSet()


def track_child(child: subprocess.Popen[Any]) -> None:
    """Have `end_children` end a child process, if it still runs then."""
    with _lock:
        _children.add(child)


def end_children() -> None:
    """Kill every tracked child process; for the end of the program, after work was cancelled."""
    with _lock:
        children = list(_children)
    for child in children:
        with suppress(OSError):
            if child.returncode is None:
                child.kill()
