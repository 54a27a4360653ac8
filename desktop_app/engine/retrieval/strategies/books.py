"""Ranks passages of books, where one name is everywhere, by their best window among the named.

The more passages a name has, the less it tells: then the rest of the question decides, in the
words that stories tell such answers in, with headings and the place in a life beside them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from math import log2

import numpy as np

from ...model import Passage
from ...store import graph as graph_rows
from ...store import search as rows
from ...store.db import Db
from ...store.graph import fetch_mentions_between
from ...store.tokens import build_match
from ...text.features import features, language_of
from ...text.sentences import split_sentences
from ..index import RetrievalIndex
from ..introductions import choose_introductions
from ..question_words import (
    asks_deeds,
    asks_for_list,
    asks_when,
    asks_who,
    expand_question,
    narrative_words,
)
from ..score_fusion import lift_neighbours
from ..search_state import SearchState

_CJK = re.compile(r"[\u3400-\u9fff]")
_COMMON = frozenset("的是谁了过吗呢怎么样什哪些有何如为与和主要在人上下大小一二三不")
NAME_ONLY = 0.3
PARTS = 20  # of a book without chapters

Chapter = tuple[int, str]  # document, heading (or number of the part)


def fetch_chapters(db: Db, index: RetrievalIndex, positions: Sequence[int]) -> dict[int, Chapter]:
    """Return position in the index -> the chapter that it stands in."""
    ids = [int(index.chunk_ids[p]) for p in positions]
    headings: dict[int, str] = {}
    for i in range(0, len(ids), 500):
        part = ids[i : i + 500]
        headings |= dict(
            db.rows(
                f"SELECT id, heading_path FROM chunk WHERE id IN ({','.join('?' * len(part))})",
                part,
            )
        )
    chapters: dict[int, Chapter] = {}
    spans: dict[int, tuple[int, int]] = {}
    for position, chunk_id in zip(positions, ids, strict=True):
        document = int(index.documents[position])
        heading = headings.get(chunk_id, "")
        if not heading:
            if document not in spans:
                spans[document] = _span_of(index, document)
            first, n = spans[document]
            heading = str(PARTS * (position - first) // n)
        chapters[position] = (document, heading)
    return chapters


def _span_of(index: RetrievalIndex, document: int) -> tuple[int, int]:
    """Return the first position of a document and how many it has."""
    own = np.flatnonzero(index.documents == document)
    return int(own[0]), len(own)


def rate_headings(
    chapters: dict[int, Chapter], names: Iterable[str], wanted: str
) -> dict[Chapter, float]:
    """Return chapter -> 1 where its heading has a name and a word wanted, less for a name alone."""
    names = [name for name in names if len(name) > 1]
    words = features(wanted) | {c for c in wanted if _CJK.match(c)} - _COMMON
    rated: dict[Chapter, float] = {}
    for chapter in set(chapters.values()):
        heading = chapter[1].casefold()
        if any(name.casefold() in heading for name in names):
            rated[chapter] = 1.0 if any(word in heading for word in words) else NAME_ONLY
    return rated


def place_late(positions: Sequence[int], index: RetrievalIndex) -> dict[int, float]:
    """Return position -> 0 (the first in its document) to 1 (the last)."""
    of_document: dict[int, list[int]] = {}
    for position in sorted(positions):
        of_document.setdefault(int(index.documents[position]), []).append(position)
    return {
        position: rank / max(1, len(own) - 1)
        for own in of_document.values()
        for rank, position in enumerate(own)
    }


def fit_headings(
    db: Db, index: RetrievalIndex, chapters: dict[int, Chapter], told_of: Iterable[Chapter]
) -> dict[int, float]:
    """Return position -> 0..1, how much of its chapter's heading a passage tells itself.

    Only for passages of the chapters given; what a heading promises is told in few of them.
    """
    wanted = {chapter: features(chapter[1]) for chapter in told_of}
    inside = {int(index.chunk_ids[p]): p for p, c in chapters.items() if wanted.get(c)}
    ids, fitting = list(inside), {}
    for i in range(0, len(ids), 500):
        part = ids[i : i + 500]
        for chunk_id, text in db.rows(
            f"SELECT id, text FROM chunk WHERE id IN ({','.join('?' * len(part))})", part
        ):
            position = inside[chunk_id]
            words = wanted[chapters[position]]
            body = _without_heading(text, chapters[position][1])
            fitting[position] = len(words & features(body)) / len(words)
    best: dict[Chapter, float] = {}
    for position, value in fitting.items():
        best[chapters[position]] = max(value, best.get(chapters[position], 0.0))
    return {p: v / (best[chapters[p]] or 1.0) for p, v in fitting.items()}


def _without_heading(text: str, heading: str) -> str:
    """Return a passage without the lines that are its chapter's heading: they tell nothing."""
    plain = "".join(heading.split())
    lines = (line for line in text.splitlines() if "".join(line.split()) not in plain)
    return "\n".join(lines)


