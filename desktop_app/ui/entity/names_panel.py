"""The list of entity names: search, filters by document and type, order, a view of 20,000 rows.

Owns the search text and the selected filters; emits the chosen name. The rows are passed in.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.model import EntityRow

from ..theme.design_tokens import ROW
from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets import (
    STRETCH,
    Button,
    ChoiceBox,
    EmptyState,
    Label,
    SearchField,
    Skeleton,
    build_column,
    build_row,
    format_number,
    format_type,
    paint_type_disc,
)
from ..widgets.fields import go_to_list
from ..widgets.layout import order_tabs
from ..widgets.menus import MenuKey
from ..widgets.tables import (
    ROW_ROLE,
    AnyIndex,
    HeldOrder,
    ListUse,
    RowList,
    RowsModel,
    UpdateLink,
    inverts_selection,
    paint_ground,
)
from .toggles import TypeToggles

SORTS = (
    ("relations", later("by connections")),
    ("mentions", later("by mentions")),
    ("name", later("by name")),
)


TITLE_LEFT, TITLE_RIGHT, TITLE_GAP = 16, 4, 6  # pixels: around the title and what is beside it
SPOKEN_ROLES = (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole)
MOST_SINGLE = 60  # changed names whose rows are moved one by one


class NamesModel(RowsModel):
    """A model of `EntityRow`s; all rows are in memory, so filtering is immediate."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: dict[int, EntityRow] = {}  # by entity
        self._n_of_types: Counter[str] = Counter()
        self._folded: list[str] = []  # for a search, made when it begins
        self._text = ""
        self._types: frozenset[str] = frozenset()
        self._also: frozenset[int] = frozenset()
        self.sorted_by = "relations"
        # Whether names stay where they are when the library changes.
        self.is_held: Callable[[], bool] = lambda: False
        self.order = HeldOrder()

    @property
    def n_all(self) -> int:
        return len(self._all)

    def set_rows(self, rows: Iterable[EntityRow]) -> None:
        """Replace all rows; filter and order are kept, places too while they are held."""
        self._all, self._folded = {row.id: row for row in rows}, []
        self._n_of_types = Counter(row.type for row in self._all.values())
        self._refresh(keeps_places=True)

    def sort_again(self) -> None:
        """Sort names whose places were kept."""
        self._refresh()

    def change_rows(self, ids: Collection[int], rows: Iterable[EntityRow]) -> None:
        """Replace the rows of these entities by those given; the others are gone."""
        now: dict[int, EntityRow] = {row.id: row for row in rows}
        before = {i: self._all[i] for i in ids if i in self._all}
        for i in before.keys() - now.keys():
            del self._all[i]
        self._all.update(now)
        self._n_of_types.subtract(row.type for row in before.values())
        self._n_of_types.update(row.type for row in now.values())
        self._folded = []
        if len(ids) > MOST_SINGLE or self.order.is_unsorted or self.is_held():
            self._refresh(keeps_places=True)
        else:
            self._place_singly(before, now)

    def _place_singly(self, before: Mapping[int, EntityRow], now: Mapping[int, EntityRow]) -> None:
        """Remove, move and add single rows of the list, which is sorted.

        Args:
            before, now: the rows of the same entities, without those that were not there.
        """
        shown = {i: row for i, row in now.items() if self._is_shown(row)}
        for entity_id, old in before.items():
            if entity_id not in shown and (place := self._find_place(old)) >= 0:
                self.remove_row(place)
        for entity_id, row in shown.items():
            old_row = before.get(entity_id)
            place = self._find_place(old_row) if old_row is not None else -1
            if old_row is not None and place >= 0:
                to = self._find_new_place(place, self._rank(old_row), self._rank(row))
            else:
                to = bisect_right(self.rows, self._rank(row), key=self._rank)
            if place < 0:
                self.insert_row(to, row)
                continue
            self.move_row(place, to)
            if row != old_row:
                self.rows[to] = row
                self.dataChanged.emit(self.index(to), self.index(to))

    def _find_new_place(self, place: int, old: tuple[Any, ...], new: tuple[Any, ...]) -> int:
        """Return the place of a row with another rank, among the other rows.

        A copy of the list without the row would cost as much as the library is large.
        """
        if new == old:
            return place
        if new > old:
            return bisect_right(self.rows, new, lo=place + 1, key=self._rank) - 1
        return bisect_right(self.rows, new, hi=place, key=self._rank)

    def _find_place(self, row: EntityRow) -> int:
        """Return the place of a row in the sorted list, -1 if it is not shown."""
        rank = self._rank(row)
        place = bisect_left(self.rows, rank, key=self._rank)
        while place < len(self.rows) and self._rank(self.rows[place]) == rank:
            if self.rows[place].id == row.id:
                return place
            place += 1
        return -1

    def _is_shown(self, row: EntityRow) -> bool:
        is_found = self._text in row.name.casefold() or row.id in self._also
        return is_found and (not self._types or row.type in self._types)

    def _rank(self, row: EntityRow) -> tuple[Any, ...]:
        """Return the key of the order that `_refresh` makes."""
        name = row.name.casefold() if self._text or self.sorted_by == "name" else ""
        is_after = bool(self._text) and not name.startswith(self._text)
        if self.sorted_by == "relations":
            return is_after, -row.n_relations, -row.n_mentions
        if self.sorted_by == "mentions":
            return is_after, -row.n_mentions
        return is_after, name

    def set_filter(self, *, text: str | None = None, types: Iterable[str] | None = None) -> None:
        """Show only names that contain `text` and have one of `types` (none: any type)."""
        if text is not None and text.casefold() != self._text:
            self._text, self._also = text.casefold(), frozenset()
        if types is not None:
            self._types = frozenset(types)
        self._refresh()

    def add_found(self, text: str, rows: Sequence[EntityRow]) -> None:
        """Also show entities whose aliases match the search."""
        if text.casefold() == self._text:
            self._also = frozenset(row.id for row in rows)
            self._refresh()

    def set_sort(self, sort: str) -> None:
        self.sorted_by = sort
        self._refresh()

    def count_types(self) -> Counter[str]:
        """Return the number of names per type, ignoring the filter."""
        return +self._n_of_types

    def find_row(self, entity_id: int) -> int:
        """Return the row index of an entity, -1 if it is not shown."""
        row = self._all.get(entity_id)
        if row is None:
            return -1
        if self.order.is_unsorted:
            return next((i for i, one in enumerate(self.rows) if one.id == entity_id), -1)
        return self._find_place(row)

    def _refresh(self, *, keeps_places: bool = False) -> None:
        shown = list(self._all.values())
        if self._text:
            self._folded = self._folded or [row.name.casefold() for row in shown]
            named = zip(shown, self._folded, strict=True)
            shown = [row for row, name in named if self._text in name or row.id in self._also]
        if self._types:
            shown = [row for row in shown if row.type in self._types]
        if self.sorted_by == "relations":
            shown.sort(key=lambda row: (-row.n_relations, -row.n_mentions))
        elif self.sorted_by == "mentions":
            shown.sort(key=lambda row: -row.n_mentions)
        else:
            shown.sort(key=lambda row: row.name.casefold())
        # names that start with the search text come first; the order is kept otherwise
        if self._text:
            shown.sort(key=lambda row: not row.name.casefold().startswith(self._text))
        is_held = keeps_places and self.is_held() and bool(self.rows)
        shown = self.order.arrange(shown, self.rows, is_held=is_held)
        if is_held:
            self.follow_rows(shown)
        if [row.id for row in shown] != [row.id for row in self.rows]:
            self.show_rows(shown)
            return
        # Only texts changed: a reset would lay out the whole list again, 0.1 s for 17,000 names.
        # Most rows are the same objects, which is faster to see than that they are equal.
        both = enumerate(zip(shown, self.rows, strict=True))
        changed = [i for i, (row, before) in both if row is not before and row != before]
        self.rows = shown
        for i in changed:
            self.dataChanged.emit(self.index(i), self.index(i))

    def describe(self, row: EntityRow, role: int) -> str | None:
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role not in SPOKEN_ROLES:
            return None  # such as fonts and colours, for which Qt asks in each paint
        mentions = trn("{n} mention", "{n} mentions", row.n_mentions)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (row.name, row.story, format_type(row.type), mentions)))
        connections = trn("{n} connection", "{n} connections", row.n_relations)
        source = tr("without a model")
        if row.n_enriched:
            source = trn(
                "confirmed by a model in {n} passage",
                "confirmed by a model in {n} passages",
                row.n_enriched,
            )
        type_ = format_type(row.type, capital=True)
        name = f"{row.name} · {row.story}" if row.story else row.name
        return f"{name}\n{type_} · {mentions} · {connections}\n{source}"


