"""Which places of a document get sentences written: each name and each pair only in its best few.

A pure function of the document's instant evidence, so that running again asks the same. Knows no
model, no store and no prompt.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

MAX_PLACES = 3  # chunks of a document in which one name, or one pair, is described


@dataclass(frozen=True, slots=True)
class NamePlace:
    """A name in one chunk: its best mention's weight, and how often it stands there."""

    name: str
    chunk_order: int
    weight: float
    n_mentions: int


@dataclass(frozen=True, slots=True)
class PairPlace:
    """A pair of names tied in one chunk, and how closely."""

    names: frozenset[str]
    chunk_order: int
    weight: float


@dataclass(frozen=True, slots=True)
class DocumentPlan:
    """Where a document's names and pairs are described.

    Attributes:
        counts: how often the document has each name.
        chosen: for each name and pair, the chunks (by number) that are asked for sentences.
    """

    counts: Mapping[str, int]
    chosen: Mapping[str | frozenset[str], frozenset[int]]

    def described(
        self, chunk_order: int, names: Iterable[str | frozenset[str]]
    ) -> frozenset[str | frozenset[str]]:
        """Return those of `names` (pairs too) that other chunks are asked for, not this one."""
        return frozenset(n for n in names if chunk_order not in self.chosen.get(n, (chunk_order,)))

    def importance(self, names: Iterable[str]) -> dict[str, int]:
        """Return how often the document has each of these names."""
        return {name: self.counts.get(name, 0) for name in names}


def plan_document(
    names: Sequence[NamePlace], pairs: Sequence[PairPlace], *, max_places: int = MAX_PLACES
) -> DocumentPlan:
    """Choose the chunks in which each name and each pair is described.

    Its chunks, in reading order, are cut into `max_places` runs of like length, and the best of
    each is taken: sentences then come from all over the document, the best place among them.
    """
    counts: dict[str, int] = {}
    places: dict[Hashable, list[tuple[int, float, int]]] = {}
    for name in names:
        counts[name.name] = counts.get(name.name, 0) + name.n_mentions
        places.setdefault(name.name, []).append((name.chunk_order, name.weight, name.n_mentions))
    for pair in pairs:
        places.setdefault(pair.names, []).append((pair.chunk_order, pair.weight, 1))
    chosen = {key: _choose(found, max_places) for key, found in places.items()}
    return DocumentPlan(counts, chosen)  # type: ignore[arg-type]


def _choose(places: list[tuple[int, float, int]], max_places: int) -> frozenset[int]:
    ordered = sorted(places)
    if len(ordered) <= max_places:
        return frozenset(order for order, _, _ in ordered)
    bounds = [len(ordered) * i // max_places for i in range(max_places + 1)]
    return frozenset(
        max(ordered[first:end], key=lambda p: (p[1], p[2], -p[0]))[0]
        for first, end in pairwise(bounds)
    )
