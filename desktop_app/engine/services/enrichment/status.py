"""Status of enrichment: progress, estimates and failures. Reads only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from ...extraction.llm import strategy as enrich
from ...extraction.llm.tasks import EnrichSettings
from ...messages import Message
from ...store import enrichment
from ...store import enrichment as enrichment_counts
from ...store.db import Db
from ...store.enrichment import ChunkPlace, DocumentEnrichment, Failure
from .rates import ChatFacts, format_duration, load_rate
from .settings import load_settings


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost of enriching some chunks; `words` is the text for the user.

    `is_measured` is false while the time is estimated from the model's size.
    """

    n_chunks: int
    n_chars: int
    seconds: float
    is_measured: bool
    words: Message


def find_unfinished(
    db: Db,
    facts: ChatFacts,
    settings: EnrichSettings,
    *,
    document_ids: Collection[int] | None = None,
    chunk_ids: Collection[int] | None = None,
    again: bool = False,
) -> list[ChunkPlace]:
    """Return the chunks, of these or of the library, that this model has not finished."""
    places = enrichment.fetch_places(db, document_ids, chunk_ids)
    if again:
        return places
    by_language: dict[str, set[int]] = defaultdict(set)
    for document_id, language in enrichment.fetch_languages(db, {p.document_id for p in places}):
        by_language[language].add(document_id)
    strategy = enrich.choose_strategy(settings, facts.n_parameters)
    settings = enrich.fit_settings(settings, facts.n_parameters)
    done: set[int] = set()
    for language, ids in by_language.items():
        version = enrich.prompt_version(settings, strategy, language)
        done |= enrichment.fetch_done(db, ids, facts.name, version)
    return [p for p in places if p.chunk_id not in done]


def rank_for_entity(places: list[ChunkPlace], n_mentions: dict[int, int]) -> list[ChunkPlace]:
    """Return the chunks, those with most information about an entity first."""
    return [
        replace(p, importance=n_mentions[p.chunk_id] + min(0.99, p.importance / 1000))
        for p in places
    ]


def estimate(
    db: Db, facts: ChatFacts, settings: EnrichSettings, n_chunks: int, n_chars: int
) -> Estimate:
    """Return the time that this model takes for a text, with a description."""
    if n_chunks == 0:
        return Estimate(0, 0, 0.0, True, Message("There is nothing left to enrich."))
    strategy = enrich.choose_strategy(settings, facts.n_parameters)
    rate = load_rate(db, facts.name, strategy, facts.n_parameters)
    seconds = n_chars / rate.chars_per_s
    words = Message("{time}; you can go on working", time=format_duration(seconds))
    return Estimate(n_chunks, n_chars, seconds, rate.is_measured, words)


NO_MODEL = Message("Enriching needs a chat model. Get one under Models.")


@dataclass(frozen=True, slots=True)
class EnrichmentStatus:
    """Status of a library; `waiting` is the estimate for the queue."""

    documents: tuple[DocumentEnrichment, ...]
    waiting: Estimate

    @property
    def total(self) -> DocumentEnrichment:
        """Return the sums over all documents, under id 0."""
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


class EnrichmentReader:
    """Reads the status of enrichment.

    Args:
        db: any connection; screens give one of their own.
        find_facts: gives the active chat model, None if there is none.
    """

    def __init__(self, db: Db, find_facts: Callable[[], ChatFacts | None]) -> None:
        self._db = db
        self._find_facts = find_facts

    def load_settings(self) -> EnrichSettings:
        return load_settings(self._db)

    def status(self) -> EnrichmentStatus:
        """Return the status of every ready document, and the estimate for the queue."""
        return EnrichmentStatus(
            tuple(enrichment_counts.fetch_enrichment(self._db)),
            self._estimate(*enrichment.count_wanted(self._db)),
        )

    def document_status(self, document_id: int) -> DocumentEnrichment:
        """Return the status of one document; all zero while it is not ready."""
        rows = enrichment_counts.fetch_enrichment(self._db, document_id)
        return rows[0] if rows else DocumentEnrichment(document_id)

    def failures(self, document_id: int | None = None) -> list[Failure]:
        """Return the failed chunks with the reasons."""
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
        """Return the cost of enriching documents, an entity or the whole library.

        Args:
            settings: to estimate with other settings than the library's.
        """
        chunk_ids = None
        if entity_id is not None:
            chunk_ids = enrichment.fetch_entity_chunks(self._db, entity_id).keys()
        settings = settings or self.load_settings()
        places = find_unfinished(
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
