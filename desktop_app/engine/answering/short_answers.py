"""Answers a question in a few words, by letting the model read the best passages one by one.

A small model finds a fact in the one passage that has it, and says "none" to the others, where it
misses the same fact in a prompt of several passages (decision 96). The passages are read in one
batch, which takes a third of the time of the whole prompt. Owns the prompt and the rules by which
an answer is proposed; `claims` decides whether it stands.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from ..llm.protocols import ChatModel
from ..model import ChatMessage, Passage, RetrievalResult
from ..progress import CancelToken
from ..prompt_files import load_prompt
from ..prompt_program import PASSAGE, OneLine, PromptProgram, Talk, Write, Written
from ..query import SHORT_FORM, QueryParam
from ..retrieval.strategies.book_ranking import asks_for_list
from ..retrieval.windows import extend_window
from ..writing_systems import has_han, stems

MOST_READ = 4  # passages; the fifth has the evidence for one question in thirty
LEAST_READ = 2  # passages without the answer, from which on the documents seem not to have it
ANSWER_TOKENS = 32
LARGE_MODEL = 3_000_000_000  # parameters; such a model finds the fact among several passages
_NONE = frozenset(("none", "无", "没有", "不知道", "not stated", "the passage does not say"))
_STOPS = ".。!！ "
_WORD_OR_HAN = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """What one passage answers.

    Attributes:
        text: the answer in words of the passage, "" where the passage does not say.
        number: of the source, from 1.
        certainty: mean log-probability of its tokens.
        is_whole: false where the model was stopped at the most tokens.
        asked: the user's message with the passage as the model read it.
    """

    text: str
    number: int
    certainty: float
    is_whole: bool = True
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Readings:
    """What the best sources answer, best source first.

    Attributes:
        answers: of the sources that the model could read.
        instruction: the system message of each prompt.
        is_complete: false where one of them could not be read, for example because it is too long.
    """

    answers: tuple[ShortAnswer, ...] = ()
    instruction: str = ""
    is_complete: bool = False

    @property
    def prompt(self) -> str:
        """All that was read: the instruction once, then the message of each passage."""
        return "\n\n".join((self.instruction, *(answer.asked for answer in self.answers)))

    @property
    def is_in_none(self) -> bool:
        """Whether the model read several passages and found the answer in none of them."""
        found = any(answer.text for answer in self.answers)
        return self.is_complete and len(self.answers) >= LEAST_READ and not found


def suits_short_answer(found: RetrievalResult, param: QueryParam, model: ChatModel) -> bool:
    """Return whether one passage can answer and the model is too small for many at once."""
    has_own_form = param.response_type not in ("", SHORT_FORM)
    has_own_prompt = bool(param.system_prompt or param.user_prompt)
    is_large = model.n_parameters >= LARGE_MODEL
    return not (has_own_form or has_own_prompt or is_large or asks_for_list(found.question))


def read_one_by_one(
    question: str,
    sources: Sequence[Passage],
    model: ChatModel,
    language: str,
    cancel: CancelToken | None = None,
) -> Readings:
    """Return what each of the best sources answers.

    Each is read alone, as its best window. Sources that were not read before `cancel` was set are
    left out.
    """
    system, user, line = (p.strip() for p in load_prompt("short_answer", language).split("---"))
    asked = user.format(passage=PASSAGE, question=question)
    messages = (ChatMessage("system", system), ChatMessage("user", asked))
    ask = Write((line,), ANSWER_TOKENS, OneLine())

    def talk() -> Talk:
        return (yield ask)

    best = sorted(range(len(sources)), key=lambda i: -sources[i].score)[:MOST_READ]
    texts = {i: _window(sources[i], question) for i in best}
    programs = [PromptProgram(i, messages, text, talk) for i, text in texts.items()]
    results = model.run_scripts(programs, cancel=cancel)
    written: dict[Hashable, Written] = {r.key: r.value[0] for r in results if r.value}
    answers = tuple(
        ShortAnswer(
            _clean(w.text),
            i + 1,
            w.mean_logprob,
            w.ended == "finished",
            asked.replace(PASSAGE, texts[i]),
        )
        for i in best
        if (w := written.get(i)) is not None
    )
    return Readings(answers, system, len(answers) == len(best))


def choose_proposals(
    answers: Sequence[ShortAnswer], question: str, sources: Sequence[Passage]
) -> list[ShortAnswer]:
    """Return the answers worth checking, the surest first, each text once.

    Left out are answers that are cut off or only repeat the question, and those with a word that
    their passage does not have: the model then speaks from elsewhere.
    """
    proposed: dict[str, ShortAnswer] = {}
    for answer in sorted(answers, key=lambda a: -a.certainty):
        key = "".join(_WORD_OR_HAN.findall(answer.text.casefold()))
        is_new = answer.is_whole and key and key not in proposed
        if is_new and _is_from(answer.text, question, sources[answer.number - 1]):
            proposed[key] = answer
    return list(proposed.values())


def _window(passage: Passage, question: str) -> str:
    start, end = extend_window(passage, (passage.best_start, passage.best_end), question)
    return " ".join(passage.text[start - passage.start : end - passage.start].split())


def _clean(text: str) -> str:
    text = " ".join(text.split())
    return "" if text.casefold().strip(_STOPS) in _NONE else text


def _is_from(text: str, question: str, passage: Passage) -> bool:
    """Return whether every word of an answer is in its passage or the question, and one is new."""
    if has_han(text):
        squeezed = "".join(_WORD_OR_HAN.findall(passage.text))
        parts = _WORD_OR_HAN.findall(text)
        return all(part in squeezed for part in parts) and any(p not in question for p in parts)
    own, asked = stems(text), stems(question)
    return bool(own - asked) and own <= stems(passage.text) | asked
