"""What the person decided, as the graph takes it. Plain data, keyed by names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class HandRelation:
    """A relation that the person made, changed or (`deleted`) took out."""

    source: str
    target: str
    description: str = ""
    keywords: tuple[str, ...] = ()
    weight: float = 1.0
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class EntityEdit:
    """What the person wrote over; None keeps what was derived."""

    new_name: str | None = None
    type: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Curation:
    """Everything the person decided, keyed by names."""

    merged: tuple[tuple[str, str], ...] = ()
    never_merged: frozenset[frozenset[str]] = frozenset()
    edits: Mapping[str, EntityEdit] = field(default_factory=dict)
    aliases: tuple[tuple[str, str], ...] = ()
    deleted_names: frozenset[str] = frozenset()
    hand_relations: tuple[HandRelation, ...] = ()

    def named(self) -> frozenset[str]:
        """Return the names that the person stands for: no model strikes them out."""
        pairs = (*self.merged, *self.aliases, *map(tuple, self.never_merged))
        by_hand = [name for h in self.hand_relations for name in (h.source, h.target)]
        return frozenset((*(name for pair in pairs for name in pair), *self.edits, *by_hand))
