"""Where a question is written: grows to six lines, Enter sends, Shift+Enter breaks the line.

Owns the text until it is sent, what it is to stand beside when it is another's new wording, and
the Stop button while an answer is written. The choices under it belong to `choices`.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.ui.language import later, tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, ElidedLabel, IconButton

from .choices import Choices

MAX_LINES = 6


class QuestionEdit(QPlainTextEdit):
    """The text itself; tells Enter apart from Shift+Enter. `take_key` sees keys first."""

    sent = Signal()
    escaped = Signal()
    take_key: Callable[[int], bool] | None = None
    spoken_keys = (
        ("Return", later("Ask")),
        ("Shift+Return", later("New line")),
        ("Esc", later("Stop the answer")),
        ("/", later("Choose a way to answer, at the start of a question")),
    )

    def focusNextPrevChild(self, forward: bool) -> bool:
        if forward and self.take_key is not None and self.take_key(Qt.Key.Key_Tab):
            return True
        return super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.take_key is not None and self.take_key(event.key()):
            return
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

    Escape gives up a new wording first; with nothing to stop it is `escaped`.
    """

    asked = Signal(str)
    stopped = Signal()
    escaped = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.edit = QuestionEdit(self)
        self.edit.setPlaceholderText(tr("Ask about your documents"))
        self.edit.setAccessibleName(tr("Question"))
        self.edit.setTabChangesFocus(True)
        self.edit.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.edit.setStyleSheet("background: transparent; border: none; padding: 0;")
        self.edit.document().setDocumentMargin(4)
        stop = tr("Stop (Esc)")
        self.stop_button = Button(tr("Stop"), self, theme=theme, icon="stop", tooltip=stop)
        self.stop_button.hide()
        enter = "Enter"  # not shown otherwise in any language
        self.send_button = IconButton(
            theme, "send", tr("Ask"), self, color="accent", shortcut=enter
        )
        self.choices = Choices(theme, self)
        self.editing: object | None = None  # the turn whose question is put in other words
        self.editing_row = self._build_editing_row()
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.choices, 1)
        foot.addWidget(self.stop_button)
        foot.addWidget(self.send_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 6, 6)
        column.setSpacing(2)
        column.addWidget(self.editing_row)
        column.addWidget(self.edit)
        column.addLayout(foot)
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

    def _build_editing_row(self) -> QWidget:
        row = QWidget(self)
        inside = QHBoxLayout(row)
        inside.setContentsMargins(4, 0, 0, 0)
        words = tr("Other words for your question; the first answer is kept beside the new one")
        inside.addWidget(ElidedLabel(words, "small", row), 1)
        give_up = Button(tr("Cancel"), row, kind="link")
        give_up.clicked.connect(self.end_editing)
        inside.addWidget(give_up)
        row.hide()
        return row

    def begin_editing(self, turn: object, question: str) -> None:
        """Put a question of the chat in the box, to be asked in other words beside the first."""
        self.editing = turn
        self.editing_row.show()
        self.set_text(question)
        self.edit.selectAll()

    def end_editing(self) -> None:
        """Ask a new question again."""
        if self.editing is not None:
            self.editing = None
            self.editing_row.hide()
            self.edit.clear()

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
        if self.editing is not None:
            self.end_editing()
            return
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
        if event.type() == QEvent.Type.Resize:
            self.choices.fit(self.width())
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
