"""Rows for looking at one entity beside another, and for what an entity belongs to."""

from __future__ import annotations

from .db import Db


def fetch_ties(db: Db, entity_id: int) -> list[tuple[int, str, str, float]]:
    """Return (entity, name, type, weight) of all that an entity is tied to, strongest first."""
    return db.rows(
        "SELECT e.id, e.name, e.type, r.weight FROM"
        " (SELECT id, target_id AS other, weight FROM relation WHERE source_id = ?1 UNION ALL"
        "  SELECT id, source_id, weight FROM relation WHERE target_id = ?1) r"
        " JOIN entity e ON e.id = r.other ORDER BY r.weight DESC, r.id",
        (entity_id,),
    )


def fetch_meetings(db: Db, entity_id: int, other_id: int) -> list[int]:
    """Return a mention of the first for each sentence that names both, in reading order."""
    return [
        r[0]
        for r in db.rows(
            "WITH here AS (SELECT min(m.id) AS id, m.document_id, m.sentence_start FROM mention m"
            "  JOIN entity_name en USING (name_id) WHERE en.entity_id = ?1 GROUP BY 2, 3),"
            " there AS (SELECT DISTINCT m.document_id, m.sentence_start FROM mention m"
            "  JOIN entity_name en USING (name_id) WHERE en.entity_id = ?2)"
            " SELECT here.id FROM here JOIN there USING (document_id, sentence_start)"
            " ORDER BY document_id, sentence_start",
            (entity_id, other_id),
        )
    ]


def fetch_communities_of(db: Db, entity_id: int) -> list[tuple[int, int, str, int]]:
    """Return (community, level, title, members) of an entity, the smallest first.

    What no tie holds together is left out.
    """
    return db.rows(
        "SELECT c.id, c.level, coalesce(nullif(r.title, ''), c.title), c.n_members"
        " FROM community_member m JOIN community c ON c.id = m.community_id"
        " LEFT JOIN report r ON r.community_id = c.id"
        " WHERE m.entity_id = ? AND NOT c.is_loose AND c.n_members > 1"
        " ORDER BY c.n_members, c.level DESC, c.id",
        (entity_id,),
    )


def fetch_biggest_of(db: Db, community_id: int, without: int, limit: int) -> list[str]:
    """Return the names that hold a community together most, one entity left out."""
    return [
        r[0]
        for r in db.rows(
            "SELECT e.name FROM community_member m JOIN entity e ON e.id = m.entity_id"
            " WHERE m.community_id = ? AND e.id <> ? ORDER BY m.place, e.id LIMIT ?",
            (community_id, without, limit),
        )
    ]
