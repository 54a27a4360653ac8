"""Turns: questions with their answers, stored ones and those that are being answered.

`Turn` is plain data. `QuestionJob` owns the job of one question in the model lane and what is
known of it, so that the user can leave the chat and come back; `QuestionQueue` holds the live
questions of all chats. Knows no widgets.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.engine.answering.citations import (
    NEAREST,
    UNDECIDED,
    find_unknown_name,
    is_refusal,
    number_by_rank,
)
from desktop_app.engine.answering.claims import INTRODUCTION, SPOKEN
from desktop_app.engine.answering.guesses import find_guess
from desktop_app.engine.durations import format_seconds
from desktop_app.engine.errors import AppError
from desktop_app.engine.model import (
    Answer,
    CheckedSentence,
    Citation,
    EntityRow,
    MessageRow,
    Passage,
    RetrievalResult,
)
from desktop_app.engine.progress import Progress
from desktop_app.engine.query import ALL_MODES, QueryParam
from desktop_app.engine.services.chats import WaitingQuestion
from desktop_app.engine.services.library_reader import NamedPart
from desktop_app.workers.operations import Query, Work

from ..context import SessionContext
from ..translation import later, tr, tr_message, trn
from ..widgets.modes import BYPASS

ELAPSED_FROM = 3  # seconds of a step, from which on they are shown
_ENDINGS = {1: later("{n}st"), 2: later("{n}nd"), 3: later("{n}rd")}
_ENDING = later("{n}th")
STAGES = {
    "asking": later("Asking the model…"),
    "finding": later("Finding passages…"),
    "preparing": later("Loading the model into memory…"),
    "reading": later("Reading…"),
    "comparing": later("Checking against the other passages…"),
    "answering": later("Answering…"),
    "checking": later("Checking the answer…"),
    "translating": later("Translating…"),
}
# the steps of most answers in their order: once done, and before they begin
USUAL_STEPS = {
    "finding": (later("Passages found"), later("find passages")),
    "preparing": (later("Model ready"), later("load the model")),
    "reading": (later("Read"), later("read")),
    "answering": (later("Written"), later("write")),
    "checking": (later("Checked"), later("check")),
}
# modes that read the reports of the whole library
COUNTED_STAGES = {
    "reports": later("Reading reports: {n} of {m}…"),
    "questions": later("Asking follow-up questions: {n} of {m}…"),
}
WORKING = later("Working…")
REPEAT_TEMPERATURE = 0.6  # of a question that is asked again: at 0 a model repeats its answer


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer; `answered` is false for a question without one.

    Attributes:
        kept: the answer with its retrieval result, while it is fresh; a stored one is loaded by its
            `message_id`.
        versions: ids of all versions of the question.
        named: entities named in the answer, once they are known.
        n_rejected: sentences of the model that the check did not confirm.
        failed: the first of them; None where it is not known.
        n_confirmed: the sentences that it did.
        n_read: passages that the model read one by one without finding the answer.
        understood: the question as it was searched for, if it is another one.
    """

    question: str
    text: str = ""
    citations: tuple[Citation, ...] = ()
    passages: tuple[Passage, ...] = ()
    entities: tuple[EntityRow, ...] = ()
    model: str = ""
    seconds: float = 0.0
    stopped: bool = False
    weak: bool = False
    answered: bool = False
    message_id: int = 0
    kept: Answer | None = None
    question_id: int = 0
    versions: tuple[int, ...] = ()
    asked_at: float = 0.0
    named: tuple[NamedPart, ...] = ()
    n_rejected: int = 0
    failed: CheckedSentence | None = None
    n_confirmed: int = 0
    n_read: int = 0
    understood: str = ""

    @property
    def searched_for(self) -> str:
        """The question for which the passages were found, with what a follow-up leaves out."""
        return self.understood or self.question

    @property
    def is_passages_only(self) -> bool:
        """Whether no model was asked, so that passages are shown in place of an answer.

        Without a model, an answer that was confirmed is a cell of a table.
        """
        has_answer = self.model or self.n_confirmed
        return self.answered and not has_answer and bool(self.citations) and not self.stopped

    @property
    def is_only_quoted(self) -> bool:
        """Whether the answer is an introduction and quotations, which its sources would repeat."""
        first, *rest = [line for line in self.text.split("\n") if line.strip()] or [""]
        return bool(rest) and not first.startswith(">") and all(r.startswith(">") for r in rest)

    @property
    def has_notice(self) -> bool:
        """Whether its first paragraph is no answer: it introduces quotations, or is a refusal."""
        return self.answered and not self.stopped and (self.is_only_quoted or is_refusal(self.text))

    @property
    def guess(self) -> tuple[str, int] | None:
        """The answer that may be right, and the number of its passage; None without one."""
        return find_guess(self.text)

    @property
    def is_unwritten(self) -> bool:
        """Whether passages are quoted in place of an answer."""
        return self.has_notice and self.is_only_quoted

    @property
    def stated(self) -> str:
        """The text without the quotations that end it, which the window shows as passages."""
        if self.is_unwritten:
            return ""
        for introduction in NEAREST.values():
            before, found, quoted = self.text.partition(f"\n\n{introduction}\n")
            if found and self.answered and _are_quotations(quoted):
                return before.strip()
        return self.text

    @property
    def shows_passages(self) -> bool:
        """Whether its passages stand in place of an answer, or of a part of it."""
        return self.answered and bool(self.text) and self.stated != self.text

    @property
    def is_rejected(self) -> bool:
        """Whether the check confirmed nothing that the model wrote."""
        introduction = self.text.strip().partition("\n")[0].strip()
        if self.guess is not None:
            return self.is_unwritten and self.n_rejected > 0
        return self.is_unwritten and introduction in INTRODUCTION.values()

    @property
    def passages_title(self) -> str:
        """The heading of the passages that stand in place of an answer."""
        is_far = self.weak and not self.answered
        if is_far or self.is_unanswerable or self.stated or find_unknown_name(self.text):
            return tr("Nearest passages")  # nothing says that they answer the question
        return tr("Passages that may answer this")

    @property
    def checked_against(self) -> tuple[int, ...]:
        """The numbers of the passages that confirm all that the answer says; none if they don't."""
        return tuple(sorted({one.number for one in self.citations})) if self.is_confirmed else ()

    @property
    def is_spoken(self) -> bool:
        """Whether all that the answer says is what a person in the text says, who may be wrong."""
        return self.shown != self.stated

    @property
    def shown(self) -> str:
        """What is stated, without the note of `is_spoken`, which stands below the answer."""
        text = self.stated.rstrip()
        note = next((note for note in SPOKEN.values() if text.endswith(note)), "")
        is_all = note and self.is_confirmed and self.n_confirmed == 1
        return text.removesuffix(note) if is_all else self.stated

    @property
    def states_something(self) -> bool:
        """Whether the answer says something of its own, whose sources should be seen at once."""
        has_answer = self.model or self.n_confirmed
        return self.answered and not self.has_notice and bool(has_answer and self.citations)

    @property
    def n_unread(self) -> int:
        """The passages that may be read one by one next, because none before has the answer."""
        return max(0, len(self.passages) - self.n_read) if self.has_notice and self.n_read else 0

    @property
    def is_confirmed(self) -> bool:
        """Whether all that the answer says was confirmed by the passages that it cites."""
        return self.states_something and self.n_confirmed > 0 and not self.shows_passages

    @property
    def keeps_cards(self) -> bool:
        """Whether its passages are always shown: in place of an answer, or as what confirms it."""
        return self.shows_passages or self.is_confirmed

    @property
    def is_unanswerable(self) -> bool:
        """Whether nothing close to the question was found, or not in the `n_read` passages."""
        return self.is_passages_only and self.weak


