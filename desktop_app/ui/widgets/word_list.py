"""An editor for a list of words: a chip that removes each word, and a text field."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from ..language import tr
from ..theme.theme import Theme
from .buttons import Button
from .flow import Flow

GAP = 4
_SEPARATORS = re.compile(r"[,，、;；\n]")


class WordFormat(NamedTuple):
    """How the words of a list are shown, and which word is meant by a shown one."""

    format: Callable[[str], str] = str
    parse: Callable[[str], str] = str


AS_IS = WordFormat()


class WordList(QWidget):
    """An ordered list without repetitions; `changed` is emitted when the user changes it."""

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        name: str,
        word_format: WordFormat = AS_IS,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._name, self._format = theme, name, word_format
        self._words: list[str] = []
        self.buttons: list[Button] = []
        self._chips = Flow(gap=GAP)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Add, separated by commas"))
        self.field.setAccessibleName(name)
        self.field.editingFinished.connect(self.add_typed)
        self.setFocusProxy(self.field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(self._chips)
        column.addWidget(self.field)

    def words(self) -> tuple[str, ...]:
        """Return the words, including typed text that is not added yet."""
        parts = (" ".join(part.split()) for part in _SEPARATORS.split(self.field.text()))
        typed = (self._format.parse(part) for part in parts if part)
        return tuple(dict.fromkeys((*self._words, *typed)))

    def set_words(self, words: tuple[str, ...]) -> None:
        self._words = list(dict.fromkeys(w.strip() for w in words if w.strip()))
        self._chips.clear()
        self.buttons = []
        for word in self._words:
            text = self._format.format(word)
            button = Button(text.replace("&", "&&"), kind="chip", theme=self._theme, icon="close")
            button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross after the word
            button.setToolTip(tr("Remove “{word}”", word=text))
            button.setAccessibleName(tr("{list}: remove {word}", list=self._name, word=text))
            button.clicked.connect(lambda _=False, word=word: self.remove(word))
            self._chips.add(button)
            self.buttons.append(button)
        self._chips.setVisible(bool(self._words))

    def add_typed(self) -> None:
        """Add the typed words, separated by commas."""
        words = self.words()
        self.field.clear()
        if words != tuple(self._words):
            self.set_words(words)
            self.changed.emit()

    def remove(self, word: str) -> None:
        place = self._words.index(word)
        self.set_words(tuple(w for w in self._words if w != word))
        # keep the keyboard focus in place
        near = self.buttons[min(place, len(self.buttons) - 1)] if self.buttons else self.field
        near.setFocus()
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Return adds a word; it must not press the default button of a dialog
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return
        super().keyPressEvent(event)
