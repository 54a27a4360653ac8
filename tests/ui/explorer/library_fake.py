"""A library of made-up names, answering as `exploring` does, and a context around it."""

from __future__ import annotations

from types import SimpleNamespace

from desktop_app.engine.services.said import EntityStanding
from desktop_app.engine.types import (
    ENTITY_TYPES,
    EntityCard,
    EntityRow,
    MentionRow,
    RelationRow,
    Subgraph,
)


def make_entity(entity_id: int, name: str, n_relations: int = 1) -> EntityRow:
    kind = ENTITY_TYPES[(entity_id - 1) % len(ENTITY_TYPES)]
    said = f"{name} is a clerk. Nobody knows more."
    return EntityRow(entity_id, name, kind, 3 * n_relations, n_relations, 1, said)


def make_relation(number: int, a: EntityRow, b: EntityRow, weight: float = 1.0) -> RelationRow:
    said = f"{a.name} spoke to {b.name}."
    return RelationRow(number, a.id, b.id, a.name, b.name, weight, 2, sentence=said)


def make_graph(names: list[str], pairs: list[tuple[int, int]]) -> Subgraph:
    """Return a graph with ids from 1, `pairs` as positions in names."""
    counts = [sum(i in pair for pair in pairs) for i in range(len(names))]
    rows = [make_entity(i + 1, name, counts[i]) for i, name in enumerate(names)]
    tied = [make_relation(k + 1, rows[a], rows[b], 1.0 + (k % 7)) for k, (a, b) in enumerate(pairs)]
    return Subgraph(tuple(rows), tuple(tied), len(rows))


class FakeExploring:
    """Answers from one graph in memory; `gone` are ids deleted elsewhere."""

    def __init__(self, graph: Subgraph) -> None:
        self.graph = graph
        self.gone: set[int] = set()

    def _part(self, ids: set[int]) -> Subgraph:
        ids = ids - self.gone
        entities = tuple(e for e in self.graph.entities if e.id in ids)
        relations = tuple(
            r for r in self.graph.relations if r.source_id in ids and r.target_id in ids
        )
        return Subgraph(entities, relations, len(self.graph.entities) - len(self.gone))

    def top_graph(self, limit: int = 60) -> Subgraph:
        alive = [e for e in self.graph.entities if e.id not in self.gone]
        ranked = sorted(alive, key=lambda e: (-e.n_relations, e.id))
        return self._part({e.id for e in ranked[:limit]})

    def neighbourhood(self, entity_ids: list[int], limit: int = 40) -> Subgraph:
        wanted = list(entity_ids)
        near = []
        for relation in sorted(self.graph.relations, key=lambda r: -r.weight):
            ends = (relation.source_id, relation.target_id)
            if any(end in wanted for end in ends):
                near += [end for end in ends if end not in wanted and end not in near]
        return self._part({*wanted, *near[:limit]})

    def find_entities(self, text: str, limit: int = 20) -> list[EntityRow]:
        return [e for e in self.graph.entities if text.lower() in e.name.lower()][:limit]

    def get_entity(self, entity_id: int) -> EntityCard:
        row = next(e for e in self.graph.entities if e.id == entity_id)
        return EntityCard(row, ("An alias",), row.description)

    def fetch_relations(self, entity_id: int, limit: int = 100) -> list[RelationRow]:
        own = [r for r in self.graph.relations if entity_id in (r.source_id, r.target_id)]
        return sorted(own, key=lambda r: -r.weight)[:limit]

    def tell_standing(self, entity_id: int) -> EntityStanding:
        n_enriched = self.get_entity(entity_id).row.n_enriched
        if not n_enriched:
            return EntityStanding()
        return EntityStanding("model", "model", 0.9, ("tiny-model",), (), 4, n_enriched, n_enriched)

    def fetch_mentions(self, entity_id: int, limit: int = 200, offset: int = 0):
        name = self.get_entity(entity_id).row.name
        sentence = f"Then {name} came in, and the candle burnt low."
        place = MentionRow(7, "A Winter Tale", 1, name, 105, 110, sentence, 100, "12")
        return [place, place][:limit]


class FakeMessages:
    def __init__(self) -> None:
        self.errors: list[BaseException] = []
        self.texts: list[str] = []

    def show(self, text: str, **_: object) -> None:
        self.texts.append(text)

    def show_error(self, error: BaseException) -> None:
        self.errors.append(error)


def make_context(graph: Subgraph, lane, theme, hub) -> SimpleNamespace:
    return SimpleNamespace(
        exploring=FakeExploring(graph),
        reader_lane=lane,
        theme=theme,
        hub=hub,
        messages=FakeMessages(),
    )
