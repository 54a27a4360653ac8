"""A picture by communities: who belongs together stands together, each community by itself.

Owns finding groups in a picture (Leiden) and placing them. Arrays in, arrays out.
"""

from __future__ import annotations

import numpy as np

from ..progress import CancelToken
from .layout import OnRound, force_layout
from .layout_packing import part_discs

FloatArray = np.ndarray


def find_groups(n: int, pairs: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the group of each entity, shape (N,), the biggest group 0; -1 for the unattached."""
    groups = np.full(n, -1, dtype=np.int64)
    if not len(pairs):
        return groups
    from graspologic_native import leiden

    # Strong ties are orders of magnitude above weak ones; their logarithm groups better.
    strength = np.log1p(np.maximum(weights, 0.0)) + 1e-3
    edges = [(str(a), str(b), float(w)) for (a, b), w in zip(pairs.tolist(), strength, strict=True)]
    _, found = leiden(edges, resolution=1.0, iterations=2, seed=7)
    for row, group in found.items():
        groups[int(row)] = group
    used, counts = np.unique(groups[groups >= 0], return_counts=True)
    ranks = np.argsort(-counts, kind="stable")
    number = np.full(int(used.max()) + 1, -1)
    number[used[ranks]] = np.arange(len(used))
    groups[groups >= 0] = number[groups[groups >= 0]]
    return groups


def grouped_layout(
    n: int,
    pairs: FloatArray,
    weights: FloatArray,
    groups: FloatArray,
    radii: FloatArray,
    *,
    cancel: CancelToken | None = None,
    on_round: OnRound | None = None,
) -> FloatArray:
    """Return a force layout of every group, the groups placed by the ties between them."""
    if n == 0:
        return np.zeros((0, 2))
    numbers, of = np.unique(groups, return_inverse=True)
    pieces, reach = [], np.zeros(len(numbers))
    for number in range(len(numbers)):
        rows = np.flatnonzero(of == number)
        inside = (of[pairs] == number).all(1) if len(pairs) else np.zeros(0, dtype=bool)
        local = np.searchsorted(rows, pairs[inside])
        piece = force_layout(
            len(rows), local, weights[inside], radii=radii[rows], spacing=84.0, cancel=cancel
        )
        pieces.append((rows, piece))
        reach[number] = np.hypot(*piece.T).max() + float(radii[rows].max()) + 26.0
        if on_round is not None:
            on_round(0.8 * (number + 1) / len(numbers))
    between = of[pairs] if len(pairs) else np.zeros((0, 2), dtype=np.int64)
    across = between[:, 0] != between[:, 1]
    middles = force_layout(
        len(numbers),
        between[across],
        weights[across],
        radii=reach,
        spacing=float(1.7 * np.median(reach)),
        cancel=cancel,
    )
    # As near as they go side by side: the ties only say who is on which side of whom.
    wide = float(np.sqrt(((middles - middles.mean(0)) ** 2).sum(1).mean())) or 1.0
    middles = middles * min(1.0, 0.8 * float(np.sqrt((reach * reach).sum())) / wide)
    middles = part_discs(middles, reach, fixed=np.zeros(len(numbers), dtype=bool), gap=40.0)
    places = np.zeros((n, 2))
    for number, (rows, piece) in enumerate(pieces):
        places[rows] = piece + middles[number]
    return places - (places.min(0) + places.max(0)) / 2
