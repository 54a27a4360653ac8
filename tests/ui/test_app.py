"""The program: first start, restart in another language, last position."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent

from desktop_app.app import App, FirstStart
from desktop_app.ui.settings.window_options import WindowStore

WAIT_MS = 30_000


def test_the_first_start_opens_the_library_at_the_chosen_path(app: App, qtbot, tmp_path: Path):
    assert FirstStart.is_due(app)
    first = FirstStart(app)
    first.show()
    first.window.library.set_folder(str(tmp_path / "disk"))
    first.window.library.name.setText("研究")
    first.window.show_step(2)
    first.window.next_button.click()
    assert app.workspace.session.library.path == tmp_path / "disk" / "研究.inkgraph"
    assert first.window is None and not FirstStart.is_due(app)
    library_reader = app.workspace.context.library_reader
    qtbot.waitUntil(lambda: len(library_reader.list_documents()) > 0, timeout=WAIT_MS)


def test_the_first_start_uses_the_chosen_language(app: App, qtbot):
    first = FirstStart(app)
    first.show()
    first.window.library.name.setText("Kept")
    first.window.language_wanted.emit("zh")
    assert first.window.next_button.text() == "下一步"
    assert first.window.library.name.text() == "Kept"
    first.window.skip_button.click()
    assert app.workspace is not None and app.language == "zh"


def test_closing_the_welcome_window_opens_an_empty_library(app: App, qapp):
    first = FirstStart(app)
    first.show()
    steps = first.window
    steps.close()
    assert app.workspace is not None and not steps.isVisible()
    assert app.workspace.context.library_reader.list_documents() == []


def test_a_restart_rebuilds_the_window_with_the_settings(app: App, tmp_path: Path):
    app.open_library(tmp_path / "one.inkgraph").window.show_screen("settings")
    before = app.workspace
    WindowStore().change("language", "zh")
    WindowStore().change("theme", "dark")
    app.restart()
    assert app.workspace is not before
    assert app.workspace.session.library.path == tmp_path / "one.inkgraph"
    assert app.workspace.window.current == "settings" and app.theme.is_dark
    assert app.workspace.window.sidebar.rows["library"].text() == "资料库"


def test_a_library_opens_at_its_last_screen(app: App, tmp_path: Path):
    one, two = tmp_path / "one.inkgraph", tmp_path / "two.inkgraph"
    app.open_library(one).window.show_screen("graph")
    assert app.open_library(two).window.current == "library"
    app.workspace.window.show_screen("models")
    assert app.open_library(one).window.current == "graph"
    assert app.open_library(two).window.current == "models"
    assert app.recent_libraries()[:2] == [str(two), str(one)]


def test_windows_of_closed_libraries_are_deleted(app: App, qapp, tmp_path: Path):
    app.open_library(tmp_path / "one.inkgraph")
    before = len(qapp.allWidgets())
    for name in ("two", "three"):
        app.open_library(tmp_path / f"{name}.inkgraph")
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert len(qapp.allWidgets()) < before * 1.3


def test_an_invalid_library_is_reported_and_the_open_one_stays(app: App, qtbot, tmp_path: Path):
    workspace = app.open_library(tmp_path / "one.inkgraph")
    invalid = tmp_path / "strange.inkgraph"
    invalid.write_text("This is a letter and no library.", "utf-8")
    workspace.window.library_wanted.emit(str(invalid))
    assert app.workspace is workspace and workspace.window.isVisible()
    assert "strange" in app.recovery.intro.text()
    app.recovery.reject()
    assert app.recovery is None and app.workspace is workspace
    workspace.window.library_wanted.emit(str(tmp_path / "new.inkgraph"))
    assert app.workspace is not workspace and (tmp_path / "new.inkgraph").exists()


def test_opening_the_open_library_changes_nothing(app: App, tmp_path: Path):
    workspace = app.open_library(tmp_path / "one.inkgraph")
    assert app.open_library(tmp_path / "one.inkgraph") is workspace


def test_the_palette_and_the_settings_share_the_theme(app: App, tmp_path: Path):
    window = app.open_library(tmp_path / "one.inkgraph").window
    row = window.screens.settings.views["window"].rows["theme"]
    window.actions_by_name["dark"].trigger()
    assert app.theme.is_dark and row.editor.box.currentData() == "dark"
    row.reset()
    assert WindowStore().load().theme == "system"


def test_settings_are_applied(app: App, tmp_path: Path):
    workspace = app.open_library(tmp_path / "one.inkgraph")
    rows = workspace.window.screens.settings.views
    rows["care"].rows["trash_days"].enter(7)
    rows["reading"].rows["chunk_token_size"].enter(200)
    assert workspace.context.documents.trash_days == 7
    assert workspace.session.indexing.chunking.chunk_token_size == 200


def test_threads_that_compute_give_up_the_interpreter_soon(app: App):
    assert sys.getswitchinterval() <= 0.001
