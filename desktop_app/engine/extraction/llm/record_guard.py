"""The guard of the free form: a model may only write valid records with names of the text.

Owns the record forms, the allowed content of each field and the end of a list. Works on bytes,
because a token may contain part of a character. Names and quotations must occur in the chunk's
text, word for word.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, auto
from functools import lru_cache
from typing import ClassVar

from .evidence_placement import is_latin_char

# In bytes, after which a field ends with its current word.
MAX_NAME_BYTES = 56
MAX_WIDE_NAME_BYTES = 42  # fourteen Chinese characters
MAX_QUOTE_BYTES = 240
MAX_CLAIMS = (
    40  # as many as entities and relations; a chunk states fewer, a model that repeats more
)
_SPACE_BYTES = re.compile(r"\s+")
_WIDE_GAP = re.compile(r"(?<=[\u2e80-\u9fff\uff00-\uffef]) (?=[\u2e80-\u9fff\uff00-\uffef])")
_NEVER_IN_NAMES = re.compile(
    r"[|;:!?\"“”,()\[\]{}<>=/\\…*_，。！？；：、（）【】《》〈〉「」『』—]|(?<=[a-z]{4})\.(?=\s|$)|(?<=\s)[-–](?=\s)"
)
_NEVER_FIRST = re.compile(
    r"(?:a|an|the|of|in|on|at|to|and|or|as|is|was|are|were|be|been|by|for|from|with|had|has|have|not|"
    r"no|so|but|if|when|then|there|what|which|his|its|their|our|your|my|[Hh]e|[Ss]he|[Ii]t|[Tt]hey|"
    r"[Hh]im|[Hh]er|[Tt]hem|[Ww]e|[Uu]s|[Yy]ou|I|[Mm]e|[Ww]ho|[Tt]his|[Tt]hat)\b"
)


class VerbatimIndex:
    """A chunk's text as bytes, with the positions where words begin and end."""

    def __init__(self, text: str, *, quote: bool = False) -> None:
        flat = _WIDE_GAP.sub("", _SPACE_BYTES.sub(" ", text).strip())
        flat = flat.replace("|", "\x00") if quote else _NEVER_IN_NAMES.sub("\x00", flat)
        self._quote = quote
        self._bytes = bytearray()
        starts: dict[int, list[int]] = defaultdict(list)
        ends: set[int] = set()
        before = " "
        for at, char in enumerate(flat):
            place = len(self._bytes)
            encoded = char.encode("utf-8", "replace")
            starts_word = char.isalnum() and not (is_latin_char(char) and is_latin_char(before))
            if starts_word and (quote or not _NEVER_FIRST.match(flat, at)):
                starts[encoded[0]].append(place)
            if not (is_latin_char(char) and is_latin_char(before)):
                ends.add(place)
            self._bytes += encoded
            before = char
        ends.add(len(self._bytes))
        self._starts = {byte: tuple(places) for byte, places in starts.items()}
        self._ends = ends

    def starting_with(self, byte: int) -> tuple[int, ...]:
        return self._starts.get(byte, ())

    def follow(self, places: Sequence[int] | None, length: int, byte: int) -> tuple[int, ...]:
        """Return the positions whose text has this byte after `length` bytes."""
        text, last = self._bytes, len(self._bytes)
        return tuple(p for p in places or () if p + length < last and text[p + length] == byte)

    def may_end(self, places: Sequence[int], length: int) -> bool:
        """Return whether a word ends `length` bytes after one of the positions."""
        return any(p + length in self._ends for p in places)

    def longest(self, byte: int) -> int:
        """Return the length in bytes from which a field ends with its current word.

        Args:
            byte: the first byte of the field: limits differ for Latin and Chinese names.
        """
        if self._quote:
            return MAX_QUOTE_BYTES
        return MAX_NAME_BYTES if byte < 0x80 else MAX_WIDE_NAME_BYTES


class Content(IntEnum):
    """What the fields of records may contain."""

    NAME = auto()
    """A name, word for word as in the text."""
    NAME_OR_NONE = auto()
    """A name of the text, or "none"."""
    TYPE = auto()
    """One of the types of entities of the guard."""
    STATUS = auto()
    """Whether a claim is true, false or suspected."""
    NUMBER = auto()
    """A whole number from 1 to 10."""
    WORDS = auto()
    """A few free words."""
    TEXT = auto()
    """A free sentence."""
    DATE = auto()
    """A date in free words."""
    QUOTE = auto()
    """Words of the text, with their punctuation."""


