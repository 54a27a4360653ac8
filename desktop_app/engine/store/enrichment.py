"""Rows of enrichment: chunks that can be enriched, the queue, and results.

Owns `enrich_wanted`; the evidence itself is written by `store.evidence`. A chunk can be queued
once its document is ready.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ..messages import Message
from ..model import ClaimedRelation, Mention
from .db import Db

BY_MODEL = "e.strategy <> 'instant'"
READY = (
    "d.state = 'ready' AND c.end > d.body_start AND c.start < d.body_end"
    " AND EXISTS (SELECT 1 FROM extraction i WHERE i.chunk_id = c.id AND i.strategy = 'instant')"
)
ORDERS = {
    "importance": "w.importance DESC, w.document_id, w.order_no",
    "document": "w.document_id, w.order_no",
}


@dataclass(frozen=True, slots=True)
class EnrichableChunk:
    """A chunk that can be enriched; `importance` measures how frequent its names are."""

    chunk_id: int
    document_id: int
    order_no: int
    n_chars: int
    importance: float = 0.0


def among(column: str, values: Collection[int] | Collection[str] | None) -> tuple[str, list[str]]:
    """Return an SQL condition and its values; None allows everything."""
    if values is None:
        return "1", []
    return f"{column} IN (SELECT value FROM json_each(?))", [json.dumps(sorted(values))]


# --- which chunks there are -----------------------------------------------------------------


def fetch_enrichable_chunks(
    db: Db, document_ids: Collection[int] | None = None, chunk_ids: Collection[int] | None = None
) -> list[EnrichableChunk]:
    """Return the chunks that can be enriched, in reading order.

    Without `document_ids` and `chunk_ids`, excluded documents are left out.
    """
    where, values = among("c.document_id", document_ids)
    and_where, more = among("c.id", chunk_ids)
    aside = "" if document_ids is not None or chunk_ids is not None else " AND d.set_aside = 0"
    importance = _fetch_importance(db, where, values)
    return [
        EnrichableChunk(*(*r, importance.get(r[0], 0.0)))
        for r in db.rows(
            "SELECT c.id, c.document_id, c.order_no, c.end - c.start FROM chunk c"
            f" JOIN document d ON d.id = c.document_id WHERE {READY} AND {where}"
            f" AND {and_where}{aside} ORDER BY c.document_id, c.order_no",
            (*values, *more),
        )
    ]


def _fetch_importance(db: Db, where: str, values: Sequence[str]) -> dict[int, float]:
    """Return for each chunk the sum, over its names, of the logarithm of their mentions."""
    return dict(
        db.rows(
            "WITH n AS (SELECT name_id, ln(1.0 + count(*)) AS central FROM mention GROUP BY 1)"
            " SELECT chunk_id, sum(central) FROM"
            f" (SELECT DISTINCT c.chunk_id, c.name_id FROM mention c WHERE {where})"
            " JOIN n USING (name_id) GROUP BY 1",
            values,
        )
    )


def fetch_entity_chunks(db: Db, entity_id: int) -> dict[int, int]:
    """Return the chunks that mention an entity under any of its names, with the count.

    Excluded documents are left out.
    """
    return dict(
        db.rows(
            "SELECT m.chunk_id, count(*) FROM mention m JOIN entity_name n USING (name_id)"
            " JOIN document d ON d.id = m.document_id"
            " WHERE n.entity_id = ? AND d.set_aside = 0 GROUP BY 1",
            (entity_id,),
        )
    )


def fetch_range_chunks(db: Db, document_id: int, start: int, end: int) -> list[int]:
    """Return the chunks that overlap a part of a document's text."""
    return db.column(
        "SELECT id FROM chunk WHERE document_id = ? AND end > ? AND start < ?",
        (document_id, start, end),
    )


def fetch_languages(db: Db, document_ids: Collection[int]) -> list[tuple[int, str]]:
    where, values = among("id", document_ids)
    return db.rows(f"SELECT id, language FROM document WHERE {where}", values)


