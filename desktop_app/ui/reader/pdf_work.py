"""What the PDF view asks of its worker lane, one thing at a time, most urgent first.

Owns the open document, pictures kept (by bytes) and boxes found. Knows no painting: it calls
back on the window's thread when something new is there.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QImage

from desktop_app.engine.text.pdf_map import Box
from desktop_app.engine.types import Page
from desktop_app.workers.lane import Lane
from desktop_app.workers.operations import Query

from .pdf_pages import PagePicture, PdfPages

CACHE_BYTES = 160_000_000
Range = tuple[int, int]


class PdfWork(QObject):
    """Pictures and boxes of one PDF, made in the background."""

    opened = Signal()
    failed = Signal(object)
    page_ready = Signal(int)
    boxes_ready = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lane = Lane("pdf pages")
        self.pages: list[Page] = []
        self.text = ""
        self.sizes: list[tuple[float, float]] = []
        self._document: PdfPages | None = None
        self._pictures: OrderedDict[int, tuple[float, QImage, PagePicture]] = OrderedDict()
        self._boxes: dict[Range, dict[int, list[Box]]] = {}
        self._broken: set[tuple[int, float]] = set()
        self._busy = False
        self._generation = 0
        self._wanted: Callable[[], Iterable[tuple[int, float]]] = lambda: ()
        self._wanted_boxes: Callable[[], Iterable[tuple[int, Range]]] = lambda: ()
        lane = self.lane
        self.destroyed.connect(lambda: lane.close() if shiboken6.isValid(lane) else None)
        app = QCoreApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self.shut_down)

    def ask_with(
        self,
        wanted: Callable[[], Iterable[tuple[int, float]]],
        wanted_boxes: Callable[[], Iterable[tuple[int, Range]]],
    ) -> None:
        """Give the two lists of wishes, most urgent first; they are asked after each job."""
        self._wanted, self._wanted_boxes = wanted, wanted_boxes

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

    def clear(self) -> None:
        self._generation += 1
        self._pictures.clear()
        self._boxes.clear()
        self._broken.clear()
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
        kept = self._pictures.get(index)
        if kept is None:
            return None
        self._pictures.move_to_end(index)
        return kept[1]

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
        for index, scale in self._wanted():
            kept = self._pictures.get(index)
            if (kept is None or abs(kept[0] - scale) > 1e-3) and (index, scale) not in self._broken:
                self._render(document, index, scale)
                return

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

        def give_up(_: BaseException) -> None:
            keep([[] for _ in spans])

        self._start(
            Query(self.lane, document.find_boxes, index, text, parts, owner=self), keep, give_up
        )

    def _render(self, document: PdfPages, index: int, scale: float) -> None:
        generation = self._generation

        def keep(picture: PagePicture) -> None:
            if generation != self._generation:
                return
            image = QImage(
                picture.pixels,
                picture.width,
                picture.height,
                picture.stride,
                QImage.Format.Format_RGB32,
            )
            # the picture's bytes stand beside the image, which only points at them
            self._pictures[index] = (scale, image, picture)
            self._pictures.move_to_end(index)
            self._shrink()
            self.page_ready.emit(index)

        def give_up(error: BaseException) -> None:
            self._broken.add((index, scale))

        self._start(Query(self.lane, document.render, index, scale, owner=self), keep, give_up)

    def _start(
        self,
        query: Query,
        keep: Callable[[object], None],
        give_up: Callable[[BaseException], None],
    ) -> None:
        self._busy = True
        query.on_success(keep).on_error(give_up).on_end(self._ended).run()

    def _ended(self) -> None:
        self._busy = False
        self.wake()

    def _shrink(self) -> None:
        total = sum(len(kept[2].pixels) for kept in self._pictures.values())
        while total > CACHE_BYTES and len(self._pictures) > 2:
            _, (_, _, picture) = self._pictures.popitem(last=False)
            total -= len(picture.pixels)
