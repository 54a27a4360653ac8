"""The panel "How this was found": the outcome, then each step from the search to the check.

`AnswerInspector` owns the sections and their order and is given an answer; its controller opens
it beside the chat and loads stored answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import shiboken6
from PySide6.QtCore import QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QWidget,
)

from desktop_app.engine.messages import Message
from desktop_app.engine.model import Answer, Stage
from desktop_app.workers.operations import Query

from ...context import SessionContext
from ...theme.theme import Theme
from ...translation import later, tr, tr_message, trn
from ...widgets import (
    STRETCH,
    Button,
    ElidedLabel,
    FactGrid,
    Flow,
    Hairline,
    IconButton,
    Label,
    ToolbarRow,
    build_column,
    build_row,
    clear_layout,
    format_number,
)
from ...widgets.buttons import NameChip
from ...widgets.layout import MOST_OF_NAMES
from ...widgets.modes import BYPASS
from ..answer_panels import paint_doubt
from ..fold import LINK_AT_EDGE, FoldSection
from ..turn_widget import TurnWidget
from ..turns import Turn
from . import presentation
from .parts import MarkedSentence, PassageList, PassageNumber, RelationLine, TimeBars
from .presentation import count_labels, describe_retrieval_stage, step_title

MOST_SHOWN = 40
INDENT = 20


class StageLine(QWidget):
    """One step; its kept and dropped items are listed when it is expanded."""

    def __init__(self, theme: Theme, stage: Stage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stage = stage
        self.fold = FoldSection(
            theme, step_title(stage.name), self, aside=describe_retrieval_stage(stage), opened=False
        )
        self.fold.button.setStyleSheet(
            "QPushButton { padding: 0 4px 0 0; text-align: left; min-height: 24px; }"
        )
        column = build_column(self.fold, parent=self, spacing=0)
        if stage.note:
            self.note = _indented(Label(tr_message(stage.note), "small", self, wrap=True))
            column.addWidget(self.note)
        self.fold.column.setContentsMargins(0, 0, 0, 4)
        if stage.kept or stage.dropped:
            self.fold.unfolded.connect(self._fill)
        else:
            self.fold.button.setEnabled(False)

    def _fill(self) -> None:
        if self.fold.column.count():
            return
        stage = self._stage
        for title, found in ((tr("Kept"), stage.kept), (tr("Dropped"), stage.dropped)):
            if not found:
                continue
            labels = [tr_message(x) if isinstance(x, Message) else x for x in found]
            shown = [" ".join(label.split()) for label in labels[:MOST_SHOWN]]
            if (more := count_labels(labels) - MOST_SHOWN) > 0:
                shown.append(trn("and {n} more", "and {n} more", more))
            listed = _selectable(Label("\n".join(shown), "small", self, wrap=True))
            value = tr(", ").join(labels[:MOST_SHOWN])
            listed.setAccessibleName(tr("{part}: {value}", part=title, value=value))
            self.fold.add(_indented(Label(title, "section", self)))
            self.fold.add(_indented(listed))


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
        build_column(self.text, build_row(self.copy_button, STRETCH), parent=self)
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


WIDTH, NARROW, NARROWEST = 360, 320, 260  # pixels
BESIDE_CHAT = 1_100  # of chat and panel: from here on the chat has its widest column beside WIDTH
MOST_NAMES = 24
FIRST_PASSAGES, FIRST_CONNECTIONS = 3, 3
COMPARED_LINES = 8  # of a passage that a sentence was compared with
LAID_OUT_MS = 2_000  # within which a new answer is laid out, also on a busy computer
SETTLES_MS = 300  # after the last change of heights, which all are known then
TITLE = later("How this was found")
TECHNICAL = later("Technical details")
CHECKED = later("Checked")
BETWEEN_GROUPS = 8  # pixels, beside the 4 between a label and its value
BESIDE_RULE, RULE = 10, 2  # pixels: a checked sentence from its rule, and the rule
BESIDE_NUMBER = 8  # pixels between the number of a passage and a sentence
BETWEEN_PAIRS = 4
MOST_OTHERS = 3  # sentences beside confirmed ones that are shown at once, as not confirmed


class CheckSummary(QWidget):
    """What the check decided, in a few lines: sentences, and a link to the section of the check.

    These are the confirmed sentences, each with what its passage says, then those that were not
    confirmed with the reason; without a confirmed one, only the first of these.
    """

    opened = Signal(int, int, int)

    def __init__(
        self,
        theme: Theme,
        checked: Sequence[presentation.CheckedRow],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        column = build_column(parent=self, spacing=4, margins=(0, 0, 0, 4))
        confirmed = [row for row in checked if row.is_confirmed]
        for row in confirmed:
            sentence = Label(row.text, "", self, wrap=True)
            line = build_row((sentence, 1), spacing=BESIDE_NUMBER)
            indent = 0
            if row.passage is not None:
                number = PassageNumber(theme, row.passage, self)
                number.opened.connect(self.opened)
                above = (number.sizeHint().height() - sentence.fontMetrics().height()) // 2
                sentence.setContentsMargins(0, max(0, above), 0, 0)
                line.insertWidget(0, number, 0, Qt.AlignmentFlag.AlignTop)
                indent = number.sizeHint().width() + BESIDE_NUMBER
            column.addLayout(line)
            if source := row.describe_source():
                says = _selectable(Label(source, "small", self, wrap=True))
                says.setContentsMargins(indent, 0, 0, BETWEEN_PAIRS)  # below the sentence
                column.addWidget(says)
        others = [row for row in checked if not row.is_confirmed] if confirmed else []
        for row in others[:MOST_OTHERS]:
            reason = tr(
                "Not confirmed: “{text}”. {reason}.",
                text=row.text.rstrip(".。"),
                reason=row.reason,
            )
            column.addWidget(_selectable(Label(reason, "small", self, wrap=True)))
        if not confirmed:
            first = checked[0]
            column.addWidget(MarkedSentence(theme, first.text, first.missing, self))
            underlined = tr("underlined: not in the passage") if first.missing else ""
            if reason := tr("; ").join(filter(None, (first.reason, underlined))):
                column.addWidget(_selectable(Label(reason, "small", self, wrap=True)))
        is_one = sum(row.passage is not None for row in checked) < 2
        words = tr("Show the passage") if is_one else tr("Show the passages")
        self.link = Button(words, self, kind="link", elide=True)
        # begins where the texts above it begin
        self.link.setStyleSheet(LINK_AT_EDGE)
        self.link.setVisible(any(row.passage is not None for row in checked))
        column.addWidget(self.link, 0, Qt.AlignmentFlag.AlignLeft)


class SentenceCheck(QWidget):
    """A sentence of the model with a rule beside it, what the check found, and by which passage."""

    opened = Signal(int, int, int)

    def __init__(
        self, theme: Theme, row: presentation.CheckedRow, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._row = theme, row
        column = build_column(parent=self, spacing=4)
        self._sentence = MarkedSentence(theme, row.text, row.missing, self)
        self._sentence.setContentsMargins(BESIDE_RULE + RULE, 0, 0, 0)
        if not row.is_confirmed:
            self._sentence.set_role("muted")  # as in the chat
        column.addWidget(self._sentence)
        grid = FactGrid(self)
        grid.set_facts(list(row.facts))
        if row.passage is not None and row.is_confirmed:
            number = PassageNumber(theme, row.passage, self)
            number.opened.connect(self.opened)
            grid.add_widget(tr("Confirmed by"), number)
        column.addWidget(grid)
        if row.passage is not None and not row.is_confirmed:
            column.addSpacing(BETWEEN_GROUPS - 4)
            column.addWidget(Label(tr("Checked against"), "muted", self))
            passages = PassageList(theme, [row.passage], self, n_lines=COMPARED_LINES)
            passages.opened.connect(self.opened)
            column.addWidget(passages)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        place = self._sentence.geometry()
        area = QRectF(0, place.top() + 2, RULE, place.height() - 4)
        with QPainter(self) as painter:
            if self._row.is_confirmed:
                painter.fillRect(area, self._theme.color("ok"))
            else:
                paint_doubt(painter, self._theme, area)


class AnswerInspector(QFrame):
    """Shows one answer; `closed` for the close button and Escape."""

    closed = Signal()
    open_passage = Signal(int, int, int)
    open_entity = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._folded: set[str] = {tr(TECHNICAL)}  # kept for the next answer
        self._goal: FoldSection | None = None  # to scroll to, until the heights are known
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
        head = ToolbarRow("", self)
        head.add(self.title, 1)
        head.add(self.close_button)
        self.scroll_area = QScrollArea(self)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget(self.scroll_area)
        body.setObjectName("inspectorBody")
        self._column = build_column(parent=body, margins=(16, 12, 16, 16))
        self.scroll_area.setWidget(body)
        bar = self.scroll_area.verticalScrollBar()
        bar.rangeChanged.connect(self._scroll_to_goal)
        bar.actionTriggered.connect(self._forget_goal)  # the user scrolls
        build_column(head, (self.scroll_area, 1), parent=self, spacing=0)
        self._settling = QTimer(self, singleShot=True)
        self._settling.timeout.connect(self._forget_goal)
        self._wants_check = False
        # after the labels have their new font
        theme.changed.connect(lambda: QTimer.singleShot(0, self, self._align_grids))

    def show_text(self, words: str) -> None:
        """Show a text in place of an answer, for example that it is being loaded."""
        self.answer = None
        self._clear()
        self._column.addWidget(Label(words, "muted", wrap=True))
        self._column.addStretch(1)

    def show_answer(self, answer: Answer | None) -> None:
        """Show how an answer was found, None for one whose retrieval was not stored."""
        if answer is None:
            self.show_text(tr(presentation.NOT_KEPT))
            return
        self.answer = answer
        self._clear()
        if answer.found.mode == BYPASS:
            self._column.addWidget(Label(tr(presentation.BYPASSED), "muted", wrap=True))
        else:
            if answer.found.question:
                outcome = Label(presentation.describe_outcome(answer), "strong", wrap=True)
                self._column.addWidget(_selectable(outcome))
            self._add_summary(answer)
            self._add_searched_for(answer)
            self._add_found(answer)
            self._add_relations(answer)
            self._add_read(answer)
        self._add_written(answer)
        self._add_check(answer)
        self._add_technical(answer)
        self._column.addStretch(1)
        self._align_grids()
        self.scroll_area.verticalScrollBar().setValue(0)
        if self._wants_check:
            self._wants_check = False
            self.show_check()

    def open_at_check(self) -> None:
        """Show the check of the next answer unfolded, scrolled to it."""
        self._folded.discard(tr(CHECKED))
        self._wants_check = True

    def show_check(self) -> None:
        """Scroll to what the check of the shown answer decided."""
        found = [section for section in self.sections if section.title == tr(CHECKED)]
        if not found:
            return
        self._goal = found[0]
        self._goal.button.setChecked(True)
        self._goal.button.setFocus(Qt.FocusReason.TabFocusReason)
        self._scroll_to_goal()
        self._settling.start(LAID_OUT_MS)

    def _scroll_to_goal(self, *_: int) -> None:
        if self._goal is not None:
            self.scroll_area.verticalScrollBar().setValue(self._goal.y() - BETWEEN_GROUPS)
            self._settling.start(SETTLES_MS)  # again with each change of the heights

    def _forget_goal(self, *_: int) -> None:
        self._goal = None

    def _add_summary(self, answer: Answer) -> None:
        checked = presentation.list_checked(answer)
        if not checked:
            return
        shown = CheckSummary(self._theme, checked)
        shown.opened.connect(self.open_passage)
        shown.link.clicked.connect(self.show_check)
        self._column.addWidget(shown)

    def _align_grids(self) -> None:
        """Give the values of all grids the same left edge."""
        margins = self._column.contentsMargins()
        width = self.scroll_area.viewport().width() - margins.left() - margins.right()
        grids = self.findChildren(FactGrid)
        longest = max((grid.find_name_width() for grid in grids), default=0)
        longest = min(longest, round(width * MOST_OF_NAMES))
        for grid in grids:
            grid.set_name_width(longest)
        all_bars = self.findChildren(TimeBars)
        widest = max((bars.find_name_width() for bars in all_bars), default=0)
        for bars in all_bars:
            bars.set_name_width(max(longest, widest))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._align_grids()

    def _add_searched_for(self, answer: Answer) -> None:
        found = answer.found
        section = self._section(tr("Searched for"), presentation.describe_searched(found))
        grid = FactGrid()
        grid.set_facts(presentation.search_facts(found))
        section.add(grid)
        themes, names = found.keywords.high, found.keywords.low
        for title, words in ((tr("Themes"), themes), (tr("Names"), names)):
            if words:
                flow = Flow()
                for word in words[:MOST_NAMES]:
                    flow.add(NameChip(self._theme, word, "", flow))
                grid.add_widget(title, flow)
        if found.entities:
            flow = Flow()
            for row in found.entities[:MOST_NAMES]:
                tooltip = tr("Open {name}", name=row.name)
                chip = NameChip(self._theme, row.name, row.type, flow, tooltip=tooltip)
                chip.clicked.connect(lambda _=False, i=int(row.id): self.open_entity.emit(i))
                flow.add(chip)
            grid.add_widget(tr("Names found"), flow)
        elif not names and not themes:
            nothing = tr("No name of your library was recognised in the question.")
            section.add(Label(self._empty(answer, nothing), "small", wrap=True))

    def _add_found(self, answer: Answer) -> None:
        found, rows = answer.found, presentation.build_routes(answer)
        n = len(rows)
        aside = trn("{n} passage", "{n} passages", n) if n else tr("none")
        section = self._section(tr("Found"), aside)
        notes: list[QWidget] = []
        if found.weak:
            weak = tr("No passage matches the question closely.")
            notes.append(Label(weak, "warn", wrap=True))
        notes += [Label(tr_message(note), "small", wrap=True) for note in found.notes]
        if not rows:
            notes.append(Label(tr(presentation.NOTHING_FOUND), "small", wrap=True))
        for label in notes:
            section.add(label)
        if not rows:
            return
        first = presentation.choose_first(rows, FIRST_PASSAGES)
        order = presentation.describe_order(found)

        def show(n_rows: int) -> None:
            if order:
                grid = FactGrid()
                grid.set_facts([(tr("Ranked by"), order)])
                section.add(grid)
                section.column.addSpacing(BETWEEN_GROUPS - 4)
            passages = PassageList(self._theme, first if n_rows < n else rows, folds=True)
            passages.opened.connect(self.open_passage)
            section.add(passages)

        self._show_first(section, show, len(first), n)

    def _add_read(self, answer: Answer) -> None:
        rows = presentation.build_routes(answer)
        read = [row for row in rows if row.is_read]
        if not rows:
            return
        n_read, n_found = format_number(len(read)), format_number(len(rows))
        section = self._section(tr("Read"), tr("{n} of {m}", n=n_read, m=n_found))
        if not read:
            section.add(Label(tr(presentation.NOT_READ), "small", wrap=True))
            return
        grid, flow = FactGrid(), Flow()
        for row in read:
            number = PassageNumber(self._theme, row, flow)
            number.opened.connect(self.open_passage)
            flow.add(number)
        grid.add_widget(tr("Passages"), flow)
        section.add(grid)
        if len(read) < len(rows) and (why := presentation.explain_unread(answer)):
            section.add(Label(why, "small", wrap=True))

    def _add_written(self, answer: Answer) -> None:
        if not answer.model:
            return
        n_sentences = len(presentation.list_checked(answer))
        aside = trn("{n} sentence", "{n} sentences", n_sentences) if n_sentences else ""
        section = self._section(tr("Wrote"), aside)
        grid = FactGrid()
        grid.set_facts(presentation.writing_facts(answer))
        section.add(grid)

    def _add_check(self, answer: Answer) -> None:
        """Show which sentences the check confirmed, and why not the others."""
        checked = presentation.list_checked(answer)
        if answer.found.mode == BYPASS or not (answer.model or checked):
            return
        if not checked:
            section = self._section(tr(CHECKED))
            section.add(Label(tr(presentation.NOT_CHECKED), "small", wrap=True))
            return
        confirmed = [row for row in checked if row.is_confirmed]
        others = [row for row in checked if not row.is_confirmed]
        n_confirmed, n_all = format_number(len(confirmed)), format_number(len(checked))
        aside = tr("{n} of {m} confirmed", n=n_confirmed, m=n_all)
        section = self._section(tr(CHECKED), aside)
        for title, rows in (
            (tr("Not confirmed: {n}", n=format_number(len(others))), others),
            (tr("Confirmed: {n}", n=n_confirmed), confirmed),
        ):
            if rows:
                _add_group(section, title, "section")
            for number, row in enumerate(rows):
                if number:
                    section.column.addSpacing(BETWEEN_GROUPS)
                shown = SentenceCheck(self._theme, row)
                shown.opened.connect(self.open_passage)
                section.add(shown)

    def _add_relations(self, answer: Answer) -> None:
        relations = answer.found.relations
        if not relations:
            return
        section = self._section(tr("Connections used"), str(len(relations)))

        def show(n_rows: int) -> None:
            for relation in relations[:n_rows]:
                line = RelationLine(self._theme, relation)
                line.opened.connect(self.open_passage)
                section.add(line)

        self._show_first(section, show, FIRST_CONNECTIONS, len(relations))

    def _show_first(
        self, section: FoldSection, show: Callable[[int], None], n_first: int, n_all: int
    ) -> None:
        """Show the first rows, with a button for all."""
        show(n_first)
        if n_first < n_all:

            def show_all() -> None:
                show(n_all)
                self._align_grids()

            section.add_more(tr("Show all {n}", n=n_all), show_all)

    def _add_technical(self, answer: Answer) -> None:
        """Show steps, times and the prompt, folded until they are wanted."""
        section = self._section(tr(TECHNICAL))
        facts = presentation.technical_facts(answer)
        if any(value for _, value in facts):
            grid = FactGrid()
            grid.set_facts(facts)
            section.add(grid)
        if answer.found.mode != BYPASS:
            _add_group(section, tr("Search steps"), "section")
            for stage in answer.found.stages:
                section.add(StageLine(self._theme, stage))
            if not answer.found.stages:
                no_steps = self._empty(answer, tr(presentation.NO_STEPS))
                section.add(Label(no_steps, "small", wrap=True))
        self._add_times(section, answer)
        _add_group(section, tr("Prompt"), "section")
        if answer.prompt:
            section.add(PromptView(self._theme, answer.prompt))
        else:
            section.add(Label(tr(presentation.NO_PROMPT), "small", wrap=True))

    def _add_times(self, section: FoldSection, answer: Answer) -> None:
        finding = presentation.finding_times(answer.found)
        writing = presentation.answer_times(answer)
        if not finding and not writing:
            return
        _add_group(section, tr("Time"), "section")
        for title, times in ((tr("Search"), finding), (tr("Answer"), writing)):
            if times:
                total = presentation.format_ms(sum(ms for _, ms in times))
                section.add(Label(tr("{part}: {value}", part=title, value=total), "small"))
                section.add(TimeBars(self._theme, presentation.shorten_times(times)))

    def _empty(self, answer: Answer, words: str) -> str:
        # the first version did not store the question with the answer
        return words if answer.found.question else tr(presentation.NOT_KEPT)

    def _section(self, title: str, aside: str = "") -> FoldSection:
        opened = title not in self._folded
        section = FoldSection(self._theme, title, aside=aside, opened=opened)
        if self._column.count():
            self._column.addWidget(Hairline())
        section.button.toggled.connect(
            lambda on: (self._folded.discard if on else self._folded.add)(title)
        )
        self.sections.append(section)
        self._column.addWidget(section)
        return section

    def _clear(self) -> None:
        self.sections = []
        self._goal = None
        clear_layout(self._column)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)


def _add_group(section: FoldSection, title: str, role: str = "small") -> None:
    """Begin a group in a section: its title, apart from the group above it."""
    if section.column.count():
        section.column.addSpacing(BETWEEN_GROUPS)
    section.add(Label(title, role))


def _selectable(label: Label) -> Label:
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


SIDE_BY_SIDE = 580  # in a narrower window the panel replaces the chat
READING = later("Loading…")


class InspectorController(QObject):
    """A splitter of the chat and the inspector."""

    def __init__(self, context: SessionContext, chat: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._chat = chat
        self._number = 0
        self._width = 0  # that the user gave it
        self._came_from: QAbstractButton | None = None
        self._turn: Turn | None = None
        self._chat_first = False
        self.panel = AnswerInspector(context.theme, parent)
        self.panel.hide()
        self.panel.closed.connect(self.close)
        self.panel.open_passage.connect(lambda *_: setattr(self, "_chat_first", False))
        self.splitter = QSplitter(Qt.Orientation.Horizontal, parent)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(chat)
        self.splitter.addWidget(self.panel)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.splitterMoved.connect(self._moved)

    @property
    def is_open(self) -> bool:
        return not self.panel.isHidden()

    def shows(self, turn: Turn) -> bool:
        """Return whether the inspector is open for this answer."""
        shown = self._turn if self.is_open else None
        if shown is None:
            return False
        return shown is turn or bool(turn.message_id and shown.message_id == turn.message_id)

    def press(self, turn: Turn, button: QAbstractButton) -> None:
        """Open the inspector for an answer, or close it if it shows that answer."""
        if self.shows(turn):
            self.close()
        else:
            self.show(turn, button)

    def show(self, turn: Turn, came_from: QAbstractButton | None = None) -> None:
        """Open the inspector for an answer.

        The button `came_from` is pressed while it is open, and has the focus afterwards.
        """
        self._number += 1
        number = self._number
        self._release_button()
        self._turn = turn
        if came_from is not None:
            self.take_button(came_from)
        self._chat_first = False
        was_open, width = self.is_open, self.splitter.width()
        self.panel.show()
        self.fit(width)
        if not was_open:
            own = self._width or (WIDTH if width >= BESIDE_CHAT else NARROW)
            self.splitter.setSizes([max(1, width - own), own])
        self.panel.setFocus()
        if turn.kept is not None or not turn.message_id:
            self.panel.show_answer(turn.kept)
            return
        self.panel.show_text(tr(READING))

        def shown(answer: Answer | None) -> None:
            if number == self._number and self.is_open:
                self.panel.show_answer(answer)

        def failed(error: BaseException) -> None:
            if number == self._number:
                self.panel.show_text(tr("This could not be loaded."))
                self._context.messages.show_error(error)

        fetch = self._context.chats.fetch_answer
        query = Query(self._context.reader_lane, fetch, turn.message_id, owner=self)
        query.on_success(shown).on_error(failed).run()

    def show_check(self, turn: Turn, button: QAbstractButton) -> None:
        """Open the inspector for an answer at what its check decided."""
        if self.shows(turn):
            self.panel.show_check()
        else:
            self.panel.open_at_check()
            self.show(turn, button)

    def toggle(self, widgets: Sequence[TurnWidget]) -> None:
        """Close the inspector, or open it for the last of these turns that has an answer."""
        if self.is_open:
            self.close()
            return
        for widget in reversed(widgets):
            if widget.turn.answered and not widget.inspect_button.isHidden():
                self.show(widget.turn, widget.inspect_button)
                return

    def close(self) -> None:
        """Close the inspector and return the focus to where it was opened."""
        if not self.is_open:
            return
        self._number += 1
        self.panel.hide()
        self._chat.show()
        button = self._release_button()
        if button is not None and button.isVisible():
            button.setFocus()

    def take_button(self, button: QAbstractButton) -> None:
        """Press the button that opens the inspector for the answer that it shows."""
        self._came_from = button
        button.setChecked(True)

    def _release_button(self) -> QAbstractButton | None:
        """Return the button that opened the inspector, no longer pressed; None if it is gone."""
        button, self._came_from, self._turn = self._came_from, None, None
        if button is None or not shiboken6.isValid(button):  # its turn was deleted meanwhile
            return None
        button.setChecked(False)
        return button

    def fit(self, width: int) -> None:
        """Show chat and inspector side by side, or one of them if there is no room for both."""
        room = width >= SIDE_BY_SIDE
        if self.is_open and not room and self._chat_first:
            self.close()
        self._chat.setVisible(not self.is_open or room)

    def prefer_chat(self, *_: int) -> None:
        """Keep the chat visible when room gets scarce, since the user reads there."""
        self._chat_first = True

    def _moved(self, *_: int) -> None:
        if self._chat.isVisible():
            self._width = max(NARROWEST, self.panel.width())
