"""Where a question is written: grows to six lines, Enter sends, Shift+Enter breaks the line.

Owns the text until it is sent, and the Stop button while an answer is written.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, IconButton

MAX_LINES = 6


class QuestionEdit(QPlainTextEdit):
    """The text itself; tells Enter apart from Shift+Enter."""

    sent = Signal()
    escaped = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.sent.emit()
            return
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        super().keyPressEvent(event)


class QuestionBox(QWidget):
    """Emits `asked` with the trimmed text and empties itself; `stopped` for Stop and Escape.

    Escape with nothing to stop is `escaped`.
    """

    asked = Signal(str)
    stopped = Signal()
    escaped = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.edit = QuestionEdit(self)
        self.edit.setPlaceholderText("Ask about your documents")
        self.edit.setAccessibleName("Question")
        self.edit.setTabChangesFocus(True)
        self.edit.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.edit.setStyleSheet("background: transparent; border: none; padding: 0;")
        self.edit.document().setDocumentMargin(4)
        self.stop_button = Button("Stop", self, theme=theme, icon="stop", tooltip="Stop (Esc)")
        self.stop_button.hide()
        self.send_button = IconButton(theme, "send", "Ask", self, color="accent", shortcut="Enter")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 6, 6)
        row.setSpacing(8)
        row.addWidget(self.edit, 1)
        row.addWidget(self.stop_button, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.send_button, 0, Qt.AlignmentFlag.AlignBottom)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusProxy(self.edit)
        self.edit.sent.connect(self._send)
        self.edit.escaped.connect(self._escape)
        self.send_button.clicked.connect(self._send)
        self.stop_button.clicked.connect(self.stopped)
        self.edit.textChanged.connect(self._changed)
        self.edit.installEventFilter(self)
        theme.changed.connect(self._restyle)
        self._restyle()
        self._changed()

    def text(self) -> str:
        return self.edit.toPlainText()

    def set_text(self, text: str) -> None:
        """Put a question in the box, ready to be changed or sent."""
        self.edit.setPlainText(text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.edit.setFocus()

    def set_answering(self, answering: bool) -> None:
        self.stop_button.setVisible(answering)

    def _send(self) -> None:
        if text := self.text().strip():
            self.edit.clear()
            self.asked.emit(text)

    def _escape(self) -> None:
        (self.stopped if self.stop_button.isVisible() else self.escaped).emit()

    def _changed(self) -> None:
        self.send_button.setEnabled(bool(self.text().strip()))
        self._fit()

    def _restyle(self) -> None:
        self.edit.setFont(self._theme.font("text"))
        self._fit()
        self.update()

    def _fit(self) -> None:
        # a plain text document counts its height in lines
        n_lines = max(1, min(MAX_LINES, round(self.edit.document().size().height())))
        line = self.edit.fontMetrics().lineSpacing()
        self.edit.setFixedHeight(max(28, n_lines * line + 10))
        full = self.edit.document().size().height() > MAX_LINES
        policy = Qt.ScrollBarPolicy
        self.edit.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if full else policy.ScrollBarAlwaysOff
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        elif event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("accent" if self.edit.hasFocus() else "line"))
        painter.setBrush(self._theme.color("surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()
