"""Headings in menus, and the position of a panel next to its button."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.ui.theme.theme import Theme


def add_heading(menu: QMenu, words: str, theme: Theme) -> QAction:
    """Add a separator (unless the menu is empty) and a disabled heading.

    The style sheet draws Qt's sections as lines without text.
    """
    if menu.actions():
        menu.addSeparator()
    heading = menu.addAction(words)
    heading.setEnabled(False)
    font = theme.font("small")
    font.setWeight(font.Weight.DemiBold)
    heading.setFont(font)
    return heading


GAP = 4


def show_by(panel: QWidget, button: QWidget) -> None:
    """Show a panel above a button if it fits there, else below, within the screen."""
    area = button.screen().availableGeometry()
    corner = button.mapToGlobal(QPoint(0, 0))
    top = corner.y() - panel.height() - GAP
    if top < area.top():
        top = corner.y() + button.height() + GAP
    left = min(corner.x(), area.right() - panel.width() - 8)
    panel.move(max(area.left() + 8, left), max(area.top(), top))
    panel.show()
