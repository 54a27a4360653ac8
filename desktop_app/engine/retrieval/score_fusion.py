"""Score fusion: combines BM25 scores and cosines; raises passages next to good ones."""

from __future__ import annotations

from .index import RetrievalIndex

NEIGHBOUR_SHARE = 0.3


def fuse_scores(
    words: list[tuple[int, float]], cosines: dict[int, float], *, word_share: float = 0.5
) -> dict[int, float]:
    """Return chunk id -> fused score, 0 to 1.

    Both routes are scaled to 0..1; BM25 has the weight `word_share`, vectors have the rest.

    Args:
        words: (chunk id, BM25 score), best first.
        cosines: chunk id -> cosine with the question.
    """
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


def add_neighbour_scores(scores: dict[int, float], index: RetrievalIndex) -> None:
    """Raise, in place, passages of books whose neighbours have good scores too.

    A scene of a book extends over several chunks.
    """
    before = dict(scores)
    for chunk_id in before:
        position = index.position[chunk_id]
        if index.titled[position]:
            continue
        neighbour_scores = [
            before.get(int(index.chunk_ids[other]), 0.0)
            for other in (position - 1, position + 1)
            if 0 <= other < len(index.chunk_ids)
            and index.documents[other] == index.documents[position]
        ]
        scores[chunk_id] += NEIGHBOUR_SHARE * max(neighbour_scores, default=0.0)
