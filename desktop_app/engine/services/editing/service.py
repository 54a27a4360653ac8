"""Edits of entities and relations by the user.

Each edit is written to the curation tables inside `Db.edit`, which makes it undoable, and then
the graph is updated from evidence and curation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations

from ...changes import ChangeNotice
from ...errors import NameTaken, UserError
from ...graph.names import normalise_name, sense_key, split_sense
from ...messages import Message
from ...model import (
    ENTITY_TYPES,
    EVENT_KINDS,
    EVENT_ROLES,
    MAX_NAME,
    PLACE,
    EntityId,
    EntityRow,
    EventPart,
    EventRow,
    RelationRow,
    UserEvent,
)
from ...store import curation, events, evidence, graph, history
from ...store.db import Db
from ..graph_update import update_graph
from ..mention_senses import number_new_sense

_TYPE_WORDS = {
    "person": Message("person"),
    "place": Message("place"),
    "organisation": Message("organisation"),
    "event": Message("event"),
    "object": Message("object"),
    "concept": Message("concept"),
    "other": Message("other"),
}


class EditingService:
    """Changes entities and relations; every method is one undoable edit.

    Args:
        db: the read-write connection.
    """

    def __init__(self, db: Db) -> None:
        self._db = db

    @contextmanager
    def _edit(self, label: Message) -> Iterator[None]:
        """Open an edit; until the graph was updated, the library records that it is older."""
        with self._db.edit(label):
            yield
            graph.mark_curation_newer(self._db)

    # --- entities ---------------------------------------------------------------------------------

    def rename(self, entity_id: int, new_name: str) -> ChangeNotice:
        """Rename an entity; the old name stays as an alias."""
        new_name = _tidy_name(new_name)
        entity = self._get(entity_id)
        if new_name == entity.name:
            return ChangeNotice()
        self._check_name_is_free(new_name, entity_id)
        with self._edit(
            Message("Rename “{name}” to “{new_name}”", name=entity.name, new_name=new_name)
        ):
            key = self._write_fields(entity_id, new_name=new_name)
            self._add_name(key, new_name)
        return update_graph(self._db)

    def retype(self, entity_ids: int | Sequence[int], type_: str) -> ChangeNotice:
        """Change the type of one entity or several."""
        _check_type(type_)
        entities = self._get_all(entity_ids)
        names, kind = [e.name for e in entities], _TYPE_WORDS[type_]
        if len(names) == 2:
            label = Message(
                "Change the type of “{name}” and “{other}” to {kind}",
                name=names[0],
                other=names[1],
                kind=kind,
            )
        else:
            label = Message(
                "Change the type of “{name}” to {kind}"
                if len(names) == 1
                else "Change the type of {n} names to {kind}",
                name=names[0],
                kind=kind,
                n=len(names),
            )
        with self._edit(label):
            for entity in entities:
                self._write_fields(entity.id, type_=type_)
        return update_graph(self._db)

    def describe(self, entity_id: int, description: str | None) -> ChangeNotice:
        """Set an entity's description; None restores the description from the text."""
        entity = self._get(entity_id)
        name = entity.name
        with self._edit(
            Message(
                "Restore the description of “{name}” from the text"
                if description is None
                else "Describe “{name}”",
                name=name,
            )
        ):
            if description is None:
                for key in self._keys_of(entity_id):
                    curation.delete_entity_edit(self._db, key, "description")
            else:
                self._write_fields(entity_id, description=description.strip())
        return update_graph(self._db)

    def change_fields(
        self,
        entity_id: int,
        *,
        new_name: str | None = None,
        type_: str | None = None,
        description: str | None = None,
    ) -> ChangeNotice:
        """Change several fields of an entity as one edit; None leaves a field unchanged."""
        entity = self._get(entity_id)
        new_name = None if new_name is None else _tidy_name(new_name)
        if new_name == entity.name:
            new_name = None
        if new_name is not None:
            self._check_name_is_free(new_name, entity_id)
        if type_ is not None:
            _check_type(type_)
        given = {
            "new_name": new_name,
            "type_": None if type_ == entity.type else type_,
            "description": None if description is None else description.strip(),
        }
        wanted = {field: value for field, value in given.items() if value is not None}
        if not wanted:
            return ChangeNotice()
        if len(wanted) == 1:
            [(field, value)] = wanted.items()
            own = {"new_name": self.rename, "type_": self.retype, "description": self.describe}
            return own[field](entity_id, value)
        with self._edit(Message("Change “{name}”", name=entity.name)):
            key = self._write_fields(entity_id, **wanted)
            if new_name is not None:
                self._add_name(key, new_name)
        return update_graph(self._db)

    def add_alias(self, entity_id: int, alias: str) -> ChangeNotice:
        """Add a name to an entity; mentions of this name in later documents count as well."""
        alias = _tidy_name(alias)
        entity = self._get(entity_id)
        self._check_name_is_free(alias, entity_id)
        with self._edit(Message("Add alias “{alias}” to “{name}”", name=entity.name, alias=alias)):
            self._add_name(self._main_key(entity_id), alias)
        return update_graph(self._db)

    def remove_alias(self, entity_id: int, alias: str) -> ChangeNotice:
        """Separate a name from an entity and prevent that it is merged again.

        Raises:
            UserError: the entity has no such name, or no other one.
        """
        entity = self._get(entity_id)
        all_keys = self._keys_of(entity_id)
        if alias not in all_keys:
            raise UserError(
                "“{alias}” is not an alias of “{name}”.",
                "See its list of names.",
                name=entity.name,
                alias=alias,
            )
        others = [key for key in all_keys if key != alias]
        if not others:
            raise UserError(
                "“{alias}” is the only name of “{name}”.",
                "Rename or delete it instead.",
                alias=alias,
                name=entity.name,
            )
        with self._edit(
            Message(
                "Remove alias “{alias}” from “{name}”",
                alias=split_sense(alias)[0],
                name=entity.name,
            )
        ):
            for key in others:
                curation.remove_alias(self._db, key, alias)
                curation.remove_alias(self._db, alias, key)
                curation.add_never_merged(self._db, key, alias)
        return update_graph(self._db)

    def create(self, name: str, type_: str = "other", description: str = "") -> ChangeNotice:
        """Create an entity that need not occur in any document."""
        name = _tidy_name(name)
        _check_type(type_)
        self._check_name_is_free(name, None)
        with self._edit(Message("Add “{name}”", name=name)):
            evidence.NameIds(self._db, normalise_name)(name)
            curation.remove_deleted_name(self._db, name)
            curation.add_user_entity(self._db, name)
            curation.write_entity_edit(
                self._db, name, type_=type_, description=description.strip() or None
            )
        return update_graph(self._db)

    def delete(self, entity_ids: int | Sequence[int], *, forever: bool = True) -> ChangeNotice:
        """Delete entities from the graph.

        Args:
            forever: also ignore the names in later documents; otherwise only in the present ones.
        """
        entities = self._get_all(entity_ids)
        with self._edit(Message("Delete {names}", names=_quote_names(entities))):
            for entity in entities:
                within = () if forever else graph.fetch_document_hashes(self._db, entity.id)
                all_keys = self._keys_of(entity.id)
                for key in all_keys:
                    curation.remove_user_entity(self._db, key)
                if forever or within:
                    for key in all_keys:
                        curation.add_deleted_name(self._db, key, within)
        return update_graph(self._db)

    def keep_name(self, name: str) -> ChangeNotice:
        """Keep a name in the graph although models rejected it."""
        with self._edit(Message("Restore the name “{name}”", name=name)):
            curation.write_entity_edit(self._db, name)
        return update_graph(self._db)

    # --- merging and splitting --------------------------------------------------------------------

    def merge(
        self,
        keep_id: int,
        dropped_ids: Sequence[int],
        *,
        name: str = "",
        type_: str = "",
        description: str | None = None,
    ) -> ChangeNotice:
        """Merge several entities into one.

        Args:
            name, type_, description: of the merged entity; default: those of the kept one.
        """
        keep = self._get(keep_id)
        dropped = [self._get(i) for i in dict.fromkeys(dropped_ids) if i != keep_id]
        if not dropped:
            raise UserError("Merging needs at least two names.", "Select another name as well.")
        if type_:
            _check_type(type_)
        new_name = _tidy_name(name) if name.strip() else keep.name
        if not type_ and any(entity.type != keep.type for entity in dropped):
            # the mentions of the others must not change what the kept one is
            type_ = keep.type if keep.type != "other" else ""
        with self._edit(
            Message("Merge {n} names into “{new_name}”", n=len(dropped) + 1, new_name=new_name)
        ):
            self._merge_into(keep_id, [e.id for e in dropped], new_name, type_, description)
        return update_graph(self._db)

    def merge_many(self, groups: Sequence[tuple[int, Sequence[int], str]]) -> ChangeNotice:
        """Merge several groups of entities, each into one entity, as one edit.

        Args:
            groups: (entity to keep, the others, new name or "" for the kept one's name).
        """
        found = [
            (self._get(keep), [self._get(i) for i in dict.fromkeys(others) if i != keep], name)
            for keep, others, name in groups
        ]
        ids = [e.id for keep, others, _ in found for e in (keep, *others)]
        if not found or not all(others for _, others, _ in found) or len(ids) > len(set(ids)):
            raise UserError(
                "These names can't be merged in one step.", "Merge them one after the other."
            )
        with self._edit(Message("Merge {n} names into {n_left}", n=len(ids), n_left=len(found))):
            for keep, others, name in found:
                new_name = _tidy_name(name) if name.strip() else keep.name
                self._merge_into(keep.id, [e.id for e in others], new_name)
        return update_graph(self._db)

    def _merge_into(
        self,
        keep_id: int,
        dropped_ids: Sequence[int],
        new_name: str,
        type_: str = "",
        description: str | None = None,
    ) -> None:
        # Every name is joined, not only one of each: the rules that joined the others would see
        # more names to choose from now, and some would no longer belong to an entity.
        key, *own = self._keys_of(keep_id)
        joined = list(own)
        keys_of = [self._keys_of(entity_id) for entity_id in dropped_ids]
        if description is None:  # what the user wrote about one of them is not lost
            names = [key, *own, *(name for keys in keys_of for name in keys)]
            texts = dict.fromkeys(curation.fetch_own_descriptions(self._db, names))
            description = "\n\n".join(texts) or None
        for others in keys_of:
            for other in others:
                for mine in (key, *own):
                    curation.remove_never_merged(self._db, mine, other)
                curation.delete_entity_edit(self._db, other)
            joined += others
        for name in joined:
            curation.add_merged(self._db, key, name)
        self._write_fields(keep_id, new_name=new_name, type_=type_ or None, description=description)
        self._add_name(key, new_name)

    def never_merge(self, entity_ids: Sequence[int]) -> ChangeNotice:
        """Keep entities apart: no two of them are merged automatically."""
        entities = self._get_all(entity_ids)
        if len(entities) < 2:
            raise UserError("This needs at least two names.", "Select another name as well.")
        with self._edit(Message("Never merge {names}", names=_quote_names(entities))):
            self._keep_apart(entities)
        return update_graph(self._db, ChangeNotice(entities=frozenset(e.id for e in entities)))

    def never_merge_many(self, groups: Sequence[Sequence[int]]) -> ChangeNotice:
        """Keep the entities of each group apart from each other, as one edit.

        Args:
            groups: entities; one of them may be in several groups.
        """
        found = [self._get_all(group) for group in groups]
        if not found or min(map(len, found)) < 2:
            raise UserError("This needs at least two names.", "Select another name as well.")
        with self._edit(Message("Never merge the names of {n} suggestions", n=len(found))):
            for entities in found:
                self._keep_apart(entities)
        ids = frozenset(e.id for entities in found for e in entities)
        return update_graph(self._db, ChangeNotice(entities=ids))

    def _keep_apart(self, entities: Sequence[EntityRow]) -> None:
        own = [self._keys_of(e.id) for e in entities]
        for one, other in combinations(own, 2):
            for a in one:
                for b in other:
                    curation.add_never_merged(self._db, a, b)

    def split(
        self, entity_id: int, mention_ids: Sequence[int], new_name: str, type_: str = ""
    ) -> ChangeNotice:
        """Move some mentions of an entity to a new entity with the same name.

        Later mentions are assigned by their document and by the names around them.

        Raises:
            UserError: no mention is chosen, or all are.
        """
        entity, new_name = self._get(entity_id), _tidy_name(new_name)
        chosen, rest = _divide_places(self._db, entity_id, mention_ids)
        if not chosen:
            raise UserError("No mention is selected.", "Select the mentions to split off.")
        if not rest:
            raise UserError(
                "All mentions are selected, so none would remain.", "Rename it instead."
            )
        self._check_name_is_free(new_name, entity_id, also_itself=True)
        with self._edit(
            Message("Split “{new_name}” from “{name}”", new_name=new_name, name=entity.name)
        ):
            new_keys = []
            for name in sorted({name for name, _ in chosen}):
                sense = number_new_sense(self._db, name)
                for (text, old), places in rest.items():
                    if text == name:  # keeps the mentions that were not chosen where they are
                        curation.choose_sense(self._db, name, old, places)
                for (text, _), places in chosen.items():
                    if text == name:
                        curation.choose_sense(self._db, name, sense, places)
                curation.ensure_senses(self._db, name, normalise_name(name), [sense])
                new_keys.append(sense_key(name, sense))
            for key in new_keys[1:]:
                curation.add_merged(self._db, new_keys[0], key)
            curation.write_entity_edit(
                self._db, new_keys[0], new_name=new_name, type_=type_ or entity.type
            )
        return update_graph(self._db)

    def assign_mentions(self, mention_ids: Sequence[int], entity_id: int) -> ChangeNotice:
        """Assign ambiguous mentions to the entity that they mean.

        Raises:
            UserError: a mention's name is not a name of the entity.
        """
        entity = self._get(entity_id)
        senses = {name: sense for name, sense, _ in graph.fetch_names_of(self._db, entity_id)}
        places: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for mention_id in set(mention_ids):
            if (place := graph.find_mention_place(self._db, mention_id)) is not None:
                places[place[0]].append(place[1:])
        if not places or not places.keys() <= senses.keys():
            raise UserError(
                "This is not an alias of “{name}”.", "Look at the list again.", name=entity.name
            )
        n = len(set(mention_ids))
        name = entity.name
        with self._edit(
            Message(
                "Assign {n} mentions to “{name}”" if n > 1 else "Assign one mention to “{name}”",
                name=name,
                n=n,
            )
        ):
            for name, there in places.items():
                curation.choose_sense(self._db, name, senses[name], there)
        return update_graph(self._db)

    # --- relations --------------------------------------------------------------------------------

    def relate(
        self,
        source_id: int,
        target_id: int,
        *,
        description: str = "",
        kind: str = "",
        keywords: Sequence[str] = (),
        weight: float = 1.0,
        direction: int | None = None,
    ) -> ChangeNotice:
        """Create a relation between two entities, or replace the one from the text.

        Args:
            direction: see `model.FORWARD`; None keeps the one of the documents.
        """
        source, target = self._get(source_id), self._get(target_id)
        if source_id == target_id:
            raise UserError("A connection needs two different names.", "Choose another one.")
        with self._edit(
            Message("Connect “{source}” and “{target}”", source=source.name, target=target.name)
        ):
            self._relate(
                source_id, target_id, description.strip(), kind, keywords, weight,
                direction=direction,
            )  # fmt: skip
        return update_graph(self._db)

    def edit_relation(
        self,
        relation_id: int,
        *,
        description: str | None = None,
        kind: str | None = None,
        keywords: Sequence[str] | None = None,
        weight: float | None = None,
        direction: int | None = None,
    ) -> ChangeNotice:
        """Change fields of a relation; None leaves a field unchanged.

        Args:
            direction: from the relation's `source` to its `target`, see `model.FORWARD`.
        """
        relation = self._get_relation(relation_id)
        with self._edit(
            Message(
                "Edit the connection “{source}” – “{target}”",
                source=relation.source,
                target=relation.target,
            )
        ):
            self._relate(
                relation.source_id,
                relation.target_id,
                relation.description if description is None else description.strip(),
                relation.kind if kind is None else kind,
                relation.keywords if keywords is None else keywords,
                relation.weight if weight is None else weight,
                # Undirected stays undecided, so that later documents can state a direction.
                direction=relation.direction or None if direction is None else direction,
            )
        return update_graph(self._db)

    def delete_relations(self, relation_ids: Sequence[int]) -> ChangeNotice:
        """Delete relations; later documents do not bring them back."""
        relations = [self._get_relation(i) for i in dict.fromkeys(relation_ids)]
        if not relations:
            return ChangeNotice()
        first, n = relations[0], len(relations)
        with self._edit(
            Message(
                "Delete the connection “{source}” – “{target}”"
                if n == 1
                else "Delete {n} connections",
                source=first.source,
                target=first.target,
                n=n,
            )
        ):
            for r in relations:
                self._relate(r.source_id, r.target_id, "", "", (), 0.0, deleted=True)
        return update_graph(self._db)

    def _relate(
        self,
        source_id: int,
        target_id: int,
        description: str,
        kind: str,
        keywords: Sequence[str],
        weight: float,
        *,
        direction: int | None = None,
        deleted: bool = False,
    ) -> None:
        curation.write_user_relation(
            self._db,
            self._main_key(source_id),
            self._main_key(target_id),
            description=description,
            kind=kind,
            keywords=keywords,
            weight=weight,
            deleted=deleted,
            direction=direction,
        )

    # --- events -----------------------------------------------------------------------------------

    def add_event(
        self,
        document_id: int,
        start: int,
        end: int,
        kind: str,
        *,
        word: tuple[int, int] | None = None,
        actors: Sequence[int] = (),
        patients: Sequence[int] = (),
        places: Sequence[int] = (),
    ) -> ChangeNotice:
        """Add an event that a sentence states; it stays when its document is read again.

        Args:
            start, end: of the sentence in the document.
            word: start and end of the words in it that state the event; None for all of it.
            actors, patients, places: entities.

        Raises:
            UserError: the sentence is not in the document, or nobody takes part.
        """
        sha256, sentence = events.fetch_sentence(self._db, document_id, start, end)
        word_start, word_end = word or (start, end)
        if not sentence.strip() or not start <= word_start < word_end <= end:
            raise UserError("This sentence is no longer in the document.", "Select it again.")
        _check_event_kind(kind)
        found, by_role = self._read_people(sentence, actors, patients, places)
        made = UserEvent(
            sha256, kind, sentence, word_start - start, start, by_role, word_end - word_start
        )
        with self._db.edit(Message("Add an event of {names}", names=_join_names(found))):
            curation.add_event(self._db, made)
        return ChangeNotice(entities=frozenset(entity.id for entity in found))

    def change_event(
        self,
        event_id: int,
        *,
        kind: str | None = None,
        actors: Sequence[int] | None = None,
        patients: Sequence[int] | None = None,
        places: Sequence[int] | None = None,
    ) -> ChangeNotice:
        """Correct what an event is and who takes part; None leaves a field unchanged.

        The correction holds when the document is read again.

        Raises:
            UserError: the event is no longer there, or nobody would take part.
        """
        event = self._get_event(event_id)
        roles = [
            event.list_ids(role) if given is None else tuple(dict.fromkeys(given))
            for role, given in zip(EVENT_ROLES, (actors, patients, places), strict=True)
        ]
        new_kind = event.kind if kind is None else kind
        if new_kind == event.kind and roles == [event.list_ids(role) for role in EVENT_ROLES]:
            return ChangeNotice()
        _check_event_kind(new_kind)
        found, by_role = self._read_people(event.sentence, *roles)
        document, _, sentence, place = events.build_event_key(self._db, event)
        length = event.word_end - event.word_start
        made = UserEvent(document, new_kind, sentence, place, event.start, by_role, length)
        with self._db.edit(Message("Change an event of {names}", names=_join_names(found))):
            self._remove_event(event)
            curation.add_event(self._db, made)
        before = frozenset(part.entity_id for part in event.parts)
        return ChangeNotice(entities=before | {entity.id for entity in found})

    def remove_event(self, event_id: int) -> ChangeNotice:
        """Remove an event that is wrong; it stays removed when its document is read again."""
        event = self._get_event(event_id)
        with self._db.edit(Message("Remove an event of {names}", names=_join_names(event.parts))):
            self._remove_event(event)
        return ChangeNotice(entities=frozenset(part.entity_id for part in event.parts))

    def _get_event(self, event_id: int) -> EventRow:
        event = events.find_event(self._db, event_id)
        if event is None:
            raise UserError("This event is no longer in the library.", "Look at the name again.")
        return event

    def _remove_event(self, event: EventRow) -> None:
        stored = events.find_user_event(self._db, event.id)
        if stored is not None:
            curation.delete_event(self._db, stored)
        else:
            curation.remove_event(self._db, *events.build_event_key(self._db, event))

    def _read_people(
        self, sentence: str, *roles: Sequence[int]
    ) -> tuple[list[EntityRow], tuple[tuple[str, ...], ...]]:
        """Return who takes part in an event, and for each role the keys of their names."""
        if not any(roles[: EVENT_ROLES.index(PLACE)]):
            raise UserError("Nobody takes part in this event.", "Choose who does it, or to whom.")
        rows = self._get_all([i for ids in roles for i in ids])
        keys = {row.id: self._choose_key(row.id, sentence) for row in rows}
        by_role = tuple(tuple(dict.fromkeys(keys[EntityId(i)] for i in ids)) for ids in roles)
        return rows, by_role

    def _choose_key(self, entity_id: int, sentence: str) -> str:
        """Return the key of the name that an entity has in a sentence, else of its main name."""
        keys, words = self._keys_of(entity_id), " ".join(sentence.split())
        written = [key for key in keys if split_sense(key)[0] in words]
        return max(written, key=lambda key: len(split_sense(key)[0]), default=keys[0])

    # --- undo -------------------------------------------------------------------------------------

    def find_newest_step(self) -> int:
        """Return the id of the last edit in effect, 0 if there is none."""
        return history.find_newest_edit(self._db)

    def undo(self, step: int = 0) -> tuple[Message | None, ChangeNotice]:
        """Undo the last edit and return its label; None if there was none.

        Args:
            step: the edit that is to be undone; 0: whichever is the last one.

        Raises:
            UserError: it can't be undone (see `store.history.undo`), or is not the last one.
        """
        if step and step != self.find_newest_step():
            raise UserError(
                "Something else was changed later.",
                "Ctrl+Z undoes the last change; the history (Ctrl+H) lists all.",
            )
        label, change = history.undo(self._db)
        return label, update_graph(self._db, change) if label else change

    def find_foreign_step(self, *, is_undo: bool) -> tuple[int, Message] | None:
        """Return id and label of the edit that undo or redo takes, if another process made it.

        None if this process made it, or it was made before the library was opened here.
        """
        return history.find_foreign_step(self._db, is_undo=is_undo)

    def is_own_step(self, created_at: float) -> bool:
        """Return whether this process made the step of the history with this time.

        Those from before the library was opened here count as its own if nothing else had it open.
        """
        return created_at in self._db.own_edits

    def redo(self, step: int = 0) -> tuple[Message | None, ChangeNotice]:
        """Redo the edit that was undone last, as `undo`."""
        if step and step != history.find_undone_edit(self._db):
            raise UserError(
                "Something else was changed later.",
                "Ctrl+Z undoes the last change; the history (Ctrl+H) lists all.",
            )
        label, change = history.redo(self._db)
        return label, update_graph(self._db, change) if label else change

    def go_to(self, history_id: int) -> ChangeNotice:
        """Undo or redo until this edit is the last one in effect; 0 undoes all.

        Stops at the first step that fails; the steps before it remain done.
        """
        try:
            change = history.go_to(self._db, history_id)
        except UserError:
            update_graph(self._db)
            raise
        return update_graph(self._db, change)

    # --- shared -----------------------------------------------------------------------------------

    def _keys_of(self, entity_id: int) -> list[str]:
        return fetch_curation_keys(self._db, entity_id)

    def _main_key(self, entity_id: int) -> str:
        return fetch_curation_keys(self._db, entity_id)[0]

    def _write_fields(
        self,
        entity_id: int,
        *,
        new_name: str | None = None,
        type_: str | None = None,
        description: str | None = None,
    ) -> str:
        """Write fields of an entity, replacing older edits; return the curation key."""
        key, *others = self._keys_of(entity_id)
        given = {"new_name": new_name, "type": type_, "description": description}
        for other in others:
            for field, value in given.items():
                if value is not None:
                    curation.delete_entity_edit(self._db, other, field)
        curation.write_entity_edit(
            self._db, key, new_name=new_name, type_=type_, description=description
        )
        return key

    def _add_name(self, key: str, alias: str) -> None:
        entity_id = graph.find_entity_of_name(self._db, *split_sense(key))
        if alias == key or (entity_id is not None and alias in self._keys_of(entity_id)):
            return
        evidence.NameIds(self._db, normalise_name)(alias)
        curation.add_alias(self._db, key, alias)

    def _check_name_is_free(
        self, name: str, entity_id: int | None, *, also_itself: bool = False
    ) -> None:
        """Raise if another entity has this name, because the two would be merged."""
        other = graph.find_entity_by_name(self._db, name, normalise_name(name))
        if other is not None and (also_itself or other != entity_id):
            raise NameTaken(
                "“{name}” is already in the graph.",
                "Choose another name." if also_itself else "Choose another name, or merge the two.",
                entity_id=other,
                name=name,
            )

    def _get_all(self, entity_ids: int | Sequence[int]) -> list[EntityRow]:
        ids = [entity_ids] if isinstance(entity_ids, int) else list(dict.fromkeys(entity_ids))
        if not ids:
            raise UserError("No name is selected.", "Select one first.")
        return [self._get(i) for i in ids]

    def _get(self, entity_id: int) -> EntityRow:
        entity = graph.find_entity(self._db, entity_id)
        if entity is None:
            raise UserError("This name is no longer in the graph.", "Search for it again.")
        return entity

    def _get_relation(self, relation_id: int) -> RelationRow:
        relation = graph.find_relation(self._db, relation_id)
        if relation is None:
            raise UserError(
                "This connection is no longer in the graph.", "Look at the names again."
            )
        return relation


