"""The edit history, as the window lists it: of the whole library and of one entity.

Undo and redo themselves belong to `store.history`, the file of corrections to `curation_file`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...graph.names import split_sense
from ...messages import Message
from ...store import history
from ...store.curation import NAME_COLUMNS, NAME_LISTS
from ...store.db import Db, RowChange, read_changes
from .service import fetch_curation_keys


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One edit; `undone` edits can be redone."""

    id: int
    label: Message
    created_at: float
    undone: bool


def list_history(db: Db) -> list[HistoryRow]:
    """Return the edits in the history, newest first."""
    return [
        HistoryRow(i, label, at, bool(undone)) for i, label, at, undone in history.fetch_history(db)
    ]


def list_history_of(db: Db, entity_id: int) -> list[HistoryRow]:
    """Return the edits that changed one of an entity's names, newest first."""
    own = {split_sense(key)[0] for key in fetch_curation_keys(db, entity_id)}
    return [
        HistoryRow(i, label, at, bool(undone))
        for i, label, at, undone, changeset in history.fetch_changesets(db)
        if any(not own.isdisjoint(_list_names(change)) for change in read_changes(changeset))
    ]


def _list_names(change: RowChange) -> list[str]:
    """Return the names that a changed row of the curation is about."""
    columns = (*NAME_COLUMNS.get(change.table, ()), *NAME_LISTS.get(change.table, ()))
    values = (change.values[column] for column in columns)
    return [split_sense(key)[0] for value in values if value for key in value.split("\n")]
