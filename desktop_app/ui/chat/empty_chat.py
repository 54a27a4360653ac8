"""What stands in a chat before its first question: what this is, and questions to begin with.

Owns nothing but these words. Knows no lanes; it is told the names.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.engine.types import EntityRow
from desktop_app.ui.language import later, tr
from desktop_app.ui.plain_tip import plain_tip
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, Label, clear_layout

from .suggestions import suggest_questions

ABOUT = later(
    "Answers are written on this computer, from passages of your documents. "
    "Every claim shows where it says so."
)
NOTHING = later(
    "Add documents in the library first. You can ask as soon as the first chapters are in."
)


class EmptyChat(QWidget):
    """Emits `picked` with the question that was clicked."""

    picked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entities: list[EntityRow] = []
        self._circles: list[Sequence[str]] = []
        self._icon = QLabel(self)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._icon.setPixmap(theme.icon("chat").pixmap(QSize(40, 40)))
        title = Label(tr("Ask your documents"), "title", self)
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.about = Label(tr(ABOUT), "muted", self, wrap=True)
        self.about.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.about.setFixedWidth(theme.breadth(420))
        self._tell(tr(ABOUT))
        self._questions = QVBoxLayout()
        self._questions.setSpacing(8)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(8)
        column.addStretch(2)
        column.addWidget(self._icon)
        column.addSpacing(4)
        column.addWidget(title)
        column.addWidget(self.about, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(16)
        column.addLayout(self._questions)
        column.addStretch(3)
        theme.changed.connect(
            lambda: self._icon.setPixmap(theme.icon("chat").pixmap(QSize(40, 40)))
        )

    def _tell(self, words: str) -> None:
        self.about.setText(words)
        # a centred label is not asked how high it is at its width
        self.about.setMinimumHeight(self.about.heightForWidth(self.about.width()))

    def show_circles(self, circles: Sequence[Sequence[str]]) -> None:
        """Let a question be about names that a theme holds together."""
        if list(circles) != self._circles:
            self._circles = list(circles)
            self.show_names(self._entities)

    def show_names(self, entities: Sequence[EntityRow]) -> None:
        """Make the questions from the library's most mentioned names."""
        self._entities = list(entities)
        clear_layout(self._questions)
        self._tell(tr(ABOUT) if entities else tr(NOTHING))
        for question in suggest_questions(entities, circles=self._circles):
            button = Button(question, self, theme=self._theme, icon="arrow-right")
            button.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            button.setStyleSheet("text-align: left;")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.setFixedWidth(self._theme.breadth(420))
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            button.setToolTip(plain_tip(question))
            button.clicked.connect(lambda _=False, q=question: self.picked.emit(q))
            self._questions.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)

    def questions(self) -> list[QPushButton]:
        """Return the buttons, for the keyboard and for tests."""
        found = (self._questions.itemAt(i).widget() for i in range(self._questions.count()))
        return [w for w in found if isinstance(w, QPushButton)]
