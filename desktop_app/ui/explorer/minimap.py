"""The minimap: the whole picture small, with a frame where the view stands.

Owns this panel; it is there while a part of the picture is out of view. A press or a drag
goes there.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme

from .canvas import GraphCanvas
from .corners import Panel

WIDTH, HEIGHT, MARGIN = 168, 112, 8
FEWEST, SMALLEST_GROUND = 12, 560


class Minimap(Panel):
    """Shows all discs of a canvas as dots; `appeared` when it comes or goes."""

    appeared = Signal()

    def __init__(self, theme: Theme, canvas: GraphCanvas, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._canvas = canvas
        self._dots: QImage | None = None
        self._key: tuple | None = None
        self.wanted = True
        self.setFixedSize(WIDTH, HEIGHT)
        self.setAccessibleName(tr("Map of the picture"))
        self.setToolTip(tr("Press to go there"))
        self.setCursor(Qt.CursorShape.CrossCursor)
        self._later = QTimer(self, singleShot=True, interval=60)
        self._later.timeout.connect(self._look)
        canvas.view_changed.connect(self._view_changed)
        canvas.data_changed.connect(self._data_changed)
        canvas.places_changed.connect(self._data_changed)
        theme.changed.connect(self._data_changed)
        self.hide()

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, HEIGHT)

    def _data_changed(self) -> None:
        self._dots = None
        self._view_changed()

    def _view_changed(self) -> None:
        if not self._later.isActive():
            self._later.start()
        self.update()

    def _look(self) -> None:
        """Come when something is out of view, go when everything is in it."""
        canvas = self._canvas
        bounds = canvas.data.bounds() if len(canvas.data) >= FEWEST else None
        needed = False
        if self.wanted and bounds is not None and canvas.width() >= SMALLEST_GROUND:
            inner = QRectF(*bounds)
            needed = not canvas.box.viewRect().adjusted(-2, -2, 2, 2).contains(inner)
        if needed == self.isHidden():
            self.setVisible(needed)
            self.appeared.emit()

    def _step(self) -> tuple[float, float, float]:
        """Return the scale from the plane to here, and where the plane's 0, 0 is."""
        x, y, wide, high = self._canvas.data.bounds() or (0.0, 0.0, 1.0, 1.0)
        scale = min((WIDTH - 2 * MARGIN) / max(wide, 1), (HEIGHT - 2 * MARGIN) / max(high, 1))
        left = (WIDTH - wide * scale) / 2 - x * scale
        return scale, left, (HEIGHT - high * scale) / 2 - y * scale

    def _paint_dots(self) -> QImage:
        """Return the discs as dots, the biggest on top of the others."""
        data, palette = self._canvas.data, self._canvas.palette_now
        scale, left, top = self._step()
        pixels = np.zeros((HEIGHT, WIDTH), dtype=np.uint32)
        colors = np.array([color.rgba() for color in palette.discs], dtype=np.uint32)
        order = data.by_size[::-1]
        rows = order[(data.shown & np.isfinite(data.places).all(1))[order]]
        at = (data.places[rows] * scale + (left, top)).astype(np.int64)
        wide = 2 if len(rows) < 3_000 else 1
        for right in range(wide):
            for down in range(wide):
                x = np.clip(at[:, 0] + right, 0, WIDTH - 1)
                y = np.clip(at[:, 1] + down, 0, HEIGHT - 1)
                pixels[y, x] = colors[data.color_codes[rows]]
        image = QImage(pixels.data, WIDTH, HEIGHT, 4 * WIDTH, QImage.Format.Format_ARGB32)
        return image.copy()  # the array goes, the picture stays

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not len(self._canvas.data):
            return
        if self._dots is None:
            self._dots = self._paint_dots()
        painter = QPainter(self)
        painter.drawImage(0, 0, self._dots)
        scale, left, top = self._step()
        view = self._canvas.box.viewRect()
        frame = QRectF(
            view.x() * scale + left, view.y() * scale + top, view.width() * scale,
            view.height() * scale,
        )  # fmt: skip
        frame = frame.intersected(QRectF(self.rect()).adjusted(2, 2, -2, -2))
        painter.setPen(QPen(self._theme.color("accent"), 1.4))
        painter.setBrush(self._theme.color("accent", 0.1))
        painter.drawRoundedRect(frame, 2, 2)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go_to(event.position())

    def _go_to(self, at: QPointF) -> None:
        scale, left, top = self._step()
        self._canvas.centre_on(QPointF((at.x() - left) / scale, (at.y() - top) / scale))
