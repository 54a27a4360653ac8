"""Two columns against each other, also of two runs: what changed over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHeaderView, QTableView, QWidget

from desktop_app.engine.services.evaluation.model import RunRow
from desktop_app.engine.services.evaluation.statistics import ColumnComparison, Summary
from desktop_app.engine.services.evaluation.summaries import RunComparison

from ..theme.theme import Theme
from ..translation import later, tr, tr_message, trn
from ..widgets import (
    STRETCH,
    Button,
    Hairline,
    Label,
    RowTable,
    build_column,
    build_row,
    format_when,
)
from ..widgets.fields import ChoiceBox
from ..widgets.tables import COLOR_ROLE, AnyIndex
from ..widgets.words import join_sentences, plain_tip
from .words import describe_chance, explain_measure, format_column, format_measure, format_value

HEADS = (
    later("Measure"),
    later("First"),
    later("Second"),
    later("Difference, 95% interval"),
    later("Better, worse, equal"),
    later("How sure it is"),
)
SHARES = (0.24, 0.09, 0.09, 0.22, 0.18, 0.18)  # of the width, in the order of `HEADS`
DIFFERENCE, VERDICT = 3, 5
NUMBERS = range(1, VERDICT)  # columns
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
NOWHERE = QModelIndex()


class ComparisonModel(QAbstractTableModel):
    """The measures of two columns with their difference."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[tuple[ColumnComparison, Summary, Summary]] = []

    def show_comparison(self, found: RunComparison | None) -> None:
        self.beginResetModel()
        self._rows = (
            []
            if found is None
            else [(one, *cells) for one, cells in zip(found.comparisons, found.cells, strict=True)]
        )
        self.endResetModel()

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and section in NUMBERS:
            return RIGHT
        is_text = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        return tr(HEADS[section]) if is_text and orientation == Qt.Orientation.Horizontal else None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        one, first, second = self._rows[index.row()]
        measure = one.measure
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in NUMBERS:
            return RIGHT
        if role == COLOR_ROLE and index.column() in (DIFFERENCE, VERDICT) and not one.is_chance:
            return "ok" if one.n_better > one.n_worse else "bad"
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == VERDICT:
            return plain_tip(tr_message(one.verdict))
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == 0:
            return plain_tip(f"{format_measure(measure)}\n{explain_measure(measure)}")
        difference = format_value(one.difference, measure)
        is_shown = difference != format_value(0.0, measure)
        sign = "+" if one.difference > 0 and is_shown else ""
        low, high = format_value(one.low, measure), format_value(one.high, measure)
        text = (
            format_measure(measure),
            format_value(first.value, measure),
            format_value(second.value, measure),
            tr(
                "{difference} ({low} to {high})",
                difference=f"{sign}{difference}",
                low=low,
                high=high,
            ),
            f"{one.n_better} / {one.n_worse} / {one.n_equal}",
            describe_chance(one),
        )[index.column()]
        return text if role == Qt.ItemDataRole.DisplayRole else plain_tip(text)


