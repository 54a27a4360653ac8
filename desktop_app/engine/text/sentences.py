"""Sentence and paragraph splitting for any language, in one pass, as offsets.

Sentences contain all of the text except white space and never cross the end of a paragraph. A
line of hard-wrapped prose is not a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
MAX_SENTENCE = 600
_LONG_LINE = 120
_CJK_LANGUAGES = frozenset({"zh", "ja"})
_CLOSERS = "”’」』）)】》\\]\"'»›〉〕"
_CJK = "\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uffee"
_END = re.compile(
    f"(?P<wide>(?:[。！？｡]|(?<=[{_CJK}])(?:[!?．]|…{{1,2}})(?!\\d))[。！？!?…]*)[{_CLOSERS}]*"
    f"|(?P<latin>[.!?…]+[*_]*)[{_CLOSERS}]*[*_]*(?=\\s|$|[\u4e00-\u9fff])"
    "|(?P<other>[।॥؟۔])"
)
SENTENCE_END = re.compile(r"[.!?。！？…][\"'”’」』）)\]]*$")
_PARAGRAPH = re.compile(r"\n[^\S\n]*(?:\n\s*)+|\n")
_LAST_WORD = re.compile(r"[\w&]+(?:\.\w+)*$")
_NEXT = re.compile(r"\s*[“‘\"'«„(\[*_—–-]*(\S)")
_STARTS_ITEM = re.compile(
    r"[^\S\n]*(?:[-*+•·▪●]\s|\d{1,3}[.)、]\s|#{1,6}\s|\||>|[（(][一二三四五六七八九十\d]+[)）])"
)
_HEADING = re.compile(r"[^\S\n]*(?:#{1,6}\s|\|)")
_CUTS = (re.compile(r"[,;:，；：、—]\s*"), re.compile(r"\s+"))
_ABBREVIATION_WORDS = (
    "mr mrs ms messrs mme mlle dr prof st ste rev hon capt col gen lieut lt maj sgt gov sen rep "
    "jr sr esq vs etc cf ibid viz approx dept fig figs eq eqs sec ch chap pp vol vols ed eds "
    "trans e.g i.e eg ie al op cit inc ltd co corp bros mt ft nos jan feb apr jun jul "
    "aug sept oct nov dec bzw usw z.b d.h u.a bd hr nr str ca mm"
)
_OPEN_ENDED_WORDS = "etc al inc ltd co corp jr sr esq"
_BEFORE_NUMBER_WORDS = "no nos art fig figs sec ch chap pp vol vols eq eqs nr mar mon sat sun ca"
_ABBREVIATIONS = frozenset(_ABBREVIATION_WORDS.split())
# These often end a sentence: a capital letter after them starts a new one.
_OPEN_ENDED = frozenset(_OPEN_ENDED_WORDS.split())
_BEFORE_NUMBER = frozenset(_BEFORE_NUMBER_WORDS.split())


def split_sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Return start and end of every sentence, in order, trimmed.

    Each character except white space is in exactly one sentence. Sentences over `MAX_SENTENCE`
    characters are cut at commas or spaces.
    """
    spans: list[tuple[int, int]] = []
    for start, end in split_paragraphs(text, language):
        for first, last in _sentences_of(text, start, end):
            spans.extend(_cut_long(text, first, last))
    return spans


def split_paragraphs(text: str, language: str) -> list[tuple[int, int]]:
    """Return start and end of every paragraph, trimmed, in order."""
    spans: list[tuple[int, int]] = []
    start = line_start = 0
    for match in _PARAGRAPH.finditer(text):
        blank = match.group().count("\n") > 1
        if blank or _newline_ends(text, line_start, match.start(), language):
            _append_trimmed(spans, text, start, match.start())
            start = match.end()
        line_start = match.end()
    _append_trimmed(spans, text, start, len(text))
    return spans


def _append_trimmed(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def _newline_ends(text: str, line_start: int, at: int, language: str) -> bool:
    """Return whether the line break at `at` ends a paragraph, judged by the lines around it."""
    following = text.find("\n", at + 1, at + 1 + _LONG_LINE)
    next_end = following if following >= 0 else min(len(text), at + 1 + _LONG_LINE)
    next_line = text[at + 1 : next_end]
    if _STARTS_ITEM.match(next_line) or _HEADING.match(text, line_start, at):
        return True
    length = at - line_start
    if language not in _CJK_LANGUAGES:
        return length >= _LONG_LINE or len(next_line) >= _LONG_LINE
    # Chinese text with lines of equal width that break inside sentences: the paragraph goes on.
    wrapped = (
        20 <= length <= 60
        and (text[at - 1].isalnum() or text[at - 1] in "，、；")
        and next_line[:1].strip() != ""
        and len(next_line) <= length + 2
    )
    return not wrapped


def _sentences_of(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    at = start
    for match in _END.finditer(text, start, end):
        if match.lastgroup == "latin" and not _latin_ends(text, at, match, end):
            continue
        _append_trimmed(spans, text, at, match.end())
        at = match.end()
    _append_trimmed(spans, text, at, end)
    return spans


def _latin_ends(text: str, sentence_start: int, match: re.Match[str], end: int) -> bool:
    following = _NEXT.match(text, match.end(), end)
    if following is None:
        return True
    next_char = following.group(1)
    if next_char.islower():
        return False
    mark = match.group("latin").rstrip("*_")
    if mark != ".":
        return True
    before = _LAST_WORD.search(text, max(sentence_start, match.start() - 24), match.start())
    if before is None:
        return True
    word = before.group()
    lower = word.lower()
    if lower in _BEFORE_NUMBER:
        return not next_char.isdigit() and lower != "fig"
    if lower in _ABBREVIATIONS:
        return lower in _OPEN_ENDED and next_char.isupper() and word[0].islower()
    if len(word) == 1 and word.isupper() and word != "I":
        return False
    if word.isdigit() or re.fullmatch("[IVXLC]+", word):
        # In "3. The third point" the number is part of the sentence, not a sentence of its own.
        return before.start() > sentence_start
    return True


def _cut_long(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    while end - start > MAX_SENTENCE:
        cut = start + MAX_SENTENCE
        for pattern in _CUTS:
            found = list(pattern.finditer(text, start + MAX_SENTENCE // 2, cut))
            if found:
                cut = found[-1].end()
                break
        _append_trimmed(spans, text, start, cut)
        start = cut
    _append_trimmed(spans, text, start, end)
    return spans


def choose_introductions(
    candidates: Sequence[T], limit: int, text_of: Callable[[T], str] = str
) -> list[T]:
    """Return the first `limit` items that are complete sentences, without copies.

    If no item is a complete sentence (tables, lists), all items are candidates.
    """
    kept: list[T] = []
    seen: set[str] = set()
    complete = [item for item in candidates if SENTENCE_END.search(text_of(item).strip())]
    for item in complete or candidates:
        plain = "".join(c for c in text_of(item) if c.isalnum())
        if plain in seen:
            continue
        seen.add(plain)
        kept.append(item)
        if len(kept) == limit:
            break
    return kept
