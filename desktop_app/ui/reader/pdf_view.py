"""The page view: a PDF as it looks, pages under each other or one at a time, marks on them.

Owns scrolling and what is under a point. Where pages are is reckoned by `pdf_layout`, pictures
come from `pdf_work`, a page is drawn by `page_painting`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from desktop_app.engine.text.pdf_map import Box
from desktop_app.engine.types import Page
from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.workers.failures import FailureHandler

from .blocks import build_blocks, flowed
from .caret import Caret
from .page_painting import paint_pages
from .page_pointer import PagePointer, lacks_letters, name_under, nearest_letter
from .pdf_caret import PagePlaces
from .pdf_layout import GAP, PageLayout, place_pages
from .pdf_wishes import PageWishes
from .pdf_work import PdfWork
from .selection import Selection
from .view import DocumentView, Name, Range

TEXT_REACH = 14.0  # points around letters in which a press selects instead of dragging the page


class PdfView(DocumentView):
    """Shows pages; `zoom` 1.0 is the width of the window, of a single page all of it."""

    def __init__(
        self, theme: Theme, on_failure: FailureHandler, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self.work = PdfWork(on_failure, self)
        self._wishes = PageWishes(self)
        self.work.ask_with(self._wishes.pictures, self._wishes.boxes)
        self.work.opened.connect(self._opened)
        self.work.page_ready.connect(lambda _: self.viewport().update())
        self.work.boxes_ready.connect(self._boxes_ready)
        self.work.letters_ready.connect(self._letters_ready)
        self.placed = PageLayout()
        self.single = False
        self.pending: Range | None = None  # to be shown once its place on the page is known
        self._pending_place: tuple[int, float] | None = None
        self._last_value = 0
        self.selection = Selection(self)
        self.caret = Caret(self, PagePlaces(self))
        self.pointer = PagePointer(self)
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            bar.valueChanged.connect(self._scrolled)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(tr("Pages of the document"))

    # --- what is shown ----------------------------------------------------------------------

    @property
    def text(self) -> str:
        return self.work.text

    def set_document(
        self, content: bytes, password: str | None, text: str, pages: Sequence[Page]
    ) -> None:
        self.clear()
        self.work.open(content, password, text, list(pages))
        self.verticalScrollBar().setValue(0)
        self.viewport().update()

    def clear(self) -> None:
        self.forget_ranges()
        self.selection.clear()
        self.pending = self._pending_place = None
        self.work.clear()
        self.placed = PageLayout()

    def set_single(self, single: bool) -> None:
        """Show one page at a time, or let pages flow."""
        if single != self.single:
            here = self.current_page()
            self.single = single
            self._place_pages()
            self.show_page(here)

    def show_range(self, start: int, end: int) -> None:
        index = self.page_of(start)
        if not self.work.sizes:
            self.pending = (start, end)
            return
        span = (start, max(end, start + 1))
        calm = self.passage != (start, end)
        boxes = self.work.boxes(span, index)
        if boxes:
            self.pending = None
            self._show_box(index, boxes[0], calm=calm)
            return
        # its place on the page is still being looked for: the page first
        self.pending = span
        page = self.work.pages[index] if index < len(self.work.pages) else None
        if page is None or (start == page.start and end <= start + 1):
            self.show_page(index)
        else:
            share = (start - page.start) / max(1, page.end - page.start)
            self._show_box(index, (0.0, share, 0.0, share), calm=calm)
        self.work.wake()

    def show_page(self, index: int) -> None:
        """Go to the top of a page."""
        if 0 <= index < len(self.work.sizes):
            self.pending = None
            self.verticalScrollBar().setValue(round(float(self.placed.tops[index]) - GAP / 2))

    def page_of(self, offset: int) -> int:
        """Return the index of the page that holds an offset."""
        starts = [page.start for page in self.work.pages]
        return max(0, int(np.searchsorted(starts, offset, side="right")) - 1)

    def current_page(self) -> int:
        """Return the page that fills the upper third of the window."""
        if not self.work.sizes:
            return 0
        y = self.verticalScrollBar().value() + self.viewport().height() / 3
        return self.placed.page_at(y)

    def top_offset(self) -> int:
        index = self.current_page()
        return self.work.pages[index].start if index < len(self.work.pages) else 0

    def place(self) -> tuple[int, float]:
        if not self.work.sizes:
            return (0, 0.0)
        y = self.verticalScrollBar().value()
        index = self.placed.page_at(y)
        return (index, (y - float(self.placed.tops[index])) / self._height(index))

    def go_to_place(self, place: object) -> None:
        if isinstance(place, int):  # an offset of the text
            place = (self.page_of(place), -0.01)
        index, share = place  # type: ignore[misc]
        self.pending = None
        if index < len(self.work.sizes):
            y = float(self.placed.tops[index]) + share * self._height(index)
            self.verticalScrollBar().setValue(round(y))
        else:
            self._pending_place = (index, share)

    def visible_range(self) -> Range:
        indexes, pages = self.pages_in_sight(), self.work.pages
        if not indexes or indexes[-1] >= len(pages):
            return (0, 0)
        return (pages[indexes[0]].start, pages[indexes[-1]].end)

    def shares(self, offsets: np.ndarray) -> np.ndarray:
        pages, sizes = self.work.pages, self.work.sizes
        if not pages or not sizes or len(self.placed.tops) < len(pages):
            return np.zeros(len(offsets))
        return self.placed.shares(pages, sizes, offsets)

    def set_names(self, names: Sequence[Name]) -> None:
        super().set_names(names)
        self.work.wake()

    def apply_zoom(self) -> None:
        self._place_pages()

    # --- where things are -------------------------------------------------------------------

    def page_rect(self, index: int) -> QRectF:
        """Return where a page is in the window, as large as its picture to the pixel."""
        sharp, ratio = self.pixels_a_point(index), self.devicePixelRatioF()
        width, height = (math.ceil(side * sharp) / ratio for side in self.work.sizes[index])
        room = max(self.viewport().width(), self.placed.widest)
        left = round((room - width) / 2) - self.horizontalScrollBar().value()
        top = float(self.placed.tops[index]) - self.verticalScrollBar().value()
        return QRectF(left, round(top), width, height)

    def pixels_a_point(self, index: int) -> float:
        return round(float(self.placed.scales[index]) * self.devicePixelRatioF(), 4)

    def _height(self, index: int) -> float:
        return self.work.sizes[index][1] * float(self.placed.scales[index])

    def pages_in_sight(self) -> list[int]:
        if not self.work.sizes or len(self.placed.tops) < 2:
            return []
        top, height = self.verticalScrollBar().value(), self.viewport().height()
        return self.placed.pages_between(top, top + height, self.work.sizes)

    def offset_at(self, x: float, y: float) -> int | None:
        found = nearest_letter(self, x, y)
        return found[0] if found else None

    def is_text_at(self, x: float, y: float) -> bool:
        found = nearest_letter(self, x, y, inside=True)
        return found[1] < TEXT_REACH if found else lacks_letters(self, x, y)

    def name_at(self, x: float, y: float) -> Name | None:
        return name_under(self, QPointF(x, y))

    def paragraph_at(self, offset: int) -> Range:
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return start, len(self.text) if end < 0 else end

    def copied(self, start: int, end: int) -> str:
        part = self.text[start:end]
        return flowed(part, build_blocks(part), 0, len(part))

    def scroll_by(self, dy: float) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(round(bar.value() + dy))

    def _place_pages(self) -> None:
        """Lay pages out anew, keeping what is at a third of the height where it is."""
        sizes = self.work.sizes
        if not sizes:
            return
        bar, third, before = self.verticalScrollBar(), self.viewport().height() / 3, self.placed
        width, height = self.viewport().width(), self.viewport().height()
        self.placed = place_pages(sizes, width, height, self.zoom, self.single)
        y = bar.value() + third
        index = before.page_at(y)
        keeps = len(before.tops) == len(self.placed.tops) and bar.value() > 0
        bar.setRange(0, max(0, round(self.placed.height - height)))
        bar.setPageStep(height)
        bar.setSingleStep(height if len(self.placed.stops) else 54)
        wide = self.horizontalScrollBar()
        wide.setRange(0, max(0, round(self.placed.widest - width)))
        wide.setPageStep(width)
        wide.setValue(wide.maximum() // 2)
        if keeps:
            grown = float(self.placed.scales[index] / before.scales[index])
            inside = (y - float(before.tops[index])) * grown
            bar.setValue(round(float(self.placed.tops[index]) + inside - third))
        self._scrolled()

    def _show_box(self, index: int, box: Box, *, calm: bool) -> None:
        y = float(self.placed.tops[index]) + box[1] * self._height(index)
        bar, height = self.verticalScrollBar(), self.viewport().height()
        if calm and bar.value() + 24 < y < bar.value() + height - 64:
            return
        bar.setValue(round(y - height / 3))

    # --- work and events --------------------------------------------------------------------

    def _opened(self) -> None:
        self._place_pages()
        place, self._pending_place = self._pending_place, None
        if self.pending:
            self.show_range(*self.pending)
        elif place:
            self.go_to_place(place)
        self._scrolled()

    def _boxes_ready(self, index: int) -> None:
        pending = self.pending
        if pending and index == self.page_of(pending[0]):
            self.pending = None
            boxes = self.work.boxes(pending, index)
            if boxes:
                self._show_box(index, boxes[0], calm=self.passage != pending)
        self.viewport().update()

    def _letters_ready(self, index: int) -> None:
        self.selection.look_again()
        self.viewport().update()

    def _scrolled(self) -> None:
        bar = self.verticalScrollBar()
        if self.single and not bar.isSliderDown():
            stop = round(self.placed.stop_near(bar.value()))
            if stop != bar.value() and stop <= bar.maximum():
                bar.setValue(stop)  # comes back here
                return
        if bar.value() != self._last_value:
            self._wishes.direction = 1 if bar.value() > self._last_value else -1
            self._last_value = bar.value()
        self.viewport().update()
        self.work.wake()
        self.note_move()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = event.angleDelta().y()
        if len(self.placed.stops) and turn and not event.modifiers():
            self.show_page(self.current_page() + (-1 if turn > 0 else 1))
            event.accept()
            return
        super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_pages()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_pages(self)
