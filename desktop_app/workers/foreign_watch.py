"""Looks for what others do to the library: changes by other processes, and moving its file."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.engine.services.foreign_changes import ForeignChange, ForeignChanges
from desktop_app.engine.store.db import Db

from .lane import Lane
from .operations import Query

log = logging.getLogger(__name__)

LOOK_MS = 1500
# After a change: a process that indexes commits all the time, and the screens load all names again.
PAUSE_MS = 6000


class ForeignWatch(QObject):
    """Emits what another process changed, a few seconds later, and whether the file is missing.

    A look costs one question to SQLite, in the lane of the connection that writes, so that it never
    waits for a transaction of this process.
    """

    found = Signal(object)  # ForeignChange
    missing_changed = Signal(bool)  # the file was moved or deleted, or is back

    def __init__(self, lane: Lane, db: Db, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane, self._changes = lane, ForeignChanges(db)
        self._path, self._is_missing = db.path, False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        self.look()

    def stop(self) -> None:
        self._timer.stop()

    def look(self) -> None:
        """Look now, and again later."""
        query = Query(self._lane, self._look, owner=self)
        query.on_success(self._take).on_error(self._give_up).run()

    def _look(self) -> tuple[ForeignChange | None, bool]:
        return self._changes.find(), not self._path.exists()

    def _take(self, seen: tuple[ForeignChange | None, bool]) -> None:
        found, is_missing = seen
        if is_missing != self._is_missing:
            self._is_missing = is_missing
            self.missing_changed.emit(is_missing)
        if found is not None:
            self.found.emit(found)
        self._timer.start(LOOK_MS if found is None else PAUSE_MS)

    def _give_up(self, error: BaseException) -> None:
        """Look no more: what reads the library for a screen shows the same failure."""
        log.info("changes of other processes are not looked for any more: %s", error)
