"""The list of shortcuts, collected from actions, shortcuts and buttons."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QVBoxLayout

from desktop_app.ui.shell.actions import GROUPS
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.shortcuts import ShortcutsDialog
from desktop_app.ui.shell.sidebar import ROWS
from desktop_app.ui.widgets import IconButton, KeyDescriptions, ToolbarRow, add_shortcut
from tests.ui.fakes import FakeContext
from tests.ui.shell.fake_screens import FakeScreen, build_window


class Busy(FakeScreen):
    """A screen with a shortcut, a button with a shortcut and one of its focused widget."""

    def __init__(self, theme) -> None:
        super().__init__()
        self.done: list[str] = []
        row = ToolbarRow("Busy", self)
        self.back = row.add(IconButton(theme, "undo", "Step back", shortcut="Alt+Left"))
        self.back.clicked.connect(lambda: self.done.append("back"))
        QVBoxLayout(self).addWidget(row)
        inner = FakeScreen()
        KeyDescriptions(inner, (("E", "Grow"),))
        self.layout().addWidget(inner)
        add_shortcut(self, "Alt+Left", self.back.click)
        add_shortcut(self, "Ctrl+J", lambda: self.done.append("next"), "Resume")


@pytest.fixture
def window(context: FakeContext, qtbot, tmp_path, monkeypatch) -> MainWindow:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    made = build_window(context, graph=Busy(context.theme))
    made.screens.build_all()
    qtbot.addWidget(made)
    made.show()
    return made


def test_shortcuts_are_collected_from_actions_buttons_and_widgets(window: MainWindow):
    keys = {(c.group, c.text): c.keys for c in window.list_commands()}
    assert keys["Help", "Keyboard shortcuts"] == "F1"
    assert keys["Graph", "Resume"] == "Ctrl+J"
    assert keys["Graph", "Step back"] == "Alt+Left"
    assert keys["Graph", "Grow"] == "E"


def test_the_digits_follow_the_order_of_the_sidebar(window: MainWindow):
    keys = [GROUPS["Go to"][name].key for name, _, _ in ROWS]
    assert keys == [f"Ctrl+{n}" for n in range(1, len(ROWS) + 1)]


def test_a_command_of_a_screen_opens_the_screen_and_runs(window: MainWindow):
    found = {c.text: c for c in window.list_commands() if c.run}
    found["Resume"].run()
    assert window.current == "graph" and window.screens.graph.done == ["next"]
    found["Step back"].run()
    assert window.screens.graph.done == ["next", "back"]


def test_every_shortcut_of_the_fake_screens_is_listed(window: MainWindow):
    listed = [c for c in window.list_commands() if c.keys]
    for shortcut in window.screens.graph.findChildren(QShortcut):
        assert any(shortcut.key().toString() in c.keys for c in listed)


def test_the_dialog_is_searched_by_words_and_by_keys(window: MainWindow, context, qtbot):
    sheet = ShortcutsDialog(context.theme, window.list_commands(), window)
    qtbot.addWidget(sheet)
    sheet.show()
    assert len(sheet.shown()) > 15
    sheet.filter("resume")
    assert [line.startswith("Resume") for line in sheet.shown()] == [True]
    sheet.filter("ctrl+k")
    assert any("Search everything" in line for line in sheet.shown())
    sheet.filter("does not exist")
    assert sheet.shown() == [] and not sheet.nothing.isHidden()
    sheet.filter("")
    assert sheet.nothing.isHidden() and len(sheet.shown()) > 15
