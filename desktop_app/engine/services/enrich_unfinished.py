"""What is left undone of enrichment, kept in the library: paused by the person, summaries owed.

Owns two settings of the library; what waits in the queue is the queue's own business.
"""

from __future__ import annotations

from ..store.db import Db

PAUSED = "enrich_paused"
SUMMARIES_OWED = "enrich_summaries_owed"


def is_paused(db: Db) -> bool:
    """Say whether the person paused enrichment and has not gone on since."""
    return _load(db, PAUSED)


def keep_paused(db: Db, paused: bool) -> None:
    _keep(db, PAUSED, paused)


def owes_summaries(db: Db) -> bool:
    """Say whether chunks were enriched since the last summaries were written."""
    return _load(db, SUMMARIES_OWED)


def keep_summaries_owed(db: Db, owed: bool) -> None:
    _keep(db, SUMMARIES_OWED, owed)


def _load(db: Db, key: str) -> bool:
    return db.value("SELECT value FROM setting WHERE key = ?", (key,)) == "1"


def _keep(db: Db, key: str, on: bool) -> None:
    if _load(db, key) == on:
        return
    with db.transaction():
        db.write("INSERT OR REPLACE INTO setting VALUES (?, ?)", (key, "1" if on else "0"))
