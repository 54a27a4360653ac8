"""The layer of relations: lines in a few classes of strength, each class one call.

Owns the look of relations. Knows no discs and no mouse.
"""

from __future__ import annotations

import numpy as np
from pyqtgraph.Qt.internals import PrimitiveArray
from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter, QPen

from .focus import Focus
from .frame import Frame
from .graph_data import N_STRENGTHS, GraphData
from .palette import FADED, RELATION_ALPHA, RELATION_WIDTH, TOUCHED_ALPHA, Palette, with_alpha

SMOOTH_LIMIT = 2_500
BUSY = 60
RECEDED = 0.6  # the rest, while a name is selected


class RelationLayer:
    """Paints the visible relations of a frame, the touched ones last and in accent."""

    def __init__(self) -> None:
        self._lines = PrimitiveArray(QLineF, 4)

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
        smooth = exact or len(frame.lines) <= SMOOTH_LIMIT
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        fade = 1.0 - (1.0 - FADED) * focus.fade if focus.hovered is not None else 1.0
        if focus.selected is not None and focus.hovered is None:
            fade = RECEDED
        # Thousands of lines over each other would be a grey sheet: the many are paler.
        thin = min(1.0, (1_500 / max(len(frame.lines), 1)) ** 0.35)
        if len(frame.lines):  # and so are those that meet in one name
            busiest = int(np.bincount(data.pairs[frame.lines].ravel()).max())
            thin *= min(1.0, (BUSY / busiest) ** 0.4)
        slim = min(1.0, max(0.5, frame.scale**0.5))
        classes = data.strengths[frame.lines]
        for strength in range(N_STRENGTHS):
            lines = frame.lines[classes == strength]
            alpha = RELATION_ALPHA[strength] * fade * thin
            width = RELATION_WIDTH[strength] * slim if smooth else 1.0
            self._draw(
                painter, frame, data, lines, QPen(with_alpha(palette.relation, alpha), width)
            )
        touched = focus.touched(data)
        touched = touched[data.shown[data.pairs[touched]].all(1)] if len(touched) else touched
        if len(touched):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            classes = data.strengths[touched]
            # Beside forty weak ties the strong ones must still be seen; five hundred are a veil.
            thin = min(1.0, (24 / len(touched)) ** 0.5)
            for strength in np.unique(classes):
                lines = touched[classes == strength]
                strong = strength == N_STRENGTHS - 1
                share = min(1.0, (40 / len(lines)) ** 0.5) if strong else thin
                shade = with_alpha(palette.accent, TOUCHED_ALPHA[strength] * share)
                width = (RELATION_WIDTH[strength] + 0.2) * slim
                self._draw(painter, frame, data, lines, QPen(shade, width))

    def _draw(
        self, painter: QPainter, frame: Frame, data: GraphData, lines: np.ndarray, pen: QPen
    ) -> None:
        if not len(lines):
            return
        self._lines.resize(len(lines))
        ends = self._lines.ndarray()
        ends[:, 0:2] = frame.points[data.pairs[lines, 0]]
        ends[:, 2:4] = frame.points[data.pairs[lines, 1]]
        painter.setPen(pen)
        painter.drawLines(*self._lines.drawargs())
