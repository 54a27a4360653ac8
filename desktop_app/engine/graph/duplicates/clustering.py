"""Groups of likely duplicates in which every two members are near each other.

Average linkage with a floor under every single pair: a third that is near both is not enough,
so no chain of names grows. The same pairs always give the same clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from .facts import Cluster, Pair, Two, two

SURE = 0.5
NEAR = 0.25


def cluster(pairs: Sequence[Pair], *, sure: float = SURE, near: float = NEAR) -> list[Cluster]:
    """Return the clusters, the surest first; an entity may stand in two that exclude each other.

    Args:
        sure: the mean certainty over the pairs between what is joined.
        near: the certainty that every single pair needs.
    """
    known: dict[Two, Pair] = {(pair.a, pair.b): pair for pair in pairs}
    home: dict[int, frozenset[int]] = {}
    ordered = sorted(pairs, key=lambda pair: (-pair.score, pair.a, pair.b))
    left_over: list[Pair] = []
    for pair in ordered:
        if pair.score < sure:
            break
        left = home.get(pair.a, frozenset((pair.a,)))
        right = home.get(pair.b, frozenset((pair.b,)))
        if left == right:
            continue
        scores = [_score(known, x, y) for x, y in product(left, right)]
        if min(scores) < near or sum(scores) / len(scores) < sure:
            left_over.append(pair)
            continue
        for member in left | right:
            home[member] = left | right
    groups = set(home.values())
    for pair in left_over:
        # Both sides already lie elsewhere: the pair is shown by itself, never joined to them.
        if not any({pair.a, pair.b} <= group for group in groups):
            groups.add(frozenset((pair.a, pair.b)))
    return sorted(
        (_build(known, group) for group in groups),
        key=lambda one: (-one.certainty, one.ids),
    )


def _score(known: dict[Two, Pair], x: int, y: int) -> float:
    pair = known.get(two(x, y))
    return pair.score if pair else 0.0


def _build(known: dict[Two, Pair], group: frozenset[int]) -> Cluster:
    ids = tuple(sorted(group))
    inside = [known[x, y] for n, x in enumerate(ids) for y in ids[n + 1 :] if (x, y) in known]
    return Cluster(ids, round(sum(p.score for p in inside) / len(inside), 4), tuple(inside))
