"""Finds the evidence of questions in the library: quotations, offsets and pages become places.

Evidence that stands nowhere word for word is a statement, whose words are looked for instead. A
question about a document that the library lacks is left out, with a sentence for the user.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import UserError
from ...messages import Message
from ...model import DocumentId, DocumentRow
from ...progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ...store import documents
from ...store.db import Db
from ..quotation_search import find_quotation
from .model import AnswerEvidence, EvaluationQuestion, Span

MOST_PLACES = 5  # of one quotation; copies and editions of a text have it too


@dataclass(frozen=True, slots=True)
class PlacedEvidence:
    """Places that prove the same, of which one suffices; a page is a span without a text."""

    places: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class PlacedQuestion:
    """A question with its evidence in the library, and the evidence that stands nowhere."""

    asked: EvaluationQuestion
    evidence: tuple[PlacedEvidence, ...] = ()
    statements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacedQuestions:
    """Questions that can be asked, and sentences about those that can't or lack evidence."""

    questions: tuple[PlacedQuestion, ...]
    problems: tuple[Message, ...] = ()


class QuestionPlacer:
    """Finds evidence in one library.

    Args:
        db: a connection of the calling thread.
    """

    def __init__(self, db: Db) -> None:
        self._db = db
        self._by_name: dict[str, list[DocumentRow]] = {}
        for row in documents.fetch_documents(db):
            for name in {*_names_of(row)}:
                self._by_name.setdefault(name, []).append(row)

    def place(
        self,
        questions: Sequence[EvaluationQuestion],
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
    ) -> PlacedQuestions:
        """Return the questions that can be asked, with the places of their evidence.

        Raises:
            UserError: none can be asked.
            Cancelled: the token was set.
        """
        placed: list[PlacedQuestion] = []
        missing: dict[str, list[str]] = {}  # the names as written, by what they are compared by
        problems: list[Message] = []
        for n_done, asked in enumerate(questions):
            on_progress(Progress("placing", n_done, len(questions)))
            if cancel is not None:
                cancel.check()
            wanted = dict.fromkeys((asked.document, *(one.document for one in asked.evidence)))
            lost = [name for name in wanted if name and not self._find(name)]
            if lost:
                missing.setdefault(_fold(lost[0]), []).append(lost[0])
                continue
            placed.append(self._place_one(asked, problems))
        for names in missing.values():
            problems.append(
                Message(
                    "{n:,} questions are about “{name}”, which is not in the library; they are"
                    " left out.",
                    n=len(names),
                    name=names[0],
                )
                if len(names) > 1
                else Message(
                    "One question is about “{name}”, which is not in the library; it is left out.",
                    name=names[0],
                )
            )
        if not placed:
            raise UserError(
                problems[-1] if problems else "There is no question to ask.",
                "Nothing is left to ask; add the documents, or open their library.",
            )
        return PlacedQuestions(tuple(placed), tuple(problems))

    def _find(self, name: str) -> list[DocumentRow]:
        return self._by_name.get(_fold(name), [])

    def _place_one(self, asked: EvaluationQuestion, problems: list[Message]) -> PlacedQuestion:
        evidence: list[PlacedEvidence] = []
        statements: list[str] = []
        for one in asked.evidence:
            try:
                places = self._find_places(one)
            except UserError as error:
                problems.append(
                    Message(
                        "“{question}”: {reason}", question=asked.text, reason=error.full_message
                    )
                )
                continue
            if places:
                evidence.append(PlacedEvidence(places))
            else:
                statements.append(one.quote)
        return PlacedQuestion(asked, tuple(evidence), tuple(statements))

    def _find_places(self, one: AnswerEvidence) -> tuple[Span, ...]:
        rows = self._find(one.document) if one.document else []
        if one.end:
            return tuple(self._take_offsets(row, one) for row in rows)
        if not one.quote:
            return tuple(self._take_page(row, one) for row in rows)
        ids = [row.id for row in rows]
        found = self._find_word_for_word(one.quote, ids)
        if found or len(one.quote) < 2:
            return found
        try:
            places = find_quotation(self._db, one.quote, MOST_PLACES, ids or None)
        except UserError:  # too short or too long to be searched with differences
            return ()
        return tuple(
            Span(place.document_id, place.start, place.end, one.quote)
            for place in places
            if place.wording != "similar"
        )

    def _find_word_for_word(self, quote: str, ids: Sequence[DocumentId]) -> tuple[Span, ...]:
        """Return where a quotation stands in the named documents, also if it is short."""
        found: list[Span] = []
        for document_id in ids:
            text = documents.fetch_text(self._db, document_id) or ""
            start = text.find(quote)
            while start >= 0 and len(found) < MOST_PLACES:
                found.append(Span(document_id, start, start + len(quote), quote))
                start = text.find(quote, start + 1)
        return tuple(found)

    def _take_offsets(self, row: DocumentRow, one: AnswerEvidence) -> Span:
        if one.end > row.n_chars:
            raise UserError(
                "“{title}” has {n:,} characters, and the evidence ends at {end:,}.",
                "The evidence is not used; check its offsets.",
                title=row.title,
                n=row.n_chars,
                end=one.end,
            )
        text = documents.fetch_text(self._db, row.id) or ""
        return Span(row.id, one.start, one.end, text[one.start : one.end] or one.quote)

    def _take_page(self, row: DocumentRow, one: AnswerEvidence) -> Span:
        pages = documents.fetch_pages(self._db, row.id)
        labelled = [page for page in pages if page.label == one.page]
        if not labelled and one.page.isdecimal():
            labelled = [page for page in pages if page.index + 1 == int(one.page)]
        if not labelled:
            raise UserError(
                "“{title}” has no page “{page}”.",
                "The evidence is not used; pages are named as in the reader.",
                title=row.title,
                page=one.page,
            )
        return Span(row.id, labelled[0].start, labelled[0].end)


def _names_of(row: DocumentRow) -> tuple[str, ...]:
    """Return what a document may be called: title, file name, file name without its ending."""
    stem = row.file_name.rsplit(".", 1)[0]
    return _fold(row.title), _fold(row.file_name), _fold(stem)


def _fold(name: str) -> str:
    return " ".join(name.casefold().split())
