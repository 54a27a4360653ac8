"""Verifies a generated answer against its sources: citations, and signs of weak support."""

from __future__ import annotations

from dataclasses import replace

from ..model import Answer
from ..text.chunking import split_sentences
from .answer_templates import OWN_WORDS, WEAK, is_refusal
from .citations import check_marks, is_in_their_words
from .context import Context


def verify(answer: Answer, context: Context) -> Answer:
    """Return the answer with checked citations; a refusal gets none."""
    sources = () if is_refusal(answer.text) else context.sources
    text, citations = check_marks(answer.text, sources, split_sentences, answer.found.question)
    return replace(answer, text=text, citations=citations)


def describe_doubt(answer: Answer, context: Context, language: str) -> str:
    """Return the warning for an answer with weak support, "" for others."""
    if answer.found.weak:
        return WEAK[language]
    if answer.stopped or is_refusal(answer.text):
        return ""
    question = answer.found.question
    backed = is_in_their_words(answer.text, context.sources, question)
    return "" if backed else OWN_WORDS[language]


def append_text(answer: Answer, text: str) -> Answer:
    return replace(answer, text=f"{answer.text}\n\n{text}".strip())
