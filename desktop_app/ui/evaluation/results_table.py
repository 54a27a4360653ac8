"""The table of a run: one row for each measure, one column for each mode with its model."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyle, QStyleOptionViewItem, QTableView, QWidget

from desktop_app.engine.services.evaluation.model import EvaluationColumn
from desktop_app.engine.services.evaluation.summaries import MeasureRow, RunSummary

from ..theme.theme import Theme
from ..translation import tr, tr_message, trn
from ..widgets import RowTable, TextDelegate
from ..widgets.tables import (
    COLOR_ROLE,
    ICON_ROLE,
    ROW_ROLE,
    SUBTITLE_ROLE,
    AnyIndex,
    inverts_selection,
    paint_ground,
)
from ..widgets.words import join_sentences, plain_tip
from .words import (
    explain_measure,
    format_column,
    format_columns,
    format_interval,
    format_measure,
    format_summary,
    format_value,
)

NOWHERE = QModelIndex()
# of the width, and pixels: the longest explanation fits into the most
NAME_SHARE, NAME_LEAST, NAME_WHOLE, NAME_MOST = 0.5, 160, 240, 460
WIDEST, BESIDE = "1,000–10,000", 28  # of an interval of tokens, and pixels around it
ROW_HEIGHT, LINES = 44, (18, 35)  # pixels; the baselines of a row from its top
CUP, CUP_GAP = 16, 6  # pixels of the mark of the best, and between it and the value
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
            if section == 0:
                if role == Qt.ItemDataRole.DisplayRole:
                    return tr("Measure")
                return tr("Below each value: the range in which it is with 95% certainty")
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
            return "–" if cell is None else format_value(cell.value, row.measure)
        if role == SUBTITLE_ROLE:
            return "" if cell is None else format_interval(cell, row.measure)
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
        n = max(cell.n for cell in row.cells if cell is not None)
        title, explained = format_measure(row.measure), explain_measure(row.measure)
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role == SUBTITLE_ROLE:
            return tr_message(row.measure.explanation)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            counted = trn("Of {n} question.", "Of {n} questions.", n)
            return plain_tip("\n".join([title, join_sentences([explained, counted])]))
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


class ResultsDelegate(TextDelegate):
    """Draws two lines: a measure and what it is; a value and below it its interval."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(super().sizeHint(option, index).width(), self._theme.length(ROW_HEIGHT))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        paint_ground(painter, option, index, self)
        theme, area = self._theme, option.rect.adjusted(8, 0, -8, 0)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        is_value, color = index.column() > 0, index.data(COLOR_ROLE) or "text"
        below = index.data(SUBTITLE_ROLE)
        # a value without an interval is in the middle of its row
        lines = LINES if below or not is_value else ((ROW_HEIGHT + 10) // 2,)
        painter.save()
        for text, role, ink, line in zip(
            (str(index.data() or ""), below),
            ("number", "small_number") if is_value else ("strong", "small"),
            (color, "text" if is_chosen else "text2"),
            lines,
            strict=False,
        ):
            font = theme.font(role)
            metrics = QFontMetrics(font)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
            width = metrics.horizontalAdvance(shown)
            left = area.right() + 1 - width if is_value else area.left()
            painter.setFont(font)
            painter.setPen(theme.color(ink))
            painter.drawText(left, area.top() + theme.length(line), shown)
            if role == "number" and (icon := index.data(ICON_ROLE)):
                side = theme.length(CUP)
                top = area.top() + theme.length(line) - (metrics.capHeight() + side) // 2
                spot = QRect(left - CUP_GAP - side, top, side, side)
                theme.icon(icon, color=color).paint(painter, spot)
        painter.restore()


class ResultsTable(RowTable):
    """The table; `measure_chosen` carries the row (`MeasureRow`) of the current measure."""

    measure_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.results = ResultsModel(self)
        self.setModel(self.results)
        self.setItemDelegate(ResultsDelegate(theme, self))
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

    @property
    def whole_height(self) -> int:
        """The height in pixels at which no row has to be scrolled to."""
        rows = self.results.rowCount() * self._theme.length(ROW_HEIGHT)
        return self.horizontalHeader().height() + rows + 2 * self.frameWidth()

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._theme.length(ROW_HEIGHT))
        self.viewport().update()

    def _head_width(self, metrics: QFontMetrics, column: int) -> int:
        horizontal = Qt.Orientation.Horizontal
        return metrics.horizontalAdvance(str(self.results.headerData(column, horizontal)))

    def _fit_columns(self) -> None:
        """Give the names their share; the columns have the rest.

        No value is cut: where the room is too narrow for all columns, they scroll sideways.
        """
        room, n = self.viewport().width(), self.results.columnCount() - 1
        if n < 1:
            return
        name = min(self._theme.breadth(NAME_MOST), round(room * NAME_SHARE))
        name = max(self._theme.breadth(NAME_LEAST), name)
        metrics = QFontMetrics(self._theme.font("small_number"))
        widest = metrics.horizontalAdvance(WIDEST)
        heads = [self._head_width(metrics, column) for column in range(1, n + 1)]
        # the titles of the columns are whole where the names of the measures leave the room
        widest = max(widest, min(max(heads), (room - self._theme.breadth(NAME_WHOLE)) // n))
        width = max(widest + BESIDE, (room - name) // n)
        left, least = room - n * width, self._theme.breadth(NAME_LEAST)
        self.setColumnWidth(0, left if least <= left < name else name)
        for column in range(1, n + 1):
            self.setColumnWidth(column, width)
