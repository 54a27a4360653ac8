"""Provenance of one entity, its relations, and rejected names.

Reads rows; `services/provenance.py` evaluates them.
"""

from __future__ import annotations

from .db import Db
from .page_labels import PAGE_LABEL

NameClaimFields = tuple[str, str, str, str, float, int]
"""strategy, model, type, description, confidence, chunk id"""

TextClaimFields = tuple[str, str, str, str, str, str, str, str, int, str, int, int, str]
"""subject, object, type, status, start date, end date, description, quoted text, document id,
its title, start, end, page label"""


def fetch_name_claims_of(db: Db, entity_id: int) -> list[NameClaimFields]:
    """Return the claims of models and imports about an entity's names, in reading order."""
    return db.rows(
        "SELECT x.strategy, x.model, q.type, q.description, q.confidence, q.chunk_id"
        " FROM entity_name en JOIN name_claim q ON q.name_id = en.name_id"
        " JOIN extraction x ON x.id = q.extraction_id AND x.state = 'done'"
        " WHERE en.entity_id = ? ORDER BY q.document_id, q.chunk_id, q.id",
        (entity_id,),
    )


def count_passages_of(db: Db, entity_id: int) -> int:
    """Return the number of chunks that mention an entity."""
    return int(
        db.value(
            "SELECT count(DISTINCT m.chunk_id) FROM mention m JOIN entity_name en USING (name_id)"
            " WHERE en.entity_id = ?",
            (entity_id,),
        )
    )


def count_kinds_of(db: Db, entity_id: int) -> list[tuple[str, int, int]]:
    """Return (kind, relations, those stated by a model) of an entity."""
    return db.rows(
        "SELECT kind, count(*), sum(n_enriched > 0) FROM relation"
        " WHERE source_id = ?1 OR target_id = ?1 GROUP BY kind ORDER BY count(*) DESC, kind",
        (entity_id,),
    )


def fetch_edits_of(db: Db, entity_id: int) -> list[tuple[str | None, str | None]]:
    """Return the (type, description) that the user set for an entity's names."""
    return db.rows(
        "SELECT w.type, w.description FROM entity_name en JOIN name n ON n.id = en.name_id"
        " JOIN entity_edit w ON w.name = n.text WHERE en.entity_id = ?",
        (entity_id,),
    )


def fetch_text_claims_of(db: Db, entity_id: int, limit: int) -> list[TextClaimFields]:
    """Return the claims about an entity, in reading order."""
    return db.rows(
        "SELECT s.text, coalesce(o.text, ''), q.type, q.status, q.start_date, q.end_date,"
        " q.description, substr(c.text, q.start - c.start + 1, q.end - q.start), q.document_id,"
        " d.title, q.start, q.end,"
        f" coalesce((SELECT {PAGE_LABEL} FROM page p WHERE p.document_id = q.document_id"
        "  AND p.start <= q.start AND p.end > q.start), '')"
        " FROM text_claim q JOIN extraction x ON x.id = q.extraction_id AND x.state = 'done'"
        " JOIN name s ON s.id = q.subject_id LEFT JOIN name o ON o.id = q.object_id"
        " JOIN chunk c ON c.id = q.chunk_id JOIN document d ON d.id = q.document_id"
        " WHERE q.subject_id IN (SELECT name_id FROM entity_name WHERE entity_id = ?1)"
        "  OR q.object_id IN (SELECT name_id FROM entity_name WHERE entity_id = ?1)"
        " ORDER BY q.document_id, q.start, q.id LIMIT ?2",
        (entity_id, limit),
    )


def fetch_doubted_names(db: Db) -> list[tuple[int, str, int]]:
    """Return (name id, name, mentions) of names outside the graph that a model rejects."""
    return db.rows(
        "SELECT n.id, n.text, (SELECT count(*) FROM mention m WHERE m.name_id = n.id) AS uses"
        " FROM name n WHERE n.id IN (SELECT q.name_id FROM name_claim q"
        "   JOIN extraction x ON x.id = q.extraction_id AND x.state = 'done'"
        "   WHERE q.type = 'none')"
        " AND n.id NOT IN (SELECT name_id FROM entity_name) AND uses > 0"
        " ORDER BY uses DESC, n.text"
    )


def fetch_judgements_of_name(db: Db, name_id: int) -> list[tuple[str, float, str]]:
    """Return (type, confidence, model) of the models' judgements of one name."""
    return db.rows(
        "SELECT q.type, q.confidence, x.model FROM name_claim q"
        " JOIN extraction x ON x.id = q.extraction_id AND x.state = 'done'"
        " WHERE q.name_id = ? ORDER BY q.id",
        (name_id,),
    )


def find_first_mention(db: Db, name_id: int) -> int | None:
    """Return the first mention of a name in a chunk where a model rejected it."""
    found: int | None = db.value(
        "SELECT m.id FROM mention m WHERE m.name_id = ?1 ORDER BY m.chunk_id NOT IN"
        " (SELECT chunk_id FROM name_claim WHERE name_id = ?1 AND type = 'none'),"
        " m.document_id, m.start LIMIT 1",
        (name_id,),
    )
    return found


def fetch_named_neighbours(db: Db, entity_id: int) -> list[tuple[int, str, str, float]]:
    """Return (entity, name, type, weight) of all neighbours of an entity, strongest first."""
    return db.rows(
        "SELECT e.id, e.name, e.type, r.weight FROM"
        " (SELECT id, target_id AS other, weight FROM relation WHERE source_id = ?1 UNION ALL"
        "  SELECT id, source_id, weight FROM relation WHERE target_id = ?1) r"
        " JOIN entity e ON e.id = r.other ORDER BY r.weight DESC, r.id",
        (entity_id,),
    )


def fetch_meetings(db: Db, entity_id: int, other_id: int) -> list[int]:
    """Return a mention of the first for each sentence that names both, in reading order."""
    return db.column(
        "WITH here AS (SELECT min(m.id) AS id, m.document_id, m.sentence_start FROM mention m"
        "  JOIN entity_name en USING (name_id) WHERE en.entity_id = ?1 GROUP BY 2, 3),"
        " there AS (SELECT DISTINCT m.document_id, m.sentence_start FROM mention m"
        "  JOIN entity_name en USING (name_id) WHERE en.entity_id = ?2)"
        " SELECT here.id FROM here JOIN there USING (document_id, sentence_start)"
        " ORDER BY document_id, sentence_start",
        (entity_id, other_id),
    )


def fetch_entity_communities(db: Db, entity_id: int) -> list[tuple[int, int, str, int]]:
    """Return (community, level, title, members) of an entity, largest first.

    Unconnected communities are left out.
    """
    return db.rows(
        "SELECT c.id, c.level, coalesce(nullif(r.title, ''), c.title), c.n_members"
        " FROM community_member m JOIN community c ON c.id = m.community_id"
        " LEFT JOIN report r ON r.community_id = c.id"
        " WHERE m.entity_id = ? AND NOT c.is_loose AND c.n_members > 1"
        " ORDER BY c.level, c.n_members DESC, c.id",
        (entity_id,),
    )


def fetch_biggest_of(db: Db, community_id: int, without: int, limit: int) -> list[str]:
    """Return the names of the most connected members of a community, without one entity."""
    return db.column(
        "SELECT e.name FROM community_member m JOIN entity e ON e.id = m.entity_id"
        " WHERE m.community_id = ? AND e.id <> ? ORDER BY m.place, e.id LIMIT ?",
        (community_id, without, limit),
    )
