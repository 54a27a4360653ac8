"""The curation of a library as a file that people can read, and apply to another library."""

from __future__ import annotations

import json
from pathlib import Path

from ...changes import ChangeSet
from ...errors import UserError, cannot_write
from ...graph.names import normalise_name, split_sense
from ...store import evidence, splits
from ...store.db import Db
from ..deriving import derive_graph

FORMAT = "inkgraph curation"
VERSION = 1
# What each table keeps, in the order of its columns.
TABLES: dict[str, tuple[str, ...]] = {
    "merged": ("keep", "dropped"),
    "never_merged": ("name", "other"),
    "entity_edit": ("name", "new_name", "type", "description"),
    "alias": ("name", "alias"),
    "split_mention": ("name", "sense", "document", "start"),
    "deleted_name": ("name", "documents"),
    "hand_entity": ("name",),
    "hand_relation": (
        "source", "target", "description", "keywords", "weight", "deleted", "kind",
    ),
}  # fmt: skip
_NUMBERS = frozenset(("sense", "start", "weight", "deleted"))
_MAY_BE_NONE = frozenset(("new_name", "type", "description"))


def build_curation_file(db: Db) -> dict:
    """Return everything the person decided, as JSON."""
    return {
        "format": FORMAT,
        "version": VERSION,
        **{
            table: [
                dict(zip(columns, row, strict=True))
                for row in db.rows(
                    f"SELECT {', '.join(columns)} FROM {table} ORDER BY {', '.join(columns)}"
                )
            ]
            for table, columns in TABLES.items()
        },
    }


def export_curation(db: Db, path: Path) -> int:
    """Write the curation to a file; return how many decisions it holds."""
    kept = build_curation_file(db)
    text = json.dumps(kept, ensure_ascii=False, indent=1)
    try:
        path.write_text(text + "\n", "utf-8")
    except OSError as error:
        raise cannot_write(path, error) from error
    return sum(len(kept[table]) for table in TABLES)


def apply_curation(db: Db, path: Path) -> ChangeSet:
    """Take over the decisions of a file, as one undoable edit; what is here already stays.

    Raises:
        UserError: the file is not one of ours, or a line of it makes no sense; nothing is
            changed then.
    """
    rows = _read(path)
    n = sum(len(of_table) for of_table in rows.values())
    with db.edit(f"Apply {n} corrections of “{path.name}”"):
        name_ids = evidence.NameIds(db, normalise_name)
        for table, of_table in rows.items():
            columns = TABLES[table]
            marks = ", ".join("?" * len(columns))
            db.write_many(
                f"INSERT OR IGNORE INTO {table}({', '.join(columns)}) VALUES ({marks})",
                [tuple(row[c] for c in columns) for row in of_table],
            )
        for row in (*rows["hand_entity"], *rows["alias"]):
            for name in row.values():
                name_ids(split_sense(name)[0])
        for row in rows["split_mention"]:
            key = normalise_name(row["name"])
            splits.ensure_senses(db, row["name"], key, [row["sense"]])
    return derive_graph(db)


def _read(path: Path) -> dict[str, list[dict]]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UserError(f"“{path.name}” can't be read: {error.strerror}.", "Check it.") from error
    except (ValueError, UnicodeDecodeError) as error:
        raise UserError(
            f"“{path.name}” is no JSON: {error}.", "Choose a file made by “Export corrections”."
        ) from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise UserError(
            f"“{path.name}” holds no corrections.", "Choose a file made by “Export corrections”."
        )
    if found.get("version", 0) > VERSION:
        raise UserError(f"“{path.name}” was made by a newer Inkgraph.", "Update Inkgraph.")
    return {table: [_check(path, table, row) for row in found.get(table, [])] for table in TABLES}


def _check(path: Path, table: str, row: object) -> dict:
    columns = TABLES[table]
    fits = isinstance(row, dict) and all(
        isinstance(row.get(c), (int, float) if c in _NUMBERS else str)
        or (c in _MAY_BE_NONE and table == "entity_edit" and row.get(c) is None)
        for c in columns
    )
    if not fits:
        raise UserError(
            f"“{path.name}” has a line in “{table}” that makes no sense: {row}.",
            f"Each needs: {', '.join(columns)}.",
        )
    return row
