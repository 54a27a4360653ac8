"""Which relations of a dense picture are drawn: the strongest few of every name.

Owns the choice, not the look. What is not drawn still counts as a tie when a name is pointed
at or selected.
"""

from __future__ import annotations

import numpy as np

from .graph_data import GraphData

DENSE = 3.0
STRONGEST, PULLING = 2, 4
FEW_NAMES = 12


def thin_relations(data: GraphData) -> int:
    """Mark the relations to draw; return how many of each name, 0 where all are drawn.

    A relation is drawn if it is among the strongest of either end, so that no name is left
    without the ties that explain it. A few more pull in the layout, which keeps arms short.
    """
    data.drawn = np.ones(len(data.pairs), dtype=bool)
    data.pulling = data.drawn
    if len(data) < FEW_NAMES or len(data.pairs) <= DENSE * len(data):
        return 0
    best = np.minimum(*(_rank_at_end(data.pairs, end, len(data)) for end in (0, 1)))
    data.drawn, data.pulling = best < STRONGEST, best < PULLING
    return STRONGEST


def _rank_at_end(pairs: np.ndarray, end: int, n: int) -> np.ndarray:
    """Return each relation's rank, 0 strongest, among all of the name at one of its ends."""
    names = np.concatenate((pairs[:, 0], pairs[:, 1]))
    order = np.concatenate((np.arange(len(pairs)), np.arange(len(pairs))))
    sorted_by_name = np.lexsort((order, names))
    starts = np.concatenate(([0], np.cumsum(np.bincount(names, minlength=n))))
    rank = np.empty(len(names), dtype=np.int64)
    rank[sorted_by_name] = np.arange(len(names)) - starts[names[sorted_by_name]]
    return rank[: len(pairs)] if end == 0 else rank[len(pairs) :]