class ComparePage(QWidget):
    """Two choices and a table; `wanted` carries run and column of both, `back` leaves the page."""

    wanted = Signal(int, int, int, int)
    back = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._filling = False
        self.back_button = Button(tr("Back"), theme=theme, icon="ph.arrow-left", kind="quiet")
        self.back_button.clicked.connect(self.back)
        self.first, self.second = ChoiceBox(), ChoiceBox()
        self.first.setAccessibleName(tr("First column"))
        self.second.setAccessibleName(tr("Second column"))
        for box in (self.first, self.second):
            box.setSizeAdjustPolicy(
                ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(12)
            box.currentIndexChanged.connect(lambda _: self._choose())
        self.note = Label("", "muted", wrap=True)
        self.comparison = ComparisonModel(self)
        self.table = RowTable(theme)
        self.table.setModel(self.comparison)
        self.table.setSortingEnabled(False)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.setAccessibleName(tr("Comparison"))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.horizontalHeader().setSectionsClickable(False)
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        columns = QGridLayout()
        columns.setContentsMargins(16, 12, 16, 8)
        columns.setColumnStretch(1, 1)
        columns.setSpacing(8)
        for row, box in enumerate((self.first, self.second)):
            columns.addWidget(Label(tr(HEADS[row + 1]), "muted"), row, 0)
            columns.addWidget(box, row, 1)
        build_column(
            build_row(
                *(self.back_button, Label(tr("Compare"), "title"), STRETCH),
                margins=(12, 8, 16, 8),
            ),
            Hairline(parent=self),
            columns,
            build_row(self.note, margins=(16, 0, 16, 8)),
            (self.table, 1),
            parent=self,
            spacing=0,
        )
        self.setFocusProxy(self.first)

    def show_runs(self, rows: Sequence[RunRow], run_id: int) -> None:
        """Offer the columns of all runs: a run's first one, and the same one of the run before."""
        self._filling = True
        places = [(row, number) for row in rows for number in range(len(row.columns))]
        for box in (self.first, self.second):
            box.clear()
            for row, number in places:
                column = format_column(row.columns[number])
                when = format_when(row.created_at)
                title = row.title or tr("Evaluation {n}", n=row.id)
                box.addItem(f"{title} · {when} · {column}", (int(row.id), int(number)))
        ids = [row.id for row, _ in places]
        first = ids.index(run_id) if run_id in ids else 0
        self.first.setCurrentIndex(first)
        self.second.setCurrentIndex(_find_other(places, first))
        self._filling = False
        self._choose()

    def show_comparison(self, found: RunComparison) -> None:
        """Show the difference of the chosen columns."""
        parts = [trn("{n} common question.", "{n} common questions.", found.n_common)]
        parts.append(tr("A difference is the first minus the second."))
        if found.differ:
            parts.append(tr("Settings or versions differ."))
        self.note.setText(join_sentences(parts))
        self.comparison.show_comparison(found)
        self._fit_columns()

    def show_problem(self, words: str) -> None:
        """Show why the chosen columns can't be compared."""
        self.note.setText(words)
        self.comparison.show_comparison(None)

    def _choose(self) -> None:
        first, second = self.first.currentData(), self.second.currentData()
        if self._filling or first is None or second is None:
            return
        self.first.setToolTip(plain_tip(self.first.currentText()))
        self.second.setToolTip(plain_tip(self.second.currentText()))
        self.wanted.emit(*first, *second)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Give each column what its values need, then what its title needs, then its share."""
        room, header = self.table.viewport().width(), self.table.horizontalHeader()
        columns = range(len(HEADS))
        widths = [float(self.table.sizeHintForColumn(column)) for column in columns]
        missing = [max(0.0, header.sectionSizeHint(n) - widths[n]) for n in columns]
        rest = room - sum(widths)
        if rest < 0:
            widths[0] = max(room * SHARES[0], widths[0] + rest)  # a name ends in an ellipsis
        elif rest < sum(missing):
            widths = [w + m * rest / sum(missing) for w, m in zip(widths, missing, strict=True)]
        else:
            rest -= sum(missing)
            widths = [widths[n] + missing[n] + rest * SHARES[n] for n in columns]
        for column, width in enumerate(widths):
            self.table.setColumnWidth(column, int(width))


def _find_other(places: Sequence[tuple[RunRow, int]], first: int) -> int:
    """Return the place of what a column is compared with first.

    The same column of an earlier run, where it shows what changed; else the next column.
    """
    row, number = places[first] if places else (None, 0)
    if row is None:
        return -1
    for place, (other, column) in enumerate(places):
        if other.id != row.id and other.columns[column] == row.columns[number]:
            return place
    return min(first + 1, len(places) - 1) if len(row.columns) > 1 else max(0, len(places) - 1)
