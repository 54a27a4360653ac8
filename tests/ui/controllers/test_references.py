"""Zotero and files of references from the window: a real library and reader."""

from __future__ import annotations

import json

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.engine.messages import Message
from desktop_app.engine.services.bibliography.service import AddedReferences
from desktop_app.session import Session
from desktop_app.ui.controllers.references import describe_references
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from tests.ui.controllers.test_enrichment import WAIT_MS, OneModelRegistry
from tests.zotero_folder import make_study


@pytest.fixture
def workspace(qapp, tmp_path):
    theme = Theme("light")
    theme.apply(QApplication.instance(), sets_sheet=False)  # as the program does
    made = Workspace(Session(tmp_path / "w.inkgraph", OneModelRegistry()), theme)
    made.window.show()
    yield made
    made.close()


def wait(qtbot, workspace) -> None:
    references = workspace.references
    qtbot.waitUntil(lambda: not references.is_running, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: workspace.session.indexing_runner.state == "idle", timeout=WAIT_MS)


def test_a_zotero_folder_that_is_dropped_becomes_documents_and_is_updated(
    qtbot, workspace, tmp_path
):
    zotero = make_study(tmp_path / "Zotero")
    messages, library = workspace.context.messages, workspace.window.screens.library
    library.zotero_update_wanted.emit()
    qtbot.waitUntil(lambda: messages.last is not None, timeout=WAIT_MS)
    assert messages.last.text == "No Zotero folder was added to this library yet."
    library.files_dropped.emit([str(zotero.folder)])
    qtbot.waitUntil(lambda: "new document" in messages.last.text, timeout=WAIT_MS)
    assert messages.last.text == "Zotero: 1 new document."
    wait(qtbot, workspace)
    reader = workspace.context.library_reader
    [row] = reader.list_documents()
    assert row.title == "A study of harbour clocks" and row.state == "ready"
    qtbot.waitUntil(lambda: library.model.n_all == 1, timeout=WAIT_MS)
    assert len(workspace.context.annotations.list_annotations(row.id)) == 4
    work = zotero.add_work(title="Tides")
    zotero.add_file(work, "tides.txt", b"Clara Wren writes of the tides.")
    zotero.add_work(title="Nowhere")
    workspace.window.actions_by_name["zotero_update"].trigger()
    qtbot.waitUntil(lambda: "no file" in messages.last.text, timeout=WAIT_MS)
    assert messages.last.text == "Zotero: 1 new document, 1 entry has no file."
    messages.last.action()
    wait(qtbot, workspace)
    assert len(reader.list_documents()) == 2


def test_files_of_references_are_told_apart_from_documents(qtbot, workspace, tmp_path):
    bib, text = tmp_path / "refs.bib", tmp_path / "notes.txt"
    bib.write_text("@book{a, title={Nowhere}}")
    text.write_text("Clara Wren winds the clocks.")
    workspace.window.screens.library.files_dropped.emit([str(bib), str(text)])
    messages = workspace.context.messages
    qtbot.waitUntil(
        lambda: messages.last is not None and "refs.bib" in messages.last.text, timeout=WAIT_MS
    )
    assert messages.last.text == "“refs.bib”: 1 entry has no file."
    wait(qtbot, workspace)
    [row] = workspace.context.library_reader.list_documents()
    assert row.file_name == "notes.txt"


def test_a_list_of_references_in_a_folder_is_imported_and_is_no_document(
    qtbot, workspace, tmp_path
):
    folder = tmp_path / "papers"
    folder.mkdir()
    book = [{"type": "book", "title": "Nowhere", "author": [{"family": "Grey", "given": "Ann"}]}]
    (folder / "refs.json").write_text(json.dumps(book))
    (folder / "notes.txt").write_text("Clara Wren winds the clocks.")
    workspace.window.screens.library.files_dropped.emit([str(folder)])
    messages = workspace.context.messages
    qtbot.waitUntil(
        lambda: messages.last is not None and "refs.json" in messages.last.text, timeout=WAIT_MS
    )
    assert messages.last.text == "“refs.json”: 1 entry has no file."
    reader = workspace.context.library_reader
    qtbot.waitUntil(lambda: bool(reader.list_documents()), timeout=WAIT_MS)
    wait(qtbot, workspace)
    assert [row.file_name for row in reader.list_documents()] == ["notes.txt"]


def test_a_broken_file_is_refused_with_its_name(qtbot, workspace, tmp_path):
    bib = tmp_path / "refs.bib"
    bib.write_text("Dear reader")
    workspace.references.add([bib])
    messages = workspace.context.messages
    qtbot.waitUntil(lambda: messages.last is not None, timeout=WAIT_MS)
    assert "refs.bib" in messages.last.text and "no list of references" in messages.last.text
    wait(qtbot, workspace)


def test_the_report_says_what_was_not_taken():
    text, lines = describe_references(
        AddedReferences(
            "RIS", "a.ris", 9, (1, 2), (3,), 2, ("A", "B"), (("C", "c.pdf"),), 1,
            {"x": Message("It is broken.")}, 0, 5, 1,
            left_out={Message("entries that are broken"): 2},
        )
    )  # fmt: skip
    assert text == (
        "“a.ris”: 2 new documents, 1 document with new details, 2 entries have no file."
    )
    assert len(lines) == 8
    assert "2 entries without a file and without a document of the library: A, B" in lines
    assert "1 linked file is not there, or of a kind that is not read: c.pdf" in lines
    assert describe_references(AddedReferences("Zotero", "Z", 1))[0] == "Zotero: nothing new."
