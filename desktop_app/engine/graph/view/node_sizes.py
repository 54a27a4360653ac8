"""How big a node is drawn: by connections, mentions or PageRank."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .graph_data import MAX_RADIUS, MIN_RADIUS, GraphData

SIZE_MODES = ("connections", "mentions", "rank")
DAMPING, ROUNDS = 0.85, 40


def set_sizes(data: GraphData, mode: str) -> None:
    """Set radii and order by size; mentions and connections are those of the whole library."""
    if mode == "mentions":
        values = np.array([max(e.n_mentions, 0) for e in data.entities], dtype=float)
    elif mode == "rank":
        values = page_rank(len(data), data.pairs, data.weights) * max(len(data), 1) * 8.0
    else:
        values = data.n_connections.copy()
        if values.max(initial=0.0) == 0:
            values = values + 2.0
    share = (values / max(float(values.max(initial=1.0)), 8.0)) ** 0.65
    data.radii = MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * share
    data.by_size = np.lexsort((np.arange(len(data)), -values))


def page_rank(n: int, pairs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the PageRank of each node in the view, shape (N,), with the sum 1."""
    if not n:
        return np.zeros(0)
    ends = np.concatenate((pairs, pairs[:, ::-1])) if len(pairs) else np.zeros((0, 2), int)
    strength = np.tile(np.log1p(np.maximum(weights, 0.0)) + 1e-6, 2)
    out = np.bincount(ends[:, 0], strength, n) if len(ends) else np.zeros(n)
    share = strength / np.maximum(out[ends[:, 0]], 1e-12) if len(ends) else strength
    step = sparse.csr_array((share, (ends[:, 1], ends[:, 0])), shape=(n, n))
    rank = np.full(n, 1.0 / n)
    for _ in range(ROUNDS):
        lost = rank[out == 0].sum()
        rank = DAMPING * (step @ rank + lost / n) + (1 - DAMPING) / n
    return rank
