"""Entity resolution: which names denote one entity.

`NameResolver` joins names by the user's merges, equal keys, statements of the text, and rules for
Latin and Chinese personal names; its result depends on the names and their counts alone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model import FIRST_STORY, NameCount
from ..word_lists import WordLists
from .names import normalise_name, split_sense

_MALE = frozenset("mr sir lord monsieur m master uncle duke king prince baron count don".split())
_MARRIED = frozenset("mrs lady madame mme dame duchess countess queen madam".split())
_FEMALE = frozenset(["miss", "ms", "mademoiselle", "mlle", "aunt", "princess"]) | _MARRIED
_LISTS = WordLists("resolution")
_NEUTRAL = _LISTS.words("neutral_titles")
_UNMARRIED = frozenset(["miss", "mademoiselle", "mlle"])
PLAIN_MALE_TITLES = frozenset(["mr", "master"])
_LATIN_TITLES = _MALE | _FEMALE | _NEUTRAL
_FEMALE_NAMES = _LISTS.words("female_names")
_MALE_NAMES = _LISTS.words("male_names")
# Titles that also precede first names ("Sir William"); the others precede surnames only.
_BEFORE_FIRST = frozenset(
    (
        "sir lady miss master uncle aunt king queen prince princess saint st lord cousin dame "
        "don mademoiselle brother sister father mother"
    ).split()
)
_ELDERS = _BEFORE_FIRST - _UNMARRIED - {"master", "saint", "st"}
_EPITHETS = frozenset(["old", "young", "little", "poor", "dear", "good", "dearest"])
# Words that distinguish father and son: "old Jolyon" and "young Jolyon".
_AGES = re.compile(r"(old|young|little) (?=\S)")
_MIN_SURNAME_SHARE = 0.3
# A full name that stands once may be two names side by side ("Mr. Featherstone Caleb").
_MIN_FULL_MENTIONS = 2
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_MIN_SHARED_MENTIONS = 0.7


class ParsedName(NamedTuple):
    """The parts of a personal name in a Latin script, in lower case.

    Attributes:
        title: "mr", "dr", …; "" without one.
        words: the other words, at least one; of several the last is the surname.
        gender: "m" or "f" by the title, else by the first name; "" if neither tells it.
    """

    title: str
    words: tuple[str, ...]
    gender: str


@dataclass(slots=True)
class LatinForm:
    """A name of the library with its parts, see `ParsedName`."""

    name: NameCount
    title: str
    words: tuple[str, ...]
    gender: str


def _by_frequency(name: NameCount) -> tuple[int, str]:
    """Return the sort key of names: most mentions first.

    Never their ids, which depend on the order in which documents were read.
    """
    return -name.n_mentions, name.name


@lru_cache(maxsize=16384)
def is_bare_latin(name: str) -> bool:
    """Return whether a name consists of titles only."""
    words = [word.lower() for word in _WORD.findall(name)]
    return bool(words) and all(word in _LATIN_TITLES for word in words)


def read_forms(names: Iterable[NameCount]) -> list[LatinForm]:
    """Return the parsed personal names in a Latin script; other names are left out."""
    return [form for form in map(_parse_name, names) if form is not None]


@dataclass(slots=True)
class _PartOfLonger:
    """A name that longer names contain.

    Attributes:
        full: names that end in its one word.
        is_certain: whether nobody else can be meant by it than one of `full`.
        by_first_name: names that begin with its one word, if it can be a first name.
        longer: names that begin with its title and words.
    """

    form: LatinForm
    full: Sequence[LatinForm]
    is_certain: bool
    by_first_name: Sequence[LatinForm]
    longer: Sequence[LatinForm]


class LatinForms:
    """Personal names in a Latin script; proposes names of one person.

    Keeps those that share a word with another name: most names do not.
    """

    def __init__(self, names: Sequence[NameCount]) -> None:
        forms = read_forms(names)
        by_words: dict[tuple[str, ...], list[LatinForm]] = defaultdict(list)
        by_last: dict[str, list[LatinForm]] = defaultdict(list)
        by_first: dict[str, list[LatinForm]] = defaultdict(list)
        by_title: dict[tuple[str, tuple[str, ...]], list[LatinForm]] = defaultdict(list)
        surname_counts: Counter[str] = Counter()
        for form in forms:
            by_words[form.words].append(form)
            surname_counts[form.words[-1]] += form.name.n_mentions
            if len(form.words) > 1:
                by_last[form.words[-1]].append(form)
                by_first[form.words[0]].append(form)
            if form.title and form.name.n_mentions >= _MIN_FULL_MENTIONS:
                for n_words in range(1, len(form.words)):
                    by_title[form.title, form.words[:n_words]].append(form)
        self._with_gender = [(form.name.name_id, form.gender) for form in forms if form.gender]
        self._same_words = [same for same in by_words.values() if len(same) > 1]
        self._parts: list[_PartOfLonger] = []
        self._of_several: set[int] = set()  # one-word names of which several people may be meant
        for form in forms:
            full: Sequence[LatinForm] = ()
            by_first_name: Sequence[LatinForm] = ()
            is_certain = True
            if len(form.words) == 1:
                called = by_last.get(form.words[0], ())
                full = _list_meeting(form, called)
                same = _list_meeting(form, by_words[form.words])
                if _are_several(form, full, same, by_words) and not _is_mans(full, same, by_words):
                    self._of_several.add(form.name.name_id)
                is_certain = not _may_be_another(form, full, same, by_words)
                is_surname = any(f.title and f.title not in _BEFORE_FIRST for f in same)
                # "William" beside "Sir William" may be another one than William Price.
                is_shared = any(f.title in _ELDERS for f in same)
                # Anywhere: see IF_NO_SURNAME.
                if not form.title and not called and not is_surname and not is_shared:
                    by_first_name = _find_by_first_name(form, by_first, surname_counts)
            longer = _list_meeting(form, by_title.get((form.title, form.words), ()))
            if form.title == "mrs" and by_last.get(form.words[-1]):
                longer = ()  # the wife of Edgar Linton is not "Mrs. Linton Heathcliff"
            if full or by_first_name or longer:
                self._parts.append(_PartOfLonger(form, full, is_certain, by_first_name, longer))

    def pair_same_key(self, same: Sequence[NameCount]) -> Iterator[tuple[int, int]]:
        """Yield pairs of names with one key that denote one entity.

        These are all, except that "Mr. Bennet" is not "Bennet" where several people are called
        Bennet, and "old Jolyon" not Jolyon where a young one is in the book.
        """
        parsed = [parse_latin_name(name.name) for name in same]
        ages = {m.group(1) for name in same if (m := _AGES.match(name.name.casefold()))}
        first_of: dict[str, int] = {}
        for name, form in zip(same, parsed, strict=True):
            variant = ""
            if form and len(form.words) == 1 and name.name_id in self._of_several:
                variant = form.title
            age = _AGES.match(name.name.casefold())
            if age and len(ages) > 1:
                variant = f"{age.group(1)} {variant}"
            first = first_of.setdefault(variant, name.name_id)
            if first != name.name_id:
                yield first, name.name_id

    def propose(self, find: Callable[[int], int]) -> Iterator[tuple[int, int]]:
        """Propose pairs of names of one person.

        Args:
            find: name id -> id of its current group.
        """
        genders: dict[int, set[str]] = defaultdict(set)
        for name_id, gender in self._with_gender:
            genders[find(name_id)].add(gender)
        for same in self._same_words:
            for form in (form for form in same if form.title):
                beside = _list_meeting(form, same)
                if not any(other.name.name_id in self._of_several for other in beside):
                    yield from _propose_without_title(form, beside)
        for part in self._parts:
            if part.full:
                own = genders.get(find(part.form.name.name_id), set())
                fitting = [f for f in part.full if _is_compatible(part.form, f, own)]
                n_mentions = sum(f.name.n_mentions for f in fitting)
                if part.is_certain and n_mentions >= _MIN_FULL_MENTIONS:
                    yield from _propose_only_one(part.form, fitting, find)
            for others in (part.by_first_name, part.longer):
                yield from _propose_only_one(part.form, others, find)


def _parse_name(name: NameCount) -> LatinForm | None:
    kinds = name.types
    if kinds and kinds.get("person", 0) < 0.4 * sum(kinds.values()):
        return None
    parsed = parse_latin_name(name.name)
    return LatinForm(name, *parsed) if parsed else None


def is_given_name(word: str) -> bool:
    """Return whether a word in lower case is a first name."""
    return word in _FEMALE_NAMES or word in _MALE_NAMES


def is_husbands_name(name: ParsedName | LatinForm) -> bool:
    """Return whether the words after "Mrs." are, or may be, the name of a husband."""
    return name.title in _MARRIED and name.words[0] not in _FEMALE_NAMES


@lru_cache(maxsize=16384)
def parse_latin_name(text: str) -> ParsedName | None:
    """Return the parts of a personal name in a Latin script, None for other names."""
    if not text or "\u3040" <= text[0] <= "\u9fff":
        return None
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    title = ""
    while len(words) > 1 and words[0] in _EPITHETS:
        words.pop(0)
    while len(words) > 1 and words[0] in _LATIN_TITLES:
        title = title or words.pop(0)
        if len(words) > 1 and words[0] in _LATIN_TITLES:
            words.pop(0)
    if not words or len(words) > 5 or "of" in words or any(word.isdigit() for word in words):
        return None
    gender = "m" if title in _MALE else "f" if title in _FEMALE else ""
    if not gender and len(words) > 1:
        first = words[0]
        gender = "f" if first in _FEMALE_NAMES else "m" if first in _MALE_NAMES else ""
    return ParsedName(title, tuple(words), gender)


def _propose_without_title(form: LatinForm, same: Sequence[LatinForm]) -> Iterator[tuple[int, int]]:
    """Propose a name with a title and the one without, unless the titles denote two people.

    "Mrs. John Knightley" is not John Knightley, "Sir William" need not be William, and the Miss
    and the Mrs. of one name are two women.

    Args:
        same: the names with these words in its documents, itself included.
    """
    titles = {other.title for other in same if other.title}
    is_male = any(other.gender == "m" for other in same)
    one_word = len(form.words) == 1
    bare = [other for other in same if not other.title]
    if not bare:
        return
    if one_word and (form.title in _BEFORE_FIRST or form.title in _MARRIED):
        return
    if form.gender == "f" and (is_male or (titles & _UNMARRIED and titles & _MARRIED)):
        return
    if is_husbands_name(form):
        return
    if form.title in _NEUTRAL and one_word and len(titles) > 1:
        return
    if _share_documents(form.name, bare[0].name):
        yield form.name.name_id, bare[0].name.name_id


def _count_bearers(form: LatinForm, full: Iterable[LatinForm]) -> int:
    """Return how many people in the documents of a name may have it as their surname.

    Full names of one person share the first name, one may have only its first letter. The names of
    wives ("Mrs. John Knightley") are not counted: nobody calls them by the surname alone.

    Args:
        full: names that end in this surname.
    """
    return _count_first_names(
        [o for o in full if o.title not in _MARRIED and _meet(form.name, o.name)]
    )


def _count_first_names(people: Iterable[LatinForm]) -> int:
    words = {o.words: set(o.words) for o in people}
    # "Long John Silver" is John Silver.
    firsts = {own[0] for own in words if not any(words[o] < words[own] for o in words)}
    initials = {first for first in firsts if len(first) == 1}
    whole = firsts - initials
    return len(whole) + len(initials - {first[0] for first in whole})


def _are_several(
    form: LatinForm,
    full: Sequence[LatinForm],
    same: Sequence[LatinForm],
    by_words: Mapping[tuple[str, ...], Sequence[LatinForm]],
) -> bool:
    """Return whether a surname without a first name may mean several people.

    Args:
        full: names that end in the surname.
        same: the surname with any title.
    """
    if _count_bearers(form, full) > 1:
        return True
    titles = {f.title for f in same}
    if "mr" not in titles or not full:
        return False
    # A man without a first name beside women only is one more bearer ("Mr. Bennet"), and beside a
    # "Miss Brooke" nothing tells the sex of Dorothea Brooke.
    is_woman = any(f.gender == "f" for f in full) or titles & _UNMARRIED
    if is_woman and not any(f.gender == "m" for f in full):
        return True
    return _has_elder("mr", full, by_words)


def _is_mans(
    full: Sequence[LatinForm],
    same: Sequence[LatinForm],
    by_words: Mapping[tuple[str, ...], Sequence[LatinForm]],
) -> bool:
    """Return whether a surname alone means the "Mr." of a family: the others are women.

    A woman is not called by the surname alone where a "Mr." is in the book: Darcy is Mr. Darcy,
    whoever Miss Darcy is.

    Args:
        full: names that end in the surname.
        same: the surname with any title.
    """
    if not any(f.title == "mr" for f in same):
        return False
    men = [f for f in full if f.gender != "f"]
    others = any(f.title and f.title != "mr" and f.gender != "f" for f in same)
    return _count_first_names(men) <= 1 and not others and not _has_elder("mr", men, by_words)


def _has_elder(
    title: str,
    full: Iterable[LatinForm],
    by_words: Mapping[tuple[str, ...], Sequence[LatinForm]],
) -> bool:
    """Return whether one of the full names is that of a younger member of a family.

    They are called by the first name: beside "Mr. Edmund", the father or the eldest brother of Mr.
    Edmund Bertram is "Mr. Bertram".
    """
    return any(
        f.title == title
        and any(o.title == title and _meet(f.name, o.name) for o in by_words.get(f.words[:1], ()))
        for f in full
    )


def _may_be_another(
    form: LatinForm,
    full: Sequence[LatinForm],
    same: Sequence[LatinForm],
    by_words: Mapping[tuple[str, ...], Sequence[LatinForm]],
) -> bool:
    """Return whether a surname, bare or with a title, may mean another person than its full name.

    Args:
        full: names that end in the surname.
        same: the surname with any title.
    """
    if not form.title:
        return _are_several(form, full, same, by_words)
    fitting = [f for f in full if not (form.gender and f.gender) or f.gender == form.gender]
    if form.title not in _MARRIED and _count_bearers(form, fitting) > 1:
        return True
    if len({f.gender for f in same} - {""}) > 1 and not any(f.gender for f in full):
        return True  # "Mr. Brooke" or "Miss Brooke": nothing tells the sex of Dorothea Brooke
    return _has_elder(form.title, full, by_words)


def _meet(a: NameCount, b: NameCount) -> bool:
    """Return whether two names occur in one document, or it is unknown."""
    return not a.documents or not b.documents or not a.documents.keys().isdisjoint(b.documents)


def _list_meeting(form: LatinForm, others: Sequence[LatinForm]) -> Sequence[LatinForm]:
    """Return those of the names that occur in a document with this one."""
    return [other for other in others if _meet(form.name, other.name)]


def _find_by_first_name(
    form: LatinForm, by_first: dict[str, list[LatinForm]], surname_counts: Counter[str]
) -> list[LatinForm]:
    """Return full names with this first name, if their surname is frequent enough."""
    there = _list_meeting(form, by_first.get(form.words[0], ()))
    full_names = [o for o in there if o.title not in _MARRIED]
    # A frequent "Joe" is not the "Joe Miller" of one sentence.
    least = _MIN_SURNAME_SHARE * form.name.n_mentions
    return full_names if any(surname_counts[o.words[-1]] >= least for o in full_names) else []


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


def _propose_only_one(
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
        best = min(sharing, key=lambda other: _by_frequency(other.name))
        yield form.name.name_id, best.name.name_id


def _share_documents(short: NameCount, full: NameCount) -> bool:
    """Return whether most mentions of the short name are in documents with the full one."""
    if not short.documents or not full.documents:
        return True
    n_shared = sum(n for i, n in short.documents.items() if i in full.documents)
    return n_shared >= _MIN_SHARED_MENTIONS * sum(short.documents.values())


# Official titles, which one person of a surname has; no words of kinship (太公, 娘子).
_CHINESE_TITLES = _LISTS.in_order("chinese_titles")
_KINSHIP_WORDS = _LISTS.words("kinship")
_MIN_OWNER_SHARE = 0.85
_MIN_FULL_NAME_SHARE = 1 / 60


def is_bare_chinese(name: str) -> bool:
    """Return whether a name is only a title or a word of kinship."""
    return name in _KINSHIP_WORDS or name in _CHINESE_TITLES


class ChineseForms:
    """Names of people in Chinese characters, indexed by parts; proposes names of one person."""

    def __init__(self, names: Sequence[NameCount]) -> None:
        people = [name for name in names if _is_person(name)]
        by_given: dict[str, list[NameCount]] = defaultdict(list)
        by_surname: dict[str, list[NameCount]] = defaultdict(list)
        for name in people:
            text = name.name
            if _title_of(text) or is_bare_chinese(text) or not 2 <= len(text) <= 4:
                continue
            if name.n_mentions >= 2:
                by_surname[text[0]].append(name)
            if len(text) > 2:
                by_given[text[len(text) - 2 :]].append(name)
        # Each name that can be a part of others, and these without errors.
        self._candidates: list[tuple[NameCount, list[NameCount]]] = []
        for name in people:
            text = name.name
            title = _title_of(text)
            if len(text) == 2 and text not in _KINSHIP_WORDS and text in by_given:
                # A frequent 宝玉 is rarely the 甄宝玉 of a few pages.
                least = _MIN_FULL_NAME_SHARE * name.n_mentions
                if any(other.n_mentions >= least for other in by_given[text]):
                    self._add(name, by_given[text])
            elif title and len(text) - len(title) == 1:
                same = [other for other in by_surname.get(text[0], ()) if other is not name]
                self._add(name, same, error_share=0.05)
            elif text in _CHINESE_TITLES and (owner := _owner_of(name, people)):
                self._add(name, [owner])

    def _add(
        self, name: NameCount, others: Iterable[NameCount], *, error_share: float = 0.0
    ) -> None:
        """Add a candidate, if another name is in its documents.

        Args:
            error_share: how rare another name is, compared with this one, to be an error.
        """
        fitting = [other for other in others if _meet(name, other)]
        most = max((other.n_mentions for other in fitting), default=0)
        # Much rarer names are errors of the tagger and no alternatives.
        max_errors = max(2, 0.02 * most, error_share * name.n_mentions)
        fitting = [o for o in fitting if o.n_mentions > max_errors or o.n_mentions == most]
        if fitting:
            self._candidates.append((name, fitting))

    def propose(self, find: Callable[[int], int]) -> Iterator[tuple[int, int]]:
        """Propose pairs of names of one person.

        Args:
            find: name id -> id of its current group.
        """
        for name, fitting in self._candidates:
            yield from _propose_only_chinese(name, fitting, find)


def _owner_of(title: NameCount, people: Sequence[NameCount]) -> NameCount | None:
    """Return the dominant name of a surname with this title (孙行者 for 行者), None if unclear."""
    with_surname = [
        other
        for other in people
        if len(other.name) == len(title.name) + 1
        and other.name.endswith(title.name)
        and not other.documents.keys().isdisjoint(title.documents)
    ]
    most = min(with_surname, key=_by_frequency, default=None)
    total = sum(name.n_mentions for name in with_surname)
    return most if most and most.n_mentions >= max(50, _MIN_OWNER_SHARE * total) else None


def _is_person(name: NameCount) -> bool:
    if not name.name or not "\u3400" <= name.name[0] <= "\u9fff":
        return False
    kinds = name.types
    return not kinds or kinds.get("person", 0) >= 0.5 * sum(kinds.values())


@lru_cache(maxsize=16384)
def _title_of(text: str) -> str:
    fitting = (title for title in _CHINESE_TITLES if text.endswith(title) and text != title)
    return next(fitting, "")


def _propose_only_chinese(
    name: NameCount, fitting: Sequence[NameCount], find: Callable[[int], int]
) -> Iterator[tuple[int, int]]:
    """Propose the only group that fits, if it occurs in the same documents."""
    groups = {find(other.name_id) for other in fitting} - {find(name.name_id)}
    if len(groups) != 1:
        return
    best = min(fitting, key=_by_frequency)
    if _share_documents(name, best):
        yield name.name_id, best.name_id


_MIN_MAIN_NAME_SHARE = 0.2
_MIN_PARTNER_SHARE = 0.6
# Largest number of mentions of a name per statement that equates it with another; the second
# value applies if neither is equated with a third name.
_MAX_MENTIONS_PER_STATEMENT, _MAX_MENTIONS_IF_UNIQUE = 60, 200
_OPEN_TYPES = frozenset(("other", "concept", "object"))


@dataclass(frozen=True, slots=True)
class NameGroup:
    """The names of one entity, smallest id first, with the shown name."""

    name_ids: tuple[int, ...]
    main_name_id: int


class NameGroups:
    """Which names form an entity; its id is the smallest id of its names.

    Most names are alone, so only groups of several names are objects.

    Attributes:
        entity_of: int64 array, name id -> entity id, 0 if the name belongs to none.
        joined: entity id -> its names, of the entities with several names.
    """

    entity_of: NDArray[np.int64]
    joined: dict[int, NameGroup]

    def __init__(self, name_ids: Collection[int], joined: Iterable[NameGroup]) -> None:
        """
        Args:
            joined: groups of several names.
        """
        ids = np.fromiter(name_ids, np.int64, len(name_ids))
        self.entity_of = np.zeros(ids.max(initial=0) + 1, np.int64)
        self.entity_of[ids] = ids
        self.joined = {}
        self._join(joined)

    def _join(self, joined: Iterable[NameGroup]) -> None:
        for group in joined:
            self.joined[group.name_ids[0]] = group
            self.entity_of[list(group.name_ids)] = group.name_ids[0]

    def copy(self) -> NameGroups:
        other = NameGroups((), ())
        other.entity_of, other.joined = self.entity_of.copy(), self.joined.copy()
        return other

    def without(self, deleted: Iterable[int]) -> NameGroups:
        """Return these groups without those that have one of the deleted names."""
        other = self.copy()
        for entity_id in {self.find(i) for i in deleted} - {0}:
            other.entity_of[list(self[entity_id].name_ids)] = 0
            other.joined.pop(entity_id, None)
        return other

    def replaced(
        self,
        name_ids: NDArray[np.int64],
        present: NDArray[np.int64],
        joined: Iterable[NameGroup],
        least_size: int,
    ) -> NameGroups:
        """Return these groups with other groups of some names.

        Args:
            name_ids: whole groups of names, whose groups are replaced.
            present: those of them that belong to an entity.
            joined: their groups of several names.
            least_size: of the array by name id.
        """
        other = self.copy()
        other.entity_of = np.pad(self.entity_of, (0, max(0, least_size - len(self.entity_of))))
        is_replaced = np.zeros(len(other.entity_of), bool)
        is_replaced[name_ids] = True
        other.joined = {e: group for e, group in self.joined.items() if not is_replaced[e]}
        other.entity_of[name_ids] = 0
        other.entity_of[present] = present
        other._join(joined)
        return other

    def __getitem__(self, entity_id: int) -> NameGroup:
        return self.joined.get(entity_id) or NameGroup((entity_id,), entity_id)

    def __contains__(self, entity_id: int) -> bool:
        return self.find(entity_id) == entity_id

    def __len__(self) -> int:
        return int(np.count_nonzero(self._is_entity()))

    def find(self, name_id: int) -> int:
        """Return the entity of a name, 0 if it belongs to none."""
        return int(self.entity_of[name_id]) if 0 < name_id < len(self.entity_of) else 0

    def entity_ids(self) -> list[int]:
        """Return the ids of all entities, ascending."""
        found: list[int] = np.flatnonzero(self._is_entity()).tolist()
        return found

    def _is_entity(self) -> NDArray[np.bool_]:
        """Return for each name id whether it is the id of an entity."""
        own = np.arange(len(self.entity_of))
        is_entity: NDArray[np.bool_] = (self.entity_of == own) & (own > 0)
        return is_entity


class NameResolver:
    """Groups names, with indexes that are made once for names that stay the same.

    Args:
        names: name id -> name.
        also_called: pair of names -> how often the text equates them.
    """

    def __init__(
        self, names: Mapping[int, NameCount], also_called: Mapping[tuple[str, str], int]
    ) -> None:
        self._names = names
        # A sense that the user split off is joined only by the user.
        by_rules = [name for name in names.values() if not is_split_by_user(name.name)]
        ordered = sorted(map(_without_sense, by_rules), key=_by_frequency)
        self._equated = _EquatedNames(ordered, also_called)
        self._latin, self._chinese = LatinForms(ordered), ChineseForms(ordered)
        self._same_key: list[tuple[int, int]] = []
        by_key: dict[tuple[str, int], list[NameCount]] = defaultdict(list)
        for name in ordered:
            sense = split_sense(names[name.name_id].name)[1]
            by_key[normalise_name(name.name, name.language), sense].append(name)
        for same in by_key.values():
            if len(same) > 1:
                self._same_key += self._latin.pair_same_key(same)

    def resolve(
        self, merged: Sequence[tuple[str, str]] = (), never: Collection[frozenset[str]] = ()
    ) -> list[NameGroup]:
        """Return the groups of several names, ordered by smallest id; other names are alone.

        Args:
            merged: pairs that the user merged; always joined.
            never: pairs that the user keeps apart; never joined by a rule.
        """
        groups = _Groups(self._names, never)
        texts = {text for pair in merged for text in pair}
        ids: dict[str, list[int]] = defaultdict(list)
        for name in self._names.values() if texts else ():
            if name.name in texts:
                ids[name.name].append(name.name_id)
        for left, right in merged:
            for a in ids.get(left, ()):
                for b in ids.get(right, ()):
                    groups.join(a, b, by_user=True)
        for a, b in self._same_key:
            groups.join(a, b, any_type=True)
        for _ in range(3):
            n_before = groups.n_joined
            # Groups joined by one rule can make another rule unambiguous.
            for rule in (
                _propose_equated(self._equated, groups.find),
                self._latin.propose(groups.find),
                self._chinese.propose(groups.find),
            ):
                for a, b in rule:
                    groups.join(a, b)
            if groups.n_joined == n_before:
                break
        return groups.build()


def is_split_by_user(name: str) -> bool:
    """Return whether a name is a sense that the user split off, not the name in one story."""
    return 0 < split_sense(name)[1] < FIRST_STORY


def _without_sense(name: NameCount) -> NameCount:
    text, sense = split_sense(name.name)
    return replace(name, name=text) if sense else name


def are_man_and_boy(
    title: str, words: tuple[str, ...], other_title: str, other_words: tuple[str, ...]
) -> bool:
    """Return whether one name has "Mr.", the other "Master", before the same single word.

    "Master" is a boy's title, so these are often a father and his son (Heathcliff and Linton
    Heathcliff), but it may also be one person who grew up (Pip): names are not joined for it, and
    the merge desk proposes them as uncertain.
    """
    return {title, other_title} == PLAIN_MALE_TITLES and len(words) == 1 and words == other_words


def _are_two_people(x: ParsedName, y: ParsedName) -> bool:
    """Return whether two parsed names are of two sexes, a Miss and a Mrs., or have two first names.

    Short forms of a first name count as another one: the merge desk proposes them.
    """
    if x.gender and y.gender and x.gender != y.gender:
        return True
    if x.words[-1] != y.words[-1]:
        return False
    titles = {x.title, y.title}
    if titles & _UNMARRIED and titles & _MARRIED:
        return True
    if are_man_and_boy(x.title, x.words, y.title, y.words):
        return True
    first, other = x.words[0], y.words[0]
    if len(x.words) < 2 or len(y.words) < 2 or first == other:
        return False
    is_initial = min(len(first), len(other)) == 1 and first[0] == other[0]
    words, other_words = set(x.words), set(y.words)
    return not is_initial and not words <= other_words and not other_words <= words


class _Groups:
    """Disjoint sets (union-find) of names, with types and pairs that must stay apart.

    A name that was not joined with another has no entry: it is alone.
    """

    def __init__(self, names: Mapping[int, NameCount], apart: Iterable[frozenset[str]]) -> None:
        self.n_joined = 0
        self._names = names
        self._parent: dict[int, int] = {}
        self._members: dict[int, list[int]] = {}
        self._types: dict[int, Counter[str]] = {}
        self._kept_apart: dict[str, set[str]] = defaultdict(set)
        for pair in apart:
            texts = tuple(pair)
            if len(texts) == 2:
                self._kept_apart[texts[0]].add(texts[1])
                self._kept_apart[texts[1]].add(texts[0])

    def find(self, name_id: int) -> int:
        root = name_id
        while (parent := self._parent.get(root, root)) != root:
            root = parent
        while (parent := self._parent.get(name_id, root)) != root:
            self._parent[name_id], name_id = root, parent
        return root

    def join(self, a: int, b: int, *, by_user: bool = False, any_type: bool = False) -> None:
        a, b = self.find(a), self.find(b)
        if a == b:
            return
        if not by_user and (
            self._must_stay_apart(a, b)
            or not (any_type or (self._types_agree(a, b) and self._may_be_one_person(a, b)))
        ):
            return
        self.n_joined += 1
        keep, drop = min(a, b), max(a, b)
        self._parent[drop] = keep
        self._types[keep] = Counter(self._types_of(keep)) + Counter(self._types_of(drop))
        self._members[keep] = [*self._members_of(keep), *self._members_of(drop)]
        self._types.pop(drop, None)
        self._members.pop(drop, None)

    def _members_of(self, root: int) -> Sequence[int]:
        return self._members.get(root) or (root,)

    def _types_of(self, root: int) -> Mapping[str, int]:
        return self._types.get(root) or self._names[root].types

    def _must_stay_apart(self, a: int, b: int) -> bool:
        if not self._kept_apart:
            return False
        other_names = {self._names[i].name for i in self._members_of(b)}
        return any(
            self._kept_apart.get(self._names[i].name, frozenset()) & other_names
            for i in self._members_of(a)
        )

    def _may_be_one_person(self, a: int, b: int) -> bool:
        """Return whether no name of one group excludes a name of the other.

        Each rule sees two names; this sees what they were joined with before.
        """
        left, right = (
            [
                form
                for i in self._members_of(root)
                if (form := parse_latin_name(split_sense(self._names[i].name)[0]))
            ]
            for root in (a, b)
        )
        return not any(_are_two_people(x, y) for x in left for y in right)

    def _types_agree(self, a: int, b: int) -> bool:
        left, right = top_type(self._types_of(a)), top_type(self._types_of(b))
        return left == right or left in _OPEN_TYPES or right in _OPEN_TYPES

    def build(self) -> list[NameGroup]:
        """Return the groups of several names, ordered by smallest id."""
        groups = []
        for ids in map(sorted, self._members.values()):
            main = _choose_main([_without_sense(self._names[i]) for i in ids])
            groups.append(NameGroup(tuple(ids), main.name_id))
        return sorted(groups, key=lambda group: group.name_ids[0])


# Bits of the keys in `BlockingKeys`.
ANYWHERE, IF_NO_SURNAME, IS_COUNTED = 1 << 62, 1 << 61, 1 << 60


@dataclass(frozen=True, slots=True)
class BlockingKeys:
    """The blocking keys of a name: hashes of the words and texts by which rules look for others.

    Only names with a key in common are compared, as usual in entity resolution. So the groups of
    two names depend on each other only if a chain of names leads from one to the other, in which
    neighbours have a key in common that is strong in one of both. A key that is weak in both
    connects nothing: two full names with one surname have nothing to do with each other where
    nobody is called by the surname alone.

    Most rules compare names in one document, so a key connects only names that have a document
    in common (`_meet`), unless it has the bit ANYWHERE.

    A key with the bit IF_NO_SURNAME connects nothing if the key without it is a weak one of
    any name. How often the names with a key occur that has only the bit IS_COUNTED matters to
    those that these names are connected with.
    """

    strong: tuple[int, ...]
    weak: tuple[int, ...] = ()


def hash_written_name(text: str) -> int:
    """Return the blocking key of the name that is written like this, with its sense."""
    return _hash_key("text", text) | ANYWHERE


def hash_normalised_name(normalised: str) -> int:
    """Return the blocking key of the names with this result of `normalise_name`."""
    return _hash_key("key", normalised) | ANYWHERE


def find_blocking_keys(name: NameCount) -> BlockingKeys:
    """Return the blocking keys of a name: all by which a rule of this module looks for others.

    A rule that looks for names in another way needs a key here.
    """
    text = hash_written_name(name.name)
    if is_split_by_user(name.name):
        return BlockingKeys((text,))  # joined by the user only
    name = _without_sense(name)
    strong = (text, hash_normalised_name(normalise_name(name.name, name.language)))
    if (form := _parse_name(name)) is not None:
        return _find_latin_keys(form, strong)
    return _find_chinese_keys(name.name, strong) if _is_person(name) else BlockingKeys(strong)


def _find_latin_keys(form: LatinForm, strong: tuple[int, ...]) -> BlockingKeys:
    words, title = form.words, form.title
    last = _hash_key("word", words[-1]) | IS_COUNTED
    if len(words) == 1:
        more = _hash_key("title", title, words[0]) if title else last | IF_NO_SURNAME
        return BlockingKeys((*strong, last, more))
    weak = [last, _hash_key("word", words[0]) | IS_COUNTED | IF_NO_SURNAME]
    strong = (*strong, _hash_key("words", *words))
    if title:
        strong = (*strong, _hash_key("title", title, *words[:2]))
        weak.append(_hash_key("title", title, words[0]))
    return BlockingKeys(strong, tuple(weak))


def _find_chinese_keys(text: str, strong: tuple[int, ...]) -> BlockingKeys:
    title = _title_of(text)
    weak = []
    if len(text) == 2:
        strong = (*strong, _hash_key("given", text) | ANYWHERE)
    if title and len(text) - len(title) == 1:
        strong = (*strong, _hash_key("surname", text[0]))
    if text in _CHINESE_TITLES:
        strong = (*strong, _hash_key("title", text))
    if 2 <= len(text) <= 4 and not title and not is_bare_chinese(text):  # as in `ChineseForms`
        weak.append(_hash_key("surname", text[0]))
        if len(text) > 2:
            weak.append(_hash_key("given", text[-2:]) | ANYWHERE)
    if text[1:] in _CHINESE_TITLES:
        weak.append(_hash_key("title", text[1:]))
    return BlockingKeys(strong, tuple(weak))


def _hash_key(*parts: str) -> int:
    """Return a key of 60 bits, other than 0; in another process it is another."""
    return hash(parts) & (IS_COUNTED - 1) or 1


def top_type(types: Mapping[str, int]) -> str:
    """Return the most frequent type, of equally frequent ones the first in the alphabet.

    It is "other" only if there is no other.
    """
    named = {kind: n for kind, n in types.items() if n > 0}
    if not named:
        return "other"
    return min(named, key=lambda kind: (kind == "other", -named[kind], kind))


class _EquatedNames:
    """Names that the text equates; `partners` maps a key to the keys equated with it."""

    def __init__(
        self, names: Sequence[NameCount], also_called: Mapping[tuple[str, str], int]
    ) -> None:
        equations = [
            (normalise_name(left), normalise_name(right), n)
            for (left, right), n in also_called.items()
        ]
        keys = {key for left, right, _ in equations for key in (left, right)}
        self.by_key: dict[str, NameCount] = {}
        for name in names if keys else ():
            key = normalise_name(name.name, name.language)
            known = self.by_key.get(key)
            if key in keys and (known is None or known.n_mentions < name.n_mentions):
                self.by_key[key] = name
        self.partners: dict[str, Counter[str]] = defaultdict(Counter)
        for a, b, count in equations:
            if a != b and a in self.by_key and b in self.by_key:
                self.partners[a][b] += count
                self.partners[b][a] += count


def _propose_equated(
    equated: _EquatedNames, find: Callable[[int], int]
) -> Iterable[tuple[int, int]]:
    """Propose pairs that the text equates, if the rarer name is mostly equated with this one."""
    by_key, partners = equated.by_key, equated.partners
    for key in sorted(partners):
        rarer = by_key[key]
        # A statement assigns the rarer name to the more frequent one, not the other way round.
        above: Counter[int] = Counter()
        own = 0
        nearest: dict[int, tuple[int, NameCount]] = {}
        for partner in sorted(partners[key]):
            other, count = by_key[partner], partners[key][partner]
            group = find(other.name_id)
            if group == find(rarer.name_id):
                own += count if other.n_mentions >= rarer.n_mentions else 0
                continue
            if other.n_mentions < rarer.n_mentions:
                continue
            above[group] += count
            nearest[group] = min(
                nearest.get(group, (0, other)),
                (count, other),
                key=lambda pair: (-pair[0], _by_frequency(pair[1])),
            )
        if not above:
            continue
        group, count = min(
            above.items(), key=lambda pair: (-pair[1], _by_frequency(nearest[pair[0]][1]))
        )
        other = nearest[group][1]
        if not _meet(rarer, other):
            continue
        if count < _MIN_PARTNER_SHARE * (above.total() + own):
            continue
        if is_bare_chinese(rarer.name) or is_bare_latin(rarer.name):
            continue
        # One wrong match must not join two frequent names.
        same_first_letter = any(rarer.name[:1] == by_key[k].name[:1] for k in partners[key])
        alone = len(partners[key]) == 1 == len(partners[normalise_name(other.name, other.language)])
        most = _MAX_MENTIONS_IF_UNIQUE if alone else _MAX_MENTIONS_PER_STATEMENT
        if rarer.n_mentions > most * count and not same_first_letter:
            continue
        yield rarer.name_id, other.name_id


def _choose_main(members: Sequence[NameCount]) -> NameCount:
    """Return the name to show: a frequent full name, else the most frequent name.

    Of equally frequent names the longest.
    """
    total = max(1, sum(name.n_mentions for name in members))
    full = [name.name for name in members if name.n_mentions >= _MIN_MAIN_NAME_SHARE * total]

    def rank(name: NameCount) -> tuple[bool, bool, int, int, str]:
        used = name.n_mentions >= _MIN_MAIN_NAME_SHARE * total
        # 智深 is 鲁智深 without the surname, even if it is more frequent.
        is_part = name.name[:1] > "\u2e80" and any(
            n != name.name and n.endswith(name.name) for n in full
        )
        bare = is_bare_chinese(name.name) or is_bare_latin(name.name)
        is_upper_case = name.name.isupper() and len(name.name) > 3
        is_last = not used or bare or is_upper_case or is_part
        return is_last, bare, -name.n_mentions, -len(name.name), name.name

    return min(members, key=rank)
