"""Tests what the check of a library finds, and how it reports it."""

from __future__ import annotations

import hashlib
import tracemalloc

import apsw
import pytest

from desktop_app.engine.errors import Cancelled, DamagedLibrary
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_check import check_library, repair_derived
from desktop_app.engine.store import curation, search, trash
from desktop_app.engine.store.connection import connect
from tests.damaged_files import (
    PAGE,
    compute_hash,
    copy_library,
    find_page_of,
    find_root_page,
    flip_bit,
    wreck_page,
)
from tests.fakes import HashEmbedder
from tests.small_library import add

LONG_TEXT = "".join(f"Mr. Number {i} met Ada Merrow in the shop.\n" for i in range(1500))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Return the file of a closed library with two documents and vectors."""
    from desktop_app.engine.services.indexing import IndexingService

    folder = tmp_path_factory.mktemp("sound")
    library = Library(folder / "sound.inkgraph")
    add(library, folder)
    add(library, folder, "long.txt", LONG_TEXT)
    IndexingService(library.writer, HashEmbedder).run()
    with library.writer.edit(Message("Merge 2 names")):
        curation.add_merged(library.writer, "Mr. Number 7", "Mr. Number 8")
    library.close()
    return library.path


@pytest.fixture
def path(sound, tmp_path):
    return copy_library(sound, tmp_path / "books.inkgraph")


def check(path):
    library = Library(path)
    try:
        return check_library(library.reader())
    finally:
        library.close()


def change(path, *statements):
    """Change a library behind the back of the program, with right checksums."""
    connection = connect(path, apsw.SQLITE_OPEN_READWRITE)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def parts(result):
    return [problem.part for problem in result.problems]


def test_a_sound_library_is_in_order(path):
    before = compute_hash(path)
    result = check(path)
    assert result.problems == () and result.is_sound and result.has_checksums
    assert result.describe() == ["The library is in order."]
    assert compute_hash(path) == before


def test_a_flipped_bit_in_a_file_names_its_document(path):
    flip_bit(path, (find_page_of(path, LONG_TEXT[20_000:20_300]) - 1) * PAGE + 700)
    result = check(path)
    assert "The file is damaged: 1 page does not fit its checksum." in result.describe()
    assert "“long”: its file or its text can't be read." in result.describe()
    assert "1 of 2 documents are damaged." in result.describe()
    assert result.usable == ("trash", "corrections", "chats", "graph", "words", "vectors")
    assert result.is_damaged and not result.may_be_foreign


@pytest.mark.parametrize(
    ("table", "part"),
    [
        ("mention", "documents"),
        ("document", "documents"),
        ("merged", "corrections"),
        ("message", "chats"),
        ("relation", "graph"),
        ("chunk_fts_data", "words"),
        ("vec_window_vector_chunks00", "vectors"),
    ],
)
def test_a_wrecked_page_is_reported_as_the_part_that_it_belongs_to(path, table, part):
    wreck_page(path, find_root_page(path, table))
    before = compute_hash(path)
    result = check(path)
    assert part in parts(result) and part not in result.usable
    assert any("recover what can be read" in line for line in result.describe())
    assert compute_hash(path) == before


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("UPDATE original SET content = x'00' WHERE document_id = 1", "file is not what was added"),
        ("UPDATE document_text SET text = 'x' WHERE document_id = 1", "text is not what was read"),
        ("UPDATE chunk SET text = 'x' WHERE document_id = 1", "passages are not parts of its text"),
    ],
)
def test_content_that_is_not_what_it_was_is_found_and_no_longer_written_to(
    path, statement, expected
):
    change(path, statement)
    result = check(path)
    assert expected in result.problems[0].message
    assert result.is_damaged and result.n_damaged_documents == 1
    library = Library(path)
    with pytest.raises(DamagedLibrary), library.writer.transaction():
        pass
    library.close()


@pytest.mark.parametrize(
    ("table", "columns", "expected"),
    [
        ("previous_version", "taken_at, replaced_at", "previous version of its file is not what"),
        ("new_version", "found_at, is_accepted", "changed file that waits is not what was read"),
    ],
)
def test_a_kept_file_that_is_not_what_it_was_is_found(path, table, columns, expected):
    sha256 = hashlib.sha256(b"kept").hexdigest()
    insert = (
        f"INSERT INTO {table}(document_id, sha256, size_bytes, {columns}, content)"
        f" VALUES (2, '{sha256}', 4, 0, 0, CAST('kept' AS BLOB))"
    )
    change(path, insert)
    assert check(path).is_sound
    change(path, f"UPDATE {table} SET content = CAST('kepT' AS BLOB)")
    result = check(path)
    assert [problem.document_id for problem in result.problems] == [2]
    assert expected in result.problems[0].message and result.is_damaged


@pytest.fixture
def with_trash(path):
    """Return a library with one document in the trash, of whose file a version is kept."""
    library = Library(path)
    DocumentService(library.writer).trash_documents([1])
    library.close()
    change(
        path,
        "INSERT INTO previous_version(document_id, sha256, size_bytes, taken_at, replaced_at,"
        f" content) VALUES (1, '{hashlib.sha256(b'kept').hexdigest()}', 4, 0, 0,"
        " CAST('kept' AS BLOB))",
    )
    return path


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("UPDATE trash_file SET content = x'00'", "its file is not what was added"),
        ("UPDATE trashed_document_text SET text = 'x'", "its text is not what was read"),
        ("UPDATE previous_version SET content = x'00'", "previous version of its file is not what"),
    ],
)
def test_files_of_documents_in_the_trash_are_compared_too(with_trash, statement, expected):
    assert check(with_trash).is_sound
    change(with_trash, statement)
    result = check(with_trash)
    [problem] = result.problems
    assert "in the trash" in problem.message and expected in problem.message
    assert result.is_damaged and result.n_damaged_documents == 0
    assert "trash" not in result.usable and "documents" in result.usable
    library = Library(with_trash)
    with pytest.raises(DamagedLibrary), library.writer.transaction():
        pass
    library.close()


def test_a_wrecked_page_of_a_file_in_the_trash_names_its_document(with_trash):
    wreck_page(with_trash, find_root_page(with_trash, "trash_file"))
    result = check(with_trash)
    assert [p.message for p in result.problems if p.part == "trash"] == [
        "“clocks” in the trash: its file or its text can't be read."
    ]
    assert "documents" in result.usable


def test_rows_that_refer_to_missing_ones_are_found(path):
    change(path, "PRAGMA foreign_keys = OFF", "DELETE FROM name WHERE id = 3")
    result = check(path)
    assert "entries refer to entries that are missing" in " ".join(result.describe())


@pytest.mark.parametrize(
    ("statement", "part"),
    [
        ("UPDATE entity SET n_mentions = n_mentions + 1 WHERE id = 1", "graph"),
        ("DELETE FROM relation WHERE id = 1", "graph"),
        ("DELETE FROM chunk_fts WHERE rowid = 1", "words"),
        ("INSERT INTO chunk_fts(rowid, tokens) VALUES (99999, 'more')", "words"),
        ("UPDATE embedding SET vector = x'00' WHERE window_id = 1", "vectors"),
        ("DELETE FROM vec_window_rowids WHERE rowid = 2", "vectors"),
    ],
)
def test_derived_data_that_differs_is_found_and_made_again(path, statement, part):
    change(path, statement)
    library = Library(path)
    result = check_library(library.reader())
    assert parts(result) == [part] and not result.is_damaged
    repair_derived(library.writer)
    search_works = search.search_words(library.writer, "shop", 3)
    assert len(search_works) == 3
    library.close()
    left = check(path).problems
    assert [p.message for p in left if "no correct vector" not in p.message] == []


def test_a_change_by_a_program_without_checksums_is_recognised(path):
    connection = apsw.Connection(str(path))  # without the checksum VFS
    connection.execute("UPDATE setting SET value = 'b' WHERE key = 'a'")
    connection.execute("INSERT INTO setting VALUES ('a', 'b')")
    connection.close()
    result = check(path)
    assert result.may_be_foreign
    assert "perhaps another program wrote" in " ".join(result.describe())


def test_a_check_can_be_cancelled(path):
    cancel = CancelToken()
    library = Library(path)
    stages = []

    def stop(progress):
        stages.append(progress.stage)
        if progress.stage == "documents":
            cancel.cancel()

    with pytest.raises(Cancelled):
        check_library(library.reader(), cancel=cancel, on_progress=stop)
    assert set(stages) == {"pages", "structure", "documents"}
    library.close()


def test_a_large_file_in_the_trash_is_read_in_pieces(with_trash):
    size = 64 * 2**20
    change(with_trash, f"UPDATE trash_file SET content = zeroblob({size})")
    library = Library(with_trash)
    tracemalloc.start()
    assert trash.find_damaged(library.writer, 1) == ["file"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    library.close()
    assert peak < size / 4
