"""Headings in menus: the style sheet draws Qt's own sections as bare lines, without their words.

Owns how a heading looks. Knows no menu.
"""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop_app.ui.theme.theme import Theme


def add_heading(menu: QMenu, words: str, theme: Theme) -> QAction:
    """Add a line, unless it is the first, and under it words that can't be pressed."""
    if menu.actions():
        menu.addSeparator()
    heading = menu.addAction(words)
    heading.setEnabled(False)
    font = theme.font("small")
    font.setWeight(font.Weight.DemiBold)
    heading.setFont(font)
    return heading
