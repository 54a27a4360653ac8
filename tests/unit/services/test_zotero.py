"""Tests of adding Zotero's data folder: works, files, collections, highlights, and updates."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path

import apsw
import pytest

from desktop_app.engine import paths
from desktop_app.engine.errors import EnvironmentProblem, UserError
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.bibliography import zotero as zotero_reader
from desktop_app.engine.services.bibliography.folders import list_folders
from desktop_app.engine.services.bibliography.marks import (
    Followed,
    SqueezedText,
    find_color,
    place_mark,
)
from desktop_app.engine.services.bibliography.model import Mark
from desktop_app.engine.services.bibliography.reader import read_bibliography
from desktop_app.engine.services.bibliography.service import add_bibliography, is_bibliography
from desktop_app.engine.services.collections import list_members
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store import connection as connection_module
from desktop_app.engine.store import document_metadata, history
from desktop_app.engine.store.connection import migration_files
from desktop_app.engine.store.db import Db
from tests.small_library import index, row_of
from tests.unit.services.reading_here import read_bibliographies_here
from tests.zotero_folder import PAGES, ZoteroFolder, make_pdf, make_study


def read(folder: Path):
    return read_bibliography(folder, cancel=CancelToken())


def digest(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture
def in_child() -> None:
    """Let the test read in a child process, as the program does."""


@pytest.fixture(autouse=True)
def read_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in this process, unless the test asks for the child or is about it."""
    if "in_child" not in request.fixturenames:
        read_bibliographies_here(monkeypatch)


@pytest.fixture
def study(tmp_path) -> Path:
    return make_study(tmp_path / "Zotero").close()


def age(folder: Path) -> None:
    """Make the files of a folder older than the library's knowledge of them."""
    for path in folder.rglob("*"):
        os.utime(path, (time.time() - 100,) * 2)


@pytest.mark.usefixtures("in_child")
def test_a_work_becomes_a_document_with_its_details_and_collections(library, study):
    age(study)
    added = add_bibliography(library.writer, study)
    [document_id] = added.documents
    assert (added.origin, added.n_entries, added.missing, added.refused) == ("Zotero", 1, (), {})
    assert added.n_waiting == 4
    index(library)
    row = row_of(library, document_id)
    assert row.state == "ready"
    assert row.title == "A study of harbour clocks"
    assert (row.author, row.year, row.doi) == ("Wren, Clara; Wei, Li", "1999", "10.1000/clocks.7")
    assert row.tags == ("clocks", "harbour")
    assert list_members(library.writer) == {"Reading / Clocks": frozenset({document_id})}
    [reference] = document_metadata.fetch_document_references(library.writer)
    assert reference.container == "Journal of Clocks"
    assert (reference.volume, reference.issue, reference.pages) == ("12", "3", "1-20")
    assert reference.kind == "article-journal"


def test_highlights_come_to_their_words_and_notes_to_their_page(library, study):
    [document_id] = add_bibliography(library.writer, study).documents
    index(library)
    marks = AnnotationService(library.writer, library.writer).list_annotations(document_id)
    text = LibraryReader(library.writer).fetch_text(document_id)
    found = {mark.kind + " " + text[mark.start : mark.end]: mark for mark in marks}
    assert found["highlight Clara Wren winds the clocks"].color == "green"
    assert found["highlight Clara Wren winds the clocks"].note == "Every day?"
    [repaired] = [mark for mark in marks if "great clock" in mark.quote and mark.kind != "bookmark"]
    assert repaired.quote.endswith("1871") and repaired.color == "blue"
    notes = [mark.note for mark in marks if mark.kind == "bookmark"]
    assert "“words that stand nowhere in this paper at all”\n\nWhere?" in notes
    assert any(note.split() == ["Read", "again", "before", "May"] for note in notes)
    assert len(marks) == 4
    [notice] = [n for n in row_of(library, document_id).notes if "Zotero" in n]
    assert notice.params["n"] == 1


