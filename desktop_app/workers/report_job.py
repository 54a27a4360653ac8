"""Writes reports in the background: one order after another, pausing for answers.

Owns the queue of orders and which of their reports are done, so that a pause loses nothing.
Knows no screens.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.communities.report_service import ReportService
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken, Progress, ProgressCallback, ignore_progress
from desktop_app.engine.scheduler import Priority, WorkScheduler

from .lane import Lane
from .queue_runner import QueueRunner

CHANGE_INTERVAL_S = 2.0


@dataclass(eq=False)
class ReportOrder:
    """A request for reports.

    Attributes:
        ids: of communities; None for all.
        level: the finest level; None for all.
        again: also rewrite reports that are up to date.
        use_model: False writes extractive reports without a model.
        done: communities whose reports are written.
        n_wanted: number of reports when the order started; 0 before.
    """

    ids: tuple[int, ...] | None = None
    level: int | None = None
    again: bool = False
    use_model: bool = True
    done: set[int] = field(default_factory=set)
    n_wanted: int = 0


class ReportJob:
    """The work of a `ReportRunner`; `n_done` and `n_failed` count since the queue was empty.

    Args:
        scheduler: makes the work pause while more urgent work needs the model.
    """

    def __init__(self, reporting: ReportService, scheduler: WorkScheduler | None = None) -> None:
        self._reporting = reporting
        self._scheduler = scheduler or WorkScheduler()
        self._orders: deque[ReportOrder] = deque()
        self.n_done = self.n_failed = 0

    def add(self, order: ReportOrder) -> None:
        """Append an order to the queue; called on the window's thread."""
        if not self._orders:
            self.n_done = self.n_failed = 0
        self._orders.append(order)

    def clear(self) -> None:
        """Remove all orders."""
        self._orders.clear()

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeSet], None] = lambda change: None,
    ) -> None:
        """Process the orders.

        Raises:
            Cancelled: the token was set; written reports stay, and a later run continues.
        """
        cancel = cancel or CancelToken()
        while self._orders:
            order = self._orders[0]
            try:
                if order.use_model:
                    with self._scheduler.hold(Priority.REPORTS, cancel) as permit:
                        is_done = False
                        while not is_done:
                            with permit.step() as token:
                                is_done = self._process(order, token, on_progress, on_change)
                            cancel.check()
                elif not self._process(order, cancel, on_progress, on_change):
                    raise Cancelled
            except Cancelled:
                raise
            except BaseException:
                self._drop(order)  # otherwise every later run would fail again
                raise
            self._drop(order)

    def _drop(self, order: ReportOrder) -> None:
        if self._orders and self._orders[0] is order:
            self._orders.popleft()

    def _process(
        self,
        order: ReportOrder,
        cancel: CancelToken,
        on_progress: ProgressCallback,
        on_change: Callable[[ChangeSet], None],
    ) -> bool:
        """Write the reports that are left; return whether all are done, not interrupted."""
        found = self._reporting.due(
            order.ids, level=order.level, again=order.again, with_model=order.use_model
        )
        due = [row for row in found if int(row.id) not in order.done]
        order.n_wanted = max(order.n_wanted, len(order.done) + len(due))
        touched = frozenset(int(row.id) for row in due)
        n_before, reported_at = len(order.done), time.monotonic()

        def report_progress(progress: Progress) -> None:
            nonlocal reported_at
            on_progress(replace(progress, done=n_before + progress.done, total=order.n_wanted))
            if progress.done and time.monotonic() - reported_at > CHANGE_INTERVAL_S:
                reported_at = time.monotonic()
                on_change(ChangeSet(communities=touched))

        run = self._reporting.run(
            due, use_model=order.use_model, cancel=cancel, on_progress=report_progress
        )
        order.done |= run.changes.communities
        self.n_done += run.n_done
        self.n_failed += len(run.failed)
        on_change(run.changes)
        return not run.stopped


class ReportRunner(QueueRunner):
    """Runs `ReportJob.run` until no order is left."""

    label = "reports"

    @property
    def lane(self) -> Lane:
        return self._lane


@dataclass
class CommunityWork:
    """The services for communities in the window.

    `reader` may only be called in `lane`, `reports` only in the writer lane. Orders added to
    `job` are processed after `runner.start()`.
    """

    reader: CommunityReader
    lane: Lane
    reports: ReportService
    job: ReportJob
    runner: ReportRunner

    def close(self) -> None:
        """Stop reading and writing; written reports stay."""
        self.job.clear()
        self.runner.lane.close()
        self.lane.close()
