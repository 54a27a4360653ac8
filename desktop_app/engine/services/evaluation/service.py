"""Asks the questions of an evaluation and keeps every answer as soon as it is there.

A run belongs to a library and is stored in it. What was asked before with the same question, mode,
model, settings, version and state of the library is not asked again. Knows no widget: a command
or a screen gives the plan and shows progress and results.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field, fields, replace
from itertools import groupby
from typing import Any

from .... import __version__
from ...answering.pipeline import AnswerPipeline
from ...errors import Cancelled, UserError
from ...llm.protocols import ChatModel, Embedder, Reranker
from ...llm.registry import ModelRow
from ...model import Answer
from ...progress import CancelToken, Clock, Progress, ProgressCallback, ignore_progress
from ...query import ALL_MODES, THEME_MODES, QueryParam
from ...retrieval.retriever import Retriever
from ...store import documents, evaluations
from ...store.db import Db
from ...store.stored_json import reads_stored
from .measures import is_refused, iter_shown, list_sourced, measure_outcome
from .model import (
    PROMPT_TOKENS,
    AnswerJudgement,
    EvaluationColumn,
    EvaluationPlan,
    EvaluationRun,
    Outcome,
    Result,
    RunRow,
    ShownCitation,
    ShownClaim,
    Span,
    outcome_from_data,
    outcome_to_data,
    plan_from_data,
    plan_to_data,
)
from .places import PlacedQuestion

WITHOUT_DOCUMENTS = "bypass"
BorrowChat = Callable[[str], AbstractContextManager[ChatModel]]
_Ask = Callable[[PlacedQuestion], Outcome | None]


@dataclass(frozen=True, slots=True)
class EvaluationProgress(Progress):
    """Progress with what is asked or judged; `stage` is "asking" or "judging"."""

    run_id: int = field(default=0, kw_only=True)
    column: str = field(default="", kw_only=True)
    question: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class _Todo:
    """One question in one column that is still to be asked."""

    column: int
    question: int
    key: str


class EvaluationService:
    """Runs evaluations of one library.

    Args:
        db: the read-write connection; used in the calling thread only.
        borrow_chat: gives a chat model by its name for as long as it is needed
            (`ModelRegistry.borrow_chat`).
        reader: finds passages, so that long searches do not hold up who writes; None for `db`.
    """

    def __init__(
        self,
        db: Db,
        find_embedder: Callable[[], Embedder | None],
        find_reranker: Callable[[], Reranker | None],
        borrow_chat: BorrowChat,
        reader: Db | None = None,
    ) -> None:
        self._db = db
        self._retriever = Retriever(reader or db, find_embedder, find_reranker)
        self._borrow_chat = borrow_chat

    def run(
        self,
        plan: EvaluationPlan,
        placed: Sequence[PlacedQuestion],
        *,
        again: bool = False,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        clock: Clock | None = None,
    ) -> EvaluationRun:
        """Ask what was not asked before and return the run, unfinished if it was cancelled.

        Columns with the same model are asked one after another, so that each model is loaded once;
        a column is finished before the next one, so that none profits from another one's prompt.

        Args:
            placed: the questions of the plan with their evidence, in the same order.
            again: ask everything anew, in a new run.
            clock: of the questions asked before an interruption.

        Raises:
            UserError: a mode is unknown or needs a model; nothing was asked.
            EnvironmentProblem: a model can't run; what was answered is kept.
        """
        check_columns(plan.columns)
        cancel = cancel or CancelToken()
        todo = self._list_todo(plan)
        run_id, done = self._begin(plan, [one.key for one in todo], again)
        todo = [one for one in todo if (one.column, one.question) not in done]
        if not again:
            todo = [one for one in todo if not self._reuse(run_id, one, placed[one.question])]
        n_all = len(plan.columns) * len(placed)
        clock, n_left = clock or Clock(len(todo)), len(todo)
        clock.go_on(n_left)

        def report(one: _Todo) -> None:
            on_progress(
                EvaluationProgress(
                    "asking",
                    n_all - n_left,
                    n_all,
                    clock.rate,
                    clock.left_s,
                    run_id=run_id,
                    column=plan.columns[one.column].title,
                    question=placed[one.question].asked.text,
                )
            )

        with closing(self._iter_asking(plan, todo, cancel)) as asking:
            for one, ask in asking:
                report(one)
                outcome = ask(placed[one.question])
                if outcome is None:
                    break
                self._store(run_id, one, placed[one.question], outcome)
                clock.tick()
                n_left -= 1
        if not cancel.cancelled:
            with self._db.transaction():
                evaluations.finish_run(self._db, run_id)
        return get_run(self._db, run_id)

    # --- what is to be asked ----------------------------------------------------------------------

    def _list_todo(self, plan: EvaluationPlan) -> list[_Todo]:
        """Return all questions in all columns, columns of one model together, with their keys."""
        models = list(dict.fromkeys(column.model for column in plan.columns))
        order = sorted(range(len(plan.columns)), key=lambda c: models.index(plan.columns[c].model))
        todo = []
        for column in order:
            param = build_param(plan, column)
            state = self._retriever.fetch_state(param)
            same = [
                plan.columns[column].mode,
                plan.columns[column].model,
                plan.versions.get(plan.columns[column].model, ""),
                plan.versions.get("inkgraph", ""),
                sorted((name, repr(value)) for name, value in plan.settings.items()),
                repr(state),
            ]
            for number, asked in enumerate(plan.questions):
                todo.append(_Todo(column, number, _digest([asked.text, *same])))
        return todo

    def _begin(
        self, plan: EvaluationPlan, keys: Sequence[str], again: bool
    ) -> tuple[int, set[tuple[int, int]]]:
        """Return the run to go on with, or a new one, and its (column, question) that are done."""
        data = plan_to_data(plan)
        signature = _digest([data["questions"], *keys])
        known = None if again else evaluations.find_run_of(self._db, signature)
        if known is not None:
            answers = evaluations.fetch_answers(self._db, known.id)
            return known.id, {(one.column, one.question) for one in answers}
        with self._db.transaction():
            return evaluations.add_run(self._db, signature, _dump(data)), set()

    def _reuse(self, run_id: int, one: _Todo, asked: PlacedQuestion) -> bool:
        """Take over the answer of an earlier run, measured by the present gold answers."""
        known = evaluations.find_answer(self._db, one.key)
        if known is None:
            return False
        outcome = self._add_texts(load_outcome(known.outcome))
        if outcome.error:
            return False
        if outcome.has_model:  # what counts as a refusal may have changed, as the gold answers may
            refuses = is_refused(outcome.text)
            sourced = () if refuses else outcome.sourced
            outcome = replace(outcome, is_refused=refuses, sourced=sourced)
        self._store(run_id, one, asked, outcome, known.asked_at)
        return True

    def _add_texts(self, outcome: Outcome) -> Outcome:
        """Return a stored outcome with the texts of its passages."""
        texts: dict[int, str] = {}

        def fill(spans: Iterable[Span]) -> tuple[Span, ...]:
            filled = []
            for span in spans:
                key = int(span.document_id)
                if key not in texts:
                    texts[key] = documents.fetch_text(self._db, key) or ""
                filled.append(replace(span, text=texts[key][span.start : span.end]))
            return tuple(filled)

        return replace(outcome, passages=fill(outcome.passages), sources=fill(outcome.sources))

    # --- asking -----------------------------------------------------------------------------------

    def _iter_asking(
        self, plan: EvaluationPlan, todo: Sequence[_Todo], cancel: CancelToken
    ) -> Generator[tuple[_Todo, _Ask], None, None]:
        """Yield each question with the function that asks it, until `cancel` is set.

        The model is borrowed from its first question to its last one.
        """
        for model, of_model in groupby(todo, key=lambda one: plan.columns[one.column].model):
            if cancel.cancelled:
                return
            with self._borrow_chat(model) if model else nullcontext() as chat:
                asks: dict[int, _Ask] = {}
                for one in of_model:
                    if cancel.cancelled:
                        return
                    if one.column not in asks:
                        asks[one.column] = self._begin_column(plan, one.column, chat, cancel)
                    yield one, asks[one.column]

    def _begin_column(
        self, plan: EvaluationPlan, column: int, chat: ChatModel | None, cancel: CancelToken
    ) -> _Ask:
        """Return a function that asks one question; it returns None once `cancel` is set."""
        pipeline = AnswerPipeline(self._retriever, self._db, lambda: chat)
        param = build_param(plan, column)

        def ask(asked: PlacedQuestion) -> Outcome | None:
            if cancel.cancelled:  # since the question was reported
                return None
            try:
                outcome = ask_one(pipeline, chat, asked.asked.text, param, cancel)
            except Cancelled:
                return None
            except UserError as error:  # of this question: the others are asked all the same
                outcome = Outcome(error=error.full_message)
            return None if cancel.cancelled else outcome

        return ask

    def _store(
        self,
        run_id: int,
        one: _Todo,
        asked: PlacedQuestion,
        outcome: Outcome,
        asked_at: float = 0.0,
    ) -> None:
        measures = {key: round(value, 4) for key, value in measure_outcome(asked, outcome).items()}
        record = evaluations.AnswerRecord(
            one.column,
            one.question,
            one.key,
            asked_at or time.time(),
            _dump(outcome_to_data(outcome)),
            _dump(measures),
        )
        with self._db.transaction():
            evaluations.store_answer(self._db, run_id, record)


def ask_one(
    pipeline: AnswerPipeline,
    chat: ChatModel | None,
    question: str,
    param: QueryParam,
    cancel: CancelToken,
) -> Outcome:
    """Return what the program shows for one question, and what it read for it.

    The answer comes first, because its time is measured; what fills a prompt is then built again,
    so that it is known also where a short answer or a refusal read less.
    """
    answer = pipeline.query(question, param, cancel=cancel) if chat is not None else None
    cancel.check()
    has_context = param.mode != WITHOUT_DOCUMENTS
    if param.mode in THEME_MODES or not has_context:
        assert answer is not None
        passages = [(p.document_id, p.start, p.end, p.text) for p in answer.found.passages]
        data: dict[str, Any] = {"weak": answer.found.weak}
        sources = passages
    else:
        data = pipeline.query_data(question, param, cancel=cancel)
        passages, sources = (
            [(p["document"], p["start"], p["end"], p["text"]) for p in data[name]]
            for name in ("chunks", "sources")
        )
    outcome = Outcome(
        is_refused=bool(data["weak"]) and param.only_if_found,
        passages=tuple(Span(*one) for one in passages),
        sources=tuple(Span(*one) for one in sources),
        has_context=has_context,
    )
    return outcome if answer is None or chat is None else _add_answer(outcome, answer, chat)


def _add_answer(outcome: Outcome, answer: Answer, chat: ChatModel) -> Outcome:
    claims = [
        ShownClaim(words, citation.quote, is_stated)
        for words, citation, is_stated in iter_shown(answer)
    ]
    citations = [
        ShownCitation(c.number, c.title, c.quote, c.document_id, c.start, c.end, c.page_label)
        for c in answer.citations
    ]
    return replace(
        outcome,
        text=answer.text,
        is_refused=is_refused(answer.text),
        claims=tuple(claims),
        sourced=tuple(list_sourced(answer)),
        citations=tuple(citations),
        has_model=True,
        first_s=answer.first_token_s,
        seconds=answer.seconds,
        n_prompt_tokens=answer.n_prompt_tokens,
        n_written_tokens=chat.count_tokens(answer.text),
    )


def check_columns(columns: Sequence[EvaluationColumn]) -> None:
    """Raise `UserError` for a mode that does not exist or can't run without a chat model."""
    if not columns:
        raise UserError("There is no mode to ask with.", "Choose one or more modes.")
    for column in columns:
        if column.mode not in ALL_MODES:
            raise UserError(
                "There is no mode “{mode}”.",
                "Choose: {modes}.",
                mode=column.mode,
                modes=", ".join(ALL_MODES),
            )
        if not column.model and column.mode in (*THEME_MODES, WITHOUT_DOCUMENTS):
            raise UserError(
                "The mode “{mode}” needs a chat model.",
                "Install one under Models, or choose another mode.",
                mode=column.mode,
            )


