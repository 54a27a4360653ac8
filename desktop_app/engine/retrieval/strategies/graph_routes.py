"""LightRAG's graph routes: from keywords to entities, relations and their passages.

Entities and relations have no embeddings of their own: the windows that mention them represent
them. So the similarity of a relation is that of its best sentence, and a filter by document is
exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ...store import graph
from ...store import search as search_rows
from ...store.fts_tokens import build_match
from ...writing_systems import features
from ..search_state import SearchState

N_WINDOWS = 150  # nearest to the keywords; their entities and relations are candidates
RELATIONS_OF_ENTITY = 12  # the strongest ones, besides those near the keywords
INTRODUCTION_BONUS = 0.02  # added to the cosine of a sentence that introduces the entity
WORD_MATCH_BONUS = 0.06  # added to the cosine if the name or sentence has the keywords' words
NAMED_SCORE = 1.0  # score of the entities that the question names

Pair = tuple[int, int]  # the smaller entity id first
T = TypeVar("T")


@dataclass
class GraphFound:
    """Entities and relations of one route with their scores, best first.

    A score is the cosine of the best window, slightly raised for matching words. It is
    `NAMED_SCORE` for entities in the question and 0 for those reached from another one.
    `cut_entities` are the next ones after the limit.
    """

    entities: dict[int, float] = field(default_factory=dict)
    relations: dict[Pair, float] = field(default_factory=dict)
    cut_entities: dict[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _NearWindow:
    """A window with its similarity to the keywords."""

    chunk_id: int
    start: int
    end: int
    text: str
    cosine: float


def find_local(search: SearchState, low: Sequence[str]) -> GraphFound:
    """Return the entities nearest to the low-level keywords, and their relations."""
    near = _find_near_windows(search, low)
    top = search.param.top_k
    linked = search.index.names.find("\n".join(low))
    in_keywords = [i for _, _, found in linked for i in found if i >= 0]
    ranked = dict.fromkeys((*in_keywords, *search.entity_ids), NAMED_SCORE)
    for entity_id, cosine in _rank_entities(search, near, low).items():
        ranked.setdefault(entity_id, cosine)
    entities, cut_entities = _cut(ranked, top)
    relations = _rank_relations_of(search, entities, _rank_relations(search, near, low))
    return GraphFound(entities, _cut(relations, top)[0], cut_entities)


def find_global(search: SearchState, high: Sequence[str]) -> GraphFound:
    """Return the relations nearest to the high-level keywords, and the entities at their ends."""
    top = search.param.top_k
    relations, _ = _cut(_rank_relations(search, _find_near_windows(search, high), high), top)
    ends: dict[int, float] = {}
    for pair, cosine in relations.items():
        for entity_id in pair:
            ends.setdefault(entity_id, cosine)
    entities, cut_entities = _cut(ends, top)
    return GraphFound(entities, relations, cut_entities)


def join_found(first: GraphFound, second: GraphFound) -> GraphFound:
    """Return the results of both routes in turns, each once with the better score."""
    return GraphFound(
        _join(first.entities, second.entities), _join(first.relations, second.relations)
    )


def interleave(*lists: Iterable[T]) -> list[T]:
    """Return the items of the lists in turns (round-robin), each once."""
    columns = [list(items) for items in lists]
    longest = max(map(len, columns), default=0)
    turns = ([column[n] for column in columns if n < len(column)] for n in range(longest))
    return list(dict.fromkeys(item for turn in turns for item in turn))


def _join(first: dict[T, float], second: dict[T, float]) -> dict[T, float]:
    return {
        key: max(first.get(key, 0.0), second.get(key, 0.0)) for key in interleave(first, second)
    }


def _cut(ranked: dict[T, float], top: int) -> tuple[dict[T, float], dict[T, float]]:
    """Return the first `top` entries and the `top` after them."""
    ordered = list(ranked.items())
    return dict(ordered[:top]), dict(ordered[top : 2 * top])


# --- near the keywords --------------------------------------------------------------------------


def _find_near_windows(search: SearchState, keywords: Sequence[str]) -> list[_NearWindow]:
    """Return the windows nearest to the keywords; without vectors, chunks found by BM25."""
    db, ids = search.db, search.document_ids
    if not keywords:
        return []
    if search.query_vec is None or search.embedder is None:
        words = search_rows.search_words(db, build_match(" ".join(keywords)), N_WINDOWS // 4, ids)
        top = (words[0][1] if words else 1.0) or 1.0
        passages = search_rows.fetch_passages(db, [chunk_id for chunk_id, _ in words])
        return [
            _NearWindow(chunk_id, p[3], p[4], p[5], score / top)
            for chunk_id, score in words
            if (p := passages.get(chunk_id))
        ]
    hits = search.windows
    if search.param.has_keywords:
        # Guessed keywords are words of the question, so they need no search of their own. Given
        # themes alone ("who taught whom") would not contain the entities of the question.
        vector = search.embedder.embed_query(f"{search.question} {', '.join(keywords)}")
        hits = search_rows.search_vectors(db, vector, N_WINDOWS, ids)
    hits = [hit for hit in hits[:N_WINDOWS] if hit[2] >= search.param.cosine_threshold]
    windows = search_rows.fetch_windows(db, [window_id for window_id, _, _ in hits])
    return [_NearWindow(*windows[i], cosine) for i, _, cosine in hits if i in windows]


def _rank_entities(
    search: SearchState, near: Sequence[_NearWindow], keywords: Sequence[str]
) -> dict[int, float]:
    """Return entity -> score of the best window that mentions it, best first."""
    wanted = features(" ".join(keywords))
    by_chunk = _group_by_chunk(near)
    best: dict[int, float] = {}
    for chunk_id, entity_id, start, _, introduces in graph.fetch_named_in(
        search.db, list(by_chunk)
    ):
        for window in by_chunk[chunk_id]:
            if window.start <= start < window.end:
                cosine = window.cosine + INTRODUCTION_BONUS * introduces
                best[entity_id] = max(best.get(entity_id, 0.0), cosine)
    known = graph.fetch_names_and_degrees(search.db, list(best))
    raised = {
        i: best[i] + WORD_MATCH_BONUS * _word_share(wanted, name) for i, (name, _) in known.items()
    }
    ordered = sorted(raised, key=lambda i: (-round(raised[i], 4), -known[i][1], i))
    return {i: raised[i] for i in ordered}


def _rank_relations(
    search: SearchState, near: Sequence[_NearWindow], keywords: Sequence[str]
) -> dict[Pair, float]:
    """Return pair -> score of the best window with its evidence, best first; then by weight."""
    wanted = features(" ".join(keywords))
    by_chunk = _group_by_chunk(near)
    best: dict[Pair, tuple[float, float]] = {}
    shares: dict[tuple[int, int], float] = {}
    for chunk_id, a, b, start, end, weight in graph.fetch_tied_in(search.db, list(by_chunk)):
        for window in by_chunk[chunk_id]:
            if not window.start <= start < window.end:
                continue
            place = (chunk_id, start)
            if place not in shares:
                own = window.text[max(0, start - window.start) : end - window.start]
                shares[place] = _word_share(wanted, own)
            score = (round(window.cosine + WORD_MATCH_BONUS * shares[place], 4), weight)
            best[a, b] = max(best.get((a, b), (0.0, 0.0)), score)
    ordered = sorted(best, key=lambda pair: (-best[pair][0], -best[pair][1], pair))
    return {pair: best[pair][0] for pair in ordered}


def _rank_relations_of(
    search: SearchState, entities: Mapping[int, float], near_relations: Mapping[Pair, float]
) -> dict[Pair, float]:
    """Return the relations of these entities by score, then by ends among them, then by weight."""
    weights: dict[Pair, float] = {}
    for entity_id in entities:
        for a, b, weight in graph.fetch_strongest_pairs(search.db, entity_id, RELATIONS_OF_ENTITY):
            weights[a, b] = weight
    for pair in near_relations:
        if entities.keys() & set(pair):
            weights.setdefault(pair, 0.0)
    ordered = sorted(
        weights,
        key=lambda p: (-near_relations.get(p, 0.0), -len(entities.keys() & set(p)), -weights[p], p),
    )
    return {pair: near_relations.get(pair, 0.0) for pair in ordered}


def _group_by_chunk(near: Sequence[_NearWindow]) -> dict[int, list[_NearWindow]]:
    by_chunk: dict[int, list[_NearWindow]] = {}
    for window in near:
        by_chunk.setdefault(window.chunk_id, []).append(window)
    return by_chunk


def _word_share(wanted: set[str], text: str) -> float:
    """Return the share (0 to 1) of the keywords' words that a text contains."""
    if not wanted:
        return 0.0
    lower = text.casefold()
    return sum(word in lower for word in wanted) / len(wanted)


