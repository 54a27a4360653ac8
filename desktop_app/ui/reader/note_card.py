"""The card of a highlight or bookmark: its note to write, its colour, and away with it.

Owns what is on the card; what was written leaves by signal when the card goes.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QPlainTextEdit, QWidget

from desktop_app.engine.services.reading import COLORS, Annotation
from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.buttons import Button, IconButton

from .card import Card
from .look import note_color
from .passage_menu import COLOR_WORDS

WIDTH = 340


class Swatch(QAbstractButton):
    """One colour of highlights to choose, a ring around the chosen one."""

    def __init__(self, theme: Theme, color: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self.color = theme, color
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFixedSize(QSize(28, 28))
        self.setToolTip(tr(COLOR_WORDS[color]))
        self.setAccessibleName(tr(COLOR_WORDS[color]))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(6, 6, -6, -6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(note_color(self._theme, self.color, strong=True))
        painter.drawEllipse(area)
        if self.isChecked() or self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self._theme.color("accent" if self.hasFocus() else "text"))
            painter.drawEllipse(area.adjusted(-3, -3, 3, 3))
        painter.end()


class NoteCard(Card):
    """Edits one mark; `changed` carries id, colour and note if either is another than before."""

    changed = Signal(int, str, str)
    removed = Signal(int)
    asked = Signal(object)
    copied = Signal(object)

    def __init__(self, theme: Theme, mark: Annotation, parent: QWidget) -> None:
        super().__init__(theme, WIDTH, parent)
        self._mark = mark
        self._is_removed = False
        top = QHBoxLayout()
        top.setSpacing(2)
        self.swatches = [Swatch(theme, color) for color in COLORS]
        for swatch in self.swatches:
            swatch.setChecked(swatch.color == mark.color)
            swatch.setVisible(mark.kind == "highlight")
            top.addWidget(swatch)
        top.addStretch(1)
        is_bookmark = mark.kind == "bookmark"
        words = tr("Remove the bookmark" if is_bookmark else "Remove the highlight")
        remove = IconButton(theme, "delete", words)
        remove.clicked.connect(self._remove)
        close = IconButton(theme, "close", tr("Close"), shortcut="Esc")
        close.clicked.connect(self.close_card)
        top.addWidget(remove)
        top.addWidget(close)
        self.column.addLayout(top)
        self.note = QPlainTextEdit(mark.note)
        self.note.setProperty("kind", "field")
        self.note.setPlaceholderText(tr("What do you think of it?"))
        self.note.setAccessibleName(tr("Note"))
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(96)
        self.column.addWidget(self.note)
        row = QHBoxLayout()
        row.setSpacing(8)
        self.ask = Button(tr("Ask about it"))
        self.copy = Button(tr("Copy with its source"))
        for button in (self.ask, self.copy):
            button.setVisible(mark.kind == "highlight")
            row.addWidget(button)
        row.addStretch(1)
        self.column.addLayout(row)
        self.ask.clicked.connect(lambda: (self.close_card(), self.asked.emit(mark)))
        self.copy.clicked.connect(lambda: (self.close_card(), self.copied.emit(mark)))
        self.closed.connect(self._keep)
        self.note.setFocus()

    def chosen_color(self) -> str:
        return next((s.color for s in self.swatches if s.isChecked()), self._mark.color)

    def _remove(self) -> None:
        self._is_removed = True
        self.close_card()
        self.removed.emit(self._mark.id)

    def _keep(self) -> None:
        note, color = self.note.toPlainText().strip(), self.chosen_color()
        if not self._is_removed and (note != self._mark.note or color != self._mark.color):
            self.changed.emit(self._mark.id, color, note)
