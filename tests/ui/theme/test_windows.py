"""Every window of the program has the style sheet, without one of the application."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.app import App
from desktop_app.engine.errors import DamagedLibrary
from desktop_app.ui.reader.tabs import DocumentWindow
from desktop_app.ui.welcome.window import WelcomeWindow


@pytest.fixture
def app(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    made = App(qapp)
    yield made
    made.close()
    qapp.setStyleSheet("")


def test_every_window_without_a_parent_has_the_style_sheet(app: App, qapp, qtbot, tmp_path):
    workspace = app.open_library(tmp_path / "Styled.inkgraph")
    workspace.session.add_demo()
    listed = workspace.context.library_reader.list_documents
    qtbot.waitUntil(lambda: any(row.state == "ready" for row in listed()), timeout=60_000)
    workspace.window.documents.open_in_window(listed()[0].id)
    welcome = WelcomeWindow(app.theme, [], "en")
    app.show_recovery(tmp_path / "Other.inkgraph", DamagedLibrary("damaged"))
    windows = {type(w).__name__: w for w in qapp.topLevelWidgets() if w.parent() is None}
    assert app.recovery is not None
    assert not qapp.styleSheet()
    shown = {name: w for name, w in windows.items() if w.isVisible() or w is welcome}
    assert {"MainWindow", DocumentWindow.__name__, "RecoveryDialog"} <= set(shown)
    assert [name for name, w in shown.items() if not w.styleSheet()] == []
    welcome.finish()
    app.recovery.reject()
