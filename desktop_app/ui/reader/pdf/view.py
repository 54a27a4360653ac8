"""The page view: a PDF as it looks, pages under each other or one at a time, marks on them.

Owns scrolling and what is under a point. Where pages are is reckoned by `pdf_layout`, pictures
come from `pdf_work`, a page is drawn by `page_painting`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from desktop_app.engine.model import Page
from desktop_app.engine.text.pdf_positions import Box
from desktop_app.workers.failures import FailureHandler

from ...language import tr
from ...theme.theme import Theme
from ..caret import Caret
from ..selection import Selection
from ..text.blocks import build_blocks, flowed
from ..view import DocumentView, Name, Range
from .layout import GAP, PageLayout, place_pages
from .page_painting import in_page, paint_pages
from .pages import PageLetters
from .worker import PageRequests, PdfWorker


def nearest_letter(
    view: PdfView, x: float, y: float, *, inside: bool = False
) -> tuple[int, float] | None:
    """Return the offset nearest to a point and how many points of the page away it is.

    None while the page's letters are not known.

    Args:
        inside: answer only for points on a page.
    """
    for index in view.pages_in_sight():
        place = view.page_rect(index)
        beyond = y > place.bottom() + GAP / 2 and index + 1 < len(view.work.sizes)
        if beyond or (inside and not place.contains(QPointF(x, y))):
            continue
        letters = view.work.letters(index)
        if letters is None:
            view.work.wake()
            return None
        if not len(letters.offsets):
            pages = view.work.pages
            return (pages[index].start, float("inf")) if index < len(pages) else None
        across = (x - place.left()) / place.width()
        return letters.nearest(across, (y - place.top()) / place.height())
    return None


def lacks_letters(view: PdfView, x: float, y: float) -> bool:
    """Say whether a point is on a page whose letters are still being looked for."""
    return any(
        index < len(view.work.pages)
        and view.work.letters(index) is None
        and view.page_rect(index).contains(QPointF(x, y))
        for index in view.pages_in_sight()
    )


def name_under(view: PdfView, point: QPointF) -> Name | None:
    """Return the name that stands under a point of the window, as far as names are shown."""
    for index in view.pages_in_sight():
        place = view.page_rect(index)
        if place.contains(point) and index < len(view.work.pages):
            page = view.work.pages[index]
            for name in view.names_in(page.start, page.end):
                for box in view.work.boxes((name[0], name[1]), index):
                    if in_page(place, box).adjusted(-1, -2, 1, 3).contains(point):
                        return name
    return None


class PagePointer(QObject):
    """Takes presses beside the text, and those of the middle button, before the selection does."""

    def __init__(self, view: PdfView) -> None:
        super().__init__(view)
        self._view = view
        self._grip: QPoint | None = None
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress:
            return self._press(event)
        if kind == QEvent.Type.MouseMove and self._grip is not None:
            self._drag(event)
            return True
        if kind == QEvent.Type.MouseButtonRelease and self._grip is not None:
            self._grip = None
            self._view.viewport().unsetCursor()
            return True
        return False

    def _press(self, event: QMouseEvent) -> bool:
        point = event.position()
        left = event.button() == Qt.MouseButton.LeftButton
        x, y = point.x(), point.y()
        on_text = self._view.is_text_at(x, y) or self._view.name_at(x, y) is not None
        beside = left and not event.modifiers() and not on_text
        if not beside and event.button() != Qt.MouseButton.MiddleButton:
            return False
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        if left:
            self._view.selection.clear()
        self._grip = point.toPoint()
        return True

    def _drag(self, event: QMouseEvent) -> None:
        view, here = self._view, event.position().toPoint()
        moved, self._grip = here - self._grip, here
        for bar, step in (
            (view.verticalScrollBar(), moved.y()),
            (view.horizontalScrollBar(), moved.x()),
        ):
            bar.setValue(bar.value() - step)
        view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)


class PagePlaces:
    """Lines on the pages of one view."""

    def __init__(self, view: PdfView) -> None:
        self._view = view

    def box(self, offset: int) -> QRectF | None:
        index, letters = self._page(offset)
        if letters is None or index >= len(self._view.work.sizes):
            return None
        row = int(np.searchsorted(letters.offsets, offset))
        behind = row >= len(letters.offsets)
        left, top, right, bottom = letters.boxes[min(row, len(letters.offsets) - 1)]
        x = right if behind else left
        return in_page(self._view.page_rect(index), (float(x), float(top), float(x), float(bottom)))

    def line_beside(self, offset: int, x: float, by: int) -> int | None:
        view = self._view
        index, letters = self._page(offset)
        if letters is not None:
            begins = [*letters.line_begins(), len(letters.offsets)]
            number = self._line(letters, begins, offset) + by
            if 0 <= number < len(begins) - 1:
                return self._nearest(index, letters, begins[number], begins[number + 1], x)
        pages = view.work.pages
        index += by
        while 0 <= index < len(pages) and pages[index].start == pages[index].end:
            index += by
        if not 0 <= index < len(pages):
            return None
        beside = view.work.letters(index)
        if beside is None or not len(beside.offsets):
            view.work.wake()
            return pages[index].start if by > 0 else max(pages[index].start, pages[index].end - 1)
        begins = [*beside.line_begins(), len(beside.offsets)]
        low, high = begins[:2] if by > 0 else begins[-2:]
        return self._nearest(index, beside, low, high, x)

    def line_of(self, offset: int) -> Range | None:
        letters = self._page(offset)[1]
        if letters is None:
            return None
        begins = [*letters.line_begins(), len(letters.offsets)]
        number = self._line(letters, begins, offset)
        first, last = begins[number], begins[number + 1] - 1
        return int(letters.offsets[first]), int(letters.offsets[last]) + 1

    def bring(self, offset: int) -> None:
        view = self._view
        if len(view.placed.stops):
            view.show_page(view.page_of(offset))
        else:
            view.show_range(offset, offset + 1)

    def _page(self, offset: int) -> tuple[int, PageLetters | None]:
        index = self._view.page_of(offset)
        letters = self._view.work.letters(index)
        return index, letters if letters is not None and len(letters.offsets) else None

    @staticmethod
    def _line(letters: PageLetters, begins: list[int], offset: int) -> int:
        row = min(int(np.searchsorted(letters.offsets, offset)), len(letters.offsets) - 1)
        return int(np.searchsorted(begins, row, side="right")) - 1

    def _nearest(self, index: int, letters: PageLetters, low: int, high: int, x: float) -> int:
        place = self._view.page_rect(index)
        share = (x - place.left()) / max(1.0, place.width())
        lefts = letters.boxes[low:high, 0]
        return int(letters.offsets[low + int(np.abs(lefts - share).argmin())])


TEXT_REACH = 14.0  # points around letters in which a press selects instead of dragging the page


class PdfView(DocumentView):
    """Shows pages; `zoom` 1.0 is the width of the window, of a single page all of it."""

    def __init__(
        self, theme: Theme, on_failure: FailureHandler, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self.work = PdfWorker(on_failure, self)
        self._wishes = PageRequests(self)
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
