"""A changed file replaces the text of its document only after it was read and has text."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.model import DocumentRow
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services import indexing
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.indexing import MIN_CHARS, IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.watched_folders import FolderWatcher
from desktop_app.engine.store import documents
from desktop_app.engine.store.figures import fetch_figures
from desktop_app.engine.text.reader_process import DocumentReader, ReaderLimits
from tests.figure_files import draw_picture, make_picture_deck
from tests.unit.text.test_reader_process import make_self_calling_pdf, show

ROOT = Path(__file__).parents[3]
OLD = "Tobias Quill kept a shop of clocks. Ada Merrow wound them. Tobias Quill made them.\n" * 40
NEW = OLD + "Then Jonas Pike came to Port Ellis, and Jonas Pike bought a clock of Ada Merrow.\n"
LOCKED = b"""%%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[]/Count 0>> endobj
3 0 obj <</Filter/Standard/V 1/R 2/P -4/O(%s)/U(%s)>> endobj
trailer <</Size 4/Root 1 0 R/Encrypt 3 0 R/ID[(a)(a)]>>
%%%%EOF""" % (b"o" * 32, b"u" * 32)
BAD = {
    "empty": b"",
    "blank": b" \n" * 50,
    "rubbish": bytes(range(256)) * 40,
    "cut": b"Tobi",
    "no pdf": b"%PDF-1.7\n1 0 obj this is no pdf",
    "locked": LOCKED,
    "huge": make_self_calling_pdf(),
}
REASONS = {
    "empty": "it is empty (0 bytes)",
    "blank": "",
    "rubbish": "",
    "cut": "has almost no text left: 4 of 3,320 characters",
    "no pdf": "can't be read",
    "locked": "password",
    "huge": "needs more than 0.3 GB of memory",
}


@pytest.fixture(scope="module")
def reader() -> Iterator[DocumentReader]:
    made = DocumentReader(ReaderLimits(memory_bytes=300_000_000))
    yield made
    made.close()


@pytest.fixture
def library(tmp_path) -> Iterator[Library]:
    made = Library(tmp_path / "small.inkgraph")
    yield made
    made.close()


def index(library: Library, reader: DocumentReader) -> None:
    IndexingService(library.writer, lambda: None, reader=reader).run(embed=False)


def add(library: Library, path: Path, content: str | bytes, reader: DocumentReader) -> DocumentRow:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    add_files(library.writer, [path])
    index(library, reader)
    [row] = LibraryReader(library.writer).list_documents()
    return row


def test_a_deck_of_pictures_is_replaced_by_its_next_version(library, reader, tmp_path):
    path = tmp_path / "deck.pptx"
    add(library, path, make_picture_deck([draw_picture()]), reader)
    pictures = [draw_picture(shade=shade) for shade in (10, 200)]
    row = add(library, path, make_picture_deck(pictures), reader)
    assert row.state == "ready" and row.new_version is None
    assert len(fetch_figures(library.writer, row.id)) == 2


def text_of(library: Library, row: DocumentRow) -> str:
    return LibraryReader(library.writer).fetch_text(row.id)


@pytest.mark.parametrize("kind", BAD)
def test_a_file_that_became_unreadable_leaves_the_old_text(library, reader, tmp_path, kind):
    path = tmp_path / "clocks.txt"
    before = add(library, path, OLD, reader)
    names = LibraryReader(library.writer).top_entities()
    row = add(library, path, BAD[kind], reader)
    assert (row.id, row.state) == (before.id, "ready")
    assert text_of(library, row) == OLD
    assert LibraryReader(library.writer).top_entities() == names
    assert LibraryReader(library.writer).fetch_original(row.id) == OLD.encode()
    assert row.new_version is not None and row.new_version.state == "refused"
    assert row.new_version.reason.startswith("The file changed, but its new version ")
    assert REASONS[kind] in row.new_version.reason
    assert library.writer.value("SELECT count(*) FROM job") == 0
    assert add(library, path, OLD, reader).new_version is None  # the file is as it was


def test_the_old_text_is_there_while_the_new_version_waits(library, reader, tmp_path):
    path = tmp_path / "clocks.txt"
    row = add(library, path, OLD, reader)
    path.write_text(NEW)
    assert add_files(library.writer, [path]).documents == (row.id,)
    seen = []

    def look(progress) -> None:
        [now] = LibraryReader(library.writer).list_documents()
        seen.append((now.state, now.new_version and now.new_version.state, text_of(library, row)))

    service = IndexingService(library.writer, lambda: None, reader=reader)
    service.run(embed=False, on_progress=look)
    assert seen[0] == ("ready", "reading", OLD)
    assert seen[-1] == ("ready", None, NEW)


def test_cancelling_while_the_new_version_is_read_keeps_the_old_text(library, reader, tmp_path):
    path = tmp_path / "clocks.txt"
    row = add(library, path, OLD, reader)
    path.write_text(NEW)
    add_files(library.writer, [path])
    token = CancelToken()
    service = IndexingService(library.writer, lambda: None, reader=reader)
    with pytest.raises(Cancelled):
        service.run(embed=False, cancel=token, on_progress=lambda progress: token.cancel())
    assert text_of(library, row) == OLD
    index(library, reader)  # goes on
    assert text_of(library, row) == NEW


def test_stopping_it_keeps_the_old_text_and_says_so(library, reader, tmp_path):
    path = tmp_path / "clocks.txt"
    row = add(library, path, OLD, reader)
    path.write_text(NEW)
    add_files(library.writer, [path])
    work = DocumentService(library.writer)
    work.stop_document(row.id)
    index(library, reader)
    [row] = LibraryReader(library.writer).list_documents()
    assert text_of(library, row) == OLD and "was stopped" in row.new_version.reason
    work.retry_document(row.id)
    index(library, reader)
    assert text_of(library, row) == NEW


def test_the_user_can_take_a_version_that_was_shortened_on_purpose(library, reader, tmp_path):
    path = tmp_path / "clocks.txt"
    add(library, path, OLD, reader)
    row = add(library, path, "Ada Merrow sold them.", reader)
    assert row.new_version.state == "refused" and row.new_version.n_chars == 21
    DocumentService(library.writer).use_new_version(row.id)
    index(library, reader)
    [row] = LibraryReader(library.writer).list_documents()
    assert (text_of(library, row), row.new_version) == ("Ada Merrow sold them.", None)
    EditingService(library.writer).undo()
    index(library, reader)
    assert text_of(library, row) == OLD
    EditingService(library.writer).redo()
    index(library, reader)
    assert text_of(library, row) == "Ada Merrow sold them."


@pytest.mark.parametrize(
    ("before", "after", "is_taken"),
    [
        (100, 9, False),
        (100, 10, True),
        (12_000, MIN_CHARS - 1, False),
        (12_000, MIN_CHARS, True),
        (5_000, 499, False),
        (5_000, 500, True),
    ],
)
def test_a_version_is_too_short_by_share_and_by_length(
    library, reader, tmp_path, before, after, is_taken
):
    path = tmp_path / "clocks.txt"
    add(library, path, ("Ada sat. " * 6000)[: before - 1] + "!", reader)
    row = add(library, path, ("The mill. " * 6000)[: after - 1] + "!", reader)
    assert (row.new_version is None) is is_taken


def test_a_declined_version_is_not_offered_again_by_a_scan(library, reader, tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    path = folder / "clocks.txt"
    FolderWatcher(library.writer).watch(folder)
    row = add(library, path, OLD, reader)
    row = add(library, path, b"", reader)
    os.utime(path, (time.time() + 60, time.time() - 60))
    work = DocumentService(library.writer)
    work.keep_old_text([row.id])
    assert FolderWatcher(library.writer).scan().added.documents == ()
    [row] = LibraryReader(library.writer).list_documents()
    assert row.new_version.state == "declined"
    EditingService(library.writer).undo()  # the notice comes back, and nothing is read for it
    [row] = LibraryReader(library.writer).list_documents()
    assert row.new_version.state == "refused"
    assert FolderWatcher(library.writer).scan().added.documents == ()
    assert add_files(library.writer, [path]).documents == (row.id,)  # the user asks for it


def test_the_previous_version_is_restored_and_this_is_undone(library, reader, tmp_path):
    path = tmp_path / "clocks.txt"
    row = add(library, path, OLD, reader)
    assert row.previous is None
    row = add(library, path, NEW, reader)
    assert row.previous.size_bytes == len(OLD)
    work, editing = DocumentService(library.writer), EditingService(library.writer)
    assert work.restore_previous([row.id]).queued == {row.id}
    assert text_of(library, row) == NEW  # until the other one was read
    index(library, reader)
    assert text_of(library, row) == OLD
    label, change = editing.undo()
    assert label == "Restore the previous version of “clocks”" and change.queued == {row.id}
    index(library, reader)
    assert text_of(library, row) == NEW
    editing.redo()
    editing.undo()  # before it was read
    index(library, reader)
    assert text_of(library, row) == NEW
    editing.redo()
    index(library, reader)
    assert text_of(library, row) == OLD
    assert library.writer.integrity_problems() == []


def test_a_restored_version_is_not_replaced_by_the_next_scan(library, reader, tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    path = folder / "clocks.txt"
    FolderWatcher(library.writer).watch(folder)
    add(library, path, OLD, reader)
    row = add(library, path, NEW, reader)
    DocumentService(library.writer).restore_previous([row.id])
    index(library, reader)
    os.utime(path, (time.time() + 60, time.time() - 60))
    assert FolderWatcher(library.writer).scan().added.documents == ()
    path.write_text(NEW + "And more of it.")
    os.utime(path, (time.time() + 60, time.time() - 60))
    assert FolderWatcher(library.writer).scan().added.documents == (row.id,)


def test_undo_of_a_choice_whose_version_is_gone_is_left_out(library, reader, tmp_path):
    path = tmp_path / "clocks.txt"
    add(library, path, OLD, reader)
    row = add(library, path, NEW, reader)
    editing = EditingService(library.writer)
    DocumentService(library.writer).edit_details([row.id], title="Clocks")
    DocumentService(library.writer).restore_previous([row.id])
    index(library, reader)
    DocumentService(library.writer).remove_versions()
    assert LibraryReader(library.writer).overview().versions_bytes == 0
    with pytest.raises(UserError, match="no longer kept"):
        editing.undo()
    assert editing.undo()[0] == "Edit the details of “clocks”"
    assert text_of(library, row) == OLD


def test_versions_go_with_their_document_for_good_and_not_before(library, reader, tmp_path):
    path = tmp_path / "clocks.txt"
    add(library, path, OLD, reader)
    row = add(library, path, NEW, reader)
    work, editing = DocumentService(library.writer), EditingService(library.writer)
    assert LibraryReader(library.writer).overview().versions_bytes == len(OLD)
    work.trash_documents([row.id])
    editing.undo()
    editing.redo()
    [in_trash] = work.list_trash()
    work.restore_documents([in_trash.id])
    index(library, reader)
    [row] = LibraryReader(library.writer).list_documents()
    assert row.previous.size_bytes == len(OLD)
    work.restore_previous([row.id])
    index(library, reader)
    assert text_of(library, row) == OLD
    work.trash_documents([row.id])
    work.empty_trash()
    for table in ("new_version", "previous_version", "version_choice"):
        assert library.writer.value(f"SELECT count(*) FROM {table}") == 0


def test_marks_and_corrections_stay_through_replace_and_restore(library, reader, tmp_path):
    path = tmp_path / "clocks.txt"
    row = add(library, path, OLD, reader)
    db = library.writer
    marks, editing = AnnotationService(db, db), EditingService(db)
    marks.highlight(row.id, 36, 59, note="every night")
    find = LibraryReader(db).find_entities
    editing.rename(find("Tobias Quill")[0].id, "Toby Quill")
    editing.retype(find("Ada Merrow")[0].id, "concept")
    preface = "Jonas Pike wrote this. Jonas Pike knew them all.\n\n"
    add(library, path, preface + OLD, reader)
    [mark] = marks.list_annotations(row.id)
    assert (mark.quote, mark.start, mark.lost) == ("Ada Merrow wound them. ", 36 + len(preface), 0)
    assert find("Toby Quill")[0].name == "Toby Quill" and find("Jonas Pike")
    DocumentService(db).restore_previous([row.id])
    index(library, reader)
    [mark] = marks.list_annotations(row.id)
    assert (mark.start, mark.note, mark.lost) == (36, "every night", False)
    assert find("Ada Merrow")[0].type == "concept" and not find("Jonas Pike")
    assert find("Tobias Quill")[0].name == "Toby Quill"


def test_a_name_deleted_in_one_document_stays_deleted_in_its_next_version(
    library, reader, tmp_path
):
    path = tmp_path / "clocks.txt"
    add(library, path, OLD, reader)
    find = LibraryReader(library.writer).find_entities
    EditingService(library.writer).delete(find("Ada Merrow")[0].id, forever=False)
    assert not find("Ada Merrow")
    row = add(library, path, NEW, reader)
    assert not find("Ada Merrow") and find("Jonas Pike")
    DocumentService(library.writer).restore_previous([row.id])
    index(library, reader)
    assert not find("Ada Merrow")


def test_reading_again_keeps_the_text_when_it_fails(library, reader, tmp_path):
    path = tmp_path / "clocks.txt"
    row = add(library, path, OLD, reader)
    with library.writer.transaction():  # a reader of a later version refuses the file
        library.writer.write("UPDATE original SET content = x''")
    DocumentService(library.writer).reindex_documents([row.id])
    names = LibraryReader(library.writer).top_entities()
    index(library, reader)
    [row] = LibraryReader(library.writer).list_documents()
    assert row.state == "ready" and text_of(library, row) == OLD
    assert row.new_version.reason == "The file can't be read again: it is empty (0 bytes)."
    assert LibraryReader(library.writer).top_entities() == names


def test_a_file_that_was_never_read_is_replaced_at_once(library, reader, tmp_path):
    path = tmp_path / "clocks.txt"
    row = add(library, path, b"", reader)
    assert row.state == "failed"
    path.write_text(OLD)
    assert add_files(library.writer, [path]).documents == (row.id,)
    path.write_text(NEW)
    assert add_files(library.writer, [path]).documents == (row.id,)
    index(library, reader)
    [row] = LibraryReader(library.writer).list_documents()
    assert (row.state, row.previous, text_of(library, row)) == ("ready", None, NEW)


def test_a_version_that_ended_the_program_twice_is_refused(library, reader, tmp_path):
    path = tmp_path / "clocks.txt"
    row = add(library, path, OLD, reader)
    path.write_text(NEW)
    add_files(library.writer, [path])
    for _ in range(2):  # each start of the program counts one and ends
        with library.writer.transaction():
            documents.count_attempt(library.writer, row.id)
    index(library, reader)
    [row] = LibraryReader(library.writer).list_documents()
    assert text_of(library, row) == OLD and "ended unexpectedly" in row.new_version.reason
    DocumentService(library.writer).retry_document(row.id)
    index(library, reader)
    assert text_of(library, row) == NEW


BATCH = 20  # documents of a table stored in one transaction, instead of some hundred
N_ROWS = 2 * BATCH + 20


def make_table(path: Path, n: int, words: str) -> None:
    rows = [{"title": f"Row {i}", "text": f"Ada Merrow {words} clock {i}."} for i in range(n)]
    path.write_text("\n".join(map(json.dumps, rows)))


def test_a_changed_table_keeps_its_rows_until_the_new_ones_are_stored(
    library, reader, tmp_path, monkeypatch
):
    monkeypatch.setattr(indexing, "ROWS_A_BATCH", BATCH)
    path = tmp_path / "rows.jsonl"
    make_table(path, N_ROWS, "wound")
    add_files(library.writer, [path])
    index(library, reader)
    found = LibraryReader(library.writer)
    ids = {row.title: row.id for row in found.list_documents()}
    path.write_bytes(b"")
    add_files(library.writer, [path])
    index(library, reader)
    assert {row.title: row.id for row in found.list_documents()} == ids
    n_left = N_ROWS - BATCH
    make_table(path, n_left, "sold")
    add_files(library.writer, [path])
    index(library, reader)
    now = {row.title: row.id for row in found.list_documents()}
    assert now == {f"Row {i}": ids[f"Row {i}"] for i in range(n_left)}
    assert {found.fetch_text(i) for i in now.values()} == {
        f"Ada Merrow sold clock {i}." for i in range(n_left)
    }
    DocumentService(library.writer).restore_previous([ids["Row 0"]])
    index(library, reader)
    assert words_of_rows(library) == ["wound"] * N_ROWS


def words_of_rows(library: Library) -> list[str]:
    found = LibraryReader(library.writer)
    return [found.fetch_text(row.id)[11:16] for row in found.list_documents()]


@pytest.fixture
def changed_table(library, reader, tmp_path, monkeypatch) -> int:
    """Return the document of a table whose changed file, with fewer rows, waits to be read."""
    monkeypatch.setattr(indexing, "ROWS_A_BATCH", BATCH)
    path = tmp_path / "rows.jsonl"
    make_table(path, N_ROWS, "wound")
    (document_id,) = add_files(library.writer, [path]).documents
    index(library, reader)
    make_table(path, N_ROWS - 10, "built")
    add_files(library.writer, [path])
    return document_id


class StoppedIndexing(IndexingService):
    """Calls `stop` before it stores the text of a row with this number, counted from 0."""

    stop_at = -1
    n_stored = 0

    def stop(self) -> None: ...

    def _store_text(self, *arguments) -> None:
        if self.n_stored == self.stop_at:
            self.stop()
        self.n_stored += 1
        super()._store_text(*arguments)


@pytest.mark.parametrize(
    "stop_at",
    [
        BATCH,
        pytest.param(0, marks=pytest.mark.slow),
        pytest.param(N_ROWS - 12, marks=pytest.mark.slow),
    ],
)
def test_a_changed_table_that_is_stopped_anywhere_keeps_all_old_rows(
    library, reader, changed_table, stop_at
):
    work = DocumentService(library.writer)
    service = StoppedIndexing(library.writer, lambda: None, reader=reader)
    service.stop_at = stop_at
    service.stop = lambda: service.stop_documents([changed_table])

    def store_stop(change) -> None:  # the writer is free
        if service.n_stored > stop_at:
            work.stop_document(changed_table)

    service.run(embed=False, on_change=store_stop)
    assert words_of_rows(library) == ["wound"] * N_ROWS
    [row] = [r for r in LibraryReader(library.writer).list_documents() if r.id == changed_table]
    assert row.new_version is not None and "was stopped" in row.new_version.reason
    work.retry_document(changed_table)
    index(library, reader)
    assert words_of_rows(library) == ["built"] * (N_ROWS - 10)


def test_a_changed_table_that_is_cancelled_between_its_batches_keeps_all_old_rows(
    library, reader, changed_table
):
    token = CancelToken()

    def cancel(progress) -> None:
        if progress.done == 2 * BATCH and progress.total == N_ROWS - 10:
            token.cancel()

    service = IndexingService(library.writer, lambda: None, reader=reader)
    with pytest.raises(Cancelled):
        service.run(embed=False, cancel=token, on_progress=cancel)
    assert words_of_rows(library) == ["wound"] * N_ROWS


KILLED = """
import os, signal, sys
from pathlib import Path
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

