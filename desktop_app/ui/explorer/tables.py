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
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHeaderView, QStackedWidget, QTabBar, QWidget

from desktop_app.engine.model import RelationRow

from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets import STRETCH, Label, RowTable, SearchField, build_column, build_row, format_number
from ..widgets.tables import AnyIndex
from ..widgets.words import ARROWS, format_kind, format_type
from .canvas import GraphCanvas

NUMBERS = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True)
class GraphColumn:
    """A column: title, sort key, the shown text (the number where None), and its width."""

    title: str
    key: Callable[[Any], Any]
    width: int
    shown: Callable[[Any], str] | None = None


def one_line(text: str) -> str:
    return " ".join(text.split())


def describe_kind_and_direction(relation: RelationRow) -> str:
    """Return the kind of a relation after an arrow from its first column to its second."""
    arrow = ARROWS[relation.direction] if relation.direction else ""
    return " ".join(filter(None, (arrow, format_kind(relation.kind))))


NAMES = (
    GraphColumn(later("Name"), lambda e: e.name.casefold(), 160, lambda e: one_line(e.name)),
    GraphColumn(later("Type"), lambda e: e.type, 96, lambda e: format_type(e.type, capital=True)),
    GraphColumn(later("Connections"), lambda e: e.n_relations, 104),
    GraphColumn(later("Mentions"), lambda e: e.n_mentions, 84),
    GraphColumn(later("Documents"), lambda e: e.n_documents, 96),
)
RELATIONS = (
    GraphColumn(later("Name"), lambda r: r.source.casefold(), 130, lambda r: one_line(r.source)),
    GraphColumn(
        later("Connected to"), lambda r: r.target.casefold(), 130, lambda r: one_line(r.target)
    ),
    GraphColumn(later("Kind"), lambda r: r.kind, 110, describe_kind_and_direction),
    GraphColumn(later("Strength"), lambda r: r.weight, 92),
    GraphColumn(later("Passages"), lambda r: r.n_evidence, 92),
    GraphColumn(
        later("Description"),
        lambda r: r.description or r.sentence,
        0,
        lambda r: one_line(r.description or r.sentence),
    ),
)
BY_CONNECTIONS, DOCUMENTS = 2, 4  # columns of names
KIND, BY_STRENGTH = 2, 3  # columns of relations
MOST_MARKED = 2_000
ROOM_FOR_COUNTS, ROOM_FOR_DOCUMENTS = 600, 480  # pixels at the normal size of text


