"""Runs Python's cyclic garbage collector in the window's thread only.

By default it runs in any thread that allocates, so a lane might destroy widgets. Qt allows this
only in the thread of the widget; otherwise it rarely crashes or blocks. Owns the timer that
collects instead; https://docs.python.org/3.11/library/gc.html describes the generations.

A full collection blocks the window for 40 ms per 100,000 objects, and large tables of modules
(200,000 lists of pinyin) or of a library stay alive for long. So what survived is set aside
(`gc.freeze`) when modules were imported or when a collection took long. It is examined again
while another program is in front. The objects are never listed (`gc.get_objects`): a reference
to an object that another thread is building makes that thread fail.

PySide reads the source of each module that is imported after it, and `linecache` would keep 20 MB
of lines; a traceback reads its own again.
"""

from __future__ import annotations

import gc
import linecache
import sys
import time

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from desktop_app.engine.garbage import may_collect_fully

CHECK_MS = 100  # a longer interval would block the window longer
LONGEST_S = 0.02  # of a full collection; after a longer one, what survived is set aside


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
        linecache.clearcache()
        gc.freeze()  # imported modules stay, so examining them again would waste time
        self._n_modules = len(sys.modules)
        self._is_old_set_aside = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.collect)
        self._timer.start(CHECK_MS)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._follow_state)

    def collect(self) -> None:
        """Collect what is due; set aside what would make the next full collection long."""
        n_modules = len(sys.modules)
        if n_modules != self._n_modules:
            self._n_modules = n_modules
            linecache.clearcache()
            self._set_aside()
        begin = time.perf_counter()
        was_full = collect_due(self._thresholds) == 2
        if was_full and time.perf_counter() - begin > LONGEST_S:
            self._set_aside()

    def examine_all(self) -> None:
        """Collect also what was set aside; blocks for longer than a user should notice."""
        if self._is_old_set_aside and may_collect_fully():
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._is_old_set_aside = False

    def stop(self) -> None:
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def _set_aside(self) -> None:
        gc.freeze()
        self._is_old_set_aside = True

    def _follow_state(self, state: Qt.ApplicationState) -> None:
        if self._timer.isActive() and state != Qt.ApplicationState.ApplicationActive:
            self.examine_all()