class Killed(IndexingService):
    n_stored = 0

    def _store_text(self, *arguments):
        super()._store_text(*arguments)
        self.n_stored += 1
        if self.n_stored == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)

Killed(Library(Path(sys.argv[1])).writer, lambda: None).run(embed=False)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.slow
def test_a_kill_while_a_changed_table_is_stored_leaves_all_old_rows(library, reader, changed_table):
    library.close()
    command = [sys.executable, "-c", KILLED, str(library.path), str(BATCH + 5)]
    child = subprocess.run(command, cwd=ROOT, check=False)
    assert child.returncode == -signal.SIGKILL
    again = Library(library.path)
    try:
        assert words_of_rows(again) == ["wound"] * N_ROWS
        index(again, reader)
        assert words_of_rows(again) == ["built"] * (N_ROWS - 10)
    finally:
        again.close()


def test_two_files_with_odd_names_are_two_documents(library, reader, tmp_path):
    for byte in (b"\xff", b"\xfe"):
        name = os.fsdecode(b"mill " + byte + b".txt")
        try:
            (tmp_path / name).write_text(f"{OLD} {byte!r}")
        except OSError:
            pytest.fail("this file system refuses such names")
    added = add_files(library.writer, [tmp_path])
    assert len(added.documents) == 2
    index(library, reader)
    assert {row.new_version for row in LibraryReader(library.writer).list_documents()} == {None}


