"""The keys of the reader and its zoom, which head, keys and views share.

Owns which key does what while the reader has the focus. Knows the screen's parts, not how they
do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut

from desktop_app.ui.language import tr

from .go_to_card import GoToCard

if TYPE_CHECKING:
    from .screen import ReaderScreen


class ReaderKeys(QObject):
    """Shortcuts of one screen, and the zoom that its head asks for."""

    def __init__(self, screen: ReaderScreen) -> None:
        super().__init__(screen)
        self._screen = screen
        for keys, act, words in (
            ("Ctrl+F", screen.search.start, tr("Search in the document")),
            ("F3", screen.search.next, tr("Next hit")),
            ("Shift+F3", screen.search.previous, tr("Previous hit")),
            ("Ctrl++", lambda: self._zoom_by(1), tr("Larger")),
            ("Ctrl+=", lambda: self._zoom_by(1), tr("Larger")),
            ("Ctrl+-", lambda: self._zoom_by(-1), tr("Smaller")),
            ("Ctrl+0", lambda: self._zoom_to(1.0), tr("Normal size")),
            ("Alt+Left", screen.back, tr("Back")),
            ("Alt+Down", lambda: screen.following.step(1), tr("Next place of the followed name")),
            (
                "Alt+Up",
                lambda: screen.following.step(-1),
                tr("Previous place of the followed name"),
            ),
            ("Ctrl+D", screen.position.bookmark, tr("Bookmark this place")),
            ("Ctrl+Shift+H", screen.notes.highlight_selection, tr("Highlight what is selected")),
            ("Ctrl+G", self._ask_for_page, tr("Go to page")),
            ("F7", self._toggle_caret, tr("Select text with the keys")),
        ):
            reach = Qt.ShortcutContext.WidgetWithChildrenShortcut
            shortcut = QShortcut(QKeySequence(keys), screen, act, context=reach)
            shortcut.setWhatsThis(words)
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

    def _toggle_caret(self) -> None:
        if self._screen.view is not None:
            self._screen.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._screen.view.caret.toggle()

    def _zoom_by(self, steps: int) -> None:
        if self._screen.view is not None:
            self._screen.view.zoom_by(steps)

    def _zoom_to(self, zoom: float) -> None:
        if self._screen.view is not None:
            self._screen.view.set_zoom(zoom)
