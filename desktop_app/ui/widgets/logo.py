"""The logo as a widget."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ..theme.logo import paint_logo
from ..theme.theme import Theme


class Logo(QWidget):
    """The logo in the colours of the theme; decoration only."""

    def __init__(self, theme: Theme, side: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._side = theme, side
        theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        side = self._theme.length(self._side)
        self.setFixedSize(side, side)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ink, paper = self._theme.color("accent"), self._theme.color("sunken")
        paint_logo(painter, QRectF(self.rect()), ink, paper)
        painter.end()
