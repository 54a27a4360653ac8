"""The letters of one PDF page: which one is under a point, and where a range of them stands.

Owns the two questions that selecting asks. Works on plain arrays; knows no PDF and no widgets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from desktop_app.engine.text.pdf_map import Box

_OFF_LINE = 3.0  # a point beside a line belongs to it rather than to the line above


@dataclass(frozen=True, slots=True)
class PageLetters:
    """Offsets in the document, rising, shape (N,), and their boxes, 0 to 1, shape (N, 4)."""

    offsets: np.ndarray
    boxes: np.ndarray
    width: float  # of the page, in points
    height: float

    def nearest(self, x: float, y: float) -> tuple[int, float]:
        """Return the offset of the gap between letters nearest to a point, and how far it is.

        Args:
            x, y: 0 to 1 from the page's top left.
        """
        if not len(self.offsets):
            return 0, float("inf")
        left, top, right, bottom = self.boxes.T
        dx = np.maximum(np.maximum(left - x, x - right), 0.0) * self.width
        dy = np.maximum(np.maximum(top - y, y - bottom), 0.0) * self.height
        at = int(np.argmin(dx + _OFF_LINE * dy))
        box = self.boxes[at]
        flat = (box[2] - box[0]) * self.width < 2.5 * (box[3] - box[1]) * self.height
        behind = x > (box[0] + box[2]) / 2 if flat else y > (box[1] + box[3]) / 2
        return int(self.offsets[at]) + int(behind), float(np.hypot(dx[at], dy[at]))

    def rects(self, start: int, end: int) -> list[Box]:
        """Return the boxes of a range, one a line."""
        low, high = np.searchsorted(self.offsets, [start, end])
        if low >= high:
            return []
        left, top, right, bottom = self.boxes[low:high].T
        begins = self.line_begins(int(low), int(high))
        lines = np.stack(
            [
                np.minimum.reduceat(left, begins),
                np.minimum.reduceat(top, begins),
                np.maximum.reduceat(right, begins),
                np.maximum.reduceat(bottom, begins),
            ],
            axis=1,
        )
        return [(float(a), float(b), float(c), float(d)) for a, b, c, d in lines]

    def line_begins(self, low: int = 0, high: int | None = None) -> np.ndarray:
        """Return the rows, counted from `low`, at which a line begins; not empty."""
        left, top, right, bottom = self.boxes[low:high].T
        heights = np.maximum(bottom - top, 1e-4)
        overlap = np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
        same = overlap > 0.4 * np.minimum(heights[1:], heights[:-1])
        # a line goes on to the right, or close by to the left where one writes that way
        gap = np.maximum(left[1:] - right[:-1], left[:-1] - right[1:]) * self.width
        far = gap > 4 * heights[1:] * self.height
        return np.flatnonzero(np.concatenate([[True], ~same | far]))
