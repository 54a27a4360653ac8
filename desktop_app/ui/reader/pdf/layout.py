"""Computes where the pages of a PDF are: in one column, two beside each other, or one at a time.

Owns widths, gaps, zoom and the mapping from a page to the window. Knows no widgets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF

from desktop_app.engine.model import Page
from desktop_app.engine.text.pdf_pages import PageLetters
from desktop_app.engine.text.pdf_positions import Box

GAP, MARGIN, MARGIN_NARROW, TEXT_MARGIN = 16, 24, 8, 48
WIDEST_FIT = 920.0
KEPT_WHITE = 32.0  # pixels of white above the first and below the last row, where it is cut
LEAST_RATIO = 2.0  # pixels of a thumbnail per pixel of the window, at least
PIXELS_PER_POINT = 96 / 72  # of the window, at 100%
THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT = 216, 288  # the box that a thumbnail fits into


class PageFit(Enum):
    """How a page fits the window while the zoom follows the text."""

    FILLS = "fills"  # its text is as wide as the window
    LIMITED = "limited"  # it is narrower: its letters would get too large
    WHOLE = "whole"  # a cover, of which all is in sight


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The positions of all pages. Lengths are pixels of the window.

    Attributes:
        tops: top of each page, then the end of the last, float64, shape (N + 1,).
        begins, ends: where what is shown of each page begins and ends, float64, shape (N,); it is
            less than the page where white margins are cut.
        scales: pixels per point of each page, float64, shape (N,).
        widest: the width that the pages need with their margins.
        shifts: distance of each page's centre from that of the row, float64, shape (N,).
        per_row: pages beside each other.
        lead: empty places before the first page of the first row: 1 for a cover alone, else 0.
        stops: scroll position of each page if one is shown at a time, shape (N,); else empty.
    """

    tops: np.ndarray = field(default_factory=lambda: np.zeros(1))
    scales: np.ndarray = field(default_factory=lambda: np.ones(1))
    widest: float = 1.0
    shifts: np.ndarray = field(default_factory=lambda: np.zeros(1))
    per_row: int = 1
    stops: np.ndarray = field(default_factory=lambda: np.zeros(0))
    begins: np.ndarray = field(default_factory=lambda: np.zeros(0))
    ends: np.ndarray = field(default_factory=lambda: np.zeros(0))
    lead: int = 0

    @property
    def height(self) -> float:
        return float(self.tops[-1])

    def page_at(self, y: float) -> int:
        """Return the page at a y, or the nearest one."""
        at = max(0, int(np.searchsorted(self.begins, y, side="right")) - 1)
        return self.row(at).start

    def row(self, index: int) -> range:
        """Return the pages that are beside each other, for one of them."""
        first = index - (index + self.lead) % self.per_row
        return range(max(0, first), max(1, min(first + self.per_row, len(self.begins))))

    def is_right(self, index: int) -> bool:
        """Return whether a page is at the right of two."""
        return (index + self.lead) % self.per_row == 1

    def pages_between(self, top: float, bottom: float) -> list[int]:
        """Return the pages that are partly between two y, at least one."""
        n_pages = len(self.begins)
        first = self.page_at(top)
        row = self.row(first)
        if self.ends[row.start : row.stop].max() < top and row.stop < n_pages:
            first = row.stop
        last = min(int(np.searchsorted(self.begins, bottom, side="left")), n_pages)
        return list(range(first, max(first + 1, last)))

    def stop_near(self, y: float) -> float:
        """Return the scroll position of the nearest page if one is shown at a time, else `y`."""
        if not len(self.stops):
            return y
        return float(self.stops[int(np.abs(self.stops - y).argmin())])

    def shares(self, pages: Sequence[Page], offsets: np.ndarray) -> np.ndarray:
        """Return the share of the total height above each offset, 0 to 1, shape (N,)."""
        starts = np.array([page.start for page in pages])
        lengths = np.maximum(np.array([page.end for page in pages]) - starts, 1)
        at = np.maximum(np.searchsorted(starts, offsets, side="right") - 1, 0)
        inside = np.clip((offsets - starts[at]) / lengths[at], 0.0, 1.0)
        shown = self.ends[at] - self.begins[at]
        return (self.begins[at] + (0.08 + 0.84 * inside) * shown) / self.height


class TextBlock(NamedTuple):
    """Where the lines of a page are, in points.

    Attributes:
        shift: distance of their middle from that of the page.
        letter_height: the usual one, from the top to the foot of a line.
        page_width: of the page on which it was found.
    """

    width: float
    shift: float
    letter_height: float
    page_width: float


LONG_LINE, FEWEST_LINES = 0.25, 4  # share of the width of the page


