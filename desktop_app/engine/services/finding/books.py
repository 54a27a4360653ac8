"""Ranks passages of books, where one name is everywhere, by their best window among the named.

The more passages a name has, the less it tells: then the rest of the question decides, in the
words that stories tell such answers in, with headings and the place in a life beside them.
"""

from __future__ import annotations

from collections.abc import Set
from math import log2

from ...graph.question_words import (
    asks_deeds,
    asks_when,
    asks_who,
    expand_question,
    gathers,
    told_words,
)
from ...store import graph as graph_rows
from ...store import search as rows
from ...store.tokens import build_match
from ..introducing import choose_introductions
from .chapters import Chapter, fetch_chapters, fit_headings, place_late, rate_headings
from .fusing import lift_neighbours
from .gathering import spread_over_book
from .search import Search

N_INTRODUCTIONS = 3
INTRODUCTION_SHARE = 0.3
EXPANDED_SHARE = 0.75  # of the words an answer may be told in, among a book's own passages
MIN_INNER = 8  # passages that name everyone asked about; with fewer, all that name anyone count
WORDS_SHARE = 0.65  # of the plain routes: in stories, words are surer than meaning
NAMES_SHARE = 0.1
TOGETHER_SHARE = 0.5  # where several are asked about, passages that name them together
HALF_EVERYWHERE = 80  # a name of so many passages tells half of what a rare one tells
N_TOLD = 1000
MOST_PLACED = 3000  # passages of one name of which chapter and place in a life are looked at
MOST_COMPARED = 500  # passages of one name whose windows are compared with the question
SCOPED_SHARE, TOLD_SHARE, HEADING_SHARE, WHEN_SHARE, FIT_SHARE = 0.6, 0.4, 0.4, 0.5, 0.4


def rank_books(search: Search, fused: dict[int, float]) -> dict[int, float]:
    """Return chunk id -> score of book passages that name who is meant or that routes found."""
    index = search.index
    named = _named_chunks(search)
    inner = _inner(named)
    everywhere = len(inner) / (len(inner) + HALF_EVERYWHERE)
    plain = _fuse_plain(search)
    told = _told_in_words(search, inner)
    placed = _sample(search, inner, plain.keys() | told.keys())
    chapters = fetch_chapters(search.db, index, placed)
    beside = _rate_places(search, placed, chapters)
    scoped = _scope(search, _likeliest(search, placed, plain, told, beside))
    names_share = NAMES_SHARE if len(search.linked) < 2 else TOGETHER_SHARE
    scores: dict[int, float] = {}
    for chunk_id in plain.keys() | scoped.keys() | told.keys():
        position = index.position.get(chunk_id)
        if position is None or not search.allowed[position] or index.titled[position]:
            continue
        among = (
            SCOPED_SHARE * scoped.get(chunk_id, 0.0)
            + TOLD_SHARE * told.get(chunk_id, 0.0)
            + beside.get(chunk_id, 0.0)
        )
        scores[chunk_id] = (
            (1.0 - everywhere) * plain.get(chunk_id, 0.0)
            + everywhere * among
            + names_share * named.get(position, 0.0)
        )
    lift_neighbours(scores, index)
    if asks_who(search.question):
        _lift_introductions(search, scores)
    if inner and gathers(search.question):
        scores = spread_over_book(search, scores, chapters)
    search.trace.lap("books")
    return _beside_titled(search, scores, plain)


def _beside_titled(
    search: Search, scores: dict[int, float], plain: dict[int, float]
) -> dict[int, float]:
    """Scale the scores to those of titled texts, of which the best always has 1.

    The best of both kinds stand to each other as the plain routes found them.
    """
    index = search.index
    known = [(index.titled[index.position[c]], v) for c, v in plain.items() if c in index.position]
    titled = [v for is_titled, v in known if is_titled]
    books = [v for is_titled, v in known if not is_titled]
    best = max(scores.values(), default=0.0)
    if not titled or not books or best <= 0.0:
        return scores
    scale = max(books) / max(max(titled), 1e-9) / best
    return {chunk_id: scale * value for chunk_id, value in scores.items()}


def _fuse_plain(search: Search) -> dict[int, float]:
    """Return chunk id -> 0..1, what words and meaning found, words first."""
    scores: dict[int, float] = {}
    share = WORDS_SHARE if search.cosines else 1.0
    if search.words:
        top = max(score for _, score in search.words) or 1.0
        scores = {chunk_id: share * score / top for chunk_id, score in search.words}
    for chunk_id, value in _stretch(search.cosines).items():
        scores[chunk_id] = scores.get(chunk_id, 0.0) + (1.0 - WORDS_SHARE) * value
    return scores


