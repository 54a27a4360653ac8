"""Writes the graph to files that other programs open: JSON, GraphML, CSV."""

from __future__ import annotations

import csv
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import networkx as nx

from ..errors import EnvironmentProblem, UserError
from ..store import graph
from ..store.db import Db
from ..types import EntityRow, RelationRow

MAX_ROWS = 10_000_000


def export_graph(db: Db, path: Path, format_: str) -> tuple[int, int]:
    """Write all entities and relations; return how many of each.

    CSV makes two files: NAME.entities.csv and NAME.relations.csv.
    """
    writer = FORMATS.get(format_)
    if writer is None:
        raise UserError(
            f"“{format_}” is no export format.", f"Choose one of: {', '.join(FORMATS)}."
        )
    entities = graph.fetch_top_entities(db, MAX_ROWS)
    relations = graph.fetch_top_relations(db, MAX_ROWS)
    aliases = {e.id: [n for n, _ in graph.fetch_aliases(db, e.id) if n != e.name] for e in entities}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        writer(path, entities, relations, aliases)
    except OSError as error:
        raise EnvironmentProblem(
            f"“{path}” can't be written: {error.strerror}.", "Choose another place."
        ) from error
    return len(entities), len(relations)


def build_networkx(
    entities: list[EntityRow], relations: list[RelationRow], aliases: dict[int, list[str]]
) -> nx.Graph:
    """Return the graph for networkx, ids as node keys, everything known as attributes."""
    made = nx.Graph()
    for e in entities:
        made.add_node(
            e.id,
            label=e.name,
            type=e.type,
            aliases=" | ".join(aliases.get(e.id, ())),
            description=e.description,
            mentions=e.n_mentions,
            documents=e.n_documents,
        )
    for r in relations:
        made.add_edge(
            r.source_id,
            r.target_id,
            weight=r.weight,
            evidence=r.n_evidence,
            keywords=" | ".join(r.keywords),
            description=r.description or r.sentence,
        )
    return made


def _write_json(
    path: Path, entities: list[EntityRow], relations: list[RelationRow], aliases: dict
) -> None:
    content = {
        "entities": [dataclasses.asdict(e) | {"aliases": aliases[e.id]} for e in entities],
        "relations": [dataclasses.asdict(r) for r in relations],
    }
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1), "utf-8")


def _write_graphml(
    path: Path, entities: list[EntityRow], relations: list[RelationRow], aliases: dict
) -> None:
    made = build_networkx(entities, relations, aliases)
    for *_, values in (*made.nodes(data=True), *made.edges(data=True)):
        for key, value in values.items():
            if isinstance(value, str):  # XML has no place for control characters
                values[key] = "".join(c for c in value if c >= " " or c in "\t\n")
    nx.write_graphml(made, path)


def _write_csv(
    path: Path, entities: list[EntityRow], relations: list[RelationRow], aliases: dict
) -> None:
    with path.with_suffix(".entities.csv").open("w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "name", "type", "aliases", "mentions", "connections", "description"])
        for e in entities:
            rows.writerow(
                [
                    e.id,
                    _safe(e.name),
                    e.type,
                    _safe(" | ".join(aliases[e.id])),
                    e.n_mentions,
                    e.n_relations,
                    _safe(e.description),
                ]
            )
    with path.with_suffix(".relations.csv").open("w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["source", "target", "weight", "evidence", "keywords", "sentence"])
        for r in relations:
            rows.writerow(
                [
                    _safe(r.source),
                    _safe(r.target),
                    r.weight,
                    r.n_evidence,
                    _safe(" | ".join(r.keywords)),
                    _safe(r.sentence),
                ]
            )


def _safe(text: str) -> str:
    """Keep spreadsheets from taking a text for a formula."""
    return "'" + text if text[:1] in ("=", "+", "-", "@") else text


FORMATS: dict[str, Callable[..., None]] = {
    "json": _write_json,
    "graphml": _write_graphml,
    "csv": _write_csv,
}
