"""The keys of the reader and its zoom, which head, keys and views share.

Owns which key does what while the reader has the focus. Knows the screen's parts, not how they
do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut

from .go_to_card import GoToCard

if TYPE_CHECKING:
    from .screen import ReaderScreen


class ReaderKeys(QObject):
    """Shortcuts of one screen, and the zoom that its head asks for."""

    def __init__(self, screen: ReaderScreen) -> None:
        super().__init__(screen)
        self._screen = screen
        for keys, act in (
            ("Ctrl+F", screen.search.start),
            ("F3", screen.search.next),
            ("Shift+F3", screen.search.previous),
            ("Ctrl++", lambda: self._zoom_by(1)),
            ("Ctrl+=", lambda: self._zoom_by(1)),
            ("Ctrl+-", lambda: self._zoom_by(-1)),
            ("Ctrl+0", lambda: self._zoom_to(1.0)),
            ("Alt+Left", screen.back),
            ("Alt+Down", lambda: screen.following.step(1)),
            ("Alt+Up", lambda: screen.following.step(-1)),
            ("Ctrl+D", screen.position.bookmark),
            ("Ctrl+Shift+H", screen.notes.highlight_selection),
            ("Ctrl+G", self._ask_for_page),
        ):
            reach = Qt.ShortcutContext.WidgetWithChildrenShortcut
            QShortcut(QKeySequence(keys), screen, act, context=reach)
        screen.head.zoom_stepped.connect(self._zoom_by)
        screen.head.zoom_chosen.connect(self._zoom_to)
        screen.head.page_wanted.connect(self._ask_for_page)

    def _ask_for_page(self) -> None:
        loaded = self._screen.loaded
        if loaded is not None:
            head = self._screen.head
            card = GoToCard(self._screen.theme, loaded, self._screen)
            card.chosen.connect(self._screen.position.go_to)
            card.show_at(head.mapToGlobal(head.position.geometry().bottomLeft()))
            card.field.setFocus()

    def _zoom_by(self, steps: int) -> None:
        if self._screen.view is not None:
            self._screen.view.zoom_by(steps)

    def _zoom_to(self, zoom: float) -> None:
        if self._screen.view is not None:
            self._screen.view.set_zoom(zoom)
