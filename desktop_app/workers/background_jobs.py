"""Background jobs: the queue runner, one run of enrichment, and the writing of reports.

A run continues until its queue is empty; a run that fails ends, and its failure goes to the
failure handler of the lane. The jobs own the order of their steps, and pause while the scheduler
has more urgent work. Knows no screens.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import Cancelled, DamagedLibrary
from desktop_app.engine.progress import (
    CancelToken,
    Clock,
    Progress,
    ProgressCallback,
    ignore_progress,
)
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.store.db import Db

from .lane import Job, Lane
from .operations import Query, Work

if TYPE_CHECKING:  # jobs import what they use when they run: after the window is shown
    from desktop_app.engine.communities.reader import CommunityReader
    from desktop_app.engine.communities.report_service import ReportService
    from desktop_app.engine.communities.updater import CommunityUpdate
    from desktop_app.engine.services.enrichment.service import EnrichmentService, RunResult
    from desktop_app.engine.services.enrichment.summaries import SummaryService
    from desktop_app.engine.services.figure_texts import FigureTextService
    from desktop_app.engine.services.figures import FigureUpdate
    from desktop_app.engine.services.reference_update import ReferenceUpdate

CHANGE_INTERVAL_S = 2.0


class QueueRunner(QObject):
    """One run at a time; a run continues until its queue is empty.

    Args:
        lane: the lane for this work.
        run: takes `cancel`, `on_progress` and `on_change`, as `IndexingService.run` does.
    """

    progressed = Signal(object)
    changed = Signal(object)
    state_changed = Signal(str)  # "idle", "running", "paused"

    def __init__(self, lane: Lane, run: Callable[..., Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lane = lane
        self._run = run
        self._job: Job | None = None
        self._again = False
        self.state = "idle"

    @property
    def is_running(self) -> bool:
        return self.state == "running"

    def start(self) -> None:
        """Start a run; while one is running, start another one at its end."""
        if self._job is not None:
            self._again = True
            if self.state == "paused":  # the cancelled run has not ended yet
                self._set_state("running")
            return
        self._again = False
        work = Work(self.lane, self._work, owner=self, label=self.lane.objectName())
        work.on_progress(self._emit_report).on_end(self._ended)
        work.job.handle_failure(self._is_known)
        self._set_state("running")
        self._job = work.run()

    def pause(self) -> None:
        """Stop after the current chunk; `start` resumes."""
        if self._job is not None:
            self._job.cancel()
            self._again = False
            self._set_state("paused")

    def _is_known(self, error: BaseException) -> bool:
        """Return whether the run was paused because of the damage that it failed for."""
        return self.state == "paused" and isinstance(error, DamagedLibrary)

    def _work(self, job: Job) -> None:
        self._run(cancel=job.cancel_token, on_progress=job.report, on_change=job.report)

    def _emit_report(self, value: Any) -> None:
        if isinstance(value, ChangeNotice):
            self.changed.emit(value)
        elif isinstance(value, Progress):
            self.progressed.emit(value)

    def _ended(self) -> None:
        self._job = None
        if self._again:
            self.start()
        elif self.state == "running":
            self._set_state("idle")

    def _set_state(self, state: str) -> None:
        if state != self.state:
            self.state = state
            self.state_changed.emit(state)


class CoverJob:
    """The work of the runner of covers: one process that draws them, for as long as a run takes."""

    def __init__(self, db: Db, scheduler: WorkScheduler) -> None:
        self._db, self._scheduler = db, scheduler

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeNotice], None] = lambda change: None,
    ) -> None:
        """Make the covers that are missing, see `CoverService.run`."""
        from desktop_app.engine.services.covers import CoverService

        from .cover_reader import CoverReader

        reader = CoverReader()
        try:
            service = CoverService(self._db, reader.read, self._scheduler)
            service.run(cancel=cancel, on_change=on_change)
        finally:
            reader.close()


class RereadingJob:
    """The work of a runner that reads older documents again, see `run` of its update."""

    def __init__(self, update: ReferenceUpdate | FigureUpdate) -> None:
        self._update = update

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeNotice], None] = lambda change: None,
    ) -> None:
        """Find what newer rules find in the files of older documents."""
        self._update.run(cancel=cancel, on_change=on_change)


class FigureTextJob:
    """The work of the runner that reads the text in figures, see `FigureTextService.run`."""

    def __init__(self, service: FigureTextService) -> None:
        self._service = service

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeNotice], None] = lambda change: None,
    ) -> None:
        """Read the text in figures; `on_change` gets the document of each figure that was read."""
        self._service.run(cancel=cancel, on_change=on_change)


class EnrichmentJob:
    """The work of the runner of enrichment; `last` is the result of the last complete run.

    Args:
        scheduler: makes summaries pause while more urgent work needs the model.
    """

    def __init__(
        self,
        db: Db,
        enriching: EnrichmentService,
        summarising: SummaryService,
        scheduler: WorkScheduler | None = None,
    ) -> None:
        self._db = db
        self._enriching = enriching
        self._summarising = summarising
        self._scheduler = scheduler or WorkScheduler()
        self.last: RunResult | None = None

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeNotice], None] = lambda change: None,
    ) -> None:
        """Enrich the queued chunks, then write the summaries that are due.

        Raises:
            Cancelled: the token was set; finished work stays, and a later run continues.
            EnvironmentProblem: no chat model is installed.
        """
        from desktop_app.engine.services.enrichment.settings import (
            needs_summaries,
            store_needs_summaries,
        )

        cancel = cancel or CancelToken()
        self.last = None
        if not self._db.is_writable:
            return

        def record(change: ChangeNotice) -> None:
            store_needs_summaries(self._db, True)
            on_change(change)

        result = self._enriching.run(cancel=cancel, on_progress=on_progress, on_change=record)
        if needs_summaries(self._db) and self._enriching.load_settings().summaries:
            on_change(self._write_summaries(cancel, on_progress))
            store_needs_summaries(self._db, False)
        self.last = result

    def _write_summaries(self, cancel: CancelToken, on_progress: ProgressCallback) -> ChangeNotice:
        """Write summaries; pause whenever more urgent work needs the model."""
        with self._scheduler.hold(Priority.ENRICHMENT, cancel) as permit:
            while True:
                with permit.step() as token:
                    try:
                        return self._summarising.run(cancel=token, on_progress=on_progress)
                    except Cancelled:
                        cancel.check()


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
        clock: a question in a chat interrupts the order and begins no new estimate.
    """

    ids: tuple[int, ...] | None = None
    level: int | None = None
    again: bool = False
    use_model: bool = True
    done: set[int] = field(default_factory=set)
    n_wanted: int = 0
    clock: Clock = field(default_factory=lambda: Clock(0))


