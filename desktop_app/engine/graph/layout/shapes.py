"""Radial, timeline, circle, grid and grouped layouts.

Arrays in, positions of shape (N, 2) out. Deterministic; only the grouped layout uses forces.
"""

from __future__ import annotations

import itertools

import numpy as np
import scipy  # its parts load when they are used: they take 0.2 s of the start

from ...progress import CancelToken
from .force import SPACING, FloatArray, OnRound, force_layout, separate_discs

CIRCLE_SPACING = 46.0


def circle_layout(order: FloatArray, radii: FloatArray) -> FloatArray:
    """Return positions on a circle, or on several concentric ones for very many entities.

    Args:
        order: rows in their order on the circle, shape (N,).
    """
    n = len(order)
    places = np.zeros((n, 2))
    if n < 2:
        return places
    room = 2.0 * radii[order] + CIRCLE_SPACING * 0.55
    n_rings = max(1, int(np.ceil(np.sqrt(n / 420))))
    bounds = np.linspace(0, n, n_rings + 1).astype(int)
    reach = 0.0
    # The first rows are on the outer circle, which has most space.
    for start, end in reversed(list(itertools.pairwise(bounds))):
        own = room[start:end]
        reach = max(float(own.sum()) / (2 * np.pi), reach + CIRCLE_SPACING * 2, CIRCLE_SPACING)
        angle = (np.cumsum(own) - own / 2) / own.sum() * 2 * np.pi - np.pi / 2
        places[order[start:end]] = np.stack((np.cos(angle), np.sin(angle)), axis=1) * reach
    return places


