"""Ranks passages of books, where the names of a question occur in many passages.

A scene extends over several passages: one names the people, the next says what they do. So each
word of a question also counts in the neighbours of its passages (decision 89). Where a question
asks for a kind of event (`_KINDS`), and the more passages its names have, the score depends on the
rest of the question, expanded with words of likely answers, on chapter headings and on the position
in the book; for other questions none of this helps (decision 82). For questions about many events
the passages are diversified.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from math import log, log2

import numpy as np

from ...graph.evidence import choose_introductions
from ...store import graph as graph_rows
from ...store import search as search_rows
from ...store.fts_tokens import build_match
from ...word_lists import load_table
from ...writing_systems import features, has_han, stems
from ..index import RetrievalIndex
from ..search_state import SearchState, fuse_scores, scale_to_unit

N_INTRODUCTIONS = 3
INTRODUCTION_SHARE = 0.3
EXPANDED_VECTOR_SHARE = 0.75  # weight of the expanded question against the question itself
MIN_WITH_ALL_NAMES = 8  # passages with all names of the question; if fewer, any name suffices
# Passages around a word where it counts, and its share in each next one.
TERM_REACH, TERM_SHARE = 2, 0.7
N_SCENES = 150  # passages that are compared, the best by words; besides those found by meaning
# Weights against the words in and around a passage, which have 1 (decision 151). Those of meaning
# are for one standard deviation.
OWN_WORDS_SHARE = 0.5
MEANING_SHARE, BESIDE_SHARE, REST_SHARE = 0.17, 0.1, 0.2
NEIGHBOUR_SHARE_OF_KIND = 0.3  # of a question whose kind is known
WORD_SHARE = 0.65  # BM25 against vectors, where books are compared with titled texts
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
    by_scene = _rate_scenes(search)
    name_scores = _rate_names(search)
    named = _choose_named(name_scores)
    if _find_kinds(search.question):
        scores = _rate_by_kind(search, by_scene, name_scores, named)
    else:
        scores = by_scene
    if _WHO.search(search.question):
        for entity_id in search.entity_ids:
            best = graph_rows.fetch_best_mentions(search.db, entity_id, 12)
            for mention in choose_introductions(best, N_INTRODUCTIONS, lambda m: m.sentence):
                if mention.chunk_id in scores:
                    scores[mention.chunk_id] += INTRODUCTION_SHARE
                    search.trace.found("introduction", [(mention.chunk_id, INTRODUCTION_SHARE)])
    if named and asks_for_list(search.question):
        rated = _sample_positions(search, named, scores.keys())
        scores = diversify_over_book(search, scores, find_chapters(search, rated))
        search.trace.found("spread", scores.items())
    search.trace.lap("books")
    word_share = WORD_SHARE if search.cosines else 1.0
    found = fuse_scores(search.words, search.cosines, word_share=word_share)
    return _scale_to_titled(search, scores, found)


def _rate_scenes(search: SearchState) -> dict[int, float]:
    """Return chunk id -> score of book passages by the question's words and vectors, 0 to 1.

    A scene extends over several passages: one names the people, the next says what they do. So
    each word of the question, weighted by its rarity, also counts in the passages around those
    that have it. How often a passage has it does not matter (decision 89). Vectors see the whole
    question, and the question without its names: in a book, names say least about which passage
    answers (decision 151).
    """
    index = search.index
    around, own = _count_words(search)
    best = np.argsort(-around, kind="stable")[:N_SCENES]
    chosen = set(best[around[best] > 0.0].tolist())
    chosen.update(index.position[c] for c in _keep_books(search, search.cosines))
    rated = np.array(sorted(chosen), dtype=np.int64)
    if not len(rated):
        return {}
    words = _scale_to_best(around[rated]) + OWN_WORDS_SHARE * _scale_to_best(own[rated])
    whole, rest = _compare_windows(search, rated)
    beside = np.zeros(len(index.chunk_ids), dtype=np.float32)
    beside[rated] = whole
    meaning = (
        MEANING_SHARE * whole
        + REST_SHARE * rest
        + BESIDE_SHARE * _standardize(_find_better_neighbour(rated, beside, index.documents))
    )
    ids = index.chunk_ids[rated].tolist()
    search.trace.found("scene", [item for item in zip(ids, words.tolist(), strict=True) if item[1]])
    if search.cosines:
        search.trace.found("near", zip(ids, meaning.tolist(), strict=True))
    return scale_to_unit(dict(zip(ids, (words + meaning).tolist(), strict=True)))


def _count_words(search: SearchState) -> tuple[np.ndarray, np.ndarray]:
    """Return the rarity of the question's words in or around, and in, each passage of a book.

    Both float32, shape (n_chunks,); 0 outside the scope and for titled texts.
    """
    index = search.index
    n_chunks = len(index.chunk_ids)
    around, own = np.zeros((2, n_chunks), dtype=np.float32)
    for chunk_ids in search_rows.find_chunks_of_terms(search.db, build_match(search.question)):
        at = np.searchsorted(index.chunk_ids, chunk_ids)
        at = at[np.take(index.chunk_ids, at, mode="clip") == chunk_ids]
        if not len(at):
            continue
        rarity = log(1.0 + (n_chunks - len(at) + 0.5) / (len(at) + 0.5))
        around += rarity * _spread_in_document(at, index.documents)
        own[at] += rarity
    outside = index.titled | ~search.allowed
    around[outside] = own[outside] = 0.0
    return around, own


def _scale_to_best(values: np.ndarray) -> np.ndarray:
    return values / (values.max() or 1.0)


def _standardize(values: np.ndarray) -> np.ndarray:
    """Return values with mean 0 and standard deviation 1; unknown ones (NaN) become 0.

    The spread of cosines differs from question to question, so neither they nor their ratio to the
    best say how far a passage stands out.
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return np.zeros_like(values)
    standardized: np.ndarray = np.nan_to_num((values - known.mean()) / (known.std() or 1.0))
    return standardized