N_CHOSEN = 40
N_LOOKED_AT = 200
SAME_CHAPTER = 0.4  # off the score for each passage of its chapter that was chosen before
SAME_PARTNERS = 0.15  # off the score where all whom it names were named before
BESIDE = 0.15  # off the score next to one that was chosen


def spread_over_book(
    search: SearchState, scores: dict[int, float], chapters: dict[int, Chapter]
) -> dict[int, float]:
    """Return the scores with the best passages of many chapters and partners first.

    Args:
        chapters: position in the index -> chapter, of the passages that name who is meant.
    """
    index = search.index
    ranked = sorted(scores, key=lambda c: (-scores[c], c))
    inside = [c for c in ranked if index.position[c] in chapters][:N_LOOKED_AT]
    partners = _fetch_partners(search.db, inside, set(search.entity_ids))
    left = {c: scores[c] for c in inside}
    in_chapter: Counter[Chapter] = Counter()
    met: set[int] = set()
    places: set[int] = set()
    spread: dict[int, float] = {}
    while left and len(spread) < N_CHOSEN:
        gains: dict[int, float] = {}
        for chunk_id, score in left.items():
            position, own = index.position[chunk_id], partners[chunk_id]
            known = len(own & met) / len(own) if own else 1.0
            beside = (position - 1 in places) + (position + 1 in places)
            gains[chunk_id] = (
                score
                - SAME_CHAPTER * in_chapter[chapters[position]]
                - SAME_PARTNERS * known
                - BESIDE * beside
            )
        best = max(gains, key=lambda c: (gains[c], -c))
        spread[best] = gains[best] + SAME_PARTNERS
        position = index.position[best]
        in_chapter[chapters[position]] += 1
        met |= partners[best]
        places.add(position)
        del left[best]
    least = min(spread.values(), default=0.0)
    return {c: min(v, least - 0.01) for c, v in scores.items()} | spread


def _fetch_partners(db: Db, chunk_ids: Sequence[int], asked: set[int]) -> dict[int, set[int]]:
    """Return chunk id -> the other people that it names."""
    partners: dict[int, set[int]] = defaultdict(set)
    for chunk_id, entity_id in db.rows(
        "SELECT DISTINCT m.chunk_id, e.id FROM mention m JOIN entity_name en USING (name_id)"
        " JOIN entity e ON e.id = en.entity_id WHERE e.type = 'person'"
        f" AND m.chunk_id IN ({','.join('?' * len(chunk_ids))})",
        list(chunk_ids),
    ):
        if entity_id not in asked:
            partners[chunk_id].add(entity_id)
    return partners


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


def rank_books(search: SearchState, fused: dict[int, float]) -> dict[int, float]:
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
    if inner and asks_for_list(search.question):
        scores = spread_over_book(search, scores, chapters)
    search.trace.lap("books")
    return _beside_titled(search, scores, plain)


