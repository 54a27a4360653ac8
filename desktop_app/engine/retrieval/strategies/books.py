"""Ranks passages of books, where the names of a question occur in many passages.

The more passages a name has, the less it discriminates. The score then depends on the rest of the
question, expanded with words of likely answers (`question_kinds.py`), on chapter headings and on
the position in the book. For questions about many events the passages are diversified.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from math import log2

import numpy as np

from ...graph.evidence import choose_introductions
from ...model import Passage
from ...scripts import features, has_han, language_of
from ...store import graph as graph_rows
from ...store import search as rows
from ...store.db import Db
from ...store.graph import fetch_mentions_between
from ...store.tokens import build_match
from ...text.chunking import split_sentences
from ..index import RetrievalIndex
from ..question_kinds import (
    answer_words,
    asks_for_life_story,
    asks_for_list,
    asks_who,
    expand_question,
    expected_position,
)
from ..score_fusion import add_neighbour_scores
from ..search_state import SearchState

_FUNCTION_CHARACTERS = frozenset("的是谁了过吗呢怎么样什哪些有何如为与和主要在人上下大小一二三不")
HEADING_WITH_NAME_ONLY = 0.3
N_PARTS = 20  # equal parts that stand for the chapters of a book without headings

Chapter = tuple[int, str]  # document id, heading (or number of the part)


def fetch_chapters(db: Db, index: RetrievalIndex, positions: Sequence[int]) -> dict[int, Chapter]:
    """Return index position -> chapter."""
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
            heading = str(N_PARTS * (position - first) // n)
        chapters[position] = (document, heading)
    return chapters


def _span_of(index: RetrievalIndex, document: int) -> tuple[int, int]:
    """Return the first index position of a document and its number of chunks."""
    own = np.flatnonzero(index.documents == document)
    return int(own[0]), len(own)


def rate_headings(
    chapters: dict[int, Chapter], names: Iterable[str], wanted: str
) -> dict[Chapter, float]:
    """Return chapter -> 1.0 if its heading has a name and a wanted word, less for a name only."""
    names = [name for name in names if len(name) > 1]
    words = features(wanted) | {c for c in wanted if has_han(c)} - _FUNCTION_CHARACTERS
    rated: dict[Chapter, float] = {}
    for chapter in set(chapters.values()):
        heading = chapter[1].casefold()
        if any(name.casefold() in heading for name in names):
            rated[chapter] = (
                1.0 if any(word in heading for word in words) else HEADING_WITH_NAME_ONLY
            )
    return rated


def rank_positions(positions: Sequence[int], index: RetrievalIndex) -> dict[int, float]:
    """Return index position -> rank in its document, scaled from 0 (first) to 1 (last)."""
    of_document: dict[int, list[int]] = {}
    for position in sorted(positions):
        of_document.setdefault(int(index.documents[position]), []).append(position)
    return {
        position: rank / max(1, len(own) - 1)
        for own in of_document.values()
        for rank, position in enumerate(own)
    }


def rate_heading_overlap(
    db: Db, index: RetrievalIndex, chapters: dict[int, Chapter], wanted_chapters: Iterable[Chapter]
) -> dict[int, float]:
    """Return index position -> share (0..1) of the words of its chapter's heading in the passage.

    Only for passages of `wanted_chapters`. Few passages of a chapter contain what its heading
    announces.
    """
    wanted = {chapter: features(chapter[1]) for chapter in wanted_chapters}
    inside = {int(index.chunk_ids[p]): p for p, c in chapters.items() if wanted.get(c)}
    ids, overlaps = list(inside), {}
    for i in range(0, len(ids), 500):
        part = ids[i : i + 500]
        for chunk_id, text in db.rows(
            f"SELECT id, text FROM chunk WHERE id IN ({','.join('?' * len(part))})", part
        ):
            position = inside[chunk_id]
            words = wanted[chapters[position]]
            body = _without_heading(text, chapters[position][1])
            overlaps[position] = len(words & features(body)) / len(words)
    best: dict[Chapter, float] = {}
    for position, value in overlaps.items():
        best[chapters[position]] = max(value, best.get(chapters[position], 0.0))
    return {p: v / (best[chapters[p]] or 1.0) for p, v in overlaps.items()}


def _without_heading(text: str, heading: str) -> str:
    """Return a passage without the lines that repeat its chapter's heading."""
    search_scores = "".join(heading.split())
    lines = (line for line in text.splitlines() if "".join(line.split()) not in search_scores)
    return "\n".join(lines)


N_DIVERSIFIED = 40
N_DIVERSIFIED_CANDIDATES = 200
SAME_CHAPTER_PENALTY = 0.4  # penalty per passage of the same chapter chosen before
SAME_PEOPLE_PENALTY = 0.15  # penalty if all other people in it were in chosen passages
NEIGHBOUR_PENALTY = 0.15  # penalty next to a chosen passage


