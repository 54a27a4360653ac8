"""Which cards of the highlights screen are selected, and the actions on all of them.

Owns the selection and the buttons of its bar. Knows no list; the screen runs what is wanted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets.buttons import Button, CaretButton, IconButton
from ..widgets.labels import Label
from ..widgets.layout import STRETCH, TallRule, build_row
from ..widgets.words import format_number
from .card_bar import EXPORTS, build_color_menu


class EntrySelection(QObject):
    """The selected annotations. Empty at first; `changed` is emitted when others are selected.

    Attributes:
        ids: the selected ones, always the same set, so that what draws cards can keep it.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ids: set[int] = set()
        self._last: int | None = None  # from which a range starts

    def toggle(self, mark_id: int) -> None:
        """Select an annotation, or end that."""
        self.ids ^= {mark_id}
        self._last = mark_id
        self.changed.emit()

    def select_up_to(self, mark_id: int, listed: Sequence[int], current: int | None) -> None:
        """Select all from the last one, else from the current one, up to an annotation.

        Args:
            listed: the annotations in the order of the list, with `mark_id` among them.
        """
        if self._last not in listed:
            self._last = current if current in listed else mark_id
        first, end = sorted((listed.index(self._last), listed.index(mark_id)))
        self.add(listed[first : end + 1])

    def toggle_all(self, mark_ids: Collection[int]) -> None:
        """Select annotations; if all of them are selected, end that."""
        if self.ids.issuperset(mark_ids):
            self.ids.difference_update(mark_ids)
        else:
            self.ids.update(mark_ids)
        self.changed.emit()

    def add(self, mark_ids: Collection[int]) -> None:
        """Select these annotations too."""
        self.ids.update(mark_ids)
        self.changed.emit()

    def keep(self, mark_ids: Collection[int]) -> None:
        """End the selection of all others, without a signal: the list is made anew anyway."""
        self.ids.intersection_update(mark_ids)

    def clear(self) -> None:
        self.ids.clear()
        self._last = None
        self.changed.emit()


class SelectionBar(QFrame):
    """The actions on all selected cards, in place of the title; each is one step to undo.

    `wanted` carries the name of an action, `recolored` a colour, `export_wanted` a format.
    """

    wanted = Signal(str)
    recolored = Signal(str)
    export_wanted = Signal(str)
    cleared = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.count = Label("", "strong")

        def button(name: str, words: str, icon: str) -> Button:
            made = Button(words, theme=theme, icon=icon, elide=True)
            made.clicked.connect(partial(self.wanted.emit, name))
            return made

        self.copy = button("copy", tr("Copy with citation"), "ph.copy")
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
        self.all = Button("", kind="quiet", elide=True)
        self.all.clicked.connect(partial(self.wanted.emit, "all"))
        self.clear = IconButton(theme, "close", tr("End the selection"), shortcut="Esc")
        self.clear.clicked.connect(self.cleared)
        buttons = (self.copy, self.color, self.tags, self.export, self.remove)
        self._icons = [(button, button.icon()) for button in buttons]
        self._export_words = ("", "", "")  # the longest first
        self._all_words = ("", "")
        self._can_select_more = False
        build_row(
            *(self.clear, self.count, self.all, TallRule()),
            *(self.copy, self.color, self.tags, self.export, TallRule(), self.remove, 8, STRETCH),
            parent=self,
        )
        self.hide()

    def fit(self, room: int) -> bool:
        """Show icons and words as far as there is room; no word is cut.

        First the icons are left out, then what is exported and copied, then how much is meant, and
        at last the button that selects all, which Ctrl+A and the boxes of the groups do too.

        Args:
            room: pixels.

        Returns:
            whether the words fit without being shortened.
        """
        copy, shorter = tr("Copy with citation"), tr("Copy")
        long_all, short_all = self._all_words
        for has_icons, copy_words, export_words, all_words in (
            (True, copy, self._export_words[0], long_all),
            (False, copy, self._export_words[0], long_all),
            (False, shorter, self._export_words[1], long_all),
            (False, shorter, self._export_words[2], long_all),
            (False, shorter, self._export_words[2], short_all),
            (False, shorter, self._export_words[2], ""),
        ):
            for button, icon in self._icons:
                if button.icon().isNull() is has_icons:
                    button.setIcon(icon if has_icons else QIcon())
            self.export.setText(export_words)
            self.copy.setText(copy_words)
            self.all.setText(all_words)
            self.all.setVisible(bool(all_words) and self._can_select_more)
            if self.sizeHint().width() <= room:
                break
        return self.sizeHint().width() <= room and self.copy.text() == copy

    def _export(self, format: str, _: bool = False) -> None:
        self.export_wanted.emit(format)

    def show_count(self, n: int, n_shown: int, *, is_filtered: bool) -> None:
        """Show how many are selected, and how many there are to select.

        Args:
            n_shown: entries in the list, those of folded groups included.
            is_filtered: whether the list leaves entries out.
        """
        self.count.setText(trn("{n} selected", "{n} selected", n))
        self._export_words = (
            tr("Export {n} selected", n=format_number(n)),
            tr("Export {n}", n=format_number(n)),
            tr("Export"),
        )
        number = format_number(n_shown)
        words = tr("Select all {n}", n=number)
        if is_filtered:
            words = tr("Select all {n} shown", n=number)
        self._all_words = words, tr("All {n}", n=number)
        self.all.setText(words)
        self._can_select_more = n < n_shown
        self.all.setVisible(self._can_select_more)


def _pop_up(menu: QMenu, button: QWidget, _: bool = False) -> None:
    """Show a menu below its button."""
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
