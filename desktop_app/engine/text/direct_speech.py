"""Finds direct speech in a passage: the words of a person in the text, which need not be true.

A liar, a threat, a guess or a joke stands in quotation marks like the truth. The text vouches for
what it tells itself, so an answer may quote speech, but not state it as a fact.
"""

from __future__ import annotations

import re

from ..word_lists import WordLists
from ..writing_systems import has_han, stems
from .shown_text import Span

_LISTS = WordLists("speech")
_ENGLISH_REPORTING = re.compile(rf"\b(?:{'|'.join(sorted(_LISTS.words('english_reporting')))})\b")
_CHINESE_REPORTING = re.compile("|".join(_LISTS.longest_first("chinese_reporting")))
_CHINESE_OTHER = re.compile("|".join(_LISTS.longest_first("chinese_other")))
_PARAGRAPH = re.compile(r"(?:[^\n]|\n(?!\s*\n))+")
_PAIRS = {"“": "”", "「": "」", "『": "』"}
_CLOSING = {closing: opening for opening, closing in _PAIRS.items()}
# Marks that are also apostrophes, or alike at both ends: they open before a word and close after a
# stop. An apostrophe stands after a letter.
_ALIKE = frozenset("\"‘’'")
_ALIKE_OPENS = re.compile(r"(?<![^\s(\[—–-])[\"‘'](?=[\w“—])")
_CLOSES = re.compile(r"(?<=[.,;:!?…—–\-。，；：！？])[\"”」』’'](?!\w)")
_STOP = re.compile(r"[.,;:!?…。，；：！？]|--")
# A sentence that asks states nothing: "Is your master perhaps Tang Sanzang?"
QUESTION_END = re.compile(r"[?？][\s\"'”’」』)）]*$")


def find_speech(text: str) -> list[Span]:
    """Return the parts of a text that are direct speech, in order, without quotation marks.

    A speech has a stop in it; terms and titles have none. It ends with its mark, with its paragraph
    where that begins with it (it goes on in the next one), or with the text. A text that begins
    within a speech has a closing mark first.
    """
    spans: list[Span] = []
    for paragraph in _PARAGRAPH.finditer(text):
        spans += _find_in_paragraph(text, paragraph.start(), paragraph.end())
    return [(start, end) for start, end in spans if _STOP.search(text, start, end)]


def _find_in_paragraph(text: str, start: int, end: int) -> list[Span]:
    spans: list[Span] = []
    opening, begin = "", start
    for at in range(start, end):
        char = text[at]
        if not opening:
            if char in _PAIRS or (char in _ALIKE and _ALIKE_OPENS.match(text, at)):
                opening, begin = char, at + 1
            elif not spans and (char in _CLOSING or char == '"') and _CLOSES.match(text, at):
                spans.append((start, at))
        elif _CLOSING.get(char) == opening or (
            char in _ALIKE and _is_end(opening, char) and _CLOSES.match(text, at)
        ):
            spans.append((begin, at))
            opening = ""
    begins_with_it = not text[start : begin - 1].strip()
    if opening and (begins_with_it or (opening in _PAIRS and end == len(text))):
        spans.append((begin, end))
    return spans


def _is_end(opening: str, char: str) -> bool:
    return opening == char or (opening in "‘'" and char in "’'")


def is_from_speech(claim: str, text: str, span: Span) -> bool:
    """Return whether a claim has more words of the speech in a sentence than of the rest of it.

    Args:
        span: the sentence, in `text`.
    """
    start, end = span
    inside, outside, at = [], [], start
    for begin, stop in find_speech(text):
        if begin < end and stop > start:
            outside.append(text[at : max(at, begin)])
            at = min(stop, end)
            inside.append(text[max(begin, start) : at])
    outside.append(text[at:end])
    words = stems(claim)
    return len(words & stems(" ".join(inside))) > len(words & stems(" ".join(outside)))


def reports_speech(text: str) -> bool:
    """Return whether a sentence has a verb of speaking, such as 说."""
    if has_han(text):
        return _CHINESE_REPORTING.search(_CHINESE_OTHER.sub(" ", text)) is not None
    return _ENGLISH_REPORTING.search(text.casefold()) is not None
