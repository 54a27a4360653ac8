"""The layer under a timeline: a faint line and a word where a chapter begins.

Owns their look; where they are comes with the picture. Words that would overlap are left out.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from .focus import Focus
from .frame import Frame
from .graph_data import GraphData
from .palette import Palette, with_alpha

TOP, GAP, LEAST, WIDEST = 53.0, 12.0, 52.0, 150.0


class GuideLayer:
    """Paints the marks of a timeline; other pictures have none."""

    def __init__(self, font: QFont) -> None:
        self.font = QFont(font)

    def set_font(self, font: QFont) -> None:
        self.font = QFont(font)

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
        if not data.guides:
            return
        metrics = QFontMetricsF(self.font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self.font)
        line, words = with_alpha(palette.relation, 0.22), with_alpha(palette.relation, 0.95)
        top, bottom = TOP, TOP + metrics.height()
        covered = [r for r in frame.covered if r[1] < bottom and r[1] + r[3] > top]
        places = [place * frame.scale + frame.left for place, _ in data.guides]
        free = 0.0
        for x, after, (_, text) in zip(
            places, [*places[1:], frame.width], data.guides, strict=True
        ):
            if x < 0 or x > frame.width:
                continue
            painter.setPen(QPen(line, 1))
            painter.drawLine(QPointF(x, 0), QPointF(x, frame.height))
            room = min(after - x - GAP, WIDEST) if after - x > LEAST else WIDEST
            said = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            width = metrics.horizontalAdvance(said)
            if x < free or any(x < r[0] + r[2] + 8 and x + width > r[0] - 8 for r in covered):
                continue
            painter.setPen(words)
            painter.drawText(QPointF(x + 5, top + metrics.ascent()), said)
            free = x + width + GAP
