"""Reads the graph for the graph explorer: neighbourhoods, paths, documents of entities.

`GraphViewReader` only reads and may be called in any reader lane; `GraphViews` stores named
views and writes. Neither knows a window.
"""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..changes import NOTHING, ChangeNotice
from ..communities.numbering import number_communities
from ..errors import UserError
from ..graph.paths import PathGraph
from ..graph.view.view import EntityDocuments, Groups
from ..messages import Message
from ..model import EntityRow, MentionRow, RelationRow, Subgraph
from ..store import collections, documents, graph, graph_view
from ..store.db import Db
from ..store.stored_json import parse_stored_json
from .exporting.graph_files import export_graph

MAX_NAME_CHARS = 80


@dataclass(frozen=True, slots=True)
class ViewNeighbour:
    """A neighbour that an entity can be expanded into."""

    row: EntityRow
    weight: float
    kind: str
    documents: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PathStep:
    """One relation of a path with its evidence sentences."""

    relation: RelationRow
    evidence: tuple[MentionRow, ...]


@dataclass(frozen=True, slots=True)
class ShownPath:
    """A path between two entities with the evidence of each step."""

    how: str
    entities: tuple[EntityRow, ...]
    steps: tuple[PathStep, ...]

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(int(e.id) for e in self.entities)


@dataclass(frozen=True, slots=True)
class SavedView:
    """A stored view: its settings as plain data, and the node positions."""

    name: str
    content: dict[str, Any]
    places: dict[int, tuple[float, float]] = field(default_factory=dict)
    pinned: frozenset[int] = frozenset()


