"""A small card over the reader, beside what was clicked; gone at the next click elsewhere.

Owns where it stands and when it goes. Knows nothing of what is on it.
"""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QVBoxLayout, QWidget

from desktop_app.ui.theme.theme import Theme

EDGE = 8
LINE = 32  # kept free over the point, where there is no room under it


class Card(QFrame):
    """One card; `closed` when it goes. Deletes itself."""

    closed = Signal()

    def __init__(self, theme: Theme, width: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._at: QPoint | None = None
        self._open = False
        self._came_from = QApplication.focusWidget()
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
        """Stand under a point of the screen, or over it where there is no room."""
        self._at = where
        self._open = True
        self.place()
        self.show()
        self.raise_()
        QApplication.instance().installEventFilter(self)

    def place(self) -> None:
        """Take the room that is needed now; call it when something was added."""
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
        QApplication.instance().removeEventFilter(self)
        focus = QApplication.focusWidget()
        back = self._came_from
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
        if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            self.close_card()
            return True
        away = event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.Wheel)
        elsewhere = isinstance(watched, QWidget) and not isinstance(watched, QMenu)
        if away and elsewhere and watched is not self and not self.isAncestorOf(watched):
            self.close_card()
        return False
