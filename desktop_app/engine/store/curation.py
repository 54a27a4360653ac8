"""Rows of the user's decisions. Written inside `Db.edit` only, so that they can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .db import Db


def fetch_merged(db: Db) -> list[tuple[str, str]]:
    return db.rows("SELECT keep, dropped FROM merged")


def fetch_never_merged(db: Db) -> list[tuple[str, str]]:
    return db.rows("SELECT name, other FROM never_merged")


def fetch_edits(db: Db) -> list[tuple[str, str | None, str | None, str | None]]:
    return db.rows("SELECT name, new_name, type, description FROM entity_edit")


def fetch_aliases(db: Db) -> list[tuple[str, str]]:
    return db.rows("SELECT name, alias FROM alias")


def fetch_deleted_names(db: Db) -> dict[str, frozenset[int] | None]:
    """Return the deleted names with the documents concerned; None for all, forever."""
    document_ids: dict[str, int] = {}
    rows = db.rows("SELECT name, documents FROM deleted_name")
    if any(within for _, within in rows):
        document_ids = dict(db.rows("SELECT sha256, id FROM document"))
    return {
        name: frozenset(document_ids.get(h, 0) for h in within.split("\n")) if within else None
        for name, within in rows
    }


def fetch_hand_relations(db: Db) -> list[tuple[str, str, str, str, float, int, str]]:
    return db.rows(
        "SELECT source, target, description, keywords, weight, deleted, kind FROM hand_relation"
    )


def fetch_hand_entities(db: Db) -> list[str]:
    return [r[0] for r in db.rows("SELECT name FROM hand_entity")]


def add_merged(db: Db, keep: str, dropped: str) -> None:
    db.write("INSERT OR IGNORE INTO merged VALUES (?, ?)", (keep, dropped))
    db.write(
        "DELETE FROM never_merged WHERE (name = ?1 AND other = ?2) OR (name = ?2 AND other = ?1)",
        (keep, dropped),
    )


def add_never_merged(db: Db, name: str, other: str) -> None:
    db.write("INSERT OR IGNORE INTO never_merged VALUES (?, ?)", tuple(sorted((name, other))))
    db.write(
        "DELETE FROM merged WHERE (keep = ?1 AND dropped = ?2) OR (keep = ?2 AND dropped = ?1)",
        (name, other),
    )


def write_entity_edit(
    db: Db,
    name: str,
    *,
    new_name: str | None = None,
    type_: str | None = None,
    description: str | None = None,
) -> None:
    """Store the user's edits of the entity with this name; None leaves a field unchanged."""
    db.write(
        "INSERT INTO entity_edit VALUES (?1, ?2, ?3, ?4) ON CONFLICT(name) DO UPDATE SET"
        " new_name = coalesce(?2, new_name), type = coalesce(?3, type),"
        " description = coalesce(?4, description)",
        (name, new_name, type_, description),
    )


def remove_never_merged(db: Db, name: str, other: str) -> None:
    db.write("DELETE FROM never_merged WHERE name = ? AND other = ?", tuple(sorted((name, other))))


def delete_entity_edit(db: Db, name: str, field: str = "") -> None:
    """Delete the user's edits of an entity: one field, or all."""
    if field:
        assert field in ("new_name", "type", "description")
        db.write(f"UPDATE entity_edit SET {field} = NULL WHERE name = ?", (name,))
    else:
        db.write("DELETE FROM entity_edit WHERE name = ?", (name,))


def add_alias(db: Db, name: str, alias: str) -> None:
    db.write("INSERT OR IGNORE INTO alias VALUES (?, ?)", (name, alias))


def remove_alias(db: Db, name: str, alias: str) -> None:
    db.write("DELETE FROM alias WHERE name = ? AND alias = ?", (name, alias))


def add_deleted_name(db: Db, name: str, documents: Iterable[str] = ()) -> None:
    """Delete a name: in these documents (sha256), or forever if there are none."""
    db.write(
        "INSERT INTO deleted_name VALUES (?1, ?2) ON CONFLICT(name) DO UPDATE SET documents = ?2",
        (name, "\n".join(sorted(documents))),
    )


def remove_deleted_name(db: Db, name: str) -> None:
    db.write("DELETE FROM deleted_name WHERE name = ?", (name,))


def add_hand_entity(db: Db, name: str) -> None:
    db.write("INSERT OR IGNORE INTO hand_entity VALUES (?)", (name,))


def remove_hand_entity(db: Db, name: str) -> None:
    db.write("DELETE FROM hand_entity WHERE name = ?", (name,))


def write_hand_relation(
    db: Db,
    source: str,
    target: str,
    *,
    description: str = "",
    keywords: Iterable[str] = (),
    kind: str = "",
    weight: float = 1.0,
    deleted: bool = False,
) -> None:
    """Store the user's relation of two names, replacing an older one."""
    db.write("DELETE FROM hand_relation WHERE source = ? AND target = ?", (target, source))
    db.write(
        "INSERT OR REPLACE INTO hand_relation"
        "(source, target, description, keywords, weight, deleted, kind) VALUES (?,?,?,?,?,?,?)",
        (source, target, description, "\n".join(keywords), float(weight), int(deleted), kind),
    )


def choose_sense(db: Db, name: str, sense: int, places: Iterable[tuple[str, int]]) -> None:
    """Store the sense of the mentions at these (document sha256, start)."""
    db.write_many(
        "INSERT OR REPLACE INTO split_mention(name, sense, document, start) VALUES (?, ?, ?, ?)",
        [(name, sense, document, start) for document, start in places],
    )


def fetch_decisions(db: Db, table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the rows of a curation table, sorted."""
    names = ", ".join(columns)
    return db.rows(f"SELECT {names} FROM {table} ORDER BY {names}")


def add_decisions(
    db: Db, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Add rows to a curation table; existing rows stay."""
    marks = ", ".join("?" * len(columns))
    db.write_many(f"INSERT OR IGNORE INTO {table}({', '.join(columns)}) VALUES ({marks})", rows)
