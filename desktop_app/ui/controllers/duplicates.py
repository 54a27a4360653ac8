"""The controller of the search for duplicates in the background, and of its number in the sidebar.

A person who opens the merge desk finds there what was found since the library was opened or last
changed. While the desk has the suggestions of the present graph, their number is its own; after
another change of the graph they are counted here again. Until then, no number is shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

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
        self._has_waited = False
        self._has_desk = False  # the merge desk was opened
        self._is_pending = False  # the graph has changed since the number was counted
        self._n_shown, self._n_at_desk = 0, 0
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
            if not self._context.hub.is_edit:
                self._is_pending = True
                self._window.show_suggestions(None)
            if self._is_pending or not self._has_desk:  # else the desk counts what is decided
                self._quiet.start(QUIET_MS)

    def leave_to_screen(self) -> None:
        """Search no more until the graph changes: the merge desk does it now and counts."""
        self._quiet.stop()
        self._cancel()
        self._has_desk, self._is_pending = True, False

    def take_count(self, count: int, *, is_outdated: bool) -> None:
        """Show how many suggestions the merge desk has.

        Args:
            is_outdated: the desk's are those of an older graph, so that only what it has more or
                less than before counts.
        """
        change, self._n_at_desk = count - self._n_at_desk, count
        if not is_outdated:
            self._show(count)
        elif not self._is_pending:
            self._show(max(0, self._n_shown + change))

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _read_size(self) -> None:
        if self._session.runner.is_running:  # the graph still grows: the number is counted again
            self._quiet.start(QUIET_MS)
            if time.monotonic() - self._counted_at < BUSY_S:
                return
        if self._job is not None:
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
        n_names, is_reading = overview.n_entities, self._session.runner.is_running
        if is_reading and n_names > MAX_NAMES:
            return
        if n_names > MOST_NAMES:
            self._window.show_suggestions(0)  # the number is not known until the person searches
            return
        if n_names > MAX_NAMES and not self._has_waited:
            self._has_waited = True
            self._quiet.start(LARGE_QUIET_MS)
            return
        upkeep = self._context.duplicate_upkeep

        def find(job: Job) -> int:  # in the lane: the first use of the service imports it
            return (upkeep.count if is_reading else upkeep.run)(job.cancel_token)

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
        self._n_shown, self._is_pending = count, False
        self._window.show_suggestions(count)
