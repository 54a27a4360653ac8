"""The real window over an empty library, with models that are no models."""

from __future__ import annotations

import pytest
import shiboken6

from desktop_app.session import Session
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.workspace import Workspace
from tests.e2e.test_main_task import FakeModelRegistry


@pytest.fixture
def workspace(qtbot, qapp, tmp_path):
    made = Workspace(
        Session(tmp_path / "session.inkgraph", FakeModelRegistry("Nothing.")), Theme("light")
    )
    made.window.show()
    yield made
    if not made.close():  # a thread still works; the window is deleted when it ends
        qtbot.waitUntil(lambda: not shiboken6.isValid(made.window), timeout=30_000)
    if shiboken6.isValid(made.window):  # a test closed the session itself
        made.window.deleteLater()
