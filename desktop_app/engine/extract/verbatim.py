"""Follows, byte by byte, where in a text a name or a quote that is being written may stand.

Owns where a name may begin and end and what it can't hold. A short list of places is all that is
carried from byte to byte, so that a guard can go back at no cost.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from .locating import is_latin

LONGEST_NAME = 56
LONGEST_WIDE_NAME = 42  # fourteen Chinese characters
LONGEST_QUOTE = 240
_SPACE = re.compile(r"\s+")
_WIDE_GAP = re.compile(r"(?<=[\u2e80-\u9fff\uff00-\uffef]) (?=[\u2e80-\u9fff\uff00-\uffef])")
_NEVER_IN_NAMES = re.compile(
    r"[|;:!?\"“”,()\[\]{}<>=/\\…*_，。！？；：、（）【】《》〈〉「」『』—]|(?<=[a-z]{4})\.(?=\s|$)|(?<=\s)[-–](?=\s)"
)
_NEVER_FIRST = re.compile(
    r"(?:a|an|the|of|in|on|at|to|and|or|as|is|was|are|were|be|been|by|for|from|with|had|has|have|not|"
    r"no|so|but|if|when|then|there|what|which|his|its|their|our|your|my|[Hh]e|[Ss]he|[Ii]t|[Tt]hey|"
    r"[Hh]im|[Hh]er|[Tt]hem|[Ww]e|[Uu]s|[Yy]ou|I|[Mm]e|[Ww]ho|[Tt]his|[Tt]hat)\b"
)


class Verbatim:
    """A chunk's text as bytes, with the places where words begin and end."""

    def __init__(self, text: str, *, quote: bool = False) -> None:
        flat = _WIDE_GAP.sub("", _SPACE.sub(" ", text).strip())
        flat = flat.replace("|", "\x00") if quote else _NEVER_IN_NAMES.sub("\x00", flat)
        self._quote = quote
        self._bytes = bytearray()
        starts: dict[int, list[int]] = defaultdict(list)
        ends: set[int] = set()
        before = " "
        for at, char in enumerate(flat):
            place = len(self._bytes)
            encoded = char.encode("utf-8", "replace")
            starts_word = char.isalnum() and not (is_latin(char) and is_latin(before))
            if starts_word and (quote or not _NEVER_FIRST.match(flat, at)):
                starts[encoded[0]].append(place)
            if not (is_latin(char) and is_latin(before)):
                ends.add(place)
            self._bytes += encoded
            before = char
        ends.add(len(self._bytes))
        self._starts = {byte: tuple(places) for byte, places in starts.items()}
        self._ends = ends

    def starting_with(self, byte: int) -> tuple[int, ...]:
        return self._starts.get(byte, ())

    def follow(self, places: Sequence[int] | None, length: int, byte: int) -> tuple[int, ...]:
        """Return the places whose text goes on with this byte after `length` ones."""
        text, last = self._bytes, len(self._bytes)
        return tuple(p for p in places or () if p + length < last and text[p + length] == byte)

    def may_end(self, places: Sequence[int], length: int) -> bool:
        """Say whether words end after so many bytes, at one of the places."""
        return any(p + length in self._ends for p in places)

    def longest(self, byte: int) -> int:
        """Return the bytes after which the end of a word ends the name."""
        if self._quote:
            return LONGEST_QUOTE
        return LONGEST_NAME if byte < 0x80 else LONGEST_WIDE_NAME
