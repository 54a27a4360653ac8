"""Lets a chat model judge answers: whether their sources support them, and which of two is better.

Reads probabilities of "A" and "B" and generates no text. A small model is a weak judge: it prefers
the first or the longer answer. Each pair is therefore judged in both orders, and it is a tie where
the orders disagree; that removes the first preference, not the second.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import combinations

from ...answering.claims import SURE, SURE_LITERAL, AnswerClaim, ask_preference, is_literal
from ...errors import Cancelled, UserError
from ...llm.protocols import ChatModel
from ...messages import Message
from ...model import ChatMessage
from ...progress import CancelToken, Clock, ProgressCallback, ignore_progress
from ...prompt_files import load_prompt
from ...prompt_program import PASSAGE, Choice, Choose, PromptProgram, Talk
from ...store import evaluations, model_cache
from ...store.db import Db
from ...writing_systems import has_han
from .measures import plain_answer
from .model import AnswerJudgement, EvaluationRun, Outcome
from .service import EvaluationProgress, get_run

# LightRAG's (Guo et al. 2024, arXiv 2410.05779), in the order in which they are asked.
CRITERIA = ("comprehensiveness", "diversity", "empowerment", "overall")
CRITERION_TITLES = {
    "comprehensiveness": Message("Comprehensiveness"),
    "diversity": Message("Diversity"),
    "empowerment": Message("Empowerment"),
    "overall": Message("Overall"),
}
MOST_CHARS = 4_000  # of each answer: two fit into a context of 4,096 tokens with the instruction
SMALL_JUDGE = 7_000_000_000  # parameters
WEAK_JUDGE = Message(
    "{judge} has fewer than 7 billion parameters: a weak judge. Its verdicts show a tendency at"
    " most; read some answers yourself."
)


class Judge:
    """Judges the answers of a run and stores each judgement at once.

    Args:
        db: the read-write connection; used in the calling thread only.
        name: of the model, as it is stored.
    """

    def __init__(self, db: Db, model: ChatModel, name: str) -> None:
        self._db, self._model, self._name = db, model, name

    @property
    def warning(self) -> Message | None:
        """The sentence for the user about a small judge, None for a large one."""
        is_small = self._model.n_parameters < SMALL_JUDGE
        return Message(WEAK_JUDGE.template, judge=self._name) if is_small else None

    def judge(
        self,
        run: EvaluationRun,
        *,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        clock: Clock | None = None,
    ) -> EvaluationRun:
        """Judge what this model has not judged yet, and return the run with it.

        Args:
            clock: of the answers judged before an interruption.

        Raises:
            UserError: no answer of the run can be judged.
        """
        cancel = cancel or CancelToken()
        by_place = {
            (one.column, one.question): one.outcome
            for one in run.results
            if one.outcome.has_model and not one.outcome.error
        }
        if not by_place:
            raise UserError(
                "Evaluation {run} has no answer of a chat model to judge.",
                "Run it with a model.",
                run=run.id,
            )
        known = {
            (one.column, one.other, one.question)
            for one in run.judgements
            if one.judge == self._name
        }
        todo = [one for one in _list_todo(run, by_place) if one not in known]
        clock = clock or Clock(len(todo))
        clock.go_on(len(todo))
        for done, (column, other, number) in enumerate(todo):
            if cancel.cancelled:
                break
            question = run.plan.questions[number].text
            on_progress(
                EvaluationProgress(
                    "judging",
                    done,
                    len(todo),
                    clock.rate,
                    clock.left_s,
                    run_id=run.id,
                    column=run.plan.columns[column].title,
                    question=question,
                )
            )
            try:
                if other < 0:
                    values = self._judge_support(by_place[column, number], question, cancel)
                else:
                    pair = by_place[column, number], by_place[other, number]
                    values = self._judge_pair(question, *pair, cancel)
            except Cancelled:
                break
            self._store(run.id, AnswerJudgement(self._name, column, number, values, other))
            clock.tick()
        return get_run(self._db, run.id)

    def _judge_support(
        self, outcome: Outcome, question: str, cancel: CancelToken
    ) -> dict[str, float]:
        """Return the share of stated sentences that the model prefers to "it does not say".

        The check that answers go through (decision 72), by another model if the judge is one. The
        model that wrote an answer passed all its sentences already: as a judge it says nothing new.
        """
        passed = []
        for one in outcome.sourced:
            claim = AnswerClaim(one.text, 0, len(one.text), 1, (0, 0), one.evidence)
            try:
                odds = ask_preference(claim, question, self._model, cancel)
            except UserError:  # longer than the context of this judge
                continue
            passed.append(odds >= (SURE_LITERAL if is_literal(claim) else SURE))
        return {"faithfulness": sum(passed) / len(passed)} if passed else {}

    def _judge_pair(
        self, question: str, one: Outcome, other: Outcome, cancel: CancelToken
    ) -> dict[str, float]:
        """Return for each criterion 1, -1, or 0 where the orders disagree.

        LightRAG's pairwise comparison, whose judge writes its verdict; here the probabilities of
        the two letters are read.
        """
        texts = plain_answer(one.text)[:MOST_CHARS], plain_answer(other.text)[:MOST_CHARS]
        if texts[0] == texts[1]:  # often two refusals; a model would choose one by its place
            return dict.fromkeys(CRITERIA, 0.0)
        programs = [
            build_pair_program(order, question, *pair)
            for order, pair in enumerate((texts, texts[::-1]))
        ]
        found: dict[int, list[Choice]] = {}
        for result in model_cache.run_cached(self._db, self._model.run_programs, programs, cancel):
            if cancel.cancelled:
                raise Cancelled
            if not result.error:
                found[int(str(result.key))] = result.value
        if cancel.cancelled:
            raise Cancelled
        if len(found) < 2:  # longer than the context of this judge
            return {}
        return {criterion: decide(found[0][i], found[1][i]) for i, criterion in enumerate(CRITERIA)}

    def _store(self, run_id: int, one: AnswerJudgement) -> None:
        record = evaluations.JudgementRecord(
            one.judge, one.column, one.other, one.question, json.dumps(dict(one.values))
        )
        with self._db.transaction():
            evaluations.store_judgement(self._db, run_id, record)


def build_pair_program(key: int, question: str, first: str, second: str) -> PromptProgram:
    """Return the program that chooses between two answers by each criterion."""
    language = "zh" if has_han(question) else "en"
    instruction, asked, criteria, reply = (
        part.strip() for part in load_prompt("evaluate_pair", language).split("---")
    )
    text = asked.format(question=question, first=first, second=second)
    messages = (ChatMessage("system", instruction), ChatMessage("user", f"{text}\n\n{PASSAGE}"))
    by_name = dict(line.split(": ", 1) for line in criteria.splitlines())
    texts = tuple(reply.format(criterion=by_name[name]) for name in CRITERIA)

    def talk() -> Talk:
        return (yield Choose(("",) * len(texts), ("A", "B"), texts))

    return PromptProgram(key, messages, "", talk)


def decide(first: Choice, second: Choice) -> float:
    """Return 1 if an answer is preferred in both orders, -1 if the other one is, else 0.

    Args:
        first, second: the choice with the answer as A, and as B.
    """
    margins = first.logprobs[0] - first.logprobs[1], second.logprobs[1] - second.logprobs[0]
    return float(min(margins) > 0) - float(max(margins) < 0)


def _list_todo(
    run: EvaluationRun, by_place: dict[tuple[int, int], Outcome]
) -> Iterator[tuple[int, int, int]]:
    """Yield (column, other column or -1, question) of all that can be judged."""
    for (column, number), outcome in by_place.items():
        if outcome.sourced:
            yield column, -1, number
    for column, other in list_pairs(run):
        for number in range(len(run.plan.questions)):
            if (column, number) in by_place and (other, number) in by_place:
                yield column, other, number


def list_pairs(run: EvaluationRun) -> Sequence[tuple[int, int]]:
    """Return the pairs of columns with a chat model."""
    written = [n for n, column in enumerate(run.plan.columns) if column.model]
    return list(combinations(written, 2))