class GraphTableModel(QAbstractTableModel):
    """Rows of the view, sorted and filtered; `row_at` maps a position to a row of the view."""

    def __init__(self, columns: tuple[GraphColumn, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns = columns
        self._all: list[Any] = []
        self._shown: list[int] = []
        self._text = ""
        self._rows: list[int] = []
        self._position: dict[int, int] = {}
        self._sorted = (0, Qt.SortOrder.DescendingOrder)

    def set_rows(self, every: list[Any], shown: np.ndarray) -> None:
        """Set the rows of the view and which of them are shown."""
        self._all, self._shown = every, np.flatnonzero(shown).tolist()
        self._reset()

    def filter_rows(self, text: str) -> None:
        """Keep only rows whose text columns contain every word of the text."""
        if text != self._text:
            self._text = text
            self._reset()

    def _reset(self) -> None:
        words = self._text.casefold().split()
        keys = [column.key for column in self._columns if column.shown is not None]

        def fits(row: int) -> bool:
            text = " ".join(str(key(self._all[row])) for key in keys).casefold()
            return all(word in text for word in words)

        self.beginResetModel()
        self._rows = [row for row in self._shown if not words or fits(row)]
        self._order()
        self.endResetModel()

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
        if role == Qt.ItemDataRole.TextAlignmentRole and column.shown is None:
            return NUMBERS
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        row = self._all[self._rows[index.row()]]
        if column.shown is not None:
            text = column.shown(row)
            return text if role == Qt.ItemDataRole.DisplayRole else text[:400]
        if role == Qt.ItemDataRole.ToolTipRole:
            return None
        value = column.key(row)
        return f"{value:,.1f}" if isinstance(value, float) else format_number(value)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and column.shown is None:
            return NUMBERS
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


class GraphTables(QWidget):
    """Two tables of a canvas; emits `activated` for an entity opened from the table."""

    activated = Signal(int)

    def __init__(self, theme: Theme, canvas: GraphCanvas, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._canvas, self._theme = canvas, theme
        self._following = False
        self.names = GraphTableModel(NAMES, self)
        self.relations = GraphTableModel(RELATIONS, self)
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
        self.name_table = self._build_table(self.names, NAMES, tr("Names in the graph"))
        header = self.name_table.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)  # numbers are never wider
        self.name_table.sortByColumn(BY_CONNECTIONS, Qt.SortOrder.DescendingOrder)
        self.relation_table = self._build_table(
            self.relations, RELATIONS, tr("Connections in the graph")
        )
        self.relation_table.sortByColumn(BY_STRENGTH, Qt.SortOrder.DescendingOrder)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.name_table)
        self.pages.addWidget(self.relation_table)
        self.tabs.currentChanged.connect(self.pages.setCurrentIndex)
        head = build_row(
            self.tabs, STRETCH, self.counts, self.search, spacing=12, margins=(12, 4, 12, 4)
        )
        build_column(head, (self.pages, 1), parent=self, spacing=0)
        self.name_table.selectionModel().selectionChanged.connect(lambda *_: self._choose_names())
        self.relation_table.selectionModel().selectionChanged.connect(
            lambda *_: self._choose_relations()
        )
        self.name_table.activated.connect(
            lambda index: self.activated.emit(canvas.data.ids[self.names.row_at(index.row())])
        )
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._fill)
        canvas.data_changed.connect(lambda: self._later.start() if self.isVisible() else None)
        canvas.chosen_changed.connect(self._follow)

    def _build_table(
        self, model: GraphTableModel, columns: tuple[GraphColumn, ...], name: str
    ) -> RowTable:
        table = RowTable(self._theme, self)
        table.setAccessibleName(name)
        table.setModel(model)
        table.horizontalHeader().setStretchLastSection(True)
        for number, column in enumerate(columns):
            if column.width:
                table.setColumnWidth(number, self._theme.length(column.width))
        return table

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.counts.setVisible(self.width() >= self._theme.length(ROOM_FOR_COUNTS))
        narrow = self.width() < self._theme.length(ROOM_FOR_DOCUMENTS)
        self.name_table.setColumnHidden(DOCUMENTS, narrow)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fill()

    def _fill(self) -> None:
        data = self._canvas.data
        self._following = True
        self.names.set_rows(data.entities, data.shown)
        both = data.shown[data.pairs].all(1) if len(data.pairs) else np.zeros(0, dtype=bool)
        self.relations.set_rows(data.relations, data.wanted & both)
        self._following = False
        has_ties = any(data.kinds) or bool(data.directions.any())
        self.relation_table.setColumnHidden(KIND, not has_ties)
        self._show_counts()
        self._follow()

    def _show_counts(self) -> None:
        n, m = self.names.rowCount(), self.relations.rowCount()
        names = trn("{n} name", "{n} names", n)
        self.counts.setText(
            trn("{names}, {n} connection", "{names}, {n} connections", m, names=names)
        )

    # --- selection ---------------------------------------------------------------

    def _choose_names(self) -> None:
        """Select on the canvas what is selected in the table of names."""
        if self._following:
            return
        selection = self.name_table.selectionModel()
        rows = {self.names.row_at(index.row()) for index in selection.selectedRows()}
        current = self.name_table.currentIndex()
        first = self.names.row_at(current.row()) if current.isValid() else None
        self._following = True
        self._canvas.choose(rows, first=first if first in rows else None)
        if first is not None and first in rows:
            self._canvas.ensure_visible(first)
        self._following = False

    def _choose_relations(self) -> None:
        """Select on the canvas the ends of the relations that are selected in the table."""
        if self._following:
            return
        chosen: set[int] = set()
        for index in self.relation_table.selectionModel().selectedRows():
            chosen.update(self._canvas.data.pairs[self.relations.row_at(index.row())].tolist())
        self._following = True
        self._canvas.choose(chosen)
        self._following = False
        self._follow()

    def _follow(self) -> None:
        """Select the chosen nodes of the canvas in the table."""
        if self._following or not self.isVisible():
            return
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

    def _find(self, text: str) -> None:
        """Filter both tables by a text."""
        self._following = True
        self.names.filter_rows(text)
        self.relations.filter_rows(text)
        self._following = False
        self._show_counts()
        self._follow()
