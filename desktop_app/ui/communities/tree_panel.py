"""The left panel: search and order of the communities, as a tree or as a map.

Owns the selection, which tree and map share.
"""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QMenu,
    QStackedWidget,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Hairline, IconButton, Label, SearchField

from .community_tree import SORTS, CommunityTree
from .tree_model import ROW_ROLE, CommunityDelegate, CommunityModel
from .treemap import MapPanel

TREE, MAP = range(2)


class TreePanel(QWidget):
    """Emits `chosen` and `menu_wanted` with a community; `view_changed` after a switch."""

    chosen = Signal(int)
    menu_wanted = Signal(int, QPoint)
    view_changed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._silent = False
        self.current: int | None = None
        self.setMinimumWidth(240)
        self.model = CommunityModel(self)
        self.search = SearchField(theme, tr("Find a community"), self)
        self.sort_button = IconButton(theme, "sort-ascending", tr("Order of the list"), self)
        self.sort_button.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        self.sort_button.setMenu(self._build_sorts())
        self.view_button = IconButton(
            theme, "squares-four", tr("Show as a map"), self, shortcut="Ctrl+M"
        )
        self.tree = self._build_tree()
        self.map = MapPanel(theme, self)
        self.found = Label("", "small", self)
        self.found.setContentsMargins(16, 4, 12, 6)
        self.found.hide()
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.tree)
        self.pages.addWidget(self.map)
        head = QHBoxLayout()
        head.setSpacing(4)
        head.setContentsMargins(12, 8, 8, 8)
        head.addWidget(self.search, 1)
        head.addWidget(self.sort_button)
        head.addWidget(self.view_button)
        column = QVBoxLayout(self)
        column.setSpacing(0)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(head)
        column.addWidget(Hairline(parent=self))
        column.addWidget(self.found)
        column.addWidget(self.pages, 1)
        self.search.searched.connect(self._search)
        self.view_button.clicked.connect(self.switch_view)
        self.map.chosen.connect(self._map_chosen)
        self.map.menu_wanted.connect(self.menu_wanted)

    def _build_tree(self) -> QTreeView:
        tree = QTreeView(self)
        tree.setModel(self.model)
        tree.setHeaderHidden(True)
        tree.setUniformRowHeights(True)
        tree.setIndentation(16)
        tree.setMouseTracking(True)
        tree.setItemDelegate(CommunityDelegate(self._theme, tree))
        tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        tree.setExpandsOnDoubleClick(True)
        tree.setAccessibleName(tr("Communities"))
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._ask_menu)
        tree.selectionModel().currentChanged.connect(lambda now, _: self._tree_chosen(now))
        return tree

    def _build_sorts(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(menu)
        self.sorts: dict[str, QAction] = {}
        for sort, words in SORTS.items():
            action = menu.addAction(tr(words))
            action.setCheckable(True)
            action.setChecked(sort == self.model.order)
            group.addAction(action)
            action.triggered.connect(lambda _=False, sort=sort: self.set_sort(sort))
            self.sorts[sort] = action
        return menu

    # --- content ----------------------------------------------------------------------------------

    @property
    def view(self) -> int:
        return self.pages.currentIndex()

    @property
    def community_tree(self) -> CommunityTree:
        return self.model.community_tree

    def switch_view(self) -> None:
        """Switch between tree and map."""
        self.show_view(TREE if self.view == MAP else MAP)

    def show_view(self, view: int) -> None:
        """Show the tree or the map."""
        self.pages.setCurrentIndex(view)
        as_map = view == MAP
        self.view_button.set_icon("list-bullets" if as_map else "squares-four")
        self.view_button.set_tooltip(
            tr("Show as a tree") if as_map else tr("Show as a map"), "Ctrl+M"
        )
        self.sort_button.setEnabled(not as_map)
        self.view_changed.emit(view)
        if as_map and self.current is not None:
            self.map.mark(self.current)
        if self.isVisible():
            (self.map.treemap if as_map else self.tree).setFocus()

    def set_community_tree(self, community_tree: CommunityTree) -> None:
        """Show these communities; expanded rows and the selection stay."""
        opened = [
            i for i in self.community_tree.rows if self.tree.isExpanded(self.model.index_of(i))
        ]
        self._keep_quiet(lambda: self.model.set_community_tree(community_tree))
        for number in opened:
            self.tree.setExpanded(self.model.index_of(number), True)
        self.map.set_community_tree(community_tree)
        self._show_found()
        if self.current is not None and self.current in community_tree:
            self.mark(self.current)

    def set_sort(self, sort: str) -> None:
        opened = [
            i for i in self.community_tree.rows if self.tree.isExpanded(self.model.index_of(i))
        ]
        self._keep_quiet(lambda: self.model.set_sort(sort))
        for number in opened:
            self.tree.setExpanded(self.model.index_of(number), True)
        self.sorts[sort].setChecked(True)
        if self.current is not None:
            self.mark(self.current)

    def choose(self, number: int) -> None:
        """Select a community as a click does."""
        if number in self.community_tree:
            self.mark(number)
            self.chosen.emit(number)

    def mark(self, number: int) -> None:
        """Select a community without a signal."""
        self.current = number
        index = self.model.index_of(number)
        if index.isValid():
            self._keep_quiet(lambda: self._select(index))
        self.map.mark(number)

    def _select(self, index: QModelIndex) -> None:
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.tree.selectionModel().setCurrentIndex(index, flag)
        self.tree.scrollTo(index)

    def _keep_quiet(self, act) -> None:
        before, self._silent = self._silent, True
        act()
        self._silent = before

    def _search(self, text: str) -> None:
        self._keep_quiet(lambda: self.model.set_text(text))
        if text:
            self.tree.expandAll()
        if self.current is not None:
            self.mark(self.current)
        self.map.set_found(self.community_tree.find(text) if text.strip() else None)
        self._show_found()

    def _show_found(self) -> None:
        self.found.setVisible(self.model.is_filtered)
        self.found.setText(trn("{n} found", "{n} found", self.model.n_found))

    # --- buttons ----------------------------------------------------------------------------------

    def _tree_chosen(self, index: QModelIndex) -> None:
        row = index.data(ROW_ROLE)
        if row is None or self._silent:
            return
        self.current = int(row.id)
        self.map.mark(self.current)
        self.chosen.emit(self.current)

    def _map_chosen(self, number: int) -> None:
        self.mark(number)
        self.chosen.emit(number)

    def _ask_menu(self, point: QPoint) -> None:
        row = self.tree.indexAt(point).data(ROW_ROLE)
        if row is not None:
            self.menu_wanted.emit(int(row.id), self.tree.viewport().mapToGlobal(point))
