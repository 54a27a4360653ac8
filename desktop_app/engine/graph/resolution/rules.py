"""Groups names into entities by safe rules, statements of the text and the user's decisions.

Deterministic. Rules propose pairs; a pair is not joined if the user keeps it apart or the types
differ. Uncertain pairs are left to the duplicate search (`graph/duplicates`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...model import NameCount
from ..names import normalise_name, split_sense
from .chinese import is_bare_chinese, propose_chinese
from .latin import is_bare_latin, propose_latin, read_forms

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
    type: str


def resolve_names(
    names: Sequence[NameCount],
    *,
    also_called: Mapping[tuple[str, str], int],
    conflicts: Collection[frozenset[str]] = (),
    merged: Sequence[tuple[str, str]] = (),
    never: Collection[frozenset[str]] = (),
) -> list[NameGroup]:
    """Return the groups of names, each name in exactly one, ordered by smallest id.

    Args:
        also_called: pair of names -> how often the text equates them.
        conflicts: pairs that cannot be one entity, for other reasons.
        merged: pairs that the user merged; always joined.
        never: pairs that the user keeps apart; never joined by a rule.
    """
    ordered = sorted(names, key=lambda name: name.name_id)
    groups = _Groups(ordered, (*never, *conflicts))
    ids_by_text: dict[str, list[int]] = defaultdict(list)
    for name in ordered:
        ids_by_text[name.name].append(name.name_id)
    for left, right in merged:
        for a in ids_by_text.get(left, ()):
            for b in ids_by_text.get(right, ()):
                groups.join(a, b, by_user=True)
    # A sense that the user split off is joined only by the user.
    ordered = [name for name in ordered if not split_sense(name.name)[1]]
    _join_same_keys(ordered, groups)
    forms = read_forms(ordered)
    for _ in range(3):
        n_before = groups.n_joined
        # Groups joined by one rule can make another rule unambiguous.
        groups.join_all(_propose_equated(ordered, also_called, groups.find))
        groups.join_all(propose_latin(forms, groups.find))
        groups.join_all(propose_chinese(ordered, groups.find))
        if groups.n_joined == n_before:
            break
    return groups.build()


class _Groups:
    """Disjoint sets (union-find) of names, with types and pairs that must stay apart."""

    def __init__(self, names: Sequence[NameCount], apart: Iterable[frozenset[str]]) -> None:
        self.n_joined = 0
        self._names = {name.name_id: name for name in names}
        self._parent = {name.name_id: name.name_id for name in names}
        self._members = {name.name_id: [name.name_id] for name in names}
        self._types = {name.name_id: Counter(name.types) for name in names}
        self._kept_apart: dict[str, set[str]] = defaultdict(set)
        for pair in apart:
            texts = tuple(pair)
            if len(texts) == 2:
                self._kept_apart[texts[0]].add(texts[1])
                self._kept_apart[texts[1]].add(texts[0])

    def find(self, name_id: int) -> int:
        while self._parent[name_id] != name_id:
            self._parent[name_id] = self._parent[self._parent[name_id]]
            name_id = self._parent[name_id]
        return name_id

    def join_all(self, pairs: Iterable[tuple[int, int]]) -> None:
        for a, b in pairs:
            self.join(a, b)

    def join(self, a: int, b: int, *, by_user: bool = False, any_type: bool = False) -> None:
        a, b = self.find(a), self.find(b)
        if a == b:
            return
        if not by_user:
            if self._must_stay_apart(a, b):
                return
            if not any_type and not self._types_agree(a, b):
                return
        self.n_joined += 1
        keep, drop = min(a, b), max(a, b)
        self._parent[drop] = keep
        self._members[keep] += self._members.pop(drop)
        self._types[keep] += self._types.pop(drop)

    def _must_stay_apart(self, a: int, b: int) -> bool:
        if not self._kept_apart:
            return False
        other_names = {self._names[i].name for i in self._members[b]}
        return any(
            self._kept_apart.get(self._names[i].name, frozenset()) & other_names
            for i in self._members[a]
        )

    def _types_agree(self, a: int, b: int) -> bool:
        left, right = top_type(self._types[a]), top_type(self._types[b])
        return left == right or left in _OPEN_TYPES or right in _OPEN_TYPES

    def build(self) -> list[NameGroup]:
        groups = []
        for root in sorted(self._members):
            members = [self._names[i] for i in sorted(self._members[root])]
            groups.append(
                NameGroup(
                    tuple(sorted(name.name_id for name in members)),
                    _choose_main(members).name_id,
                    top_type(self._types[root]),
                )
            )
        return sorted(groups, key=lambda group: group.name_ids[0])


def top_type(types: Mapping[str, int]) -> str:
    """Return the most frequent type; "other" only if there is no other; ties alphabetically."""
    named = {kind: n for kind, n in types.items() if n > 0}
    if not named:
        return "other"
    return min(named, key=lambda kind: (kind == "other", -named[kind], kind))


def _join_same_keys(names: Sequence[NameCount], groups: _Groups) -> None:
    first: dict[str, int] = {}
    for name in names:
        key = normalise_name(name.name, name.language)
        if key in first:
            groups.join(first[key], name.name_id, any_type=True)
        else:
            first[key] = name.name_id


def _propose_equated(
    names: Sequence[NameCount],
    also_called: Mapping[tuple[str, str], int],
    find: Callable[[int], int],
) -> Iterable[tuple[int, int]]:
    """Propose pairs that the text equates, if the rarer name is mostly equated with this one."""
    by_key: dict[str, NameCount] = {}
    for name in names:
        key = normalise_name(name.name, name.language)
        if key not in by_key or by_key[key].n_mentions < name.n_mentions:
            by_key[key] = name
    partners: dict[str, Counter[str]] = defaultdict(Counter)
    for (left, right), count in also_called.items():
        a, b = normalise_name(left), normalise_name(right)
        if a != b and a in by_key and b in by_key:
            partners[a][b] += count
            partners[b][a] += count
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
            nearest[group] = max(nearest.get(group, (0, other)), (count, other), key=_by_count)
        if not above:
            continue
        group, count = min(above.items(), key=lambda pair: (-pair[1], pair[0]))
        other = nearest[group][1]
        if count < _MIN_PARTNER_SHARE * (above.total() + own):
            continue
        if is_bare_chinese(rarer.name) or is_bare_latin(rarer.name):
            continue
        # One wrong match must not join two frequent names.
        same_first_letter = any(rarer.name[:1] == by_key[k].name[:1] for k in partners[key])
        alone = len(partners[key]) == 1 == len(partners[normalise_name(other.name)])
        most = _MAX_MENTIONS_IF_UNIQUE if alone else _MAX_MENTIONS_PER_STATEMENT
        if rarer.n_mentions > most * count and not same_first_letter:
            continue
        yield rarer.name_id, other.name_id


def _by_count(pair: tuple[int, NameCount]) -> tuple[int, int, int]:
    return pair[0], pair[1].n_mentions, -pair[1].name_id


def _choose_main(members: Sequence[NameCount]) -> NameCount:
    """Return the name to show: a frequent full name, else the most frequent name."""
    total = max(1, sum(name.n_mentions for name in members))
    full = [name.name for name in members if name.n_mentions >= _MIN_MAIN_NAME_SHARE * total]

    def rank(name: NameCount) -> tuple[bool, bool, int, int]:
        used = name.n_mentions >= _MIN_MAIN_NAME_SHARE * total
        # 智深 is 鲁智深 without the surname, even if it is more frequent.
        is_part = name.name[0] > "\u2e80" and any(
            n != name.name and n.endswith(name.name) for n in full
        )
        bare = is_bare_chinese(name.name) or is_bare_latin(name.name)
        is_upper_case = name.name.isupper() and len(name.name) > 3
        return (not used or bare or is_upper_case or is_part, bare, -name.n_mentions, name.name_id)

    return min(members, key=rank)
