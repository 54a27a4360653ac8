"""Tests the library file: migrations, transactions, search index, undo."""

from __future__ import annotations

import errno
import json
import threading

import numpy as np
import pytest

from desktop_app.engine.errors import Cancelled, DiskFull, UserError
from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.messages import Message
from desktop_app.engine.model import (
    REJECTED,
    ChunkEvidence,
    ChunkSpan,
    ClaimedRelation,
    EntityEdit,
    Mention,
    NameClaim,
    ReadDocument,
    TextClaim,
    UserEvent,
)
from desktop_app.engine.store import (
    annotations,
    chats,
    communities,
    curation,
    document_metadata,
    documents,
    evidence,
    graph,
    graph_view,
    history,
    search,
    trash,
)
from desktop_app.engine.store import connection as connection_module
from desktop_app.engine.store.connection import migration_files, newest_version
from desktop_app.engine.store.db import CACHE_KB, READING_CACHE_KB, UNDOABLE_TABLES, Db
from desktop_app.engine.store.fts_tokens import build_match, build_phrase
from desktop_app.engine.store.library_file import find_damaged_pages, read_header

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
            content=BytesContent(text.encode()),
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


def fetch_claims(db: Db) -> list[tuple]:
    return db.rows(
        "SELECT id, source_id, target_id, weight, keywords, description, kind, confidence"
        " FROM standing_claim ORDER BY id"
    )


def found(db: Db, expression: str) -> list[int]:
    return [chunk_id for chunk_id, _ in search.search_words(db, expression, 10)]


def test_every_table_that_can_be_undone_has_a_primary_key(db):
    for table in UNDOABLE_TABLES:
        assert any(row[5] for row in db.rows(f"PRAGMA table_info({table})")), table


def test_a_new_library_has_the_newest_schema_and_is_consistent(db):
    assert db.value("PRAGMA user_version") == newest_version()
    assert db.value("PRAGMA journal_mode") == "wal"
    assert db.integrity_problems() == []


def test_new_libraries_are_sound_files_with_ids_of_their_own(tmp_path):
    ids = set()
    for name in ("one.inkgraph", "two.inkgraph"):
        path = tmp_path / name
        connection_module.create_library(path)
        header = read_header(path)
        assert header is not None and header.has_checksums and find_damaged_pages(path) == []
        made = Db(path)
        assert made.integrity_problems() == [] and made.value("PRAGMA user_version") > 0
        ids.add(made.value("SELECT library_id FROM library_state"))
        made.close()
    assert len(ids) == 2 and all(len(one) == 32 for one in ids)


def test_a_disk_without_room_for_a_new_library_is_named_and_nothing_is_left(tmp_path, monkeypatch):
    def fail(path):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(connection_module, "write_checksums", fail)
    with pytest.raises(DiskFull, match="the disk is full"):
        Db(tmp_path / "new.inkgraph")
    assert list(tmp_path.iterdir()) == []


def test_a_newer_library_is_refused(tmp_path):
    made = Db(tmp_path / "new.inkgraph")
    with made.transaction():
        made.write(f"PRAGMA user_version = {newest_version() + 1}")
    made.close()
    with pytest.raises(UserError, match="newer Inkgraph"):
        Db(tmp_path / "new.inkgraph")


