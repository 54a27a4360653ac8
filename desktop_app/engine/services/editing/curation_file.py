"""The file of corrections: all decisions of the user, written to JSON and read from it.

"Export corrections" and "Import corrections" of the window; `inkgraph history` has both, too.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...changes import ChangeNotice
from ...errors import UserError
from ...graph.names import normalise_name, split_sense
from ...messages import Message
from ...model import DIRECTIONS
from ...store import curation, evidence, graph
from ...store.curation import NAME_COLUMNS, NAME_LISTS
from ...store.db import Db
from ..exporting.output import write_bytes
from ..graph_update import update_graph
from ..importing.custom_kg import load_json_file

MAX_READ_NAME = 1000  # characters; names in documents may be longer than a typed one
FORMAT = "inkgraph curation"
VERSION = 1
# Columns of each table in a curation file, in table order.
TABLES: dict[str, tuple[str, ...]] = {
    "merged": ("keep", "dropped"),
    "never_merged": ("name", "other"),
    "entity_edit": ("name", "new_name", "type", "description"),
    "alias": ("name", "alias"),
    "split_mention": ("name", "sense", "document", "start"),
    "deleted_name": ("name", "documents"),
    "hand_entity": ("name",),
    "removed_event": ("document", "kind", "sentence", "place"),
    "hand_event": (
        "document", "kind", "sentence", "place", "start", "actors", "patients", "places", "length",
    ),
    "hand_relation": (
        "source", "target", "description", "keywords", "weight", "deleted", "kind", "direction",
    ),
}  # fmt: skip
_NUMBERS = frozenset(("sense", "start", "weight", "deleted", "place", "length"))
_MAY_BE_NONE = {
    "entity_edit": frozenset(("new_name", "type", "description")),
    "hand_relation": frozenset(("direction",)),  # older files do not have it
}


def build_curation_file(db: Db) -> dict[str, Any]:
    """Return all user decisions as JSON."""
    return {
        "format": FORMAT,
        "version": VERSION,
        **{
            table: [
                dict(zip(columns, row, strict=True))
                for row in curation.fetch_decisions(db, table, columns)
            ]
            for table, columns in TABLES.items()
        },
    }


def export_curation(db: Db, path: Path) -> int:
    """Write the curation to a file; return the number of decisions."""
    kept = build_curation_file(db)
    text = json.dumps(kept, ensure_ascii=False, indent=1)
    write_bytes(path, f"{text}\n".encode())
    return sum(len(kept[table]) for table in TABLES)


def apply_curation(db: Db, path: Path) -> ChangeNotice:
    """Add the decisions of a file as one undoable edit; existing decisions stay.

    Raises:
        UserError: the file has another format, or a row is invalid; nothing is changed then.
    """
    rows = _read(path)
    n = sum(len(of_table) for of_table in rows.values())
    with db.edit(Message("Import {n} corrections from “{name}”", n=n, name=path.name)):
        name_ids = evidence.NameIds(db, normalise_name)
        for table, of_table in rows.items():
            columns = TABLES[table]
            curation.add_decisions(
                db, table, columns, [tuple(row.get(c) for c in columns) for row in of_table]
            )
        for row in (*rows["hand_entity"], *rows["alias"]):
            for name in row.values():
                name_ids(split_sense(name)[0])
        for row in rows["split_mention"]:
            key = normalise_name(row["name"])
            curation.ensure_senses(db, row["name"], key, [row["sense"]])
        graph.mark_curation_newer(db)
    return update_graph(db)


def _read(path: Path) -> dict[str, list[dict[str, Any]]]:
    found = load_json_file(path)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise UserError(
            "“{name}” contains no corrections.",
            "Choose a file made by “Export corrections”.",
            name=path.name,
        )
    version = found.get("version", 0)
    if not isinstance(version, int) or version > VERSION:
        raise UserError(
            "“{name}” was made by a newer Inkgraph.", "Update Inkgraph.", name=path.name
        )
    rows = {table: found.get(table) or [] for table in TABLES}
    if not all(isinstance(of_table, list) for of_table in rows.values()):
        raise UserError("“{name}” contains no corrections.", name=path.name)
    return {table: [_check(path, table, row) for row in rows[table]] for table in TABLES}


def _is_valid(column: str, value: object) -> bool:
    if column == "direction":
        return isinstance(value, int) and 0 <= value < len(DIRECTIONS)
    return isinstance(value, (int, float) if column in _NUMBERS else str)


def _list_people(row: dict[str, Any]) -> Sequence[str]:
    """Return the names of an event; one that is invalid if its verb is not in its sentence."""
    place, length = row["place"], row["length"]
    is_whole = isinstance(place, int) and isinstance(length, int) and isinstance(row["start"], int)
    if not (is_whole and 0 <= place < place + length <= len(row["sentence"])):
        return ("",)
    return [
        name
        for i in NAME_LISTS["hand_event"]
        for name in row[TABLES["hand_event"][i]].split("\n")
        if name
    ]


def _check(path: Path, table: str, row: object) -> dict[str, Any]:
    columns = TABLES[table]
    if isinstance(row, dict) and all(
        _is_valid(column, row.get(column))
        or (row.get(column) is None and column in _MAY_BE_NONE.get(table, ()))
        for column in columns
    ):
        names = [row[columns[i]] for i in NAME_COLUMNS[table]]
        names += [row["new_name"]] if row.get("new_name") is not None else []
        if table == "hand_event":
            names += _list_people(row)
        if all(0 < len(name) <= MAX_READ_NAME and name.strip() == name for name in names):
            return row
    raise UserError(
        "“{name}” has an invalid line in “{table}”: {row}.",
        "Each needs: {columns}.",
        name=path.name,
        table=table,
        row=str(row)[:200],
        columns=", ".join(columns),
    )
