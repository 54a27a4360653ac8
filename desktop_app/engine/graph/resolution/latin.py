"""Rules for personal names in Latin scripts: titles, surnames, first names.

Proposes a pair only if exactly one person fits. The gender of a title must agree, and "Mrs." only
matches a full name with the same title.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...model import NameCount


def _split(words: str) -> list[str]:
    return words.split()


_MALE = frozenset(_split("mr sir lord monsieur m master uncle duke king prince baron count don"))
_MARRIED = frozenset(_split("mrs lady madame mme dame duchess countess queen madam"))
_FEMALE = frozenset(["miss", "ms", "mademoiselle", "mlle", "aunt", "princess"]) | _MARRIED
_NEUTRAL = frozenset(
    _split(
        "dr doctor captain capt cap'n colonel col major general gen lieutenant lieut lt sergeant "
        "corporal admiral commodore professor prof rev reverend bishop archbishop cardinal judge "
        "justice inspector detective president governor senator st saint pope squire cousin"
    )
)
_TITLES = _MALE | _FEMALE | _NEUTRAL
_FEMALE_NAMES = frozenset(
    _split(
        "elizabeth jane mary lydia kitty catherine charlotte caroline louisa anne anna alice emma "
        "martha belinda belle fan lucy sophia sarah margaret maria harriet georgiana emily amelia "
        "rebecca becky agnes florence helen ellen rachel ruth rose julia grace eliza lizzy mina "
        "estella biddy natasha sonya irene violet clara laura kate susan nancy polly molly betty "
        "dorothy elinor marianne fanny frances isabella henrietta diana justine safie agatha"
    )
)
_MALE_NAMES = frozenset(
    _split(
        "bob robert ebenezer jacob tim fred peter william charles george john james thomas henry "
        "fitzwilliam edward richard arthur david joseph "
        "samuel walter philip francis frank jack tom "
        "dick harry jonathan abraham victor sherlock andrew pierre nicholas boris hugh stephen "
        "herbert joe abel matthew mark luke paul michael daniel oliver edmund ralph roger alfred"
    )
)
# Titles that also precede first names ("Sir William"); the others precede surnames only.
_BEFORE_FIRST = frozenset(
    _split(
        "sir lady miss master uncle aunt king queen prince princess saint st lord cousin dame don "
        "mademoiselle brother sister father mother"
    )
)
_EPITHETS = frozenset(["old", "young", "little", "poor", "dear", "good", "dearest"])
_MIN_SURNAME_SHARE = 0.3
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_MIN_SHARED_DOCUMENTS = 0.7


@dataclass(slots=True)
class LatinForm:
    """One parsed name; `gender` is "m", "f" or "" if unknown."""

    name: NameCount
    title: str
    words: tuple[str, ...]
    gender: str


def is_bare_latin(name: str) -> bool:
    """Return whether a name consists of titles only."""
    words = [word.lower() for word in _WORD.findall(name)]
    return bool(words) and all(word in _TITLES for word in words)


def read_forms(names: Sequence[NameCount]) -> list[LatinForm]:
    """Return the parsed personal names in a Latin script; other names are left out."""
    return [form for name in names if (form := _parse_name(name)) is not None]


def propose_latin(
    forms: Sequence[LatinForm], find: Callable[[int], int]
) -> Iterator[tuple[int, int]]:
    """Propose pairs of names of one person.

    Args:
        find: name id -> id of its current group.
    """
    by_words: dict[tuple[str, ...], list[LatinForm]] = defaultdict(list)
    by_last: dict[str, list[LatinForm]] = defaultdict(list)
    by_first: dict[str, list[LatinForm]] = defaultdict(list)
    by_title: dict[tuple[str, tuple[str, ...]], list[LatinForm]] = defaultdict(list)
    gender_of_group: dict[int, set[str]] = defaultdict(set)
    for form in forms:
        by_words[form.words].append(form)
        gender_of_group[find(form.name.name_id)].add(form.gender)
        if len(form.words) > 1:
            by_last[form.words[-1]].append(form)
            by_first[form.words[0]].append(form)
        if form.title:
            for n_words in range(1, len(form.words)):
                by_title[form.title, form.words[:n_words]].append(form)
    surname_counts = Counter[str]()
    for form in forms:
        surname_counts[form.words[-1]] += form.name.n_mentions
    for same in by_words.values():
        yield from _propose_without_title(same)
    for form in forms:
        if len(form.words) == 1:
            own_genders = gender_of_group[find(form.name.name_id)] - {""}
            full = by_last.get(form.words[0], ())
            yield from _only_one(
                form, [f for f in full if _is_compatible(form, f, own_genders)], find
            )
            if not form.title:
                surname = any(
                    other.title and other.title not in _BEFORE_FIRST
                    for other in by_words[form.words]
                )
                if not full and not surname:
                    yield from _only_one(
                        form, _find_by_first_name(form, by_first, surname_counts), find
                    )
        if form.title:
            longer = by_title.get((form.title, form.words), ())
            yield from _only_one(form, longer, find)


def _parse_name(name: NameCount) -> LatinForm | None:
    if not name.name or "\u3040" <= name.name[0] <= "\u9fff":
        return None
    kinds = name.types
    if kinds and kinds.get("person", 0) < 0.4 * sum(kinds.values()):
        return None
    words = [word.lower().replace("’", "'") for word in _WORD.findall(name.name)]
    title = ""
    while len(words) > 1 and words[0] in _EPITHETS:
        words.pop(0)
    while len(words) > 1 and words[0] in _TITLES:
        title = title or words.pop(0)
        if len(words) > 1 and words[0] in _TITLES:
            words.pop(0)
    if not words or len(words) > 5 or "of" in words or any(word.isdigit() for word in words):
        return None
    gender = "m" if title in _MALE else "f" if title in _FEMALE else ""
    if not gender and len(words) > 1:
        first = words[0]
        gender = "f" if first in _FEMALE_NAMES else "m" if first in _MALE_NAMES else ""
    return LatinForm(name, title, tuple(words), gender)


def _propose_without_title(same: Sequence[LatinForm]) -> Iterator[tuple[int, int]]:
    """Propose names that differ in the title only, unless the titles denote two people."""
    titles = {form.title for form in same if form.title}
    genders = {form.gender for form in same if form.gender}
    one_word = len(same[0].words) == 1
    bare = [form for form in same if not form.title]
    for form in same:
        if not form.title or not bare:
            continue
        if one_word and (form.title in _MARRIED or form.title == "miss"):
            continue
        if len(genders) > 1 and form.gender == "f" and one_word:
            continue
        if form.title in _NEUTRAL and one_word and len(titles) > 1:
            continue
        if _share_documents(form.name, bare[0].name):
            yield form.name.name_id, bare[0].name.name_id


def _find_by_first_name(
    form: LatinForm, by_first: dict[str, list[LatinForm]], surname_counts: Counter[str]
) -> list[LatinForm]:
    """Return full names with this first name, if their surname is frequent enough."""
    full_names = [o for o in by_first.get(form.words[0], ()) if o.title not in _MARRIED]
    # A frequent "Joe" is not the "Joe Miller" of one sentence.
    frequent_enough = [
        o
        for o in full_names
        if surname_counts[o.words[-1]] >= _MIN_SURNAME_SHARE * form.name.n_mentions
    ]
    return full_names if frequent_enough else []


def _is_compatible(form: LatinForm, full: LatinForm, own_genders: set[str]) -> bool:
    if form.title in _MARRIED:
        return full.title == form.title
    if form.title == "miss" and full.title not in ("", "miss"):
        return False
    if form.gender and full.gender and form.gender != full.gender:
        return False
    if "m" in own_genders and full.gender == "f":
        return False
    return not (full.title in _MARRIED and form.gender != "f")


def _only_one(
    form: LatinForm, fitting: Sequence[LatinForm], find: Callable[[int], int]
) -> Iterator[tuple[int, int]]:
    """Propose the only group that fits; none if several fit or the documents differ.

    None if the name is already in one of them: "Jane" in the group of "Jane Bennet" cannot be
    "Jane Austen" as well.
    """
    groups = {find(other.name.name_id) for other in fitting}
    if find(form.name.name_id) in groups:
        return
    sharing = [other for other in fitting if _share_documents(form.name, other.name)]
    if len(groups) == 1 and sharing:
        best = max(sharing, key=lambda other: (other.name.n_mentions, -other.name.name_id))
        yield form.name.name_id, best.name.name_id


def _share_documents(short: NameCount, full: NameCount) -> bool:
    """Return whether most documents with the short name also contain the full one."""
    if not short.documents or not full.documents:
        return True
    return len(short.documents & full.documents) >= _MIN_SHARED_DOCUMENTS * len(short.documents)
