"""The panel "How this was found": what a question became, who found what, and the exact prompt.

Owns the parts and their order. Reads nothing itself; it is given an answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop_app.engine.types import Answer, RelationRow
from desktop_app.ui.language import later, tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import ElidedLabel, FactGrid, Flow, IconButton, Label, clear_layout

from ..fold import FoldSection
from ..modes import BYPASS
from . import telling
from .engine_notes import say_note
from .names import NameChip, RelationLine, entity_chip
from .prompt_view import PromptView
from .routes_table import RoutesTable
from .stage_line import StageLine
from .time_bars import TimeBars

WIDTH, NARROWEST = 320, 260
MOST_NAMES = 24
FIRST_ROWS = 6
TITLE = later("How this was found")


class AnswerInspector(QFrame):
    """Shows one answer; `closed` for the cross and Escape."""

    closed = Signal()
    open_passage = Signal(int, int, int)
    open_entity = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._folded: set[str] = {tr("Prompt")}  # what a person folded stays so for the next answer
        self.answer: Answer | None = None
        self.sections: list[FoldSection] = []
        self.setObjectName("inspector")
        self.setStyleSheet("#inspector { border: none; }")  # the splitter has the hairline
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
        self.scroll = QScrollArea(self)
        self.scroll.setWidgetResizable(True)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget(self.scroll)
        body.setObjectName("inspectorBody")
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(16, 4, 16, 16)
        self._column.setSpacing(8)
        self.scroll.setWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.scroll, 1)

    def show_words(self, words: str) -> None:
        """Say something instead of an answer: that it is being read, or is not there."""
        self.answer = None
        self._clear()
        self._column.addWidget(Label(words, "muted", wrap=True))
        self._column.addStretch(1)

    def show_answer(self, answer: Answer) -> None:
        """Show how an answer came about; what is not known says so."""
        self.answer = answer
        self._clear()
        self._add_question(answer)
        if answer.found.mode == BYPASS:
            self._column.addWidget(Label(tr(telling.BYPASSED), "muted", wrap=True))
        else:
            self._add_looked_for(answer)
            self._add_routes(answer)
            self._add_relations(answer)
            self._add_stages(answer)
        self._add_times(answer)
        self._add_prompt(answer)
        self._column.addStretch(1)
        self.scroll.verticalScrollBar().setValue(0)

    # --- parts ------------------------------------------------------------------------------

    def _add_question(self, answer: Answer) -> None:
        found = answer.found
        if telling.is_rewritten(found):
            self._column.addWidget(Label(tr("Understood as"), "small"))
            self._column.addWidget(_selectable(Label(found.question, "strong", wrap=True)))
            asked = tr("Asked: {question}", question=found.asked)
            self._column.addWidget(_selectable(Label(asked, "small", wrap=True)))
        elif found.question:
            self._column.addWidget(_selectable(Label(found.question, "strong", wrap=True)))
        grid = FactGrid()
        grid.set_facts(telling.facts(answer))
        self._column.addWidget(grid)
        if found.weak and found.mode != BYPASS:
            weak = Label(tr("Nothing found is very close."), "warn", wrap=True)
            self._column.addWidget(weak)
        for note in found.notes:
            self._column.addWidget(Label(say_note(note), "small", wrap=True))

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
            words = self._empty(answer, tr("No name or theme was made out."))
            section.add(Label(words, "small", wrap=True))

    def _add_routes(self, answer: Answer) -> None:
        table = telling.build_routes(answer)
        section = self._section(tr("Passages"), str(len(table.rows)) if table.rows else "")
        if not table.rows:
            section.add(Label(tr(telling.NOTHING_FOUND), "small", wrap=True))
            return
        first = telling.first_rows(table, FIRST_ROWS)

        def show(rows: telling.RouteTable) -> None:
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
            section.add(Label(self._empty(answer, tr(telling.NO_STEPS)), "small", wrap=True))

    def _add_times(self, answer: Answer) -> None:
        finding = telling.finding_times(answer.found)
        writing = telling.answer_times(answer)
        if not finding and not writing:
            return
        section = self._section(tr("Time"))
        for title, times in ((tr("Finding"), finding), (tr("Answering"), writing)):
            if times:
                total = telling.format_ms(sum(ms for _, ms in times))
                section.add(Label(tr("{part}: {value}", part=title, value=total), "small"))
                section.add(TimeBars(self._theme, telling.shorten_times(times)))

    def _add_prompt(self, answer: Answer) -> None:
        n_tokens = answer.n_prompt_tokens
        tokens = trn("{n} token", "{n} tokens", n_tokens) if n_tokens else ""
        section = self._section(tr("Prompt"), tokens)
        if answer.prompt:
            section.add(PromptView(self._theme, answer.prompt))
        else:
            section.add(Label(tr(telling.NO_PROMPT), "small", wrap=True))

    def _empty(self, answer: Answer, words: str) -> str:
        # the first version did not keep the question beside the answer
        return words if answer.found.question else tr(telling.NOT_KEPT)

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