def _beside_titled(
    search: SearchState, scores: dict[int, float], plain: dict[int, float]
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


def _fuse_plain(search: SearchState) -> dict[int, float]:
    """Return chunk id -> 0..1, what words and meaning found, words first."""
    scores: dict[int, float] = {}
    share = WORDS_SHARE if search.cosines else 1.0
    if search.words:
        top = max(score for _, score in search.words) or 1.0
        scores = {chunk_id: share * score / top for chunk_id, score in search.words}
    for chunk_id, value in _stretch(search.cosines).items():
        scores[chunk_id] = scores.get(chunk_id, 0.0) + (1.0 - WORDS_SHARE) * value
    return scores


def _named_chunks(search: SearchState) -> dict[int, float]:
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


def _sample(search: SearchState, inner: list[int], found: Set[int]) -> list[int]:
    """Return at most about `MOST_PLACED` positions: those that a route found, and every nth."""
    if len(inner) <= MOST_PLACED:
        return inner
    ids, step = search.index.chunk_ids, len(inner) // MOST_PLACED + 1
    return sorted({p for p in inner if int(ids[p]) in found}.union(inner[::step]))


def _likeliest(search: SearchState, inner: list[int], *rated: dict[int, float]) -> list[int]:
    """Return at most `MOST_COMPARED` of the positions, those that the other ratings speak for."""
    if len(inner) <= MOST_COMPARED:
        return inner
    ids = search.index.chunk_ids
    value = {p: sum(one.get(int(ids[p]), 0.0) for one in rated) for p in inner}
    return sorted(sorted(inner, key=lambda p: (-value[p], p))[:MOST_COMPARED])


def _told_in_words(search: SearchState, inner: list[int]) -> dict[int, float]:
    """Return chunk id -> 0..1, how well the words of the question's kind fit, among the named."""
    match = build_match(f"{search.rest} {narrative_words(search.question)}")
    if not inner or not match:
        return {}
    ids = {int(search.index.chunk_ids[p]) for p in inner}
    found = rows.search_words(search.db, match, N_TOLD, search.document_ids)
    kept = {chunk_id: score for chunk_id, score in found if chunk_id in ids}
    top = max(kept.values(), default=0.0) or 1.0
    return {chunk_id: score / top for chunk_id, score in kept.items()}


def _scope(search: SearchState, inner: list[int]) -> dict[int, float]:
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
    search: SearchState, inner: list[int], chapters: dict[int, Chapter]
) -> dict[int, float]:
    """Return chunk id -> what its chapter's heading and its place in a life speak for it."""
    index = search.index
    names = [
        name
        for value in search.entity_ids
        for name, _ in graph_rows.fetch_aliases(search.db, value)
    ]
    wanted = f"{search.rest} {narrative_words(search.question)}"
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


def _lift_introductions(search: SearchState, scores: dict[int, float]) -> None:
    """Bring forward where a book introduces who is asked about."""
    for value in search.entity_ids:
        best = graph_rows.fetch_best_mentions(search.db, value, 12)
        for mention in choose_introductions(best, N_INTRODUCTIONS, lambda m: m.sentence):
            if mention.chunk_id in scores:
                scores[mention.chunk_id] += INTRODUCTION_SHARE


ASKED = 1.0
OTHER = 0.5  # for another person, half where who is asked about is not named
MOST_OTHERS, MOST_WORDS = 2, 2
NEAR = 0.5  # inside the window nearest in meaning
TOLD = 0.3  # for a word that stories tell such answers in


def choose_list_sentence(search: SearchState, passages: list[Passage]) -> list[Passage]:
    """Return the passages, each with the sentence that ties who is asked about to others."""
    asked, told = set(search.entity_ids), features(narrative_words(search.question))
    return [_choose(search, passage, asked, told) for passage in passages] if asked else passages


def _choose(search: SearchState, passage: Passage, asked: set[int], told: set[str]) -> Passage:
    mentions = fetch_mentions_between(
        search.db, passage.document_id, passage.start, passage.start + len(passage.text)
    )
    near = (passage.best_start - passage.start, passage.best_end - passage.start)

    def rate(span: tuple[int, int]) -> float:
        inside = [m for m in mentions if span[0] <= m[0] - passage.start < span[1]]
        named = any(m[2] in asked for m in inside)
        others = {m[2] for m in inside if m[4] == "person"} - asked
        words = told & features(passage.text[slice(*span)])
        return (
            ASKED * named
            + OTHER * min(MOST_OTHERS, len(others)) * (1.0 if named else 0.5)
            + NEAR * (span[0] < near[1] and span[1] > near[0])
            + TOLD * min(MOST_WORDS, len(words))
        )

    spans = split_sentences(passage.text, language_of(passage.text[:200]))
    if not spans:
        return passage
    start, end = max(spans, key=lambda span: (rate(span), -span[0]))
    return replace(passage, best_start=passage.start + start, best_end=passage.start + end)
