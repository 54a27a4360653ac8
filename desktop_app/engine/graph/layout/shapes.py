"""Radial, timeline, circle, grid and grouped layouts.

Arrays in, positions of shape (N, 2) out. Deterministic; only the grouped layout uses forces.
"""

from __future__ import annotations

import itertools

import numpy as np
import scipy  # its parts load when they are used: they take 0.2 s of the start

from ...progress import CancelToken
from .force import (
    CORNER,
    MIRRORS,
    SPACING,
    FloatArray,
    OnRound,
    find_needed_height,
    force_layout,
    separate_discs,
)

# Lengths are in pixels at zoom 1, as the radii of the discs are. Labels stand below or beside their
# discs and are wider than high, so gaps are wider where labels lie side by side.
MIN_CIRCLE_RADIUS = 46.0
CIRCLE_GAP = 92.0  # from one of several circles to the next, for the labels between them
CIRCLE_DISC_GAP = 25.3  # between two discs of one circle
MAX_IN_CIRCLE = 420  # entities; of more there are two circles, of over four times as many three
GRID_WIDTH, GRID_HEIGHT = 1.5 * SPACING, 0.75 * SPACING  # of a cell
GRID_SHAPE = 0.8  # columns for each row; with cells twice as wide as high, a grid of 8 to 5
DISC_GAP = 26.0  # between two discs of a ring, and around the discs of a group
RADIAL_GAP = 1.25 * SPACING  # between two rings: lines between them are longer than within
STAGGER = 0.62 * SPACING  # between two discs in turn on a ring that is too full
RADIAL_EXCESS = 1.6  # times the length of a ring at the least radius, until its discs are staggered
STAGGERS = (1, 2, 3, 4, 6)  # radii that the discs of a ring may have in turn
TIMELINE_SHAPE = 1.2  # lanes to entities in a lane
LANE_HEIGHT = 0.72 * SPACING
TIMELINE_STEP = 1.9 * SPACING  # by which x grows while each lane gets an entity
MIN_LABEL_WIDTH = 1.35 * SPACING  # from one entity of a lane to the next, for its label


def circle_layout(order: FloatArray, radii: FloatArray) -> FloatArray:
    """Return positions on a circle, or on several concentric ones for very many entities.

    Args:
        order: rows in their order on the circle, shape (N,).
    """
    n = len(order)
    places = np.zeros((n, 2))
    if n < 2:
        return places
    room = 2.0 * radii[order] + CIRCLE_DISC_GAP
    n_rings = max(1, int(np.ceil(np.sqrt(n / MAX_IN_CIRCLE))))
    bounds = np.linspace(0, n, n_rings + 1).astype(int)
    reach = 0.0
    # The first rows are on the outer circle, which has most space.
    for start, end in reversed(list(itertools.pairwise(bounds))):
        own = room[start:end]
        reach = max(float(own.sum()) / (2 * np.pi), reach + CIRCLE_GAP, MIN_CIRCLE_RADIUS)
        angle = (np.cumsum(own) - own / 2) / own.sum() * 2 * np.pi - np.pi / 2
        places[order[start:end]] = np.stack((np.cos(angle), np.sin(angle)), axis=1) * reach
    return places


