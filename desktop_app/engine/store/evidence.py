"""Rows of evidence: extractions with their names, mentions, relations, claims and events.

One transaction per chunk. A chunk has at most one finished extraction by a model, whose
relations replace the instant ones.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from ..messages import Message
from ..model import (
    EVENT_ROLES,
    REJECTED,
    ChunkEvidence,
    Claim,
    ClaimedEvent,
    ClaimedRelation,
    Judgement,
    Mention,
    NameClaim,
    StoredExtraction,
    TextClaim,
)
from .db import Db

_MOST_KNOWN = 20_000  # 3 MB; a library of 22 novels has 16,000 names


class NameIds:
    """Gives the id of a name without a sense, adding it when it is new; caches known names.

    Args:
        normalise_name: as in `graph.names`, which this layer must not know.
    """

    def __init__(self, db: Db, normalise_name: Callable[[str], str]) -> None:
        self._db = db
        self._normalise_name = normalise_name
        self._ids: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        if (known := self._ids.get(text)) is not None:
            return known
        name_id: int | None = self._db.value(
            "SELECT id FROM name WHERE text = ? AND sense = 0", (text,)
        )
        if name_id is None:
            name_id = self._db.write(
                "INSERT INTO name(text, key) VALUES (?, ?)", (text, self._normalise_name(text))
            )
        if len(self._ids) >= _MOST_KNOWN:
            self._ids.clear()
        self._ids[text] = name_id
        return name_id

    def forget(self) -> None:
        """Drop cached ids, which a rolled-back transaction may have removed."""
        self._ids.clear()


def done_chunks(db: Db, document_id: int, strategy: str) -> frozenset[int]:
    """Return the order numbers of the chunks that this strategy has finished."""
    return frozenset(
        db.column(
            "SELECT c.order_no FROM chunk c JOIN extraction e ON e.chunk_id = c.id"
            " WHERE c.document_id = ? AND e.strategy = ? AND e.state = 'done'",
            (document_id, strategy),
        )
    )


def store_evidence(
    db: Db,
    document_id: int,
    chunk_id: int,
    evidence: ChunkEvidence,
    name_ids: NameIds,
    *,
    strategy: str,
    model: str = "",
    prompt_version: str = "",
    n_tokens: int = 0,
    seconds: float = 0.0,
) -> None:
    """Write the evidence of one strategy in one chunk, replacing its earlier evidence.

    A model's evidence replaces that of every other model, and every failed attempt.
    """
    db.write(
        "DELETE FROM extraction WHERE chunk_id = ?1 AND (strategy = ?2 OR"
        " (?2 <> 'instant' AND strategy <> 'instant'))",
        (chunk_id, strategy),
    )
    rejected = {n.name for n in evidence.names if n.type == REJECTED}
    n_found = len(evidence.relations) + sum(n.name not in rejected for n in evidence.names)
    extraction_id = db.write(
        "INSERT INTO extraction(chunk_id, strategy, model, prompt_version, n_tokens, seconds,"
        " n_found, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (chunk_id, strategy, model, prompt_version, n_tokens, seconds, n_found, time.time()),
    )
    place = (extraction_id, chunk_id, document_id)
    _store_names(db, place, evidence, name_ids)
    _store_events(db, place, evidence.events)
    db.write_many(
        "INSERT INTO claimed_relation(extraction_id, chunk_id, document_id, source_id, target_id,"
        " start, end, weight, description, keywords, kind, confidence, direction)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
        [
            (
                *place,
                name_ids(r.source),
                name_ids(r.target),
                r.start,
                r.end,
                float(r.weight),
                r.description,
                "\n".join(r.keywords),
                r.kind,
                float(r.confidence),
                r.direction,
            )
            for r in evidence.relations
        ],
    )
    db.write_many(
        "INSERT INTO text_claim(extraction_id, chunk_id, document_id, subject_id, object_id,"
        " type, status, start_date, end_date, description, start, end)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
        [
            (
                *place,
                name_ids(c.subject),
                name_ids(c.object) if c.object else None,
                c.type,
                c.status,
                c.start_date,
                c.end_date,
                c.description,
                c.start,
                c.end,
            )
            for c in evidence.claims
        ],
    )


def _store_names(
    db: Db, place: tuple[int, int, int], evidence: ChunkEvidence, name_ids: NameIds
) -> None:
    db.write_many(
        "INSERT INTO mention(extraction_id, chunk_id, document_id, name_id, type, start, end,"
        " sentence_start, sentence_end, weight) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *place,
                name_ids(m.name),
                m.type,
                m.start,
                m.end,
                m.sentence_start,
                m.sentence_end,
                float(m.weight),
            )
            for m in evidence.mentions
        ],
    )
    db.write_many(
        "INSERT INTO also_called(extraction_id, name_id, other_id) VALUES (?, ?, ?)",
        [(place[0], name_ids(a), name_ids(b)) for a, b in evidence.also_called],
    )
    db.write_many(
        "INSERT INTO name_claim(extraction_id, chunk_id, document_id, name_id, type,"
        " description, confidence) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (*place, name_ids(n.name), n.type, n.description, float(n.confidence))
            for n in evidence.names
        ],
    )


def _store_events(db: Db, place: tuple[int, int, int], events: Sequence[ClaimedEvent]) -> None:
    first = int(db.value("SELECT coalesce(max(id), 0) + 1 FROM event")) if events else 0
    db.write_many(
        "INSERT INTO event(id, extraction_id, chunk_id, document_id, kind, start, end, word_start,"
        " word_end) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (first + number, *place, e.kind, e.start, e.end, e.word_start, e.word_end)
            for number, e in enumerate(events)
        ],
    )
    db.write_many(
        "INSERT INTO event_part(event_id, extraction_id, chunk_id, role, start)"
        " VALUES (?, ?, ?, ?, ?)",
        [
            (first + number, place[0], place[1], role, start)
            for number, e in enumerate(events)
            for role, starts in zip(EVENT_ROLES, (e.actors, e.patients, e.places), strict=True)
            for start in starts
        ],
    )


def store_failure(
    db: Db,
    chunk_id: int,
    *,
    strategy: str,
    model: str,
    prompt_version: str,
    reason: Message,
    n_tokens: int = 0,
    seconds: float = 0.0,
) -> None:
    """Write why a model gave nothing for a chunk; finished extractions stay.

    Nothing is written where this extraction is finished already.
    """
    db.write(
        "INSERT INTO extraction(chunk_id, strategy, model, prompt_version, state, reason,"
        " n_tokens, seconds, created_at) VALUES (?1, ?2, ?3, ?4, 'failed', ?5, ?6, ?7, ?8)"
        " ON CONFLICT(chunk_id, strategy, model, prompt_version) DO UPDATE SET reason = ?5,"
        " n_tokens = ?6, seconds = ?7, created_at = ?8 WHERE state = 'failed'",
        (
            chunk_id,
            strategy,
            model,
            prompt_version,
            reason.to_stored(),
            n_tokens,
            seconds,
            time.time(),
        ),
    )


ExtractionKey = tuple[int, int, str, float]
"""id, chunk id, strategy, created at: ids alone come again"""


def fetch_extraction_keys(db: Db) -> set[ExtractionKey]:
    return set(
        db.rows("SELECT id, chunk_id, strategy, created_at FROM extraction WHERE state = 'done'")
    )


def fetch_extractions(db: Db, extraction_ids: Sequence[int]) -> list[StoredExtraction]:
    """Return finished extractions with all their rows, by id."""

    def group(sql: str, end: str = "") -> dict[int, list[tuple[Any, ...]]]:
        rows: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
        for extraction_id, *row in db.rows_in(sql, extraction_ids, end):
            rows[extraction_id].append(tuple(row))
        return rows

    mentions = group(
        "SELECT extraction_id, name_id, type, count(*) FROM mention WHERE extraction_id",
        " GROUP BY 1, 2, 3",
    )
    claims: dict[int, list[Claim]] = defaultdict(list)
    for r in db.rows_in(
        "SELECT q.extraction_id, q.id, q.source_id, q.target_id, q.weight, q.keywords,"
        " q.description, q.kind, q.confidence, q.document_id, q.start, q.chunk_id, q.direction & 3"
        " FROM claimed_relation q WHERE q.extraction_id",
        extraction_ids,
    ):
        keywords = tuple(filter(None, r[5].split("\n")))
        claims[r[0]].append(
            Claim(r[1], r[2], r[3], r[4], keywords, r[6], r[7], r[8], (r[9], r[10]), *r[11:])
        )
    judgements = group(
        "SELECT extraction_id, name_id, type, description, confidence FROM name_claim"
        " WHERE extraction_id"
    )
    also_called = group(
        "SELECT s.extraction_id, a.text, b.text FROM also_called s JOIN name a ON a.id = s.name_id"
        " JOIN name b ON b.id = s.other_id WHERE s.extraction_id"
    )
    found = [
        StoredExtraction(
            id=i,
            chunk_id=chunk_id,
            place=(document_id, chunk_start),
            language=language,
            strategy=strategy,
            mentions=tuple((name_id, type_, n) for name_id, type_, n in mentions[i]),
            claims=tuple(claims[i]),
            judgements=tuple(Judgement(*row) for row in judgements[i]),
            also_called=tuple((a, b) for a, b in also_called[i]),
        )
        for i, chunk_id, document_id, chunk_start, language, strategy in db.rows_in(
            "SELECT x.id, x.chunk_id, c.document_id, c.start, d.language, x.strategy"
            " FROM extraction x JOIN chunk c ON c.id = x.chunk_id"
            " JOIN document d ON d.id = c.document_id WHERE x.state = 'done' AND x.id",
            extraction_ids,
        )
    ]
    return sorted(found, key=lambda extraction: extraction.id)


def iter_names(db: Db, after_id: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the ids above `after_id` with the names and their sense."""
    yield from db.iterate(f"SELECT id, {NAME_KEY} FROM name WHERE id > ? ORDER BY id", (after_id,))


