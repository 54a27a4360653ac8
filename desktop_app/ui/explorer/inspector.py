"""The panel beside the graph: who the selected name is, what ties it, where it says so.

Owns how one entity is told in 300 px. Is handed plain data; emits what was pressed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.services.said import EntityStanding
from desktop_app.engine.types import EntityCard, MentionRow, RelationRow
from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Button,
    ElidedLabel,
    Flow,
    Label,
    PrimaryButton,
    SectionTitle,
    TypeChip,
    clear_layout,
    format_number,
    join_words,
)
from desktop_app.ui.widgets.kind_marks import KindMark, SurenessMark
from desktop_app.ui.widgets.standing import say_description, say_type

from .side_panel import INDENT, PressRow, SidePanel
from .tooltips import shorten, tell_kind

LONGEST_NAME, LONGEST_TEXT = 160, 420


@dataclass(frozen=True)
class Portrait:
    """Everything the panel tells of one entity."""

    card: EntityCard
    relations: list[RelationRow]
    mentions: list[MentionRow]
    standing: EntityStanding = field(default_factory=EntityStanding)


class Inspector(SidePanel):
    """Tells of one entity; `entity_chosen` is a neighbour, `mention_chosen` a `MentionRow`."""

    entity_chosen = Signal(int)
    open_wanted = Signal(int)
    expand_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, above=16, spacing=8, parent=parent)
        self.portrait: Portrait | None = None
        self.show_nothing()

    def show_nothing(self) -> None:
        self.portrait = None
        clear_layout(self.column)
        hint = tr("Select a name to see who it is and where it is mentioned.")
        self._add(Label(hint, "muted", wrap=True))
        self.column.addStretch(1)

    def show_portrait(self, portrait: Portrait) -> None:
        self.portrait = portrait
        clear_layout(self.column)
        row, entity_id = portrait.card.row, int(portrait.card.row.id)
        name = Label(shorten(row.name, LONGEST_NAME), "title", wrap=True)
        name.setToolTip(escape(row.name) if len(row.name) > LONGEST_NAME else "")
        self._add(name)
        chip = QHBoxLayout()
        chip.setContentsMargins(INDENT, 0, INDENT, 4)
        chip.setSpacing(8)
        standing, told = portrait.standing, say_type(portrait.standing, row.type)
        type_chip = TypeChip(self._theme, row.type)
        type_chip.setToolTip(told)
        chip.addWidget(type_chip)
        if standing.type_from == "model" and standing.type_sureness:
            sureness = SurenessMark(self._theme)
            sureness.set_sureness(standing.type_sureness, told)
            chip.addWidget(sureness)
        chip.addStretch(1)
        self.column.addLayout(chip)
        counts = [
            trn("{n} mention", "{n} mentions", row.n_mentions),
            trn("{n} connection", "{n} connections", row.n_relations),
        ]
        if row.n_documents != 1:
            counts.append(trn("{n} document", "{n} documents", row.n_documents))
        # Where the line is too long it breaks between counts, not inside one.
        line = " · ".join(count.replace(" ", "\u00a0") for count in counts)
        self._add(Label(line, "small", wrap=True))
        if portrait.card.aliases:
            also = tr("Also {names}", names=join_words(portrait.card.aliases[:6]))
            self._add(Label(shorten(also, 160), "small", wrap=True))
        said = portrait.card.description or row.description
        if said:
            self.column.addSpacing(4)
            self._add(Label(shorten(said, LONGEST_TEXT), wrap=True))
            self._add(Label(say_description(standing), "small", wrap=True))
        self._add_buttons(entity_id)
        if portrait.relations:
            self.column.addSpacing(12)
            self._add(SectionTitle(tr("Strongest connections")))
            # By the number that stands beside them, else the order looks like none.
            ties = sorted(portrait.relations, key=lambda r: -r.n_evidence)
            self._add_rows([self._relation_row(r, entity_id) for r in ties])
        if portrait.mentions:
            self.column.addSpacing(12)
            self._add(SectionTitle(tr("Where it says so")))
            self._add_rows(
                [
                    self.build_mention_row(mention, (INDENT, 8, INDENT, 8))
                    for mention in portrait.mentions
                ]
            )
        self.column.addStretch(1)
        self.scroll.verticalScrollBar().setValue(0)

    def _add(self, label: QLabel) -> None:
        label.setContentsMargins(INDENT, 0, INDENT, 0)
        self.column.addWidget(label)

    def _add_buttons(self, entity_id: int) -> None:
        buttons = Flow(gap=8)
        buttons.setContentsMargins(INDENT, 8, INDENT, 0)
        opening = PrimaryButton(tr("Open"), tooltip=tr("Open everything about this name"))
        opening.clicked.connect(lambda: self.open_wanted.emit(entity_id))
        growing = Button(tr("Expand"), tooltip=tr("Show the names it is tied to"))
        growing.clicked.connect(lambda: self.expand_wanted.emit(entity_id))
        buttons.add(opening)
        buttons.add(growing)
        self.column.addWidget(buttons)

    def _add_rows(self, rows: list[PressRow]) -> None:
        block = QVBoxLayout()
        block.setContentsMargins(0, 0, 0, 0)
        block.setSpacing(0)
        for row in rows:
            block.addWidget(row)
        self.column.addLayout(block)

    def _relation_row(self, relation: RelationRow, entity_id: int) -> PressRow:
        outgoing = int(relation.source_id) == entity_id
        other = relation.target if outgoing else relation.source
        other_id = int(relation.target_id if outgoing else relation.source_id)
        row = PressRow(self._theme, other)
        row.setFixedHeight(self._theme.length(28))
        line = QHBoxLayout(row)
        line.setContentsMargins(INDENT, 0, INDENT, 0)
        line.setSpacing(8)
        line.addWidget(ElidedLabel(other), 1)
        if relation.kind:
            line.addWidget(KindMark(self._theme, relation.kind, relation.confidence))
        line.addWidget(Label(format_number(relation.n_evidence), "small"))
        said = shorten(relation.description or relation.sentence)
        row.setToolTip("<br>".join(escape(part) for part in (tell_kind(relation), said) if part))
        row.pressed.connect(lambda: self.entity_chosen.emit(other_id))
        return row
