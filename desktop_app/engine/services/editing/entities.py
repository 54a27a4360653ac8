"""Corrections of one entity, or of several alike: names, type, description, being there."""

from __future__ import annotations

from collections.abc import Sequence

from ...changes import ChangeSet
from ...errors import UserError, said
from ...graph.names import normalise_name, split_sense
from ...store import curation, evidence
from . import keys
from .base import EditingBase, check_type, name_all, tidy, with_article


class EntityVerbs(EditingBase):
    """What can be said of an entity by hand."""

    def rename(self, entity_id: int, new_name: str) -> ChangeSet:
        """Give an entity another name; the old one stays as an alias."""
        new_name = tidy(new_name)
        entity = self._get(entity_id)
        if new_name == entity.name:
            return ChangeSet()
        self._refuse_taken(new_name, entity_id)
        with self._db.edit(f"Rename “{entity.name}” to “{new_name}”"):
            key = self._write_over(entity_id, new_name=new_name)
            self._know(key, new_name)
        return self._derive()

    def retype(self, entity_ids: int | Sequence[int], type_: str) -> ChangeSet:
        """Give one entity or several another type."""
        check_type(type_)
        entities = self._get_all(entity_ids)
        with self._db.edit(_tell_type([e.name for e in entities], with_article(type_))):
            for entity in entities:
                self._write_over(entity.id, type_=type_)
        return self._derive()

    def describe(self, entity_id: int, description: str | None) -> ChangeSet:
        """Write an entity's description; None lets what the text gives stand again."""
        entity = self._get(entity_id)
        name = entity.name
        with self._db.edit(
            f"Let the text describe “{name}”" if description is None else f"Describe “{name}”"
        ):
            if description is None:
                for key in keys.all_keys(self._db, entity_id):
                    curation.forget_edit(self._db, key, "description")
            else:
                self._write_over(entity_id, description=description.strip())
        return self._derive()

    def add_alias(self, entity_id: int, alias: str) -> ChangeSet:
        """Know an entity by another name as well, wherever that stands from now on."""
        alias = tidy(alias)
        entity = self._get(entity_id)
        self._refuse_taken(alias, entity_id)
        with self._db.edit(f"Know “{entity.name}” as “{alias}” too"):
            self._know(keys.own_key(self._db, entity_id), alias)
        return self._derive()

    def remove_alias(self, entity_id: int, alias: str) -> ChangeSet:
        """Make a name stand for itself; it is not joined to the entity again.

        Raises:
            UserError: the entity has no such name, or no other one.
        """
        entity = self._get(entity_id)
        all_keys = keys.all_keys(self._db, entity_id)
        if alias not in all_keys:
            raise UserError(f"“{entity.name}” has no name “{alias}”.", "See its names.")
        others = [key for key in all_keys if key != alias]
        if not others:
            raise UserError(
                f"“{alias}” is the only name of “{entity.name}”.", "Rename or delete it instead."
            )
        with self._db.edit(f"Take the name “{split_sense(alias)[0]}” from “{entity.name}”"):
            for key in others:
                curation.remove_alias(self._db, key, alias)
                curation.remove_alias(self._db, alias, key)
                curation.add_never_merged(self._db, key, alias)
        return self._derive()

    def create(self, name: str, type_: str = "other", description: str = "") -> ChangeSet:
        """Make an entity that the text may not name."""
        name = tidy(name)
        check_type(type_)
        self._refuse_taken(name, None)
        with self._db.edit(f"Add “{name}”"):
            evidence.NameIds(self._db, normalise_name)(name)
            curation.remove_deleted_name(self._db, name)
            curation.add_hand_entity(self._db, name)
            curation.write_over(
                self._db, name, type_=type_, description=description.strip() or None
            )
        return self._derive()

    def delete(self, entity_ids: int | Sequence[int], *, forever: bool = True) -> ChangeSet:
        """Take entities out of the graph.

        Args:
            forever: also where later documents name them; else only as far as the library
                has been read.
        """
        entities = self._get_all(entity_ids)
        with self._db.edit(f"Delete {name_all(entities)}"):
            for entity in entities:
                within = () if forever else keys.fetch_documents_of(self._db, entity.id)
                all_keys = keys.all_keys(self._db, entity.id)
                for key in all_keys:
                    curation.remove_hand_entity(self._db, key)
                if forever or within:
                    for key in all_keys:
                        curation.add_deleted_name(self._db, key, within)
        return self._derive()

    def keep_name(self, name: str) -> ChangeSet:
        """Stand for a name that models left out, so that it is in the graph whatever they say."""
        with self._db.edit(f"Keep “{name}”"):
            curation.write_over(self._db, name)
        return self._derive()


def _tell_type(names: Sequence[str], kind: str) -> str:
    if len(names) == 2:
        return said(f"Make “{names[0]}” and “{names[1]}” {kind}")
    return said(
        f"Make “{names[0]}” {kind}" if len(names) == 1 else f"Make {len(names)} names {kind}"
    )
