"""Groups the names of a library into entities, and after a change only the names near it.

`graph.resolution` says which names can affect each other's group. Names that no chain of such
links connects with a change keep their groups, so the result equals that of grouping all names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..model import Curation, NameCount
from .names import normalise_name
from .resolution import (
    IF_NO_SURNAME,
    IS_COUNTED,
    Links,
    NameGroups,
    NameResolver,
    find_links,
    link_of_key,
    link_of_text,
)

Ids = NDArray[np.int64]
Equations = Mapping[tuple[str, str], int]
"""Pair of names -> how often the text equates them."""
Pairs = Mapping[int, Collection[int]]
"""Number of `Links` -> those that it is connected with by the text or the user."""


def group_names(
    names: Mapping[int, NameCount], equations: Equations, curation: Curation
) -> NameGroups:
    """Return which of the names form an entity; grouping all of them."""
    resolver = NameResolver(names, equations)
    groups = NameGroups(names, resolver.resolve(list_joined(curation), curation.never_merged))
    return groups.without(_list_deleted(names.values(), curation))


def list_joined(curation: Curation) -> list[tuple[str, str]]:
    """Return the pairs of names that the user joined."""
    return [*curation.merged, *curation.aliases]


def _list_deleted(names: Iterable[NameCount], curation: Curation) -> list[int]:
    """Return the names that are deleted in all of the documents that mention them."""
    within = curation.deleted_names
    if not within:
        return []

    def is_deleted(name: NameCount) -> bool:
        documents = within[name.name]
        return documents is None or name.documents.keys() <= documents

    return [name.name_id for name in names if name.name in within and is_deleted(name)]


class NameGrouper:
    """Keeps the groups of the names of a library.

    Attributes:
        groups: as of the last change, without deleted names.
    """

    def __init__(self) -> None:
        self._table = LinkTable()
        self._resolved = self.groups = NameGroups((), ())
        self._equations: Equations = {}
        self._joined: frozenset[tuple[str, str]] = frozenset()
        self._apart: frozenset[frozenset[str]] = frozenset()
        self._pairs: Pairs = {}

    def change(
        self,
        names: Mapping[int, NameCount],
        changed: Ids,
        equations: Equations,
        curation: Curation,
    ) -> Ids:
        """Group the names again that a change can affect.

        Args:
            names: all names.
            changed: names that are new, gone, or have other counts since the last call.

        Returns:
            The ids that were grouped again; other names have the same group as before.
        """
        joined, apart = frozenset(list_joined(curation)), curation.never_merged
        keys = {key for pair, _ in equations.items() ^ self._equations.items() for key in pair}
        texts = {text for pair in joined ^ self._joined for text in pair}
        texts |= {text for pair in apart ^ self._apart for text in pair}
        seeds = {link_of_text(text) for text in texts}
        seeds |= {link_of_key(normalise_name(key)) for key in keys}
        old = self._table, self._pairs
        if len(changed):
            self._table = self._table.changed(changed, names)
        if keys or joined != self._joined:
            self._pairs = _pair_links(equations, joined)
        if 2 * len(changed) < len(names):
            near = _find_near(changed, seeds, (old, (self._table, self._pairs)))
        else:  # most names are near
            near = np.arange(1, len(self._table))
        self._equations, self._joined, self._apart = equations, joined, apart
        if len(near):
            self._resolve(names, near)
        deleted = self._table.find({link_of_text(text) for text in curation.deleted_names})
        self.groups = self._resolved.without(
            _list_deleted((names[i] for i in deleted.tolist() if i in names), curation)
        )
        return near

    def _resolve(self, names: Mapping[int, NameCount], near: Ids) -> None:
        """Group these names again, which are whole groups."""
        present = near[np.fromiter((i in names for i in near.tolist()), bool, len(near))]
        if len(present) < len(names):
            counted = self._table.find_counted_with(near)
            compared = unite_ids(len(self._table), near, counted)
        else:  # a name that has nothing in common with another one is alone
            compared = self._table.find_related(self._pairs)
        names = {i: names[i] for i in compared.tolist() if i in names}
        is_near = np.zeros(len(self._table), bool)
        is_near[near] = True
        groups = NameResolver(names, self._equations).resolve(tuple(self._joined), self._apart)
        joined = [group for group in groups if is_near[group.name_ids[0]]]
        self._resolved = self._resolved.replaced(near, present, joined, len(self._table))


def _find_near(
    changed: Ids, seeds: Collection[int], states: Sequence[tuple[LinkTable, Pairs]]
) -> Ids:
    """Return the names that are connected with a change, before or after it.

    Args:
        changed: names.
        seeds: strong numbers of other names, with changed decisions or equations.
        states: links of names, and connected numbers, before and after the change.
    """
    # Each link that is there before the change only, or after it only, is one of these names: the
    # changed ones, and those called by the surname of a changed one, which may be a first name.
    begin = changed
    for table, _ in states:
        begin = np.union1d(begin, table.find_counted_with(changed))
    (old, old_pairs), (new, new_pairs) = states
    if old is new:  # only pairs changed: one search, in which the pairs of both connect
        every: dict[int, set[int]] = defaultdict(set)
        for pairs in (old_pairs, new_pairs):
            for key, others in pairs.items():
                every[key].update(others)
        states = [(new, dict(every))]
    near = begin
    for table, pairs in states:
        near = np.union1d(near, table.find_connected(begin, seeds, pairs))
    return near


def _pair_links(equations: Equations, joined: Iterable[tuple[str, str]]) -> Pairs:
    """Return which numbers of names the text or the user connects."""
    found: dict[int, set[int]] = defaultdict(set)
    pairs = [(link_of_text(a), link_of_text(b)) for a, b in joined]
    pairs += [
        (link_of_key(normalise_name(a)), link_of_key(normalise_name(b))) for a, b in equations
    ]
    for a, b in pairs:
        found[a].add(b)
        found[b].add(a)
    return dict(found)


N_STRONG, N_WEAK = 5, 3  # most that a name has
_ROWS_AT_ONCE = 50_000
_LOW_BITS = (1 << 32) - 1
_BUCKET = (1 << 18) - 1  # mask: the low bits of a number are its bucket in a first comparison


class LinkTable:
    """The links of all names, in one array that is searched as a whole: up to 64 bytes a name.

    It is stored by columns, and zeros are not written: most names have two numbers, and the system
    gives memory for those only.
    """

    def __init__(self, size: int = 0) -> None:
        # A row by name id.
        self._numbers = np.zeros((size, N_STRONG + N_WEAK), np.int64, order="F")

    def __len__(self) -> int:
        """Return one more than the highest id."""
        return len(self._numbers)

    def changed(self, name_ids: Ids, names: Mapping[int, NameCount]) -> LinkTable:
        """Return a table with other links of some names; those not in `names` have none."""
        other = LinkTable(max(len(self), int(name_ids.max()) + 1))
        for old, new in zip(self._numbers.T, other._numbers.T, strict=True):
            if old.any():
                new[: len(old)] = old
        for i in range(0, len(name_ids), 1_000):
            part = name_ids[i : i + 1_000].tolist()
            rows = [_to_row(find_links(names[i])) if i in names else _NO_LINKS for i in part]
            for old, new in zip(np.array(rows, np.int64).T, other._numbers.T, strict=True):
                if old.any() or new[part].any():
                    new[part] = old
        return other

    def find(self, numbers: Collection[int]) -> Ids:
        """Return the names with one of these numbers, ascending."""
        return np.unique(self._find(np.fromiter(numbers, np.int64, len(numbers)), _NONE))

    def find_counted_with(self, name_ids: Ids) -> Ids:
        """Return the names that are counted together with these: they have one surname."""
        numbers = np.unique(self._get_rows(name_ids))
        is_counted = (numbers & (IS_COUNTED | IF_NO_SURNAME)) == IS_COUNTED
        return np.unique(self._find(numbers[is_counted], _NONE))

    def find_related(self, pairs: Pairs) -> Ids:
        """Return the names that have a number in common with another name, or one in `pairs`."""
        # Half of each number: less memory, and too many may be equal.
        parts: list[np.ndarray] = []
        for first in range(0, len(self), _ROWS_AT_ONCE):
            numbers = (self._numbers[first : first + _ROWS_AT_ONCE] & _LOW_BITS).astype(np.uint32)
            numbers.sort(axis=1)
            numbers[:, 1:][numbers[:, 1:] == numbers[:, :-1]] = 0  # a name has some of them twice
            parts.append(numbers[numbers > 0])
        every = np.concatenate([np.zeros(0, np.uint32), *parts])
        del parts
        every.sort()
        paired = np.fromiter(pairs, np.int64, len(pairs)) & _LOW_BITS
        common = np.union1d(every[1:][every[1:] == every[:-1]], paired.astype(np.uint32))
        del every
        is_related = np.zeros(len(self), bool)
        for first in range(0, len(self), _ROWS_AT_ONCE):
            part = slice(first, first + _ROWS_AT_ONCE)
            for column in self._numbers[part].T:
                is_related[part] |= np.isin((column & _LOW_BITS).astype(np.uint32), common)
        return np.flatnonzero(is_related)

    def find_connected(self, name_ids: Ids, strong: Collection[int], pairs: Pairs) -> Ids:
        """Return the names that a chain of links connects with these names and strong numbers.

        Args:
            name_ids: those that are not in the table are left out.
            pairs: numbers that are connected besides.
        """
        ids = name_ids[name_ids < len(self)]
        is_found = np.zeros(len(self), bool)
        is_found[ids] = True
        old_strong, old_weak, new_strong = {0}, {0}, set(strong)
        while True:
            rows = self._get_rows(ids)
            new_strong.update(rows[:, :N_STRONG].ravel().tolist())
            new_strong |= {other for one in new_strong & pairs.keys() for other in pairs[one]}
            new_strong -= old_strong
            new_weak = set(rows[:, N_STRONG:].ravel().tolist()) - old_weak
            if not new_strong and not new_weak:
                return np.flatnonzero(is_found)
            old_strong |= new_strong
            old_weak |= new_weak
            ids = np.unique(self._find(self._list_valid(new_strong), self._list_valid(new_weak)))
            ids = ids[~is_found[ids]]
            is_found[ids] = True
            new_strong = set()

    def _get_rows(self, name_ids: Ids) -> Ids:
        return self._numbers[name_ids[name_ids < len(self)]]

    def _list_valid(self, numbers: Collection[int]) -> Ids:
        """Return those of the numbers that can connect names."""
        found = np.fromiter(numbers, np.int64, len(numbers))
        surnames = found[found & IF_NO_SURNAME > 0] ^ IF_NO_SURNAME
        if not len(surnames):
            return found
        ranks = _rank_buckets(surnames, _NONE)
        columns = self._numbers.T[N_STRONG:]
        alike = np.concatenate([one[ranks[one & _BUCKET] > 0] for one in columns])
        return found[~np.isin(found, np.intersect1d(alike, surnames) | IF_NO_SURNAME)]

    def _find(self, strong: Ids, weak: Ids) -> Ids:
        """Return the names that these numbers connect names with that have them; some twice.

        These are the names with one of the strong numbers, and those that have one of the weak
        numbers as a strong number.
        """
        if not len(strong) and not len(weak):
            return _NONE
        ranks, found = _rank_buckets(strong, weak), [_NONE]
        for place, column in enumerate(self._numbers.T):  # each takes memory for its buckets
            wanted = (strong, weak) if place < N_STRONG else (strong,)
            rows = np.flatnonzero(ranks[column & _BUCKET] & (3 if place < N_STRONG else 2))
            if len(rows):
                numbers = column[rows]
                found += [rows[np.isin(numbers, one)] for one in wanted if len(one)]
        return np.concatenate(found)


def _rank_buckets(strong: Ids, weak: Ids) -> NDArray[np.uint8]:
    """Return a bit mask by bucket: 2 if it has a strong number, 1 if it has a weak one."""
    ranks = np.zeros(_BUCKET + 1, np.uint8)
    ranks[weak & _BUCKET] = 1
    ranks[strong & _BUCKET] |= 2
    return ranks


def unite_ids(size: int, *parts: Ids) -> Ids:
    """Return the ids below `size` that are in one of the arrays, ascending, each once."""
    is_there = np.zeros(size, bool)
    for part in parts:
        is_there[part] = True
    return np.flatnonzero(is_there)


_NONE = np.zeros(0, np.int64)
_NO_LINKS = (0,) * (N_STRONG + N_WEAK)


def _to_row(links: Links) -> tuple[int, ...]:
    strong, weak = links.strong, links.weak
    return (*strong, *_NO_LINKS[: N_STRONG - len(strong)], *weak, *_NO_LINKS[: N_WEAK - len(weak)])
