"""Finds names and quotes in one passage, whatever their case, width, quotes and spaces.

Pure. Gives offsets of the document, and the sentence that each stands in.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from ...graph.names import normalise_name
from ...text.sentences import split_sentences
from .laying import Span

_QUOTES = str.maketrans("’‘‛`´“”„«»–—‐•・‧_", "'''''\"\"\"\"\"---··· ")
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_WORD = re.compile(r"[^\W\d_]{3,}|[\u4e00-\u9fff]{2}")


def fold(text: str) -> tuple[str, list[int]]:
    """Return a text as names are compared in it, and the offset of each of its characters."""
    folded: list[str] = []
    places: list[int] = []
    blank = True
    for i, char in enumerate(text):
        if char.isspace() or char == "_":
            if not blank:
                folded.append(" ")
                places.append(i)
            blank = True
            continue
        blank = False
        plain = char.lower() if char < "\x80" else unicodedata.normalize("NFKC", char).casefold()
        for c in plain.translate(_QUOTES):
            folded.append(c)
            places.append(i)
    return "".join(folded), places


class Passage:
    """One chunk of a document, in which names are looked for."""

    def __init__(self, document: int, order: int, start: int, text: str, language: str) -> None:
        self.document, self.order, self.start, self.text = document, order, start, text
        self.end = start + len(text)
        self._language = language
        self._found: dict[str, list[Span]] = {}

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        return fold(self.text)

    @cached_property
    def sentences(self) -> list[Span]:
        found = split_sentences(self.text, self._language) or [(0, len(self.text))]
        return [(a + self.start, b + self.start) for a, b in found]

    def find(self, name: str) -> list[Span]:
        """Return every place of a name: as it is, else as its key, else without a bracket."""
        if name not in self._found:
            variants = [fold(name)[0].strip(), normalise_name(name)]
            variants.append(fold(re.sub(r"\s*[(（].*?[)）]\s*$", "", name))[0].strip())
            spans: list[Span] = []
            for variant in dict.fromkeys(v for v in variants if v):
                spans = self._find_folded(variant)
                if spans:
                    break
            self._found[name] = spans
        return self._found[name]

    def _find_folded(self, name: str) -> list[Span]:
        text, places = self._folded
        spans: list[Span] = []
        at = text.find(name)
        while at >= 0:
            end = at + len(name)
            if _ends_word(text, at) and _ends_word(text, end):
                last = places[end - 1]
                spans.append((self.start + places[at], self.start + last + 1))
                at = text.find(name, end)
            else:
                at = text.find(name, at + 1)
        return spans

    def sentence_at(self, offset: int) -> Span:
        """Return the sentence that an offset lies in, or the last that begins before it."""
        at = bisect_right(self.sentences, (offset, self.end)) - 1
        return self.sentences[max(0, at)]

    def sentence_like(self, name: str, said: Iterable[str]) -> Span:
        """Return the sentence with most words of a name and of what is said; the first if none."""
        own, other = _words(name), _words(" ".join(said))
        return max(
            self.sentences,
            key=lambda s: (
                4 * len(own & (here := _words(self.text[s[0] - self.start : s[1] - self.start])))
                + len(other & here),
                -s[0],
            ),
        )

    def find_quote(self, quote: str) -> Span | None:
        """Return where a quote stands, without its marks and outer white space."""
        text, places = self._folded
        wanted = fold(quote)[0].strip(" \"'.…")
        at = text.find(wanted) if len(wanted) >= 8 else -1
        if at < 0:
            return None
        return self.start + places[at], self.start + places[at + len(wanted) - 1] + 1


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _ends_word(text: str, at: int) -> bool:
    """Whether a name may begin or end here: not inside a word of a script with spaces."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    return not (
        before.isalnum() and after.isalnum() and not _CJK.match(before) and not _CJK.match(after)
    )
