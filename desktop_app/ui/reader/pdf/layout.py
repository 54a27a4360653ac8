"""Where the pages of a PDF are: under each other, or one at a time.

Owns the arithmetic of widths, gaps and zoom. Works on plain numbers; knows no widgets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from desktop_app.engine.model import Page

GAP, MARGIN, MARGIN_NARROW = 16, 24, 8
WIDEST_FIT = 920.0
SMALL_WIDTH, SMALL_HEIGHT = 132, 176  # the box of a page in small


@dataclass(frozen=True, slots=True)
class PageLayout:
    """Pages placed; `tops` has one more, which is the end. Lengths are pixels of the window.

    Attributes:
        tops: where each page begins, float64, shape (N + 1,).
        scales: pixels a point of each page, float64, shape (N,).
        widest: the width that the pages need with their margins.
        stops: where the window's top stands for each page, one at a time; empty if pages flow.
    """

    tops: np.ndarray = field(default_factory=lambda: np.zeros(1))
    scales: np.ndarray = field(default_factory=lambda: np.ones(1))
    widest: float = 1.0
    stops: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def height(self) -> float:
        return float(self.tops[-1])

    def page_at(self, y: float) -> int:
        """Return the page that holds a height, or the nearest one."""
        n_pages = len(self.tops) - 1
        return max(0, min(int(np.searchsorted(self.tops, y, side="right")) - 1, n_pages - 1))

    def pages_between(
        self, top: float, bottom: float, sizes: Sequence[tuple[float, float]]
    ) -> list[int]:
        """Return the pages of which something is between two heights, one at least."""
        first = self.page_at(top)
        if self.tops[first] + sizes[first][1] * self.scales[first] < top and first + 1 < len(sizes):
            first += 1
        last = min(int(np.searchsorted(self.tops, bottom, side="left")), len(sizes))
        return list(range(first, max(first + 1, last)))

    def stop_near(self, y: float) -> float:
        """Return where the window is to stand if one page is shown at a time."""
        if not len(self.stops):
            return y
        return float(self.stops[int(np.abs(self.stops - y).argmin())])

    def shares(
        self, pages: Sequence[Page], sizes: Sequence[tuple[float, float]], offsets: np.ndarray
    ) -> np.ndarray:
        """Return how far down all pages offsets of the text stand, 0 to 1, shape (N,)."""
        starts = np.array([page.start for page in pages])
        lengths = np.maximum(np.array([page.end for page in pages]) - starts, 1)
        at = np.maximum(np.searchsorted(starts, offsets, side="right") - 1, 0)
        inside = np.clip((offsets - starts[at]) / lengths[at], 0.0, 1.0)
        heights = np.array([height for _, height in sizes])[at] * self.scales[at]
        return (self.tops[at] + (0.08 + 0.84 * inside) * heights) / self.height


def small_size(size: tuple[float, float]) -> tuple[float, float]:
    """Return width and height of a page of this size (points) in small."""
    width, height = size
    share = min(SMALL_WIDTH / max(1.0, width), SMALL_HEIGHT / max(1.0, height))
    return width * share, height * share


def small_scale(size: tuple[float, float], ratio: float) -> float:
    """Return the pixels a point of a page in small, on a screen of so many pixels a pixel."""
    return round(small_size(size)[0] / max(1.0, size[0]) * ratio, 4)


def place_pages(
    sizes: Sequence[tuple[float, float]], width: float, height: float, zoom: float, single: bool
) -> PageLayout:
    """Place pages of these sizes (points) in a window of this width and height.

    Zoom 1.0 is the width of the window, or a comfortable one; of a single page all of it. A page
    that is wider than the others is drawn smaller rather than cut.
    """
    margin = MARGIN if width >= 560 else MARGIN_NARROW
    room = width - 2 * margin
    widths, lengths = np.array(sizes).T
    if single:
        scales = np.minimum(room / widths, (height - GAP) / lengths) * zoom
    else:
        usual = min(room, WIDEST_FIT) / float(np.median(widths))
        scales = np.minimum(usual, room / widths) * zoom
    scales = np.maximum(0.05, scales)
    heights = lengths * scales
    widest = float((widths * scales).max()) + 2 * margin
    if not single:
        tops = np.concatenate([[0.0], np.cumsum(heights + GAP)]) + GAP
        return PageLayout(tops, scales, widest)
    slots = np.maximum(heights + GAP, height)
    starts = np.concatenate([[0.0], np.cumsum(slots)])
    tops = np.append(starts[:-1] + (slots - heights) / 2, starts[-1])
    fits = bool((slots <= height + 0.5).all())
    return PageLayout(tops, scales, widest, starts[:-1] if fits else np.zeros(0))
