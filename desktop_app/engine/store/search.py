"""What retrieval reads: full text by FTS5, vectors by sqlite-vec, passages, links of names.

Large libraries are searched by a quantized copy of all vectors in memory, which preselects the
candidates of the exact comparison.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..model import DocumentId, Passage
from .db import Db
from .page_labels import PAGE_LABEL
from .table_headers import find_table_start, index_headers

MAX_TERMS = 24  # of a long question; frequent words hardly affect the ranking
MAX_COUNTED = 20_000  # words whose frequency is cached
_PART = re.compile(r'("(?:[^"]|"")*+")|([^"]+)')  # of an FTS5 expression: quoted or not
MAX_SEARCHED_WHOLE = 4_000  # up to this last window id every vector is compared
COMPARED = 3  # in larger libraries, this many times the limit are compared exactly
MIN_COMPARED = 200
MAX_NEIGHBOURS = 4096  # the maximum of a vec0 query
SHORT_DOCUMENT_CHARS = 4000  # windows of shorter documents are embedded with the title
N_SAMPLE = 4096  # vectors used for the mean and the scale
_READ = 8192  # vectors read at once
MAX_AROUND, MIN_AROUND = 60, 200  # chunks beside one; characters that each has at least
_BLOCK = 1024  # rows compared at once: they fit into the cache, and BLAS starts no threads

_word_counts: WeakKeyDictionary[Db, tuple[int, dict[str, int]]] = WeakKeyDictionary()
_sketches: WeakKeyDictionary[Db, VectorSketch] = WeakKeyDictionary()


# --- full text ------------------------------------------------------------------------------------


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
    terms = _split_terms(match)
    if len(terms) <= MAX_TERMS:
        return match
    found = count_chunks(db, terms)
    return " OR ".join(
        sorted((t for t in terms if found[t]), key=lambda t: found[t])[:MAX_TERMS] or terms
    )


def find_chunks_of_terms(db: Db, match: str) -> list[np.ndarray]:
    """Return the ids of the chunks with each term of an FTS5 expression, in any scope.

    Terms of an expression of many words that are slow and weak are left out.
    """
    if not match:
        return []
    matching = "SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH ?"
    return [
        np.array(db.column(matching, (term,)), dtype=np.int64)
        for term in _split_terms(keep_rarest_terms(db, match))
    ]


def find_chunks_of_each(db: Db, matches: Iterable[str], most: int) -> list[np.ndarray]:
    """Return the ids of the chunks that each FTS5 expression matches, in any scope.

    Args:
        most: an expression that more chunks match gives `most` + 1 ids, not all.
    """
    matching = "SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH ? LIMIT ?"
    return [np.array(db.column(matching, (match, most + 1)), dtype=np.int64) for match in matches]


def count_chunks_in_all(db: Db) -> int:
    """Return the number of chunks of the library."""
    return int(db.value("SELECT count(*) FROM chunk"))


def fetch_chunk_ids(db: Db, document_ids: Collection[int]) -> list[int]:
    """Return the chunks of these documents."""
    return [r[0] for r in db.rows_in("SELECT id FROM chunk WHERE document_id", document_ids)]


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """Where a chunk is: its document, its number there, and its offsets."""

    document_id: int
    order: int
    start: int
    end: int


def fetch_chunk_places(db: Db, chunk_ids: Iterable[int]) -> dict[int, ChunkPlace]:
    """Return the places of the chunks that still exist."""
    found = db.rows_in(
        "SELECT id, document_id, order_no, start, end FROM chunk WHERE id", chunk_ids
    )
    return {row[0]: ChunkPlace(*row[1:]) for row in found}


def fetch_around(db: Db, chunk: ChunkPlace, n_chars: int) -> list[tuple[int, str]]:
    """Return (start, text) of a chunk and those near it, in order.

    Args:
        n_chars: about so many characters are read before the chunk and after it.
    """
    reach = min(MAX_AROUND, 1 + n_chars // max(MIN_AROUND, chunk.end - chunk.start))
    return db.rows(
        "SELECT start, text FROM chunk WHERE document_id = ? AND order_no BETWEEN ? AND ?"
        " ORDER BY order_no",
        (chunk.document_id, chunk.order - reach, chunk.order + reach),
    )


def _split_terms(match: str) -> list[str]:
    """Return the terms of an FTS5 expression that OR joins, [""] of an empty one."""
    terms = [""]
    for quoted, other in _PART.findall(match):
        first, *more = other.split(" OR ")
        terms[-1] += quoted + first
        terms += more
    return terms


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


def _any_set_aside(db: Db) -> bool:
    return db.value("SELECT 1 FROM document WHERE set_aside = 1 LIMIT 1") is not None


def _scope(document_ids: Collection[int] | None) -> str:
    """Return the condition for these documents, or for those not excluded."""
    if document_ids is None:
        return "d.set_aside = 0"
    return f"d.id IN ({','.join(str(int(i)) for i in document_ids)})"


def fetch_chinese_documents(db: Db) -> list[int]:
    """Return the documents that are written with Chinese characters, Japanese ones included."""
    return db.column("SELECT id FROM document WHERE language IN ('zh', 'ja')")


def fetch_set_aside(db: Db) -> list[int]:
    """Return the documents that are left out of questions."""
    return db.column("SELECT id FROM document WHERE set_aside = 1")


# --- vectors --------------------------------------------------------------------------------------


def find_embedding_model(db: Db) -> tuple[str, int] | None:
    """Return the name and dimension of the library's embedding model, None without vectors."""
    name, dim = db.row("SELECT embedding_model, embedding_dim FROM library_state") or ("", 0)
    return (name, dim) if name else None


