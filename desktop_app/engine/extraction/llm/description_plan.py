"""Choice of the chunks in which each name and each pair of names is described.

A pure function of the document's instant evidence, so that a second run plans the same prompts.
Knows no model, no store and no prompt.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

MAX_PLACES = 3  # chunks of a document in which one name, or one pair, is described


@dataclass(frozen=True, slots=True)
class NamePlace:
    """A name in one chunk: the weight of its best mention and its number of mentions."""

    name: str
    chunk_order: int
    weight: float
    n_mentions: int


@dataclass(frozen=True, slots=True)
class PairPlace:
    """A related pair of names in one chunk, with the weight of the relation."""

    names: frozenset[str]
    chunk_order: int
    weight: float


@dataclass(frozen=True, slots=True)
class DocumentPlan:
    """Where a document's names and pairs are described.

    Attributes:
        counts: number of mentions of each name.
        chosen: for each name and pair, the order numbers of the chunks that describe it.
    """

    counts: Mapping[str, int]
    chosen: Mapping[str | frozenset[str], frozenset[int]]

    def described(
        self, chunk_order: int, names: Iterable[str | frozenset[str]]
    ) -> frozenset[str | frozenset[str]]:
        """Return those of `names` (or pairs) that other chunks describe, not this one."""
        return frozenset(n for n in names if chunk_order not in self.chosen.get(n, (chunk_order,)))

    def importance(self, names: Iterable[str]) -> dict[str, int]:
        """Return the number of mentions of each of these names in the document."""
        return {name: self.counts.get(name, 0) for name in names}


def plan_document(
    names: Sequence[NamePlace], pairs: Sequence[PairPlace], *, max_places: int = MAX_PLACES
) -> DocumentPlan:
    """Choose the chunks in which each name and each pair is described.

    The chunks of a name, in order, are divided into `max_places` runs of similar length, and the
    best chunk of each run is chosen, so that descriptions come from all parts of the document.
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
