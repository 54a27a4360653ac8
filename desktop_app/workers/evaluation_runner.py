"""Runs evaluations of one library in a lane: asks questions, judges answers, proposes questions.

Owns the state of the work and what it goes on with after a pause. While a person asks a question,
or a document is indexed, the work waits. Knows no screens.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.llm.protocols import ChatModel
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import Clock, Progress
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.store.db import Db

from .lane import Job, Lane
from .operations import Work

if TYPE_CHECKING:  # imported when an order is carried out
    from desktop_app.engine.services.evaluation.model import EvaluationPlan, EvaluationQuestion
    from desktop_app.engine.services.evaluation.proposals import Proposals
    from desktop_app.engine.services.evaluation.service import EvaluationService


@dataclass(frozen=True, slots=True)
class RunOrder:
    """Questions to ask; `again`: also those that were asked before."""

    plan: EvaluationPlan
    again: bool = False


@dataclass(frozen=True, slots=True)
class JudgeOrder:
    """Answers of a run to judge by a chat model."""

    run_id: int
    judge: str


@dataclass(frozen=True, slots=True)
class ProposalOrder:
    """A number of questions to propose by a chat model, "" for sentences with a gap."""

    n: int
    model: str


Order = RunOrder | JudgeOrder | ProposalOrder


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run that was asked or judged as far as it goes, and sentences for the user about it."""

    run_id: int
    is_finished: bool
    notes: tuple[Message, ...] = ()


class EvaluationRunner(QObject):
    """One order at a time; a paused one is continued by `resume`.

    Signals:
        state_changed: "idle", "running", "pausing" until the question in flight has stopped, or
            "paused".
        stored: a `StoredRun`, whenever asking or judging ends or pauses.
        proposed: each `EvaluationQuestion`; `proposals_ended`: the `Proposals`.
        failed: the error, and the order is kept for `resume`; its user shows it.

    Args:
        db: the read-write connection.
        borrow_chat: as in `EvaluationService`.
    """

    progressed = Signal(object)
    state_changed = Signal(str)
    stored = Signal(object)
    proposed = Signal(object)
    proposals_ended = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        lane: Lane,
        db: Db,
        service: EvaluationService,
        borrow_chat: Callable[[str], AbstractContextManager[ChatModel]],
        scheduler: WorkScheduler,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._lane, self._db, self._service = lane, db, service
        self._borrow_chat, self._scheduler = borrow_chat, scheduler
        self._job: Job | None = None
        self._is_stopping = False
        self.order: Order | None = None
        self.progress: Progress | None = None
        self.state = "idle"

    def start(self, order: Order) -> None:
        """Begin an order in place of a paused one; nothing happens while another one runs."""
        if self._job is not None:
            return
        self.order, self.progress = order, None
        work = Work(self._lane, lambda job: self._work(job, order), owner=self, label="evaluation")
        work.on_progress(self._take_report).on_success(self._take_result)
        work.on_error(self._fail).on_end(self._ended)
        self._job = work.job
        self._set_state("running")
        work.run()

    def pause(self) -> None:
        """Stop before the next question; the answers are kept."""
        if self._job is not None and self.state == "running":
            self._set_state("pausing")
            self._job.cancel()

    def stop(self) -> None:
        """Pause and forget the order; its answers are kept in its run."""
        if self._job is None:
            self.order = self.progress = None
            self._set_state("idle")
        else:
            self._is_stopping = True
            self.pause()

    def resume(self) -> None:
        """Go on with what was paused or failed."""
        if self.order is not None:
            order = self.order
            if isinstance(order, RunOrder) and order.again:  # anew only once
                order = replace(order, again=False)
            self.start(order)

    # --- in the lane ------------------------------------------------------------------------------

    def _work(self, job: Job, order: Order) -> StoredRun | Proposals:
        if isinstance(order, RunOrder):
            return self._ask(job, order)
        if isinstance(order, JudgeOrder):
            return self._judge(job, order)
        return self._propose(job, order)

    def _ask(self, job: Job, order: RunOrder) -> StoredRun:
        from desktop_app.engine.services.evaluation.places import QuestionPlacer
        from desktop_app.engine.services.evaluation.service import check_columns

        check_columns(order.plan.columns)  # before places are looked for, which takes longer
        placed = QuestionPlacer(self._db).place(order.plan.questions, job.cancel_token)
        asked = tuple(one.asked for one in placed.questions)
        plan, again = replace(order.plan, questions=asked), order.again
        clock = Clock(0)  # one for the order: a question in a chat begins no new estimate
        with self._scheduler.hold(Priority.ENRICHMENT, job.cancel_token) as permit:
            while True:
                with permit.step() as token:
                    run = self._service.run(
                        *(plan, placed.questions),
                        again=again,
                        cancel=token,
                        on_progress=job.report,
                        clock=clock,
                    )
                again = False  # what was interrupted goes on
                if run.is_finished or job.cancel_token.cancelled:
                    return StoredRun(run.id, run.is_finished, placed.problems)

    def _judge(self, job: Job, order: JudgeOrder) -> StoredRun:
        from desktop_app.engine.services.evaluation.judging import Judge
        from desktop_app.engine.services.evaluation.service import get_run

        warning: tuple[Message, ...] = ()
        with (
            self._scheduler.hold(Priority.ENRICHMENT, job.cancel_token) as permit,
            self._borrow_chat(order.judge) as model,
        ):
            judge = Judge(self._db, model, order.judge)
            warning = (judge.warning,) if judge.warning is not None else ()
            clock = Clock(0)
            while True:
                with permit.step() as token:
                    run = get_run(self._db, order.run_id)
                    judge.judge(run, cancel=token, on_progress=job.report, clock=clock)
                    is_whole = not token.cancelled
                if is_whole or job.cancel_token.cancelled:
                    return StoredRun(order.run_id, is_whole, warning)

    def _propose(self, job: Job, order: ProposalOrder) -> Proposals:
        from desktop_app.engine.services.evaluation.proposals import propose_questions

        borrowed = self._borrow_chat(order.model) if order.model else nullcontext()
        seen: set[str] = set()

        def keep(question: EvaluationQuestion) -> None:
            if question.text not in seen:  # it begins anew after an interruption
                seen.add(question.text)
                job.report(question)

        with (
            self._scheduler.hold(Priority.ENRICHMENT, job.cancel_token) as permit,
            borrowed as model,
        ):
            while True:
                with permit.step() as token:
                    found = propose_questions(
                        *(self._db, model, order.n),
                        cancel=token,
                        on_progress=job.report,
                        on_question=keep,
                    )
                if not found.stopped or job.cancel_token.cancelled:
                    return found

    # --- on the window's thread -------------------------------------------------------------------

    def _take_report(self, value: object) -> None:
        if isinstance(value, Progress):
            self.progress = value
            self.progressed.emit(value)
        else:  # an `EvaluationQuestion`
            self.proposed.emit(value)

    def _take_result(self, result: StoredRun | Proposals) -> None:
        if isinstance(result, StoredRun):
            if result.is_finished:
                self.order = None
            self.stored.emit(result)
            return
        self.order = None  # a stopped proposal is not continued: its questions are there
        self.proposals_ended.emit(result)

    def _fail(self, error: BaseException) -> None:
        self.failed.emit(error)

    def _ended(self) -> None:
        self._job = None
        if self._is_stopping:
            self._is_stopping, self.order, self.progress = False, None, None
        is_paused = self.state == "pausing" and self.order is not None
        self._set_state("paused" if is_paused else "idle")

    def _set_state(self, state: str) -> None:
        if state != self.state:
            self.state = state
            self.state_changed.emit(state)
