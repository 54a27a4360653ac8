"""Evidence as the graph takes it: what one strategy found in one chunk, names as ids.

Plain data. A chunk may hold an instant extraction and one by a model; which of them speaks for
what is decided in `graph.growing`.
"""

from __future__ import annotations

from dataclasses import dataclass

INSTANT = "instant"  # the strategy that asks no model

Place = tuple[int, int]
"""Document id and offset: what comes first in reading order, whatever was read first."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed relation between two names, as kept."""

    id: int
    source_id: int
    target_id: int
    weight: float
    keywords: tuple[str, ...] = ()
    description: str = ""
    kind: str = ""
    confidence: float = 0.0
    place: Place = (0, 0)
    chunk_id: int = 0

    @property
    def strength(self) -> float:
        """Weight as the graph counts it: a model's word is worth up to twice bare closeness.

        A description without a confidence (the free form gives none) stands half-way.
        """
        return self.weight * (1.0 + (self.confidence or (0.5 if self.description else 0.0)))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a model says of one name in one chunk; type "" where it was not asked."""

    name_id: int
    type: str = ""
    description: str = ""
    confidence: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Extraction:
    """All that one finished extraction found in its chunk; equal only to itself.

    Attributes:
        place: where the chunk starts.
        mentions: (name id, type, how often).
        also_called: pairs of names, as text.
    """

    id: int
    chunk_id: int
    place: Place
    language: str
    strategy: str = INSTANT
    mentions: tuple[tuple[int, str, int], ...] = ()
    claims: tuple[Claim, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    also_called: tuple[tuple[str, str], ...] = ()

    @property
    def by_model(self) -> bool:
        return self.strategy != INSTANT
