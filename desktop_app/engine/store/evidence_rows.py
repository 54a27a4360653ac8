"""Reads evidence: what stands in each chunk, and what came since it was last looked at.

Only finished extractions count. Where a model has finished a chunk, its relations stand in the
place of the instant ones (the view `standing_claim`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .db import Db

ExtractionKey = tuple[int, int, str, float]
"""id, chunk id, strategy, created at: ids alone come again"""

RelationFields = tuple[int, int, int, float, str, str, str, float, int]
"""claim id, source and target name ids, weight, keywords, description, kind, confidence, start"""

_PART = 500


@dataclass(slots=True)
class ExtractionRows:
    """One extraction with all that it says; names are ids.

    Attributes:
        mentions: (name id, type, how often).
        names: (name id, type, description, confidence).
        also_called: pairs of names, as text.
    """

    id: int
    chunk_id: int
    document_id: int
    start: int
    language: str
    strategy: str
    mentions: list[tuple[int, str, int]] = field(default_factory=list)
    relations: list[RelationFields] = field(default_factory=list)
    names: list[tuple[int, str, str, float]] = field(default_factory=list)
    also_called: list[tuple[str, str]] = field(default_factory=list)


def fetch_extraction_keys(db: Db) -> set[ExtractionKey]:
    return set(
        db.rows("SELECT id, chunk_id, strategy, created_at FROM extraction WHERE state = 'done'")
    )


def fetch_extractions(db: Db, extraction_ids: Sequence[int]) -> list[ExtractionRows]:
    """Return finished extractions with all that they say, by id."""
    found = {
        r[0]: ExtractionRows(*r)
        for r in _rows(
            db,
            "SELECT x.id, x.chunk_id, c.document_id, c.start, d.language, x.strategy"
            " FROM extraction x JOIN chunk c ON c.id = x.chunk_id"
            " JOIN document d ON d.id = c.document_id WHERE x.state = 'done' AND x.id",
            extraction_ids,
        )
    }
    for extraction_id, *row in _rows(
        db,
        "SELECT extraction_id, name_id, type, count(*) FROM mention WHERE extraction_id",
        extraction_ids,
        " GROUP BY 1, 2, 3",
    ):
        found[extraction_id].mentions.append(tuple(row))
    for extraction_id, *row in _rows(
        db,
        "SELECT extraction_id, id, source_id, target_id, weight, keywords, description, kind,"
        " confidence, start FROM claimed_relation WHERE extraction_id",
        extraction_ids,
    ):
        found[extraction_id].relations.append(tuple(row))
    for extraction_id, *row in _rows(
        db,
        "SELECT extraction_id, name_id, type, description, confidence FROM name_claim"
        " WHERE extraction_id",
        extraction_ids,
    ):
        found[extraction_id].names.append(tuple(row))
    for extraction_id, *row in _rows(
        db,
        "SELECT s.extraction_id, a.text, b.text FROM also_called s JOIN name a ON a.id = s.name_id"
        " JOIN name b ON b.id = s.other_id WHERE s.extraction_id",
        extraction_ids,
    ):
        found[extraction_id].also_called.append(tuple(row))
    return [found[i] for i in sorted(found)]


def _rows(db: Db, sql: str, ids: Sequence[int], end: str = "") -> Iterator[tuple]:
    for i in range(0, len(ids), _PART):
        part = ids[i : i + _PART]
        yield from db.rows(f"{sql} IN ({','.join('?' * len(part))}){end}", part)


def fetch_names(db: Db, after_id: int = 0) -> dict[int, str]:
    """Return the names by id, those that came after a known one; namesakes with their sense."""
    return dict(db.rows(f"SELECT id, {NAME_KEY} FROM name WHERE id > ?", (after_id,)))


def find_name_ids(db: Db, texts: Sequence[str]) -> dict[int, str]:
    """Return the ids of those of the names that are known."""
    return dict(_rows(db, "SELECT id, text FROM name WHERE sense = 0 AND text", sorted(texts)))


NAME_KEY = "iif(sense = 0, text, text || char(0x2063) || sense)"  # as `graph.names.sense_key`


def fetch_descriptions(
    db: Db,
) -> tuple[dict[int, list[tuple[tuple[int, int], str]]], dict[tuple[int, int], list]]:
    """Return what models wrote of each entity and of each pair of entities of the graph.

    Each text with its place, (document id, offset).
    """
    entities: dict[int, list[tuple[tuple[int, int], str]]] = defaultdict(list)
    for entity_id, document_id, start, text in db.rows(
        "SELECT en.entity_id, n.document_id, c.start, n.description FROM name_claim n"
        " JOIN entity_name en USING (name_id) JOIN chunk c ON c.id = n.chunk_id"
        " WHERE n.description <> '' AND n.type <> 'none'"
    ):
        entities[entity_id].append(((document_id, start), text))
    pairs: dict[tuple[int, int], list] = defaultdict(list)
    for a, b, document_id, start, text in db.rows(
        "SELECT min(a.entity_id, b.entity_id), max(a.entity_id, b.entity_id), q.document_id,"
        " q.start, q.description FROM standing_claim q"
        " JOIN entity_name a ON a.name_id = q.source_id"
        " JOIN entity_name b ON b.name_id = q.target_id"
        " WHERE q.description <> '' AND a.entity_id <> b.entity_id"
    ):
        pairs[a, b].append(((document_id, start), text))
    return dict(entities), dict(pairs)
