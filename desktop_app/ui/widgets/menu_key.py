"""The Menu key and Shift+F10 in a list open the menu of the current row.

Needed because not every platform sends a context menu event for them.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView


def is_menu_key(event: QKeyEvent) -> bool:
    """Return whether a key opens a context menu."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    asked = (event.key(), held)
    return asked in (
        (Qt.Key.Key_Menu, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier),
    )


class MenuKey(QObject):
    """Makes a list with a custom menu emit `customContextMenuRequested` for its current row."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and is_menu_key(event):  # type: ignore[arg-type]
            index = self._view.currentIndex()
            if index.isValid():
                self._view.scrollTo(index)
                point = self._view.visualRect(index).center()
                self._view.customContextMenuRequested.emit(point)
            return True
        return False
