"""Rows of evidence: extractions, names, mentions, claimed relations. One transaction a chunk."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable

from ..types import ChunkEvidence, NameCount
from .db import Db


class NameIds:
    """Gives the id of a name, adding it when it is new; remembers what it has seen."""

    def __init__(self, db: Db, key_of: Callable[[str], str]) -> None:
        self._db = db
        self._key_of = key_of
        self._ids: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        if (known := self._ids.get(text)) is not None:
            return known
        name_id = self._db.value("SELECT id FROM name WHERE text = ? AND sense = 0", (text,))
        if name_id is None:
            name_id = self._db.write(
                "INSERT INTO name(text, key) VALUES (?, ?)", (text, self._key_of(text))
            )
        self._ids[text] = name_id
        return name_id

    def forget(self) -> None:
        """Forget ids that a rolled-back transaction may have taken away."""
        self._ids.clear()


def done_chunks(db: Db, document_id: int, strategy: str) -> frozenset[int]:
    """Return the order numbers of the chunks that need no more reading by this strategy."""
    return frozenset(
        r[0]
        for r in db.rows(
            "SELECT c.order_no FROM chunk c JOIN extraction e ON e.chunk_id = c.id"
            " WHERE c.document_id = ? AND e.strategy = ?",
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
    seconds: float = 0.0,
) -> None:
    """Write what one strategy found in one chunk; replaces what it found there before."""
    db.write(
        "DELETE FROM extraction WHERE chunk_id = ? AND strategy = ? AND model = ?"
        " AND prompt_version = ?",
        (chunk_id, strategy, model, prompt_version),
    )
    extraction_id = db.write(
        "INSERT INTO extraction(chunk_id, strategy, model, prompt_version, seconds, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (chunk_id, strategy, model, prompt_version, seconds, time.time()),
    )
    place = (extraction_id, chunk_id, document_id)
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
        "INSERT INTO claimed_relation(extraction_id, chunk_id, document_id, source_id, target_id,"
        " start, end, weight, description, keywords, kind) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
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
            )
            for r in evidence.relations
        ],
    )
    db.write_many(
        "INSERT INTO also_called(extraction_id, name_id, other_id) VALUES (?, ?, ?)",
        [(extraction_id, name_ids(a), name_ids(b)) for a, b in evidence.also_called],
    )


def fetch_name_counts(db: Db) -> list[NameCount]:
    """Return every name that some mention has, by id."""
    types: dict[int, Counter[str]] = defaultdict(Counter)
    languages: dict[int, Counter[str]] = defaultdict(Counter)
    documents: dict[int, set[int]] = defaultdict(set)
    for name_id, document_id, type_, language, n in db.rows(
        "SELECT m.name_id, m.document_id, m.type, d.language, count(*) FROM mention m"
        " JOIN document d ON d.id = m.document_id GROUP BY 1, 2, 3"
    ):
        types[name_id][type_] += n
        languages[name_id][language] += n
        documents[name_id].add(document_id)
    texts = dict(db.rows("SELECT id, text FROM name"))
    return [
        NameCount(
            name_id=name_id,
            name=texts[name_id],
            n_mentions=sum(types[name_id].values()),
            types=dict(types[name_id]),
            language=languages[name_id].most_common(1)[0][0],
            documents=frozenset(documents[name_id]),
        )
        for name_id in sorted(types)
    ]


def fetch_also_called(db: Db) -> dict[tuple[str, str], int]:
    """Return how often the text itself equates two names."""
    return {
        (a, b): n
        for a, b, n in db.rows(
            "SELECT a.text, b.text, count(*) FROM also_called s JOIN name a ON a.id = s.name_id"
            " JOIN name b ON b.id = s.other_id GROUP BY 1, 2"
        )
    }


def fetch_claims(db: Db) -> list[tuple[int, int, int, float, str, str, str]]:
    """Return (claim id, source name id, target name id, weight, keywords, description, kind)."""
    return db.rows(
        "SELECT id, source_id, target_id, weight, keywords, description, kind"
        " FROM claimed_relation ORDER BY id"
    )
