"""Splits a question in several parts ("Who stole it, and when was it found?") into its parts.

A small model answers one part and leaves the other out without a word, so each part is answered
by itself. Only parts that are whole questions are split: each has its own question word, and in
English the word order of a direct question, so that "the difference between what he said and what
he did" stays one.

Of 4,244 questions with one answer (CMRC2018, FairytaleQA), one is split.
"""

from __future__ import annotations

import re

from ..writing_systems import has_han

MOST_PARTS = 3  # of more, a list is asked for, or something that is no question
LEAST_HAN = 5  # characters of a later Chinese part: not "为什么" after a comma
_PREPOSITION = r"(?:(?:at|by|for|from|in|of|on|to|under|with)\s+)?"
_WORD = r"(?:who|whom|whose|what|which|when|where|why|how)"
_JOINT = re.compile(
    rf"[,;]?\s+(?:and|but)\s+(?={_PREPOSITION}{_WORD}\b)|(?<=\?)\s+(?:and\s+)?", re.IGNORECASE
)
_OPENING = re.compile(
    rf"\s*{_PREPOSITION}(?P<word>{_WORD})\s+(?P<next>[\w'’]+)(?P<rest>(?:\s+[\w'’]+){{1,3}})",
    re.IGNORECASE,
)
_AUXILIARIES = frozenset(
    "is are was were do does did has have had can could will would should may might must".split()
)
# With the subject before its verb, a question is indirect and belongs to the words before it.
_SUBJECTS = frozenset(
    "i you he she it we they the a an my your his her its our their this that these those".split()
)
_STOP_ZH = re.compile(r"(?<=[，,；;？?])\s*")
# Not 任何 (any), 何况 (let alone), 哪怕 (even if), 几乎 (almost), and 几 only where it counts:
# it begins names such as 几内亚.
_ASKS_ZH = re.compile(
    r"谁|誰|什么|甚么|什麼|甚麼|(?<!任)何(?![况況])|哪(?!怕)|怎|多少|为啥"
    r"|[几幾][个個位次年天人只隻条條座岁歲种種名月日回章卷册冊本段句里家]"
)
_WHEN_ZH = re.compile(r"(?:时|時|时候|時候|情况下|情況下|之下|后|後|之前|以前)[，,]?$")


def split_question(question: str) -> list[str]:
    """Return the parts of a question in their order, each with a question mark.

    A question in one part, or in too many, is returned alone, as it is.
    """
    parts = _split_chinese(question) if has_han(question) else _split_english(question)
    if not 1 < len(parts) <= MOST_PARTS:
        return [question]
    mark = "？" if has_han(question) else "?"
    bare = (part.strip(" ,;，；?？") for part in parts)
    return [f"{part[:1].upper()}{part[1:]}{mark}" for part in bare]


def _split_english(question: str) -> list[str]:
    parts: list[str] = []
    start = 0  # of the last part
    for joint in _JOINT.finditer(question):
        following = question[joint.end() :]
        if _is_direct(question[start : joint.start()]) and _is_direct(following):
            parts.append(question[start : joint.start()])
            start = joint.end()
    return [*parts, question[start:]]


def _is_direct(part: str) -> bool:
    """Return whether a text begins with a direct question that is more than its first words.

    "When" of "When and where was he born?" is no part.
    """
    opening = _OPENING.match(part)
    if opening is None:
        return False
    following, *rest = (opening["next"] + opening["rest"]).split()
    if following in _AUXILIARIES:
        return True
    if following[:1].isupper():  # "which English port did", "why Rachel left"
        return not _AUXILIARIES.isdisjoint(rest)
    if opening["word"].casefold() == "how":  # "how tired he was"
        return _SUBJECTS.isdisjoint((following.casefold(), rest[0].casefold()))
    return following.casefold() not in _SUBJECTS


def _split_chinese(question: str) -> list[str]:
    """Split after a stop where both sides have a question word.

    Words that say when something is asked ("在什么情况下，") belong to what follows.
    """
    parts, asks = [""], False
    for clause in _STOP_ZH.split(question):
        is_question = _ASKS_ZH.search(clause) is not None
        if asks and is_question and len(clause.strip("，,；;？?")) >= LEAST_HAN:
            parts.append("")
            asks = False
        parts[-1] += clause
        asks = asks or (is_question and _WHEN_ZH.search(clause) is None)
    return parts
