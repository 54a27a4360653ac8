"""The widget of a turn: its question, progress, answer and sources.

Shows each state of a turn and follows a live question. Knows no lanes and no chats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
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
    QSizePolicy,
    QWidget,
)

from desktop_app.engine.durations import format_seconds
from desktop_app.engine.model import ChunkId, RetrievalResult
from desktop_app.engine.query import READ_MORE

from ..figures.strip import PassageFigures
from ..theme.theme import Theme
from ..translation import later, tr, tr_message, trn
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
from ..widgets.link_confirmation import ask_to_open
from ..widgets.menus import show_by
from ..widgets.words import WIDE_MARKS, format_model, join_sentences
from .answer_panels import (
    PASSAGE_LINK,
    AnswerBlock,
    AnswerNotice,
    CheckHeading,
    Guess,
    GuessView,
    StatusPanel,
    build_links_label,
    link_number,
)
from .answer_view import TEXT_PX, AnswerView
from .export import text_with_sources, text_without_sources
from .inspection.presentation import describe_failed
from .pins import Pins
from .sources import INDENT, SourceList
from .step_row import StepRow
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

INSPECT_NAME = later("How this was found")
INSPECT_TIP = later("See how each passage was found")
LEAST_FACTS, FACTS_GAP = 80, 16  # pixels for model and time, and before them
NAMED_PADDING = 9  # pixels beside a name and its icon, with the border
NAMED, ICON_ALONE = "padding: 0 8px;", "padding: 0 5px;"  # not shown
BELOW_QUESTION = 14  # pixels, beside the gap between all parts


def describe_reading(turn: Turn) -> str:
    """Return what was found for an answer that cites nothing."""
    n_documents = len({passage.document_id for passage in turn.passages})
    passages = trn("{n} passage", "{n} passages", len(turn.passages))
    documents = trn("{n} document", "{n} documents", n_documents)
    return tr(
        "{passages} of {documents} were found. None of them is cited.",
        passages=passages,
        documents=documents,
    )


def describe_unwritten(turn: Turn) -> str:
    """Return why there is no written answer: the check that the model's first sentence failed.

    That its sentences were not confirmed is the title of the notice. Of an answer that may be
    right, this says that it was not confirmed.
    """
    failed = turn.failed
    if turn.guess is not None:
        return tr("Not confirmed: see {passage}.", passage=_name_passage(turn.guess[1]).lower())
    if not turn.is_rejected:
        return describe_reason(turn)
    if failed is None:
        return ""
    why = describe_failed(failed, find_failed_rank(turn))  # the cards below have this number
    if turn.n_rejected > 1:
        return tr("The first: {reason}.", reason=why[:1].lower() + why[1:])
    return tr("{reason}.", reason=why)


def choose_notice_title(turn: Turn) -> str:
    """Return what the notice above the passages begins with."""
    if turn.guess is not None:
        return tr("Perhaps “{answer}”.", answer=turn.guess[0])
    return describe_rejected(turn.n_rejected) if turn.is_rejected else tr("No written answer.")


def find_failed_rank(turn: Turn) -> int:
    """Return the number of the passage that an answer was compared with, 0 for none.

    It is the short answer that may be right, or the sentence that was rejected.
    """
    if turn.guess is not None:
        return turn.guess[1]
    return find_rank(turn, turn.failed.chunk_id) if turn.failed is not None else 0


def find_rank(turn: Turn, chunk_id: int) -> int:
    """Return the number of a passage, 0 if it is not among those of the turn."""
    ranks = {passage.chunk_id: rank for rank, passage in enumerate(turn.passages, 1)}
    return ranks.get(ChunkId(chunk_id), 0)


class FootButton(Button):
    """A button with an icon and a name; without room for the name, the icon alone."""

    def __init__(self, theme: Theme, icon: str, name: str, tip: str, parent: QWidget) -> None:
        super().__init__(name, parent, kind="bare", theme=theme, icon=icon)
        self._name, self._tip = name, tip
        self._named = True
        self.setToolTip(tip)
        self.setAccessibleName(name)
        self.setStyleSheet(NAMED)

    def set_named(self, named: bool) -> None:
        """Show the name beside the icon, or in the tooltip."""
        if named != self._named:
            self._named = named
            self.setText(self._name if named else "")
            self.setToolTip(self._tip if named else f"{self._name}\n{self._tip}")
            self.setStyleSheet(NAMED if named else ICON_ALONE)


class TurnFoot(QWidget):
    """The buttons below an answer, in one order; `unfolded` gives whether the sources are shown.

    The names of the buttons are shown where there is room for all of them and for the facts.
    """

    unfolded = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._turn = Turn("")
        self.sources_button = Button("", self, kind="bare")
        self.sources_button.setCheckable(True)
        self.sources_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        # begins where the texts above it begin; left and right are exchanged
        self.sources_button.setStyleSheet("QPushButton { text-align: right; padding: 0 8px; }")
        self.sources_button.toggled.connect(self._set_caret)
        self.sources_button.toggled.connect(self.unfolded)
        self.inspect_button = FootButton(
            theme, "inspector", tr(INSPECT_NAME), tr(INSPECT_TIP), self
        )
        self.inspect_button.setCheckable(True)  # pressed while the inspector is open for it
        self.inspect_button.setProperty("opens", "panel")
        self.inspect_button.setIcon(theme.icon("inspector", fills=QIcon.State.On))
        self.copy_button = FootButton(theme, "copy", tr("Copy"), tr("Copy this answer"), self)
        self._copy_menu = QMenu(self)
        self.copy_action = self._copy_menu.addAction(tr("Copy with sources"))
        self.copy_action.triggered.connect(lambda: self._copy(text_with_sources))
        without = self._copy_menu.addAction(tr("Copy without sources"))
        without.triggered.connect(lambda: self._copy(text_without_sources))
        self.copy_button.clicked.connect(self._open_copy_menu)
        self.export_button = FootButton(
            theme, "ph.export", tr("Export"), tr("Save this answer as a file"), self
        )
        again = tr("Answer again; both answers are kept")
        self.again_button = FootButton(theme, "retry", tr("Ask again"), again, self)
        self.graph_button = FootButton(
            theme, "graph", tr("Graph"), tr("Show this answer in the graph"), self
        )
        self.facts = ElidedLabel("", "small", self)
        self.facts.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        # those whose names are left out first are last
        self._by_need = (
            *(self.inspect_button, self.again_button, self.copy_button),
            *(self.export_button, self.graph_button),
        )
        self._row = build_row(  # ends where the texts of the sources end
            *(self.sources_button, self.inspect_button, self.copy_button, self.export_button),
            *(self.again_button, self.graph_button, (self.facts, 1)),
            parent=self,
            spacing=0,
            margins=(INDENT - NAMED_PADDING, 0, INDENT, 0),
        )

    def show_turn(self, turn: Turn) -> None:
        self._turn = turn
        n_sources = len({citation.chunk_id for citation in turn.citations})
        n_found = len(turn.passages)
        words = trn("{n} source", "{n} sources", n_sources)
        if not n_sources:  # nothing is cited: what was found is no source of the answer
            words = trn("{n} passage found", "{n} passages found", n_found)
        self.sources_button.setText(words)
        # passages in place of an answer, or that confirm one, are always shown
        self.sources_button.setVisible(n_sources + n_found > 0 and not turn.keeps_cards)
        self._set_caret()
        self.graph_button.setVisible(bool(turn.entities or turn.citations or turn.passages))
        self.again_button.setVisible(bool(turn.question))
        self.export_button.setVisible(bool(turn.text))
        self.inspect_button.setVisible(turn.kept is not None or bool(turn.message_id))
        self._fit()

    def _set_caret(self) -> None:
        opened = self.sources_button.isChecked()
        self.sources_button.setIcon(self._theme.icon("caret-down" if opened else "caret-right"))
        shown = tr("Hide {part}" if opened else "Show {part}", part=self.sources_button.text())
        self.sources_button.setAccessibleName(shown)

    def _open_copy_menu(self) -> None:
        self._copy_menu.resize(self._copy_menu.sizeHint())
        show_by(self._copy_menu, self.copy_button)

    def _copy(self, as_text: Callable[[Turn], str]) -> None:
        QGuiApplication.clipboard().setText(as_text(self._turn))
        self.copy_button.setIcon(self._theme.icon("check"))
        self.copy_button.setToolTip(tr("Copied"))

    def _list_facts(self) -> str:
        turn = self._turn
        parts = [tr("Stopped")] if turn.stopped else []
        if turn.model:
            parts.append(format_model(turn.model))
        if turn.seconds >= 0.1:
            parts.append(tr_message(format_seconds(turn.seconds)))
        return " · ".join(parts)

    def _fit(self) -> None:
        """Show as many names as there is room for beside model and time, then these alone."""
        facts = self._list_facts()
        shown = [button for button in self._by_need if not button.isHidden()]
        others = [] if self.sources_button.isHidden() else [self.sources_button]
        room = self.width() - 2 * INDENT + NAMED_PADDING
        wanted = QFontMetrics(self._theme.font("small")).horizontalAdvance(facts) + FACTS_GAP
        for n_named in range(len(shown), -1, -1):
            for place, button in enumerate(shown):
                button.set_named(place < n_named)
            taken = sum(button.sizeHint().width() for button in (*others, *shown))
            if taken + wanted <= room:
                break
        facts = facts if room - taken >= LEAST_FACTS else ""  # else an ellipsis alone would fit
        if self.facts.full_text() != facts:
            self.facts.setText(facts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()


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
            theme = self._theme
            # in the dark theme, surfaces differ too little from the ground (1.09:1)
            ground = ("surface" if theme.is_high else "line") if theme.is_dark else "sunken"
            paint_box(painter, QRectF(self.rect()), theme.color(ground), theme.edge())


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


def _name_passage(rank: int) -> str:
    return tr("Passage {n}", n=rank)


AFTER_TURN = 24  # pixels below a turn
LINK_END = "</a>"
FOUND_AT_FIRST = 4  # cards before the answer; the others are behind a button


class TurnWidget(QWidget):
    """A question with its answer; `job` answers a live question, None for a stored turn."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    show_in_graph = Signal(object)  # the Turn
    inspect = Signal(object)  # the Turn
    show_check = Signal(object)  # the Turn, whose rejected sentences are wanted
    ask_again = Signal(str)
    ask_anyway = Signal(str)  # the model, though nothing close was found
    read_further = Signal(str, int)  # the question, and how many passages are read one by one
    ask_next = Signal(str)
    edit_wanted = Signal(object)  # the Turn
    export_wanted = Signal(object)  # the Turn
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
        job: QuestionJob | None = None,
        parent: QWidget | None = None,
        pins: Pins | None = None,
        figures: PassageFigures | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._figures = figures
        self._pins = pins or Pins(self)
        self.job = job
        self.turn = turn
        self.source_list: SourceList | None = None
        self._shown_found: RetrievalResult | None = None  # in the list, before the answer
        self._build()
        if job is not None and (job.is_live or job.state in (FAILED, HELD)):
            if job.text:
                self.answer.append_piece(job.text)
            job.changed.connect(self._follow)
            job.piece.connect(self._take_piece)
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
        self.guess = GuessView(self._theme, self)
        self.guess.followed.connect(self._follow_note)
        self.guess.explained.connect(lambda: self.show_check.emit(self.turn))
        self.guess.hide()
        self.answer = AnswerView(self._theme, self)
        self.block = AnswerBlock(self._theme, self.answer, self)
        self.answer.mark_hovered.connect(self._point_out)
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
        self.foot.export_button.clicked.connect(lambda: self.export_wanted.emit(self.turn))
        self.foot.again_button.clicked.connect(lambda: self.ask_again.emit(self.turn.question))
        self.followups = QWidget(self)
        self._followups = build_column(parent=self.followups)
        self._followups_heading: QLabel | None = None
        self.followups.hide()
        self.passages_head = QWidget(self)
        self.passages_heading = Label("", "strong", self.passages_head)
        self.check_heading = CheckHeading(self._theme, self.passages_head)
        self.check_heading.passage_clicked.connect(self._open_mark)
        self.check_heading.passage_hovered.connect(self._point_out)
        head = (self.passages_heading, self.check_heading, STRETCH)
        build_row(*head, parent=self.passages_head, margins=(INDENT, 8, INDENT, 0))
        self.passages_head.hide()
        self.steps = build_links_label(self, "accent")
        self.steps.setWordWrap(False)
        self.steps.linkActivated.connect(self._follow_note)
        self.status = StatusPanel(self._theme, (self.step_row, self.notice, self.guess), self)
        # aligned with the text of the button row and of the box
        below = build_column(self.note, margins=(INDENT, 0, 0, 0))
        self._sources_place = build_column(self.passages_head, spacing=0)
        self._parts = build_column(
            *(self.asked, BELOW_QUESTION, self.status, self.block, below),
            *(self.foot, self._sources_place),
            self.followups,
            parent=self,
            margins=(0, 0, 0, AFTER_TURN),
        )
        self._theme.changed.connect(self._restyle)
        self._restyle()

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
            self._show_guess(self.guess.isHidden())
        elif link.startswith(PASSAGE_LINK) and self.source_list is not None:
            self.will_unfold.emit()
            card = self.source_list.show_card(int(link.removeprefix(PASSAGE_LINK)))
            if card is not None:
                self.card_wanted.emit(card)
        elif link == "further":
            turn = self.turn
            self.read_further.emit(turn.question, turn.n_read + min(READ_MORE, turn.n_unread))
        else:
            self.ask_anyway.emit(self.turn.question)

    def _show_guess(self, shown: bool) -> None:
        """Show the sentences that were not confirmed, or hide them; unknown ones are loaded."""
        check = self.turn.kept.found.check if self.turn.kept is not None else None
        failed = [one for one in check.checked if one.failed] if check is not None else []
        if not failed and self.turn.failed is not None:
            failed = [self.turn.failed]
        if not failed:
            self.show_check.emit(self.turn)
            return
        self.will_unfold.emit()
        ranks = [find_rank(self.turn, one.chunk_id) for one in failed]
        self.guess.show_sentences(
            [
                Guess(one.text, rank, describe_failed(one, rank) if len(failed) > 1 else "")
                for one, rank in zip(failed, ranks, strict=True)
            ]
        )
        self.guess.setVisible(shown)
        self._show_note()
        self._fit_status()

    def _point_out(self, number: int) -> None:
        if self.source_list is not None:
            self.source_list.point_out(number)

    def _ask_to_open(self, address: str) -> None:
        corner = self.answer.cursorRect().bottomLeft()
        ask_to_open(self._theme, address, self.answer, corner)

    @property
    def inspect_button(self) -> Button:
        return self.foot.inspect_button

    def _follow(self) -> None:
        """Show the state of the live question; a stored turn has none."""
        self._show_state()
        self._fit_status()

    def _fit_status(self) -> None:
        is_waiting = not self.step_row.isHidden() and not self.step.text()
        self.status.fit(is_blank=is_waiting)

    def _show_state(self) -> None:
        job = self.job
        self.remove_button.setVisible(job is not None and job.state == HELD)
        if job is None or not (job.is_live or job.state in (FAILED, HELD)):
            self.turn = job.turn if job is not None else self.turn
            if self.source_list is not None:
                self.source_list.show_reading(None)
            self._show_turn()
            return
        self.asked.show_turn(self.turn, settled=not job.is_live)
        if job.is_live:
            role = "step" if job.state == ANSWERING else "muted"
            self._show_step(job.step_text, tr("Cancel") if job.can_withdraw else "", role)
        elif job.state == HELD:
            self._show_step(tr("Not asked yet"), tr("Ask"))
        else:
            self._show_step(job.error_text, tr("Retry"), role="bad")
        self.block.setVisible(bool(self.answer.text))
        self.note.hide()
        self.notice.hide()
        self.steps.hide()
        self.foot.hide()
        if job.found is not None and job.found.passages and job.found is not self._shown_found:
            self._show_found(job.found)
        if self.source_list is not None:
            self.source_list.show_reading(job.chunk_being_read if job.is_live else None)

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
        """Show what the passages are: what may answer the question, or what the answer is from."""
        in_place = turn.shows_passages or not turn.answered
        self.passages_heading.setText(turn.passages_title)
        self.passages_heading.setVisible(in_place)
        self.check_heading.show_numbers(
            turn.checked_against,
            is_spoken=turn.is_spoken,
            is_cell=turn.is_confirmed and not turn.model,
        )
        self.passages_head.setVisible(in_place or turn.is_confirmed)

    def _replace_sources(self, turn: Turn) -> None:
        """Show the sources of a turn; cards of the same passages stay and are updated."""
        old = self.source_list
        if old is not None and old.is_of(turn):
            old.show_turn(turn)
            return
        focused = QApplication.focusWidget()
        had_focus = old is not None and focused is not None and old.isAncestorOf(focused)
        new = self.source_list = SourceList(
            self._theme,
            turn,
            self._pins,
            self,
            at_first=FOUND_AT_FIRST,
            figures=self._figures,
        )
        new.opened.connect(self.open_passage)
        new.add_beside_more(self.steps)
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
            shown = self.turn.keeps_cards or self.foot.sources_button.isChecked()
            self.source_list.setVisible(shown)

    def _sources_moved(self, by: int) -> None:
        if self.source_list is not None and self.source_list.is_in_use:
            self.moved_under_hand.emit(by)

    def _show_step(self, words: str, action: str, role: str = "muted") -> None:
        self.step_row.show_step(words, action, role)
        done, coming = self.job.steps_around if self.job is not None else ([], [])
        elapsed = self.job.elapsed_text if self.job is not None else ""
        meanwhile = self.job.meanwhile if self.job is not None else ""
        self.step_row.show_around(done, coming, elapsed, meanwhile)
        self.step_row.show()

    def _show_turn(self) -> None:
        turn = self.turn
        self.asked.show_turn(turn, settled=True)
        if not turn.answered:
            self._show_step(tr("This question has no answer yet."), tr("Ask again"))
            self.block.hide()
            self.note.hide()
            self.notice.hide()
            self.steps.hide()
            self.foot.hide()
            return
        self.step_row.setVisible(False)
        if turn.stopped and not turn.text:
            self._show_step(tr("Stopped before there was an answer."), tr("Ask again"))
        is_notice = turn.has_notice or (turn.shows_passages and bool(turn.stated))
        self.answer.set_answer(turn.shown, turn.citations, has_notice=is_notice)
        self.block.set_notice(is_notice)
        self.block.setVisible(bool(turn.stated))
        self._show_note()
        self._show_passages_heading(turn)
        self._place_foot(below=turn.keeps_cards)
        self.foot.show_turn(turn)
        self.foot.setVisible(bool(turn.text))
        if turn.keeps_cards:
            if self.source_list is not None and self._shown_found is not None:
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
        steps = ""
        if turn.n_unread:
            n = min(READ_MORE, turn.n_unread)
            further = trn("Let the model read one more", "Let the model read {n} more", n)
            steps = self._with_link(steps, "further", further)
        if turn.is_unanswerable:
            steps = self._with_link(steps, "anyway", tr("Ask the model anyway"))
        elif turn.is_passages_only:
            words = self._with_link(words, "models", tr("Get a model"))
        elif turn.is_rejected and (turn.kept is not None or turn.message_id):
            words = self._link_passage(words)
            if turn.guess is None:  # else it is what the notice says
                shown = trn("Show it", "Show them", max(1, turn.n_rejected))
                shown = shown if self.guess.isHidden() else tr("Hide")
                words = self._with_link(words, "rejected", shown)
        if not turn.is_unwritten:  # there are no cards below which they could stand
            words, steps = join_sentences((words, steps)), ""
        self.steps.setText(steps)
        self.steps.setVisible(bool(steps))
        self.notice.show_reason(words, choose_notice_title(turn))
        self.notice.setVisible(turn.is_unwritten)
        self.note.setText(words)
        self.note.setVisible(bool(words) and not turn.is_unwritten)

    def _link_passage(self, words: str) -> str:
        """Make the number of the passage that a text names a link to its card."""
        rank = find_failed_rank(self.turn)
        before, found, rest = words.partition(_name_passage(rank))
        if not found:
            before, found, rest = words.partition(_name_passage(rank).lower())
        if not rank or not found:
            return words
        return f"{before}{found.removesuffix(str(rank))}{link_number(self._theme, rank)}{rest}"

    def _with_link(self, words: str, address: str, label: str) -> str:
        line = "underline" if self._theme.is_high else "none"  # as all links
        look = f"color:{self._theme.tokens.accent}; font-weight:600; text-decoration:{line}"
        between = "" if words.endswith(WIDE_MARKS) else " "
        between = " · " if words.endswith(LINK_END) else between
        label = label.replace(" ", "\N{NO-BREAK SPACE}")  # a link is on one line
        between = between if words else ""
        return f'{words}{between}<a href="{address}" style="{look}">{label}{LINK_END}'

    def keep(self, turn: Turn) -> None:
        """Update what is known of the turn: its place in the chat, its passages."""
        self.turn = turn
        if turn.answered:
            self._show_turn()
            self._fit_status()
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
        self.block.setVisible(True)  # above the passages and their heading

    def _act(self) -> None:
        if self.job is not None and self.job.state == WAITING:
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
