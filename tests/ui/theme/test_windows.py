"""Every window of the program has the style sheet, without one of the application."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.app import App
from desktop_app.engine.errors import DamagedLibrary
from desktop_app.engine.services.library import Library
from desktop_app.ui.reader.tabs import DocumentWindow
from desktop_app.ui.welcome.window import WelcomeWindow
from tests.small_library import add


@pytest.fixture
def app(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    made = App(qapp)
    yield made
    made.close()
    qapp.setStyleSheet("")


def test_every_window_without_a_parent_has_the_style_sheet(app: App, qapp, qtbot, tmp_path):
    library = Library(tmp_path / "Styled.inkgraph")
    document_id = add(library, tmp_path)
    library.close()
    workspace = app.open_library(library.path)
    workspace.window.document_tabs.open_in_window(document_id)
    welcome = WelcomeWindow(app.theme, [], "en")
    app.show_recovery(tmp_path / "Other.inkgraph", DamagedLibrary("damaged"))
    recovery = app.recovery
    assert recovery is not None
    # hidden windows of earlier tests may still wait for their deletion
    roots = [window for window in qapp.topLevelWidgets() if window.parent() is None]
    shown = [window for window in roots if window.isVisible() or window is welcome]
    names = {type(window).__name__ for window in shown}
    unstyled = [type(window).__name__ for window in shown if not window.styleSheet()]
    of_the_program = qapp.styleSheet()
    welcome.finish()
    recovery.reject()
    assert {"MainWindow", DocumentWindow.__name__, "RecoveryDialog"} <= names
    assert unstyled == []
    assert not of_the_program