def list_versions(models: Iterable[ModelRow], embedder: str) -> dict[str, str]:
    """Return the versions of the program and the models; answers of others are not reused.

    Args:
        models: the chat models of the columns.
        embedder: the name of the embedding model in use, "" without one.
    """
    versions = {"inkgraph": __version__}
    versions |= {row.name: f"{row.size_bytes} bytes" for row in models}
    return versions | ({"embedding": embedder} if embedder else {})


def build_param(plan: EvaluationPlan, column: int) -> QueryParam:
    """Return the parameters of a question in one column.

    Raises:
        UserError: a setting is unknown.
    """
    known = {"max_total_tokens": PROMPT_TOKENS} | dict(plan.settings)
    for name in ("document_ids", "collection_ids", "pinned_chunk_ids", "ll_keywords",
                 "hl_keywords"):  # fmt: skip
        if isinstance(known.get(name), list):  # stored as JSON
            known[name] = tuple(known[name])
    names = {one.name for one in fields(QueryParam)} - {"mode", "conversation_history"}
    if unknown := sorted(known.keys() - names):
        raise UserError("There is no setting “{name}”.", name=unknown[0])
    return QueryParam(mode=plan.columns[column].mode, **known)


# --- reading runs ---------------------------------------------------------------------------------


@reads_stored
def list_runs(db: Db) -> list[RunRow]:
    """Return all runs, newest first."""
    rows = []
    for one in evaluations.fetch_runs(db):
        plan = plan_from_data(json.loads(one.plan))
        n_all = len(plan.questions) * len(plan.columns)
        rows.append(
            RunRow(
                *(one.id, plan.title, one.created_at, one.is_finished),
                *(len(plan.questions), one.n_done, n_all, plan.columns),
            )
        )
    return rows


