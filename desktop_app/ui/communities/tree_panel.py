"""The left panel: search and order of the communities, as a tree or as a map.

Owns the selection, which tree and map share, and the item model of the tree with its delegate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QMenu,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from desktop_app.engine.model import CommunityRow

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    STRETCH,
    Button,
    ElidedLabel,
    Hairline,
    SearchField,
    build_column,
    build_row,
)
from ..widgets.labels import paint_community_mark
from ..widgets.tables import inverts_selection, paint_ground
from .community_tree import (
    ROOT,
    SORTS,
    CommunityTree,
    describe_rating,
    format_member_count,
    get_title,
    list_marks,
)
from .parts import MARK, paint_weight
from .treemap import MapPanel

ROW_ROLE = Qt.ItemDataRole.UserRole
MARK_ROLE = Qt.ItemDataRole.UserRole + 1
BAR_ROLE = Qt.ItemDataRole.UserRole + 2  # 0 to 10: of the number that orders the list
ORDER_ROLE = Qt.ItemDataRole.UserRole + 3
AnyIndex = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


class CommunityModel(QAbstractItemModel):
    """One column; the internal id of an index is the id of its community."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.community_tree = CommunityTree()
        self._text, self.order = "", "size"
        self._shown: set[int] | None = None  # None: all
        self.shows_small = False
        self._kids: dict[int, list[int]] = {}
        self._places: dict[int, dict[int, int]] = {}
        self.n_found = 0
        self._largest = 1  # names of the largest community

    @property
    def is_filtered(self) -> bool:
        return bool(self._text)

    def update(
        self,
        *,
        community_tree: CommunityTree | None = None,
        text: str | None = None,
        sort: str | None = None,
        shows_small: bool | None = None,
    ) -> None:
        """Show another tree or order, or keep only the communities that match these words.

        A match is shown with its ancestors, and also if it is a small community.
        """
        self.beginResetModel()
        if community_tree is not None:
            self.community_tree = community_tree
        if text is not None:
            self._text = text.strip()
        if sort is not None:
            self.order = sort
        if shows_small is not None:
            self.shows_small = shows_small
        tree = self.community_tree
        sizes = (row.n_members for row in tree.rows.values() if not row.is_loose)
        self._largest = max(sizes, default=1)
        found = tree.find(self._text) if self._text else set(tree.rows)
        self._shown = tree.with_parents(found) if self._text else None
        self.n_found = len(found)
        self._kids, self._places = {}, {}
        self.endResetModel()

    def _list_kids(self, number: int) -> list[int]:
        """Return the shown children of a community in order; sorted when they are asked for."""
        if number not in self._kids:
            kids = self.community_tree.children(number, self.order)
            if self._shown is not None:
                kids = [kid for kid in kids if kid in self._shown]
            elif not self.shows_small:
                kids = [kid for kid in kids if kid not in self.community_tree.small]
            self._kids[number] = kids
            self._places[number] = {kid: place for place, kid in enumerate(kids)}
        return self._kids[number]

    def index_of(self, number: int) -> QModelIndex:
        """Return the index of a community, invalid if it is filtered out."""
        parent = self.community_tree.parent(number)
        self._list_kids(parent)
        place = self._places[parent].get(number)
        return QModelIndex() if place is None else self.createIndex(place, 0, number)

    def index(self, row: int, column: int, parent: AnyIndex = NOWHERE) -> QModelIndex:
        kids = self._list_kids(self._number(parent))
        if column or not 0 <= row < len(kids):
            return QModelIndex()
        return self.createIndex(row, 0, kids[row])

    def parent(self, index: AnyIndex | None = None) -> Any:
        if index is None:
            return super().parent()
        number = self._number(index)
        return (
            QModelIndex() if number == ROOT else self.index_of(self.community_tree.parent(number))
        )

    def rowCount(self, parent: AnyIndex = NOWHERE) -> int:
        return len(self._list_kids(self._number(parent)))

    def columnCount(self, parent: AnyIndex = NOWHERE) -> int:
        return 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.community_tree.rows.get(self._number(index))
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == MARK_ROLE:
            return self.community_tree.mark(int(row.id))
        if role == BAR_ROLE:
            return row.rating if self.order == "rating" else 10 * row.n_members / self._largest
        if role == ORDER_ROLE:
            return self.order
        if role == Qt.ItemDataRole.DisplayRole:
            return get_title(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(self._describe(row))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ". ".join(self._describe(row))
        return None

    def _describe(self, row: CommunityRow) -> list[str]:
        """Return what the row shows in words, with the number that its bar shows."""
        size, marks = format_member_count(row.n_members), [words for _, words in list_marks(row)]
        if row.is_loose:
            return [get_title(row), size, *marks]
        rating = describe_rating(row.rating)
        is_by_rating = self.order == "rating"
        bar = tr("The bar shows the importance" if is_by_rating else "The bar shows the size")
        return [get_title(row), size, rating, bar, *marks]

    @staticmethod
    def _number(index: AnyIndex) -> int:
        return int(index.internalId()) if index.isValid() else ROOT


ROW_HEIGHT = 46
DOT, CHEVRON, BAR, SIDE = 8, 12, 44, 12  # DOT: about the height of a letter
TITLE_TOP, TITLE_FOOT = 4, 15  # of the area of the texts, and from it to the line of the title


class CommunityDelegate(QStyledItemDelegate):
    """Draws two lines: the names in the title; then the size, a bar, and marks.

    The bar shows the number by which the list is ordered: the importance is then in words as well.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(120, self._theme.length(ROW_HEIGHT))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: CommunityRow = index.data(ROW_ROLE)
        paint_ground(painter, option, index, self)
        theme = self._theme
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        area = option.rect.adjusted(4, TITLE_TOP, -12, -4)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top, foot = (area.top() + theme.length(down) for down in (TITLE_FOOT, 33))
        side = theme.length(MARK)
        if mark := index.data(MARK_ROLE):
            spot = QRectF(area.left(), top - (DOT + side) / 2, side, side)
            paint_community_mark(painter, spot, mark, theme)
        left = area.left() + side + 8
        font, small = theme.font("text"), theme.font("small")
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        room = area.right() - left
        names = get_title(row)
        title = " ".join(names.split())
        metrics = QFontMetrics(font)
        painter.drawText(left, top, metrics.elidedText(title, Qt.TextElideMode.ElideRight, room))
        # The muted text colour has too little contrast on the selection.
        pale = theme.color("text" if selected else "text2")
        painter.setFont(small)
        right = area.right()
        for icon, _ in list_marks(row):
            theme.icon(icon, color="text" if selected else "text2").paint(
                painter, QRect(right - 13, foot - 11, 14, 14)
            )
            right -= 20
        painter.setPen(pale)
        facts = format_member_count(row.n_members)
        if index.data(ORDER_ROLE) == "rating" and not row.is_loose:
            facts = f"{describe_rating(row.rating)} · {facts}"
        if not row.is_loose:  # tooltip and screen readers say what the bar shows
            wide, middle = theme.length(BAR), foot - QFontMetrics(small).xHeight() / 2
            right -= wide
            paint_weight(painter, theme, QRectF(right, middle - 2, wide, 4), index.data(BAR_ROLE))
            right -= 12
            painter.setPen(pale)
        cut = Qt.TextElideMode.ElideRight
        painter.drawText(left, foot, QFontMetrics(small).elidedText(facts, cut, right - left))
        painter.restore()


class Tree(QTreeView):
    """A tree whose rows open with the same chevrons as everything else."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def drawBranches(self, painter: QPainter, rect: QRect, index: AnyIndex) -> None:
        chosen = self._theme.is_high and self.selectionModel().isSelected(index)
        if chosen:
            painter.fillRect(rect, self._theme.color("accent"))  # as the row beside it
        if self.model().hasChildren(index):
            icon = self._theme.icon("caret-down" if self.isExpanded(index) else "caret-right")
            left = rect.right() + 1 - CHEVRON  # the first one is below the edge of the search box
            top = rect.top() + TITLE_TOP + self._theme.length(TITLE_FOOT) - (DOT + CHEVRON) // 2
            with self._theme.inverted(chosen=chosen):
                icon.paint(painter, left, top, CHEVRON, CHEVRON)


TREE, MAP = range(2)
VIEW_KEYS = "Ctrl+M"
MIN_SEARCH = 60  # pixels of the field for a title, beside the button


class CountLabel(ElidedLabel):
    """A count that is left out where it has no room, because its beginning says little."""

    def _elide(self) -> None:
        super()._elide()
        if QLabel.text(self) != self.full_text():
            QLabel.setText(self, "")


class TreePanel(QWidget):
    """Emits `chosen` and `menu_wanted` with a community; `view_changed` after a switch."""

    chosen = Signal(int)
    menu_wanted = Signal(int, QPoint)
    view_changed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._silent = False
        self._expanded_before: list[int] = []  # the search, which expands all
        self.current: int | None = None
        self.setMinimumWidth(240)
        self.model = CommunityModel(self)
        self.search = SearchField(theme, tr("Find a community"), self, short=tr("Find"))
        self.sort_button = Button(
            tr(SORTS[self.model.order]),
            self,
            kind="quiet",
            theme=theme,
            icon="sort-descending",
            tooltip=tr("Order of the list"),
            icon_alone=True,
        )
        self.sort_button.setMenu(self._build_sorts())
        self.sort_button.setStyleSheet("padding-right: 22px;")
        self.view_button = Button("", self, theme=theme, icon="squares-four")
        self.tree = self._build_tree()
        self.map = MapPanel(theme, self)
        self.small_button = Button("", self, kind="link")
        self.small_button.hide()
        self.found = CountLabel("", "small", self)
        self.pages = QStackedWidget(self)
        listed = QWidget(self)
        small = build_row(self.small_button, STRETCH, margins=(12, 4, 8, 8))
        build_column((self.tree, 1), small, parent=listed, spacing=0)
        self.pages.addWidget(listed)
        self.pages.addWidget(self.map)
        self.search.setMinimumWidth(MIN_SEARCH)
        head = build_row(
            *((self.search, 1), self.view_button),
            spacing=8,
            margins=(12, 8, 8, 8),
        )
        self._order = order = build_row((self.found, 1), self.sort_button, spacing=4)
        self._fit_frame()
        theme.changed.connect(self._fit_frame)
        build_column(*(head, Hairline(parent=self), order, (self.pages, 1)), parent=self, spacing=0)
        self._show_switch(as_map=False)
        self.search.searched.connect(self._search)
        self.small_button.clicked.connect(
            lambda: self.show_small(wanted=not self.model.shows_small)
        )
        self.view_button.clicked.connect(self.switch_view)
        self.map.chosen.connect(self.choose)
        self.map.menu_wanted.connect(self.menu_wanted)

    def _fit_frame(self) -> None:
        """Give the frame that the button has in high contrast some room above and below."""
        side = 6 if self._theme.is_high else 2
        self._order.setContentsMargins(16, side, 8, side)

    def _build_tree(self) -> QTreeView:
        tree = Tree(self._theme, self)
        tree.setModel(self.model)
        tree.setHeaderHidden(True)
        tree.setUniformRowHeights(True)
        tree.setIndentation(SIDE + CHEVRON)
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
        self._show_switch(as_map=as_map)
        self.sort_button.setVisible(not as_map)  # boxes of a map are ordered by size
        self.view_changed.emit(view)
        if as_map and self.current is not None:
            self.map.mark(self.current)
        if self.isVisible():
            (self.map.treemap if as_map else self.tree).setFocus()

    def _show_switch(self, *, as_map: bool) -> None:
        """Name on the button what a click shows."""
        words = tr("Show as a tree") if as_map else tr("Show as a map")
        self.view_button.setText(tr("List") if as_map else tr("Treemap"))
        self.view_button.setIcon(self._theme.icon("list-bullets" if as_map else "squares-four"))
        self.view_button.setToolTip(f"{words} ({VIEW_KEYS})")
        self.view_button.setAccessibleName(words)

    def set_community_tree(self, community_tree: CommunityTree) -> None:
        """Show these communities; expanded rows and the selection stay."""
        self._update_model(lambda: self.model.update(community_tree=community_tree))
        self.map.set_community_tree(community_tree)
        self._show_found()

    def set_sort(self, sort: str) -> None:
        self._update_model(lambda: self.model.update(sort=sort))
        self._show_found()
        self.sorts[sort].setChecked(True)
        self.sort_button.setText(tr(SORTS[sort]))

    def show_small(self, *, wanted: bool) -> None:
        """List the small communities, too, or leave them out."""
        self._update_model(lambda: self.model.update(shows_small=wanted))
        self._show_found()

    def _update_model(self, update: Callable[[], None]) -> None:
        """Change the model; expanded rows and the selection stay."""
        expanded = self._list_expanded()
        self._keep_quiet(update)
        self._expand(expanded)
        if self.current is not None and self.current in self.community_tree:
            self._select(self.current)

    def _list_expanded(self) -> list[int]:
        index_of, rows = self.model.index_of, self.community_tree.rows
        return [i for i in rows if rows[i].n_children and self.tree.isExpanded(index_of(i))]

    def _expand(self, numbers: Iterable[int]) -> None:
        """Expand these communities, except those that are no longer in the tree."""
        for number in numbers:
            if number in self.community_tree:
                self.tree.setExpanded(self.model.index_of(number), True)

    def mark(self, number: int) -> None:
        """Select a community without a signal; a small one is listed then."""
        is_hidden = number in self.community_tree.small and not self.model.is_filtered
        if is_hidden and not self.model.shows_small:  # it was opened from elsewhere
            self._keep_quiet(lambda: self.model.update(shows_small=True))
            self._show_found()
        self._select(number)

    def _select(self, number: int) -> None:
        self.current = number
        index = self.model.index_of(number)
        if index.isValid():
            flag, select = QItemSelectionModel.SelectionFlag, self.tree.selectionModel()
            self._keep_quiet(lambda: select.setCurrentIndex(index, flag.ClearAndSelect))
            self.tree.scrollTo(index)
        self.map.mark(number)

    def _keep_quiet(self, act: Callable[[], None]) -> None:
        """Change the tree without `chosen`."""
        before, self._silent = self._silent, True
        try:
            act()
        finally:
            self._silent = before

    def _search(self, text: str) -> None:
        if not self.model.is_filtered:
            self._expanded_before = self._list_expanded()
        self._keep_quiet(lambda: self.model.update(text=text))
        if self.model.is_filtered:
            self.tree.expandAll()
        else:
            self._expand(self._expanded_before)
        if self.current is not None:
            self.mark(self.current)
        self.map.set_found(self.community_tree.find(text) if text.strip() else None)
        self._show_found()

    def _show_found(self) -> None:
        """State how many are listed, or how many match the search."""
        n_small = len(self.community_tree.small)
        self.small_button.setVisible(n_small > 0 and not self.model.is_filtered)
        if self.model.shows_small:
            self.small_button.setText(tr("Hide the small ones"))
        else:
            self.small_button.setText(trn("Show {n} small one", "Show {n} small ones", n_small))
        if self.model.is_filtered:
            self.found.setText(trn("{n} found", "{n} found", self.model.n_found))
            return
        n = self.community_tree.n_main + (n_small if self.model.shows_small else 0)
        self.found.setText(trn("{n} main community", "{n} main communities", n))

    def _tree_chosen(self, index: QModelIndex) -> None:
        row = index.data(ROW_ROLE)
        if row is None or self._silent:
            return
        self.current = int(row.id)
        self.map.mark(self.current)
        self.chosen.emit(self.current)

    def choose(self, number: int) -> None:
        """Select a community as a click does."""
        self.mark(number)
        self.chosen.emit(number)

    def _ask_menu(self, point: QPoint) -> None:
        row = self.tree.indexAt(point).data(ROW_ROLE)
        if row is not None:
            self.menu_wanted.emit(int(row.id), self.tree.viewport().mapToGlobal(point))
