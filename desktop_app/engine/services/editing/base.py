"""What every verb of editing needs: the entity it means, its key, the graph that follows."""

from __future__ import annotations

from collections.abc import Sequence

from ...changes import ChangeSet
from ...errors import UserError, said
from ...graph.names import normalise_name
from ...store import curation, evidence, graph
from ...store.db import Db
from ...types import ENTITY_TYPES, EntityRow, RelationRow
from ..deriving import Deriving
from . import keys

MAX_NAME = 200
_WITH_ARTICLE = {
    "person": said("a person"),
    "place": said("a place"),
    "organisation": said("an organisation"),
    "event": said("an event"),
    "object": said("an object"),
    "concept": said("a concept"),
    "other": said("an other"),
}


class EditingBase:
    """Holds the connection, and the graph in memory so that an edit is followed quickly.

    Args:
        db: the read-write connection.
    """

    def __init__(self, db: Db) -> None:
        self._db = db
        self._deriving = Deriving(db)

    def _derive(self) -> ChangeSet:
        return self._deriving.follow()

    def _write_over(
        self,
        entity_id: int,
        *,
        new_name: str | None = None,
        type_: str | None = None,
        description: str | None = None,
    ) -> str:
        """Write over an entity, the newest word alone standing; return the key it is kept by."""
        key, *others = keys.all_keys(self._db, entity_id)
        given = {"new_name": new_name, "type": type_, "description": description}
        for other in others:
            for field, value in given.items():
                if value is not None:
                    curation.forget_edit(self._db, other, field)
        curation.write_over(self._db, key, new_name=new_name, type_=type_, description=description)
        return key

    def _know(self, key: str, alias: str) -> None:
        if alias in keys.fetch_keys_of_group(self._db, key):
            return
        evidence.NameIds(self._db, normalise_name)(alias)
        curation.add_alias(self._db, key, alias)

    def _refuse_taken(self, name: str, entity_id: int | None, *, also_itself: bool = False) -> None:
        """Raise where another entity has this very name: that would merge them unasked."""
        other = keys.find_by_name(self._db, name)
        if other is not None and (also_itself or other != entity_id):
            raise UserError(
                f"“{name}” is in the graph already.",
                "Choose another name" + (", or merge the two." if not also_itself else "."),
            )

    def _get_all(self, entity_ids: int | Sequence[int]) -> list[EntityRow]:
        ids = [entity_ids] if isinstance(entity_ids, int) else list(dict.fromkeys(entity_ids))
        if not ids:
            raise UserError("No name is chosen.", "Choose one first.")
        return [self._get(i) for i in ids]

    def _get(self, entity_id: int) -> EntityRow:
        entity = graph.find_entity(self._db, entity_id)
        if entity is None:
            raise UserError("This name is no longer in the graph.", "Search for it again.")
        return entity

    def _get_relation(self, relation_id: int) -> RelationRow:
        relation = graph.find_relation(self._db, relation_id)
        if relation is None:
            raise UserError("This relation is no longer in the graph.", "Look at the names again.")
        return relation


def tidy(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise UserError("A name can't be empty.", "Type one, or press Escape to keep it.")
    if len(name) > MAX_NAME:
        raise UserError(f"This name is longer than {MAX_NAME} characters.", "Give a shorter one.")
    return name


def name_all(entities: Sequence[EntityRow]) -> str:
    if len(entities) == 1:
        return f"“{entities[0].name}”"
    if len(entities) == 2:
        return said(f"“{entities[0].name}” and “{entities[1].name}”")
    return said(f"{len(entities)} names")


def with_article(type_: str) -> str:
    return _WITH_ARTICLE.get(type_, type_)


def check_type(type_: str) -> None:
    if type_ not in ENTITY_TYPES:
        raise UserError(f"“{type_}” is no type.", f"Choose one of: {', '.join(ENTITY_TYPES)}.")
