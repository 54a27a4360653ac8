"""Help for the empty highlights screen: a drawing of a page with a highlight, and the keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QWidget

from desktop_app.engine.highlight_colors import DEFAULT_COLOR

from ..theme.theme import Theme
from ..translation import tr
from ..widgets.highlight_colors import COLOR_WORDS, highlight_fill, paint_color
from ..widgets.labels import Label
from ..widgets.layout import STRETCH, build_row

WIDTH, HEIGHT = 300, 168
LINE_HEIGHT, LINE_GAP, PAD = 8, 20, 28
LINES = (0.94, 1.0, 0.88, 0.97, 0.62)  # lengths as shares of the width of the text
MARKED = ((2, 0.30, 0.88), (3, 0.0, 0.44))  # line, start and end of the highlight


class KeyList(QWidget):
    """Keys, drawn as keys, with what they do."""

    def __init__(
        self, keys: Sequence[tuple[Sequence[str], str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 4)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        for row, (caps, words) in enumerate(keys):
            drawn = build_row(STRETCH, *(Label(cap, "key") for cap in caps), spacing=4)
            grid.addLayout(drawn, row, 0)
            grid.addWidget(Label(tr(words), "muted"), row, 1)


class HowToHighlight(QWidget):
    """Draws lines of text, some highlighted, with the swatches below; takes no input."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedSize(WIDTH, HEIGHT)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(theme.color("surface"))
        painter.drawRoundedRect(QRectF(0.5, 0.5, WIDTH - 1, HEIGHT - 9), 6, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        room = WIDTH - 2 * PAD
        painter.setBrush(highlight_fill(theme.tokens, DEFAULT_COLOR))
        for number, start, end in MARKED:
            top = PAD + number * LINE_GAP - 5
            painter.drawRoundedRect(
                QRectF(PAD + start * room - 3, top, (end - start) * room + 6, LINE_HEIGHT + 10),
                3,
                3,
            )
        painter.setBrush(theme.color("text2", 0.35))
        for number, share in enumerate(LINES):
            top = PAD + number * LINE_GAP
            painter.drawRoundedRect(QRectF(PAD, top, share * room, LINE_HEIGHT), 3, 3)
        self._paint_bar(painter)
        painter.end()

    def _paint_bar(self, painter: QPainter) -> None:
        theme = self._theme
        bar = QRectF(WIDTH / 2 - 62, HEIGHT - 46, 124, 34)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(theme.color("bg"))
        painter.drawRoundedRect(bar, 6, 6)
        for number, color in enumerate(COLOR_WORDS):
            place = QRectF(bar.left() + 14 + number * 26, bar.top() + 9, 16, 16)
            paint_color(painter, theme.tokens, color, place, 8)
            if number == 0:  # chosen
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(theme.color("accent"), 2))
                painter.drawEllipse(place.adjusted(-3, -3, 3, 3))