def ensure_vector_index(db: Db, name: str, dim: int) -> bool:
    """Create the vector index of this model; True if vectors of another one were deleted."""
    current = find_embedding_model(db)
    if current == (name, dim):
        return False
    db.write("DROP TRIGGER IF EXISTS embedding_insert")
    db.write("DROP TRIGGER IF EXISTS embedding_delete")
    db.write("DROP TABLE IF EXISTS vec_window")
    db.write("DELETE FROM embedding")
    db.write("DELETE FROM trashed_embedding")
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
    db.write("UPDATE library_state SET embedding_model = ?, embedding_dim = ?", (name, dim))
    return current is not None


def has_windows(db: Db) -> bool:
    return db.value("SELECT 1 FROM window LIMIT 1") is not None


def has_vectors(db: Db, least: int) -> bool:
    """Return whether at least so many windows are embedded."""
    counted = "SELECT count(*) FROM (SELECT 1 FROM embedding LIMIT ?)"
    return int(db.value(counted, (least,))) == least


def count_unembedded(db: Db) -> int:
    return int(db.value("SELECT (SELECT count(*) FROM window) - (SELECT count(*) FROM embedding)"))


def count_begun_windows(db: Db) -> int:
    """Return the windows of the documents of which some have no vector yet."""
    return int(
        db.value(
            "SELECT count(*) FROM window WHERE document_id IN (SELECT w.document_id FROM window w"
            " LEFT JOIN embedding e ON e.window_id = w.id WHERE e.window_id IS NULL)"
        )
    )


def count_searched_windows(db: Db, document_ids: Collection[int] | None = None) -> tuple[int, int]:
    """Return how many windows `search_vectors` is asked about, and how many have a vector.

    Where all windows of the library have one, both numbers are of the whole library: counting those
    of some documents reads a row for each, which only a search during indexing has to wait for.
    """
    counted = db.row("SELECT (SELECT count(*) FROM window), (SELECT count(*) FROM embedding)")
    assert counted is not None
    n_windows, n_vectors = counted
    if n_windows != n_vectors and (document_ids is not None or _any_set_aside(db)):
        counted = db.row(
            "SELECT count(*), count(e.window_id) FROM document d"
            " JOIN window w ON w.document_id = d.id LEFT JOIN embedding e ON e.window_id = w.id"
            f" WHERE {_scope(document_ids)}"
        )
        assert counted is not None
        n_windows, n_vectors = counted
    return n_windows, n_vectors