def _named_chunks(search: Search) -> dict[int, float]:
    """Return position in the index -> share of the question's names that the chunk has, 0..1.

    A rare name counts more than one that is everywhere.
    """
    index = search.index
    named: dict[int, float] = {}
    total = 0.0
    for _, _, found in search.linked:
        own = {
            int(position)
            for value in found
            for position in index.chunks_of_entity.get(value, ())
            if search.allowed[position] and not index.titled[position]
        }
        rarity = 1.0 / log2(2.0 + len(own)) if own else 0.0
        total += rarity
        for position in own:
            named[position] = named.get(position, 0.0) + rarity
    return {position: value / total for position, value in named.items()}


def _inner(named: dict[int, float]) -> list[int]:
    """Return the positions that name everyone asked about, or anyone where those are few."""
    most = max(named.values(), default=0.0)
    inner = [p for p in named if named[p] >= 0.99 * most]
    return sorted(inner if len(inner) >= MIN_INNER else named)


def _sample(search: Search, inner: list[int], found: Set[int]) -> list[int]:
    """Return at most about `MOST_PLACED` positions: those that a route found, and every nth."""
    if len(inner) <= MOST_PLACED:
        return inner
    ids, step = search.index.chunk_ids, len(inner) // MOST_PLACED + 1
    return sorted({p for p in inner if int(ids[p]) in found}.union(inner[::step]))


def _likeliest(search: Search, inner: list[int], *rated: dict[int, float]) -> list[int]:
    """Return at most `MOST_COMPARED` of the positions, those that the other ratings speak for."""
    if len(inner) <= MOST_COMPARED:
        return inner
    ids = search.index.chunk_ids
    value = {p: sum(one.get(int(ids[p]), 0.0) for one in rated) for p in inner}
    return sorted(sorted(inner, key=lambda p: (-value[p], p))[:MOST_COMPARED])


def _told_in_words(search: Search, inner: list[int]) -> dict[int, float]:
    """Return chunk id -> 0..1, how well the words of the question's kind fit, among the named."""
    match = build_match(f"{search.rest} {told_words(search.question)}")
    if not inner or not match:
        return {}
    ids = {int(search.index.chunk_ids[p]) for p in inner}
    found = rows.search_words(search.db, match, N_TOLD, search.document_ids)
    kept = {chunk_id: score for chunk_id, score in found if chunk_id in ids}
    top = max(kept.values(), default=0.0) or 1.0
    return {chunk_id: score / top for chunk_id, score in kept.items()}


def _scope(search: Search, inner: list[int]) -> dict[int, float]:
    """Return chunk id -> 0..1, the best window of the passages that name who is meant.

    All of them name who is asked about, so what counts is the rest of the question.
    """
    if not inner or search.query_vec is None:
        return {}
    spans, vectors = rows.fetch_window_vectors(
        search.db, [int(search.index.chunk_ids[p]) for p in inner]
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
    search.trace.found("names", best.items())
    search.trace.lap("scope")
    return _stretch(best)


def _stretch(values: dict[int, float]) -> dict[int, float]:
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    spread = (high - low) or 1.0
    return {key: (value - low) / spread for key, value in values.items()}


def _rate_places(
    search: Search, inner: list[int], chapters: dict[int, Chapter]
) -> dict[int, float]:
    """Return chunk id -> what its chapter's heading and its place in a life speak for it."""
    index = search.index
    names = [
        name
        for value in search.entity_ids
        for name, _ in graph_rows.fetch_aliases(search.db, value)
    ]
    wanted = f"{search.rest} {told_words(search.question)}"
    headings = rate_headings(chapters, names, wanted)
    fitting = {}
    if asks_deeds(search.question):
        fitting = fit_headings(search.db, index, chapters, headings)
    when, late = asks_when(search.question), place_late(inner, index)
    rated: dict[int, float] = {}
    for position in inner:
        value = HEADING_SHARE * headings.get(chapters[position], 0.0)
        if when:
            toward = late[position] if when > 0 else 1.0 - late[position]
            value += WHEN_SHARE * toward**4
        value += FIT_SHARE * fitting.get(position, 0.0)
        rated[int(index.chunk_ids[position])] = value
    return rated


def _lift_introductions(search: Search, scores: dict[int, float]) -> None:
    """Bring forward where a book introduces who is asked about."""
    for value in search.entity_ids:
        best = graph_rows.fetch_best_mentions(search.db, value, 12)
        for mention in choose_introductions(best, N_INTRODUCTIONS, lambda m: m.sentence):
            if mention.chunk_id in scores:
                scores[mention.chunk_id] += INTRODUCTION_SHARE
