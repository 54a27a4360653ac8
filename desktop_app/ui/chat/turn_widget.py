"""The widgets of a conversation: turns with question, progress, answer and sources, and their list.

A turn shows each of its states and follows a live question. The list owns scrolling: it stays at
the bottom while it is there, adds turns above without a jump, and builds widgets only near the
visible part. Knows no lanes and no chats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from typing import cast

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QIcon,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from desktop_app.engine.model import ChunkId, RetrievalResult

from ..messages import MESSAGE_ROOM
from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets import (
    STRETCH,
    Button,
    ElidedLabel,
    IconButton,
    Label,
    build_column,
    build_row,
    clear_layout,
    paint_box,
)
from ..widgets.layout import ScrollFade
from ..widgets.link_confirmation import ask_to_open
from ..widgets.words import format_model
from .answer_view import TEXT_PX, AnswerView
from .citation_number import build_number_image
from .export import text_with_sources, text_without_sources
from .inspection.presentation import describe_failed
from .pins import Pins
from .sources import INDENT, SourceList
from .suggestions import QuestionButton
from .turns import (
    ANSWERING,
    FAILED,
    HELD,
    WAITING,
    QuestionJob,
    Turn,
    describe_reason,
    describe_rejected,
)

FOUND = later("How this was found")
WHO = later("See how each passage was found")
NARROW, FACTS_FROM = 505, 365


def describe_reading(turn: Turn) -> str:
    """Return what was read for an answer that cites nothing."""
    n_documents = len({passage.document_id for passage in turn.passages})
    passages = trn("{n} passage", "{n} passages", len(turn.passages))
    documents = trn("{n} document", "{n} documents", n_documents)
    return tr(
        "{passages} of {documents} were read. None of them is cited.",
        passages=passages,
        documents=documents,
    )


def describe_unwritten(turn: Turn) -> str:
    """Return why there is no written answer: of one sentence, the check that it failed."""
    failed = turn.failed
    if not turn.is_rejected or failed is None:
        return describe_reason(turn)
    if turn.n_rejected > 1:
        return describe_rejected(turn.n_rejected)
    rank = find_failed_rank(turn)
    if failed.failed == "unclear" and rank:  # the cards below have these numbers
        return tr(
            "The model's sentence from passage {n} was not confirmed, so it is not shown.", n=rank
        )
    why = describe_failed(failed, rank)
    return tr("The model's sentence was not confirmed: {reason}.", reason=why[:1].lower() + why[1:])


def find_failed_rank(turn: Turn) -> int:
    """Return the number of the passage that a rejected sentence was compared with, 0 for none."""
    ranks = {passage.chunk_id: rank for rank, passage in enumerate(turn.passages, 1)}
    return ranks.get(ChunkId(turn.failed.chunk_id), 0) if turn.failed is not None else 0


class TurnFoot(QWidget):
    """The buttons below an answer; `unfolded` gives whether the sources are shown."""

    unfolded = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._turn = Turn("")
        self.sources_button = Button("", self, kind="bare")
        self.sources_button.setCheckable(True)
        self.sources_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        # begins where the texts above it begin; left and right are exchanged
        self.sources_button.setStyleSheet("QPushButton { text-align: right; }")
        self.sources_button.toggled.connect(self._set_caret)
        self.sources_button.toggled.connect(self.unfolded)
        self.inspect_button = Button(tr(FOUND), self, kind="bare", tooltip=tr(WHO))
        self.inspect_button.setAccessibleName(tr(FOUND))
        self.inspect_button.setCheckable(True)  # pressed while the inspector is open for it
        self.inspect_button.setProperty("opens", "panel")
        self.copy_button = IconButton(theme, "copy", tr("Copy"), self)
        self.copy_button.setPopupMode(self.copy_button.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        self.copy_action = menu.addAction(tr("Copy with sources"))
        self.copy_action.triggered.connect(lambda: self._copy(text_with_sources))
        without = menu.addAction(tr("Copy without sources"))
        without.triggered.connect(lambda: self._copy(text_without_sources))
        self.copy_button.setMenu(menu)
        self.graph_button = IconButton(theme, "graph", tr("Show this answer in the graph"), self)
        again = tr("Answer again; both answers are kept")
        self.again_button = IconButton(theme, "retry", again, self)
        # where nothing was written, it is what one does next, and has its name
        self.ask_again_button = Button(
            tr("Ask again"), self, kind="bare", tooltip=again, theme=theme, icon="retry"
        )
        self.ask_again_button.clicked.connect(self.again_button.click)
        self.facts = ElidedLabel("", "small", self)
        self.facts.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        build_row(  # ends where the texts of the sources end
            *(self.sources_button, self.inspect_button, self.ask_again_button, self.copy_button),
            *(self.graph_button, self.again_button, (self.facts, 1)),
            parent=self,
            spacing=4,
            margins=(0, 0, INDENT, 0),
        )

    def show_turn(self, turn: Turn) -> None:
        self._turn = turn
        n_sources = len({citation.chunk_id for citation in turn.citations})
        n_read = len(turn.passages)
        words = trn("{n} source", "{n} sources", n_sources)
        if not n_sources:  # nothing is cited: what was read is no source of the answer
            words = trn("{n} passage read", "{n} passages read", n_read)
        self.sources_button.setText(words)
        # passages in place of an answer, or that confirm one, are always shown
        keeps_cards = turn.shows_passages or turn.is_confirmed
        self.sources_button.setVisible(n_sources + n_read > 0 and not keeps_cards)
        self._set_caret()
        self.graph_button.setVisible(bool(turn.entities or turn.citations or turn.passages))
        self._place_again()
        self.inspect_button.setVisible(turn.kept is not None or bool(turn.message_id))
        self._show_facts()

    def _place_again(self) -> None:
        """Show the button for another answer, with its name where nothing was written."""
        turn = self._turn
        is_named = turn.is_unwritten and bool(turn.model) and self.width() >= NARROW
        self.ask_again_button.setVisible(bool(turn.question) and is_named)
        self.again_button.setVisible(bool(turn.question) and not is_named)

    def _set_caret(self) -> None:
        opened = self.sources_button.isChecked()
        self.sources_button.setIcon(self._theme.icon("caret-down" if opened else "caret-right"))
        shown = tr("Hide {part}" if opened else "Show {part}", part=self.sources_button.text())
        self.sources_button.setAccessibleName(shown)

    def _copy(self, as_text: Callable[[Turn], str]) -> None:
        QGuiApplication.clipboard().setText(as_text(self._turn))
        self.copy_button.set_icon("check")
        self.copy_button.set_tooltip(tr("Copied"))

    def _show_facts(self) -> None:
        """Show the model and the time, unless only an ellipsis would fit."""
        turn = self._turn
        parts = [tr("Stopped")] if turn.stopped else []
        if turn.model:
            parts.append(format_model(turn.model))
        if turn.seconds >= 0.1:
            shown = f"{turn.seconds:.0f}" if turn.seconds >= 10 else f"{turn.seconds:.1f}"
            parts.append(tr("{n} s", n=shown))
        facts = " · ".join(parts) if self.width() >= FACTS_FROM else ""
        if self.facts.full_text() != facts:
            self.facts.setText(facts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow, button = self.width() < NARROW, self.inspect_button
        if narrow != (not button.text()):
            button.setText("" if narrow else tr(FOUND))
            button.setToolTip(tr(FOUND) if narrow else tr(WHO))
            button.setIcon(
                self._theme.icon("inspector", fills=QIcon.State.On) if narrow else QIcon()
            )
            button.setStyleSheet("padding: 0 5px;" if narrow else "")
        self._place_again()
        self._show_facts()


PADDING = 12  # pixels, on both sides of a question


class QuestionBubble(QWidget):
    """The question in a rounded box at the right, as wide as needed."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)  # before the text: it may be HTML
        self.label.setText(text)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.label.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.label.setAccessibleName(tr("Question"))
        self._row = build_row(self.label, parent=self, margins=(PADDING, 8, PADDING, 8))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        self._room = 0
        theme.changed.connect(self._restyle)

    def _restyle(self) -> None:
        if self._room:
            self.fit(self._room)
        self.update()

    def fit(self, room: int) -> None:
        """Set the width to that of the text, at most four fifths of the room, and the height.

        The layout alone would use the height for a narrow column.
        """
        self._room = room
        font = self._theme.font("text")
        font.setPixelSize(self._theme.px(TEXT_PX))
        self.label.setStyleSheet(f"font-size: {font.pixelSize()}px;")
        self.label.setFont(font)
        self.label.setWordWrap(False)
        natural, most = self.label.sizeHint().width() + 2 * PADDING, max(120, room * 4 // 5)
        self.label.setWordWrap(natural > most)
        width = min(most, natural)
        is_wrapped = self._row.hasHeightForWidth()
        height = self._row.totalHeightForWidth(width) if is_wrapped else 0
        self.setFixedSize(width, height or self._row.totalSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            ground = self._theme.color("surface" if self._theme.is_dark else "sunken")
            paint_box(painter, QRectF(self.rect()), ground, self._theme.edge())


class QuestionRow(QWidget):
    """The question with its buttons; `version_wanted` gives the id of another version."""

    version_wanted = Signal(int)

    def __init__(self, theme: Theme, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._turn = Turn(question)
        self.bubble = QuestionBubble(theme, question, self)
        self.edit_button = IconButton(theme, "rename", tr("Edit the question"), self)
        self.before_button = IconButton(theme, "caret-left", tr("Previous version"), self)
        self.after_button = IconButton(theme, "caret-right", tr("Next version"), self)
        self.before_button.clicked.connect(lambda: self._step(-1))
        self.after_button.clicked.connect(lambda: self._step(1))
        self.place = Label("", "small", self)
        self.versions = QWidget(self)
        arrows = (self.before_button, self.place, self.after_button)
        build_row(*arrows, parent=self.versions, spacing=0)
        middle = Qt.AlignmentFlag.AlignVCenter
        asked = build_row(STRETCH, (self.edit_button, 0, middle), self.bubble, spacing=4)
        versions = (self.versions, 0, Qt.AlignmentFlag.AlignRight)
        build_column(asked, versions, parent=self, spacing=2, margins=(0, 0, INDENT, 0))
        self.edit_button.hide()
        self.versions.hide()

    def show_turn(self, turn: Turn, *, settled: bool) -> None:
        """Show the commands for this question; none while it is being answered."""
        self._turn = turn
        self.edit_button.setVisible(settled and bool(turn.question_id))
        shown = settled and len(turn.versions) > 1 and turn.question_id in turn.versions
        self.versions.setVisible(shown)
        if shown:
            place = turn.versions.index(turn.question_id)
            self.place.setText(tr("{n} of {m}", n=place + 1, m=len(turn.versions)))
            self.before_button.setEnabled(place > 0)
            self.after_button.setEnabled(place < len(turn.versions) - 1)

    def _step(self, by: int) -> None:
        place = self._turn.versions.index(self._turn.question_id) + by
        if 0 <= place < len(self._turn.versions):
            self.version_wanted.emit(self._turn.versions[place])


NOTICE_ICON, NOTICE_GAP = 16, 8  # pixels
ONE_LINE = 10_000  # pixels, in which no text is wrapped
STATUS_HEIGHT = 28  # of the line below a question, before the answer and after it


class AnswerNotice(QWidget):
    """Says that there is no written answer, and why, on a line as high as that of the steps.

    `followed` gives the address of a link.
    """

    followed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.icon = QLabel(self)
        self.reason = build_links_label(self, "")
        self.reason.linkActivated.connect(self.followed)
        top = Qt.AlignmentFlag.AlignTop
        self._row = build_row(
            *((self.icon, 0, top), (self.reason, 1)), parent=self, spacing=NOTICE_GAP
        )
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        side = self._theme.length(NOTICE_ICON)
        self.icon.setPixmap(self._theme.icon("inspector").pixmap(side, side))
        self.ensurePolished()
        line = max(side, self.reason.heightForWidth(ONE_LINE))
        self.icon.setFixedSize(side, line)
        # the first of several lines is where a single one is
        around = max(0, self._theme.length(STATUS_HEIGHT) - line)
        self._row.setContentsMargins(0, around // 2, INDENT, around - around // 2)
        self.setMinimumHeight(self._theme.length(STATUS_HEIGHT))

    def show_reason(self, words: str) -> None:
        """Show a reason, which is HTML and may have links."""
        said = tr("No written answer.")
        bold = f'<span style="font-weight:600">{said}</span>'  # not shown
        self.reason.setText(f"{bold} {words}")
        self._restyle()  # a line of Chinese text is higher
        self.setAccessibleName(said)


STEP_ICONS = {"done": "ph.check-circle", "current": "ph.circle", "coming": "ph.circle"}
STEP_DOT = 3.4  # radius in pixels, in the ring of the current step
STEP_GAP, STEP_ICON, QUIET_GAP, QUIET_ICON = 16, 16, 12, 12  # pixels


class StepIcon(QLabel):
    """The sign of a step: done, current or coming."""

    def __init__(self, theme: Theme, state: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._state = theme, state
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        color = "accent" if self._state == "current" else "text2"
        side = self._theme.length(STEP_ICON if self._state == "current" else QUIET_ICON)
        icon = self._theme.icon(STEP_ICONS[self._state], color=color)
        self.setPixmap(icon.pixmap(side, side))
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._state == "current":
            radius = STEP_DOT * self._theme.length(STEP_ICON) / STEP_ICON
            with QPainter(self) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._theme.color("accent"))
                painter.drawEllipse(QRectF(self.rect()).center(), radius, radius)


class StepGroup(QWidget):
    """Steps beside each other that are all done, or all still to come."""

    def __init__(self, theme: Theme, state: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._state = theme, state
        self.steps: list[QWidget] = []
        self._row = build_row(parent=self, spacing=theme.length(QUIET_GAP))

    @property
    def names(self) -> list[str]:
        """The steps that are shown."""
        shown = [step for step in self.steps if not step.isHidden()]
        return [label.text() for step in shown for label in step.findChildren(Label)]

    def show_steps(self, names: Sequence[str]) -> None:
        """Show these steps; unchanged ones stay."""
        labels = [label for step in self.steps for label in step.findChildren(Label)]
        if [label.text() for label in labels] != list(names):
            clear_layout(self._row)
            self.steps = [self._build(name) for name in names]
            for step in self.steps:
                self._row.addWidget(step)

    def _build(self, name: str) -> QWidget:
        step = QWidget(self)
        sign = StepIcon(self._theme, self._state, step)
        build_row(sign, Label(name, "small", step), parent=step, spacing=4)
        return step


class StepRow(QWidget):
    """The current step of an answer with its seconds; at the right, small, the steps around it.

    These are those that are done, then those to come. Without room for all, the first ones that are
    done are left out, then the last ones to come.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.done = StepGroup(theme, "done", self)
        self.coming = StepGroup(theme, "coming", self)
        self.sign = StepIcon(theme, "current", self)
        self.step = Label("", "muted", self)
        self.action = Button(tr("Cancel"), self, kind="link")
        self.remove_button = Button(tr("Remove"), self, kind="link")
        self.elapsed = Label("", "muted", self)
        self._current = build_row(
            *(self.sign, self.step, self.elapsed, self.action, self.remove_button), spacing=6
        )
        self._around = build_row(self.done, self.coming, spacing=theme.length(QUIET_GAP))
        self._row = build_row(
            *(self._current, STRETCH, self._around),
            parent=self,
            spacing=theme.length(STEP_GAP),
            margins=(0, 0, INDENT, 0),
        )
        self.setMinimumHeight(theme.length(STATUS_HEIGHT))

    def show_step(self, words: str, action: str, role: str) -> None:
        """Show the current step, or a state in the role "muted" or "bad", with its action."""
        self.step.setText(words)
        self.step.set_role(role)
        self.step.setWordWrap(role == "bad")
        self.sign.setVisible(role == "step")
        self.action.setText(action)
        self.action.setVisible(bool(action))

    def show_around(self, done: Sequence[str], coming: Sequence[str], elapsed: str) -> None:
        """Show the steps before and after the current one, and its seconds."""
        self.done.show_steps(done)
        self.coming.show_steps(coming)
        self.elapsed.setText(elapsed)
        self._fit()

    def _fit(self) -> None:
        gap = self._theme.length(QUIET_GAP)
        # its seconds become wider, which must not move or remove a step
        current = self._current.sizeHint().width() - self.elapsed.sizeHint().width()
        room = self.width() - INDENT - current - 2 * self._theme.length(STEP_GAP)
        room -= QFontMetrics(self._theme.font()).horizontalAdvance("000 s")
        steps = [*self.coming.steps, *reversed(self.done.steps)]  # those that are kept first
        for group in (self.done, self.coming):
            group.setVisible(bool(group.steps))
        for step in steps:
            room -= step.sizeHint().width() + gap
            step.setVisible(room >= 0)
        for group in (self.done, self.coming):
            group.setVisible(any(not step.isHidden() for step in group.steps))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def build_links_label(parent: QWidget, role: str = "small") -> QLabel:
    """Return a label for HTML with links that mouse and keyboard reach."""
    label = QLabel(parent)
    label.setProperty("role", role)
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    )
    return label


PASSAGE_LINK = "passage:"


def _say_passage(rank: int) -> str:
    return tr("Passage {n}", n=rank)


AFTER_TURN = 24  # pixels below a turn
FOUND_AT_FIRST = 4  # cards before the answer; the others are behind a button


class TurnWidget(QWidget):
    """A question with its answer; `ask` is the live question, None for a stored turn."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    show_in_graph = Signal(object)  # the Turn
    inspect = Signal(object)  # the Turn
    show_check = Signal(object)  # the Turn, whose rejected sentences are wanted
    ask_again = Signal(str)
    ask_anyway = Signal(str)  # the model, though nothing close was found
    ask_next = Signal(str)
    edit_wanted = Signal(object)  # the Turn
    version_wanted = Signal(int)
    passages_wanted = Signal()
    open_models = Signal()
    card_wanted = Signal(QWidget)  # of a passage, to be scrolled to
    will_unfold = Signal()
    withdrawn = Signal()
    found_shown = Signal()  # passages, before the answer
    moved_under_hand = Signal(int)  # the cards under the mouse, down by so many pixels

    def __init__(
        self,
        theme: Theme,
        turn: Turn,
        ask: QuestionJob | None = None,
        parent: QWidget | None = None,
        pins: Pins | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pins = pins or Pins(self)
        self.ask = ask
        self.turn = turn
        self.source_list: SourceList | None = None
        self._shown_found: RetrievalResult | None = None  # in the list, before the answer
        self._build()
        if ask is not None and (ask.is_live or ask.state in (FAILED, HELD)):
            if ask.text:
                self.answer.append_piece(ask.text)
            ask.changed.connect(self._follow)
            ask.piece.connect(self._take_piece)
        self._follow()

    def _build(self) -> None:
        self.asked = QuestionRow(self._theme, self.turn.question, self)
        self.asked.setVisible(bool(self.turn.question))
        self.asked.edit_button.clicked.connect(lambda: self.edit_wanted.emit(self.turn))
        self.asked.version_wanted.connect(self.version_wanted)
        self.step_row = StepRow(self._theme, self)
        self.step, self.elapsed = self.step_row.step, self.step_row.elapsed
        self.step_action, self.remove_button = self.step_row.action, self.step_row.remove_button
        self.step_action.clicked.connect(self._act)
        self.remove_button.clicked.connect(self.withdrawn)
        self.notice = AnswerNotice(self._theme, self)
        self.notice.followed.connect(self._follow_note)
        self.answer = AnswerView(self._theme, self)
        self.answer.mark_clicked.connect(self._open_mark)
        self.answer.name_clicked.connect(self.open_entity)
        self.answer.address_clicked.connect(self._ask_to_open)
        self.note = build_links_label(self)
        self.note.linkActivated.connect(self._follow_note)
        self._theme.changed.connect(self._show_note)
        self.foot = TurnFoot(self._theme, self)
        self.foot.unfolded.connect(self._fold)
        self.foot.inspect_button.clicked.connect(lambda: self.inspect.emit(self.turn))
        self.foot.graph_button.clicked.connect(lambda: self.show_in_graph.emit(self.turn))
        self.foot.again_button.clicked.connect(lambda: self.ask_again.emit(self.turn.question))
        self.followups = QWidget(self)
        self._followups = build_column(parent=self.followups)
        self._followups_heading: QLabel | None = None
        self._theme.changed.connect(self._restyle)
        self._restyle()
        self.followups.hide()
        self.passages_head = QWidget(self)
        self.passages_heading = Label("", "title", self.passages_head)
        self.passages_count = Label("", "small", self.passages_head)
        head = (self.passages_heading, STRETCH, self.passages_count)
        build_row(*head, parent=self.passages_head, margins=(INDENT, 8, INDENT, 0))
        self.passages_head.hide()
        # aligned with the text of the button row and of the box
        parts = (self.step_row, self.notice, self.answer, self.note)
        texts = build_column(*parts, margins=(INDENT, 0, 0, 0))
        self._sources_place = build_column(self.passages_head, spacing=0)
        self._parts = build_column(
            *(self.asked, 4, texts, self.foot, self._sources_place, self.followups),
            parent=self,
            margins=(0, 0, 0, AFTER_TURN),
        )

    def _restyle(self) -> None:
        """Align the follow-up questions with the answer, as the buttons below it."""
        is_high = self._theme.is_high
        self._followups.setSpacing(8 if is_high else 4)
        self._followups.setContentsMargins(INDENT if is_high else 0, 8, 0, 0)
        if self._followups_heading is not None:
            self._followups_heading.setContentsMargins(0 if is_high else INDENT, 0, 0, 0)

    def _follow_note(self, link: str) -> None:
        if link == "models":
            self.open_models.emit()
        elif link == "rejected":
            self.show_check.emit(self.turn)
        elif link.startswith(PASSAGE_LINK) and self.source_list is not None:
            self.will_unfold.emit()
            card = self.source_list.show_card(int(link.removeprefix(PASSAGE_LINK)))
            if card is not None:
                self.card_wanted.emit(card)
        else:
            self.ask_anyway.emit(self.turn.question)

    def _ask_to_open(self, address: str) -> None:
        corner = self.answer.cursorRect().bottomLeft()
        ask_to_open(self._theme, address, self.answer, corner)

    @property
    def inspect_button(self) -> Button:
        return self.foot.inspect_button

    def _follow(self) -> None:
        """Show the state of the live question; a stored turn has none."""
        ask = self.ask
        self.remove_button.setVisible(ask is not None and ask.state == HELD)
        if ask is None or not (ask.is_live or ask.state in (FAILED, HELD)):
            self.turn = ask.turn if ask is not None else self.turn
            self._show_turn()
            return
        self.asked.show_turn(self.turn, settled=not ask.is_live)
        if ask.is_live:
            role = "step" if ask.state == ANSWERING else "muted"
            self._show_step(ask.step_text, tr("Cancel") if ask.can_withdraw else "", role)
        elif ask.state == HELD:
            self._show_step(tr("Not asked yet"), tr("Ask"))
        else:
            self._show_step(ask.error_text, tr("Retry"), role="bad")
        self.answer.setVisible(bool(self.answer.text))
        self.note.hide()
        self.notice.hide()
        self.foot.hide()
        if ask.found is not None and ask.found.passages and ask.found is not self._shown_found:
            self._show_found(ask.found)

    def _show_found(self, found: RetrievalResult) -> None:
        """Show the passages below the place of the answer, before a model reads them."""
        is_first = self._shown_found is None
        self._shown_found = found
        turn = replace(
            self.turn, passages=found.passages, weak=found.weak, understood=found.question
        )
        self._show_passages_heading(turn)
        self._replace_sources(turn)
        if is_first:
            self.found_shown.emit()

    def _show_passages_heading(self, turn: Turn) -> None:
        """Show what the passages are, where no answer says it."""
        in_place = (turn.shows_passages or not turn.answered) and not self.answer.text
        confirms = turn.is_confirmed
        self.passages_heading.setText(turn.passages_title)
        self.passages_heading.set_role("section" if confirms else "title")
        self.passages_count.setVisible(not confirms)
        self.passages_head.setVisible(in_place or confirms)

    def _count_sources(self) -> None:
        """Show how many of the found passages are shown."""
        if self.source_list is not None:
            shown, found = self.source_list.n_shown, self.source_list.n_found
            words = trn("{n} passage", "{n} passages", found)
            self.passages_count.setText(
                tr("{n} of {m}", n=shown, m=found) if shown < found else words
            )

    def _replace_sources(self, turn: Turn) -> None:
        """Show the sources of a turn; cards of the same passages stay and are updated."""
        old = self.source_list
        if old is not None and old.is_of(turn):
            old.show_turn(turn)
            self._count_sources()
            return
        focused = QApplication.focusWidget()
        had_focus = old is not None and focused is not None and old.isAncestorOf(focused)
        new = self.source_list = SourceList(
            self._theme, turn, self._pins, self, at_first=FOUND_AT_FIRST
        )
        new.opened.connect(self.open_passage)
        new.counted.connect(self._count_sources)
        self._count_sources()
        new.left.connect(self._settle_sources)
        new.moved.connect(self._sources_moved)
        if old is not None:
            self._sources_place.replaceWidget(old, new)
            if had_focus and new.cards:
                new.cards[0].setFocus(Qt.FocusReason.TabFocusReason)
            old.hide()
            old.deleteLater()
        else:
            self._sources_place.addWidget(new)
        new.show()  # at once; a replacement is not shown by the layout

    def _settle_sources(self) -> None:
        """Show in the cards what a complete answer says of them."""
        if self._shown_found is None or not self.turn.answered:
            return
        if self.source_list is not None and self.source_list.is_in_use:
            return  # not while the mouse is over the cards
        self._shown_found = None
        self.will_unfold.emit()
        self._replace_sources(self.turn)
        if self.source_list is not None:
            keeps_cards = self.turn.shows_passages or self.turn.is_confirmed
            shown = keeps_cards or self.foot.sources_button.isChecked()
            self.source_list.setVisible(shown)

    def _sources_moved(self, by: int) -> None:
        if self.source_list is not None and self.source_list.is_in_use:
            self.moved_under_hand.emit(by)

    def _show_step(self, words: str, action: str, role: str = "muted") -> None:
        self.step_row.show_step(words, action, role)
        done, coming = self.ask.steps_around if self.ask is not None else ([], [])
        elapsed = self.ask.elapsed_text if self.ask is not None else ""
        self.step_row.show_around(done, coming, elapsed)
        self.step_row.show()

    def _show_turn(self) -> None:
        turn = self.turn
        self.asked.show_turn(turn, settled=True)
        if not turn.answered:
            self._show_step(tr("This question has no answer yet."), tr("Ask again"))
            self.answer.hide()
            self.note.hide()
            self.notice.hide()
            self.foot.hide()
            return
        self.step_row.setVisible(False)
        if turn.stopped and not turn.text:
            self._show_step(tr("Stopped before there was an answer."), tr("Ask again"))
        is_notice = turn.has_notice or (turn.shows_passages and bool(turn.stated))
        self.answer.set_answer(turn.stated, turn.citations, has_notice=is_notice)
        self.answer.setVisible(bool(turn.stated))
        self._show_note()
        self._show_passages_heading(turn)
        keeps_cards = turn.shows_passages or turn.is_confirmed
        self._place_foot(below=keeps_cards)
        self.foot.show_turn(turn)
        self.foot.setVisible(bool(turn.text))
        if keeps_cards:
            if self.source_list is None:
                self._replace_sources(turn)
            elif self._shown_found is not None:
                self._settle_sources()
            else:
                self._replace_sources(turn)
        elif self._shown_found is not None and not turn.is_passages_only:
            self.foot.sources_button.blockSignals(True)
            self.foot.sources_button.setChecked(turn.states_something)
            self.foot.sources_button.blockSignals(False)
            self.foot.show_turn(turn)
            self._settle_sources()
        elif self.source_list is not None:  # those were for the earlier state of the answer
            self._shown_found = None
            self._replace_sources(turn)
            self._fold(self.foot.sources_button.isChecked())

    def _place_foot(self, *, below: bool) -> None:
        """Show the buttons below the answer, which passages may be."""
        place = self._parts.indexOf(self._sources_place)
        if below != (self._parts.indexOf(self.foot) > place):
            self._parts.removeWidget(self.foot)
            place = self._parts.indexOf(self._sources_place)
            self._parts.insertWidget(place + below, self.foot)

    def _show_note(self) -> None:
        """Show why there is no written answer, above the quotations, or what was read."""
        turn, words = self.turn, ""
        if turn.is_unwritten or turn.is_passages_only:
            words = escape(describe_unwritten(turn))
        elif turn.answered and not turn.stopped and turn.passages and not turn.citations:
            words = describe_reading(turn)  # an answer with citations states it itself
        if turn.is_unanswerable:
            words = self._with_link(words, "anyway", tr("Ask the model anyway"))
        elif turn.is_passages_only:
            words = self._with_link(words, "models", tr("Get a model"))
        elif turn.is_rejected and (turn.kept is not None or turn.message_id):
            words = self._with_link(
                self._link_passage(words),
                "rejected",
                trn("Show it", "Show them", max(1, turn.n_rejected)),
            )
        self.notice.show_reason(words)
        self.notice.setVisible(turn.is_unwritten)
        self.note.setText(words)
        self.note.setVisible(bool(words) and not turn.is_unwritten)

    def _link_passage(self, words: str) -> str:
        """Make the number of the passage that a text names a link to its card."""
        rank = find_failed_rank(self.turn)
        before, found, rest = words.partition(_say_passage(rank))
        if not found:
            before, found, rest = words.partition(_say_passage(rank).lower())
        if not rank or not found:
            return words
        chip = build_number_image(self._theme, str(rank))
        label = found.removesuffix(str(rank))
        return f'{before}{label}<a href="{PASSAGE_LINK}{rank}">{chip}</a>{rest}'  # not shown

    def _with_link(self, words: str, address: str, label: str) -> str:
        line = "underline" if self._theme.is_high else "none"  # as all links
        look = f"color:{self._theme.tokens.accent}; font-weight:600; text-decoration:{line}"
        return f'{words} <a href="{address}" style="{look}">{label}</a>'

    def keep(self, turn: Turn) -> None:
        """Update what is known of the turn: its place in the chat, its passages."""
        self.turn = turn
        if turn.answered:
            self._show_turn()
        else:
            self.asked.show_turn(turn, settled=True)

    def show_named(self, turn: Turn) -> None:
        """Add links for the names in the answer."""
        self.turn = turn
        self.answer.set_names(turn.named)

    def show_followups(self, questions: Sequence[str]) -> None:
        """Offer these follow-up questions; none hides the row."""
        self._followups_heading = None
        clear_layout(self._followups)
        heading = Label(tr("Ask next"), "section", self.followups)
        self._followups_heading = heading
        self._followups.addWidget(heading)
        for question in questions:
            button = QuestionButton(self._theme, question, self.followups, kind="quiet")
            button.setToolTip(tr("Ask this"))
            button.clicked.connect(lambda _=False, q=question: self.ask_next.emit(q))
            self._followups.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._restyle()
        self.followups.setVisible(bool(questions))

    def _take_piece(self, piece: str) -> None:
        self.answer.append_piece(piece)
        self.answer.setVisible(True)
        self.passages_head.hide()

    def _act(self) -> None:
        if self.ask is not None and self.ask.state == WAITING:
            self.withdrawn.emit()
        else:
            self.ask_again.emit(self.turn.question)

    def _open_mark(self, number: int) -> None:
        for citation in self.turn.citations:
            if citation.number == number:
                self.open_passage.emit(citation.document_id, citation.start, citation.end)
                return

    def _fold(self, opened: bool) -> None:
        self.will_unfold.emit()
        if opened and not self.turn.passages and self.turn.message_id:
            self.passages_wanted.emit()  # passages of a stored answer are loaded on request
        if opened and self.source_list is None:
            self._replace_sources(self.turn)
        if self.source_list is not None:
            self.source_list.setVisible(opened)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.asked.bubble.fit(self.width() - 36 - 2 * INDENT)


COLUMN_WIDTH = 720
FIRST = 2  # built at once; others one by one, so that the window stays responsive
FILL_MS = 10  # until a new widget has its height
MOST = 28  # built at a time; widgets far away are deleted
NEAR = 500
ABOVE, BELOW = 1, 2  # distance from the top for a turn that is scrolled to
TOP = 24  # as the first turn, which does not move where all turns fit
Build = Callable[[], TurnWidget]


class TurnList(QScrollArea):
    """Shows widgets made by `build`, newest at the bottom."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Conversation"))
        self._body = QWidget(self)
        self._body.setObjectName("screenBody")
        self._column = build_column(STRETCH, parent=self._body, spacing=0)
        self.setWidget(self._body)
        ScrollFade(theme, self)  # its parent keeps it
        self.rest: QWidget | None = None  # gets the focus when the focused turn is deleted
        self._all: list[Build] = []
        self._begin = self._end = 0  # the range of built turns; others were added at the bottom
        self._stick = True
        self._keeps_top = False  # of the last turn, while its answer grows
        self.anchor: tuple[QWidget, int] | None = None  # keeps its position
        self._value = 0
        self._moves = False  # while the list scrolls by itself
        self.fill_timer = QTimer(self, singleShot=True, interval=FILL_MS)
        self.fill_timer.timeout.connect(self._fill)
        self._release = QTimer(self, singleShot=True)
        self._release.timeout.connect(self._release_anchor)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._range_changed)
        bar.valueChanged.connect(self._scrolled)

    def widgets(self) -> list[TurnWidget]:
        """Return the widgets that exist, oldest first."""
        items = (self._column.itemAt(i) for i in range(self._column.count()))
        found = [item.widget() for item in items if item is not None]
        return [cast(TurnWidget, widget) for widget in found if widget is not None]

    @property
    def n_earlier(self) -> int:
        """The number of turns above without a widget."""
        return self._begin

    @property
    def n_later(self) -> int:
        """The number of turns below without a widget."""
        return len(self._all) - self._end

    def set_builders(self, builders: list[Build], at: int | None = None) -> None:
        """Show these turns: the newest, or those around `at`."""
        self.clear()
        self._all = list(builders)
        self._begin, self._end = max(0, len(builders) - FIRST), len(builders)
        if at is not None and at < self._begin:
            self._begin, self._end = max(0, at - ABOVE), at + BELOW
        for build in self._all[self._begin : self._end]:
            self._column.insertWidget(self._column.count() - 1, build())
        if at is None:
            self.scroll_to_bottom()
        elif 0 <= at - self._begin < len(self.widgets()):
            self._stick = False
            self._hold(self.widgets()[at - self._begin], TOP, 400)
            QTimer.singleShot(0, self, self._reach)
        self.fill_timer.start()

    def clear(self) -> None:
        focused = QApplication.focusWidget()
        if self.rest is not None and focused is not None and self.isAncestorOf(focused):
            self.rest.setFocus()
        self._all, self._begin, self._end = [], 0, 0
        self.anchor = None
        for widget in self.widgets():
            self.remove(widget)
        self._stick, self._keeps_top = True, False

    def add(self, widget: QWidget) -> None:
        """Add a turn at the bottom and scroll to it."""
        if self.n_later:  # far up: the turns between need no widgets
            self.set_builders(self._all)
        self._column.insertWidget(self._column.count() - 1, widget)
        self.scroll_to_bottom()

    def cut_at(self, widget: TurnWidget) -> list[TurnWidget]:
        """Remove this turn and all after it; return the removed widgets."""
        shown = self.widgets()
        place = shown.index(widget) if widget in shown else len(shown)
        self._end = min(self._end, self._begin + place)
        self._all = self._all[: self._end]
        for one in shown[place:]:
            self.remove(one)
        return shown[place:]

    def scroll_to_bottom(self) -> None:
        self._stick, self._keeps_top = True, False
        self.anchor = None
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def show_top_of(self, widget: TurnWidget) -> None:
        """Scroll to the question, where it stays while its answer grows above the passages.

        Nothing moves if the whole list is visible or the user reads elsewhere.
        """
        if self._stick and widget in self.widgets():
            self._stick, self._keeps_top = False, True
            self._hold(widget, TOP)

    def scroll_by(self, pixels: int) -> None:
        """Scroll with what moves, so that it keeps its place on the screen."""
        self._stick = False
        self.anchor = None
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + pixels)

    def hold(self) -> None:
        """Keep the scroll position while something expands, also at the bottom."""
        self._stick = False

    def _hold(self, widget: QWidget, offset: int, ms: int = 60) -> None:
        self.anchor = (widget, offset)
        self._release.start(ms)  # heights change in several steps, late on a busy machine

    def _hold_position(self) -> None:
        if self.anchor is not None:  # new widgets may have no height yet
            self._release.start(max(60, self._release.remainingTime()))
            return
        top = self.verticalScrollBar().value()
        for widget in self.widgets():
            if widget.y() + widget.height() > top:
                self._hold(widget, widget.y() - top)
                return

    def _reach(self) -> None:
        if self.anchor is not None:
            widget, offset = self.anchor
            self._moves = True
            self.verticalScrollBar().setValue(max(0, widget.y() - offset))
            self._moves = False

    def _release_anchor(self) -> None:
        self._reach()
        self.anchor = None
        self._scrolled(self.verticalScrollBar().value())

    def _range_changed(self, _: int, maximum: int) -> None:
        if self.anchor is not None:
            self._reach()
            if self._release.remainingTime() < 60:
                self._release.start(60)
        elif self._stick:
            self.verticalScrollBar().setValue(maximum)

    def _scrolled(self, value: int) -> None:
        bar = self.verticalScrollBar()
        by, self._value = value - self._value, value
        if self.anchor is None:
            is_at_end = value >= bar.maximum() - 8 and not self.n_later
            self._stick = is_at_end and not self._keeps_top
        elif not self._moves:  # the user scrolls on while heights change
            widget, offset = self.anchor
            self.anchor = (widget, offset - by)
        if value < NEAR or value > bar.maximum() - NEAR:
            self.fill_timer.start()

    def _fill(self) -> None:
        """Build one more turn if the view is near the end of the built ones."""
        bar = self.verticalScrollBar()
        if self.n_earlier and bar.value() < NEAR:
            if not self._stick:
                self._hold_position()
            self._begin -= 1
            self._column.insertWidget(0, self._all[self._begin]())
            built = self.widgets()
            # turns added at the bottom can't be built again, so all above them stay
            while len(built) > MOST and len(built) == self._end - self._begin:
                self.remove(built.pop())
                self._end -= 1
        elif self.n_later and bar.value() > bar.maximum() - NEAR:
            self._hold_position()
            self._column.insertWidget(self._column.count() - 1, self._all[self._end]())
            self._end += 1
            built = self.widgets()
            while len(built) > MOST:
                self.remove(built.pop(0))
                self._begin += 1
        else:
            return
        self.fill_timer.start()

    def remove(self, widget: QWidget) -> None:
        """Remove a turn that was added at the bottom."""
        if self.anchor is not None and self.anchor[0] is widget:
            self.anchor = None
        self._column.removeWidget(widget)
        widget.hide()
        widget.deleteLater()

    def resizeEvent(self, event: QResizeEvent) -> None:
        # measured on the whole width, so that the column is aligned with the question box
        side = max(24, (self.width() - COLUMN_WIDTH) // 2)
        side -= INDENT  # texts begin and end where the box does; grounds of cards are wider
        bar = self.width() - self.viewport().width()
        # at the bottom, so that the last lines are visible above a message
        below = MESSAGE_ROOM - AFTER_TURN
        self._column.setContentsMargins(side, TOP, max(8, side - bar), below)
        super().resizeEvent(event)
