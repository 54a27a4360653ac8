"""Tests vector search: approximate search in large libraries against exact search."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.model import ChunkSpan, ReadDocument
from desktop_app.engine.store import documents, search
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.fts_tokens import build_match, find_search_words
from desktop_app.engine.store.search import count_chunks

N_DOCUMENTS, CHUNKS, WINDOWS = 3, 100, 20
DIM = 64


def _add_document(db: Db, title: str, text: str = "x" * (CHUNKS * WINDOWS)) -> int:
    value = documents.add_waiting(
        db, title=title, file_name=title, source_path="", content=BytesContent(b""), sha256=title
    )
    chunks = [ChunkSpan(i, i * WINDOWS, (i + 1) * WINDOWS, 5) for i in range(CHUNKS)]
    windows = [list(pairwise(range(c.start, c.end + 1))) for c in chunks]
    documents.store_read(db, value, ReadDocument(title, text, "txt", "en"), chunks, windows)
    return value


def _embed(db: Db, seed: int) -> None:
    """Store vectors for all windows without one: clusters around a common direction."""
    random = np.random.default_rng(seed)
    centres = 1.5 * np.eye(DIM)[0] + random.standard_normal((40, DIM)) / DIM**0.5
    ids = [i for i, _ in search.fetch_unembedded(db, 100_000)]
    rows = centres[random.integers(0, 40, len(ids))]
    rows = rows + 0.4 * random.standard_normal((len(ids), DIM)) / DIM**0.5
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    for i in range(0, len(ids), 1000):
        search.store_vectors(db, ids[i : i + 1000], rows[i : i + 1000])


@pytest.fixture
def db(tmp_path) -> Db:
    library = Db(tmp_path / "l.inkgraph")
    with library.transaction():
        search.ensure_vector_index(library, "made", DIM)
        for number in range(N_DOCUMENTS):
            _add_document(library, f"book {number}")
        _embed(library, 0)
    yield library
    library.close()


def _query(db: Db, window_id: int) -> np.ndarray:
    row = db.value("SELECT vector FROM embedding WHERE window_id = ?", (window_id,))
    query = np.frombuffer(row, dtype=np.float32) + 0.05
    return query / np.linalg.norm(query)


def _best(db: Db, query: np.ndarray, limit: int, document_ids=None) -> list[int]:
    """Return the windows nearest to a query by comparing all."""
    aside = "SELECT id FROM document WHERE set_aside = 1"
    inside = f"NOT IN ({aside})" if document_ids is None else f"IN ({','.join(document_ids)})"
    rows = db.rows(
        "SELECT e.window_id, e.vector FROM embedding e JOIN window w ON w.id = e.window_id"
        f" WHERE w.document_id {inside} ORDER BY 1"
    )
    matrix = np.frombuffer(b"".join(r[1] for r in rows), dtype=np.float32).reshape(-1, DIM)
    return [rows[i][0] for i in np.argsort(-(matrix @ query), kind="stable")[:limit]]


def test_approximate_search_finds_what_exact_search_finds(db):
    assert db.value("SELECT max(id) FROM window") > search.MAX_SEARCHED_WHOLE
    for window_id in range(1, 6000, 701):
        query = _query(db, window_id)
        found = search.search_vectors(db, query, 50)
        best = _best(db, query, 50)
        assert [w for w, _, _ in found][:20] == best[:20]
        assert len({w for w, _, _ in found} & set(best)) >= 49


def test_cosines_are_exact_and_sorted(db):
    query = _query(db, 17)
    found = search.search_vectors(db, query, 30)
    values = [cosine for _, _, cosine in found]
    assert values == sorted(values, reverse=True)
    for window_id, chunk_id, cosine in found:
        row = db.value("SELECT vector FROM embedding WHERE window_id = ?", (window_id,))
        assert cosine == pytest.approx(float(np.frombuffer(row, np.float32) @ query), abs=1e-5)
        assert chunk_id == db.value("SELECT chunk_id FROM window WHERE id = ?", (window_id,))


def test_a_filter_by_document_is_exact(db):
    query = _query(db, 5)
    found = search.search_vectors(db, query, 40, [2])
    assert [w for w, _, _ in found] == _best(db, query, 40, ["2"])
    assert search.search_vectors(db, query, 40, []) == []


def test_an_excluded_document_is_found_only_on_request(db):
    query = _query(db, 5)
    search.search_vectors(db, query, 10)
    with db.transaction():
        db.write("UPDATE document SET set_aside = 1 WHERE id = 1")
    found = [w for w, _, _ in search.search_vectors(db, query, 40)]
    assert found == _best(db, query, 40)
    assert min(found) > CHUNKS * WINDOWS
    assert search.search_vectors(db, query, 1, [1])[0][0] == 5


def test_vectors_added_later_are_found(db):
    search.search_vectors(db, _query(db, 5), 10)
    with db.transaction():
        _add_document(db, "late")
        _embed(db, 1)
    query = _query(db, 6500)
    assert search.search_vectors(db, query, 40)[0][0] == 6500


def test_reused_ids_of_a_deleted_document_find_nothing_old(db):
    search.search_vectors(db, _query(db, 5), 10)
    with db.transaction():
        documents.delete_document(db, 3)
        _add_document(db, "instead")
        _embed(db, 7)
    for window_id in (4100, 5999):
        query = _query(db, window_id)
        found = [w for w, _, _ in search.search_vectors(db, query, 30)]
        assert found[:20] == _best(db, query, 20)


def test_a_reader_sees_what_another_connection_wrote(db):
    reader = Db(db.path, read_only=True)
    try:
        search.search_vectors(reader, _query(db, 5), 10)
        with db.transaction():
            _add_document(db, "late")
            _embed(db, 1)
        assert search.search_vectors(reader, _query(db, 6500), 10)[0][0] == 6500
    finally:
        reader.close()


def test_vectors_of_another_model_replace_the_cache(db):
    search.search_vectors(db, _query(db, 5), 10)
    with db.transaction():
        search.ensure_vector_index(db, "other", DIM)
    assert search.search_vectors(db, np.ones(DIM, dtype=np.float32) / 8, 10) == []
    with db.transaction():
        _embed(db, 9)
    query = _query(db, 900)
    assert [w for w, _, _ in search.search_vectors(db, query, 20)] == _best(db, query, 20)


def test_many_words_are_cut_to_the_rarest(tmp_path):
    library = Db(tmp_path / "w.inkgraph")
    with library.transaction():
        text = " ".join(f"w{i}" for i in range(60))
        for i in range(2):
            _add_document(
                library, f"d{i}", f"{text} rare".ljust(CHUNKS * WINDOWS)[: CHUNKS * WINDOWS]
            )
    terms = [f'"w{i}"' for i in range(60)]
    kept = search.keep_rarest_terms(library, " OR ".join([*terms, '"nowhere"']))
    assert len(kept.split(" OR ")) == search.MAX_TERMS
    assert "nowhere" not in kept
    library.close()


def test_a_phrase_that_contains_or_stays_one_term_among_many(tmp_path):
    library = Db(tmp_path / "w.inkgraph")
    with library.transaction():
        text = "wolf OR bear " + " ".join(f"w{i}" for i in range(60))
        _add_document(library, "one", text.ljust(CHUNKS * WINDOWS)[: CHUNKS * WINDOWS])
    words = " ".join(f"w{i}" for i in range(60))
    match = build_match(f'"wolf OR bear" {words}')
    assert match.startswith('"wolf OR bear" OR ')
    kept = search.keep_rarest_terms(library, match)
    assert '"wolf OR bear" OR ' in kept
    assert len(kept.split('" OR "')) == search.MAX_TERMS
    assert len(search.search_words(library, match, 10)) > 0
    library.close()


def test_word_counts_are_updated_when_chunks_are_added(tmp_path):
    library = Db(tmp_path / "w.inkgraph")
    with library.transaction():
        _add_document(library, "one", "wolf".ljust(CHUNKS * WINDOWS))
    assert count_chunks(library, ['"wolf"']) == {'"wolf"': 1}
    assert count_chunks(library, ['"bear"']) == {'"bear"': 0}
    with library.transaction():
        _add_document(library, "two", "wolf bear".ljust(CHUNKS * WINDOWS))
    assert count_chunks(library, ['"wolf"']) == {'"wolf"': 2}
    assert count_chunks(library, ['"bear"']) == {'"bear"': 1}
    library.close()


def test_the_words_that_are_searched_for_are_listed_without_operators() -> None:
    words = find_search_words('Who said "bah humbug" to Scrooge?')
    assert words == ["bah humbug", "said", "bah", "humbug", "Scrooge"]
    assert find_search_words("") == []
