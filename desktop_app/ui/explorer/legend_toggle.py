"""A line of a legend: a mark, words and a count; pressed, it hides or shows what it stands for.

Owns how such a line looks and is pressed. What the mark is, each legend says itself.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import format_number

MARK = 16


class LegendToggle(QAbstractButton):
    """Is on at first; `only_wanted` when pressed twice."""

    only_wanted = Signal()

    def __init__(self, theme: Theme, words: str, count: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words, self._count = words, count
        self.setCheckable(True)
        self.setChecked(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self._take_theme)

    def _take_theme(self) -> None:
        self.updateGeometry()
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.only_wanted.emit()

    def mark_area(self) -> QRectF:
        side = self._theme.length(MARK)
        return QRectF(8, (self.height() - side) / 2, side, side)

    def paint_mark(self, painter: QPainter) -> None:
        """Paint what the line stands for, in the square of `mark_area`."""
        raise NotImplementedError

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        off = not self.isChecked()
        painter.setOpacity((0.7 if self._theme.is_high else 0.4) if off else 1.0)
        if self.underMouse() or self.hasFocus():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent_soft"))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        self.paint_mark(painter)
        font = self._theme.font("small")
        font.setStrikeOut(off and self._theme.is_high)
        count = format_number(self._count)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        area = self.rect().adjusted(self._theme.length(MARK) + 16, 0, -8, 0)
        room = area.width() - metrics.horizontalAdvance(count) - 8
        words = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, words)
        painter.setPen(self._theme.color("text2"))
        end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(area, end, count)
        painter.end()
