"""Joins the scores of several routes into one, and lifts what stands beside good passages."""

from __future__ import annotations

from .index import RetrievalIndex

NEIGHBOUR_SHARE = 0.3


def fuse_scores(
    words: list[tuple[int, float]], cosines: dict[int, float], *, word_share: float = 0.5
) -> dict[int, float]:
    """Return chunk id -> 0..1 from both routes: scaled scores, words with their share."""
    scores: dict[int, float] = {}
    if words:
        top = words[0][1] or 1.0
        for chunk_id, score in words:
            scores[chunk_id] = word_share * score / top
    if cosines:
        high, low = max(cosines.values()), min(cosines.values())
        spread = (high - low) or 1.0
        for chunk_id, value in cosines.items():
            scores[chunk_id] = scores.get(chunk_id, 0.0) + (
                (1.0 - word_share) * (value - low) / spread
            )
    return scores


def lift_neighbours(scores: dict[int, float], index: RetrievalIndex) -> None:
    """Lift passages of a book whose neighbours fit as well: a scene runs over several."""
    before = dict(scores)
    for chunk_id in before:
        position = index.position[chunk_id]
        if index.titled[position]:
            continue
        beside = [
            before.get(int(index.chunk_ids[other]), 0.0)
            for other in (position - 1, position + 1)
            if 0 <= other < len(index.chunk_ids)
            and index.documents[other] == index.documents[position]
        ]
        scores[chunk_id] += NEIGHBOUR_SHARE * max(beside, default=0.0)
