"""Whom a name is tied to, strongest first, those that another name shares marked.

Owns drawing and which rows are shown. Knows the rows of a comparison only.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.services.comparing import Neighbour
from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import format_type, paint_type_disc
from desktop_app.ui.widgets.tables import paint_ground

ROW_ROLE = Qt.ItemDataRole.UserRole
ROW_HEIGHT = 28


class NeighboursModel(QAbstractListModel):
    """Rows of one side; all are held, so that the filter answers at once."""

    def __init__(self, rows: tuple[Neighbour, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all, self._shown = rows, list(rows)
        self.highest = max((row.weight for row in rows), default=1.0)

    def show_common(self, only: bool) -> None:
        self.beginResetModel()
        self._shown = [row for row in self._all if row.is_common or not only]
        self.endResetModel()

    def find_row(self, entity_id: int) -> int:
        return next((n for n, row in enumerate(self._shown) if row.id == entity_id), -1)

    def rowCount(self, parent: Any = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._shown[index.row()]
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return row.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            facts = {"place": row.place, "name": row.name, "type": format_type(row.type)}
            if row.is_common:
                return tr("{place}. {name}, {type}, tied to both", **facts)
            return tr("{place}. {name}, {type}", **facts)
        return None


class NeighbourDelegate(QStyledItemDelegate):
    """Place, disc, name; of a common one a dot and a strong name, and a bar of its weight."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(120, self._theme.length(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        row: Neighbour = index.data(ROW_ROLE)
        theme, area = self._theme, option.rect.adjusted(8, 0, -8, 0)
        paint_ground(painter, option, index, self)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if row.is_common:
            painter.setBrush(theme.color("accent"))
            painter.drawEllipse(QRectF(area.left(), area.center().y() - 3, 7, 7))
        paint_type_disc(
            painter, QRectF(area.left() + 16, area.center().y() - 6.5, 14, 14), row.type, theme
        )
        room = max(24, area.width() // 5)
        highest = index.model().highest
        # a few ties are far above the rest; their square roots can be compared at a glance
        width = max(2.0, room * sqrt(max(0.0, row.weight) / highest))
        bar = QRectF(area.right() - room, area.center().y() - 2, width, 4)
        painter.setBrush(theme.color("accent" if row.is_common else "text2", 0.55))
        painter.drawRoundedRect(bar, 2, 2)
        font = theme.font("strong" if row.is_common else "text")
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(theme.color("text" if row.is_common else "text2"))
        left = area.left() + 38
        words = metrics.elidedText(
            row.name, Qt.TextElideMode.ElideRight, round(bar.left()) - 12 - left
        )
        painter.drawText(left, area.center().y() + (metrics.capHeight() + 1) // 2, words)
        painter.restore()


class NeighbourList(QListView):
    """Emits `moved_to` with an entity when a row becomes the current one, `opened` on Return."""

    moved_to = Signal(int)
    opened = Signal(int)

    def __init__(
        self, theme: Theme, rows: tuple[Neighbour, ...], name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.rows = NeighboursModel(rows, self)
        self.setModel(self.rows)
        self.setItemDelegate(NeighbourDelegate(theme, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setMinimumHeight(5 * theme.length(ROW_HEIGHT))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName(tr("Connections of {name}", name=name))
        self.selectionModel().currentChanged.connect(self._tell)
        self.activated.connect(lambda index: self.opened.emit(index.data(ROW_ROLE).id))
        theme.changed.connect(self.viewport().update)

    def show_common(self, only: bool) -> None:
        self.rows.show_common(only)

    def show_entity(self, entity_id: int) -> None:
        """Mark the same neighbour here, if it is here."""
        row = self.rows.find_row(entity_id)
        self.selectionModel().blockSignals(True)
        if row < 0:
            self.clearSelection()
        else:
            self.setCurrentIndex(self.rows.index(row))
        self.selectionModel().blockSignals(False)
        self.viewport().update()

    def _tell(self, index: QModelIndex) -> None:
        if index.isValid():
            self.moved_to.emit(index.data(ROW_ROLE).id)
