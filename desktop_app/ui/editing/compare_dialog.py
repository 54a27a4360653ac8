"""A comparison of two entities: facts, sentences, places in the text, and common neighbours.

Shows a comparison that is passed in; emits the user's decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.model import MentionRow
from desktop_app.engine.services.entity_comparison import (
    ComparedEntity,
    ComparedNeighbour,
    EntityComparison,
)

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    STRETCH,
    Button,
    ElidedLabel,
    Label,
    PrimaryButton,
    SectionTitle,
    TypeChip,
    build_column,
    build_row,
    format_number,
    format_type,
    paint_type_disc,
)
from ..widgets.layout import SentenceColumn
from ..widgets.sheet import EDGE, MARGIN, Sheet, scrolling
from ..widgets.spread_chart import SpreadChart
from ..widgets.tables import ROW_ROLE, AnyIndex, RowList, RowsModel, inverts_selection, paint_ground
from ..widgets.words import shorten_list

WIDTH, HEIGHT = 980, 760
MAX_NAMES = 8
SENTENCES = 2
MEETINGS = 3
ROW_HEIGHT = 28


class NeighboursModel(RowsModel):
    """The neighbours of one entity, or only those that both entities have."""

    def __init__(self, rows: Sequence[ComparedNeighbour]) -> None:
        super().__init__()
        self._all = rows
        self.highest = max((row.weight for row in rows), default=1.0)
        self.show_rows(rows)

    def show_common(self, only: bool) -> None:
        self.show_rows([row for row in self._all if row.is_common or not only])

    def find_row(self, entity_id: int) -> int:
        return next((n for n, row in enumerate(self.rows) if row.id == entity_id), -1)

    def describe(self, row: ComparedNeighbour, role: int) -> str | None:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return row.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            facts = {"place": row.place, "name": row.name, "type": format_type(row.type)}
            if row.is_common:
                return tr("{place}. {name}, {type}, connected to both", **facts)
            return tr("{place}. {name}, {type}", **facts)
        return None


class NeighbourDelegate(QStyledItemDelegate):
    """Draws rank, disc and name; a common neighbour gets a dot, bold text and a weight bar."""

    def __init__(self, theme: Theme, highest: float) -> None:
        super().__init__()
        self._theme, self._highest = theme, highest

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(120, self._theme.length(ROW_HEIGHT))

    @inverts_selection
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: ComparedNeighbour = index.data(ROW_ROLE)
        theme, area = self._theme, option.rect.adjusted(8, 0, -8, 0)
        paint_ground(painter, option, index, self)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if row.is_common:
            painter.setBrush(theme.color("accent"))
            painter.drawEllipse(QRectF(area.left(), area.center().y() - 3, 7, 7))
        paint_type_disc(
            painter, QRectF(area.left() + 16, area.center().y() - 6.5, 14, 14), row.type, theme
        )
        room = max(24, area.width() // 5)
        # a few weights are far above the rest; their square roots remain comparable by eye
        width = max(2.0, room * sqrt(max(0.0, row.weight) / self._highest))
        bar = QRectF(area.right() - room, area.center().y() - 2, width, 4)
        painter.setBrush(theme.color("accent" if row.is_common else "text2", 0.55))
        painter.drawRoundedRect(bar, 2, 2)
        font = theme.font("strong" if row.is_common else "text")
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(theme.color("text" if row.is_common else "text2"))
        left = area.left() + 38
        words = metrics.elidedText(
            row.name, Qt.TextElideMode.ElideRight, round(bar.left()) - 12 - left
        )
        painter.drawText(left, area.center().y() + (metrics.capHeight() + 1) // 2, words)
        painter.restore()


class NeighbourList(RowList):
    """Emits `moved_to` with an entity when its row becomes current, `opened` on Return."""

    moved_to = Signal(int)
    opened = Signal(int)

    def __init__(self, theme: Theme, rows: Sequence[ComparedNeighbour], name: str) -> None:
        model = NeighboursModel(rows)
        delegate = NeighbourDelegate(theme, model.highest)
        super().__init__(model, delegate, tr("Connections of {name}", name=name))
        model.setParent(self)
        self.neighbours = model
        self.setMinimumHeight(5 * theme.length(ROW_HEIGHT))
        self.selectionModel().currentChanged.connect(self._emit_moved)
        self.activated.connect(lambda index: self.opened.emit(index.data(ROW_ROLE).id))
        theme.changed.connect(self.viewport().update)

    def show_entity(self, entity_id: int) -> None:
        """Select the same neighbour in this list, if it is present."""
        row = self.neighbours.find_row(entity_id)
        self.selectionModel().blockSignals(True)
        if row < 0:
            self.clearSelection()
        else:
            self.setCurrentIndex(self.neighbours.index(row))
        self.selectionModel().blockSignals(False)
        self.viewport().update()

    def _emit_moved(self, index: QModelIndex) -> None:
        if index.isValid():
            self.moved_to.emit(index.data(ROW_ROLE).id)


class CompareEntitiesDialog(Sheet):
    """Emits `merge_wanted` or `never_wanted` and closes; `open_wanted`, `place_wanted` on clicks.

    Both entities share the rows of one grid: facts beside facts, sentences beside sentences.
    """

    merge_wanted = Signal()
    never_wanted = Signal()
    open_wanted = Signal(int)
    place_wanted = Signal(int, int, int)

    def __init__(
        self, theme: Theme, found: EntityComparison, parent: QWidget | None = None
    ) -> None:
        left, right = found.left.entity, found.right.entity
        super().__init__(tr("{name} and {other}", name=left.name, other=right.name), parent)
        self.title.hide()
        self._theme = theme
        self.found = found
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 1)
        self.lists: list[NeighbourList] = []
        body = QWidget()
        self._fill(build_column(self._grid, parent=body, spacing=8))
        self.column.addWidget(scrolling(body), 1)
        close, self.merge_button = Button(tr("Close")), PrimaryButton(tr("Merge…"))
        self.never_button = Button(tr("Never merge these"))
        self.never_button.setToolTip(tr("Never merge these names automatically"))
        close.clicked.connect(self.reject)
        self.merge_button.clicked.connect(lambda: self._close_with(self.merge_wanted))
        self.never_button.clicked.connect(lambda: self._close_with(self.never_wanted))
        self.add_foot([close, self.merge_button], [self.never_button], line=True)
        self.column.setContentsMargins(EDGE, MARGIN - 4, EDGE, 16)
        self.fit(WIDTH, HEIGHT)
        self.lists[0].setFocus()

    def _fill(self, column: QVBoxLayout) -> None:
        for number, side in enumerate((self.found.left, self.found.right)):
            self._grid.addWidget(self._build_head(side), 0, number, Qt.AlignmentFlag.AlignTop)
            chart = SpreadChart(self._theme)
            chart.set_spread(side.spread)
            self._grid.addWidget(chart, 1, number, Qt.AlignmentFlag.AlignTop)
            sentences = self._build_sentences(side.sentences[:SENTENCES])
            self._grid.addWidget(sentences, 2, number, Qt.AlignmentFlag.AlignTop)
            own = NeighbourList(self._theme, side.neighbours, side.entity.name)
            self.lists.append(own)
            self._grid.addWidget(own, 4, number)
        self._grid.addWidget(self._build_between(), 3, 0, 1, 2)
        self._grid.setRowStretch(4, 1)
        first, second = self.lists
        first.moved_to.connect(second.show_entity)
        second.moved_to.connect(first.show_entity)
        for own in self.lists:
            own.opened.connect(lambda id_: self._close_with(self.open_wanted, id_))
        self.common.toggled.connect(first.neighbours.show_common)
        self.common.toggled.connect(second.neighbours.show_common)
        if self.found.meetings:
            n = self.found.n_meetings
            message = trn("In the same sentence {n} time", "In the same sentence {n} times", n)
            column.addWidget(SectionTitle(message))
            column.addWidget(self._build_sentences(self.found.meetings[:MEETINGS]))

    def _build_head(self, side: ComparedEntity) -> QWidget:
        head, row = QWidget(), side.entity
        more = Button(tr("Open"), kind="link")
        more.setAccessibleName(tr("Open {name}", name=row.name))
        more.clicked.connect(lambda: self._close_with(self.open_wanted, row.id))
        mentions = trn("{n} mention", "{n} mentions", row.n_mentions)
        connections = trn("{n} connection", "{n} connections", row.n_relations)
        chip = TypeChip(self._theme, row.type, text=format_type(row.type, capital=True))
        column = build_column(
            build_row((ElidedLabel(row.name, "title"), 1), more),
            build_row(chip, (Label(f"{mentions} · {connections}", "small"), 1), spacing=8),
            parent=head,
            spacing=6,
        )
        if side.names:
            names = shorten_list(side.names, MAX_NAMES)
            column.addWidget(Label(tr("Also: {names}", names=names), "muted", wrap=True))
        return head

    def _build_between(self) -> QWidget:
        found, between = self.found, QWidget()
        words = tr("No common connections")
        if found.n_common:
            words = trn(
                "{n} common connection, {share}% of all",
                "{n} common connections, {share}% of all",
                found.n_common,
                share=format_number(round(100 * found.alike)),
            )
        if not found.n_meetings:
            words = f"{words} · {tr('never in the same sentence')}"
        self.summary = Label(words, "strong")
        self.common = QCheckBox(tr("Only common connections"))
        self.common.setEnabled(found.n_common > 0)
        build_row(
            self.summary, STRETCH, self.common, parent=between, spacing=16, margins=(0, 8, 0, 0)
        )
        return between

    def _build_sentences(self, mentions: tuple[MentionRow, ...]) -> QWidget:
        column = SentenceColumn(self._theme)
        column.show_mentions(mentions)
        column.place_clicked.connect(lambda *place: self._close_with(self.place_wanted, *place))
        return column

    def _close_with(self, wanted: SignalInstance, *args: object) -> None:
        self.accept()
        wanted.emit(*args)