class GraphViewReader:
    """Answers the graph explorer's queries; never writes."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def documents_of(self, entity_ids: list[int]) -> dict[int, EntityDocuments]:
        """Return the documents and first mention of each entity that has mentions."""
        found: dict[int, list[int]] = {}
        first: dict[int, tuple[int, int]] = {}
        for entity_id, document_id, _, start in graph_view.fetch_homes(self._db, entity_ids):
            found.setdefault(entity_id, []).append(document_id)
            here = (document_id, start)
            first[entity_id] = min(first.get(entity_id, here), here)
        return {i: EntityDocuments(tuple(found[i]), first[i]) for i in found}

    def groups(self, entity_ids: list[int], level: int = 0) -> Groups:
        """Return the stored communities of these entities, if the library has any."""
        found = graph_view.fetch_groups(self._db, entity_ids, level)
        sizes = graph_view.fetch_community_sizes(self._db, level)
        return Groups(
            {entity: group for entity, group, _ in found},
            {group: title for _, group, title in found},
            graph_view.count_graph_levels(self._db),
            number_communities(sizes, level),
            {size.id: size.n_members for size in sizes},
        )

    def neighbours(self, entity_id: int) -> list[ViewNeighbour]:
        """Return all neighbours of an entity, strongest relation first, with documents."""
        relations = graph_view.fetch_neighbours(self._db, entity_id)
        ids = [other for _, other, _, _ in relations]
        rows = {int(e.id): e for e in graph.fetch_entities(self._db, ids)}
        documents = self.documents_of(ids)
        return [
            ViewNeighbour(
                rows[other], weight, kind, documents.get(other, EntityDocuments()).documents
            )
            for _, other, weight, kind in relations
            if other in rows
        ]

    def reach(self, entity_ids: list[int], depth: int, limit: int) -> Subgraph:
        """Return entities up to `depth` steps from these, with the relations among all."""
        near = self._net().reach([int(i) for i in entity_ids], depth, limit)
        return self.exactly([*entity_ids, *near])

    def replace_merged(self, entity_ids: list[int]) -> list[int]:
        """Return these entities, merged ones replaced by the entity they are now."""
        now = self.find_merged(entity_ids)
        return list(dict.fromkeys(int(now.get(i, i)) for i in entity_ids))

    def find_merged(self, entity_ids: list[int]) -> dict[int, int]:
        """Return those of the entities that were merged -> the entity they are now."""
        return dict(graph_view.fetch_merged_into(self._db, entity_ids)) if entity_ids else {}

    def exactly(self, entity_ids: list[int]) -> Subgraph:
        """Return the existing ones of these entities, and the relations among them."""
        entities = graph.fetch_entities(self._db, [int(i) for i in entity_ids])
        relations = graph.fetch_relations_among(self._db, [e.id for e in entities])
        n_all = graph.count_entities(self._db)
        return Subgraph(tuple(entities), tuple(relations), n_all)

    def find_paths(self, a: int, b: int, n_sentences: int = 3) -> list[ShownPath]:
        """Return paths between two entities, each relation with its evidence sentences."""
        shown = []
        for path in self._net().find_paths(int(a), int(b)):
            part = self.exactly(list(path.ids))
            relation_of = {
                frozenset((int(r.source_id), int(r.target_id))): r for r in part.relations
            }
            steps = []
            for pair in zip(path.ids, path.ids[1:], strict=False):
                relation = relation_of[frozenset(pair)]
                sentences = graph.fetch_relation_evidence(self._db, relation.id, n_sentences)
                steps.append(PathStep(relation, tuple(sentences)))
            shown.append(ShownPath(path.how, part.entities, tuple(steps)))
        return shown

    def shared_neighbours(self, entity_ids: list[int], limit: int = 60) -> list[int]:
        """Return the neighbours that all of these share, strongest relations first."""
        return self._net().shared_neighbours([int(i) for i in entity_ids])[:limit]

    def ids_of_kinds(self, kinds: list[str], limit: int = 120) -> list[int]:
        """Return entities with relations of these kinds, most such relations first."""
        counts: dict[int, float] = {}
        for _, a, b, weight, kind in graph_view.fetch_drawn_relations(self._db):
            if kind in kinds:
                for end in (a, b):
                    counts[end] = counts.get(end, 0.0) + 1.0 + 1e-3 * weight
        return sorted(counts, key=lambda i: (-counts[i], i))[:limit]

    def kinds(self) -> list[tuple[str, int]]:
        """Return the kinds of relations of the library with their numbers."""
        return graph_view.fetch_kinds(self._db)

    def documents(self) -> list[tuple[int, str]]:
        """Return (id, title) of every document, in the order they were added."""
        return documents.fetch_titles(self._db)

    def collections(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return every collection's name with its documents."""
        found: dict[str, list[int]] = {}
        for name, document_id in collections.fetch_all_members(self._db):
            found.setdefault(name, []).append(document_id)
        return [(name, tuple(ids)) for name, ids in found.items()]

    def chapters(self, document_id: int) -> list[tuple[int, str]]:
        """Return (start, title) of a document's chapters, in order."""
        return documents.fetch_chapters(self._db, document_id)

    def export(
        self,
        path: Path,
        format_: str,
        entity_ids: list[int],
        places: dict[int, tuple[float, float]],
    ) -> tuple[int, int]:
        """Write entities with positions to a file; return the counts of entities and relations."""
        return export_graph(self._db, path, format_, entity_ids=entity_ids, places=places)

    def saved_views(self) -> list[str]:
        return [name for name, _ in graph_view.list_views(self._db) if name]

    def saved_view(self, name: str) -> SavedView | None:
        """Return a stored view; "" is the one that was open last."""
        found = graph_view.fetch_view(self._db, name)
        if found is None:
            return None
        content = parse_stored_json(found[0], dict)
        if not content:
            return None
        places = {int(i): (x, y) for i, x, y, _ in found[1]}
        return SavedView(name, content, places, frozenset(int(i) for i, *_, p in found[1] if p))

    def _net(self) -> PathGraph:
        relations = graph_view.fetch_drawn_relations(self._db)
        ends = np.array([(a, b) for _, a, b, _, _ in relations], dtype=np.int64).reshape(-1, 2)
        return PathGraph(ends, np.array([weight for *_, weight, _ in relations], dtype=float))


class GraphViews:
    """Stores named views of the graph; call it in the writer lane.

    Args:
        db: the read-write connection.
    """

    def __init__(self, db: Db) -> None:
        self._db = db

    def save(self, view: SavedView) -> ChangeNotice:
        """Store a view; the name "" is for the one that is open now.

        Raises:
            UserError: the name is too long.
        """
        if not view.name and not self._db.is_writable:
            return NOTHING
        if len(view.name) > MAX_NAME_CHARS:
            raise UserError(
                "This name is too long.", "Use {most} characters at most.", most=MAX_NAME_CHARS
            )
        content = json.dumps(view.content, ensure_ascii=False)
        places = [
            (int(i), float(x), float(y), int(i in view.pinned))
            for i, (x, y) in view.places.items()
            if np.isfinite((x, y)).all()
        ]
        with self._edit(Message("Save the view “{name}”", name=view.name), view.name):
            graph_view.write_view(self._db, view.name, content, places)
        return ChangeNotice(views=bool(view.name))

    def delete(self, name: str) -> ChangeNotice:
        """Delete a view, which can be undone."""
        with self._edit(Message("Delete the view “{name}”", name=name), name):
            graph_view.delete_view(self._db, name)
        return ChangeNotice(views=True)

    def _edit(self, label: Message, name: str) -> AbstractContextManager[None]:
        """Open an edit; the view that is open now is stored by the program, not by the user."""
        return self._db.edit(label) if name else self._db.transaction()
