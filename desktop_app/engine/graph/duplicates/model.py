"""Plain data of the duplicate search: facts about names in, hints and pairs out.

Entities are identified by id.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...messages import Message

PairKey = tuple[int, int]  # ids, the smaller first


@dataclass(frozen=True, slots=True)
class NameFacts:
    """One entity with its names, type and occurrences.

    Attributes:
        names: all names, the shown one first.
        documents, chunks: ids of those that mention it.
        neighbours: entity id -> weight of the relation.
        gender: "m" or "f" by the pronouns beside its mentions, "" where they are too few or differ.
    """

    id: int
    names: tuple[str, ...]
    type: str = "person"
    n_mentions: int = 1
    documents: frozenset[int] = frozenset()
    chunks: frozenset[int] = frozenset()
    neighbours: Mapping[int, float] = field(default_factory=dict)
    gender: str = ""

    @property
    def name(self) -> str:
        return self.names[0]


@dataclass(frozen=True, slots=True)
class ApartSentence:
    """A sentence that seems to speak of two things with one name, and all entities it names."""

    document_id: int
    start: int
    entities: frozenset[int]


@dataclass(frozen=True, slots=True)
class TextFacts:
    """Evidence of the text about pairs of entities, by their ids, the smaller id first.

    Attributes:
        stated: how often the text equates the two ("A, known as B").
        adjacent: how often the first stands directly before the second; ids in text order.
        together: number of sentences that mention both, without stated and adjacent ones; a
            speaker and a name in the speech count less than 1.
        never: pairs that the user keeps apart.
        distinguished: entity -> the sentences that name it and seem to speak of two things with one
            name ("no kin to the other", 同名).
        vectors: of the descriptions, unit length, float32, shape (N, D), rows in the order of
            the names; None without a model.
    """

    stated: Mapping[PairKey, int] = field(default_factory=dict)
    adjacent: Mapping[PairKey, int] = field(default_factory=dict)
    together: Mapping[PairKey, float] = field(default_factory=dict)
    never: Collection[PairKey] = frozenset()
    vectors: np.ndarray | None = None
    distinguished: Mapping[int, Sequence[ApartSentence]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DuplicateReason:
    """Why two entities may be one, or are two: the method, its strength, a sentence for the user.

    The sentence quotes only names of the two entities, as they are in the library, and is true
    whether or not they are one.

    Attributes:
        rivals: other entities that the reason is about.
        place: document and start of the sentence that it refers to.
    """

    method: str
    strength: float
    text: Message
    rivals: tuple[int, ...] = ()
    place: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """The result of one method for two entities.

    `alternatives_of` is the id of an entity that can be only one of several ("Jones" of all people
    with this name): hints with the same method and id divide their strength. 0 for none.
    `rivals` are the other alternatives, the best first, if one of them fits about as well.
    `namesakes` are women with the same first name and another surname, who may be the same one.
    """

    a: int
    b: int
    method: str
    strength: float
    text: Message
    alternatives_of: int = 0
    rivals: tuple[int, ...] = ()
    namesakes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entities that may be one, `a` < `b`, with certainty (0 to 1).

    Attributes:
        reasons: for it, best first.
        against: what speaks for two entities; it has lowered the certainty, unless it is a
            namesake, who may be one of the two.
    """

    a: int
    b: int
    score: float
    reasons: tuple[DuplicateReason, ...]
    against: tuple[DuplicateReason, ...] = ()


@dataclass(frozen=True, slots=True)
class PairCluster:
    """Entities that may all be one; `certainty` is the mean of its pairs."""

    ids: tuple[int, ...]
    certainty: float
    pairs: tuple[Pair, ...]


def pair_key(a: int, b: int) -> PairKey:
    return (a, b) if a < b else (b, a)
