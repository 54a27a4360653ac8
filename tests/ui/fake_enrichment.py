"""A fake enrichment service, with documents in every state."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.engine.changes import NOTHING, ChangeNotice
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.messages import Message
from desktop_app.engine.services.enrichment.service import NO_MODEL, EnrichmentStatus, Estimate
from desktop_app.engine.store.enrichment import DocumentEnrichment, Failure

MODEL = "reader-4b"


def sample_enrichment() -> dict[int, DocumentEnrichment]:
    """Return documents in every state: instant, running, partly failed, done."""
    rows = (
        DocumentEnrichment(1, 2, 2, 0, 0, 0, 3_120, 41.0, MODEL),
        DocumentEnrichment(2, 2, 0, 2),
        DocumentEnrichment(4, 60, 34, 23, 3, 5, 91_400, 1_204.0, MODEL),
        DocumentEnrichment(8, 60),
    )
    return {row.document_id: row for row in rows}


def sample_failures() -> list[Failure]:
    return [
        _failure(3, "Stave One › Marley's Ghost", "The model repeated itself."),
        _failure(17, "", "The model gave no answer."),
        _failure(41, "Stave Four", "What the model said could not be read."),
    ]


def _failure(order: int, heading: str, reason: str) -> Failure:
    start = order * 2_000
    return Failure(
        400 + order, 4, order, start, start + 1_900, heading, Message(reason), MODEL, 812, 9.5
    )


class FakeEnrichmentService:
    """Reads and starts enrichment; `calls` records what was requested."""

    def __init__(self, *, with_chat_model: bool = True) -> None:
        self.by_document = sample_enrichment()
        self.failed = sample_failures()
        self.settings = EnrichSettings()
        self.has_model = with_chat_model
        self.calls: list[tuple] = []

    def load_settings(self) -> EnrichSettings:
        return self.settings

    def save_settings(self, settings: EnrichSettings) -> None:
        self.calls.append(("save", settings))
        self.settings = settings

    def status(self) -> EnrichmentStatus:
        rows = tuple(self.by_document.values())
        n_waiting = sum(r.n_waiting for r in rows)
        return EnrichmentStatus(rows, self._estimate(n_waiting))

    def failures(self, document_id: int | None = None) -> list[Failure]:
        return [f for f in self.failed if document_id in (None, f.document_id)]

    def estimate(self, document_ids=None, *, entity_id=None, again=False, settings=None):
        rows = [
            r
            for r in self.by_document.values()
            if not document_ids or r.document_id in document_ids
        ]
        return self._estimate(sum(r.n_chunks - (0 if again else r.n_enriched) for r in rows))

    def _estimate(self, n_chunks: int) -> Estimate:
        if not self.has_model:
            return Estimate(n_chunks, n_chunks * 2_700, 0.0, False, NO_MODEL)
        if not n_chunks:
            return Estimate(0, 0, 0.0, True, Message("There is nothing left to enrich."))
        time = Message("about {minutes:.0f} minutes", minutes=25)
        words = Message("{time}; you can keep working", time=time)
        return Estimate(n_chunks, n_chunks * 2_700, 1_500.0, False, words)

    def enqueue_entity(self, entity_id, *, at_most=None, again=False) -> ChangeNotice:
        self.calls.append(("enqueue_entity", entity_id))
        return ChangeNotice(documents=frozenset({1}))

    def enqueue_range(self, document_id, start, end, *, again=False) -> ChangeNotice:
        self.calls.append(("enqueue_range", document_id, start, end))
        return ChangeNotice(documents=frozenset({document_id}))

    def retry(self, document_id=None) -> ChangeNotice:
        self.calls.append(("retry", document_id))
        return ChangeNotice(documents=frozenset({document_id})) if document_id else NOTHING

    def stop(self, document_ids=None) -> ChangeNotice:
        self.calls.append(("stop", document_ids))
        self.by_document = {i: replace(r, n_waiting=0) for i, r in self.by_document.items()}
        return ChangeNotice(documents=frozenset(document_ids or self.by_document))