def find_ids_of_keys(db: Db, keys: Collection[str]) -> dict[str, int]:
    """Return the ids of those of the names that exist, by name with its sense."""
    texts = {key.partition("\u2063")[0] for key in keys}
    rows = db.rows_in(f"SELECT {NAME_KEY}, id FROM name WHERE text", sorted(texts))
    return {key: name_id for key, name_id in rows if key in keys}


def find_name_ids(db: Db, texts: Sequence[str]) -> dict[int, str]:
    """Return the ids of those of the names that exist."""
    return dict(db.rows_in("SELECT id, text FROM name WHERE sense = 0 AND text", sorted(texts)))


def fetch_also_called(db: Db) -> list[tuple[str, str, int]]:
    """Return pairs of names that the text equates, with the count."""
    return db.rows(
        "SELECT a.text, b.text, count(*) FROM also_called t JOIN name a ON a.id = t.name_id"
        " JOIN name b ON b.id = t.other_id GROUP BY a.id, b.id"
    )


NAME_KEY = "iif(sense = 0, text, text || char(0x2063) || sense)"  # as `graph.names.sense_key`


def fetch_descriptions(
    db: Db,
) -> tuple[
    dict[int, list[tuple[tuple[int, int], str]]],
    dict[tuple[int, int], list[tuple[tuple[int, int], str]]],
]:
    """Return the models' descriptions of each entity and of each pair of entities of the graph.

    Each text with its place, (document id, offset).
    """
    entities: dict[int, list[tuple[tuple[int, int], str]]] = defaultdict(list)
    for entity_id, document_id, start, text in db.rows(
        "SELECT en.entity_id, n.document_id, c.start, n.description FROM name_claim n"
        " JOIN entity_name en USING (name_id) JOIN chunk c ON c.id = n.chunk_id"
        " WHERE n.description <> '' AND n.type <> 'none'"
    ):
        entities[entity_id].append(((document_id, start), text))
    pairs: dict[tuple[int, int], list[tuple[tuple[int, int], str]]] = defaultdict(list)
    for a, b, document_id, start, text in db.rows(
        "SELECT min(a.entity_id, b.entity_id), max(a.entity_id, b.entity_id), q.document_id,"
        " q.start, q.description FROM standing_claim q"
        " JOIN entity_name a ON a.name_id = q.source_id"
        " JOIN entity_name b ON b.name_id = q.target_id"
        " WHERE q.description <> '' AND a.entity_id <> b.entity_id"
    ):
        pairs[a, b].append(((document_id, start), text))
    return dict(entities), dict(pairs)


