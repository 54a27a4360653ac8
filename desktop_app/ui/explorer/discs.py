"""The layer of discs: one per entity, painted from one sheet of ready-made pictures.

Owns the look of discs, of the selected and of pinned ones. Few discs are painted exactly,
many are copied from the sheet; both look the same. Knows no mouse.
"""

from __future__ import annotations

import numpy as np
from pyqtgraph.Qt.internals import PrimitiveArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen, QPixmap

from .focus import Focus
from .frame import Frame
from .graph_data import GraphData
from .palette import Palette

EXACT_LIMIT = 400
STEP = 0.5
MAX_SCREEN_RADIUS = 28.0
LETTER_RADIUS = 9.0


class DiscSheet:
    """Discs of every type in steps of half a pixel, made once a theme and screen density."""

    def __init__(self, palette: Palette, ratio: float) -> None:
        self.ratio = ratio
        self.palette = palette
        sizes = np.arange(1.5, MAX_SCREEN_RADIUS + STEP, STEP)
        self._first = float(sizes[0])
        cells = np.ceil(2 * sizes + 4)
        self.lefts = np.concatenate(([0.0], np.cumsum(cells)[:-1]))
        self.cells = cells
        self.row_height = float(cells.max())
        self.pixmap = QPixmap(
            int(cells.sum() * ratio) + 1, int(self.row_height * len(palette.discs) * ratio)
        )
        self.pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self.pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(ratio, ratio)
        for code in range(len(palette.discs)):
            for left, cell, size in zip(self.lefts, cells, sizes, strict=True):
                middle = QPointF(left + cell / 2, code * self.row_height + cell / 2)
                paint_disc(painter, palette, code, middle, float(size))
        painter.end()

    def columns(self, radii: np.ndarray) -> np.ndarray:
        """Return which picture of a row is for each radius."""
        return np.clip(np.rint((radii - self._first) / STEP).astype(int), 0, len(self.lefts) - 1)


def paint_disc(
    painter: QPainter, palette: Palette, code: int, middle: QPointF, radius: float
) -> None:
    """Paint one disc; from 3 px on with a thin ring in surface colour, so that discs part."""
    painter.setPen(QPen(palette.ring, 1.2) if radius >= 3 else Qt.PenStyle.NoPen)
    painter.setBrush(palette.discs[code])
    painter.drawEllipse(middle, radius, radius)
    letter = palette.letters[code]
    if radius >= LETTER_RADIUS and letter:
        font = QFont(painter.font())
        font.setPixelSize(round(radius * 0.95))
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(palette.ring)
        box = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)


class DiscLayer:
    """Paints the visible discs of a frame."""

    def __init__(self) -> None:
        self._sheet: DiscSheet | None = None
        self._fragments = PrimitiveArray(QPainter.PixmapFragment, 10)

    def paint(
        self,
        painter: QPainter,
        frame: Frame,
        data: GraphData,
        focus: Focus,
        palette: Palette,
        *,
        exact: bool = False,
    ) -> None:
        opacities = focus.opacities(len(data))
        if exact or len(frame.rows) <= EXACT_LIMIT:
            self._paint_exact(painter, frame, data, palette, opacities)
        else:
            self._paint_copies(painter, frame, data, palette, opacities)
        self._paint_marks(painter, frame, data, focus, palette)

    def _paint_exact(
        self,
        painter: QPainter,
        frame: Frame,
        data: GraphData,
        palette: Palette,
        opacities: np.ndarray | None,
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for row in frame.rows:
            middle = QPointF(*frame.points[row])
            if opacities is not None:
                if opacities[row] < 1:  # a pale disc still hides the lines that end in it
                    painter.setOpacity(1.0)
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(palette.background)
                    painter.drawEllipse(middle, frame.radii[row], frame.radii[row])
                painter.setOpacity(float(opacities[row]))
            paint_disc(painter, palette, int(data.color_codes[row]), middle, frame.radii[row])
        painter.setOpacity(1.0)

    def _paint_copies(
        self,
        painter: QPainter,
        frame: Frame,
        data: GraphData,
        palette: Palette,
        opacities: np.ndarray | None,
    ) -> None:
        ratio = painter.device().devicePixelRatioF()
        if self._sheet is None or self._sheet.ratio != ratio or self._sheet.palette != palette:
            self._sheet = DiscSheet(palette, ratio)
        sheet, rows = self._sheet, frame.rows
        columns = sheet.columns(frame.radii[rows])
        self._fragments.resize(len(rows))
        cells = self._fragments.ndarray()
        cells[:, 0:2] = frame.points[rows]
        cells[:, 2] = sheet.lefts[columns] * ratio
        cells[:, 3] = data.color_codes[rows] * sheet.row_height * ratio
        cells[:, 4] = cells[:, 5] = sheet.cells[columns] * ratio
        cells[:, 6] = cells[:, 7] = 1.0 / ratio
        cells[:, 8] = 0.0
        cells[:, 9] = 1.0 if opacities is None else opacities[rows]
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, ratio != 1)
        painter.drawPixmapFragments(*self._fragments.drawargs(), sheet.pixmap)

    def _paint_marks(
        self, painter: QPainter, frame: Frame, data: GraphData, focus: Focus, palette: Palette
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.ring)
        for row in frame.rows[data.pinned[frame.rows]]:
            painter.drawEllipse(QPointF(*frame.points[row]), 2.0, 2.0)
        # On ground of its own: the lines of the same colour would swallow the ring.
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for row in focus.ringed():
            if row >= len(data) or not data.shown[row]:
                continue
            middle, radius = QPointF(*frame.points[row]), frame.radii[row]
            first = row == focus.selected
            painter.setPen(QPen(palette.background, 4.0 if first else 3.0))
            painter.drawEllipse(middle, radius + 2.0, radius + 2.0)
            painter.drawEllipse(middle, radius + 5.5, radius + 5.5)
            painter.setPen(QPen(palette.accent, 2.0 if first else 1.4))
            painter.drawEllipse(middle, radius + 3.5, radius + 3.5)
