"""A fake library reader over one graph in memory, and a context around it."""

from __future__ import annotations

import itertools
from collections import Counter
from types import SimpleNamespace

import numpy as np

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.graph.paths import PathGraph
from desktop_app.engine.graph.view.view import EntityDocuments, Groups
from desktop_app.engine.model import (
    ENTITY_TYPES,
    EntityCard,
    EntityRow,
    MentionRow,
    RelationRow,
    Subgraph,
)
from desktop_app.engine.services.graph_views import PathStep, SavedView, ShownPath, ViewNeighbour
from desktop_app.engine.services.provenance import EntityProvenance

OPENED_MS = 20_000


def make_entity(entity_id: int, name: str, n_relations: int = 1) -> EntityRow:
    kind = ENTITY_TYPES[(entity_id - 1) % len(ENTITY_TYPES)]
    sentence = f"{name} is a clerk. Nobody knows more."
    return EntityRow(entity_id, name, kind, 3 * n_relations, n_relations, 1, sentence)


def make_relation(number: int, a: EntityRow, b: EntityRow, weight: float = 1.0) -> RelationRow:
    sentence = f"{a.name} spoke to {b.name}."
    return RelationRow(number, a.id, b.id, a.name, b.name, weight, 2, sentence=sentence)


def make_graph(names: list[str], pairs: list[tuple[int, int]]) -> Subgraph:
    """Return a graph with ids from 1; `pairs` are positions in `names`."""
    counts = Counter(i for pair in pairs for i in set(pair))
    rows = [make_entity(i + 1, name, counts[i]) for i, name in enumerate(names)]
    tied = [make_relation(k + 1, rows[a], rows[b], 1.0 + (k % 7)) for k, (a, b) in enumerate(pairs)]
    return Subgraph(tuple(rows), tuple(tied), len(rows))


class FakeGraphReading:
    """Answers as `library_reader.graph`, from one graph; paths come from the real search."""

    def __init__(self, library_reader: FakeLibraryReader) -> None:
        self._library_reader = library_reader
        self.views: dict[str, SavedView] = {}

    def documents_of(self, entity_ids: list[int]) -> dict[int, EntityDocuments]:
        return {i: EntityDocuments((7 + i % 2,), (7, 100 * i)) for i in entity_ids}

    def groups(self, entity_ids: list[int], level: int = 0) -> Groups:
        return Groups()

    def documents(self) -> list[tuple[int, str]]:
        return [(7, "A Winter Tale"), (8, "水浒传")]

    def collections(self) -> list[tuple[str, tuple[int, ...]]]:
        return [("Tales", (7,))]

    def chapters(self, document_id: int) -> list[tuple[int, str]]:
        return [(0, "Stave I"), (450, "Stave II")]

    def kinds(self) -> list[tuple[str, int]]:
        counts: dict[str, int] = {}
        for relation in self._library_reader.subgraph.relations:
            if relation.kind:
                counts[relation.kind] = counts.get(relation.kind, 0) + 1
        return list(counts.items())

    def ids_of_kinds(self, kinds: list[str], limit: int = 120) -> list[int]:
        ties = [r for r in self._library_reader.subgraph.relations if r.kind in kinds]
        return list(dict.fromkeys(i for r in ties for i in (r.source_id, r.target_id)))

    def replace_merged(self, entity_ids: list[int]) -> list[int]:
        return list(entity_ids)

    def find_merged(self, entity_ids: list[int]) -> dict[int, int]:
        return {}

    def exactly(self, entity_ids: list[int]) -> Subgraph:
        return self._library_reader._part(set(entity_ids))

    def _net(self) -> PathGraph:
        ties = self._library_reader.subgraph.relations
        ends = np.array([(r.source_id, r.target_id) for r in ties]).reshape(-1, 2)
        return PathGraph(ends, np.array([r.weight for r in ties]))

    def reach(self, entity_ids: list[int], depth: int, limit: int) -> Subgraph:
        return self.exactly([*entity_ids, *self._net().reach(entity_ids, depth, limit)])

    def neighbours(self, entity_id: int) -> list[ViewNeighbour]:
        rows = {e.id: e for e in self._library_reader.subgraph.entities}
        found = [
            ViewNeighbour(rows[r.target_id if r.source_id == entity_id else r.source_id],
                      r.weight, r.kind, (7,))
            for r in self._library_reader.subgraph.relations
            if entity_id in (r.source_id, r.target_id)
        ]  # fmt: skip
        return sorted(found, key=lambda n: -n.weight)

    def shared_neighbours(self, entity_ids: list[int], limit: int = 60) -> list[int]:
        return self._net().shared_neighbours(entity_ids)

    def find_paths(self, a: int, b: int, n_sentences: int = 3) -> list[ShownPath]:
        rows = {e.id: e for e in self._library_reader.subgraph.entities}
        tie = {
            frozenset((r.source_id, r.target_id)): r
            for r in self._library_reader.subgraph.relations
        }
        return [
            ShownPath(
                path.how,
                tuple(rows[i] for i in path.ids),
                tuple(
                    PathStep(
                        tie[frozenset(pair)], tuple(self._library_reader.fetch_mentions(pair[0]))
                    )
                    for pair in itertools.pairwise(path.ids)
                ),
            )
            for path in self._net().find_paths(a, b)
        ]

    def saved_views(self) -> list[str]:
        return [name for name in self.views if name]

    def saved_view(self, name: str) -> SavedView | None:
        return self.views.get(name)