# --- evidence of one document ---------------------------------------------------------------------

_GIVEN_BY_MODELS = (
    " JOIN extraction e ON e.id = x.extraction_id AND e.strategy <> 'instant' AND e.state = 'done'"
    " JOIN chunk c ON c.id = e.chunk_id WHERE c.document_id = ? ORDER BY x.id"
)
_MENTIONS = (
    "SELECT c.order_no, n.text, x.type, x.start, x.end, x.sentence_start, x.sentence_end, x.weight"
    " FROM mention x JOIN name n ON n.id = x.name_id" + _GIVEN_BY_MODELS
)
_RELATIONS = (
    "SELECT c.order_no, a.text, b.text, x.start, x.end, x.weight, x.description, x.keywords,"
    " x.kind, x.confidence, x.direction & 3 FROM claimed_relation x"
    " JOIN name a ON a.id = x.source_id"
    " JOIN name b ON b.id = x.target_id" + _GIVEN_BY_MODELS
)
_ALSO_CALLED = (
    "SELECT c.order_no, a.text, b.text FROM also_called x JOIN name a ON a.id = x.name_id"
    " JOIN name b ON b.id = x.other_id" + _GIVEN_BY_MODELS
)
_NAME_CLAIMS = (
    "SELECT c.order_no, n.text, x.type, x.description, x.confidence FROM name_claim x"
    " JOIN name n ON n.id = x.name_id" + _GIVEN_BY_MODELS
)
_TEXT_CLAIMS = (
    "SELECT c.order_no, a.text, x.type, x.status, x.description, x.start, x.end,"
    " coalesce(b.text, ''), x.start_date, x.end_date FROM text_claim x"
    " JOIN name a ON a.id = x.subject_id LEFT JOIN name b ON b.id = x.object_id" + _GIVEN_BY_MODELS
)


