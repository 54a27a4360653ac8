"""The export of the library from the window: dialog, place, result and cancelling."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QDeadlineTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog

from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.services.exporting import library_formats
from desktop_app.engine.services.exporting.library_formats import LIBRARY_FORMATS
from desktop_app.session import Session
from desktop_app.ui.controllers import library_export
from desktop_app.ui.library.export_dialog import FORMAT_WORDS, ExportLibraryDialog
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from tests.books import add_book
from tests.ui.controllers.test_enrichment import WAIT_MS, OneModelRegistry


@pytest.fixture
def workspace(qapp, tmp_path):
    theme = Theme("light")
    theme.apply(QApplication.instance(), sets_sheet=False)  # as the program does
    session = Session(tmp_path / "w.inkgraph", OneModelRegistry())
    add_book(session.library)
    refresh_communities(session.library.writer)
    made = Workspace(session, theme)
    made.window.show()
    yield made
    made.close()


@pytest.fixture
def exports(workspace) -> library_export.LibraryExport:
    return workspace.window.findChild(library_export.LibraryExport)


def find_dialog(window) -> ExportLibraryDialog:
    [dialog] = window.findChildren(ExportLibraryDialog)
    return dialog


def test_the_library_is_exported_from_the_window(qtbot, workspace, exports, tmp_path, monkeypatch):
    assert list(FORMAT_WORDS) == list(LIBRARY_FORMATS)
    window, messages = workspace.window, workspace.context.messages
    (tmp_path / "folder").mkdir()
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_, **__: (str(tmp_path / "out.cypher"), "")
    )
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "folder"))
    for format_, command in (
        ("cypher", f"cypher-shell -f {tmp_path / 'out.cypher'}"),
        ("duckdb", f"duckdb library.duckdb -c \"IMPORT DATABASE '{tmp_path / 'folder'}'\""),
    ):
        window.screens.graph.export_library_wanted.emit()
        dialog = find_dialog(window)
        dialog.formats[format_].setChecked(True)
        dialog.export.click()
        assert exports.is_running
        qtbot.waitUntil(lambda: not exports.is_running, timeout=WAIT_MS)
        qtbot.waitUntil(lambda: not window.findChildren(ExportLibraryDialog), timeout=WAIT_MS)
        assert messages.last.text.startswith("5 names with their connections and sentences")
        messages.last.action()
        assert QGuiApplication.clipboard().text() == command
    assert "CREATE (:Entity" in (tmp_path / "out.cypher").read_text("utf-8")
    assert (tmp_path / "folder" / "load.sql").is_file()

    # other files of the user are named, and nothing is written
    (tmp_path / "folder" / "notes.txt").write_text("mine")
    exports.run(tmp_path / "folder", "neo4j")
    qtbot.waitUntil(lambda: "has other files" in messages.last.text, timeout=WAIT_MS)
    assert not (tmp_path / "folder" / "import.args").exists()


def test_a_running_export_is_cancelled(qtbot, workspace, exports, tmp_path, monkeypatch):
    started = []

    def endless(_db, path, _format, *, cancel):
        started.append(path)
        while not QDeadlineTimer(WAIT_MS).hasExpired():
            cancel.wait(0.01)

    monkeypatch.setattr(library_formats, "export_library", endless)
    messages = workspace.context.messages
    workspace.window.actions_by_name["export_library"].trigger()
    find_dialog(workspace.window).reject()
    exports.run(tmp_path / "a.ttl", "turtle")
    exports.run(tmp_path / "b.ttl", "turtle")
    assert messages.last.text == "Another export is running."
    qtbot.waitUntil(lambda: bool(started), timeout=WAIT_MS)
    workspace.window.sidebar.import_work.cancel_wanted.emit()
    qtbot.waitUntil(lambda: not exports.is_running, timeout=WAIT_MS)
    assert started == [tmp_path / "a.ttl"]
