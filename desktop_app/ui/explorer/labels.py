"""The layer of labels: the biggest names first, none over another.

Owns which names show and their halo; `label_room` says where there is room. Pictures of names
are kept, so that a frame only copies them. Knows no mouse.
"""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
)

from .focus import Focus
from .frame import Frame
from .graph_data import GraphData
from .label_fading import LabelFading, Told
from .label_room import EDGE, Occupancy, find_spots
from .palette import Palette

HALO = 2.0
KEPT = 1_200
MAX_WIDTH, FULL_WIDTH = 168.0, 420.0
CANDIDATES, MOST_LABELS, CROWDED_LABELS = 420, 140, 64
BIG_DISC = 9.0
CROWD, BOLDEST = 600, 40
MOST_HELD = 40  # chosen or pinned names that are always told


class LabelLayer:
    """Places and paints the names of a frame."""

    def __init__(self, font: QFont) -> None:
        self._pictures: OrderedDict[tuple, tuple[QPixmap, float, float]] = OrderedDict()
        self.fading = LabelFading()
        self.fade_ms = 0  # how long a name takes to come or go
        self.set_font(font)

    def set_font(self, font: QFont) -> None:
        self._pictures.clear()
        self.font = QFont(font)
        self.strong = QFont(font)
        self.strong.setWeight(QFont.Weight.DemiBold)

    def place(self, frame: Frame, data: GraphData, focus: Focus) -> list[Told]:
        """Return every name that has room, the first to be told first."""
        taken = Occupancy(frame.width, frame.height)
        for rect in frame.covered:
            taken.take(*rect)
        # Where discs leave no room at all, the biggest names still stand, over small discs.
        boldest = BOLDEST if len(frame.rows) > CROWD else 0
        taken.take_discs(frame.points[frame.rows], frame.radii[frame.rows])
        big_first = frame.rows[::-1]
        first = [row for row in (focus.hovered, focus.selected) if row is not None]
        held = [*sorted(focus.chosen), *np.flatnonzero(data.pinned).tolist()][:MOST_HELD]
        near = data.neighbours_of(first[0]) if first else []
        ahead = dict.fromkeys([*first, *held, *(int(row) for row in near[:40])])
        visible = set(frame.rows.tolist()) if ahead else set()
        rows = [row for row in ahead if row in visible]
        rows += [int(row) for row in big_first[:CANDIDATES] if int(row) not in ahead]
        if not rows:
            return []
        most = MOST_LABELS if len(frame.rows) <= 160 else CROWDED_LABELS
        marked = {*first, *focus.chosen}
        strong = [bool(frame.radii[row] >= BIG_DISC) or row in marked for row in rows]
        widest = frame.width - 2 * EDGE
        rooms = [min(FULL_WIDTH if row in first else MAX_WIDTH, widest) for row in rows]
        texts = [
            self._measure(data.entities[row].name, bold, room)
            for row, bold, room in zip(rows, strong, rooms, strict=True)
        ]
        sizes = np.array([size for _, *size in texts])
        spots = find_spots(frame.points[rows], frame.radii[rows], sizes, frame.width, frame.height)
        clear = taken.clear_of_discs(spots, sizes)
        placed = []
        for number in range(len(rows)):
            must = rows[number] in first
            may = number < boldest or rows[number] in held  # over small discs where need be
            if not (must or may or clear[number].any()):
                continue
            text, width, height = texts[number]
            ways = spots[number][clear[number]].tolist()
            if must or may:
                ways += spots[number][np.isfinite(spots[number, :, 0])].tolist()
            free = next((s for s in ways if taken.is_free(*s, width, height)), None)
            if free is None and not must:
                continue
            left, top = free or ways[0]
            taken.take(left, top, width, height)
            placed.append(Told(rows[number], left, top, text, strong[number]))
            if len(placed) >= most:
                break
        return placed

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
        told = self.place(frame, data, focus)[::-1]
        if not exact:
            told = self.fading.step(told, data, frame.points, self.fade_ms)
        for row, left, top, text, strong, share in told:
            painter.setOpacity(share if opacities is None else share * float(opacities[row]))
            if exact:
                self._write(painter, left, top, text, strong, palette)
            else:
                ratio = painter.device().devicePixelRatioF()
                picture = self._picture(text, strong, palette, ratio)
                at = QPointF(round(left - HALO - 1), round(top - HALO - 1))
                painter.drawPixmap(at, picture)
        painter.setOpacity(1.0)

    def _measure(self, name: str, strong: bool, room: float) -> tuple[str, float, float]:
        key = ("size", name, strong, room)
        known = self._pictures.get(key)
        if known is None:
            metrics = QFontMetricsF(self.strong if strong else self.font)
            line = " ".join(name.split())
            text = metrics.elidedText(line, Qt.TextElideMode.ElideRight, room).replace(" …", "…")
            known = (text, metrics.horizontalAdvance(text), metrics.height())
            self._keep(key, known)
        return known

    def _picture(self, text: str, strong: bool, palette: Palette, ratio: float) -> QPixmap:
        key = (text, strong, palette.text.rgb(), palette.background.rgb(), ratio)
        picture = self._pictures.get(key)
        if picture is None:
            metrics = QFontMetricsF(self.strong if strong else self.font)
            width = metrics.horizontalAdvance(text) + 2 * HALO + 4
            height = metrics.height() + 2 * HALO + 4
            picture = QPixmap(int(width * ratio) + 1, int(height * ratio) + 1)
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            self._write(painter, HALO + 1, HALO + 1, text, strong, palette)
            painter.end()
            self._keep(key, picture)
        return picture

    def _keep(self, key: tuple, value: object) -> None:
        self._pictures[key] = value
        while len(self._pictures) > KEPT:
            self._pictures.popitem(last=False)

    def _write(
        self, painter: QPainter, left: float, top: float, text: str, strong: bool, palette: Palette
    ) -> None:
        font = self.strong if strong else self.font
        baseline = QPointF(left, top + QFontMetricsF(font).ascent())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        outline = QPainterPath()
        outline.addText(baseline, font, text)
        halo = QColor(palette.background)
        pen = QPen(halo, 2 * HALO)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(outline, pen)
        painter.setFont(font)
        painter.setPen(palette.text)
        painter.drawText(baseline, text)
