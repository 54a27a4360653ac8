"""A turn: one question with what became of it, and the words for both. No Qt here.

Owns how kept messages are paired into turns, how an answer reads when it is copied, and how
work in progress is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_app.engine.model import Answer, Citation, EntityRow, MessageRow, Passage
from desktop_app.engine.progress import Progress
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
# the long ways: over the themes of the whole library
COUNTED_STAGES = {
    "reports": later("Reading reports on themes: {n} of {m}…"),
    "questions": later("Asking further questions: {n} of {m}…"),
}
WORKING = later("Working…")


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer; `answered` is false for a question that never got one.

    `kept` is the answer with all that led to it, while it is fresh; one from history is read
    again by its `message_id`. `versions` are the questions in this one's place, by their ids;
    `named` are the names of the library in the answer, once they are known.
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
        """Whether there was no model, so that the passages stand for an answer."""
        return self.answered and not self.model and bool(self.citations) and not self.stopped


def turn_of_answer(question: str, answer: Answer) -> Turn:
    """Return the turn that a fresh answer makes."""
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
    """Return the kept messages of a chat as turns, oldest first; nothing is left out."""
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
    """Return the turns before a question; all of them where it is not among them."""
    for place, turn in enumerate(turns):
        if question_id and turn.question_id == question_id:
            return list(turns[:place])
    return list(turns)


def describe_step(progress: Progress | None, seconds: int) -> str:
    """Return what is being done, in words, with the seconds since it began."""
    stage = progress.stage if progress is not None else "finding"
    if stage == "reading" and progress is not None and progress.total:
        words = trn("Reading {n} token…", "Reading {n} tokens…", progress.total)
    elif stage in COUNTED_STAGES and progress is not None and progress.total:
        words = tr(COUNTED_STAGES[stage], n=progress.done, m=progress.total)
    else:
        words = tr(STAGES.get(stage, WORKING))
    return tr("{step}  {n} s", step=words, n=seconds) if seconds >= 1 else words


def describe_place(place: int) -> str:
    """Return where in the line a question waits, in words; 1 is the next."""
    if place <= 1:
        return tr("Waiting: next in line")
    last = 0 if place % 100 in (11, 12, 13) else place % 10
    return tr("Waiting: {place} in line", place=tr(_ENDINGS.get(last, _ENDING), n=place))


def place_words(page_label: str, heading: str = "", title: str = "") -> str:
    """Return where in a document something stands: its page, else its chapter.

    A heading that begins with the document's own title goes on from there.
    """
    if page_label:
        return tr("p. {page}", page=page_label)
    first, joint, rest = heading.partition(HEADING_JOINT)
    return rest if joint and first.strip() == title.strip() else heading


def copy_text(turn: Turn) -> str:
    """Return an answer as text, its citations as footnotes."""
    notes = [f"[{number}] {where}: “{quote}”" for number, where, quote in footnotes(turn)]
    return turn.text if not notes else turn.text + "\n\n" + "\n".join(notes)


def plain_text(turn: Turn) -> str:
    """Return an answer as text without its marks."""
    return _MARKS.sub("", turn.text)


def footnotes(turn: Turn) -> list[tuple[int, str, str]]:
    """Return the number, the place and the quoted sentence of each citation."""
    headings = {p.chunk_id: p.heading for p in turn.passages}
    notes = []
    for citation in turn.citations:
        place = place_words(
            citation.page_label, headings.get(citation.chunk_id, ""), citation.title
        )
        where = f"{citation.title}, {place}" if place else citation.title
        notes.append((citation.number, where, " ".join(citation.quote.split())))
    return notes


def merge_history(history: list[Turn], live_questions: Sequence[str]) -> list[Turn]:
    """Return the kept turns without the questions at the end that are being answered now."""
    kept = list(history)
    for question in reversed(live_questions):
        if kept and not kept[-1].answered and kept[-1].question == question:
            kept.pop()
    return kept
