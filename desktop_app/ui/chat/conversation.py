"""The chat that is shown, as a list of turns: loaded, cut at a branch, updated after an answer.

Owns the widgets of the turns and the order of loading. Asks no questions and opens nothing:
requests of a turn are signals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.model import ChatRow, MessageRow
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..language import tr
from .chat_actions import ChatActions
from .library_context import suggest_followups
from .question_queue import DONE, QuestionJob, QuestionQueue
from .turn import Turn, cut_at, merge_history, pair_turns
from .turn_list import TurnList
from .turn_widget import TurnWidget

Make = Callable[[Turn, QuestionJob | None], TurnWidget]


class Conversation(QObject):
    """`titled` gives a chat's title, None if it was deleted; `loaded` after turns are shown."""

    titled = Signal(object)
    loaded = Signal()
    failed = Signal(object)

    def __init__(
        self,
        context: SessionContext,
        asks: QuestionQueue,
        actions: ChatActions,
        turns: TurnList,
        make: Make,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._question_queue = asks
        self._actions = actions
        self._list = turns
        self.chat_id: int | None = None
        self.draft = 0
        self.turns: list[Turn] = []  # the stored turns, as they were loaded
        self.make = make
        self._number = 0
        self._is_switching = False  # to another version; new questions wait for it
        self._waiting: list[Callable[[], None]] = []

    # --- current chat -----------------------------------------------------------------------------

    def begin(self) -> None:
        """Show a new chat, which is stored with its first question."""
        self._number += 1
        self._is_switching, self._waiting = False, []
        self.chat_id = None
        self.draft += 1
        self.turns = []
        self._list.clear()

    def open(self, chat_id: int) -> None:
        self._is_switching, self._waiting = False, []
        self.chat_id = chat_id
        self.turns = []
        self._list.clear()

    def list_live_questions(self) -> list[QuestionJob]:
        """Return the questions of this chat that were asked since it was loaded."""
        return self._question_queue.of(self.chat_id, self.draft)

    def all_turns(self) -> list[Turn]:
        return self.turns + [ask.turn for ask in self.list_live_questions()]

    @property
    def is_answering(self) -> bool:
        return any(ask.is_live for ask in self.list_live_questions())

    # --- reading --------------------------------------------------------------------------------

    def read(self, at: int = 0) -> None:
        """Load all turns; `at` is the message to scroll to, 0 for the bottom."""
        self._number += 1
        number, chat_id = self._number, self.chat_id

        def show(rows: list[MessageRow]) -> None:
            if number == self._number:
                self._show(rows, at)

        def fail(error: BaseException) -> None:
            if number == self._number:
                self._end_switching()
                self.failed.emit(error)

        lane, chats = self._context.reader_lane, self._context.chats
        Query(lane, chats.fetch_messages, chat_id, owner=self).on_success(show).on_error(fail).run()

    def _show(self, rows: list[MessageRow], at: int) -> None:
        history = pair_turns(rows)
        if self.chat_id is not None:
            self._question_queue.remove_stored(self.chat_id, history)
        live = self.list_live_questions()
        for ask in live:
            if ask.is_live:  # the turn whose place it takes is removed
                history = cut_at(history, ask.instead_of)
        self.turns = merge_history(history, [ask.question for ask in live])
        builders: list[Callable[[], TurnWidget]] = [
            partial(self.make, turn, None) for turn in self.turns
        ]
        builders += [partial(self.make, ask.turn, ask) for ask in live]
        ids = [(turn.question_id, turn.message_id) for turn in self.turns]
        place = next((i for i, pair in enumerate(ids) if at and at in pair), None)
        self._list.set_builders(builders, place)
        self.loaded.emit()
        self._end_switching()

    def read_title(self) -> None:
        chat_id = self.chat_id

        def show(rows: list[ChatRow]) -> None:
            if chat_id is None or chat_id != self.chat_id:
                return
            row = next((row for row in rows if row.id == chat_id), None)
            self.titled.emit(None if row is None else row.title or self._first_question())

        lane, chats = self._context.reader_lane, self._context.chats
        Query(lane, chats.list_chats, owner=self).on_success(show).run()

    def _first_question(self) -> str:
        return next((turn.question for turn in self.all_turns()), "")

    # --- asking and branches --------------------------------------------------------------------

    def cut_before(self, turn: Turn | None) -> int:
        """Remove a stored question and all turns after it; return the id of that question."""
        if turn is None or not turn.question_id:
            return 0
        left = turn.question_id  # another version may be shown in its place by now
        turn = next((one for one in self.all_turns() if left in one.versions), turn)
        for widget in self._list.widgets():
            widget.show_followups(())
            if widget.turn.question_id == turn.question_id:
                gone = {id(one.turn) for one in self._list.cut_at(widget)}
                for ask in self.list_live_questions():
                    if id(ask.turn) in gone:
                        self._question_queue.remove(ask)
                self.turns = cut_at(self.turns, turn.question_id)
                return turn.question_id
        return 0

    def show_version(self, question_id: int) -> None:
        """Show another version of a question, unless an answer is being written."""
        chat_id = self.chat_id
        if chat_id is None or self.is_answering:
            self._context.messages.show(tr("Wait until the answer is written, or stop it."))
            return

        def then() -> None:
            if chat_id == self.chat_id:
                self._question_queue.remove_finished(chat_id)
                self.read(at=question_id)

        self._is_switching = True
        self._actions.show_branch(chat_id, question_id, then, self._end_switching)

    def waits(self, act: Callable[[], None]) -> bool:
        """Return whether a switch of versions is running; `act` is called after it."""
        if self._is_switching:
            self._waiting.append(act)
        return self._is_switching

    def _end_switching(self) -> None:
        self._is_switching, waiting, self._waiting = False, self._waiting, []
        for act in waiting:
            act()

    def update_finished(self, ask: QuestionJob, then: Callable[[], None] = lambda: None) -> None:
        """Update a finished question: its place in the chat, and the names in its answer."""
        number, chat_id = self._number, ask.chat_id

        def show(rows: list[MessageRow]) -> None:
            if number != self._number or chat_id != self.chat_id:
                return
            kept = [t for t in reversed(pair_turns(rows)) if t.question == ask.question]
            if not kept:
                return
            known = kept[0]
            ask.turn = replace(
                ask.turn,
                question_id=known.question_id,
                versions=known.versions,
                message_id=known.message_id,
                asked_at=known.asked_at,
            )
            for widget in self._list.widgets():
                if widget.ask is ask:
                    widget.keep(ask.turn)
                    self.name(widget, is_last=widget is self._list.widgets()[-1])
            then()

        if ask.state == DONE or ask.turn.answered:
            lane, chats = self._context.reader_lane, self._context.chats
            Query(lane, chats.fetch_messages, chat_id, owner=self).on_success(show).run()

    def name(self, widget: TurnWidget, *, is_last: bool) -> None:
        """Add links for the names in an answer; the last answer offers follow-up questions."""
        if not widget.turn.text:
            return

        def show(turn: Turn) -> None:
            if turn.message_id != widget.turn.message_id:
                return
            widget.show_named(replace(widget.turn, named=turn.named))
            if widget.ask is not None:
                widget.ask.turn = widget.turn
            last = self._list.widgets()[-1:] == [widget]
            if is_last and last and not self._list.n_later:
                widget.show_followups(suggest_followups(turn.question, turn.named))

        self._actions.name(widget.turn, widget, show)

    def hide_followups(self) -> None:
        widgets: Sequence[TurnWidget] = self._list.widgets()
        for widget in widgets:
            widget.show_followups(())
