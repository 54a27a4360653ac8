"""LightRAG's graph routes: from keywords to the entities and relations nearest in meaning.

Nothing is embedded for entities and relations: the windows that name one or tie two stand for
them, so that a relation is as near as the nearest of all sentences that tell it, and a filter by
document is exact by itself. Passages are picked in `graph_chunks.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from ...store import graph_evidence as evidence
from ...store import search as rows
from ...store.tokens import build_match
from ...text.features import features
from ..keywords import is_given
from ..search_state import SearchState

N_WINDOWS = 150  # nearest the keywords, among which entities and relations are looked for
RELATIONS_OF_ENTITY = 12  # the strongest, beside those that the keywords lead to
INTRODUCED = 0.02  # of cosine: a sentence that introduces somebody is more his than another's
SHARED = 0.06  # of cosine: the name, or the tie's own sentence, has the keywords' words
NAMED = 1.0  # the score of what the question names outright

Pair = tuple[int, int]  # the smaller entity id first


@dataclass
class GraphFound:
    """Entities and relations of one route, best first, with the cosine that each was found by.

    The cosine is that of the best window, a little lifted where words fit; `NAMED` for what is
    named outright, 0 for what was only reached from another.
    """

    entities: dict[int, float] = field(default_factory=dict)
    relations: dict[Pair, float] = field(default_factory=dict)
    cut_entities: dict[int, float] = field(default_factory=dict)
    cut_relations: dict[Pair, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Near:
    """A window near the keywords."""

    chunk_id: int
    start: int
    end: int
    text: str
    cosine: float


def find_local(search: SearchState, low: Sequence[str]) -> GraphFound:
    """Return the entities nearest the low-level keywords, then their relations."""
    near = _find_near(search, low)
    ranked = dict.fromkeys((*_named_in(search, low), *search.entity_ids), NAMED)
    for entity_id, cosine in _rank_entities(search, near, low).items():
        ranked.setdefault(entity_id, cosine)
    found = GraphFound()
    found.entities, found.cut_entities = _cut(ranked, search.param.top_k)
    told = _rank_relations(search, near, low)
    found.relations, found.cut_relations = _cut(
        _relations_of(search, found.entities, told), search.param.top_k
    )
    return found


def find_global(search: SearchState, high: Sequence[str]) -> GraphFound:
    """Return the relations nearest the high-level keywords, then the entities at their ends."""
    found = GraphFound()
    ranked = _rank_relations(search, _find_near(search, high), high)
    found.relations, found.cut_relations = _cut(ranked, search.param.top_k)
    ends: dict[int, float] = {}
    for pair, cosine in found.relations.items():
        for entity_id in pair:
            ends.setdefault(entity_id, cosine)
    found.entities, found.cut_entities = _cut(ends, search.param.top_k)
    return found


def join_found(first: GraphFound, second: GraphFound) -> GraphFound:
    """Return both routes' findings by turns, each once with the better score."""
    return GraphFound(
        _join(first.entities, second.entities), _join(first.relations, second.relations)
    )


def interleave(*lists: Iterable) -> list:
    """Return the lists' things by turns, each thing once."""
    nothing = object()
    turns = zip_longest(*lists, fillvalue=nothing)
    return list(dict.fromkeys(one for turn in turns for one in turn if one is not nothing))


def _join(first: dict, second: dict) -> dict:
    return {
        one: max(first.get(one, 0.0), second.get(one, 0.0)) for one in interleave(first, second)
    }


def _cut(ranked: dict, top: int) -> tuple[dict, dict]:
    """Return the first `top`, and the few after them that just missed."""
    ordered = list(ranked.items())
    return dict(ordered[:top]), dict(ordered[top : 2 * top])


def _named_in(search: SearchState, keywords: Sequence[str]) -> list[int]:
    """Return the entities that keywords name."""
    linked = search.index.names.find("\n".join(keywords))
    return list(dict.fromkeys(i for _, _, found in linked for i in found if i >= 0))


# --- near the keywords --------------------------------------------------------------------------


