"""Where on the screen a name has room: beside its disc, over nothing else, not off the edge.

Owns the grid of what is taken and the places a name may go. Knows no names and no painting.
"""

from __future__ import annotations

import numpy as np

CELL = 2
EDGE = 6.0
WHOLE_DISCS = 600


class Occupancy:
    """What is taken on the screen: discs on a coarse grid, and rectangles of names and panels.

    Discs are taken once, before anything is asked; the grid is summed up then, so that asking
    costs four look-ups however big a name is.
    """

    def __init__(self, width: float, height: float) -> None:
        self._columns, self._rows = int(width) // CELL + 2, int(height) // CELL + 2
        self._sums: np.ndarray | None = None
        self._rects: list[tuple[float, float, float, float]] = []

    def is_free(self, x: float, y: float, width: float, height: float) -> bool:
        """Say whether a rectangle lies over no name and no panel."""
        right, bottom = x + width, y + height
        for left, top, end, foot in self._rects:
            if x < end and right > left and y < foot and bottom > top:
                return False
        return True

    def clear_of_discs(self, spots: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """Return which spots (N, S, 2) for names of `sizes` (N, 2) lie over no disc, shape (N, S).

        A spot that is NaN does not.
        """
        with np.errstate(invalid="ignore"):
            ends = spots + sizes[:, None, :]
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

    def take(self, x: float, y: float, width: float, height: float) -> None:
        self._rects.append((x, y, x + width, y + height))

    def take_discs(self, points: np.ndarray, radii: np.ndarray) -> None:
        """Take the squares inside discs (the biggest last): of small or many only the middle."""
        taken = np.zeros((self._rows, self._columns), dtype=bool)
        cells = (points / CELL).astype(np.int64)
        inside = (cells >= 0).all(1) & (cells[:, 0] < self._columns) & (cells[:, 1] < self._rows)
        cells = cells[inside]
        taken[cells[:, 1], cells[:, 0]] = True
        whole = np.flatnonzero(radii >= 3)[-WHOLE_DISCS:]
        low = np.maximum((points[whole] - 0.8 * radii[whole, None]) // CELL, 0).astype(int)
        high = np.maximum((points[whole] + 0.8 * radii[whole, None]) // CELL + 1, 0).astype(int)
        for (left, top), (right, bottom) in zip(low.tolist(), high.tolist(), strict=True):
            taken[top:bottom, left:right] = True
        self._sums = np.zeros((self._rows + 1, self._columns + 1), dtype=np.int32)
        np.cumsum(taken, axis=0, dtype=np.int32, out=self._sums[1:, 1:])
        np.cumsum(self._sums[1:, 1:], axis=1, out=self._sums[1:, 1:])


def find_spots(
    points: np.ndarray, radii: np.ndarray, sizes: np.ndarray, wide: float, high: float
) -> np.ndarray:
    """Return (left, top) where names may go, the best first, shape (N, 6, 2), NaN for nowhere.

    All lie on the screen. Above and below its disc a name moves sideways to stay inside; at the
    sides it must fit as it is.

    Args:
        points, radii: of the discs, shapes (N, 2) and (N,); sizes: of the names, shape (N, 2).
    """
    (x, y), (width, height) = points.T, sizes.T
    middle = np.minimum(np.maximum(x - width / 2, EDGE), np.maximum(wide - width - EDGE, EDGE))
    beside = np.minimum(np.maximum(y - height / 2, EDGE), np.maximum(high - height - EDGE, EDGE))
    below, above = y + radii + 2, y - radii - height - 2
    right, left = x + radii + 4, x - radii - 4 - width
    fits_below = below + height <= high - EDGE
    spots = np.full((len(x), 6, 2), np.nan)

    def put(number: int, across: np.ndarray, down: np.ndarray, fits: np.ndarray) -> None:
        spots[fits, number, 0], spots[fits, number, 1] = across[fits], down[fits]

    put(0, middle, below, fits_below)
    put(1, right, beside, right + width <= wide - EDGE)
    put(2, middle, above, above >= EDGE)
    put(3, left, beside, left >= EDGE)
    # Along the disc's own edge, where the middle is taken.
    for number, start in ((4, x - radii), (5, x + radii - width)):
        put(number, start, below, fits_below & (start >= EDGE) & (start + width <= wide - EDGE))
    nowhere = ~np.isfinite(spots[:, :, 0]).any(1)
    put(0, middle, beside, nowhere)
    return spots
