"""What the PDF view asks of its worker lane, one thing at a time, most urgent first.

Owns the open document, pictures kept (by bytes), boxes and letters found. Knows no painting: it
calls back on the window's thread when something new is there.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QImage

from desktop_app.engine.text.pdf_map import Box
from desktop_app.engine.types import Page
from desktop_app.workers.failures import FailureHandler
from desktop_app.workers.lane import Lane
from desktop_app.workers.operations import Query

from .page_letters import PageLetters
from .pdf_pages import PagePicture, PdfPages
from .pdf_pictures import Part, Pictures

CACHE_BYTES, SMALL_CACHE_BYTES = 160_000_000, 64_000_000
LETTERS_KEPT = 64
Range = tuple[int, int]
# what ("picture", "sharp" for the part in sight of a huge page, "small", "letters"), page, and
# pixels a point
Wish = tuple[str, int, float]
AROUND_PX = 320


class PdfWork(QObject):
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
