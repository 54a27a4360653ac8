"""One layer of the canvas as a graphics item that paints in pixels of the widget.

Owns the step between pyqtgraph's scene and layers that know only frames.
"""

from __future__ import annotations

from collections.abc import Callable

from pyqtgraph import GraphicsObject
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QTransform

EVERYWHERE = QRectF(-1e6, -1e6, 2e6, 2e6)


class LayerItem(GraphicsObject):
    """Calls `paint_layer(painter, transform)` with the painter in pixels of the widget."""

    def __init__(self, paint_layer: Callable[[QPainter, QTransform], None], z: float) -> None:
        super().__init__()
        self._paint_layer = paint_layer
        self.setZValue(z)

    def boundingRect(self) -> QRectF:
        return EVERYWHERE

    def paint(self, painter: QPainter, *_: object) -> None:
        transform = painter.worldTransform()
        painter.save()
        painter.resetTransform()
        self._paint_layer(painter, transform)
        painter.restore()
