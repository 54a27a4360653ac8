"""The list of evaluations: the next one first, then those of before with date and columns."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.engine.services.evaluation.model import RunRow

from ..theme.theme import Theme
from ..translation import tr
from ..widgets.tables import ROW_ROLE, AnyIndex, RowList, RowsModel, inverts_selection, paint_ground
from ..widgets.words import plain_tip
from .words import describe_run, format_column

ROW_HEIGHT = 50
LINES = (20, 39)  # baselines, from the top of a row
SIDE = 12
NEW = RunRow(0, "", 0.0, False, 0, 0, 0, ())  # the row of the next evaluation


class RunsModel(RowsModel):
    """`NEW`, and the runs, newest first."""

    def describe(self, row: RunRow, role: int) -> str | None:
        title, below = describe_row(row)
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{title}. {below}"
        if role == Qt.ItemDataRole.ToolTipRole and row.id:
            columns = (format_column(column) for column in row.columns)
            return plain_tip("\n".join([title, below, *columns]))
        return None


def describe_row(row: RunRow) -> tuple[str, str]:
    """Return the two lines of a row."""
    if not row.id:
        return tr("New evaluation"), tr("Questions, and what is compared")
    return row.title or tr("Evaluation {n}", n=row.id), describe_run(row)


class RunDelegate(QStyledItemDelegate):
    """Draws the title, and below it when it was and what it has."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(160, self._theme.length(ROW_HEIGHT))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        paint_ground(painter, option, index, self)
        theme, area = self._theme, option.rect.adjusted(SIDE, 0, -SIDE, 0)
        title, below = describe_row(index.data(ROW_ROLE))
        painter.save()
        for text, role, color, line in zip(
            (title, below), ("strong", "small"), ("text", "text2"), LINES, strict=True
        ):
            font = theme.font(role)
            painter.setFont(font)
            painter.setPen(theme.color(color))
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area.left(), area.top() + theme.length(line), shown)
        painter.restore()


class RunList(RowList):
    """The list; `chosen` carries the id of a run, 0 for the next one."""

    chosen = Signal(int)
    delete_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self.runs = RunsModel()
        super().__init__(self.runs, RunDelegate(theme), tr("Evaluations"), parent)
        self.runs.setParent(self)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.scheduleDelayedItemsLayout)
        self.runs.show_rows([NEW])

    def show_runs(self, rows: Sequence[RunRow]) -> None:
        """Show the runs; the chosen one stays chosen, without a signal."""
        wanted = self.current_id
        self.blockSignals(True)
        self.runs.show_rows([NEW, *rows])
        self.mark(wanted)
        self.blockSignals(False)

    @property
    def current_id(self) -> int:
        row: RunRow | None = self.currentIndex().data(ROW_ROLE)
        return row.id if row is not None else 0

    def mark(self, run_id: int) -> None:
        """Make a run the current one; the next evaluation if it is gone."""
        ids = [row.id for row in self.runs.rows]
        self.select_row(ids.index(run_id) if run_id in ids else 0)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        row: RunRow | None = current.data(ROW_ROLE)
        if row is not None:
            self.chosen.emit(row.id)
