"""Finds known names in a text: entities in a question, titles in passages.

Names are compared word by word, ignoring case, accents, width and punctuation; in Chinese,
Japanese and Korean each character is a word. Knows no database.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

import ahocorasick

from ..writing_systems import CJK

_PARENTHESIS = re.compile(r"\s*[（(][^()（）]*[)）]\s*$")
_CJK = re.compile(f"[{CJK}]")
_WORD = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")
_TITLE_MARKS = "《》〈〉「」『』“”\"'"
MIN_LATIN_NAME = 3


def strip_title(title: str) -> str:
    """Return a title without quotation marks and without a qualifier such as "(film)"."""
    return _PARENTHESIS.sub("", title).strip().strip(_TITLE_MARKS).strip()


class _CharacterMap(dict[int, str]):
    """Code point -> lower-case character without accent; filled on first use of a character."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        plain = unicodedata.normalize("NFKC", character)
        plain = plain if len(plain) == 1 else character
        if not _CJK.match(plain):
            plain = unicodedata.normalize("NFD", plain)[0]
        lower = plain.lower()
        self[code] = lower if len(lower) == 1 else plain
        return self[code]


_CHARACTER_MAP = _CharacterMap()


def normalise_characters(text: str) -> str:
    """Return the text in lower case and normal width without accents; the length is the same."""
    return text.lower() if text.isascii() else text.translate(_CHARACTER_MAP)


def name_key(name: str) -> str:
    """Return the words of a name separated by spaces; "" if it is too short to search for."""
    words = _WORD.findall(normalise_characters(name))
    key = " ".join(words)
    if _CJK.search(key):
        return key if len(words) > 1 else ""
    return key if len(key) >= MIN_LATIN_NAME else ""


class NameFinder:
    """Finds many names in a short text; of overlapping names the longest.

    Latin names match whole words in any case, so that "who is marley" works.
    """

    def __init__(self, names: Iterable[tuple[str, int]]) -> None:
        self._values: dict[str, list[int]] = {}
        self._longest: dict[str, int] = {}
        for name, value in names:
            self.add(name, value)

    def add(self, name: str, value: int) -> None:
        """Add a name; ignored if it is too short to search for."""
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
        """Return the values of exactly this name."""
        return self._values.get(name_key(name), [])

    def find(self, text: str) -> list[tuple[int, int, list[int]]]:
        """Return (start, end, values) of the names in a text, without overlaps, in order."""
        words = [
            (m.group(), m.start(), m.end()) for m in _WORD.finditer(normalise_characters(text))
        ]
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
    """Finds which of many titles occur in long texts, without their positions (Aho-Corasick)."""

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
        """Return the values of the titles in a text, except those inside a longer title."""
        if self._is_empty:
            return []
        plain = f" {' '.join(_WORD.findall(normalise_characters(text)))} "
        hits = [(last - n + 1, last, found) for last, (n, found) in self._automaton.iter(plain)]
        if len(hits) > 1:
            hits = _outermost(hits)
        return list(dict.fromkeys(value for _, _, found in hits for value in found))


def _outermost(hits: Sequence[tuple[int, int, list[int]]]) -> list[tuple[int, int, list[int]]]:
    """Return the hits that are not inside another one."""
    kept: list[tuple[int, int, list[int]]] = []
    reach = -1
    for hit in sorted(hits, key=lambda h: (h[0], -h[1])):
        if hit[1] > reach:
            kept.append(hit)
            reach = hit[1]
    return kept
