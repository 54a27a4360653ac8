"""The library file: migrations, transactions, search index, undo."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.store import chats, curation, documents, evidence, search
from desktop_app.engine.store.db import UNDOABLE_TABLES, Db, migration_files
from desktop_app.engine.store.tokens import build_match, build_phrase
from desktop_app.engine.types import (
    ChunkEvidence,
    ChunkSpan,
    ClaimedRelation,
    Mention,
    ReadDocument,
)

TEXT = (
    "Marley was dead: so it begins. Scrooge knew he was dead.\n\n"
    "却说鲁智深听见钱塘江潮信响，武松不信。"
)


@pytest.fixture
def db(tmp_path):
    made = Db(tmp_path / "one.inkgraph")
    yield made
    made.close()


def add_document(db: Db, text: str = TEXT, title: str = "Two books") -> int:
    with db.transaction():
        document_id = documents.add_waiting(
            db,
            title=title,
            file_name="two.txt",
            source_path="",
            content=text.encode(),
            sha256=str(hash(text)),
        )
        half = text.index("\n\n")
        documents.store_read(
            db,
            document_id,
            ReadDocument(title, text, "txt", "en"),
            [ChunkSpan(0, 0, half, 12), ChunkSpan(1, half, len(text), 20)],
            [[(0, half)], [(half + 2, len(text))]],
        )
    return document_id


def found(db: Db, expression: str) -> list[int]:
    return [chunk_id for chunk_id, _ in search.search_words(db, expression, 10)]


def test_every_table_that_can_be_undone_has_a_primary_key(db):
    for table in UNDOABLE_TABLES:
        assert any(row[5] for row in db.rows(f"PRAGMA table_info({table})")), table


def test_a_new_library_has_the_newest_schema_and_is_in_order(db):
    assert db.value("PRAGMA user_version") == len(migration_files())
    assert db.value("PRAGMA journal_mode") == "wal"
    assert db.integrity_problems() == []


def test_a_newer_library_is_refused(tmp_path):
    made = Db(tmp_path / "new.inkgraph")
    with made.transaction():
        made.write(f"PRAGMA user_version = {len(migration_files()) + 1}")
    made.close()
    with pytest.raises(UserError, match="newer Inkgraph"):
        Db(tmp_path / "new.inkgraph")


def test_a_file_that_is_no_library_is_refused(tmp_path):
    path = tmp_path / "letter.inkgraph"
    path.write_text("Dear Sir, " * 500)
    with pytest.raises(UserError, match="not an Inkgraph library"):
        Db(path)


def test_writing_outside_a_transaction_is_a_bug(db):
    with pytest.raises(RuntimeError):
        db.write("INSERT INTO setting VALUES ('a', 'b')")


def test_a_failed_transaction_leaves_nothing(db):
    with pytest.raises(ValueError), db.transaction():
        db.write("INSERT INTO setting VALUES ('a', 'b')")
        raise ValueError
    assert db.value("SELECT count(*) FROM setting") == 0


def test_words_are_found_in_their_other_forms(db):
    add_document(db)
    assert found(db, build_match("did Scrooge know of it?")) == [1]
    assert found(db, build_match("beginning or begins")) == [1]


def test_chinese_names_quotes_and_single_characters_are_found(db):
    add_document(db)
    assert found(db, build_match("武松")) == [2]
    assert found(db, build_phrase("鲁智深听见钱塘江潮信响")) == [2]
    assert found(db, build_phrase("潮")) == [2]
    assert found(db, build_phrase("松武")) == []


def test_question_words_alone_still_search(db):
    add_document(db)
    assert build_match("who was he?") != ""
    assert build_match("？！") == ""


def test_deleting_a_document_empties_the_index(db):
    document_id = add_document(db)
    with db.transaction():
        documents.delete_document(db, document_id)
    assert found(db, build_match("Scrooge")) == []
    assert db.value("SELECT count(*) FROM chunk") == 0


def test_vectors_follow_their_windows(db):
    document_id = add_document(db)
    waiting = search.fetch_unembedded(db, 10)
    assert waiting[0][1].startswith("Two books: Marley")
    vectors = np.eye(2, 8, dtype=np.float32)
    with db.transaction():
        assert search.ensure_vector_index(db, "tiny", 8) is False
        search.store_vectors(db, [i for i, _ in waiting], vectors)
    assert search.count_unembedded(db) == 0
    window_id, chunk_id, cosine = search.search_vectors(db, vectors[1], 1)[0]
    assert (window_id, chunk_id) == (2, 2)
    assert cosine == pytest.approx(1.0, abs=1e-5)
    assert search.search_vectors(db, vectors[1], 5, document_ids=[]) == []
    with db.transaction():
        documents.delete_document(db, document_id)
    assert search.search_vectors(db, vectors[1], 1) == []


def test_another_model_drops_the_old_vectors(db):
    add_document(db)
    with db.transaction():
        search.ensure_vector_index(db, "tiny", 8)
        search.store_vectors(db, [1, 2], np.eye(2, 8, dtype=np.float32))
        assert search.ensure_vector_index(db, "other", 4) is True
    assert search.count_unembedded(db) == 2


def test_evidence_is_written_once_per_chunk_and_strategy(db):
    document_id = add_document(db)
    one = ChunkEvidence(
        0,
        (
            Mention("Marley", "person", 0, 6, 0, 31, 1.0),
            Mention("Scrooge", "person", 32, 39, 32, 57),
        ),
        (ClaimedRelation("Marley", "Scrooge", 0, 57, 0.5, keywords=("dead",)),),
    )
    name_ids = evidence.NameIds(db, str.lower)
    for _ in range(2):
        with db.transaction():
            evidence.store_evidence(db, document_id, 1, one, name_ids, strategy="instant")
    assert db.value("SELECT count(*) FROM mention") == 2
    assert evidence.done_chunks(db, document_id, "instant") == {0}
    counts = evidence.fetch_name_counts(db)
    assert [(c.name, c.n_mentions, c.language) for c in counts] == [
        ("Marley", 1, "en"),
        ("Scrooge", 1, "en"),
    ]


def test_an_edit_is_undone_and_redone_by_name(db):
    with db.edit("Merge 2 names"):
        curation.add_merged(db, "Scrooge", "Ebenezer")
    assert db.undo() == "Merge 2 names"
    assert curation.fetch_merged(db) == []
    assert db.redo() == "Merge 2 names"
    assert curation.fetch_merged(db) == [("Scrooge", "Ebenezer")]
    assert db.redo() is None


def test_undo_survives_a_restart(tmp_path):
    path = tmp_path / "kept.inkgraph"
    first = Db(path)
    with first.edit("Delete “Bah”"):
        curation.add_deleted_name(first, "Bah")
    first.close()
    again = Db(path)
    assert again.undo() == "Delete “Bah”"
    assert curation.fetch_deleted_names(again) == []
    again.close()


def test_an_undo_that_no_longer_fits_changes_nothing(db):
    with db.edit("Describe “Marley”"):
        curation.write_over(db, "Marley", description="A ghost.")
    with db.transaction():
        db.write("UPDATE entity_edit SET description = 'A partner.'")
    with pytest.raises(UserError, match="can't be taken back"):
        db.undo()
    assert curation.fetch_edits(db) == [("Marley", None, None, "A partner.")]


def test_a_deleted_chat_comes_back_whole(db):
    with db.transaction():
        chat_id = chats.add_chat(db, "")
        chats.add_question(db, chat_id, "Who is Marley?")
    with db.edit("Delete chat"):
        chats.delete_chat(db, chat_id)
    assert chats.fetch_chats(db) == []
    db.undo()
    assert chats.fetch_chats(db)[0].title == "Who is Marley?"
    assert [m.text for m in chats.fetch_messages(db, chat_id)] == ["Who is Marley?"]


def test_a_reader_sees_what_was_committed_and_cannot_write(tmp_path):
    path = tmp_path / "shared.inkgraph"
    writer = Db(path)
    reader = Db(path, read_only=True)
    add_document(writer)
    assert reader.value("SELECT count(*) FROM document") == 1
    with pytest.raises(Exception, match=r"readonly|query_only"), reader.transaction():
        reader.write("DELETE FROM document")
    reader.close()
    writer.close()
