"""Which rows an operation changed, so that screens can reload them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray


class IdSet(Set[int]):
    """A set of ids as an array with a byte for each possible id.

    An import may change 300,000 entities: these take 25 MB in a `frozenset`, and in each union of
    it as much again.
    """

    __slots__ = ("_is_member",)

    def __init__(self, is_member: NDArray[np.bool_]) -> None:
        """
        Args:
            is_member: by id; not changed afterwards.
        """
        self._is_member = is_member

    @classmethod
    def _from_iterable(cls, ids: Iterable[int]) -> frozenset[int]:  # type: ignore[override]
        return frozenset(ids)

    def __contains__(self, one: object) -> bool:
        if not isinstance(one, (int, np.integer)):  # a frozenset finds both, too
            return False
        known, place = self._is_member, int(one)
        return 0 <= place < len(known) and bool(known[place])

    def __iter__(self) -> Iterator[int]:
        return map(int, np.flatnonzero(self._is_member))

    def __len__(self) -> int:
        return int(np.count_nonzero(self._is_member))

    def __or__(self, other: Set[int]) -> Set[int]:  # type: ignore[override]
        if not isinstance(other, IdSet):
            return frozenset(self) | other if other else self
        least, most = sorted((self._is_member, other._is_member), key=len)
        is_member = most.copy()
        is_member[: len(least)] |= least
        return IdSet(is_member)

    __ror__ = __or__


@dataclass(frozen=True, slots=True)
class ChangeNotice:
    """The ids that were added, changed or deleted; not the changeset that undo applies.

    Attributes:
        relations: without those whose weight alone changed, which depends on the whole library.
        queued: documents that wait to be read.
        collections: a collection or a watched folder was created, renamed or deleted.
        models: a model was installed, chosen or removed.
        views: a stored view of the graph was added, changed or deleted.
    """

    documents: Set[int] = frozenset()
    entities: Set[int] = frozenset()
    relations: Set[int] = frozenset()
    chats: Set[int] = frozenset()
    communities: Set[int] = frozenset()
    queued: Set[int] = frozenset()
    collections: bool = False
    models: bool = False
    views: bool = False

    def __or__(self, other: ChangeNotice) -> ChangeNotice:
        pairs = [(getattr(self, one.name), getattr(other, one.name)) for one in fields(self)]
        return ChangeNotice(*(a | b if a and b else a or b for a, b in pairs))

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))


NOTHING = ChangeNotice()
