"""Finds living objects by their class in a program whose threads go on.

`gc.get_objects` also returns objects that another thread is building. A reference held to one of
them makes that thread fail: CPython refuses to resize a tuple that it does not own alone
(https://github.com/python/cpython/issues/59313). So no other thread may run until the references
are gone.
"""

from __future__ import annotations

import gc
import sys
import time
from typing import Any

UNINTERRUPTED_S = 1.0  # longer than listing a million objects takes


def find_objects(*kinds: type) -> list[Any]:
    """Return the living objects of these classes, also those the program has set aside."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(UNINTERRUPTED_S)
    try:
        served = time.perf_counter() + 4 * interval
        while time.perf_counter() < served:
            pass  # a thread that already waits with the former interval gets its turn here
        gc.unfreeze()
        living = gc.get_objects()  # noqa: TID251
        return [one for one in living if issubclass(type(one), kinds)]
    finally:
        sys.setswitchinterval(interval)
