"""Settings of the library, as key and text, and the state of its derived data."""

from __future__ import annotations

from .db import Db


def find_setting(db: Db, key: str) -> str | None:
    value: str | None = db.value("SELECT value FROM setting WHERE key = ?", (key,))
    return value


def store_setting(db: Db, key: str, value: str) -> None:
    db.write("INSERT OR REPLACE INTO setting VALUES (?, ?)", (key, value))


def is_graph_stale(db: Db) -> bool:
    """Return whether the graph is older than its evidence."""
    return bool(db.value("SELECT is_graph_stale FROM library_state"))


def mark_graph_stale(db: Db, stale: bool = True) -> None:
    db.write("UPDATE library_state SET is_graph_stale = ?", (int(stale),))


def find_communities_version(db: Db) -> int | None:
    """Return the graph version that the communities were made from, None without communities."""
    found: int | None = db.value("SELECT communities_version FROM library_state")
    return found


def store_communities_version(db: Db, version: int) -> None:
    db.write("UPDATE library_state SET communities_version = ?", (version,))


def find_embedding_model(db: Db) -> tuple[str, int] | None:
    """Return the name and dimension of the library's embedding model, None without vectors."""
    name, dim = db.row("SELECT embedding_model, embedding_dim FROM library_state") or ("", 0)
    return (name, dim) if name else None


def store_embedding_model(db: Db, name: str, dim: int) -> None:
    db.write("UPDATE library_state SET embedding_model = ?, embedding_dim = ?", (name, dim))
