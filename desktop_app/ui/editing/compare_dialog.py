"""A comparison of two entities: facts, sentences, places in the text, and common neighbours.

Shows a comparison that is passed in; emits the user's decision.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.model import MentionRow
from desktop_app.engine.services.comparing import (
    ComparedEntity,
    ComparedNeighbour,
    EntityComparison,
)

from ..language import tr, trn
from ..theme.theme import Theme
from ..widgets import (
    Button,
    ElidedLabel,
    Label,
    PrimaryButton,
    SectionTitle,
    TypeChip,
    format_number,
    format_type,
    paint_type_disc,
)
from ..widgets.labels import SentenceLabel
from ..widgets.sheet import MARGIN, Sheet, scrolling
from ..widgets.spread_chart import SpreadChart
from ..widgets.tables import paint_ground
from ..widgets.words import shorten_list

ROW_ROLE = Qt.ItemDataRole.UserRole
ROW_HEIGHT = 28


class NeighboursModel(QAbstractListModel):
    """The neighbours of one entity; all rows are in memory, so that filtering is immediate."""

    def __init__(self, rows: tuple[ComparedNeighbour, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all, self._shown = rows, list(rows)
        self.highest = max((row.weight for row in rows), default=1.0)

    def show_common(self, only: bool) -> None:
        self.beginResetModel()
        self._shown = [row for row in self._all if row.is_common or not only]
        self.endResetModel()

    def find_row(self, entity_id: int) -> int:
        return next((n for n, row in enumerate(self._shown) if row.id == entity_id), -1)

    def rowCount(self, parent: Any = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._shown[index.row()]
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return row.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            facts = {"place": row.place, "name": row.name, "type": format_type(row.type)}
            if row.is_common:
                return tr("{place}. {name}, {type}, tied to both", **facts)
            return tr("{place}. {name}, {type}", **facts)
        return None


class NeighbourDelegate(QStyledItemDelegate):
    """Draws rank, disc and name; a common neighbour gets a dot, bold text and a weight bar."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(120, self._theme.length(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
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
        highest = index.model().highest
        # a few weights are far above the rest; their square roots remain comparable by eye
        width = max(2.0, room * sqrt(max(0.0, row.weight) / highest))
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


class NeighbourList(QListView):
    """Emits `moved_to` with an entity when its row becomes current, `opened` on Return."""

    moved_to = Signal(int)
    opened = Signal(int)

    def __init__(
        self,
        theme: Theme,
        rows: tuple[ComparedNeighbour, ...],
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.rows = NeighboursModel(rows, self)
        self.setModel(self.rows)
        self.setItemDelegate(NeighbourDelegate(theme, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setMinimumHeight(5 * theme.length(ROW_HEIGHT))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName(tr("Connections of {name}", name=name))
        self.selectionModel().currentChanged.connect(self._tell)
        self.activated.connect(lambda index: self.opened.emit(index.data(ROW_ROLE).id))
        theme.changed.connect(self.viewport().update)

    def show_common(self, only: bool) -> None:
        self.rows.show_common(only)

    def show_entity(self, entity_id: int) -> None:
        """Select the same neighbour in this list, if it is present."""
        row = self.rows.find_row(entity_id)
        self.selectionModel().blockSignals(True)
        if row < 0:
            self.clearSelection()
        else:
            self.setCurrentIndex(self.rows.index(row))
        self.selectionModel().blockSignals(False)
        self.viewport().update()

    def _tell(self, index: QModelIndex) -> None:
        if index.isValid():
            self.moved_to.emit(index.data(ROW_ROLE).id)


WIDTH, HEIGHT = 980, 760
MAX_NAMES = 8
SENTENCES = 2
MEETINGS = 3


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
        super().__init__(tr("{name} beside {other}", name=left.name, other=right.name), parent)
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
        column = QVBoxLayout(body)
        column.setSpacing(8)
        column.addLayout(self._grid)
        self._fill(column)
        self.column.addWidget(scrolling(body), 1)
        self._add_buttons()
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
            own.opened.connect(self._open)
        self.common.toggled.connect(first.show_common)
        self.common.toggled.connect(second.show_common)
        if self.found.meetings:
            n = self.found.n_meetings
            message = trn("In one sentence, {n} time", "In one sentence, {n} times", n)
            column.addWidget(SectionTitle(message))
            column.addWidget(self._build_sentences(self.found.meetings[:MEETINGS]))

    def _build_head(self, side: ComparedEntity) -> QWidget:
        head, row = QWidget(), side.entity
        name = ElidedLabel(row.name, "title")
        more = Button(tr("Open"), kind="link")
        more.setAccessibleName(tr("Open {name}", name=row.name))
        more.clicked.connect(lambda: self._open(row.id))
        top = QHBoxLayout()
        top.addWidget(name, 1)
        top.addWidget(more)
        facts = QHBoxLayout()
        facts.setSpacing(8)
        facts.addWidget(TypeChip(self._theme, row.type, text=format_type(row.type)))
        counts = (
            trn("{n} mention", "{n} mentions", row.n_mentions),
            trn("{n} connection", "{n} connections", row.n_relations),
        )
        facts.addWidget(Label(" · ".join(counts), "small"), 1)
        column = QVBoxLayout(head)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(top)
        column.addLayout(facts)
        if side.names:
            names = shorten_list(side.names, MAX_NAMES)
            column.addWidget(Label(tr("also: {names}", names=names), "muted", wrap=True))
        return head

    def _build_between(self) -> QWidget:
        found, between = self.found, QWidget()
        row = QHBoxLayout(between)
        row.setContentsMargins(0, 8, 0, 0)
        row.setSpacing(16)
        share = format_number(round(100 * found.alike))
        both = (
            trn(
                "{n} connection in common, {share} % of all",
                "{n} connections in common, {share} % of all",
                found.n_common,
                share=share,
            )
            if found.n_common
            else tr("No connection in common")
        )
        met = both if found.n_meetings else f"{both} · {tr('never in one sentence')}"
        self.told = Label(met, "strong")
        self.common = QCheckBox(tr("Only what is in common"))
        self.common.setEnabled(found.n_common > 0)
        row.addWidget(self.told)
        row.addStretch(1)
        row.addWidget(self.common)
        return between

    def _build_sentences(self, mentions: tuple[MentionRow, ...]) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for mention in mentions:
            label = SentenceLabel(self._theme, mention, body)
            label.place_clicked.connect(self._show_place)
            column.addWidget(label)
        return body

    def _add_buttons(self) -> None:
        close, self.merge_button = Button(tr("Close")), PrimaryButton(tr("Merge…"))
        self.never_button = Button(tr("Never merge these"))
        self.never_button.setToolTip(tr("Keep them apart, whatever would join them"))
        close.clicked.connect(self.reject)
        self.merge_button.clicked.connect(lambda: self._decide(self.merge_wanted))
        self.never_button.clicked.connect(lambda: self._decide(self.never_wanted))
        self.add_foot([close, self.merge_button], [self.never_button], line=True)
        self.column.setContentsMargins(0, MARGIN - 4, 0, 16)

    def _decide(self, wanted) -> None:
        self.accept()
        wanted.emit()

    def _open(self, entity_id: int) -> None:
        self.accept()
        self.open_wanted.emit(entity_id)

    def _show_place(self, document_id: int, start: int, end: int) -> None:
        self.accept()
        self.place_wanted.emit(document_id, start, end)
