"""Evidence for retrieval by the graph: of given chunks, and of given entities.

Knows no ranking.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .db import Db

NamedPlace = tuple[int, int, int, int, float]
"""chunk id, entity id, start and end of the sentence, how well it introduces the name"""

TiedPlace = tuple[int, int, int, int, int, float]
"""chunk id, first and second entity id (smaller first), start and end, weight"""

ClaimFields = tuple[int, int, int, float, str, str, str, float, int, int, int]
"""claim id, entity ids (smaller first), weight, keywords, description, kind, confidence,
document id, start, chunk id"""


def fetch_named_in(db: Db, chunk_ids: Sequence[int]) -> list[NamedPlace]:
    """Return the entities mentioned in chunks, sentence by sentence."""
    return db.rows_in(
        "SELECT m.chunk_id, en.entity_id, m.sentence_start, m.sentence_end, max(m.weight)"
        " FROM mention m JOIN entity_name en USING (name_id) WHERE m.chunk_id",
        chunk_ids,
        " GROUP BY 1, 2, 3, 4",
    )


def fetch_tied_in(db: Db, chunk_ids: Sequence[int]) -> list[TiedPlace]:
    """Return the pairs of entities related in chunks, with the evidence sentence."""
    return db.rows_in(
        "SELECT q.chunk_id, min(a.entity_id, b.entity_id), max(a.entity_id, b.entity_id),"
        " q.start, q.end, q.weight FROM standing_claim q"
        " JOIN entity_name a ON a.name_id = q.source_id"
        " JOIN entity_name b ON b.name_id = q.target_id"
        " WHERE a.entity_id <> b.entity_id AND q.chunk_id",
        chunk_ids,
    )


def fetch_windows(db: Db, window_ids: Sequence[int]) -> dict[int, tuple[int, int, int, str]]:
    """Return window -> (chunk id, start, end, text)."""
    return {
        r[0]: r[1:]
        for r in db.rows_in(
            "SELECT w.id, w.chunk_id, w.start, w.end,"
            " substr(c.text, w.start - c.start + 1, w.end - w.start)"
            " FROM window w JOIN chunk c ON c.id = w.chunk_id WHERE w.id",
            window_ids,
        )
    }


def fetch_chunk_labels(db: Db, chunk_ids: Sequence[int]) -> dict[int, str]:
    """Return chunk -> title of its document and its start."""
    return {
        i: f"{title} · {start}"
        for i, title, start in db.rows_in(
            "SELECT c.id, d.title, c.start FROM chunk c JOIN document d ON d.id = c.document_id"
            " WHERE c.id",
            chunk_ids,
        )
    }


def find_relation_ids(db: Db, pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Return pair (smaller id first) -> relation, for those pairs that have one."""
    sql = "SELECT id FROM relation WHERE source_id = ? AND target_id = ?"
    return {pair: i for pair in pairs if (i := db.value(sql, pair)) is not None}


def fetch_strongest_pairs(db: Db, entity_id: int, limit: int) -> list[tuple[int, int, float]]:
    """Return (smaller entity id, greater one, weight) of an entity's strongest relations."""
    return db.rows(
        "SELECT source_id, target_id, weight FROM"
        " (SELECT id, source_id, target_id, weight FROM relation WHERE source_id = ?1 UNION ALL"
        "  SELECT id, source_id, target_id, weight FROM relation WHERE target_id = ?1)"
        " ORDER BY weight DESC, id LIMIT ?2",
        (entity_id, limit),
    )


def fetch_names_and_degrees(db: Db, entity_ids: Iterable[int]) -> dict[int, tuple[str, int]]:
    """Return entity -> (all its names in one line, number of relations)."""
    return {
        r[0]: r[1:]
        for r in db.rows_in(
            "SELECT e.id, group_concat(n.text, ' '), e.n_relations FROM entity e"
            " JOIN entity_name en ON en.entity_id = e.id JOIN name n ON n.id = en.name_id"
            " WHERE e.id",
            entity_ids,
            " GROUP BY e.id",
        )
    }


def fetch_chunks_of_pair(db: Db, pair: tuple[int, int]) -> list[tuple[int, float]]:
    """Return (chunk id, weight) of the chunks that relate two entities, strongest first."""
    own, other = (f"(SELECT name_id FROM entity_name WHERE entity_id = ?{n})" for n in (1, 2))
    return db.rows(
        "SELECT q.chunk_id, sum(q.weight) AS weight FROM standing_claim q"
        f" WHERE (q.source_id IN {own} AND q.target_id IN {other})"
        f"  OR (q.source_id IN {other} AND q.target_id IN {own})"
        " GROUP BY 1 ORDER BY weight DESC, 1",
        pair,
    )


