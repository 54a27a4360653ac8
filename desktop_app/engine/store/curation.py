"""Rows of what the person decided. Written inside `Db.edit` only, so that it can be undone."""

from __future__ import annotations

from .db import Db


def fetch_merged(db: Db) -> list[tuple[str, str]]:
    return db.rows("SELECT keep, dropped FROM merged")


def fetch_never_merged(db: Db) -> list[tuple[str, str]]:
    return db.rows("SELECT name, other FROM never_merged")


def fetch_edits(db: Db) -> list[tuple[str, str | None, str | None, str | None]]:
    return db.rows("SELECT name, new_name, type, description FROM entity_edit")


def fetch_aliases(db: Db) -> list[tuple[str, str]]:
    return db.rows("SELECT name, alias FROM alias")


def fetch_deleted_names(db: Db) -> list[str]:
    return [r[0] for r in db.rows("SELECT name FROM deleted_name")]


def fetch_hand_relations(db: Db) -> list[tuple[str, str, str, str, float, int]]:
    return db.rows(
        "SELECT source, target, description, keywords, weight, deleted FROM hand_relation"
    )


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


def write_over(
    db: Db,
    name: str,
    *,
    new_name: str | None = None,
    type_: str | None = None,
    description: str | None = None,
) -> None:
    """Keep what the person wrote over an entity that has this name; None leaves a field."""
    db.write(
        "INSERT INTO entity_edit VALUES (?1, ?2, ?3, ?4) ON CONFLICT(name) DO UPDATE SET"
        " new_name = coalesce(?2, new_name), type = coalesce(?3, type),"
        " description = coalesce(?4, description)",
        (name, new_name, type_, description),
    )


def add_alias(db: Db, name: str, alias: str) -> None:
    db.write("INSERT OR IGNORE INTO alias VALUES (?, ?)", (name, alias))


def add_deleted_name(db: Db, name: str) -> None:
    db.write("INSERT OR IGNORE INTO deleted_name VALUES (?)", (name,))
