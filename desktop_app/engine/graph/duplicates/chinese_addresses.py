"""Chinese forms of address: 凤丫头 of 王熙凤, 林姑娘 of 林黛玉, 老李 of 李刚.

One character of a name, its surname or one of the given name, stands before a word of address, or
after 小, 老 or 阿. Which bearer of the character is meant, the shared context decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from ...messages import Message
from ...word_lists import WordLists
from .chinese_words import DOUBLE_SURNAMES, is_own_name, surname_of
from .forms import MAX_BLOCK, Form, Forms
from .model import Hint
from .shared_context import SharedContexts

_LISTS = WordLists("chinese_duplicates")
_GENDERS = {
    **dict.fromkeys(_LISTS.words("addresses_of_women"), "f"),
    **dict.fromkeys(_LISTS.words("addresses_of_men"), "m"),
    **dict.fromkeys(_LISTS.words("addresses"), ""),
}
_ENDINGS = tuple(sorted(_GENDERS, key=lambda word: (-len(word), word)))
_ELDERS = _LISTS.words("addresses_of_elders")
_BEFORE = _LISTS.characters("before_a_name")
# With the surname any member of the family may be meant, with a character of the given name few.
_OF_SURNAME, _OF_GIVEN_NAME, _OF_ANOTHER_ADDRESS = 0.5, 0.62, 0.5
# 柳嫂子 is the mother of 柳五儿 as likely as another 柳.
_OF_ELDER = 0.4


@dataclass(frozen=True, slots=True)
class _Address:
    """A form of address; `word` is the character or double surname of the name in it."""

    form: Form
    word: str
    gender: str = ""
    is_elder: bool = False


def propose_addresses(forms: Forms, contexts: SharedContexts) -> Iterator[Hint]:
    """Propose a form of address and the names that have its character."""
    bearers: dict[str, list[tuple[Form, bool]]] = defaultdict(list)
    addresses: dict[str, list[_Address]] = defaultdict(list)
    for form in forms.han:
        if forms.facts[form.id].type != "person" or len(form.key) > 5:
            continue
        if address := _parse(form):
            if not any(_is_own_name(other) for other in forms.of[form.id]):
                addresses[address.word].append(address)
        elif _is_own_name(form):
            surname = surname_of(form.key)
            bearers[surname].append((form, True))
            for char in form.key[len(surname) :]:
                bearers[char].append((form, False))
    for word in sorted(addresses):
        block = addresses[word][:MAX_BLOCK]
        for n, address in enumerate(block):
            one = address.form.id
            for other, is_surname in bearers[word][:MAX_BLOCK]:
                if other.id != one and contexts.share_context(one, other.id):
                    text = Message(
                        "“{form}” is “{word}” with a word of address, and “{other}” has “{word}”",
                        form=address.form.name,
                        other=other.name,
                        word=word,
                    )
                    strength = _OF_GIVEN_NAME
                    if is_surname:
                        strength = _OF_ELDER if address.is_elder else _OF_SURNAME
                    yield Hint(one, other.id, "part", strength, text, one)
            for second in block[n + 1 :]:
                a, b = address.form, second.form
                if a.id == b.id or address.is_elder != second.is_elder:
                    continue
                if len({address.gender, second.gender} - {""}) > 1:
                    continue
                if contexts.share_context(a.id, b.id):
                    text = Message(
                        "“{a}” and “{b}” are “{word}” with words of address",
                        a=a.name,
                        b=b.name,
                        word=word,
                    )
                    yield Hint(a.id, b.id, "part", _OF_ANOTHER_ADDRESS, text)


def _parse(form: Form) -> _Address | None:
    name = form.key
    for ending in _ENDINGS:
        word = name.removesuffix(ending)
        if word != name and _is_part(word):
            return _Address(form, word, _GENDERS[ending], ending in _ELDERS)
    if name[0] in _BEFORE and _is_part(name[1:]):
        return _Address(form, name[1:])
    return None


def _is_part(word: str) -> bool:
    return len(word) == 1 or word in DOUBLE_SURNAMES


def _is_own_name(form: Form) -> bool:
    """Return whether a name is one of a person, without a word of address."""
    return is_own_name(form.key) and _parse(form) is None
