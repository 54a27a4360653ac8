"""Where on the screen a name has room: beside its disc, over nothing else, not off the edge.

Owns the grid of what is taken and the places a name may go. Knows no names and no painting.
"""

from __future__ import annotations

import numpy as np

CELL = 2
EDGE = 6.0
WHOLE_DISCS = 600
Spot = tuple[float, float]


class Occupancy:
    """A coarse grid of what is taken on the screen."""

    def __init__(self, width: float, height: float) -> None:
        self._taken = np.zeros((int(height) // CELL + 2, int(width) // CELL + 2), dtype=bool)

    def _slice(self, x: float, y: float, width: float, height: float) -> tuple[slice, slice]:
        top, left = max(0, int(y) // CELL), max(0, int(x) // CELL)
        return (
            slice(top, max(top, int(y + height) // CELL + 1)),
            slice(left, max(left, int(x + width) // CELL + 1)),
        )

    def is_free(self, x: float, y: float, width: float, height: float) -> bool:
        return not self._taken[self._slice(x, y, width, height)].any()

    def take(self, x: float, y: float, width: float, height: float) -> None:
        self._taken[self._slice(x, y, width, height)] = True

    def take_discs(self, points: np.ndarray, radii: np.ndarray) -> None:
        """Take the squares inside discs (the biggest last): of small or many only the middle."""
        rows, columns = self._taken.shape
        cells = (points / CELL).astype(np.int64)
        cells = cells[(cells >= 0).all(1) & (cells[:, 0] < columns) & (cells[:, 1] < rows)]
        self._taken[cells[:, 1], cells[:, 0]] = True
        whole = np.flatnonzero(radii >= 3)[-WHOLE_DISCS:]
        for (x, y), radius in zip(points[whole], radii[whole] * 0.8, strict=True):
            self.take(x - radius, y - radius, 2 * radius, 2 * radius)


def find_spots(
    x: float, y: float, r: float, width: float, height: float, wide: float, high: float
) -> list[Spot]:
    """Return (left, top) where the name of a disc may go, the best first, all on the screen.

    Above and below, a name moves sideways to stay inside; at the sides it must fit as it is.
    """
    middle = min(max(x - width / 2, EDGE), max(wide - width - EDGE, EDGE))
    below, above = y + r + 2, y - r - height - 2
    beside = min(max(y - height / 2, EDGE), max(high - height - EDGE, EDGE))
    right, left = x + r + 4, x - r - 4 - width
    spots = []
    if below + height <= high - EDGE:
        spots.append((middle, below))
    if right + width <= wide - EDGE:
        spots.append((right, beside))
    if above >= EDGE:
        spots.append((middle, above))
    if left >= EDGE:
        spots.append((left, beside))
    if below + height <= high - EDGE:  # along the disc's own edge, where the middle is taken
        spots += [
            (start, below)
            for start in (x - r, x + r - width)
            if start >= EDGE and start + width <= wide - EDGE
        ]
    return spots or [(middle, beside)]
