"""Where the discs of a picture of the graph stand: a force layout that does not jump.

Owns the placing of new entities and the order of steps. Arrays in, an array out; knows no ids,
no database and no window. Same input, same picture.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from ..progress import CancelToken
from .layout_packing import pack_pieces, part_discs
from .layout_settling import OnRound, settle

SPACING = 84.0
FloatArray = np.ndarray


def force_layout(
    n: int,
    edges: FloatArray,
    weights: FloatArray | None = None,
    *,
    positions: FloatArray | None = None,
    radii: FloatArray | None = None,
    pinned: FloatArray | None = None,
    seed: int = 0,
    iterations: int | None = None,
    spacing: float = SPACING,
    cancel: CancelToken | None = None,
    on_round: OnRound | None = None,
) -> FloatArray:
    """Return a place for every entity, float64, shape (N, 2), in pixels around (0, 0).

    The pull of a relation is shared among the relations of its less connected end, so that hubs
    spread out; `layout_settling` balances it. Entities with a known place barely move, pinned
    ones not at all; new ones start beside their neighbours.

    Args:
        n: how many entities there are.
        edges: pairs of row numbers, shape (E, 2); E may be 0, order and doubles don't matter.
        weights: strength of each relation, shape (E,); None for all equal.
        positions: places of a former picture, shape (N, 2), rows of NaN for new entities.
        radii: of the discs, shape (N,), in pixels; no two discs overlap in the end.
        pinned: true where a disc must stay, shape (N,).
        iterations: rounds of forces; None picks by size.
        spacing: length that a relation would like to have.
        on_round: told how much is done, 0 to 1; with False it ends at what is reached.

    Raises:
        Cancelled: `cancel` was set; it is looked at every round.
    """
    if n == 0:
        return np.zeros((0, 2))
    pairs, strengths = _clean(n, edges, weights)
    discs = np.full(n, 8.0) if radii is None else np.asarray(radii, dtype=float)
    known = np.zeros(n, dtype=bool)
    points = np.zeros((n, 2))
    if positions is not None:
        known = np.isfinite(positions).all(1)
        points[known] = np.asarray(positions, dtype=float)[known]
    fixed = np.zeros(n, dtype=bool) if pinned is None else np.asarray(pinned, dtype=bool) & known
    random = np.random.default_rng(seed)
    graph = sparse.coo_array((strengths, (pairs[:, 0], pairs[:, 1])), shape=(n, n)).tocsr()
    _, piece_of = csgraph.connected_components(graph, directed=False)
    attached = np.isin(piece_of, np.unique(piece_of[known])) if known.any() else known
    if not attached[~known].any() and known.any() and known.all():
        free = part_discs(points, discs, fixed=fixed)
        return free
    if attached.any() and not known[attached].all():
        points = _join_new(
            points, known, attached, pairs, strengths, fixed, spacing, cancel, on_round
        )
    fresh = [np.flatnonzero(piece_of == p) for p in np.unique(piece_of[~attached])]
    if fresh:
        fresh.sort(key=lambda rows: (-len(rows), int(rows[0])))
        laid = _lay_pieces(fresh, pairs, strengths, random, iterations, spacing, cancel, on_round)
        standing = points[attached] if attached.any() else None
        packed = pack_pieces(laid, spacing=spacing, standing=standing)
        for rows, piece in zip(fresh, packed, strict=True):
            points[rows] = piece
    points = part_discs(points, discs, fixed=fixed)
    if not known.any():
        points -= (points.min(0) + points.max(0)) / 2
    return points


def _clean(n: int, edges: FloatArray, weights: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    pairs = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
    raw = np.ones(len(pairs)) if weights is None else np.asarray(weights, dtype=float)
    good = (pairs[:, 0] != pairs[:, 1]) & (pairs >= 0).all(1) & (pairs < n).all(1)
    pairs, raw = np.sort(pairs[good], axis=1), np.maximum(raw[good], 0.0)
    if not len(pairs):
        return pairs, raw
    # Weights run over orders of magnitude; a pull 1 to 3 wide keeps weak relations in sight.
    strengths = 0.5 + np.log1p(raw) / max(float(np.log1p(raw.max())), 1e-9)
    degrees = np.bincount(pairs.ravel(), minlength=n)
    return pairs, strengths / np.sqrt(np.minimum(degrees[pairs[:, 0]], degrees[pairs[:, 1]]))


def _lay_pieces(
    pieces: list[FloatArray],
    pairs: FloatArray,
    strengths: FloatArray,
    random: np.random.Generator,
    iterations: int | None,
    spacing: float,
    cancel: CancelToken | None,
    on_round: OnRound | None = None,
) -> list[FloatArray]:
    laid = []
    order = np.empty(max((int(rows.max()) for rows in pieces), default=0) + 1, dtype=np.int64)
    which = np.full(len(order), -1)
    for number, rows in enumerate(pieces):
        which[rows] = number
    inside = np.flatnonzero(
        np.isin(which[pairs[:, 0].clip(max=len(order) - 1)], range(len(pieces)))
    )
    inside = inside[pairs[inside].max(1) < len(order)] if len(inside) else inside
    by_piece = inside[np.argsort(which[pairs[inside, 0]], kind="stable")]
    bounds = np.searchsorted(which[pairs[by_piece, 0]], np.arange(len(pieces) + 1))
    for number, rows in enumerate(pieces):
        if len(rows) == 1:
            laid.append(np.zeros((1, 2)))
            continue
        if len(rows) == 2:
            laid.append(np.array([[-0.5, 0.0], [0.5, 0.0]]) * spacing)
            continue
        order[rows] = np.arange(len(rows))
        own = by_piece[bounds[number] : bounds[number + 1]]
        local = order[pairs[own]]
        points = _first_guess(len(rows), local, random, spacing)
        rounds = iterations or _rounds(len(rows))
        still = np.ones(len(rows))
        laid.append(
            settle(points, local, strengths[own], still, rounds, spacing, cancel, on_round=on_round)
        )
    return laid


def _rounds(n: int) -> int:
    if n <= 120:
        return 75 + 3 * n
    return 300 if n <= 800 else 240 if n <= 4_000 else 180


def _first_guess(
    n: int, pairs: FloatArray, random: np.random.Generator, spacing: float
) -> FloatArray:
    """Pivot MDS (Brandes and Pich): distances to a few far-apart entities, flattened to two."""
    links = sparse.coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(n, n))
    links = links.tocsr()
    pivot = int(np.bincount(pairs.ravel(), minlength=n).argmax())
    nearest = np.full(n, np.inf)
    rows = []
    for _ in range(min(n, 24)):
        far = csgraph.dijkstra(links, directed=False, indices=pivot, unweighted=True)
        rows.append(far)
        nearest = np.minimum(nearest, far)
        pivot = int(nearest.argmax())
    squared = np.stack(rows, axis=1) ** 2
    centred = squared - squared.mean(0) - squared.mean(1)[:, None] + squared.mean()
    _, vectors = np.linalg.eigh(centred.T @ centred)
    flat = centred @ vectors[:, -2:][:, ::-1]
    flat *= np.sign(flat[np.abs(flat).argmax(0), [0, 1]] + 1e-12)
    flat /= np.abs(flat).max(0) + 1e-9
    return (flat + random.normal(0, 0.12, (n, 2))) * spacing * np.sqrt(n) * 0.5


def _join_new(
    points: FloatArray,
    known: FloatArray,
    attached: FloatArray,
    pairs: FloatArray,
    strengths: FloatArray,
    fixed: FloatArray,
    spacing: float,
    cancel: CancelToken | None,
    on_round: OnRound | None = None,
) -> FloatArray:
    """Return the points with new entities of known pieces placed and settled."""
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
        # Outwards, fanned by the golden angle, so that many around one hub don't pile up.
        outward = np.arctan2(*(points[new] - middle).T[::-1])
        turn = np.arange(len(new)) * 2.399963
        reach = spacing * (0.5 + 0.12 * np.sqrt(np.arange(len(new))))
        points[new, 0] += np.cos(outward + 0.6 * np.sin(turn)) * reach + np.cos(turn) * reach / 3
        points[new, 1] += np.sin(outward + 0.6 * np.sin(turn)) * reach + np.sin(turn) * reach / 3
        placed[new] = True
    mobility = np.where(known, 0.008, 1.0)
    mobility[fixed] = 0.0
    rows = np.flatnonzero(attached)
    order = np.zeros(n, dtype=np.int64)
    order[rows] = np.arange(len(rows))
    own = attached[pairs[:, 0]]
    settled = settle(
        points[rows],
        order[pairs[own]],
        strengths[own],
        mobility[rows],
        60,
        spacing,
        cancel,
        heat=0.8,
        on_round=on_round,
    )
    points = points.copy()
    points[rows] = settled
    return points
