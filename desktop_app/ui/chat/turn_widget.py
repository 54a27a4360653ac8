"""One turn on the screen: the question, what is being done, the answer, its sources.

Owns how a turn looks in each of its states. Follows a live question while there is one; knows
no lanes and no chats.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, ElidedLabel, IconButton, Label

from .answer_view import AnswerView
from .live_ask import FAILED, WAITING, LiveAsk
from .question_bubble import QuestionBubble
from .sources import SourceList
from .turns import Turn, copy_text

NO_MODEL = "No language model is here yet, so these are the passages themselves."
FOUND = "How this was found"
INDENT = 13
NARROW, FACTS_FROM = 480, 340


class TurnWidget(QWidget):
    """A question with its answer; `ask` is the live question, None for a kept turn."""

    open_passage = Signal(int, int, int)
    show_in_graph = Signal(object)  # the Turn
    inspect = Signal(object)  # the Turn
    ask_again = Signal(str)
    open_models = Signal()
    will_unfold = Signal()
    withdrawn = Signal()

    def __init__(
        self, theme: Theme, turn: Turn, ask: LiveAsk | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ask = ask
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
        self.bubble = QuestionBubble(self._theme, self.turn.question, self)
        self.bubble.setVisible(bool(self.turn.question))
        self.step = Label("", "small", self)
        self.step_action = Button("Withdraw", self, kind="link")
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
        self.foot = self._build_foot()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 24)
        column.setSpacing(8)
        column.addWidget(self.bubble, 0, Qt.AlignmentFlag.AlignRight)
        column.addSpacing(4)
        said = QVBoxLayout()  # its text stands over the text of the button row and the box
        said.setContentsMargins(INDENT, 0, 0, 0)
        said.setSpacing(8)
        said.addWidget(self.step_row)
        said.addWidget(self.answer)
        said.addWidget(self.note)
        column.addLayout(said)
        column.addWidget(self.foot)
        self._column = column

    def _build_foot(self) -> QWidget:
        foot = QWidget(self)
        self.sources_button = Button("", foot, kind="quiet")
        self.sources_button.setCheckable(True)
        self.sources_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.sources_button.toggled.connect(self._fold)
        self.inspect_button = Button(FOUND, foot, kind="quiet", tooltip="See who found what")
        self.inspect_button.setAccessibleName(FOUND)
        self.inspect_button.clicked.connect(lambda: self.inspect.emit(self.turn))
        self.copy_button = IconButton(self._theme, "copy", "Copy with sources", foot)
        self.copy_button.clicked.connect(self._copy)
        self.graph_button = IconButton(self._theme, "graph", "Show its names in the graph", foot)
        self.graph_button.clicked.connect(lambda: self.show_in_graph.emit(self.turn))
        self.again_button = IconButton(self._theme, "retry", "Ask again", foot)
        self.again_button.clicked.connect(lambda: self.ask_again.emit(self.turn.question))
        self.facts = ElidedLabel("", "small", foot)
        self.facts.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.sources_button)
        row.addWidget(self.inspect_button)
        row.addWidget(self.copy_button)
        row.addWidget(self.graph_button)
        row.addWidget(self.again_button)
        row.addWidget(self.facts, 1)
        return foot

    # --- states ----------------------------------------------------------------------------

    def _follow(self) -> None:
        ask = self._ask
        if ask is None:
            return
        if ask.is_live:
            self._show_step(ask.step_words, "Withdraw" if ask.can_withdraw else "")
            self.answer.setVisible(bool(self.answer.text))
            self.note.hide()
            self.foot.hide()
        elif ask.state == FAILED:
            self._show_step(ask.error_words, "Retry", role="bad")
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
        if not turn.answered:
            self._show_step("This question has no answer yet.", "Ask again")
            self.answer.hide()
            self.note.hide()
            self.foot.hide()
            return
        self.step_row.setVisible(False)
        if turn.stopped and not turn.text:
            self._show_step("Stopped before there was an answer.", "Ask again")
        self.answer.set_answer(turn.text, turn.citations)
        self.answer.setVisible(bool(turn.text))
        self._show_note()
        n_sources = len(turn.citations) or len(turn.passages)
        self.sources_button.setText(f"{'Source' if n_sources == 1 else 'Sources'} {n_sources}")
        self.sources_button.setVisible(n_sources > 0)
        self._set_caret()
        self.graph_button.setVisible(bool(turn.entities or turn.citations or turn.passages))
        self.again_button.setVisible(bool(turn.question))
        self.inspect_button.setVisible(turn.kept is not None or bool(turn.message_id))
        self._show_facts()
        self.foot.setVisible(bool(turn.text))
        if self._source_list is not None:  # they were those of what was known before
            self._source_list.deleteLater()
            self._source_list = None
            self._fold(self.sources_button.isChecked())

    def _show_note(self) -> None:
        alone = self.turn.is_passages_only
        words = NO_MODEL if alone else ""  # that little was found, the answer says itself
        if alone:
            look = f"color:{self._theme.tokens.accent}; font-weight:600; text-decoration:none"
            words += f' <a href="models" style="{look}">Get a model</a>'
        self.note.setText(words)
        self.note.setVisible(bool(words))

    def _show_facts(self) -> None:
        """Show the model and the time, unless only an ellipsis would be left of them."""
        room = self.width() >= FACTS_FROM
        if self.turn.answered and self.facts.full_text() != (said := self._facts() if room else ""):
            self.facts.setText(said)

    def _facts(self) -> str:
        parts = ["Stopped"] if self.turn.stopped else []
        if self.turn.model:
            parts.append(self.turn.model)
        if self.turn.seconds >= 0.1:
            parts.append(f"{self.turn.seconds:.0f} s" if self.turn.seconds >= 10
                         else f"{self.turn.seconds:.1f} s")  # fmt: skip
        return " · ".join(parts)

    def _take_piece(self, piece: str) -> None:
        self.answer.append_piece(piece)
        self.answer.setVisible(True)

    # --- what a person does -----------------------------------------------------------------

    def _act(self) -> None:
        if self._ask is not None and self._ask.state == WAITING:
            self._ask.stop()
            self.withdrawn.emit()
        else:
            self.ask_again.emit(self.turn.question)

    def _open_mark(self, number: int) -> None:
        for citation in self.turn.citations:
            if citation.number == number:
                self.open_passage.emit(citation.document_id, citation.start, citation.end)
                return

    def _set_caret(self) -> None:
        opened = self.sources_button.isChecked()
        self.sources_button.setIcon(self._theme.icon("caret-down" if opened else "caret-right"))
        self.sources_button.setAccessibleName(
            f"{'Hide' if opened else 'Show'} {self.sources_button.text()}"
        )

    def _fold(self, opened: bool) -> None:
        self.will_unfold.emit()
        self._set_caret()
        if opened and self._source_list is None:
            self._source_list = SourceList(self._theme, self.turn, self)
            self._source_list.opened.connect(self.open_passage)
            self._column.addWidget(self._source_list)
        if self._source_list is not None:
            self._source_list.setVisible(opened)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(copy_text(self.turn))
        self.copy_button.set_icon("check")
        self.copy_button.set_tooltip("Copied")

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.bubble.fit(self.width())
        self._set_narrow(self.width() < NARROW)
        self._show_facts()

    def _set_narrow(self, narrow: bool) -> None:
        button = self.inspect_button
        if narrow == (not button.text()):
            return
        button.setText("" if narrow else FOUND)
        button.setToolTip(FOUND if narrow else "See who found what")
        button.setIcon(self._theme.icon("inspector") if narrow else QIcon())
        button.setStyleSheet("padding: 0 5px;" if narrow else "")
