"""Texts and counts of all names of a library, in arrays: there may be hundreds of thousands.

300,000 names take about 20 MB here; as Python objects they took 140 MB.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from weakref import WeakValueDictionary

import numpy as np

from ..model import NameCount


class NameTexts:
    """Name id -> name with its sense. Names are added in the order of their ids, never changed."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._ends = array("Q", [0])  # of the text of each id; an id that is not used has no bytes

    def __len__(self) -> int:
        """Return one more than the highest id."""
        return len(self._ends)

    def __getitem__(self, name_id: int) -> str:
        """
        Raises:
            KeyError: there is no name with this id.
        """
        if 0 < name_id < len(self._ends):
            start, end = self._ends[name_id - 1], self._ends[name_id]
            if start < end:
                return self._bytes[start:end].decode("utf-8", "surrogatepass")
        raise KeyError(name_id)

    def extend(self, names: Iterable[tuple[int, str]]) -> None:
        """Add names, ascending by id; ids that are known are left out."""
        for name_id, text in names:
            if name_id < len(self._ends):
                continue
            while len(self._ends) < name_id:
                self._ends.append(len(self._bytes))
            self._bytes += text.encode("utf-8", "surrogatepass")
            self._ends.append(len(self._bytes))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class _Parts:
    """What names have besides their text. Most names occur once, so many share one of these."""

    n_mentions: int
    types: dict[str, int]
    language: str
    documents: Mapping[int, int]


class NameCounts(Mapping[int, NameCount]):
    """Name id -> counts, of the names that documents mention.

    Each access makes a new `NameCount`.
    """

    def __init__(self, texts: NameTexts) -> None:
        self._texts = texts
        self._of_id: list[_Parts | None] = []
        self._n_names = 0
        self._shared: WeakValueDictionary[object, _Parts] = WeakValueDictionary()

    def __len__(self) -> int:
        return self._n_names

    def __contains__(self, name_id: object) -> bool:
        return isinstance(name_id, (int, np.integer)) and self._find(int(name_id)) is not None

    def __iter__(self) -> Iterator[int]:
        """Yield the ids, ascending."""
        return (name_id for name_id, parts in enumerate(self._of_id) if parts is not None)

    def __getitem__(self, name_id: int) -> NameCount:
        parts = self._find(name_id)
        if parts is None:
            raise KeyError(name_id)
        return NameCount(
            name_id,
            self._texts[name_id],
            parts.n_mentions,
            parts.types,
            parts.language,
            parts.documents,
        )

    def set(self, count: NameCount) -> None:
        """Replace the counts of a name."""
        while len(self._of_id) <= count.name_id:
            self._of_id.append(None)
        key = (tuple(count.types.items()), count.language, tuple(count.documents.items()))
        parts = self._shared.get(key)
        if parts is None:
            parts = _Parts(count.n_mentions, count.types, count.language, count.documents)
            self._shared[key] = parts
        self._n_names += self._of_id[count.name_id] is None
        self._of_id[count.name_id] = parts

    def remove(self, name_id: int) -> None:
        """Remove the counts of a name, if it has any."""
        if self._find(name_id) is not None:
            self._of_id[name_id] = None
            self._n_names -= 1

    def _find(self, name_id: int) -> _Parts | None:
        return self._of_id[name_id] if 0 <= name_id < len(self._of_id) else None
