"""The controller of the number beside "Merge desk": counts what is to decide before it is opened.

Until then the window shows the number of the last session; afterwards that of the merge desk.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.model import LibraryOverview
from desktop_app.session import Session
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..shell.main_window import MainWindow

QUIET_MS = 3000  # after the start, and after the last change of the graph
BUSY_S = 60.0  # between two counts while documents are read, which takes minutes
# A search among more names takes seconds (measured: 0.3 s for 1,800), in which other work is
# slower: it waits until nothing has changed for a while, and is left out where the number of the
# last session is known, or the library is still larger.
MAX_NAMES, LARGE_QUIET_MS, MOST_NAMES = 5000, 60_000, 20_000


class DuplicateCount(QObject):
    """Counts the suggestions of one open library for its sidebar."""

    def __init__(self, context: SessionContext, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._context, self._window, self._session = context, window, session
        self._desk = window.screens.merge
        self._is_stopped = self._has_waited = False
        self._counted_at = float("-inf")
        self._quiet = QTimer(self, singleShot=True)
        self._quiet.timeout.connect(self._read_size)
        self._desk.counted.connect(self._stop)
        context.hub.changed.connect(self._changed)
        self._quiet.start(QUIET_MS)

    def _changed(self, change: ChangeSet) -> None:
        if change.entities or change.relations:
            self._has_waited = False
            self._quiet.start(QUIET_MS)

    def _stop(self) -> None:
        self._is_stopped = True
        self._quiet.stop()
        self._desk.counted.disconnect(self._stop)
        self._context.hub.changed.disconnect(self._changed)

    def _read_size(self) -> None:
        if self._session.runner.is_running:  # the graph still grows: the number is counted again
            self._quiet.start(QUIET_MS)
            if time.monotonic() - self._counted_at < BUSY_S:
                return
        self._counted_at = time.monotonic()
        context = self._context
        query = Query(context.reader_lane, context.library_reader.overview, owner=self)
        query.on_success(self._count).run()

    def _count(self, overview: LibraryOverview) -> None:
        n_names = overview.n_entities
        if n_names > MOST_NAMES or (n_names > MAX_NAMES and self._window.n_suggestions):
            return
        if n_names > MAX_NAMES and not self._has_waited:
            self._has_waited = True
            self._quiet.start(LARGE_QUIET_MS)
            return
        context = self._context

        def count_mentions() -> int:
            return sum(len(one.mentions) for one in context.library_reader.list_ambiguous_names())

        def count_clusters(n_mentions: int) -> None:
            query = Query(context.duplicates_lane, context.duplicates.count, owner=self)
            query.on_success(lambda n: self._show(n + n_mentions)).run()

        Query(context.reader_lane, count_mentions, owner=self).on_success(count_clusters).run()

    def _show(self, count: int) -> None:
        if not self._is_stopped:  # the desk was opened meanwhile
            self._window.show_suggestions(count)
