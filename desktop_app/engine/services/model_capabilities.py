"""Checks in two minutes what a chat model can do: cite, find nothing, read English and Chinese.

Owns the questions of the check (`resources/demo/model_check.toml`), how they are asked and what
their answers count for. They are asked with the prompts of the program, about fixed paragraphs of
the demo texts, so that nothing of a library is read or sent and only the model differs. Knows
neither widgets nor where a model runs.
"""

from __future__ import annotations

import threading
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from statistics import median

from ... import __version__
from .. import paths
from ..answering.citations import MARK, RepetitionDetector, read_numbers
from ..answering.claims import Verdict, is_near, judge_short_answer
from ..answering.context import FORM_TOKENS, build_messages, cut_unfinished, write_numbered
from ..answering.short_answers import AGREEMENT, PassageReader, ShortAnswer, suits_short_answer
from ..errors import Cancelled, UserError
from ..llm.machine import KeptByModel, key_of_file
from ..llm.protocols import ChatModel, ChatRun
from ..llm.registry import ModelRow
from ..model import ChunkId, DocumentId, Passage, RetrievalResult
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ..query import MAX_READ, SHORT_FORM, QueryParam
from ..scheduler import Priority, WorkScheduler
from ..text.chunking import split_sentences
from ..writing_systems import language_of
from .capability_results import ModelCapabilities, Share, load_result
from .evaluation.measures import answer_in_text, is_refused

LIMIT_S = 120.0  # what is not asked by then stays unmeasured


@dataclass(frozen=True, slots=True)
class CapabilityQuestion:
    """A question of the check with the paragraphs that are shown for it.

    Attributes:
        answers: one of them is in a right answer; none where the paragraphs do not say.
        passages: the paragraphs, that with the answer first.
        is_written: whether its written answer is checked for citations, too.
    """

    language: str
    text: str
    answers: tuple[str, ...]
    passages: tuple[Passage, ...]
    is_written: bool = False


@dataclass(frozen=True, slots=True)
class CapabilityProgress(Progress):
    """Which question is asked; `stage` is "loading" or "asking"."""

    question: str = field(default="", kw_only=True)


def load_capability_questions() -> list[CapabilityQuestion]:
    """Return the questions of the check, in the order in which they are asked.

    Measures take turns, so that a check that is cut short has something of each.
    """
    texts: dict[str, list[tuple[int, str]]] = {}
    found = []
    source = paths.resource("demo", "model_check.toml")
    for row in tomllib.loads(source.read_text("utf-8"))["questions"]:
        file = row["file"]
        if file not in texts:
            texts[file] = _split_paragraphs(paths.resource("demo", file).read_text("utf-8"))
        numbers = [_find_paragraph(texts[file], words) for words in row["paragraphs"]]
        title, document = file.rsplit(".", 1)[0], DocumentId(1 + list(texts).index(file))
        passages = []
        for place, number in enumerate(numbers):
            start, text = texts[file][number]
            end = start + len(text)
            passages.append(
                Passage(
                    *(ChunkId(1000 * document + number), document, title, start, end),
                    score=1.0 / (1 + place),
                    text=text,
                    best_start=start,
                    best_end=end,
                )
            )
        found.append(
            CapabilityQuestion(
                row["language"],
                row["question"],
                tuple(row["answers"]),
                tuple(passages),
                row.get("is_written", False),
            )
        )
    return found


def _split_paragraphs(text: str) -> list[tuple[int, str]]:
    """Return the paragraphs of a text with their offsets."""
    found, at = [], 0
    for part in text.split("\n\n"):
        found.append((at + len(part) - len(part.lstrip()), part.strip()))
        at += len(part) + 2
    return found


def _find_paragraph(paragraphs: Sequence[tuple[int, str]], words: str) -> int:
    [number] = [i for i, (_, text) in enumerate(paragraphs) if words in text]
    return number


# --- the check -----------------------------------------------------------------------------------