@reads_stored
def get_run(db: Db, run_id: int) -> EvaluationRun:
    """Return a run with its results and judgements.

    Raises:
        UserError: there is no such run.
    """
    found = evaluations.find_run(db, run_id)
    if found is None:
        raise no_run(run_id)
    results = [
        Result(
            one.column,
            one.question,
            load_outcome(one.outcome),
            json.loads(one.measures),
            one.asked_at,
        )
        for one in evaluations.fetch_answers(db, run_id)
    ]
    judgements = [
        AnswerJudgement(one.judge, one.column, one.question, json.loads(one.judged), one.other)
        for one in evaluations.fetch_judgements(db, run_id)
    ]
    plan = plan_from_data(json.loads(found.plan))
    return EvaluationRun(
        found.id, found.created_at, found.is_finished, plan, tuple(results), tuple(judgements)
    )


def delete_run(db: Db, run_id: int) -> None:
    """Delete a run with its answers and judgements; can't be undone.

    Raises:
        UserError: there is no such run.
    """
    if evaluations.find_run(db, run_id) is None:
        raise no_run(run_id)
    with db.transaction():
        evaluations.delete_run(db, run_id)


def no_run(run_id: object) -> UserError:
    return UserError("There is no evaluation {run}.", "See: inkgraph evaluate --list", run=run_id)


@reads_stored
def load_outcome(text: str) -> Outcome:
    return outcome_from_data(json.loads(text))


def _digest(parts: Iterable[Any]) -> str:
    return hashlib.sha256(_dump(list(parts)).encode("utf-8", "surrogatepass")).hexdigest()


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
