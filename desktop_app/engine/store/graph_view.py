"""Data for drawing the graph: all relations, documents of entities, stored views.

Owns the rows of stored views (`graph_view`, `layout`). Knows no algorithms.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from ..model import CommunitySize
from .db import Db


def fetch_drawn_relations(db: Db) -> list[tuple[int, int, int, float, str]]:
    """Return (id, one end, other end, weight, kind) of every relation."""
    return db.rows("SELECT id, source_id, target_id, weight, kind FROM relation")


def fetch_homes(db: Db, entity_ids: Sequence[int]) -> list[tuple[int, int, int, int]]:
    """Return (entity, document, mentions there, first place there), most mentions first."""
    return db.rows(
        "SELECT en.entity_id, m.document_id, count(*) AS n, min(m.start)"
        " FROM json_each(?) w JOIN entity_name en ON en.entity_id = w.value"
        " JOIN mention m ON m.name_id = en.name_id"
        " GROUP BY en.entity_id, m.document_id ORDER BY n DESC, m.document_id",
        (json.dumps([int(i) for i in entity_ids]),),
    )


def fetch_groups(db: Db, entity_ids: Iterable[int], level: int = 0) -> list[tuple[int, int, str]]:
    """Return (entity, community, its title) of a level; empty where there are no communities.

    Communities that were too small to divide count on deeper levels too; unconnected entities have
    no group.
    """
    return db.rows(
        "SELECT m.entity_id, c.id, coalesce(e.title, nullif(r.title, ''), c.title)"
        " FROM json_each(?1) w JOIN community_member m ON m.entity_id = w.value"
        " JOIN community c ON c.id = m.community_id AND NOT c.is_loose AND (c.level = ?2 OR"
        " (c.level < ?2 AND NOT EXISTS (SELECT 1 FROM community k WHERE k.parent_id = c.id)))"
        " LEFT JOIN report r ON r.community_id = c.id"
        " LEFT JOIN report_edit e ON e.community_id = c.id",
        (json.dumps([int(i) for i in entity_ids]), level),
    )


def fetch_community_sizes(db: Db, level: int) -> list[CommunitySize]:
    """Return the sizes of communities to this level, without the one for unconnected entities."""
    rows = db.rows(
        "SELECT id, level, parent_id, n_members, weight FROM community"
        " WHERE NOT is_loose AND level <= ?",
        (level,),
    )
    return [CommunitySize(*row) for row in rows]


def count_graph_levels(db: Db) -> int:
    """Return how many levels of communities there are."""
    return 1 + int(db.value("SELECT coalesce(max(level), -1) FROM community"))


def fetch_neighbours(db: Db, entity_id: int) -> list[tuple[int, int, float, str]]:
    """Return (relation, other entity, weight, kind) of one entity, strongest first."""
    return db.rows(
        "SELECT id, target_id, weight, kind FROM relation WHERE source_id = ?1 UNION ALL"
        " SELECT id, source_id, weight, kind FROM relation WHERE target_id = ?1"
        " ORDER BY 3 DESC, 1",
        (entity_id,),
    )


def fetch_merged_into(db: Db, entity_ids: Sequence[int]) -> list[tuple[int, int]]:
    """Return (id, present entity) of entities that were merged into another one.

    An entity's id is that of one of its names, and names stay when entities are merged.
    """
    return db.rows(
        "SELECT w.value, en.entity_id FROM json_each(?) w"
        " JOIN entity_name en ON en.name_id = w.value AND en.entity_id <> w.value"
        " WHERE NOT EXISTS (SELECT 1 FROM entity e WHERE e.id = w.value)",
        (json.dumps([int(i) for i in entity_ids]),),
    )


def list_views(db: Db) -> list[tuple[str, str]]:
    """Return (name, content as JSON) of every stored view, by name."""
    return db.rows("SELECT name, content FROM graph_view ORDER BY name")


def fetch_view(db: Db, name: str) -> tuple[str, list[tuple[int, float, float, int]]] | None:
    """Return a view's content and (entity, x, y, pinned) of its nodes."""
    value = db.value("SELECT content FROM graph_view WHERE name = ?", (name,))
    if value is None:
        return None
    places = db.rows("SELECT entity_id, x, y, pinned FROM layout WHERE view = ?", (name,))
    return str(value), places


def write_view(
    db: Db, name: str, content: str, places: Iterable[tuple[int, float, float, int]]
) -> None:
    """Store a view under its name, replacing an existing one."""
    db.write("INSERT OR REPLACE INTO graph_view VALUES (?, ?)", (name, content))
    db.write("DELETE FROM layout WHERE view = ?", (name,))
    db.write_many(
        "INSERT OR REPLACE INTO layout(view, entity_id, x, y, pinned) VALUES (?, ?, ?, ?, ?)",
        [(name, *place) for place in places],
    )


def delete_view(db: Db, name: str) -> None:
    db.write("DELETE FROM graph_view WHERE name = ?", (name,))
    db.write("DELETE FROM layout WHERE view = ?", (name,))


def fetch_kinds(db: Db) -> list[tuple[str, int]]:
    """Return (kind, number of relations), most frequent first."""
    return db.rows(
        "SELECT kind, count(*) AS n FROM relation WHERE kind <> '' GROUP BY kind"
        " ORDER BY n DESC, kind"
    )
