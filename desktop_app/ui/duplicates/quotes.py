"""Sentences under each other, the name marked, each leading to its place in the reader."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.engine.types import MentionRow
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Label, clear_layout


class SentenceColumn(QWidget):
    """Emits `place_clicked` with document, start and end."""

    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._column = QVBoxLayout(self, spacing=6)
        self._column.setContentsMargins(0, 0, 0, 0)

    def count(self) -> int:
        return self._column.count()

    def show_mentions(self, mentions: Sequence[MentionRow]) -> None:
        """Show these sentences in the place of those before."""
        clear_layout(self._column)
        for mention in mentions:
            quote = Label(self._mark(mention), "", self, wrap=True)
            quote.setTextFormat(Qt.TextFormat.RichText)
            quote.setCursor(Qt.CursorShape.PointingHandCursor)
            quote.setFont(self._theme.font("book"))
            quote.setToolTip(f"{mention.document_title} · {mention.heading}".strip(" ·"))
            place = (mention.document_id, mention.start, mention.end)
            quote.mousePressEvent = lambda _event, p=place: self.place_clicked.emit(*p)
            self._column.addWidget(quote)

    def _mark(self, mention: MentionRow) -> str:
        text = " ".join(mention.sentence.split())
        name = escape(" ".join(mention.name.split()))
        color = self._theme.color("mark").name()
        marked = f'<span style="background-color:{color}">{name}</span>'
        return escape(text).replace(name, marked, 1)
