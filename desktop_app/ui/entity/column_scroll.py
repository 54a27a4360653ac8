"""A centred column of limited width in a scroll area. Owns its margins."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

COLUMN_WIDTH = 760


class ColumnScroll(QScrollArea):
    """`body` is the widget of the scroll area, `column` its layout; `least` is the side margin."""

    def __init__(self, parent: QWidget | None = None, *, least: int = 12, top: int = 20) -> None:
        super().__init__(parent)
        self._least, self._top = least, top
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body = QWidget(self)
        self.body.setObjectName("screenBody")
        self.column = QVBoxLayout(self.body)
        self.setWidget(self.body)
        self._set_margins()

    def _set_margins(self) -> None:
        side = max(self._least, (self.width() - COLUMN_WIDTH) // 2)
        bar = self.width() - self.viewport().width()
        self.column.setContentsMargins(side, self._top, max(8, side - bar), 32)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._set_margins()
        super().resizeEvent(event)
