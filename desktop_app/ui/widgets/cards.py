"""Small popup cards over a screen, beside a clicked point.

Owns their placement and when they close; knows nothing of their content.
"""

from __future__ import annotations

from typing import cast

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget

from ..theme.stylesheet import mix_shades
from ..theme.theme import Theme

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
        edge = mix_shades(tokens)["edge"]  # it is over cards with the same ground
        self.setStyleSheet(
            f"#readerCard {{ background: {tokens.surface}; border: 1px solid {edge};"
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
        is_key = event.type() == QEvent.Type.KeyPress and QApplication.activePopupWidget() is None
        if is_key and cast(QKeyEvent, event).key() == Qt.Key.Key_Escape:
            self.close_card()
            return True
        away = event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.Wheel)
        if away and isinstance(watched, QWidget) and self._is_outside(watched):
            self.close_card()
        return False

    def _is_outside(self, widget: QWidget) -> bool:
        inside = widget is self or self.isAncestorOf(widget)
        return not inside and not _is_popup(widget)


def _application() -> QCoreApplication:
    app = QApplication.instance()
    assert app is not None
    return app


def _is_popup(widget: QWidget) -> bool:
    """Return whether a widget belongs to a menu or to the list of a field."""
    return widget.window().windowType() == Qt.WindowType.Popup
