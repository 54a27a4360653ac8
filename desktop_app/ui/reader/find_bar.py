"""The strip for searching in the document: the words, which hit of how many, next, previous.

Owns the strip only; the search itself is asked of the screen by signal.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.buttons import IconButton
from desktop_app.ui.widgets.fields import SearchField
from desktop_app.ui.widgets.labels import Label
from desktop_app.ui.widgets.words import format_number


class FindBar(QFrame):
    """Emits `searched` with the words ("" for none), `moved` with +1 or -1."""

    searched = Signal(str)
    moved = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("readerFind")
        self.setFixedHeight(44)
        self.field = SearchField(theme, tr("Search in this document"), self)
        self.count = Label("", "small", self)
        self.count.setMinimumWidth(72)
        self.count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.previous = IconButton(theme, "caret-up", tr("Previous hit"), self, shortcut="Shift+F3")
        self.next = IconButton(theme, "caret-down", tr("Next hit"), self, shortcut="F3")
        self.close_button = IconButton(theme, "close", tr("Close search"), self, shortcut="Esc")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        for widget in (self.count, self.previous, self.next, self.close_button):
            row.addWidget(widget)
        self.field.searched.connect(self.searched)
        self.field.returnPressed.connect(self._return)
        self.field.installEventFilter(self)
        self.previous.clicked.connect(lambda: self.moved.emit(-1))
        self.next.clicked.connect(lambda: self.moved.emit(1))
        self.close_button.clicked.connect(self.closed)
        self._shown_for = ""
        self.set_count(0, -1, "")

    def start(self) -> None:
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def set_count(self, count: int, current: int, words: str, *, more: bool = False) -> None:
        """Say "3 of 12", tr("No hits"), or nothing while there are no words."""
        self._shown_for = words
        if not words:
            self.count.setText("")
        elif not count:
            self.count.setText(tr("No hits"))
        else:
            told = format_number(count) + ("+" if more else "")
            self.count.setText(tr("{n} of {all}", n=format_number(current + 1), all=told))
        for button in (self.previous, self.next):
            button.setEnabled(count > 0)

    def _return(self) -> None:
        # the first Return searches; each later one goes on to the next hit
        if self.field.text().strip() == self._shown_for:
            self.moved.emit(1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close at the first Escape, where a search field would only be emptied."""
        if event.type() == QEvent.Type.KeyPress:
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            if event.key() == Qt.Key.Key_Escape:
                self.closed.emit()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and shift:
                self.moved.emit(-1)
                return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)
