"""Finds known names in a text: the question's entities, and the titles that passages speak of.

A name is compared word by word, so that case, accents, width and punctuation don't count; words
of Chinese, Japanese and Korean are single characters. Pure: knows no database.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

import ahocorasick

_PARENTHESIS = re.compile(r"\s*[（(][^()（）]*[)）]\s*$")
_CJK_CLASS = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_CJK = re.compile(f"[{_CJK_CLASS}]")
_WORD = re.compile(f"[{_CJK_CLASS}]|[^\\W_{_CJK_CLASS}]+")
_TITLE_MARKS = "《》〈〉「」『』“”\"'"
MIN_LATIN_NAME = 3


def strip_title(title: str) -> str:
    """Return a title without marks and without what tells namesakes apart ("(film)")."""
    return _PARENTHESIS.sub("", title).strip().strip(_TITLE_MARKS).strip()


class _Folding(dict):
    """Character -> its plain lower-case form, one character each, learnt as texts bring them."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        plain = unicodedata.normalize("NFKC", character)
        plain = plain if len(plain) == 1 else character
        if not _CJK.match(plain):
            plain = unicodedata.normalize("NFD", plain)[0]
        lower = plain.lower()
        self[code] = lower if len(lower) == 1 else plain
        return self[code]


_FOLDING = _Folding()


def fold(text: str) -> str:
    """Return the text in one width, case and without accents, of the same length."""
    return text.lower() if text.isascii() else text.translate(_FOLDING)


def name_key(name: str) -> str:
    """Return a name's words with a space between them, "" if it is too short to be looked for."""
    words = _WORD.findall(fold(name))
    key = " ".join(words)
    if _CJK.search(key):
        return key if len(words) > 1 else ""
    return key if len(key) >= MIN_LATIN_NAME else ""


class NameFinder:
    """Finds many names in a short text at once, the longest where several overlap.

    Latin names must stand as whole words; case doesn't matter, so that "who is marley" works.
    """

    def __init__(self, names: Iterable[tuple[str, int]]) -> None:
        self._values: dict[str, list[int]] = {}
        self._longest: dict[str, int] = {}
        for name, value in names:
            self.add(name, value)

    def add(self, name: str, value: int) -> None:
        """Make one more name known; one too short to be looked for is left out."""
        key = name_key(name)
        if not key:
            return
        found = self._values.get(key)
        if found is not None:
            if value not in found:
                found.append(value)
            return
        self._values[key] = [value]
        first = key.partition(" ")[0]
        n_words = key.count(" ") + 1
        if n_words > self._longest.get(first, 0):
            self._longest[first] = n_words

    def lookup(self, name: str) -> list[int]:
        """Return the values of a name as a whole."""
        return self._values.get(name_key(name), [])

    def find(self, text: str) -> list[tuple[int, int, list[int]]]:
        """Return (start, end, values of the name) without overlaps, in reading order."""
        words = [(m.group(), m.start(), m.end()) for m in _WORD.finditer(fold(text))]
        hits = []
        for i, (first, start, _) in enumerate(words):
            for n in range(1, min(self._longest.get(first, 0), len(words) - i) + 1):
                found = self._values.get(" ".join(w[0] for w in words[i : i + n]))
                if found is not None:
                    hits.append((start, words[i + n - 1][2], found))
        hits.sort(key=lambda h: (h[0] - h[1], h[0]))
        taken: list[tuple[int, int, list[int]]] = []
        covered = bytearray(len(text))
        for start, end, found in hits:
            if not any(covered[start:end]):
                covered[start:end] = b"\x01" * (end - start)
                taken.append((start, end, found))
        return sorted(taken, key=lambda hit: hit[0])


class TitleScanner:
    """Finds which of many titles stand in many long texts; says which, not where."""

    def __init__(self, titles: Iterable[tuple[str, int]]) -> None:
        self._automaton = ahocorasick.Automaton()
        values: dict[str, list[int]] = {}
        for title, value in titles:
            if key := name_key(title):
                values.setdefault(f" {key} ", []).append(value)
        for key, found in values.items():
            self._automaton.add_word(key, (len(key), found))
        self._is_empty = not values
        if values:
            self._automaton.make_automaton()

    def scan(self, text: str) -> list[int]:
        """Return the values of the titles in a text, without those inside a longer one."""
        if self._is_empty:
            return []
        plain = f" {' '.join(_WORD.findall(fold(text)))} "
        hits = [(last - n + 1, last, found) for last, (n, found) in self._automaton.iter(plain)]
        if len(hits) > 1:
            hits = _outermost(hits)
        return list(dict.fromkeys(value for _, _, found in hits for value in found))


def _outermost(
    hits: Sequence[tuple[int, int, list[int]]],
) -> list[tuple[int, int, list[int]]]:
    """Return (start, end, values) that lie in no other; those that only touch are kept."""
    kept: list[tuple[int, int, list[int]]] = []
    reach = -1
    for hit in sorted(hits, key=lambda h: (h[0], -h[1])):
        if hit[1] > reach:
            kept.append(hit)
            reach = hit[1]
    return kept