def find_text_block(letters: PageLetters) -> TextBlock | None:
    """Return the block of long lines on a page, None where there are only a few.

    Page numbers and texts rotated by 90° in the margin are no long lines.
    """
    if not len(letters.offsets):
        return None
    lines = np.array(letters.rects(int(letters.offsets[0]), int(letters.offsets[-1]) + 1))
    lines = lines[lines[:, 2] - lines[:, 0] >= LONG_LINE]
    if len(lines) < FEWEST_LINES:
        return None
    left, right = float(lines[:, 0].min()), float(lines[:, 2].max())
    height = float(np.median(letters.boxes[:, 3] - letters.boxes[:, 1])) * letters.height
    return TextBlock(
        (right - left) * letters.width,
        ((left + right) / 2 - 0.5) * letters.width,
        height,
        letters.width,
    )


SAME_WIDTH = 0.01  # share by which the widths of two pages of one document may differ
TURNED_LETTERS, TURNED_WIDTH = 5, 0.06  # at least so many, in a strip of this share of the page


def find_trim(
    block: TextBlock, width: float, ink: np.ndarray | None, letters: PageLetters | None
) -> tuple[float, float]:
    """Return where the margins of a page may be cut: left and right, 0 to 1 of its width.

    Everything printed stays: figures and notes beside the text, numbers of lines. Only a line that
    is rotated to be read upwards, such as an archive's stamp, is margin.

    Args:
        width: of the page, in points.
        ink: whether there is ink in each column, shape (C,), from left to right; None if it is
            not known yet.
        letters: None if they are not known yet.
    """
    if abs(width - block.page_width) > SAME_WIDTH * block.page_width:
        return 0.0, 1.0
    left = 0.5 + (block.shift - block.width / 2) / width
    right = 0.5 + (block.shift + block.width / 2) / width
    if ink is None or letters is None or not len(ink):
        return left, right
    middles = (np.arange(len(ink)) + 0.5) / len(ink)
    printed = ink.copy()
    for low, high in _find_rotated_lines(letters, left, right):
        printed &= (middles < low) | (middles > high)
    columns = middles[printed]
    if not len(columns):
        return left, right
    half = 0.5 / len(ink)
    return min(left, float(columns[0]) - half), max(right, float(columns[-1]) + half)


def _find_rotated_lines(
    letters: PageLetters, left: float, right: float
) -> list[tuple[float, float]]:
    """Return the strips (0 to 1 of the width) of lines beside the text that are read upwards."""
    found = []
    for outside in (letters.boxes[:, 2] <= left, letters.boxes[:, 0] >= right):
        boxes = letters.boxes[outside]
        if len(boxes) < TURNED_LETTERS:
            continue
        low, high = float(boxes[:, 0].min()), float(boxes[:, 2].max())
        rises = np.diff(boxes[:, 1]) < 0
        if high - low <= TURNED_WIDTH and rises.mean() > 0.8:
            found.append((low - 0.005, high + 0.005))
    return found


def thumbnail_size(size: tuple[float, float]) -> tuple[float, float]:
    """Return width and height of the thumbnail of a page of this size (points)."""
    width, height = size
    share = min(THUMBNAIL_WIDTH / max(1.0, width), THUMBNAIL_HEIGHT / max(1.0, height))
    return width * share, height * share


def thumbnail_scale(size: tuple[float, float], ratio: float) -> float:
    """Return the pixels per point of the picture of a thumbnail at a device pixel ratio.

    On a coarse screen it is drawn smaller: letters of two pixels are grey then, not black.
    """
    return round(thumbnail_size(size)[0] / max(1.0, size[0]) * max(ratio, LEAST_RATIO), 4)


def text_margin(width: float) -> int:
    """Return what stays of a page beside its text, where margins are cut, in pixels."""
    return TEXT_MARGIN if width >= 560 else MARGIN_NARROW


def page_margin(width: float) -> int:
    """Return the space at each side of the pages in a window of this width."""
    return MARGIN if width >= 560 else MARGIN_NARROW


