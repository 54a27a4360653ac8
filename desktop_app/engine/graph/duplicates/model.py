"""What goes into the search for duplicates and what comes out of it. Plain data.

An entity is known by its id; nothing here knows a database, a model or a screen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

PairKey = tuple[int, int]  # ids, the smaller first


@dataclass(frozen=True, slots=True)
class NameFacts:
    """One entity as the search sees it: its names, what it is, and where it stands.

    `names` are all of them, the shown one first; `neighbours` maps an entity's id to how
    strongly the two are tied; `chunks` and `documents` are ids.
    """

    id: int
    names: tuple[str, ...]
    type: str = "person"
    n_mentions: int = 1
    documents: frozenset[int] = frozenset()
    chunks: frozenset[int] = frozenset()
    neighbours: Mapping[int, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.names[0]


@dataclass(frozen=True, slots=True)
class TextFacts:
    """What the text says of pairs of entities, each under its two ids, the smaller first.

    Args:
        told: how often the text equates the two ("A, known as B").
        glued: how often the first stands right before the second, with nothing between; keys
            are in the order of the text.
        together: in how many sentences both are named, told and glued ones left out; a speaker
            and a name that he says count for a part.
        never: pairs that the person keeps apart.
        vectors: (N, D) float32 of length 1, rows as the names are given; None without a model.
    """

    told: Mapping[PairKey, int] = field(default_factory=dict)
    glued: Mapping[PairKey, int] = field(default_factory=dict)
    together: Mapping[PairKey, float] = field(default_factory=dict)
    never: Collection[PairKey] = frozenset()
    vectors: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why two entities may be one: the method, its own certainty, and a sentence."""

    method: str
    strength: float
    text: str


@dataclass(frozen=True, slots=True)
class Hint:
    """What one method says of two entities.

    `rivals_of` is the id of the entity that can only be one of several ("Jones" of all the
    Joneses); the hints with the same method and id then share one certainty. 0 is none.
    """

    a: int
    b: int
    method: str
    strength: float
    text: str
    rivals_of: int = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities that may be one, `a` < `b`, with a certainty of 0 to 1; best reason first."""

    a: int
    b: int
    score: float
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class DuplicateCluster:
    """Entities that may all be one; `certainty` is the mean over its pairs."""

    ids: tuple[int, ...]
    certainty: float
    pairs: tuple[Pair, ...]


def pair_key(a: int, b: int) -> PairKey:
    return (a, b) if a < b else (b, a)