def fetch_unembedded(db: Db, limit: int, after: int = 0) -> list[tuple[int, str]]:
    """Return (window id, text to embed) of windows without a vector, by id from `after` on.

    Windows of a short document start with its title, for context, those inside a table with its
    header.
    """
    found = []
    for window_id, document_id, start, title, n_chars, text in db.rows(
        "SELECT w.id, w.document_id, w.start, d.title, d.n_chars,"
        " substr(c.text, w.start - c.start + 1, w.end - w.start) FROM window w"
        " JOIN chunk c ON c.id = w.chunk_id JOIN document d ON d.id = w.document_id"
        " LEFT JOIN embedding e ON e.window_id = w.id WHERE e.window_id IS NULL"
        " AND w.id > ? ORDER BY w.id LIMIT ?",
        (after, limit),
    ):
        table = find_table_start(db, document_id, start, text)
        if table is not None and table.header:
            text = f"{table.header}\n{text}"
        found.append((window_id, f"{title}: {text}" if n_chars <= SHORT_DOCUMENT_CHARS else text))
    return found


def fetch_window_documents(db: Db, window_ids: Sequence[int]) -> set[int]:
    """Return the documents of these windows."""
    return {r[0] for r in db.rows_in("SELECT document_id FROM window WHERE id", window_ids)}


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


def count_word_index_differences(db: Db) -> tuple[int, int]:
    """Return the chunks that the full-text index lacks, and its entries without a chunk."""
    missing, extra = (
        db.value(
            f"SELECT count(*) FROM {one} a LEFT JOIN {other} b ON b.id = a.id WHERE b.id IS NULL"
        )
        for one, other in (("chunk", "chunk_fts_docsize"), ("chunk_fts_docsize", "chunk"))
    )
    return int(missing), int(extra)


def rebuild_word_index(db: Db) -> None:
    db.write("INSERT INTO chunk_fts(chunk_fts) VALUES ('delete-all')")
    db.write("INSERT INTO chunk_fts(rowid, tokens) SELECT id, search_tokens(text) FROM chunk")
    with_bars = "SELECT DISTINCT document_id FROM chunk WHERE instr(text, '|')"
    index_headers(db, db.column(with_bars))


def count_vector_index_differences(db: Db) -> int:
    """Return the number of vectors of a wrong size, or that the vector index lacks or adds."""
    model = find_embedding_model(db)
    if model is None:
        return int(db.value("SELECT count(*) FROM embedding"))
    wrong = db.value("SELECT count(*) FROM embedding WHERE length(vector) <> ?", (4 * model[1],))
    missing = db.value(
        "SELECT count(*) FROM embedding e LEFT JOIN vec_window_rowids r ON r.rowid = e.window_id"
        " WHERE r.rowid IS NULL"
    )
    extra = db.value(
        "SELECT count(*) FROM vec_window_rowids r LEFT JOIN embedding e ON e.window_id = r.rowid"
        " WHERE e.window_id IS NULL"
    )
    for (_,) in db.iterate("SELECT vectors FROM vec_window_vector_chunks00"):
        pass  # only to find out whether they can be read
    return int(wrong + missing + extra)


def rebuild_vector_index(db: Db) -> None:
    """Make the vector index again from the stored vectors; vectors of a wrong size are deleted."""
    model = find_embedding_model(db)
    if model is None:
        db.write("DELETE FROM embedding")
        return
    db.write("DELETE FROM embedding WHERE length(vector) <> ?", (4 * model[1],))
    db.write("DELETE FROM vec_window")
    db.write("INSERT INTO vec_window(window_id, vector) SELECT window_id, vector FROM embedding")


