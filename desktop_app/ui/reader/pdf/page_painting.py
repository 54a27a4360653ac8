"""Paints one page of a PDF: its picture, what is marked on it, and the paper that waits for it.

Owns strokes and colours only: where the page is, its picture and what is marked come from the
view. A page without a picture yet is pale paper with grey lines, never a white flash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from desktop_app.engine.text.pdf_positions import Box

from ...theme.tokens import DARK, LIGHT, Tokens
from ..look import mixed, note_color
from ..text.view import paint_ribbon
from .worker import Range

if TYPE_CHECKING:
    from .view import PdfView


def paint_pages(view: PdfView) -> None:
    """Draw the pages in sight, and the caret."""
    painter = QPainter(view.viewport())
    painter.fillRect(view.viewport().rect(), view.look.color("sunken"))
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    for index in view.pages_in_sight():
        paint_page(painter, view, index)
    view.caret.paint(painter, QColor(paper_of(view).accent))
    painter.end()


def paint_page(painter: QPainter, view: PdfView, index: int) -> None:
    """Draw a page where it is in the window, with its passage, hits and names."""
    place = view.page_rect(index)
    # until the sharp picture is there, a thumbnail is better than paper
    picture = view.work.picture(index) or view.work.small(index)
    if picture is None:
        _paint_waiting(painter, view, place)
    else:
        painter.drawImage(place, picture)
        _paint_sharp(painter, view, index, place)
    painter.setPen(QPen(view.look.color("line"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(place.adjusted(-0.5, -0.5, 0.5, 0.5))
    if picture is not None and index < len(view.work.pages):
        _paint_marks(painter, view, index, place)
        _paint_names(painter, view, index, place)
        page = view.work.pages[index]
        for _ in view.bookmarks_in(page.start, max(page.end, page.start + 1)):
            paint_ribbon(painter, QRectF(place.right() - 34, place.top(), 16, 30), view)


def _paint_sharp(painter: QPainter, view: PdfView, index: int, place: QRectF) -> None:
    sharp = view.work.sharp(index, view.pixels_a_point(index))
    if sharp is not None:
        image, made = sharp
        ratio = view.devicePixelRatioF()
        corner = place.topLeft() + QPointF(made.left / ratio, made.top / ratio)
        size = QSizeF(made.width / ratio, made.height / ratio)
        painter.drawImage(QRectF(corner, size), image)


def paper_of(view: PdfView) -> Tokens:
    """Return the colours that go with the pages: they are white unless they were turned around."""
    return DARK if view.work.dark else LIGHT


def in_page(place: QRectF, box: Box) -> QRectF:
    """Return where a box is in the window, its page being at `place`."""
    left, top, right, bottom = box
    return QRectF(
        place.left() + left * place.width(),
        place.top() + top * place.height(),
        (right - left) * place.width(),
        (bottom - top) * place.height(),
    )


def joined(boxes: list[QRectF]) -> list[QRectF]:
    """Return boxes with those of one line as one, where only a space is between them."""
    found: list[QRectF] = []
    for box in boxes:
        last = found[-1] if found else None
        if last is not None:
            common = min(last.bottom(), box.bottom()) - max(last.top(), box.top())
            level = common > 0.6 * min(last.height(), box.height())
            if level and 0 <= box.left() - last.right() < 1.2 * box.height():
                found[-1] = last.united(box)
                continue
        found.append(box)
    return found


def _paint_marks(painter: QPainter, view: PdfView, index: int, place: QRectF) -> None:
    # ink stays as it is on the mark, as under a highlighter; paper is light in both themes,
    # unless it was turned around
    modes, tokens = QPainter.CompositionMode, paper_of(view)
    dark = tokens is DARK
    painter.setCompositionMode(
        modes.CompositionMode_Screen if dark else modes.CompositionMode_Multiply
    )
    mark, warn = QColor(tokens.mark), QColor(tokens.warn)

    def fill(span: Range, color: QColor) -> None:
        boxes = joined([in_page(place, box) for box in view.work.boxes(span, index)])
        _fill(painter, [box.adjusted(-1.5, -1.5, 1.5, 1.5) for box in boxes], color)

    page = view.work.pages[index]
    for note in view.highlights_in(page.start, page.end):
        fill((note.start, note.end), note_color(view.theme, note.color, paper=tokens))
    if view.passage:
        fill(view.passage, mixed(mark, warn, 0.4 * view.pulse.value))
    ink = QColor(tokens.types.get(view.followed_kind, tokens.types["other"]))
    for span in view.followed_in(page.start, page.end):
        if span == view.passage:
            continue  # it is the one that was gone to
        fill(span, mixed(QColor(tokens.surface), ink, 0.32))
    for number, start, end in view.hits_in(page.start, page.end):
        current = number == view.current_hit
        fill((start, end), mixed(mark, warn, 0.35 * current))
    _paint_selection(painter, view, index, place)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)


def _paint_selection(painter: QPainter, view: PdfView, index: int, place: QRectF) -> None:
    chosen, letters = view.selection.range, view.work.letters(index)
    page = view.work.pages[index]
    if chosen is None or letters is None or chosen[0] >= page.end or chosen[1] <= page.start:
        return
    tokens = paper_of(view)
    color = mixed(QColor(tokens.accent_soft), QColor(tokens.accent), 0.22)
    _fill(painter, [in_page(place, box) for box in letters.rects(*chosen)], color)


def _fill(painter: QPainter, boxes: list[QRectF], color: QColor) -> None:
    """Paint boxes as one shape: where lines lean into each other, nothing is darker."""
    shape = QPainterPath()
    shape.setFillRule(Qt.FillRule.WindingFill)
    for box in boxes:
        shape.addRect(box)
    painter.fillPath(shape, color)


def _paint_names(painter: QPainter, view: PdfView, index: int, place: QRectF) -> None:
    page, types = view.work.pages[index], paper_of(view).types
    for start, end, _, _, kind in view.names_in(page.start, page.end):
        painter.setPen(QPen(QColor(types.get(kind, types["other"])), 1.5))
        for box in view.work.boxes((start, end), index):
            rect = in_page(place, box)
            painter.drawLine(rect.bottomLeft() + QPointF(0, 1), rect.bottomRight() + QPointF(0, 1))


def _paint_waiting(painter: QPainter, view: PdfView, place: QRectF) -> None:
    # as white, or dark, as the page that will come
    tokens = paper_of(view)
    paper, grey = QColor(tokens.surface), QColor(tokens.line)
    painter.fillRect(place, paper)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mixed(paper, grey, 0.6))
    inset, y = place.width() * 0.12, place.top() + place.height() * 0.1
    while y < place.bottom() - place.height() * 0.1:
        painter.drawRoundedRect(QRectF(place.left() + inset, y, place.width() - 2 * inset, 6), 3, 3)
        y += 24
