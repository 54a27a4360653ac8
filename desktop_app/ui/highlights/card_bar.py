"""The actions on the card under the pointer, and the menus of colours and formats.

Owns their buttons. The screen places the bar and runs what is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget

from desktop_app.engine.services.annotation_entries import AnnotationEntry

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.buttons import IconButton
from ..widgets.highlight_colors import COLOR_WORDS, color_icon
from ..widgets.layout import TallRule, build_row

EXPORTS = (
    (later("Markdown…"), "markdown"),
    (later("Word (DOCX)…"), "docx"),
    (later("CSL-JSON (Zotero)…"), "csl"),
)


def build_color_menu(theme: Theme, parent: QWidget, choose: Callable[[str], object]) -> QMenu:
    """Return a menu of the colours of highlights."""
    menu = QMenu(parent)
    for number, (color, words) in enumerate(COLOR_WORDS.items(), 1):
        action = menu.addAction(color_icon(theme, color), f"{tr(words)}\t{number}")
        action.triggered.connect(lambda _=False, color=color: choose(color))
    return menu


class CardBar(QFrame):
    """The actions on one card; `wanted` carries the name of one, `recolored` a colour."""

    wanted = Signal(str)
    recolored = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("cardActions")
        self.buttons: dict[str, IconButton] = {}
        for name, icon, words, keys in (
            ("unfold", "ph.arrows-out-line-vertical", tr("Show more"), "E"),
            ("open", "book-open", tr("Open in the reader"), "Return"),
            ("copy", "ph.copy", tr("Copy with citation"), "Ctrl+C"),
            ("color", "ph.palette", tr("Colour"), ""),
            ("note", "ph.note-pencil", tr("Note"), "F2"),
            ("tags", "ph.tag", tr("Tags"), "T"),
            ("remove", "delete", tr("Remove"), "Del"),
        ):
            button = self.buttons[name] = IconButton(theme, icon, words, self, shortcut=keys)
            if name != "color":
                button.clicked.connect(partial(self.wanted.emit, name))
        color = self.buttons["color"]
        color.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        color.setMenu(build_color_menu(theme, color, self.recolored.emit))
        *others, remove = self.buttons.values()
        build_row(*others, TallRule(), remove, parent=self, spacing=0)
        self.hide()

    def show_entry(self, entry: AnnotationEntry, *, is_cut: bool, is_whole: bool) -> None:
        """Show what the buttons do with a highlight, a bookmark or an area.

        Args:
            is_cut: offer to show the whole text, for which the card has no link.
            is_whole: offer to cut it again.
        """
        is_highlight, has_area = entry.mark.kind == "highlight", entry.mark.area is not None
        buttons = self.buttons
        buttons["color"].setVisible(is_highlight)
        buttons["unfold"].setVisible(is_cut)
        way = "in" if is_whole else "out"
        buttons["unfold"].set_icon(f"ph.arrows-{way}-line-vertical")
        buttons["unfold"].set_tooltip(tr("Show less") if is_whole else tr("Show more"), "E")
        if is_highlight:
            buttons["color"].setIcon(color_icon(self._theme, entry.mark.color))
        copy = tr("Copy picture") if has_area else tr("Copy with citation")
        buttons["copy"].set_tooltip(copy, "Ctrl+C")
        buttons["note"].set_tooltip(tr("Edit note") if entry.mark.note else tr("Add note"), "F2")
        buttons["tags"].set_tooltip(tr("Edit tags") if entry.mark.tags else tr("Add tags"), "T")
        self.adjustSize()
