"""Spreads passages over a book where a question gathers: deeds, friends, everyone somebody helped.

The best passages often stand side by side in one scene; an answer that gathers wants one of each
chapter that matters, and somebody else in it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from ...store.db import Db
from .chapters import Chapter
from .search import Search

N_CHOSEN = 40
N_LOOKED_AT = 200
SAME_CHAPTER = 0.4  # off the score for each passage of its chapter that was chosen before
SAME_PARTNERS = 0.15  # off the score where all whom it names were named before
BESIDE = 0.15  # off the score next to one that was chosen


def spread_over_book(
    search: Search, scores: dict[int, float], chapters: dict[int, Chapter]
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
