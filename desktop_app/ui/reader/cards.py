"""Small popup cards over the reader, beside a clicked point; the card of a name.

Owns their placement, when they close, and the content of the name card. Fetches nothing.
"""

from __future__ import annotations

from typing import cast

import shiboken6
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QPoint,
    QSize,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QVBoxLayout, QWidget

from desktop_app.engine.model import EntityCard

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets.buttons import Button, IconButton
from ..widgets.labels import ElidedLabel, Label, paint_type_disc
from ..widgets.layout import STRETCH, build_row

EDGE = 8
LINE = 32  # kept free above the point, if the card is placed above it


class Card(QFrame):
    """A popup card that deletes itself when it closes."""

    closed = Signal()

    def __init__(self, theme: Theme, width: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._at: QPoint | None = None
        self._open = False
        self._previous_focus = QApplication.focusWidget()
        self.setObjectName("readerCard")
        self.setFixedWidth(width)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(16, 12, 16, 12)
        self.column.setSpacing(8)
        tokens = theme.tokens
        self.setStyleSheet(
            f"#readerCard {{ background: {tokens.surface}; border: 1px solid {tokens.line};"
            " border-radius: 8px; }"
        )

    def show_at(self, where: QPoint) -> None:
        """Show the card under a point of the screen, or above it if there is no room."""
        self._at = where
        self._open = True
        self.place()
        self.show()
        self.raise_()
        _application().installEventFilter(self)

    def place(self) -> None:
        """Update size and position; call it after the content has changed."""
        parent = self.parentWidget()
        if self._at is None or parent is None:
            return
        self.column.activate()
        if self.column.hasHeightForWidth():
            self.setFixedHeight(self.column.totalHeightForWidth(self.width()))
        else:
            self.setFixedHeight(self.column.totalSizeHint().height())
        point = parent.mapFromGlobal(self._at)
        x = min(max(EDGE, point.x() - 24), parent.width() - self.width() - EDGE)
        y = point.y() + 14
        if y + self.height() > parent.height() - EDGE:
            y = point.y() - LINE - self.height()
        self.move(max(0, x), max(EDGE, min(y, parent.height() - self.height() - EDGE)))

    def close_card(self) -> None:
        if not self._open:
            return
        self._open = False
        _application().removeEventFilter(self)
        focus = QApplication.focusWidget()
        back = self._previous_focus
        inside = focus is not None and self.isAncestorOf(focus)
        if inside and back is not None and shiboken6.isValid(back):
            back.setFocus(Qt.FocusReason.PopupFocusReason)
        self.hide()
        self.closed.emit()
        self.deleteLater()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep the Tab key on the card while it is open."""
        stops = [
            child
            for child in self.findChildren(QWidget)
            if child.focusPolicy() & Qt.FocusPolicy.TabFocus
            and child.isVisible()
            and child.isEnabled()
        ]
        if stops:
            focus = QApplication.focusWidget()
            at = stops.index(focus) if focus in stops else -1
            reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
            stops[(at + (1 if forward else -1)) % len(stops)].setFocus(reason)
        return bool(stops)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_key = event.type() == QEvent.Type.KeyPress
        if is_key and cast(QKeyEvent, event).key() == Qt.Key.Key_Escape:
            self.close_card()
            return True
        away = event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.Wheel)
        if away and isinstance(watched, QWidget) and self._is_outside(watched):
            self.close_card()
        return False

    def _is_outside(self, widget: QWidget) -> bool:
        inside = widget is self or self.isAncestorOf(widget)
        return not inside and not isinstance(widget, QMenu)


def _application() -> QCoreApplication:
    app = QApplication.instance()
    assert app is not None
    return app


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