# --- evidence of given entities ------------------------------------------------------------------
# The caller filters documents: passing a hundred thousand ids to SQLite is slower than reading the
# rows that they would exclude.


def fetch_names_of(db: Db, entity_ids: Sequence[int]) -> list[tuple[int, int, str, str, int, int]]:
    """Return (entity id, name id, name, type, document id, mentions) of entities."""
    return db.rows_in(
        "SELECT en.entity_id, m.name_id, n.text, m.type, m.document_id, count(*)"
        " FROM entity_name en JOIN mention m USING (name_id) JOIN name n ON n.id = m.name_id"
        " WHERE en.entity_id",
        entity_ids,
        " GROUP BY 1, 2, 4, 5",
    )


def fetch_judgements_of(
    db: Db, entity_ids: Sequence[int]
) -> list[tuple[int, int, str, str, float, int, int, int]]:
    """Return the judgements of models about entities.

    As (entity id, name id, type, description, confidence, document id, start, chunk id).
    """
    return db.rows_in(
        "SELECT en.entity_id, q.name_id, q.type, q.description, q.confidence, q.document_id,"
        " c.start, q.chunk_id FROM entity_name en JOIN name_claim q USING (name_id)"
        " JOIN extraction x ON x.id = q.extraction_id AND x.state = 'done'"
        " JOIN chunk c ON c.id = q.chunk_id WHERE en.entity_id",
        entity_ids,
    )


def fetch_sentences_of(db: Db, entity_id: int) -> list[tuple[int, int, int, int]]:
    """Return (document id, chunk id, start, end) of all sentences that mention an entity.

    Those that introduce it best come first.
    """
    return db.rows(
        "SELECT m.document_id, min(m.chunk_id), m.sentence_start, max(m.sentence_end)"
        " FROM entity_name en JOIN mention m USING (name_id) WHERE en.entity_id = ?"
        " GROUP BY m.document_id, m.sentence_start"
        " ORDER BY max(m.weight) DESC, m.document_id, m.sentence_start",
        (entity_id,),
    )


def fetch_text(db: Db, chunk_id: int, start: int, end: int) -> str:
    """Return the part of a chunk's text in this range, in one line."""
    text = db.value(
        "SELECT substr(text, max(?2, start) - start + 1, min(?3, end) - max(?2, start))"
        " FROM chunk WHERE id = ?1",
        (chunk_id, start, end),
    )
    return " ".join((text or "").split())


def fetch_partners_of(db: Db, entity_ids: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return every (entity id, related entity, document id)."""
    return [
        row
        for own, other in (("source_id", "target_id"), ("target_id", "source_id"))
        for row in db.rows_in(
            "SELECT DISTINCT n.entity_id, o.entity_id, q.document_id FROM entity_name n"
            f" JOIN standing_claim q ON q.{own} = n.name_id"
            f" JOIN entity_name o ON o.name_id = q.{other} AND o.entity_id <> n.entity_id"
            " WHERE n.entity_id",
            entity_ids,
        )
    ]


def fetch_claims_among(db: Db, entity_ids: Sequence[int]) -> list[ClaimFields]:
    """Return the valid claims whose two ends are both among the entities."""
    wanted = set(entity_ids)
    found = db.rows_in(
        "SELECT q.id, a.entity_id, b.entity_id, q.weight, q.keywords, q.description, q.kind,"
        " q.confidence, q.document_id, q.start, q.chunk_id"
        " FROM entity_name a JOIN standing_claim q ON q.source_id = a.name_id"
        " JOIN entity_name b ON b.name_id = q.target_id WHERE a.entity_id",
        wanted,
    )
    return [
        (r[0], min(r[1:3]), max(r[1:3]), *r[3:]) for r in found if r[2] in wanted and r[1] != r[2]
    ]


def fetch_quotes(db: Db, claim_ids: Sequence[int]) -> dict[int, tuple[str, int, int, int]]:
    """Return claim -> (its sentence, document id, start, end)."""
    return {
        r[0]: r[1:]
        for r in db.rows_in(
            "SELECT q.id, substr(c.text, q.start - c.start + 1, q.end - q.start), q.document_id,"
            " q.start, q.end FROM claimed_relation q JOIN chunk c ON c.id = q.chunk_id"
            " WHERE q.id",
            claim_ids,
        )
    }
