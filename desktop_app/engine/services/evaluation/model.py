"""Plain data of an evaluation: questions, columns, what was answered, judged and summed up.

A run asks every question in every column; a column is a mode with a chat model. Everything here
is stored as JSON in the library and shown by commands and screens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ...messages import NO_MESSAGE, Message
from ...model import DocumentId

# The program's own mode and those by meaning and by words alone, which it has to be better than.
DEFAULT_MODES = ("walk", "naive", "words")
# Of an answer: the same on every machine, so that a slower or busier one gives the same answers.
PROMPT_TOKENS = 1000


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """Where the answer of a question stands.

    Attributes:
        quote: words of the document, "" if only the place is known.
        document: title or file name, "" for any.
        page: label or number of a page, "" for none.
        start, end: offsets in the document's text; end is 0 where they are not known.
    """

    quote: str = ""
    document: str = ""
    page: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class EvaluationQuestion:
    """A question with what is known about its answer.

    Attributes:
        answers: correct answers, of which one suffices.
        evidence: all of it is needed for the answer.
        document: title or file name of the document it is about, "" for the whole library.
        is_answerable: False for a question that the library cannot answer.
    """

    text: str
    answers: tuple[str, ...] = ()
    evidence: tuple[AnswerEvidence, ...] = ()
    document: str = ""
    kind: str = ""
    is_answerable: bool = True


@dataclass(frozen=True, slots=True)
class EvaluationColumn:
    """What all questions are asked with; without a chat model (""), passages are only found."""

    mode: str
    model: str = ""

    @property
    def title(self) -> str:
        return f"{self.mode} · {self.model}" if self.model else self.mode


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a document with its text."""

    document_id: DocumentId
    start: int
    end: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A sentence of an answer with the sentence that it cites; `is_stated`: not a quotation."""

    text: str
    quote: str
    is_stated: bool = True


@dataclass(frozen=True, slots=True)
class SourcedSentence:
    """A stated sentence of an answer with the part of its passage that is to support it."""

    text: str
    evidence: str


@dataclass(frozen=True, slots=True)
class ShownCitation:
    """A cited sentence with its place."""

    number: int
    title: str
    quote: str
    document_id: DocumentId
    start: int
    end: int
    page: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one column gave for one question.

    Attributes:
        text: the answer as shown, "" where no chat model was asked.
        is_refused: it says that the documents do not have the answer.
        sourced: what a judging model compares.
        passages: found, best first; stored without their texts.
        sources: those parts that fill the prompt; stored without their texts.
        has_context: False in the mode that asks the model without documents.
        first_s: seconds to the first word, 0 where no model was asked.
        error: why there is no answer.
    """

    text: str = ""
    is_refused: bool = False
    claims: tuple[ShownClaim, ...] = ()
    sourced: tuple[SourcedSentence, ...] = ()
    citations: tuple[ShownCitation, ...] = ()
    passages: tuple[Span, ...] = ()
    sources: tuple[Span, ...] = ()
    has_context: bool = True
    has_model: bool = False
    first_s: float = 0.0
    seconds: float = 0.0
    n_prompt_tokens: int = 0
    n_written_tokens: int = 0
    error: Message = NO_MESSAGE


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """What is to be asked: every question in every column.

    Attributes:
        settings: of `QueryParam`, without the mode.
        versions: of the program and the models, by name; answers of others are not reused.
    """

    questions: tuple[EvaluationQuestion, ...]
    columns: tuple[EvaluationColumn, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    title: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one question in one column, with its measures by key."""

    column: int
    question: int
    outcome: Outcome
    measures: Mapping[str, float]
    asked_at: float = 0.0


@dataclass(frozen=True, slots=True)
class AnswerJudgement:
    """What a judging model says of one answer, or of two (`other` is the second column).

    `values` are the share of sentences that pass ("faithfulness"), or for each criterion of two
    answers 1 where the first is better, -1 where the second is, 0 where the orders disagree.
    """

    judge: str
    column: int
    question: int
    values: Mapping[str, float]
    other: int = -1


@dataclass(frozen=True, slots=True)
class RunRow:
    """One line of the list of runs; `n_done` of `n_all` results are there."""

    id: int
    title: str
    created_at: float
    is_finished: bool
    n_questions: int
    n_done: int
    n_all: int
    columns: tuple[EvaluationColumn, ...]


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """A run with its results and judgements."""

    id: int
    created_at: float
    is_finished: bool
    plan: EvaluationPlan
    results: tuple[Result, ...]
    judgements: tuple[AnswerJudgement, ...] = ()

    def values(self, column: int, measure: str) -> dict[int, float]:
        """Return question -> value of one measure, of the questions that have it.

        Also of those that a model judged; of several judges the last one counts.
        """
        of_column = [
            (one.question, one.measures) for one in self.results if one.column == column
        ] + [
            (one.question, one.values)
            for one in self.judgements
            if one.column == column and one.other < 0
        ]
        return {number: found[measure] for number, found in of_column if measure in found}


# --- stored as JSON ------------------------------------------------------------------------------


def plan_to_data(plan: EvaluationPlan) -> dict[str, Any]:
    return asdict(plan)


def plan_from_data(data: Mapping[str, Any]) -> EvaluationPlan:
    return EvaluationPlan(
        tuple(question_from_data(one) for one in data["questions"]),
        tuple(EvaluationColumn(**one) for one in data["columns"]),
        dict(data["settings"]),
        dict(data["versions"]),
        data["title"],
    )


def question_from_data(data: Mapping[str, Any]) -> EvaluationQuestion:
    return EvaluationQuestion(
        data["text"],
        tuple(data["answers"]),
        tuple(AnswerEvidence(**one) for one in data["evidence"]),
        data["document"],
        data["kind"],
        data["is_answerable"],
    )


def outcome_to_data(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as plain data; of passages only the places are kept."""
    data = asdict(outcome)
    for name in ("passages", "sources"):
        spans: tuple[Span, ...] = getattr(outcome, name)
        data[name] = [[int(one.document_id), one.start, one.end] for one in spans]
    data["error"] = outcome.error.to_stored() if outcome.error else ""
    return data


def outcome_from_data(data: Mapping[str, Any]) -> Outcome:
    kept = dict(data)
    for name in ("passages", "sources"):
        kept[name] = tuple(Span(DocumentId(d), start, end) for d, start, end in kept[name])
    kept["claims"] = tuple(ShownClaim(**one) for one in kept["claims"])
    kept["sourced"] = tuple(SourcedSentence(**one) for one in kept["sourced"])
    kept["citations"] = tuple(ShownCitation(**one) for one in kept["citations"])
    kept["error"] = Message.from_stored(kept["error"])
    return Outcome(**kept)