MAX_COMPARED = 80  # passages of one entity that are compared with the question
MAX_PASSAGES_OF_PAIR = 12

Ranked = list[tuple[int, float]]  # (chunk id, cosine or count), best first


def pick_entity_chunks(search: SearchState, entity_ids: Sequence[int]) -> Ranked:
    """Return the passages of entities, in turns; the best passage of the best entity first."""
    index = search.index
    chunks_of_each = [
        [int(index.chunk_ids[p]) for p in index.chunks_of_entity.get(i, ()) if search.allowed[p]]
        for i in entity_ids
    ]
    return _pick_in_turns(search, chunks_of_each)


def pick_relation_chunks(search: SearchState, pairs: Sequence[Pair]) -> Ranked:
    """Return the passages of relations, in turns; the best passage of the best relation first."""
    index = search.index
    chunks_of_each = []
    for pair in pairs:
        found = graph.fetch_chunks_of_pair(search.db, pair)
        allowed = [c for c, _ in found if search.allowed[index.position[c]]]
        chunks_of_each.append(allowed[:MAX_PASSAGES_OF_PAIR])
    return _pick_in_turns(search, chunks_of_each)


def _pick_in_turns(search: SearchState, chunks_of_each: list[list[int]]) -> Ranked:
    """Return some chunks of each list in turns, each once, with their scores."""
    if search.param.kg_chunk_pick_method.upper() == "WEIGHT" or search.query_vec is None:
        counts = Counter(chunk_id for chunks in chunks_of_each for chunk_id in set(chunks))
        scores = {chunk_id: float(n) for chunk_id, n in counts.items()}
    else:
        scores = _compare_with_question(search, chunks_of_each)
    queues = [
        sorted((c for c in dict.fromkeys(chunks) if c in scores), key=lambda c: (-scores[c], c))
        for chunks in chunks_of_each
    ]
    picked = _take_weighted_turns(queues, search.param.related_chunk_number)
    return [(chunk_id, scores[chunk_id]) for chunk_id in picked]


