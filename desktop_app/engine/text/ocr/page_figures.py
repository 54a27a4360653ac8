"""The figures of a page that was read as a picture, from its lines and its regions.

The rules of captions are those for PDFs (`captioned_figures`). Knows no pixels, so that figures
follow when the user corrects a line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...figures import MAX_REPEATED, Figure
from ...model import Page
from ...scanned_pages import PageBox, ScannedLine, ScannedPage
from ..captioned_figures import (
    DPI,
    Drawing,
    PageFigure,
    PageLine,
    PageSize,
    find_captioned,
    place_caption,
)
from .page_regions import rotate_points, turn_box

MAX_PAGE_FIGURES = 20
_SHEET = 842.0  # points of the long side: the limits are those of sheets
_LONG_SIDES = 400.0, 1_300.0  # points that a page may say; others say how many pixels it has
# Of the height of a line, above and below: its outline is larger than its letters, and higher than
# the step from line to line, while captions are told from a text below by such steps.
_OUTLINE = 0.14
_PLACE = 8.0  # points by which copies of a picture on several pages differ at most


@dataclass(frozen=True, slots=True)
class ScannedFigure:
    """A figure of a page that was read; `words` is the text in it."""

    figure: PageFigure
    words: str = ""


def find_page_figures(page: ScannedPage) -> list[ScannedFigure]:
    """Return the figures of a page from top to bottom; boxes are shares of the page in the file."""
    if not page.regions or min(page.size) <= 0:
        return []
    upright = _UprightPageSize(page)
    lines = [upright.place_line(line) for line in page.lines if line.text]
    drawings = []
    for region in page.regions:
        drawing = upright.place_region(region.box)
        if region.is_alone:
            drawing.pixels = _count_pixels(drawing.width), _count_pixels(drawing.height)
        drawings.append(drawing)
    found = list(find_captioned(lines, drawings, upright))
    for drawing in drawings:
        if drawing.pixels != (0, 0) and not drawing.is_taken:
            side = (drawing.left, drawing.top, drawing.right, drawing.bottom)
            place = tuple(round(value / _PLACE) for value in side)
            found.append(PageFigure("", "", upright.to_shares(side), *drawing.pixels, place))
    found.sort(key=lambda one: (one.box[1], one.box[0]))
    made = []
    for one in found[:MAX_PAGE_FIGURES]:
        box = upright.to_page(one.box)
        if box[0] < box[2] and box[1] < box[3]:
            words = _find_words(page.lines, box)
            made.append(ScannedFigure(replace(one, box=box), words))
    return made


def _count_pixels(points: float) -> int:
    return max(1, round(points * DPI / 72))


def _find_words(lines: Sequence[ScannedLine], box: PageBox) -> str:
    left, top, right, bottom = box
    inside = []
    for line in lines:
        x, y = line.centre
        if left <= x <= right and top <= y <= bottom:
            inside.append(line.text)
    return " ".join(" ".join(inside).split())


class _UprightPageSize(PageSize):
    """A page upright and with its lines horizontal, in points."""

    def __init__(self, page: ScannedPage) -> None:
        width, height = page.size
        longest = max(width, height)
        if not _LONG_SIDES[0] <= longest <= _LONG_SIDES[1]:
            width, height = width * _SHEET / longest, height * _SHEET / longest
        if page.turn in (90, 270):
            width, height = height, width
        super().__init__(width, height)
        self._turn, self._angle = page.turn, page.angle

    @property
    def _center(self) -> np.ndarray:
        return np.array([self.width / 2, self.height / 2])

    def _straighten(self, points: np.ndarray) -> np.ndarray:
        """Return points of the page, as shares, on the sheet; shape (N, 2)."""
        x, y = points[:, 0], points[:, 1]
        if self._turn == 90:
            points = np.stack([y, 1 - x], axis=1)
        elif self._turn == 180:
            points = np.stack([1 - x, 1 - y], axis=1)
        elif self._turn == 270:
            points = np.stack([1 - y, x], axis=1)
        return rotate_points(points * (self.width, self.height), -self._angle, self._center)

    def place_line(self, line: ScannedLine) -> PageLine:
        corners = self._straighten(np.array(line.corners).reshape(4, 2))
        (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
        more = _OUTLINE * (bottom - top)
        return PageLine(line.text, left, top + more, right, bottom - more)

    def place_region(self, box: PageBox) -> Drawing:
        """Return a region; its sides stay, since its box is around it as it lies on the page."""
        left, top, right, bottom = box
        middle = np.array([[(left + right) / 2, (top + bottom) / 2]])
        [[x, y]] = self._straighten(middle).tolist()
        width, height = right - left, bottom - top
        if self._turn in (90, 270):
            width, height = height, width
        half_width, half_height = width * self.width / 2, height * self.height / 2
        return Drawing(x - half_width, y - half_height, x + half_width, y + half_height)

    def to_page(self, box: PageBox) -> PageBox:
        """Return a box of the sheet as shares of the page."""
        left, top, right, bottom = box
        middle = [[(left + right) / 2 * self.width, (top + bottom) / 2 * self.height]]
        [[x, y]] = rotate_points(np.array(middle), self._angle, self._center).tolist()
        half_width, half_height = (right - left) / 2, (bottom - top) / 2
        x, y = x / self.width, y / self.height
        upright = (x - half_width, y - half_height, x + half_width, y + half_height)
        return turn_box(upright, self._turn)


# --- figures of the document ----------------------------------------------------------------------


def build_scanned_figures(
    text: str, pages: Sequence[Page], scanned: Mapping[int, ScannedPage]
) -> list[tuple[Figure, str]]:
    """Return the figures of the pages that were read, with their captions' places, and their words.

    Pictures without a caption that stand in the same place of several pages are left out: frames,
    ornaments and headers.

    Args:
        text, pages: of the document.
        scanned: the pages that were read, by index.
    """
    found = {index: find_page_figures(page) for index, page in sorted(scanned.items())}
    copies = Counter(one.figure.place for of in found.values() for one in of if one.figure.place)
    made: list[tuple[Figure, str]] = []
    for page in pages:
        page_text = text[page.start : page.end]
        for one in found.get(page.index, ()):
            figure = one.figure
            if figure.place and copies[figure.place] >= MAX_REPEATED:
                continue
            start = end = 0
            if figure.caption:
                start, end = place_caption(page_text, figure.caption)
                if start == end:  # the text has no such line: it is a running header
                    continue
            size = figure.width, figure.height
            made.append((
                Figure(
                    *(page.start + start, page.start + end, figure.label),
                    page_index=page.index,
                    box=figure.box,
                    width=size[0],
                    height=size[1],
                ),
                one.words,
            ))  # fmt: skip
    return made
