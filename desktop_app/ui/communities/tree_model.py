"""The Qt item model of the community tree: filter, order, lookup by id; and its delegate."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.engine.model import CommunityRow

from ..theme.theme import Theme
from ..theme.tokens import step_colors
from ..widgets.tables import paint_ground
from .community_tree import ROOT, CommunityTree
from .words import format_member_count, format_rating, get_title, list_marks

ROW_ROLE = Qt.ItemDataRole.UserRole
SHADE_ROLE = Qt.ItemDataRole.UserRole + 1
AnyIndex = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


class CommunityModel(QAbstractItemModel):
    """One column; the internal id of an index is the id of its community."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.community_tree = CommunityTree()
        self._text, self._sort = "", "size"
        self._kids: dict[int, list[int]] = {}
        self._place: dict[int, int] = {}
        self.n_found = 0

    @property
    def is_filtered(self) -> bool:
        return bool(self._text)

    @property
    def order(self) -> str:
        return self._sort

    def set_community_tree(self, community_tree: CommunityTree) -> None:
        self.beginResetModel()
        self.community_tree = community_tree
        self._arrange()
        self.endResetModel()

    def set_text(self, text: str) -> None:
        """Keep the communities that match these words, with their ancestors."""
        self.beginResetModel()
        self._text = text.strip()
        self._arrange()
        self.endResetModel()

    def set_sort(self, sort: str) -> None:
        self.beginResetModel()
        self._sort = sort
        self._arrange()
        self.endResetModel()

    def _arrange(self) -> None:
        community_tree = self.community_tree
        found = community_tree.find(self._text) if self._text else set(community_tree.rows)
        shown = community_tree.with_parents(found) if self._text else found
        self.n_found = len(found)
        self._kids = {
            number: [i for i in community_tree.children(number, self._sort) if i in shown]
            for number in (ROOT, *community_tree.rows)
        }
        self._place = {
            number: place for kids in self._kids.values() for place, number in enumerate(kids)
        }

    def index_of(self, number: int) -> QModelIndex:
        """Return the index of a community, invalid if it is filtered out."""
        place = self._place.get(number)
        return QModelIndex() if place is None else self.createIndex(place, 0, number)

    # --- QAbstractItemModel -----------------------------------------------------------------------

    def index(self, row: int, column: int, parent: AnyIndex = NOWHERE) -> QModelIndex:
        kids = self._kids.get(self._number(parent), [])
        if column or not 0 <= row < len(kids):
            return QModelIndex()
        return self.createIndex(row, 0, kids[row])

    def parent(self, index: AnyIndex | None = None) -> Any:
        if index is None:
            return super().parent()
        number = self._number(index)
        return (
            self.index_of(self.community_tree.parent(number)) if number != ROOT else QModelIndex()
        )

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return len(self._kids.get(self._number(parent), []))

    def columnCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.community_tree.rows.get(self._number(index))
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == SHADE_ROLE:
            return self.community_tree.shade(int(row.id))
        if role == Qt.ItemDataRole.DisplayRole:
            return get_title(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join([get_title(row), *(words for _, words in list_marks(row))])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            parts = [get_title(row), format_member_count(row.n_members), format_rating(row.rating)]
            return ". ".join([*parts, *(words for _, words in list_marks(row))])
        return None

    @staticmethod
    def _number(index: AnyIndex) -> int:
        return int(index.internalId()) if index.isValid() else ROOT


ROW_HEIGHT = 46
BAR = 40
DOT = 8


class CommunityDelegate(QStyledItemDelegate):
    """Draws two lines: the title; then size, rating as a short bar, and marks."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(120, self._theme.length(ROW_HEIGHT))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
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
        # The muted text colour has too little contrast on the selection.
        pale = theme.color("text" if selected else "text2")
        painter.setFont(small)
        painter.setPen(pale)
        parts = format_member_count(row.n_members)
        painter.drawText(left, foot, parts)
        right = area.right()
        for icon, _ in list_marks(row):
            theme.icon(icon, color="text" if selected else "text2").paint(
                painter, QRect(right - 13, foot - 11, 14, 14)
            )
            right -= 20
        if not row.is_loose:
            spot = QRectF(
                left + QFontMetrics(small).horizontalAdvance(parts) + 10, foot - 6, BAR, 4
            )
            if spot.right() < right - 4:
                paint_weight(painter, theme, spot, row.rating)
        painter.restore()


def paint_weight(painter: QPainter, theme: Theme, spot: QRectF, rating: float) -> None:
    """Paint a rating from 0 to 10 as a short bar."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("text2", 0.22))
    painter.drawRoundedRect(spot, 2, 2)
    full = QRectF(spot)
    full.setWidth(max(2.0, spot.width() * min(1.0, max(0.0, rating / 10.0))))
    painter.setBrush(theme.color("accent"))
    painter.drawRoundedRect(full, 2, 2)


def shade_color(theme: Theme, shade: int, alpha: float = 1.0) -> QColor:
    """Return one of the twelve colours, the muted text colour for -1."""
    color = QColor(step_colors(theme.tokens)[shade]) if shade >= 0 else theme.color("text2")
    color.setAlphaF(alpha)
    return color
