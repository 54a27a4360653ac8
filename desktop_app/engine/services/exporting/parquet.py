"""Export of the library as GraphRAG's parquet tables, with its column names (versions 2 and 3).

`entities`, `relationships`, `communities`, `community_reports`, `text_units` and `documents`, so
that notebooks for GraphRAG's output can read them. Missing reports are made from counts and
quotations.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...communities.reader import CommunityReader
from ...communities.updater import refresh_communities
from ...model import DIRECTIONS, CommunityRow, Report
from ...store import communities as community_rows
from ...store import documents, graph
from ...store.db import Db
from .graph_files import MAX_ROWS
from .output import write_folder
from .parquet_writer import write_parquet

_COMMUNITY = (
    "id VARCHAR; human_readable_id BIGINT; community BIGINT; level BIGINT; parent BIGINT;"
    " children BIGINT[]; period VARCHAR; size BIGINT; title VARCHAR"
)
_SCHEMAS = {
    "documents": "id VARCHAR; human_readable_id BIGINT; title VARCHAR; text VARCHAR;"
    " text_unit_ids VARCHAR[]; creation_date VARCHAR; metadata VARCHAR",
    "text_units": "id VARCHAR; human_readable_id BIGINT; text VARCHAR; n_tokens BIGINT;"
    " document_id VARCHAR; document_ids VARCHAR[]; entity_ids VARCHAR[];"
    " relationship_ids VARCHAR[]; covariate_ids VARCHAR[]",
    "entities": "id VARCHAR; human_readable_id BIGINT; title VARCHAR; type VARCHAR;"
    " description VARCHAR; text_unit_ids VARCHAR[]; frequency BIGINT; degree BIGINT;"
    " x DOUBLE; y DOUBLE",
    "relationships": "id VARCHAR; human_readable_id BIGINT; source VARCHAR; target VARCHAR;"
    " description VARCHAR; weight DOUBLE; combined_degree BIGINT; text_unit_ids VARCHAR[];"
    " kind VARCHAR; direction VARCHAR",
    "communities": f"{_COMMUNITY}; entity_ids VARCHAR[]; relationship_ids VARCHAR[];"
    " text_unit_ids VARCHAR[]",
    "community_reports": f"{_COMMUNITY}; summary VARCHAR; full_content VARCHAR; rank DOUBLE;"
    " rating_explanation VARCHAR; findings STRUCT(summary VARCHAR, explanation VARCHAR)[];"
    " full_content_json VARCHAR",
}
COLUMNS = {
    table: dict(column.strip().split(" ", 1) for column in schema.split(";"))
    for table, schema in _SCHEMAS.items()
}
"""The column types of every table, in order."""

Row = tuple[Any, ...]
"""The values of one row, in the order of the columns."""


def export_tables(db: Db, folder: Path) -> dict[str, int]:
    """Write every table into a folder; return the number of rows of each.

    Args:
        db: the read-write connection: communities are updated first.

    Raises:
        UserError: there is a file of this name.
        EnvironmentProblem: the folder can't be written.
    """
    refresh_communities(db)
    tables = _Tables(db)
    made = {
        "documents": tables.documents(),
        "text_units": tables.text_units(),
        "entities": tables.entities(),
        "relationships": tables.relationships(),
        "communities": tables.communities(),
        "community_reports": tables.community_reports(),
    }
    with write_folder(folder) as part:
        for name, rows in made.items():
            write_parquet(part / f"{name}.parquet", rows, COLUMNS[name], scratch=part)
    return {name: len(rows) for name, rows in made.items()}


class _Tables:
    """Builds the rows of every table; reads shared data once."""

    def __init__(self, db: Db) -> None:
        self._db = db
        self._entities = graph.fetch_top_entities(db, MAX_ROWS)
        self._relations = graph.fetch_top_relations(db, MAX_ROWS)
        self._title = _unique_titles((int(e.id), e.name) for e in self._entities)
        self._degree = {int(e.id): e.n_relations for e in self._entities}
        self._units_of_entity: dict[int, list[int]] = {}
        self._entities_of_unit: dict[int, list[int]] = {}
        for entity, chunk in graph.fetch_chunks_of_entities(db):
            self._units_of_entity.setdefault(entity, []).append(chunk)
            self._entities_of_unit.setdefault(chunk, []).append(entity)
        self._units_of_relation: dict[int, list[int]] = {}
        self._relations_of_unit: dict[int, list[int]] = {}
        ids = {(int(r.source_id), int(r.target_id)): int(r.id) for r in self._relations}
        for a, b, chunk in graph.fetch_chunks_of_pairs(db):
            relation = ids.get((a, b), ids.get((b, a)))
            if relation is not None:
                self._units_of_relation.setdefault(relation, []).append(chunk)
                self._relations_of_unit.setdefault(chunk, []).append(relation)
        self._rows = [row for row in CommunityReader(db).tree() if not row.is_loose]
        self._children: dict[int, list[int]] = {}
        for row in self._rows:
            if row.parent_id is not None:
                self._children.setdefault(int(row.parent_id), []).append(int(row.id))

    def documents(self) -> list[Row]:
        units: dict[int, list[str]] = {}
        for chunk, _, _, document in documents.fetch_all_chunk_texts(self._db):
            units.setdefault(document, []).append(str(chunk))
        rows: list[Row] = []
        for i, title, text, added, author, language in documents.fetch_document_texts(self._db):
            date = datetime.datetime.fromtimestamp(added).isoformat(" ", "seconds")
            metadata = json.dumps({"author": author, "language": language})
            rows.append((str(i), len(rows), title, text, units.get(i, []), date, metadata))
        return rows

    def text_units(self) -> list[Row]:
        rows: list[Row] = []
        for i, text, n_tokens, document in documents.fetch_all_chunk_texts(self._db):
            entities = _texts(self._entities_of_unit.get(i, ()))
            relations = _texts(self._relations_of_unit.get(i, ()))
            key = str(document)
            rows.append((str(i), len(rows), text, n_tokens, key, [key], entities, relations, []))
        return rows

    def entities(self) -> list[Row]:
        rows: list[Row] = []
        for number, e in enumerate(self._entities):
            units = _texts(self._units_of_entity.get(int(e.id), ()))
            named = (str(e.id), number, self._title[int(e.id)], e.type, e.description)
            rows.append((*named, units, e.n_mentions, e.n_relations, 0.0, 0.0))
        return rows

    def relationships(self) -> list[Row]:
        rows: list[Row] = []
        for number, r in enumerate(self._relations):
            a, b = int(r.source_id), int(r.target_id)
            units = _texts(self._units_of_relation.get(int(r.id), ()))
            named = (str(r.id), number, self._title[a], self._title[b], r.description or r.sentence)
            stated = (r.kind, DIRECTIONS[r.direction])
            rows.append((*named, r.weight, self._degree[a] + self._degree[b], units, *stated))
        return rows

    def communities(self) -> list[Row]:
        rows: list[Row] = []
        for row in self._rows:
            members = community_rows.fetch_members(self._db, int(row.id))
            inner = [one.id for one in community_rows.fetch_inner_relations(self._db, row.id)]
            units = {u for relation in inner for u in self._units_of_relation.get(relation, ())}
            lists = _texts(members), _texts(inner), _texts(sorted(units))
            rows.append((*self._community(row), row.title, *lists))
        return rows

    def community_reports(self) -> list[Row]:
        reading = CommunityReader(self._db)
        rows: list[Row] = []
        for row in self._rows:
            report = reading.get_report(int(row.id))
            findings = [{"summary": f.headline, "explanation": f.text} for f in report.findings]
            content = {
                "title": report.title,
                "summary": report.summary,
                "rating": report.rating,
                "rating_explanation": report.reason,
                "findings": findings,
            }
            named = (*self._community(row), report.title, report.summary, show_report(report))
            as_json = json.dumps(content, ensure_ascii=False)
            rows.append((*named, report.rating, report.reason, findings, as_json))
        return rows

    def _community(self, row: CommunityRow) -> Row:
        number = int(row.id)
        parent = -1 if row.parent_id is None else int(row.parent_id)
        today = datetime.date.today().isoformat()
        children = self._children.get(number, [])
        return str(number), number, number, row.level, parent, children, today, row.n_members


def show_report(report: Report) -> str:
    """Return a report as Markdown, as in GraphRAG's `full_content`."""
    parts = [f"# {report.title}", report.summary]
    parts += [f"## {f.headline}\n\n{f.text}" for f in report.findings]
    return "\n\n".join(parts)


def _unique_titles(names: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return a title for each entity; equal names get numbers, because titles are keys there."""
    titles: dict[int, str] = {}
    taken: set[str] = set()
    for entity_id, name in names:
        title, number = name, 1
        while title in taken:
            number += 1
            title = f"{name} ({number})"
        taken.add(title)
        titles[entity_id] = title
    return titles


def _texts(ids: Iterable[int]) -> list[str]:
    return [str(i) for i in ids]