def fetch_mean_vector(
    db: Db, n_sample: int, document_ids: Collection[int] | None = None
) -> np.ndarray:
    """Return the mean of an even sample of the windows' vectors, float32, shape (D,) or ().

    Args:
        document_ids: the documents of these windows; None for all.
    """
    if document_ids is None:
        sample = fetch_sample(db, n_sample)
    else:
        ids = sorted(document_ids)
        ids = ids[:: max(1, len(ids) // n_sample)]
        bounds = db.rows(
            "SELECT min(id), max(id) FROM window WHERE document_id IN"
            f" ({','.join(str(int(i)) for i in ids)}) GROUP BY document_id ORDER BY 1"
        )
        windows = np.concatenate([np.arange(a, b + 1) for a, b in bounds] or [np.zeros(0)])
        sample = _fetch_vectors(db, windows[:: max(1, len(windows) // n_sample)].tolist())
    return sample.mean(axis=0) if len(sample) else np.zeros((), dtype=np.float32)


def fetch_sample(db: Db, n_sample: int) -> np.ndarray:
    """Return vectors spread over the library, float32, shape (about n_sample, D).

    Shape (0, 0) where nothing is embedded.
    """
    # Single queries use the index; one combined query would scan the whole table.
    first = db.value("SELECT min(window_id) FROM embedding")
    last = db.value("SELECT max(window_id) FROM embedding")
    if first is None:
        return np.zeros((0, 0), dtype=np.float32)
    return _fetch_vectors(db, np.unique(np.linspace(first, last, n_sample).astype(int)).tolist())


def _fetch_vectors(db: Db, window_ids: Sequence[int]) -> np.ndarray:
    rows = db.rows(
        f"SELECT vector FROM embedding WHERE window_id IN ({','.join(map(str, window_ids))})"
    )
    flat = np.frombuffer(b"".join(r[0] for r in rows), dtype=np.float32)
    return flat.reshape(len(rows), -1) if rows else np.zeros((0, 0), dtype=np.float32)


# --- the sketch: a quantized copy of all vectors --------------------------------------------------


class VectorSketch:
    """Quantized vectors to preselect candidates for exact search, per connection.

    Each vector is stored minus the mean of all (models shift all vectors the same way) with one
    byte per dimension. Its cosines are right to about 0.001.

    Attributes:
        window_ids, document_ids, chunk_ids: int64, shape (N,), by window id.
    """

    def __init__(self, db: Db, version: tuple[Any, ...]) -> None:
        self.version = version
        sample = fetch_sample(db, N_SAMPLE)
        self._mean = sample.mean(axis=0)
        # Values beyond six deviations are clipped, which is rare and has little effect.
        self._scale = 127.0 / (6.0 * float((sample - self._mean).std()) or 1.0)
        self.window_ids = np.zeros(0, dtype=np.int64)
        self.document_ids = np.zeros(0, dtype=np.int64)
        self.chunk_ids = np.zeros(0, dtype=np.int64)
        self._rated = b"", np.zeros(0, dtype=np.float32)  # the last vector, and what `rate` gave
        self._bytes = np.zeros((0, len(self._mean)), dtype=np.int8)
        self._last = b""
        self._read(db)

    def update(self, db: Db, version: tuple[Any, ...]) -> bool:
        """Read the vectors added at the end; False if others were added or deleted."""
        if not len(self.window_ids):
            return False
        last = int(self.window_ids[-1])
        same = db.value("SELECT vector FROM embedding WHERE window_id = ?", (last,)) == self._last
        if not same or len(self.window_ids) != db.value(
            "SELECT count(*) FROM embedding WHERE window_id <= ?", (last,)
        ):
            return False
        self.version = version
        self._read(db, last)
        return True

    def _read(self, db: Db, after: int = -1) -> None:
        ids, documents, small = [self.window_ids], [self.document_ids], [self._bytes]
        chunks = [self.chunk_ids]
        while rows := db.rows(
            "SELECT e.window_id, w.document_id, e.vector, w.chunk_id FROM embedding e"
            " JOIN window w ON w.id = e.window_id WHERE e.window_id > ?"
            " ORDER BY e.window_id LIMIT ?",
            (after, _READ),
        ):
            after, self._last = rows[-1][0], rows[-1][2]
            chunks.append(np.array([r[3] for r in rows], dtype=np.int64))
            flat = np.frombuffer(b"".join(r[2] for r in rows), dtype=np.float32)
            centred = flat.reshape(len(rows), -1) - self._mean
            ids.append(np.array([r[0] for r in rows], dtype=np.int64))
            documents.append(np.array([r[1] for r in rows], dtype=np.int64))
            centred *= self._scale
            small.append(np.rint(centred).clip(-127, 127).astype(np.int8))
        if len(ids) > 1:
            self.window_ids, self.document_ids = np.concatenate(ids), np.concatenate(documents)
            self._bytes, self.chunk_ids = np.concatenate(small), np.concatenate(chunks)

    def rate(self, query_vec: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return the similarity of the windows in these rows to a vector, in any scale.

        Differences between windows are those of their cosines, but for the scale. What most rows
        were rated by is kept for the next call with the same vector.
        """
        if 2 * len(rows) < len(self._bytes):
            return self._compare(query_vec, rows)
        asked = query_vec.tobytes()
        if self._rated[0] != asked or len(self._rated[1]) != len(self._bytes):
            self._rated = asked, self._compare(query_vec, None)
        rated: np.ndarray = self._rated[1][rows]
        return rated

    def choose(
        self,
        query_vec: np.ndarray,
        limit: int,
        *,
        only: Collection[int] | None = None,
        without: Collection[int] = (),
    ) -> list[int]:
        """Return up to `limit` ids of the windows most similar to a vector, approximately.

        Args:
            only: documents to choose from, None for all but `without`.
        """
        if only is not None:
            rows = np.flatnonzero(np.isin(self.document_ids, list(only)))
        elif without:
            rows = np.flatnonzero(~np.isin(self.document_ids, list(without)))
        else:
            rows = np.arange(len(self.window_ids))
        if len(rows) > limit:
            near = self.rate(query_vec, rows)
            rows = rows[np.argpartition(-near, limit)[:limit]]
        chosen: list[int] = self.window_ids[rows].tolist()
        return chosen

    def _compare(self, query_vec: np.ndarray, rows: np.ndarray | None) -> np.ndarray:
        near = np.empty(len(self._bytes) if rows is None else len(rows), dtype=np.float32)
        for i in range(0, len(near), _BLOCK):
            end = i + _BLOCK
            block = self._bytes[i:end] if rows is None else self._bytes[rows[i:end]]
            near[i:end] = block.astype(np.float32) @ query_vec
        return near


def ensure_sketch(db: Db) -> VectorSketch:
    """Return the up-to-date sketch of a library's vectors, created on the first call."""
    version = find_embedding_model(db), db.value("SELECT vectors_version FROM library_state")
    kept = _sketches.get(db)
    if kept is None or (
        kept.version != version and (kept.version[0] != version[0] or not kept.update(db, version))
    ):
        kept = _sketches[db] = VectorSketch(db, version)
    return kept


# --- passages -------------------------------------------------------------------------------------


def fetch_passages(
    db: Db, chunk_ids: Sequence[int]
) -> dict[int, tuple[int, int, str, int, int, str, str, int | None, str, int]]:
    """Return chunk id -> (chunk id, document id, title, start, end, text, heading, page, label,
    characters of the document).
    """
    return {
        r[0]: r
        for r in db.rows_in(
            "SELECT c.id, c.document_id, d.title, c.start, c.end, c.text, c.heading_path,"
            f" c.page_first, coalesce({PAGE_LABEL}, ''),"
            " d.n_chars FROM chunk c"
            " JOIN document d ON d.id = c.document_id"
            " LEFT JOIN page p ON p.document_id = c.document_id AND p.page_index = c.page_first"
            " WHERE c.id",
            chunk_ids,
        )
    }


def find_passage(db: Db, document_id: int, start: int, end: int) -> Passage | None:
    """Return the range as a passage; a range that crosses a chunk's boundary is cut there."""
    row = db.row(
        "SELECT c.id, d.title, c.start, c.end, c.text, c.heading_path, c.page_first,"
        f" coalesce((SELECT {PAGE_LABEL} FROM page p WHERE p.document_id = c.document_id"
        "  AND p.start <= ?2 AND p.end > ?2), ''), d.n_chars"
        " FROM chunk c JOIN document d ON d.id = c.document_id"
        " WHERE c.document_id = ?1 AND c.start <= ?2 AND c.end > ?2"
        " ORDER BY c.order_no DESC LIMIT 1",
        (document_id, start),
    )
    if row is None:
        return None
    chunk_id, title, chunk_start, chunk_end, text, heading, page, label, n_chars = row
    end = min(end, chunk_end)
    part = text[start - chunk_start : end - chunk_start]
    return Passage(
        chunk_id=chunk_id,
        document_id=DocumentId(document_id),
        title=title,
        start=start,
        end=end,
        score=0.0,
        text=part,
        best_start=start,
        best_end=end,
        page_label=label,
        page_index=page,
        heading=heading,
        table=find_table_start(db, document_id, start, part),
        n_document_chars=n_chars,
    )


def fetch_text(db: Db, chunk_id: int, start: int, end: int) -> str:
    """Return the part of a chunk's text in this range, in one line."""
    text = db.value(
        "SELECT substr(text, max(?2, start) - start + 1, min(?3, end) - max(?2, start))"
        " FROM chunk WHERE id = ?1",
        (chunk_id, start, end),
    )
    return " ".join((text or "").split())


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


def find_heading_inside(db: Db, document_id: int, start: int, offset: int) -> str | None:
    """Return the heading path at `offset`, None if no heading stands after `start` up to it.

    A chunk has the path of its first words; what is cited of it may be in a later section.
    """
    inside = db.value(
        "SELECT count(*) FROM heading WHERE document_id = ? AND start > ? AND start <= ?",
        (document_id, start, offset),
    )
    if not inside:
        return None
    path: list[tuple[int, str]] = []
    for level, title in db.rows(
        "SELECT level, title FROM heading WHERE document_id = ? AND start <= ? ORDER BY start",
        (document_id, offset),
    ):
        path = [*((above, t) for above, t in path if above < level), (level, title)]
    return " › ".join(title for _, title in path)


def fetch_headings(db: Db, chunk_ids: Iterable[int]) -> dict[int, str]:
    """Return chunk id -> heading path."""
    ids = ",".join(map(str, chunk_ids))
    return dict(db.rows(f"SELECT id, heading_path FROM chunk WHERE id IN ({ids})"))


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


# --- what the retrieval index is made of ----------------------------------------------------------


def fetch_content_version(db: Db) -> int:
    """Return a number that grows when texts, titles, mentions or names of entities change.

    Triggers count (migration 9), so changes by other connections and by undo are included.
    """
    return int(db.value("SELECT content_version FROM library_state"))


def fetch_chunk_documents(db: Db) -> list[tuple[int, int, str, int]]:
    """Return (chunk id, document id, title, document's characters) by chunk id."""
    return db.rows(
        "SELECT c.id, d.id, d.title, d.n_chars FROM chunk c"
        " JOIN document d ON d.id = c.document_id ORDER BY c.id"
    )


def fetch_heads(db: Db, n_chars: int, shortest: int, longest: int) -> list[tuple[int, str, str]]:
    """Return (document id, title, first characters) of the documents of these lengths."""
    return db.rows(
        "SELECT d.id, d.title, substr(c.text, 1, ?) FROM document d"
        " JOIN chunk c ON c.document_id = d.id AND c.order_no ="
        " (SELECT min(order_no) FROM chunk WHERE document_id = d.id)"
        " WHERE d.n_chars > ? AND d.n_chars <= ?",
        (n_chars, shortest, longest),
    )


def fetch_chunk_texts(db: Db, chunk_ids: Iterable[int]) -> list[tuple[int, str]]:
    """Return (chunk id, text)."""
    ids = ",".join(map(str, chunk_ids))
    return db.rows(f"SELECT id, text FROM chunk WHERE id IN ({ids})")


def fetch_links(db: Db) -> np.ndarray:
    """Return every (chunk id, entity id, mentions), int64, shape (N, 3), by chunk and entity."""
    entity_of = dict(db.rows("SELECT name_id, entity_id FROM entity_name"))
    if not entity_of:
        return np.zeros((0, 3), dtype=np.int64)
    found = db.rows(
        "SELECT chunk_id, count(*), group_concat(name_id) FROM mention GROUP BY chunk_id"
    )
    if not found:
        return np.zeros((0, 3), dtype=np.int64)
    chunk_ids, counts, texts = zip(*found, strict=True)
    names = np.array(",".join(texts).split(","), dtype=np.int64)
    chunks = np.repeat(np.array(chunk_ids, dtype=np.int64), counts)
    known = np.full(int(max(names.max(), *entity_of)) + 1, -1, dtype=np.int64)
    known[np.fromiter(entity_of, np.int64, len(entity_of))] = np.fromiter(
        entity_of.values(), np.int64, len(entity_of)
    )
    entities = known[names]
    chunks, entities = chunks[entities >= 0], entities[entities >= 0]
    width = int(entities.max(initial=0)) + 1
    pairs, mentions = np.unique(chunks * width + entities, return_counts=True)
    return np.column_stack((pairs // width, pairs % width, mentions))


def fetch_known_names(db: Db) -> list[tuple[str, int]]:
    """Return every (name, entity id), possibly repeated, to find names in a question."""
    named = db.rows(
        "SELECT n.text, en.entity_id FROM entity_name en JOIN name n ON n.id = en.name_id"
    )
    return [*named, *db.rows("SELECT name, id FROM entity")]