def fetch_stored_evidence(db: Db, document_id: int) -> dict[int, ChunkEvidence]:
    """Return the evidence of models and imports in a document, by chunk order."""
    parts: dict[int, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for kind, sql in (
        ("mentions", _MENTIONS),
        ("relations", _RELATIONS),
        ("also_called", _ALSO_CALLED),
        ("names", _NAME_CLAIMS),
        ("claims", _TEXT_CLAIMS),
    ):
        for order, *row in db.rows(sql, (document_id,)):
            parts[order][kind].append(row)
    return {
        order: ChunkEvidence(
            order,
            tuple(Mention(*row) for row in found["mentions"]),
            tuple(
                ClaimedRelation(*(*row[:6], tuple(filter(None, row[6].split("\n"))), *row[7:]))
                for row in found["relations"]
            ),
            tuple((a, b) for a, b in found["also_called"]),
            tuple(NameClaim(*row) for row in found["names"]),
            tuple(TextClaim(*row) for row in found["claims"]),
        )
        for order, found in parts.items()
    }


def fetch_instant_mentions(db: Db, document_id: int) -> list[Mention]:
    """Return the mentions of the instant graph in a document."""
    found = db.rows(
        "SELECT n.text, m.type, m.start, m.end, m.sentence_start, m.sentence_end"
        " FROM mention m JOIN name n ON n.id = m.name_id"
        " JOIN extraction e ON e.id = m.extraction_id"
        " WHERE m.document_id = ? AND e.strategy = 'instant'",
        (document_id,),
    )
    return [Mention(*row) for row in found]


def count_extractions(
    db: Db, document_id: int, strategy: str, model: str, prompt_version: str
) -> int:
    """Return the number of a document's finished extractions of this kind."""
    return int(
        db.value(
            "SELECT count(*) FROM extraction e JOIN chunk c ON c.id = e.chunk_id"
            " WHERE c.document_id = ? AND e.strategy = ? AND e.model = ?"
            " AND e.prompt_version = ? AND e.state = 'done'",
            (document_id, strategy, model, prompt_version),
        )
    )


def delete_extractions(db: Db, document_id: int, strategy: str, model: str | None = None) -> None:
    """Delete the evidence of a strategy in a document; of one model if given."""
    db.write(
        "DELETE FROM extraction WHERE strategy = ?1 AND (?2 IS NULL OR model = ?2)"
        " AND chunk_id IN (SELECT id FROM chunk WHERE document_id = ?3)",
        (strategy, model, document_id),
    )


# --- summaries, stored under a hash of the fragments that they summarize --------------------------


def fetch_summary_times(db: Db) -> dict[str, float]:
    """Return the time of each summary, by key."""
    return dict(db.rows("SELECT key, created_at FROM summary"))


def fetch_summaries(db: Db, keys: Sequence[str]) -> dict[str, str]:
    """Return the text of each summary, by key."""
    return dict(db.rows_in("SELECT key, text FROM summary WHERE key", keys))


def store_summary(db: Db, key: str, text: str, model: str, n_fragments: int) -> None:
    db.write(
        "INSERT OR REPLACE INTO summary VALUES (?, ?, ?, ?, ?)",
        (key, text, model, n_fragments, time.time()),
    )
