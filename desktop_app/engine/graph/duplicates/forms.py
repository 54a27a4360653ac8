"""Every name of every entity, taken apart once for all methods, and the keys they look up by.

Owns no rule about who is who; it only reads names.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...types import NameCount
from ..names import normalise_name
from ..resolve_latin import LatinForm, is_bare_latin, read_forms
from .facts import NameFacts
from .nickname_words import FULL_NAMES

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff·]+")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_RUN_TOGETHER = re.compile(r"--|—|[.!?] ?-")  # two names that a reading joined
MAX_BLOCK = 400  # names that share a key; a key of more says nothing


@dataclass(frozen=True, slots=True)
class Form:
    """One name of one entity; `person` is the name taken apart where it may be a person's."""

    id: int
    name: str
    key: str
    words: tuple[str, ...]
    is_han: bool
    person: LatinForm | None = None


class Forms:
    """The names of all entities by what the methods look for."""

    def __init__(self, facts: Sequence[NameFacts]) -> None:
        self.facts = {one.id: one for one in facts}
        self.all: list[Form] = []
        self.of: dict[int, list[Form]] = defaultdict(list)
        for one in facts:
            for form in _read(one):
                self.all.append(form)
                self.of[one.id].append(form)
        self._first_words = {
            form.person.words[0] for form in self.all if form.person and len(form.person.words) > 1
        }
        self.latin = [form for form in self.all if not form.is_han]
        self.han = [form for form in self.all if form.is_han]

    def has_title(self, entity_id: int, titles: frozenset[str], *, first: bool = False) -> bool:
        """Say whether one of an entity's names has such a title, before a first name if asked."""
        return any(
            form.person is not None
            and form.person.title in titles
            and (not first or len(form.person.words) > 1 or self._is_first(form.person.words[0]))
            for form in self.of[entity_id]
        )

    def _is_first(self, word: str) -> bool:
        return word in FULL_NAMES or word in self._first_words


def _read(one: NameFacts) -> Iterator[Form]:
    counts = [
        NameCount(n, name, 1, {one.type: 1}, "", one.documents) for n, name in enumerate(one.names)
    ]
    people = {form.name.name_id: form for form in read_forms(counts)}
    for n, name in enumerate(one.names):
        key = normalise_name(name)
        is_han = bool(_HAN.fullmatch(key))
        if not key or (not is_han and (is_bare_latin(name) or _RUN_TOGETHER.search(name))):
            continue
        words = (key,) if is_han else tuple(_WORD.findall(fold(key)))
        if words:
            yield Form(one.id, name, key, words, is_han, people.get(n))


def fold(text: str) -> str:
    """Return the text in small letters without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))


def iter_pairs(forms: Sequence[Form]) -> Iterator[tuple[Form, Form]]:
    """Yield the pairs of different entities of a block, none if it is too large."""
    if len(forms) <= MAX_BLOCK:
        for n, left in enumerate(forms):
            for right in forms[n + 1 :]:
                if left.id != right.id:
                    yield left, right


def group(forms: Iterable[Form], keys: Iterable[object]) -> list[list[Form]]:
    """Return the forms with one key, block by block, only those of two or more."""
    blocks: dict[object, list[Form]] = defaultdict(list)
    for form, key in zip(forms, keys, strict=True):
        if key:
            blocks[key].append(form)
    return [block for block in blocks.values() if len(block) > 1]
