"""Which community of now is which of before: by the members they share.

Owns the comparing of sets of members; what an identity is worth is the caller's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

LEAST_ALIKE = 0.5  # of the members of both (Jaccard): with less, it is another community


def match_clusters(
    new: Sequence[tuple[int, frozenset[int]]],
    old: Mapping[int, tuple[int, frozenset[int]]],
    *,
    least: float = LEAST_ALIKE,
) -> list[int | None]:
    """Return, for each new community, the old one that it goes on from, None for a new one.

    Each old one is followed by one at most; the most alike come first, those of the same level
    before others.

    Args:
        new: level and members of each.
        old: id -> level and members.
    """
    homes: defaultdict[int, list[int]] = defaultdict(list)
    for key, (_, members) in old.items():
        for member in members:
            homes[member].append(key)
    alike: list[tuple[float, bool, int, int]] = []
    for place, (level, members) in enumerate(new):
        shared: defaultdict[int, int] = defaultdict(int)
        for member in members:
            for key in homes.get(member, ()):
                shared[key] += 1
        for key, n_shared in shared.items():
            share = n_shared / (len(members) + len(old[key][1]) - n_shared)
            if share >= least:
                alike.append((-share, old[key][0] != level, place, key))
    matched: list[int | None] = [None] * len(new)
    taken: set[int] = set()
    for _, _, place, key in sorted(alike):
        if matched[place] is None and key not in taken:
            matched[place] = key
            taken.add(key)
    return matched
