"""The number of each community, which stands for it wherever it is drawn or listed.

One assignment for each library and level, by size, so that a community has the same number and
colour in every view. Plain data only.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..model import CommunityRow, CommunitySize


def number_communities(rows: Iterable[CommunityRow | CommunitySize], level: int) -> dict[int, int]:
    """Return the number of each community of a level, 1 for the one with most names.

    Communities of coarser levels that were too small to divide count, too.

    Args:
        rows: of all levels, without the one for unconnected entities.
    """
    rows = list(rows)
    divided = {row.parent_id for row in rows}
    own = [r for r in rows if r.level == level or (r.level < level and r.id not in divided)]
    own.sort(key=lambda row: (-row.n_members, -row.weight, row.id))
    return {int(row.id): place for place, row in enumerate(own, start=1)}