def fetch_done(
    db: Db, document_ids: Collection[int], model: str, prompt_version: str
) -> frozenset[int]:
    """Return the chunks that have this extraction already, or imported evidence."""
    where, values = among("c.document_id", document_ids)
    return frozenset(
        db.column(
            "SELECT e.chunk_id FROM extraction e JOIN chunk c ON c.id = e.chunk_id"
            f" WHERE {where} AND e.state = 'done' AND {BY_MODEL}"
            " AND (e.strategy = 'given' OR (e.model = ? AND e.prompt_version = ?))",
            (*values, model, prompt_version),
        )
    )


# --- the queue ------------------------------------------------------------------------------


def add_wanted(db: Db, places: Iterable[EnrichableChunk], priority: int) -> None:
    """Add chunks to the queue; a queued chunk keeps the higher priority."""
    db.write_many(
        "INSERT INTO enrich_wanted(chunk_id, document_id, priority, importance, order_no)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT(chunk_id) DO UPDATE SET priority = excluded.priority,"
        " importance = excluded.importance WHERE excluded.priority > priority",
        [(p.chunk_id, p.document_id, priority, p.importance, p.order_no) for p in places],
    )


def remove_wanted(
    db: Db, document_ids: Collection[int] | None = None, chunk_ids: Collection[int] | None = None
) -> None:
    """Remove chunks from the queue; all of them without arguments."""
    where, values = among("document_id", document_ids)
    and_where, more = among("chunk_id", chunk_ids)
    db.write(f"DELETE FROM enrich_wanted WHERE {where} AND {and_where}", (*values, *more))


def fetch_wanted_documents(db: Db, document_ids: Collection[int] | None = None) -> frozenset[int]:
    """Return the documents, or those of some, that have chunks in the queue."""
    where, values = among("document_id", document_ids)
    rows = db.rows(f"SELECT DISTINCT document_id FROM enrich_wanted WHERE {where}", values)
    return frozenset(r[0] for r in rows)


def highest_priority(db: Db) -> int:
    return db.value("SELECT max(priority) FROM enrich_wanted") or 0


def find_next(db: Db, order: str, taken: Collection[int], min_priority: int = 0) -> int | None:
    """Return the next chunk that is not in `taken`, None if the queue is empty."""
    rows = db.rows(
        "SELECT w.chunk_id FROM enrich_wanted w JOIN document d ON d.id = w.document_id"
        f" WHERE d.state = 'ready' AND w.priority >= ? ORDER BY w.priority DESC, {ORDERS[order]}"
        " LIMIT ?",
        (min_priority, len(taken) + 1),
    )
    return next((r[0] for r in rows if r[0] not in taken), None)


def is_wanted(db: Db, chunk_id: int) -> bool:
    return db.value("SELECT 1 FROM enrich_wanted WHERE chunk_id = ?", (chunk_id,)) is not None


def has_chunk(db: Db, chunk_id: int, text: str) -> bool:
    """Return whether a chunk still exists with this text: ids of deleted chunks are reused."""
    return bool(db.value("SELECT instr(text, ?) FROM chunk WHERE id = ?", (text, chunk_id)))


def count_wanted(db: Db, min_priority: int = 0) -> tuple[int, int]:
    """Return the number of queued chunks and of their characters."""
    return db.row(
        "SELECT count(*), coalesce(sum(c.end - c.start), 0) FROM enrich_wanted w"
        " JOIN chunk c ON c.id = w.chunk_id JOIN document d ON d.id = w.document_id"
        " WHERE d.state = 'ready' AND w.priority >= ?",
        (min_priority,),
    ) or (0, 0)


def find_cost(db: Db, chunk_id: int, model: str, prompt_version: str) -> tuple[int, float]:
    """Return the tokens and seconds of a chunk's finished extraction by a model, or 0."""
    found = db.row(
        "SELECT n_tokens, seconds FROM extraction WHERE chunk_id = ? AND model = ?"
        " AND prompt_version = ? AND state = 'done' ORDER BY created_at DESC",
        (chunk_id, model, prompt_version),
    )
    return (found[0], found[1]) if found else (0, 0.0)


