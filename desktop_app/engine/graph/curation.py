"""What the person decided, as the graph takes it. Plain data, keyed by names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class UserRelation:
    """A relation that the person made, changed or (`deleted`) took out."""

    source: str
    target: str
    description: str = ""
    keywords: tuple[str, ...] = ()
    weight: float = 1.0
    deleted: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class EntityEdit:
    """What the person wrote over; None keeps what was derived."""

    new_name: str | None = None
    type: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Curation:
    """Everything the person decided, keyed by names (see `names.sense_key` for namesakes).

    `deleted_names` gives the documents in which a name is deleted, None where it is for ever.
    """

    merged: tuple[tuple[str, str], ...] = ()
    never_merged: frozenset[frozenset[str]] = frozenset()
    edits: Mapping[str, EntityEdit] = field(default_factory=dict)
    aliases: tuple[tuple[str, str], ...] = ()
    deleted_names: Mapping[str, frozenset[int] | None] = field(default_factory=dict)
    hand_relations: tuple[UserRelation, ...] = ()
    hand_entities: frozenset[str] = frozenset()

    def named(self) -> frozenset[str]:
        """Return the names that the person stands for: no model strikes them out."""
        pairs = (*self.merged, *self.aliases, *map(tuple, self.never_merged))
        by_hand = [name for h in self.hand_relations for name in (h.source, h.target)]
        named = (name for pair in pairs for name in pair)
        return frozenset((*named, *self.edits, *by_hand, *self.hand_entities))

    def given(self) -> frozenset[str]:
        """Return the names that are there though no text may have them."""
        return self.hand_entities.union(*map(frozenset, self.aliases))

    def deletes(self, name: str, documents: frozenset[int]) -> bool:
        """Say whether a name is taken out, given the documents that have it."""
        if name not in self.deleted_names:
            return False
        within = self.deleted_names[name]
        return within is None or documents <= within
