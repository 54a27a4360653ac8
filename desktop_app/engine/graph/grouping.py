"""Groups the names of a library into entities, and after a change only the names near it.

Names can affect each other's group only if a chain of common keys connects them
(`graph.resolution.BlockingKeys`). All other names keep their groups after a change, so the result
equals that of grouping all names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from ..model import Curation, NameCount
from .names import normalise_name
from .resolution import (
    ANYWHERE,
    IF_NO_SURNAME,
    IS_COUNTED,
    BlockingKeys,
    NameGroups,
    NameResolver,
    find_blocking_keys,
    hash_normalised_name,
    hash_written_name,
)

Ids = NDArray[np.int64]
Equations = Mapping[tuple[str, str], int]
"""Pair of names -> how often the text equates them."""
Documents = Mapping[int, int]
"""Document -> mentions of a name in it; empty if the documents are unknown."""
Pairs = Mapping[int, Collection[int]]
"""Key of `BlockingKeys` -> those that it is connected with by the text or the user."""


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
        self._table = BlockingKeyTable()
        self._resolved = self.groups = NameGroups((), ())
        self._equations: Equations = {}
        self._equated: list[tuple[int, int]] = []  # the keys of these pairs
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
        equated: set[str] = set()
        if equations is not self._equations:
            different = equations.items() ^ self._equations.items()
            equated = {name for pair, _ in different for name in pair}
        texts = {text for pair in joined ^ self._joined for text in pair}
        texts |= {text for pair in apart ^ self._apart for text in pair}
        seeds = {hash_written_name(text) for text in texts}
        seeds |= {hash_normalised_name(normalise_name(name)) for name in equated}
        old = self._table, self._pairs
        if len(changed):
            self._table = self._table.changed(changed, names)
        if equated:
            self._equated = [
                (hash_normalised_name(normalise_name(a)), hash_normalised_name(normalise_name(b)))
                for a, b in equations
            ]
        if equated or joined != self._joined:
            self._pairs = _pair_keys(self._equated, joined)
        if 2 * len(changed) < len(names):
            near = _find_near(changed, seeds, (old, (self._table, self._pairs)))
        else:  # most names are near
            near = np.arange(1, len(self._table))
        self._equations, self._joined, self._apart = equations, joined, apart
        if len(near):
            self._resolve(names, near)
        deleted = self._table.find({hash_written_name(text) for text in curation.deleted_names})
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
    changed: Ids, seeds: Collection[int], states: Sequence[tuple[BlockingKeyTable, Pairs]]
) -> Ids:
    """Return the names that are connected with a change, before or after it.

    Args:
        changed: names.
        seeds: strong keys of other names, with changed decisions or equations.
        states: keys of names, and connected keys, before and after the change.
    """
    # Each key that is there before the change only, or after it only, is one of these names: the
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


def _pair_keys(equated: Sequence[tuple[int, int]], joined: Iterable[tuple[str, str]]) -> Pairs:
    """Return which keys of names the text or the user connects.

    Args:
        equated: the keys of the pairs that the text equates.
        joined: the pairs that the user joined.
    """
    found: dict[int, set[int]] = defaultdict(set)
    for a, b in (*equated, *((hash_written_name(a), hash_written_name(b)) for a, b in joined)):
        found[a].add(b)
        found[b].add(a)
    return dict(found)


N_STRONG, N_WEAK = 5, 3  # most that a name has
_ROWS_AT_ONCE = 50_000
_LOW_BITS = (1 << 32) - 1
# Rows that are kept beside the shared ones, and searched as a whole: an edit changes a few. More
# are an import, which pays for a new index.
_MOST_OWN_ROWS = 500


class BlockingKeyTable:
    """The keys of all names, with an index that is shared by the tables before and after an edit.

    Up to 72 bytes a name, stored by columns, and 8 for each key in the index. Zeros are not
    written: most names have two keys, and the system gives memory for those only.
    """

    def __init__(self, size: int = 0) -> None:
        # A row by name id; never changed once the table is made, because other tables share it.
        self._keys = np.zeros((size, N_STRONG + N_WEAK), np.int64, order="F")
        self._documents: list[Documents] = [{}] * size  # with the name; of its counts, not copied
        self._index: _KeyIndex | None = None  # of `_keys`, made for the first search
        # Rows that replace those of `_keys`, by ascending id, and the documents of these names.
        self._own_ids = _NONE
        self._own_rows = np.zeros((0, N_STRONG + N_WEAK), np.int64)
        self._own_documents: dict[int, Documents] = {}

    def __len__(self) -> int:
        """Return one more than the highest id."""
        return max(len(self._keys), int(self._own_ids[-1]) + 1 if len(self._own_ids) else 0)

    def changed(self, name_ids: Ids, names: Mapping[int, NameCount]) -> BlockingKeyTable:
        """Return a table with other keys of some names; those not in `names` have none."""
        own_ids = np.union1d(self._own_ids, name_ids)
        if len(own_ids) > _MOST_OWN_ROWS:
            return self._rewritten(name_ids, names)
        other = BlockingKeyTable()
        other._keys, other._documents = self._keys, self._documents
        other._index = self._ensure_index()
        other._own_ids, other._own_rows = own_ids, self._get_rows(own_ids)
        rows = _list_rows(name_ids, names)
        other._own_rows[np.searchsorted(own_ids, name_ids)] = rows
        other._own_documents = self._own_documents | _list_documents(name_ids, names)
        return other

    def _rewritten(self, name_ids: Ids, names: Mapping[int, NameCount]) -> BlockingKeyTable:
        """Return a table with other keys of some names, and no rows beside the shared ones."""
        other = BlockingKeyTable(max(len(self), int(name_ids.max()) + 1))
        for old, new in zip(self._keys.T, other._keys.T, strict=True):
            if old.any():
                new[: len(old)] = old
        other._keys[self._own_ids] = self._own_rows
        other._documents[: len(self._documents)] = self._documents
        for i in range(0, len(name_ids), 1_000):
            part = name_ids[i : i + 1_000]
            rows = _list_rows(part, names)
            for old, new in zip(rows.T, other._keys.T, strict=True):
                if old.any() or new[part].any():
                    new[part] = old
        for documents_of in (self._own_documents, _list_documents(name_ids, names)):
            for name_id, documents in documents_of.items():
                other._documents[name_id] = documents
        return other

    def find(self, keys: Collection[int]) -> Ids:
        """Return the names with one of these keys, ascending."""
        return np.unique(self._find(np.fromiter(keys, np.int64, len(keys)), _NONE))

    def find_counted_with(self, name_ids: Ids) -> Ids:
        """Return the names that are counted together with these: they have one surname."""
        keys = np.unique(self._get_rows(name_ids))
        is_counted = (keys & (IS_COUNTED | IF_NO_SURNAME)) == IS_COUNTED
        return np.unique(self._find(keys[is_counted], _NONE))

    def find_related(self, pairs: Pairs) -> Ids:
        """Return the names that have a key in common with another name, or one in `pairs`."""
        # Half of each key: less memory, and too many may be equal.
        parts: list[np.ndarray] = []
        for first in range(0, len(self), _ROWS_AT_ONCE):
            keys = (self._get_part(first) & _LOW_BITS).astype(np.uint32)
            keys.sort(axis=1)
            keys[:, 1:][keys[:, 1:] == keys[:, :-1]] = 0  # a name has some of them twice
            parts.append(keys[keys > 0])
        every = np.concatenate([np.zeros(0, np.uint32), *parts])
        del parts
        every.sort()
        paired = np.fromiter(pairs, np.int64, len(pairs)) & _LOW_BITS
        common = np.union1d(every[1:][every[1:] == every[:-1]], paired.astype(np.uint32))
        del every
        is_related = np.zeros(len(self), bool)
        for first in range(0, len(self), _ROWS_AT_ONCE):
            part = slice(first, first + _ROWS_AT_ONCE)
            for column in self._get_part(first).T:
                is_related[part] |= np.isin((column & _LOW_BITS).astype(np.uint32), common)
        return np.flatnonzero(is_related)

    def find_connected(self, name_ids: Ids, strong: Collection[int], pairs: Pairs) -> Ids:
        """Return the names that a chain of keys connects with these names and strong keys.

        Args:
            name_ids: those that are not in the table are left out.
            pairs: keys that are connected besides.
        """
        reached = _ReachedKeys(strong, pairs)
        is_found = np.zeros(len(self), bool)
        ids = name_ids[name_ids < len(self)]
        while True:
            is_found[ids] = True
            for name_id, row in zip(ids.tolist(), self._get_rows(ids).tolist(), strict=True):
                reached.add(row, self._get_documents(name_id))
            new_strong, new_weak = reached.take_new()
            if not new_strong and not new_weak:
                return np.flatnonzero(is_found)
            valid_strong, valid_weak = self._list_valid(new_strong), self._list_valid(new_weak)
            reached.allow(valid_strong, valid_weak)
            ids = self._find(valid_strong, valid_weak)
            ids = np.unique(ids[~is_found[ids]])
            rows = self._get_rows(ids).tolist()
            is_connected = [
                reached.is_connected(row, self._get_documents(name_id))
                for name_id, row in zip(ids.tolist(), rows, strict=True)
            ]
            ids = ids[np.array(is_connected, bool)]

    def _get_documents(self, name_id: int) -> Documents:
        """Return the documents with a name; none if they are unknown."""
        if (found := self._own_documents.get(name_id)) is not None:
            return found
        return self._documents[name_id] if name_id < len(self._documents) else {}

    def _get_rows(self, name_ids: Ids) -> Ids:
        """Return the keys of names, shape (N, 8); zeros for ids that are not in the table."""
        rows = np.zeros((len(name_ids), N_STRONG + N_WEAK), np.int64)
        is_shared = name_ids < len(self._keys)
        rows[is_shared] = self._keys[name_ids[is_shared]]
        if len(self._own_ids):
            places = np.searchsorted(self._own_ids, name_ids)
            places[places == len(self._own_ids)] = 0
            is_own = self._own_ids[places] == name_ids
            rows[is_own] = self._own_rows[places[is_own]]
        return rows

    def _get_part(self, first: int) -> Ids:
        """Return the rows of `_ROWS_AT_ONCE` names from this id on."""
        return self._get_rows(np.arange(first, min(first + _ROWS_AT_ONCE, len(self))))

    def _list_valid(self, keys: Collection[int]) -> Ids:
        """Return those of the keys that can connect names."""
        found = np.fromiter(keys, np.int64, len(keys))
        surnames = found[found & IF_NO_SURNAME > 0] ^ IF_NO_SURNAME
        if not len(surnames):
            return found
        rows = np.union1d(self._ensure_index().find_weak(surnames), self._own_ids)
        alike = self._get_rows(rows)[:, N_STRONG:].ravel()
        return found[~np.isin(found, np.intersect1d(alike, surnames) | IF_NO_SURNAME)]

    def _find(self, strong: Ids, weak: Ids) -> Ids:
        """Return the names that these keys connect names with that have them; some twice.

        These are the names with one of the strong keys, and those that have one of the weak
        keys as a strong key. Seldom, one more is found that has half of a key.
        """
        index, every = self._ensure_index(), np.concatenate((strong, weak))
        found = np.concatenate((index.find_strong(every), index.find_weak(strong)))
        if not len(self._own_ids):
            return found
        is_own = np.isin(self._own_rows, strong).any(axis=1)
        is_own |= np.isin(self._own_rows[:, :N_STRONG], weak).any(axis=1)
        return np.concatenate((found[~np.isin(found, self._own_ids)], self._own_ids[is_own]))

    def _ensure_index(self) -> _KeyIndex:
        if self._index is None:
            self._index = _KeyIndex(self._keys)
        return self._index


_ANYWHERE = 0  # stands for all documents


class _ReachedKeys:
    """The keys that a search has reached, each with the documents in which it connects names.

    Args:
        strong: keys that connect names whatever their documents are.
        pairs: keys that are connected besides.
    """

    def __init__(self, strong: Collection[int], pairs: Pairs) -> None:
        self._pairs = pairs
        self._strong: dict[int, set[int]] = {}  # key -> documents
        self._weak: dict[int, set[int]] = {}
        self._new_strong: set[int] = set()
        self._new_weak: set[int] = set()
        self._allowed: tuple[set[int], set[int]] = set(), set()  # of both, those that are valid
        for key in strong:
            self._add_strong(key, {_ANYWHERE})

    def add(self, row: Sequence[int], documents: Documents) -> None:
        """Add the keys of a name that was found.

        Args:
            row: as in `BlockingKeyTable`; 0 is none.
        """
        in_own = documents.keys() or {_ANYWHERE}
        for place, key in enumerate(row):
            if key:
                where = {_ANYWHERE} if key & ANYWHERE else in_own
                if place < N_STRONG:
                    self._add_strong(key, where)
                elif not where <= (known := self._weak.setdefault(key, set())):
                    known.update(where)
                    self._new_weak.add(key)

    def _add_strong(self, key: int, documents: AbstractSet[int]) -> None:
        known = self._strong.setdefault(key, set())
        if not documents <= known:
            known.update(documents)
            self._new_strong.add(key)
            for other in self._pairs.get(key, ()):
                self._add_strong(other, {_ANYWHERE})

    def take_new(self) -> tuple[set[int], set[int]]:
        """Return the strong and the weak keys that are new, or new in some document."""
        new = self._new_strong, self._new_weak
        self._new_strong, self._new_weak = set(), set()
        return new

    def allow(self, strong: Ids, weak: Ids) -> None:
        """Let these keys connect names."""
        self._allowed[0].update(strong.tolist())
        self._allowed[1].update(weak.tolist())

    def is_connected(self, row: Sequence[int], documents: Documents) -> bool:
        """Return whether one of the keys connects a name with those that were found."""
        strong, weak = self._allowed
        for place, key in enumerate(row):
            if key in strong and _is_in(self._strong[key], documents):
                return True
            if place < N_STRONG and key in weak and _is_in(self._weak[key], documents):
                return True
        return False


def _is_in(reached: AbstractSet[int], documents: Documents) -> bool:
    """Return whether a key that was reached in some documents connects a name in others."""
    return not documents or _ANYWHERE in reached or not reached.isdisjoint(documents)


class _KeyIndex:
    """Finds the rows with a key by half of the key; some rows are found too many.

    Args:
        keys: a row by name id, strong keys before weak ones; 0 is none.
    """

    def __init__(self, keys: Ids) -> None:
        self._strong = _sort_halves(keys[:, :N_STRONG])
        self._weak = _sort_halves(keys[:, N_STRONG:])

    def find_strong(self, keys: Ids) -> Ids:
        """Return the rows that may have one of these as a strong key; some twice."""
        return _find_rows(*self._strong, keys)

    def find_weak(self, keys: Ids) -> Ids:
        """Return the rows that may have one of these as a weak key; some twice."""
        return _find_rows(*self._weak, keys)


Halves = NDArray[np.uint32]


def _sort_halves(keys: Ids) -> tuple[Halves, Halves]:
    """Return the low halves of all keys that are not 0, ascending, and the row of each."""
    halves: list[Halves] = [np.zeros(0, np.uint32)]
    rows: list[Halves] = [np.zeros(0, np.uint32)]
    for column in keys.T:
        of_column = np.flatnonzero(column)
        halves.append((column[of_column] & _LOW_BITS).astype(np.uint32))
        rows.append(of_column.astype(np.uint32))
    every = np.concatenate(halves)
    order = np.argsort(every)
    return every[order], np.concatenate(rows)[order]


def _find_rows(halves: Halves, rows: Halves, keys: Ids) -> Ids:
    """Return the rows of these keys; some twice.

    Args:
        halves: ascending.
        rows: one for each half.
    """
    wanted = (keys & _LOW_BITS).astype(np.uint32)
    starts = halves.searchsorted(wanted)
    lengths = halves.searchsorted(wanted, "right") - starts
    # The places starts[i], starts[i] + 1, … of each key, one after another.
    ends = lengths.cumsum()
    offsets = np.arange(ends[-1] if len(ends) else 0) + (starts - ends + lengths).repeat(lengths)
    found: Ids = rows[offsets].astype(np.int64)
    return found


def _list_documents(name_ids: Ids, names: Mapping[int, NameCount]) -> dict[int, Documents]:
    """Return the documents with each of the names; none for those not in `names`."""
    return {i: names[i].documents if i in names else {} for i in name_ids.tolist()}


def _list_rows(name_ids: Ids, names: Mapping[int, NameCount]) -> Ids:
    """Return the keys of names, shape (N, 8); those not in `names` have none."""
    rows = [
        _to_row(find_blocking_keys(names[i])) if i in names else _NO_KEYS for i in name_ids.tolist()
    ]
    return np.array(rows, np.int64).reshape(-1, N_STRONG + N_WEAK)


def unite_ids(size: int, *parts: Ids) -> Ids:
    """Return the ids below `size` that are in one of the arrays, ascending, each once."""
    is_there = np.zeros(size, bool)
    for part in parts:
        is_there[part] = True
    return np.flatnonzero(is_there)


_NONE = np.zeros(0, np.int64)
_NO_KEYS = (0,) * (N_STRONG + N_WEAK)


def _to_row(keys: BlockingKeys) -> tuple[int, ...]:
    strong, weak = keys.strong, keys.weak
    return (*strong, *_NO_KEYS[: N_STRONG - len(strong)], *weak, *_NO_KEYS[: N_WEAK - len(weak)])
