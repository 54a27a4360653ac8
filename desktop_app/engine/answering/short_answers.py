"""Answers a question in a few words, by letting the model read the best passages one by one.

A small model finds a fact in the one passage that has it, and says "none" to the others, where it
misses the same fact in a prompt of several passages (decision 96). The best passage is read first;
the next one only if its answer does not stand, so most answers need one short prompt (decision
97). In the same conversation the model chooses between its answer and "the passage does not say",
so that a passage is read once. An answer that is not sure enough alone is compared with what the
model answers from all these passages together (decision 113). Owns the prompts, the order of
reading and the rules by which an answer is proposed; `claims` decides whether it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ..llm.protocols import ChatModel
from ..model import ChatMessage, Passage, RetrievalResult
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ..prompt_files import load_prompt
from ..prompt_program import (
    PASSAGE,
    Choose,
    OneLine,
    PromptProgram,
    Talk,
    Write,
    Written,
    average_odds,
)
from ..query import SHORT_FORM, QueryParam
from ..retrieval.strategies.book_ranking import asks_for_list
from ..retrieval.windows import extend_window, widen_window
from ..writing_systems import has_han, stems
from .citations import read_numbers

READ_TOGETHER = 4  # passages of which an answer in doubt is compared with their common one
LEAST_READ = 2  # passages without the answer, from which on the documents seem not to have it
ANSWER_TOKENS = 32
# What the same answer from all passages together adds to the confidence of one from one passage.
# On 380 proposed answers (FairytaleQA, two novels), the area under the curve of right against
# wrong ones rises from 0.72, 0.77, 0.74, 0.84 to 0.75, 0.86, 0.79, 0.86 with it.
AGREEMENT = 0.5
LARGE_MODEL = 3_000_000_000  # parameters; such a model finds the fact among several passages
_NONE = frozenset(("none", "无", "没有", "不知道", "not stated", "the passage does not say"))
_STOPS = ".。!！ "
_WORD_OR_HAN = re.compile(r"[^\W_]+")
HAN_DIGITS = "〇零一二三四五六七八九十百千万亿兩两壹贰叁肆伍陆柒捌玖拾佰仟萬億"


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """What one passage answers.

    Attributes:
        text: the answer in words of the passage, "" where the passage does not say.
        number: of the source, from 1.
        is_proposed: whether it may be shown if it stands: it is complete, all its words are in the
            passage or the question, and one of them is not in the question.
        confidence: the model's log-odds of it against "the passage does not say", plus the mean
            log-probability of its tokens; 0 if it is not proposed. What a small model writes in
            doubt it may still prefer to nothing, and the other way round; both are needed.
        prompt: the user's message with the passage, as the model read it.
    """

    text: str
    number: int
    is_proposed: bool = False
    confidence: float = 0.0
    prompt: str = ""


@dataclass(slots=True)
class PassageReader:
    """Reads the best sources of one question one by one, each only once.

    Attributes:
        most_read: the number of sources that are read.
        answers: of the sources that were read, best source first.
    """

    question: str
    sources: Sequence[Passage]
    language: str
    most_read: int
    answers: list[ShortAnswer] = field(default_factory=list)
    _failed: set[int] = field(default_factory=set)  # numbers of sources that can't be read
    _joint: dict[tuple[int, ...], ShortAnswer | None] = field(default_factory=dict)

    def read(
        self,
        model: ChatModel,
        cancel: CancelToken | None = None,
        on_step: ProgressCallback = ignore_progress,
    ) -> Iterator[ShortAnswer]:
        """Yield the answer of each source, at first those known from earlier calls.

        Ends early once `cancel` is set. A source that the model can't read, for example because
        it is too long, is left out. `on_step` gets the place of a source before it is read.
        """
        yield from self.answers
        known = {answer.number for answer in self.answers} | self._failed
        best = self._find_best()
        for place, i in enumerate(best, 1):
            if i + 1 in known:
                continue
            reads = self.sources[i].chunk_id
            on_step(Progress("reading", place, len(best), chunk_id=reads))
            answer = self._read_source(i + 1, model, cancel)
            if cancel is not None and cancel.cancelled:
                return
            if answer is None:
                self._failed.add(i + 1)
            else:
                self.answers.append(answer)
                yield answer

    def confirm(
        self, answer: ShortAnswer, model: ChatModel, cancel: CancelToken | None = None
    ) -> float:
        """Return the confidence of an answer, higher if several passages together give it too.

        These are the `READ_TOGETHER` that are read in the same turn as its own; they are read once
        for all their answers. Where they can't be read, or where there is only one, the confidence
        stays.
        """
        best = self._find_best()
        first = best.index(answer.number - 1) // READ_TOGETHER * READ_TOGETHER
        together = tuple(best[first : first + READ_TOGETHER])
        if len(together) < 2:
            return answer.confidence
        if together not in self._joint:
            self._joint[together] = self._read_jointly(together, model, cancel)
        joint = self._joint[together]
        if joint is None:
            return answer.confidence
        return answer.confidence + AGREEMENT * measure_agreement(answer.text, joint.text)

    @property
    def prompt(self) -> str:
        """All that was read: the instruction once, then the message of each passage."""
        instruction = _load_parts(self.language)[0]
        joint = [one.prompt for one in self._joint.values() if one is not None]
        return "\n\n".join((instruction, *(answer.prompt for answer in self.answers), *joint))

    @property
    def texts(self) -> list[str]:
        """What the passages answered, alone and together."""
        joint = [one for one in self._joint.values() if one is not None]
        return [one.text for one in (*self.answers, *joint) if one.text]

    @property
    def is_in_none(self) -> bool:
        """Whether the model read several passages, all that it was given, and none answers."""
        n_read = min(len(self.sources), self.most_read)
        is_complete = len(self.answers) == n_read and not self._failed
        return is_complete and n_read >= LEAST_READ and not any(a.text for a in self.answers)

    def _find_best(self) -> list[int]:
        """Return the places of the sources that are read, best first."""
        places = sorted(range(len(self.sources)), key=lambda i: -self.sources[i].score)
        return places[: self.most_read]

    def _read_jointly(
        self, places: Sequence[int], model: ChatModel, cancel: CancelToken | None
    ) -> ShortAnswer | None:
        """Return what sources answer together, None if they can't be read.

        The best one is next to the question, where a small model reads best (decision 31).
        """
        instruction, _, line, _, _, asked = _load_parts(self.language)
        windows = [cut_window(self.sources[i], self.question) for i in places]
        passages = "\n\n".join(reversed(windows))
        prompt = asked.format(passages=passages, question=self.question)

        def talk() -> Talk:
            [written] = yield Write((line,), ANSWER_TOKENS, OneLine())
            return ShortAnswer(_clean(written.text), 0, prompt=prompt)

        return _run(instruction, prompt, talk, model, cancel)

    def _read_source(
        self, number: int, model: ChatModel, cancel: CancelToken | None
    ) -> ShortAnswer | None:
        """Return what a source answers, None if it could not be read."""
        source = self.sources[number - 1]
        instruction, asked, line, choice, nothing, _ = _load_parts(self.language)
        prompt = asked.format(passage=cut_window(source, self.question), question=self.question)

        def talk() -> Talk:
            [written] = yield Write((line,), ANSWER_TOKENS, OneLine())
            text = _clean(written.text)
            if not _is_proposed(text, written, self.question, source):
                return ShortAnswer(text, number, prompt=prompt)
            orders = ((text, nothing), (nothing, text))
            texts = tuple("\n" + choice.format(first=a, second=b) for a, b in orders)
            first, second = yield Choose(("", ""), ("A", "B"), texts)
            confidence = average_odds(first, second) + written.mean_logprob
            return ShortAnswer(text, number, True, confidence, prompt)

        return _run(instruction, prompt, talk, model, cancel)


def _run(
    instruction: str,
    prompt: str,
    talk: Callable[[], Talk],
    model: ChatModel,
    cancel: CancelToken | None,
) -> ShortAnswer | None:
    """Return the answer of one conversation, None where it was cancelled or can't be read.

    All that `talk` asks shares the prompt, which is read once.
    """
    messages = (ChatMessage("system", instruction), ChatMessage("user", prompt + PASSAGE))
    program = PromptProgram("", messages, "", talk)
    values = [result.value for result in model.run_programs([program], cancel=cancel)]
    return values[0] if values else None


def suits_short_answer(found: RetrievalResult, param: QueryParam, model: ChatModel) -> bool:
    """Return whether one passage can answer and the model is too small for many at once.

    A model that can't choose can't compare its answer with "the passage does not say".
    """
    if not model.can_choose:
        return False
    has_own_form = param.response_type not in ("", SHORT_FORM)
    has_own_prompt = bool(param.system_prompt or param.user_prompt)
    is_large = model.n_parameters >= LARGE_MODEL
    return not (has_own_form or has_own_prompt or is_large or asks_for_list(found.question))


def measure_agreement(one: str, other: str) -> float:
    """Return how many of their words two answers share, 0 to 1 (F1 of their stems)."""
    first, second = stems(one), stems(other)
    shared = len(first & second)
    return 2 * shared / (len(first) + len(second)) if shared else 0.0


def _load_parts(language: str) -> list[str]:
    return [part.strip() for part in load_prompt("short_answer", language).split("---")]


def cut_window(passage: Passage, question: str) -> str:
    window = extend_window(passage, (passage.best_start, passage.best_end), question)
    start, end = widen_window(passage, window)
    return " ".join(passage.text[start - passage.start : end - passage.start].split())


def _clean(text: str) -> str:
    text = " ".join(text.split())
    return "" if text.casefold().strip(_STOPS) in _NONE else text


def _is_proposed(text: str, written: Written, question: str, passage: Passage) -> bool:
    """Return whether an answer is whole, from its passage, and more than the question.

    With a word that the passage does not have, the model speaks from elsewhere.
    """
    if not text or written.ended != "finished":
        return False
    if has_han(text):
        squeezed = "".join(_WORD_OR_HAN.findall(passage.text))
        parts = _WORD_OR_HAN.findall(text)
        is_new = any(part not in question for part in parts)
        return is_new and all(_has_whole(squeezed, part) for part in parts)
    own, asked = stems(text), stems(question)
    numbers, asked_numbers = set(read_numbers(text)), set(read_numbers(question))  # are no stems
    is_known = own <= stems(passage.text) | asked
    is_known = is_known and numbers <= set(read_numbers(passage.text)) | asked_numbers
    return is_known and bool(own - asked or numbers - asked_numbers)


def _has_whole(passage: str, part: str) -> bool:
    """Return whether a text has a part of an answer that does not cut a Chinese number.

    "一千一百一十" is in "一千一百一十一个", but is another number.
    """
    before = f"(?<![{HAN_DIGITS}])" if part[0] in HAN_DIGITS else ""
    after = f"(?![{HAN_DIGITS}])" if part[-1] in HAN_DIGITS else ""
    return re.search(f"{before}{re.escape(part)}{after}", passage) is not None