def grid_layout(order: FloatArray) -> FloatArray:
    """Return positions on a grid wider than high, in reading order."""
    n = len(order)
    places = np.zeros((n, 2))
    if not n:
        return places
    columns = max(1, int(np.ceil(np.sqrt(n * GRID_SHAPE))))
    number = np.arange(n)
    places[order, 0] = (number % columns) * GRID_WIDTH
    places[order, 1] = (number // columns) * GRID_HEIGHT
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
        room = 2.0 * radii[rows] + DISC_GAP
        reach, n_radii = _ring_radius(float(room.sum()), reach)
        share = (np.cumsum(room) - room / 2) / room.sum() * 2 * np.pi
        # Entities stay near their inner neighbour as far as the ring has space.
        turns = angle[parent[rows]] - share
        shift = np.arctan2(np.sin(turns).sum(), np.cos(turns).sum()) if ring > 1 else -np.pi / 2
        angle[rows] = share + shift
        away = reach + (np.arange(len(rows)) % n_radii) * STAGGER
        places[rows, 0] = np.cos(angle[rows]) * away
        places[rows, 1] = np.sin(angle[rows]) * away
        reach = float(away.max())
    return places


# Radii of the rings around one entity for the strongest relations to the weakest; on the last one,
# on which most entities are, every other one is further out.
STRENGTH_RINGS, LAST_STAGGER = (120.0, 190.0, 260.0, 330.0), 70.0


def ring_layout_by_strength(
    places: FloatArray, centre: int, strengths: np.ndarray, radii: FloatArray
) -> FloatArray:
    """Return the places moved onto rings around one entity, the most strongly related inside.

    Each keeps the direction in which the forces have moved it, as far as its ring has room, so
    that entities that are related to each other stay side by side.

    Args:
        strengths: class of the relation to the centre, 0 weak to 3 strong, shape (N,); -1 for
            none, which is beyond the last ring.
    """
    turned, reaches = np.zeros(len(places)), np.zeros(len(places))
    away = places - places[centre]
    angles = np.arctan2(away[:, 1], away[:, 0])
    last = len(STRENGTH_RINGS) - 1
    for ring in range(last + 2):
        rows = np.flatnonzero(strengths == last - ring)
        rows = rows[rows != centre]
        if not len(rows):
            continue
        rows = rows[np.argsort(angles[rows], kind="stable")]
        even = (np.arange(len(rows)) + 0.5) / len(rows) * 2 * np.pi
        turns = angles[rows] - even
        even += np.arctan2(np.sin(turns).sum(), np.cos(turns).sum())
        reach = np.full(len(rows), STRENGTH_RINGS[min(ring, last)])
        if ring >= last:
            room = float((2.0 * radii[rows] + DISC_GAP).sum()) / (2 * np.pi)
            reach = np.maximum(reach, room) + np.arange(len(rows)) % 2 * LAST_STAGGER
        reach += max(0, ring - last) * 2 * LAST_STAGGER
        # few on a ring keep their own directions, many are spread evenly
        turned[rows] = angles[rows] if len(rows) <= FEW_ON_RING else even
        reaches[rows] = reach
    spokes = np.flatnonzero((strengths >= 0) & (np.arange(len(places)) != centre))
    if len(spokes):
        turned[spokes] = spread_spokes(turned[spokes], reaches[spokes], radii[spokes])
    directions = np.stack((np.cos(turned), np.sin(turned)), 1)
    moved: FloatArray = places[centre] + directions * reaches[:, None]
    return moved


FEW_ON_RING = 4
OFF_SPOKE = 7.0  # pixels from the edge of a node to a foreign spoke


def spread_spokes(angles: FloatArray, reaches: FloatArray, radii: FloatArray) -> FloatArray:
    """Return the directions of nodes around a centre, changed so that no node is on a spoke.

    A line that ends behind another node looks like a connection with that node. The order stays,
    and what is left of the circle is shared as the gaps were. If there is too little room, the
    nodes come nearer to each other's spokes by the same share.

    Args:
        angles: in radians; reaches: distances from the centre, more than 0; all of shape (N,).
    """
    order = np.argsort(angles % (2 * np.pi), kind="stable")
    sorted_angles = angles[order] % (2 * np.pi)
    half = np.arcsin(np.minimum((radii + OFF_SPOKE) / reaches, 1.0))[order]
    needed = np.maximum(half, np.roll(half, -1))  # from each one to the next
    gaps = np.diff(sorted_angles, append=sorted_angles[0] + 2 * np.pi)
    left = 2 * np.pi - needed.sum()
    excess = np.maximum(gaps - needed, 0.0)
    if left <= 0.0 or not excess.any():
        gaps = needed * (2 * np.pi / needed.sum())
    else:
        gaps = needed + excess * (left / excess.sum())
    spread = sorted_angles[0] + np.concatenate(([0.0], np.cumsum(gaps)[:-1]))
    turns = sorted_angles - spread
    spread += np.arctan2(np.sin(turns).sum(), np.cos(turns).sum())
    result = np.empty(len(angles))
    result[order] = spread
    return result


def _ring_radius(needed: float, before: float) -> tuple[float, int]:
    """Return the radius of a ring, and the number of radii over which its discs alternate."""
    near = before + RADIAL_GAP
    longest = 2 * np.pi * near * RADIAL_EXCESS
    n_radii = next((n for n in STAGGERS if needed / n <= longest), STAGGERS[-1])
    return max(near, needed / n_radii / (2 * np.pi)), n_radii


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
    n_lanes = int(max(1, np.ceil(np.sqrt(n * TIMELINE_SHAPE))))
    lanes = (np.arange(n_lanes) - (n_lanes - 1) / 2) * LANE_HEIGHT
    by_middle = np.argsort(np.abs(lanes), kind="stable")
    free = np.full(n_lanes, -np.inf)  # x at which the last label of a lane ends
    step = TIMELINE_STEP / n_lanes
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
        free[lane] = x + MIN_LABEL_WIDTH
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


N_LEADERS, LABEL_ROOM = 3, 56.0  # the biggest entities of a group have room for their names
CROWDED_LINES = 0.024  # pixels of lines per square pixel, from which they cover each other
MAX_STRETCH = 1.6  # so that one crowded group does not fill the view
MIN_STRETCHED = 12  # entities; the lines of fewer can be followed
# Groups are first placed by the relations between them, at some distance so that they can turn
# around each other, then moved together, so that the window shows them as large as possible.
RELATION_BETWEEN_GROUPS = 1.7  # its preferred length, in radii of a group of median size
CLOSENESS = 0.55  # most spread of their middles, in radii of one disc with the area of all groups
GROUP_GAP = 40.0  # between two groups: wider than `DISC_GAP`, so that groups are seen as such
SHARE_WITHIN = 0.8  # of the progress that is reported: laying out the groups takes most of the time


def find_stretch(places: FloatArray, pairs: FloatArray) -> float:
    """Return how much larger a group must be so that its lines can be distinguished, 1 or more."""
    if len(places) < MIN_STRETCHED or not len(pairs):
        return 1.0
    along = places[pairs[:, 0]] - places[pairs[:, 1]]
    area = float(np.prod(np.maximum(np.ptp(places, axis=0), 1.0)))
    crowd = float(np.hypot(along[:, 0], along[:, 1]).sum()) / area
    return min(max(crowd / CROWDED_LINES, 1.0), MAX_STRETCH)


WIDER = (0.65, 1.0, 1.5)  # width to height of the middles of groups, against that of their layout


def _fit_into_view(
    middles: FloatArray, reach: FloatArray, corner: tuple[float, float]
) -> FloatArray:
    """Return the middles of groups apart from each other, in the way that is drawn largest.

    They may be turned by a quarter, mirrored, or moved to a wider or higher shape.

    Args:
        reach: radius of each group, shape (G,); corner: see `pack_components`.
    """
    free = np.zeros(len(middles), dtype=bool)
    angles = np.arange(8) * np.pi / 4
    rim = np.stack((np.cos(angles), np.sin(angles)), axis=1)[None] * reach[:, None, None]
    best: tuple[float, FloatArray] | None = None
    for turned in (middles, middles[:, ::-1]):
        for wider in WIDER:
            apart = separate_discs(
                turned * (wider**0.5, wider**-0.5), reach, fixed=free, gap=GROUP_GAP
            )
            for mirror in MIRRORS:
                way = apart * mirror
                high = find_needed_height([(way[:, None] + rim).reshape(-1, 2)], corner)
                if best is None or high < best[0]:
                    best = high, way
    assert best is not None
    return best[1]


def grouped_layout(
    n: int,
    pairs: FloatArray,
    weights: FloatArray,
    groups: FloatArray,
    radii: FloatArray,
    *,
    corner: tuple[float, float] = CORNER,
    cancel: CancelToken | None = None,
    on_round: OnRound | None = None,
) -> FloatArray:
    """Return a force layout of each group; the groups are placed by the relations between them.

    Args:
        corner: see `pack_components`.
    """
    if n == 0:
        return np.zeros((0, 2))
    numbers, group_of = np.unique(groups, return_inverse=True)
    group_layouts, reach = [], np.zeros(len(numbers))
    for number in range(len(numbers)):
        rows = np.flatnonzero(group_of == number)
        inside = (group_of[pairs] == number).all(1) if len(pairs) else np.zeros(0, dtype=bool)
        local = np.searchsorted(rows, pairs[inside])
        room = radii[rows].astype(float)
        if len(rows) > N_LEADERS:
            room[np.argsort(-room, kind="stable")[:N_LEADERS]] += LABEL_ROOM
        group_layout = force_layout(
            len(rows), local, weights[inside], radii=room, spacing=SPACING, cancel=cancel
        )
        group_layout = group_layout * find_stretch(group_layout, local)
        group_layouts.append((rows, group_layout))
        reach[number] = np.hypot(*group_layout.T).max() + float(radii[rows].max()) + DISC_GAP
        if on_round is not None:
            on_round(SHARE_WITHIN * (number + 1) / len(numbers))
    between = group_of[pairs] if len(pairs) else np.zeros((0, 2), dtype=np.int64)
    across = between[:, 0] != between[:, 1]
    middles = force_layout(
        len(numbers),
        between[across],
        weights[across],
        radii=reach,
        spacing=float(RELATION_BETWEEN_GROUPS * np.median(reach)),
        cancel=cancel,
    )
    # Moved as close as possible: the relations only determine the directions between groups.
    spread = float(np.sqrt(((middles - middles.mean(0)) ** 2).sum(1).mean())) or 1.0
    radius_of_all = float(np.sqrt((reach * reach).sum()))
    middles = middles * min(1.0, CLOSENESS * radius_of_all / spread)
    middles = _fit_into_view(middles, reach, corner)
    places = np.zeros((n, 2))
    for number, (rows, group_layout) in enumerate(group_layouts):
        places[rows] = group_layout + middles[number]
    centred: np.ndarray = places - (places.min(0) + places.max(0)) / 2
    return centred
