"""The table twin: the picture's names and connections as tables, selected together with it.

Owns the tables and the step between their selection and the canvas's. For the keyboard and for
screen readers it is the graph.
"""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Label, RowTable, SearchField

from .canvas import GraphCanvas
from .table_models import NAMES, TIES, PictureModel, fill_models

MOST_MARKED = 2_000
ROOM_FOR_COUNTS, ROOM_FOR_DOCUMENTS = 600, 480  # pixels at the normal size of text
NAME_WIDTHS = (160, 96, 104, 84, 96)
TIE_WIDTHS = (130, 130, 110, 92, 92)
KIND = 2  # the column of connections
DOCUMENTS = 4  # that of names


class TableTwin(QWidget):
    """Two tables of a canvas; `activated` is an entity opened with Return or a double click."""

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
        self.find = SearchField(theme, tr("Filter the tables"), self)
        self.find.setMaximumWidth(240)
        self.find.searched.connect(self._find)
        self.said = Label("", "small", self)
        head = QHBoxLayout()
        head.setContentsMargins(12, 4, 12, 4)
        head.setSpacing(12)
        head.addWidget(self.tabs)
        head.addStretch(1)
        head.addWidget(self.said)
        head.addWidget(self.find)
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
        self.said.setVisible(self.width() >= self._theme.length(ROOM_FOR_COUNTS))
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
        self._say_counts()
        self._follow()

    def _say_counts(self) -> None:
        n, m = self.names.rowCount(), self.ties.rowCount()
        names = trn("{n} name", "{n} names", n)
        self.said.setText(
            trn("{names}, {n} connection", "{names}, {n} connections", m, names=names)
        )

    # --- selection together ---------------------------------------------------------------

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
        """Select in the table of names what the canvas has chosen."""
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
        """Leave only the rows of both tables that have the text in them."""
        self._following = True
        self.names.sift(text)
        self.ties.sift(text)
        self._following = False
        self._say_counts()
        self._follow()
