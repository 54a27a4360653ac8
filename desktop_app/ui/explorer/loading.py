"""From a view to its picture: read in the library's lane, lay out in a lane of the screen's own.

Owns the two steps and gives up the former view when another is wanted, so that a long layout
never keeps another screen from reading. Knows no widgets.
"""

from __future__ import annotations

import threading
from typing import Any

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Signal

from desktop_app.workers.lane import Job, Lane
from desktop_app.workers.operations import Query, Work

from .arranging import lay_out
from .graph_data import GraphData
from .views import Reading, Standing, View, read_view


class GraphLoader(QObject):
    """Loads one view at a time; `loaded` tells the view asked for, the picture, what was read."""

    loaded = Signal(object, object, object)
    failed = Signal(object)
    progressed = Signal(float, int)
    ended = Signal()

    def __init__(self, context: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._job: Job | None = None
        self._closed = False
        self._wanted = 0
        self._enough = threading.Event()
        self.size_mode, self.level = "connections", 0
        lane = self.lane = Lane("graph layout", context.messages.show_error)  # not shown
        self.destroyed.connect(lambda: lane.close() if shiboken6.isValid(lane) else None)
        app = QCoreApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self.close)

    def load(self, view: View, standing: Standing) -> None:
        self.give_up()
        if self._closed:
            return
        wanted = self._wanted
        query = Query(
            self._context.reader_lane,
            read_view,
            self._context.exploring,
            view,
            self.level,
            owner=self,
        )
        query.on_success(lambda read: self._lay_out(wanted, view, standing, read))
        query.on_error(lambda error: self._fail(wanted, error))
        self._job = query.run()

    def give_up(self) -> None:
        """Forget what is under way."""
        self._wanted += 1
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def stop_here(self) -> None:
        """Let the layout end where it is now."""
        self._enough.set()

    def close(self) -> None:
        """End the lane; nothing is loaded any more."""
        self.give_up()
        self._closed = True
        if shiboken6.isValid(self.lane):
            self.lane.close()

    def _lay_out(self, wanted: int, asked: View, standing: Standing, reading: Reading) -> None:
        if wanted != self._wanted or self._closed:
            return
        n = len(reading.graph.entities)
        enough = self._enough = threading.Event()

        def arrange(job: Job) -> GraphData:
            def tell(share: float) -> bool:
                job.report(share)
                return not enough.is_set()

            return lay_out(
                reading.graph,
                standing,
                job.cancel_token,
                reading=reading,
                size_mode=self.size_mode,
                on_round=tell,
            )

        work = Work(self.lane, arrange, owner=self, label="graph")
        work.on_progress(lambda share: self._progress(wanted, share, n))
        work.on_success(lambda data: self._tell(wanted, asked, data, reading))
        work.on_error(lambda error: self._fail(wanted, error))
        self._job = work.run()

    def _progress(self, wanted: int, share: float, n: int) -> None:
        if wanted == self._wanted:
            self.progressed.emit(share, n)

    def _tell(self, wanted: int, asked: View, data: GraphData, reading: Reading) -> None:
        if wanted == self._wanted:
            self.ended.emit()
            self.loaded.emit(asked, data, reading)

    def _fail(self, wanted: int, error: BaseException) -> None:
        if wanted == self._wanted:
            self.ended.emit()
            self.failed.emit(error)
