"""The list of documents beside the facts of the one that is selected.

Owns columns, selection and what goes where room is short. Knows nothing of what is done to
documents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QWidget

from desktop_app.engine.types import DocumentRow
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import RowTable

from .enriched_cell import EnrichedDelegate
from .inspector import WIDTH as INSPECTOR_WIDTH
from .inspector import DocumentInspector
from .table_model import (
    ADDED,
    COLUMNS,
    ENRICHED,
    LANGUAGE,
    LENGTH,
    NAMES,
    PAGES,
    TITLE,
    DocumentTableModel,
)

# Which columns go, one after another, where the table gets narrow.
SPARE_COLUMNS = (
    (LENGTH, 900),
    (LANGUAGE, 800),
    (PAGES, 740),
    (NAMES, 660),
    (ADDED, 580),
    (ENRICHED, 480),
)
INSPECTOR_FROM = 760


class DocumentList(QWidget):
    """A table of documents; `current_row` is the one selected, None for none or several."""

    failures_wanted = Signal(int)

    def __init__(
        self, theme: Theme, model: DocumentTableModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.model = model
        self._inspector_wanted = True
        self._kept: list[int] = []
        self._failures: tuple[int, Sequence[Any]] = (0, ())
        self.sum_up: Callable[[list[int]], Any] = lambda ids: None
        self.table = RowTable(theme)
        self.table.setAccessibleName("Documents")
        self.table.setModel(model)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.setDragEnabled(True)
        self.table.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        header = self.table.horizontalHeader()
        for i, column in enumerate(COLUMNS):
            self.table.setColumnWidth(i, column.width)
        header.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(48)
        self.table.setItemDelegateForColumn(ENRICHED, EnrichedDelegate(theme, self.table))
        self.table.sortByColumn(ADDED, Qt.SortOrder.DescendingOrder)
        self.inspector = DocumentInspector(theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.table, 1)
        row.addWidget(self.inspector)
        self.table.selectionModel().selectionChanged.connect(self.show_selected)
        model.modelAboutToBeReset.connect(self._keep_selection)
        model.modelReset.connect(self._restore_selection)

    def selected_rows(self) -> list[DocumentRow]:
        indexes = self.table.selectionModel().selectedRows()
        return [row for index in indexes if (row := self.model.row_at(index)) is not None]

    def current_row(self) -> DocumentRow | None:
        rows = self.selected_rows()
        return rows[0] if len(rows) == 1 else None

    def select(self, document_id: int) -> None:
        """Select a document and bring it into sight."""
        place = self.model.place_of(document_id)
        if place >= 0:
            self.table.selectRow(place)
            self.table.scrollTo(self.model.index(place, 0))

    def show_selected(self, *_: Any) -> None:
        """Show the facts of what is selected, from the rows as they are now."""
        row = self.current_row()
        if row is None:
            self._failures = (0, ())
            rows = self.selected_rows()
            self.inspector.show_nothing(len(rows))
            self.inspector.enrichment.show_found(self.sum_up([r.id for r in rows]))
            return
        self.inspector.show_row(row, self.model.title_of(row.duplicate_of or 0))
        found = self.model.enrichment_of(row.id) if row.state == "ready" else None
        if self._failures[0] != row.id:
            self._failures = (row.id, ())
        self.inspector.enrichment.show_found(found, self._failures[1])
        if found is not None and found.n_failed:
            self.failures_wanted.emit(row.id)

    def show_failures(self, document_id: int, failures: Sequence[Any]) -> None:
        """Show why passages of the selected document were given up."""
        row = self.current_row()
        if row is None or row.id != document_id or self._failures == (document_id, failures):
            return
        self._failures = (document_id, failures)
        found = self.model.enrichment_of(document_id) if row.state == "ready" else None
        self.inspector.enrichment.show_found(found, failures)

    def toggle_inspector(self) -> None:
        self._inspector_wanted = not self._inspector_wanted
        self._fit()

    def _keep_selection(self) -> None:
        self._kept = [row.id for row in self.selected_rows()]

    def _restore_selection(self) -> None:
        selection = QItemSelection()
        for document_id in self._kept:
            if (place := self.model.place_of(document_id)) >= 0:
                last = self.model.index(place, len(COLUMNS) - 1)
                selection.select(self.model.index(place, 0), last)
        flag = QItemSelectionModel.SelectionFlag
        self.table.selectionModel().select(selection, flag.ClearAndSelect)
        self.show_selected()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        shown = self._inspector_wanted and self.width() >= INSPECTOR_FROM
        self.inspector.setVisible(shown)
        room = self.width() - (INSPECTOR_WIDTH if shown else 0)
        for column, least in SPARE_COLUMNS:
            self.table.setColumnHidden(column, room < least)
