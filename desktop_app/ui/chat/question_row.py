"""The question over its answer, with the ways to others in its place: change it, leaf through.

Owns which version is shown and the two arrows. Knows nothing of answers.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import IconButton, Label

from .question_bubble import QuestionBubble
from .turns import Turn


class QuestionRow(QWidget):
    """`version_wanted` gives the id of another question in this one's place."""

    edit_wanted = Signal()
    version_wanted = Signal(int)

    def __init__(self, theme: Theme, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._turn = Turn(question)
        self.bubble = QuestionBubble(theme, question, self)
        self.edit_button = IconButton(theme, "rename", tr("Ask this in other words"), self)
        self.edit_button.clicked.connect(self.edit_wanted)
        self.before_button = IconButton(theme, "caret-left", tr("The version before"), self)
        self.after_button = IconButton(theme, "caret-right", tr("The next version"), self)
        self.before_button.clicked.connect(lambda: self._step(-1))
        self.after_button.clicked.connect(lambda: self._step(1))
        self.place = Label("", "small", self)
        self.versions = QWidget(self)
        arrows = QHBoxLayout(self.versions)
        arrows.setContentsMargins(0, 0, 0, 0)
        arrows.setSpacing(0)
        for widget in (self.before_button, self.place, self.after_button):
            arrows.addWidget(widget)
        asked = QHBoxLayout()
        asked.setSpacing(4)
        asked.addStretch(1)
        asked.addWidget(self.edit_button, 0, Qt.AlignmentFlag.AlignVCenter)
        asked.addWidget(self.bubble)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(asked)
        column.addWidget(self.versions, 0, Qt.AlignmentFlag.AlignRight)
        self.edit_button.hide()
        self.versions.hide()

    def show_turn(self, turn: Turn, *, settled: bool) -> None:
        """Show what can be done with this question; nothing while it is being answered."""
        self._turn = turn
        self.edit_button.setVisible(settled and bool(turn.question_id))
        shown = settled and len(turn.versions) > 1 and turn.question_id in turn.versions
        self.versions.setVisible(shown)
        if shown:
            place = turn.versions.index(turn.question_id)
            self.place.setText(tr("{n} of {m}", n=place + 1, m=len(turn.versions)))
            self.before_button.setEnabled(place > 0)
            self.after_button.setEnabled(place < len(turn.versions) - 1)

    def _step(self, by: int) -> None:
        place = self._turn.versions.index(self._turn.question_id) + by
        if 0 <= place < len(self._turn.versions):
            self.version_wanted.emit(self._turn.versions[place])

    def fit(self, room: int) -> None:
        self.bubble.fit(room - 36)
