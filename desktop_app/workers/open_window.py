"""Marks the library of a window as open, and passes on what other starts ask of this window."""

from __future__ import annotations

import logging
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from desktop_app.engine.services.open_windows import WindowMark, find_windows

log = logging.getLogger(__name__)
LOOK_MS = 10_000  # a window that is killed leaves its file, so nothing tells of its end


class OpenWindow(QObject):
    """The mark of one window, from before its library is opened until `close`.

    Of two windows that open a library at the same time, each sees the other: a window marks the
    library first and looks for others then.

    Attributes:
        has_others: whether a window of another process has the library open.
    """

    front_wanted = Signal(list)  # files to add
    others_changed = Signal(bool)

    def __init__(self, library: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._mark: WindowMark | None = None
        try:
            self._mark = WindowMark(library)
        except OSError as error:  # a warning less, but the library opens
            log.info("other windows can't see that the library is open: %s", error.strerror)
        self.has_others = bool(find_windows(library))
        self._watcher = QFileSystemWatcher(self)
        if self._mark is not None:
            self._watcher.addPath(str(self._mark.file.parent))
        self._watcher.directoryChanged.connect(lambda _: self._look())
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        if self.has_others:
            self._timer.start()

    def _look(self) -> None:
        if self._mark is None:
            return
        if (files := self._mark.take_request()) is not None:
            self.front_wanted.emit(files)
        has_others = bool(find_windows(self._library))
        if has_others != self.has_others:
            self.has_others = has_others
            if has_others:
                self._timer.start()
            else:
                self._timer.stop()
            self.others_changed.emit(has_others)

    def close(self) -> None:
        """Let others know that the window is closed."""
        self._timer.stop()
        mark, self._mark = self._mark, None
        if mark is not None:
            mark.release()
