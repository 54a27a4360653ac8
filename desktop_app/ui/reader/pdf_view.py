"""The page view: a PDF as it looks, pages under each other, passages marked on them.

Owns where pages are, scrolling, zoom and painting. Pictures and boxes come from `pdf_work`; a
page without a picture yet is pale paper with grey lines, never a white flash.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from desktop_app.engine.types import Page
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.theme.tokens import LIGHT

from .look import mixed
from .pdf_work import PdfWork, Range
from .view import DocumentView, Name, add_name_actions

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
        self._grip: QPoint | None = None
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
        """Return where a page is in the window."""
        width, height = (side * self._scale for side in self.work.sizes[index])
        room = max(self.viewport().width(), self._widest)
        left = round((room - width) / 2) - self.horizontalScrollBar().value()
        top = float(self._tops[index]) - self.verticalScrollBar().value()
        return QRectF(left, round(top), round(width), round(height))

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
        scale = round(self._scale * self.devicePixelRatioF(), 4)
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
            self._paint_page(painter, index)
        painter.end()

    def _paint_page(self, painter: QPainter, index: int) -> None:
        place = self.page_rect(index)
        picture = self.work.picture(index)
        if picture is None:
            self._paint_waiting(painter, place)
        else:
            painter.drawImage(place, picture)
        painter.setPen(QPen(self.look.color("line"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(place.adjusted(-0.5, -0.5, 0.5, 0.5))
        if picture is None or index >= len(self.work.pages):
            return
        # ink stays black on the mark, as under a highlighter; paper is light in both themes
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        mark, warn = QColor(LIGHT.mark), QColor(LIGHT.warn)
        if self.passage:
            color = mixed(mark, warn, 0.4 * self.pulse.value)
            self._fill(painter, place, self.passage, index, color)
        page = self.work.pages[index]
        for number, start, end in self.hits_in(page.start, page.end):
            current = number == self.current_hit
            self._fill(painter, place, (start, end), index, mixed(mark, warn, 0.35 * current))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        for start, end, _, _, kind in self.names_in(page.start, page.end):
            painter.setPen(QPen(QColor(LIGHT.types.get(kind, LIGHT.types["other"])), 1.5))
            for box in self.work.boxes((start, end), index):
                rect = _in_page(place, box)
                painter.drawLine(
                    rect.bottomLeft() + QPointF(0, 1), rect.bottomRight() + QPointF(0, 1)
                )

    def _fill(
        self, painter: QPainter, place: QRectF, span: Range, index: int, color: QColor
    ) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        for box in self.work.boxes(span, index):
            painter.drawRect(_in_page(place, box).adjusted(-1.5, -1.5, 1.5, 1.5))

    def _paint_waiting(self, painter: QPainter, place: QRectF) -> None:
        paper, grey = self.look.color("surface"), self.look.color("line")
        painter.fillRect(place, paper)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mixed(paper, grey, 0.6))
        inset, y = place.width() * 0.12, place.top() + place.height() * 0.1
        while y < place.bottom() - place.height() * 0.1:
            painter.drawRoundedRect(
                QRectF(place.left() + inset, y, place.width() - 2 * inset, 6), 3, 3
            )
            y += 24

    # --- mouse ------------------------------------------------------------------------------

    def name_at(self, point: QPointF) -> Name | None:
        for index in self._visible():
            place = self.page_rect(index)
            if place.contains(point) and index < len(self.work.pages):
                page = self.work.pages[index]
                for name in self.names_in(page.start, page.end):
                    for box in self.work.boxes((name[0], name[1]), index):
                        if _in_page(place, box).adjusted(-1, -2, 1, 3).contains(point):
                            return name
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            name = self.name_at(event.position())
            if name:
                self.name_clicked.emit(name[2])
                return
            self._grip = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            moved = event.position().toPoint() - self._grip
            self._grip = event.position().toPoint()
            for bar, step in (
                (self.verticalScrollBar(), moved.y()),
                (self.horizontalScrollBar(), moved.x()),
            ):
                bar.setValue(bar.value() - step)
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            return
        name = self.name_at(event.position())
        shape = Qt.CursorShape.PointingHandCursor if name else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None
        self.viewport().unsetCursor()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            name = self.name_at(QPointF(event.pos()))  # type: ignore[attr-defined]
            tip = f"{name[3]} · {name[4]}" if name else ""
            QToolTip.showText(event.globalPos(), tip, self)  # type: ignore[attr-defined]
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.build_menu(self.name_at(QPointF(event.pos())))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def build_menu(self, name: Name | None = None) -> QMenu:
        """Return the menu for the marked passage, and for a name under the pointer."""
        menu = QMenu(self)
        add_name_actions(menu, self, name)
        about = " ".join(self.work.text[slice(*self.passage)].split()) if self.passage else ""
        copy = menu.addAction("Copy passage")
        ask = menu.addAction("Ask about this passage")
        for action in (copy, ask):
            action.setEnabled(bool(about))
        copy.triggered.connect(lambda: _copy(about))
        ask.triggered.connect(lambda: self.ask_about.emit(about))
        return menu


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def _in_page(place: QRectF, box: tuple[float, float, float, float]) -> QRectF:
    left, top, right, bottom = box
    return QRectF(
        place.left() + left * place.width(),
        place.top() + top * place.height(),
        (right - left) * place.width(),
        (bottom - top) * place.height(),
    )
