"""The layer of relations: lines in a few classes of strength, each class one call.

Owns the look of relations. From near, and for the name that is looked at, kinds have lines of
their own. Knows no discs and no mouse.
"""

from __future__ import annotations

import numpy as np
from pyqtgraph.Qt.internals import PrimitiveArray
from PySide6.QtCore import QLineF
from PySide6.QtGui import QColor, QPainter, QPen

from desktop_app.ui.widgets.kind_marks import kind_pen
from desktop_app.ui.widgets.words import look_of_kind

from .focus import Focus
from .frame import Frame
from .graph_data import N_STRENGTHS, GraphData
from .palette import FADED, RELATION_WIDTH, TOUCHED_ALPHA, Palette, with_alpha

SMOOTH_LIMIT = 2_500
BUSY = 60
RECEDED = 0.6  # the rest, while a name is selected
NEAR_SCALE = 0.8
FEW_LINES, MANY_LINES = 160, 900  # so few tell their kinds from afar, so many not even from near
KIND_ALPHA = 2.2  # colour on paper is fainter than ink


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
        if focus.hovered is None and (focus.selected is not None or focus.has_way):
            fade = FADED if focus.has_way else RECEDED
        # Thousands of lines over each other would be a grey sheet: the many are paler.
        thin = min(1.0, (1_500 / max(len(frame.lines), 1)) ** 0.35)
        if len(frame.lines):  # and so are those that meet in one name
            busiest = int(np.bincount(data.pairs[frame.lines].ravel()).max())
            thin *= min(1.0, (BUSY / busiest) ** 0.4)
        slim = min(1.0, max(0.5, frame.scale**0.5))
        classes = data.strengths[frame.lines]
        by_kind = tells_kinds(frame, data)
        for strength in range(N_STRENGTHS):
            lines = frame.lines[classes == strength]
            alpha = palette.relation_alpha[strength] * fade * max(thin, palette.least_alpha)
            width = RELATION_WIDTH[strength] * slim if smooth else 1.0
            plain = with_alpha(palette.relation, alpha)
            self._draw(painter, frame, data, lines, plain, width, palette if by_kind else None)
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
                if focus.has_way and focus.hovered is None:
                    shade, width = with_alpha(palette.accent, 0.9), 2.6
                self._draw(painter, frame, data, lines, shade, width, palette)

    def _draw(
        self,
        painter: QPainter,
        frame: Frame,
        data: GraphData,
        lines: np.ndarray,
        shade: QColor,
        width: float,
        palette: Palette | None,
    ) -> None:
        """Draw lines of one strength; with a palette, each kind in its own way."""
        if palette is None:
            self._draw_alike(painter, frame, data, lines, QPen(shade, width))
            return
        codes = data.kind_codes[lines]
        for code in np.unique(codes):
            kind, pen = data.kinds[code], QPen(shade, width)
            if kind:
                color = palette.kinds[look_of_kind(kind).color]
                alpha = shade.alphaF() * KIND_ALPHA
                pen = kind_pen(kind, with_alpha(color, alpha), max(width, 1.5))
            self._draw_alike(painter, frame, data, lines[codes == code], pen)

    def _draw_alike(
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


def tells_kinds(frame: Frame, data: GraphData) -> bool:
    """Say whether kinds of relations are told apart: from near, or where there are few."""
    if not any(data.kinds) or len(frame.lines) > MANY_LINES:
        return False
    return frame.scale >= NEAR_SCALE or len(frame.lines) <= FEW_LINES
