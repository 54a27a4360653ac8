"""Finds known names in a text: the question's entities, and the titles that passages speak of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import ahocorasick

_PARENTHESIS = re.compile(r"\s*[（(][^()（）]*[)）]\s*$")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_TITLE_MARKS = "《》〈〉「」『』“”\"'"
MIN_LATIN_NAME = 3


def strip_title(title: str) -> str:
    """Return a title without marks and without what tells namesakes apart ("(film)")."""
    return _PARENTHESIS.sub("", title).strip().strip(_TITLE_MARKS).strip()


def fold(text: str) -> str:
    """Return the text in one width and case with the same length, so that offsets stay."""
    folded = []
    for character in text:
        plain = unicodedata.normalize("NFKC", character)
        plain = plain if len(plain) == 1 else character
        lower = plain.lower()
        folded.append(lower if len(lower) == 1 else plain)
    return "".join(folded).replace("’", "'").replace("‘", "'")


class NameFinder:
    """Finds many names in a text at once, the longest where several overlap.

    Latin names must stand as whole words; case doesn't matter, so that "who is marley" works.
    """

    def __init__(self, names: Iterable[tuple[str, int]]) -> None:
        self._automaton = ahocorasick.Automaton()
        values: dict[str, list[int]] = {}
        for name, value in names:
            key = fold(name.strip())
            is_cjk = bool(_CJK.search(key))
            if len(key) < (2 if is_cjk else MIN_LATIN_NAME):
                continue
            found = values.setdefault(key, [])
            if value not in found:
                found.append(value)
        for key, found in values.items():
            self._automaton.add_word(key, (len(key), found))
        self._is_empty = not values
        if values:
            self._automaton.make_automaton()

    def find(self, text: str) -> list[tuple[int, int, list[int]]]:
        """Return (start, end, values of the name) without overlaps, in reading order."""
        if self._is_empty:
            return []
        folded = fold(text)
        hits = []
        for last, (length, found) in self._automaton.iter(folded):
            start, end = last + 1 - length, last + 1
            if _is_whole(folded, start, end):
                hits.append((start, end, found))
        hits.sort(key=lambda h: (h[0] - h[1], h[0]))
        taken: list[tuple[int, int, list[int]]] = []
        covered = bytearray(len(folded))
        for start, end, found in hits:
            if not any(covered[start:end]):
                covered[start:end] = b"\x01" * (end - start)
                taken.append((start, end, found))
        return sorted(taken)


def _is_whole(text: str, start: int, end: int) -> bool:
    if not _CJK.match(text[start]) and start and text[start - 1].isalnum():
        return bool(_CJK.match(text[start - 1]))
    if not _CJK.match(text[end - 1]) and end < len(text) and text[end].isalnum():
        return bool(_CJK.match(text[end]))
    return True