contents = st.sampled_from(
    [OLD.encode(), NEW.encode(), b"Ada Merrow sold them.", *BAD.values(), show(b"Ada Merrow")]
)


class ChangesOfAFile(RuleBasedStateMachine):
    """Any sequence of changes of a file and choices of the user leaves the document its text."""

    reader: DocumentReader
    folder: Path
    counter = 0

    @initialize()
    def start(self) -> None:
        type(self).counter += 1
        self.path = self.folder / f"{self.counter}.txt"
        self.library = Library(self.folder / f"{self.counter}.inkgraph")
        self.document_id = add(self.library, self.path, OLD, self.reader).id
        self.work = DocumentService(self.library.writer)

    @rule(content=contents)
    def change(self, content: bytes) -> None:
        self.path.write_bytes(content)
        add_files(self.library.writer, [self.path])

    @rule()
    def index(self) -> None:
        index(self.library, self.reader)

    @rule(method=st.sampled_from(["restore", "use", "keep", "stop", "retry", "again", "remove"]))
    def choose(self, method: str) -> None:
        with contextlib.suppress(UserError):
            if method == "restore":
                self.work.restore_previous([self.document_id])
            elif method == "use":
                self.work.use_new_version(self.document_id)
            elif method == "keep":
                self.work.keep_old_text([self.document_id])
            elif method == "stop":
                self.work.stop_document(self.document_id)
            elif method == "retry":
                self.work.retry_document(self.document_id)
            elif method == "again":
                self.work.reindex_documents([self.document_id])
            else:
                self.work.remove_versions()

    @rule(method=st.sampled_from(["undo", "redo"]))
    def step(self, method: str) -> None:
        with contextlib.suppress(UserError):
            getattr(EditingService(self.library.writer), method)()

    @invariant()
    def has_its_text(self) -> None:
        if not hasattr(self, "library"):
            return
        db = self.library.writer
        [row] = LibraryReader(db).list_documents()
        text = LibraryReader(db).fetch_text(row.id)
        assert row.state in ("ready", "indexing", "paused") and text.strip()
        assert db.integrity_problems() == []
        if row.state == "ready":
            assert row.n_chunks_done == row.n_chunks > 0
            assert "".join(db.column("SELECT text FROM chunk ORDER BY order_no")) == text

    def teardown(self) -> None:
        if hasattr(self, "library"):
            self.library.close()


def test_no_sequence_of_changes_leaves_a_document_without_text(reader, tmp_path):
    from hypothesis.stateful import run_state_machine_as_test

    ChangesOfAFile.reader, ChangesOfAFile.folder = reader, tmp_path
    run_state_machine_as_test(
        ChangesOfAFile,
        settings=settings(
            max_examples=6, stateful_step_count=12, suppress_health_check=list(HealthCheck)
        ),
    )
