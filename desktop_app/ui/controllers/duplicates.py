"""The controller of the search for duplicates in the background, and of its number in the sidebar.

The search begins when the library was left alone for a while, so that the merge desk shows its
suggestions at once when it is opened. Before it is opened, the number in the sidebar is that of
this search. From then on it is the number of the merge desk, which follows each decision. When a
document is read or something else that is no edit changes the graph, dots are in its place until
this search has counted again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum, auto
from typing import Any

from PySide6.QtCore import QObject, QTimer

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.model import LibraryOverview
from desktop_app.session import Session
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query, Work

from ..context import SessionContext
from ..shell.main_window import MainWindow

QUIET_MS = 3000  # after the start, and after the last change of the graph
BUSY_S = 60.0  # between two counts while documents are read, which takes minutes
# Among more names a search takes seconds of processor time, twice as long with its rests (measured:
# 0.3 s for 1,800 names): it begins only after `LARGE_QUIET_MS` more, when the person seems to do
# something else, and not while documents are read.
MAX_NAMES_AT_ONCE = 5000
LARGE_QUIET_MS = 10_000
# Among more names a search takes minutes, after each series of edits: only the person begins it.
MAX_NAMES_UNASKED = 50_000


class _Counting(Enum):
    """Who counts the suggestions for the sidebar."""

    HERE = auto()
    """The search in the background after each change: the merge desk was not opened yet."""
    MERGE_DESK = auto()
    """The screen: it has the suggestions of the present graph, and counts what is decided."""
    HERE_AGAIN = auto()
    """The search in the background, once: the graph has changed, and not by an edit."""


class DuplicateController(QObject):
    """Searches one open library for duplicates whenever it was left alone for a while."""

    def __init__(self, context: SessionContext, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._context, self._window, self._session = context, window, session
        self._counting = _Counting.HERE
        self._has_waited = False  # for `LARGE_QUIET_MS` since the last change
        self._n_shown = 0  # in the sidebar
        self._n_of_screen = 0  # what the merge desk counted last
        self._counted_at = float("-inf")  # of `time.monotonic`
        self._job: Job | None = None  # the step of a search that runs, see `_run`
        self._quiet = QTimer(self, singleShot=True)
        self._quiet.timeout.connect(self._begin)
        context.hub.changed.connect(self._changed)
        self._quiet.start(QUIET_MS)

    def _changed(self, change: ChangeNotice) -> None:
        if change.entities or change.relations:
            self._cancel()
            self._has_waited = False
            if not self._context.hub.is_edit:
                if self._counting is _Counting.MERGE_DESK:
                    self._counting = _Counting.HERE_AGAIN
                self._window.show_count("merge", None)
            if self._counting is not _Counting.MERGE_DESK:
                self._quiet.start(QUIET_MS)

    def leave_to_screen(self) -> None:
        """Search no more until the graph changes: the merge desk does it now and counts."""
        self._quiet.stop()
        self._cancel()
        self._counting = _Counting.MERGE_DESK

    def take_count(self, count: int, *, is_outdated: bool) -> None:
        """Show how many suggestions the merge desk has.

        Args:
            is_outdated: they are those of an older graph, so that only what there are more or
                fewer than before counts.
        """
        change = count - self._n_of_screen
        self._n_of_screen = count
        if not is_outdated:
            self._show(count)
        elif self._counting is _Counting.MERGE_DESK:
            self._show(max(0, self._n_shown + change))

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _begin(self) -> None:
        """Begin a search by reading how many names there are."""
        if (
            self._session.indexing_runner.is_running
        ):  # the graph still grows: the number is counted again
            self._quiet.start(QUIET_MS)
            if time.monotonic() - self._counted_at < BUSY_S:
                return
        if self._job is not None:  # perhaps of the time when documents were read: kept nowhere
            self._quiet.start(QUIET_MS)
            return
        self._counted_at = time.monotonic()
        context = self._context
        query = Query(context.reader_lane, context.library_reader.overview, owner=self)
        self._run(query, self._search)

    def _run(self, query: Query, take: Callable[[Any], None]) -> None:
        """Run one step of a search; its result is left out if the graph has changed since then.

        A cancelled job may have ended before, with its result on the way to this thread.
        """
        job = self._job = query.job

        def take_result(result: object) -> None:
            if self._job is job:
                self._job = None
                take(result)

        query.on_success(take_result).on_end(lambda: self._end(job)).run()

    def _search(self, overview: LibraryOverview) -> None:
        n_names, is_reading = overview.n_entities, self._session.indexing_runner.is_running
        if is_reading and n_names > MAX_NAMES_AT_ONCE:
            return
        if n_names > MAX_NAMES_UNASKED:
            # no number: None would say that it is being counted
            self._window.show_count("merge", 0)
            return
        if n_names > MAX_NAMES_AT_ONCE and not self._has_waited:
            self._has_waited = True
            self._quiet.start(LARGE_QUIET_MS)
            return
        maintenance = self._context.duplicate_maintenance

        def find(job: Job) -> int:  # in the lane: the first use of the service imports it
            return (maintenance.count if is_reading else maintenance.run)(job.cancel_token)

        def add_mentions(n_clusters: int) -> None:
            query = Query(self._context.reader_lane, self._count_mentions, owner=self)
            self._run(query, lambda n: self._show(n_clusters + n))

        lane = self._context.comparing_lane
        self._run(Work(lane, find, owner=self, label="duplicates"), add_mentions)

    def _count_mentions(self) -> int:
        """Return how many mentions wait for a decision on their entity; in the reader's lane."""
        return sum(len(one.mentions) for one in self._context.library_reader.list_ambiguous_names())

    def _end(self, job: Job) -> None:
        if self._job is job:
            self._job = None

    def _show(self, count: int) -> None:
        self._n_shown = count
        if self._counting is _Counting.HERE_AGAIN:
            self._counting = _Counting.MERGE_DESK
        self._window.show_count("merge", count)
