"""What the PDF view asks of its worker lane, one thing at a time, most urgent first.

Owns the open document, pictures kept (by bytes), boxes and letters found. Knows no painting: it
calls back on the window's thread when something new is there.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, QRectF, Signal
from PySide6.QtGui import QImage

from desktop_app.engine.model import Page
from desktop_app.engine.text.pdf_positions import Box
from desktop_app.workers.failures import FailureHandler
from desktop_app.workers.lane import Lane
from desktop_app.workers.operations import Query

from .layout import SMALL_HEIGHT, SMALL_WIDTH, small_scale
from .pages import LARGEST_PIXELS, PageLetters, PagePicture, PdfPages

if TYPE_CHECKING:
    from .view import PdfView


Part = tuple[int, int, int, int]  # left, top, right, bottom; pixels of the whole page


class Pictures:
    """Pictures of pages by index, the latest used, as many as fit."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._kept: OrderedDict[int, tuple[float, QImage, PagePicture]] = OrderedDict()

    def get(self, index: int) -> QImage | None:
        kept = self._kept.get(index)
        if kept is None:
            return None
        self._kept.move_to_end(index)
        return kept[1]

    def has(self, index: int, scale: float, part: Part | None = None) -> bool:
        kept = self._kept.get(index)
        if kept is None or abs(kept[0] - scale) > 1e-3:
            return False
        there = kept[2]
        return part is None or (
            there.left <= part[0]
            and there.top <= part[1]
            and there.left + there.width >= part[2]
            and there.top + there.height >= part[3]
        )

    def made(self, index: int, scale: float) -> tuple[QImage, PagePicture] | None:
        """Return the picture with where it begins, if it is as sharp as that."""
        return self._kept[index][1:] if self.has(index, scale) else None

    def keep(self, picture: PagePicture) -> None:
        form = QImage.Format.Format_RGB32
        image = QImage(picture.pixels, picture.width, picture.height, picture.stride, form)
        # the picture's bytes stand beside the image, which only points at them
        self._kept[picture.index] = (picture.scale, image, picture)
        self._kept.move_to_end(picture.index)
        total = sum(len(kept[2].pixels) for kept in self._kept.values())
        while total > self._most_bytes and len(self._kept) > 2:
            _, (_, _, oldest) = self._kept.popitem(last=False)
            total -= len(oldest.pixels)

    def clear(self) -> None:
        self._kept.clear()


CACHE_BYTES, SMALL_CACHE_BYTES = 160_000_000, 64_000_000
LETTERS_KEPT = 64
Range = tuple[int, int]
# what ("picture", "sharp" for the part in sight of a huge page, "small", "letters"), page, and
# pixels a point
Wish = tuple[str, int, float]
AROUND_PX = 320


