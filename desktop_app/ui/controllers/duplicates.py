"""The controller of the search for duplicates in the background, and of its number in the sidebar.

A person who opens the merge desk finds there what was found since the library was opened or last
changed. The number is shown until the merge desk was opened, which then has its own.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.model import LibraryOverview
from desktop_app.session import Session
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query, Work

from ..context import SessionContext
from ..shell.main_window import MainWindow

QUIET_MS = 3000  # after the start, and after the last change of the graph
BUSY_S = 60.0  # between two counts while documents are read, which takes minutes
# Among more names a search takes seconds of processor time, twice as long with its rests (measured:
# 0.3 s for 1,800 names): it waits until the person seems to do something else. It is left to the
# person where it would take minutes after each series of edits.
MAX_NAMES, LARGE_QUIET_MS, MOST_NAMES = 5000, 10_000, 50_000


class DuplicateSearch(QObject):
    """Searches one open library for duplicates whenever it was left alone for a while."""

    def __init__(self, context: SessionContext, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._context, self._window, self._session = context, window, session
        self._shows_number, self._has_waited = True, False
        self._counted_at = float("-inf")
        self._job: Job | None = None
        self._quiet = QTimer(self, singleShot=True)
        self._quiet.timeout.connect(self._read_size)
        context.hub.changed.connect(self._changed)
        self._quiet.start(QUIET_MS)

    def _changed(self, change: ChangeSet) -> None:
        if change.entities or change.relations:
            self._cancel()
            self._has_waited = False
            self._quiet.start(QUIET_MS)

    def leave_to_screen(self) -> None:
        """Search no more: the merge desk does it now, keeps what it finds and shows the number."""
        self._shows_number = False
        self._quiet.stop()
        self._cancel()

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _read_size(self) -> None:
        if self._session.runner.is_running:  # the graph still grows: the number is counted again
            self._quiet.start(QUIET_MS)
            if time.monotonic() - self._counted_at < BUSY_S or not self._shows_number:
                return
        self._counted_at = time.monotonic()
        context = self._context
        query = Query(context.reader_lane, context.library_reader.overview, owner=self)
        query.on_success(self._search).run()

    def _search(self, overview: LibraryOverview) -> None:
        n_names, is_reading = overview.n_entities, self._session.runner.is_running
        if self._job is not None or n_names > MOST_NAMES or (is_reading and n_names > MAX_NAMES):
            return
        if n_names > MAX_NAMES and not self._has_waited:
            self._has_waited = True
            self._quiet.start(LARGE_QUIET_MS)
            return
        upkeep, reader = self._context.duplicate_upkeep, self._context.library_reader

        def find(job: Job) -> int:  # in the lane: the first use of the service imports it
            return (upkeep.count if is_reading else upkeep.run)(job.cancel_token)

        def show(n_clusters: int) -> None:
            def count_mentions() -> int:
                return sum(len(one.mentions) for one in reader.list_ambiguous_names())

            query = Query(self._context.reader_lane, count_mentions, owner=self)
            query.on_success(lambda n: self._show(n_clusters + n)).run()

        lane = self._context.comparing_lane
        work = Work(lane, find, owner=self, label="duplicates")
        self._job = work.job
        work.on_success(show).on_end(lambda: self._end(work.job)).run()

    def _end(self, job: Job) -> None:
        if self._job is job:
            self._job = None

    def _show(self, count: int) -> None:
        if self._shows_number:  # the desk was opened meanwhile otherwise
            self._window.show_suggestions(count)
