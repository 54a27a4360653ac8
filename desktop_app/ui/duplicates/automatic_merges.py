"""Names that were merged automatically: each with its reason and an action to separate it.

Owns the list, the page of one entity and its keys. Reads and edits nothing itself: it emits
requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListView,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.services.duplicates import AutomaticMerge, MergedName

from ..language import tr, tr_message, trn
from ..theme.theme import Theme
from ..widgets import (
    Button,
    ElidedLabel,
    EmptyState,
    Label,
    SearchField,
    TypeChip,
    format_type,
    paint_type_disc,
)
from ..widgets.fields import go_to_list
from ..widgets.layout import order_tabs
from ..widgets.tables import paint_ground
from ..widgets.words import join_words
from .quotes import SentenceColumn


class AutomaticMergeHead(QWidget):
    """The entity that the names were merged into."""

    open_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entity_id = 0
        self.name = ElidedLabel("", "title", self)
        self.chip = TypeChip(theme, "other", self)
        self.facts = Label("", "small", self)
        self.open_button = Button(tr("Open"), self, kind="link")
        self.open_button.clicked.connect(lambda: self.open_wanted.emit(self._entity_id))
        top = QHBoxLayout()
        top.addWidget(self.name, 1)
        top.addWidget(self.open_button)
        under = QHBoxLayout(spacing=8)
        under.addWidget(self.chip)
        under.addWidget(self.facts, 1)
        column = QVBoxLayout(self, spacing=6)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(top)
        column.addLayout(under)

    def show_entity(self, one: AutomaticMerge) -> None:
        row = one.entity
        self._entity_id = row.id
        self.name.setText(row.name)
        self.chip.set_type(row.type, format_type(row.type))
        self.facts.setText(
            trn("{n} mention", "{n} mentions", row.n_mentions)
            + " · "
            + trn("{n} name joined to it", "{n} names joined to it", len(one.names))
        )


class AutomaticMergeCard(QFrame):
    """Emits `apart_wanted`; the resulting edit can be undone."""

    apart_wanted = Signal()
    place_clicked = Signal(int, int, int)

    def __init__(
        self, theme: Theme, joined: MergedName, number: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.joined = joined
        name = ElidedLabel(joined.name, "strong", self)
        self.apart_button = Button(tr("Take apart"), self)
        hint = tr("It is somebody or something else")
        tip = f"{hint} (Alt+{number})" if number <= 9 else hint  # not shown
        self.apart_button.setToolTip(tip)
        self.apart_button.setAccessibleName(tr("Take {name} apart", name=joined.name))
        self.apart_button.clicked.connect(self.apart_wanted)
        top = QHBoxLayout(spacing=8)
        top.addWidget(name, 1)
        top.addWidget(self.apart_button)
        count = trn("{n} mention", "{n} mentions", joined.n_mentions)
        why = f"{count} · {tr_message(joined.reason)}"
        self.sentences = SentenceColumn(theme, self)
        self.sentences.place_clicked.connect(self.place_clicked)
        column = QVBoxLayout(self, spacing=6)
        column.setContentsMargins(12, 8, 12, 12)
        column.addLayout(top)
        column.addWidget(Label(why, "muted", self, wrap=True))
        column.addWidget(self.sentences)

    @property
    def stops(self) -> list[QWidget]:
        """The focusable widgets, in tab order."""
        return [self.apart_button, *self.sentences.labels]

    def show_sentences(self, one: AutomaticMerge) -> None:
        """Show the sentences in which this name occurs."""
        for joined in one.names:
            if joined.key == self.joined.key:
                self.sentences.show_mentions(joined.sentences)


ROW_ROLE = Qt.ItemDataRole.UserRole + 1
ROW_HEIGHT = 48
MARGIN = 24


class AutomaticMergesModel(QAbstractListModel):
    """The entities with automatically merged names; all are in memory, for fast search."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: list[AutomaticMerge] = []
        self._shown: list[AutomaticMerge] = []
        self._wanted = ""

    @property
    def n_names(self) -> int:
        return sum(len(one.names) for one in self._all)

    def set_rows(self, rows: Sequence[AutomaticMerge]) -> None:
        self._all = list(rows)
        self.set_filter(self._wanted)

    def set_filter(self, text: str) -> None:
        self._wanted = text.strip().casefold()
        self.beginResetModel()
        self._shown = [one for one in self._all if self._wanted in _all_names(one)]
        self.endResetModel()

    def find_row(self, entity_id: int) -> int:
        return next((i for i, one in enumerate(self._shown) if one.entity.id == entity_id), -1)

    def rowCount(self, parent: Any = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        one = self._shown[index.row()]
        if role == ROW_ROLE:
            return one
        if role == Qt.ItemDataRole.DisplayRole:
            return one.entity.name
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{one.entity.name}: {_list_joined(one)}"
        return None


def _all_names(one: AutomaticMerge) -> str:
    return "\n".join((one.entity.name, *(name.name for name in one.names))).casefold()


def _list_joined(one: AutomaticMerge) -> str:
    return join_words([name.name for name in one.names])


class AutomaticMergeDelegate(QStyledItemDelegate):
    """Draws two lines: the entity; the names merged into it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(160, self._theme.length(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        one: AutomaticMerge = index.data(ROW_ROLE)
        paint_ground(painter, option, index, self)
        area = option.rect.adjusted(12, 4, -12, -4)
        painter.save()
        disc = QRectF(area.left(), area.top() + 3, 14, 14)
        paint_type_disc(painter, disc, one.entity.type, self._theme)
        left, width = area.left() + 22, area.width() - 22
        for role, color, top, words in (
            ("text", "text", 15, one.entity.name),
            ("small", "text2", 33, _list_joined(one)),
        ):
            font = self._theme.font(role)
            painter.setFont(font)
            painter.setPen(self._theme.color(color))
            shown = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, width)
            painter.drawText(left, area.top() + self._theme.length(top), shown)
        painter.restore()


class AutomaticMergesView(QWidget):
    """Emits `apart_wanted` with an entity and the key of one of its names."""

    apart_wanted = Signal(int, str)
    sentences_wanted = Signal(object)
    place_clicked = Signal(int, int, int)
    open_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.model = AutomaticMergesModel(self)
        self.shown: AutomaticMerge | None = None
        self.cards: list[AutomaticMergeCard] = []
        self.search = SearchField(theme, tr("Find a name"), self)
        self.search.searched.connect(self._filter)
        self.search.left_down.connect(lambda: go_to_list(self.list))
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(AutomaticMergeDelegate(theme, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setAccessibleName(tr("Names that were made one on their own"))
        self.list.selectionModel().currentChanged.connect(lambda *_: self._tell())
        self.head = AutomaticMergeHead(theme, self)
        self.head.open_wanted.connect(self.open_wanted)
        self.empty = EmptyState(theme, "names", tr("Nothing was joined"), parent=self)
        self.pages = QStackedWidget(self)
        self._place()

    def _place(self) -> None:
        left = QWidget(self)
        left.setMinimumWidth(240)
        find = QHBoxLayout()
        find.setContentsMargins(12, 8, 12, 8)
        find.addWidget(self.search)
        column = QVBoxLayout(left, spacing=0)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(find)
        column.addWidget(self.list, 1)
        body = QWidget(self)
        body.setObjectName("screenBody")
        inside = QVBoxLayout(body, spacing=12)
        inside.setContentsMargins(MARGIN, 16, MARGIN, 16)
        inside.addWidget(self.head)
        self._cards = QVBoxLayout(spacing=12)
        inside.addLayout(self._cards)
        inside.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        self.scroll = scroll
        for page in (self.empty, scroll):
            self.pages.addWidget(page)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(left)
        splitter.addWidget(self.pages)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([320, 720])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(splitter)

    # --- what is shown ----------------------------------------------------------------------

    def set_rows(self, rows: Sequence[AutomaticMerge]) -> None:
        """Show these merges; the current entity stays selected."""
        here = self.shown.entity.id if self.shown is not None else -1
        row = self.list.currentIndex().row()
        self.model.set_rows(rows)
        found = self.model.find_row(here)
        self._select(found if found >= 0 else row)

    def show_sentences(self, one: AutomaticMerge) -> None:
        """Show the sentences of an entity's names, if that entity is still shown."""
        if self.shown is not None and self.shown.entity.id == one.entity.id:
            for card in self.cards:
                card.show_sentences(one)
            self._order()

    def take_apart(self, number: int) -> None:
        """Request to separate the n-th name, counted from 0."""
        if self.shown is not None and number < len(self.cards):
            self.apart_wanted.emit(self.shown.entity.id, self.cards[number].joined.key)

    def _filter(self, text: str) -> None:
        self.model.set_filter(text)
        self._select(0)

    def _select(self, row: int) -> None:
        n = self.model.rowCount()
        if n:
            self.list.setCurrentIndex(self.model.index(min(max(0, row), n - 1)))
            self._tell()
            return
        self.shown = None
        nothing = not self.model.n_names
        self.empty.set_texts(
            tr("Nothing was joined" if nothing else "No such name"),
            tr(
                "Names that are surely one, as “Mr. Darcy” and “Darcy”, are made one while "
                "documents are read, and listed here."
                if nothing
                else "Try a part of it."
            ),
        )
        self.pages.setCurrentWidget(self.empty)

    def _tell(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            self._show(index.data(ROW_ROLE))

    def _show(self, one: AutomaticMerge) -> None:
        if one == self.shown and self.cards:
            return
        self.shown = one
        self.head.show_entity(one)
        for card in self.cards:
            card.hide()
            card.deleteLater()
        self.cards = []
        for number, joined in enumerate(one.names):
            card = AutomaticMergeCard(self._theme, joined, number + 1, self)
            card.apart_wanted.connect(lambda n=number: self.take_apart(n))
            card.place_clicked.connect(self.place_clicked)
            self._cards.addWidget(card)
            self.cards.append(card)
        self.pages.setCurrentWidget(self.scroll)
        self._order()
        self.sentences_wanted.emit(one)

    def _order(self) -> None:
        stops = [stop for card in self.cards for stop in card.stops]
        order_tabs([self.search, self.list, self.head.open_button, *stops])
