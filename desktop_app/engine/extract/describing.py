"""Sentences on what the slots strategy found, for models that write soundly.

A pair whose tie is stated, and a name where the text introduces it, get one sentence in the words
of their passage, or none. The model is then asked whether the passage says so: it judges better
than it writes, and only what it stands by is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import exp

from ..asks import PASSAGE, Choice, Choose, Talk, Write, Written
from ..prompting import load_prompt
from ..types import STRUCK, ChatMessage, ChunkEvidence, Mention, NameClaim
from .guards import FaithfulGuard, count_own_words
from .passages import cut_passage, is_heading
from .slots_prompt import option, prompt_language
from .tasks import ChunkTask

LEAST_WEIGHT = 0.3  # of a mention that tells what its name is
MOST_NAMES = 10
MAX_TOKENS = 40
SAID_FROM = 0.6  # probability from which the passage says what was written
_NOTHING = {"en": "none", "zh": "无"}
_ANSWERS = {"en": ("yes", "no"), "zh": ("是", "否")}


@dataclass(frozen=True, slots=True)
class _Subject:
    """One name or two, with the passage that tells of them."""

    names: tuple[str, ...]
    text: str


@cache
def describe_messages(language: str) -> tuple[ChatMessage, ...]:
    """Return the instruction with its worked examples, and `PASSAGE` where the text goes."""
    instruction, *examples = load_prompt("describe", language).split("\n\n")
    messages = [ChatMessage("system", instruction)]
    for text, lines in (example.split("\n", 1) for example in examples):
        messages += [ChatMessage("user", text), ChatMessage("assistant", lines)]
    return (*messages, ChatMessage("user", PASSAGE))


def subject_line(names: Sequence[str], language: str) -> str:
    return f"{'与'.join(names)}：" if language == "zh" else f"{' & '.join(names)}:"


def check_line(sentence: str, language: str) -> str:
    return f"{sentence}（文中所说）：" if language == "zh" else f"{sentence} (said):"


def describe_talk(task: ChunkTask, found: ChunkEvidence) -> Talk:
    """Have sentences written on what was found in a chunk; return the evidence with them."""
    language = prompt_language(task.language)
    messages = describe_messages(language)
    written: list[tuple[_Subject, str]] = []
    for subject in _plan_subjects(task, found):
        guard = FaithfulGuard(subject.names, subject.text, _NOTHING[language])
        line = subject_line(subject.names, language)
        (reply,) = yield Write((line,), MAX_TOKENS, guard, (subject.text,), messages)
        if sentence := _read_sentence(reply, subject, language):
            written.append((subject, sentence))
    if not written:
        return found
    replies = yield Choose(
        tuple(check_line(sentence, language) for _, sentence in written),
        tuple(option(answer, language) for answer in _ANSWERS[language]),
        tuple(subject.text for subject, _ in written),
        messages,
    )
    said = {
        frozenset(subject.names): sentence
        for (subject, sentence), reply in zip(written, replies, strict=True)
        if _is_said(reply)
    }
    return _put_in(found, said)


def _plan_subjects(task: ChunkTask, found: ChunkEvidence) -> list[_Subject]:
    """Choose what gets a sentence: stated pairs, then the names that are introduced best."""
    subjects = [
        _Subject((r.source, r.target), cut_passage(task, r.start, r.end))
        for r in found.relations
        if r.kind and frozenset((r.source, r.target)) not in task.described
    ]
    struck = {claim.name for claim in found.names if claim.type == STRUCK}
    best: dict[str, Mention] = {}
    for mention in task.mentions:
        known = best.get(mention.name)
        if known is None or mention.weight > known.weight:
            best[mention.name] = mention
    introduced = [
        m
        for m in best.values()
        if m.weight >= LEAST_WEIGHT and m.name not in task.described and m.name not in struck
    ]
    introduced.sort(key=lambda m: (-m.weight, m.start))
    subjects += [
        _Subject((m.name,), cut_passage(task, m.sentence_start, m.sentence_end))
        for m in introduced[:MOST_NAMES]
    ]
    return [s for s in subjects if s.text and not is_heading(s.text)]


def _read_sentence(reply: Written, subject: _Subject, language: str) -> str:
    """Return what was written, "" if that is none, was cut off or says nothing."""
    sentence = " ".join(reply.text.split())
    if reply.ended != "finished" or sentence == _NOTHING[language]:
        return ""
    return sentence if count_own_words(sentence, subject.names) else ""


def _is_said(reply: Choice) -> bool:
    yes, no = (exp(logprob) for logprob in reply.logprobs)
    return yes > 0 and yes / (yes + no) >= SAID_FROM


def _put_in(found: ChunkEvidence, said: dict[frozenset[str], str]) -> ChunkEvidence:
    relations = tuple(
        replace(r, description=said.get(frozenset((r.source, r.target)), r.description))
        for r in found.relations
    )
    claims = {claim.name: claim for claim in found.names}
    for (name, *more), sentence in ((tuple(names), sentence) for names, sentence in said.items()):
        if not more:
            claims[name] = replace(claims.get(name, NameClaim(name)), description=sentence)
    return replace(found, relations=relations, names=tuple(claims.values()))
