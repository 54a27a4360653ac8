"""One question of a run as it is shown: its answers side by side, with the texts of their places.

Stored passages have no texts and no titles; they are read from the library here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...errors import UserError
from ...model import DocumentId
from ...store import documents
from ...store.db import Db
from .model import AnswerJudgement, EvaluationQuestion, EvaluationRun, Outcome, Result, Span
from .places import QuestionPlacer
from .summaries import is_wrong

MOST_PASSAGES = 5  # of an answer, the best ones: more fill the page and are not read
MOST_CHARS = 400  # of a passage


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A place in a document with its words; `number` is that of a citation, 0 for a passage."""

    document_id: DocumentId
    start: int
    end: int
    title: str
    text: str
    number: int = 0
    page: str = ""


@dataclass(frozen=True, slots=True)
class ColumnAnswer:
    """What one column gave for a question; `result` is None where it was not asked yet.

    Attributes:
        places: the cited sentences, or the best passages where no model answered.
        judgements: of this answer, and of it against others.
    """

    column: int
    result: Result | None
    places: tuple[ShownPlace, ...]
    judgements: tuple[AnswerJudgement, ...]

    @property
    def is_wrong(self) -> bool:
        return self.result is not None and is_wrong(self.result)


@dataclass(frozen=True, slots=True)
class QuestionPage:
    """A question with its evidence and the answers of all columns."""

    number: int
    question: EvaluationQuestion
    evidence: tuple[ShownPlace, ...]
    answers: tuple[ColumnAnswer, ...]


def load_question_page(db: Db, run: EvaluationRun, number: int) -> QuestionPage:
    """Return the page of a question of a run."""
    question = run.plan.questions[number]
    by_column = {one.column: one for one in run.results if one.question == number}
    reader = _PlaceReader(db)
    answers = []
    for column in range(len(run.plan.columns)):
        result = by_column.get(column)
        judged = tuple(
            one
            for one in run.judgements
            if one.question == number and column in (one.column, one.other)
        )
        places = reader.read_outcome(result.outcome) if result is not None else ()
        answers.append(ColumnAnswer(column, result, places, judged))
    evidence = reader.read(find_evidence(db, question))
    return QuestionPage(number, question, evidence, tuple(answers))


def find_evidence(db: Db, question: EvaluationQuestion) -> tuple[Span, ...]:
    """Return where the evidence of a question stands, its first place each; empty if nowhere."""
    if not question.evidence:
        return ()
    try:
        [placed] = QuestionPlacer(db).place([question]).questions
    except UserError:  # its document is no longer in the library
        return ()
    return tuple(one.places[0] for one in placed.evidence)


class _PlaceReader:
    """Reads texts and titles of places; each document once."""

    def __init__(self, db: Db) -> None:
        self._db = db
        self._texts: dict[DocumentId, str] = {}
        self._titles: dict[DocumentId, str] = {}

    def read_outcome(self, outcome: Outcome) -> tuple[ShownPlace, ...]:
        """Return the cited sentences of an answer, or the passages that were found."""
        if outcome.has_model:
            return tuple(
                ShownPlace(
                    *(one.document_id, one.start, one.end, one.title),
                    *(one.quote, one.number, one.page),
                )
                for one in outcome.citations
            )
        return self.read(outcome.passages[:MOST_PASSAGES])

    def read(self, spans: Iterable[Span]) -> tuple[ShownPlace, ...]:
        """Return places with their texts; those of deleted documents are left out."""
        wanted: Sequence[Span] = tuple(spans)
        missing = {one.document_id for one in wanted} - self._titles.keys()
        if missing:
            found = documents.fetch_titles(self._db, [*missing])
            self._titles |= {DocumentId(number): title for number, title in found}
        return tuple(
            ShownPlace(
                *(one.document_id, one.start, one.end, self._titles[one.document_id]),
                self._read_text(one.document_id)[one.start : one.end][:MOST_CHARS],
            )
            for one in wanted
            if one.document_id in self._titles
        )

    def _read_text(self, document_id: DocumentId) -> str:
        if document_id not in self._texts:
            self._texts[document_id] = documents.fetch_text(self._db, document_id) or ""
        return self._texts[document_id]
