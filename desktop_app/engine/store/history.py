"""Rows of the edit history; `store/db.py` writes them."""

from __future__ import annotations

from ..messages import Message
from .db import Db


def fetch_history(db: Db) -> list[tuple[int, Message, float, int]]:
    """Return (id, label, time, undone) of every edit, newest first."""
    rows = db.rows("SELECT id, label, created_at, undone FROM history ORDER BY id DESC")
    return [(id_, Message.from_stored(label), at, undone) for id_, label, at, undone in rows]


def fetch_changesets(db: Db) -> list[tuple[int, bytes]]:
    """Return (id, changeset) of every edit, newest first."""
    return db.rows("SELECT id, changeset FROM history ORDER BY id DESC")


def find_newest_edit(db: Db) -> int:
    """Return the id of the last edit in effect, 0 if there is none."""
    return int(db.value("SELECT max(id) FROM history WHERE undone = 0") or 0)
