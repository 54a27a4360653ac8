"""One name that was joined on its own: why, where it stands, and the button that takes it apart."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.engine.services.duplicate_joined import JoinedEntity, JoinedName
from desktop_app.ui.language import tr, tr_said, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, ElidedLabel, Label, TypeChip, format_type

from .quotes import SentenceColumn


class JoinedHead(QWidget):
    """Who it is that the names were joined to."""

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

    def show_entity(self, one: JoinedEntity) -> None:
        row = one.entity
        self._entity_id = row.id
        self.name.setText(row.name)
        self.chip.set_type(row.type, format_type(row.type))
        self.facts.setText(
            trn("{n} mention", "{n} mentions", row.n_mentions)
            + " · "
            + trn("{n} name joined to it", "{n} names joined to it", len(one.names))
        )


class JoinedCard(QFrame):
    """Emits `apart_wanted`; the edit can be undone like any other."""

    apart_wanted = Signal()
    place_clicked = Signal(int, int, int)

    def __init__(
        self, theme: Theme, joined: JoinedName, number: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.joined = joined
        name = ElidedLabel(joined.name, "strong", self)
        self.apart_button = Button(tr("Take apart"), self)
        told = tr("It is somebody or something else")
        self.apart_button.setToolTip(f"{told} (Alt+{number})" if number <= 9 else told)  # not shown
        self.apart_button.setAccessibleName(tr("Take {name} apart", name=joined.name))
        self.apart_button.clicked.connect(self.apart_wanted)
        top = QHBoxLayout(spacing=8)
        top.addWidget(name, 1)
        top.addWidget(self.apart_button)
        count = trn("{n} mention", "{n} mentions", joined.n_mentions)
        why = f"{count} · {tr_said(joined.reason)}"
        self.sentences = SentenceColumn(theme, self)
        self.sentences.place_clicked.connect(self.place_clicked)
        column = QVBoxLayout(self, spacing=6)
        column.setContentsMargins(12, 8, 12, 12)
        column.addLayout(top)
        column.addWidget(Label(why, "muted", self, wrap=True))
        column.addWidget(self.sentences)

    @property
    def stops(self) -> list[QWidget]:
        """Where the keyboard stops in it, in this order."""
        return [self.apart_button, *self.sentences.labels]

    def show_sentences(self, one: JoinedEntity) -> None:
        """Show the sentences of this name among an entity's."""
        for joined in one.names:
            if joined.key == self.joined.key:
                self.sentences.show_mentions(joined.sentences)
