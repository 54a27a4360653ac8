"""Rows of the whole library for exports, read one after another and in the order of their ids.

Sentences are (document, start, end); their text is cut out of the document by the caller. Nothing
here holds more than one row in memory, except what the caller collects.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ..model import Reference
from .db import Db
from .document_metadata import fetch_document_references
from .graph import fetch_entities_by_key

_EVIDENCE = (
    " FROM standing_claim q JOIN entity_name a ON a.name_id = q.source_id"
    " JOIN entity_name b ON b.name_id = q.target_id"
    " JOIN relation r ON r.source_id = min(a.entity_id, b.entity_id)"
    "  AND r.target_id = max(a.entity_id, b.entity_id)"
)


def iter_documents(db: Db) -> Iterator[tuple[Reference, str, str, int]]:
    """Yield each document as (what a citation says of it, file name, sha256, characters)."""
    rest = db.iterate("SELECT id, file_name, sha256, n_chars FROM document ORDER BY id")
    references = iter(fetch_document_references(db))
    for (document_id, *values), reference in zip(rest, references, strict=True):
        if reference.document_id != document_id:
            raise RuntimeError("documents in two orders")
        yield reference, *values


EntityFields = tuple[int, str, str, str, int, int, int, int]
"""id, name, type, description, mentions, relations, documents, whether the user edited it"""


def iter_entities(db: Db) -> Iterator[EntityFields]:
    """Yield each entity, by id."""
    yield from db.iterate(
        "SELECT id, name, type, description, n_mentions, n_relations, n_documents, edited"
        " FROM entity ORDER BY id"
    )


def fetch_names(db: Db, entity_ids: Collection[int]) -> dict[int, list[str]]:
    """Return the names of entities in the texts, the most frequent first."""
    names: dict[int, list[str]] = {}
    for entity_id, text, _ in sorted(
        db.rows_in(
            "SELECT en.entity_id, n.text, coalesce((SELECT sum(c.n) FROM name_count c"
            " WHERE c.name_id = n.id), 0) FROM entity_name en JOIN name n ON n.id = en.name_id"
            " WHERE en.entity_id",
            entity_ids,
        ),
        key=lambda row: (row[0], -row[2], row[1]),
    ):
        names.setdefault(entity_id, []).append(text)
    return names


RelationFields = tuple[int, int, float, int, str, str, str, float, int, int | None, int, int]
"""ends (smaller id first), weight, evidence, description, keywords (by lines), kind, confidence,
direction; document, start and end of the best sentence, the document None without one"""


def iter_relations(db: Db) -> Iterator[RelationFields]:
    """Yield each relation, by the ids of its ends."""
    yield from db.iterate(
        "SELECT r.source_id, r.target_id, r.weight, r.n_evidence, r.description, r.keywords,"
        " r.kind, r.confidence, r.direction & 3, q.document_id, coalesce(q.start, 0),"
        " coalesce(q.end, 0)"
        " FROM relation r LEFT JOIN claimed_relation q ON q.id = r.best_claim"
        " ORDER BY r.source_id, r.target_id"
    )


def fetch_edited_pairs(db: Db) -> set[tuple[int, int]]:
    """Return the ends (smaller id first) of the relations that the user wrote or changed."""
    named = db.rows("SELECT source, target FROM hand_relation WHERE NOT deleted")
    entities = fetch_entities_by_key(db, {name for pair in named for name in pair})
    return {
        (min(a, b), max(a, b))
        for source, target in named
        for a in entities.get(source, ())
        for b in entities.get(target, ())
    }


def iter_sentences(db: Db) -> Iterator[tuple[int, int, int]]:
    """Yield (document, start, end) of each sentence with a mention or evidence, in text order."""
    yield from db.iterate(
        "SELECT m.document_id, m.sentence_start, m.sentence_end FROM mention m"
        " JOIN entity_name en USING (name_id)"
        f" UNION SELECT q.document_id, q.start, q.end{_EVIDENCE}"
        " UNION SELECT q.document_id, q.start, q.end FROM relation r"
        "  JOIN claimed_relation q ON q.id = r.best_claim"
        " ORDER BY 1, 2, 3"
    )


MentionFields = tuple[int, int, int, int, int, int, str]
"""entity, document, start and end of the sentence, start and end of the name, name"""


def iter_mentions(db: Db, *, by_entity: bool = False) -> Iterator[MentionFields]:
    """Yield each place where an entity is named, in text order.

    Args:
        by_entity: in text order per entity, in the order of the entities.
    """
    order = "1, 2, 5, 6, 3, 4" if by_entity else "2, 5, 6, 1, 3, 4"
    yield from db.iterate(
        "SELECT en.entity_id, m.document_id, m.sentence_start, m.sentence_end, m.start, m.end,"
        " min(n.text) FROM mention m JOIN entity_name en USING (name_id)"
        f" JOIN name n ON n.id = m.name_id GROUP BY {order} ORDER BY {order}"
    )


EvidenceFields = tuple[
    int, int, int, int, int, int, int, float, str, int, float, str, str, str, str
]
"""id; ends of the relation (smaller id first) and its direction; document, start and end of the
sentence; weight, kind, direction between these ends, confidence, keywords (by lines), description,
strategy and model that found it"""


def iter_evidence(db: Db) -> Iterator[EvidenceFields]:
    """Yield the evidence of each relation, in the order of `iter_relations`, strongest first."""
    rows: Iterator[tuple[Any, ...]] = db.iterate(
        "SELECT q.id, r.source_id, r.target_id, r.direction & 3, q.document_id, q.start, q.end,"
        " q.weight, q.kind,"
        # bits 1 and 2 change places where the claim names the ends in the other order
        " CASE WHEN a.entity_id < b.entity_id THEN q.direction & 3"
        "  ELSE (q.direction & 1) * 2 + (q.direction >> 1 & 1) END,"
        " q.confidence, q.keywords, q.description, x.strategy, x.model"
        f"{_EVIDENCE} JOIN extraction x ON x.id = q.extraction_id"
        " ORDER BY r.source_id, r.target_id, q.weight DESC, q.id"
    )
    yield from rows


def iter_members(db: Db) -> Iterator[tuple[int, int, int]]:
    """Yield (community, entity, place) of each community of related entities, place 0 first."""
    yield from db.iterate(
        "SELECT m.community_id, m.entity_id, m.place FROM community c"
        " JOIN community_member m ON m.community_id = c.id WHERE NOT c.is_loose"
        " ORDER BY m.community_id, m.place, m.entity_id"
    )
