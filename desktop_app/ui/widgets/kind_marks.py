"""Marks for relations: the line of a kind, and bars for the confidence of a model.

Owns painting only; words and line styles are in `words`.
"""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.ui.theme.theme import Theme

from .words import format_kind, format_sureness, join_words, look_of_kind, sureness_level

LINE_WIDTH, BARS_WIDTH, GAP = 18, 13, 6


def kind_pen(kind: str, color: QColor, width: float) -> QPen:
    """Return the pen of a kind's line; dashes have the same length at every width."""
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dashes := look_of_kind(kind).dashes:
        pen.setDashPattern([length / width for length in dashes])
    return pen


def paint_kind_line(painter: QPainter, left: float, middle: float, kind: str, theme: Theme) -> None:
    """Paint a piece of a kind's line, `LINE_WIDTH` wide."""
    color = theme.type_color(look_of_kind(kind).color) if kind else theme.color("text2", 0.6)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(kind_pen(kind, color, 2.0))
    painter.drawLine(QLineF(left, middle, left + LINE_WIDTH, middle))
    painter.restore()


def paint_sureness(
    painter: QPainter, left: float, baseline: float, confidence: float, theme: Theme
) -> None:
    """Paint three bars on a baseline; `level` of them are filled."""
    level = sureness_level(confidence)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for n in range(3):
        height = 4 + 3 * n
        bar = QRectF(left + 5 * n, baseline - height, 3, height)
        if n >= level and theme.is_high:  # an outline: pale bars would have too little contrast
            painter.setPen(QPen(theme.color("text2"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))
            continue
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("text2", 1.0 if n < level else 0.25))
        painter.drawRoundedRect(bar, 1, 1)
    painter.restore()


class KindMark(QWidget):
    """A kind of relation: its line, its word, and three bars for the confidence."""

    def __init__(
        self, theme: Theme, kind: str, confidence: float = 0.0, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.set_kind(kind, confidence)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._take_theme)

    def set_kind(self, kind: str, confidence: float = 0.0) -> None:
        """Show another kind."""
        self.kind, self.confidence = kind, confidence
        parts = (format_kind(kind) if kind else "", format_sureness(confidence))
        self.setAccessibleName(join_words([part for part in parts if part]))
        self._take_theme()

    def _take_theme(self) -> None:
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        words = QFontMetrics(self._theme.font("small")).horizontalAdvance(self._words())
        bars = GAP + BARS_WIDTH if sureness_level(self.confidence) else 0
        return QSize(LINE_WIDTH + GAP + words + bars + 1, self._theme.length(20))

    def _words(self) -> str:
        metrics = QFontMetrics(self._theme.font("small"))
        room = self._theme.length(96)
        return metrics.elidedText(format_kind(self.kind), Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = self._theme.font("small")
        metrics = QFontMetrics(font)
        middle = self.height() / 2
        baseline = middle + (metrics.capHeight() + 1) // 2
        paint_kind_line(painter, 0, middle, self.kind, self._theme)
        painter.setFont(font)
        painter.setPen(self._theme.color("text2"))
        words = self._words()
        painter.drawText(LINE_WIDTH + GAP, round(baseline), words)
        if sureness_level(self.confidence):
            left = LINE_WIDTH + GAP + metrics.horizontalAdvance(words) + GAP
            paint_sureness(painter, left, baseline, self.confidence, self._theme)
        painter.end()


class SurenessMark(QWidget):
    """Three bars alone; what they mean is in the tooltip."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.confidence = 0.0
        self.setFixedSize(BARS_WIDTH + 1, 20)
        theme.changed.connect(self.update)

    def set_sureness(self, confidence: float, tooltip: str) -> None:
        """Show the confidence of a model, with a tooltip; 0 hides the widget's bars."""
        self.confidence = confidence
        self.setToolTip(tooltip)
        self.setAccessibleName(tooltip)
        self.setVisible(sureness_level(confidence) > 0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_sureness(painter, 0, self.height() / 2 + 5, self.confidence, self._theme)
        painter.end()
