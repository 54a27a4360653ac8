"""The toolbar of the graph: back and forward, search, start views, appearance, filters, export.

Owns the controls and their menus; emits what was requested. Knows no view.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QIcon,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QCompleter, QMenu, QToolButton, QWidget

from desktop_app.engine.model import EntityRow
from desktop_app.ui.explorer.node_colors import COLOR_MODES, SIZE_MODES

from ..language import later, tr, trn
from ..theme.theme import Theme
from ..widgets import (
    Button,
    IconButton,
    SearchField,
    TextDelegate,
    ToolbarRow,
    add_heading,
    format_type,
)
from ..widgets.buttons import add_shortcut
from ..widgets.tables import SUBTITLE_ROLE
from ..widgets.words import format_kind

ID_ROLE = Qt.ItemDataRole.UserRole + 1

LAYOUT_NAMES = {
    "force": later("By connections"),
    "groups": later("By community"),
    "radial": later("Around one name"),
    "timeline": later("By order of appearance"),
    "circle": later("Circle"),
    "grid": later("Grid"),
}


class NameSearch(SearchField):
    """Search field with a list of entities; emits `chosen` with an id."""

    chosen = Signal(int)

    def __init__(
        self,
        theme: Theme,
        find: Callable[[str, Callable[[list[EntityRow]], None]], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, tr("Find a name"), parent)
        self._find = find
        self._rows = QStandardItemModel(self)
        self._completer = QCompleter(self._rows, self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setMaxVisibleItems(10)
        self._completer.popup().setItemDelegate(TextDelegate(theme, self))
        # Not setCompleter: it would choose by text, and two entities may have the same name.
        self._completer.setWidget(self)
        self._completer.activated[QModelIndex].connect(self._choose)
        self.searched.connect(self._look_up)
        self.returnPressed.connect(self._choose_first)

    def _look_up(self, text: str) -> None:
        if not text:
            self._completer.popup().hide()
            return
        self._find(text, lambda found: self._show(text, found))

    def _show(self, text: str, found: list[EntityRow]) -> None:
        if text != self.text().strip():
            return
        self._rows.clear()
        for entity in found:
            line = QStandardItem(entity.name)
            line.setData(int(entity.id), ID_ROLE)
            line.setData(format_type(entity.type), SUBTITLE_ROLE)
            self._rows.appendRow(line)
        if found and self.hasFocus():
            self._completer.complete()
        elif not found:
            self._completer.popup().hide()

    def _choose(self, index: QModelIndex) -> None:
        entity_id = index.data(ID_ROLE)
        if entity_id is not None:
            self._completer.popup().hide()
            self.clear()
            self.chosen.emit(int(entity_id))

    def _choose_first(self) -> None:
        if self._rows.rowCount() and self.text().strip():
            self._choose(self._rows.index(0, 0))


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
KIND_TITLES = {
    "family": later("Family tree"),
    "enemy": later("Web of enemies"),
    "love": later("Who loves whom"),
}


class ExplorerToolbar(ToolbarRow):
    """Controls over the graph; each has a signal."""

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
        self.appearance = Button(tr("Arrange"), self, tooltip=tr("Layout, colours and sizes"))
        self.appearance.setMenu(self._build_appearance_menu())
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
        self.add(self.appearance)
        self.add_stretch()
        for button in (self.filter, self.table, self.more):
            self.add(button)
        self._narrow = False
        for button in (self.start, self.appearance):
            button.setAccessibleName(button.text())
        self.search.chosen.connect(self.name_chosen)
        add_shortcut(parent or self, "Alt+Left", self.back.click)
        add_shortcut(parent or self, "Alt+Right", self.forward.click)
        self.back.clicked.connect(self.back_wanted)
        self.forward.clicked.connect(self.forward_wanted)
        self.filter.toggled.connect(self.filter_wanted)
        self.table.toggled.connect(self.table_wanted)
        self.set_history(False, False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show icons instead of words in a narrow window."""
        super().resizeEvent(event)
        narrow = self.width() < self._theme.length(WORDS_FROM)
        if narrow == self._narrow:
            return
        self._narrow = narrow
        for button, icon in (
            (self.start, "ph.compass"),
            (self.appearance, "ph.sliders-horizontal"),
        ):
            button.setText("" if narrow else button.accessibleName())
            button.setIcon(self._theme.icon(icon) if narrow else QIcon())

    def set_history(self, back: bool, forward: bool) -> None:
        self.back.setEnabled(back)
        self.forward.setEnabled(forward)

    def set_appearance(self, layout: str, color: str, size: str) -> None:
        """Check the menu entries of the current appearance."""
        for action in self.appearance_actions:
            what, value = action.data()
            action.setChecked({"layout": layout, "color": color, "size": size}[what] == value)

    def set_levels(self, n: int, chosen: int) -> None:
        """Fill the menu with `n` levels of communities, the coarsest first."""
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

    def _build_appearance_menu(self) -> QMenu:
        menu = QMenu(self.appearance)
        self.appearance_actions: list[QAction] = []
        for title, what, modes, signal in (
            (tr("Layout"), "layout", LAYOUT_NAMES, self.layout_wanted),
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
                self.appearance_actions.append(action)
        menu.addSeparator()
        self.levels = menu.addMenu(tr("Communities: coarse or fine"))
        self.levels.menuAction().setVisible(False)
        self.set_appearance("force", "type", "connections")
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
                words = (
                    tr(KIND_TITLES[kind]) if kind in KIND_TITLES else format_kind(kind).capitalize()
                )
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
