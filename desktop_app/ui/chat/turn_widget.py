"""One turn on the screen: the question, what is being done, the answer, its sources.

Owns how a turn looks in each of its states. Follows a live question while there is one; knows
no lanes and no chats.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_app.ui.language import later, tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, Label, clear_layout

from .answer_view import AnswerView
from .link_ask import ask_to_open
from .live_ask import FAILED, WAITING, LiveAsk
from .question_row import QuestionRow
from .sources import SourceList
from .turn_foot import TurnFoot
from .turns import Turn

NO_MODEL = later("No language model is here yet, so these are the passages themselves.")
INDENT = 13


class TurnWidget(QWidget):
    """A question with its answer; `ask` is the live question, None for a kept turn."""

    open_passage = Signal(int, int, int)
    open_entity = Signal(int)
    show_in_graph = Signal(object)  # the Turn
    inspect = Signal(object)  # the Turn
    ask_again = Signal(str)
    ask_next = Signal(str)
    edit_wanted = Signal(object)  # the Turn
    version_wanted = Signal(int)
    passages_wanted = Signal()
    open_models = Signal()
    will_unfold = Signal()
    withdrawn = Signal()

    def __init__(
        self, theme: Theme, turn: Turn, ask: LiveAsk | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.ask = ask
        self.turn = turn
        self._source_list: SourceList | None = None
        self._build()
        if ask is not None and (ask.is_live or ask.state == FAILED):
            if ask.text:
                self.answer.append_piece(ask.text)
            ask.changed.connect(self._follow)
            ask.piece.connect(self._take_piece)
        self._follow() if ask is not None else self._show_turn()

    def _build(self) -> None:
        self.asked = QuestionRow(self._theme, self.turn.question, self)
        self.asked.setVisible(bool(self.turn.question))
        self.asked.edit_wanted.connect(lambda: self.edit_wanted.emit(self.turn))
        self.asked.version_wanted.connect(self.version_wanted)
        self.step = Label("", "small", self)
        self.step_action = Button(tr("Withdraw"), self, kind="link")
        self.step_action.clicked.connect(self._act)
        self.step_row = QWidget(self)
        step_row = QHBoxLayout(self.step_row)
        step_row.setContentsMargins(0, 0, 0, 0)
        step_row.setSpacing(8)
        step_row.addWidget(self.step)
        step_row.addWidget(self.step_action)
        step_row.addStretch(1)
        self.answer = AnswerView(self._theme, self)
        self.answer.mark_clicked.connect(self._open_mark)
        self.answer.name_clicked.connect(self.open_entity)
        self.answer.address_clicked.connect(self._ask_to_open)
        self.note = QLabel(self)
        self.note.setProperty("role", "small")
        self.note.setTextFormat(Qt.TextFormat.RichText)
        self.note.setWordWrap(True)
        self.note.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.note.linkActivated.connect(lambda _: self.open_models.emit())
        self._theme.changed.connect(self._show_note)
        self.foot = TurnFoot(self._theme, self)
        self.foot.unfolded.connect(self._fold)
        self.foot.inspect.connect(lambda: self.inspect.emit(self.turn))
        self.foot.graph.connect(lambda: self.show_in_graph.emit(self.turn))
        self.foot.again.connect(lambda: self.ask_again.emit(self.turn.question))
        self.followups = QWidget(self)
        self._followups = QVBoxLayout(self.followups)
        self._followups.setContentsMargins(0, 8, 0, 0)
        self._followups.setSpacing(4)
        self.followups.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 24)
        column.setSpacing(8)
        column.addWidget(self.asked)
        column.addSpacing(4)
        said = QVBoxLayout()  # its text stands over the text of the button row and the box
        said.setContentsMargins(INDENT, 0, 0, 0)
        said.setSpacing(8)
        said.addWidget(self.step_row)
        said.addWidget(self.answer)
        said.addWidget(self.note)
        column.addLayout(said)
        column.addWidget(self.foot)
        self._sources_place = QVBoxLayout()
        column.addLayout(self._sources_place)
        column.addWidget(self.followups)

    @property
    def inspect_button(self) -> Button:
        return self.foot.inspect_button

    # --- states ----------------------------------------------------------------------------

    def _follow(self) -> None:
        ask = self.ask
        if ask is None:
            return
        self.asked.show_turn(self.turn, settled=not ask.is_live)
        if ask.is_live:
            self._show_step(ask.step_words, tr("Withdraw") if ask.can_withdraw else "")
            self.answer.setVisible(bool(self.answer.text))
            self.note.hide()
            self.foot.hide()
        elif ask.state == FAILED:
            self._show_step(ask.error_words, tr("Retry"), role="bad")
            self.answer.setVisible(bool(self.answer.text))
            self.note.hide()
            self.foot.hide()
        else:
            self.turn = ask.turn
            self._show_turn()

    def _show_step(self, words: str, action: str, role: str = "small") -> None:
        self.step.setText(words)
        self.step.set_role(role)
        self.step.setWordWrap(role == "bad")
        self.step_action.setText(action)
        self.step_action.setVisible(bool(action))
        self.step_row.show()

    def _show_turn(self) -> None:
        turn = self.turn
        self.asked.show_turn(turn, settled=True)
        if not turn.answered:
            self._show_step(tr("This question has no answer yet."), tr("Ask again"))
            self.answer.hide()
            self.note.hide()
            self.foot.hide()
            return
        self.step_row.setVisible(False)
        if turn.stopped and not turn.text:
            self._show_step(tr("Stopped before there was an answer."), tr("Ask again"))
        self.answer.set_answer(turn.text, turn.citations)
        self.answer.setVisible(bool(turn.text))
        self._show_note()
        self.foot.show_turn(turn)
        self.foot.setVisible(bool(turn.text))
        if self._source_list is not None:  # they were those of what was known before
            self._source_list.deleteLater()
            self._source_list = None
            self._fold(self.foot.sources_button.isChecked())

    def _show_note(self) -> None:
        alone = self.turn.is_passages_only
        words = tr(NO_MODEL) if alone else ""  # that little was found, the answer says itself
        if alone:
            look = f"color:{self._theme.tokens.accent}; font-weight:600; text-decoration:none"
            words += f' <a href="models" style="{look}">{tr("Get a model")}</a>'
        self.note.setText(words)
        self.note.setVisible(bool(words))

    def keep(self, turn: Turn) -> None:
        """Take over what is known of the turn by now: its place in the chat, its passages."""
        self.turn = turn
        if turn.answered:
            self._show_turn()
        else:
            self.asked.show_turn(turn, settled=True)

    def show_named(self, turn: Turn) -> None:
        """Make links of the names in the answer."""
        self.turn = turn
        self.answer.set_names(turn.named)

    def show_followups(self, questions: Sequence[str]) -> None:
        """Offer these to ask next; none of them hides the row."""
        clear_layout(self._followups)
        for question in questions:
            button = Button(
                question, self.followups, kind="quiet", theme=self._theme, icon="arrow-right"
            )
            button.setToolTip(tr("Ask this"))
            button.clicked.connect(lambda _=False, q=question: self.ask_next.emit(q))
            self._followups.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self.followups.setVisible(bool(questions))

    def _take_piece(self, piece: str) -> None:
        self.answer.append_piece(piece)
        self.answer.setVisible(True)

    # --- what a person does -----------------------------------------------------------------

    def _act(self) -> None:
        if self.ask is not None and self.ask.state == WAITING:
            self.ask.stop()
            self.withdrawn.emit()
        else:
            self.ask_again.emit(self.turn.question)

    def _ask_to_open(self, address: str) -> None:
        spot = self.answer.mapToGlobal(self.answer.cursorRect().bottomLeft())
        ask_to_open(self._theme, address, spot, self)

    def _open_mark(self, number: int) -> None:
        for citation in self.turn.citations:
            if citation.number == number:
                self.open_passage.emit(citation.document_id, citation.start, citation.end)
                return

    def _fold(self, opened: bool) -> None:
        self.will_unfold.emit()
        if opened and not self.turn.passages and self.turn.message_id:
            self.passages_wanted.emit()  # of an old answer they are not read before
        if opened and self._source_list is None:
            self._source_list = SourceList(self._theme, self.turn, self)
            self._source_list.opened.connect(self.open_passage)
            self._sources_place.addWidget(self._source_list)
        if self._source_list is not None:
            self._source_list.setVisible(opened)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.asked.fit(self.width())
