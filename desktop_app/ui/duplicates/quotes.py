"""A column of sentences with the name marked, each linked to its place in the reader."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.engine.model import MentionRow
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import clear_layout
from desktop_app.ui.widgets.labels import SentenceLabel


class SentenceColumn(QWidget):
    """Emits `place_clicked` with document, start and end."""

    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.labels: list[SentenceLabel] = []
        self._shown: list[MentionRow] = []
        self._column = QVBoxLayout(self, spacing=6)
        self._column.setContentsMargins(0, 0, 0, 0)

    def count(self) -> int:
        return len(self.labels)

    def show_mentions(self, mentions: Sequence[MentionRow]) -> None:
        """Replace the sentences."""
        if self._shown == list(mentions):  # one of them may have the keyboard focus
            return
        self._shown = list(mentions)
        clear_layout(self._column)
        self.labels = []
        for mention in mentions:
            label = SentenceLabel(self._theme, mention, self)
            label.place_clicked.connect(self.place_clicked)
            self._column.addWidget(label)
            self.labels.append(label)
