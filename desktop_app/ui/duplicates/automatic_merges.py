"""Names that were merged automatically: each with its reason and an action to separate it.

Owns the list, the page of one entity and its keys. Reads and edits nothing itself: it emits
requests.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QScrollArea,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.services.duplicates import AutomaticMerge, MergedName

from ..theme.theme import Theme
from ..translation import tr, tr_message, trn
from ..widgets import (
    STRETCH,
    Button,
    ElidedLabel,
    EmptyState,
    Label,
    SearchField,
    TypeChip,
    build_column,
    build_row,
    build_splitter,
    format_type,
    paint_type_disc,
)
from ..widgets.fields import go_to_list
from ..widgets.layout import SentenceColumn, order_tabs
from ..widgets.tables import ROW_ROLE, AnyIndex, RowList, RowsModel, inverts_selection, paint_ground
from ..widgets.words import join_words

ROW_HEIGHT = 48
MARGIN = 24


class AutomaticMergeCard(QFrame):
    """Emits `separation_wanted`; the resulting edit can be undone."""

    separation_wanted = Signal()
    place_clicked = Signal(int, int, int)

    def __init__(
        self, theme: Theme, joined: MergedName, number: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.joined = joined
        name = ElidedLabel(joined.name, "strong", self)
        self.separate_button = Button(tr("Separate"), self)
        hint = tr("It is a different person or thing")
        tip = f"{hint} (Alt+{number})" if number <= 9 else hint  # not shown
        self.separate_button.setToolTip(tip)
        self.separate_button.setAccessibleName(tr("Separate {name}", name=joined.name))
        self.separate_button.clicked.connect(self.separation_wanted)
        count = trn("{n} mention", "{n} mentions", joined.n_mentions)
        why = Label(f"{count} · {tr_message(joined.reason)}", "muted", self, wrap=True)
        self.sentences = SentenceColumn(theme, self)
        self.sentences.place_clicked.connect(self.place_clicked)
        head = build_row((name, 1), self.separate_button, spacing=8)
        build_column(head, why, self.sentences, parent=self, spacing=6, margins=(12, 8, 12, 12))

    @property
    def stops(self) -> list[QWidget]:
        """The focusable widgets, in tab order."""
        return [self.separate_button, *self.sentences.labels]


class AutomaticMergesModel(RowsModel):
    """The entities with automatically merged names; all are in memory, for fast search."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all: list[AutomaticMerge] = []
        self._text = ""

    @property
    def n_names(self) -> int:
        return sum(len(one.names) for one in self._all)

    def set_rows(self, rows: Sequence[AutomaticMerge]) -> None:
        self._all = list(rows)
        self.set_filter(self._text)

    def set_filter(self, text: str) -> None:
        self._text = text.strip().casefold()

        def fits(one: AutomaticMerge) -> bool:
            names = (one.entity.name, *(name.name for name in one.names))
            return any(self._text in name.casefold() for name in names)

        self.show_rows([one for one in self._all if fits(one)])

    def find_row(self, entity_id: int) -> int:
        return next((i for i, one in enumerate(self.rows) if one.entity.id == entity_id), -1)

    def describe(self, row: AutomaticMerge, role: int) -> str | None:
        if role == Qt.ItemDataRole.DisplayRole:
            return row.entity.name
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{row.entity.name}: {list_names(row)}"
        return None


def list_names(one: AutomaticMerge) -> str:
    return join_words([name.name for name in one.names])


