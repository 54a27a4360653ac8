"""Ranks passages of books, where one name is everywhere, by their best window among the named.

All passages near who is asked about are compared with the rest of the question, in the words
that stories tell such answers in.
"""

from __future__ import annotations

from ...graph.question_words import asks_who, expand_question
from ...store import graph as graph_rows
from ...store import search as rows
from ...store.tokens import build_match
from ..introducing import choose_introductions
from .fusing import fuse, lift_neighbours
from .search import N_CANDIDATES, Search

N_INTRODUCTIONS = 3
INTRODUCTION_SHARE = 0.3
EXPANDED_SHARE = 0.75  # of the words an answer may be told in, among a book's own passages
MIN_INNER = 8  # passages that name everyone asked about; with fewer, all that name anyone count


def rank_books(search: Search, fused: dict[int, float]) -> dict[int, float]:
    """Return chunk id -> score of book passages that name who is meant or that routes found."""
    index = search.index
    named = _named_chunks(search)
    scoped = _scope(search, named)
    told = _fuse_told(search) or fused
    n_names = max(1, len(search.linked))
    scores: dict[int, float] = {}
    for chunk_id in fused.keys() | scoped.keys() | told.keys():
        position = index.position.get(chunk_id)
        if position is None or not search.allowed[position] or index.titled[position]:
            continue
        names = min(1.0, named.get(position, 0.0) / n_names)
        scores[chunk_id] = (
            0.45 * scoped.get(chunk_id, 0.0) + 0.3 * told.get(chunk_id, 0.0) + 0.25 * names
        )
    lift_neighbours(scores, index)
    if asks_who(search.question):
        _lift_introductions(search, scores)
    search.trace.lap("books")
    return scores


def _named_chunks(search: Search) -> dict[int, float]:
    """Return position in the index -> how many of the question's names the chunk has."""
    index = search.index
    named: dict[int, float] = {}
    for _, _, found in search.linked:
        for value in found:
            for position in index.chunks_of_entity.get(value, ()):
                if not index.titled[position]:
                    named[int(position)] = named.get(int(position), 0.0) + 1.0
    return named


def _scope(search: Search, named: dict[int, float]) -> dict[int, float]:
    """Return chunk id -> 0..1, the best window of the passages that name who is meant.

    All of them name who is asked about, so what counts is the rest of the question.
    """
    book = [p for p in named if search.allowed[p]]
    if not book or search.query_vec is None:
        return {}
    most = max(named[p] for p in book)
    inner = [p for p in book if named[p] == most]
    chosen = inner if len(inner) >= MIN_INNER else book
    spans, vectors = rows.fetch_window_vectors(
        search.db, [int(search.index.chunk_ids[p]) for p in chosen]
    )
    if not spans:
        return {}
    values = vectors @ search.query_vec
    if search.embedder is not None and (expanded := expand_question(search.rest)):
        told = vectors @ search.embedder.embed_query(expanded)
        values = (1.0 - EXPANDED_SHARE) * values + EXPANDED_SHARE * told
    best: dict[int, float] = {}
    for (window_id, chunk_id, _, _), value in zip(spans, values, strict=True):
        if value > best.get(chunk_id, -1.0):
            best[chunk_id] = float(value)
            search.trace.best_window[chunk_id] = window_id
    low, high = min(best.values()), max(best.values())
    spread = (high - low) or 1.0
    for chunk_id, value in best.items():
        search.trace.found(chunk_id, "names", value)
    search.trace.lap("scope")
    return {chunk_id: (value - low) / spread for chunk_id, value in best.items()}


def _fuse_told(search: Search) -> dict[int, float]:
    """Return chunk id -> 0..1 with the words added that a story may tell the answer in.

    Empty where the question's kind is not known, hence no words are added.
    """
    expanded = expand_question(search.question)
    if not expanded or search.index.titled.all():
        return {}
    match = build_match(expanded)
    found = rows.search_words(search.db, match, N_CANDIDATES, search.document_ids)
    return fuse(found, search.cosines)


def _lift_introductions(search: Search, scores: dict[int, float]) -> None:
    """Bring forward where a book introduces who is asked about."""
    for value in search.entity_ids:
        best = graph_rows.fetch_best_mentions(search.db, value, 12)
        for mention in choose_introductions(best, N_INTRODUCTIONS, lambda m: m.sentence):
            if mention.chunk_id in scores:
                scores[mention.chunk_id] += INTRODUCTION_SHARE
