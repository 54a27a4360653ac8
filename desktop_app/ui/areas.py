"""Going from area to area with one key: sidebar, screen, reader, message, and around again.

Owns where the keyboard was last in each. Knows no screens.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from .main_window import MainWindow


class Areas(QObject):
    """Remembers one place an area; `step` goes on to the next area that is there."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._last: dict[str, weakref.ref[QWidget]] = {}
        QApplication.instance().focusChanged.connect(self._remember)

    def shown(self) -> dict[str, QWidget]:
        """Return the areas that are there now, in order."""
        window = self._window
        found = {
            "sidebar": window.sidebar,
            "screen": window.stack.currentWidget(),
            "reader": window.reader,
            "message": window.message_bar,
        }
        return {k: w for k, w in found.items() if w is not None and w.isVisible()}

    def step(self, by: int) -> None:
        """Put the keyboard into the next area, or the one before."""
        areas = self.shown()
        names = list(areas)
        here = self._area_of(QApplication.focusWidget(), areas)
        place = names.index(here) + by if here in names else 0
        for turn in range(len(names)):
            name = names[(place + turn * by) % len(names)]
            target = self._target(name, areas[name])
            if target is not None:
                target.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def _target(self, name: str, area: QWidget) -> QWidget | None:
        known = self._last.get(name)
        last = known() if known is not None else None
        if last is not None and _can_be_in(last, area):
            return last
        return next((w for w in area.findChildren(QWidget) if _can_be_in(w, area)), None)

    def _remember(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is None:
            return
        name = self._area_of(now, self.shown())
        if name:
            self._last[name] = weakref.ref(now)

    @staticmethod
    def _area_of(widget: QWidget | None, areas: dict[str, QWidget]) -> str:
        if widget is None:
            return ""
        # the bar lies over the area of the screens, and is the nearer one
        fit = [n for n, area in areas.items() if area is widget or area.isAncestorOf(widget)]
        return fit[-1] if fit else ""


def _can_be_in(widget: QWidget, area: QWidget) -> bool:
    tabbed = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    there = widget.isVisible() and widget.isEnabled()
    return tabbed and there and area.isAncestorOf(widget)
