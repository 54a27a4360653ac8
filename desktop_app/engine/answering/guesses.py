"""Answers that may be right: nothing was confirmed, and the passages are led by "Perhaps: …".

A small model often prefers a right answer only weakly (decisions 164, 166). Owns which unconfirmed
answer is shown, the words that introduce it, and how it is read back from the text of an answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..model import Answer, CheckedSentence, Passage
from ..text.chunking import split_sentences
from ..text.shown_text import Span
from ..writing_systems import language_of
from .citations import NOT_IN_READ, UNRELATED, cite, escape_within_line
from .claims import INTRODUCTION, JudgedPart, Verdict, find_missing_words, has_literally
from .short_answers import AGREEMENT

MIN_GUESS = 0.0  # the log-odds of a sentence
# The confidence of a short answer, with what the same answer from all passages together adds. Of
# nine answers between it and the limit for stating them seven are right; without the comparison
# and from 0 on eight of fourteen (decision 170).
MIN_SHORT_GUESS = 0.4
PERHAPS = {
    "en": "No answer was confirmed. Perhaps: {} [{}]. These passages come nearest:",
    "zh": "没有得到核实的答案。可能是：{} [{}]。最接近的段落如下：",
}
_PERHAPS = tuple(
    re.compile(re.escape(form).replace(r"\{\}", "(.+)", 1).replace(r"\{\}", r"(\d+)"))
    for form in PERHAPS.values()
)


@dataclass(frozen=True, slots=True)
class GuessedAnswer:
    """What a model answered with words of a passage, and was not sure of.

    Attributes:
        span: the sentence of the passage that it is from, in the document.
    """

    text: str
    passage: Passage
    span: Span


def find_guess(text: str) -> tuple[str, int] | None:
    """Return the answer that was not confirmed, and the number of its passage."""
    first = text.split("\n", 1)[0].strip()
    found = next((match for form in _PERHAPS if (match := form.fullmatch(first))), None)
    return (found[1], int(found[2])) if found else None


def may_be_guessed(verdict: Verdict) -> bool:
    """Return whether a rejected short answer could be shown if all passages together gave it."""
    return verdict.may_be_right and verdict.preferred + AGREEMENT >= MIN_SHORT_GUESS


def choose_short_guess(
    parts: Sequence[JudgedPart], sources: Sequence[Passage]
) -> GuessedAnswer | None:
    """Return the most likely of the short answers that the model was not sure of.

    None where a rule rejects all, and for a question in several parts.

    Args:
        sources: that were read.
    """
    if len(parts) != 1:
        return None
    unsure = (verdict for verdict in parts[0].rejected if verdict.may_be_right)
    best = max(unsure, key=lambda verdict: verdict.preferred, default=None)
    if best is None or best.preferred < MIN_SHORT_GUESS:
        return None
    return GuessedAnswer(best.claim.text, sources[best.claim.number - 1], best.claim.quote)


def choose_sentence_guess(answer: Answer, sources: Sequence[Passage]) -> GuessedAnswer | None:
    """Return the most likely sentence that only the model's own doubt rejected."""
    if answer.found.check is None:
        return None
    numbers = {int(source.chunk_id): number for number, source in enumerate(sources, 1)}
    likely = [
        one
        for one in answer.found.check.checked
        if one.chunk_id in numbers and _is_likely(one, sources[numbers[one.chunk_id] - 1].text)
    ]
    best = max(likely, key=lambda one: one.odds, default=None)
    if best is None:
        return None
    passage = sources[numbers[best.chunk_id] - 1]
    return GuessedAnswer(best.text, passage, (best.start, best.end))


def _is_likely(one: CheckedSentence, passage: str) -> bool:
    """Return whether a rejected sentence has only words of one sentence and the one before it.

    The one before can have the name for a pronoun. What a small model joins from more sentences,
    the text seldom says. A sentence that the passage has literally is quoted in any case.
    """
    if one.failed != "unclear" or one.odds < MIN_GUESS or has_literally(passage, one.text):
        return False
    sentences = split_sentences(passage, language_of(passage))
    before = [sentences[0], *sentences] if sentences else []
    pairs = zip(before, sentences, strict=False)
    return any(not find_missing_words(one.text, passage[a:b]) for (a, _), (_, b) in pairs)


def lead_with_guess(answer: Answer, guess: GuessedAnswer | None, language: str) -> Answer:
    """Return an answer that only quotes passages, introduced by the answer that may be right.

    It is returned as it is if it states something.
    """
    heads = (INTRODUCTION[language], NOT_IN_READ[language], UNRELATED[language])
    only_quotes = answer.text.startswith(heads)
    if guess is None or answer.stopped or not answer.citations or not only_quotes:
        return answer
    number = 1 + max(one.number for one in answer.citations)
    head = PERHAPS[language].format(escape_within_line(guess.text).rstrip(".。"), number)
    _, _, quotations = answer.text.partition("\n\n")
    citations = (*answer.citations, cite(number, guess.passage, *guess.span))
    return replace(answer, text=f"{head}\n\n{quotations}", citations=citations)
