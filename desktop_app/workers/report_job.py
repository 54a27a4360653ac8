"""Writing reports as the window wants it: orders worked off one by one, making way for answers.

Owns what is still to be written and which of it is done, so that a pause loses nothing. Knows no
screens.
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
from desktop_app.engine.services.enrichment.run import PreemptionToken, wait_until_model_free

from .lane import Lane
from .queue_runner import QueueRunner

TELL_EVERY_S = 2.0


@dataclass(eq=False)
class ReportOrder:
    """Reports that a person wants.

    Attributes:
        ids: of communities; None for all.
        level: none finer than this one; None for all.
        again: also those that are as they should be.
        use_model: False counts and quotes.
        done: communities that were written already.
        n_wanted: how many there were to write when it was begun; 0 before.
    """

    ids: tuple[int, ...] | None = None
    level: int | None = None
    again: bool = False
    use_model: bool = True
    done: set[int] = field(default_factory=set)
    n_wanted: int = 0


class ReportJob:
    """What a `ReportingRunner` runs; `n_done` and `n_failed` count since all was last finished.

    Args:
        make_way: true while something more urgent wants the model.
    """

    def __init__(
        self, reporting: ReportService, make_way: Callable[[], bool] = lambda: False
    ) -> None:
        self._reporting = reporting
        self._make_way = make_way
        self._orders: deque[ReportOrder] = deque()
        self.n_done = self.n_failed = 0

    def add(self, order: ReportOrder) -> None:
        """Put an order behind the others; called on the window's thread."""
        if not self._orders:
            self.n_done = self.n_failed = 0
        self._orders.append(order)

    def clear(self) -> None:
        """Forget what is not written yet."""
        self._orders.clear()

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeSet], None] = lambda change: None,
    ) -> None:
        """Work off the orders.

        Raises:
            Cancelled: the token was set; what is written stays, a later run goes on.
        """
        cancel = cancel or CancelToken()
        while self._orders:
            order = self._orders[0]
            try:
                self._work_off(order, cancel, on_progress, on_change)
            except Cancelled:
                raise
            except BaseException:
                self._drop(order)  # or every later run would fail of it again
                raise
            self._drop(order)

    def _drop(self, order: ReportOrder) -> None:
        if self._orders and self._orders[0] is order:
            self._orders.popleft()

    def _work_off(
        self,
        order: ReportOrder,
        cancel: CancelToken,
        on_progress: ProgressCallback,
        on_change: Callable[[ChangeSet], None],
    ) -> None:
        while True:
            if order.use_model:
                wait_until_model_free(self._make_way, cancel)
            found = self._reporting.due(
                order.ids, level=order.level, again=order.again, with_model=order.use_model
            )
            due = [row for row in found if int(row.id) not in order.done]
            order.n_wanted = max(order.n_wanted, len(order.done) + len(due))
            before, touched = len(order.done), frozenset(int(row.id) for row in due)
            last_told = time.monotonic()

            def tell(
                progress: Progress,
                before: int = before,
                touched: frozenset[int] = touched,
            ) -> None:
                nonlocal last_told
                on_progress(replace(progress, done=before + progress.done, total=order.n_wanted))
                if progress.done and time.monotonic() - last_told > TELL_EVERY_S:
                    last_told = time.monotonic()
                    on_change(ChangeSet(communities=touched))

            token = PreemptionToken(cancel, self._make_way) if order.use_model else cancel
            run = self._reporting.run(
                due, use_model=order.use_model, cancel=token, on_progress=tell
            )
            order.done |= run.changes.communities
            self.n_done += run.n_done
            self.n_failed += len(run.failed)
            on_change(run.changes)
            cancel.check()
            if not run.stopped:
                return


class ReportRunner(QueueRunner):
    """Runs `ReportingWork.run` until no order is left."""

    label = "reports"
    end_change = ChangeSet()

    @property
    def lane(self) -> Lane:
        return self._lane


@dataclass
class CommunityWork:
    """What the window has of communities.

    `reading` may be called in `lane` only, `reporting` in the writer lane; what is added to
    `writing` is worked off after `runner.start()`.
    """

    reading: CommunityReader
    lane: Lane
    reporting: ReportService
    writing: ReportJob
    runner: ReportRunner

    def close(self) -> None:
        """End what is read and written; what is written stays."""
        self.writing.clear()
        self.runner.lane.close()
        self.lane.close()
