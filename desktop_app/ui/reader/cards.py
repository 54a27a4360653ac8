"""The popup card of a name in the reader: its type, description and what can be done with it.

Owns its content. Fetches nothing.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal, SignalInstance
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.engine.model import EntityCard

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets.buttons import Button, IconButton
from ..widgets.cards import Card
from ..widgets.labels import ElidedLabel, Label, paint_type_disc
from ..widgets.layout import STRETCH, build_row

WIDTH = 384
MAX_DESCRIPTION_CHARS = 260


class TypeDisc(QWidget):
    """A disc in the colour of an entity type, with its letter."""

    def __init__(self, theme: Theme, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._kind = theme, kind
        self.setFixedSize(QSize(20, 20))
        self.setAccessibleName(tr(kind))

    def set_kind(self, kind: str) -> None:
        self._kind = kind
        self.setAccessibleName(tr(kind))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_type_disc(painter, self.rect().toRectF().adjusted(1, 1, -1, -1), self._kind,
                        self._theme)  # fmt: skip
        painter.end()


class NameCard(Card):
    """Shows the name at once and the description once `fill` is called."""

    opened = Signal(int)
    graph_wanted = Signal(int)
    follow_wanted = Signal(int, str, str)

    def __init__(self, theme: Theme, entity_id: int, name: str, kind: str, parent: QWidget) -> None:
        super().__init__(theme, WIDTH, parent)
        self.entity_id = entity_id
        self.name = ElidedLabel(name, "strong")
        close = IconButton(theme, "close", tr("Close"), shortcut="Esc")
        close.clicked.connect(self.close_card)
        top = build_row(TypeDisc(theme, kind), (self.name, 1), close)
        self.column.addLayout(top)
        self.facts = Label(tr(kind), "small", wrap=True)
        self.text = Label("", "", wrap=True)
        self.text.hide()
        self.column.addWidget(self.facts)
        self.column.addWidget(self.text)
        self.open_button = Button(tr("Open"))
        self.graph_button = Button(tr("Show in graph"))
        self.follow_button = Button(tr("Highlight all"))
        self.follow_button.setToolTip(
            tr("Highlights every mention; step through them with Alt+Up and Alt+Down")
        )
        self.more = IconButton(theme, "more", tr("Edit this name"))
        self.menu = QMenu(self)
        self.more.setMenu(self.menu)
        self.more.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        row = build_row(self.open_button, self.graph_button, self.follow_button, STRETCH, self.more)
        self.column.addLayout(row)
        self.open_button.clicked.connect(lambda: self._close_and_emit(self.opened, entity_id))
        self.graph_button.clicked.connect(
            lambda: self._close_and_emit(self.graph_wanted, entity_id)
        )
        self.follow_button.clicked.connect(
            lambda: self._close_and_emit(self.follow_wanted, entity_id, name, kind)
        )
        self.menu.triggered.connect(lambda _: self.close_card())

    def fill(self, card: EntityCard, n_here: int) -> None:
        """Show type, description, aliases and the number of mentions in this document."""
        facts = [tr(card.row.type), trn("{n} mention", "{n} mentions", card.row.n_mentions)]
        if n_here and n_here != card.row.n_mentions:
            facts.append(trn("{n} here", "{n} here", n_here))
        words = " · ".join(facts)
        if card.aliases:
            words += "\n" + tr("also {names}", names=tr(", ").join(card.aliases[:6]))
        self.facts.setText(words)
        text = " ".join(card.description.split())
        self.text.setText(
            text
            if len(text) <= MAX_DESCRIPTION_CHARS
            else text[:MAX_DESCRIPTION_CHARS].rstrip() + "…"
        )
        self.text.setVisible(bool(text))
        self.place()

    def _close_and_emit(self, signal: SignalInstance, *values: object) -> None:
        self.close_card()
        signal.emit(*values)
