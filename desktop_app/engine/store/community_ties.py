"""What ties a community to the text and to others: the nearest sentence, relations across.

Owns these two look-ups. The rows of communities themselves are in `communities.py`.
"""

from __future__ import annotations

from .db import Db


def find_inner_sentence(
    db: Db, community_id: int, document_id: int, near: int
) -> tuple[int, int] | None:
    """Return (start, end) of the sentence tying members that is nearest to a place."""
    return db.row(
        "SELECT q.start, max(q.end) FROM community_member m"
        " JOIN entity_name a ON a.entity_id = m.entity_id"
        " JOIN claimed_relation q ON q.source_id = a.name_id AND q.document_id = ?2"
        " JOIN entity_name b ON b.name_id = q.target_id"
        " JOIN community_member o ON o.entity_id = b.entity_id AND o.community_id = ?1"
        " WHERE m.community_id = ?1 AND a.entity_id <> b.entity_id"
        " GROUP BY q.start ORDER BY abs(q.start - ?3) LIMIT 1",
        (community_id, document_id, near),
    )


def fetch_outer_ties(db: Db, community_id: int, level: int) -> list[tuple[int, int, float]]:
    """Return (community, relations, weight) of those of a level that one is tied to."""
    return db.rows(
        "WITH inside(id) AS (SELECT entity_id FROM community_member WHERE community_id = ?1),"
        " across(other, weight) AS ("
        "  SELECT r.target_id, r.weight FROM inside JOIN relation r ON r.source_id = inside.id"
        "  UNION ALL"
        "  SELECT r.source_id, r.weight FROM inside JOIN relation r ON r.target_id = inside.id)"
        " SELECT c.id, count(*), sum(x.weight) FROM across x"
        " JOIN community_member o ON o.entity_id = x.other"
        " JOIN community c ON c.id = o.community_id AND c.level = ?2 AND c.id <> ?1"
        " WHERE x.other NOT IN inside GROUP BY c.id ORDER BY 2 DESC, 3 DESC, c.id",
        (community_id, level),
    )
