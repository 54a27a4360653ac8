"""The tables of the graph: entities and relations of the view, with the selection of the canvas.

Makes the graph usable by keyboard and screen reader.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.graph.view.graph_data import GraphData

from ..language import later, tr, trn
from ..theme.theme import Theme
from ..widgets import Label, RowTable, SearchField, format_number
from ..widgets.words import format_kind, format_type
from .canvas import GraphCanvas

AnyIndex = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class PictureColumn:
    """A column: title, sort key, and the shown text (the key where None)."""

    title: str
    key: Callable[[Any], Any]
    shown: Callable[[Any], str] | None = None
    number: bool = False


NAMES = (
    PictureColumn(later("Name"), lambda e: e.name.casefold(), lambda e: " ".join(e.name.split())),
    PictureColumn(later("Type"), lambda e: e.type, lambda e: format_type(e.type, capital=True)),
    PictureColumn(later("Connections"), lambda e: e.n_relations, number=True),
    PictureColumn(later("Mentions"), lambda e: e.n_mentions, number=True),
    PictureColumn(later("Documents"), lambda e: e.n_documents, number=True),
)
TIES = (
    PictureColumn(
        later("Name"), lambda r: r.source.casefold(), lambda r: " ".join(r.source.split())
    ),
    PictureColumn(
        later("Tied to"), lambda r: r.target.casefold(), lambda r: " ".join(r.target.split())
    ),
    PictureColumn(later("Kind"), lambda r: r.kind, lambda r: format_kind(r.kind)),
    PictureColumn(later("Strength"), lambda r: r.weight, lambda r: f"{r.weight:,.1f}", number=True),
    PictureColumn(later("Passages"), lambda r: r.n_evidence, number=True),
    PictureColumn(
        later("What it says"),
        lambda r: r.description or r.sentence,
        lambda r: " ".join((r.description or r.sentence).split()),
    ),
)


class PictureModel(QAbstractTableModel):
    """Rows of the view, sorted and filtered; `row_at` maps a position to a row of the view."""

    def __init__(self, columns: tuple[PictureColumn, ...], parent: Any = None) -> None:
        super().__init__(parent)
        self._columns = columns
        self._all: list[Any] = []
        self._shown: list[int] = []
        self._text = ""
        self._rows: list[int] = []
        self._position: dict[int, int] = {}
        self._sorted = (2 if columns is NAMES else 3, Qt.SortOrder.DescendingOrder)

    def set_rows(self, every: list[Any], shown: np.ndarray) -> None:
        """Set the rows of the view and which of them are shown."""
        self._all = every
        self._shown = np.flatnonzero(shown).tolist()
        self._reset()

    def filter_rows(self, text: str) -> None:
        """Keep only rows whose text columns contain every word of the text."""
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
        text = " ".join(str(c.key(one)) for c in self._columns if not c.number).casefold()
        return all(word in text for word in self._text.casefold().split())

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
            text = column.shown(one)
            return text if role == Qt.ItemDataRole.DisplayRole else text[:400]
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
    """Fill both models with the data of the view."""
    names.set_rows(data.entities, data.shown)
    both = data.shown[data.pairs].all(1) if len(data.pairs) else np.zeros(0, dtype=bool)
    ties.set_rows(data.relations, data.wanted & both)


MOST_MARKED = 2_000
ROOM_FOR_COUNTS, ROOM_FOR_DOCUMENTS = 600, 480  # pixels at the normal size of text
NAME_WIDTHS = (160, 96, 104, 84, 96)
TIE_WIDTHS = (130, 130, 110, 92, 92)
KIND = 2  # the column of connections
DOCUMENTS = 4  # that of names


class TableTwin(QWidget):
    """Two tables of a canvas; emits `activated` for an entity opened from the table."""

    activated = Signal(int)

    def __init__(self, theme: Theme, canvas: GraphCanvas, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._canvas, self._theme = canvas, theme
        self._following = False
        self.names, self.ties = PictureModel(NAMES, self), PictureModel(TIES, self)
        self.tabs = QTabBar(self)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.addTab(tr("Names"))
        self.tabs.addTab(tr("Connections"))
        self.search = SearchField(theme, tr("Filter the tables"), self)
        self.search.setMaximumWidth(240)
        self.search.searched.connect(self._find)
        self.counts = Label("", "small", self)
        head = QHBoxLayout()
        head.setContentsMargins(12, 4, 12, 4)
        head.setSpacing(12)
        head.addWidget(self.tabs)
        head.addStretch(1)
        head.addWidget(self.counts)
        head.addWidget(self.search)
        self.name_table = self._table(theme, self.names, tr("Names in the graph"), 2)
        self.tie_table = self._table(theme, self.ties, tr("Connections in the graph"), 3)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.name_table)
        self.pages.addWidget(self.tie_table)
        self.tabs.currentChanged.connect(self.pages.setCurrentIndex)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.pages, 1)
        self.name_table.selectionModel().selectionChanged.connect(lambda *_: self._chosen_here())
        self.tie_table.selectionModel().selectionChanged.connect(lambda *_: self._tie_chosen())
        self.name_table.activated.connect(self._activate)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._fill)
        canvas.data_changed.connect(self._data_changed)
        canvas.chosen_changed.connect(self._follow)

    def _table(self, theme: Theme, model: PictureModel, name: str, by: int) -> RowTable:
        table = RowTable(theme, self)
        table.setAccessibleName(name)
        table.setModel(model)
        header = table.horizontalHeader()
        header.setStretchLastSection(model is self.ties)
        widths = TIE_WIDTHS if model is self.ties else NAME_WIDTHS
        for column, width in enumerate(widths):
            table.setColumnWidth(column, theme.length(width))
        if model is self.names:  # numbers are never wider; names may be
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.sortByColumn(by, Qt.SortOrder.DescendingOrder)
        return table

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.counts.setVisible(self.width() >= self._theme.length(ROOM_FOR_COUNTS))
        narrow = self.width() < self._theme.length(ROOM_FOR_DOCUMENTS)
        self.name_table.setColumnHidden(DOCUMENTS, narrow)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._fill()

    def _data_changed(self) -> None:
        if self.isVisible():
            self._later.start()

    def _fill(self) -> None:
        self._following = True
        fill_models(self._canvas.data, self.names, self.ties)
        self._following = False
        self.tie_table.setColumnHidden(KIND, not any(self._canvas.data.kinds))
        self._show_counts()
        self._follow()

    def _show_counts(self) -> None:
        n, m = self.names.rowCount(), self.ties.rowCount()
        names = trn("{n} name", "{n} names", n)
        self.counts.setText(
            trn("{names}, {n} connection", "{names}, {n} connections", m, names=names)
        )

    # --- selection ---------------------------------------------------------------

    def _chosen_here(self) -> None:
        if self._following:
            return
        selection = self.name_table.selectionModel()
        rows = {self.names.row_at(index.row()) for index in selection.selectedRows()}
        current = self.name_table.currentIndex()
        first = self.names.row_at(current.row()) if current.isValid() else None
        self._following = True
        self._canvas.choose(rows, first=first if first in rows else None)
        if first in rows:
            self._canvas.ensure_visible(first)
        self._following = False

    def _tie_chosen(self) -> None:
        if self._following:
            return
        data, chosen = self._canvas.data, set()
        for index in self.tie_table.selectionModel().selectedRows():
            chosen |= set(data.pairs[self.ties.row_at(index.row())].tolist())
        self._following = True
        self._canvas.choose(chosen)
        self._following = False
        self._mark_names()

    def _follow(self) -> None:
        if not self._following and self.isVisible():
            self._mark_names()

    def _mark_names(self) -> None:
        """Select the chosen nodes of the canvas in the table."""
        self._following = True
        focus = self._canvas.focus
        selection, marked = self.name_table.selectionModel(), QItemSelection()
        for row in list(focus.chosen)[:MOST_MARKED]:
            position = self.names.position_of(row)
            if position is not None:
                index = self.names.index(position, 0)
                marked.select(index, index)
        rows = QItemSelectionModel.SelectionFlag.Rows
        selection.select(marked, QItemSelectionModel.SelectionFlag.ClearAndSelect | rows)
        position = self.names.position_of(focus.selected) if focus.selected is not None else None
        if position is not None:
            index = self.names.index(position, 0)
            selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.name_table.scrollTo(index)
        self._following = False

    def _activate(self, index) -> None:
        self.activated.emit(int(self._canvas.data.entities[self.names.row_at(index.row())].id))

    def _find(self, text: str) -> None:
        """Filter both tables by a text."""
        self._following = True
        self.names.filter_rows(text)
        self.ties.filter_rows(text)
        self._following = False
        self._show_counts()
        self._follow()
