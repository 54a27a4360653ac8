"""Corrections of relations: made, written over, taken out."""

from __future__ import annotations

from collections.abc import Sequence

from ...changes import ChangeSet
from ...errors import UserError
from ...store import curation
from . import keys
from .base import EditingBase


class RelationVerbs(EditingBase):
    """How entities hang together, by hand."""

    def relate(
        self,
        source_id: int,
        target_id: int,
        *,
        description: str = "",
        kind: str = "",
        keywords: Sequence[str] = (),
        weight: float = 1.0,
    ) -> ChangeSet:
        """Say how two entities hang together, in the place of what the text gives."""
        source, target = self._get(source_id), self._get(target_id)
        if source_id == target_id:
            raise UserError("A relation ties two names.", "Choose another one.")
        with self._db.edit(f"Relate “{source.name}” and “{target.name}”"):
            self._relate(
                source_id, target_id, description.strip(), kind, keywords, weight, deleted=False
            )
        return self._derive()

    def edit_relation(
        self, relation_id: int, *, description: str | None = None, kind: str | None = None
    ) -> ChangeSet:
        """Write over what a relation says; None leaves a field."""
        relation = self._get_relation(relation_id)
        with self._db.edit(f"Edit “{relation.source}” – “{relation.target}”"):
            self._relate(
                relation.source_id,
                relation.target_id,
                relation.description if description is None else description.strip(),
                relation.kind if kind is None else kind,
                relation.keywords,
                relation.weight,
                deleted=False,
            )
        return self._derive()

    def delete_relations(self, relation_ids: Sequence[int]) -> ChangeSet:
        """Take relations out, also where later text would tie the names again."""
        relations = [self._get_relation(i) for i in dict.fromkeys(relation_ids)]
        if not relations:
            return ChangeSet()
        first, n = relations[0], len(relations)
        with self._db.edit(
            f"Delete “{first.source}” – “{first.target}”" if n == 1 else f"Delete {n} relations"
        ):
            for r in relations:
                self._relate(r.source_id, r.target_id, "", "", (), 0.0, deleted=True)
        return self._derive()

    def _relate(
        self,
        source_id: int,
        target_id: int,
        description: str,
        kind: str,
        keywords: Sequence[str],
        weight: float,
        *,
        deleted: bool,
    ) -> None:
        curation.write_hand_relation(
            self._db,
            keys.own_key(self._db, source_id),
            keys.own_key(self._db, target_id),
            description=description,
            kind=kind,
            keywords=keywords,
            weight=weight,
            deleted=deleted,
        )
