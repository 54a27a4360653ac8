"""What the view of a PDF needs from the worker next: pictures, letters, boxes, thumbnails.

Owns their order: what is in sight first, then what comes in the direction of scrolling.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from desktop_app.engine.services.annotations import Annotation
from desktop_app.engine.text.pdf_pages import LARGEST_PIXELS

from ..ranges import Name, Range
from .layout import LEAST_RATIO, THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH, thumbnail_scale
from .text_fit import TextFit
from .worker import SMALL_CACHE_BYTES, PageRequest, Part, PdfWorker

AHEAD, BEHIND = 3, 1  # pages rendered before they are in sight
PREVIEWS = 120  # thumbnails kept before and after the page in sight, for fast scrolling


class ShownPages(Protocol):
    """A view that says which pages are in sight and what is marked on them."""

    worker: PdfWorker
    text_fit: TextFit
    pending: Range | None
    passage: Range | None

    def isVisible(self) -> bool: ...

    def viewport(self) -> QWidget: ...

    def devicePixelRatioF(self) -> float: ...

    def pages_in_sight(self) -> Sequence[int]: ...

    def pixels_per_point(self, index: int) -> float: ...

    def page_rect(self, index: int) -> QRectF: ...

    def page_of(self, offset: int) -> int: ...

    def hits_in(self, start: int, end: int) -> list[tuple[int, int, int]]: ...

    def highlights_in(self, start: int, end: int) -> list[Annotation]: ...

    def followed_in(self, start: int, end: int) -> list[Range]: ...

    def names_in(self, start: int, end: int) -> list[Name]: ...


class PageRequests:
    """Lists what one view needs from the worker; called again before every job."""

    def __init__(self, view: ShownPages) -> None:
        self._view = view
        self.direction = 1  # of scrolling; -1 is up
        view.worker.add_requests(self.iter_pictures, self.iter_boxes)
        view.worker.add_idle_requests(self.iter_thumbnails)
        view.worker.part_of = self.part_in_sight
        view.worker.in_sight = view.pages_in_sight

    def iter_pictures(self) -> Iterator[PageRequest]:
        view, seen = self._view, self._view.pages_in_sight()
        if not seen or not view.isVisible():
            return
        for index in view.text_fit.wanted_pages:  # the size of the pictures depends on it
            yield "letters", index, 0.0
        sharp, count = view.pixels_per_point, len(view.worker.sizes)
        for index in seen:
            yield "picture", index, sharp(index)
        for index in seen:
            width, height = view.worker.sizes[index]
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

    def iter_thumbnails(self) -> Iterator[PageRequest]:
        """Yield thumbnails around the window, shown while scrolling faster than pages are drawn."""
        view = self._view
        seen, sizes, ratio = view.pages_in_sight(), view.worker.sizes, view.devicePixelRatioF()
        if not seen or not view.isVisible():
            return
        thumbnail_bytes = 4 * THUMBNAIL_WIDTH * THUMBNAIL_HEIGHT * max(ratio, LEAST_RATIO) ** 2
        # no more than the cache holds, or they would replace each other
        reach = min(PREVIEWS, int(0.35 * SMALL_CACHE_BYTES / thumbnail_bytes))
        for step in range(reach + 1):
            for index in (seen[0] + self.direction * step, seen[0] - self.direction * step):
                if 0 <= index < len(sizes):
                    yield "small", index, thumbnail_scale(sizes[index], ratio)

    def part_in_sight(self, index: int) -> Part:
        """Return the part of a page in sight, in pixels of the whole page."""
        view, ratio = self._view, self._view.devicePixelRatioF()
        place = view.page_rect(index)
        seen = place.intersected(QRectF(view.viewport().rect())).translated(-place.topLeft())
        left, top = math.floor(seen.left() * ratio), math.floor(seen.top() * ratio)
        right, bottom = round(seen.right() * ratio), round(seen.bottom() * ratio)
        return max(0, left), max(0, top), right, bottom

    def iter_boxes(self) -> Iterator[tuple[int, Range]]:
        view = self._view
        if view.pending:
            yield view.page_of(view.pending[0]), view.pending
        for index in view.pages_in_sight():
            if index < len(view.worker.pages):
                for span in self._iter_spans(index):
                    if view.worker.page_span(index, span):
                        yield index, span

    def _iter_spans(self, index: int) -> Iterator[Range]:
        """Yield the ranges to be painted on a page."""
        view, page = self._view, self._view.worker.pages[index]
        if view.passage:
            yield view.passage
        for _, start, end in view.hits_in(page.start, page.end):
            yield start, end
        for mark in view.highlights_in(page.start, page.end):
            yield mark.start, mark.end
        yield from view.followed_in(page.start, page.end)
        for start, end, *_ in view.names_in(page.start, page.end):
            yield start, end