class ReportJob:
    """The work of the runner of reports; `n_done` and `n_failed` count since the queue was empty.

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

    def find_blocker(self) -> Priority | None:
        """Return the more urgent work that reports by a model wait for, if any."""
        by_model = bool(self._orders) and self._orders[0].use_model
        return self._scheduler.find_blocker(Priority.REPORTS) if by_model else None

    def clear(self) -> None:
        """Remove all orders."""
        self._orders.clear()

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeNotice], None] = lambda change: None,
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
        on_change: Callable[[ChangeNotice], None],
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
                on_change(ChangeNotice(communities=touched))

        run = self._reporting.run(
            due,
            use_model=order.use_model,
            cancel=cancel,
            on_progress=report_progress,
            clock=order.clock,
        )
        order.done |= run.changes.communities
        self.n_done += run.n_done
        self.n_failed += len(run.failed)
        on_change(run.changes)
        return not run.stopped


class CommunityRefresh(QObject):
    """Updates the communities from the graph; emits `refreshed` with what changed, then `ended`.

    They are computed in a lane of their own, from a snapshot, because this takes seconds for a
    large library; only the differences are stored in the writer lane, so that no edit waits.

    Args:
        db: a connection for `lane` alone.
        writer: the read-write connection, used in `writer_lane`.
    """

    refreshed = Signal(object)
    ended = Signal()

    def __init__(
        self, lane: Lane, db: Db, writer_lane: Lane, writer: Db, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.lane, self._db = lane, db
        self._writer_lane, self._writer = writer_lane, writer
        self._job: Job | None = None
        self._storing: Job | None = None
        self.took_s = 0.0  # for the last computation

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def start(self) -> None:
        """Update the communities, unless that is running already."""
        if self._job is not None:
            return
        work = Work(self.lane, self._compute, owner=self, label="communities")
        self._job = work.on_success(self._store).on_end(self._computed).run()

    def cancel(self) -> None:
        """Stop computing, because the graph has changed."""
        if self._job is not None:
            self._job.cancel()

    def _compute(self, job: Job) -> CommunityUpdate | None:
        if not self._writer.is_writable:
            return None
        from desktop_app.engine.communities.updater import compute_communities

        started = time.monotonic()
        with self._db.snapshot():
            update = compute_communities(self._db, cancel=job.cancel_token)
        self.took_s = time.monotonic() - started
        return update

    def _store(self, update: CommunityUpdate | None) -> None:
        if update is not None and self._writer.is_writable:  # no damage was found meanwhile
            from desktop_app.engine.communities.updater import store_communities

            query = Query(self._writer_lane, store_communities, self._writer, update, owner=self)
            self._storing = query.on_success(self.refreshed.emit).on_end(self._end).run()

    def _computed(self) -> None:
        if self._storing is None:  # nothing to store, cancelled, or failed
            self._end()

    def _end(self) -> None:
        self._job = self._storing = None
        self.ended.emit()


@dataclass
class CommunityWork:
    """The services for communities in the window.

    `reader` may only be called in `lane`, `reports` only in the writer lane. Orders added to
    `job` are processed after `runner.start()`.
    """

    reader: CommunityReader
    lane: Lane
    refresh: CommunityRefresh
    reports: ReportService
    job: ReportJob
    runner: QueueRunner