def test_scans_that_an_older_version_did_not_read_are_queued(tmp_path, monkeypatch):
    path = tmp_path / "old.inkgraph"
    hint = Message("Run OCR on it first, then add it again.")
    scan = Message("{message} {hint}", message=Message("It is a scan."), hint=hint)
    refused = scan.to_stored()
    half = json.dumps([Message("{n} of {of} pages have no text: {shown}", n=1).to_stored()])
    rows = [
        ("scan.pdf", "pdf", "failed", refused, "[]"),
        ("broken.pdf", "pdf", "failed", Message("It is damaged.").to_stored(), "[]"),
        ("half.pdf", "pdf", "ready", "", half),
        ("whole.pdf", "pdf", "ready", "", "[]"),
    ]
    with monkeypatch.context() as patch:
        patch.setattr(connection_module, "migration_files", lambda: migration_files()[:24])
        old = Db(path)
        with old.transaction():
            for row in rows:
                old.write(
                    "INSERT INTO document(title, file_name, format, state, reason, notes, sha256,"
                    " size_bytes, added_at) VALUES ('', ?, ?, ?, ?, ?, 'a', 1, 1)",
                    row,
                )
        old.close()
    new = Db(path)
    assert new.column("SELECT state FROM document ORDER BY id") == [
        "waiting", "failed", "ready", "ready",
    ]  # fmt: skip
    assert new.column("SELECT target_id FROM job ORDER BY 1") == [1, 3]
    assert new.rows("SELECT document_id, sha256, is_accepted, is_more FROM new_version") == [
        (3, "a", 1, 1)
    ]
    assert new.integrity_problems() == []
    new.close()


def test_a_library_from_before_enrichment_is_migrated(tmp_path, monkeypatch):
    path = tmp_path / "old.inkgraph"
    with monkeypatch.context() as patch:
        patch.setattr(connection_module, "migration_files", lambda: migration_files()[:1])
        old = Db(path)
        document_id = 1
        with old.transaction():
            old.write(
                "INSERT INTO document(title, file_name, added_at) VALUES ('Two', 'two.txt', 1)"
            )
            old.write(
                "INSERT INTO chunk(document_id, order_no, start, end, n_tokens, text)"
                " VALUES (1, 0, 0, 57, 12, 'Marley was dead.')"
            )
            old.write(
                "INSERT INTO extraction VALUES (7, 1, 'instant', '', '', 'done', '', 0, 0, 1)"
            )
            old.write("INSERT INTO name(text, key) VALUES ('Marley', 'marley')")
            old.write("INSERT INTO name(text, key) VALUES ('Scrooge', 'scrooge')")
            old.write(
                "INSERT INTO claimed_relation(extraction_id, chunk_id, document_id, source_id,"
                " target_id, start, end, weight) VALUES (7, 1, ?, 1, 2, 0, 57, 1)",
                (document_id,),
            )
        old.close()
    versions = []
    new = Db(path, before_upgrade=lambda db: versions.append(db.value("PRAGMA user_version")))
    assert versions == [1]
    assert new.value("PRAGMA user_version") == newest_version()
    assert fetch_claims(new) == [(1, 1, 2, 1.0, "", "", "", 0.0)]
    assert evidence.done_chunks(new, document_id, "instant") == {0}
    assert new.integrity_problems() == []
    new.close()


def test_a_library_without_written_events_keeps_those_that_were_removed(tmp_path, monkeypatch):
    path = tmp_path / "old.inkgraph"
    removed = ("abc", "dies", "Marley was dead.", 7)
    with monkeypatch.context() as patch:
        patch.setattr(connection_module, "migration_files", lambda: migration_files()[:37])
        old = Db(path)
        with old.edit(Message("Remove an event of {names}", names="Marley")):
            old.write("INSERT INTO removed_event VALUES (?, ?, ?, ?)", removed)
        assert old.value("SELECT count(*) FROM sqlite_schema WHERE name = 'hand_event'") == 0
        old.close()
    new = Db(path)
    assert new.rows("SELECT * FROM removed_event") == [removed]
    written = UserEvent("abc", "kills", "Marley was dead.", 7, 0, ((), ("Marley",), ()), 8)
    with new.edit(Message("Add an event of {names}", names="Marley")):
        curation.add_event(new, written)
    row = new.row("SELECT * FROM hand_event")
    assert row is not None and UserEvent.from_stored(row) == written
    history.undo(new)
    history.undo(new)
    assert new.value("SELECT count(*) FROM hand_event") == 0
    assert new.value("SELECT count(*) FROM removed_event") == 0
    assert new.integrity_problems() == []
    new.close()


