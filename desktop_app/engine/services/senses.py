"""Brings mentions in line with what the person said of namesakes, before the graph is derived."""

from __future__ import annotations

from ..graph.names import normalise_name, sense_key
from ..graph.senses import NamedAt, Sensed, tell_senses
from ..store import splits
from ..store.db import Db


def settle_senses(db: Db) -> set[int]:
    """Give the mentions of split names their senses; return the chunks that changed.

    Runs inside a transaction. Costs one query where no name is split.
    """
    chunks: set[int] = set()
    for name in splits.fetch_split_names(db):
        told = _tell(db, name)
        senses = {one.sense for one in told} | {0}
        key = normalise_name(name)
        ids = splits.ensure_senses(db, name, key, senses)
        chunks |= splits.write_senses(db, name, {one.mention_id: one.sense for one in told}, ids)
    return chunks


def list_doubtful(db: Db) -> list[int]:
    """Return the mentions of split names that a person had better look at, by id."""
    return sorted(
        one.mention_id
        for name in splits.fetch_split_names(db)
        for one in _tell(db, name)
        if one.doubtful
    )


def next_sense(db: Db, name: str) -> int:
    """Return a number that no namesake of this name has had."""
    return 1 + (db.value("SELECT max(sense) FROM name WHERE text = ?", (name,)) or 0)


def key_of(db: Db, name_id: int) -> str:
    """Return what curation keys this name by."""
    text, sense = db.row("SELECT text, sense FROM name WHERE id = ?", (name_id,))
    return sense_key(text, sense)


def _tell(db: Db, name: str) -> list[Sensed]:
    beside = splits.fetch_beside(db, name)
    mentions = [
        NamedAt(mention_id, document_id, start, beside.get(chunk_id, frozenset()))
        for mention_id, document_id, start, chunk_id, _ in splits.fetch_mentions_of(db, name)
    ]
    return tell_senses(mentions, splits.fetch_chosen(db, name))
