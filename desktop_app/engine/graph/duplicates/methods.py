"""Methods for all scripts: same words or letters, similar spelling, sound and description."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise, product
from operator import itemgetter

import numpy as np
from rapidfuzz.distance import DamerauLevenshtein
from rapidfuzz.fuzz import ratio

from ...messages import Message
from ...word_lists import WordLists
from ..pinyin import read_syllables
from ..resolution import PLAIN_MALE_TITLES, LatinForm, is_bare_chinese
from ..transliteration import list_romanizations
from .chinese_words import (
    RANKS,
    RELATIVE_ENDINGS,
    TITLES,
    ending_of,
    is_full_name,
    is_own_name,
    surname_of,
)
from .forms import (
    FULL_NAMES,
    MAX_BLOCK,
    Form,
    Forms,
    find_containing,
    group_by_key,
    is_full_first_name,
    is_short_form,
    iter_pairs,
    may_be_same_first_name,
    stem_of_diminutive,
    strip_accents,
)
from .model import Hint, NameFacts, TextFacts, pair_key
from .shared_context import SharedContexts

_FORMAL_TITLES = frozenset("lady sir lord queen king prince princess saint st".split())
_ROYAL_TITLES = frozenset("king queen prince princess saint st".split())
_LISTS = WordLists("duplicates")
RANK_TITLES = _LISTS.words("rank_titles")
_MIN_SIMILARITY = 84.0  # of 100
# Words that make another entity: Westminster Stairs are not Westminster.
_KIND_WORDS = _LISTS.words("kind_words")
# With a surname these are formal, as "Mrs." is: whom a text calls by the first name alone, a
# relative calls Aunt Rachel, not Aunt Verinder.
_KIN_TITLES = frozenset(("aunt", "uncle", "cousin"))
_CALLED_BY_FIRST_NAME = frozenset(("", "miss", "master"))
_MARRIED_TITLES = frozenset(("mrs", "lady", "madame", "mme", "dame", "duchess", "countess"))

# Spellings of one title.
_SAME_TITLES = {
    spelling: spellings[0]
    for spellings in (
        ("doctor", "dr"),
        ("captain", "capt", "cap'n"),
        ("colonel", "col"),
        ("lieutenant", "lieut", "lt"),
        ("sergeant", "sergt", "sgt"),
        ("professor", "prof"),
        ("reverend", "rev"),
        ("general", "gen"),
        ("madame", "mme"),
        ("mademoiselle", "mlle"),
        ("monsieur", "m"),
        ("saint", "st"),
    )
    for spelling in spellings
}


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
            if _SAME_TITLES.get(a.person.title, "a") == _SAME_TITLES.get(b.person.title, "b"):
                strength = 0.9
            title = titled.person.title if titled.person else ""
            if bare and len(a.person.words) == 1:
                is_first = forms.is_first_name(a.person.words[0])
                if title in _MARRIED_TITLES or title == "miss":
                    # the surname alone means a man, or a servant
                    strength = 0.6 if is_first else 0.25
            if bare and title in RANK_TITLES and forms.has_title(bare.id, PLAIN_MALE_TITLES):
                strength = 0.15  # "Sholto", who is Mr. Sholto, beside Major Sholto
            is_surname = len(a.person.words) == 1 and not forms.is_first_name(a.person.words[0])
            if is_surname and "aunt" in (a.person.title, b.person.title) and not bare:
                # She is the wife of an uncle more often, and the Miss of the family her daughter.
                other = b if a.person.title == "aunt" else a
                title = other.person.title if other.person else ""
                strength = 0.6 if title in _MARRIED_TITLES else 0.15 if title == "miss" else 0.4
            text = Message("“{a}” and “{b}” differ in the title only", a=a.name, b=b.name)
            yield Hint(a.id, b.id, "titles", strength, text, bare.id if bare else 0)


def propose_nicknames(forms: Forms, contexts: SharedContexts) -> Iterator[Hint]:
    """Propose names whose first names are forms of one name: "Lizzy" and "Elizabeth Bennet"."""
    by_full: dict[str, list[Form]] = defaultdict(list)
    by_first: dict[str, list[Form]] = defaultdict(list)
    for form in forms.latin:
        if form.person and len(form.person.words) <= 3:
            by_first[form.person.words[0]].append(form)
            for full in FULL_NAMES.get(form.person.words[0], ()):
                by_full[full].append(form)
    for full in sorted(by_full):
        for a, b in iter_pairs(by_full[full]):
            yield from _propose_nickname(forms, a, b, full)
    yield from _propose_diminutives(forms, contexts, by_first)


def _propose_nickname(forms: Forms, a: Form, b: Form, full: str) -> Iterator[Hint]:
    """Propose two names as one if nothing excludes it.

    Args:
        full: the first name that those of both are forms of.
    """
    left, right = a.person, b.person
    if not left or not right or left.words[0] == right.words[0]:
        return
    both = len(left.words) > 1 and len(right.words) > 1
    if both and left.words[-1] != right.words[-1]:
        return
    if any(form.title in RANK_TITLES and len(form.words) == 1 for form in (left, right)):
        return
    if not both and _are_men_of_two_families(forms, a.id, b.id):
        return
    short = a if len(left.words) < len(right.words) else b
    # "Harry" is short for Henry and Harold; a common surname removes the ambiguity.
    base_strength = 0.88 if both else 0.72
    if not both and (
        forms.has_title(a.id, _FORMAL_TITLES) or forms.has_title(b.id, _FORMAL_TITLES)
    ):
        base_strength = 0.4  # Lady Catherine is not Kitty: a formal title has no short form
    sides = {left.words[0], right.words[0]}
    strength = base_strength if full in sides else base_strength - 0.15
    text = Message(
        "“{a}” and “{b}”: the first names are forms of {full}",
        a=a.name,
        b=b.name,
        full=full.title(),
    )
    longer = b if short is a else a
    n_short, n_longer = (forms.facts[f.id].n_mentions for f in (short, longer))
    if not both and len(longer.words) > 1 and n_longer < 0.2 * n_short:
        strength *= 0.7  # a frequent short name is rarely a full name of one page
    # "Tom" is only one of two people named Thomas; single first names exclude no other.
    rivals = short.id if len(left.words) != len(right.words) else 0
    yield Hint(a.id, b.id, "nickname", strength, text, rivals)


# Of a short form of one first name in its scenes, and of several.
_DIMINUTIVE_STRENGTH, _ONE_OF_SEVERAL_STRENGTH = 0.5, 0.35
# Before a first name alone; with "Mrs." or "Lady" the only word is a surname.
_FAMILIAR_TITLES = frozenset(("", "miss", "master"))
MAX_FIRST_NAME = 16  # letters: no first name has more, and what has more would have many parts


def _propose_diminutives(
    forms: Forms, contexts: SharedContexts, by_first: Mapping[str, Sequence[Form]]
) -> Iterator[Hint]:
    """Propose a short form that no list has, of a name in its scenes: "Tilly" and "Ottilie Vance".

    Weak by itself: Dilly is no form of Cordillia, unless both meet the same people.
    """

    def list_called(word: str) -> list[Form]:
        return [f for f in by_first[word] if f.person and f.person.title in _FAMILIAR_TITLES]

    alone = {
        word: [f for f in list_called(word) if f.person and len(f.person.words) == 1]
        for word in sorted(by_first)
        if len(word) <= MAX_FIRST_NAME and not is_full_first_name(word)
    }
    alone = {word: block for word, block in alone.items() if block}
    firsts = [word for word in sorted(by_first) if len(word) <= MAX_FIRST_NAME]
    containing = find_containing(chain(alone, map(stem_of_diminutive, alone)), firsts)
    for short, block in alone.items():
        candidates = {*containing.get(short, ()), *containing.get(stem_of_diminutive(short), ())}
        pairs = [
            (a, b, full)
            for full in sorted(candidates)
            if full != short
            and not may_be_same_first_name(short, full)
            # A clipped name may as well be any word before an ending: Whig and Whiggish.
            and is_short_form(short, full, may_be_clipped=forms.count_bearers(full) > 0)
            for a, b in product(block, list_called(full))
            if a.id != b.id and contexts.share_context(a.id, b.id)
        ]
        is_only = len({full for _, _, full in pairs}) == 1
        strength = _DIMINUTIVE_STRENGTH if is_only else _ONE_OF_SEVERAL_STRENGTH
        for a, b, full in pairs:
            text = Message(
                "“{a}” may be a short form of “{full}” in “{b}”"
                if b.name.casefold() != full
                else "“{a}” may be a short form of “{b}”",
                a=a.name,
                b=b.name,
                full=full.title(),
            )
            yield Hint(a.id, b.id, "nickname", strength, text)


def _are_men_of_two_families(forms: Forms, a: int, b: int) -> bool:
    """Return whether two entities have full names without a common surname, and one is a man's.

    A woman may have another surname after her marriage.
    """
    left, right = (
        [form.person for form in forms.of[i] if form.person and len(form.person.words) > 1]
        for i in (a, b)
    )
    if not left or not right or {p.words[-1] for p in left} & {p.words[-1] for p in right}:
        return False
    genders = {p.gender for p in (*left, *right)} | {forms.facts[i].gender for i in (a, b)}
    return "m" in genders and "f" not in genders


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
            if is_identifier(other.name):  # of a name with more words, `FZ_ENABLE` is a prefix
                continue
            strength = _part_strength(forms, form, other)
            if strength:
                text = describe_part(form.name, other.name, words)
                yield Hint(form.id, other.id, "part", strength, text, form.id)


def describe_part(short: str, long: str, words: Sequence[str]) -> Message:
    """Return the sentence about a name whose words (without titles) are all in a longer one."""
    if f" {short.casefold()} " in f" {' '.join(_WORD.findall(long.casefold()))} ":
        return Message("“{form}” is part of “{other}”", form=short, other=long)
    shared = [word for word in _WORD.findall(long) if strip_accents(word) in words]
    if not shared:
        return Message("“{form}” and “{other}” have words in common", form=short, other=long)
    return Message(
        "“{form}” and “{other}” have “{part}” in common",
        form=short,
        other=long,
        part=" ".join(shared),
    )


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
    is_surname = len(short.words) == 1 and short.words[0] == full.words[-1] != full.words[0]
    if short.title in _KIN_TITLES and is_surname:
        if _is_called_by_first_name(forms, other, full.words[0]):
            return 0.0  # "Aunt Verinder" is not Rachel, who is Rachel Verinder
        return 0.45 if short.gender == full.gender else 0.12
    if short.title == "miss" and full.words[-1] == short.words[-1] and len(short.words) == 1:
        # "Miss Bennet" is the eldest sister; the others are "Miss Elizabeth".
        if forms.count_relatives(short.words[0], "f") == 1:
            return 0.66
        return 0.5 if forms.has_title(other.id, frozenset(("miss",)), first=True) else 0.6
    if short.words[0] == full.words[0]:
        named = frozenset((*RANK_TITLES, "mr", "mrs")) - {"sir", "lord"}
        is_last = not forms.is_first_name(short.words[0])
        if len(short.words) == 1 and is_last and forms.has_title(form.id, named):
            return 0.0  # Colonel Fitzwilliam is not Fitzwilliam Darcy
        if short.title in _ROYAL_TITLES and full.title != short.title:
            return 0.1  # King George is not George Canon
        is_rare = forms.facts[other.id].n_mentions < 0.2 * forms.facts[form.id].n_mentions
        is_told = not forms.has_title(form.id, named) and _is_introduced(forms, form, other)
        return 0.6 if is_rare and not is_told else 0.66
    may_fit = not short.gender or not full.gender or short.gender == full.gender
    return 0.66 if may_fit else 0.55


def _is_introduced(forms: Forms, short: Form, full: Form) -> bool:
    """Return whether a text tells the only full name of a first name before it uses that alone."""
    first, second = forms.facts[full.id].chunks, forms.facts[short.id].chunks
    if not first or not second or min(first) > min(second):
        return False
    return full.person is not None and forms.count_bearers(full.person.words[0]) == 1


def _is_called_by_first_name(forms: Forms, form: Form, first_name: str) -> bool:
    return any(
        own.person is not None
        and own.person.words == (first_name,)
        and own.person.title in _CALLED_BY_FIRST_NAME
        for own in forms.of[form.id]
    )


def have_conflicting_surnames(a: LatinForm, b: LatinForm) -> bool:
    """Return whether one first name has two different surnames; False for women, who may marry."""
    if len(a.words) < 2 or len(b.words) < 2 or a.words[0] != b.words[0]:
        return False
    is_woman = "f" in (a.gender, b.gender)
    if is_woman or a.words[-1] in b.words or b.words[-1] in a.words:
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


_MIN_FREQUENCY_RATIO = 10
# Names of one surname that are all compared; of more, those with a shared context.
_MAX_ALL_COMPARED = 20
_FAMILIAR_ENDINGS = "郎 哥 爷 儿 公 佛祖 娘娘 菩萨 大师 大仙 老爷 先生".split()


def propose_chinese_parts(forms: Forms) -> Iterator[Hint]:
    """Propose 智深 in 鲁智深, 武大 in 武大郎, and 玉帝 of 玉皇大帝."""
    by_name: dict[str, list[Form]] = defaultdict(list)
    for form in forms.han:
        if len(form.key) >= 2 and not is_bare_chinese(form.key):
            by_name[form.key].append(form)
    for form in forms.han:
        name = form.key
        for cut in range(1, len(name) - 1):
            for short in by_name.get(name[cut:], ()):
                if short.id != form.id and forms.facts[short.id].type == forms.facts[form.id].type:
                    is_person = forms.facts[form.id].type == "person"
                    given = is_person and cut == len(surname_of(name))
                    text = Message(
                        "“{form}” ends with “{short}”; “{rest}” may be the surname"
                        if given and len(short.key) <= 2
                        else "“{form}” ends with “{short}”",
                        short=short.name,
                        form=form.name,
                        rest=name[:cut],
                    )
                    strength = 0.74 if given else 0.62 if is_person else 0.4
                    yield Hint(short.id, form.id, "part", strength, text, short.id)
            rest = name[len(name) - cut :]
            for short in by_name.get(name[:-cut], ()):
                if short.id != form.id and not rest.endswith(tuple(RELATIVE_ENDINGS)):
                    n_short = forms.facts[short.id].n_mentions
                    cited = {"short": short.name, "form": form.name, "rest": rest}
                    if rest in _FAMILIAR_ENDINGS or rest in RANKS or rest in TITLES:
                        text = Message(
                            "“{form}” starts with “{short}”; “{rest}” may be a rank or a form of "
                            "address",
                            **cited,
                        )
                        yield Hint(short.id, form.id, "part", 0.7, text, short.id)
                    else:
                        is_error = n_short >= _MIN_FREQUENCY_RATIO * forms.facts[form.id].n_mentions
                        text = Message(
                            "“{form}” starts with the more frequent “{short}”; “{rest}” may be "
                            "the next word of the text"
                            if is_error
                            else "“{form}” starts with “{short}”",
                            **cited,
                        )
                        yield Hint(short.id, form.id, "part", 0.55 if is_error else 0.3, text)
        if len(name) == 4:
            for short in by_name.get(name[0] + name[3], ()):
                if short.id != form.id:
                    text = Message(
                        "“{short}” may be short for “{form}”", short=short.name, form=form.name
                    )
                    yield Hint(short.id, form.id, "part", 0.6, text, short.id)


def propose_surnames(forms: Forms, contexts: SharedContexts) -> Iterator[Hint]:
    """Propose 花知寨 for 花荣, 武二 for 武松: a surname with a title or a rank."""
    full: dict[str, list[Form]] = defaultdict(list)
    titled: dict[str, list[tuple[Form, str, bool]]] = defaultdict(list)
    for form in forms.han:
        if forms.facts[form.id].type not in ("person", "other") or len(form.key) > 5:
            continue
        if form.key in TITLES or form.key in RANKS:
            continue  # 天王 is a title, and no 王 with the surname 天
        surname = surname_of(form.key)
        if any(other.key != form.key and is_own_name(other.key) for other in forms.of[form.id]):
            # Its entity has a full name already: 花和尚 is 鲁智深 and no Hua, 戴院长 is 戴宗.
            if is_own_name(form.key):
                full[surname].append(form)
            continue
        title = ending_of(form.key, TITLES)
        rank = "" if title else ending_of(form.key, RANKS)
        if title or rank:
            titled[surname].append((form, title or rank, bool(title)))
        elif is_own_name(form.key):
            full[surname].append(form)
    # Without names with a character that the tagger added by mistake (武松搠).
    counts = {one.key: forms.facts[one.id].n_mentions for block in full.values() for one in block}
    for surname, block in full.items():
        full[surname] = [
            form
            for form in block
            if counts.get(form.key[:-1], 0) < _MIN_FREQUENCY_RATIO * forms.facts[form.id].n_mentions
        ]
    for surname in sorted(titled):
        few = len(full.get(surname, ())) <= _MAX_ALL_COMPARED
        for form, ending, is_title in titled[surname][:MAX_BLOCK]:
            for other in full.get(surname, ())[:MAX_BLOCK]:
                if other.id == form.id or other.key.startswith(form.key):
                    continue
                if few or contexts.share_context(form.id, other.id):
                    text = Message(
                        "“{form}” and “{other}” start with “{surname}”; “{rest}” is a title"
                        if is_title
                        else "“{form}” and “{other}” start with “{surname}”; “{rest}” may be a "
                        "rank among brothers",
                        form=form.name,
                        other=other.name,
                        surname=surname,
                        rest=ending,
                    )
                    strength = 0.68 if is_title else 0.6
                    yield Hint(form.id, other.id, "surname", strength, text, form.id)
            for other, other_ending, _ in titled[surname][:MAX_BLOCK]:
                if other.id <= form.id or ending == other_ending:
                    continue
                if contexts.share_context(form.id, other.id):
                    text = Message(
                        "“{form}” and “{other}” start with “{surname}” and differ in the title",
                        form=form.name,
                        other=other.name,
                        surname=surname,
                    )
                    yield Hint(form.id, other.id, "titles", 0.4, text)


def propose_shared_characters(forms: Forms, contexts: SharedContexts) -> Iterator[Hint]:
    """Propose names with one surname and different given names: 鲁达 and 鲁智深, or two brothers.

    A weak hint, which needs the support of the shared context.
    """
    blocks: dict[str, list[Form]] = defaultdict(list)
    for form in forms.han:
        if forms.facts[form.id].type == "person" and is_full_name(form.key):
            blocks[surname_of(form.key)].append(form)
    for surname, block in sorted(blocks.items()):
        if len(block) > MAX_BLOCK // 4:
            continue
        for n, a in enumerate(block):
            for b in block[n + 1 :]:
                if a.id == b.id or len(a.key) == len(b.key):
                    continue
                if contexts.share_context(a.id, b.id):
                    text = Message(
                        "“{a}” and “{b}” start with “{surname}”",
                        a=a.name,
                        b=b.name,
                        surname=surname,
                    )
                    yield Hint(a.id, b.id, "characters", 0.1, text)


def propose_fingerprints(forms: Forms) -> Iterator[Hint]:
    """Propose names with the same words in any order, ignoring case, accents and punctuation.

    The order counts where each word is one letter: D.F. and F.D. are the initials of two people.
    """
    keys = [
        " ".join(
            (
                *(sorted(set(form.words)) if any(len(w) > 1 for w in form.words) else form.words),
                *_SIGNS.findall(form.name),
            )
        )
        for form in forms.all
    ]
    for block in group_by_key(forms.all, keys):
        for a, b in iter_pairs(block):
            if _differ_in_title(a, b):
                continue
            text = Message("“{a}” and “{b}” have the same words", a=a.name, b=b.name)
            yield Hint(a.id, b.id, "fingerprint", 0.93, text)


# After a letter these are no punctuation: C, C++ and C# are three languages.
_SIGNS = re.compile(r"(?<=\w)[+#]+")


def _differ_in_title(a: Form, b: Form) -> bool:
    """Return whether two people have other titles: `propose_titles` weighs these."""
    return bool(a.person and b.person and a.person.title != b.person.title)


def propose_ngrams(forms: Forms) -> Iterator[Hint]:
    """Propose names with the same letter bigrams ("Baker Street" and "Bakerstreet")."""
    joined = ["".join(form.words) for form in forms.latin]
    bigrams = [
        {a + b for a, b in pairwise(letters)} if len(letters) > 4 else () for letters in joined
    ]
    for block in group_by_key(forms.latin, map(frozenset, bigrams)):
        for a, b in iter_pairs(block):
            if _differ_in_title(a, b) or _are_two_codes(forms, a, b):
                continue
            if _SIGNS.findall(a.name) != _SIGNS.findall(b.name):
                continue
            text = Message("“{a}” and “{b}” have the same letters", a=a.name, b=b.name)
            yield Hint(a.id, b.id, "ngram", 0.85, text)


_MIN_LENGTH, _MAX_LENGTH = 5, 64  # of a name in letters; the keys of a longer one need too much
_MIN_LONG_WORD = 10  # a single word that may have two edits
_MIN_LONG_NAME = 12
_MAX_EDITS = 2
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_NUMBER = re.compile(
    r"\d+|\b[ivxlc]+\b|\b(?:first|second|third|fourth|fifth|junior|senior|jr|sr)\b"
)


def propose_spellings(forms: Forms) -> Iterator[Hint]:
    """Propose names at edit distance 1, or 2 if they are long ("Pyncheon", "Pynchon")."""
    seen: set[tuple[int, int]] = set()
    for block in (*_group_by_deleted_letter(forms), *_group_by_similar_words(forms)):
        if not 1 < len(block) <= MAX_BLOCK // 8:
            continue
        for a, b in iter_pairs(block):
            two = (a.id, b.id) if a.id < b.id else (b.id, a.id)
            left, right = " ".join(a.words), " ".join(b.words)
            if two in seen or left == right or _differ_meaningfully(left, right):
                continue
            if _are_two_codes(forms, a, b):
                continue
            edits = DamerauLevenshtein.distance(left, right, score_cutoff=_MAX_EDITS)
            if edits > _MAX_EDITS:
                continue
            seen.add(two)
            length = min(len(left), len(right))
            strength = min(0.8, 0.35 + 0.05 * (length - _MIN_LENGTH)) - 0.2 * (edits - 1)
            if strength > 0.2:
                text = Message(
                    "“{a}” and “{b}” differ by {edits} letters"
                    if edits > 1
                    else "“{a}” and “{b}” differ by {edits} letter",
                    a=a.name,
                    b=b.name,
                    edits=edits,
                )
                yield Hint(a.id, b.id, "spelling", strength, text)


def _group_by_deleted_letter(forms: Forms) -> list[list[Form]]:
    """Return blocks of names that are equal without one letter (two in a long single word)."""
    first: dict[str, Form] = {}
    blocks: dict[str, list[Form]] = {}  # of the few keys with several names
    for form in forms.latin:
        text = " ".join(form.words)
        if _MIN_LENGTH <= len(text) <= _MAX_LENGTH:
            # no sets: their order differs from one start of the program to the next
            keys = [text, *(text[:cut] + text[cut + 1 :] for cut in range(len(text)))]
            if len(form.words) == 1 and len(text) >= _MIN_LONG_WORD:
                keys += [key[:cut] + key[cut + 1 :] for key in keys for cut in range(len(key))]
            for key in dict.fromkeys(keys):
                other = first.setdefault(key, form)
                if other is not form:
                    blocks.setdefault(key, [other]).append(form)
    return list(blocks.values())


def _group_by_similar_words(forms: Forms) -> list[list[Form]]:
    """Return blocks of long names whose words differ by at most one letter each.

    "Elisabeth Bennett" and "Elizabeth Bennet" differ in two words. Grouping the words first finds
    such pairs without comparing every two names.
    """
    words_by_form: dict[str, list[str]] = defaultdict(list)
    long = [f for f in forms.latin if len(f.words) > 1 and sum(map(len, f.words)) >= _MIN_LONG_NAME]
    words = {word for form in long for word in form.words}
    for word in words:
        if _MIN_LENGTH <= len(word) <= _MAX_LENGTH:
            for cut in range(len(word)):
                words_by_form[word[:cut] + word[cut + 1 :]].append(word)
            words_by_form[word].append(word)
    representative = {word: word for word in words}

    def find(word: str) -> str:
        while representative[word] != word:
            word = representative[word]
        return word

    for near in words_by_form.values():
        for other in near[1:]:
            one, two = sorted((find(near[0]), find(other)))
            representative[two] = one
    return group_by_key(long, [tuple(map(find, form.words)) for form in long])


def _differ_meaningfully(left: str, right: str) -> bool:
    """Return whether the difference is meaningful: a plural, a number, another first letter."""
    if left[0] != right[0] or _NUMBER.findall(left) != _NUMBER.findall(right):
        return True
    short, long = sorted((left, right), key=len)
    return long in (short + "s", short + "es", short + "n", short + "e")


# An identifier of a program: FZ_IMAGE_PNG, newPixmap; and a code such as PNG, JXR or IId:
# capital letters and digits with one small letter at most, which no word of a text is.
_IDENTIFIER = re.compile(r"\w*[^\W_]_[^\W_]\w*|[a-z]+[A-Z]\w*")
_CODE = re.compile(r"(?=(?:[a-z]?[A-Z\d]){2})[A-Z\d]*[a-z]?[A-Z\d]*")


def is_identifier(name: str) -> bool:
    """Return whether a name is an identifier of a program."""
    return _IDENTIFIER.fullmatch(name) is not None


def _are_two_codes(forms: Forms, a: Form, b: Form) -> bool:
    """Return whether two names differ in letters of identifiers or codes.

    In a word such a letter may be an error or a variant; of a code it makes another one.
    """
    if "".join(a.words) == "".join(b.words):
        return False
    if "person" in (forms.facts[a.id].type, forms.facts[b.id].type):
        return False
    if is_identifier(a.name) and is_identifier(b.name):
        return True
    left, right = a.name.split(), b.name.split()
    apart = [x for x in left if x not in right], [x for x in right if x not in left]
    return all(words and all(map(_CODE.fullmatch, words)) for words in apart)


def propose_sounds(forms: Forms) -> Iterator[Hint]:
    """Propose Chinese names with the same pinyin: variants, traditional forms and errors."""
    names = [form for form in forms.han if 2 <= len(form.key) <= 8]
    for block in group_by_key(names, [to_pinyin(form.key) for form in names]):
        for a, b in iter_pairs(block):
            if a.key == b.key:
                continue
            counts = sorted(forms.facts[form.id].n_mentions for form in (a, b))
            n_same = sum(x == y for x, y in zip(a.key, b.key, strict=False))
            strength = 0.45 + 0.3 * n_same / len(a.key) if n_same else 0.3
            if len(a.key) > 2:
                strength += 0.1
            if counts[0] > 0.1 * counts[1] and counts[0] > 3:
                strength -= 0.3  # 张青 and 张清 are both frequent in the book
            text = Message(
                "“{a}” and “{b}” sound alike ({pinyin})",
                a=a.name,
                b=b.name,
                pinyin=to_pinyin(a.key),
            )
            yield Hint(a.id, b.id, "pinyin", strength, text)


_ROMANIZED_STRENGTH = 0.8  # of a spelling that one Chinese name of the library has


def propose_romanizations(forms: Forms) -> Iterator[Hint]:
    """Propose a Chinese name and its pinyin without tones, in both orders: 沈衡 and Heng Shen."""
    by_spelling: dict[str, list[Form]] = defaultdict(list)
    for form in forms.latin:
        by_spelling[" ".join(form.words)].append(form)
    if not by_spelling:
        return
    found: dict[tuple[int, int], tuple[Form, Form]] = {}
    for chinese in forms.han:
        for spelling in list_romanizations(chinese.key):
            words = spelling.replace("-", " ").split()
            for key in (" ".join(words), " ".join([*words[1:], words[0]])):
                for latin in by_spelling.get(key, ())[:MAX_BLOCK]:
                    types = {forms.facts[form.id].type for form in (chinese, latin)}
                    is_possible = len(types) == 1 or types == {"person", "other"}
                    if is_possible and chinese.id != latin.id:
                        found.setdefault((latin.id, chinese.id), (latin, chinese))
    for _, (latin, chinese) in sorted(found.items(), key=itemgetter(0)):
        text = Message("“{latin}” is “{chinese}” in pinyin", latin=latin.name, chinese=chinese.name)
        yield Hint(latin.id, chinese.id, "pinyin", _ROMANIZED_STRENGTH, text, latin.id)


@lru_cache(maxsize=65536)
def to_pinyin(name: str) -> str:
    """Return the pinyin of a Chinese name without tones."""
    return " ".join(read_syllables(name))


_MAX_COMPARED = 4000  # names compared with each other, the most frequent ones
_NEAREST = 3
_MIN_COMPARED = 3
_MIN_COSINE = 0.75
_COSINE_OFFSET, _MAX_STRENGTH = 0.45, 0.35  # a weak hint: many descriptions are similar
_BATCH_ROWS = 512


def propose_meanings(facts: Sequence[NameFacts], text: TextFacts) -> Iterator[Hint]:
    """Propose the nearest neighbours of each name by the vectors of their descriptions.

    The mean vector is subtracted first, because all descriptions have much in common.
    """
    if text.vectors is None:
        return
    # A row of zeros means no vector.
    with_vector = np.flatnonzero(np.any(text.vectors, axis=1)).tolist()
    order = sorted(with_vector, key=lambda i: (-facts[i].n_mentions, facts[i].id))[:_MAX_COMPARED]
    if len(order) < _MIN_COMPARED:
        return
    mat = np.asarray(text.vectors, dtype=np.float32)[order]
    centred = mat - mat.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
    for start in range(0, len(order), _BATCH_ROWS):
        near = centred[start : start + _BATCH_ROWS] @ centred.T
        for row in range(len(near)):
            near[row, start + row] = -1.0
            nearest = np.argpartition(-near[row], _NEAREST - 1)[:_NEAREST]
            for column in sorted(nearest.tolist(), key=lambda c: (-near[row, c], c)):
                cosine = float(near[row, column])
                a, b = facts[order[start + row]], facts[order[column]]
                if cosine < _MIN_COSINE or a.type != b.type or _occur_together(a, b, text):
                    continue
                strength = min(_MAX_STRENGTH, cosine - _COSINE_OFFSET)
                words = Message(
                    "“{a}” and “{b}” have similar descriptions ({cosine:.2f})",
                    a=a.name,
                    b=b.name,
                    cosine=cosine,
                )
                yield Hint(a.id, b.id, "meaning", strength, words)


def _occur_together(a: NameFacts, b: NameFacts, text: TextFacts) -> bool:
    """Return whether one sentence may describe both, so that similarity is no evidence."""
    pair = pair_key(a.id, b.id)
    if pair in text.together or pair in text.stated:
        return True
    n_shared = len(a.chunks & b.chunks)
    return 2 * n_shared > min(len(a.chunks), len(b.chunks))
