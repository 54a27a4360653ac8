"""Methods for names of people in Latin scripts: titles, nicknames, initials, part of a name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rapidfuzz.fuzz import ratio

from ...errors import said
from ..resolution.latin import LatinForm
from .forms import (
    FULL_NAMES,
    MAX_BLOCK,
    Form,
    Forms,
    fold,
    group,
    iter_pairs,
    may_be_same_first_name,
)
from .model import Hint


def _split(words: str) -> list[str]:
    return words.split()


_FORMAL = frozenset(_split("lady sir lord queen king prince princess saint st"))
_CROWNED = frozenset(_split("king queen prince princess saint st"))
RANKED = frozenset(
    _split(
        "doctor dr captain capt colonel col major general gen lieutenant lieut lt sergeant "
        "admiral commodore professor prof reverend rev bishop judge inspector sir lord"
    )
)
_ALIKE = 84.0  # of 100
MALE_PLAIN = frozenset(("mr", "master"))
# Westminster Stairs are not Westminster, nor is the Whitby Gazette Whitby.
_KINDS = frozenset(
    _split(
        "road street lane bridge stairs square court place station house hall lodge park hill gate "
        "church abbey castle palace inn hotel college university school hospital river lake sea "
        "bay island mount mountain valley county city town village district north south east west "
        "gazette times news post journal herald company society son sons club bank press party "
        "northern southern eastern western upper lower new old great little"
    )
)
_WIVES = frozenset(("mrs", "lady", "madame", "mme", "dame", "duchess", "countess"))


def propose_titles(forms: Forms) -> Iterator[Hint]:
    """Propose names that differ in a title only: "Mrs. Reynolds" and "Reynolds"."""
    people = [form for form in forms.latin if form.person]
    for block in group(people, [form.person.words for form in people if form.person]):
        for a, b in iter_pairs(block):
            if not a.person or not b.person or a.person.title == b.person.title:
                continue
            bare = a if not a.person.title else b if not b.person.title else None
            titled = b if bare is a else a
            strength = 0.72 if bare else 0.4
            title = titled.person.title if titled.person else ""
            if bare and title in _WIVES and len(a.words) < 3:
                strength = 0.55
            if bare and title and title in RANKED and forms.has_title(bare.id, MALE_PLAIN):
                strength = 0.3  # "Sholto", who is Mr. Sholto, beside Major Sholto
            text = said(f"“{a.name}” and “{b.name}” differ in the title only")
            yield Hint(a.id, b.id, "titles", strength, text, bare.id if bare else 0)


def propose_nicknames(forms: Forms) -> Iterator[Hint]:
    """Propose first names of which one is a short form: "Lizzy" and "Elizabeth Bennet"."""
    by_full: dict[str, list[Form]] = defaultdict(list)
    for form in forms.latin:
        if form.person and len(form.person.words) <= 3:
            for full in FULL_NAMES.get(form.person.words[0], ()):
                by_full[full].append(form)
    for full in sorted(by_full):
        for a, b in iter_pairs(by_full[full]):
            left, right = a.person, b.person
            if not left or not right or left.words[0] == right.words[0]:
                continue
            if not _surnames_fit(left, right):
                continue
            both = len(left.words) > 1 and len(right.words) > 1
            if left.title in RANKED and len(left.words) == 1:
                continue
            if right.title in RANKED and len(right.words) == 1:
                continue
            short = a if len(left.words) < len(right.words) else b
            # "Harry" is Henry's short form and Harold's; where both have a surname, no doubt.
            certain = 0.88 if both else 0.72
            if not both and (forms.has_title(a.id, _FORMAL) or forms.has_title(b.id, _FORMAL)):
                certain = 0.4  # nobody calls Lady Catherine Kitty
            sides = {left.words[0], right.words[0]}
            strength = certain if full in sides else certain - 0.15
            text = said(f"“{a.name}” and “{b.name}” are forms of {full.title()}")
            longer = b if short is a else a
            n_short, n_longer = (forms.facts[f.id].n_mentions for f in (short, longer))
            if not both and len(longer.words) > 1 and n_longer < 0.2 * n_short:
                strength *= 0.7  # who is Bob all over a book is no Robin Crusoe of one page
            # Two first names alone don't exclude a third; "Tom" of two Thomases is one of them.
            rivals = short.id if len(left.words) != len(right.words) else 0
            yield Hint(a.id, b.id, "nickname", strength, text, rivals)


def propose_initials(forms: Forms) -> Iterator[Hint]:
    """Propose "J. Small" beside "Jonathan Small", and "E.I.C." beside "East India Company"."""
    by_initials: dict[str, list[Form]] = defaultdict(list)
    for form in forms.latin:
        if 2 <= len(form.words) <= 6 and min(map(len, form.words)) > 1:
            by_initials["".join(word[0] for word in form.words)].append(form)
    for form in forms.latin:
        joined = "".join(form.words)
        shouted = form.name.replace(".", "").replace(" ", "").isupper()
        if shouted and 3 <= len(joined) <= 6:
            for other in by_initials.get(joined, ())[:MAX_BLOCK]:
                if other.id != form.id:
                    text = said(f"“{form.name}” are the initials of “{other.name}”")
                    yield Hint(form.id, other.id, "initials", 0.7, text, form.id)
    people = [form for form in forms.latin if form.person and len(form.person.words) > 1]
    for block in group(
        people, [(f.person.words[0][0], f.person.words[-1]) for f in people if f.person]
    ):
        short = [f for f in block if f.person and len(f.person.words[0]) == 1]
        for a in short[:MAX_BLOCK]:
            for b in block[:MAX_BLOCK]:
                if b.id != a.id and b.person and len(b.person.words[0]) > 1:
                    text = said(f"“{a.name}” may be “{b.name}” with an initial")
                    yield Hint(a.id, b.id, "initials", 0.75, text, a.id)


def propose_parts(forms: Forms) -> Iterator[Hint]:
    """Propose a name all of whose words are in a longer one: "Cratchit" in "Bob Cratchit"."""
    by_word: dict[str, list[Form]] = defaultdict(list)
    for form in forms.latin:
        words = form.person.words if form.person else form.words
        if len(words) > 1:
            for word in set(words):
                by_word[word].append(form)
    for form in forms.latin:
        words = form.person.words if form.person else form.words
        blocks = [by_word.get(word, []) for word in words]
        for other in min(blocks, key=len, default=[])[:MAX_BLOCK]:
            longer = other.person.words if other.person else other.words
            if other.id == form.id or len(longer) <= len(words) or not set(words) <= set(longer):
                continue
            strength = _part_strength(forms, form, other)
            if strength:
                text = said(f"“{form.name}” is part of “{other.name}”")
                yield Hint(form.id, other.id, "part", strength, text, form.id)


def _part_strength(forms: Forms, form: Form, other: Form) -> float:
    short, full = form.person, other.person
    if not short or not full:
        if bool(short) != bool(full):
            return 0.0
        if (set(other.words) - set(form.words)) & _KINDS or len(form.name) < 4:
            return 0.1
        # Of things and firms the first words tell more.
        return 0.5 if other.words[: len(form.words)] == form.words else 0.35
    if short.title in _WIVES and len(short.words) == 1 and full.title not in _WIVES:
        return 0.45 if full.gender == "f" else 0.12
    if short.title == "miss" and full.words[-1] == short.words[-1] and len(short.words) == 1:
        # Plain "Miss Bennet" is the eldest; her sisters are "Miss Elizabeth".
        return 0.2 if forms.has_title(other.id, frozenset(("miss",)), first=True) else 0.6
    if short.words[0] == full.words[0]:
        named = frozenset((*RANKED, "mr", "mrs")) - {"sir", "lord"}
        if len(short.words) == 1 and forms.has_title(form.id, named):
            return 0.0  # Colonel Fitzwilliam is no Fitzwilliam Darcy
        if short.title in _CROWNED and full.title != short.title:
            return 0.1  # nor King George a George Canon
        few = forms.facts[other.id].n_mentions < 0.2 * forms.facts[form.id].n_mentions
        return 0.33 if few else 0.66
    return 0.66 if not short.title or short.gender == full.gender else 0.55


def _surnames_fit(left: LatinForm, right: LatinForm) -> bool:
    if len(left.words) > 1 and len(right.words) > 1:
        return left.words[-1] == right.words[-1]
    # "Miss Lizzy" is a first name, "Mr. John" hardly: a title asks for a surname, mostly.
    return True


def surnames_clash(a: LatinForm, b: LatinForm) -> bool:
    """Say whether one first name goes with two surnames; women may have married."""
    if len(a.words) < 2 or len(b.words) < 2 or a.words[0] != b.words[0]:
        return False
    if "f" in (a.gender, b.gender):
        return False
    if a.words[-1] in b.words or b.words[-1] in a.words:
        return False
    return not _nearly_alike(a.words[-1], b.words[-1])


def first_names_clash(a: LatinForm, b: LatinForm) -> bool:
    """Say whether both have a first name and the two can't be one."""
    if len(a.words) < 2 or len(b.words) < 2 or a.words[-1] != b.words[-1]:
        return False
    x, y = a.words[0], b.words[0]
    if x[0] == y[0] and min(len(x), len(y)) == 1:
        return False
    if may_be_same_first_name(x, y) or _nearly_alike(x, y):
        return False
    return x not in b.words and y not in a.words


def _nearly_alike(x: str, y: str) -> bool:
    """Say whether two words may be one, misspelt: one slip in six letters."""
    return ratio(fold(x), fold(y)) >= _ALIKE