class AutomaticMergeDelegate(QStyledItemDelegate):
    """Draws two lines: the entity; the names merged into it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(160, self._theme.length(ROW_HEIGHT))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        one: AutomaticMerge = index.data(ROW_ROLE)
        paint_ground(painter, option, index, self)
        area = option.rect.adjusted(12, 4, -12, -4)
        painter.save()
        disc = QRectF(area.left(), area.top() + 3, 14, 14)
        paint_type_disc(painter, disc, one.entity.type, self._theme)
        left, width = area.left() + 22, area.width() - 22
        for role, color, top, words in (
            ("text", "text", 15, one.entity.name),
            ("small", "text2", 33, list_names(one)),
        ):
            font = self._theme.font(role)
            painter.setFont(font)
            painter.setPen(self._theme.color(color))
            shown = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, width)
            painter.drawText(left, area.top() + self._theme.length(top), shown)
        painter.restore()


class AutomaticMergesView(QWidget):
    """Emits `separation_wanted` with an entity and the key of one of its names."""

    separation_wanted = Signal(int, str)
    sentences_wanted = Signal(object)
    place_clicked = Signal(int, int, int)
    open_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.model = AutomaticMergesModel(self)
        self.shown: AutomaticMerge | None = None
        self.cards: list[AutomaticMergeCard] = []
        self.list = RowList(
            self.model, AutomaticMergeDelegate(theme), tr("Names merged automatically"), self
        )
        self.search = SearchField(theme, tr("Find a name"), self)
        self.search.searched.connect(self._filter)
        self.search.left_down.connect(lambda: go_to_list(self.list))
        self.list.selectionModel().currentChanged.connect(lambda *_: self._show_current())
        self.name = ElidedLabel("", "title", self)
        self.chip = TypeChip(theme, "other", self)
        self.facts = Label("", "small", self)
        self.open_button = Button(tr("Open"), self, kind="link")
        self.open_button.clicked.connect(self._open)
        self.empty = EmptyState(theme, "names", tr("Nothing merged automatically"), parent=self)
        self._cards = build_column(spacing=12)
        body = QWidget(self)
        body.setObjectName("screenBody")
        head = build_column(
            build_row((self.name, 1), self.open_button),
            build_row(self.chip, (self.facts, 1), spacing=8),
            spacing=6,
        )
        margins = (MARGIN, 16, MARGIN, 16)
        build_column(head, self._cards, STRETCH, parent=body, spacing=12, margins=margins)
        self.page = QScrollArea(self)
        self.page.setWidgetResizable(True)
        self.page.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.page.setWidget(body)
        self.pages = QStackedWidget(self)
        for page in (self.empty, self.page):
            self.pages.addWidget(page)
        left = QWidget(self)
        left.setMinimumWidth(240)
        find = build_row(self.search, margins=(12, 8, 12, 8))
        build_column(find, (self.list, 1), parent=left, spacing=0)
        build_column(build_splitter(left, self.pages, sizes=(320, 720)), parent=self)

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
            sentences = {joined.key: joined.sentences for joined in one.names}
            for card in self.cards:
                card.sentences.show_mentions(sentences.get(card.joined.key, ()))
            self._order()

    def separate(self, number: int) -> None:
        """Request to separate the n-th name, counted from 0."""
        if self.shown is not None and number < len(self.cards):
            self.separation_wanted.emit(self.shown.entity.id, self.cards[number].joined.key)

    def _open(self) -> None:
        if self.shown is not None:
            self.open_wanted.emit(self.shown.entity.id)

    def _filter(self, text: str) -> None:
        self.model.set_filter(text)
        self._select(0)

    def _select(self, row: int) -> None:
        if self.list.select_row(row):
            self._show_current()
            return
        self.shown = None
        if self.model.n_names:
            self.empty.set_texts(tr("No matching names"), tr("Try another search."))
        else:
            text = tr(
                "Names that clearly belong together, such as “Mr. Darcy” and “Darcy”, are merged "
                "during indexing and listed here."
            )
            self.empty.set_texts(tr("Nothing merged automatically"), text)
        self.pages.setCurrentWidget(self.empty)

    def _show_current(self) -> None:
        one: AutomaticMerge | None = self.list.currentIndex().data(ROW_ROLE)
        if one is None or (one == self.shown and self.cards):
            return
        self.shown, row = one, one.entity
        self.name.setText(row.name)
        self.chip.set_type(row.type, format_type(row.type, capital=True))
        mentions = trn("{n} mention", "{n} mentions", row.n_mentions)
        joined = trn("{n} merged name", "{n} merged names", len(one.names))
        self.facts.setText(f"{mentions} · {joined}")
        for card in self.cards:
            card.hide()
            card.deleteLater()
        self.cards = []
        for number, name in enumerate(one.names):
            card = AutomaticMergeCard(self._theme, name, number + 1, self)
            card.separation_wanted.connect(lambda n=number: self.separate(n))
            card.place_clicked.connect(self.place_clicked)
            self._cards.addWidget(card)
            self.cards.append(card)
        self.pages.setCurrentWidget(self.page)
        self._order()
        self.sentences_wanted.emit(one)

    def _order(self) -> None:
        stops = [stop for card in self.cards for stop in card.stops]
        order_tabs([self.search, self.list, self.open_button, *stops])