def _find_near(search: SearchState, keywords: Sequence[str]) -> list[_Near]:
    """Return the windows nearest the keywords; without vectors, passages that have their words."""
    if not keywords:
        return []
    if search.query_vec is None or search.embedder is None:
        return _find_near_by_words(search, keywords)
    hits = search.windows if not is_given(search.param) else _search_given(search, keywords)
    hits = [hit for hit in hits[:N_WINDOWS] if hit[2] >= search.param.cosine_threshold]
    windows = evidence.fetch_windows(search.db, [window_id for window_id, _, _ in hits])
    return [_Near(*windows[i], cosine) for i, _, cosine in hits if i in windows]


def _search_given(search: SearchState, keywords: Sequence[str]) -> list[tuple[int, int, float]]:
    """Return windows near a question and the keywords that a person or a model gave for it.

    Themes alone ("who taught whom") would lead away from whom the question is about. Guessed
    keywords are the question's own words: for them the question's own windows serve.
    """
    vector = search.embedder.embed_query(f"{search.question} {', '.join(keywords)}")
    return rows.search_vectors(search.db, vector, N_WINDOWS, search.document_ids)


def _find_near_by_words(search: SearchState, keywords: Sequence[str]) -> list[_Near]:
    match = build_match(" ".join(keywords))
    hits = rows.search_words(search.db, match, N_WINDOWS // 4, search.document_ids)
    top = hits[0][1] if hits else 1.0
    passages = rows.fetch_passages(search.db, [chunk_id for chunk_id, _ in hits])
    return [
        _Near(chunk_id, p[3], p[4], p[5], score / (top or 1.0))
        for chunk_id, score in hits
        if (p := passages.get(chunk_id))
    ]


def _rank_entities(
    search: SearchState, near: Sequence[_Near], keywords: Sequence[str]
) -> dict[int, float]:
    """Return entity -> cosine of the best window that names it, best first."""
    wanted = features(" ".join(keywords))
    by_chunk = _group(near)
    best: dict[int, float] = {}
    for chunk_id, entity_id, start, _, introduces in evidence.fetch_named_in(
        search.db, list(by_chunk)
    ):
        for window in _around(by_chunk[chunk_id], start):
            cosine = window.cosine + INTRODUCED * introduces
            best[entity_id] = max(best.get(entity_id, 0.0), cosine)
    known = evidence.fetch_names_and_degrees(search.db, list(best))
    lifted = {i: best[i] + SHARED * _share(wanted, name) for i, (name, _) in known.items()}
    ordered = sorted(lifted, key=lambda i: (-round(lifted[i], 4), -known[i][1], i))
    return {i: lifted[i] for i in ordered}


def _rank_relations(
    search: SearchState, near: Sequence[_Near], keywords: Sequence[str]
) -> dict[Pair, float]:
    """Return pair -> cosine of the best window that ties it, best first; then by weight."""
    wanted = features(" ".join(keywords))
    by_chunk = _group(near)
    best: dict[Pair, tuple[float, float]] = {}
    shares: dict[tuple[int, int], float] = {}
    for chunk_id, a, b, start, end, weight in evidence.fetch_tied_in(search.db, list(by_chunk)):
        for window in _around(by_chunk[chunk_id], start):
            place = (chunk_id, start)
            if place not in shares:
                own = window.text[max(0, start - window.start) : end - window.start]
                shares[place] = _share(wanted, own)
            score = (round(window.cosine + SHARED * shares[place], 4), weight)
            best[a, b] = max(best.get((a, b), (0.0, 0.0)), score)
    ordered = sorted(best, key=lambda pair: (-best[pair][0], -best[pair][1], pair))
    return {pair: best[pair][0] for pair in ordered}


def _relations_of(
    search: SearchState, entities: Mapping[int, float], told: Mapping[Pair, float]
) -> dict[Pair, float]:
    """Return the relations of these entities: near the keywords first, then by degree, weight."""
    weights: dict[Pair, float] = {}
    for entity_id in entities:
        for a, b, weight in evidence.fetch_strongest_pairs(
            search.db, entity_id, RELATIONS_OF_ENTITY
        ):
            weights[a, b] = weight
    for pair in told:
        if entities.keys() & set(pair):
            weights.setdefault(pair, 0.0)
    ordered = sorted(
        weights,
        key=lambda p: (-told.get(p, 0.0), -len(entities.keys() & set(p)), -weights[p], p),
    )
    return {pair: told.get(pair, 0.0) for pair in ordered}


def _group(near: Sequence[_Near]) -> dict[int, list[_Near]]:
    by_chunk: dict[int, list[_Near]] = {}
    for window in near:
        by_chunk.setdefault(window.chunk_id, []).append(window)
    return by_chunk


def _around(windows: Sequence[_Near], start: int) -> list[_Near]:
    """Return those of a chunk's windows in which a sentence begins."""
    return [w for w in windows if w.start <= start < w.end]


def _share(wanted: set[str], text: str) -> float:
    """Return how much of the keywords' words a text has, 0 to 1."""
    if not wanted:
        return 0.0
    folded = text.casefold()
    return sum(word in folded for word in wanted) / len(wanted)


MOST_COMPARED = 80  # passages of one entity that are compared with the question, at most
MOST_OF_PAIR = 12

Ranked = list[tuple[int, float]]  # (chunk id, cosine or count), best first


def pick_entity_chunks(search: SearchState, entity_ids: Sequence[int]) -> Ranked:
    """Return the passages of entities, the best entity's best one first."""
    index = search.index
    owned = [
        [int(index.chunk_ids[p]) for p in index.chunks_of_entity.get(i, ()) if search.allowed[p]]
        for i in entity_ids
    ]
    return _pick(search, owned)


def pick_relation_chunks(search: SearchState, pairs: Sequence[Pair]) -> Ranked:
    """Return the passages that tell relations, the best relation's best one first."""
    index = search.index
    owned = []
    for pair in pairs:
        tied = [c for c, _ in evidence.fetch_chunks_of_pair(search.db, pair)]
        owned.append([c for c in tied if search.allowed[index.position[c]]][:MOST_OF_PAIR])
    return _pick(search, owned)


def _pick(search: SearchState, owned: list[list[int]]) -> Ranked:
    """Return a few chunks of each list by turns, each once."""
    if search.param.kg_chunk_pick_method.upper() == "WEIGHT" or search.query_vec is None:
        counts = Counter(chunk_id for chunks in owned for chunk_id in set(chunks))
        scores = {chunk_id: float(n) for chunk_id, n in counts.items()}
    else:
        scores = _compare(search, owned)
    queues = [
        sorted((c for c in dict.fromkeys(chunks) if c in scores), key=lambda c: (-scores[c], c))
        for chunks in owned
    ]
    picked = _by_weighted_turns(queues, search.param.related_chunk_number)
    return [(chunk_id, scores[chunk_id]) for chunk_id in picked]


def _by_weighted_turns(queues: list[list[int]], most: int) -> list[int]:
    """Return the first of each queue, then the second: `most` of the first queue, 1 of the last.

    What another queue gave before is passed over: a name's turn leads somewhere new.
    """
    last = max(1, len(queues) - 1)
    quotas = [round(most - (most - 1) * i / last) for i in range(len(queues))]
    coming = [iter(queue) for queue in queues]
    taken: dict[int, None] = {}
    for turn in range(most):
        for queue, quota in zip(coming, quotas, strict=True):
            if turn < quota and (new := next((c for c in queue if c not in taken), None)):
                taken[new] = None
    return list(taken)


def _compare(search: SearchState, owned: list[list[int]]) -> dict[int, float]:
    """Return chunk id -> cosine of its best window with the question."""
    scores = dict(search.cosines)
    unknown = [c for chunks in owned for c in _unknown(chunks, search)]
    spans, vectors = rows.fetch_window_vectors(search.db, dict.fromkeys(unknown))
    if spans:
        values = vectors @ search.query_vec
        for (window_id, chunk_id, _, _), value in zip(spans, values, strict=True):
            if value > scores.get(chunk_id, -1.0):
                scores[chunk_id] = float(value)
                search.trace.best_window[chunk_id] = window_id
    return scores


def _unknown(chunks: list[int], search: SearchState) -> list[int]:
    """Return chunks that the question's own search did not reach, where too few others did.

    Those it reached are nearer than any that it did not.
    """
    reached = sum(1 for c in chunks if c in search.cosines)
    if reached >= search.param.related_chunk_number:
        return []
    return [c for c in chunks if c not in search.cosines][:MOST_COMPARED]
