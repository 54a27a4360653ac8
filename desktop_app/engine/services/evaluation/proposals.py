"""Proposes questions from the library itself: one for each of some passages.

Passages are drawn evenly over the documents and within each. Without a model the question is a
sentence in which a name is missing: it is right in every language, and has one answer. A chat model
writes the question that a name of the passage answers, or without such a name question and answer.
Its question is kept only if the answer stands word for word in the passage, and if it can be
understood without the passage; where the answer stands is its evidence. A small model writes poor
questions, too: a person reads the file before it is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ...answering.claims import SURE, AnswerClaim, ask_preference
from ...errors import Cancelled, UserError
from ...llm.protocols import ChatModel
from ...messages import Message
from ...model import ChatMessage, DocumentId, DocumentRow
from ...progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ...prompt_files import load_prompt
from ...prompt_program import PASSAGE, OneLine, PromptProgram, Talk, Write
from ...store import documents, model_cache, search
from ...store.db import Db
from ...store.graph import fetch_mentions_between
from ...text.chunking import split_sentences
from ...writing_systems import has_han, language_of, stems
from .model import AnswerEvidence, EvaluationQuestion

MOST_PROPOSED = 1_000
LEAST_CHARS, LEAST_HAN_CHARS = 300, 120  # of a passage: shorter ones are headings and lists
PASSAGE_CHARS, PASSAGE_HAN_CHARS = 1_000, 400  # that a model reads: one scene, a fast prompt
QUESTION_TOKENS, ANSWER_TOKENS = 60, 24
MOST_TRIES = 4  # passages for each question that is wanted
MOST_ANSWER_WORDS, MOST_ANSWER_HAN = 8, 16
# Words beside the missing name: with fewer, as in "“Yes,” said ____.", several names are right.
LEAST_WORDS_BESIDE = 8
MOST_BLANK_CHARS = 300  # of the sentence: a question that is read at a glance
LEAST_SHARED = 2  # words of the passage in a question; fewer, and it could be about anything
AROUND = 1  # sentences beside the answer that a second look reads

# A question that points at the passage can't be answered without seeing it.
_POINTS = re.compile(
    r"\b(?:this|the|that) (?:passage|text|excerpt|paragraph|story|author|narrator|sentence)\b"
    r"|\baccording to\b|文中|本文|原文|这段|该段|上文|作者|文章",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:he|she|it|they|him|her|his|their|them|this|these|those)\b|[他她它]")
_NAME = re.compile(r"(?<=[\w,;’'] )[A-Z]\w+")  # not at the start of a sentence
_MARKS = re.compile(r"^[\s\"'“”‘’「」『』*_]+|[\s\"'“”‘’「」『』*_.。,，;；:：]+$")

BLANK = "____"
_BLANK_QUESTIONS = {
    "en": "Which name is missing in this sentence: “{sentence}”?",
    "zh": "下面这句话缺了哪个名字：“{sentence}”？",
}

REJECTIONS = {
    "bare": Message("no sentence says enough of one name"),
    "form": Message("no question or no answer was written"),
    "absent": Message("the answer does not stand in the passage"),
    "long": Message("the answer is too long"),
    "asked": Message("the answer stands in the question"),
    "points": Message("the question can't be understood without the passage"),
    "doubted": Message("the model itself doubts the answer"),
}


@dataclass(frozen=True, slots=True)
class ProposalProgress(Progress):
    """Progress of proposing: `done` of `total` questions are kept; `n_read` passages were read."""

    n_read: int = field(default=0, kw_only=True)


@dataclass(slots=True)
class Proposals:
    """Proposed questions, and why others were not kept: a key of `REJECTIONS` with its number."""

    questions: list[EvaluationQuestion] = field(default_factory=list)
    rejected: dict[str, int] = field(default_factory=dict)
    n_read: int = 0
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class QuestionPassage:
    """A part of a document that a question is written about."""

    row: DocumentRow
    start: int
    text: str


def propose_questions(
    db: Db,
    model: ChatModel | None,
    n: int,
    *,
    document_ids: Sequence[DocumentId] | None = None,
    cancel: CancelToken | None = None,
    on_progress: ProgressCallback = ignore_progress,
    on_question: Callable[[EvaluationQuestion], None] = lambda question: None,
) -> Proposals:
    """Return up to `n` questions with answers that stand in the library.

    What the model wrote is cached: the same call, after a stop, goes on where it ended.

    Args:
        model: writes the questions; None for sentences in which a name is missing.
        on_question: gets each question as soon as it is kept.

    Raises:
        UserError: the library has no passage to ask about, or `n` is no sensible number.
    """
    if not 1 <= n <= MOST_PROPOSED:
        raise UserError(
            "{n:,} questions can't be proposed.", "Choose 1 to {most:,}.", n=n, most=MOST_PROPOSED
        )
    cancel, found = cancel or CancelToken(), Proposals()
    for draft in islice(iter_passages(db, document_ids), n * MOST_TRIES):
        if len(found.questions) == n or cancel.cancelled:
            break
        on_progress(ProposalProgress("proposing", len(found.questions), n, n_read=found.n_read))
        try:
            made = _propose(db, model, draft, cancel) if model else ask_for_name(db, draft)
        except Cancelled:
            break
        found.n_read += 1
        if isinstance(made, str):
            found.rejected[made] = found.rejected.get(made, 0) + 1
        elif all(made.text != other.text for other in found.questions):
            found.questions.append(made)
            on_question(made)
    found.stopped = cancel.cancelled
    if not found.n_read and not found.stopped:
        raise UserError(
            "There is no passage to ask about.", "Add documents, and wait until they are read."
        )
    return found


def iter_passages(
    db: Db, document_ids: Sequence[DocumentId] | None = None
) -> Iterator[QuestionPassage]:
    """Yield passages evenly over the documents and within each, documents in turn.

    The order is the same every time. The middle comes first, then the quarters, and so on, so that
    few passages are spread as widely as many. Documents that are excluded from answers are left
    out.
    """
    rows = [
        row
        for row in documents.fetch_documents(db)
        if row.n_chunks and not row.set_aside
        and (document_ids is None or row.id in document_ids)
    ]  # fmt: skip
    rows = [rows[place] for place in spread(len(rows))]
    chunks = {row.id: documents.fetch_chunks(db, row.id) for row in rows}
    order = {row.id: spread(len(chunks[row.id])) for row in rows}
    for turn in range(max((len(places) for places in order.values()), default=0)):
        for row in rows:
            if turn < len(order[row.id]):
                chunk_id, span = chunks[row.id][order[row.id][turn]]
                [(_, text)] = search.fetch_chunk_texts(db, [chunk_id])
                if draft := cut_draft(row, span.start, text):
                    yield draft


def spread(n: int) -> list[int]:
    """Return the numbers below `n` in an order of which each beginning is spread evenly."""
    order: dict[int, None] = {}
    step = n
    while step:
        order |= dict.fromkeys(range(step // 2, n, step))
        step //= 2
    return list(order | dict.fromkeys(range(n)))


def cut_draft(row: DocumentRow, start: int, text: str) -> QuestionPassage | None:
    """Return the first whole sentences of a chunk that a model reads, None if it has too few."""
    is_han = has_han(text)
    most = PASSAGE_HAN_CHARS if is_han else PASSAGE_CHARS
    ends = [end for _, end in split_sentences(text, language_of(text))]
    end = max((one for one in ends if one <= most), default=min(len(text), most))
    least = LEAST_HAN_CHARS if is_han else LEAST_CHARS
    return QuestionPassage(row, start, text[:end]) if len(text[:end].strip()) >= least else None


def _propose(
    db: Db, model: ChatModel, draft: QuestionPassage, cancel: CancelToken
) -> EvaluationQuestion | str:
    """Return the question of a passage, or the key of `REJECTIONS` that says why there is none."""
    language = "zh" if has_han(draft.text) else "en"
    instruction, asked, first, second, *example = (
        part.strip() for part in load_prompt("propose_question", language).split("---")
    )
    # A small model copies whole sentences as answers, unless it has seen a short one.
    messages = (
        ChatMessage("system", instruction),
        ChatMessage("user", asked.format(passage=example[0])),
        ChatMessage("assistant", f"{second} {example[2]}\n{first} {example[1]}"),
        ChatMessage("user", asked.format(passage=PASSAGE)),
    )

    name = find_answer(db, draft)

    def talk() -> Talk:
        if name:
            line = f"{second} {name}\n{first}"
            [question] = yield Write((line,), QUESTION_TOKENS, OneLine())
            return (question.text, name) if question.ended == "finished" else ("", "")
        [question] = yield Write((first,), QUESTION_TOKENS, OneLine())
        line = f"{first} {question.text.strip()}\n{second}"
        [answer] = yield Write((line,), ANSWER_TOKENS, OneLine())
        is_whole = question.ended == answer.ended == "finished"
        return (question.text, answer.text) if is_whole else ("", "")

    program = PromptProgram(0, messages, draft.text, talk)
    results = list(model_cache.run_cached(db, model.run_programs, [program], cancel))
    if cancel.cancelled or not results:
        raise Cancelled
    if results[0].error:
        raise UserError(results[0].error, "Choose another model.")
    question, answer = (_clean(text) for text in results[0].value)
    made = check_proposal(draft, question, answer)
    if isinstance(made, str):
        return made
    quote = made.evidence[0]
    around = _around(draft, quote.start, quote.end)
    claim = AnswerClaim(answer, 0, len(answer), 1, (quote.start, quote.end), around)
    odds = ask_preference(claim, made.text, model, cancel)
    return made if odds >= SURE else "doubted"


def find_answer(db: Db, draft: QuestionPassage) -> str:
    """Return the name of the passage that a question is asked about, "" if there is none.

    Written freely, no answer of a model of 1.5 billion parameters stood in nine passages.
    """
    start, end = next(iter(_find_names(db, draft)), (0, 0))
    return " ".join(draft.text[start:end].split())


def _find_names(db: Db, draft: QuestionPassage) -> list[tuple[int, int]]:
    """Return the places in a passage of the names that a question can be asked about, best first.

    Names that stand once: of one that is there throughout, a passage says too much for one answer.
    Those nearest the middle first, where the sentences around them are in the passage, too.
    """
    found = fetch_mentions_between(db, draft.row.id, draft.start, draft.start + len(draft.text))
    places = [(a - draft.start, b - draft.start) for a, b, *_ in found]
    once = [
        (a, b)
        for a, b in places
        if b <= len(draft.text) and len(_find_all(draft.text, draft.text[a:b])) == 1
    ]
    return sorted(once, key=lambda place: abs(place[0] - len(draft.text) / 2))


def ask_for_name(db: Db, draft: QuestionPassage) -> EvaluationQuestion | str:
    """Return a question with a sentence in which a name is missing, or the key of a rejection."""
    language = language_of(draft.text)
    spans = split_sentences(draft.text, language)
    for start, end in _find_names(db, draft):
        first, last = next((s for s in spans if s[0] <= start and end <= s[1]), (0, 0))
        name, sentence = draft.text[start:end], draft.text[first:last]
        beside = f"{draft.text[first:start]}{BLANK}{draft.text[end:last]}"
        shown = " ".join(beside.split())
        if len(shown) > MOST_BLANK_CHARS or BLANK not in shown:
            continue
        if len(stems(beside) - stems(name)) < LEAST_WORDS_BESIDE:
            continue
        asked = _BLANK_QUESTIONS["zh" if has_han(draft.text) else "en"].format(sentence=shown)
        place = (draft.start + first, draft.start + last)
        evidence = AnswerEvidence(" ".join(sentence.split()), draft.row.title, "", *place)
        answer = " ".join(name.split())
        return EvaluationQuestion(asked, (answer,), (evidence,), draft.row.title, "proposed")
    return "bare"


def check_proposal(draft: QuestionPassage, question: str, answer: str) -> EvaluationQuestion | str:
    """Return a question whose answer stands in its passage, or the key of a rejection."""
    if not question or not answer or question[-1:] not in "?？":
        return "form"
    is_han = has_han(answer)
    length = len(answer) if is_han else len(answer.split())
    if length > (MOST_ANSWER_HAN if is_han else MOST_ANSWER_WORDS):
        return "long"
    places = _find_all(draft.text, answer)
    if not places:
        return "absent"
    if stems(answer) <= stems(question) and answer.casefold() in question.casefold():
        return "asked"
    shared = stems(question) & stems(draft.text) - stems(answer)
    has_name = _NAME.search(question) is not None
    is_open = _PRONOUN.search(question) is not None and not has_name
    if _POINTS.search(question) or len(shared) < LEAST_SHARED or is_open:
        return "points"
    spans = split_sentences(draft.text, language_of(draft.text))
    sentences = [
        next((s for s in spans if s[0] <= start < s[1]), (start, start + len(answer)))
        for start in places
    ]
    # of several sentences with the answer, the one that says most of the question
    start, end = max(sentences, key=lambda s: len(stems(question) & stems(draft.text[s[0] : s[1]])))
    quote = " ".join(draft.text[start:end].split())
    evidence = AnswerEvidence(quote, draft.row.title, "", draft.start + start, draft.start + end)
    written = draft.text[places[0] : places[0] + len(answer)]
    return EvaluationQuestion(
        question, (" ".join(written.split()),), (evidence,), draft.row.title, "proposed"
    )


def _find_all(text: str, answer: str) -> list[int]:
    """Return where an answer stands word for word, whatever its capitals and line breaks."""
    words = [re.escape(word) for word in answer.split()]
    edge = "" if has_han(answer) else r"\b"
    left = edge if answer[:1].isalnum() else ""
    right = edge if answer[-1:].isalnum() else ""
    pattern = re.compile(left + r"\s+".join(words) + right, re.IGNORECASE)
    return [match.start() for match in pattern.finditer(text)]


def _around(draft: QuestionPassage, start: int, end: int) -> str:
    """Return a sentence of a passage with those beside it, as one line."""
    spans = split_sentences(draft.text, language_of(draft.text))
    inside = [
        i for i, (a, b) in enumerate(spans) if draft.start + a < end and draft.start + b > start
    ]
    first, last = max(0, inside[0] - AROUND), min(len(spans) - 1, inside[-1] + AROUND)
    return " ".join(draft.text[spans[first][0] : spans[last][1]].split())


def _clean(text: str) -> str:
    return _MARKS.sub("", " ".join(text.split()))