@dataclass(frozen=True, slots=True)
class DocumentEnrichment:
    """Enrichment status of one document.

    Attributes:
        n_chunks: chunks that can be enriched.
        n_enriched: chunks that a model has finished; `n_empty` of them gave nothing.
        n_waiting: chunks in the queue.
        n_failed: chunks that failed and are not in the queue.
        n_tokens, seconds: cost of the finished and the failed chunks.
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
    """A failed chunk with the reason; `start` and `end` are its place in the document."""

    chunk_id: int
    document_id: int
    chunk_order: int
    start: int
    end: int
    heading: str
    reason: Message
    model: str
    n_tokens: int
    seconds: float


def fetch_enrichment(db: Db) -> list[DocumentEnrichment]:
    """Return the status of every ready document, by id."""
    return [
        DocumentEnrichment(*r)
        for r in db.rows(
            "WITH f AS (SELECT c.id, c.document_id,"
            "  max(e.state = 'done') AS is_done, max(e.state = 'failed') AS is_failed,"
            "  max(e.state = 'done' AND e.n_found > 0) AS is_found,"
            "  sum(e.n_tokens) AS n_tokens, sum(e.seconds) AS seconds,"
            "  max(CASE WHEN e.state = 'done' THEN e.model END) AS model"
            f"  FROM chunk c JOIN extraction e ON e.chunk_id = c.id AND {BY_MODEL}"
            "  GROUP BY c.id),"
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
            f" WHERE {READY} GROUP BY 1 ORDER BY 1"
        )
    ]


def fetch_failures(db: Db, document_ids: Collection[int] | None = None) -> list[Failure]:
    """Return the chunks that failed and are not in the queue, in reading order."""
    where, values = among("c.document_id", document_ids)
    return [
        # the last one if there are several
        Failure(*(*r[:6], Message.from_stored(r[6]), *r[7:-1]))
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


def find_chunk_source(db: Db, chunk_id: int) -> ChunkSource | None:
    """Return the text of a chunk to be extracted, None if it was deleted."""
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


def fetch_chunk_mentions(db: Db, chunk_id: int) -> tuple[Mention, ...]:
    """Return the mentions in a chunk, in reading order."""
    return tuple(
        Mention(*r)
        for r in db.rows(
            "SELECT n.text, m.type, m.start, m.end, m.sentence_start, m.sentence_end, m.weight"
            f" FROM mention m {_INSTANT.format('m')} JOIN name n ON n.id = m.name_id"
            " WHERE m.chunk_id = ? ORDER BY m.start, m.id",
            (chunk_id,),
        )
    )


def fetch_chunk_relations(db: Db, chunk_id: int) -> tuple[ClaimedRelation, ...]:
    """Return the pairs related in a chunk."""
    return tuple(
        ClaimedRelation(*(*r[:6], tuple(k for k in r[6].split("\n") if k), *r[7:]))
        for r in db.rows(
            "SELECT s.text, t.text, r.start, r.end, r.weight, r.description, r.keywords, r.kind,"
            f" r.confidence, r.direction & 3 FROM claimed_relation r {_INSTANT.format('r')}"
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


def fetch_chunks_to_sample(db: Db, min_chars: int) -> list[tuple[int, int]]:
    """Return (document, chunk) of chunks of some length in documents that are not excluded."""
    return db.rows(
        "SELECT c.document_id, c.id FROM chunk c JOIN document d ON d.id = c.document_id"
        " WHERE d.set_aside = 0 AND length(c.text) >= ? ORDER BY c.document_id, c.order_no",
        (min_chars,),
    )


# --- settings ----------------------------------------------------------------------


def find_setting(db: Db, key: str) -> str | None:
    value: str | None = db.value("SELECT value FROM setting WHERE key = ?", (key,))
    return value


def store_setting(db: Db, key: str, value: str) -> None:
    db.write("INSERT OR REPLACE INTO setting VALUES (?, ?)", (key, value))
