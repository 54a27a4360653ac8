"""Rows of summaries, stored under a hash of the fragments that they summarize."""

from __future__ import annotations

import time
from collections.abc import Sequence

from .db import Db


def fetch_times(db: Db) -> dict[str, float]:
    """Return the time of each summary, by key."""
    return dict(db.rows("SELECT key, created_at FROM summary"))


def fetch_texts(db: Db, keys: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for i in range(0, len(keys), 500):
        part = keys[i : i + 500]
        found |= dict(
            db.rows(
                f"SELECT key, text FROM summary WHERE key IN ({','.join('?' * len(part))})", part
            )
        )
    return found


def store_summary(db: Db, key: str, text: str, model: str, n_fragments: int) -> None:
    db.write(
        "INSERT OR REPLACE INTO summary VALUES (?, ?, ?, ?, ?)",
        (key, text, model, n_fragments, time.time()),
    )
