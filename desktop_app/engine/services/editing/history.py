"""What was edited, to read and to jump in. Undoing itself belongs to `store.db`."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UserError
from ...store.db import Db


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
