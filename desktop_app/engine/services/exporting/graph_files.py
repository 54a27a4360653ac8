"""Export of the graph to files of other programs: JSON, GraphML, GEXF, CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import UserError
from ...model import (
    BACKWARD,
    DIRECTIONS,
    EVENT_ROLES,
    EntityId,
    EntityRow,
    EventRow,
    RelationRow,
    reverse_direction,
)
from ...store import graph
from ...store.db import Db
from ..events import group_brief_events, list_events_among
from .output import replace_file, write_file

if TYPE_CHECKING:  # loaded when a graph is written: it takes 0.1 s of the start
    import networkx as nx

MAX_ROWS = 10_000_000
_EDGE_TYPES = dict(zip(DIRECTIONS, ("undirected", "directed", "directed", "mutual"), strict=True))
Places = Mapping[int, tuple[float, float]]
# The colours of types in the window, for formats with colours.
COLORS = {
    "person": (0, 114, 178),
    "place": (0, 158, 115),
    "organisation": (204, 121, 167),
    "event": (230, 159, 0),
    "object": (86, 180, 233),
    "concept": (140, 140, 140),
    "other": (213, 94, 0),
}


@dataclass(frozen=True, slots=True)
class GraphContent:
    """What is written: entities, relations, events, other names and positions by entity id."""

    entities: list[EntityRow]
    relations: list[RelationRow]
    events: list[EventRow]
    aliases: Mapping[EntityId, list[str]]
    places: Places


def export_graph(
    db: Db,
    path: Path,
    format_: str,
    *,
    entity_ids: Sequence[int] | None = None,
    places: Places | None = None,
) -> tuple[int, int]:
    """Write entities and the relations among them; return the number of each.

    CSV makes three files: NAME.entities.csv, NAME.relations.csv and NAME.events.csv.

    Args:
        entity_ids: only these; None for all.
        places: node positions in a drawing, y downwards, for formats with positions.
    """
    writer = FORMATS.get(format_)
    if writer is None:
        raise UserError(
            "“{format}” is not an export format.",
            "Choose one of: {formats}.",
            format=format_,
            formats=", ".join(FORMATS),
        )
    if entity_ids is None:
        entities = graph.fetch_top_entities(db, MAX_ROWS)
        relations = graph.fetch_top_relations(db, MAX_ROWS)
        happened = list_events_among(db)
    else:
        entities = graph.fetch_entities(db, [int(i) for i in entity_ids])
        ids = [e.id for e in entities]
        relations = graph.fetch_relations_among(db, ids)
        happened = list_events_among(db, ids)
    aliases = {e.id: [n for n, _ in graph.fetch_aliases(db, e.id) if n != e.name] for e in entities}
    writer(path, GraphContent(entities, relations, happened, aliases, places or {}))
    return len(entities), len(relations)


def build_networkx(content: GraphContent) -> nx.Graph:
    """Return a networkx graph with ids as nodes and all data as attributes.

    An entity has its events in the order of the text, and an edge those of both of its ends.
    The graph is undirected, because most relations are: `direction` states what is known, from the
    end of an edge that is written first to the other.
    """
    import networkx as nx

    made = nx.Graph()
    of_entity, of_pair = group_brief_events(content.events)
    order = {e.id: number for number, e in enumerate(content.entities)}
    for e in content.entities:
        made.add_node(
            e.id,
            label=e.name,
            type=e.type,
            aliases=" | ".join(content.aliases.get(e.id, ())),
            description=e.description,
            mentions=e.n_mentions,
            documents=e.n_documents,
            connections=e.n_relations,
            events=" | ".join(of_entity[int(e.id)]),
        )
        if e.id in content.places:
            made.nodes[e.id]["x"], made.nodes[e.id]["y"] = content.places[e.id]
    for r in content.relations:
        # networkx writes the node first that was added first.
        is_reversed = order[r.source_id] > order[r.target_id]
        direction = reverse_direction(r.direction) if is_reversed else r.direction
        made.add_edge(
            r.source_id,
            r.target_id,
            weight=r.weight,
            kind=r.kind,
            direction=DIRECTIONS[direction],
            evidence=r.n_evidence,
            keywords=" | ".join(r.keywords),
            description=r.description or r.sentence,
            events=" | ".join(of_pair[frozenset((int(r.source_id), int(r.target_id)))]),
        )
    return made


def _write_json(path: Path, content: GraphContent) -> None:
    value = {
        "entities": [
            asdict(e)
            | {"aliases": content.aliases[e.id]}
            | (dict(zip("xy", content.places[e.id], strict=True)) if e.id in content.places else {})
            for e in content.entities
        ],
        "relations": [
            asdict(r) | {"direction": DIRECTIONS[r.direction]} for r in content.relations
        ],
        "events": [asdict(event) for event in content.events],
    }
    with write_file(path) as write:
        write(json.dumps(value, ensure_ascii=False, indent=1))


def _write_graphml(path: Path, content: GraphContent) -> None:
    import networkx as nx

    with replace_file(path) as place:
        nx.write_graphml(_clean(build_networkx(content)), place)


def _write_gexf(path: Path, content: GraphContent) -> None:
    """Write GEXF for Gephi, with position, size and colour of every node (viz).

    If a direction is known, each edge has its own type: directed from its source to its target,
    mutual, or undirected. networkx itself does not read such mixed graphs.
    """
    import networkx as nx

    made = _direct_edges(_clean(build_networkx(replace(content, places={}))))
    most = max((e.n_relations for e in content.entities), default=0) or 1
    for e in content.entities:
        node = made.nodes[e.id]
        red, green, blue = COLORS.get(e.type, COLORS["other"])
        node["viz"] = {
            "color": {"r": red, "g": green, "b": blue, "a": 1.0},
            "size": round(4.0 + 20.0 * (e.n_relations / most) ** 0.65, 2),
        }
        if e.id in content.places:  # Gephi's y axis points up
            x, y = content.places[e.id]
            node["viz"]["position"] = {"x": round(x, 2), "y": round(-y, 2), "z": 0.0}
    with replace_file(path) as place:
        nx.write_gexf(made, place)


def _direct_edges(made: nx.Graph) -> nx.Graph:
    """Return the graph with the edge types of GEXF instead of the attribute `direction`."""
    if not any(direction for *_, direction in made.edges(data="direction")):
        return made
    import networkx as nx

    directed = nx.DiGraph()
    directed.add_nodes_from(made.nodes(data=True))
    for a, b, values in made.edges(data=True):
        direction = values.pop("direction")
        ends = (b, a) if direction == DIRECTIONS[BACKWARD] else (a, b)
        directed.add_edge(*ends, type=_EDGE_TYPES[direction], **values)
    return directed


def _clean(made: nx.Graph) -> nx.Graph:
    """Return the graph without control characters, which XML does not allow."""
    for *_, values in (*made.nodes(data=True), *made.edges(data=True)):
        for key, value in values.items():
            if isinstance(value, str):
                values[key] = "".join(c for c in value if c >= " " or c in "\t\n")
    return made


def _write_csv(path: Path, content: GraphContent) -> None:
    with _write_rows(path.with_suffix(".entities.csv")) as write_row:
        write_row(["id", "name", "type", "aliases", "mentions", "connections", "description"])
        for e in content.entities:
            aliases = _safe(" | ".join(content.aliases[e.id]))
            counts = e.n_mentions, e.n_relations
            names = _safe(e.name), _safe(e.type), aliases
            write_row([e.id, *names, *counts, _safe(e.description)])
    with _write_rows(path.with_suffix(".relations.csv")) as write_row:
        write_row(
            ["source", "target", "weight", "evidence", "keywords", "sentence", "kind", "direction"]
        )
        for r in content.relations:
            texts = map(_safe, (" | ".join(r.keywords), r.sentence, r.kind))
            ends = (_safe(r.source), _safe(r.target))
            write_row([*ends, r.weight, r.n_evidence, *texts, DIRECTIONS[r.direction]])

    with _write_rows(path.with_suffix(".events.csv")) as write_row:
        write_row(["document", "heading", "page", "kind", *EVENT_ROLES, "sentence", "edited"])
        for event in content.events:
            people = (" | ".join(event.list_names(role)) for role in EVENT_ROLES)
            place = event.document_title, event.heading, event.page_label
            texts = map(_safe, (*place, event.kind, *people, event.sentence))
            write_row([*texts, int(event.is_edited)])


@contextmanager
def _write_rows(path: Path) -> Iterator[Callable[[Sequence[object]], object]]:
    """Yield a function that writes a row of a CSV file, as spreadsheets read it."""
    with (
        replace_file(path) as place,
        place.open("w", encoding="utf-8-sig", newline="") as file,
    ):
        yield csv.writer(file).writerow


def _safe(text: str) -> str:
    """Prevent spreadsheets from reading a text as a formula."""
    return "'" + text if text.lstrip()[:1] in ("=", "+", "-", "@") else text


FORMATS: dict[str, Callable[[Path, GraphContent], None]] = {
    "json": _write_json,
    "graphml": _write_graphml,
    "gexf": _write_gexf,
    "csv": _write_csv,
}
