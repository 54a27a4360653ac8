"""Parses the names of all entities once for all methods, and groups them by keys.

Contains no rule about which names are duplicates.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...model import NameCount
from ...word_lists import WordLists
from ...writing_systems import HAN, HAN_COMPATIBILITY
from ..names import normalise_name
from ..resolution import LatinForm, is_bare_latin, read_forms
from .model import NameFacts

FULL_NAMES: dict[str, frozenset[str]] = {}
for _names in WordLists("short_forms").lines("forms"):
    for _name in _names:
        FULL_NAMES[_name] = FULL_NAMES.get(_name, frozenset()) | {_names[0]}


def may_be_same_first_name(a: str, b: str) -> bool:
    """Return whether two first names can be forms of one name ("Lizzy" and "Eliza")."""
    return a == b or bool(FULL_NAMES.get(a, frozenset((a,))) & FULL_NAMES.get(b, frozenset((b,))))


def is_full_first_name(name: str) -> bool:
    """Return whether a first name of the list is no short form: Mary is none of Marian."""
    return name in FULL_NAMES.get(name, ())


_DIMINUTIVE = re.compile(r"(?P<stem>[^\W\d_]{2,}?)(?:ie|ey|y|i|ee)")
_DOUBLE = re.compile(r"([^\W\d_aeiou])\1")
_MIN_STEM, _MIN_CLIPPED = 3, 2  # letters of the stem; letters that a clipped name lacks


def stem_of_diminutive(short: str) -> str:
    """Return the first name without "-ie" or "-y" and double letters: "til" of Tilly; "" if none.

    A stem of two letters (Vi of "Vivy") is only that of names that begin with it.
    """
    found = _DIMINUTIVE.fullmatch(_DOUBLE.sub(r"\1", short))
    return found["stem"] if found else ""


def is_short_form(short: str, full: str, *, may_be_clipped: bool) -> bool:
    """Return whether a first name may be short for another one by the rules of English.

    It ends in "-ie" or "-y" after a part of it (Tilly of Ottilie), or, if it may be clipped, is
    its beginning or its end (Theo, Dora).
    """
    stem, single = stem_of_diminutive(short), _DOUBLE.sub(r"\1", full)
    is_part = single.startswith(stem) or (len(stem) >= _MIN_STEM and stem in single)
    if stem and is_part and len(single) >= len(_DOUBLE.sub(r"\1", short)):
        return True
    is_shorter = len(short) >= _MIN_STEM and len(full) >= len(short) + _MIN_CLIPPED
    return may_be_clipped and is_shorter and (full.startswith(short) or full.endswith(short))


def find_containing(parts: Iterable[str], names: Iterable[str]) -> dict[str, list[str]]:
    """Return part -> the first names that contain it, double letters counted once or twice.

    Parts of two letters are looked for at the beginning only.
    """
    wanted = set(parts)
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        pieces: set[str] = set()
        for text in {name, _DOUBLE.sub(r"\1", name)}:
            pieces.add(text[:2])
            for start in range(len(text) - _MIN_STEM + 1):
                pieces |= {text[start:end] for end in range(start + _MIN_STEM, len(text) + 1)}
        for piece in sorted(pieces & wanted):
            found[piece].append(name)
    return found


def list_full_forms(name: str) -> tuple[str, ...]:
    """Return the first names that a first name may be short for, without itself."""
    return tuple(sorted(FULL_NAMES.get(name, frozenset()) - {name}))


_HAN = re.compile(f"[{HAN}{HAN_COMPATIBILITY}·]+")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_JOINED_NAMES = re.compile(r"--|—|[.!?] ?-")  # two names that were joined by mistake
# What two people or a thing of a person are called ("Lord Godalming and Morris", "Jonathan Harker's
# Journal") is a name of neither: it would be one more bearer of the name.
_OF_OTHERS = re.compile(r"\w(?:['’]s|s['’]) \w|\b(?:and|or)\b|&")
MAX_BLOCK = 400  # names with one key; a key with more names is no evidence


@dataclass(frozen=True, slots=True)
class Form:
    """One name of one entity; `person` is the parsed name if it may be the name of a person."""

    id: int
    name: str
    key: str
    words: tuple[str, ...]
    is_han: bool
    person: LatinForm | None = None


class Forms:
    """The parsed names of all entities, by entity and by script."""

    def __init__(self, facts: Sequence[NameFacts]) -> None:
        self.facts = {one.id: one for one in facts}
        self.all: list[Form] = []
        self.of: dict[int, list[Form]] = defaultdict(list)
        for one in facts:
            for form in _parse_names(one):
                self.all.append(form)
                self.of[one.id].append(form)
        self._bearers: dict[str, set[int]] = defaultdict(set)  # first word of full names -> ids
        for form in self.all:
            if form.person and len(form.person.words) > 1:
                self._bearers[form.person.words[0]].add(form.id)
        self._relatives: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for form in self.all:  # surname -> entities with a first name and this surname -> genders
            if form.person and len(form.person.words) > 1:
                genders = self._relatives[form.person.words[-1]][form.id]
                genders |= {form.person.gender, self.facts[form.id].gender} - {""}
        self.latin = [form for form in self.all if not form.is_han]
        self.han = [form for form in self.all if form.is_han]

    def has_title(self, entity_id: int, titles: frozenset[str], *, first: bool = False) -> bool:
        """Return whether a name of an entity has one of these titles.

        Args:
            first: count only titles before a first name.
        """
        return any(
            form.person is not None
            and form.person.title in titles
            and (
                not first or len(form.person.words) > 1 or self.is_first_name(form.person.words[0])
            )
            for form in self.of[entity_id]
        )

    def is_first_name(self, word: str) -> bool:
        """Return whether a word is a known first name, or stands before a surname in a name."""
        return word in FULL_NAMES or word in self._bearers

    def count_relatives(self, surname: str, gender: str) -> int:
        """Return how many entities have a full name with this surname, and may have this gender."""
        relatives = self._relatives.get(surname, {})
        return sum(not genders or gender in genders for genders in relatives.values())

    def count_bearers(self, first_name: str) -> int:
        """Return how many entities have a full name with this first name."""
        return len(self._bearers.get(first_name, ()))


def _parse_names(one: NameFacts) -> Iterator[Form]:
    counts = [
        NameCount(n, name, 1, {one.type: 1}, "", dict.fromkeys(one.documents, 1))
        for n, name in enumerate(one.names)
    ]
    people = {form.name.name_id: form for form in read_forms(counts)}
    for n, name in enumerate(one.names):
        key = normalise_name(name)
        is_han = bool(_HAN.fullmatch(key))
        if not key or (not is_han and (is_bare_latin(name) or _JOINED_NAMES.search(name))):
            continue
        words = (key,) if is_han else tuple(_WORD.findall(strip_accents(key)))
        if words:
            person = None if _OF_OTHERS.search(name) else people.get(n)
            yield Form(one.id, name, key, words, is_han, person)


def strip_accents(text: str) -> str:
    """Return the text in lower case without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))


def iter_pairs(forms: Sequence[Form]) -> Iterator[tuple[Form, Form]]:
    """Yield the pairs of different entities in a block; none if the block is too large."""
    if len(forms) <= MAX_BLOCK:
        for n, left in enumerate(forms):
            for right in forms[n + 1 :]:
                if left.id != right.id:
                    yield left, right


def group_by_key(forms: Iterable[Form], keys: Iterable[object]) -> list[list[Form]]:
    """Return blocks of at least two forms with the same key; empty keys are ignored."""
    blocks: dict[object, list[Form]] = defaultdict(list)
    for form, key in zip(forms, keys, strict=True):
        if key:
            blocks[key].append(form)
    return [block for block in blocks.values() if len(block) > 1]