_VERBATIM = frozenset((Content.NAME, Content.NAME_OR_NONE, Content.QUOTE))
_CHOSEN = frozenset((Content.TYPE, Content.STATUS, Content.NUMBER))
FORMS: dict[bytes, tuple[Content, ...]] = {
    b"entity": (Content.NAME, Content.TYPE, Content.TEXT),
    b"relation": (Content.NAME, Content.NAME, Content.WORDS, Content.TEXT, Content.NUMBER),
    b"claim": (
        Content.NAME,
        Content.NAME_OR_NONE,
        Content.WORDS,
        Content.STATUS,
        Content.DATE,
        Content.DATE,
        Content.QUOTE,
    ),
}
_DONE = b"done"
_MAX_REPEATS = 3
_MAX_BYTES = {  # of free text; the last word may exceed it
    Content.WORDS: 70,
    Content.TEXT: 240,
    Content.DATE: 24,
}
_MAX_EXCESS = 40  # bytes by which the last word may exceed it
_STATUSES = (b"true", b"false", b"suspected")
_NUMBERS = tuple(str(n).encode() for n in range(1, 11))
_NONE = b"none"
_BAR, _LINE_END, _SPACE = ord("|"), ord("\n"), ord(" ")
_FIRST_OF_SEVERAL = 0x80  # smaller bytes are characters of their own in UTF-8


@lru_cache(maxsize=64)
def _index(text: str, *, quote: bool) -> VerbatimIndex:
    return VerbatimIndex(text, quote=quote)


@dataclass(frozen=True, slots=True)
class RecordGuard:
    """Restricts a reply to a list of records; see `prompt_program.Guard`.

    Args:
        text: the chunk, which must contain every name.
        begun: start of the line that is already written ("entity |").
        names, pairs: those of earlier lists; written again they count as repeated.
        forms: the allowed records.
    """

    # `parsing` and `evidence_placement` leave out what it rejects
    is_advisory: ClassVar[bool] = True
    text: str
    types: tuple[str, ...]
    max_entities: int = 40
    max_relations: int = 40
    begun: str = ""
    names: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    forms: tuple[str, ...] = ("entity", "relation")

    def begin(self) -> RecordState:
        state = RecordState(self)
        if self.begun and not state.take(self.begun.encode()):
            raise ValueError(f"no record begins with {self.begun!r}")
        return state


class RecordState:
    """State of a list while it is written. A rejected piece leaves it unchanged."""

    def __init__(self, guard: RecordGuard) -> None:
        self._written = _WrittenList(
            guard,
            names=frozenset(name.casefold().encode() for name in guard.names),
            pairs=frozenset(
                frozenset((a.casefold().encode(), b.casefold().encode())) for a, b in guard.pairs
            ),
            n_left={
                b"entity": guard.max_entities,
                b"relation": guard.max_relations,
                b"claim": MAX_CLAIMS,
            },
        )

    def take(self, piece: bytes) -> bool:
        """Accept the bytes of a token if they may come next; else return False, unchanged."""
        longer = replace(self._written)
        for byte in piece:
            if longer.is_ended or not longer.take_byte(byte):
                return False
        self._written = longer
        return True

    @property
    def may_end(self) -> bool:
        return self._written.may_end

    @property
    def must_end(self) -> bool:
        return self._written.is_ended


