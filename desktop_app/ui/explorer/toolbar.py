"""The row of controls over the graph: back and forward, find, start, arrange, filter, table, more.

Owns the controls, their menus and when they can be used. Knows no view.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, IconButton, ToolbarRow
from desktop_app.ui.widgets.buttons import add_shortcut
from desktop_app.ui.widgets.words import format_kind

from .coloring import COLOR_MODES, SIZE_MODES
from .name_search import NameSearch
from .views import LAYOUTS

EXPORTS = {
    "png": "Picture (PNG)…",
    "png@": "Picture of another size (PNG)…",
    "svg": "Picture (SVG)…",
    "gexf": "Gephi (GEXF)…",
    "graphml": "GraphML…",
    "csv": "Tables (CSV)…",
    "json": "JSON…",
}
WEBS = {"family": "Family tree", "enemy": "Web of enemies", "love": "Who loves whom"}


class ExplorerToolbar(ToolbarRow):
    """Emits what was wanted."""

    name_chosen = Signal(int)
    top_wanted = Signal()
    all_wanted = Signal()
    themes_wanted = Signal()
    kind_wanted = Signal(str)
    saved_wanted = Signal(str)
    save_wanted = Signal()
    forget_wanted = Signal(str)
    back_wanted = Signal()
    forward_wanted = Signal()
    layout_wanted = Signal(str)
    color_wanted = Signal(str)
    size_wanted = Signal(str)
    filter_wanted = Signal(bool)
    table_wanted = Signal(bool)
    minimap_wanted = Signal(bool)
    full_wanted = Signal()
    export_wanted = Signal(str, bool)

    def __init__(self, theme: Theme, find: Callable, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.kinds: list[tuple[str, int]] = []
        self.saved: list[str] = []
        self.can_save = False
        self.back = IconButton(theme, "arrow-left", "As it was before", self, shortcut="Alt+Left")
        self.forward = IconButton(theme, "arrow-right", "Forward again", self, shortcut="Alt+Right")
        self.search = NameSearch(theme, find, self)
        self.search.setMinimumWidth(140)
        self.search.setMaximumWidth(300)
        self.start = Button("Start from", self, tooltip="Top names, themes, families, kept views")
        self.start.setMenu(QMenu(self.start))
        self.start.menu().aboutToShow.connect(self._fill_start)
        self.look = Button("Arrange", self, tooltip="Layout, colours and sizes")
        self.look.setMenu(self._build_look())
        self.filter = self._toggle(theme, "funnel", "Filters")
        self.table = self._toggle(theme, "table", "Tables of names and connections")
        self.more = IconButton(theme, "more", "More", self)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.more.setMenu(self._build_more())
        self.add(self.back)
        self.add(self.forward)
        self.add(self.search, 1)
        self.add(self.start)
        self.add(self.look)
        self.add_stretch()
        for button in (self.filter, self.table, self.more):
            self.add(button)
        self.search.chosen.connect(self.name_chosen)
        add_shortcut(parent or self, "Alt+Left", self.back.click)
        add_shortcut(parent or self, "Alt+Right", self.forward.click)
        self.back.clicked.connect(self.back_wanted)
        self.forward.clicked.connect(self.forward_wanted)
        self.filter.toggled.connect(self.filter_wanted)
        self.table.toggled.connect(self.table_wanted)
        self.set_trail(False, False)

    def set_trail(self, back: bool, forward: bool) -> None:
        self.back.setEnabled(back)
        self.forward.setEnabled(forward)

    def set_look(self, layout: str, color: str, size: str) -> None:
        """Tick what the picture has."""
        for action in self.looks:
            what, value = action.data()
            action.setChecked({"layout": layout, "color": color, "size": size}[what] == value)

    def set_filtered(self, n: int) -> None:
        self.filter.set_tooltip(f"Filters ({n} set)" if n else "Filters")
        self.filter.set_icon("funnel", "accent" if n else "")

    def _toggle(self, theme: Theme, icon: str, tooltip: str) -> IconButton:
        made = IconButton(theme, icon, tooltip, self)
        made.setCheckable(True)
        return made

    def _build_look(self) -> QMenu:
        menu = QMenu(self.look)
        self.looks: list[QAction] = []
        for title, what, modes, signal in (
            ("Layout", "layout", LAYOUTS, self.layout_wanted),
            ("Colour by", "color", COLOR_MODES, self.color_wanted),
            ("Size by", "size", SIZE_MODES, self.size_wanted),
        ):
            menu.addSection(title)
            group = QActionGroup(menu)
            for value, words in modes.items():
                action = menu.addAction(words)
                action.setCheckable(True)
                action.setData((what, value))
                group.addAction(action)
                action.triggered.connect(lambda _=False, s=signal, v=value: s.emit(v))
                self.looks.append(action)
        self.set_look("force", "type", "connections")
        return menu

    def _build_more(self) -> QMenu:
        menu = QMenu(self.more)
        for whole, words in ((True, "Export this view"), (False, "Export what is chosen")):
            sub = menu.addMenu(words)
            for ending, name in EXPORTS.items():
                sub.addAction(
                    name, lambda e=ending, chosen=not whole: self.export_wanted.emit(e, chosen)
                )
        menu.addSeparator()
        self.map_action = menu.addAction("Map of the picture")
        self.map_action.setCheckable(True)
        self.map_action.setChecked(True)
        self.map_action.toggled.connect(self.minimap_wanted)
        menu.addAction("Full screen (F)", self.full_wanted.emit)
        return menu

    def _fill_start(self) -> None:
        menu = self.start.menu()
        menu.clear()
        menu.addAction("Top names", self.top_wanted.emit)
        menu.addAction("All names", self.all_wanted.emit)
        menu.addAction("Map of themes", self.themes_wanted.emit)
        if self.kinds:
            menu.addSection("By kind of connection")
            for kind, count in self.kinds[:10]:
                words = WEBS.get(kind, format_kind(kind).capitalize()).replace("&", "&&")
                menu.addAction(f"{words} ({count})", lambda k=kind: self.kind_wanted.emit(k))
        if self.saved or self.can_save:
            menu.addSection("Kept views")
        for name in self.saved[:30]:
            words = name.replace("&", "&&")
            menu.addAction(words, lambda name=name: self.saved_wanted.emit(name))
        if self.can_save:
            menu.addAction("Keep this view…", self.save_wanted.emit)
        if self.saved and self.can_save:
            sub = menu.addMenu("Forget a view")
            for name in self.saved[:30]:
                words = name.replace("&", "&&")
                sub.addAction(words, lambda name=name: self.forget_wanted.emit(name))
