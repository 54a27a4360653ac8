"""The row of controls over the graph: find, top names, expand, hide, back and forward, more.

Owns the controls and when they can be used. Knows no view.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, IconButton, ToolbarRow

from .name_search import NameSearch


class ExplorerToolbar(ToolbarRow):
    """Emits what was wanted."""

    name_chosen = Signal(int)
    top_wanted = Signal()
    expand_wanted = Signal()
    hide_wanted = Signal()
    back_wanted = Signal()
    forward_wanted = Signal()
    export_wanted = Signal(str)

    def __init__(self, theme: Theme, find: Callable, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.back = IconButton(theme, "arrow-left", "Back", self)
        self.forward = IconButton(theme, "arrow-right", "Forward", self)
        self.search = NameSearch(theme, find, self)
        self.search.setMinimumWidth(160)
        self.search.setMaximumWidth(320)
        self.top = Button("Top names", self, tooltip="Show the most connected names")
        self.grow = Button("Expand", self, tooltip="Show the names the selected one is tied to")
        self.hide_one = Button("Hide", self, tooltip="Leave the selected name out of this view")
        self.more = IconButton(theme, "more", "More", self)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        menu = QMenu(self.more)
        menu.addAction("Export as PNG…", lambda: self.export_wanted.emit("png"))
        menu.addAction("Export as SVG…", lambda: self.export_wanted.emit("svg"))
        self.more.setMenu(menu)
        self.add(self.back)
        self.add(self.forward)
        self.add(self.search, 1)
        self.add(self.top)
        self.add_stretch()
        self.add(self.grow)
        self.add(self.hide_one)
        self.add(self.more)
        self.search.chosen.connect(self.name_chosen)
        self.top.clicked.connect(self.top_wanted)
        self.grow.clicked.connect(self.expand_wanted)
        self.hide_one.clicked.connect(self.hide_wanted)
        self.back.clicked.connect(self.back_wanted)
        self.forward.clicked.connect(self.forward_wanted)
        self.set_selected(False)
        self.set_trail(False, False)

    def set_selected(self, selected: bool) -> None:
        self.grow.setEnabled(selected)
        self.hide_one.setEnabled(selected)

    def set_trail(self, back: bool, forward: bool) -> None:
        self.back.setEnabled(back)
        self.forward.setEnabled(forward)
