"""The logo: a drop of ink with a graph of three names in it, drawn in the colours of the theme."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap

NODES = ((0.37, 0.60), (0.63, 0.52), (0.53, 0.79))  # of a logo of size 1
NODE_RADIUS, LINE_WIDTH = 0.065, 0.045
ICON_SIZES = (16, 32, 48, 128)
INK, PAPER = "#2F6F6A", "#FFFFFF"  # of the icon, which no theme reaches


def paint_logo(painter: QPainter, area: QRectF, ink: QColor, paper: QColor) -> None:
    """Paint the logo into a square."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(area.topLeft())
    painter.scale(area.width(), area.height())
    drop = QPainterPath(QPointF(0.5, 0.02))
    drop.cubicTo(QPointF(0.62, 0.22), QPointF(0.86, 0.42), QPointF(0.86, 0.63))
    drop.cubicTo(QPointF(0.86, 0.83), QPointF(0.70, 0.98), QPointF(0.5, 0.98))
    drop.cubicTo(QPointF(0.30, 0.98), QPointF(0.14, 0.83), QPointF(0.14, 0.63))
    drop.cubicTo(QPointF(0.14, 0.42), QPointF(0.38, 0.22), QPointF(0.5, 0.02))
    painter.fillPath(drop, ink)
    points = [QPointF(x, y) for x, y in NODES]
    painter.setPen(QPen(paper, LINE_WIDTH))
    painter.drawPolygon(points)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(paper)
    for point in points:
        painter.drawEllipse(point, NODE_RADIUS, NODE_RADIUS)
    painter.restore()


def build_window_icon() -> QIcon:
    """Return the icon of the windows, for task bars and switchers."""
    icon = QIcon()
    for side in ICON_SIZES:
        pixmap = QPixmap(side, side)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        paint_logo(painter, QRectF(0, 0, side, side), QColor(INK), QColor(PAPER))
        painter.end()
        icon.addPixmap(pixmap)
    return icon