def test_state_in_settings_is_migrated_to_tables(tmp_path, monkeypatch):
    path = tmp_path / "old.inkgraph"
    states = ("ready", "waiting", "waiting", "indexing", "waiting", "failed")
    with monkeypatch.context() as patch:
        patch.setattr(connection_module, "migration_files", lambda: migration_files()[:7])
        old = Db(path)
        with old.transaction():
            for number, state in enumerate(states, start=1):
                old.write(
                    "INSERT INTO document(title, file_name, state, added_at) VALUES (?, 'a', ?, 1)",
                    (f"Book {number}", state),
                )
            old.write_many(
                "INSERT INTO setting VALUES (?, ?)",
                [
                    ("read_next", "5,99,3"),
                    ("cut:1", '{"size": 300}'),
                    ("place:1", "[3, 0.5]"),
                    ("graph_stale", "1"),
                    ("graph_version", "12"),
                    ("communities_version", "11"),
                    ("embedding_model", '{"name": "e5", "dim": 384}'),
                    ("graph view/Whole graph", '{"zoom": 2}'),
                    ("enrichment", "{}"),
                ],
            )
            old.write(
                "INSERT INTO trash(title, file_name, source_path, sha256, size_bytes, content,"
                " password, kept, trashed_at) VALUES ('Lost', 'l.txt', '', 'abc', 3, x'414243',"
                " 'pw', ?, 5)",
                (
                    '{"details": {"title": "Lost", "tags": "loan"}, "cut": null, "marks":'
                    ' [["highlight", 0, 2, "AB", "yellow", "who?", 4.0]], "collections": []}',
                ),
            )
        old.close()
    db = Db(path)
    assert db.rows("SELECT * FROM setting") == [("enrichment", "{}")]
    assert graph.is_graph_stale(db)
    assert graph.fetch_graph_version(db) == 12
    # Migration 37 forgets what was moved here: the titles of communities are computed again.
    assert communities.find_communities_version(db) is None
    assert search.find_embedding_model(db) == ("e5", 384)
    assert graph_view.list_views(db) == [("Whole graph", '{"zoom": 2}')]
    assert documents.fetch_chunking(db, 1) == '{"size": 300}'
    assert annotations.fetch_reading_position(db, 1) == "[3, 0.5]"
    queue = []
    while (document_id := documents.find_next_to_index(db)) is not None:
        queue.append(document_id)
        with db.transaction():
            documents.set_state(db, document_id, "ready")
    assert queue == [4, 5, 3, 2]  # started, then prioritised in this order, then by id
    with db.edit(Message("Restore “{what}”", what="Lost")):
        restored = trash.restore_document(db, 1)
        assert restored is not None and restored > len(states)
        trash.restore_user_data(db, 1, restored)
    assert documents.fetch_original(db, restored) == b"ABC"
    assert document_metadata.fetch_details(db, restored)["tags"] == "loan"
    kept = annotations.fetch_annotations(db, restored)
    assert [(row[7], row[9]) for row in kept] == [("who?", "fill")]
    assert trash.fetch_trash(db) == []
    assert db.integrity_problems() == []
    db.close()


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


def test_words_are_found_in_other_inflections(db):
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


def enriched(*names: NameClaim, **more) -> ChunkEvidence:
    relation = ClaimedRelation(
        "Marley", "Scrooge", 0, 57, 1.0, "They were partners.", (), "work", 0.8
    )
    return ChunkEvidence(0, (), (relation,), (), names, **more)


def store_twice(db: Db, found: ChunkEvidence) -> tuple[int, evidence.NameIds]:
    """Store the instant evidence of a chunk and that of a model."""
    document_id = add_document(db)
    name_ids = evidence.NameIds(db, str.lower)
    instant = ChunkEvidence(
        0,
        (Mention("Marley", "person", 0, 6, 0, 31),),
        (ClaimedRelation("Marley", "Scrooge", 0, 57), ClaimedRelation("Marley", "Bah", 0, 57)),
    )
    with db.transaction():
        evidence.store_evidence(db, document_id, 1, instant, name_ids, strategy="instant")
        evidence.store_evidence(
            db, document_id, 1, found, name_ids, strategy="slots", model="a", n_tokens=70, seconds=2
        )
    return document_id, name_ids


