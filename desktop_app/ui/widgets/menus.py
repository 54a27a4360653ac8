"""Menus and panels beside a button, headings in menus, and the keys that open menus in lists.

Headings: the style sheet draws Qt's sections as lines without text. Keys: not every platform
sends a context menu event for them.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu, QWidget

from desktop_app.ui.theme.theme import Theme


def add_heading(menu: QMenu, words: str, theme: Theme) -> QAction:
    """Add a separator (unless the menu is empty) and a disabled heading."""
    if menu.actions():
        menu.addSeparator()
    heading = menu.addAction(words)
    heading.setEnabled(False)
    font = theme.font("small")
    font.setWeight(font.Weight.DemiBold)
    heading.setFont(font)
    return heading


def is_menu_key(event: QKeyEvent) -> bool:
    """Return whether a key opens a context menu."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return (event.key(), held) in (
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


def show_by(panel: QWidget, button: QWidget) -> None:
    """Show a panel above a button if it fits there, else below, within the screen."""
    area = button.screen().availableGeometry()
    corner = button.mapToGlobal(QPoint(0, 0))
    top = corner.y() - panel.height() - 4
    if top < area.top():
        top = corner.y() + button.height() + 4
    left = min(corner.x(), area.right() - panel.width() - 8)
    panel.move(max(area.left() + 8, left), max(area.top(), top))
    panel.show()
