"""What was edited, to read and to jump in. Undoing itself belongs to `store.db`."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UserError
from ...graph.names import split_sense
from ...store.db import Db, read_changed_rows
from . import keys

# Where the tables of curation have names, by column.
_NAMED = {
    "merged": (0, 1),
    "never_merged": (0, 1),
    "entity_edit": (0,),
    "alias": (0, 1),
    "split_mention": (0,),
    "deleted_name": (0,),
    "hand_relation": (0, 1),
    "hand_entity": (0,),
}


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One edit; `undone` where it is taken back and may be made again."""

    id: int
    label: str
    created_at: float
    undone: bool


def list_history(db: Db) -> list[HistoryRow]:
    """Return the edits that are kept, the newest first."""
    return [
        HistoryRow(i, label, at, bool(undone))
        for i, label, at, undone in db.rows(
            "SELECT id, label, created_at, undone FROM history ORDER BY id DESC"
        )
    ]


def list_history_of(db: Db, entity_id: int) -> list[HistoryRow]:
    """Return the edits that touched one of an entity's names, the newest first."""
    own = {split_sense(key)[0] for key in keys.all_keys(db, entity_id)}
    rows = {row.id: row for row in list_history(db)}
    return [
        rows[i]
        for i, changeset in db.rows("SELECT id, changeset FROM history ORDER BY id DESC")
        if own & _names_in(changeset)
    ]


def _names_in(changeset: bytes) -> set[str]:
    return {
        split_sense(row[column])[0]
        for table, row in read_changed_rows(changeset)
        for column in _NAMED.get(table, ())
        if row[column] is not None
    }


def go_to(db: Db, history_id: int) -> None:
    """Undo or redo step by step until this edit is the last one that stands; 0 undoes all."""
    rows = list_history(db)
    if history_id and history_id not in {row.id for row in rows}:
        raise UserError("This step is no longer kept.", "Choose a later one.")
    for row in rows:
        if row.id > history_id and not row.undone:
            db.undo()
    for row in reversed(rows):
        if row.id <= history_id and row.undone:
            db.redo()
