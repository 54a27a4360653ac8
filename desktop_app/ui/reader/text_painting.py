"""Paints one block of flowing text: what is marked under it, its ink, the lines under names.

Owns strokes and colours only: where the block is and what is marked come from the view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from .look import mixed, note_color
from .set_type import SetBlock

if TYPE_CHECKING:
    from .view import DocumentView


def paint_block(painter: QPainter, view: DocumentView, block: SetBlock, origin: QPointF) -> None:
    """Draw a block with its passage, hits, highlights, selection and names."""
    _paint_under(painter, view, block, origin)
    painter.setPen(view.look.color("text"))
    block.layout.draw(painter, origin)
    _paint_names(painter, view, block, origin)
    for note in view.bookmarks_in(block.start, block.end):
        rects = block.rects(note.start, note.start + 1)
        y = origin.y() + (rects[0].top() if rects else 0.0)
        paint_ribbon(painter, QRectF(origin.x() - 22, y + 3, 10, block.leading - 8), view)


def paint_ribbon(painter: QPainter, place: QRectF, view: DocumentView) -> None:
    """Draw the ribbon of a bookmark."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(view.look.color("accent"))
    left, right, top, bottom = place.left(), place.right(), place.top(), place.bottom()
    notch = QPointF(place.center().x(), bottom - place.width() * 0.45)
    painter.drawPolygon(
        [
            QPointF(left, top),
            QPointF(right, top),
            QPointF(right, bottom),
            notch,
            QPointF(left, bottom),
        ]
    )


def _paint_under(painter: QPainter, view: DocumentView, block: SetBlock, origin: QPointF) -> None:
    trim = block.leading * 0.09

    def fill(start: int, end: int, color: QColor, trim: float = trim) -> None:
        _fill(painter, block, origin, start, end, color, trim)

    for note in view.highlights_in(block.start, block.end):
        fill(note.start, note.end, note_color(view.theme, note.color))
    if view.followed:
        ink = QColor(view.theme.type_color(view.followed_kind))
        soft = mixed(view.look.color("surface"), ink, 0.28)
        for start, end in view.followed_in(block.start, block.end):
            fill(start, end, soft)
    if view.passage:  # over the others of a followed name: it is the one that was gone to
        fill(*view.passage, view.look.mark(view.pulse.value))
    for number, start, end in view.hits_in(block.start, block.end):
        current = number == view.current_hit
        fill(start, end, view.look.current_hit() if current else view.look.hit())
    chosen = view.selection.range
    if chosen:
        fill(*chosen, view.look.selection(), 0.0)


def _fill(
    painter: QPainter,
    block: SetBlock,
    origin: QPointF,
    start: int,
    end: int,
    color: QColor,
    trim: float,
) -> None:
    if start >= block.end or end <= block.start:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    for rect in block.rects(start, end):
        place = rect.translated(origin).adjusted(-1 if trim else 0, trim, 1 if trim else 0, -trim)
        if trim:
            painter.drawRoundedRect(place, 2, 2)
        else:
            painter.drawRect(place)


def _paint_names(painter: QPainter, view: DocumentView, block: SetBlock, origin: QPointF) -> None:
    for start, end, _, _, kind in view.names_in(block.start, block.end):
        pen = QPen(view.theme.type_color(kind), 1.5)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        for rect in block.rects(start, end):
            place: QRectF = rect.translated(origin)
            y = place.bottom() - block.leading * 0.12
            painter.drawLine(QPointF(place.left() + 1, y), QPointF(place.right() - 1, y))