def test_tags_of_highlights_are_taken_over_and_followed(library, tmp_path):
    zotero = ZoteroFolder(tmp_path / "Zotero")
    file = zotero.add_file(zotero.add_work(title="Harbour clocks", tags=["clocks"]))
    mark = zotero.add_mark(file, "Clara Wren winds the clocks", tags=["to read", "method"])
    zotero.add_mark(file, "the great clock in the winter of 1871", page=1)
    age(zotero.folder)
    [document_id] = add_bibliography(library.writer, zotero.folder).documents
    index(library)
    service = AnnotationService(library.writer, library.writer)

    def list_tags() -> list[tuple[str, ...]]:
        return [mark.tags for mark in service.list_annotations(document_id)]

    assert list_tags() == [("method", "to read"), ()]
    zotero.connection.execute(
        "DELETE FROM itemTags WHERE itemID = ? AND tagID = (SELECT tagID FROM tags"
        " WHERE name = 'method')",
        (mark,),
    )
    again = add_bibliography(library.writer, zotero.folder)
    assert again.followed.n_changed == 1
    assert list_tags() == [("to read",), ()]
    [first, _] = service.list_annotations(document_id)
    service.change(first.id, tags=["mine"])
    zotero.connection.execute("DELETE FROM itemTags WHERE itemID = ?", (mark,))
    assert add_bibliography(library.writer, zotero.folder).followed.n_kept == 1
    assert list_tags() == [("mine",), ()]


def test_adding_again_takes_only_what_is_new(library, tmp_path):
    zotero = make_study(tmp_path / "Zotero")
    age(zotero.folder)
    [document_id] = add_bibliography(library.writer, zotero.folder).documents
    index(library)
    marks = AnnotationService(library.writer, library.writer)
    [own] = [
        m
        for m in marks.list_annotations(document_id)
        if "winds" in m.quote and m.end - m.start < 40
    ]
    marks.remove(own.id)
    DocumentService(library.writer).edit_details([document_id], drop_tags=["clocks"])
    again = add_bibliography(library.writer, zotero.folder)
    assert (again.documents, again.completed, again.n_unchanged) == ((), (), 1)
    assert len(marks.list_annotations(document_id)) == 3  # what was removed does not come back
    assert row_of(library, document_id).tags == ("harbour",)
    zotero.add_mark(2, "every morning")
    work = zotero.add_work("book", title="Tides", ISBN="978-7-02-000874-2")
    zotero.add_file(work, "tides.pdf", make_pdf([("Tides of the harbour", "rise and fall.")]))
    third = add_bibliography(library.writer, zotero.folder)
    assert third.completed == (document_id,) and len(third.documents) == 1
    assert third.n_marks == 1
    assert len(marks.list_annotations(document_id)) == 4
    index(library)
    assert row_of(library, third.documents[0]).isbn == "9787020008742"


def test_a_file_that_changed_in_zotero_is_read_again_and_no_new_document(library, study):
    [document_id] = add_bibliography(library.writer, study).documents
    index(library)
    [pdf] = study.rglob("*.pdf")
    pages = [(*PAGES[0], "Nobody else has the key."), PAGES[1]]
    pdf.write_bytes(make_pdf(pages))
    again = add_bibliography(library.writer, study)
    assert again.documents == ()
    index(library)
    assert "Nobody else has the key." in LibraryReader(library.writer).fetch_text(document_id)
    row = row_of(library, document_id)
    assert (row.title, row.year) == ("A study of harbour clocks", "1999")


def test_what_the_user_wrote_stays_over_zotero(library, study):
    [document_id] = add_bibliography(library.writer, study).documents
    service = DocumentService(library.writer)
    service.edit_details([document_id], title="My clocks", year="2001")
    index(library)
    add_bibliography(library.writer, study)
    row = row_of(library, document_id)
    assert (row.title, row.year, row.author) == ("My clocks", "2001", "Wren, Clara; Wei, Li")
    history.undo(library.writer)
    assert row_of(library, document_id).title == "A study of harbour clocks"


def test_marks_that_are_there_are_not_written_twice(library, study):
    [document_id] = add_bibliography(library.writer, study).documents
    index(library)
    with library.writer.transaction():  # as after a backup without it was restored
        library.writer.write("DELETE FROM bibliography_item")
    add_bibliography(library.writer, study)
    marks = AnnotationService(library.writer, library.writer)
    assert len(marks.list_annotations(document_id)) == 4


