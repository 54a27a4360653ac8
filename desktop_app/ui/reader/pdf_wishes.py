"""What of a PDF is wanted next: pictures and letters in sight, then the pages one scrolls to.

Owns the order of wishes. Knows the view's pages, not how anything is made.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from .pdf_layout import SMALL_HEIGHT, SMALL_WIDTH, small_scale
from .pdf_pages import LARGEST_PIXELS
from .pdf_pictures import Part
from .pdf_work import SMALL_CACHE_BYTES, Range, Wish

if TYPE_CHECKING:
    from .pdf_view import PdfView

AHEAD, BEHIND = 3, 1
PREVIEWS = 120  # pages before and after that are kept in small, for fast scrolling


class PageWishes:
    """The wishes of one view, told anew after every job."""

    def __init__(self, view: PdfView) -> None:
        self._view = view
        self.direction = 1  # which way one scrolls
        view.work.part_of = self.part_in_sight
        view.work.ask_last(self.previews)
        view.work.small_ready.connect(lambda _: view.viewport().update())

    def pictures(self) -> Iterator[Wish]:
        view, seen = self._view, self._view.pages_in_sight()
        if not seen or not view.isVisible():
            return
        sharp, count = view.pixels_a_point, len(view.work.sizes)
        for index in seen:
            yield "picture", index, sharp(index)
        for index in seen:
            width, height = view.work.sizes[index]
            if width * height * sharp(index) ** 2 > LARGEST_PIXELS:
                yield "sharp", index, sharp(index)
        for index in seen:
            yield "letters", index, 0.0
        first, last = (seen[-1], seen[0]) if self.direction > 0 else (seen[0], seen[-1])
        for step in range(1, AHEAD + 1):
            ahead = first + self.direction * step
            if 0 <= ahead < count:
                yield "picture", ahead, sharp(ahead)
        for step in range(1, BEHIND + 1):
            behind = last - self.direction * step
            if 0 <= behind < count:
                yield "picture", behind, sharp(behind)

    def previews(self) -> Iterator[Wish]:
        """Pages around in small: shown blurred, not white, if one scrolls faster than they come."""
        view = self._view
        seen, sizes, ratio = view.pages_in_sight(), view.work.sizes, view.devicePixelRatioF()
        if not seen or not view.isVisible():
            return
        bytes_each = 4 * SMALL_WIDTH * SMALL_HEIGHT * ratio**2
        # no more than can be kept, or they would drive each other out
        reach = min(PREVIEWS, int(0.35 * SMALL_CACHE_BYTES / bytes_each))
        for step in range(reach + 1):
            for index in (seen[0] + self.direction * step, seen[0] - self.direction * step):
                if 0 <= index < len(sizes):
                    yield "small", index, small_scale(sizes[index], ratio)

    def part_in_sight(self, index: int) -> Part:
        """Return what of a page is in sight, in pixels of the whole page."""
        view, ratio = self._view, self._view.devicePixelRatioF()
        place = view.page_rect(index)
        seen = place.intersected(QRectF(view.viewport().rect())).translated(-place.topLeft())
        left, top = math.floor(seen.left() * ratio), math.floor(seen.top() * ratio)
        right, bottom = round(seen.right() * ratio), round(seen.bottom() * ratio)
        return max(0, left), max(0, top), right, bottom

    def boxes(self) -> Iterator[tuple[int, Range]]:
        view = self._view
        if view.pending:
            yield view.page_of(view.pending[0]), view.pending
        for index in view.pages_in_sight():
            if index < len(view.work.pages):
                for span in self._spans(index):
                    if view.work.page_span(index, span):
                        yield index, span

    def _spans(self, index: int) -> Iterator[Range]:
        """Return the ranges that are to be painted on a page."""
        view, page = self._view, self._view.work.pages[index]
        if view.passage:
            yield view.passage
        for _, start, end in view.hits_in(page.start, page.end):
            yield start, end
        for note in view.highlights_in(page.start, page.end):
            yield note.start, note.end
        yield from view.followed_in(page.start, page.end)
        for start, end, *_ in view.names_in(page.start, page.end):
            yield start, end
