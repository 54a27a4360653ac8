"""Questions that are not answered yet: waiting, running, stopped, failed or done.

`QuestionJob` owns the job of one question in the model lane and what is known of it, so that the
user can leave the chat and come back. Knows no widgets.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.engine.errors import AppError
from desktop_app.engine.model import Answer
from desktop_app.engine.progress import Progress
from desktop_app.engine.query import QueryParam
from desktop_app.workers.operations import Query, Work

from ..context import SessionContext
from ..language import tr, tr_engine
from .modes import BYPASS
from .turn import Turn, describe_place, describe_step, turn_of_answer

WAITING, ANSWERING, STOPPED, FAILED, DONE = "waiting", "answering", "stopped", "failed", "done"


class QuestionJob(QObject):
    """One question and its job; `stop` takes effect at once, even if the model is still busy."""

    changed = Signal()
    piece = Signal(str)
    begun = Signal()
    ended = Signal()

    def __init__(
        self,
        context: SessionContext,
        question: str,
        param: QueryParam,
        *,
        draft: int = 0,
        instead_of: int = 0,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self.question = question
        self.param = param
        self.has_own_options = False  # slash commands set its parameters
        self.draft = draft
        self.instead_of = instead_of  # id of the stored question that this one is a new version of
        self.chat_id: int | None = None
        self.state = WAITING
        self.text = ""
        self.error: BaseException | None = None
        self.turn = Turn(question)
        self._step: Progress | None = None
        self._began = 0.0
        self._work: Work | None = None
        self._clock = QTimer(self, interval=500)
        self._clock.timeout.connect(self.changed)
        self._waits_long = False
        self._place = 1
        self._patience = QTimer(self, singleShot=True, interval=400)
        self._patience.timeout.connect(self._offer_to_withdraw)
        self._patience.start()

    @property
    def is_live(self) -> bool:
        return self.state in (WAITING, ANSWERING)

    @property
    def step_text(self) -> str:
        """The current step, for the line below the question."""
        if self.state == WAITING:
            return describe_place(self._place) if self._waits_long else ""
        return describe_step(self._step, int(time.monotonic() - self._began))

    @property
    def error_text(self) -> str:
        """The failure and what to do about it; a bug has a general text."""
        if isinstance(self.error, AppError):
            parts = (tr_engine(self.error.message), tr_engine(self.error.hint))
            return " ".join(part for part in parts if part)
        return tr("The answer could not be written. Your question is kept; try again.")

    @property
    def can_withdraw(self) -> bool:
        """Whether it has waited long enough to offer a withdrawal."""
        return self.state == WAITING and self._waits_long

    def set_place(self, place: int) -> None:
        """Set its position in the queue; 1 is the next, 0 is not queued."""
        if place != self._place:
            self._place = place
            if self.state == WAITING:
                self.changed.emit()

    def _offer_to_withdraw(self) -> None:
        self._waits_long = True
        if self.state == WAITING:
            self.changed.emit()

    def start(self, chat_id: int) -> None:
        """Add the question to the queue of the model lane."""
        if self.state != WAITING:
            return
        self.chat_id = chat_id
        asking, question, param = self._context.answer_pipeline, self.question, self.param
        chats, instead_of = self._context.chats, self.instead_of

        def ask(job) -> Answer:
            if instead_of:  # read now, since an earlier question may have been running until now
                chats.begin_branch(chat_id, instead_of)
            job.progressed.emit(Progress("asking" if param.mode == BYPASS else "finding"))
            return asking.ask(
                chat_id,
                question,
                param,
                cancel=job.cancel_token,
                on_step=job.report,
                on_piece=job.emit_piece,
            )

        self._work = (
            Work(self._context.model_lane, ask, owner=self, label="ask")
            .on_progress(self._progressed)
            .on_piece(self._take_piece)
            .on_success(self._succeeded)
            .on_error(self._fail)
            .on_cancelled(self._cancelled)
        )
        self._work.run()

    def stop(self) -> None:
        """Stop the answer or leave the queue; the text so far is kept."""
        if not self.is_live:
            return
        if self._work is not None:
            self._work.job.cancel()
        self.turn = Turn(self.question, self.text, stopped=True, answered=True)
        self._end(STOPPED)

    def fail(self, error: BaseException) -> None:
        """End without an answer, for a chat that could not be created."""
        self._fail(error)

    def _progressed(self, step: Progress) -> None:
        if not self.is_live:
            return
        self._step = step
        if self.state == WAITING:
            self._began = time.monotonic()
            self.state = ANSWERING
            self._clock.start()
            self.begun.emit()
        self.changed.emit()

    def _take_piece(self, piece: str) -> None:
        if not self.is_live:
            return
        if not self.text:  # a quick step may end before it is shown
            self._progressed(Progress("answering"))
        self.text += piece
        self.piece.emit(piece)

    def _succeeded(self, answer: Answer) -> None:
        if self.state == STOPPED and not answer.text:
            return
        self.turn = turn_of_answer(self.question, answer)
        self._end(STOPPED if answer.stopped or self.state == STOPPED else DONE)

    def _fail(self, error: BaseException) -> None:
        if self.is_live:
            self.error = error
            self._end(FAILED)

    def _cancelled(self) -> None:
        if self.is_live:
            self.stop()

    def _end(self, state: str) -> None:
        self.state = state
        self._clock.stop()
        self._patience.stop()
        self.changed.emit()
        self.ended.emit()


class QuestionQueue(QObject):
    """The live questions of all chats; `draft` numbers a chat that has no id yet."""

    chat_created = Signal(int, int)  # draft, chat
    ended = Signal(object)  # the QuestionJob

    def __init__(self, context: SessionContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._asks: list[QuestionJob] = []
        self._making: set[int] = set()

    def __iter__(self):
        return iter(list(self._asks))

    def of(self, chat_id: int | None, draft: int) -> list[QuestionJob]:
        """Return the questions of a chat, or of a draft, in the order they were asked."""
        if chat_id is None:
            return [a for a in self._asks if a.chat_id is None and a.draft == draft]
        return [a for a in self._asks if a.chat_id == chat_id]

    def ask(
        self,
        question: str,
        *,
        chat_id: int | None,
        draft: int,
        param: QueryParam,
        instead_of: int = 0,
    ) -> QuestionJob:
        """Return a new question; it is queued now, or when its chat is stored."""
        ask = QuestionJob(
            self._context, question, param, draft=draft, instead_of=instead_of, parent=self
        )
        ask.begun.connect(self._number)
        ask.ended.connect(lambda: self._over(ask))
        self._asks.append(ask)
        self._number()
        if chat_id is not None:
            ask.start(chat_id)
        elif draft not in self._making:
            self._make_chat(draft)
        return ask

    def remove(self, ask: QuestionJob) -> None:
        """Remove a question; stop it if it is running."""
        if ask in self._asks:
            self._asks.remove(ask)
            ask.stop()
            self._number()

    def _over(self, ask: QuestionJob) -> None:
        self._number()
        self.ended.emit(ask)

    def _number(self) -> None:
        """Update the positions of all waiting questions; all chats share one queue."""
        waiting = (ask for ask in self._asks if ask.state == WAITING)
        for place, ask in enumerate(waiting, start=1):
            ask.set_place(place)

    def remove_stored(self, chat_id: int, history: list[Turn]) -> None:
        """Remove finished questions that the chat has stored; failures are not stored and stay."""
        kept = {(t.question, t.text) for t in history if t.answered}
        for ask in self.of(chat_id, 0):
            is_kept = ask.turn.question_id or (ask.turn.question, ask.turn.text) in kept
            if not ask.is_live and is_kept:
                self._asks.remove(ask)

    def remove_finished(self, chat_id: int) -> None:
        """Remove all finished questions of a chat before it is loaded again."""
        self._asks = [a for a in self._asks if a.chat_id != chat_id or a.is_live]

    def _make_chat(self, draft: int) -> None:
        self._making.add(draft)

        def made(chat_id: int) -> None:
            self._making.discard(draft)
            for ask in self.of(None, draft):
                ask.start(chat_id)
            self.chat_created.emit(draft, chat_id)

        def fail(error: BaseException) -> None:
            self._making.discard(draft)
            for ask in self.of(None, draft):
                ask.fail(error)

        lane, chats = self._context.writer_lane, self._context.chats
        Query(lane, chats.create_chat, owner=self).on_success(made).on_error(fail).run()
