"""The picture's names and connections as rows of tables, sorted and filtered as it is.

Owns the two models. Knows arrays and rows, no selection.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from desktop_app.ui.language import later, tr
from desktop_app.ui.widgets import format_number
from desktop_app.ui.widgets.words import format_kind, format_type

from .graph_data import GraphData

AnyIndex = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Column:
    """A column: its title, what sorts it, and what is shown (the same where None)."""

    title: str
    key: Callable[[Any], Any]
    shown: Callable[[Any], str] | None = None
    number: bool = False


NAMES = (
    Column(later("Name"), lambda e: e.name.casefold(), lambda e: " ".join(e.name.split())),
    Column(later("Type"), lambda e: e.type, lambda e: format_type(e.type, capital=True)),
    Column(later("Connections"), lambda e: e.n_relations, number=True),
    Column(later("Mentions"), lambda e: e.n_mentions, number=True),
    Column(later("Documents"), lambda e: e.n_documents, number=True),
)
TIES = (
    Column(later("Name"), lambda r: r.source.casefold(), lambda r: " ".join(r.source.split())),
    Column(later("Tied to"), lambda r: r.target.casefold(), lambda r: " ".join(r.target.split())),
    Column(later("Kind"), lambda r: r.kind, lambda r: format_kind(r.kind)),
    Column(later("Strength"), lambda r: r.weight, lambda r: f"{r.weight:,.1f}", number=True),
    Column(later("Passages"), lambda r: r.n_evidence, number=True),
    Column(
        later("What it says"),
        lambda r: r.description or r.sentence,
        lambda r: " ".join((r.description or r.sentence).split()),
    ),
)


class PictureModel(QAbstractTableModel):
    """Rows of a picture in an order of their own; `row_at` leads back to the picture's."""

    def __init__(self, columns: tuple[Column, ...], parent: Any = None) -> None:
        super().__init__(parent)
        self._columns = columns
        self._all: list[Any] = []
        self._shown: list[int] = []
        self._text = ""
        self._rows: list[int] = []
        self._position: dict[int, int] = {}
        self._sorted = (2 if columns is NAMES else 3, Qt.SortOrder.DescendingOrder)

    def set_rows(self, every: list[Any], shown: np.ndarray) -> None:
        """Take what a picture has, and which of it is shown."""
        self._all = every
        self._shown = np.flatnonzero(shown).tolist()
        self._reset()

    def sift(self, text: str) -> None:
        """Leave only rows that have every word of a text somewhere in their columns of words."""
        if text != self._text:
            self._text = text
            self._reset()

    def _reset(self) -> None:
        self.beginResetModel()
        self._rows = [row for row in self._shown if self._fits(self._all[row])]
        self._order()
        self.endResetModel()

    def _fits(self, one: Any) -> bool:
        if not self._text:
            return True
        said = " ".join(str(c.key(one)) for c in self._columns if not c.number).casefold()
        return all(word in said for word in self._text.casefold().split())

    def row_at(self, position: int) -> int:
        return self._rows[position]

    def position_of(self, row: int) -> int | None:
        return self._position.get(row)

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._columns)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self._columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and column.number:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        one = self._all[self._rows[index.row()]]
        if column.shown is not None:
            said = column.shown(one)
            return said if role == Qt.ItemDataRole.DisplayRole else said[:400]
        return format_number(column.key(one)) if role == Qt.ItemDataRole.DisplayRole else None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and column.number:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return tr(column.title) if role == Qt.ItemDataRole.DisplayRole else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if column < 0:
            return
        self._sorted = (column, order)
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        held = [(self._rows[index.row()], index.column()) for index in before]
        self._order()
        after = [self.index(self._position[row], col) for row, col in held]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def _order(self) -> None:
        column, order = self._sorted
        key = self._columns[column].key
        down = order == Qt.SortOrder.DescendingOrder
        self._rows.sort()
        self._rows.sort(key=lambda row: key(self._all[row]), reverse=down)
        self._position = {row: position for position, row in enumerate(self._rows)}


def fill_models(data: GraphData, names: PictureModel, ties: PictureModel) -> None:
    """Give both models what a picture shows."""
    names.set_rows(data.entities, data.shown)
    both = data.shown[data.pairs].all(1) if len(data.pairs) else np.zeros(0, dtype=bool)
    ties.set_rows(data.relations, data.wanted & both)