def grid_layout(order: FloatArray) -> FloatArray:
    """Return positions on a grid wider than high, in reading order."""
    n = len(order)
    places = np.zeros((n, 2))
    if not n:
        return places
    columns = max(1, int(np.ceil(np.sqrt(n * 0.8))))
    number = np.arange(n)
    places[order, 0] = (number % columns) * SPACING * 1.5
    places[order, 1] = (number // columns) * SPACING * 0.75
    centred: np.ndarray = places - (places.min(0) + places.max(0)) / 2
    return centred


def radial_layout(
    n: int, pairs: FloatArray, weights: FloatArray, centre: int, radii: FloatArray
) -> FloatArray:
    """Return positions on rings around one entity, by distance in the graph.

    Each entity is on the side of its most strongly related neighbour on an inner ring. Entities
    without a path to the centre are on the last ring.
    """
    places = np.zeros((n, 2))
    if n < 2:
        return places
    ends = (pairs[:, 0], pairs[:, 1])
    network = scipy.sparse.coo_array((np.ones(len(pairs)), ends), shape=(n, n)).tocsr()
    distance = scipy.sparse.csgraph.dijkstra(
        network, directed=False, indices=centre, unweighted=True
    )
    far = distance[np.isfinite(distance)].max(initial=0.0)
    distance = np.where(np.isfinite(distance), distance, far + 1).astype(int)
    parent = _find_inner_neighbours(n, pairs, weights, distance, centre)
    angle = np.zeros(n)
    reach = 0.0
    for ring in range(1, int(distance.max()) + 1):
        rows = np.flatnonzero(distance == ring)
        if not len(rows):
            continue
        rows = rows[np.lexsort((rows, -radii[rows], angle[parent[rows]], parent[rows]))]
        rows = rows[np.argsort(angle[parent[rows]], kind="stable")]
        room = 2.0 * radii[rows] + 26.0
        reach, n_radii = _ring_radius(float(room.sum()), reach)
        share = (np.cumsum(room) - room / 2) / room.sum() * 2 * np.pi
        # Entities stay near their inner neighbour as far as the ring has space.
        turns = angle[parent[rows]] - share
        shift = np.arctan2(np.sin(turns).sum(), np.cos(turns).sum()) if ring > 1 else -np.pi / 2
        angle[rows] = share + shift
        away = reach + (np.arange(len(rows)) % n_radii) * SPACING * 0.62
        places[rows, 0] = np.cos(angle[rows]) * away
        places[rows, 1] = np.sin(angle[rows]) * away
        reach = float(away.max())
    return places


def _ring_radius(needed: float, before: float) -> tuple[float, int]:
    """Return the radius of a ring, and the number of radii over which its discs alternate."""
    near = before + SPACING * 1.25
    for n_radii in (1, 2, 3, 4, 6):
        if needed / n_radii <= 2 * np.pi * near * 1.6:
            return max(near, needed / n_radii / (2 * np.pi)), n_radii
    return max(near, needed / 6 / (2 * np.pi)), 6


def _find_inner_neighbours(
    n: int, pairs: FloatArray, weights: FloatArray, distance: FloatArray, centre: int
) -> FloatArray:
    parent = np.full(n, centre)
    directed = np.concatenate((pairs, pairs[:, ::-1]))
    strength = np.concatenate((weights, weights))
    use = distance[directed[:, 1]] == distance[directed[:, 0]] - 1
    directed, strength = directed[use], strength[use]
    # The strongest of each row is last and overwrites the others.
    order = np.lexsort((strength, directed[:, 0]))
    parent[directed[order, 0]] = directed[order, 1]
    return parent


def timeline_layout(entering: FloatArray, radii: FloatArray) -> FloatArray:
    """Return positions from left to right by first mention, the largest near the middle line.

    Args:
        entering: rank of the first mention, shape (N,); NaN for entities without a mention,
            which come last.
    """
    n = len(entering)
    places = np.zeros((n, 2))
    if not n:
        return places
    order = np.argsort(np.where(np.isfinite(entering), entering, np.inf), kind="stable")
    n_lanes = int(max(1, np.ceil(np.sqrt(n * 1.2))))
    lanes = (np.arange(n_lanes) - (n_lanes - 1) / 2) * SPACING * 0.72
    by_middle = np.argsort(np.abs(lanes), kind="stable")
    free = np.full(n_lanes, -np.inf)  # x at which the last label of a lane ends
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
        else:  # larger entities are nearer to the middle
            lane = int(ready[min(int(rank[row] * len(ready)), len(ready) - 1)])
        places[row] = (x, lanes[lane])
        free[lane] = x + SPACING * 1.35
    places[:, 0] -= (places[:, 0].min() + places[:, 0].max()) / 2
    return places


def find_groups(n: int, pairs: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the Leiden group of each entity, shape (N,), largest group 0; -1 if isolated."""
    groups = np.full(n, -1, dtype=np.int64)
    if not len(pairs):
        return groups
    from graspologic_native import leiden

    # Weights span orders of magnitude; Leiden gives better groups on their logarithm.
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


LEADERS, LABEL_ROOM = 3, 56.0  # the biggest entities of a group have room for their names


CROWDED_LINES = 0.024  # pixels of lines per square pixel, from which they cover each other
MOST_STRETCH, LEAST_STRETCHED = 1.6, 12


def find_stretch(places: FloatArray, pairs: FloatArray) -> float:
    """Return how much larger a group must be so that its lines can be distinguished, 1 or more."""
    if len(places) < LEAST_STRETCHED or not len(pairs):
        return 1.0
    along = places[pairs[:, 0]] - places[pairs[:, 1]]
    area = float(np.prod(np.maximum(np.ptp(places, axis=0), 1.0)))
    crowd = float(np.hypot(along[:, 0], along[:, 1]).sum()) / area
    return min(max(crowd / CROWDED_LINES, 1.0), MOST_STRETCH)


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
    """Return a force layout of each group; the groups are placed by the relations between them."""
    if n == 0:
        return np.zeros((0, 2))
    numbers, group_of = np.unique(groups, return_inverse=True)
    group_layouts, reach = [], np.zeros(len(numbers))
    for number in range(len(numbers)):
        rows = np.flatnonzero(group_of == number)
        inside = (group_of[pairs] == number).all(1) if len(pairs) else np.zeros(0, dtype=bool)
        local = np.searchsorted(rows, pairs[inside])
        room = radii[rows].astype(float)
        room[np.argsort(-room, kind="stable")[:LEADERS]] += (
            LABEL_ROOM if len(rows) > LEADERS else 0.0
        )
        group_layout = force_layout(
            len(rows), local, weights[inside], radii=room, spacing=SPACING, cancel=cancel
        )
        group_layout = group_layout * find_stretch(group_layout, local)
        group_layouts.append((rows, group_layout))
        reach[number] = np.hypot(*group_layout.T).max() + float(radii[rows].max()) + 26.0
        if on_round is not None:
            on_round(0.8 * (number + 1) / len(numbers))
    between = group_of[pairs] if len(pairs) else np.zeros((0, 2), dtype=np.int64)
    across = between[:, 0] != between[:, 1]
    middles = force_layout(
        len(numbers),
        between[across],
        weights[across],
        radii=reach,
        spacing=float(1.7 * np.median(reach)),
        cancel=cancel,
    )
    # Moved as close as possible: the relations only determine the directions between groups.
    wide = float(np.sqrt(((middles - middles.mean(0)) ** 2).sum(1).mean())) or 1.0
    middles = middles * min(1.0, 0.55 * float(np.sqrt((reach * reach).sum())) / wide)
    middles = separate_discs(middles, reach, fixed=np.zeros(len(numbers), dtype=bool), gap=40.0)
    places = np.zeros((n, 2))
    for number, (rows, group_layout) in enumerate(group_layouts):
        places[rows] = group_layout + middles[number]
    centred: np.ndarray = places - (places.min(0) + places.max(0)) / 2
    return centred
