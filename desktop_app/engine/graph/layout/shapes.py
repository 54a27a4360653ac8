"""Layouts with a meaning: around one entity, by order of appearance, in a circle, in a grid.

Owns these arrangements; none of them has forces. Arrays in, an array (N, 2) out, the same for
the same input.
"""

from __future__ import annotations

import itertools

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from ...progress import CancelToken
from .force import OnRound, force_layout
from .packing import separate_discs

FloatArray = np.ndarray
SPACING = 84.0


def circle_layout(order: FloatArray, radii: FloatArray, *, spacing: float = 46.0) -> FloatArray:
    """Return places on one circle, or on a few within each other where there are very many.

    Args:
        order: rows as they follow each other, shape (N,).
    """
    n = len(order)
    places = np.zeros((n, 2))
    if n < 2:
        return places
    room = 2.0 * radii[order] + spacing * 0.55
    n_rings = max(1, int(np.ceil(np.sqrt(n / 420))))
    bounds = np.linspace(0, n, n_rings + 1).astype(int)
    reach = 0.0
    # The first rows go outside: there the most room is.
    for start, end in reversed(list(itertools.pairwise(bounds))):
        own = room[start:end]
        reach = max(float(own.sum()) / (2 * np.pi), reach + spacing * 2, spacing)
        turn = (np.cumsum(own) - own / 2) / own.sum() * 2 * np.pi - np.pi / 2
        places[order[start:end]] = np.stack((np.cos(turn), np.sin(turn)), axis=1) * reach
    return places


def grid_layout(order: FloatArray, radii: FloatArray, *, shape: float = 1.6) -> FloatArray:
    """Return places in rows of a grid wider than high, in reading order."""
    n = len(order)
    places = np.zeros((n, 2))
    if not n:
        return places
    columns = max(1, int(np.ceil(np.sqrt(n * shape / 2.0))))
    number = np.arange(n)
    places[order, 0] = (number % columns) * SPACING * 1.5
    places[order, 1] = (number // columns) * SPACING * 0.75
    return places - (places.min(0) + places.max(0)) / 2


def radial_layout(
    n: int, pairs: FloatArray, weights: FloatArray, centre: int, radii: FloatArray
) -> FloatArray:
    """Return one entity in the middle, its neighbours around it, theirs around them.

    Every entity stands on the ring of its distance, on the side of the strongest neighbour that
    is nearer to the middle; what is not tied to the middle at all makes the last ring.
    """
    places = np.zeros((n, 2))
    if n < 2:
        return places
    net = sparse.coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(n, n)).tocsr()
    distance = csgraph.dijkstra(net, directed=False, indices=centre, unweighted=True)
    far = distance[np.isfinite(distance)].max(initial=0.0)
    distance = np.where(np.isfinite(distance), distance, far + 1).astype(int)
    parent = _strongest_nearer(n, pairs, weights, distance, centre)
    turn = np.zeros(n)
    reach = 0.0
    for ring in range(1, int(distance.max()) + 1):
        rows = np.flatnonzero(distance == ring)
        if not len(rows):
            continue
        rows = rows[np.lexsort((rows, -radii[rows], turn[parent[rows]], parent[rows]))]
        rows = rows[np.argsort(turn[parent[rows]], kind="stable")]
        room = 2.0 * radii[rows] + 26.0
        reach, deep = _ring_reach(float(room.sum()), reach)
        share = (np.cumsum(room) - room / 2) / room.sum() * 2 * np.pi
        # Children stay near their parent's side, as far as the ring lets them.
        shift = _mean_turn(turn[parent[rows]] - share) if ring > 1 else -np.pi / 2
        turn[rows] = share + shift
        away = reach + (np.arange(len(rows)) % deep) * SPACING * 0.62
        places[rows, 0] = np.cos(turn[rows]) * away
        places[rows, 1] = np.sin(turn[rows]) * away
        reach = float(away.max())
    return places


def _ring_reach(needed: float, before: float) -> tuple[float, int]:
    """Return how far out a ring is and in how many depths its discs take turns."""
    near = before + SPACING * 1.25
    for deep in (1, 2, 3, 4, 6):
        if needed / deep <= 2 * np.pi * near * 1.6:
            return max(near, needed / deep / (2 * np.pi)), deep
    return max(near, needed / 6 / (2 * np.pi)), 6


def _strongest_nearer(
    n: int, pairs: FloatArray, weights: FloatArray, distance: FloatArray, centre: int
) -> FloatArray:
    parent = np.full(n, centre)
    both = np.concatenate((pairs, pairs[:, ::-1]))
    strength = np.concatenate((weights, weights))
    use = distance[both[:, 1]] == distance[both[:, 0]] - 1
    both, strength = both[use], strength[use]
    order = np.lexsort((strength, both[:, 0]))  # the strongest of each comes last and stays
    parent[both[order, 0]] = both[order, 1]
    return parent


def _mean_turn(turns: FloatArray) -> float:
    return float(np.arctan2(np.sin(turns).sum(), np.cos(turns).sum()))


def timeline_layout(entering: FloatArray, radii: FloatArray) -> FloatArray:
    """Return places from left to right as entities enter, the biggest near the middle line.

    Args:
        entering: the number of each in the order of first mention, shape (N,); equal or NaN for
            those never named, which come last.
    """
    n = len(entering)
    places = np.zeros((n, 2))
    if not n:
        return places
    order = np.argsort(np.where(np.isfinite(entering), entering, np.inf), kind="stable")
    n_lanes = int(max(1, np.ceil(np.sqrt(n * 1.2))))
    lanes = (np.arange(n_lanes) - (n_lanes - 1) / 2) * SPACING * 0.72
    by_middle = np.argsort(np.abs(lanes), kind="stable")
    free = np.full(n_lanes, -np.inf)  # where the last label of a lane ends
    step = SPACING * 1.9 / n_lanes
    x = 0.0
    rank = np.empty(n)
    rank[np.argsort(-radii, kind="stable")] = np.arange(n) / n
    for row in order:
        x += step
        ready = [lane for lane in by_middle if free[lane] <= x]
        if not ready:
            lane = int(free.argmin())
            x = float(free[lane])
        else:  # the bigger, the nearer to the middle
            lane = int(ready[min(int(rank[row] * len(ready)), len(ready) - 1)])
        places[row] = (x, lanes[lane])
        free[lane] = x + SPACING * 1.35
    places[:, 0] -= (places[:, 0].min() + places[:, 0].max()) / 2
    return places


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
    middles = separate_discs(middles, reach, fixed=np.zeros(len(numbers), dtype=bool), gap=40.0)
    places = np.zeros((n, 2))
    for number, (rows, piece) in enumerate(pieces):
        places[rows] = piece + middles[number]
    return places - (places.min(0) + places.max(0)) / 2
