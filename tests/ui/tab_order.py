"""Where the Tab key leads: the way of who uses no mouse."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget


def walk_by_tab(whole: QWidget, first: QWidget, qtbot, most: int = 60) -> list[QWidget]:
    """Return where Tab leads to, from one widget on until it is back or leaves the whole."""
    first.setFocus(Qt.FocusReason.TabFocusReason)
    stops: list[QWidget] = []
    while len(stops) < most:
        here = QApplication.focusWidget()
        if here is None or here in stops or not whole.isAncestorOf(here):
            break
        stops.append(here)
        qtbot.keyClick(here, Qt.Key.Key_Tab)
    return stops
