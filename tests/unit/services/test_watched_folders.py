"""Tests watched folders: what a scan adds and reports, and that a file names none."""

from __future__ import annotations

import os
import time

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.messages import Message
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.watched_folders import FolderWatcher
from desktop_app.engine.store import connection as connection_module
from desktop_app.engine.store import document_metadata
from desktop_app.engine.store.backup import write_copy
from desktop_app.engine.store.connection import migration_files
from desktop_app.engine.store.db import Db
from tests.small_library import TEXT, index, row_of


@pytest.fixture
def work(library) -> DocumentService:
    return DocumentService(library.writer)


def write_settled(path, text: str, age_s: float = 60) -> None:
    path.write_text(text, "utf-8")
    then = time.time() - age_s
    os.utime(path, (then, then))


def test_nothing_is_watched_by_default(library, tmp_path):
    watching = FolderWatcher(library.writer)
    write_settled(tmp_path / "a.txt", TEXT)
    assert watching.list_folders() == []
    assert watching.scan().added.documents == ()


def test_new_changed_and_missing_files_are_noticed(library, tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    watching = FolderWatcher(library.writer)
    assert watching.watch(folder) == [str(folder)]
    write_settled(folder / "a.txt", TEXT)
    write_settled(folder / "b.txt", "Still being written.", age_s=-3600)
    write_settled(folder / "song.mp3", "no book")
    [first] = watching.scan().added.documents
    index(library)
    assert watching.scan().added.documents == ()
    write_settled(folder / "a.txt", TEXT + "And one line more of Ada Merrow.", age_s=30)
    assert watching.scan().added.documents == (first,)
    index(library)
    (folder / "a.txt").unlink()
    assert [i for i, _ in watching.scan().gone] == [first]
    assert watching.scan().gone == ()
    assert row_of(library, first).state == "ready"
    assert watching.unwatch(str(folder)) == []


def test_files_of_references_are_named_once_and_not_added(library, tmp_path):
    folder, settings = tmp_path / "papers", tmp_path / "watched.json"
    folder.mkdir()
    watching = FolderWatcher(library.writer, settings)
    watching.watch(folder)
    write_settled(folder / "a.bib", "@book{x, title = {Rain}, author = {Ada Merrow}}")
    write_settled(folder / "b.ris", "TY  - BOOK\nTI  - Rain\nER  - \n")
    csl = '[{"id": "x", "type": "book", "title": "Rain", "author": [{"family": "Merrow"}]}]'
    write_settled(folder / "c.json", csl)
    write_settled(folder / "d.json", '[{"name": "Rain", "amount": 3}]')
    write_settled(folder / ".hidden.bib", "@book{x, title = {Rain}}")
    seen = watching.scan()
    assert [path.name for path in seen.references] == ["a.bib", "b.ris", "c.json"]
    [table] = seen.added.documents
    assert row_of(library, table).file_name == "d.json"
    assert not seen.added.refused
    # Not again, also where the program was started again and a file changed; a new one is named.
    write_settled(folder / "a.bib", "@book{x, title = {Rain and more}}", age_s=30)
    write_settled(folder / "e.bibtex", "@book{y, title = {Snow}}")
    again = FolderWatcher(library.writer, settings)
    assert [path.name for path in again.scan().references] == ["e.bibtex"]
    assert again.list_folders() == [str(folder)]
    assert again.scan().references == ()


def test_deleted_files_are_not_added_again(library, work, tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    watching = FolderWatcher(library.writer)
    watching.watch(folder)
    write_settled(folder / "a.txt", TEXT)
    [first] = watching.scan().added.documents
    index(library)
    work.trash_documents([first])
    assert FolderWatcher(library.writer).scan().added.documents == ()


def test_a_missing_folder_deletes_nothing(library, tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    watching = FolderWatcher(library.writer)
    watching.watch(folder)
    write_settled(folder / "a.txt", TEXT)
    watching.scan()
    folder.rename(tmp_path / "away")
    assert watching.scan().gone == ()
    with pytest.raises(UserError):
        watching.watch(tmp_path / "nowhere")


def test_watching_is_a_setting_of_the_user_and_no_edit(library, tmp_path):
    (tmp_path / "books").mkdir()
    watching, editing = FolderWatcher(library.writer), EditingService(library.writer)
    folders = watching.watch(tmp_path / "books")
    assert editing.undo()[0] is None
    assert FolderWatcher(library.writer).list_folders() == folders
    assert str(tmp_path / "books").encode() not in library.path.read_bytes()


def test_a_copy_of_a_library_and_another_one_at_its_path_watch_nothing(library, tmp_path):
    (tmp_path / "books").mkdir()
    FolderWatcher(library.writer).watch(tmp_path / "books")
    copy = tmp_path / "copy.inkgraph"
    write_copy(library.writer, copy)
    opened = Library(copy)
    assert FolderWatcher(opened.writer).list_folders() == []
    opened.close()
    path = library.path
    library.close()
    path.unlink()
    other = Library(path)
    assert FolderWatcher(other.writer).list_folders() == []
    other.close()


def request(library: Library, *paths: object) -> None:
    """Put folders into the library file, as an older version or another person would."""
    with library.writer.transaction():
        library.writer.write_many(
            "INSERT INTO requested_folder VALUES (?, 0)", ((str(path),) for path in paths)
        )


def test_folders_that_the_file_names_are_not_read_but_asked_about_once(library, tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    write_settled(folder / "a.txt", TEXT)
    request(library, folder, "/proc/1/root", "//host/share", "x" * 50_000, "bad\0name")
    watching = FolderWatcher(library.writer)
    assert watching.scan().added.documents == ()
    asked = watching.list_requested()
    assert str(folder) in asked and len(asked) == 5
    assert watching.answer_requested([]) == []
    assert watching.list_requested() == [] and watching.scan().added.documents == ()


def test_a_chosen_folder_that_the_file_names_is_watched(library, tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    write_settled(folder / "a.txt", TEXT)
    request(library, folder, tmp_path / "gone")
    watching = FolderWatcher(library.writer)
    assert watching.answer_requested([str(folder), str(tmp_path / "gone")]) == [str(folder)]
    assert len(watching.scan().added.documents) == 1


def test_a_document_that_names_a_file_outside_the_folder_is_not_looked_up(library, tmp_path):
    folder, outside = tmp_path / "books", tmp_path / "secret.txt"
    folder.mkdir()
    watching = FolderWatcher(library.writer)
    watching.watch(folder)
    write_settled(folder / "a.txt", TEXT)
    watching.scan()
    index(library)
    for path in (f"{folder}/../secret.txt", str(outside), f"{folder}/a\0b", "//host/share/a"):
        with library.writer.transaction():
            library.writer.write("UPDATE document SET source_path = ?", (path,))
        assert watching.scan().gone == ()


def test_folders_of_an_older_library_become_requests_and_leave_the_history(tmp_path, monkeypatch):
    path = tmp_path / "old.inkgraph"
    later = [file for file in migration_files() if file.stem.startswith("0012")]
    with monkeypatch.context() as patch:
        before = [file for file in migration_files() if file.stem < "0012"]
        patch.setattr(connection_module, "migration_files", lambda: before)
        old = Db(path)
        label = Message("Watch the folder “{name}”", name="books").to_stored()
        with old.transaction():
            old.write("INSERT INTO watched_folder VALUES ('/books', 1)")
            old.write_many(
                "INSERT INTO history(label, changeset, created_at) VALUES (?, x'', 1)",
                ((label,), ("Stop watching the folder “books”",), ("Rename “Ada”",)),
            )
        old.close()
    assert later
    library = Library(path)
    watching = FolderWatcher(library.writer)
    assert watching.list_folders() == [] and watching.list_requested() == ["/books"]
    assert library.writer.column("SELECT label FROM history") == ["Rename “Ada”"]
    assert len(document_metadata.fetch_library_id(library.writer)) == 32
    library.close()
