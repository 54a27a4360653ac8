"""Tests documents in the real window: adding, watching, backup, highlights, trash."""

from __future__ import annotations

import os
import time
from pathlib import Path

from desktop_app.engine.services.library import Library
from desktop_app.ui.controllers import library as document_desk
from desktop_app.ui.library.dialogs import LibraryFileDialog, WatchedFoldersDialog
from tests.e2e.test_main_task import WAIT_MS
from tests.unit.services.test_indexing import STORY


def titles(workspace) -> list[str]:
    rows = workspace.context.library_reader.list_documents()
    return sorted(row.file_name.removesuffix(".txt") for row in rows if row.state == "ready")


def write_settled(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    then = time.time() - 60
    os.utime(path, (then, then))


def test_adding_many_files_asks_for_confirmation(qtbot, workspace, tmp_path, monkeypatch):
    monkeypatch.setattr(document_desk, "MANY_FILES", 1)
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text(f"{name} {STORY}", "utf-8")
    files = [str(tmp_path / "one.txt"), str(tmp_path / "two.txt")]
    workspace.window.files_dropped.emit(files)
    messages = workspace.context.messages
    qtbot.waitUntil(lambda: messages.last is not None and messages.last.action_text == "Add")
    assert messages.last.text.startswith("Add 2 files")
    assert workspace.context.library_reader.list_documents() == []
    messages.last.action()
    qtbot.waitUntil(lambda: titles(workspace) == ["one", "two"], timeout=WAIT_MS)


def test_a_watched_folder_is_read_automatically(qtbot, workspace, tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    write_settled(folder / "clock.txt", STORY)
    documents = workspace.library_controller
    workspace.window.screens.library.watch_wanted.emit()
    assert isinstance(documents.sheet, WatchedFoldersDialog)
    documents.sheet.watch_wanted.emit(str(folder))
    qtbot.waitUntil(lambda: titles(workspace) == ["clock"], timeout=WAIT_MS)
    assert documents.sheet.list.count() == 1
    documents.sheet.accept()
    (folder / "clock.txt").unlink()
    messages = workspace.context.messages

    def is_reported() -> bool:
        documents.scan_folders()  # does nothing while a scan runs
        return messages.last is not None and "on the disk" in messages.last.text

    qtbot.waitUntil(is_reported, timeout=WAIT_MS)
    assert titles(workspace) == ["clock"]
    write_settled(folder / "papers.bib", "@book{rain, title = {Rain}, author = {Ada Merrow}}")

    def is_named() -> bool:
        documents.scan_folders()
        return "“papers.bib” in a watched folder has references" in messages.last.text

    qtbot.waitUntil(is_named, timeout=WAIT_MS)
    question = messages.last
    with qtbot.waitSignal(documents.bibliographies_found) as found:
        question.action()
    assert found.args == [[folder / "papers.bib"]]
    qtbot.waitUntil(lambda: messages.last is not question, timeout=WAIT_MS)
    assert "papers.bib" in messages.last.text
    qtbot.waitUntil(lambda: not workspace.references.is_running, timeout=WAIT_MS)


def test_a_library_is_backed_up_compacted_and_a_backup_opened(qtbot, workspace, tmp_path):
    workspace.window.screens.library.library_file_wanted.emit()
    qtbot.waitUntil(lambda: isinstance(workspace.library_controller.sheet, LibraryFileDialog))
    sheet = workspace.library_controller.sheet
    qtbot.waitUntil(lambda: sheet.isVisible())
    backup, restored = tmp_path / "copy.inkgraph", tmp_path / "again.inkgraph"
    sheet.backup_wanted.emit(str(backup))
    qtbot.waitUntil(lambda: "Backed up" in sheet.message.text())
    sheet.compact_wanted.emit()
    qtbot.waitUntil(lambda: "Compacted" in sheet.message.text())
    with qtbot.waitSignal(workspace.window.library_wanted) as wanted:
        sheet.restore_wanted.emit(str(backup), str(restored))
    assert wanted.args == [str(restored)]
    Library(restored).close()


def test_a_passage_is_highlighted_and_undone_from_the_window(qtbot, workspace, tmp_path):
    (tmp_path / "clock.txt").write_text(STORY, "utf-8")
    workspace.window.files_dropped.emit([str(tmp_path / "clock.txt")])
    qtbot.waitUntil(lambda: titles(workspace) == ["clock"], timeout=WAIT_MS)
    [row] = workspace.context.library_reader.list_documents()
    workspace.window.navigator.open_document(row.id)
    reader = workspace.window.document_tabs.reader
    qtbot.waitUntil(lambda: reader.view is reader.text_view)
    reader.text_view.selection.select(0, 20)
    reader.annotations.highlight(0, 20, "green")
    qtbot.waitUntil(lambda: len(reader.text_view.marks) == 1)
    workspace.window.undo_wanted.emit()
    qtbot.waitUntil(lambda: reader.text_view.marks == [])
    workspace.window.redo_wanted.emit()
    qtbot.waitUntil(lambda: len(reader.text_view.marks) == 1)


def test_a_document_is_restored_from_the_trash(qtbot, workspace, tmp_path):
    (tmp_path / "clock.txt").write_text(STORY, "utf-8")
    workspace.window.files_dropped.emit([str(tmp_path / "clock.txt")])
    qtbot.waitUntil(lambda: titles(workspace) == ["clock"], timeout=WAIT_MS)
    qtbot.waitUntil(lambda: workspace.session.indexing_runner.state == "idle", timeout=WAIT_MS)
    library = workspace.window.screens.library
    library.collections.move_to_trash(workspace.context.library_reader.list_documents())
    messages = workspace.context.messages
    qtbot.waitUntil(lambda: messages.last is not None and messages.last.action_text == "Undo")
    assert workspace.context.library_reader.overview().n_entities == 0
    messages.last.action()
    qtbot.waitUntil(lambda: titles(workspace) == ["clock"], timeout=WAIT_MS)
    qtbot.waitUntil(lambda: workspace.context.library_reader.overview().n_entities > 0)
    workspace.window.redo_wanted.emit()
    qtbot.waitUntil(lambda: titles(workspace) == [], timeout=WAIT_MS)
    workspace.window.undo_wanted.emit()
    qtbot.waitUntil(lambda: titles(workspace) == ["clock"], timeout=WAIT_MS)


def test_an_emptied_file_is_reported_and_a_changed_one_is_shown_and_set_back(
    qtbot, workspace, tmp_path
):
    path = tmp_path / "clock.txt"
    path.write_text(STORY, "utf-8")
    window, read = workspace.window, workspace.context.library_reader
    window.files_dropped.emit([str(path)])
    qtbot.waitUntil(lambda: titles(workspace) == ["clock"], timeout=WAIT_MS)
    [row] = read.list_documents()
    window.navigator.open_document(row.id)
    reader, library = window.document_tabs.reader, window.screens.library
    qtbot.waitUntil(lambda: reader.loaded is not None, timeout=WAIT_MS)
    path.write_text("", "utf-8")
    window.files_dropped.emit([str(path)])
    panel = library.list.inspector.versions

    def is_reported() -> bool:
        library.list.select(row.id)
        return "it is empty (0 bytes). The text of " in panel.words.text()

    qtbot.waitUntil(is_reported, timeout=WAIT_MS)
    assert reader.loaded is not None and reader.loaded.text == STORY
    changed = STORY.replace("Clara Wren", "Fanny Price")
    path.write_text(changed, "utf-8")
    window.files_dropped.emit([str(path)])

    def shows(text: str) -> bool:
        return reader.loaded is not None and reader.loaded.text == text

    qtbot.waitUntil(lambda: shows(changed), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not panel.restore_button.isHidden(), timeout=WAIT_MS)
    panel.restore_button.click()
    qtbot.waitUntil(lambda: shows(STORY), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: titles(workspace) == ["clock"], timeout=WAIT_MS)
    window.undo_wanted.emit()
    qtbot.waitUntil(lambda: shows(changed), timeout=WAIT_MS)
