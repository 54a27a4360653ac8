"""Force-directed layout that keeps the positions of entities that are already placed.

Places new entities beside their neighbours, computes forces (exact or particle-mesh) and lays out
connected components separately. Deterministic: the same input gives the same positions.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable

import numpy as np
import scipy  # its parts load when they are used: they take 0.2 s of the start

from ...progress import CancelToken

FloatArray = np.ndarray


VIEW_RATIO = 1.2  # width to height of the graph view beside its panel
CORNER = (0.32, 0.42)  # share of width and height that a short legend covers, at the top left
FEW_PACKED = 8  # components of which the largest may be turned, to fill the view better
MAX_PACKED = 3_000  # points in all; more are packed in one way only, which takes less time
SPREADS = (1.6, 0.6)  # of packed components: more wide than high, or more high than wide
LEANS = (0.0, 0.3, 0.6)  # of the height of the first one, by which the others are lower
ASIDE = (0.0, 0.45)  # of its width, by which they are at one side as well: below a high legend
SMALL, BISECTIONS = 0.3, 12


def pack_components(
    components: list[FloatArray],
    *,
    spacing: float,
    placed_points: FloatArray | None = None,
    corner: tuple[float, float] = CORNER,
) -> list[FloatArray]:
    """Return the components moved beside each other, the first one in the middle.

    Each component gets the free position nearest to the middle. New components are packed in
    several ways, of which the one is taken that is drawn largest in a view whose top left corner
    is covered by the legend. Of a few components the two largest ones may also be turned by 90°.

    Args:
        components: points of each component, shape (N, 2), largest component first.
        placed_points: points that are placed already and do not move, shape (M, 2).
        corner: share of width and height of the view that the legend covers.
    """
    is_new = placed_points is None or not len(placed_points)
    if not is_new or not components or sum(map(len, components)) > MAX_PACKED:
        return _pack(components, spacing=spacing, placed_points=placed_points)
    quarter = np.array([[0.0, 1.0], [-1.0, 0.0]])
    is_few = sum(len(one) > 2 for one in components) <= FEW_PACKED
    n_turned = sum(is_few and len(one) > SMALL * len(components[0]) for one in components[:2])
    found: list[list[FloatArray]] = []
    for turns in itertools.product((False, True), repeat=n_turned):
        turned = [
            one @ quarter if turns[k : k + 1] == (True,) else one
            for k, one in enumerate(components)
        ]
        several = len(components) > 1
        ways = itertools.product(SPREADS, ASIDE, LEANS) if several else [(SPREADS[0], 0.0, 0.0)]
        for spread, aside, lean in ways:
            packed = _pack(turned, spacing=spacing, spread=spread, lean=(aside, lean))
            found += [[one * mirror for one in packed] for mirror in MIRRORS]
    return min(found, key=lambda packed: find_needed_height(packed, corner))


MIRRORS = tuple(np.array(signs) for signs in ((1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)))


def find_needed_height(components: list[FloatArray], corner: tuple[float, float]) -> float:
    """Return the height of the smallest view that shows all points beside the legend."""
    points = np.concatenate(components)
    from_end = points.max(0) - points  # from the right and the lower edge
    wide, high = from_end.max(0)
    low = max(float(wide) / VIEW_RATIO, float(high))
    most = 1.0 / (1.0 - max(corner))  # there, the legend is beside or above the whole
    high_end = low * most
    for _ in range(BISECTIONS):
        middle = (low + high_end) / 2
        left, top = (1.0 - corner[0]) * middle * VIEW_RATIO, (1.0 - corner[1]) * middle
        is_covered = bool(((from_end[:, 0] > left) & (from_end[:, 1] > top)).any())
        low, high_end = (middle, high_end) if is_covered else (low, middle)
    return high_end


def _pack(
    components: list[FloatArray],
    *,
    spacing: float,
    placed_points: FloatArray | None = None,
    spread: float = SPREADS[0],
    lean: tuple[float, float] = (0.0, 0.0),
) -> list[FloatArray]:
    extents = [
        np.ceil(np.ptp(component, axis=0) / spacing).astype(int) + 2 for component in components
    ]
    start = None if placed_points is None or not len(placed_points) else placed_points
    around = np.zeros(2) if start is None else (start.min(0) + start.max(0)) / 2
    room = sum(int(e[0] * e[1]) for e in extents) * 2
    half = int(np.sqrt(room)) + 4 + max((int(e.max()) for e in extents), default=0)
    if start is not None:
        half += int(np.ceil(np.abs(start - around).max() / spacing)) + 2
    taken = np.zeros((2 * half + 1, 2 * half + 1), dtype=bool)
    if start is not None:
        _mark_cells(taken, start - around, half, spacing)
    axis = np.arange(-half, half + 1)
    far = axis[None, :] ** 2 / spread + axis[:, None] ** 2 * spread
    moved: list[FloatArray] = []
    n_large = sum(len(component) > 2 for component in components)
    for component, (wide, high) in zip(components[:n_large], extents, strict=False):
        column, row = _nearest_free(taken, far, int(wide), int(high))
        if any(lean) and not moved:
            across, down = axis[None, :] - lean[0] * wide, axis[:, None] - lean[1] * high
            far = across**2 / spread + down**2 * spread
        middle = np.array([column + (wide - 1) / 2 - half, row + (high - 1) / 2 - half])
        placed = component - (component.min(0) + component.max(0)) / 2 + middle * spacing
        if len(component) > 12:
            _mark_cells(taken, placed, half, spacing)
        else:
            taken[row : row + high - 1, column : column + wide - 1] = True
        moved.append(placed + around)
    # Pairs of free cells, nearest first, for the components of one or two points.
    width = taken.shape[1] // 2 * 2
    free = ~(taken[:, :width:2] | taken[:, 1:width:2])
    cost = np.where(free, far[:, :width:2] + far[:, 1:width:2], np.inf).ravel()
    best = np.argsort(cost, kind="stable")[: len(components) - n_large]
    rows, columns = np.divmod(best, width // 2)
    slots = np.stack((columns * 2 + 0.5, rows.astype(float)), axis=1) - half
    for component, slot in zip(components[n_large:], slots, strict=True):
        moved.append(component - component.mean(0) + slot * spacing + around)
    return moved


REACH = 4  # cells around those of the points


def _mark_cells(taken: np.ndarray, points: FloatArray, half: int, spacing: float) -> None:
    cells = np.clip(np.rint(points / spacing).astype(int) + half, 0, 2 * half)
    # only the part of the grid that can change, which is what takes the time
    first = np.maximum(cells.min(0) - REACH, 0)
    last = np.minimum(cells.max(0) + REACH + 1, 2 * half + 1)
    mine = np.zeros((last - first)[::-1], dtype=bool)
    mine[cells[:, 1] - first[1], cells[:, 0] - first[0]] = True
    mine = scipy.ndimage.binary_closing(mine, iterations=2) | mine
    filled = scipy.ndimage.binary_fill_holes(scipy.ndimage.binary_dilation(mine))
    taken[first[1] : last[1], first[0] : last[0]] |= filled


def _nearest_free(taken: np.ndarray, far: np.ndarray, wide: int, high: int) -> tuple[int, int]:
    total = np.zeros((taken.shape[0] + 1, taken.shape[1] + 1), dtype=np.int64)
    total[1:, 1:] = taken.cumsum(0).cumsum(1)
    inside = (
        total[high:, wide:] - total[:-high, wide:] - total[high:, :-wide] + total[:-high, :-wide]
    )
    rows, columns = inside.shape
    top, left = high // 2, wide // 2
    cost = np.where(inside == 0, far[top : top + rows, left : left + columns], np.inf)
    row, column = divmod(int(cost.argmin()), columns)
    return column, row


def separate_discs(
    points: FloatArray, radii: FloatArray, *, fixed: np.ndarray, gap: float = 6.0, rounds: int = 60
) -> FloatArray:
    """Return the points moved until no discs overlap, in at most `rounds` iterations.

    Discs with `fixed` do not move; of two others, the smaller one moves further.
    """
    points = points.copy()
    if len(points) < 2:
        return points
    # Equal points have no direction between them: a tiny spiral gives them one.
    angle = np.arange(len(points)) * 2.399963
    points[~fixed] += 1e-3 * np.stack((np.cos(angle), np.sin(angle)), 1)[~fixed]
    mobility = np.where(fixed, 0.0, 1.0 / (radii * radii + 1.0))
    small = float(np.quantile(radii, 0.9))
    big = np.flatnonzero(radii > small)
    for _ in range(rounds):
        pairs = scipy.spatial.cKDTree(points).query_pairs(2 * small + gap, output_type="ndarray")
        if len(big):
            pairs = np.concatenate((pairs, _pairs_with_big(points, radii, big, gap)))
        if not len(pairs):
            break
        a, b = pairs[:, 0], pairs[:, 1]
        delta = points[a] - points[b]
        distance = np.sqrt((delta * delta).sum(1)) + 1e-9
        overlap = radii[a] + radii[b] + gap - distance
        hit = (overlap > 0.01) & (mobility[a] + mobility[b] > 0)
        if not hit.any():
            break
        a, b, overlap = a[hit], b[hit], overlap[hit]
        push = delta[hit] / distance[hit][:, None] * overlap[:, None] * 1.05
        first = (mobility[a] / (mobility[a] + mobility[b]))[:, None]
        n = len(points)
        for column in (0, 1):
            points[:, column] += np.bincount(a, (push * first)[:, column], n)
            points[:, column] -= np.bincount(b, (push * (1 - first))[:, column], n)
    return points


def _pairs_with_big(
    points: FloatArray, radii: FloatArray, big: np.ndarray, gap: float
) -> np.ndarray:
    reach = radii[big] + radii.max() + gap
    near = scipy.spatial.cKDTree(points).query_ball_point(points[big], reach)
    first = np.repeat(big, [len(found) for found in near])
    second = np.concatenate([np.asarray(found, dtype=np.int64) for found in near])
    pairs = np.stack((np.minimum(first, second), np.maximum(first, second)), axis=1)
    return np.unique(pairs[first != second], axis=0)


EXACT_LIMIT = 360


def build_repulsion(
    points: FloatArray, masses: FloatArray, rows: np.ndarray | None = None
) -> FloatArray:
    """Return the repulsive force on these points, shape (R, 2), in units of 1 / distance.

    Args:
        rows: the points that are asked about; None for all.
    """
    asked = points if rows is None else points[rows]
    if len(asked) * len(points) <= EXACT_LIMIT**2:
        dx = asked[:, 0][:, None] - points[:, 0][None, :]
        dy = asked[:, 1][:, None] - points[:, 1][None, :]
        pull = masses[None, :] / (dx * dx + dy * dy + 1e-2)
        return np.stack(((dx * pull).sum(1), (dy * pull).sum(1)), axis=1)
    push = _mesh_repulsion(points, masses)
    return push if rows is None else push[rows]


@functools.lru_cache(maxsize=4)
def _kernel(n_cells: int) -> np.ndarray:
    # Force of one cell on another as a complex number, on a grid twice as wide so that the
    # circular convolution of the FFT does not wrap around.
    axis = np.fft.fftfreq(2 * n_cells, 1 / (2 * n_cells))
    x, y = np.meshgrid(axis, axis)
    squared = x * x + y * y
    squared[0, 0] = 1.0
    force = (x + 1j * y) / squared
    force[0, 0] = 0.0
    spectrum: np.ndarray = scipy.fft.fft2(force.astype(np.complex64))
    return spectrum


def _mesh_repulsion(points: FloatArray, masses: FloatArray) -> FloatArray:
    """Return the particle-mesh force (Hockney and Eastwood): deposit, convolve, gather.

    Equal weights for depositing and gathering make the force of a point on itself zero.
    """
    n_cells = 128 if len(points) <= 6_000 else 256
    low = points.min(0)
    step = max(float((points.max(0) - low).max()), 1e-6) / (n_cells - 2)
    place = (points - low) / step
    base = np.minimum(place.astype(np.int64), n_cells - 2)
    share = place - base
    flat = base[:, 1] * n_cells + base[:, 0]
    fx, fy = share[:, 0], share[:, 1]
    corners = (
        (flat, (1 - fx) * (1 - fy)),
        (flat + 1, fx * (1 - fy)),
        (flat + n_cells, (1 - fx) * fy),
        (flat + n_cells + 1, fx * fy),
    )
    density = np.zeros(n_cells * n_cells)
    for index, weight in corners:
        density += np.bincount(index, weight * masses, minlength=n_cells * n_cells)
    grid = density.reshape(n_cells, n_cells).astype(np.complex64)
    spectrum = scipy.fft.fft2(grid, s=(2 * n_cells, 2 * n_cells))
    field = scipy.fft.ifft2(spectrum * _kernel(n_cells))[:n_cells, :n_cells].ravel()
    push = sum(field[index] * weight for index, weight in corners) / step
    return np.stack((push.real, push.imag), axis=1).astype(np.float64)


OnRound = Callable[[float], bool | None]
# Numbers of discs between which the forces for small and large graphs are interpolated.
FEW, MANY = 60, 1_000
MAX_COMMON_DEGREE = 100  # neighbours with more relations do not count as common neighbours


def apply_forces(
    points: FloatArray,
    pairs: FloatArray,
    strengths: FloatArray,
    fixed: np.ndarray,
    rounds: int,
    spacing: float,
    cancel: CancelToken | None,
    *,
    heat: float | None = None,
    on_round: OnRound | None = None,
) -> FloatArray:
    """Return the points after `rounds` iterations of the forces.

    Args:
        fixed: points that do not move, bool, shape (N,); forces are computed for the others only.
        heat: largest first step in units of `spacing`; None for a layout from scratch.
    """
    n = len(points)
    free = np.flatnonzero(~fixed)
    if not len(free):
        return points
    points = points.copy()
    large = float(np.clip(np.log(n / FEW) / np.log(MANY / FEW), 0.0, 1.0))
    # Hubs need more space, but in a large graph not so much that they move to the margin.
    masses = 0.7 + 0.3 * np.bincount(pairs.ravel(), minlength=n) ** (0.5 - 0.25 * large)
    pulls = (
        (5.0 + 5.0 * large) * strengths * _weigh_common_neighbours(n, pairs) ** (0.5 + 0.5 * large)
    )
    moving = ~fixed[pairs].all(1)  # relations with an end that moves
    pairs, pulls = pairs[moving], pulls[moving]
    first, second = pairs[:, 0], pairs[:, 1]
    asked = None if len(free) == n else free
    hot = spacing * (heat if heat is not None else 0.25 * np.sqrt(n) + 0.5)
    last_power = 0.6 - 0.5 * large
    for number in range(rounds):
        if cancel is not None:
            cancel.check()
        if on_round is not None and number % 4 == 0 and on_round(number / rounds) is False:
            break
        # Long relations attract more at first, so that each entity gets to its side.
        done = 1.0 if heat is not None else min(1.0, number / (0.6 * rounds))
        power = 1.0 + (last_power - 1.0) * done
        force = np.zeros((n, 2))
        force[free] = build_repulsion(points, masses, asked) * spacing**2 * masses[free, None]
        delta = points[first] - points[second]
        distance = np.sqrt((delta * delta).sum(1)) + 1e-6
        pull = delta * (pulls * (distance / spacing) ** (power - 1.0))[:, None]
        for column in (0, 1):
            force[:, column] -= np.bincount(first, pull[:, column], n)
            force[:, column] += np.bincount(second, pull[:, column], n)
        if asked is None:  # weak attraction to the middle; windows are wider than high
            force -= (points - points.mean(0)) * (0.7, 1.25)
        force = force[free]
        size = np.sqrt((force * force).sum(1)) + 1e-9
        heat_now = hot * (1.0 - number / rounds) ** 1.6 + 0.3
        step = np.minimum(size * 0.12, heat_now)
        points[free] += force / size[:, None] * step[:, None]
    return points


def _weigh_common_neighbours(n: int, pairs: FloatArray) -> FloatArray:
    """Return the share of common neighbours of the ends of each relation, median 1, shape (E,)."""
    if not len(pairs):
        return np.ones(0)
    degrees = np.bincount(pairs.ravel(), minlength=n)
    ends = np.concatenate((pairs, pairs[:, ::-1]))
    ends = ends[degrees[ends[:, 1]] <= MAX_COMMON_DEGREE]
    near = scipy.sparse.csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n))
    shared = np.asarray((near @ near.T)[pairs[:, 0], pairs[:, 1]]).ravel()
    share = (shared + 1.0) / np.sqrt(degrees[pairs[:, 0]] * degrees[pairs[:, 1]])
    clipped: np.ndarray = np.clip(share / float(np.median(share)), 0.05, 12.0)
    return clipped


SPACING = 84.0


def force_layout(
    n: int,
    edges: FloatArray,
    weights: FloatArray | None = None,
    *,
    positions: FloatArray | None = None,
    radii: FloatArray | None = None,
    pinned: FloatArray | None = None,
    spacing: float = SPACING,
    corner: tuple[float, float] = CORNER,
    cancel: CancelToken | None = None,
    on_round: OnRound | None = None,
) -> FloatArray:
    """Return a position for each entity, float64, shape (N, 2), in pixels around (0, 0).

    The attraction of a relation is divided by the degree of its less connected end, so that hubs
    spread out. Entities with a known position move only as far as discs would overlap, unless about
    as many are new; pinned ones do not move at all; new ones start beside their neighbours.

    Args:
        n: number of entities.
        edges: pairs of rows, shape (E, 2), in any order; duplicates are allowed.
        weights: strength of each relation, shape (E,); None for all equal.
        positions: earlier positions, shape (N, 2); rows of NaN for new entities.
        radii: of the discs, shape (N,), in pixels; the result has no overlapping discs.
        pinned: whether a disc must not move, bool, shape (N,).
        spacing: preferred length of a relation.
        corner: see `pack_components`.
        on_round: called with the progress, 0 to 1; if it returns False, the layout ends early.

    Raises:
        Cancelled: `cancel` was set; checked in each iteration.
    """
    if n == 0:
        return np.zeros((0, 2))
    pairs, strengths = _clean_edges(n, edges, weights)
    discs = np.full(n, 8.0) if radii is None else np.asarray(radii, dtype=float)
    known = np.zeros(n, dtype=bool)
    points = np.zeros((n, 2))
    if positions is not None:
        known = np.isfinite(positions).all(1)
        points[known] = np.asarray(positions, dtype=float)[known]
    fixed = np.zeros(n, dtype=bool) if pinned is None else np.asarray(pinned, dtype=bool) & known
    graph = scipy.sparse.coo_array((strengths, (pairs[:, 0], pairs[:, 1])), shape=(n, n)).tocsr()
    _, component_of = scipy.sparse.csgraph.connected_components(graph, directed=False)
    attached = np.isin(component_of, np.unique(component_of[known])) if known.any() else known
    if not attached[~known].any() and known.any() and known.all():
        return separate_discs(points, discs, fixed=fixed)
    if attached.any() and not known[attached].all():
        points = _place_new(
            points, known, attached, pairs, strengths, fixed, spacing, cancel, on_round
        )
    new_components = [np.flatnonzero(component_of == p) for p in np.unique(component_of[~attached])]
    if new_components:
        new_components.sort(key=lambda rows: (-len(rows), int(rows[0])))
        layouts = _layout_components(new_components, pairs, strengths, spacing, cancel, on_round)
        placed_points = points[attached] if attached.any() else None
        packed = pack_components(
            layouts, spacing=spacing, placed_points=placed_points, corner=corner
        )
        for rows, component in zip(new_components, packed, strict=True):
            points[rows] = component
    points = separate_discs(points, discs, fixed=fixed)
    if not known.any():
        points -= (points.min(0) + points.max(0)) / 2
    return points


def _clean_edges(
    n: int, edges: FloatArray, weights: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    pairs = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
    raw = np.ones(len(pairs)) if weights is None else np.asarray(weights, dtype=float)
    good = (pairs[:, 0] != pairs[:, 1]) & (pairs >= 0).all(1) & (pairs < n).all(1)
    pairs, raw = np.sort(pairs[good], axis=1), np.maximum(raw[good], 0.0)
    if not len(pairs):
        return pairs, raw
    # Weights span orders of magnitude; the logarithm keeps weak relations visible.
    strengths = 0.5 + np.log1p(raw) / max(float(np.log1p(raw.max())), 1e-9)
    degrees = np.bincount(pairs.ravel(), minlength=n)
    return pairs, strengths / np.sqrt(np.minimum(degrees[pairs[:, 0]], degrees[pairs[:, 1]]))


def _layout_components(
    components: list[FloatArray],
    pairs: FloatArray,
    strengths: FloatArray,
    spacing: float,
    cancel: CancelToken | None,
    on_round: OnRound | None,
) -> list[FloatArray]:
    layouts = []
    random = np.random.default_rng(0)
    order = np.empty(max((int(rows.max()) for rows in components), default=0) + 1, dtype=np.int64)
    which = np.full(len(order), -1)
    for number, rows in enumerate(components):
        which[rows] = number
    inside = np.flatnonzero(
        np.isin(which[pairs[:, 0].clip(max=len(order) - 1)], range(len(components)))
    )
    inside = inside[pairs[inside].max(1) < len(order)] if len(inside) else inside
    by_component = inside[np.argsort(which[pairs[inside, 0]], kind="stable")]
    bounds = np.searchsorted(which[pairs[by_component, 0]], np.arange(len(components) + 1))
    for number, rows in enumerate(components):
        if len(rows) == 1:
            layouts.append(np.zeros((1, 2)))
            continue
        if len(rows) == 2:
            layouts.append(np.array([[-0.5, 0.0], [0.5, 0.0]]) * spacing)
            continue
        n = len(rows)
        order[rows] = np.arange(n)
        own = by_component[bounds[number] : bounds[number + 1]]
        local = order[pairs[own]]
        points = _initial_positions(n, local, random, spacing)
        rounds = 75 + 3 * n if n <= 120 else 300 if n <= 800 else 240 if n <= 4_000 else 180
        pulls, fixed = strengths[own], np.zeros(n, dtype=bool)
        points = apply_forces(
            points, local, pulls, fixed, rounds, spacing, cancel, on_round=on_round
        )
        layouts.append(make_rounder(points) if n <= MAX_ROUNDED else points)
    return layouts


ROUNDEST, MAX_SHEARED = 1.12, 2.0  # long side to short side; change of one of them
MAX_ROUNDED = 600  # entities; larger components are round enough


def make_rounder(points: FloatArray) -> FloatArray:
    """Return the points of a component that is long and narrow in a rounder shape.

    The long axis is shortened and the short one stretched by the same factor, so that the area
    stays; the result lies along the axes of the view.
    """
    centred = points - points.mean(0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes[:, ::-1]  # the long axis first
    axes *= np.where(axes[np.abs(axes).argmax(0), [0, 1]] < 0, -1.0, 1.0)
    turned = centred @ axes
    wide, high = np.maximum(np.ptp(turned, axis=0), 1e-9)
    if wide <= ROUNDEST * high:
        return points
    factor = min(np.sqrt(wide / (ROUNDEST * high)), MAX_SHEARED)
    rounder: FloatArray = turned * (1.0 / factor, factor)
    return rounder


def _initial_positions(
    n: int, pairs: FloatArray, random: np.random.Generator, spacing: float
) -> FloatArray:
    """Return start positions by pivot MDS (Brandes and Pich)."""
    links = scipy.sparse.coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    links = links.tocsr()
    pivot = int(np.bincount(pairs.ravel(), minlength=n).argmax())
    nearest = np.full(n, np.inf)
    rows = []
    for _ in range(min(n, 24)):
        far = scipy.sparse.csgraph.dijkstra(links, directed=False, indices=pivot, unweighted=True)
        rows.append(far)
        nearest = np.minimum(nearest, far)
        pivot = int(nearest.argmax())
    squared = np.stack(rows, axis=1) ** 2
    centred = squared - squared.mean(0) - squared.mean(1)[:, None] + squared.mean()
    _, vectors = np.linalg.eigh(centred.T @ centred)
    flat = centred @ vectors[:, -2:][:, ::-1]
    flat *= np.sign(flat[np.abs(flat).argmax(0), [0, 1]] + 1e-12)
    flat /= np.abs(flat).max(0) + 1e-9
    points: np.ndarray = (flat + random.normal(0, 0.12, (n, 2))) * spacing * np.sqrt(n) * 0.5
    return points


MIN_GROWN, GROWN = 80, 0.7  # entities, and the share of known ones below which all move


def _place_new(
    points: FloatArray,
    known: FloatArray,
    attached: FloatArray,
    pairs: FloatArray,
    strengths: FloatArray,
    fixed: FloatArray,
    spacing: float,
    cancel: CancelToken | None,
    on_round: OnRound | None,
) -> FloatArray:
    """Return the points with the new entities of partly known components placed."""
    n = len(points)
    placed = known.copy()
    middle = points[known].mean(0)
    both = np.concatenate((pairs, pairs[:, ::-1]))
    pull = np.concatenate((strengths, strengths))
    while True:
        use = ~placed[both[:, 0]] & placed[both[:, 1]]
        if not use.any():
            break
        rows, others, share = both[use, 0], both[use, 1], pull[use]
        total = np.bincount(rows, share, n)
        new = np.unique(rows)
        for column in (0, 1):
            sums = np.bincount(rows, share * points[others, column], n)
            points[new, column] = sums[new] / total[new]
        # Outwards, at multiples of the golden angle: entities around one hub must not coincide.
        outward = np.arctan2(*(points[new] - middle).T[::-1])
        turn = np.arange(len(new)) * 2.399963
        reach = spacing * (0.5 + 0.12 * np.sqrt(np.arange(len(new))))
        points[new, 0] += np.cos(outward + 0.6 * np.sin(turn)) * reach + np.cos(turn) * reach / 3
        points[new, 1] += np.sin(outward + 0.6 * np.sin(turn)) * reach + np.sin(turn) * reach / 3
        placed[new] = True
    # among as many new ones, the known ones would stay a knot in the middle
    is_grown = n >= MIN_GROWN and known.sum() < GROWN * attached.sum()
    held = fixed if is_grown else known
    rounds = 240 if is_grown else 60
    rows = np.flatnonzero(attached)
    order = np.zeros(n, dtype=np.int64)
    order[rows] = np.arange(len(rows))
    own = attached[pairs[:, 0]]
    local, pulls = order[pairs[own]], strengths[own]
    moved = points.copy()
    moved[rows] = apply_forces(
        points[rows],
        local,
        pulls,
        held[rows],
        rounds,
        spacing,
        cancel,
        heat=0.8,
        on_round=on_round,
    )
    return moved
