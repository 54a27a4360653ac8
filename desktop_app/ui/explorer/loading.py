"""From a view to its picture: read in the library's lane, lay out in a lane of the screen's own.

Owns the two steps and gives up the former view when another is wanted, so that a long layout
never keeps another screen from reading. Knows no widgets.
"""

from __future__ import annotations

from typing import Any

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Signal

from desktop_app.engine.types import Subgraph
from desktop_app.workers.lane import Job, Lane
from desktop_app.workers.operations import Query, Work

from .graph_data import GraphData
from .views import Standing, View, lay_out, read_view


class GraphLoader(QObject):
    """Loads one view at a time; `loaded` tells the view asked for, the picture and its view."""

    loaded = Signal(object, object, object)
    failed = Signal(object)

    def __init__(self, context: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._job: Job | None = None
        self._closed = False
        self._wanted = 0
        lane = self.lane = Lane("graph layout")
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
            self._context.reader_lane, read_view, self._context.exploring, view, owner=self
        )
        query.on_success(lambda read: self._lay_out(wanted, view, standing, *read))
        query.on_error(lambda error: self._fail(wanted, error))
        self._job = query.run()

    def give_up(self) -> None:
        """Forget what is under way."""
        self._wanted += 1
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def close(self) -> None:
        """End the lane; nothing is loaded any more."""
        self.give_up()
        self._closed = True
        if shiboken6.isValid(self.lane):
            self.lane.close()

    def _lay_out(
        self, wanted: int, asked: View, standing: Standing, graph: Subgraph, view: View
    ) -> None:
        if wanted != self._wanted or self._closed:
            return
        work = Work(
            self.lane,
            lambda job: lay_out(graph, standing, job.cancel_token),
            owner=self,
            label="graph",
        )
        work.on_success(lambda data: self._tell(wanted, asked, data, view))
        work.on_error(lambda error: self._fail(wanted, error))
        self._job = work.run()

    def _tell(self, wanted: int, asked: View, data: GraphData, view: View) -> None:
        if wanted == self._wanted:
            self.loaded.emit(asked, data, view)

    def _fail(self, wanted: int, error: BaseException) -> None:
        if wanted == self._wanted:
            self.failed.emit(error)
