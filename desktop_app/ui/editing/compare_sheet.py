"""Two names side by side: facts, sentences, where they stand, and whom both are tied to.

Shows a comparison it is handed; what a person decides is told by signals.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.engine.services.comparing import Comparison, Side
from desktop_app.engine.types import MentionRow
from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Button,
    ElidedLabel,
    Label,
    PrimaryButton,
    SectionTitle,
    TypeChip,
    format_number,
    format_type,
)
from desktop_app.ui.widgets.sentence_label import SentenceLabel
from desktop_app.ui.widgets.sheet import MARGIN, Sheet, scrolling
from desktop_app.ui.widgets.spread_chart import SpreadChart
from desktop_app.ui.widgets.words import shorten_list

from .neighbour_list import NeighbourList

WIDTH, HEIGHT = 980, 760
MAX_NAMES = 8
SENTENCES = 2
MEETINGS = 3


class CompareSheet(Sheet):
    """Emits `merge_wanted` or `never_wanted` and closes; `open_wanted`, `place_wanted` for clicks.

    Rows of the grid belong together: facts beside facts, sentences beside sentences.
    """

    merge_wanted = Signal()
    never_wanted = Signal()
    open_wanted = Signal(int)
    place_wanted = Signal(int, int, int)

    def __init__(self, theme: Theme, found: Comparison, parent: QWidget | None = None) -> None:
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
            said = self._build_sentences(side.sentences[:SENTENCES])
            self._grid.addWidget(said, 2, number, Qt.AlignmentFlag.AlignTop)
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
            told = trn("In one sentence, {n} time", "In one sentence, {n} times", n)
            column.addWidget(SectionTitle(told))
            column.addWidget(self._build_sentences(self.found.meetings[:MEETINGS]))

    def _build_head(self, side: Side) -> QWidget:
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
