"""The index: full text by FTS5, vectors by sqlite-vec, links of names and chunks for PageRank."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from .db import Db
from .library_settings import find_embedding_model, store_embedding_model
from .vector_sketch import ensure_sketch

MAX_COUNTED = 20_000  # words


_word_counts: WeakKeyDictionary[Db, tuple[int, dict[str, int]]] = WeakKeyDictionary()


def count_chunks(db: Db, terms: Iterable[str]) -> dict[str, int]:
    """Return the number of chunks per FTS5 term; cached until the content changes."""
    version = fetch_content_version(db)
    counted_at, counts = _word_counts.get(db, (-1, {}))
    if counted_at != version or len(counts) > MAX_COUNTED:
        counts = {}
        _word_counts[db] = version, counts
    found: dict[str, int] = {}
    for term in terms:
        if term not in counts:
            count = db.value("SELECT count(*) FROM chunk_fts WHERE chunk_fts MATCH ?", (term,))
            counts[term] = int(count)
        found[term] = counts[term]
    return found


MOST_TERMS = 24  # of a long question; frequent words hardly affect the ranking
_PART = re.compile(r'("(?:[^"]|"")*+")|([^"]+)')  # of an FTS5 expression: quoted or not
MAX_SEARCHED_WHOLE = 4_000  # up to this last window id every vector is compared
COMPARED = 3  # in larger libraries, this many times the limit are compared exactly
MIN_COMPARED = 200
MAX_NEIGHBOURS = 4096  # the maximum of a vec0 query


# --- words -----------------------------------------------------------------------------------


def search_words(
    db: Db, match: str, limit: int, document_ids: Collection[int] | None = None
) -> list[tuple[int, float]]:
    """Return (chunk id, BM25 score, higher is better) for an FTS5 expression, best first."""
    if not match:
        return []
    match = keep_rarest_terms(db, match)
    scoped = document_ids is not None or _any_set_aside(db)
    inside = (
        " JOIN chunk c ON c.id = f.rowid JOIN document d ON d.id = c.document_id" if scoped else ""
    )
    return db.rows(
        f"SELECT f.rowid, -bm25(chunk_fts) FROM chunk_fts f{inside} WHERE chunk_fts MATCH ?"
        f" AND {_scope(document_ids) if scoped else '1'} ORDER BY bm25(chunk_fts) LIMIT ?",
        (match, limit),
    )


def keep_rarest_terms(db: Db, match: str) -> str:
    """Return an expression of many words without its most frequent, which are slow and weak."""
    terms = [""]
    for quoted, other in _PART.findall(match):
        first, *more = other.split(" OR ")
        terms[-1] += quoted + first
        terms += more
    if len(terms) <= MOST_TERMS:
        return match
    found = count_chunks(db, terms)
    return " OR ".join(
        sorted((t for t in terms if found[t]), key=lambda t: found[t])[:MOST_TERMS] or terms
    )


def _any_set_aside(db: Db) -> bool:
    return db.value("SELECT 1 FROM document WHERE set_aside = 1 LIMIT 1") is not None


def _scope(document_ids: Collection[int] | None) -> str:
    """Return the condition for these documents, or for those not excluded."""
    if document_ids is None:
        return "d.set_aside = 0"
    return f"d.id IN ({','.join(str(int(i)) for i in document_ids)})"


# --- vectors ---------------------------------------------------------------------------------


def ensure_vector_index(db: Db, name: str, dim: int) -> bool:
    """Create the vector index of this model; True if vectors of another one were deleted."""
    current = find_embedding_model(db)
    if current == (name, dim):
        return False
    db.write("DROP TRIGGER IF EXISTS embedding_insert")
    db.write("DROP TRIGGER IF EXISTS embedding_delete")
    db.write("DROP TABLE IF EXISTS vec_window")
    db.write("DELETE FROM embedding")
    db.write(
        f"CREATE VIRTUAL TABLE vec_window USING vec0(window_id INTEGER PRIMARY KEY,"
        f" vector float[{int(dim)}] distance_metric=cosine)"
    )
    db.write(
        "CREATE TRIGGER embedding_insert AFTER INSERT ON embedding BEGIN"
        " INSERT INTO vec_window(window_id, vector) VALUES (new.window_id, new.vector); END"
    )
    db.write(
        "CREATE TRIGGER embedding_delete AFTER DELETE ON embedding BEGIN"
        " DELETE FROM vec_window WHERE window_id = old.window_id; END"
    )
    store_embedding_model(db, name, dim)
    return current is not None


def count_unembedded(db: Db) -> int:
    return int(db.value("SELECT (SELECT count(*) FROM window) - (SELECT count(*) FROM embedding)"))


def fetch_window_documents(db: Db, window_ids: Sequence[int]) -> set[int]:
    """Return the documents of these windows."""
    return {r[0] for r in db.rows_in("SELECT document_id FROM window WHERE id", window_ids)}


def fetch_unembedded(db: Db, limit: int, after: int = 0) -> list[tuple[int, str]]:
    """Return (window id, text to embed) of windows without a vector, by id from `after` on.

    Windows of a short document start with its title, for context.
    """
    return [
        (window_id, f"{title}: {text}" if n_chars <= SHORT_DOCUMENT_CHARS else text)
        for window_id, title, n_chars, text in db.rows(
            "SELECT w.id, d.title, d.n_chars,"
            " substr(c.text, w.start - c.start + 1, w.end - w.start) FROM window w"
            " JOIN chunk c ON c.id = w.chunk_id JOIN document d ON d.id = w.document_id"
            " LEFT JOIN embedding e ON e.window_id = w.id WHERE e.window_id IS NULL"
            " AND w.id > ? ORDER BY w.id LIMIT ?",
            (after, limit),
        )
    ]


SHORT_DOCUMENT_CHARS = 4000


def store_vectors(db: Db, window_ids: Sequence[int], vectors: np.ndarray) -> None:
    """Write one vector per window; `vectors` float32, shape (N, D), unit rows."""
    known = {row[0] for row in db.rows_in("SELECT id FROM window WHERE id", window_ids)}
    db.write_many(
        "INSERT OR IGNORE INTO embedding VALUES (?, ?)",
        (
            (window_id, np.ascontiguousarray(row, dtype=np.float32).tobytes())
            for window_id, row in zip(window_ids, vectors, strict=True)
            if window_id in known  # its document may have been deleted in the meantime
        ),
    )


def search_vectors(
    db: Db, query_vec: np.ndarray, limit: int, document_ids: Collection[int] | None = None
) -> list[tuple[int, int, float]]:
    """Return (window id, chunk id, cosine) of the most similar windows, best first.

    A small library is searched completely. In a larger one a quantized sketch preselects vectors;
    cosines and the document filter are exact in both cases.
    """
    if find_embedding_model(db) is None:
        return []
    vector = np.ascontiguousarray(query_vec, dtype=np.float32)
    last = db.value("SELECT max(window_id) FROM embedding")
    if last is None:
        return []
    if last <= MAX_SEARCHED_WHOLE:
        found = _search_whole(db, vector, limit, document_ids)
    else:
        aside = fetch_set_aside(db)
        chosen = ensure_sketch(db).choose(
            vector, max(MIN_COMPARED, COMPARED * limit), only=document_ids, without=aside
        )
        found = db.rows(
            "SELECT e.window_id, w.chunk_id, 1.0 - vec_distance_cosine(e.vector, ?) AS cosine"
            " FROM embedding e JOIN window w ON w.id = e.window_id"
            " JOIN document d ON d.id = w.document_id"
            f" WHERE e.window_id IN ({','.join(map(str, chosen))}) AND {_scope(document_ids)}"
            " ORDER BY cosine DESC, e.window_id LIMIT ?",
            (vector.tobytes(), limit),
        )
    return sorted(found, key=lambda hit: (-hit[2], hit[0]))


def _search_whole(
    db: Db, vector: np.ndarray, limit: int, document_ids: Collection[int] | None
) -> list[tuple[int, int, float]]:
    scoped = document_ids is not None or _any_set_aside(db)
    inside = (
        " AND window_id IN (SELECT w.id FROM window w JOIN document d ON d.id = w.document_id"
        f" WHERE {_scope(document_ids)})"
        if scoped
        else ""
    )
    return db.rows(
        "SELECT v.window_id, w.chunk_id, 1.0 - v.distance FROM (SELECT window_id, distance"
        f" FROM vec_window WHERE vector MATCH ? AND k = ?{inside}) v"
        " JOIN window w ON w.id = v.window_id",
        (vector.tobytes(), min(limit, MAX_NEIGHBOURS)),
    )


def fetch_window_vectors(
    db: Db, chunk_ids: Iterable[int]
) -> tuple[list[tuple[int, int, int, int]], np.ndarray]:
    """Return (window id, chunk id, start, end) of embedded windows and their vectors, (N, D)."""
    spans: list[tuple[int, int, int, int]] = []
    vectors: list[bytes] = []
    for *span, vector in db.rows_in(
        "SELECT w.id, w.chunk_id, w.start, w.end, e.vector FROM window w"
        " JOIN embedding e ON e.window_id = w.id WHERE w.chunk_id",
        chunk_ids,
        " ORDER BY w.id",
    ):
        spans.append(tuple(span))
        vectors.append(vector)
    if not vectors:
        return [], np.zeros((0, 0), dtype=np.float32)
    return spans, np.frombuffer(b"".join(vectors), dtype=np.float32).reshape(len(vectors), -1)


# --- passages and links ----------------------------------------------------------------------


def fetch_passages(
    db: Db, chunk_ids: Sequence[int]
) -> dict[int, tuple[int, int, str, int, int, str, str, int | None, str]]:
    """Return chunk id -> (chunk id, document id, title, start, end, text, heading, page, label)."""
    return {
        r[0]: r
        for r in db.rows_in(
            "SELECT c.id, c.document_id, d.title, c.start, c.end, c.text, c.heading_path,"
            " c.page_first, coalesce(p.label, '') FROM chunk c"
            " JOIN document d ON d.id = c.document_id"
            " LEFT JOIN page p ON p.document_id = c.document_id AND p.page_index = c.page_first"
            " WHERE c.id",
            chunk_ids,
        )
    }


def fetch_chunk_documents(db: Db) -> list[tuple[int, int, str, int]]:
    """Return (chunk id, document id, title, document's characters) by chunk id."""
    return db.rows(
        "SELECT c.id, d.id, d.title, d.n_chars FROM chunk c"
        " JOIN document d ON d.id = c.document_id ORDER BY c.id"
    )


def fetch_headings(db: Db, chunk_ids: Iterable[int]) -> dict[int, str]:
    """Return chunk id -> heading path."""
    ids = ",".join(map(str, chunk_ids))
    return dict(db.rows(f"SELECT id, heading_path FROM chunk WHERE id IN ({ids})"))


def fetch_chunk_texts(db: Db, chunk_ids: Iterable[int]) -> list[tuple[int, str]]:
    """Return (chunk id, text)."""
    ids = ",".join(map(str, chunk_ids))
    return db.rows(f"SELECT id, text FROM chunk WHERE id IN ({ids})")


def fetch_window_spans(db: Db, window_ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Return window id -> (start, end)."""
    ids = ",".join(map(str, window_ids))
    found = db.rows(f"SELECT id, start, end FROM window WHERE id IN ({ids})")
    return {window_id: (start, end) for window_id, start, end in found}


def fetch_people_in(db: Db, chunk_ids: Iterable[int]) -> list[tuple[int, int]]:
    """Return (chunk id, entity id) of the people that chunks mention, each pair once."""
    return db.rows(
        "SELECT DISTINCT m.chunk_id, e.id FROM mention m JOIN entity_name en USING (name_id)"
        " JOIN entity e ON e.id = en.entity_id WHERE e.type = 'person'"
        f" AND m.chunk_id IN ({','.join(map(str, chunk_ids))})"
    )


def fetch_set_aside(db: Db) -> list[int]:
    """Return the documents that are left out of questions."""
    return db.column("SELECT id FROM document WHERE set_aside = 1")


def fetch_heads(db: Db, n_chars: int, shortest: int, longest: int) -> list[tuple[int, str, str]]:
    """Return (document id, title, first characters) of the documents of these lengths."""
    return db.rows(
        "SELECT d.id, d.title, substr(c.text, 1, ?) FROM document d"
        " JOIN chunk c ON c.document_id = d.id AND c.order_no ="
        " (SELECT min(order_no) FROM chunk WHERE document_id = d.id)"
        " WHERE d.n_chars > ? AND d.n_chars <= ?",
        (n_chars, shortest, longest),
    )


def fetch_content_version(db: Db) -> int:
    """Return a number that grows when texts, titles, mentions or names of entities change.

    Triggers count (migration 9), so changes by other connections and by undo are included.
    """
    return int(db.value("SELECT content_version FROM library_state"))


def has_windows(db: Db) -> bool:
    return db.value("SELECT 1 FROM window LIMIT 1") is not None
