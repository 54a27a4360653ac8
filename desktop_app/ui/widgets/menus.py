"""Headings in menus, because the style sheet draws Qt's sections as lines without text."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

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