@dataclass(slots=True)
class _WrittenList:
    """The list so far, with the limits of what may follow.

    `take_byte` changes it also where it returns False, so a piece is tried on a copy. All values
    are immutable or replaced as a whole: a shallow copy is independent.

    Attributes:
        names: of the entities so far, case-folded.
        pairs: of the names of the relations so far, case-folded.
        n_left: form -> number of records that may still be written.
        n_repeats: names and pairs that were written again.
        is_ended: nothing may follow.
        form: form of the current line, empty while its tag is written.
        number: index of the current field in the form.
        field: bytes of the current field so far, or of the tag.
        places: positions in the text that match the field; None before its first byte.
        is_whole: the name before a final space is complete.
        is_full: the field has reached its maximum length.
        n_missing: bytes that the last character still needs.
        source: the first name of a relation, case-folded.
    """

    guard: RecordGuard
    names: frozenset[bytes]
    pairs: frozenset[frozenset[bytes]]
    n_left: dict[bytes, int]
    n_repeats: int = 0
    is_ended: bool = False
    form: bytes = b""
    number: int = 0
    field: bytes = b""
    places: tuple[int, ...] | None = None
    is_whole: bool = False
    is_full: bool = False
    n_missing: int = 0
    source: bytes = b""

    @property
    def may_end(self) -> bool:
        if not self.form:
            return not self.field or self.field == _DONE
        return self._is_last and self._is_complete()

    # --- bytes ----------------------------------------------------------------------------------

    def take_byte(self, byte: int) -> bool:
        """Add a byte and return True if it may come next."""
        if not self.form:
            return self._take_in_tag(byte)
        if self.n_missing:
            if not _continues_character(byte):
                return False
        elif byte in (_BAR, _LINE_END):
            if self._is_last != (byte == _LINE_END) or not self._is_complete():
                return False
            if byte == _BAR:
                self._begin_field()
            else:
                self._begin_line()
            return True
        elif not self.field and byte == _SPACE:
            self.field = b" "
            return True
        if byte < _SPACE or byte == _BAR:
            return False
        content = self._content
        if content in _VERBATIM:
            return self._take_verbatim(byte, content)
        if content in _CHOSEN:
            return self._take_chosen(byte, content)
        return self._take_free(byte, content)

    def _take_in_tag(self, byte: int) -> bool:
        if byte in (_BAR, _SPACE):
            form = self.field.strip()
            if form not in FORMS or (byte == _SPACE and self.field != form):
                return False
            if byte == _SPACE:
                self.field += b" "
            else:
                self.form, self.number, self.source = form, 0, b""
                self._clear()
            return True
        grown = self.field + bytes((byte,))
        if not any(tag.startswith(grown) for tag in self._tags()):
            return False
        self.field = grown
        self.is_ended = grown == _DONE
        return True

    def _take_verbatim(self, byte: int, content: Content) -> bool:
        index = _index(self.guard.text, quote=content is Content.QUOTE)
        written = self.field.lstrip()
        if byte == _SPACE and self._is_complete():
            self.is_whole = True  # the name may continue or end here
            self.places = index.follow(self.places or (), len(written), byte)
            self.field += b" "
            return True
        if self.is_full:
            return False
        places = index.starting_with(byte)
        if written:
            places = index.follow(self.places, len(written), byte)
        may_be_none = content is Content.NAME_OR_NONE
        is_none = may_be_none and _NONE.startswith(written + bytes((byte,)))
        if not places and not is_none:
            return False
        self.places, self.is_whole = places, False
        self.field += bytes((byte,))
        self.is_full = len(written) + 1 >= index.longest(byte) and self._is_complete()
        return True

    def _take_chosen(self, byte: int, content: Content) -> bool:
        grown = (self.field + bytes((byte,))).lstrip()
        is_more = any(option.startswith(grown) for option in self._options(content))
        if not is_more and (byte != _SPACE or not self._is_complete()):
            return False
        self.field += bytes((byte,))
        return True

    def _take_free(self, byte: int, content: Content) -> bool:
        if self.n_missing:
            self.n_missing -= 1
        elif self.is_full:
            if byte != _SPACE or self.field.endswith(b" "):
                return False
        elif byte >= _FIRST_OF_SEVERAL:
            self.n_missing = _count_following(byte)
            if not self.n_missing:
                return False
        if byte == _SPACE and self.field.endswith(b" "):
            return False
        self.field += bytes((byte,))
        limit = _MAX_BYTES[content]
        if len(self.field) >= limit and not self.n_missing:
            ends_word = byte >= _FIRST_OF_SEVERAL or not chr(byte).isalnum()
            self.is_full = ends_word or len(self.field) >= limit + _MAX_EXCESS
        return True

    # --- fields ---------------------------------------------------------------------------------

    @property
    def _content(self) -> Content:
        return FORMS[self.form][self.number]

    @property
    def _is_last(self) -> bool:
        return self.number == len(FORMS[self.form]) - 1

    def _tags(self) -> list[bytes]:
        forms = [form.encode() for form in self.guard.forms]
        return [*(form for form in forms if self.n_left[form] > 0), _DONE]

    def _options(self, content: Content) -> tuple[bytes, ...]:
        if content is Content.TYPE:
            return tuple(one.encode() for one in self.guard.types)
        return _STATUSES if content is Content.STATUS else _NUMBERS

    def _is_complete(self) -> bool:
        content, written = self._content, self.field.strip()
        if not written or self.n_missing:
            return False
        if content in _CHOSEN:
            return written in self._options(content)
        if content in _VERBATIM:
            if self.is_whole or (content is Content.NAME_OR_NONE and written == _NONE):
                return True
            index = _index(self.guard.text, quote=content is Content.QUOTE)
            return index.may_end(self.places or (), len(self.field.lstrip()))
        return True

    def _begin_field(self) -> None:
        written = self.field.strip().decode("utf-8", "ignore").casefold().encode()
        if self._content is Content.NAME and self.form == b"entity":
            self._count(is_repeated=written in self.names)
            self.names |= {written}
        elif self.form == b"relation" and self.number == 0:
            self.source = written
        elif self.form == b"relation" and self.number == 1:
            pair = frozenset((self.source, written))
            self._count(is_repeated=len(pair) < 2 or pair in self.pairs)
            self.pairs |= {pair}
        self.number += 1
        self._clear()

    def _begin_line(self) -> None:
        self.n_left = {**self.n_left, self.form: self.n_left[self.form] - 1}
        self.form = b""
        self._clear()

    def _clear(self) -> None:
        self.field, self.places, self.is_whole, self.is_full = b"", None, False, False

    def _count(self, *, is_repeated: bool) -> None:
        if is_repeated:
            self.n_repeats += 1
        self.is_ended = self.n_repeats >= _MAX_REPEATS


def _continues_character(byte: int) -> bool:
    """Return whether a byte is in a character of UTF-8 after its first byte: 10xxxxxx."""
    return byte & 0b1100_0000 == 0b1000_0000


def _count_following(first: int) -> int:
    """Return how many bytes a character of UTF-8 has after its first; 0 if none begins so.

    A character of 2, 3 or 4 bytes begins with 110, 1110 or 11110.
    """
    for n_following, (shift, prefix) in enumerate(((5, 0b110), (4, 0b1110), (3, 0b11110)), 1):
        if first >> shift == prefix:
            return n_following
    return 0
