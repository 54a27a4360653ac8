"""The table of passages and routes as a model: two rows a passage, its place, then its scores.

Owns what a cell says, also to a screen reader. Knows no widgets.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from desktop_app.ui.language import tr
from desktop_app.ui.plain_tip import plain_tip

from .telling import ROUTES, RouteRow, RouteTable, format_score

SHARE_ROLE = Qt.ItemDataRole.UserRole
ROW_ROLE = Qt.ItemDataRole.UserRole + 1

AnyIndex = QModelIndex | QPersistentModelIndex


class RoutesModel(QAbstractTableModel):
    """Even rows name a passage (one cell over all columns), odd ones hold its scores."""

    def __init__(self, table: RouteTable, parent=None) -> None:
        super().__init__(parent)
        self.table = table

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 2 * len(self.table.rows)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else max(1, len(self.table.routes))

    def passage(self, row: int) -> RouteRow:
        return self.table.rows[row // 2]

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.table.routes):
            return None
        short, hint = ROUTES.get(self.table.routes[section], (self.table.routes[section], ""))
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(short)
        return tr(hint) if hint and role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        passage = self.passage(index.row())
        if role == ROW_ROLE:
            return passage
        if index.row() % 2 == 0:
            return self._place(passage, role)
        if index.column() >= len(passage.scores):
            return None
        score = passage.scores[index.column()]
        name = tr(self.table.routes[index.column()])
        if role == Qt.ItemDataRole.DisplayRole:
            return format_score(score)
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            said = tr("not found") if score is None else format_score(score)
            return tr("{part}: {value}", part=name, value=said)
        if role == SHARE_ROLE:
            best = self.table.best(index.column())
            return max(0.0, score / best) if score is not None and best > 0 else 0.0
        return None

    def _place(self, passage: RouteRow, role: int) -> Any:
        where = " · ".join(part for part in (passage.title, passage.place) if part)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{passage.rank}  {where}"
        if role == Qt.ItemDataRole.ToolTipRole:
            said = tr("Cited in the answer" if passage.cited else "Found, not cited")
            return plain_tip(f"{where}\n{said}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if passage.cited:
                return tr("Passage {n}, {place}, cited", n=passage.rank, place=where)
            return tr("Passage {n}, {place}", n=passage.rank, place=where)
        return None
