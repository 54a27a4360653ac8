"""Python's cyclic garbage collector, kept in the window's thread.

Left to itself it runs in whichever thread allocates, and then destroys widgets and threads from
a lane: Qt allows that to no thread but the owner's, and it crashes or locks up, rarely. Owns the
timer that collects instead; https://docs.python.org/3.11/library/gc.html has the generations.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

CHECK_MS = 100  # the more has come since, the longer the window stands still


def collect_due(thresholds: tuple[int, int, int]) -> int | None:
    """Collect the oldest generation that is due; return it, or None where none is."""
    counts = enumerate(zip(gc.get_count(), thresholds, strict=True))
    due = [generation for generation, (count, most) in counts if count > most]
    if not due:
        return None
    gc.collect(due[-1])
    return due[-1]


class GarbageTimer(QObject):
    """Collects in the thread that made it, as often as Python would; `stop` gives it back."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        gc.disable()
        gc.freeze()  # what was imported stays: looking through it again would only take time
        self._timer = QTimer(self)
        self._timer.timeout.connect(lambda: collect_due(self._thresholds))
        self._timer.start(CHECK_MS)

    def stop(self) -> None:
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
