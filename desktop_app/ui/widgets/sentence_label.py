"""Sentences with a marked name; a click or Return opens their place in the document."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from desktop_app.engine.model import MentionRow
from desktop_app.ui.theme.theme import Theme

from .labels import Label
from .layout import build_column, clear_layout
from .plain_tooltip import plain_tip

PRESSING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class SentenceLabel(Label):
    """Emits `place_clicked` with document, start and end."""

    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, mention: MentionRow, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent, wrap=True)
        self._theme, self._mention = theme, mention
        self._place = (mention.document_id, mention.start, mention.end)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(" ".join(mention.sentence.split()))
        self.setToolTip(plain_tip(f"{mention.document_title} · {mention.heading}".strip(" ·")))
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFont(self._theme.book_font(self._mention.sentence, 17))
        self.setText(_mark(self._theme, self._mention))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.place_clicked.emit(*self._place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in PRESSING:
            self.place_clicked.emit(*self._place)
        else:
            super().keyPressEvent(event)


def _mark(theme: Theme, mention: MentionRow) -> str:
    text = escape(" ".join(mention.sentence.split()))
    name = escape(" ".join(mention.name.split()))
    style = f"background-color:{theme.color('mark').name()}"  # not shown
    return text.replace(name, f'<span style="{style}">{name}</span>', 1)  # not shown


class SentenceColumn(QWidget):
    """Sentences below each other; emits `place_clicked` with document, start and end."""

    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.labels: list[SentenceLabel] = []
        self._shown: list[MentionRow] = []
        self._column = build_column(parent=self, spacing=6)

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
