"""Which rows an operation changed, so that screens can reload them."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """The ids that were added, changed or deleted.

    Attributes:
        relations: without those whose weight alone changed, which depends on the whole library.
        queued: documents that wait to be read.
        collections: a collection or a watched folder was created, renamed or deleted.
        models: a model was installed, chosen or removed.
    """

    documents: frozenset[int] = frozenset()
    entities: frozenset[int] = frozenset()
    relations: frozenset[int] = frozenset()
    chats: frozenset[int] = frozenset()
    communities: frozenset[int] = frozenset()
    queued: frozenset[int] = frozenset()
    collections: bool = False
    models: bool = False

    def __or__(self, other: ChangeSet) -> ChangeSet:
        return ChangeSet(
            *(getattr(self, field.name) | getattr(other, field.name) for field in fields(self))
        )

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))


NOTHING = ChangeSet()
