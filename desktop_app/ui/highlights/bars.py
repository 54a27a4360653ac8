"""The actions of the highlights screen: on the card under the pointer, and on selected cards.

Own their buttons. The screen places the one, shows the other, and runs what is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget

from desktop_app.engine.services.library_notes import LibraryNote

from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets.buttons import Button, CaretButton, IconButton
from ..widgets.labels import Label
from ..widgets.layout import STRETCH, TallRule, build_row
from ..widgets.note_colors import COLOR_WORDS, color_icon

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


def _pop_up(menu: QMenu, button: QWidget, _: bool = False) -> None:
    """Show a menu below its button."""
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))


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

    def show_note(self, note: LibraryNote) -> None:
        """Say what the buttons do with a highlight, a bookmark or an area."""
        is_highlight, has_area = note.mark.kind == "highlight", note.mark.area is not None
        buttons = self.buttons
        buttons["color"].setVisible(is_highlight)
        if is_highlight:
            buttons["color"].setIcon(color_icon(self._theme, note.mark.color))
        copy = tr("Copy picture") if has_area else tr("Copy with citation")
        buttons["copy"].set_tooltip(copy, "Ctrl+C")
        buttons["note"].set_tooltip(tr("Edit note") if note.mark.note else tr("Add note"), "F2")
        buttons["tags"].set_tooltip(tr("Edit tags") if note.mark.tags else tr("Add tags"), "T")
        self.adjustSize()


class SelectionBar(QFrame):
    """The actions on all selected cards, in place of the filters; each is one step to undo.

    `wanted` carries the name of an action, `recolored` a colour, `export_wanted` a format. Where
    there is no room for icons and words, the buttons have their words only.
    """

    wanted = Signal(str)
    recolored = Signal(str)
    export_wanted = Signal(str)
    cleared = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("highlightSelection")
        self.count = Label("", "strong")

        def button(name: str, words: str, icon: str) -> Button:
            made = Button(words, theme=theme, icon=icon, elide=True)
            made.clicked.connect(partial(self.wanted.emit, name))
            return made

        self.copy = button("copy", tr("Copy"), "ph.copy")
        self.color = CaretButton(tr("Colour"), theme, "ph.palette", kind="")
        self.color_menu = build_color_menu(theme, self.color, self.recolored.emit)
        self.color.clicked.connect(partial(_pop_up, self.color_menu, self.color))
        self.tags = button("tags", tr("Tags…"), "ph.tag")
        self.export = CaretButton(tr("Export"), theme, "export", kind="")
        self.export_menu = QMenu(self.export)
        for words, format in EXPORTS:
            self.export_menu.addAction(tr(words)).triggered.connect(partial(self._export, format))
        self.export.clicked.connect(partial(_pop_up, self.export_menu, self.export))
        self.remove = button("remove", tr("Remove"), "delete")
        self.all = Button(tr("Select all"), kind="quiet")
        self.all.clicked.connect(partial(self.wanted.emit, "all"))
        self.clear = IconButton(theme, "close", tr("End the selection"), shortcut="Esc")
        self.clear.clicked.connect(self.cleared)
        buttons = (self.copy, self.color, self.tags, self.export, self.remove)
        self._icons = [(button, button.icon()) for button in buttons]
        self._whole_width = 0  # with icons
        build_row(
            *(self.count, 8, self.copy, self.color, self.tags, self.export),
            *(8, TallRule(), 8, self.remove),
            *(STRETCH, self.all, self.clear),
            parent=self,
            margins=(16, 8, 12, 8),
        )
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_icons()

    def _fit_icons(self) -> None:
        if not self.copy.icon().isNull():
            self._whole_width = self.sizeHint().width()
        has_room = self.width() >= self._whole_width
        for button, icon in self._icons:
            if button.icon().isNull() is has_room:
                button.setIcon(icon if has_room else QIcon())

    def _export(self, format: str, _: bool = False) -> None:
        self.export_wanted.emit(format)

    def show_count(self, n: int, n_all: int) -> None:
        """Say how many are selected, of how many that are listed."""
        self.count.setText(trn("{n} selected", "{n} selected", n))
        self.all.setVisible(n < n_all)
        self._fit_icons()
