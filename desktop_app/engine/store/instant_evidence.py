"""What the instant graph found, read back: for one chunk, and where a document has its names."""

from __future__ import annotations

from dataclasses import dataclass

from ..types import ClaimedRelation, Mention
from .db import Db

_INSTANT = "JOIN extraction e ON e.id = {0}.extraction_id AND e.strategy = 'instant'"


@dataclass(frozen=True, slots=True)
class ChunkSource:
    """A chunk's text inside the work itself (without licence head and tail), and its place."""

    chunk_id: int
    document_id: int
    order_no: int
    start: int
    text: str
    language: str
    title: str
    heading: str


def find_source(db: Db, chunk_id: int) -> ChunkSource | None:
    """Return what is to be read in a chunk, None if it is gone."""
    row = db.row(
        "SELECT c.id, c.document_id, c.order_no, max(c.start, d.body_start),"
        " substr(c.text, 1 + max(0, d.body_start - c.start),"
        "  max(0, min(c.end, d.body_end) - max(c.start, d.body_start))),"
        " d.language, d.title, c.heading_path"
        " FROM chunk c JOIN document d ON d.id = c.document_id WHERE c.id = ?",
        (chunk_id,),
    )
    return ChunkSource(*row) if row else None


def fetch_sample(db: Db, document_id: int, n_chars: int = 20_000) -> str:
    """Return the beginning of a document's body."""
    return (
        db.value(
            "SELECT substr(t.text, 1 + d.body_start, min(?, d.body_end - d.body_start))"
            " FROM document d JOIN document_text t ON t.document_id = d.id WHERE d.id = ?",
            (n_chars, document_id),
        )
        or ""
    )


def fetch_mentions(db: Db, chunk_id: int) -> tuple[Mention, ...]:
    """Return the names seen in a chunk, in reading order."""
    return tuple(
        Mention(*r)
        for r in db.rows(
            "SELECT n.text, m.type, m.start, m.end, m.sentence_start, m.sentence_end, m.weight"
            f" FROM mention m {_INSTANT.format('m')} JOIN name n ON n.id = m.name_id"
            " WHERE m.chunk_id = ? ORDER BY m.start, m.id",
            (chunk_id,),
        )
    )


def fetch_relations(db: Db, chunk_id: int) -> tuple[ClaimedRelation, ...]:
    """Return the pairs tied in a chunk."""
    return tuple(
        ClaimedRelation(*r[:6], tuple(k for k in r[6].split("\n") if k), *r[7:])
        for r in db.rows(
            "SELECT s.text, t.text, r.start, r.end, r.weight, r.description, r.keywords, r.kind,"
            f" r.confidence FROM claimed_relation r {_INSTANT.format('r')}"
            " JOIN name s ON s.id = r.source_id JOIN name t ON t.id = r.target_id"
            " WHERE r.chunk_id = ? ORDER BY r.id",
            (chunk_id,),
        )
    )


def fetch_name_places(db: Db, document_id: int) -> list[tuple[str, int, float, int]]:
    """Return (name, chunk number, best weight, mentions) over a document."""
    return db.rows(
        "SELECT n.text, c.order_no, max(m.weight), count(*)"
        f" FROM mention m {_INSTANT.format('m')} JOIN name n ON n.id = m.name_id"
        " JOIN chunk c ON c.id = m.chunk_id WHERE m.document_id = ? GROUP BY 1, 2",
        (document_id,),
    )


def fetch_pair_places(db: Db, document_id: int) -> list[tuple[str, str, int, float]]:
    """Return (name, name, chunk number, weight) over a document."""
    return db.rows(
        "SELECT s.text, t.text, c.order_no, r.weight"
        f" FROM claimed_relation r {_INSTANT.format('r')} JOIN chunk c ON c.id = r.chunk_id"
        " JOIN name s ON s.id = r.source_id JOIN name t ON t.id = r.target_id"
        " WHERE r.document_id = ?",
        (document_id,),
    )
