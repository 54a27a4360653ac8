"""Export as the node-link JSON of networkx: entities are nodes, relations are edges.

Documents, communities, sentences and events are data of the graph; mentions and evidence are data
of nodes and edges. They and events refer to sentences by id. No pickle: nothing in the file is run
when it is loaded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from .library_tables import TABLE, LibraryTables, Row
from .output import write_file


def export_networkx(tables: LibraryTables, path: Path) -> None:
    """Write the file, node by node and edge by edge."""
    with write_file(path) as write:
        write('{"directed": false, "multigraph": false,\n"graph": {"name": ')
        write(_dump(tables.db.path.stem))
        for table in ("document", "community", "sentence"):
            write(f',\n"{table}": {{')
            _write_all(write, _entries(tables, table))
            write("}")
        write(',\n"event": {')
        _write_all(write, _events(tables))
        write("}")
        write('},\n"nodes": [')
        _write_all(write, map(_dump, _nodes(tables)))
        write('],\n"edges": [')
        _write_all(write, map(_dump, _edges(tables)))
        write("]}\n")


def _write_all(write: Callable[[str], object], texts: Iterable[str]) -> None:
    for n, text in enumerate(texts):
        write(f",\n{text}" if n else f"\n{text}")


def _entries(tables: LibraryTables, table: str) -> Iterator[str]:
    for row in tables.rows(table):
        values = _values(table, row)
        yield f"{_dump(str(values.pop('id')))}: {_dump(values)}"


def _events(tables: LibraryTables) -> Iterator[str]:
    place = TABLE["participant"].index("event_id")
    participants = _Groups(tables.rows("participant"), place)
    for row in tables.rows("event"):
        values = _values("event", row)
        event_id = values.pop("id")
        own = [_values("participant", one, "event_id") for one in participants.take(event_id)]
        yield f"{_dump(str(event_id))}: {_dump(values | {'participants': own})}"


def _nodes(tables: LibraryTables) -> Iterator[dict[str, Any]]:
    communities: dict[int, list[int]] = {}
    for community_id, entity_id, _ in tables.rows("community_member"):
        communities.setdefault(entity_id, []).append(community_id)
    mentions = _Groups(tables.rows("mention", by_entity=True), TABLE["mention"].index("entity_id"))
    for row in tables.rows("entity"):
        entity_id = row[0]
        own = [_values("mention", one, "entity_id") for one in mentions.take(entity_id)]
        yield _values("entity", row) | {
            "communities": communities.get(entity_id, []),
            "mentions": own,
        }


def _edges(tables: LibraryTables) -> Iterator[dict[str, Any]]:
    evidence = _Groups(tables.rows("evidence"), TABLE["evidence"].index("relation_id"))
    for row in tables.rows("relation"):
        values = _values("relation", row)
        yield {
            "source": values["source_id"],
            "target": values["target_id"],
            **values,
            "evidence": [
                _values("evidence", one, "relation_id") for one in evidence.take(values["id"])
            ],
        }


class _Groups:
    """Takes rows that are grouped by a column beside rows in the same order of the groups."""

    def __init__(self, rows: Iterable[Row], place: int) -> None:
        self._groups = groupby(rows, key=lambda row: row[place])
        self._next = next(self._groups, None)

    def take(self, key: object) -> list[Row]:
        """Return the rows of a group; [] if the next group has another key."""
        if self._next is None or self._next[0] != key:
            return []
        rows = list(self._next[1])
        self._next = next(self._groups, None)
        return rows


def _values(table: str, row: Row, without: str = "") -> dict[str, Any]:
    columns = TABLE[table].columns
    return {c.name: v for c, v in zip(columns, row, strict=True) if c.name != without}


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
