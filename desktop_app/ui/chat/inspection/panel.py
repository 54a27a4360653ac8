"""The panel "How this was found": the rewritten question, passages by route, and the prompt.

Owns the sections and their order. Runs no queries; it is given an answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.messages import Message
from desktop_app.engine.model import Answer, RelationRow, Stage

from ...language import later, tr, tr_message, trn
from ...theme.theme import Theme
from ...widgets import Button, ElidedLabel, FactGrid, Flow, IconButton, Label, clear_layout
from ..fold import FoldSection
from ..modes import BYPASS
from . import presentation
from .name_chips import NameChip, RelationLine, entity_chip
from .presentation import count_labels, describe_stage, format_ms, step_title
from .routes_table import RoutesTable

MOST_SHOWN = 40
INDENT = 20


class StageLine(QWidget):
    """One step; its kept and dropped items are listed when it is expanded."""

    def __init__(self, theme: Theme, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._stage = stage
        self._filled = False
        self.fold = FoldSection(
            theme, step_title(stage.name), self, aside=describe_stage(stage), opened=False
        )
        self.fold.button.setStyleSheet(
            "QPushButton { padding: 0 4px 0 0; text-align: left; min-height: 24px; }"
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.fold)
        if stage.note:
            self.note = _indented(Label(tr_message(stage.note), "small", self, wrap=True))
            column.addWidget(self.note)
        self.fold.column.setContentsMargins(0, 0, 0, 4)
        if stage.kept or stage.dropped:
            self.fold.unfolded.connect(self._fill)
        else:
            self.fold.button.setEnabled(False)

    def _fill(self) -> None:
        if self._filled:
            return
        self._filled = True
        stage = self._stage
        for title, found in ((tr("Kept"), stage.kept), (tr("Dropped"), stage.dropped)):
            if found:
                labels = tuple(tr_message(x) if isinstance(x, Message) else x for x in found)
                listed = self._list(labels)
                value = tr(", ").join(labels[:MOST_SHOWN])
                listed.setAccessibleName(tr("{part}: {value}", part=title, value=value))
                self.fold.add(_indented(Label(title, "section", self)))
                self.fold.add(_indented(listed))

    def _list(self, labels: tuple[str, ...]) -> Label:
        shown = [" ".join(label.split()) for label in labels[:MOST_SHOWN]]
        more = count_labels(labels) - MOST_SHOWN
        if more > 0:
            shown.append(trn("and {n} more", "and {n} more", more))
        label = Label("\n".join(shown), "small", self, wrap=True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label


def _indented(label: Label) -> Label:
    label.setContentsMargins(INDENT, 0, 0, 0)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return label


HEIGHT = 280


class PromptText(QPlainTextEdit):
    """Read-only text; Escape and Tab are left to the panel around it."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
            return
        super().keyPressEvent(event)


class PromptView(QWidget):
    """The prompt with a copy button."""

    def __init__(self, theme: Theme, prompt: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._prompt = prompt
        self.text = PromptText(self)
        self.text.setPlainText(prompt)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setProperty("kind", "field")
        self.text.setAccessibleName(tr("Prompt"))
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.copy_button = Button(tr("Copy"), self, theme=theme, icon="copy")
        self.copy_button.setToolTip(tr("Copy the whole prompt"))
        self.copy_button.clicked.connect(self._copy)
        row = QHBoxLayout()
        row.addWidget(self.copy_button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.text)
        column.addLayout(row)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        mono = self._theme.font("fixed")
        # the style sheet's size would override a plain setFont
        names = ", ".join(f'"{family}"' for family in mono.families())
        self.text.setStyleSheet(
            f"font-family: {names}; font-size: {mono.pixelSize()}px;"
            f" min-height: {HEIGHT}px; max-height: {HEIGHT}px;"
        )
        self.text.setFont(mono)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._prompt)
        self.copy_button.setText(tr("Copied"))
        self.copy_button.setIcon(self._theme.icon("check"))


ROW, BAR = 20, 4
GAP = 8


