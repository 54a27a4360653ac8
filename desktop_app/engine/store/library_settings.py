"""Settings of the library, as key and text; also the state of the derived graph."""

from __future__ import annotations

from .db import Db

_GRAPH_STALE = "graph_stale"
_GRAPH_VERSION = "graph_version"


def find_setting(db: Db, key: str) -> str | None:
    value: str | None = db.value("SELECT value FROM setting WHERE key = ?", (key,))
    return value


def store_setting(db: Db, key: str, value: str) -> None:
    db.write("INSERT OR REPLACE INTO setting VALUES (?, ?)", (key, value))


def delete_setting(db: Db, key: str) -> None:
    db.write("DELETE FROM setting WHERE key = ?", (key,))


def is_graph_stale(db: Db) -> bool:
    """Return whether the graph is older than its evidence."""
    return find_setting(db, _GRAPH_STALE) is not None


def mark_graph_stale(db: Db) -> None:
    store_setting(db, _GRAPH_STALE, "1")


def mark_graph_current(db: Db) -> None:
    delete_setting(db, _GRAPH_STALE)


def find_graph_version(db: Db) -> str:
    """Return the version of the graph tables, "" if the graph was never written."""
    return find_setting(db, _GRAPH_VERSION) or ""


def increase_graph_version(db: Db) -> str:
    """Count up and return the version of the graph tables, so that others read them again."""
    version = str(int(find_graph_version(db) or 0) + 1)
    store_setting(db, _GRAPH_VERSION, version)
    return version
