"""Tests adding in the real window: a pasted text, refused files, known files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from desktop_app.engine.text.chunking import ChunkingSettings
from desktop_app.ui.library.dialogs import RefusedFilesDialog
from desktop_app.ui.workspace import Workspace
from tests.e2e.test_main_task import WAIT_MS
from tests.unit.services.test_indexing import STORY

NOTE = "Robert Vale met Ann Stone in Leeds. Bob Vale married Ann Stone. Mr. Pike hated Bob Vale."


def ready(workspace: Workspace) -> dict[str, int]:
    rows = workspace.context.library_reader.list_documents()
    return {row.title: row.id for row in rows if row.state == "ready"}


def copied_lines(sheet: RefusedFilesDialog) -> list[list[str]]:
    """Return path and reason of each line that the dialog's button copies."""
    copy = next(b for b in sheet.findChildren(QPushButton) if b.text() == "Copy the list")
    copy.click()
    return [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]


def test_a_pasted_text_is_read_and_can_be_reindexed(qtbot, workspace):
    screen = workspace.window.screens.library
    screen.text_pasted.emit("Clocks", STORY)
    qtbot.waitUntil(lambda: "Clocks" in ready(workspace), timeout=WAIT_MS)
    document_id = ready(workspace)["Clocks"]
    before = workspace.context.library_reader.get_document(document_id).n_chunks
    qtbot.waitUntil(lambda: not workspace.session.indexing_runner.is_running, timeout=WAIT_MS)
    screen.indexing.run([document_id], ChunkingSettings(chunk_token_size=50))

    def is_finer() -> bool:
        row = workspace.context.library_reader.get_document(document_id)
        return row.state == "ready" and row.n_chunks > before

    qtbot.waitUntil(is_finer, timeout=WAIT_MS)


def test_every_refused_file_is_listed_with_its_reason(qtbot, workspace, tmp_path):
    files = [str(tmp_path / "gone.txt"), str(tmp_path / "lost.pdf")]
    workspace.library_controller.add(files)
    messages = workspace.context.messages
    qtbot.waitUntil(lambda: messages.last is not None, timeout=WAIT_MS)
    text = messages.last.text
    assert text.startswith("2 files were not added: gone.txt — There is no file")
    assert messages.last.action_text == "Show all"
    messages.last.action()
    sheet = workspace.library_controller.sheet
    assert isinstance(sheet, RefusedFilesDialog) and sheet.title.text() == "2 files were not added"
    lines = copied_lines(sheet)
    assert [path for path, _ in lines] == files
    assert all("There is no file" in reason for _, reason in lines)
    sheet.accept()


def test_adding_a_known_file_opens_the_existing_document(qtbot, workspace, tmp_path):
    first, copy = tmp_path / "clock.txt", tmp_path / "copy.txt"
    first.write_text(STORY, "utf-8")
    copy.write_text(STORY, "utf-8")
    workspace.library_controller.add([str(first)])
    qtbot.waitUntil(lambda: bool(ready(workspace)), timeout=WAIT_MS)
    [document_id] = ready(workspace).values()
    screen = workspace.window.screens.library
    qtbot.waitUntil(lambda: screen.model.place_of(document_id) >= 0, timeout=WAIT_MS)
    screen.filter.setText("nothing like it")
    workspace.library_controller.add([str(copy)])
    messages = workspace.context.messages
    qtbot.waitUntil(
        lambda: messages.last is not None and "already in the library" in messages.last.text,
        timeout=WAIT_MS,
    )
    assert messages.last.text.startswith("“copy.txt” is already in the library as")
    messages.last.action()
    assert screen.filter.text() == "" and screen.list.current_row().id == document_id


def test_unreadable_files_of_a_folder_are_listed(qtbot, workspace, tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "clock.txt").write_text(STORY, "utf-8")
    (folder / "chime.mp3").write_bytes(b"ID3\x03" + bytes(99))
    (folder / "data.bin").write_bytes(b"\0" * 99)
    (folder / "setup.exe").write_bytes(b"MZ\x90" + bytes(99))
    (folder / ".hidden").write_text("x", "utf-8")
    workspace.library_controller.add([str(folder)])
    messages = workspace.context.messages
    qtbot.waitUntil(lambda: messages.last is not None, timeout=WAIT_MS)
    assert messages.last.text == (
        "3 files were not added: chime.mp3 — it is a sound file; "
        "data.bin — files of this kind are not supported; 1 more."
    )
    messages.last.action()
    paths = [Path(path).name for path, _ in copied_lines(workspace.library_controller.sheet)]
    assert paths == ["chime.mp3", "data.bin", "setup.exe"]
    workspace.library_controller.sheet.accept()
    qtbot.waitUntil(lambda: len(ready(workspace)) == 1, timeout=WAIT_MS)


def test_a_program_among_chosen_files_is_named_and_not_stored(qtbot, workspace, tmp_path):
    story, program = tmp_path / "clock.txt", tmp_path / "setup.exe"
    story.write_text(STORY, "utf-8")
    program.write_bytes(b"MZ\x90" + bytes(99))
    workspace.window.files_dropped.emit([str(program), str(story)])
    messages = workspace.context.messages
    qtbot.waitUntil(lambda: messages.last is not None, timeout=WAIT_MS)
    assert messages.last.text == (
        "“setup.exe” can't be read: it is a program. Add a file with text in it."
    )
    qtbot.waitUntil(lambda: len(ready(workspace)) == 1, timeout=WAIT_MS)
    assert len(workspace.context.library_reader.list_documents()) == 1


def test_a_note_of_three_sentences_gives_all_its_names(qtbot, workspace):
    workspace.window.screens.library.text_pasted.emit("Note", NOTE)
    qtbot.waitUntil(lambda: "Note" in ready(workspace), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not workspace.session.indexing_runner.is_running, timeout=WAIT_MS)
    library_reader = workspace.context.library_reader
    assert library_reader.get_document(ready(workspace)["Note"]).language == "en"
    found = {entity.name: entity for entity in library_reader.top_entities(20)}
    assert set(found) == {"Robert Vale", "Ann Stone", "Leeds", "Bob Vale", "Mr. Pike"}
    robert, bob = found["Robert Vale"], found["Bob Vale"]
    assert robert.id != bob.id and (robert.n_mentions, bob.n_mentions) == (1, 2)
    assert found["Leeds"].type == "place"
