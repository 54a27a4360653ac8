"""Where a label may be on the screen: positions around a node, and what is there already.

Knows nodes, rectangles and lines, not names or fonts.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

CELL, BAND = 2, 24
EDGE = 6.0
WHOLE_DISCS = 600


class Occupancy:
    """The occupied parts of the screen: nodes on a grid, rectangles of labels and panels.

    Nodes are added once, first; a summed-area table of the grid then answers a query with four
    look-ups, however big the label is.
    """

    def __init__(self, width: float, height: float) -> None:
        self._columns, self._rows = int(width) // CELL + 2, int(height) // CELL + 2
        self._sums: np.ndarray | None = None
        # by horizontal band of the screen, so that few are compared with a label
        self._rects: dict[int, list[tuple[float, float, float, float]]] = {}

    def is_free(self, x: float, y: float, width: float, height: float) -> bool:
        """Return whether a rectangle overlaps no label and no panel."""
        right, bottom = x + width, y + height
        for band in range(int(y // BAND), int(bottom // BAND) + 1):
            for left, top, end, foot in self._rects.get(band, ()):
                if x < end and right > left and y < foot and bottom > top:
                    return False
        return True

    def clear_of_discs(self, spots: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """Return which spots (N, S, 2) with `sizes` (N, S, 2) overlap no node, shape (N, S).

        NaN spots give False.
        """
        with np.errstate(invalid="ignore"):
            ends = spots + sizes
            known = np.isfinite(spots).all(2)
            low = np.where(known[..., None], spots, 0).astype(np.int64) // CELL
            high = np.where(known[..., None], ends, 0).astype(np.int64) // CELL + 1
        most = (self._columns, self._rows)
        low, high = np.clip(low, 0, most), np.clip(high, 0, most)
        if self._sums is None:
            return known
        left, top, right, bottom = low[..., 0], low[..., 1], high[..., 0], high[..., 1]
        sums = self._sums
        over = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        return known & (over == 0)

    def fork(self) -> Occupancy:
        """Return one with the same nodes and rectangles, to which others may be added."""
        made = Occupancy(0.0, 0.0)
        made._columns, made._rows, made._sums = self._columns, self._rows, self._sums
        made._rects = {band: [*rects] for band, rects in self._rects.items()}
        return made

    def take(self, x: float, y: float, width: float, height: float) -> None:
        for band in range(int(y // BAND), int((y + height) // BAND) + 1):
            self._rects.setdefault(band, []).append((x, y, x + width, y + height))

    def take_discs(self, points: np.ndarray, radii: np.ndarray) -> None:
        """Mark the cells of nodes (the biggest last); of small ones only the centre."""
        taken = np.zeros((self._rows, self._columns), dtype=bool)
        cells = (points / CELL).astype(np.int64)
        known = (cells >= 0).all(1) & (cells[:, 0] < self._columns) & (cells[:, 1] < self._rows)
        cells = cells[known]
        taken[cells[:, 1], cells[:, 0]] = True
        whole = np.flatnonzero(radii >= 3)[-WHOLE_DISCS:]
        low = np.maximum((points[whole] - 0.8 * radii[whole, None]) // CELL, 0).astype(int)
        high = np.maximum((points[whole] + 0.8 * radii[whole, None]) // CELL + 1, 0).astype(int)
        for (left, top), (right, bottom) in zip(low.tolist(), high.tolist(), strict=True):
            taken[top:bottom, left:right] = True
        self._sums = np.zeros((self._rows + 1, self._columns + 1), dtype=np.int32)
        inside = self._sums[1:, 1:]
        np.cumsum(taken, axis=1, dtype=np.int32, out=inside)
        for above, row in itertools.pairwise(inside):  # half the time of `cumsum` over columns
            row += above


def find_covering_spots(
    middle: tuple[float, float], radius: float, width: float, height: float
) -> list[tuple[float, float]]:
    """Return positions (left, top) of a label that cover a part of its node, best first."""
    x, y = middle
    lefts = (x - width / 2, x - radius / 2, x - width + radius / 2)
    tops = (y + 0.3 * radius, y - 0.3 * radius - height)
    return [(left, top) for top in tops for left in lefts]


NEIGHBOURHOOD = 32.0  # pixels; width of the cells in which nodes are looked up
COLUMN = 100_000  # difference of the keys of two cells side by side
CLEARER = 1.0  # pixels that a label is nearer to its own node than to any other
# In a view that shows each name, the label's middle decides as well: a reader looks from it.
NEAR_MIDDLE = 0.6  # least distance of the middle to other nodes, in distances to its own


class NearbyDiscs:
    """The visible nodes by place, to check that a label is nearest to its own node.

    Args:
        points, radii: of all nodes, shapes (N, 2) and (N,); rows: the visible ones, shape (V,).
    """

    def __init__(self, points: np.ndarray, radii: np.ndarray, rows: np.ndarray) -> None:
        cells = np.floor(points[rows] / NEIGHBOURHOOD).astype(np.int64)
        keys = cells[:, 0] * COLUMN + cells[:, 1]
        order = np.argsort(keys, kind="stable")
        keys, rows = keys[order], rows[order]
        # flat lists: a list for each node would cost a garbage collection in every frame
        self._x, self._y = points[rows, 0].tolist(), points[rows, 1].tolist()
        self._radii, self._rows = radii[rows].tolist(), rows.tolist()
        starts = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1)).tolist()
        ranges = zip(starts, [*starts[1:], len(rows)], strict=True)
        self._ranges = dict(zip(keys[starts].tolist(), ranges, strict=True))
        self._largest = float(radii[rows].max(initial=0.0))

    def is_nearest(
        self,
        row: int,
        middle: tuple[float, float],
        radius: float,
        box: tuple[float, ...],
        *,
        covers: bool = False,
        clearer: float = CLEARER,
    ) -> bool:
        """Return whether a label is nearer to its node than to any other, edge to edge.

        The distance of a label that covers a part of its node is negative; with `covers`, it may
        cover other nodes, which are smaller.

        Args:
            middle, radius: of its node; box: left, top, width and height of the label.
            clearer: by how many pixels it is nearer.
        """
        left, top, right, bottom = box[0], box[1], box[0] + box[2], box[1] + box[3]
        x, y = middle
        own = math.hypot(max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom)) - radius
        most = own + (clearer if own > 0 else clearer / 2)
        most = most if covers else max(0.0, most)
        reach = max(0.0, most) + self._largest
        cell = NEIGHBOURHOOD
        across = range(int((left - reach) // cell), int((right + reach) // cell) + 1)
        down = range(int((top - reach) // cell), int((bottom + reach) // cell) + 1)
        for column in across:
            for line in down:
                start, end = self._ranges.get(column * COLUMN + line, (0, 0))
                for place in range(start, end):
                    limit = most + self._radii[place]
                    if limit <= 0.0:
                        continue
                    x, y = self._x[place], self._y[place]
                    wide = left - x if x < left else x - right if x > right else 0.0
                    if wide >= limit:
                        continue
                    high = top - y if y < top else y - bottom if y > bottom else 0.0
                    near = wide * wide + high * high < limit * limit
                    if near and self._rows[place] != row:
                        return False
        return True


def have_clear_middles(
    spots: np.ndarray, sizes: np.ndarray, rows: np.ndarray, points: np.ndarray, radii: np.ndarray
) -> np.ndarray:
    """Return at which spots no other node is near the middle of a label, shape (N, S).

    Args:
        spots: left and top of the labels, shape (N, S, 2); sizes: of them, shape (N, 2).
        rows: position of the node of each label in `points`, shape (N,).
        points, radii: of the visible nodes, shapes (V, 2) and (V,).
    """
    middles = spots + sizes[:, None, :] / 2
    is_clear = np.isfinite(spots[:, :, 0])
    own_points = points[rows]
    away = np.linalg.norm(middles - own_points[:, None], axis=2)
    least = np.maximum(NEAR_MIDDLE * (away - radii[rows, None]), 0.0)
    # few nodes are so near that they can be near the middle of any of the spots
    reach = np.where(is_clear, away + least, 0.0).max(1)
    apart_x = own_points[:, None, 0] - points[:, 0]
    apart_y = own_points[:, None, 1] - points[:, 1]
    can_be_near = apart_x * apart_x + apart_y * apart_y < (reach[:, None] + radii) ** 2
    can_be_near[np.arange(len(rows)), rows] = False
    labels, others = np.nonzero(can_be_near)
    if len(labels):
        across = middles[labels, :, 0] - points[others, 0, None]
        down = middles[labels, :, 1] - points[others, 1, None]
        with np.errstate(invalid="ignore"):
            limit = least[labels] + radii[others, None]
            near = across * across + down * down < limit * limit
        starts = np.flatnonzero(np.diff(labels, prepend=-1))
        is_clear[labels[starts]] &= ~np.logical_or.reduceat(near, starts, axis=0)
    return is_clear


def count_crossings(
    spots: np.ndarray,
    sizes: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    widths: np.ndarray | None = None,
) -> np.ndarray:
    """Return how many lines cross a label at each of its spots, shape (N, S).

    Args:
        spots: left and top, shape (N, S, 2); sizes: of the labels, shape (N, 2).
        starts, ends: of the lines, shape (L, 2).
        widths: of the lines, shape (L,); a line counts as its width.
    """
    found = np.zeros(spots.shape[:2])
    known = np.isfinite(spots)
    low = np.where(known, spots, np.inf).min(1)
    high = np.where(known, spots, -np.inf).max(1) + sizes
    # few lines cross the rectangle around all spots of a label
    can_cross = np.ones((len(spots), len(starts)), dtype=bool)
    for axis in range(2):
        first, last = np.minimum(starts[:, axis], ends[:, axis]), np.maximum(starts, ends)[:, axis]
        can_cross &= (first < high[:, axis, None]) & (last > low[:, axis, None])
    labels, lines = np.nonzero(can_cross)
    if not len(labels):
        return found
    enters: np.ndarray | float = 0.0  # shares of each line, from its start to its end
    leaves: np.ndarray | float = 1.0
    with np.errstate(invalid="ignore"):
        for axis in range(2):
            along = (ends[:, axis] - starts[:, axis])[lines, None]
            share = 1.0 / np.where(np.abs(along) < 1e-6, 1e-6, along)
            half = sizes[labels, axis, None] / 2
            middle = (spots[labels, :, axis] + (half - starts[lines, axis, None])) * share
            half = half * np.abs(share)
            enters, leaves = np.maximum(enters, middle - half), np.minimum(leaves, middle + half)
        crosses = enters < leaves
    weights = crosses if widths is None else crosses * widths[lines, None]
    begins = np.flatnonzero(np.diff(labels, prepend=-1))
    found[labels[begins]] = np.add.reduceat(weights, begins, axis=0, dtype=float)
    return found


SPOT_GAP = 4.0  # pixels between a node and a label beside it


def find_spots(
    points: np.ndarray, radii: np.ndarray, sizes: np.ndarray, wide: float, high: float
) -> np.ndarray:
    """Return candidate positions (left, top) of labels, best first, shape (N, 12, 2), NaN for none.

    All are on the screen. A label above or below its node may shift sideways to stay inside;
    at the sides it must fit.

    Args:
        points, radii: of the discs, shapes (N, 2) and (N,); sizes: of the names, shape (N, 2).
    """
    (x, y), (width, height) = points.T, sizes.T
    middle = np.minimum(np.maximum(x - width / 2, EDGE), np.maximum(wide - width - EDGE, EDGE))
    beside = np.minimum(np.maximum(y - height / 2, EDGE), np.maximum(high - height - EDGE, EDGE))
    below, above = y + radii + 2, y - radii - height - 2
    right, left = x + radii + SPOT_GAP, x - radii - SPOT_GAP - width
    fits_below = below + height <= high - EDGE
    spots = np.full((len(x), 12, 2), np.nan)

    def put(number: int, across: np.ndarray, down: np.ndarray, fits: np.ndarray) -> None:
        spots[fits, number, 0], spots[fits, number, 1] = across[fits], down[fits]

    put(0, middle, below, fits_below)
    put(1, right, beside, right + width <= wide - EDGE)
    put(2, middle, above, above >= EDGE)
    put(3, left, beside, left >= EDGE)
    # Aligned with an edge of the node, where the centred position is occupied.
    for number, start in ((4, x - radii), (5, x + radii - width)):
        inside = (start >= EDGE) & (start + width <= wide - EDGE)
        put(number, start, below, fits_below & inside)
        put(number + 2, start, above, (above >= EDGE) & inside)
    # At the corners of the node.
    near = radii * 0.7 + 2
    for number, across, down in (
        (8, x + near, y + near),
        (9, x + near, y - near - height),
        (10, x - near - width, y + near),
        (11, x - near - width, y - near - height),
    ):
        inside = (across >= EDGE) & (across + width <= wide - EDGE)
        put(number, across, down, inside & (down >= EDGE) & (down + height <= high - EDGE))
    nowhere = ~np.isfinite(spots[:, :, 0]).any(1)
    put(0, middle, beside, nowhere)
    return spots


RING_TURNS, RING_GAPS = 24, (2.0, 9.0)  # directions around a node, and pixels to its edge


def _list_directions() -> np.ndarray:
    """Return unit vectors to all sides, those beside and below first, shape (`RING_TURNS`, 2)."""
    turns = 2 * np.pi * (np.arange(RING_TURNS) + 1e-3) / RING_TURNS  # none is zero
    along = np.stack((np.cos(turns), np.sin(turns)), axis=1)
    ordered: np.ndarray = along[np.argsort(along[:, 1] < -0.1, kind="stable")]
    return ordered


RING_ALONG = _list_directions()


def find_ring_spots(
    points: np.ndarray,
    radii: np.ndarray,
    sizes: np.ndarray,
    gaps: Sequence[float] = RING_GAPS,
) -> np.ndarray:
    """Return positions (left, top) of labels in all directions around their nodes, shape (N, S, 2).

    They are for a name that must be shown where all positions of `find_spots` are occupied, or that
    lines cross in all of them: the nearest first, and of these the ones beside and below the node.

    Args:
        points, radii, sizes: see `find_spots`; gaps: pixels from a node to its label.
    """
    half_x, half_y = (sizes / 2).T[..., None]
    across, down = np.abs(RING_ALONG).T
    corner = half_x * across + half_y * down  # of the label, in the direction of its middle
    found = []
    for gap in gaps:
        reach = radii[:, None] + gap
        # how far the middle of the label is away: beside a side of it, or at a corner
        beside, above = (reach + half_x) / across, (reach + half_y) / down
        root = np.maximum(corner**2 - half_x**2 - half_y**2 + reach**2, 0.0)
        away = np.where(above * across <= half_x, above, corner + np.sqrt(root))
        away = np.where(beside * down <= half_y, beside, away)
        found.append(RING_ALONG * away[..., None])
    return np.concatenate(found, axis=1) + (points - sizes / 2)[:, None]


# For each position of `find_spots`, the sides (left, top, right, bottom) that don't face the node:
# with another node this close to one of them, the label would be nearer to that one.
CLOSE = 3.0
AWAY = CLOSE * np.array(
    [
        *((1, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 0), (1, 1, 0, 1)),
        *((1, 0, 1, 1), (1, 0, 1, 1), (1, 1, 1, 0), (1, 1, 1, 0)),
        *((0, 0, 1, 1), (0, 1, 1, 0), (1, 0, 0, 1), (1, 1, 0, 0)),
    ],
    dtype=float,
)