class FakeViews:
    """Stores views in memory."""

    def __init__(self, reading: FakeGraphReading) -> None:
        self._reading = reading

    def save(self, view: SavedView) -> ChangeNotice:
        self._reading.views[view.name] = view
        return ChangeNotice(views=bool(view.name))

    def delete(self, name: str) -> ChangeNotice:
        self._reading.views.pop(name, None)
        return ChangeNotice(views=True)


class FakeLibraryReader:
    """Answers from one graph in memory; `gone` are ids deleted elsewhere."""

    def __init__(self, graph: Subgraph) -> None:
        self.subgraph = graph
        self.gone: set[int] = set()
        self.graph = FakeGraphReading(self)

    def _part(self, ids: set[int]) -> Subgraph:
        ids = ids - self.gone
        entities = tuple(e for e in self.subgraph.entities if e.id in ids)
        relations = tuple(
            r for r in self.subgraph.relations if r.source_id in ids and r.target_id in ids
        )
        return Subgraph(entities, relations, len(self.subgraph.entities) - len(self.gone))

    def top_graph(self, limit: int = 60) -> Subgraph:
        alive = [e for e in self.subgraph.entities if e.id not in self.gone]
        ranked = sorted(alive, key=lambda e: (-e.n_relations, e.id))
        return self._part({e.id for e in ranked[:limit]})

    def neighbourhood(self, entity_ids: list[int], limit: int = 40) -> Subgraph:
        wanted = list(entity_ids)
        near = []
        for relation in sorted(self.subgraph.relations, key=lambda r: -r.weight):
            ends = (relation.source_id, relation.target_id)
            if any(end in wanted for end in ends):
                near += [end for end in ends if end not in wanted and end not in near]
        return self._part({*wanted, *near[:limit]})

    def find_entities(self, text: str, limit: int = 20) -> list[EntityRow]:
        return [e for e in self.subgraph.entities if text.lower() in e.name.lower()][:limit]

    def get_entity(self, entity_id: int) -> EntityCard:
        row = next(e for e in self.subgraph.entities if e.id == entity_id)
        return EntityCard(row, ("An alias",), row.description)

    def fetch_relations(self, entity_id: int, limit: int = 100) -> list[RelationRow]:
        own = [r for r in self.subgraph.relations if entity_id in (r.source_id, r.target_id)]
        return sorted(own, key=lambda r: -r.weight)[:limit]

    def describe_provenance(self, entity_id: int) -> EntityProvenance:
        n_enriched = self.get_entity(entity_id).row.n_enriched
        if not n_enriched:
            return EntityProvenance()
        return EntityProvenance(
            "model", "model", 0.9, ("tiny-model",), (), 4, n_enriched, n_enriched
        )

    def fetch_mentions(self, entity_id: int, limit: int = 200, offset: int = 0):
        name = self.get_entity(entity_id).row.name
        sentence = f"Then {name} came in, and the candle burnt low."
        place = MentionRow(7, "A Winter Tale", 1, name, 105, 110, sentence, 100, "12")
        return [place, place][:limit]


class FakeMessages:
    def __init__(self) -> None:
        self.errors: list[BaseException] = []
        self.texts: list[str] = []
        self.kept_clear: list[object] = []

    def keep_clear(self, widget: object) -> None:
        self.kept_clear.append(widget)

    def show(self, text: str, **_: object) -> None:
        self.texts.append(text)

    def show_error(self, error: BaseException) -> None:
        self.errors.append(error)


def make_context(graph: Subgraph, lane, theme, hub) -> SimpleNamespace:
    library_reader = FakeLibraryReader(graph)
    return SimpleNamespace(
        library_reader=library_reader,
        graph_views=FakeViews(library_reader.graph),
        editing=SimpleNamespace(find_newest_step=lambda: 0),
        reader_lane=lane,
        writer_lane=lane,
        theme=theme,
        hub=hub,
        messages=FakeMessages(),
    )
