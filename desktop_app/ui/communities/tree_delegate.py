"""How a row of the tree is drawn: a dot of its colour, the title, how big, how weighty, marks.

Owns painting only.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.engine.themes import CommunityRow
from desktop_app.ui.theme.steps import step_colors
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.tables import paint_ground

from .tree_model import ROW_ROLE, SHADE_ROLE
from .words import marks_of, say_size

ROW_HEIGHT = 46
BAR = 40
DOT = 8


class CommunityDelegate(QStyledItemDelegate):
    """Two lines: the title; size, weight as a short bar, and what there is to know."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(120, self._theme.length(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        row: CommunityRow = index.data(ROW_ROLE)
        paint_ground(painter, option, index, self)
        theme = self._theme
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        area = option.rect.adjusted(4, 4, -12, -4)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade_color(theme, index.data(SHADE_ROLE)))
        top, foot = (area.top() + theme.length(down) for down in (15, 33))
        painter.drawEllipse(QRectF(area.left(), top - DOT, DOT, DOT))
        left = area.left() + DOT + 8
        font, small = theme.font("text"), theme.font("small")
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        room = area.right() - left
        title = " ".join(str(index.data()).split())
        metrics = QFontMetrics(font)
        painter.drawText(left, top, metrics.elidedText(title, Qt.TextElideMode.ElideRight, room))
        # the paler ink is too pale on the ground of a selected row
        pale = theme.color("text" if selected else "text2")
        painter.setFont(small)
        painter.setPen(pale)
        said = say_size(row.n_members)
        painter.drawText(left, foot, said)
        right = area.right()
        for icon, _ in marks_of(row):
            theme.icon(icon, color="text" if selected else "text2").paint(
                painter, QRect(right - 13, foot - 11, 14, 14)
            )
            right -= 20
        if not row.is_loose:
            spot = QRectF(left + QFontMetrics(small).horizontalAdvance(said) + 10, foot - 6, BAR, 4)
            if spot.right() < right - 4:
                paint_weight(painter, theme, spot, row.rating)
        painter.restore()


def paint_weight(painter: QPainter, theme: Theme, spot: QRectF, rating: float) -> None:
    """Paint a rating of 0 to 10 as a short bar."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("text2", 0.22))
    painter.drawRoundedRect(spot, 2, 2)
    full = QRectF(spot)
    full.setWidth(max(2.0, spot.width() * min(1.0, max(0.0, rating / 10.0))))
    painter.setBrush(theme.color("accent"))
    painter.drawRoundedRect(full, 2, 2)


def shade_color(theme: Theme, shade: int, alpha: float = 1.0) -> QColor:
    """Return one of the twelve colours; the paler ink for what has none."""
    color = QColor(step_colors(theme.tokens)[shade]) if shade >= 0 else theme.color("text2")
    color.setAlphaF(alpha)
    return color
