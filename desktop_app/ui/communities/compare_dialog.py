"""A dialog that compares two communities: what they share, what only one has, their relations.

Owns the choice of the two. It emits a request and is given the comparison.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.engine.model import ChunkId, CommunityRow, Comparison, Evidence, RelationRow

from ..language import tr, trn
from ..theme.theme import Theme
from ..widgets import Button, Label, PrimaryButton, SectionTitle, clear_layout
from ..widgets.sheet import Sheet, scrolling
from .chip_flow import Chip, ChipFlow
from .community_tree import CommunityTree
from .finding_rows import Sentence
from .words import format_member_count, format_rating, get_title

WIDTH, HEIGHT = 880, 680
MOST_TIES = 12


class ComparedCommunityView(QWidget):
    """One of the two communities: title, size, key words, and the names that only it has."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.title = Label("", "title", self, wrap=True)
        self.facts = Label("", "muted", self)
        self.words = ChipFlow(theme, tr("Words that set it apart"), live=False, parent=self)
        self.only_title = SectionTitle("", self)
        self.names = ChipFlow(theme, tr("Names that it alone has"), most=18, parent=self)
        column = QVBoxLayout(self)
        column.setSpacing(4)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.title)
        column.addWidget(self.facts)
        column.addSpacing(6)
        column.addWidget(self.words)
        column.addSpacing(6)
        column.addWidget(self.only_title)
        column.addWidget(self.names)
        column.addStretch(1)

    def show_side(self, row: CommunityRow, names: tuple, shared_words: tuple[str, ...]) -> None:
        self.title.setText(get_title(row))
        weight = tr("Weight: {rating}", rating=format_rating(row.rating))
        self.facts.setText(f"{format_member_count(row.n_members)} · {weight}")
        own = [w for w in row.key_words if w not in shared_words]
        self.words.set_chips([Chip(n, w) for n, w in enumerate([*shared_words, *own])])
        n = len(names)
        self.only_title.setText(trn("{n} name of its own", "{n} names of its own", n))
        self.names.set_chips([Chip(int(e.id), e.name, e.type) for e in names])


class CompareCommunitiesDialog(Sheet):
    """Emits `wanted` with two communities; `show_comparison` shows the result."""

    wanted = Signal(int, int)
    name_clicked = Signal(int)
    place_clicked = Signal(int, int, int)
    community_wanted = Signal(int)

    def __init__(
        self, theme: Theme, community_tree: CommunityTree, first: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Compare two communities"), parent)
        self._theme, self._community_tree, self.first = theme, community_tree, first
        self.second: int | None = None
        self.box = self._build_box()
        self.add(self.box)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setSpacing(4)
        self.sides = (ComparedCommunityView(theme, body), ComparedCommunityView(theme, body))
        both = QGridLayout()
        both.setHorizontalSpacing(32)
        for place, side in enumerate(self.sides):
            both.addWidget(side, 0, place)
            both.setColumnStretch(place, 1)
        column.addLayout(both)
        self.shared_title = SectionTitle("", body)
        self.shared_title.setContentsMargins(0, 16, 0, 4)
        self.shared = ChipFlow(theme, tr("Names that both have"), most=18, parent=body)
        self.ties_title = SectionTitle("", body)
        self.ties_title.setContentsMargins(0, 16, 0, 4)
        column.addWidget(self.shared_title)
        column.addWidget(self.shared)
        column.addWidget(self.ties_title)
        self._ties = QVBoxLayout()
        self._ties.setSpacing(8)
        column.addLayout(self._ties)
        column.addStretch(1)
        self._body = body
        self.column.addWidget(scrolling(body), 1)
        open_other = Button(tr("Open the other one"))
        open_other.clicked.connect(self._open_other)
        self.open_button = open_other
        done = PrimaryButton(tr("Close"))
        done.clicked.connect(self.accept)
        self.add_foot([done], [open_other], line=True)
        for flow in (self.sides[0].names, self.sides[1].names, self.shared):
            flow.clicked.connect(self._name_clicked)
        self.fit(WIDTH, HEIGHT)

    def _build_box(self) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(tr("Compare with"))
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.setMaxVisibleItems(16)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        if (field := box.lineEdit()) is not None:
            field.setPlaceholderText(tr("Type a title to compare with"))
        if (completer := box.completer()) is not None:
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        rows = self._community_tree.rows
        level = rows[self.first].level
        order = sorted(
            (row for row in rows.values() if int(row.id) != self.first and not row.is_loose),
            key=lambda row: (row.level != level, row.level, -row.n_members),
        )
        for row in order:
            box.addItem(f"{get_title(row)}  ({format_member_count(row.n_members)})", int(row.id))
        box.setCurrentIndex(-1)
        box.activated.connect(lambda _: self.choose(box.currentData()))
        return box

    def choose(self, second: int | None) -> None:
        """Compare with this community, or with the nearest in size on the same level."""
        if second is None and self.box.count():
            second = self.box.itemData(0)
        self.open_button.setEnabled(second is not None)
        if second is None:
            return
        self.second = int(second)
        self.box.setCurrentIndex(self.box.findData(self.second))
        if (field := self.box.lineEdit()) is not None:
            field.setCursorPosition(0)
        self.wanted.emit(self.first, self.second)

    def show_comparison(self, found: Comparison) -> None:
        """Show a comparison."""
        if self.second is None:
            return
        rows = self._community_tree.rows
        self.sides[0].show_side(rows[self.first], found.only_first, found.shared_words)
        self.sides[1].show_side(rows[self.second], found.only_second, found.shared_words)
        n = len(found.shared)
        self.shared_title.setText(
            trn("{n} name is in both", "{n} names are in both", n)
            if n
            else tr("No name is in both")
        )
        self.shared.set_chips([Chip(int(e.id), e.name, e.type) for e in found.shared])
        n = len(found.between)
        self.ties_title.setText(
            trn("{n} connection between them", "{n} connections between them", n)
            if n
            else tr("Nothing connects them")
        )
        clear_layout(self._ties)
        for relation in found.between[:MOST_TIES]:
            self._add_tie(relation)

    def _add_tie(self, relation: RelationRow) -> None:
        ends = Label(f"{relation.source} – {relation.target}", "strong", self._body, wrap=True)
        self._ties.addWidget(ends)
        if not relation.sentence or relation.document_id is None:
            return
        place = (int(relation.document_id), relation.sentence_start, relation.sentence_end)
        one = Evidence(
            relation.document_id,
            ChunkId(0),  # not shown
            place[1],
            place[2],
            relation.sentence,
            relation_id=relation.id,
        )
        sentence = Sentence(self._theme, one, self._body)
        sentence.clicked.connect(lambda: self._place_clicked(*place))
        row = QHBoxLayout()
        row.addWidget(sentence, 1)
        self._ties.addLayout(row)

    # --- navigation -------------------------------------------------------------------------------

    def _name_clicked(self, number: int) -> None:
        self.name_clicked.emit(number)
        self.accept()

    def _place_clicked(self, *place: int) -> None:
        self.place_clicked.emit(*place)
        self.accept()

    def _open_other(self) -> None:
        if self.second is not None:
            self.community_wanted.emit(self.second)
        self.accept()