def _compare_windows(search: SearchState, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how near the best window of each passage is to the question, and to its rest.

    Both standardized, shape (len(positions),).
    """
    cosines = np.full((2, len(positions)), np.nan, dtype=np.float32)
    if search.query_vec is None:
        return _standardize(cosines[0]), _standardize(cosines[1])
    ids = search.index.chunk_ids[positions]
    spans, vectors = search_rows.fetch_window_vectors(search.db, ids.tolist())
    if spans:
        search.rest_vec = _embed_rest(search)
        asked = np.stack([search.query_vec, search.rest_vec])
        values = asked @ vectors.T
        at = np.searchsorted(ids, [chunk_id for _, chunk_id, _, _ in spans])
        for row in range(2):
            np.fmax.at(cosines[row], at, values[row])
        _record_best_windows(search, spans, values[0])
    search.trace.lap("compared")
    return _standardize(cosines[0]), _standardize(cosines[1])


def _record_best_windows(
    search: SearchState, spans: Sequence[tuple[int, int, int, int]], values: np.ndarray
) -> dict[int, float]:
    """Return chunk id -> value of its best window, and record which window that is.

    Args:
        spans: (window id, chunk id, start, end).
        values: how well each window fits, shape (len(spans),).
    """
    best: dict[int, float] = {}
    for (window_id, chunk_id, _, _), value in zip(spans, values.tolist(), strict=True):
        if value > best.get(chunk_id, -1.0):
            best[chunk_id] = value
            search.trace.best_window[chunk_id] = window_id
    return best


def _embed_rest(search: SearchState) -> np.ndarray:
    """Return the vector of the question without its names, of the whole one if nothing is left.

    Names in lower case stay: "the fisherman" says what a tale is about.
    """
    assert search.query_vec is not None
    rest = question = search.question
    for start, end, _ in reversed(search.linked):
        if not question[start:end].islower():
            rest = rest[:start] + rest[end:]
    if search.embedder is None or rest == question or not stems(rest):
        return search.query_vec
    return search.embedder.embed_query(rest.strip())


def _find_better_neighbour(
    positions: np.ndarray, values: np.ndarray, documents: np.ndarray
) -> np.ndarray:
    """Return the higher value of the passages before and after in the same document.

    Args:
        values, documents: of all passages, shape (n_chunks,).
    """
    better = np.full(len(positions), -np.inf, dtype=values.dtype)
    for offset in (-1, 1):
        to = np.clip(positions + offset, 0, len(values) - 1)
        is_beside = (to != positions) & (documents[to] == documents[positions])
        better = np.maximum(better, np.where(is_beside, values[to], -np.inf))
    return np.where(np.isinf(better), 0.0, better)


def _spread_in_document(at: np.ndarray, documents: np.ndarray) -> np.ndarray:
    """Return 1 at these rows and less at those around them, float32, shape (n_chunks,)."""
    spread = np.zeros(len(documents), dtype=np.float32)
    for offset in range(-TERM_REACH, TERM_REACH + 1):
        to = at + offset
        inside = (to >= 0) & (to < len(documents))
        inside[inside] = documents[at[inside]] == documents[to[inside]]
        spread[to[inside]] = np.maximum(spread[to[inside]], TERM_SHARE ** abs(offset))
    return spread


def _keep_books(search: SearchState, scores: dict[int, float]) -> dict[int, float]:
    """Return the scores of passages in scope that belong to books."""
    index, kept = search.index, {}
    for chunk_id, score in scores.items():
        position = index.position.get(chunk_id)
        if position is not None and search.allowed[position] and not index.titled[position]:
            kept[chunk_id] = score
    return kept


def _add_neighbours(
    search: SearchState, scores: dict[int, float], share: float
) -> dict[int, float]:
    """Return the scores, each with a share of the better neighbour's in the same book."""
    index = search.index
    positions = np.array([index.position[chunk_id] for chunk_id in scores], dtype=np.int64)
    known = np.zeros(len(index.chunk_ids))
    known[positions] = list(scores.values())
    better = _find_better_neighbour(positions, known, index.documents)
    raised = zip(scores.items(), better.tolist(), strict=True)
    return {chunk_id: score + share * beside for (chunk_id, score), beside in raised}


def _rate_by_kind(
    search: SearchState,
    by_scene: dict[int, float],
    name_scores: dict[int, float],
    named: list[int],
) -> dict[int, float]:
    """Return chunk id -> score of book passages for a question whose kind is known.

    Args:
        by_scene: the scores of `_rate_scenes`.
        name_scores, named: see `_rate_names` and `_choose_named`.
    """
    index = search.index
    commonness = len(named) / (len(named) + HALF_WEIGHT_PASSAGES)
    expanded = _search_expanded_words(search, named)
    rated = _sample_positions(search, named, by_scene.keys() | expanded.keys())
    place_scores = _rate_headings_and_positions(search, rated, find_chapters(search, rated))
    compared = _select_best(search, rated, by_scene, expanded, place_scores)
    scoped_scores = _search_named_windows(search, compared)
    names_share = NAME_SHARE if len(search.linked) < 2 else SEVERAL_NAMES_SHARE
    within_named = {
        chunk_id: SCOPED_VECTOR_SHARE * scoped_scores.get(chunk_id, 0.0)
        + EXPANDED_WORD_SHARE * expanded.get(chunk_id, 0.0)
        + place_scores.get(chunk_id, 0.0)
        for chunk_id in scoped_scores.keys() | expanded.keys()
    }
    within_named = _add_neighbours(
        search, _keep_books(search, within_named), NEIGHBOUR_SHARE_OF_KIND
    )
    search.trace.found("kind", within_named.items())
    named_ids = ((int(index.chunk_ids[p]), share) for p, share in name_scores.items())
    search.trace.found("named", named_ids)
    return {
        chunk_id: (1.0 - commonness) * by_scene.get(chunk_id, 0.0)
        + commonness * within_named.get(chunk_id, 0.0)
        + names_share * name_scores.get(index.position[chunk_id], 0.0)
        for chunk_id in by_scene.keys() | within_named.keys()
    }


def _choose_named(name_scores: dict[int, float]) -> list[int]:
    """Return the positions with all names of the question, or with any if those are few."""
    most = max(name_scores.values(), default=0.0)
    named = [p for p in name_scores if name_scores[p] >= 0.99 * most]
    return sorted(named if len(named) >= MIN_WITH_ALL_NAMES else name_scores)


def _scale_to_titled(
    search: SearchState, scores: dict[int, float], search_scores: dict[int, float]
) -> dict[int, float]:
    """Scale the scores to be comparable with those of titled texts, whose best score is 1.

    The ratio of the best scores of both kinds is the one that BM25 and vectors give.
    """
    index = search.index
    best_of = {True: 0.0, False: 0.0}
    kinds = set()
    for chunk_id, value in search_scores.items():
        if chunk_id in index.position:
            is_titled = bool(index.titled[index.position[chunk_id]])
            kinds.add(is_titled)
            best_of[is_titled] = max(best_of[is_titled], value)
    best = max(scores.values(), default=0.0)
    if len(kinds) < 2 or best <= 0.0:
        return scores
    scale = best_of[False] / max(best_of[True], 1e-9) / best
    return {chunk_id: scale * value for chunk_id, value in scores.items()}


# --- passages with the names of the question -----------------------------------------------------


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


def _sample_positions(search: SearchState, named: list[int], found: Set[int]) -> list[int]:
    """Return about `MAX_RATED` positions: those that search found, and every nth other one."""
    if len(named) <= MAX_RATED:
        return named
    ids, step = search.index.chunk_ids, len(named) // MAX_RATED + 1
    return sorted({p for p in named if int(ids[p]) in found}.union(named[::step]))


def _select_best(search: SearchState, named: list[int], *rated: dict[int, float]) -> list[int]:
    """Return at most `MAX_COMPARED` positions, those with the highest sums of other scores."""
    if len(named) <= MAX_COMPARED:
        return named
    ids = search.index.chunk_ids
    value = {p: sum(one.get(int(ids[p]), 0.0) for one in rated) for p in named}
    return sorted(sorted(named, key=lambda p: (-value[p], p))[:MAX_COMPARED])


def _search_expanded_words(search: SearchState, named: list[int]) -> dict[int, float]:
    """Return chunk id -> BM25 score (0..1) of the expanded question, among these positions."""
    match = build_match(f"{search.rest} {answer_words(search.question)}")
    if not named or not match:
        return {}
    ids = {int(search.index.chunk_ids[p]) for p in named}
    found = search_rows.search_words(search.db, match, N_EXPANDED_RESULTS, search.document_ids)
    kept = {chunk_id: score for chunk_id, score in found if chunk_id in ids}
    top = max(kept.values(), default=0.0) or 1.0
    return {chunk_id: score / top for chunk_id, score in kept.items()}


def _search_named_windows(search: SearchState, named: list[int]) -> dict[int, float]:
    """Return chunk id -> cosine (scaled to 0..1) of its best window, among these positions.

    All of them mention the names, so the question without names is compared as well.
    """
    if not named or search.query_vec is None:
        return {}
    ids = [int(search.index.chunk_ids[p]) for p in named]
    spans, vectors = search_rows.fetch_window_vectors(search.db, ids)
    if not spans:
        return {}
    values = vectors @ search.query_vec
    if search.embedder is not None and (expanded := expand_question(search.rest)):
        expanded_values = vectors @ search.embedder.embed_query(expanded)
        values = (1.0 - EXPANDED_VECTOR_SHARE) * values + EXPANDED_VECTOR_SHARE * expanded_values
    best = _record_best_windows(search, spans, values)
    search.trace.found("names", best.items())
    search.trace.lap("scope")
    return scale_to_unit(best)


# --- chapters and positions ----------------------------------------------------------------------

_FUNCTION_CHARACTERS = frozenset("的是谁了过吗呢怎么样什哪些有何如为与和主要在人上下大小一二三不")
HEADING_WITH_NAME_ONLY = 0.3
N_PARTS = 20  # equal parts that stand for the chapters of a book without headings

Chapter = tuple[int, str]  # document id, heading (or number of the part)


def find_chapters(search: SearchState, positions: Sequence[int]) -> dict[int, Chapter]:
    """Return index position -> chapter."""
    index = search.index
    headings = search_rows.fetch_headings(search.db, (int(index.chunk_ids[p]) for p in positions))
    chapters: dict[int, Chapter] = {}
    spans: dict[int, tuple[int, int]] = {}  # first position and number of chunks of a document
    for position in positions:
        document = int(index.documents[position])
        heading = headings.get(int(index.chunk_ids[position]), "")
        if not heading:
            if document not in spans:
                own = np.flatnonzero(index.documents == document)
                spans[document] = int(own[0]), len(own)
            first, n = spans[document]
            heading = str(N_PARTS * (position - first) // n)
        chapters[position] = (document, heading)
    return chapters


def _rate_headings_and_positions(
    search: SearchState, named: list[int], chapters: dict[int, Chapter]
) -> dict[int, float]:
    """Return chunk id -> score for its chapter's heading and its position in the book."""
    index = search.index
    names = [
        name
        for value in search.entity_ids
        for name, _ in graph_rows.fetch_aliases(search.db, value)
    ]
    headings = rate_headings(chapters, names, f"{search.rest} {answer_words(search.question)}")
    overlaps = {}
    if asks_for_life_story(search.question):
        overlaps = _rate_heading_overlap(search, chapters, headings)
    ranks = rank_positions(named, index) if is_answered_late(search.question) else {}
    rated: dict[int, float] = {}
    for position in named:
        value = HEADING_SHARE * headings.get(chapters[position], 0.0)
        value += POSITION_SHARE * ranks.get(position, 0.0) ** 4
        value += HEADING_OVERLAP_SHARE * overlaps.get(position, 0.0)
        rated[int(index.chunk_ids[position])] = value
    return rated


def rate_headings(
    chapters: dict[int, Chapter], names: Iterable[str], wanted: str
) -> dict[Chapter, float]:
    """Return chapter -> 1.0 if its heading has a name and a wanted word, less for a name only."""
    names = [name.casefold() for name in names if len(name) > 1]
    words = features(wanted) | {c for c in wanted if has_han(c)} - _FUNCTION_CHARACTERS
    rated: dict[Chapter, float] = {}
    for chapter in set(chapters.values()):
        heading = chapter[1].casefold()
        if any(name in heading for name in names):
            has_word = any(word in heading for word in words)
            rated[chapter] = 1.0 if has_word else HEADING_WITH_NAME_ONLY
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


def _rate_heading_overlap(
    search: SearchState, chapters: dict[int, Chapter], wanted_chapters: Iterable[Chapter]
) -> dict[int, float]:
    """Return index position -> share (0..1) of the words of its chapter's heading in the passage.

    Only for passages of `wanted_chapters`. Few passages of a chapter contain what its heading
    announces.
    """
    wanted = {chapter: features(chapter[1]) for chapter in wanted_chapters}
    inside = {int(search.index.chunk_ids[p]): p for p, c in chapters.items() if wanted.get(c)}
    overlaps: dict[int, float] = {}
    best: dict[Chapter, float] = {}
    for chunk_id, text in search_rows.fetch_chunk_texts(search.db, inside):
        position = inside[chunk_id]
        chapter = chapters[position]
        # Lines that repeat the heading do not count.
        heading = "".join(chapter[1].split())
        lines = (line for line in text.splitlines() if "".join(line.split()) not in heading)
        shared = wanted[chapter] & features("\n".join(lines))
        overlaps[position] = len(shared) / len(wanted[chapter])
        best[chapter] = max(overlaps[position], best.get(chapter, 0.0))
    return {p: v / (best[chapters[p]] or 1.0) for p, v in overlaps.items()}


# --- diversification -----------------------------------------------------------------------------

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
    asked = set(search.entity_ids)
    people_of: dict[int, set[int]] = defaultdict(set)  # without those of the question
    for chunk_id, entity_id in search_rows.fetch_people_in(search.db, inside):
        if entity_id not in asked:
            people_of[chunk_id].add(entity_id)
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
            n_neighbours = (position - 1 in chosen_positions) + (position + 1 in chosen_positions)
            gains[chunk_id] = (
                score
                - SAME_CHAPTER_PENALTY * in_chapter[chapters[position]]
                - SAME_PEOPLE_PENALTY * known
                - NEIGHBOUR_PENALTY * n_neighbours
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


# --- kinds of questions --------------------------------------------------------------------------
# Chinese novels describe an event in other words than the question uses: 怎么死的 is answered by
# 圆寂. The kind of event gives the words that such answers use, whether the answer is late in a
# book, and whether many passages answer it together.


@dataclass(frozen=True, slots=True)
class _Kind:
    pattern: re.Pattern[str]
    words: str
    is_late: bool = False
    is_life_story: bool = False


_KINDS = tuple(
    _Kind(**kind | {"pattern": re.compile(kind["pattern"], re.IGNORECASE)})
    for kind in load_table("question_kinds")["kinds"]
)
MAX_KINDS = 2

_WHO = re.compile(r"\bwho('s| is| was| are| were)\b|是谁|是什么人|是何人|什么来历", re.IGNORECASE)
# "了谁" and "了哪" are no signs of a list: 46 of the 50 questions of CMRC2018 with them and no
# "哪些" ask for one thing (嫁给了谁, 加入了哪个球队). Nor are "happened to" and "all the": 25 of 27
# such questions of FairytaleQA are answered by one section of the story.
_LIST = re.compile(
    r"哪些|事迹|经历|一生|生平|列举|分别|多少次|几次|都有谁|有谁|做过什么|干过什么|"
    r"过谁|哪几|谁们|"
    r"\bdeeds\b|\badventures\b|\bachievements\b|\bexploits\b|\bhappens to\b|"
    r"\bwhom (did|does|has|do)\b|\bwho (did|does|has|do) .+\b(help|save|kill|rescue|marry|meet|"
    r"fight|love)\w*\b|\blist\b|\bname (all|the)\b|\b(who|what) (are|were) all\b|"
    r"\b(which|what) (people|characters|persons|events|places|things|friends|enemies)\b|"
    r"\bthroughout\b|\bover the course\b|\bsum(marise|marize|mary)\b|"
    r"\b(life|story|journey) of\b|\bhow many times\b|\brole (of|does|did)\b",
    re.IGNORECASE,
)


def is_answered_late(question: str) -> bool:
    """Return whether the answer is expected late among the passages with the question's names."""
    return any(kind.is_late for kind in _find_kinds(question))


def asks_for_list(question: str) -> bool:
    """Return whether many passages together answer a question, not a single one."""
    return bool(_LIST.search(question))


def asks_for_life_story(question: str) -> bool:
    """Return whether a question asks for all that a person did, without naming a kind of event."""
    return asks_for_list(question) and all(kind.is_life_story for kind in _find_kinds(question))


def answer_words(question: str) -> str:
    """Return words that answers to questions of this kind use, "" if the kind is unknown."""
    return " ".join(kind.words for kind in _find_kinds(question))


def expand_question(question: str) -> str:
    """Return the question with the words of likely answers, "" if the kind is unknown."""
    words = answer_words(question)
    return f"{question} {words}" if words else ""


def _find_kinds(question: str) -> list[_Kind]:
    return [kind for kind in _KINDS if kind.pattern.search(question)][:MAX_KINDS]