class TimeBars(QWidget):
    """One line per step; the longest time fills the width."""

    def __init__(
        self, theme: Theme, times: Sequence[tuple[str, float]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._times = list(times)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Times"))
        self.setAccessibleDescription(", ".join(f"{n} {format_ms(ms)}" for n, ms in self._times))
        theme.changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def _row(self) -> int:
        return max(ROW, QFontMetrics(self._theme.font("small")).height() + 3)

    def sizeHint(self) -> QSize:
        return QSize(200, len(self._times) * self._row())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self._theme.font("small")
        painter.setFont(font)
        metrics = QFontMetrics(font)
        most = max((ms for _, ms in self._times), default=0.0) or 1.0
        named = max((metrics.horizontalAdvance(n) for n, _ in self._times), default=0)
        name_width = min(named, self.width() * 2 // 5)
        time_width = max((metrics.horizontalAdvance(format_ms(ms)) for _, ms in self._times),
                         default=0)  # fmt: skip
        left = name_width + GAP
        room = max(8, self.width() - left - time_width - GAP)
        middle = Qt.AlignmentFlag.AlignVCenter
        for place, (name, ms) in enumerate(self._times):
            top, row = place * self._row(), self._row()
            painter.setPen(self._theme.color("text"))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, name_width + 1)
            painter.drawText(QRectF(0, top, name_width + 1, row), middle, shown)
            painter.setPen(self._theme.color("text2"))
            area = QRectF(self.width() - time_width - 1, top, time_width + 1, row)
            painter.drawText(area, middle | Qt.AlignmentFlag.AlignRight, format_ms(ms))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("line"))
            y = top + (row - BAR) / 2
            painter.drawRoundedRect(QRectF(left, y, room, BAR), 2, 2)
            painter.setBrush(self._theme.color("accent", 0.75))
            painter.drawRoundedRect(QRectF(left, y, max(BAR, room * ms / most), BAR), 2, 2)
        painter.end()


WIDTH, NARROWEST = 320, 260
MOST_NAMES = 24
FIRST_ROWS = 6
TITLE = later("How this was found")


class AnswerInspector(QFrame):
    """Shows one answer; `closed` for the close button and Escape."""

    closed = Signal()
    open_passage = Signal(int, int, int)
    open_entity = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._folded: set[str] = {tr("Prompt")}  # kept for the next answer
        self.answer: Answer | None = None
        self.sections: list[FoldSection] = []
        self.setObjectName("inspector")
        self.setStyleSheet("#inspector { border: none; }")  # the splitter draws the border
        self.setMinimumWidth(NARROWEST)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(tr(TITLE))
        escape = "Esc"  # not shown otherwise in any language
        self.close_button = IconButton(theme, "close", tr("Close"), self, shortcut=escape)
        self.close_button.clicked.connect(self.closed)
        self.title = ElidedLabel(tr(TITLE), "title", self)
        head = QHBoxLayout()
        head.setContentsMargins(16, 12, 12, 4)
        head.addWidget(self.title, 1)
        head.addWidget(self.close_button)
        self.scroll_area = QScrollArea(self)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget(self.scroll_area)
        body.setObjectName("inspectorBody")
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(16, 4, 16, 16)
        self._column.setSpacing(8)
        self.scroll_area.setWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.scroll_area, 1)

    def show_text(self, words: str) -> None:
        """Show a text in place of an answer, for example that it is being loaded."""
        self.answer = None
        self._clear()
        self._column.addWidget(Label(words, "muted", wrap=True))
        self._column.addStretch(1)

    def show_answer(self, answer: Answer) -> None:
        """Show how an answer was found; unknown parts say so."""
        self.answer = answer
        self._clear()
        self._add_question(answer)
        if answer.found.mode == BYPASS:
            self._column.addWidget(Label(tr(presentation.BYPASSED), "muted", wrap=True))
        else:
            self._add_looked_for(answer)
            self._add_routes(answer)
            self._add_relations(answer)
            self._add_stages(answer)
        self._add_times(answer)
        self._add_prompt(answer)
        self._column.addStretch(1)
        self.scroll_area.verticalScrollBar().setValue(0)

    # --- parts ------------------------------------------------------------------------------

    def _add_question(self, answer: Answer) -> None:
        found = answer.found
        if presentation.is_rewritten(found):
            self._column.addWidget(Label(tr("Understood as"), "small"))
            self._column.addWidget(_selectable(Label(found.question, "strong", wrap=True)))
            asked = tr("Asked: {question}", question=found.asked)
            self._column.addWidget(_selectable(Label(asked, "small", wrap=True)))
        elif found.question:
            self._column.addWidget(_selectable(Label(found.question, "strong", wrap=True)))
        grid = FactGrid()
        grid.set_facts(presentation.facts(answer))
        self._column.addWidget(grid)
        if found.weak and found.mode != BYPASS:
            weak = Label(tr("Nothing found is very close."), "warn", wrap=True)
            self._column.addWidget(weak)
        for note in found.notes:
            self._column.addWidget(Label(tr_message(note), "small", wrap=True))

    def _add_looked_for(self, answer: Answer) -> None:
        found = answer.found
        section = self._section(tr("Looked for"))
        themes, names = found.keywords.high, found.keywords.low
        for title, words in ((tr("Themes"), themes), (tr("Asked about"), names)):
            if words:
                section.add(Label(title, "small"))
                flow = Flow()
                for word in words[:MOST_NAMES]:
                    flow.add(NameChip(self._theme, word, "", flow))
                section.add(flow)
        if found.entities:
            section.add(Label(tr("Names in your documents"), "small"))
            flow = Flow()
            for row in found.entities[:MOST_NAMES]:
                chip = entity_chip(self._theme, row, flow)
                chip.clicked.connect(lambda _=False, i=int(row.id): self.open_entity.emit(i))
                flow.add(chip)
            section.add(flow)
        if not section.column.count():
            nothing = self._empty(answer, tr("No name or theme was made out."))
            section.add(Label(nothing, "small", wrap=True))

    def _add_routes(self, answer: Answer) -> None:
        table = presentation.build_routes(answer)
        section = self._section(tr("Passages"), str(len(table.rows)) if table.rows else "")
        if not table.rows:
            section.add(Label(tr(presentation.NOTHING_FOUND), "small", wrap=True))
            return
        first = presentation.first_rows(table, FIRST_ROWS)

        def show(rows: presentation.RouteTable) -> None:
            shown = RoutesTable(self._theme, rows)
            shown.opened.connect(self.open_passage)
            section.add(shown)

        show(first)
        if len(first.rows) < len(table.rows):
            section.add_more(tr("Show all {n}", n=len(table.rows)), lambda: show(table))

    def _add_relations(self, answer: Answer) -> None:
        relations = answer.found.relations
        if not relations:
            return
        section = self._section(tr("Connections used"), str(len(relations)))

        def show(rows: Sequence[RelationRow]) -> None:
            for relation in rows:
                line = RelationLine(self._theme, relation)
                line.opened.connect(self.open_passage)
                section.add(line)

        show(relations[:FIRST_ROWS])
        if len(relations) > FIRST_ROWS:
            section.add_more(tr("Show all {n}", n=len(relations)), lambda: show(relations))

    def _add_stages(self, answer: Answer) -> None:
        section = self._section(tr("What was kept and dropped"))
        for stage in answer.found.stages:
            section.add(StageLine(self._theme, stage))
        if not answer.found.stages:
            section.add(Label(self._empty(answer, tr(presentation.NO_STEPS)), "small", wrap=True))

    def _add_times(self, answer: Answer) -> None:
        finding = presentation.finding_times(answer.found)
        writing = presentation.answer_times(answer)
        if not finding and not writing:
            return
        section = self._section(tr("Time"))
        for title, times in ((tr("Finding"), finding), (tr("Answering"), writing)):
            if times:
                total = presentation.format_ms(sum(ms for _, ms in times))
                section.add(Label(tr("{part}: {value}", part=title, value=total), "small"))
                section.add(TimeBars(self._theme, presentation.shorten_times(times)))

    def _add_prompt(self, answer: Answer) -> None:
        n_tokens = answer.n_prompt_tokens
        tokens = trn("{n} token", "{n} tokens", n_tokens) if n_tokens else ""
        section = self._section(tr("Prompt"), tokens)
        if answer.prompt:
            section.add(PromptView(self._theme, answer.prompt))
        else:
            section.add(Label(tr(presentation.NO_PROMPT), "small", wrap=True))

    def _empty(self, answer: Answer, words: str) -> str:
        # the first version did not store the question with the answer
        return words if answer.found.question else tr(presentation.NOT_KEPT)

    def _section(self, title: str, aside: str = "") -> FoldSection:
        opened = title not in self._folded
        section = FoldSection(self._theme, title, aside=aside, opened=opened)
        section.button.toggled.connect(lambda on, t=title: self._remember(t, on))
        self.sections.append(section)
        self._column.addWidget(section)
        return section

    def _remember(self, title: str, opened: bool) -> None:
        (self._folded.discard if opened else self._folded.add)(title)

    def _clear(self) -> None:
        self.sections = []
        clear_layout(self._column)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)


def _selectable(label: Label) -> QLabel:
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
