"""Packs connected components side by side and removes overlaps of discs.

Geometry without forces: components are placed on a grid of free cells; overlapping discs are moved
apart. Knows no relations.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

FloatArray = np.ndarray


def pack_components(
    components: list[FloatArray], *, spacing: float, placed_points: FloatArray | None = None
) -> list[FloatArray]:
    """Return the components moved beside each other, the first one in the middle.

    Each component gets the free position nearest to the middle of an area wider than high.

    Args:
        components: points of each component, shape (N, 2), largest component first.
        placed_points: points that are placed already and do not move, shape (M, 2).
    """
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
    far = axis[None, :] ** 2 / 1.6 + axis[:, None] ** 2 * 1.6
    moved: list[FloatArray] = []
    n_large = sum(len(component) > 2 for component in components)
    for component, (wide, high) in zip(components[:n_large], extents, strict=False):
        column, row = _nearest_free(taken, far, int(wide), int(high))
        middle = np.array([column + (wide - 1) / 2 - half, row + (high - 1) / 2 - half])
        placed = component - (component.min(0) + component.max(0)) / 2 + middle * spacing
        if len(component) > 12:
            _mark_cells(taken, placed, half, spacing)
        else:
            taken[row : row + high - 1, column : column + wide - 1] = True
        moved.append(placed + around)
    slots = _find_slots(taken, far, len(components) - n_large) - half
    for component, slot in zip(components[n_large:], slots, strict=True):
        moved.append(component - component.mean(0) + slot * spacing + around)
    return moved


def _find_slots(taken: np.ndarray, far: np.ndarray, n_slots: int) -> FloatArray:
    """Return the centres of free pairs of cells, nearest first, shape (n_slots, 2)."""
    wide = taken.shape[1] // 2 * 2
    free = ~(taken[:, :wide:2] | taken[:, 1:wide:2])
    cost = np.where(free, far[:, :wide:2] + far[:, 1:wide:2], np.inf).ravel()
    best = np.argsort(cost, kind="stable")[:n_slots]
    rows, columns = np.divmod(best, wide // 2)
    return np.stack((columns * 2 + 0.5, rows.astype(float)), axis=1)


def _mark_cells(taken: np.ndarray, points: FloatArray, half: int, spacing: float) -> None:
    from scipy import ndimage  # imported here because it takes 0.1 s at the start of the program

    cells = np.clip(np.rint(points / spacing).astype(int) + half, 0, 2 * half)
    mine = np.zeros_like(taken)
    mine[cells[:, 1], cells[:, 0]] = True
    mine = ndimage.binary_closing(mine, iterations=2) | mine
    taken |= ndimage.binary_fill_holes(ndimage.binary_dilation(mine))


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
    points: FloatArray,
    radii: FloatArray,
    *,
    fixed: np.ndarray,
    gap: float = 6.0,
    rounds: int = 60,
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
        pairs = cKDTree(points).query_pairs(2 * small + gap, output_type="ndarray")
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
    near = cKDTree(points).query_ball_point(points[big], reach)
    first = np.repeat(big, [len(found) for found in near])
    second = np.concatenate([np.asarray(found, dtype=np.int64) for found in near])
    pairs = np.stack((np.minimum(first, second), np.maximum(first, second)), axis=1)
    return np.unique(pairs[first != second], axis=0)
