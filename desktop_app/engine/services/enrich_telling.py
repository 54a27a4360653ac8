"""Says how far enrichment is, what it takes and what went wrong. Reads only: screens may ask."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from ..errors import said
from ..extract.tasks import EnrichSettings
from ..store import enrichment, enrichment_counts
from ..store.db import Db
from ..store.enrichment_counts import DocumentEnrichment, Failure
from .enrich_choosing import Estimate, estimate, find_to_do
from .enrich_facts import ChatFacts
from .enrich_settings import load_settings

NO_MODEL = said("Enriching needs a chat model. Get one under Models.")


@dataclass(frozen=True, slots=True)
class EnrichStatus:
    """How far a library is; `waiting` says what the queue takes."""

    documents: tuple[DocumentEnrichment, ...]
    waiting: Estimate

    @property
    def total(self) -> DocumentEnrichment:
        """Return the numbers of all documents added up, under id 0."""
        rows = self.documents
        models = {row.model for row in rows if row.model}
        return DocumentEnrichment(
            document_id=0,
            n_chunks=sum(r.n_chunks for r in rows),
            n_enriched=sum(r.n_enriched for r in rows),
            n_waiting=sum(r.n_waiting for r in rows),
            n_failed=sum(r.n_failed for r in rows),
            n_empty=sum(r.n_empty for r in rows),
            n_tokens=sum(r.n_tokens for r in rows),
            seconds=sum(r.seconds for r in rows),
            model=", ".join(sorted(models)),
        )


class EnrichTelling:
    """Answers questions about enrichment.

    Args:
        db: any connection; screens give one of their own.
        find_facts: what is known of the chat model in use, None if there is none.
    """

    def __init__(self, db: Db, find_facts: Callable[[], ChatFacts | None]) -> None:
        self._db = db
        self._find_facts = find_facts

    def load_settings(self) -> EnrichSettings:
        return load_settings(self._db)

    def status(self) -> EnrichStatus:
        """Return how far every ready document is, and what the queue takes."""
        return EnrichStatus(
            tuple(enrichment_counts.fetch_enrichment(self._db)),
            self._estimate(*enrichment.count_wanted(self._db)),
        )

    def document_status(self, document_id: int) -> DocumentEnrichment:
        """Return how far one document is; nothing is done while it is not ready."""
        rows = enrichment_counts.fetch_enrichment(self._db, document_id)
        return rows[0] if rows else DocumentEnrichment(document_id)

    def failures(self, document_id: int | None = None) -> list[Failure]:
        """Return the chunks that were given up, with the reasons."""
        ids = None if document_id is None else [document_id]
        return enrichment_counts.fetch_failures(self._db, ids)

    def estimate(
        self,
        document_ids: Collection[int] | None = None,
        *,
        entity_id: int | None = None,
        again: bool = False,
        settings: EnrichSettings | None = None,
    ) -> Estimate:
        """Return what enriching documents, an entity or the whole library would take.

        Args:
            settings: others than the library's, to see what they would cost.
        """
        chunk_ids = None
        if entity_id is not None:
            chunk_ids = enrichment.fetch_entity_chunks(self._db, entity_id).keys()
        settings = settings or self.load_settings()
        places = find_to_do(
            self._db,
            self._find_facts() or ChatFacts(""),
            settings,
            document_ids=document_ids,
            chunk_ids=chunk_ids,
            again=again,
        )
        return self._estimate(len(places), sum(p.n_chars for p in places), settings)

    def _estimate(
        self, n_chunks: int, n_chars: int, settings: EnrichSettings | None = None
    ) -> Estimate:
        facts = self._find_facts()
        made = estimate(
            self._db,
            facts or ChatFacts(""),
            settings or self.load_settings(),
            n_chunks,
            n_chars,
        )
        return made if facts else replace(made, words=NO_MODEL)
