"""What speaks against two entities being one, whatever else speaks for it."""

from __future__ import annotations

from .chinese_words import rank_of
from .facts import Two
from .forms import Form, Forms
from .people import first_names_clash, surnames_clash

_OPEN = frozenset(("other", "concept", "object"))
_YOUNG = frozenset(("miss", "mademoiselle", "mlle"))
# Of a first name that is no woman's, these titles speak of a man.
_SOLDIERS = frozenset(
    ("captain", "capt", "colonel", "col", "major", "general", "lieutenant", "lieut", "lt")
) | {"sergeant", "corporal", "admiral", "commodore"}
_MARRIED = frozenset(("mrs", "madame", "mme", "lady"))


def clash(forms: Forms, never: frozenset[Two], a: int, b: int) -> bool:
    """Say whether two entities can't be one: the person, gender, first names or a plural say so."""
    if ((a, b) if a < b else (b, a)) in never:
        return True
    left, right = forms.of.get(a, ()), forms.of.get(b, ())
    if _genders(left) and _genders(right) and not _genders(left) & _genders(right):
        return True
    if any(_names_clash(x, y) for x in left for y in right):
        return True
    return any(_is_family(x, y) or _is_family(y, x) for x in left for y in right)


def types_disagree(forms: Forms, a: int, b: int) -> bool:
    left, right = forms.facts[a].type, forms.facts[b].type
    return left != right and left not in _OPEN and right not in _OPEN


def _genders(forms: list[Form] | tuple[()]) -> set[str]:
    found = set()
    for form in forms:
        if form.person:
            soldier = form.person.title in _SOLDIERS
            found.add(form.person.gender or ("m" if soldier else ""))
    return found - {""}


def _names_clash(x: Form, y: Form) -> bool:
    if x.is_han and y.is_han:
        ranks = {rank_of(x.key), rank_of(y.key)}
        return x.key[0] == y.key[0] and len(ranks - {""}) == 2
    left, right = x.person, y.person
    if not left or not right:
        return False
    if left.words[-1] == right.words[-1]:
        titles = {left.title, right.title}
        if titles & _YOUNG and titles & _MARRIED:
            return True
    return first_names_clash(left, right) or surnames_clash(left, right)


def _is_family(x: Form, y: Form) -> bool:
    """Say whether one name is the plural of the other: "the Bingleys"."""
    if x.is_han or y.is_han:
        return False
    return x.words[-1] == y.words[-1] + "s" and len(y.words[-1]) > 2
