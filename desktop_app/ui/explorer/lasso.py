"""Choosing discs by drawing round them: a rectangle, or a line drawn by hand.

Owns the drawing over the canvas and which discs lie inside. Knows no keys.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from desktop_app.ui.theme.theme import Theme

from .frame import Frame

CLOSEST = 3.0


class Lasso(QWidget):
    """A drawing in progress over the canvas; takes no mouse of its own."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._points: list[QPointF] = []
        self.by_hand = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def begin(self, at: QPointF, *, by_hand: bool) -> None:
        self._points, self.by_hand = [at], by_hand
        self.resize(self.parentWidget().size())
        self.show()
        self.raise_()

    def draw_to(self, at: QPointF) -> None:
        if self.by_hand:
            if (at - self._points[-1]).manhattanLength() >= CLOSEST:
                self._points.append(at)
        else:
            self._points[1:] = [at]
        self.update()

    def finish(self, frame: Frame) -> list[int]:
        """End the drawing and return the rows of the discs inside."""
        outline = self._outline()
        self._points = []
        self.hide()
        rows = frame.rows
        if len(outline) < 3 or not len(rows):
            return []
        return [int(row) for row in rows[inside(frame.points[rows], outline)]]

    def _outline(self) -> np.ndarray:
        points = self._points
        if not self.by_hand and len(points) == 2:
            box = QRectF(points[0], points[1]).normalized()
            points = [box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()]
        return np.array([(p.x(), p.y()) for p in points])

    def paintEvent(self, event: QPaintEvent) -> None:
        outline = self._outline()
        if len(outline) < 2:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("accent"), 1.2, Qt.PenStyle.DashLine))
        painter.setBrush(self._theme.color("accent", 0.1))
        painter.drawPolygon(QPolygonF([QPointF(*point) for point in outline]))
        painter.end()


def inside(points: np.ndarray, outline: np.ndarray) -> np.ndarray:
    """Return which points (N, 2) lie inside a closed outline (M, 2), by crossings of its sides."""
    x, y = points[:, 0], points[:, 1]
    found = np.zeros(len(points), dtype=bool)
    for (ax, ay), (bx, by) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        if ay == by:
            continue
        crosses = (ay > y) != (by > y)
        found ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return found
