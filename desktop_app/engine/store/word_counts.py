"""In how many chunks a word stands, counted once: a long question asks it of every word."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from .db import Db

MOST_KEPT = 20_000  # words


class _Counts:
    """What was counted of one library, as one connection saw it."""

    def __init__(self, version: tuple) -> None:
        self.version = version
        self.of_word: dict[str, int] = {}


_kept: WeakKeyDictionary[Db, _Counts] = WeakKeyDictionary()


def count_chunks(db: Db, terms: Iterable[str]) -> dict[str, int]:
    """Return how many chunks each FTS5 term finds; read anew when chunks came or went."""
    version = (
        db.value("PRAGMA data_version"),
        db.value("SELECT max(id) FROM chunk"),
        db.value("SELECT total_changes()"),
    )
    kept = _kept.get(db)
    if kept is None or kept.version != version or len(kept.of_word) > MOST_KEPT:
        kept = _kept[db] = _Counts(version)
    found: dict[str, int] = {}
    for term in terms:
        if term not in kept.of_word:
            count = db.value("SELECT count(*) FROM chunk_fts WHERE chunk_fts MATCH ?", (term,))
            kept.of_word[term] = int(count)
        found[term] = kept.of_word[term]
    return found
