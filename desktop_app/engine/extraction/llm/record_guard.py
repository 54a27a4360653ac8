"""The guard of the free form: a model may only write valid records with names of the text.

Owns the record forms, the allowed content of each field and the end of a list. Works on bytes,
because a token may contain part of a character. Names and quotations must occur in the chunk's
text, word for word.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from .evidence_placement import is_latin_char

LONGEST_NAME = 56
LONGEST_WIDE_NAME = 42  # fourteen Chinese characters
LONGEST_QUOTE = 240
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
            return LONGEST_QUOTE
        return LONGEST_NAME if byte < 0x80 else LONGEST_WIDE_NAME


NAME, NAME_OR_NONE, TYPE, STATUS, NUMBER, WORDS, TEXT, DATE, QUOTE = range(9)
FORMS: dict[bytes, tuple[int, ...]] = {
    b"entity": (NAME, TYPE, TEXT),
    b"relation": (NAME, NAME, WORDS, TEXT, NUMBER),
    b"claim": (NAME, NAME_OR_NONE, WORDS, STATUS, DATE, DATE, QUOTE),
}
_DONE = b"done"
_MOST_REPEATS = 3
_MOST_BYTES = {WORDS: 70, TEXT: 240, DATE: 24}  # a word may exceed this length
_LONGEST_WORD = 40
_STATUSES = (b"true", b"false", b"suspected")
_NUMBERS = tuple(str(n).encode() for n in range(1, 11))
_BAR, _LINE_END, _SPACE = ord("|"), ord("\n"), ord(" ")


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

    is_advisory = True  # `parsing` and `evidence_placement` leave out what it rejects
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

    __slots__ = (
        "_ended", "_field", "_form", "_guard", "_names", "_number", "_over", "_pairs", "_places",
        "_repeats", "_room", "_source", "_whole", "_wide",
    )  # fmt: skip

    def __init__(self, guard: RecordGuard) -> None:
        self._guard = guard
        self._form = b""  # form of the current line, empty while its tag is written
        self._number = 0  # index of the current field
        self._field = b""
        self._places: tuple[int, ...] | None = None  # positions in the text that match the field
        self._whole = False  # the name before a final space is complete
        self._over = False  # the field has reached its maximum length
        self._wide = 0  # missing bytes of the last character
        self._source = b""
        self._names = frozenset(name.casefold().encode() for name in guard.names)
        self._pairs = frozenset(
            frozenset((a.casefold().encode(), b.casefold().encode())) for a, b in guard.pairs
        )
        self._room = {b"entity": guard.max_entities, b"relation": guard.max_relations}
        self._repeats = 0
        self._ended = False

    def take(self, piece: bytes) -> bool:
        kept = [getattr(self, name) for name in self.__slots__]
        for byte in piece:
            if self._ended or not self._step(byte):
                for name, value in zip(self.__slots__, kept, strict=True):
                    setattr(self, name, value)
                return False
        return True

    @property
    def may_end(self) -> bool:
        if not self._form:
            return not self._field or self._field == _DONE
        return self._is_last and self._is_complete()

    @property
    def must_end(self) -> bool:
        return self._ended

    # --- bytes ----------------------------------------------------------------------------------

    def _step(self, byte: int) -> bool:
        if not self._form:
            return self._step_tag(byte)
        if self._wide:
            if byte & 0xC0 != 0x80:
                return False
        elif byte == _BAR:
            return not self._is_last and self._is_complete() and self._next_field()
        elif byte == _LINE_END:
            return self._is_last and self._is_complete() and self._next_line()
        elif not self._field and byte == _SPACE:
            self._field = b" "
            return True
        if byte < 32 or byte == _BAR:
            return False
        kind = self._kind
        if kind in (NAME, NAME_OR_NONE, QUOTE):
            return self._step_name(byte, kind)
        if kind in (TYPE, STATUS, NUMBER):
            grown = (self._field + bytes((byte,))).lstrip()
            is_more = any(option.startswith(grown) for option in self._options(kind))
            if not is_more and (byte != _SPACE or not self._is_complete()):
                return False
            self._field += bytes((byte,))
            return True
        return self._step_words(byte, kind)

    def _step_tag(self, byte: int) -> bool:
        if byte in (_BAR, _SPACE):
            form = self._field.strip()
            if form not in FORMS or (byte == _SPACE and self._field != form):
                return False
            if byte == _SPACE:
                self._field += b" "
            else:
                self._form, self._number, self._source = form, 0, b""
                self._clear()
            return True
        grown = self._field + bytes((byte,))
        if not any(tag.startswith(grown) for tag in self._tags()):
            return False
        self._field = grown
        self._ended = grown == _DONE
        return True

    def _step_name(self, byte: int, kind: int) -> bool:
        index = _index(self._guard.text, quote=kind == QUOTE)
        written = self._field.lstrip()
        if byte == _SPACE and self._is_complete():
            self._whole = True  # the name may continue or end here
            self._places = index.follow(self._places or (), len(written), byte)
            self._field += b" "
            return True
        if self._over:
            return False
        places = index.starting_with(byte)
        if written:
            places = index.follow(self._places, len(written), byte)
        is_none = kind == NAME_OR_NONE and b"none".startswith(written + bytes((byte,)))
        if not places and not is_none:
            return False
        self._places, self._whole = places, False
        self._field += bytes((byte,))
        self._over = len(written) + 1 >= index.longest(byte) and self._is_complete()
        return True

    def _step_words(self, byte: int, kind: int) -> bool:
        if self._wide:
            self._wide -= 1
        elif self._over:
            if byte != _SPACE or self._field.endswith(b" "):
                return False
        elif byte >= 0x80:
            self._wide = 1 if byte >> 5 == 0b110 else 2 if byte >> 4 == 0b1110 else 3
            if byte & 0xC0 == 0x80 or byte >= 0xF8:
                return False
        if byte == _SPACE and self._field.endswith(b" "):
            return False
        self._field += bytes((byte,))
        most = _MOST_BYTES[kind]
        if len(self._field) >= most and not self._wide:
            ends_word = byte >= 0x80 or not chr(byte).isalnum()
            self._over = ends_word or len(self._field) >= most + _LONGEST_WORD
        return True

    # --- fields ---------------------------------------------------------------------------------

    @property
    def _kind(self) -> int:
        return FORMS[self._form][self._number]

    @property
    def _is_last(self) -> bool:
        return self._number == len(FORMS[self._form]) - 1

    def _tags(self) -> list[bytes]:
        forms = [form.encode() for form in self._guard.forms]
        return [*(form for form in forms if self._room.get(form, 1) > 0), _DONE]

    def _options(self, kind: int) -> tuple[bytes, ...]:
        if kind == TYPE:
            return tuple(kind.encode() for kind in self._guard.types)
        return _STATUSES if kind == STATUS else _NUMBERS

    def _is_complete(self) -> bool:
        kind, written = self._kind, self._field.strip()
        if not written or self._wide:
            return False
        if kind in (TYPE, STATUS, NUMBER):
            return written in self._options(kind)
        if kind in (NAME, NAME_OR_NONE, QUOTE):
            if self._whole or (kind == NAME_OR_NONE and written == b"none"):
                return True
            index = _index(self._guard.text, quote=kind == QUOTE)
            return index.may_end(self._places or (), len(self._field.lstrip()))
        return True

    def _next_field(self) -> bool:
        written = self._field.strip().decode("utf-8", "ignore").casefold().encode()
        if self._kind == NAME and self._form == b"entity":
            self._count(written in self._names)
            self._names |= {written}
        elif self._form == b"relation" and self._number == 0:
            self._source = written
        elif self._form == b"relation" and self._number == 1:
            pair = frozenset((self._source, written))
            self._count(len(pair) < 2 or pair in self._pairs)
            self._pairs |= {pair}
        self._number += 1
        self._clear()
        return True

    def _next_line(self) -> bool:
        self._room = {**self._room, self._form: self._room.get(self._form, 40) - 1}
        self._form = b""
        self._clear()
        return True

    def _clear(self) -> None:
        self._field, self._places, self._whole, self._over = b"", None, False, False

    def _count(self, repeated: bool) -> None:
        self._repeats += repeated
        self._ended = self._repeats >= _MOST_REPEATS
