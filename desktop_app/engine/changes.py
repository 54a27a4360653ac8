"""Which rows an operation changed, so that screens can reload them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """The changed ids; `everything` replaces a list that would be too long."""

    documents: frozenset[int] = frozenset()
    entities: frozenset[int] = frozenset()
    relations: frozenset[int] = frozenset()
    chats: frozenset[int] = frozenset()
    everything: bool = False
    communities: frozenset[int] = frozenset()
    queued: frozenset[int] = frozenset()  # documents that wait to be read

    def __or__(self, other: ChangeSet) -> ChangeSet:
        return ChangeSet(
            self.documents | other.documents,
            self.entities | other.entities,
            self.relations | other.relations,
            self.chats | other.chats,
            self.everything or other.everything,
            self.communities | other.communities,
            self.queued | other.queued,
        )

    def __bool__(self) -> bool:
        return self != NOTHING


NOTHING = ChangeSet()
EVERYTHING = ChangeSet(everything=True)