def diversify_over_book(
    search: SearchState, scores: dict[int, float], chapters: dict[int, Chapter]
) -> dict[int, float]:
    """Return scores that put passages of different chapters and people first (diversification).

    Greedy selection: each chosen passage lowers the scores of similar ones.

    Args:
        chapters: index position -> chapter, for passages that mention the entities of the question.
    """
    index = search.index
    ranked = sorted(scores, key=lambda c: (-scores[c], c))
    inside = [c for c in ranked if index.position[c] in chapters][:N_DIVERSIFIED_CANDIDATES]
    people_of = _fetch_other_people(search.db, inside, set(search.entity_ids))
    left = {c: scores[c] for c in inside}
    in_chapter: Counter[Chapter] = Counter()
    seen_people: set[int] = set()
    chosen_positions: set[int] = set()
    spread: dict[int, float] = {}
    while left and len(spread) < N_DIVERSIFIED:
        gains: dict[int, float] = {}
        for chunk_id, score in left.items():
            position, own = index.position[chunk_id], people_of[chunk_id]
            known = len(own & seen_people) / len(own) if own else 1.0
            place_scores = (position - 1 in chosen_positions) + (position + 1 in chosen_positions)
            gains[chunk_id] = (
                score
                - SAME_CHAPTER_PENALTY * in_chapter[chapters[position]]
                - SAME_PEOPLE_PENALTY * known
                - NEIGHBOUR_PENALTY * place_scores
            )
        best = max(gains, key=lambda c: (gains[c], -c))
        spread[best] = gains[best] + SAME_PEOPLE_PENALTY
        position = index.position[best]
        in_chapter[chapters[position]] += 1
        seen_people |= people_of[best]
        chosen_positions.add(position)
        del left[best]
    least = min(spread.values(), default=0.0)
    return {c: min(v, least - 0.01) for c, v in scores.items()} | spread


def _fetch_other_people(db: Db, chunk_ids: Sequence[int], asked: set[int]) -> dict[int, set[int]]:
    """Return chunk id -> the other people mentioned in it."""
    people_of: dict[int, set[int]] = defaultdict(set)
    for chunk_id, entity_id in db.rows(
        "SELECT DISTINCT m.chunk_id, e.id FROM mention m JOIN entity_name en USING (name_id)"
        " JOIN entity e ON e.id = en.entity_id WHERE e.type = 'person'"
        f" AND m.chunk_id IN ({','.join('?' * len(chunk_ids))})",
        list(chunk_ids),
    ):
        if entity_id not in asked:
            people_of[chunk_id].add(entity_id)
    return people_of


N_INTRODUCTIONS = 3
INTRODUCTION_SHARE = 0.3
EXPANDED_VECTOR_SHARE = 0.75  # weight of the expanded question against the question itself
MIN_WITH_ALL_NAMES = 8  # passages with all names of the question; if fewer, any name suffices
WORD_SHARE = 0.65  # BM25 against vectors: in narratives, words are more reliable
NAME_SHARE = 0.1
SEVERAL_NAMES_SHARE = 0.5  # the same for several names: passages that mention them together
HALF_WEIGHT_PASSAGES = 80  # number of passages at which a name has half its weight
N_EXPANDED_RESULTS = 1000
MAX_RATED = 3000  # passages whose chapter and position are rated
MAX_COMPARED = 500  # passages whose windows are compared with the question
# Weights of the scores within the passages that mention the names.
SCOPED_VECTOR_SHARE, EXPANDED_WORD_SHARE = 0.6, 0.4
HEADING_SHARE, HEADING_OVERLAP_SHARE, POSITION_SHARE = 0.4, 0.4, 0.5


def rank_books(search: SearchState) -> dict[int, float]:
    """Return chunk id -> score of book passages that search found or that mention the names."""
    index = search.index
    name_scores = _rate_names(search)
    named_positions = _select_named(name_scores)
    commonness = len(named_positions) / (len(named_positions) + HALF_WEIGHT_PASSAGES)
    search_scores = _fuse_search_scores(search)
    expanded = _search_expanded_words(search, named_positions)
    rated_positions = _sample_positions(
        search, named_positions, search_scores.keys() | expanded.keys()
    )
    chapters = fetch_chapters(search.db, index, rated_positions)
    place_scores = _rate_headings_and_positions(search, rated_positions, chapters)
    compared = _select_best(search, rated_positions, search_scores, expanded, place_scores)
    scoped_scores = _search_named_windows(search, compared)
    names_share = NAME_SHARE if len(search.linked) < 2 else SEVERAL_NAMES_SHARE
    scores: dict[int, float] = {}
    for chunk_id in search_scores.keys() | scoped_scores.keys() | expanded.keys():
        position = index.position.get(chunk_id)
        if position is None or not search.allowed[position] or index.titled[position]:
            continue
        within_named = (
            SCOPED_VECTOR_SHARE * scoped_scores.get(chunk_id, 0.0)
            + EXPANDED_WORD_SHARE * expanded.get(chunk_id, 0.0)
            + place_scores.get(chunk_id, 0.0)
        )
        scores[chunk_id] = (
            (1.0 - commonness) * search_scores.get(chunk_id, 0.0)
            + commonness * within_named
            + names_share * name_scores.get(position, 0.0)
        )
    add_neighbour_scores(scores, index)
    if asks_who(search.question):
        _add_introduction_scores(search, scores)
    if named_positions and asks_for_list(search.question):
        scores = diversify_over_book(search, scores, chapters)
    search.trace.lap("books")
    return _scale_to_titled(search, scores, search_scores)


