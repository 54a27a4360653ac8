"""A turn: a question with its answer, and the texts that describe both. No Qt.

Pairs stored messages into turns and formats answers for copying.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_app.engine.model import Answer, Citation, EntityRow, MessageRow, Passage
from desktop_app.engine.progress import Progress
from desktop_app.engine.query import QueryParam
from desktop_app.engine.services.library_reader import NamedPart

from ..language import later, tr, trn

HEADING_JOINT = " › "
_MARKS = re.compile(r"\s?[\[【]\s*\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*\s*[\]】]")
_ENDINGS = {1: later("{n}st"), 2: later("{n}nd"), 3: later("{n}rd")}
_ENDING = later("{n}th")
STAGES = {
    "asking": later("Asking the model…"),
    "finding": later("Finding passages…"),
    "reading": later("Reading…"),
    "answering": later("Answering…"),
    "translating": later("Translating…"),
}
# modes that read the reports of the whole library
COUNTED_STAGES = {
    "reports": later("Reading reports on themes: {n} of {m}…"),
    "questions": later("Asking further questions: {n} of {m}…"),
}
WORKING = later("Working…")
AGAIN = 0.6  # temperature: at 0 a model repeats the same answer


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer; `answered` is false for a question without one.

    Attributes:
        kept: the answer with its retrieval result, while it is fresh; a stored one is loaded by its
            `message_id`.
        versions: ids of all versions of the question.
        named: entities named in the answer, once they are known.
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

    @property
    def is_passages_only(self) -> bool:
        """Whether there was no model, so that passages are shown in place of an answer."""
        return self.answered and not self.model and bool(self.citations) and not self.stopped


def turn_of_answer(question: str, answer: Answer) -> Turn:
    """Return the turn of a fresh answer."""
    return Turn(
        question,
        answer.text,
        answer.citations,
        answer.found.passages,
        answer.found.entities,
        answer.model,
        answer.seconds,
        answer.stopped,
        answer.found.weak,
        answered=True,
        kept=answer,
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
        waiting = turns and not turns[-1].answered
        asked = turns.pop() if waiting else Turn("")
        turns.append(
            Turn(
                asked.question,
                row.text,
                row.citations,
                row.passages,
                (),
                row.model,
                row.seconds,
                row.stopped,
                row.weak,
                answered=True,
                message_id=row.id,
                question_id=asked.question_id,
                versions=asked.versions,
                asked_at=asked.asked_at or row.created_at,
            )
        )
    return turns


def cut_at(turns: Sequence[Turn], question_id: int) -> list[Turn]:
    """Return the turns before a question, or all turns if it is not among them."""
    for place, turn in enumerate(turns):
        if question_id and turn.question_id == question_id:
            return list(turns[:place])
    return list(turns)


def describe_step(progress: Progress | None, seconds: int) -> str:
    """Return the title of the current step with the seconds since its start."""
    stage = progress.stage if progress is not None else "finding"
    if stage == "reading" and progress is not None and progress.total:
        words = trn("Reading {n} token…", "Reading {n} tokens…", progress.total)
    elif stage in COUNTED_STAGES and progress is not None and progress.total:
        words = tr(COUNTED_STAGES[stage], n=progress.done, m=progress.total)
    else:
        words = tr(STAGES.get(stage, WORKING))
    return tr("{step}  {n} s", step=words, n=seconds) if seconds >= 1 else words


def describe_place(place: int) -> str:
    """Return the position of a question in the queue as text; 1 is the next."""
    if place <= 1:
        return tr("Waiting: next in line")
    last = 0 if place % 100 in (11, 12, 13) else place % 10
    return tr("Waiting: {place} in line", place=tr(_ENDINGS.get(last, _ENDING), n=place))


def describe_location(page_label: str, heading: str = "", title: str = "") -> str:
    """Return the location in a document: its page, otherwise its chapter.

    The document's own title at the start of a heading is left out.
    """
    if page_label:
        return tr("p. {page}", page=page_label)
    first, joint, rest = heading.partition(HEADING_JOINT)
    return rest if joint and first.strip() == title.strip() else heading


def copy_text(turn: Turn) -> str:
    """Return an answer as text with its citations as footnotes."""
    notes = [f"[{number}] {where}: “{quote}”" for number, where, quote in footnotes(turn)]
    return turn.text if not notes else turn.text + "\n\n" + "\n".join(notes)


def plain_text(turn: Turn) -> str:
    """Return an answer as text without citation marks."""
    return _MARKS.sub("", turn.text)


def footnotes(turn: Turn) -> list[tuple[int, str, str]]:
    """Return the number, location and quoted sentence of each citation."""
    headings = {p.chunk_id: p.heading for p in turn.passages}
    notes = []
    for citation in turn.citations:
        place = describe_location(
            citation.page_label, headings.get(citation.chunk_id, ""), citation.title
        )
        where = f"{citation.title}, {place}" if place else citation.title
        notes.append((citation.number, where, " ".join(citation.quote.split())))
    return notes


def merge_history(history: list[Turn], live_questions: Sequence[str]) -> list[Turn]:
    """Return the stored turns without the last questions that are being answered now."""
    kept = list(history)
    for question in reversed(live_questions):
        if kept and not kept[-1].answered and kept[-1].question == question:
            kept.pop()
    return kept


def vary(param: QueryParam, question: str, before: Turn | None) -> QueryParam:
    """Return parameters that give another answer than the one given `before`."""
    if before is None or not before.text or before.question != question:
        return param
    # a model starts with the same seed, so a third answer needs another temperature
    temperature = AGAIN + 0.1 * max(0, len(before.versions) - 1)
    return replace(param, temperature=max(param.temperature, min(1.0, round(temperature, 1))))