class PdfWorker(QObject):
    """Pictures, boxes and letters of one PDF, made in the background.

    Args:
        on_failure: shows a failure; of the pages of one document only the first that fails.
    """

    opened = Signal()
    failed = Signal(object)
    page_ready = Signal(int)
    small_ready = Signal(int)
    boxes_ready = Signal(int)
    letters_ready = Signal(int)

    def __init__(self, on_failure: FailureHandler, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._on_failure = on_failure
        self._failure_shown = False
        self.lane = Lane("pdf pages", on_failure)  # not shown
        self.pages: list[Page] = []
        self.text = ""
        self.sizes: list[tuple[float, float]] = []
        self._document: PdfPages | None = None
        self._pictures = {
            "picture": Pictures(CACHE_BYTES),
            "sharp": Pictures(SMALL_CACHE_BYTES),
            "small": Pictures(SMALL_CACHE_BYTES),
        }
        self.part_of: Callable[[int], Part] = lambda index: (0, 0, 0, 0)
        self._letters: OrderedDict[int, PageLetters] = OrderedDict()
        self._boxes: dict[Range, dict[int, list[Box]]] = {}
        self._broken: set[Wish] = set()
        self._busy = False
        self.dark = False
        self._generation = 0
        self._wishes: list[Callable[[], Iterable[Wish]]] = []
        self._last: list[Callable[[], Iterable[Wish]]] = []
        self._wanted_boxes: Callable[[], Iterable[tuple[int, Range]]] = lambda: ()
        lane = self.lane
        self.destroyed.connect(lambda: lane.close() if shiboken6.isValid(lane) else None)
        app = QCoreApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self.shut_down)

    def ask_with(
        self,
        wishes: Callable[[], Iterable[Wish]],
        wanted_boxes: Callable[[], Iterable[tuple[int, Range]]] | None = None,
    ) -> None:
        """Add a list of wishes, most urgent first; lists are asked in turn after each job."""
        self._wishes.append(wishes)
        if wanted_boxes is not None:
            self._wanted_boxes = wanted_boxes

    def ask_last(self, wishes: Callable[[], Iterable[Wish]]) -> None:
        """Add wishes for when there is nothing else to do."""
        self._last.append(wishes)

    def open(self, content: bytes, password: str | None, text: str, pages: list[Page]) -> None:
        self.clear()
        self.text, self.pages = text, pages
        generation = self._generation

        def take(document: PdfPages) -> None:
            if generation != self._generation:
                self._let_go(document)
                return
            self._document, self.sizes = document, document.sizes
            self.opened.emit()

        Query(self.lane, PdfPages, content, password, owner=self).on_success(take).on_error(
            self.failed.emit
        ).run()

    def set_dark(self, dark: bool) -> None:
        """Have pages drawn light on dark from now on, or as they are."""
        self.dark = dark
        self._forget_pictures()
        self.wake()

    def _forget_pictures(self) -> None:
        for pictures in self._pictures.values():
            pictures.clear()

    def clear(self) -> None:
        self._generation += 1
        self._forget_pictures()
        self._letters.clear()
        self._boxes.clear()
        self._broken.clear()
        self._failure_shown = False
        self.sizes, self.pages, self.text = [], [], ""
        if self._document is not None:
            self._let_go(self._document)
            self._document = None

    def shut_down(self) -> None:
        """Close the document and end the lane; nothing is drawn any more."""
        if not shiboken6.isValid(self.lane):
            return
        self.lane.close()
        document, self._document = self._document, None
        if document is not None:
            document.close()
        self.clear()

    def _let_go(self, document: PdfPages) -> None:
        Query(self.lane, document.close).run()

    # --- what is there ----------------------------------------------------------------------

    def picture(self, index: int) -> QImage | None:
        return self._pictures["picture"].get(index)

    def small(self, index: int) -> QImage | None:
        """Return the thumbnail of a page."""
        return self._pictures["small"].get(index)

    def sharp(self, index: int, scale: float) -> tuple[QImage, PagePicture] | None:
        """Return the part in sight of a page that is too large to be drawn whole."""
        return self._pictures["sharp"].made(index, scale)

    def letters(self, index: int) -> PageLetters | None:
        return self._letters.get(index)

    def boxes(self, span: Range, index: int) -> list[Box]:
        return self._boxes.get(span, {}).get(index, [])

    def page_span(self, index: int, span: Range) -> Range | None:
        """Return the part of a document range on a page, None if it does not touch it."""
        if index >= len(self.pages):
            return None
        page = self.pages[index]
        low, high = max(span[0], page.start), min(span[1], page.end)
        return (low, high) if low < high else None

    # --- work -------------------------------------------------------------------------------

    def wake(self) -> None:
        """Do the most urgent thing that is still missing, if nothing runs."""
        document = self._document
        if self._busy or document is None:
            return
        missing: dict[int, list[Range]] = {}
        for index, span in self._wanted_boxes():
            if index not in self._boxes.get(span, {}) and index < len(self.pages):
                missing.setdefault(index, []).append(span)
        if missing:
            index, spans = next(iter(missing.items()))
            self._find_boxes(document, index, spans)
            return
        for wishes in (*self._wishes, *self._last):
            for wish in wishes():
                if wish not in self._broken and not self._has(wish):
                    self._fulfil(document, wish)
                    return

    def _has(self, wish: Wish) -> bool:
        kind, index, scale = wish
        if kind == "letters":
            return index in self._letters or index >= len(self.pages)
        part = self.part_of(index) if kind == "sharp" else None
        return self._pictures[kind].has(index, scale, part)

    def _fulfil(self, document: PdfPages, wish: Wish) -> None:
        kind, index, scale = wish
        generation = self._generation

        def keep(made: Any) -> None:
            if generation != self._generation:
                return
            if kind == "letters":
                self._letters[index] = made
                while len(self._letters) > LETTERS_KEPT:
                    self._letters.popitem(last=False)
                self.letters_ready.emit(index)
            elif made.dark == self.dark:
                self._pictures[kind].keep(made)
                (self.small_ready if kind == "small" else self.page_ready).emit(index)

        def give_up(error: BaseException) -> None:
            if generation == self._generation:
                self._broken.add(wish)
                self._show_first(error)

        if kind == "letters":
            page = self.pages[index]
            text = self.text[page.start : page.end]
            query = Query(self.lane, document.find_letters, index, text, page.start, owner=self)
        elif kind == "sharp":
            left, top, right, bottom = self.part_of(index)
            part = (left - AROUND_PX, top - AROUND_PX, right + AROUND_PX, bottom + AROUND_PX)
            query = Query(self.lane, document.render_part, index, scale, part, owner=self,
                          dark=self.dark)  # fmt: skip
        else:
            query = Query(self.lane, document.render, index, scale, owner=self, dark=self.dark)
        self._start(query, keep, give_up)

    def _find_boxes(self, document: PdfPages, index: int, spans: list[Range]) -> None:
        page = self.pages[index]
        text = self.text[page.start : page.end]
        parts = [
            (max(start, page.start) - page.start, min(end, page.end) - page.start)
            for start, end in spans
        ]
        generation = self._generation

        def keep(found: list[list[Box]]) -> None:
            if generation == self._generation:
                for span, boxes in zip(spans, found, strict=True):
                    self._boxes.setdefault(span, {})[index] = boxes
                self.boxes_ready.emit(index)

        def give_up(error: BaseException) -> None:
            if generation == self._generation:
                keep([[] for _ in spans])
                self._show_first(error)

        self._start(
            Query(self.lane, document.find_boxes, index, text, parts, owner=self), keep, give_up
        )

    def _start(
        self,
        query: Query,
        keep: Callable[[Any], None],
        give_up: Callable[[BaseException], None],
    ) -> None:
        self._busy = True
        query.on_success(keep).on_error(give_up).on_end(self._ended).run()

    def _show_first(self, error: BaseException) -> None:
        """Show one failure a document: a damaged file fails on every page."""
        if not self._failure_shown:
            self._failure_shown = True
            self._on_failure(error)

    def _ended(self) -> None:
        self._busy = False
        self.wake()


AHEAD, BEHIND = 3, 1
PREVIEWS = 120  # pages before and after that are kept in small, for fast scrolling


class PageRequests:
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
