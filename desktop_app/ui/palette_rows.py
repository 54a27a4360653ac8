"""How the palette's lines look: a heading of a section, and a row with its note at the right.

Owns their painting and heights. Knows nothing of what is found.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from .palette_finding import Row
from .theme.theme import Theme
from .theme.tokens import ROW
from .widgets.tables import COLOR_ROLE, ICON_ROLE, SUBTITLE_ROLE, paint_ground

TITLE = 28
WHAT_ROLE = Qt.ItemDataRole.UserRole


class PaletteDelegate(QStyledItemDelegate):
    """A row: icon, text, and at the right its note; a heading: small and pale."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        height = ROW if index.data(WHAT_ROLE) is not None else TITLE
        return QSize(0, self._theme.length(height))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        painter.save()
        area = option.rect.adjusted(16, 0, -16, 0)
        if index.data(WHAT_ROLE) is None:
            self._paint_title(painter, area, str(index.data()))
        else:
            paint_ground(painter, option, index, self)
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            self._paint_row(painter, area, index, chosen)
        painter.restore()

    def _paint_title(self, painter: QPainter, area: QRect, text: str) -> None:
        font = self._theme.font("small")
        font.setWeight(font.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self._theme.color("text2"))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        painter.drawText(area.adjusted(0, 0, 0, -4), flags, text)

    def _paint_row(
        self,
        painter: QPainter,
        area: QRect,
        index: QModelIndex | QPersistentModelIndex,
        chosen: bool,
    ) -> None:
        color = index.data(COLOR_ROLE) or "text2"
        if icon := index.data(ICON_ROLE):
            side = self._theme.length(16)
            spot = QRect(area.left(), area.center().y() - side // 2 + 1, side, side)
            self._theme.icon(icon, color=color).paint(painter, spot)
        area.setLeft(area.left() + self._theme.length(26))
        font, small = self._theme.font("text"), self._theme.font("small")
        metrics, narrow = QFontMetrics(font), QFontMetrics(small)
        text, note = str(index.data() or ""), str(index.data(SUBTITLE_ROLE) or "")
        wide = narrow.horizontalAdvance(note)
        room = area.width() - min(wide, area.width() // 3) - 16 * bool(note)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        baseline = area.center().y() + (metrics.capHeight() + 1) // 2
        painter.setFont(font)
        painter.setPen(self._theme.color("text2" if not index.data(WHAT_ROLE).key else "text"))
        painter.drawText(area.left(), baseline, shown)
        left = area.left() + metrics.horizontalAdvance(shown) + 16
        space = area.right() - left
        if note and space > 24:
            tail = narrow.elidedText(note, Qt.TextElideMode.ElideMiddle, space)
            painter.setFont(small)
            # the paler ink is too pale on the ground of a chosen row
            painter.setPen(self._theme.color("text" if chosen else "text2"))
            painter.drawText(area.right() - narrow.horizontalAdvance(tail), baseline, tail)


def add_title(results: QListWidget, text: str) -> int:
    """Add a heading, which can't be chosen; return its height."""
    shown = QListWidgetItem(text)
    shown.setFlags(Qt.ItemFlag.NoItemFlags)
    results.addItem(shown)
    return TITLE


def add_row(results: QListWidget, row: Row) -> int:
    """Add a row; return its height."""
    shown = QListWidgetItem(row.text)
    shown.setData(SUBTITLE_ROLE, row.note)
    shown.setData(ICON_ROLE, row.icon)
    if row.key.startswith("name/"):
        shown.setData(COLOR_ROLE, row.icon)
    shown.setData(WHAT_ROLE, row)
    results.addItem(shown)
    return ROW