def test_all_claims_of_a_model_about_a_chunk_are_stored(db):
    claim = TextClaim("Marley", "death", "true", "He is dead.", 0, 31, "Scrooge")
    store_twice(
        db,
        enriched(
            NameClaim("Marley", "person", "A partner.", 0.9),
            NameClaim("Bah", REJECTED),
            claims=(claim,),
        ),
    )
    assert db.rows(
        "SELECT n_found, n_tokens, seconds FROM extraction WHERE strategy = 'slots'"
    ) == [(2, 70, 2.0)]
    assert db.rows(
        "SELECT name_id, type, description, confidence, chunk_id FROM name_claim ORDER BY id"
    ) == [
        (1, "person", "A partner.", 0.9, 1),
        (3, "none", "", 0.0, 1),
    ]
    assert db.rows("SELECT subject_id, object_id, type, status, description FROM text_claim") == [
        (1, 2, "death", "true", "He is dead.")
    ]


def test_relations_of_a_model_replace_the_instant_ones(db):
    store_twice(db, enriched())
    assert [(c[1], c[2], c[6], c[7]) for c in fetch_claims(db)] == [(1, 2, "work", 0.8)]
    with db.transaction():
        db.write("DELETE FROM extraction WHERE strategy = 'slots'")
    assert [(c[1], c[2]) for c in fetch_claims(db)] == [(1, 2), (1, 3)]


def test_another_model_replaces_earlier_results_and_failures(db):
    document_id, name_ids = store_twice(db, enriched(NameClaim("Marley", "person")))
    with db.transaction():
        evidence.store_failure(
            db, 1, strategy="free", model="b", prompt_version="1", reason=Message("It looped.")
        )
    assert db.value("SELECT count(*) FROM extraction") == 3
    assert len(fetch_claims(db)) == 1
    with db.transaction():
        evidence.store_evidence(
            db, document_id, 1, enriched(), name_ids, strategy="free", model="c", prompt_version="2"
        )
    assert db.rows("SELECT strategy, model, state FROM extraction ORDER BY id") == [
        ("instant", "", "done"),
        ("free", "c", "done"),
    ]
    assert db.value("SELECT count(*) FROM name_claim") == 0


def test_a_failed_attempt_keeps_finished_results(db):
    store_twice(db, enriched())
    with db.transaction():
        for reason in ("It looped.", "It looped again."):
            evidence.store_failure(
                db, 1, strategy="slots", model="a", prompt_version="", reason=Message(reason)
            )
            evidence.store_failure(
                db, 2, strategy="slots", model="a", prompt_version="", reason=Message(reason)
            )
    assert db.rows("SELECT chunk_id, reason FROM extraction WHERE strategy = 'slots'") == [
        (1, ""),
        (2, Message("It looped again.").to_stored()),
    ]
    assert evidence.done_chunks(db, 1, "slots") == {0}


def test_an_edit_is_undone_and_redone_by_name(db):
    with db.edit(Message("Merge 2 names")):
        curation.add_merged(db, "Scrooge", "Ebenezer")
    assert history.undo(db)[0] == "Merge 2 names"
    assert curation.fetch_merged(db) == []
    assert history.redo(db)[0] == "Merge 2 names"
    assert curation.fetch_merged(db) == [("Scrooge", "Ebenezer")]
    assert history.redo(db)[0] is None


@pytest.fixture
def commits(db):
    """Return the `synchronous` setting of each commit: 1 is NORMAL, 2 is FULL."""
    seen = []

    def note() -> bool:
        seen.append(db.value("PRAGMA synchronous"))
        return False

    db._connection.set_commit_hook(note)
    yield seen
    db._connection.set_commit_hook(None)


