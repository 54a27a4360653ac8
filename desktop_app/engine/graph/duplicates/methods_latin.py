"""Methods for names of people in Latin scripts: titles, nicknames, initials, part of a name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rapidfuzz.fuzz import ratio

from ...messages import Message
from ..resolution.latin import LatinForm
from .forms import (
    FULL_NAMES,
    MAX_BLOCK,
    Form,
    Forms,
    group_by_key,
    iter_pairs,
    may_be_same_first_name,
    strip_accents,
)
from .model import Hint


def _split(words: str) -> list[str]:
    return words.split()


_FORMAL_TITLES = frozenset(_split("lady sir lord queen king prince princess saint st"))
_ROYAL_TITLES = frozenset(_split("king queen prince princess saint st"))
RANK_TITLES = frozenset(
    _split(
        "doctor dr captain capt colonel col major general gen lieutenant lieut lt sergeant "
        "admiral commodore professor prof reverend rev bishop judge inspector sir lord"
    )
)
_MIN_SIMILARITY = 84.0  # of 100
PLAIN_MALE_TITLES = frozenset(("mr", "master"))
# Words that make another entity: Westminster Stairs are not Westminster.
_KIND_WORDS = frozenset(
    _split(
        "road street lane bridge stairs square court place station house hall lodge park hill gate "
        "church abbey castle palace inn hotel college university school hospital river lake sea "
        "bay island mount mountain valley county city town village district north south east west "
        "gazette times news post journal herald company society son sons club bank press party "
        "northern southern eastern western upper lower new old great little"
    )
)
_MARRIED_TITLES = frozenset(("mrs", "lady", "madame", "mme", "dame", "duchess", "countess"))


def propose_titles(forms: Forms) -> Iterator[Hint]:
    """Propose names that differ in a title only: "Mrs. Reynolds" and "Reynolds"."""
    people = [form for form in forms.latin if form.person]
    for block in group_by_key(people, [form.person.words for form in people if form.person]):
        for a, b in iter_pairs(block):
            if not a.person or not b.person or a.person.title == b.person.title:
                continue
            bare = a if not a.person.title else b if not b.person.title else None
            titled = b if bare is a else a
            strength = 0.72 if bare else 0.4
            title = titled.person.title if titled.person else ""
            if bare and title in _MARRIED_TITLES and len(a.words) < 3:
                strength = 0.55
            if (
                bare
                and title
                and title in RANK_TITLES
                and forms.has_title(bare.id, PLAIN_MALE_TITLES)
            ):
                strength = 0.3  # "Sholto", who is Mr. Sholto, beside Major Sholto
            text = Message("“{a}” and “{b}” differ in the title only", a=a.name, b=b.name)
            yield Hint(a.id, b.id, "titles", strength, text, bare.id if bare else 0)


def propose_nicknames(forms: Forms) -> Iterator[Hint]:
    """Propose names whose first names are forms of one name: "Lizzy" and "Elizabeth Bennet"."""
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
            if not _have_same_surname(left, right):
                continue
            both = len(left.words) > 1 and len(right.words) > 1
            if left.title in RANK_TITLES and len(left.words) == 1:
                continue
            if right.title in RANK_TITLES and len(right.words) == 1:
                continue
            short = a if len(left.words) < len(right.words) else b
            # "Harry" is short for Henry and Harold; a common surname removes the ambiguity.
            base_strength = 0.88 if both else 0.72
            if not both and (
                forms.has_title(a.id, _FORMAL_TITLES) or forms.has_title(b.id, _FORMAL_TITLES)
            ):
                base_strength = (
                    0.4  # a formal title makes a short form unlikely: Lady Catherine is not Kitty
                )
            sides = {left.words[0], right.words[0]}
            strength = base_strength if full in sides else base_strength - 0.15
            text = Message(
                "“{a}” and “{b}” are forms of {full}", a=a.name, b=b.name, full=full.title()
            )
            longer = b if short is a else a
            n_short, n_longer = (forms.facts[f.id].n_mentions for f in (short, longer))
            if not both and len(longer.words) > 1 and n_longer < 0.2 * n_short:
                strength *= 0.7  # a frequent short name is rarely a full name of one page
            # "Tom" is only one of two people named Thomas; single first names exclude no other.
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
        is_upper_case = form.name.replace(".", "").replace(" ", "").isupper()
        if is_upper_case and 3 <= len(joined) <= 6:
            for other in by_initials.get(joined, ())[:MAX_BLOCK]:
                if other.id != form.id:
                    text = Message(
                        "“{form}” are the initials of “{other}”", form=form.name, other=other.name
                    )
                    yield Hint(form.id, other.id, "initials", 0.7, text, form.id)
    people = [form for form in forms.latin if form.person and len(form.person.words) > 1]
    for block in group_by_key(
        people, [(f.person.words[0][0], f.person.words[-1]) for f in people if f.person]
    ):
        short = [f for f in block if f.person and len(f.person.words[0]) == 1]
        for a in short[:MAX_BLOCK]:
            for b in block[:MAX_BLOCK]:
                if b.id != a.id and b.person and len(b.person.words[0]) > 1:
                    text = Message("“{a}” may be “{b}” with an initial", a=a.name, b=b.name)
                    yield Hint(a.id, b.id, "initials", 0.75, text, a.id)


def propose_parts(forms: Forms) -> Iterator[Hint]:
    """Propose a name whose words are all in a longer one: "Cratchit" in "Bob Cratchit"."""
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
                text = Message("“{form}” is part of “{other}”", form=form.name, other=other.name)
                yield Hint(form.id, other.id, "part", strength, text, form.id)


def _part_strength(forms: Forms, form: Form, other: Form) -> float:
    short, full = form.person, other.person
    if not short or not full:
        if bool(short) != bool(full):
            return 0.0
        if (set(other.words) - set(form.words)) & _KIND_WORDS or len(form.name) < 4:
            return 0.1
        # For things and companies the first words are more specific.
        return 0.5 if other.words[: len(form.words)] == form.words else 0.35
    if (
        short.title in _MARRIED_TITLES
        and len(short.words) == 1
        and full.title not in _MARRIED_TITLES
    ):
        return 0.45 if full.gender == "f" else 0.12
    if short.title == "miss" and full.words[-1] == short.words[-1] and len(short.words) == 1:
        # "Miss Bennet" is the eldest sister; the others are "Miss Elizabeth".
        return 0.2 if forms.has_title(other.id, frozenset(("miss",)), first=True) else 0.6
    if short.words[0] == full.words[0]:
        named = frozenset((*RANK_TITLES, "mr", "mrs")) - {"sir", "lord"}
        if len(short.words) == 1 and forms.has_title(form.id, named):
            return 0.0  # Colonel Fitzwilliam is not Fitzwilliam Darcy
        if short.title in _ROYAL_TITLES and full.title != short.title:
            return 0.1  # King George is not George Canon
        is_rare = forms.facts[other.id].n_mentions < 0.2 * forms.facts[form.id].n_mentions
        return 0.33 if is_rare else 0.66
    return 0.66 if not short.title or short.gender == full.gender else 0.55


def _have_same_surname(left: LatinForm, right: LatinForm) -> bool:
    if len(left.words) > 1 and len(right.words) > 1:
        return left.words[-1] == right.words[-1]
    return True


def have_conflicting_surnames(a: LatinForm, b: LatinForm) -> bool:
    """Return whether one first name has two different surnames; False for women, who may marry."""
    if len(a.words) < 2 or len(b.words) < 2 or a.words[0] != b.words[0]:
        return False
    if "f" in (a.gender, b.gender):
        return False
    if a.words[-1] in b.words or b.words[-1] in a.words:
        return False
    return not _are_similar(a.words[-1], b.words[-1])


def have_conflicting_first_names(a: LatinForm, b: LatinForm) -> bool:
    """Return whether both have first names that cannot be forms of one name."""
    if len(a.words) < 2 or len(b.words) < 2 or a.words[-1] != b.words[-1]:
        return False
    x, y = a.words[0], b.words[0]
    if x[0] == y[0] and min(len(x), len(y)) == 1:
        return False
    if may_be_same_first_name(x, y) or _are_similar(x, y):
        return False
    return x not in b.words and y not in a.words


def _are_similar(x: str, y: str) -> bool:
    """Return whether two words may be spellings of one: one edit in six letters."""
    return ratio(strip_accents(x), strip_accents(y)) >= _MIN_SIMILARITY
