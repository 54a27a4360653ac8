"""The page view: a PDF as it looks, pages under each other, passages marked on them.

Owns where pages are, scrolling and zoom. Pictures and boxes come from `pdf_work`, a page is drawn
by `page_painting`, and `page_pointer` answers the mouse.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop_app.engine.types import Page
from desktop_app.ui.theme.theme import Theme

from .page_painting import in_page, paint_page
from .page_pointer import PagePointer
from .pdf_work import PdfWork, Range
from .view import DocumentView, Name

GAP, MARGIN, MARGIN_NARROW = 16, 24, 8
WIDEST_FIT = 920.0


class PdfView(DocumentView):
    """Shows pages; `zoom` 1.0 is the width of the window (or a comfortable one, if less)."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.work = PdfWork(self)
        self.work.ask_with(self._wanted_pictures, self._wanted_boxes)
        self.work.opened.connect(self._opened)
        self.work.page_ready.connect(self._page_ready)
        self.work.boxes_ready.connect(self._boxes_ready)
        self._tops = np.zeros(1)
        self._scale = 1.0
        self._widest = 1.0
        self._pending: Range | None = None
        self._pending_place: tuple[int, float] | None = None
        self.pointer = PagePointer(self)
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            bar.valueChanged.connect(self._scrolled)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName("Pages of the document")

    # --- what is shown ----------------------------------------------------------------------

    def set_document(
        self, content: bytes, password: str | None, text: str, pages: Sequence[Page]
    ) -> None:
        self.passage, self.hits, self.names, self.current_hit = None, [], [], -1
        self._pending = self._pending_place = None
        self._tops = np.zeros(1)
        self.work.open(content, password, text, list(pages))
        self.verticalScrollBar().setValue(0)
        self.viewport().update()

    def clear(self) -> None:
        self.work.clear()
        self._tops = np.zeros(1)

    def show_range(self, start: int, end: int) -> None:
        index = self.page_of(start)
        if not self.work.sizes:
            self._pending = (start, end)
            return
        span = (start, max(end, start + 1))
        boxes = self.work.boxes(span, index)
        if boxes:
            self._pending = None
            self._show_box(index, boxes[0][1], calm=self.passage != (start, end))
            return
        # its place on the page is still being looked for: the page first
        self._pending = span
        page = self.work.pages[index] if index < len(self.work.pages) else None
        length = max(1, page.end - page.start) if page else 1
        share = (start - page.start) / length if page else 0.0
        at_top = page is None or (start == page.start and end <= start + 1)
        if at_top:
            self._pending = None
            self.verticalScrollBar().setValue(round(float(self._tops[index]) - GAP / 2))
        else:
            self._show_box(index, share, calm=self.passage != (start, end))
        self.work.wake()

    def show_heading(self, index: int, start: int) -> None:
        """Go to a heading: its page, and its place on it once that is found."""
        if 0 <= index < len(self.work.sizes):
            self._pending = None
            self.verticalScrollBar().setValue(round(float(self._tops[index]) - GAP / 2))

    def page_of(self, offset: int) -> int:
        """Return the index of the page that holds an offset."""
        starts = [page.start for page in self.work.pages]
        return max(0, int(np.searchsorted(starts, offset, side="right")) - 1)

    def current_page(self) -> int:
        """Return the page that fills the upper third of the window."""
        if not self.work.sizes:
            return 0
        y = self.verticalScrollBar().value() + self.viewport().height() / 3
        return min(int(np.searchsorted(self._tops, y, side="right")) - 1, len(self.work.sizes) - 1)

    def top_offset(self) -> int:
        index = self.current_page()
        return self.work.pages[index].start if index < len(self.work.pages) else 0

    def place(self) -> tuple[int, float]:
        if not self.work.sizes:
            return (0, 0.0)
        y = self.verticalScrollBar().value()
        index = max(0, int(np.searchsorted(self._tops[:-1], y, side="right")) - 1)
        height = self.work.sizes[index][1] * self._scale
        return (index, (y - float(self._tops[index])) / height)

    def go_to_place(self, place: object) -> None:
        if isinstance(place, int):  # an offset of the text
            place = (self.page_of(place), -0.01)
        index, share = place  # type: ignore[misc]
        self._pending = None
        if index < len(self.work.sizes):
            y = float(self._tops[index]) + share * self.work.sizes[index][1] * self._scale
            self.verticalScrollBar().setValue(round(y))
        else:
            self._pending_place = (index, share)

    def visible_range(self) -> tuple[int, int]:
        indexes = self._visible()
        pages = self.work.pages
        if not indexes or indexes[-1] >= len(pages):
            return (0, 0)
        return (pages[indexes[0]].start, pages[indexes[-1]].end)

    def set_names(self, names: Sequence[Name]) -> None:
        super().set_names(names)
        self.work.wake()

    def apply_zoom(self) -> None:
        self._place_pages()

    # --- where pages are --------------------------------------------------------------------

    def page_rect(self, index: int) -> QRectF:
        """Return where a page is in the window, as large as its picture to the pixel."""
        sharp, ratio = self._pixels_a_point(), self.devicePixelRatioF()
        width, height = (math.ceil(side * sharp) / ratio for side in self.work.sizes[index])
        room = max(self.viewport().width(), self._widest)
        left = round((room - width) / 2) - self.horizontalScrollBar().value()
        top = float(self._tops[index]) - self.verticalScrollBar().value()
        return QRectF(left, round(top), width, height)

    def _pixels_a_point(self) -> float:
        return round(self._scale * self.devicePixelRatioF(), 4)

    def name_at(self, point: QPointF) -> Name | None:
        for index in self._visible():
            place = self.page_rect(index)
            if place.contains(point) and index < len(self.work.pages):
                page = self.work.pages[index]
                for name in self.names_in(page.start, page.end):
                    for box in self.work.boxes((name[0], name[1]), index):
                        if in_page(place, box).adjusted(-1, -2, 1, 3).contains(point):
                            return name
        return None

    def _visible(self, extra: int = 0) -> list[int]:
        if not self.work.sizes:
            return []
        top = self.verticalScrollBar().value() - extra
        bottom = top + self.viewport().height() + 2 * extra
        first = max(0, int(np.searchsorted(self._tops, top, side="right")) - 1)
        last = int(np.searchsorted(self._tops, bottom, side="left"))
        return list(range(first, max(first + 1, min(last, len(self.work.sizes)))))

    def _place_pages(self) -> None:
        """Lay pages out anew, keeping what is at a third of the height where it is."""
        sizes = self.work.sizes
        if not sizes:
            return
        bar, third = self.verticalScrollBar(), self.viewport().height() / 3
        old_tops, old_scale = self._tops, self._scale
        margin = MARGIN if self.viewport().width() >= 560 else MARGIN_NARROW
        room = min(self.viewport().width() - 2 * margin, WIDEST_FIT)
        usual = float(np.median([width for width, _ in sizes]))
        self._scale = max(0.05, room / usual * self.zoom)
        heights = np.array([height for _, height in sizes]) * self._scale
        self._tops = np.concatenate([[0.0], np.cumsum(heights + GAP)]) + GAP
        self._widest = max(width for width, _ in sizes) * self._scale + 2 * margin
        y = bar.value() + third
        index = max(0, int(np.searchsorted(old_tops, y, side="right")) - 1)
        keeps = len(old_tops) == len(self._tops) and bar.value() > 0
        bar.setRange(0, max(0, round(float(self._tops[-1]) - self.viewport().height())))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(54)
        wide = self.horizontalScrollBar()
        wide.setRange(0, max(0, round(self._widest - self.viewport().width())))
        wide.setPageStep(self.viewport().width())
        wide.setValue(wide.maximum() // 2)
        if keeps and index < len(sizes):
            inside = (y - float(old_tops[index])) / old_scale * self._scale
            bar.setValue(round(float(self._tops[index]) + inside - third))
        self._scrolled()

    def _show_box(self, index: int, share: float, *, calm: bool) -> None:
        y = float(self._tops[index]) + share * self.work.sizes[index][1] * self._scale
        bar, height = self.verticalScrollBar(), self.viewport().height()
        if calm and bar.value() + 24 < y < bar.value() + height - 64:
            return
        bar.setValue(round(y - height / 3))

    # --- work -------------------------------------------------------------------------------

    def _opened(self) -> None:
        self._place_pages()
        place, self._pending_place = self._pending_place, None
        if self._pending:
            self.show_range(*self._pending)
        elif place:
            self.go_to_place(place)
        self._scrolled()

    def _wanted_pictures(self) -> Iterator[tuple[int, float]]:
        scale = self._pixels_a_point()
        seen = self._visible()
        for index in [*seen, *([seen[-1] + 1, seen[0] - 1] if seen else [])]:
            if 0 <= index < len(self.work.sizes):
                yield index, scale

    def _wanted_boxes(self) -> Iterator[tuple[int, Range]]:
        if self._pending:
            yield self.page_of(self._pending[0]), self._pending
        for index in self._visible():
            for span in self._spans(index):
                if self.work.page_span(index, span):
                    yield index, span

    def _spans(self, index: int) -> Iterator[Range]:
        """Return the ranges that are to be painted on a page."""
        if index >= len(self.work.pages):
            return
        page = self.work.pages[index]
        if self.passage:
            yield self.passage
        for _, start, end in self.hits_in(page.start, page.end):
            yield (start, end)
        for start, end, *_ in self.names_in(page.start, page.end):
            yield (start, end)

    def _page_ready(self, index: int) -> None:
        self.viewport().update()

    def _boxes_ready(self, index: int) -> None:
        pending = self._pending
        if pending and index == self.page_of(pending[0]):
            self._pending = None
            boxes = self.work.boxes(pending, index)
            if boxes:
                self._show_box(index, boxes[0][1], calm=self.passage != pending)
        self.viewport().update()

    def _scrolled(self) -> None:
        self.viewport().update()
        self.work.wake()
        self.note_move()

    # --- events -----------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_pages()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self.look.color("sunken"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for index in self._visible():
            paint_page(painter, self, index)
        painter.end()
