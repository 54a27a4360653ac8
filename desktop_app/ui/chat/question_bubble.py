"""The question as it stands over its answer: on a soft ground, as wide as its words.

Owns nothing but its look.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme


class QuestionBubble(QWidget):
    """The question, on a soft ground at the right, as wide as it needs."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.label = QLabel(text, self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.label.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.label.setAccessibleName(tr("Question"))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        row.addWidget(self.label)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        self._room = 0
        theme.changed.connect(self._restyle)

    def _restyle(self) -> None:
        if self._room:
            self.fit(self._room)
        self.update()

    def fit(self, room: int) -> None:
        """Take the width of the text, at most four fifths of the room, and the height for that.

        Left to the layout, it would have the height that the words need in a narrow column.
        """
        self._room = room
        widest = max(120, room * 4 // 5)
        metrics = self.label.fontMetrics()
        lines = self.label.text().split("\n")
        natural = max(metrics.horizontalAdvance(line) for line in lines) + 24 + 4
        width = min(widest, natural)
        self.setFixedSize(width, self.layout().totalHeightForWidth(width))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("sunken" if not self._theme.is_dark else "surface"))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        painter.end()
