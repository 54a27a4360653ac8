"""The user's decisions as plain data, keyed by names: merges, edits, aliases, deletions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class UserRelation:
    """A relation that the user added, changed or (`deleted`) removed."""

    source: str
    target: str
    description: str = ""
    keywords: tuple[str, ...] = ()
    weight: float = 1.0
    deleted: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class EntityEdit:
    """Values that the user set for an entity; None keeps the derived value."""

    new_name: str | None = None
    type: str | None = None
    description: str | None = None


def merge_edits(names: Iterable[str], edits: Mapping[str, EntityEdit]) -> EntityEdit:
    """Return the edits of an entity's names as one; a later name takes precedence."""
    merged = EntityEdit()
    for name in names:
        if (edit := edits.get(name)) is not None:
            merged = EntityEdit(
                edit.new_name or merged.new_name,
                edit.type or merged.type,
                edit.description if edit.description is not None else merged.description,
            )
    return merged


@dataclass(frozen=True, slots=True)
class Curation:
    """All decisions of the user, keyed by names (see `names.sense_key` for senses).

    `deleted_names` maps a name to the documents in which it is deleted; None for all documents.
    """

    merged: tuple[tuple[str, str], ...] = ()
    never_merged: frozenset[frozenset[str]] = frozenset()
    edits: Mapping[str, EntityEdit] = field(default_factory=dict)
    aliases: tuple[tuple[str, str], ...] = ()
    deleted_names: Mapping[str, frozenset[int] | None] = field(default_factory=dict)
    hand_relations: tuple[UserRelation, ...] = ()
    hand_entities: frozenset[str] = frozenset()

    def named(self) -> frozenset[str]:
        """Return the names in the user's decisions, which no model may reject."""
        pairs = (*self.merged, *self.aliases, *map(tuple, self.never_merged))
        by_hand = [name for h in self.hand_relations for name in (h.source, h.target)]
        named = (name for pair in pairs for name in pair)
        return frozenset((*named, *self.edits, *by_hand, *self.hand_entities))

    def given(self) -> frozenset[str]:
        """Return the names that exist even if no document mentions them."""
        return self.hand_entities.union(*map(frozenset, self.aliases))

    def deletes(self, name: str, documents: frozenset[int]) -> bool:
        """Return whether a name is deleted in all of the documents that mention it."""
        if name not in self.deleted_names:
            return False
        within = self.deleted_names[name]
        return within is None or documents <= within
