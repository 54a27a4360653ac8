"""The field in which a line of a scanned page is corrected, below the line on the picture.

Owns the field, its keys and its place. Stores nothing: its signals say what was typed.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from desktop_app.engine.scanned_pages import MAX_LINE_CHARS, ScannedLine

from ...theme.theme import Theme
from ...translation import tr
from ...widgets.buttons import IconButton
from ...widgets.labels import Label
from ...widgets.layout import build_column, build_row

LEAST_WIDTH, MOST_WIDTH = 440, 760  # pixels: the words below the field need as much
BESIDE = 6  # pixels between the line and the field


class LineField(QLineEdit):
    """A field whose Enter and Esc do not reach the page behind it."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            event.accept()


class ScanLineEditor(QFrame):
    """Shows the text of a line with its confidence, to be corrected or confirmed.

    `saved` carries the text, `stepped` +1 or -1 for the next or previous uncertain line.
    """

    saved = Signal(str)
    left = Signal()
    stepped = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setAutoFillBackground(True)
        self._theme = theme
        self._read = ""
        self.field = LineField()
        self.field.setMaxLength(MAX_LINE_CHARS)
        self.field.setAccessibleName(tr("Text of this line"))
        self.words = Label("", "small")
        self.previous = IconButton(
            theme, "caret-up", tr("Previous uncertain line"), shortcut="Shift+F8"
        )
        self.next = IconButton(theme, "caret-down", tr("Next uncertain line"), shortcut="F8")
        self.save = IconButton(theme, "check-circle", tr("Save"), shortcut="Return")
        self.leave = IconButton(theme, "close", tr("Leave without saving"), shortcut="Esc")
        build_column(
            self.field,
            build_row((self.words, 1), self.previous, self.next, self.save, self.leave, spacing=4),
            parent=self,
            spacing=4,
            margins=(8, 8, 8, 4),
        )
        self.field.returnPressed.connect(lambda: self.saved.emit(self.field.text()))
        self.save.clicked.connect(lambda: self.saved.emit(self.field.text()))
        self.field.left.connect(self.left)
        self.leave.clicked.connect(self.left)
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        self.hide()

    @property
    def is_changed(self) -> bool:
        """Whether something else stands in the field than what was read."""
        return self.field.text().strip() != self._read

    def show_line(self, line: ScannedLine) -> None:
        """Offer the text of a line; all of it is selected."""
        self._read = line.text
        self.field.setText(line.text)
        self.field.selectAll()
        self.words.setText(describe_line(line, in_editor=True))

    def place_at(self, line: QRect, room: QRect) -> None:
        """Move below the line, or above it where there is no room; both in the parent's pixels."""
        width = min(max(LEAST_WIDTH, line.width()), MOST_WIDTH, room.width() - 2 * BESIDE)
        height = self.sizeHint().height()
        x = min(max(room.left() + BESIDE, line.left()), room.right() - width - BESIDE)
        y = line.bottom() + BESIDE
        if y + height > room.bottom() and line.top() - BESIDE - height > room.top():
            y = line.top() - BESIDE - height
        self.setGeometry(QRect(QPoint(x, y), self.sizeHint()).adjusted(0, 0, 0, 0))
        self.resize(width, height)


def describe_line(line: ScannedLine, *, in_editor: bool = False) -> str:
    """Return how certain the text of a line is, and what can be done; "" for a certain line."""
    if line.before and line.before == line.text:
        return tr("You confirmed this line.")
    if line.before:
        return tr("You corrected this line. It was read as “{text}”.", text=line.before)
    confidence = round(100 * line.confidence)
    if in_editor:
        return tr("Read with {share}% confidence. Enter saves.", share=confidence)
    if line.is_unsure:
        return tr(
            "Read with {share}% confidence. Click to correct or confirm it.", share=confidence
        )
    return ""
