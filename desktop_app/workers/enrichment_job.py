"""One run of enrichment: first the chunks, then the summaries that became due.

Owns this order, and pauses both while an answer needs the model. Knows no screens.
"""

from __future__ import annotations

from collections.abc import Callable

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken, ProgressCallback, ignore_progress
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.services.enrichment.service import EnrichmentService, RunResult
from desktop_app.engine.services.enrichment.settings import needs_summaries, store_needs_summaries
from desktop_app.engine.services.enrichment.summaries import SummaryService
from desktop_app.engine.store.db import Db


class EnrichmentJob:
    """The work of an `EnrichmentRunner`; `last` is the result of the last complete run.

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
        on_change: Callable[[ChangeSet], None] = lambda change: None,
    ) -> None:
        """Enrich the queued chunks, then write the summaries that are due.

        Raises:
            Cancelled: the token was set; finished work stays, and a later run continues.
            EnvironmentProblem: no chat model is installed.
        """
        cancel = cancel or CancelToken()
        self.last = None

        def record(change: ChangeSet) -> None:
            store_needs_summaries(self._db, True)
            on_change(change)

        result = self._enriching.run(cancel=cancel, on_progress=on_progress, on_change=record)
        if needs_summaries(self._db) and self._enriching.load_settings().summaries:
            on_change(self._write_summaries(cancel, on_progress))
            store_needs_summaries(self._db, False)
        self.last = result

    def _write_summaries(self, cancel: CancelToken, on_progress: ProgressCallback) -> ChangeSet:
        """Write summaries; pause whenever more urgent work needs the model."""
        with self._scheduler.hold(Priority.ENRICHMENT, cancel) as permit:
            while True:
                with permit.step() as token:
                    try:
                        return self._summarising.run(cancel=token, on_progress=on_progress)
                    except Cancelled:
                        cancel.check()
