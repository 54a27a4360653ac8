"""The chat that is shown, as a list of turns: loaded, cut at a branch, updated after an answer.

Owns the widgets of the turns, the order of loading, and what is loaded for a turn later:
passages, and the entities named in its answer. Asks no questions and opens nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.model import Answer, ChatRow, MessageRow
from desktop_app.engine.services.library_reader import NamedPart
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..translation import tr
from .suggestions import suggest_followups
from .turn_list import TurnList
from .turn_widget import TurnWidget
from .turns import (
    DONE,
    QuestionJob,
    QuestionQueue,
    Turn,
    add_found,
    list_turns_before,
    merge_history,
    pair_turns,
)

MOST_NAMES = 20
MakeTurnWidget = Callable[[Turn, QuestionJob | None], TurnWidget]


class Conversation(QObject):
    """`titled` gives a chat's title, None if it was deleted; `loaded` after turns are shown."""

    titled = Signal(object)
    loaded = Signal()
    failed = Signal(object)

    def __init__(
        self,
        context: SessionContext,
        questions: QuestionQueue,
        turns: TurnList,
        make: MakeTurnWidget,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._questions = questions
        self._list = turns
        self._make = make
        self.chat_id: int | None = None
        self.draft = 0
        self.turns: list[Turn] = []  # the stored turns, as they were loaded
        self._number = 0
        self._is_switching = False  # to another version; new questions wait for it
        self._waiting: list[Callable[[], None]] = []

    def open(self, chat_id: int | None) -> None:
        """Show a chat that is loaded next; None for a new one, stored with its first question."""
        if chat_id is None:
            self._number += 1
            self.draft += 1
        self._is_switching, self._waiting = False, []
        self.chat_id = chat_id
        self.turns = []
        self._list.clear()

    def list_live_questions(self) -> list[QuestionJob]:
        """Return the questions of this chat that were asked since it was loaded."""
        return self._questions.of(self.chat_id, self.draft)

    def drop_live_questions(self) -> None:
        """Stop the questions of the chat, which is deleted now."""
        for job in self.list_live_questions():
            self._questions.drop(job)

    def all_turns(self) -> list[Turn]:
        return self.turns + [job.turn for job in self.list_live_questions()]

    @property
    def is_answering(self) -> bool:
        return any(job.is_live for job in self.list_live_questions())

    def read(self, at: int = 0) -> None:
        """Load all turns; `at` is the message to scroll to, 0 for the bottom."""
        self._number += 1
        number = self._number

        def show(rows: list[MessageRow]) -> None:
            if number == self._number:
                self._show(rows, at)

        def fail(error: BaseException) -> None:
            if number == self._number:
                self._end_switching()
                self.failed.emit(error)

        query = self._query(self._context.chats.fetch_messages, self.chat_id)
        query.on_success(show).on_error(fail).run()

    def _show(self, rows: list[MessageRow], at: int) -> None:
        history = pair_turns(rows)
        if self.chat_id is not None:
            self._questions.remove_stored(self.chat_id, history)
        live = self.list_live_questions()
        for job in live:
            # the turn whose place it takes is removed; an answer may have come after `rows`
            if job.is_live or job.state == DONE:
                history = list_turns_before(history, job.instead_of)
        self.turns = merge_history(history, [job.question for job in live])
        builders: list[Callable[[], TurnWidget]] = [
            partial(self._make, turn, None) for turn in self.turns
        ]
        builders += [partial(self._make, job.turn, job) for job in live]
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
            title = next((row.title for row in rows if row.id == chat_id), None)
            if title == "":
                title = next((turn.question for turn in self.all_turns()), "")
            self.titled.emit(title)

        self._query(self._context.chats.list_chats).on_success(show).run()

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
                for job in self.list_live_questions():
                    if id(job.turn) in gone:
                        self._questions.remove(job)
                self.turns = list_turns_before(self.turns, turn.question_id)
                return turn.question_id
        return 0

    def show_version(self, question_id: int) -> None:
        """Show another version of a question, unless an answer is being written."""
        chat_id = self.chat_id
        if chat_id is None or self.is_answering:
            self._context.messages.show(tr("Wait for the answer, or stop it."))
            return

        def show() -> None:
            if chat_id == self.chat_id:
                self._questions.remove_finished(chat_id)
                self.read(at=question_id)

        self._is_switching = True
        self._show_branch(chat_id, question_id, show)

    def show_message(self, message_id: int) -> None:
        """Show the branch with a message, scrolled to the message."""
        if self.chat_id is not None:
            self._show_branch(self.chat_id, message_id, lambda: self.read(at=message_id))

    def _show_branch(self, chat_id: int, message_id: int, then: Callable[[], None]) -> None:
        def fail(error: BaseException) -> None:
            self._context.messages.show_error(error)
            self._end_switching()

        show, lane = self._context.chats.show_branch, self._context.writer_lane
        query = Query(lane, show, chat_id, message_id, owner=self)
        query.on_success(lambda _: then()).on_error(fail).run()

    def postpone_while_switching(self, act: Callable[[], None]) -> bool:
        """Return whether a switch of versions is running; then `act` is called after it."""
        if self._is_switching:
            self._waiting.append(act)
        return self._is_switching

    def _end_switching(self) -> None:
        self._is_switching, waiting, self._waiting = False, self._waiting, []
        for act in waiting:
            act()

    def update_finished(self, job: QuestionJob, then: Callable[[], None] = lambda: None) -> None:
        """Update a finished question: its place in the chat, and the names in its answer."""
        number, chat_id = self._number, job.chat_id

        def show(rows: list[MessageRow]) -> None:
            if number != self._number or chat_id != self.chat_id:
                return
            kept = [t for t in reversed(pair_turns(rows)) if t.question == job.question]
            if not kept:
                return
            known = kept[0]
            job.turn = replace(
                job.turn,
                question_id=known.question_id,
                versions=known.versions,
                message_id=known.message_id,
                asked_at=known.asked_at,
            )
            shown = self._list.widgets()
            for widget in shown:
                if widget.job is job:
                    widget.keep(job.turn)
                    self.find_names(widget, is_last=widget is shown[-1])
            then()

        if job.state == DONE or job.turn.answered:
            self._query(self._context.chats.fetch_messages, chat_id).on_success(show).run()

    def load_passages(self, widget: TurnWidget) -> None:
        """Load the passages of a stored answer, which is loaded without them."""

        def show(answer: Answer | None) -> None:
            if answer is not None:
                widget.keep(add_found(widget.turn, answer.found))

        fetch = self._context.chats.fetch_answer
        self._query(fetch, widget.turn.message_id, owner=widget).on_success(show).run()

    def find_names(self, widget: TurnWidget, *, is_last: bool) -> None:
        """Add links for the names in an answer; the last answer offers follow-up questions."""
        turn, chats = widget.turn, self._context.chats
        if not turn.text:
            return

        quotes = [citation.quote for citation in turn.citations]

        def find() -> list[NamedPart]:
            passages = turn.passages
            if not passages and turn.message_id:
                answer = chats.fetch_answer(turn.message_id)
                passages = answer.found.passages if answer is not None else ()
            return chats.find_named("\n".join([turn.stated, *quotes]), passages)

        def show(named: list[NamedPart]) -> None:
            if turn.message_id != widget.turn.message_id:
                return
            inside = tuple(part for part in named if part.words in turn.text)
            widget.show_named(replace(widget.turn, named=inside))
            if widget.job is not None:
                widget.job.turn = widget.turn
            last = self._list.widgets()[-1:] == [widget]
            if is_last and last and not self._list.n_later:
                widget.show_followups(suggest_followups(turn.question, named, quotes))

        self._query(find, owner=widget).on_success(show).run()

    def find_entities(self, turn: Turn, then: Callable[[list[int]], None]) -> None:
        """Pass the entities of an answer: those it names, otherwise those retrieved for it."""
        ids = [part.entity_id for part in turn.named] or [row.id for row in turn.entities]
        if ids:
            then(list(dict.fromkeys(ids)))
            return
        spans = [(c.document_id, c.start, c.end) for c in turn.citations]
        spans = spans or [(p.document_id, p.best_start, p.best_end) for p in turn.passages]
        library_reader = self._context.library_reader

        def find() -> list[int]:
            counts = Counter(m[2] for span in spans for m in library_reader.mentions_in(*span))
            return [entity_id for entity_id, _ in counts.most_common(MOST_NAMES)]

        def show(ids: list[int]) -> None:
            if ids:
                then(ids)
            else:
                self._context.messages.show(tr("No names were found in these passages."))

        self._query(find).on_success(show).run()

    def hide_followups(self) -> None:
        for widget in self._list.widgets():
            widget.show_followups(())

    def _query(self, fn: Callable[..., Any], *args: Any, owner: QObject | None = None) -> Query:
        return Query(self._context.reader_lane, fn, *args, owner=owner or self)
