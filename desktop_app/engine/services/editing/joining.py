"""Several entities made one, kept apart, or one split into namesakes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ...changes import ChangeSet
from ...errors import UserError
from ...graph.names import normalise_name
from ...store import curation, graph
from ..senses import next_sense
from . import keys
from .base import EditingBase, check_type, name_all, tidy


class JoiningVerbs(EditingBase):
    """Who is one and who is not."""

    def merge(
        self,
        keep_id: int,
        dropped_ids: Sequence[int],
        *,
        name: str = "",
        type_: str = "",
        description: str | None = None,
    ) -> ChangeSet:
        """Make several entities one.

        Args:
            name, type_, description: of the one they become; those of the first if not given.
        """
        keep = self._get(keep_id)
        dropped = [self._get(i) for i in dict.fromkeys(dropped_ids) if i != keep_id]
        if not dropped:
            raise UserError("Merging takes two names or more.", "Choose another one as well.")
        if type_:
            check_type(type_)
        new_name = tidy(name) if name.strip() else keep.name
        with self._db.edit(f"Merge {len(dropped) + 1} names into “{new_name}”"):
            self._join(keep_id, [e.id for e in dropped], new_name, type_, description)
        return self._derive()

    def merge_many(self, groups: Sequence[tuple[int, Sequence[int], str]]) -> ChangeSet:
        """Make several groups of entities one each, as one edit.

        Args:
            groups: (the one that stays, the others, the name or "" for the first one's).
        """
        found = [
            (self._get(keep), [self._get(i) for i in dict.fromkeys(others) if i != keep], name)
            for keep, others, name in groups
        ]
        ids = [e.id for keep, others, _ in found for e in (keep, *others)]
        if not found or not all(others for _, others, _ in found) or len(ids) > len(set(ids)):
            raise UserError("These can't be merged at once.", "Merge them one after the other.")
        with self._db.edit(f"Merge {len(ids)} names into {len(found)}"):
            for keep, others, name in found:
                new_name = tidy(name) if name.strip() else keep.name
                self._join(keep.id, [e.id for e in others], new_name)
        return self._derive()

    def _join(
        self,
        keep_id: int,
        dropped_ids: Sequence[int],
        new_name: str,
        type_: str = "",
        description: str | None = None,
    ) -> None:
        key = keys.own_key(self._db, keep_id)
        for entity_id in dropped_ids:
            for other in keys.all_keys(self._db, entity_id):
                for mine in keys.all_keys(self._db, keep_id):
                    curation.remove_never_merged(self._db, mine, other)
                curation.forget_edit(self._db, other)
            curation.add_merged(self._db, key, keys.own_key(self._db, entity_id))
        self._write_over(keep_id, new_name=new_name, type_=type_ or None, description=description)
        self._know(key, new_name)

    def never_merge(self, entity_ids: Sequence[int]) -> ChangeSet:
        """Keep entities apart, each from each, whatever would join them."""
        entities = self._get_all(entity_ids)
        if len(entities) < 2:
            raise UserError("Keeping apart takes two names or more.", "Choose another as well.")
        with self._db.edit(f"Keep {name_all(entities)} apart"):
            own = [keys.all_keys(self._db, e.id) for e in entities]
            for i, one in enumerate(own):
                for other in own[i + 1 :]:
                    for a in one:
                        for b in other:
                            curation.add_never_merged(self._db, a, b)
        return self._derive()

    def split(
        self, entity_id: int, mention_ids: Sequence[int], new_name: str, type_: str = ""
    ) -> ChangeSet:
        """Make some mentions of an entity another one of the same name.

        Later mentions follow by their document and by the names around them.

        Raises:
            UserError: no mention is chosen, or all are.
        """
        entity, new_name = self._get(entity_id), tidy(new_name)
        chosen, rest = keys.part_places(self._db, entity_id, mention_ids)
        if not chosen:
            raise UserError("Nothing is chosen to split off.", "Tick the mentions that differ.")
        if not rest:
            raise UserError(
                "Every mention is chosen, so nothing would remain.", "Rename the entity instead."
            )
        self._refuse_taken(new_name, entity_id, also_itself=True)
        with self._db.edit(f"Split “{new_name}” off “{entity.name}”"):
            new_keys = []
            for name in sorted({name for name, _ in chosen}):
                sense = next_sense(self._db, name)
                for (text, old), places in rest.items():
                    if text == name:  # so that nothing moves that was not chosen
                        curation.choose_sense(self._db, name, old, places)
                for (text, _), places in chosen.items():
                    if text == name:
                        curation.choose_sense(self._db, name, sense, places)
                new_keys.append(keys.make_sense(self._db, name, sense, normalise_name(name)))
            for key in new_keys[1:]:
                curation.add_merged(self._db, new_keys[0], key)
            curation.write_over(
                self._db, new_keys[0], new_name=new_name, type_=type_ or entity.type
            )
        return self._derive()

    def tell_which(self, mention_ids: Sequence[int], entity_id: int) -> ChangeSet:
        """Say which of several namesakes these mentions mean, so that nobody asks again.

        Raises:
            UserError: the entity has no name that stands there.
        """
        entity = self._get(entity_id)
        senses = {name: sense for name, sense, _ in graph.fetch_names_of(self._db, entity_id)}
        places: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for name, document, start in keys.fetch_places(self._db, mention_ids):
            places[name].append((document, start))
        if not places or not places.keys() <= senses.keys():
            raise UserError(f"“{entity.name}” has no such name.", "Look at the list again.")
        n = len(set(mention_ids))
        name = entity.name
        with self._db.edit(
            f"Say that “{name}” is meant in {n} places"
            if n > 1
            else f"Say that “{name}” is meant in one place"
        ):
            for name, there in places.items():
                curation.choose_sense(self._db, name, senses[name], there)
        return self._derive()