@pytest.mark.parametrize(
    "stored", ["no JSON", "[1]", '{"title": {"a": 1}, "pending": [3], "tags": 5}']
)
def test_what_another_program_stored_of_a_work_does_no_harm(library, study, stored):
    [document_id] = add_bibliography(library.writer, study).documents
    with library.writer.transaction():
        library.writer.write("UPDATE bibliography_item SET taken = ?", (stored,))
    index(library)
    assert row_of(library, document_id).state == "ready"
    assert len(document_metadata.fetch_document_references(library.writer)) == 1
    add_bibliography(library.writer, study)
    assert row_of(library, document_id).title == "A study of harbour clocks"


def test_a_document_in_the_trash_is_not_added_again(library, study):
    age(study)
    [document_id] = add_bibliography(library.writer, study).documents
    index(library)
    _, [trash_id] = DocumentService(library.writer).trash_documents([document_id])
    again = add_bibliography(library.writer, study)
    assert (again.documents, again.in_trash) == ((), 1)
    DocumentService(library.writer).restore_documents([trash_id])
    assert row_of(library, document_id).title == "A study of harbour clocks"
    DocumentService(library.writer).delete_documents([document_id])
    assert document_metadata.fetch_given(library.writer, document_id) == {}


def test_works_without_files_complete_documents_or_are_listed(library, tmp_path):
    zotero = make_study(tmp_path / "Zotero")
    zotero.add_work("book", title="Nowhere", authors=[("A", "B")])
    gone = zotero.add_work("case", caseName="Hale v. Wren")
    zotero.add_file(gone, "brief.pdf", path="/no/such/brief.pdf")
    other = zotero.add_work(title="Attached")
    zotero.add_file(other, "x.pdf", path="attachments:x.pdf")
    added = add_bibliography(library.writer, zotero.folder)
    assert added.without_file == ("Nowhere", "Hale v. Wren", "Attached")
    assert added.missing == (
        ("Hale v. Wren", "/no/such/brief.pdf"),
        ("Attached", "attachments:x.pdf"),
    )


def test_the_trash_of_zotero_and_feeds_are_left_alone(tmp_path):
    zotero = make_study(tmp_path / "Zotero")
    zotero.delete(zotero.add_work("book", title="Deleted"))
    zotero.add_work(title="News", library=3)
    group = zotero.add_work("book", title="Shared", library=2)
    zotero.add_collection("Plans", [group], library=2)
    zotero.delete(2)  # the PDF of the study
    found = read(zotero.close())
    assert [entry.title for entry in found.entries] == ["A study of harbour clocks", "Shared"]
    assert found.entries[0].files == ()
    assert found.entries[1].collections == ("Harbour group / Plans",)


def test_several_files_of_a_work_have_titles_of_their_own(tmp_path):
    zotero = ZoteroFolder(tmp_path / "Zotero")
    work = zotero.add_work(title="Clocks", authors=[("E", "Ditor", "editor")])
    zotero.add_file(work, "page.html", b"<p>a</p>", title="Snapshot")
    zotero.add_file(work, "more.pdf", title="Supplement 1")
    zotero.add_file(work, "paper.pdf")
    zotero.add_file(work, "figure.png", b"\x89PNG")
    zotero.add_file(None, "alone.pdf", title="alone.pdf")
    found = read(zotero.close())
    labels = [file.label for file in found.entries[0].files]
    assert labels == ["", "paper", "page"]  # the PDF that was added first is the work itself
    assert found.entries[0].authors == ("Ditor, E",)
    assert found.entries[1].title == "alone"
    assert list(found.left_out.values()) == [1]


@pytest.mark.usefixtures("in_child")
@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_it_is_read_while_zotero_runs_and_stays_untouched(tmp_path, mode):
    zotero = ZoteroFolder(tmp_path / "Zotero", mode)
    zotero.connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
    zotero.add_work("book", title="While it runs")
    zotero.connection.execute("BEGIN EXCLUSIVE; COMMIT")
    if mode == "delete":
        with pytest.raises(apsw.BusyError):  # as Zotero holds it
            apsw.Connection(
                str(zotero.folder / "zotero.sqlite"), flags=apsw.SQLITE_OPEN_READONLY
            ).execute("SELECT * FROM items").fetchall()
    before = digest(zotero.folder)
    assert [entry.title for entry in read(zotero.folder).entries] == ["While it runs"]
    assert digest(zotero.folder) == before
    zotero.add_work("book", title="Zotero still writes")
    zotero.close()
    assert len(read(zotero.folder).entries) == 2


