"""Passages of the entities and relations that a graph route found.

Each entity or relation gives a few of its passages, the better it ranks the more; they come by
turns, so that no name which is everywhere crowds out the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...store import graph_evidence as evidence
from ...store import search as rows
from .graph_routes import Pair
from .search import Search

MOST_COMPARED = 80  # passages of one entity that are compared with the question, at most
MOST_OF_PAIR = 12

Ranked = list[tuple[int, float]]  # (chunk id, cosine or count), best first


def pick_entity_chunks(search: Search, entity_ids: Sequence[int]) -> Ranked:
    """Return the passages of entities, the best entity's best one first."""
    index = search.index
    owned = [
        [int(index.chunk_ids[p]) for p in index.chunks_of_entity.get(i, ()) if search.allowed[p]]
        for i in entity_ids
    ]
    return _pick(search, owned)


def pick_relation_chunks(search: Search, pairs: Sequence[Pair]) -> Ranked:
    """Return the passages that tell relations, the best relation's best one first."""
    index = search.index
    owned = []
    for pair in pairs:
        tied = [c for c, _ in evidence.fetch_chunks_of_pair(search.db, pair)]
        owned.append([c for c in tied if search.allowed[index.position[c]]][:MOST_OF_PAIR])
    return _pick(search, owned)


def _pick(search: Search, owned: list[list[int]]) -> Ranked:
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


def _compare(search: Search, owned: list[list[int]]) -> dict[int, float]:
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


def _unknown(chunks: list[int], search: Search) -> list[int]:
    """Return chunks that the question's own search did not reach, where too few others did.

    Those it reached are nearer than any that it did not.
    """
    reached = sum(1 for c in chunks if c in search.cosines)
    if reached >= search.param.related_chunk_number:
        return []
    return [c for c in chunks if c not in search.cosines][:MOST_COMPARED]
