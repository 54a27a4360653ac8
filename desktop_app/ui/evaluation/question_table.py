"""The table of questions of the next evaluation: typed, imported or proposed, and edited in place.

Owns the questions that are shown. Emits requests to open the place of an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPoint,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QHeaderView, QMenu, QStyle, QStyleOptionViewItem, QWidget

from desktop_app.engine.services.evaluation.model import EvaluationQuestion

from ..theme.design_tokens import ROW
from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import RowTable, TextDelegate, add_shortcut
from ..widgets.menus import MenuKey
from ..widgets.tables import COLOR_ROLE, ROW_ROLE, AnyIndex, inverts_selection, paint_ground
from ..widgets.words import plain_tip
from .words import BETWEEN_ANSWERS, format_answers, format_evidence, shorten_question

QUESTION, ANSWER, UNANSWERABLE, PLACE = range(4)
HEADS = (
    later("Question"),
    later("Expected answer"),
    later("Not in the documents"),
    later("Where it stands"),
)
TICK, CORNER = 16, 4  # pixels, as other check boxes
# A row is as high as its question and its answer need; a place is cut there, a click opens it.
MAX_LINES = 12
MANY_ROWS, LATER_MS = 200, 120  # of 2,000 long questions, the heights take 0.5 s
BESIDE, ABOVE = 8, 7  # pixels around the text of a cell
NOWHERE = QModelIndex()


class QuestionsModel(QAbstractTableModel):
    """The questions of the draft; an edit replaces a question."""

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[EvaluationQuestion] = []

    @property
    def questions(self) -> tuple[EvaluationQuestion, ...]:
        """The questions that have a text, each once."""
        found = {one.text: one for one in reversed(self._rows) if one.text}
        return tuple(reversed(found.values()))

    @property
    def has_evidence(self) -> bool:
        """Whether the place of an answer is known for a question."""
        return any(one.evidence for one in self._rows)

    def set_questions(self, questions: Sequence[EvaluationQuestion]) -> None:
        self.beginResetModel()
        self._rows = list(questions)
        self.endResetModel()

    def add(self, *questions: EvaluationQuestion) -> None:
        """Append questions; those that are there already only once."""
        known = {one.text for one in self._rows if one.text}
        fresh = [one for one in questions if one.text not in known]
        if not fresh:
            return
        first = len(self._rows)
        self.beginInsertRows(NOWHERE, first, first + len(fresh) - 1)
        self._rows += fresh
        self.endInsertRows()
        self.edited.emit()

    def remove(self, rows: Sequence[int]) -> list[tuple[int, EvaluationQuestion]]:
        """Remove rows and return them with their places."""
        gone = [(row, self._rows[row]) for row in sorted(rows)]
        for row, _ in reversed(gone):
            self.beginRemoveRows(NOWHERE, row, row)
            del self._rows[row]
            self.endRemoveRows()
        self.edited.emit()
        return gone

    def put_back(self, gone: Sequence[tuple[int, EvaluationQuestion]]) -> None:
        """Insert removed rows where they were."""
        for row, question in gone:
            place = min(row, len(self._rows))
            self.beginInsertRows(NOWHERE, place, place)
            self._rows.insert(place, question)
            self.endInsertRows()
        self.edited.emit()

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        is_text = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        return tr(HEADS[section]) if is_text and orientation == Qt.Orientation.Horizontal else None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        if index.column() == QUESTION:
            return flags | Qt.ItemFlag.ItemIsEditable
        if index.column() == ANSWER and self._rows[index.row()].is_answerable:
            return flags | Qt.ItemFlag.ItemIsEditable
        if index.column() == UNANSWERABLE:
            return flags | Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        one, column = self._rows[index.row()], index.column()
        if role == ROW_ROLE:
            return one
        if role == Qt.ItemDataRole.EditRole:
            return one.text if column == QUESTION else BETWEEN_ANSWERS.join(one.answers)
        if role == Qt.ItemDataRole.CheckStateRole and column == UNANSWERABLE:
            return Qt.CheckState.Unchecked if one.is_answerable else Qt.CheckState.Checked
        if role == Qt.ItemDataRole.AccessibleTextRole and column == UNANSWERABLE:
            return tr("The answer is in the documents" if one.is_answerable else HEADS[column])
        if role == COLOR_ROLE:
            return {ANSWER: "text" if one.is_answerable else "text2", PLACE: "accent"}.get(column)
        text = (one.text, format_answers(one), "", format_evidence(one.evidence))[column]
        if role == Qt.ItemDataRole.DisplayRole:
            return shorten_question(text) if column == QUESTION else text
        return plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else None

    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        one = self._rows[index.row()]
        if role == Qt.ItemDataRole.CheckStateRole:
            made = replace(one, is_answerable=Qt.CheckState(value) != Qt.CheckState.Checked)
        elif index.column() == QUESTION:
            made = replace(one, text=" ".join(str(value).split()))
        else:
            parts = (" ".join(part.split()) for part in str(value).split(BETWEEN_ANSWERS.strip()))
            answers = tuple(dict.fromkeys(part for part in parts if part))
            # what was proposed or imported stands for the answer that it had
            evidence = one.evidence if set(answers) & set(one.answers) else ()
            made = replace(one, answers=answers, evidence=evidence)
        if made != one:
            self._rows[index.row()] = made
            row = index.row()
            self.dataChanged.emit(self.index(row, QUESTION), self.index(row, PLACE))
            self.edited.emit()
        return True


def break_cell(text: str, font: QFont, width: int, most: int = MAX_LINES) -> list[str]:
    """Return a text in lines of a width; what `most` lines have no room for ends in an ellipsis."""
    text, metrics = " ".join(text.split()), QFontMetrics(font)
    if metrics.horizontalAdvance(text) <= width:
        return [text]
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    lines: list[str] = []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        start = line.textStart()
        if len(lines) == most - 1:
            lines.append(metrics.elidedText(text[start:], Qt.TextElideMode.ElideRight, width))
            break
        lines.append(text[start : start + line.textLength()].rstrip())
    layout.endLayout()
    return lines


class QuestionDelegate(TextDelegate):
    """Draws questions and answers whole, and check boxes in the middle of their column."""

    def row_height(self, row: int, model: QuestionsModel, widths: dict[int, int]) -> int:
        """Return the height of a row whose columns of text have these widths."""
        n_lines = 1
        for column, width in widths.items():
            text = str(model.index(row, column).data() or "")
            font = self._theme.font("text", text)
            n_lines = max(n_lines, len(break_cell(text, font, width - 2 * BESIDE)))
        line = QFontMetrics(self._theme.font("text")).height()
        return max(self._theme.length(ROW), n_lines * line + 2 * self._theme.length(ABOVE))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        paint_ground(painter, option, index, self)
        if index.column() != UNANSWERABLE:
            self._paint_text(painter, option, index)
            return
        # Qt's own box at the left would be drawn with the ground
        is_on = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked
        side = self._theme.length(TICK)
        box = QRect(0, 0, side, side)
        box.moveCenter(option.rect.center())
        painter.save()
        theme = self._theme
        ground = theme.color("accent" if is_on else "surface")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.color("accent" if is_on else "text2"))
        painter.setBrush(ground)
        painter.drawRoundedRect(box.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), CORNER, CORNER)
        if is_on:
            theme.icon("ph.check", color="on_accent").paint(painter, box.adjusted(2, 2, -2, -2))
        painter.restore()

    def _paint_text(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        text, above = str(index.data() or ""), self._theme.length(ABOVE)
        font = self._theme.font("text", text)
        metrics = QFontMetrics(self._theme.font("text"))
        area = option.rect.adjusted(BESIDE, 0, -BESIDE, 0)
        most = max(1, (area.height() - 2 * above) // metrics.height())
        lines = break_cell(text, font, area.width(), most)
        painter.save()
        painter.setFont(font)
        painter.setPen(self._theme.color(index.data(COLOR_ROLE) or "text"))
        top = area.center().y() + 1 - len(lines) * metrics.height() // 2
        if most > 1:  # the cells of a row begin in one line
            top = area.top() + above
        for line in lines:
            painter.drawText(area.left(), top + metrics.ascent(), line)
            top += metrics.height()
        painter.restore()

    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        option.features &= ~QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator

    def editorEvent(self, event: QEvent, model: Any, option: Any, index: AnyIndex) -> bool:
        """Change a check box by a click anywhere in its cell, or by Space."""
        if index.column() != UNANSWERABLE:
            return False
        is_click = isinstance(event, QMouseEvent) and (
            event.type() == QEvent.Type.MouseButtonRelease
            and event.button() == Qt.MouseButton.LeftButton
            and option.rect.contains(event.position().toPoint())
        )
        if is_click:
            toggle(model, index)
        return is_click


def toggle(model: Any, index: AnyIndex) -> None:
    """Change the check box of a row."""
    cell = index.sibling(index.row(), UNANSWERABLE)
    is_on = Qt.CheckState(cell.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked
    value = Qt.CheckState.Unchecked if is_on else Qt.CheckState.Checked
    model.setData(cell, value, Qt.ItemDataRole.CheckStateRole)


class QuestionTable(RowTable):
    """The table; `place_wanted` carries a question whose evidence is to be opened."""

    place_wanted = Signal(object)
    removed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.questions = QuestionsModel(self)
        self.setModel(self.questions)
        self.setSortingEnabled(False)
        self._cells = QuestionDelegate(theme, self)
        self._later = QTimer(self, singleShot=True, interval=LATER_MS)
        self._later.timeout.connect(lambda: self._fit_heights(range(self.questions.rowCount())))
        self.setItemDelegate(self._cells)
        self.questions.dataChanged.connect(
            lambda first, last: self._fit_heights(range(first.row(), last.row() + 1))
        )
        for signal in (self.questions.rowsInserted, self.questions.modelReset):
            signal.connect(lambda *_: self._fit_columns())
        self.setAccessibleName(tr("Questions"))
        triggers = RowTable.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        MenuKey(self)
        self.clicked.connect(self._click)
        add_shortcut(self, "Del", self.remove_selected, tr("Remove the questions"))
        add_shortcut(self, "Ctrl+Return", self._open_current, tr("Show where the answer stands"))

    def add_empty(self) -> None:
        """Append a question without a text, and begin to type it."""
        rows = range(self.questions.rowCount())
        empty = [row for row in rows if not self.questions.index(row, QUESTION).data()]
        if not empty:
            self.questions.add(EvaluationQuestion(""))
            empty = [self.questions.rowCount() - 1]
        cell = self.questions.index(empty[0], QUESTION)
        self.setCurrentIndex(cell)
        self.scrollTo(cell)
        self.edit(cell)

    def remove_selected(self) -> None:
        """Remove the selected questions; `removed` carries them with their places."""
        rows = [index.row() for index in self.selectionModel().selectedRows()]
        if rows:
            self.removed.emit(self.questions.remove(rows))
            n_left = self.questions.rowCount()
            if n_left:  # the keyboard goes on from there
                self.setCurrentIndex(self.questions.index(min(rows[0], n_left - 1), QUESTION))

    def _click(self, index: QModelIndex) -> None:
        if index.column() == PLACE and index.data():
            self.place_wanted.emit(index.data(ROW_ROLE))

    def _open_current(self) -> None:
        index = self.currentIndex()
        if index.isValid() and index.data(ROW_ROLE).evidence:
            self.place_wanted.emit(index.data(ROW_ROLE))

    def _show_menu(self, at: QPoint) -> None:
        index = self.indexAt(at)
        if not index.isValid():
            return
        question: EvaluationQuestion = index.data(ROW_ROLE)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Edit"), lambda: self.edit(index.siblingAtColumn(QUESTION)))
        place = menu.addAction(tr("Show where the answer stands"), self._open_current)
        place.setEnabled(bool(question.evidence))
        menu.addAction(tr("Not in the documents"), lambda: toggle(self.questions, index))
        menu.addSeparator()
        menu.addAction(tr("Remove"), self.remove_selected)
        menu.popup(self.viewport().mapToGlobal(at))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        is_idle = self.state() != RowTable.State.EditingState and index.isValid()
        if is_idle and event.key() == Qt.Key.Key_Space:
            toggle(self.questions, index)
        elif is_idle and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if index.column() == ANSWER and index.flags() & Qt.ItemFlag.ItemIsEditable:
                self.edit(index)
            else:
                self.edit(index.siblingAtColumn(QUESTION))
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_columns()

    def _fit_columns(self) -> None:
        """Share the width: the check boxes have the room of their heading, texts have the rest."""
        room = self.viewport().width()
        margin = 2 * self.style().pixelMetric(QStyle.PixelMetric.PM_HeaderMargin) + 20
        heading = self.horizontalHeader().fontMetrics().horizontalAdvance(tr(HEADS[UNANSWERABLE]))
        tick = min(heading + margin, room // 4)
        rest = room - tick
        # the heading alone needs less
        shares = (0.24, 0.3) if self.questions.has_evidence else (0.36, 0.14)
        answer, place = (round(rest * one) for one in shares)
        for column, width in (
            (QUESTION, rest - answer - place),
            (ANSWER, answer),
            (UNANSWERABLE, tick),
            (PLACE, place),
        ):
            self.setColumnWidth(column, width)
        if self.questions.rowCount() > MANY_ROWS:
            self._later.start()  # not for each step of a window that is being resized
        else:
            self._fit_heights(range(self.questions.rowCount()))

    def _fit_rows(self) -> None:
        super()._fit_rows()
        if self.model() is not None:
            self._fit_heights(range(self.questions.rowCount()))

    def _fit_heights(self, rows: range) -> None:
        """Make rows as high as what is asked and expected in them needs."""
        widths = {column: self.columnWidth(column) for column in (QUESTION, ANSWER)}
        for row in rows:
            height = self._cells.row_height(row, self.questions, widths)
            if height != self.rowHeight(row):
                self.setRowHeight(row, height)