@pytest.mark.usefixtures("in_child")
def test_a_transaction_on_its_way_is_waited_for(study, monkeypatch):
    monkeypatch.setattr(zotero_reader, "WAIT_S", 0.01)
    (study / "zotero.sqlite-journal").write_bytes(zotero_reader._JOURNAL_MAGIC + bytes(500))
    with pytest.raises(EnvironmentProblem, match="writing to its database"):
        zotero_reader.read_zotero(study)
    (study / "zotero.sqlite-journal").write_bytes(b"")
    assert len(zotero_reader.read_zotero(study).entries) == 1


@pytest.mark.usefixtures("in_child")
def test_folders_that_are_not_zoteros_and_broken_ones_are_refused(tmp_path, study):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert not is_bibliography(empty) and is_bibliography(study)
    with pytest.raises(UserError, match="no data folder of Zotero"):
        read(empty)
    (empty / "zotero.sqlite").write_bytes(b"not a database" * 500)
    with pytest.raises(UserError, match="no database of Zotero 5"):
        read(empty)
    apsw.Connection(str(tmp_path / "other.sqlite")).execute("CREATE TABLE t(a)")
    (tmp_path / "other.sqlite").rename(empty / "zotero.sqlite")
    with pytest.raises(UserError, match="no database of Zotero 5"):
        read(empty)
    content = bytearray((study / "zotero.sqlite").read_bytes())
    content[8192:] = bytes(len(content) - 8192)
    (study / "zotero.sqlite").write_bytes(content)
    with pytest.raises(UserError, match="is damaged"):
        read(study)


def test_the_folder_is_remembered_on_this_computer_and_not_in_the_file(library, study):
    assert list_folders(library.writer) == []
    add_bibliography(library.writer, study)
    add_bibliography(library.writer, study)
    assert list_folders(library.writer) == [study.resolve()]
    assert str(study) in paths.zotero_folders_file().read_text("utf-8")
    stored = library.writer.column("SELECT value FROM setting")
    assert not any(str(study) in value for value in stored)


def test_tags_and_collections_are_one_step_of_the_history(library, study):
    [document_id] = add_bibliography(library.writer, study).documents
    index(library)
    history.undo(library.writer)
    assert list_members(library.writer) == {}
    assert row_of(library, document_id).tags == ()
    assert row_of(library, document_id).title == "A study of harbour clocks"


def test_words_are_found_despite_hyphens_quotation_marks_and_wrong_letters():
    text = "The “great” clock was re-\npaired in the winter. Nobody thanked Tobias Hale for it."
    squeezed = SqueezedText(text)

    def find(words: str) -> str:
        place = place_mark(Mark("k", words), text, squeezed, ())
        return text[place.start : place.end] if place.kind == "highlight" else ""

    assert find('The "great" clock was repaired') == "The “great” clock was re-\npaired"
    assert find("Nob0dy thanked T0bias Hale for") == "Nobody thanked Tobias Hale for"
    assert find("Nobody ever blamed Clara Wren at all") == ""
    assert find("钟") == ""
    assert find("Hale") == "Hale" and find("the") == ""  # which of several is not known
    assert find("\ue001\ue002\ue003\ue004 \ue005\ue006 clock") == ""  # a font without letters


@pytest.mark.parametrize(
    ("color", "name"),
    [
        ("#ffd400", "yellow"), ("#ff6666", "pink"), ("#5fb236", "green"), ("#2ea8e5", "blue"),
        ("#a28ae5", "blue"), ("#e56eee", "pink"), ("#f19837", "yellow"), ("#aaaaaa", "yellow"),
        ("red", "yellow"), ("", "yellow"),
    ],
)  # fmt: skip
def test_each_colour_of_zotero_becomes_the_most_similar_one(color, name):
    assert find_color(color) == name