def place_pages(
    sizes: Sequence[tuple[float, float]],
    width: float,
    height: float,
    zoom: float,
    single: bool,
    facing: bool = False,
    *,
    cover: bool = False,
    blanks: np.ndarray | None = None,
    is_cover_whole: bool = False,
) -> PageLayout:
    """Return the layout of pages of these sizes (points) in a window of this width and height.

    Zoom 1.0 fits the width of the window, up to `WIDEST_FIT`; a single page is fitted completely.
    `facing` pages are beside each other, two in a row, or the first one alone as a `cover`.
    A page that is wider than the others is drawn smaller instead of being cut.

    Args:
        blanks: share of each page that is white above its first and below its last row, shape
            (N, 2); all but `KEPT_WHITE` is cut. Of two pages beside each other, the smaller part is
            cut from both. None for whole pages; ignored if one is shown at a time.
        is_cover_whole: draw the first of pages below each other as large as fits the window.
    """
    margin = page_margin(width)
    per_row = 2 if facing and not single and len(sizes) > 1 else 1
    room = (width - 2 * margin - GAP * (per_row - 1)) / per_row
    widths, lengths = np.array(sizes).T
    if single:
        scales = np.minimum(room / widths, (height - GAP) / lengths) * zoom
    else:
        middle = float(np.median(widths))
        usual = min(room, WIDEST_FIT) / middle
        scales = np.minimum(usual, room / widths) * zoom
        if blanks is not None:
            # only margins of the usual width are cut: wider pages are not wider than the window
            wider = widths > (1 + SAME_WIDTH) * middle
            scales = np.where(wider, np.minimum(scales, room / widths), scales)
    if is_cover_whole and not single and per_row == 1:
        scales[0] = min(scales[0], (height - 2 * GAP) / lengths[0])  # its foot is seen, too
        if blanks is not None:
            blanks = np.concatenate([np.zeros((1, 2)), blanks[1:]])
    scales = np.maximum(0.05, scales)
    heights = lengths * scales
    widest = float((widths * scales).max()) + 2 * margin
    if not single:
        return _place_rows(widths * scales, heights, scales, margin, per_row, cover, blanks)
    slots = np.maximum(heights + GAP, height)
    starts = np.concatenate([[0.0], np.cumsum(slots)])
    tops = np.append(starts[:-1] + (slots - heights) / 2, starts[-1])
    fits = bool((slots <= height + 0.5).all())
    stops = starts[:-1] if fits else np.zeros(0)
    begins, ends = tops[:-1], tops[:-1] + heights
    return PageLayout(
        tops, scales, widest, np.zeros(len(sizes)), stops=stops, begins=begins, ends=ends
    )


def _place_rows(
    widths: np.ndarray,
    heights: np.ndarray,
    scales: np.ndarray,
    margin: float,
    per_row: int,
    cover: bool,
    blanks: np.ndarray | None,
) -> PageLayout:
    """Return the layout of pages of these sizes in pixels, one or two in a row."""
    lead = int(cover and per_row == 2)
    places = np.arange(len(widths)) + lead
    rows, n_rows = places // per_row, int(places[-1]) // per_row + 1
    cuts = np.zeros((len(widths), 2))
    if blanks is not None:
        in_row = np.full((n_rows, 2), np.inf)
        np.minimum.at(in_row, rows, blanks * heights[:, None])
        cuts = np.maximum(0.0, in_row - KEPT_WHITE)[rows]
    shown = heights - cuts.sum(axis=1)
    tallest = np.zeros(n_rows)
    np.maximum.at(tallest, rows, shown)
    starts = np.concatenate([[0.0], np.cumsum(tallest + GAP)]) + GAP
    begins = starts[rows]
    tops = np.append(begins - cuts[:, 0], starts[-1])
    shifts, widest = np.zeros(len(widths)), float(widths.max()) + 2 * margin
    if per_row == 2:
        shifts = np.where(places % 2, 1.0, -1.0) * (widths + GAP) / 2
        widest += float(widths.max()) + GAP
    return PageLayout(
        tops, scales, widest, shifts, per_row, begins=begins, ends=begins + shown, lead=lead
    )


WORD_GAP = 1.2  # of the height of a line: what is farther away on it is another column


def find_column_start(letters: PageLetters, line: Box) -> tuple[float, float]:
    """Return where the column of a line begins, and how much room is left of that.

    Both are 0 to 1 of the page. Letters on the same line belong to the column, up to a gap that is
    wider than one between words.

    Args:
        line: a part of a line.
    """
    boxes = letters.boxes
    middle = (boxes[:, 1] + boxes[:, 3]) / 2
    before = boxes[(middle > line[1]) & (middle < line[3]) & (boxes[:, 2] <= line[0] + 1e-4)]
    wide = WORD_GAP * (line[3] - line[1]) * letters.height / max(1.0, letters.width)
    start = line[0]
    for left, right in sorted(zip(before[:, 0], before[:, 2], strict=True), reverse=True):
        if start - right > wide:
            return float(start), float(start - right)
        start = min(start, left)
    return float(start), float(start)


def in_page(place: QRectF, box: Box) -> QRectF:
    """Return a box (0 to 1 of its page) in the window, where the page is at `place`."""
    left, top, right, bottom = box
    return QRectF(
        place.left() + left * place.width(),
        place.top() + top * place.height(),
        (right - left) * place.width(),
        (bottom - top) * place.height(),
    )


def join_boxes(boxes: list[QRectF]) -> list[QRectF]:
    """Join neighbouring boxes of one line with only a space between them."""
    found: list[QRectF] = []
    for box in boxes:
        last = found[-1] if found else None
        if last is not None:
            common = min(last.bottom(), box.bottom()) - max(last.top(), box.top())
            level = common > 0.6 * min(last.height(), box.height())
            if level and 0 <= box.left() - last.right() < 1.2 * box.height():
                found[-1] = last.united(box)
                continue
        found.append(box)
    return found
