"""A list of words to edit: shown side by side, typed in at its foot, taken out by the cross.

Owns that no word stands twice. Knows nothing of what the words are for.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLayout, QLayoutItem, QLineEdit, QVBoxLayout, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, clear_layout

GAP = 4


class FlowLayout(QLayout):
    """Places widgets one after another, in as many lines as they need."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._placed: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._placed.append(item)

    def count(self) -> int:
        return len(self._placed)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._placed[index] if 0 <= index < len(self._placed) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._placed.pop(index) if 0 <= index < len(self._placed) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._flow(QRect(0, 0, width, 0), place=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        hints = [item.minimumSize() for item in self._placed]
        return QSize(
            max((h.width() for h in hints), default=0), max((h.height() for h in hints), default=0)
        )

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._flow(rect, place=True)

    def _flow(self, rect: QRect, *, place: bool) -> int:
        x, y, line = rect.x(), rect.y(), 0
        for item in self._placed:
            hint = item.widget().sizeHint()  # an item whose widget is not shown yet has none
            if x > rect.x() and x + hint.width() > rect.right() + 1:
                x, y, line = rect.x(), y + line + GAP, 0
            if place:
                item.setGeometry(QRect(QPoint(x, y), hint))
            x, line = x + hint.width() + GAP, max(line, hint.height())
        return y + line - rect.y()


class WordList(QWidget):
    """Words in order; `words` returns them, `changed` says that they are others now.

    Args:
        say: how a word is shown; read: the word for what is typed as it is shown.
    """

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        name: str,
        hint: str,
        parent: QWidget | None = None,
        *,
        say: Callable[[str], str] = str,
        read: Callable[[str], str] = str,
    ) -> None:
        super().__init__(parent)
        self._theme, self._say, self._read = theme, say, read
        self._words: list[str] = []
        self._name = name
        self.buttons: list[Button] = []
        self._shown = QWidget()
        self._flow = FlowLayout(self._shown)
        self.field = QLineEdit()
        self.field.setPlaceholderText(hint)
        self.field.setAccessibleName(f"{name}: {hint}")
        self.field.returnPressed.connect(self.add_typed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(self._shown)
        column.addWidget(self.field)

    def words(self) -> tuple[str, ...]:
        """Return the words, with what is typed but not yet added."""
        typed = [self._read(word) for word in _split(self.field.text())]
        typed = [word for word in typed if word not in self._words]
        return (*self._words, *dict.fromkeys(typed))

    def set_words(self, words: tuple[str, ...]) -> None:
        self._words = list(dict.fromkeys(w.strip() for w in words if w.strip()))
        self._show()

    def add_typed(self) -> None:
        """Take what is typed, one word or several with commas between."""
        words = self.words()
        self.field.clear()
        if words != tuple(self._words):
            self.set_words(words)
            self.changed.emit()

    def remove(self, word: str) -> None:
        place = self._words.index(word)
        self._words.remove(word)
        self._show()
        # the keyboard stays where it was
        near = self.buttons[min(place, len(self.buttons) - 1)] if self.buttons else self.field
        near.setFocus()
        self.changed.emit()

    def _show(self) -> None:
        clear_layout(self._flow)
        self.buttons = []
        for word in self._words:
            said = self._say(word)
            button = Button(said.replace("&", "&&"), kind="chip", theme=self._theme, icon="close")
            button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross behind the word
            button.setToolTip(tr("Take out “{word}”", word=said))
            button.setAccessibleName(tr("{list}: take out {word}", list=self._name, word=said))
            button.clicked.connect(lambda _=False, word=word: self.remove(word))
            self._flow.addWidget(button)
            button.ensurePolished()  # or it says a width that it will not have
            self.buttons.append(button)
        self._shown.setVisible(bool(self._words))
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        # layouts with lines of their own are given too little height in scroll areas
        if self._words and self.width() > 0:
            self._shown.setFixedHeight(self._flow.heightForWidth(max(80, self.width())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Return adds a word here; it must not press the dialog's button
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return
        super().keyPressEvent(event)


def _split(text: str) -> list[str]:
    for comma in "，、;；\n":
        text = text.replace(comma, ",")
    return [word for part in text.split(",") if (word := " ".join(part.split()))]
