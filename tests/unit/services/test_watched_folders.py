"""Tests watched folders: what a scan adds and reports, and undo."""

from __future__ import annotations

import os
import time

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.watched_folders import FolderWatcher
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
    (folder / "b.txt").write_text("Still being written.", "utf-8")
    write_settled(folder / "cover.jpg", "no book")
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


def test_a_watched_folder_is_undone_and_redone(library, tmp_path):
    (tmp_path / "books").mkdir()
    watching, editing = FolderWatcher(library.writer), EditingService(library.writer)
    folders = watching.watch(tmp_path / "books")
    watching.unwatch(folders[0])
    assert editing.undo()[0] == "Stop watching the folder “books”"
    assert watching.list_folders() == folders
    assert editing.undo()[0] == "Watch the folder “books”"
    assert watching.list_folders() == []
    editing.redo()
    assert watching.list_folders() == folders
