"""The table of a run: one row for each measure, one column for each mode with its model."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from desktop_app.engine.services.evaluation.model import EvaluationColumn
from desktop_app.engine.services.evaluation.summaries import MeasureRow, RunSummary

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import RowTable
from ..widgets.tables import COLOR_ROLE, ICON_ROLE, ROW_ROLE, SUBTITLE_ROLE, AnyIndex
from ..widgets.words import plain_tip
from .words import format_column, format_columns, format_measure, format_summary, format_value

NOWHERE = QModelIndex()
# of the width, and pixels: the longest name with its number of questions fits into the most
NAME_SHARE, NAME_LEAST, NAME_MOST = 0.44, 160, 300
WIDEST, BESIDE = "0.00 (0.00–0.00)", 24  # of a share, and pixels around it
CUP = 16 + 6  # pixels of the mark of the best and of the gap after it
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class ResultsModel(QAbstractTableModel):
    """The measures of a run."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[MeasureRow, ...] = ()
        self._columns: tuple[EvaluationColumn, ...] = ()

    def show_summary(self, summary: RunSummary, columns: tuple[EvaluationColumn, ...]) -> None:
        self.beginResetModel()
        self._rows, self._columns = summary.rows, columns
        self.endResetModel()

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else 1 + len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            words = tr("Measure, with its 95% interval")
            if section == 0:
                return words
            if role == Qt.ItemDataRole.ToolTipRole:
                return plain_tip(format_column(self._columns[section - 1]))
            return format_columns(self._columns)[section - 1]
        if role == Qt.ItemDataRole.TextAlignmentRole and section:
            return RIGHT
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column() - 1
        if role == ROW_ROLE:
            return row
        if column < 0:
            return self._describe_name(row, role)
        cell, is_best = row.cells[column], row.best == column
        if role == Qt.ItemDataRole.DisplayRole:
            return format_summary(cell, row.measure)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT
        if role == COLOR_ROLE:
            return "ok" if is_best else "text" if cell is not None else "text2"
        if role == ICON_ROLE:
            return "ph.trophy" if is_best else None
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return plain_tip("\n".join(self._describe_cell(row, column)))
        return None

    def _describe_name(self, row: MeasureRow, role: int) -> Any:
        counts = {cell.n for cell in row.cells if cell is not None}
        if role == Qt.ItemDataRole.DisplayRole:
            return format_measure(row.measure)
        if role == SUBTITLE_ROLE:
            n = max(counts)
            return trn("{n} question", "{n} questions", n) if len(counts) == 1 else ""
        return None

    def _describe_cell(self, row: MeasureRow, column: int) -> list[str]:
        cell = row.cells[column]
        name = f"{format_measure(row.measure)}, {format_column(self._columns[column])}"
        if cell is None:
            return [name, tr("No question has this measure.")]
        lines = [name, format_summary(cell, row.measure)]
        lines.append(trn("{n} question", "{n} questions", cell.n))
        if cell.p95:
            lines.append(tr("95% of them: at most {n}", n=format_value(cell.p95, row.measure)))
        if row.best == column:
            lines.append(tr("Better than each other column, and hardly by chance."))
        return lines


class ResultsTable(RowTable):
    """The table; `measure_chosen` carries the row (`MeasureRow`) of the current measure."""

    measure_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.results = ResultsModel(self)
        self.setModel(self.results)
        self.setSortingEnabled(False)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setAccessibleName(tr("Results"))
        self.horizontalHeader().setSectionsClickable(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)

    def show_summary(self, summary: RunSummary, columns: tuple[EvaluationColumn, ...]) -> None:
        """Show a run; the current measure stays the current one."""
        before: MeasureRow | None = self.currentIndex().data(ROW_ROLE)
        key = before.measure.key if before is not None else ""
        self.results.show_summary(summary, columns)
        self._fit_columns()
        keys = [row.measure.key for row in summary.rows]
        if keys:
            self.setCurrentIndex(self.results.index(keys.index(key) if key in keys else 0, 0))
        else:
            self.measure_chosen.emit(None)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.measure_chosen.emit(current.data(ROW_ROLE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_columns()

    def _fit_columns(self) -> None:
        """Give the names their share; the columns have the rest.

        No value is cut: where the room is too narrow for all columns, they scroll sideways.
        """
        room, n = self.viewport().width(), self.results.columnCount() - 1
        if n < 1:
            return
        name = min(self._theme.breadth(NAME_MOST), round(room * NAME_SHARE))
        name = max(self._theme.breadth(NAME_LEAST), name)
        widest = QFontMetrics(self._theme.font("number")).horizontalAdvance(WIDEST)
        width = max(widest + self._theme.length(CUP) + BESIDE, (room - name) // n)
        left, least = room - n * width, self._theme.breadth(NAME_LEAST)
        self.setColumnWidth(0, left if least <= left < name else name)
        for column in range(1, n + 1):
            self.setColumnWidth(column, width)
