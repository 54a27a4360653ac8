"""How far enrichment is, counted for each document, and the chunks that were given up."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from .db import Db
from .enrichment import BY_MODEL, READY, among


@dataclass(frozen=True, slots=True)
class DocumentEnrichment:
    """How far one document is.

    Attributes:
        n_chunks: chunks that can be enriched.
        n_enriched: chunks that a model has finished; `n_empty` of them gave nothing.
        n_waiting: chunks in the queue.
        n_failed: chunks that were given up and do not wait to be tried again.
        n_tokens, seconds: what the finished and the given-up chunks cost.
        model: the model of most finished chunks, "" if there is none.
    """

    document_id: int
    n_chunks: int = 0
    n_enriched: int = 0
    n_waiting: int = 0
    n_failed: int = 0
    n_empty: int = 0
    n_tokens: int = 0
    seconds: float = 0.0
    model: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A chunk that was given up, and why; `start` and `end` are its place in the document."""

    chunk_id: int
    document_id: int
    chunk_order: int
    start: int
    end: int
    heading: str
    reason: str
    model: str
    n_tokens: int
    seconds: float


def fetch_enrichment(db: Db, document_id: int | None = None) -> list[DocumentEnrichment]:
    """Return how far every ready document is, or one of them, by id."""
    among_documents = "1" if document_id is None else "c.document_id = ?1"
    values = () if document_id is None else (document_id,)
    return [
        DocumentEnrichment(*r)
        for r in db.rows(
            "WITH f AS (SELECT c.id, c.document_id,"
            "  max(e.state = 'done') AS is_done, max(e.state = 'failed') AS is_failed,"
            "  max(e.state = 'done' AND e.n_found > 0) AS is_found,"
            "  sum(e.n_tokens) AS n_tokens, sum(e.seconds) AS seconds,"
            "  max(CASE WHEN e.state = 'done' THEN e.model END) AS model"
            f"  FROM chunk c JOIN extraction e ON e.chunk_id = c.id AND {BY_MODEL}"
            f"  WHERE {among_documents} GROUP BY c.id),"
            " per_model AS (SELECT document_id, model, row_number() OVER"
            "  (PARTITION BY document_id ORDER BY count(*) DESC, model) AS place"
            "  FROM f WHERE model IS NOT NULL GROUP BY 1, 2)"
            " SELECT c.document_id, count(*), coalesce(sum(f.is_done), 0), count(w.chunk_id),"
            "  coalesce(sum(f.is_failed AND w.chunk_id IS NULL), 0),"
            "  coalesce(sum(f.is_done AND NOT f.is_found), 0),"
            "  coalesce(sum(f.n_tokens), 0), coalesce(sum(f.seconds), 0.0),"
            "  coalesce((SELECT model FROM per_model p"
            "   WHERE p.document_id = c.document_id AND p.place = 1), '')"
            " FROM chunk c JOIN document d ON d.id = c.document_id"
            " LEFT JOIN f ON f.id = c.id LEFT JOIN enrich_wanted w ON w.chunk_id = c.id"
            f" WHERE {READY} AND {among_documents} GROUP BY 1 ORDER BY 1",
            values,
        )
    ]


def fetch_failures(db: Db, document_ids: Collection[int] | None = None) -> list[Failure]:
    """Return the chunks that were given up and do not wait to be tried again, in reading order."""
    where, values = among("c.document_id", document_ids)
    return [
        Failure(*r[:-1])  # of several, the last
        for r in db.rows(
            "SELECT c.id, c.document_id, c.order_no, c.start, c.end, c.heading_path, e.reason,"
            " e.model, e.n_tokens, e.seconds, max(e.created_at) FROM extraction e"
            " JOIN chunk c ON c.id = e.chunk_id"
            f" WHERE e.state = 'failed' AND {BY_MODEL} AND {where}"
            " AND NOT EXISTS (SELECT 1 FROM enrich_wanted w WHERE w.chunk_id = c.id)"
            " GROUP BY c.id ORDER BY c.document_id, c.order_no",
            values,
        )
    ]
