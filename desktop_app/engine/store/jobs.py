"""Rows of the job queue: which work waits, in which order, and how often it was started.

A job is there until its work is done or given up. The only kind is "index": a document that is
to be read and indexed. A document's job is deleted with the document.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .db import Db

Kind = Literal["index"]


def ensure_job(db: Db, kind: Kind, target_id: int, *, started: bool = False) -> None:
    """Add a job, or change the state of the one there is; its priority stays."""
    db.write(
        "INSERT INTO job(kind, target_id, state) VALUES (?1, ?2, ?3)"
        " ON CONFLICT(kind, target_id) DO UPDATE SET state = ?3",
        (kind, target_id, "started" if started else "waiting"),
    )


def remove_job(db: Db, kind: Kind, target_id: int) -> None:
    db.write("DELETE FROM job WHERE kind = ? AND target_id = ?", (kind, target_id))


def put_first(db: Db, kind: Kind, target_ids: Sequence[int]) -> None:
    """Give waiting jobs the highest priority, in this order."""
    highest = db.value("SELECT coalesce(max(priority), 0) FROM job WHERE kind = ?", (kind,))
    db.write_many(
        "UPDATE job SET priority = ? WHERE kind = ? AND target_id = ?",
        [(highest + n, kind, i) for n, i in enumerate(reversed(target_ids), start=1)],
    )


def find_next(db: Db, kind: Kind) -> int | None:
    """Return the target of the next job: started ones first, then by priority and id."""
    found: int | None = db.value(
        "SELECT target_id FROM job WHERE kind = ?"
        " ORDER BY state, priority DESC, target_id LIMIT 1",  # "started" before "waiting"
        (kind,),
    )
    return found


def count_attempt(db: Db, kind: Kind, target_id: int) -> int:
    """Count a start of a job; return the number of starts since the last progress."""
    db.write(
        "UPDATE job SET attempts = attempts + 1 WHERE kind = ? AND target_id = ?",
        (kind, target_id),
    )
    return int(
        db.value(
            "SELECT coalesce(max(attempts), 0) FROM job WHERE kind = ? AND target_id = ?",
            (kind, target_id),
        )
    )


def clear_attempts(db: Db, kind: Kind, target_id: int) -> None:
    """Set the number of starts to 0, because the job went on."""
    db.write(
        "UPDATE job SET attempts = 0 WHERE kind = ? AND target_id = ? AND attempts > 0",
        (kind, target_id),
    )
