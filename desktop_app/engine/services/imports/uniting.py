"""Adds what a script says of a chunk to what a model or an earlier import said of it.

A script may bring its graph in several calls, as with LightRAG; the last word on a name or on a
pair of names counts, and what it doesn't speak of stays.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from ...store.db import Db
from ...types import ChunkEvidence, ClaimedRelation, Mention, NameClaim, TextClaim

_FROM = (
    " JOIN extraction e ON e.id = x.extraction_id AND e.strategy <> 'instant' AND e.state = 'done'"
    " JOIN chunk c ON c.id = e.chunk_id WHERE c.document_id = ? ORDER BY x.id"
)
_MENTIONS = (
    "SELECT c.order_no, n.text, x.type, x.start, x.end, x.sentence_start, x.sentence_end, x.weight"
    " FROM mention x JOIN name n ON n.id = x.name_id" + _FROM
)
_RELATIONS = (
    "SELECT c.order_no, a.text, b.text, x.start, x.end, x.weight, x.description, x.keywords,"
    " x.kind, x.confidence FROM claimed_relation x JOIN name a ON a.id = x.source_id"
    " JOIN name b ON b.id = x.target_id" + _FROM
)
_ALSO_CALLED = (
    "SELECT c.order_no, a.text, b.text FROM also_called x JOIN name a ON a.id = x.name_id"
    " JOIN name b ON b.id = x.other_id" + _FROM
)
_NAMES = (
    "SELECT c.order_no, n.text, x.type, x.description, x.confidence FROM name_claim x"
    " JOIN name n ON n.id = x.name_id" + _FROM
)
_CLAIMS = (
    "SELECT c.order_no, a.text, x.type, x.status, x.description, x.start, x.end,"
    " coalesce(b.text, ''), x.start_date, x.end_date FROM text_claim x"
    " JOIN name a ON a.id = x.subject_id LEFT JOIN name b ON b.id = x.object_id" + _FROM
)


def fetch_said(db: Db, document_id: int) -> dict[int, ChunkEvidence]:
    """Return what models and imports said of a document, by chunk order."""
    parts: dict[int, dict[str, list]] = defaultdict(lambda: defaultdict(list))
    for field, sql in (
        ("mentions", _MENTIONS),
        ("relations", _RELATIONS),
        ("also_called", _ALSO_CALLED),
        ("names", _NAMES),
        ("claims", _CLAIMS),
    ):
        for order, *row in db.rows(sql, (document_id,)):
            parts[order][field].append(row)
    return {
        order: ChunkEvidence(
            order,
            tuple(Mention(*row) for row in found["mentions"]),
            tuple(
                ClaimedRelation(*row[:6], tuple(filter(None, row[6].split("\n"))), *row[7:])
                for row in found["relations"]
            ),
            tuple((a, b) for a, b in found["also_called"]),
            tuple(NameClaim(*row) for row in found["names"]),
            tuple(TextClaim(*row) for row in found["claims"]),
        )
        for order, found in parts.items()
    }


def unite(old: ChunkEvidence, new: ChunkEvidence) -> ChunkEvidence:
    """Return two pieces of evidence of one chunk as one; the new is right where they differ."""
    names = {n.name: n for n in old.names}
    for name in new.names:
        before = names.get(name.name)
        if before is not None and not name.type:
            name = replace(name, type=before.type, confidence=before.confidence)
        if before is not None and not name.description:
            name = replace(name, description=before.description)
        names[name.name] = name
    relations = {frozenset((r.source, r.target)): r for r in (*old.relations, *new.relations)}
    mentions = {(m.name, m.start, m.end): m for m in (*old.mentions, *new.mentions)}
    return ChunkEvidence(
        new.chunk_order,
        tuple(mentions.values()),
        tuple(relations.values()),
        tuple(dict.fromkeys((*old.also_called, *new.also_called))),
        tuple(names.values()),
        tuple(dict.fromkeys((*old.claims, *new.claims))),
    )
