"""Follows the Tab key through a window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget


def walk_by_tab(whole: QWidget, first: QWidget, qtbot, most: int = 60) -> list[QWidget]:
    """Return the widgets that Tab focuses, until it is back or leaves `whole`."""
    first.setFocus(Qt.FocusReason.TabFocusReason)
    stops: list[QWidget] = []
    while len(stops) < most:
        here = QApplication.focusWidget()
        if here is None or here in stops or not whole.isAncestorOf(here):
            break
        stops.append(here)
        qtbot.keyClick(here, Qt.Key.Key_Tab)
    return stops
