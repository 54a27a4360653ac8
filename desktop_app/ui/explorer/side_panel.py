"""The panel beside the graph: a scrolled column, rows that can be pressed, a mention as such a row.

Owns what the portrait of a name and the ways between two have in common; knows neither.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.engine.types import MentionRow
from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import ElidedLabel, Label

from .tooltips import shorten

WIDTH = 300
INDENT = 8  # rows reach further out than text, so that their ground has room
LONGEST_SENTENCE = 220


class PressRow(QWidget):
    """A row that can be pressed with the mouse or with Return."""

    pressed = Signal()

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
            self.pressed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.pressed.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not (self.underMouse() or self.hasFocus()):
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent_soft"))
        painter.drawRoundedRect(self.rect(), 6, 6)
        painter.end()


class SidePanel(QFrame):
    """A column of fixed width that scrolls; `mention_chosen` with a `MentionRow`."""

    mention_chosen = Signal(object)

    def __init__(
        self, theme: Theme, *, above: int, spacing: int, parent: QWidget | None = None
    ) -> None:
        """`above` is the margin over the first line, `spacing` between lines, in pixels."""
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("inspector")
        theme.changed.connect(self._fit_width)
        self._fit_width()
        self.scroll = QScrollArea(self)
        self.scroll.setWidgetResizable(True)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setAccessibleName(tr("About what is chosen"))
        body = QWidget(self.scroll)
        body.setObjectName("inspectorBody")
        self.column = QVBoxLayout(body)
        self.column.setContentsMargins(8, above, 8, 16)
        self.column.setSpacing(spacing)
        self.scroll.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.scroll)

    def _fit_width(self) -> None:
        self.setFixedWidth(self._theme.breadth(WIDTH))

    def build_mention_row(
        self, mention: MentionRow, margins: tuple[int, int, int, int]
    ) -> PressRow:
        """Return a sentence with its place; pressed, it says `mention_chosen`."""
        row = PressRow(self._theme, f"{mention.document_title}: {mention.sentence}")
        inside = QVBoxLayout(row)
        inside.setContentsMargins(*margins)
        inside.setSpacing(2)
        sentence = Label(shorten(mention.sentence, LONGEST_SENTENCE), wrap=True)
        sentence.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        inside.addWidget(sentence)
        place = title = mention.document_title
        if mention.page_label:
            place = tr("{title}, p. {page}", title=title, page=mention.page_label)
        inside.addWidget(ElidedLabel(place, "small"))
        row.setToolTip(tr("Open this passage"))
        row.pressed.connect(lambda: self.mention_chosen.emit(mention))
        return row
