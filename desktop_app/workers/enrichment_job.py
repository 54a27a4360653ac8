"""One run of enrichment as the window wants it: the chunks, then the summaries that they call for.

Owns the order of the two and that both make way for an answer. Knows no screens.
"""

from __future__ import annotations

from collections.abc import Callable

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken, ProgressCallback, ignore_progress
from desktop_app.engine.services.enrichment.run import PreemptionToken, wait_until_model_free
from desktop_app.engine.services.enrichment.service import EnrichmentService, RunResult
from desktop_app.engine.services.enrichment.settings import needs_summaries, store_needs_summaries
from desktop_app.engine.services.enrichment.summaries import SummaryService
from desktop_app.engine.store.db import Db


class EnrichmentJob:
    """What an `EnrichingRunner` runs; `last` is what the last run did that came to its end.

    Args:
        make_way: true while something more urgent wants the model.
    """

    def __init__(
        self,
        db: Db,
        enriching: EnrichmentService,
        summarising: SummaryService,
        make_way: Callable[[], bool] = lambda: False,
    ) -> None:
        self._db = db
        self._enriching = enriching
        self._summarising = summarising
        self._make_way = make_way
        self.last: RunResult | None = None

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        on_change: Callable[[ChangeSet], None] = lambda change: None,
    ) -> None:
        """Work off the queue, then sum up what has grown too long to read.

        Raises:
            Cancelled: the token was set; what is finished stays, a later run goes on.
            EnvironmentProblem: no chat model is installed.
        """
        cancel = cancel or CancelToken()
        self.last = None

        def note(change: ChangeSet) -> None:
            store_needs_summaries(self._db, True)
            on_change(change)

        result = self._enriching.run(cancel=cancel, on_progress=on_progress, on_change=note)
        if needs_summaries(self._db) and self._enriching.load_settings().summaries:
            on_change(self._sum_up(cancel, on_progress))
            store_needs_summaries(self._db, False)
        self.last = result

    def _sum_up(self, cancel: CancelToken, on_progress: ProgressCallback) -> ChangeSet:
        """Write summaries, as often interrupted as the model is wanted elsewhere."""
        while True:
            wait_until_model_free(self._make_way, cancel)
            token = PreemptionToken(cancel, self._make_way)
            try:
                return self._summarising.run(cancel=token, on_progress=on_progress)
            except Cancelled:
                cancel.check()