def _scale_to_titled(
    search: SearchState, scores: dict[int, float], search_scores: dict[int, float]
) -> dict[int, float]:
    """Scale the scores to be comparable with those of titled texts, whose best score is 1.

    The ratio of the best scores of both kinds is the one that BM25 and vectors give.
    """
    index = search.index
    known = [
        (index.titled[index.position[c]], v)
        for c, v in search_scores.items()
        if c in index.position
    ]
    titled = [v for is_titled, v in known if is_titled]
    books = [v for is_titled, v in known if not is_titled]
    best = max(scores.values(), default=0.0)
    if not titled or not books or best <= 0.0:
        return scores
    scale = max(books) / max(max(titled), 1e-9) / best
    return {chunk_id: scale * value for chunk_id, value in scores.items()}


def _fuse_search_scores(search: SearchState) -> dict[int, float]:
    """Return chunk id -> fused score (0..1) of BM25 and vectors with the weights for books."""
    scores: dict[int, float] = {}
    share = WORD_SHARE if search.cosines else 1.0
    if search.words:
        top = max(score for _, score in search.words) or 1.0
        scores = {chunk_id: share * score / top for chunk_id, score in search.words}
    for chunk_id, value in _scale_to_unit(search.cosines).items():
        scores[chunk_id] = scores.get(chunk_id, 0.0) + (1.0 - WORD_SHARE) * value
    return scores


def _rate_names(search: SearchState) -> dict[int, float]:
    """Return index position -> share (0..1) of the question's names in the chunk.

    Rare names have more weight.
    """
    index = search.index
    name_scores: dict[int, float] = {}
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
            name_scores[position] = name_scores.get(position, 0.0) + rarity
    return {position: value / total for position, value in name_scores.items()}


def _select_named(name_scores: dict[int, float]) -> list[int]:
    """Return the positions with all names of the question, or with any if those are few."""
    most = max(name_scores.values(), default=0.0)
    named_positions = [p for p in name_scores if name_scores[p] >= 0.99 * most]
    return sorted(named_positions if len(named_positions) >= MIN_WITH_ALL_NAMES else name_scores)


def _sample_positions(
    search: SearchState, named_positions: list[int], found: Set[int]
) -> list[int]:
    """Return about `MAX_RATED` positions: those that search found, and every nth other one."""
    if len(named_positions) <= MAX_RATED:
        return named_positions
    ids, step = search.index.chunk_ids, len(named_positions) // MAX_RATED + 1
    return sorted(
        {p for p in named_positions if int(ids[p]) in found}.union(named_positions[::step])
    )


def _select_best(
    search: SearchState, named_positions: list[int], *rated: dict[int, float]
) -> list[int]:
    """Return at most `MAX_COMPARED` positions, those with the highest sums of other scores."""
    if len(named_positions) <= MAX_COMPARED:
        return named_positions
    ids = search.index.chunk_ids
    value = {p: sum(one.get(int(ids[p]), 0.0) for one in rated) for p in named_positions}
    return sorted(sorted(named_positions, key=lambda p: (-value[p], p))[:MAX_COMPARED])


def _search_expanded_words(search: SearchState, named_positions: list[int]) -> dict[int, float]:
    """Return chunk id -> BM25 score (0..1) of the expanded question, among these positions."""
    match = build_match(f"{search.rest} {answer_words(search.question)}")
    if not named_positions or not match:
        return {}
    ids = {int(search.index.chunk_ids[p]) for p in named_positions}
    found = rows.search_words(search.db, match, N_EXPANDED_RESULTS, search.document_ids)
    kept = {chunk_id: score for chunk_id, score in found if chunk_id in ids}
    top = max(kept.values(), default=0.0) or 1.0
    return {chunk_id: score / top for chunk_id, score in kept.items()}


