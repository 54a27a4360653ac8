"""The background of the small panels over the canvas."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ..theme.theme import Theme


class Panel(QWidget):
    """A rounded, slightly transparent panel."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high = self._theme.is_high  # ground on ground needs a line round it there
        painter.setPen(self._theme.color("line") if high else Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("surface", 1.0 if high else 0.9))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()
