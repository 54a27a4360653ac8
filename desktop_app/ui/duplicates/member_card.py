"""One member of a cluster: a tick, its name and facts, and the sentences that show who it is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.engine.services.duplicates import DuplicateMember
from desktop_app.engine.types import MentionRow
from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, Label, TypeChip, format_type
from desktop_app.ui.widgets.words import shorten_list

from .quotes import SentenceColumn

MAX_NAMES = 6


class MemberCard(QFrame):
    """Emits `changed` when it is ticked or not, `place_clicked` for a sentence."""

    changed = Signal()
    place_clicked = Signal(int, int, int)
    open_wanted = Signal(int)

    def __init__(
        self, theme: Theme, member: DuplicateMember, number: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.member = member
        row = member.entity
        self.tick = QCheckBox(row.name, self)
        self.tick.setChecked(True)
        self.tick.setToolTip(
            tr("Take it into the merge (Alt+{n})", n=number) if number <= 9 else ""
        )
        self.tick.setFont(theme.font("strong"))
        self.tick.toggled.connect(lambda _: self.changed.emit())
        chip = TypeChip(theme, row.type, self, text=format_type(row.type))
        self.open_button = Button(tr("Open"), self, kind="link")
        self.open_button.setAccessibleName(tr("Open {name}", name=row.name))
        self.open_button.clicked.connect(lambda: self.open_wanted.emit(row.id))
        facts = " · ".join(
            (
                trn("{n} mention", "{n} mentions", row.n_mentions),
                trn("{n} connection", "{n} connections", row.n_relations),
            )
        )
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.tick, 1)
        head.addWidget(self.open_button)
        under = QHBoxLayout()
        under.setSpacing(8)
        under.addWidget(chip)
        under.addWidget(Label(facts, "small", self), 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 8, 12, 12)
        self._column.setSpacing(6)
        self._column.addLayout(head)
        self._column.addLayout(under)
        if member.names:
            names = shorten_list(member.names, MAX_NAMES)
            also = Label(tr("also: {names}", names=names), "muted")
            also.setWordWrap(True)
            self._column.addWidget(also)
        self.sentences = SentenceColumn(theme, self)
        self.sentences.place_clicked.connect(self.place_clicked)
        self._column.addWidget(self.sentences)
        self._column.addStretch(1)
        self.show_sentences(member.sentences)

    @property
    def stops(self) -> list[QWidget]:
        """Where the keyboard stops in it, in this order."""
        return [self.tick, self.open_button, *self.sentences.labels]

    def show_sentences(self, sentences: tuple[MentionRow, ...]) -> None:
        """Show where it says who this is; each leads to its place."""
        self.sentences.show_mentions(sentences)