class NameDelegate(QStyledItemDelegate):
    """Draws the disc of the type, the name, and the count at the right on the same baseline."""

    def __init__(self, theme: Theme, model: NamesModel) -> None:
        super().__init__()
        self._theme, self._model = theme, model

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(120, self._theme.length(ROW))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: EntityRow = index.data(ROW_ROLE)
        paint_ground(painter, option, index, self)
        area = option.rect.adjusted(12, 0, -12, 0)
        painter.save()
        side = self._theme.length(14)
        disc = QRectF(area.left(), area.center().y() + 0.5 - side / 2, side, side)
        paint_type_disc(painter, disc, row.type, self._theme)
        font = self._theme.font("text")
        metrics = QFontMetrics(font)
        baseline = area.center().y() + (metrics.capHeight() + 1) // 2
        small = self._theme.font("small")
        by_relations = self._model.sorted_by == "relations"
        count = format_number(row.n_relations if by_relations else row.n_mentions)
        count_width = QFontMetrics(small).horizontalAdvance(count)
        painter.setFont(small)
        painter.setPen(self._theme.color("text2"))
        painter.drawText(area.right() + 1 - count_width, baseline, count)
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        left = area.left() + side + 8
        room = area.right() - count_width - 8 - left
        name = metrics.elidedText(row.name, Qt.TextElideMode.ElideRight, room)
        painter.drawText(left, baseline, name)
        if row.story:  # another name reads the same
            left += metrics.horizontalAdvance(name) + 8
            room = area.right() - count_width - 8 - left
            painter.setFont(small)
            painter.setPen(self._theme.color("text2"))
            right = Qt.TextElideMode.ElideRight
            painter.drawText(left, baseline, QFontMetrics(small).elidedText(row.story, right, room))
        painter.restore()