def _search_named_windows(search: SearchState, named_positions: list[int]) -> dict[int, float]:
    """Return chunk id -> cosine (scaled to 0..1) of its best window, among these positions.

    All of them mention the names, so the question without names is compared as well.
    """
    if not named_positions or search.query_vec is None:
        return {}
    spans, vectors = rows.fetch_window_vectors(
        search.db, [int(search.index.chunk_ids[p]) for p in named_positions]
    )
    if not spans:
        return {}
    values = vectors @ search.query_vec
    if search.embedder is not None and (expanded := expand_question(search.rest)):
        expanded_values = vectors @ search.embedder.embed_query(expanded)
        values = (1.0 - EXPANDED_VECTOR_SHARE) * values + EXPANDED_VECTOR_SHARE * expanded_values
    best: dict[int, float] = {}
    for (window_id, chunk_id, _, _), value in zip(spans, values, strict=True):
        if value > best.get(chunk_id, -1.0):
            best[chunk_id] = float(value)
            search.trace.best_window[chunk_id] = window_id
    search.trace.found("names", best.items())
    search.trace.lap("scope")
    return _scale_to_unit(best)


def _scale_to_unit(values: dict[int, float]) -> dict[int, float]:
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    spread = (high - low) or 1.0
    return {key: (value - low) / spread for key, value in values.items()}


def _rate_headings_and_positions(
    search: SearchState, named_positions: list[int], chapters: dict[int, Chapter]
) -> dict[int, float]:
    """Return chunk id -> score for its chapter's heading and its position in the book."""
    index = search.index
    names = [
        name
        for value in search.entity_ids
        for name, _ in graph_rows.fetch_aliases(search.db, value)
    ]
    wanted = f"{search.rest} {answer_words(search.question)}"
    headings = rate_headings(chapters, names, wanted)
    overlaps = {}
    if asks_for_life_story(search.question):
        overlaps = rate_heading_overlap(search.db, index, chapters, headings)
    expected, ranks = expected_position(search.question), rank_positions(named_positions, index)
    rated: dict[int, float] = {}
    for position in named_positions:
        value = HEADING_SHARE * headings.get(chapters[position], 0.0)
        if expected:
            closeness = ranks[position] if expected > 0 else 1.0 - ranks[position]
            value += POSITION_SHARE * closeness**4
        value += HEADING_OVERLAP_SHARE * overlaps.get(position, 0.0)
        rated[int(index.chunk_ids[position])] = value
    return rated


def _add_introduction_scores(search: SearchState, scores: dict[int, float]) -> None:
    """Raise, in place, the scores of passages that introduce the entities of the question."""
    for value in search.entity_ids:
        best = graph_rows.fetch_best_mentions(search.db, value, 12)
        for mention in choose_introductions(best, N_INTRODUCTIONS, lambda m: m.sentence):
            if mention.chunk_id in scores:
                scores[mention.chunk_id] += INTRODUCTION_SHARE


ASKED = 1.0  # for an entity of the question
OTHER = 0.5  # for another person; half without an entity of the question
MAX_OTHERS, MAX_WORDS = 2, 2
IN_BEST_WINDOW = 0.5  # for a sentence in the best window
EXPANSION = 0.3  # for a word of likely answers


def choose_key_sentences(search: SearchState, passages: list[Passage]) -> list[Passage]:
    """Return the passages with the sentence that relates the question's entities to others.

    The sentence replaces the best window of each passage.
    """
    asked, expanded = set(search.entity_ids), features(answer_words(search.question))
    return (
        [_choose_key_sentence(search, passage, asked, expanded) for passage in passages]
        if asked
        else passages
    )


def _choose_key_sentence(
    search: SearchState, passage: Passage, asked: set[int], expanded: set[str]
) -> Passage:
    mentions = fetch_mentions_between(
        search.db, passage.document_id, passage.start, passage.start + len(passage.text)
    )
    window = (passage.best_start - passage.start, passage.best_end - passage.start)

    def rate(span: tuple[int, int]) -> float:
        inside = [m for m in mentions if span[0] <= m[0] - passage.start < span[1]]
        is_named = any(m[2] in asked for m in inside)
        others = {m[2] for m in inside if m[4] == "person"} - asked
        words = expanded & features(passage.text[slice(*span)])
        return (
            ASKED * is_named
            + OTHER * min(MAX_OTHERS, len(others)) * (1.0 if is_named else 0.5)
            + IN_BEST_WINDOW * (span[0] < window[1] and span[1] > window[0])
            + EXPANSION * min(MAX_WORDS, len(words))
        )

    spans = split_sentences(passage.text, language_of(passage.text[:200]))
    if not spans:
        return passage
    start, end = max(spans, key=lambda span: (rate(span), -span[0]))
    return replace(passage, best_start=passage.start + start, best_end=passage.start + end)
