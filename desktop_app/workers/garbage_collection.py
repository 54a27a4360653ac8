"""Runs Python's cyclic garbage collector in the window's thread only.

By default it runs in any thread that allocates, so a lane might destroy widgets. Qt allows this
only in the thread of the widget; otherwise it rarely crashes or blocks. Owns the timer that
collects instead; https://docs.python.org/3.11/library/gc.html describes the generations.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from desktop_app.engine.garbage import may_collect_fully

CHECK_MS = 100  # a longer interval would block the window longer


def collect_due(thresholds: tuple[int, int, int]) -> int | None:
    """Collect the oldest generation that is due and may be; return it, None if none is due."""
    counts = enumerate(zip(gc.get_count(), thresholds, strict=True))
    due = [generation for generation, (count, most) in counts if count > most]
    if due[-1:] == [2] and not may_collect_fully():
        due.pop()
    if not due:
        return None
    gc.collect(due[-1])
    return due[-1]


class GarbageTimer(QObject):
    """Collects in its own thread as often as Python would; `stop` restores the default."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        gc.disable()
        gc.freeze()  # imported modules stay, so examining them again would waste time
        self._timer = QTimer(self)
        self._timer.timeout.connect(lambda: collect_due(self._thresholds))
        self._timer.start(CHECK_MS)

    def stop(self) -> None:
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