def test_changed_and_deleted_highlights_are_followed_and_those_of_the_user_stay(library, tmp_path):
    zotero = make_study(tmp_path / "Zotero")
    age(zotero.folder)
    [document_id] = add_bibliography(library.writer, zotero.folder).documents
    index(library)
    service = AnnotationService(library.writer, library.writer)

    def list_marks() -> dict[str, tuple[str, str]]:
        return {m.quote[:12]: (m.color, m.note) for m in service.list_annotations(document_id)}

    before = list_marks()
    assert before["Clara Wren w"] == ("green", "Every day?")
    change = "UPDATE itemAnnotations SET comment = ?, color = '#ff6666' WHERE text LIKE ?"
    zotero.connection.execute(change, ("Every night.", "Clara Wren%"))
    gone = zotero.connection.execute(
        "SELECT itemID FROM itemAnnotations WHERE text LIKE 'repaired%'"
    ).fetchone()[0]
    zotero.delete(gone)
    [lost] = [m for m in service.list_annotations(document_id) if "nowhere" in m.note]
    service.change(lost.id, note="Mine.")
    zotero.connection.execute(change, ("Elsewhere.", "words that%"))
    again = add_bibliography(library.writer, zotero.folder)
    assert (again.followed.n_changed, again.followed.n_deleted, again.followed.n_kept) == (1, 1, 1)
    after = list_marks()
    assert after["Clara Wren w"] == ("pink", "Every night.")
    assert not any(quote.startswith("repaired") for quote in after)
    assert "Mine." in [note for _, note in after.values()] and len(after) == len(before) - 1
    same = add_bibliography(library.writer, zotero.folder)
    assert same.followed == Followed() and list_marks() == after
    history.undo(library.writer)  # of the update
    assert list_marks()["Clara Wren w"] == ("green", "Every day?")


def test_a_note_without_a_work_is_a_document_that_follows_its_text(library, tmp_path):
    zotero = ZoteroFolder(tmp_path / "Zotero")
    note = zotero.add_note(None, "<p>Plan of the week</p><p>Clara Wren comes on Monday.</p>")
    zotero.add_collection("Plans", [note])
    [document_id] = add_bibliography(library.writer, zotero.folder).documents
    index(library)
    row = row_of(library, document_id)
    assert (row.title, row.state, row.item_key) == ("Plan of the week", "ready", "KEY00001")
    assert list_members(library.writer) == {"Plans": frozenset({document_id})}
    again = add_bibliography(library.writer, zotero.folder)
    assert (again.documents, again.n_unchanged) == ((), 1)
    zotero.connection.execute(
        "UPDATE itemNotes SET note = '<p>Plan of the week</p><p>Tobias Hale comes instead.</p>'"
    )
    assert add_bibliography(library.writer, zotero.folder).documents == ()
    index(library)
    text = LibraryReader(library.writer).fetch_text(document_id)
    assert "Tobias Hale" in text and "Clara" not in text
    DocumentService(library.writer).trash_documents([document_id])
    assert add_bibliography(library.writer, zotero.folder).in_trash == 1


def test_details_of_a_work_can_be_edited_and_found(library, study):
    [document_id] = add_bibliography(library.writer, study).documents
    DocumentService(library.writer).edit_details(
        [document_id], container="Annals of Clocks", pages="7–9"
    )
    add_bibliography(library.writer, study)
    row = row_of(library, document_id)
    assert (row.container, row.cited_pages, row.volume) == ("Annals of Clocks", "7–9", "12")
    [reference] = document_metadata.fetch_document_references(library.writer)
    assert (reference.container, reference.pages) == ("Annals of Clocks", "7–9")
    history.undo(library.writer)  # the second adding changed nothing
    assert row_of(library, document_id).container == "Journal of Clocks"


def test_details_that_were_settings_are_migrated(tmp_path, monkeypatch):
    path = tmp_path / "old.inkgraph"
    given = {"title": "Tides", "container": "Journal of Tides", "taken": ["K"], "year": 5}
    with monkeypatch.context() as patch:
        older = [f for f in migration_files() if f.name < "0028"]
        patch.setattr(connection_module, "migration_files", lambda: older)
        old = Db(path)
        with old.transaction():
            old.write_many(
                "INSERT INTO setting VALUES (?, ?)",
                [
                    ("reference:3", json.dumps(given)),
                    ("reference:4", "no JSON"),
                    ("reference:5", "[1]"),
                    ("enrichment", "{}"),
                ],
            )
        old.close()
    db = Db(path)
    assert db.column("SELECT key FROM setting") == ["enrichment"]
    assert db.column("SELECT document_id FROM bibliography_item") == [3]
    expected = {"title": "Tides", "container": "Journal of Tides", "taken": ["K"]}
    assert document_metadata.fetch_given(db, 3) == expected
    db.close()
