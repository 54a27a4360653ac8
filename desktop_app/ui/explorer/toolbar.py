"""The row of controls over the graph: back and forward, find, start, arrange, filter, table, more.

Owns the controls, their menus and when they can be used. Knows no view.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup, QIcon, QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktop_app.ui.language import later, tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, IconButton, ToolbarRow, add_heading
from desktop_app.ui.widgets.buttons import add_shortcut
from desktop_app.ui.widgets.words import format_kind

from .coloring import COLOR_MODES, SIZE_MODES
from .name_search import NameSearch
from .views import LAYOUTS

EXPORTS = {
    "png": later("Picture (PNG)…"),
    "png@": later("Picture of another size (PNG)…"),
    "svg": later("Picture (SVG)…"),
    "gexf": later("Gephi (GEXF)…"),
    "graphml": later("GraphML…"),
    "csv": later("Tables (CSV)…"),
    "json": "JSON…",
}
WORDS_FROM = 520  # pixels of width at the normal size of text
WEBS = {
    "family": later("Family tree"),
    "enemy": later("Web of enemies"),
    "love": later("Who loves whom"),
}


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
    level_wanted = Signal(int)
    filter_wanted = Signal(bool)
    table_wanted = Signal(bool)
    minimap_wanted = Signal(bool)
    full_wanted = Signal()
    export_wanted = Signal(str, bool)

    def __init__(self, theme: Theme, find: Callable, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._theme = theme
        self.kinds: list[tuple[str, int]] = []
        self.saved: list[str] = []
        self.can_save = False
        self.back = IconButton(
            theme, "arrow-left", tr("As it was before"), self, shortcut="Alt+Left"
        )
        self.forward = IconButton(
            theme, "arrow-right", tr("Forward again"), self, shortcut="Alt+Right"
        )
        self.search = NameSearch(theme, find, self)
        self.search.setMinimumWidth(96)
        self.search.setMaximumWidth(300)
        self.start = Button(
            tr("Start from"), self, tooltip=tr("Top names, themes, families, kept views")
        )
        self.start.setMenu(QMenu(self.start))
        self.start.menu().aboutToShow.connect(self._fill_start)
        self.look = Button(tr("Arrange"), self, tooltip=tr("Layout, colours and sizes"))
        self.look.setMenu(self._build_look())
        self.filter = self._toggle(theme, "funnel", tr("Filters"))
        self.table = self._toggle(theme, "table", tr("Tables of names and connections"))
        self.more = IconButton(theme, "more", tr("More"), self)
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
        self._narrow = False
        for button in (self.start, self.look):
            button.setAccessibleName(button.text())
        self.search.chosen.connect(self.name_chosen)
        add_shortcut(parent or self, "Alt+Left", self.back.click)
        add_shortcut(parent or self, "Alt+Right", self.forward.click)
        self.back.clicked.connect(self.back_wanted)
        self.forward.clicked.connect(self.forward_wanted)
        self.filter.toggled.connect(self.filter_wanted)
        self.table.toggled.connect(self.table_wanted)
        self.set_trail(False, False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show pictures instead of words where there is no room for them."""
        super().resizeEvent(event)
        narrow = self.width() < self._theme.length(WORDS_FROM)
        if narrow == self._narrow:
            return
        self._narrow = narrow
        for button, icon in ((self.start, "ph.compass"), (self.look, "ph.sliders-horizontal")):
            button.setText("" if narrow else button.accessibleName())
            button.setIcon(self._theme.icon(icon) if narrow else QIcon())

    def set_trail(self, back: bool, forward: bool) -> None:
        self.back.setEnabled(back)
        self.forward.setEnabled(forward)

    def set_look(self, layout: str, color: str, size: str) -> None:
        """Tick what the picture has."""
        for action in self.looks:
            what, value = action.data()
            action.setChecked({"layout": layout, "color": color, "size": size}[what] == value)

    def set_levels(self, n: int, chosen: int) -> None:
        """Offer so many levels of communities, the coarsest first."""
        self.levels.clear()
        self.levels.menuAction().setVisible(n > 1)
        for level in range(n):
            words = (
                tr("Level {n}, the coarsest", n=1) if not level else tr("Level {n}", n=level + 1)
            )
            action = self.levels.addAction(words)
            action.setCheckable(True)
            action.setChecked(level == min(chosen, n - 1))
            action.triggered.connect(lambda _=False, level=level: self.level_wanted.emit(level))

    def set_filtered(self, n: int) -> None:
        self.filter.set_tooltip(
            trn("Filters ({n} set)", "Filters ({n} set)", n) if n else tr("Filters")
        )
        self.filter.set_icon("funnel", "accent" if n else "")

    def _toggle(self, theme: Theme, icon: str, tooltip: str) -> IconButton:
        made = IconButton(theme, icon, tooltip, self)
        made.setCheckable(True)
        return made

    def _build_look(self) -> QMenu:
        menu = QMenu(self.look)
        self.looks: list[QAction] = []
        for title, what, modes, signal in (
            (tr("Layout"), "layout", LAYOUTS, self.layout_wanted),
            (tr("Colour by"), "color", COLOR_MODES, self.color_wanted),
            (tr("Size by"), "size", SIZE_MODES, self.size_wanted),
        ):
            add_heading(menu, title, self._theme)
            group = QActionGroup(menu)
            for value, words in modes.items():
                action = menu.addAction(tr(words))
                action.setCheckable(True)
                action.setData((what, value))
                group.addAction(action)
                action.triggered.connect(lambda _=False, s=signal, v=value: s.emit(v))
                self.looks.append(action)
        menu.addSeparator()
        self.levels = menu.addMenu(tr("Communities: coarse or fine"))
        self.levels.menuAction().setVisible(False)
        self.set_look("force", "type", "connections")
        return menu

    def _build_more(self) -> QMenu:
        menu = QMenu(self.more)
        for whole, words in ((True, tr("Export this view")), (False, tr("Export what is chosen"))):
            sub = menu.addMenu(words)
            for ending, name in EXPORTS.items():
                sub.addAction(
                    tr(name), lambda e=ending, chosen=not whole: self.export_wanted.emit(e, chosen)
                )
        menu.addSeparator()
        self.map_action = menu.addAction(tr("Map of the picture"))
        self.map_action.setCheckable(True)
        self.map_action.setChecked(True)
        self.map_action.toggled.connect(self.minimap_wanted)
        menu.addAction(tr("Full screen (F)"), self.full_wanted.emit)
        return menu

    def _fill_start(self) -> None:
        menu = self.start.menu()
        menu.clear()
        menu.addAction(tr("Top names"), self.top_wanted.emit)
        menu.addAction(tr("All names"), self.all_wanted.emit)
        menu.addAction(tr("Map of themes"), self.themes_wanted.emit)
        if self.kinds:
            add_heading(menu, tr("By kind of connection"), self._theme)
            for kind, count in self.kinds[:10]:
                words = tr(WEBS[kind]) if kind in WEBS else format_kind(kind).capitalize()
                words = words.replace("&", "&&")
                menu.addAction(f"{words} ({count})", lambda k=kind: self.kind_wanted.emit(k))
        if self.saved or self.can_save:
            add_heading(menu, tr("Kept views"), self._theme)
        for name in self.saved[:30]:
            words = name.replace("&", "&&")
            menu.addAction(words, lambda name=name: self.saved_wanted.emit(name))
        if self.can_save:
            menu.addAction(tr("Keep this view…"), self.save_wanted.emit)
        if self.saved and self.can_save:
            sub = menu.addMenu(tr("Forget a view"))
            for name in self.saved[:30]:
                words = name.replace("&", "&&")
                sub.addAction(words, lambda name=name: self.forget_wanted.emit(name))
