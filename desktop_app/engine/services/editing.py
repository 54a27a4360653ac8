"""Corrections by hand: each is one undoable edit of the curation, then the graph is derived."""

from __future__ import annotations

from collections.abc import Sequence

from ..changes import EVERYTHING, ChangeSet
from ..errors import UserError
from ..graph.names import normalise_name
from ..store import curation, evidence, graph
from ..store.db import Db
from ..types import ENTITY_TYPES, EntityRow
from .deriving import derive_graph


class Editing:
    """Changes entities so that it lasts: keyed by names, whatever is read later.

    Args:
        db: the read-write connection.
    """

    def __init__(self, db: Db) -> None:
        self._db = db

    def rename(self, entity_id: int, new_name: str) -> ChangeSet:
        """Give an entity another name; the old one stays as an alias."""
        new_name = new_name.strip()
        if not new_name:
            raise UserError("A name can't be empty.", "Type one, or press Escape to keep it.")
        entity = self._get(entity_id)
        with self._db.edit(f"Rename “{entity.name}” to “{new_name}”"):
            name = self._own_name(entity_id)
            curation.write_over(self._db, name, new_name=new_name)
            curation.add_alias(self._db, name, new_name)
            evidence.NameIds(self._db, normalise_name)(new_name)
        return self._derive()

    def retype(self, entity_id: int, type_: str) -> ChangeSet:
        if type_ not in ENTITY_TYPES:
            raise UserError(f"“{type_}” is no type.", f"Choose one of: {', '.join(ENTITY_TYPES)}.")
        entity = self._get(entity_id)
        with self._db.edit(f"Make “{entity.name}” a {type_}"):
            curation.write_over(self._db, self._own_name(entity_id), type_=type_)
        return self._derive()

    def describe(self, entity_id: int, description: str) -> ChangeSet:
        entity = self._get(entity_id)
        with self._db.edit(f"Describe “{entity.name}”"):
            curation.write_over(self._db, self._own_name(entity_id), description=description)
        return self._derive()

    def merge(self, keep_id: int, dropped_ids: Sequence[int]) -> ChangeSet:
        """Make several entities one, under the name of the first."""
        keep = self._get(keep_id)
        dropped = [self._get(i) for i in dropped_ids if i != keep_id]
        if not dropped:
            raise UserError("Merging takes two names or more.", "Choose another one as well.")
        with self._db.edit(f"Merge {len(dropped) + 1} names into “{keep.name}”"):
            name = self._own_name(keep_id)
            for entity in dropped:
                curation.add_merged(self._db, name, self._own_name(entity.id))
            curation.write_over(self._db, name, new_name=keep.name)
        return self._derive()

    def never_merge(self, entity_id: int, other_id: int) -> ChangeSet:
        entity, other = self._get(entity_id), self._get(other_id)
        with self._db.edit(f"Keep “{entity.name}” and “{other.name}” apart"):
            curation.add_never_merged(self._db, self._own_name(entity_id), self._own_name(other_id))
        return self._derive()

    def delete(self, entity_id: int) -> ChangeSet:
        """Take an entity out of the graph, also when its name is read again."""
        entity = self._get(entity_id)
        with self._db.edit(f"Delete “{entity.name}”"):
            curation.add_deleted_name(self._db, self._own_name(entity_id))
        return self._derive()

    def keep_name(self, name: str) -> ChangeSet:
        """Stand for a name that models left out, so that it is in the graph whatever they say."""
        with self._db.edit(f"Keep “{name}”"):
            curation.write_over(self._db, name)
        return self._derive()

    def undo(self) -> tuple[str | None, ChangeSet]:
        """Take the last edit back; the label is None if there was none."""
        label = self._db.undo()
        return label, self._derive() if label else ChangeSet()

    def redo(self) -> tuple[str | None, ChangeSet]:
        label = self._db.redo()
        return label, self._derive() if label else ChangeSet()

    def _derive(self) -> ChangeSet:
        derive_graph(self._db)
        return EVERYTHING

    def _get(self, entity_id: int) -> EntityRow:
        entity = graph.find_entity(self._db, entity_id)
        if entity is None:
            raise UserError("This name is no longer in the graph.", "Search for it again.")
        return entity

    def _own_name(self, entity_id: int) -> str:
        """Return the name that stands in the text most, which edits are keyed by."""
        return graph.fetch_aliases(self._db, entity_id)[0][0]
