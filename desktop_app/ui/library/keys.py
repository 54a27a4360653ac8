"""The keys of the library: opening, renaming, deleting, pasting.

Owns which key does what in the table and the cards; what it does is the screen's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut

from desktop_app.ui.language import tr
from desktop_app.ui.widgets.buttons import add_shortcut

if TYPE_CHECKING:
    from .screen import LibraryScreen


def join_keys(screen: LibraryScreen) -> None:
    """Let keys act on what is selected; their words are told once, for the list of keys."""

    def open_chosen() -> None:
        screen.open_row(screen.list.current_row())

    def rename() -> None:
        screen.shelving.details.rename(screen.list.current_row())

    def throw_away() -> None:
        screen.shelving.throw_away(screen.list.selected_rows())

    keys: tuple[tuple[Any, Callable[[], None], str], ...] = (
        (Qt.Key.Key_Return, open_chosen, tr("Read the document")),
        (Qt.Key.Key_Enter, open_chosen, ""),
        (QKeySequence.StandardKey.Delete, throw_away, tr("Delete the chosen documents")),
        (Qt.Key.Key_F2, rename, tr("Rename the document")),
    )
    for view in (screen.list.table, screen.list.cards):
        for key, act, words in keys:
            shortcut = QShortcut(QKeySequence(key), view)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(act)
            shortcut.setWhatsThis(words if view is screen.list.table else "")
    add_shortcut(screen, "Ctrl+V", screen.pasting.paste, tr("Add what is on the clipboard"))