def _take_weighted_turns(queues: list[list[int]], most: int) -> list[int]:
    """Return items of the queues in turns: up to `most` of the first queue, 1 of the last.

    Items that another queue gave before are skipped, so that each turn adds a new one.
    """
    last = max(1, len(queues) - 1)
    quotas = [round(most - (most - 1) * i / last) for i in range(len(queues))]
    iterators = [iter(queue) for queue in queues]
    taken: dict[int, None] = {}
    for turn in range(most):
        for queue, quota in zip(iterators, quotas, strict=True):
            if turn < quota and (new := next((c for c in queue if c not in taken), None)):
                taken[new] = None
    return list(taken)


def _compare_with_question(
    search: SearchState, chunks_of_each: list[list[int]]
) -> dict[int, float]:
    """Return chunk id -> cosine of its best window with the question."""
    scores = dict(search.cosines)
    uncompared: list[int] = []
    for chunks in chunks_of_each:
        # Vector search returns the nearest chunks, so those with a cosine are nearer than others.
        left = [c for c in chunks if c not in scores]
        if len(chunks) - len(left) < search.param.related_chunk_number:
            uncompared += left[:MAX_COMPARED]
    spans, vectors = search_rows.fetch_window_vectors(search.db, dict.fromkeys(uncompared))
    if spans:
        values = vectors @ search.query_vec
        for (window_id, chunk_id, _, _), value in zip(spans, values, strict=True):
            if value > scores.get(chunk_id, -1.0):
                scores[chunk_id] = float(value)
                search.trace.best_window[chunk_id] = window_id
    return scores
