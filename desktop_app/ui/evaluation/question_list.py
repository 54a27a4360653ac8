"""The questions of a run with marks for right and wrong answers, filtered by what differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.engine.services.evaluation.model import EvaluationRun
from desktop_app.engine.services.evaluation.summaries import find_differing, is_wrong

from ..theme.design_tokens import ROW
from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.tables import ROW_ROLE, AnyIndex, RowList, RowsModel, inverts_selection, paint_ground
from ..widgets.words import plain_tip
from .words import format_columns, shorten_question

MARK, GAP, SIDE = 14, 4, 10  # pixels
MOST_MARKS = 6  # more columns have no room beside a question
ALL, DIFFERING, WRONG = "all", "differing", "wrong"
FILTERS = (
    (ALL, later("All questions ({n})")),
    (DIFFERING, later("Columns differ ({n})")),
    (WRONG, later("Wrong answers ({n})")),
)


@dataclass(frozen=True, slots=True)
class AskedRow:
    """A question; `wrong` has for each column whether its answer is, None: not asked yet."""

    id: int
    text: str
    wrong: tuple[bool | None, ...]
    differs: bool


def list_rows(run: EvaluationRun) -> list[AskedRow]:
    """Return the questions of a run."""
    differing = find_differing(run)
    found = {(one.question, one.column): is_wrong(one) for one in run.results}
    columns = range(len(run.plan.columns))
    return [
        AskedRow(n, one.text, tuple(found.get((n, c)) for c in columns), n in differing)
        for n, one in enumerate(run.plan.questions)
    ]


def fits(row: AskedRow, wanted: str) -> bool:
    """Return whether a question passes a filter: a key of `FILTERS`."""
    if wanted == DIFFERING:
        return row.differs
    return wanted == ALL or any(row.wrong)


class QuestionsOfRun(RowsModel):
    """The questions that pass the filter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.titles: tuple[str, ...] = ()

    def describe(self, row: AskedRow, role: int) -> str | None:
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{row.id + 1}. {shorten_question(row.text)}"
        text = f"{row.id + 1}. {row.text}"
        marks = [
            tr("{column}: {mark}", column=title, mark=tr("wrong") if wrong else tr("right"))
            for title, wrong in zip(self.titles, row.wrong, strict=True)
            if wrong is not None
        ]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip("\n".join([text, *marks]))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ". ".join([text, *marks])
        return None


class QuestionRowDelegate(QStyledItemDelegate):
    """Draws the question, and at the right a check mark or a cross for each column."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(120, self._theme.length(ROW))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        paint_ground(painter, option, index, self)
        row: AskedRow = index.data(ROW_ROLE)
        theme, area = self._theme, option.rect.adjusted(SIDE, 0, -SIDE, 0)
        side, marks = theme.length(MARK), row.wrong[:MOST_MARKS]
        left = area.right() + 1 - len(marks) * (side + GAP)
        painter.save()
        for number, wrong in enumerate(marks):
            if wrong is not None:
                at = left + GAP + number * (side + GAP)
                place = QRect(at, area.center().y() - side // 2 + 1, side, side)
                icon, color = ("ph.x", "bad") if wrong else ("ph.check", "ok")
                theme.icon(icon, color=color).paint(painter, place)
        font = theme.font("text")
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        metrics = QFontMetrics(font)
        text = str(index.data())
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, left - area.left() - GAP)
        painter.drawText(area.left(), area.center().y() + (metrics.capHeight() + 1) // 2, shown)
        painter.restore()


class QuestionList(RowList):
    """The list; `chosen` carries the number of a question, -1 for none."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self.questions = QuestionsOfRun()
        name = tr("Questions of the evaluation")
        super().__init__(self.questions, QuestionRowDelegate(theme), name, parent)
        self.questions.setParent(self)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.scheduleDelayedItemsLayout)
        self._all: Sequence[AskedRow] = ()
        self._filter = ALL

    def show_run(self, run: EvaluationRun) -> None:
        """Show the questions of a run; the chosen one stays chosen."""
        self.questions.titles = tuple(format_columns(run.plan.columns))
        self._all = list_rows(run)
        self._show()

    def set_filter(self, wanted: str) -> None:
        """Show all questions, or only some: a key of `FILTERS`."""
        self._filter = wanted
        self._show()

    def count(self, wanted: str) -> int:
        """Return the number of questions that pass a filter."""
        return sum(fits(row, wanted) for row in self._all)

    @property
    def current_number(self) -> int:
        row: AskedRow | None = self.currentIndex().data(ROW_ROLE)
        return row.id if row is not None else -1

    def _show(self) -> None:
        wanted = self.current_number
        rows = [row for row in self._all if fits(row, self._filter)]
        self.blockSignals(True)
        self.questions.show_rows(rows)
        ids = [row.id for row in rows]
        self.select_row(ids.index(wanted) if wanted in ids else 0)
        self.blockSignals(False)
        self.chosen.emit(self.current_number)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        row: AskedRow | None = current.data(ROW_ROLE)
        if row is not None:
            self.chosen.emit(row.id)