def _are_quotations(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return bool(lines) and all(line.startswith(">") for line in lines)


def describe_reason(turn: Turn) -> str:
    """Return why passages are quoted in place of an answer."""
    if name := find_unknown_name(turn.text):
        return tr("{name} does not occur in your documents.", name=name)
    if turn.text.startswith(tuple(UNDECIDED.values())):
        return tr("No passage was found that clearly says yes or no.")
    if turn.is_unanswerable and turn.n_unread:
        return trn(
            "The passage that was read does not seem to have the answer.",
            "None of the {n} passages that were read seems to have the answer.",
            turn.n_read,
        )
    if turn.is_unanswerable:
        return tr("No passage that was found answers the question.")
    if turn.is_passages_only:
        return tr("No language model is installed, so these are the passages themselves.")
    if not turn.is_rejected:
        return tr("The model found no answer in the passages that it read.")
    return describe_rejected(turn.n_rejected)


def describe_rejected(n_sentences: int) -> str:
    """Return that no sentence of the model was confirmed; 0 where their number is not known."""
    if not n_sentences:
        return tr("What the model wrote was not confirmed.")
    if n_sentences == 1:  # Chinese has one form for all numbers, and its “none of” needs several
        return tr("The model's sentence was not confirmed.")
    return tr("None of the model's {n} sentences was confirmed.", n=n_sentences)


def turn_of_answer(question: str, answer: Answer) -> Turn:
    """Return the turn of a fresh answer."""
    turn = Turn(
        question,
        answer.text,
        answer.citations,
        entities=answer.found.entities,
        model=answer.model,
        seconds=answer.seconds,
        stopped=answer.stopped,
        answered=True,
        kept=answer,
    )
    return add_found(turn, answer.found)


def add_found(turn: Turn, found: RetrievalResult) -> Turn:
    """Return a turn with the passages that were found for it, and what the check decided."""
    text, citations = number_by_rank(turn.text, turn.citations, found.passages)
    check = found.check
    return replace(
        turn,
        text=text,
        citations=citations,
        passages=found.passages,
        weak=found.weak,
        n_rejected=len(check.dropped) if check is not None else 0,
        failed=check.first_failed if check is not None else None,
        n_confirmed=len(check.kept) if check is not None else 0,
        n_read=found.n_read,
        understood=found.question,
    )


def pair_turns(messages: Sequence[MessageRow]) -> list[Turn]:
    """Return the stored messages of a chat as turns, oldest first, without losing any."""
    turns: list[Turn] = []
    for row in messages:
        if row.role == "user":
            turns.append(
                Turn(row.text, question_id=row.id, versions=row.versions, asked_at=row.created_at)
            )
            continue
        asked = turns.pop() if turns and not turns[-1].answered else Turn("")
        text, citations = number_by_rank(row.text, row.citations, row.passages)
        turns.append(
            replace(
                asked,
                text=text,
                citations=citations,
                passages=row.passages,
                model=row.model,
                seconds=row.seconds,
                stopped=row.stopped,
                weak=row.weak,
                n_rejected=row.n_rejected,
                failed=row.failed,
                n_confirmed=row.n_confirmed,
                n_read=row.n_read,
                understood=row.understood,
                answered=True,
                message_id=row.id,
                asked_at=asked.asked_at or row.created_at,
            )
        )
    return turns


def list_turns_before(turns: Sequence[Turn], question_id: int) -> list[Turn]:
    """Return the turns before a question, or all turns if it is not among them."""
    for place, turn in enumerate(turns):
        if question_id and turn.question_id == question_id:
            return list(turns[:place])
    return list(turns)


def merge_history(history: list[Turn], live_questions: Sequence[str]) -> list[Turn]:
    """Return the stored turns without the last questions that are being answered now."""
    kept = list(history)
    for question in reversed(live_questions):
        if kept and not kept[-1].answered and kept[-1].question == question:
            kept.pop()
    return kept


def vary(param: QueryParam, question: str, before: Turn | None) -> QueryParam:
    """Return parameters that give another answer than the one given `before`."""
    if before is None or not before.text or before.is_unanswerable or before.question != question:
        return param
    # a model starts with the same seed, so a third answer needs another temperature
    freedom = REPEAT_TEMPERATURE + 0.1 * max(0, len(before.versions) - 1)
    return replace(param, temperature=max(param.temperature, min(1.0, round(freedom, 1))))


def describe_step(progress: Progress | None) -> str:
    """Return the title of the current step."""
    stage = progress.stage if progress is not None else "finding"
    if stage == "reading" and progress is not None and progress.done:
        return tr("Reading passage {n} of {m}…", n=progress.done, m=progress.total)
    if stage == "reading" and progress is not None and progress.total:
        return trn("Reading {n} passage…", "Reading {n} passages…", progress.total)
    if stage == "preparing" and progress is not None and progress.left_s:
        usual = tr_message(format_seconds(max(1, round(progress.left_s)), 0))
        return tr("Loading the model into memory, usually about {time}…", time=usual)
    if stage in COUNTED_STAGES and progress is not None and progress.total:
        return tr(COUNTED_STAGES[stage], n=progress.done, m=progress.total)
    return tr(STAGES.get(stage, WORKING))


def describe_steps_around(
    progress: Progress | None, n_found: int, n_read: int
) -> tuple[list[str], list[str]]:
    """Return the steps before the current one and those after it, none where they are unknown."""
    order = list(USUAL_STEPS)
    stage = progress.stage if progress is not None else "finding"
    if stage not in order:
        return [], []
    at = order.index(stage)
    done = [tr(USUAL_STEPS[name][0]) for name in order[:at]]
    if done and n_found:
        done[0] = trn("{n} passage found", "{n} passages found", n_found)
    if len(done) > order.index("reading") and n_read:
        done[order.index("reading")] = trn("{n} read", "{n} read", n_read)
    return done, [tr(USUAL_STEPS[name][1]).capitalize() for name in order[at + 1 :]]


def describe_queue_position(place: int) -> str:
    """Return the position of a question in the queue as text; 1 is the next."""
    if place <= 1:
        return tr("Waiting: next in line")
    return tr("Waiting: {place} in line", place=describe_ordinal(place))


def describe_ordinal(place: int) -> str:
    """Return a place in an order as text, as "2nd"."""
    last = 0 if place % 100 in (11, 12, 13) else place % 10
    return tr(_ENDINGS.get(last, _ENDING), n=place)


WAITING, ANSWERING, STOPPED, FAILED, DONE = "waiting", "answering", "stopped", "failed", "done"
HELD = "held"  # it waited when the program ended, and is asked when the user wants it


class QuestionJob(QObject):
    """One question and its job; `stop` takes effect at once, even if the model is still busy."""

    changed = Signal()
    piece = Signal(str)
    begun = Signal()
    stored = Signal()  # in the chat, whose name it is when it is the first question
    ended = Signal()

    def __init__(
        self,
        context: SessionContext,
        question: str,
        param: QueryParam,
        *,
        draft: int,
        instead_of: int,
        parent: QObject,
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
        self.found: RetrievalResult | None = None  # before the answer
        self._step: Progress | None = None
        self._n_read = 0  # passages in the prompt
        self._began = 0.0
        self._work: Work | None = None
        self._elapsed_timer = QTimer(self, interval=500)
        self._elapsed_timer.timeout.connect(self.changed)
        self._is_asked = False  # in the model lane
        self._is_stored = False
        self._waits_long = False
        self._place = 1
        self._withdrawal_timer = QTimer(self, singleShot=True, interval=400)
        self._withdrawal_timer.timeout.connect(self._offer_to_withdraw)
        self._withdrawal_timer.start()

    @property
    def is_live(self) -> bool:
        return self.state in (WAITING, ANSWERING)

    @property
    def may_be_kept(self) -> bool:
        """Whether the library may have it as a question that was not asked yet."""
        return self.chat_id is not None and self.state in (WAITING, HELD, FAILED)

    def hold(self, chat_id: int) -> None:
        """Do not ask it before `resume`."""
        self.chat_id = chat_id
        self.state = HELD
        self._withdrawal_timer.stop()

    def resume(self, param: QueryParam) -> None:
        """Ask a question that was held."""
        if self.state == HELD and self.chat_id is not None:
            self.param = param
            self.state = WAITING
            self._withdrawal_timer.start()
            self._run(self.chat_id)
            self.changed.emit()

    @property
    def step_text(self) -> str:
        """The current step, for the line below the question."""
        if self.state == WAITING:
            return describe_queue_position(self._place) if self._waits_long else ""
        return describe_step(self._step)

    @property
    def chunk_being_read(self) -> int | None:
        """The passage that is being read, None for several or none."""
        is_reading = self.state == ANSWERING and self._step is not None
        return self._step.chunk_id if is_reading and self._step is not None else None

    @property
    def elapsed_text(self) -> str:
        """The seconds since the start of the current step, once they are more than two."""
        seconds = int(time.monotonic() - self._began) if self.state == ANSWERING else 0
        return tr_message(format_seconds(seconds, 0)) if seconds >= ELAPSED_FROM else ""

    @property
    def steps_around(self) -> tuple[list[str], list[str]]:
        """The steps before the current one, and those after it."""
        if self.state != ANSWERING:
            return [], []
        n_found = len(self.found.passages) if self.found is not None else 0
        return describe_steps_around(self._step, n_found, self._n_read)

    @property
    def meanwhile(self) -> str:
        """What can be done while the model is loaded, which takes longer than other steps."""
        is_loading = self._step is not None and self._step.stage == "preparing"
        if self.state != ANSWERING or not is_loading or self.found is None:
            return ""
        return tr("The passages below can be read already.") if self.found.passages else ""

    @property
    def error_text(self) -> str:
        """The failure and what to do about it; a bug has a general text."""
        if isinstance(self.error, AppError):
            return tr_message(self.error.full_message)
        return tr("The answer could not be written. Your question is kept; try again.")

    @property
    def can_withdraw(self) -> bool:
        """Whether it has waited long enough to offer a withdrawal."""
        return self.state == WAITING and self._waits_long

    def set_place(self, place: int) -> None:
        """Set its position in the queue; 1 is the next."""
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
        waiting = WaitingQuestion(
            chat_id, self.question, self.param.mode, self.param.response_type, self.instead_of
        )
        keep, lane = self._context.chats.keep_waiting, self._context.writer_lane
        Query(lane, keep, waiting, lambda: not self._is_asked, owner=self).run()
        self._run(chat_id)

    def _run(self, chat_id: int) -> None:
        asking, question, param = self._context.answer_pipeline, self.question, self.param
        chats, instead_of = self._context.chats, self.instead_of
        if param.document_ids:
            self._context.ocr.want_documents(param.document_ids)

        def ask(job) -> Answer:
            self._is_asked = True  # before it is added to the chat, so that it is not kept twice
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
                on_found=job.report,
            )

        self._work = (
            Work(self._context.model_lane, ask, owner=self, label="ask")
            .on_progress(self._progressed)
            .on_piece(self._take_piece)
            .on_success(self._succeeded)
            .on_error(self.fail)
            .on_cancelled(self.stop)
        )
        self._work.run()

    def stop(self) -> None:
        """Stop the answer or leave the queue; the text so far is kept."""
        if not self.is_live:
            return
        if self._work is not None:
            self._work.job.cancel()
        passages = self.found.passages if self.found is not None else ()
        understood = self.found.question if self.found is not None else ""
        self.turn = Turn(
            self.question,
            self.text,
            passages=passages,
            stopped=True,
            answered=True,
            understood=understood,
        )
        self._end(STOPPED)

    def fail(self, error: BaseException) -> None:
        """End without an answer."""
        if self.is_live:
            self.error = error
            self._end(FAILED)

    def set_found(self, found: RetrievalResult) -> None:
        """Set what was retrieved, before a model reads it."""
        if self.is_live and found != self.found:
            self.found = found
            # the pages of these documents that are still pictures may have more about it
            self._context.ocr.want_documents(dict.fromkeys(p.document_id for p in found.passages))
            self.changed.emit()

    def _progressed(self, step: Progress | RetrievalResult) -> None:
        if isinstance(step, RetrievalResult):
            self.set_found(step)
            return
        if not self.is_live:
            return
        # the pipeline reports its first step when it has stored the question
        if self._step is not None and not self._is_stored:
            self._is_stored = True
            self.stored.emit()
        if self._step is not None and step.stage != self._step.stage:
            self._began = time.monotonic()  # seconds are those of the current step
        self._step = step
        if step.stage == "reading":
            self._n_read = step.done or step.total  # passages are read one by one first
        if self.state == WAITING:
            self._began = time.monotonic()
            self.state = ANSWERING
            self._elapsed_timer.start()
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

    def _end(self, state: str) -> None:
        self.state = state
        self._elapsed_timer.stop()
        self._withdrawal_timer.stop()
        self.changed.emit()
        self.ended.emit()


class QuestionQueue(QObject):
    """The live questions of all chats; `draft` numbers a chat that has no id yet."""

    chat_created = Signal(int, int)  # draft, chat
    stored = Signal(int)  # chat
    ended = Signal(object)  # the QuestionJob

    def __init__(self, context: SessionContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._jobs: list[QuestionJob] = []
        self._new_drafts: set[int] = set()  # their chats are being created

    def __iter__(self) -> Iterator[QuestionJob]:
        return iter(list(self._jobs))

    def of(self, chat_id: int | None, draft: int) -> list[QuestionJob]:
        """Return the questions of a chat, or of a draft, in the order they were asked."""
        if chat_id is None:
            return [a for a in self._jobs if a.chat_id is None and a.draft == draft]
        return [a for a in self._jobs if a.chat_id == chat_id]

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
        job = self._add(question, param, draft, instead_of)
        self._number()
        if chat_id is not None:
            job.start(chat_id)
        elif draft not in self._new_drafts:
            self._create_chat(draft)
        return job

    def _add(self, question: str, param: QueryParam, draft: int, instead_of: int) -> QuestionJob:
        job = QuestionJob(
            self._context, question, param, draft=draft, instead_of=instead_of, parent=self
        )
        job.begun.connect(self._number)
        job.stored.connect(lambda: self.stored.emit(job.chat_id))
        job.ended.connect(self._number)
        job.ended.connect(lambda: self.ended.emit(job))
        self._jobs.append(job)
        return job

    def remove(self, job: QuestionJob) -> None:
        """Remove a question; stop it if it is running."""
        if job in self._jobs:
            self._jobs.remove(job)
            self.stop(job)
            self._number()

    def drop(self, job: QuestionJob) -> None:
        """Stop a question of a deleted chat; undo brings it back if it waits."""
        if job in self._jobs:
            self._jobs.remove(job)
            job.stop()
            self._number()

    def stop(self, job: QuestionJob) -> None:
        """Stop a question; one that waits is not asked any more."""
        if job.may_be_kept:
            lane, remove = self._context.writer_lane, self._context.chats.remove_waiting
            Query(lane, remove, job.chat_id, job.question, owner=self).run()
        job.stop()

    def hold(self, questions: Sequence[WaitingQuestion]) -> None:
        """Add the questions that waited when the program ended; they are not asked by themselves.

        A question at which the program ends would otherwise end it at each start.
        """
        for one in questions:
            param = QueryParam(mode=one.mode, response_type=one.response_type)
            job = self._add(one.text, param, 0, one.instead_of)
            job.hold(one.chat_id)

    def resume(self, job: QuestionJob, param: QueryParam) -> None:
        """Ask a question that was held, after those that wait, with its own mode and length."""
        mode = job.param.mode if job.param.mode in ALL_MODES else param.mode
        self._jobs.remove(job)
        self._jobs.append(job)
        job.resume(replace(param, mode=mode, response_type=job.param.response_type))
        self._number()

    def _number(self) -> None:
        """Update the positions of all waiting questions; all chats share one queue."""
        waiting = (job for job in self._jobs if job.state == WAITING)
        for place, job in enumerate(waiting, start=1):
            job.set_place(place)

    def remove_stored(self, chat_id: int, history: list[Turn]) -> None:
        """Remove finished questions that the chat has stored; failures are not stored and stay.

        A history with the turn that a question takes the place of was read before its answer came,
        which may have the same text.
        """
        kept = {(t.question, t.text) for t in history if t.answered}
        ids = {t.question_id for t in history if t.question_id}
        for job in self.of(chat_id, 0):
            is_in_history = (job.turn.question, job.turn.text) in kept and job.instead_of not in ids
            is_kept = job.turn.question_id or is_in_history
            if not job.is_live and job.state != HELD and is_kept:
                self._jobs.remove(job)

    def remove_finished(self, chat_id: int) -> None:
        """Remove all finished questions of a chat before it is loaded again."""
        self._jobs = [a for a in self._jobs if a.chat_id != chat_id or a.is_live or a.state == HELD]

    def _create_chat(self, draft: int) -> None:
        self._new_drafts.add(draft)

        def made(chat_id: int) -> None:
            self._new_drafts.discard(draft)
            for job in self.of(None, draft):
                job.start(chat_id)
            self.chat_created.emit(draft, chat_id)

        def fail(error: BaseException) -> None:
            self._new_drafts.discard(draft)
            for job in self.of(None, draft):
                job.fail(error)

        lane, chats = self._context.writer_lane, self._context.chats
        Query(lane, chats.create_chat, owner=self).on_success(made).on_error(fail).run()