def test_edits_undo_and_redo_are_synced_at_commit_and_indexing_is_not(db, commits):
    with db.edit(Message("Merge 2 names")):
        curation.add_merged(db, "Scrooge", "Ebenezer")
    history.undo(db)
    history.redo(db)
    assert commits == [2, 2, 2]
    add_document(db)
    assert commits == [2, 2, 2, 1]
    with pytest.raises(ZeroDivisionError), db.edit(Message("Merge 2 names")):
        curation.add_merged(db, "Bob", "Robert")
        1 / 0  # noqa: B018
    add_document(db, "Another text.\n\nIts end.", "Other")
    assert commits == [2, 2, 2, 1, 1]


def test_a_closed_library_is_one_file_and_a_quiet_open_one_has_an_empty_log(tmp_path):
    path = tmp_path / "one.inkgraph"
    log = path.with_name(path.name + "-wal")
    db = Db(path)
    add_document(db)
    assert log.stat().st_size > 0
    reader = Db(path, read_only=True)
    with reader.snapshot() as is_one_state:
        assert is_one_state and not db.checkpoint()
        assert reader.value("SELECT count(*) FROM document") == 1
    assert db.checkpoint() and log.stat().st_size == 0
    alone = tmp_path / "copy.inkgraph"
    alone.write_bytes(path.read_bytes())
    copy = Db(alone)
    assert copy.value("SELECT count(*) FROM document") == 1
    copy.close()
    add_document(db, "Another text.\n\nIts end.", "Other")
    reader.close()
    db.close()
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith("one")] == ["one.inkgraph"]


def test_a_library_that_another_program_reads_is_closed_without_waiting(tmp_path):
    path = tmp_path / "one.inkgraph"
    db = Db(path)
    reader = Db(path, read_only=True)
    with reader.snapshot():
        add_document(db)
        db.close()
        assert reader.value("SELECT count(*) FROM document") == 0
    assert reader.value("SELECT count(*) FROM document") == 1
    reader.close()


def test_undo_survives_a_restart(tmp_path):
    path = tmp_path / "kept.inkgraph"
    first = Db(path)
    with first.edit(Message("Delete “Bah”")):
        curation.add_deleted_name(first, "Bah")
    first.close()
    again = Db(path)
    assert history.undo(again)[0] == "Delete “Bah”"
    assert curation.fetch_deleted_names(again) == {}
    again.close()


def test_a_conflicting_undo_changes_nothing(db):
    with db.edit(Message("Describe “Marley”")):
        curation.write_entity_edit(db, "Marley", description="A ghost.")
    with db.transaction():
        db.write("UPDATE entity_edit SET description = 'A partner.'")
    with pytest.raises(UserError, match="changed again later"):
        history.undo(db)
    assert curation.fetch_curation(db).edits == {"Marley": EntityEdit(description="A partner.")}


def test_a_deleted_chat_is_restored_completely(db):
    with db.transaction():
        chat_id = chats.add_chat(db, "")
        chats.add_question(db, chat_id, "Who is Marley?")
    with db.edit(Message("Delete chat")):
        chats.delete_chat(db, chat_id)
    assert chats.fetch_chats(db) == []
    history.undo(db)
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


def test_work_that_comes_after_closing_is_cancelled_not_a_bug(tmp_path):
    db = Db(tmp_path / "closed.inkgraph")
    db.close()
    with pytest.raises(Cancelled):
        db.rows("SELECT 1")
    with pytest.raises(Cancelled):
        db.row("SELECT 1")
    with pytest.raises(Cancelled), db.transaction():
        pass


def test_the_cache_is_resized_while_no_other_thread_uses_the_connection(tmp_path):
    db = Db(tmp_path / "a.inkgraph")
    sizes = []

    def resize() -> None:
        with db.small_cache():
            sizes.append(db.value("PRAGMA cache_size"))

    thread = threading.Thread(target=resize)
    with db.lock:  # as reading a file for its cover does
        thread.start()
        thread.join(0.2)
        assert thread.is_alive() and db._connection.pragma("cache_size") == -CACHE_KB
    thread.join(10)
    assert sizes == [-READING_CACHE_KB] and db.value("PRAGMA cache_size") == -CACHE_KB
    db.close()