def fetch_curation_keys(db: Db, entity_id: int) -> list[str]:
    """Return the curation keys of all names of an entity, most frequent first.

    A key is a name, plus the number of its sense where the name was split. The edits of an entity
    are stored under the first one.
    """
    return [sense_key(name, sense) for name, sense, _ in graph.fetch_names_of(db, entity_id)]


Places = dict[tuple[str, int], list[tuple[str, int]]]
"""(name as written, sense) -> where it stands: (document sha256, start)."""


def _divide_places(db: Db, entity_id: int, mention_ids: Sequence[int]) -> tuple[Places, Places]:
    """Return the places of the chosen mentions of an entity, and those of its other mentions."""
    rows = graph.fetch_mention_places(db, entity_id)
    wanted = set(mention_ids)
    # Two extractors can give the same place a mention each; both mean the same entity.
    taken = {(document, start) for i, _, _, document, start in rows if i in wanted}
    chosen: Places = defaultdict(list)
    rest: Places = defaultdict(list)
    for _, name, sense, document, start in rows:
        part = chosen if (document, start) in taken else rest
        part[name, sense].append((document, start))
    return chosen, rest


def _tidy_name(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise UserError("A name can't be empty.", "Type one, or press Escape to keep it.")
    if len(name) > MAX_NAME:
        raise UserError(
            "This name is longer than {most} characters.", "Use a shorter name.", most=MAX_NAME
        )
    return name


def _quote_names(entities: Sequence[EntityRow]) -> Message:
    if len(entities) == 1:
        return Message("“{name}”", name=entities[0].name)
    if len(entities) == 2:
        return Message("“{name}” and “{other}”", name=entities[0].name, other=entities[1].name)
    return Message("{n} names", n=len(entities))


def _join_names(people: Sequence[EntityRow | EventPart]) -> str:
    return ", ".join(dict.fromkeys(one.name for one in people))


def _check_event_kind(kind: str) -> None:
    if kind not in EVENT_KINDS:
        raise UserError(
            "“{kind}” is not a kind of event.",
            "Choose one of: {event_kinds}.",
            kind=kind,
            event_kinds=", ".join(EVENT_KINDS),
        )


def _check_type(type_: str) -> None:
    if type_ not in ENTITY_TYPES:
        raise UserError(
            "“{type}” is not a type.",
            "Choose one of: {entity_types}.",
            type=type_,
            entity_types=", ".join(ENTITY_TYPES),
        )
