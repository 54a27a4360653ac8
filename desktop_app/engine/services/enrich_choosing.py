"""Which chunks are still to be enriched by the model in use, and how long that takes.

A chunk is done when it has an extraction by this model and prompt version, or a graph that was
given to it; a graph of another model or prompt stays until a new one takes its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace

from ..errors import said
from ..extract import enrich
from ..extract.tasks import EnrichSettings
from ..store import enrichment
from ..store.db import Db
from ..store.enrichment import ChunkPlace
from .enrich_facts import ChatFacts
from .enrich_rates import load_rate, say_duration


@dataclass(frozen=True, slots=True)
class Estimate:
    """What enriching some chunks takes; `words` says it to a person.

    `is_measured` is false while the time is a guess by the model's size.
    """

    n_chunks: int
    n_chars: int
    seconds: float
    is_measured: bool
    words: str


def find_to_do(
    db: Db,
    facts: ChatFacts,
    settings: EnrichSettings,
    *,
    document_ids: Collection[int] | None = None,
    chunk_ids: Collection[int] | None = None,
    again: bool = False,
) -> list[ChunkPlace]:
    """Return the chunks, of these or of the library, that this model has still to do."""
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
    """Return the chunks with those first that say most of an entity."""
    return [
        replace(p, importance=n_mentions[p.chunk_id] + min(0.99, p.importance / 1000))
        for p in places
    ]


def estimate(
    db: Db, facts: ChatFacts, settings: EnrichSettings, n_chunks: int, n_chars: int
) -> Estimate:
    """Return how long this model takes for so much text, with the words for it."""
    if n_chunks == 0:
        return Estimate(0, 0, 0.0, True, said("There is nothing left to enrich."))
    strategy = enrich.choose_strategy(settings, facts.n_parameters)
    rate = load_rate(db, facts.name, strategy, facts.n_parameters)
    seconds = n_chars / rate.chars_per_s
    words = said(f"{say_duration(seconds)}; you can go on working")
    return Estimate(n_chunks, n_chars, seconds, rate.is_measured, words)
