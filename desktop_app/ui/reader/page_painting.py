"""Paints one page of a PDF: its picture, what is marked on it, and the paper that waits for it.

Owns strokes and colours only: where the page is, its picture and what is marked come from the
view. A page without a picture yet is pale paper with grey lines, never a white flash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from desktop_app.engine.text.pdf_map import Box
from desktop_app.ui.theme.tokens import LIGHT

from .look import mixed
from .pdf_work import Range

if TYPE_CHECKING:
    from .pdf_view import PdfView


def paint_page(painter: QPainter, view: PdfView, index: int) -> None:
    """Draw a page where it is in the window, with its passage, hits and names."""
    place = view.page_rect(index)
    picture = view.work.picture(index)
    if picture is None:
        _paint_waiting(painter, view, place)
    else:
        painter.drawImage(place, picture)
    painter.setPen(QPen(view.look.color("line"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(place.adjusted(-0.5, -0.5, 0.5, 0.5))
    if picture is not None and index < len(view.work.pages):
        _paint_marks(painter, view, index, place)
        _paint_names(painter, view, index, place)


def in_page(place: QRectF, box: Box) -> QRectF:
    """Return where a box is in the window, its page being at `place`."""
    left, top, right, bottom = box
    return QRectF(
        place.left() + left * place.width(),
        place.top() + top * place.height(),
        (right - left) * place.width(),
        (bottom - top) * place.height(),
    )


def _paint_marks(painter: QPainter, view: PdfView, index: int, place: QRectF) -> None:
    # ink stays black on the mark, as under a highlighter; paper is light in both themes
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    mark, warn = QColor(LIGHT.mark), QColor(LIGHT.warn)

    def fill(span: Range, color: QColor) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        for box in view.work.boxes(span, index):
            painter.drawRect(in_page(place, box).adjusted(-1.5, -1.5, 1.5, 1.5))

    if view.passage:
        fill(view.passage, mixed(mark, warn, 0.4 * view.pulse.value))
    page = view.work.pages[index]
    for number, start, end in view.hits_in(page.start, page.end):
        current = number == view.current_hit
        fill((start, end), mixed(mark, warn, 0.35 * current))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)


def _paint_names(painter: QPainter, view: PdfView, index: int, place: QRectF) -> None:
    page = view.work.pages[index]
    for start, end, _, _, kind in view.names_in(page.start, page.end):
        painter.setPen(QPen(QColor(LIGHT.types.get(kind, LIGHT.types["other"])), 1.5))
        for box in view.work.boxes((start, end), index):
            rect = in_page(place, box)
            painter.drawLine(rect.bottomLeft() + QPointF(0, 1), rect.bottomRight() + QPointF(0, 1))


def _paint_waiting(painter: QPainter, view: PdfView, place: QRectF) -> None:
    paper, grey = view.look.color("surface"), view.look.color("line")
    painter.fillRect(place, paper)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mixed(paper, grey, 0.6))
    inset, y = place.width() * 0.12, place.top() + place.height() * 0.1
    while y < place.bottom() - place.height() * 0.1:
        painter.drawRoundedRect(QRectF(place.left() + inset, y, place.width() - 2 * inset, 6), 3, 3)
        y += 24