def check_capabilities(
    model: ChatModel,
    *,
    cancel: CancelToken | None = None,
    on_progress: ProgressCallback = ignore_progress,
    limit_s: float = LIMIT_S,
    questions: Sequence[CapabilityQuestion] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> ModelCapabilities:
    """Ask a model the questions of the check and return what it can do.

    A small model reads one passage at a time, as in the chat (`short_answers`), and writes the
    answers of which the citations are checked; a larger one writes all answers. After `limit_s`
    seconds what was measured is returned.

    Raises:
        Cancelled: `cancel` was set.
        EnvironmentProblem: the model can't run.
    """
    cancel = cancel or CancelToken()
    questions = load_capability_questions() if questions is None else questions
    check = _CapabilityCheck(model)
    started = clock()
    n_asked = 0
    with _stop_after(limit_s, cancel) as stop:
        on_progress(CapabilityProgress("loading", 0, len(questions)))
        model.count_tokens("")  # loads it, so that no time to a first word has this in it
        for place, one in enumerate(questions):
            if stop.cancelled or clock() - started >= limit_s:
                break
            spent = clock() - started
            left_s = spent / place * (len(questions) - place) if place else None
            on_progress(
                CapabilityProgress(
                    "asking", place, len(questions), left_s=left_s, question=one.text
                )
            )
            check.ask(one, stop)
            n_asked += not stop.cancelled
    cancel.check()
    return replace(
        check.build_result(),
        seconds=round(clock() - started, 1),
        n_asked=n_asked,
        n_questions=len(questions),
        checked_at=time.time(),
        version=__version__,
    )


@contextmanager
def _stop_after(seconds: float, cancel: CancelToken) -> Iterator[CancelToken]:
    """Yield a token that is set with `cancel`, and after so many seconds."""
    stop = CancelToken(cancel)
    timer = threading.Timer(seconds, stop.cancel)
    timer.start()
    try:
        yield stop
    finally:
        timer.cancel()
        timer.join()


class _CapabilityCheck:
    """Asks one question after another and counts what the answers are good for.

    An answer that was stopped counts for nothing.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._shares: dict[str, Share] = {}  # by the field of the result
        self._runs: list[ChatRun] = []
        self._first_s: list[float] = []

    def ask(self, one: CapabilityQuestion, stop: CancelToken) -> None:
        found = RetrievalResult(one.text, "naive", one.passages)
        try:
            is_short = suits_short_answer(found, QueryParam(), self._model)
            text = None
            if one.is_written or not is_short:
                text = self._write(one, stop)
                if one.is_written:
                    cites = has_valid_marks(text, len(one.passages))
                    self._count("citations", cites)
            if is_short:
                self._count_short(one, found, stop)
            elif text is not None:
                self._count_written(one, text)
        except Cancelled:
            return  # the caller looks whether the user or the time stopped it

    def build_result(self) -> ModelCapabilities:
        read_s = sum(run.prompt_s for run in self._runs)
        written_s = sum(run.written_s for run in self._runs)
        n_read = sum(run.n_prompt - run.n_reused for run in self._runs)
        none = Share()
        return ModelCapabilities(
            citations=self._shares.get("citations", none),
            refusals=self._shares.get("refusals", none),
            english=self._shares.get("english", none),
            chinese=self._shares.get("chinese", none),
            read_rate=round(n_read / read_s, 1) if read_s else 0.0,
            write_rate=(
                round(sum(run.n_written for run in self._runs) / written_s, 1) if written_s else 0.0
            ),
            first_s=round(median(self._first_s), 2) if self._first_s else 0.0,
        )

    def _count(self, measure: str, is_right: bool) -> None:
        self._shares[measure] = self._shares.get(measure, Share()).add(is_right)

    def _count_answer(self, one: CapabilityQuestion, is_right: bool) -> None:
        if not one.answers:
            self._count("refusals", is_right)
        else:
            self._count("chinese" if one.language == "zh" else "english", is_right)

    # --- a written answer -------------------------------------------------------------------------

    def _write(self, one: CapabilityQuestion, stop: CancelToken) -> str:
        """Return what the model writes for a question, as it is."""
        model, pieces, repetition = self._model, list[str](), RepetitionDetector()
        # the best passage last, as in the chat
        context = write_numbered(one.passages[::-1])
        messages = build_messages(one.text, context, "", QueryParam(), one.language)
        most = FORM_TOKENS[SHORT_FORM]
        started, first_s = time.monotonic(), 0.0
        for piece in model.stream(messages, max_tokens=most, cancel=stop):
            first_s = first_s or time.monotonic() - started
            pieces.append(piece)
            if repetition.add(piece):
                break
        stop.check()
        self._runs.append(model.last_run)
        self._first_s.append(first_s)
        text = "".join(pieces)[: repetition.cut].strip()
        return cut_unfinished(text) if model.count_tokens(text) >= most - 2 else text

    def _count_written(self, one: CapabilityQuestion, text: str) -> None:
        refuses = is_refused(text)
        if not one.answers:
            self._count_answer(one, refuses)
        else:
            is_right = not refuses and answer_in_text(one.answers, text) == 1.0
            self._count_answer(one, is_right and language_of(text) == one.language)

    # --- an answer from one passage at a time ----------------------------------------------------

    def _count_short(
        self, one: CapabilityQuestion, found: RetrievalResult, stop: CancelToken
    ) -> None:
        """Count what the model answers to one passage at a time, best first as in the chat.

        The first passage has the answer, if any has. To a question without one, the model must
        say none, or doubt what it wrote, compared with "the passage does not say": such an answer
        is not stated in the chat. That all words of an answer are in its passage is not asked for:
        the program sees to that, whatever the model.
        """
        reader = PassageReader(one.text, one.passages, one.language, MAX_READ)
        given = ""
        for answer in reader.read(self._model, stop):
            stop.check()
            if one.answers:
                given = answer.text
                break
            if answer.text and not self._is_doubted(answer, reader, found, stop):
                given = answer.text
                break
        stop.check()
        if not reader.answers:
            raise UserError("The model could not read the passages of the check.")
        if one.answers:
            self._count_answer(one, bool(given) and answer_in_text(one.answers, given) == 1.0)
        else:
            self._count_answer(one, not given)

    def _is_doubted(
        self,
        answer: ShortAnswer,
        reader: PassageReader,
        found: RetrievalResult,
        stop: CancelToken,
    ) -> bool:
        if not answer.is_proposed:
            return False  # it was not compared
        sources = reader.sources

        def judge(confidence: float) -> Verdict:
            return judge_short_answer(answer.text, answer.number, confidence, sources, found)

        verdict = judge(answer.confidence)
        if is_near(verdict, AGREEMENT):
            verdict = judge(reader.confirm(answer, self._model, stop))
        return verdict.is_unclear


def has_valid_marks(text: str, n_passages: int) -> bool:
    """Return whether every sentence of an answer has a mark [n], each of a passage that exists.

    A mark behind the full stop belongs to the sentence before it. A refusal has no sentence that
    could be cited.
    """
    if not text or is_refused(text):
        return False
    marks = [int(n) for mark in MARK.finditer(text) for n in read_numbers(mark.group())]
    if not marks or not all(1 <= n <= n_passages for n in marks):
        return False
    # blanks in place of marks, so that a mark is no sentence of its own
    bare = MARK.sub(lambda mark: " " * len(mark.group()), text)
    spans = [
        span
        for span in split_sentences(bare, language_of(text))
        if any(char.isalnum() for char in bare[slice(*span)])
    ]
    ends = [start for start, _ in spans[1:]] + [len(text)]
    return bool(spans) and all(
        MARK.search(text, start, end) for (start, _), end in zip(spans, ends, strict=True)
    )


# --- results of each model -----------------------------------------------------------------------


class CapabilityChecks:
    """Checks chat models, and keeps the last result of each model of this computer.

    Args:
        borrow_chat: gives a chat model by its name for as long as it is needed.
        scheduler: makes background work pause during a check, which it would slow down.
        kept: the file of results; None for the one of this computer.
    """

    def __init__(
        self,
        borrow_chat: Callable[[str], AbstractContextManager[ChatModel]],
        scheduler: WorkScheduler | None = None,
        kept: KeptByModel | None = None,
    ) -> None:
        self._borrow_chat = borrow_chat
        self._scheduler = scheduler or WorkScheduler()
        self._kept = kept or KeptByModel(paths.data_dir() / "model_capabilities.json")

    def find(self, row: ModelRow) -> ModelCapabilities | None:
        """Return the last result of a model, None if it was not checked."""
        return load_result(self._kept.find(_key_of(row)))

    def check(
        self,
        row: ModelRow,
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
    ) -> ModelCapabilities:
        """Check a model and keep the result.

        Raises:
            Cancelled: `cancel` was set; the result before is kept.
            UserError, EnvironmentProblem: the model can't be used.
        """
        found = self.check_borrowed(self._borrow_chat(row.name), cancel, on_progress)
        self._kept.store(_key_of(row), asdict(found))
        return found

    def check_borrowed(
        self,
        borrowed: AbstractContextManager[ChatModel],
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
    ) -> ModelCapabilities:
        """Check a model that was borrowed elsewhere, such as that of a server; keep no result.

        Raises:
            Cancelled: `cancel` was set.
            UserError, EnvironmentProblem: the model can't be used.
        """
        with self._scheduler.hold(Priority.QUESTION, cancel), borrowed as model:
            return check_capabilities(model, cancel=cancel, on_progress=on_progress)


def _key_of(row: ModelRow) -> str:
    return key_of_file(row.path) if row.path is not None else row.name
