"""The toolbar of the graph: back and forward, search, start views, appearance, filters, export.

Owns the controls and their menus, and the setting that exported pictures are light; emits what was
requested. Knows no view.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QIcon,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QCompleter, QListView, QMenu, QToolButton, QWidget

from desktop_app.engine.model import EntityRow

from ..theme.theme import Theme
from ..translation import later, tr, trn
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
from ..window_file import open_window_file
from .node_colors import COLOR_MODES, SIZE_MODES

ID_ROLE = Qt.ItemDataRole.UserRole + 1

LAYOUT_NAMES = {
    "force": later("By connections"),
    "groups": later("By community"),
    "radial": later("Around one name"),
    "timeline": later("Timeline"),
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
        self.found = QStandardItemModel(self)
        self._completer = QCompleter(self.found, self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setMaxVisibleItems(10)
        self._popup = QListView(self)
        self._completer.setPopup(self._popup)
        self._popup.setItemDelegate(TextDelegate(theme, self))
        # Not setCompleter: it would choose by text, and two entities may have the same name.
        self._completer.setWidget(self)
        self._completer.activated[QModelIndex].connect(self._choose)  # type: ignore[index]
        self.searched.connect(self._look_up)
        self.returnPressed.connect(self._choose_first)

    def _look_up(self, text: str) -> None:
        if not text:
            self._popup.hide()
            return
        self._find(text, lambda found: self._show(text, found))

    def _show(self, text: str, found: list[EntityRow]) -> None:
        if text != self.text().strip():
            return
        self.found.clear()
        for entity in found:
            line = QStandardItem(entity.name)
            line.setData(int(entity.id), ID_ROLE)
            line.setData(format_type(entity.type, capital=True), SUBTITLE_ROLE)
            self.found.appendRow(line)
        if found and self.hasFocus():
            self._completer.complete()
        elif not found:
            self._popup.hide()

    def _choose(self, index: QModelIndex) -> None:
        entity_id = index.data(ID_ROLE)
        if entity_id is not None:
            self._popup.hide()
            self.clear()
            self.chosen.emit(int(entity_id))

    def _choose_first(self) -> None:
        if self.text().strip():
            self._choose(self.found.index(0, 0))


COPY = "copy"  # not shown: the picture goes into the clipboard
EXPORTS = {
    "png": later("Picture (PNG)…"),
    "png@": later("Picture with size (PNG)…"),
    "svg": later("Picture (SVG)…"),
    "pdf": later("Picture (PDF)…"),
    COPY: later("Copy picture"),
    "gexf": later("Gephi (GEXF)…"),
    "graphml": later("GraphML…"),
    "csv": later("Tables (CSV)…"),
    "json": "JSON…",
}
LIGHT = "graph/light_background"
WORDS_FROM, LEAST = 590, 400  # pixels of width at the normal size of text
KIND_TITLES = {
    "family": later("Family tree"),
    "enemy": later("Enemies"),
    "love": later("Love"),
}


class ExplorerToolbar(ToolbarRow):
    """Controls over the graph; each has a signal."""

    name_chosen = Signal(int)
    top_wanted = Signal()
    all_wanted = Signal()
    communities_wanted = Signal()
    kind_wanted = Signal(str)
    saved_wanted = Signal(str)
    save_wanted = Signal()
    delete_wanted = Signal(str)
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
    library_export_wanted = Signal()

    def __init__(self, theme: Theme, find: Callable, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._theme = theme
        self.kinds: list[tuple[str, int]] = []
        self.saved: list[str] = []
        self.back = IconButton(theme, "arrow-left", tr("Back"), self, shortcut="Alt+Left")
        self.forward = IconButton(theme, "arrow-right", tr("Forward"), self, shortcut="Alt+Right")
        self.search = NameSearch(theme, find, self)
        self.search.setMinimumWidth(96)
        self.search.setMaximumWidth(300)
        self.start = Button(
            tr("Views"),
            self,
            tooltip=tr("Top names, communities, kinds of connections, saved views"),
        )
        self.start.setMenu(QMenu(self.start))
        self.start.menu().aboutToShow.connect(self._fill_start)
        self.appearance = Button(tr("Appearance"), self, tooltip=tr("Layout, colours and sizes"))
        self.appearance.setMenu(self._build_appearance_menu())
        self.filter = Button(tr("Filter"), self, tooltip=tr("Filters"))
        self.filter.setCheckable(True)
        self.table = self._toggle(theme, "table", tr("Tables of names and connections"))
        self.more = IconButton(theme, "more", tr("More"), self)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.more.setMenu(self._build_more())
        worded = (self.start, self.appearance, self.filter)
        for widget in (self.back, self.forward, self.search, *worded):
            self.add(widget, int(widget is self.search))
        self.add_stretch()
        for tool in (self.table, self.more):
            self.add(tool)
        self._narrow = False
        self.table.set_words(tr("Tables"))
        for button in worded:
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
        self._show_words()

    def minimumSizeHint(self) -> QSize:
        """Return the size with icons: words do not keep the window from being narrow."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), self._theme.length(LEAST)), hint.height())

    def _show_words(self) -> None:
        filled = self.filter.accessibleName() != tr("Filter")
        for button, icon, color in (
            (self.start, "ph.compass", "text"),
            (self.appearance, "ph.sliders-horizontal", "text"),
            (self.filter, "funnel", "accent" if filled else "text"),
        ):
            button.setText("" if self._narrow else button.accessibleName())
            button.setIcon(self._theme.icon(icon, color=color) if self._narrow else QIcon())
        self.table.set_words("" if self._narrow else tr("Tables"))

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
            words = tr("Level {n}" if level else "Level {n} (coarsest)", n=level + 1)
            action = self.levels.addAction(words)
            action.setCheckable(True)
            action.setChecked(level == min(chosen, n - 1))
            action.triggered.connect(lambda _=False, level=level: self.level_wanted.emit(level))

    def set_filtered(self, n: int) -> None:
        self.filter.setToolTip(
            trn("Filters ({n} set)", "Filters ({n} set)", n) if n else tr("Filters")
        )
        self.filter.setAccessibleName(tr("Filter ({n})", n=n) if n else tr("Filter"))
        self._show_words()

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
        self.levels = menu.addMenu(tr("Community level"))
        self.levels.menuAction().setVisible(False)
        self.set_appearance("force", "type", "connections")
        return menu

    def _build_more(self) -> QMenu:
        menu = QMenu(self.more)
        for whole, words in ((True, tr("Export view")), (False, tr("Export selection"))):
            sub = menu.addMenu(words)
            for ending, name in EXPORTS.items():
                sub.addAction(tr(name)).triggered.connect(
                    lambda _=False, e=ending, chosen=not whole: self.export_wanted.emit(e, chosen)
                )
        self.light_background = menu.addAction(tr("Light background (for print)"))
        self.light_background.setCheckable(True)
        self.light_background.setChecked(bool(open_window_file().value(LIGHT, True, type=bool)))
        self.light_background.toggled.connect(lambda on: open_window_file().setValue(LIGHT, on))
        # a light window has no other background
        menu.aboutToShow.connect(lambda: self.light_background.setVisible(self._theme.is_dark))
        menu.addAction(tr("Export the library…"), self.library_export_wanted.emit)
        menu.addSeparator()
        self.map_action = menu.addAction(tr("Minimap"))
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
        menu.addAction(tr("Communities"), self.communities_wanted.emit)
        if self.kinds:
            add_heading(menu, tr("By kind of connection"), self._theme)
            for kind, count in self.kinds[:10]:
                title = KIND_TITLES.get(kind)
                words = tr(title) if title else format_kind(kind).capitalize().replace("&", "&&")
                action = menu.addAction(f"{words} ({count})")
                action.triggered.connect(lambda _=False, kind=kind: self.kind_wanted.emit(kind))
        add_heading(menu, tr("Saved views"), self._theme)
        names = {name: name.replace("&", "&&") for name in self.saved[:30]}
        for name, words in names.items():
            action = menu.addAction(words)
            action.triggered.connect(lambda _=False, name=name: self.saved_wanted.emit(name))
        menu.addAction(tr("Save view…"), self.save_wanted.emit)
        if names:
            delete = menu.addMenu(tr("Delete view"))
            for name, words in names.items():
                action = delete.addAction(words)
                action.triggered.connect(lambda _=False, name=name: self.delete_wanted.emit(name))