class NamesPanel(QWidget):
    """Emits `picked` with an entity's id and `searched` with the text to look up among aliases.

    `document_chosen` is emitted when only the names of one document are wanted (0: of all);
    `rejected_wanted` requests the names that a model rejected, `menu_wanted` the actions for the
    selected names; `chosen` is emitted when the selection changes.
    """

    picked = Signal(int)
    searched = Signal(str)
    document_chosen = Signal(int)
    rejected_wanted = Signal()
    menu_wanted = Signal(QPoint)
    chosen = Signal(list)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.model = NamesModel(self)
        self.search = SearchField(theme, tr("Find a name"), self)
        self.document = ChoiceBox(self)
        self.document.setAccessibleName(tr("Names of one document"))
        self.document.setSizeAdjustPolicy(
            ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.document.setMinimumContentsLength(8)
        self.document.currentIndexChanged.connect(lambda _: self._choose_document())
        self.types = TypeToggles(theme, self)
        self.sort_button = Button(
            tr(SORTS[0][1]),
            self,
            kind="quiet",
            theme=theme,
            icon="sort-descending",
            tooltip=tr("Order of the list"),
            icon_alone=True,
        )
        self.sort_button.setMenu(self._build_sorts())
        self.sort_button.setStyleSheet("padding-left: 4px; padding-right: 22px;")
        self.list = RowList(self.model, NameDelegate(theme, self.model), tr("Names"), self)
        use = ListUse([self.list], self)
        use.ended.connect(self._sort_again)
        self.model.is_held = use
        self.update_link = UpdateLink()
        self.update_link.clicked.connect(self._sort_again)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._ask_for_menu)
        self.skeleton = Skeleton(theme, self)
        self.empty = EmptyState(theme, "names", tr("No names yet"), parent=self)
        self.pages = QStackedWidget(self)
        for page in (self.list, self.skeleton, self.empty):
            self.pages.addWidget(page)
        tip = tr("Review rejected names")
        self.rejected = Button("", self, kind="quiet", tooltip=tip, elide=True)
        self.rejected.clicked.connect(self.rejected_wanted)
        self.rejected.hide()
        tip = tr("Actions for the selected names")
        self.several = Button("", self, kind="quiet", tooltip=tip, elide=True)
        self.several_menu = QMenu(self.several)
        self.several.setMenu(self.several_menu)
        self.several.hide()
        self.n_names = Label("", "small", self)
        title = QWidget(self)
        title.setFixedHeight(51)
        self._title = Label(tr("Names"), "title", self)
        self._sort_words = tr(SORTS[0][1])
        build_row(
            self._title,
            (self.n_names, 1),
            self.sort_button,
            parent=title,
            spacing=TITLE_GAP,
            margins=(TITLE_LEFT, 0, TITLE_RIGHT, 0),
        )
        build_column(
            title,
            8,
            build_column(
                self.search, 4, self.document, self.types, spacing=4, margins=(12, 0, 12, 8)
            ),
            (self.pages, 1),
            build_row(
                *(self.several, self.update_link, STRETCH, self.rejected), margins=(12, 2, 12, 2)
            ),
            parent=self,
            spacing=0,
        )
        self.list.selectionModel().selectionChanged.connect(lambda *_: self._selection_changed())
        for changed in (self.model.modelReset, self.model.rowsRemoved):
            changed.connect(self._selection_changed)
        self.search.searched.connect(self._search)
        self.search.left_down.connect(lambda: go_to_list(self.list))
        MenuKey(self.list)
        self.set_documents(())
        order_tabs((self.sort_button, self.search, self.document, *self.types.buttons, self.list))
        self.types.changed.connect(lambda types: self._filter(types))
        self.list.clicked.connect(self._pick)
        self.list.activated.connect(self._pick)
        theme.changed.connect(self.list.viewport().update)
        theme.changed.connect(self._fit_sort_button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_sort_button()

    def _fit_sort_button(self) -> None:
        """Show the order in words beside the title and the count, or as an icon without a gap."""
        around = TITLE_LEFT + TITLE_RIGHT + 2 * TITLE_GAP
        beside = self._title.sizeHint().width() + self.n_names.sizeHint().width()
        self.sort_button.setText(self._sort_words)
        if self.sort_button.sizeHint().width() > self.width() - around - beside:
            self.sort_button.setText("")
        self.sort_button.setAccessibleName(self._sort_words)

    def _build_sorts(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(self)
        for key, words in SORTS:
            action = menu.addAction(tr(words))
            action.setCheckable(True)
            action.setChecked(key == self.model.sorted_by)
            action.setActionGroup(group)
            action.triggered.connect(lambda _=False, k=key, w=words: self._sort(k, w))
        return menu

    # --- what is shown ----------------------------------------------------------------------

    @property
    def document_id(self) -> int:
        """The document whose names are listed, 0 for all documents."""
        return int(self.document.currentData() or 0)

    def set_documents(self, titles: Iterable[tuple[int, str]]) -> None:
        """Offer the names of each of these documents, given by id and title."""
        rows = sorted(((title.casefold(), i, title) for i, title in titles))
        before = self.document_id
        self.document.blockSignals(True)
        self.document.clear()
        self.document.addItem(tr("All documents"), 0)
        for _, document_id, title in rows:
            self.document.addItem(" ".join(title.split()), document_id)
        self.document.setCurrentIndex(max(0, self.document.findData(before)))
        self.document.blockSignals(False)
        self.document.setVisible(len(rows) > 1)
        if self.document_id != before:
            self._choose_document()

    def choose_document(self, document_id: int) -> None:
        """List the names of a document."""
        self.document.setCurrentIndex(max(0, self.document.findData(document_id)))

    def begin_loading(self) -> None:
        """Show placeholder bars instead of rows, unless there are rows already."""
        if not self.model.n_all:
            self.pages.setCurrentWidget(self.skeleton)
            self.skeleton.start()

    def set_rows(self, rows: Sequence[EntityRow]) -> None:
        """Show these names; selection and scroll position are kept."""
        self._change(lambda: self.model.set_rows(rows))

    def change_rows(self, ids: Collection[int], rows: Sequence[EntityRow]) -> None:
        """Replace the names of these entities by those given; the others are gone."""
        self._change(lambda: self.model.change_rows(ids, rows))

    def _sort_again(self) -> None:
        if self.model.order.is_unsorted:
            self._change(self.model.sort_again)

    def _change(self, change: Callable[[], None]) -> None:
        self.skeleton.stop()
        scrolled, selected = self.list.verticalScrollBar().value(), self.selected()
        change()
        self.types.set_counts(self.model.count_types())
        self._show_found()
        if selected is not None and self.selected() != selected:
            self.select(selected, scroll=False)
        self.list.verticalScrollBar().setValue(scrolled)

    def set_rejected(self, count: int) -> None:
        """Show the number of names that a model rejected."""
        self.rejected.setText(
            trn("{n} name rejected by the model", "{n} names rejected by the model", count)
        )
        self.rejected.setVisible(count > 0)

    def add_found(self, text: str, rows: Sequence[EntityRow]) -> None:
        """Add entities whose aliases match the search."""
        self.model.add_found(text, rows)
        self._show_found()

    def selected(self) -> int | None:
        index = self.list.currentIndex()
        return index.data(ROW_ROLE).id if index.isValid() else None

    def selected_rows(self) -> list[EntityRow]:
        """Return all selected rows, in the order of the list."""
        indexes = sorted(self.list.selectionModel().selectedIndexes(), key=lambda i: i.row())
        return [index.data(ROW_ROLE) for index in indexes]

    def select(self, entity_id: int, *, scroll: bool = True) -> None:
        """Select a name in the list without emitting `picked`."""
        row = self.model.find_row(entity_id)
        if row < 0:
            self.list.selectionModel().clear()
            return
        index = self.model.index(row)
        seen = self.list.viewport().rect().contains(self.list.visualRect(index))
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.list.selectionModel().setCurrentIndex(index, flag)  # Qt scrolls it to an edge
        if scroll and not (seen and self.list.isVisible()):
            self.list.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _show_found(self) -> None:
        self.update_link.show_order(self.model.order)
        n_shown, n_all = self.model.rowCount(), self.model.n_all
        count = format_number(n_all) if n_all else ""
        if n_shown != n_all:
            count = tr("{n} of {total}", n=format_number(n_shown), total=count)
        self.n_names.setText(count)
        self._fit_sort_button()
        if n_all == 0 and self.document_id:
            self.empty.set_texts(tr("No names in this document"), "")
        elif n_all == 0:
            self.empty.set_texts(tr("No names yet"), tr("They appear while documents are read."))
        elif n_shown == 0:
            self.empty.set_texts(tr("No matching names"), tr("Try another search or type."))
        self.pages.setCurrentWidget(self.list if n_shown else self.empty)

    # --- actions ----------------------------------------------------------------------------

    def _search(self, text: str) -> None:
        self.model.set_filter(text=text)
        self._show_found()
        self.list.scrollToTop()
        if text:
            self.searched.emit(text)

    def _filter(self, types: frozenset[str]) -> None:
        self.model.set_filter(types=types)
        self._show_found()
        self.list.scrollToTop()

    def _choose_document(self) -> None:
        self.model.set_rows(())  # the order of other names is not kept
        self.list.scrollToTop()
        self.document_chosen.emit(self.document_id)

    def _sort(self, key: str, words: str) -> None:
        self.model.set_sort(key)
        self._sort_words = tr(words)
        self._show_found()
        self.list.scrollToTop()

    def _pick(self, index: QModelIndex) -> None:
        if len(self.list.selectionModel().selectedIndexes()) < 2:
            self.picked.emit(index.data(ROW_ROLE).id)

    def _selection_changed(self) -> None:
        rows = self.selected_rows()
        self.several.setText(trn("{n} name selected", "{n} names selected", len(rows)))
        self.several.setVisible(len(rows) > 1)
        self.chosen.emit(rows)

    def _ask_for_menu(self, point: QPoint) -> None:
        index = self.list.indexAt(point)
        if index.isValid() and not self.list.selectionModel().isSelected(index):
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.list.selectionModel().setCurrentIndex(index, flag)
        self.menu_wanted.emit(self.list.viewport().mapToGlobal(point))
