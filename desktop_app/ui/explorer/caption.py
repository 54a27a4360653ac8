"""The caption of an exported picture: a title above it, and the legend of its colours below.

Knows neither files nor the window.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from desktop_app.engine.graph.view.graph_data import GraphData
from desktop_app.engine.graph.view.view import View

from ..translation import tr, trn
from ..widgets import format_number
from ..widgets.kind_marks import LINE_WIDTH, kind_pen
from ..widgets.labels import ROUND, paint_sign
from ..widgets.words import format_kind, join_words, look_of_kind, shorten_list
from .frame import Scene
from .layers import paint_disc, shows_kinds
from .node_colors import COLOR_MODES, LegendLine
from .scales import ScaleSample, find_line_ends, list_line_samples, list_node_samples

MARGIN, GAP, MARK, ROW = 16.0, 16.0, 14.0, 22.0
WIDEST_LINE = 280.0
MAX_KINDS = 9
FEW_NAMES = 3  # named in the title


def describe_view(view: View, data: GraphData) -> str:
    """Return the title of a view: what it shows."""
    if view.kind == "top":
        return tr("Whole graph") if len(data) >= data.n_all else tr("Top names")
    if view.kind == "kinds":
        return shorten_list([format_kind(kind).capitalize() for kind in view.kinds])
    rows = [data.row_of[i] for i in view.ids if i in data.row_of]
    names = [" ".join(data.entities[row].name.split()) for row in rows]
    if view.kind == "near" and names:
        return tr("{names} and neighbours", names=shorten_list(names))
    if view.kind == "exact" and names and len(names) <= FEW_NAMES:
        return join_words(names)
    return trn("{n} name", "{n} names", len(rows) or len(data))


@dataclass(frozen=True)
class PictureCaption:
    """The title of a picture, what its colours stand for, and a line for each colour.

    `size_mode` and `size_words` are what the sizes of nodes stand for.
    """

    title: str
    color_mode: str
    lines: Sequence[LegendLine]
    size_mode: str = "connections"
    size_words: str = ""


@dataclass(frozen=True)
class _Entry:
    text: str
    width: float
    paint_mark: Callable[[QPainter, QPointF], None]


class CaptionLayout:
    """Measures and paints a caption for a scene; only colours and kinds in the picture count.

    Args:
        font: of the legend; the title is bigger.
    """

    def __init__(self, caption: PictureCaption, scene: Scene, font: QFont) -> None:
        self._caption, self._scene, self._font = caption, scene, font
        self._strong = QFont(font)
        self._strong.setWeight(QFont.Weight.DemiBold)
        self._big = QFont(self._strong)
        self._big.setPixelSize(round(QFontMetricsF(font).height() * 1.15))
        self._rows = self._wrap(self._list_entries(), scene.frame.width)
        self._rows += self._wrap(self._list_scales(), scene.frame.width)
        self.top = QFontMetricsF(self._big).height() + MARGIN
        self.bottom = ROW * (len(self._rows) + 1) + 1.5 * MARGIN if self._rows else 0.0

    @property
    def title(self) -> str:
        return self._caption.title

    def paint(self, painter: QPainter, height: float) -> None:
        """Paint title and legend; the picture is between them, `height` pixels high."""
        palette = self._scene.palette
        metrics = QFontMetricsF(self._big)
        room = self._scene.frame.width - 2 * MARGIN
        title = metrics.elidedText(self._caption.title, Qt.TextElideMode.ElideRight, room)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._big)
        painter.setPen(palette.text)
        painter.drawText(QPointF(MARGIN, MARGIN + metrics.ascent()), title)
        if not self._rows:
            return
        metrics = QFontMetricsF(self._font)
        baseline = self.top + height + MARGIN + metrics.ascent()
        painter.setFont(self._strong)
        painter.drawText(QPointF(MARGIN, baseline), tr(COLOR_MODES[self._caption.color_mode]))
        for row in self._rows:
            baseline += ROW
            x = MARGIN
            for entry in row:
                painter.setFont(self._font)
                entry.paint_mark(painter, QPointF(x, baseline - metrics.capHeight() / 2))
                painter.setFont(self._font)
                painter.setPen(palette.text)
                painter.drawText(QPointF(x + LINE_WIDTH + 6, baseline), entry.text)
                x += entry.width

    def _list_entries(self) -> list[_Entry]:
        scene, data = self._scene, self._scene.data
        counts = np.bincount(data.color_codes[scene.frame.rows], minlength=1)
        shown = [
            replace(line, count=int(counts[line.code]))
            for line in self._caption.lines
            if line.code < len(counts) and counts[line.code]
        ]
        entries = [self._build_color(line) for line in shown]
        if shows_kinds(scene.frame, data):
            used = np.bincount(data.kind_codes[scene.frame.lines], minlength=len(data.kinds))
            kinds = [kind for kind, n in zip(data.kinds, used, strict=True) if kind and n]
            entries += [self._build_kind(kind) for kind in kinds[:MAX_KINDS]]
        return entries

    def _list_scales(self) -> list[_Entry]:
        """Return samples of nodes and of lines, the last of each with what the numbers count."""
        scene, data, caption = self._scene, self._scene.data, self._caption
        nodes = list_node_samples(data, scene.frame, ROW / 2, mode=caption.size_mode)
        lines = list_line_samples(data, scene.frame, find_line_ends(data), exact=True)
        words = (caption.size_words.lower(), tr("shared passages"))
        entries: list[_Entry] = []
        for samples, unit, build in zip(
            (nodes, lines), words, (self._paint_node, self._paint_line), strict=True
        ):
            for sample in samples:
                text = f"{sample.number} {unit}" if sample is samples[-1] else sample.number
                entries.append(self._build(text.strip(), partial(build, sample)))
        return entries

    def _paint_node(self, sample: ScaleSample, painter: QPainter, at: QPointF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._scene.palette.relation)
        painter.drawEllipse(at + QPointF(LINE_WIDTH / 2, 0), sample.size, sample.size)

    def _paint_line(self, sample: ScaleSample, painter: QPainter, at: QPointF) -> None:
        painter.setPen(QPen(self._scene.palette.relations[sample.strength], sample.size))
        painter.drawLine(QLineF(at, at + QPointF(LINE_WIDTH, 0)))

    def _build_color(self, line: LegendLine) -> _Entry:
        palette = self._scene.palette

        def paint(painter: QPainter, at: QPointF) -> None:
            middle = at + QPointF(LINE_WIDTH / 2, 0)
            paint_disc(painter, palette, line.code, middle, MARK / 2)
            if sign := palette.signs[line.code]:
                font = QFont(painter.font())
                font.setPixelSize(round(MARK * 0.62))
                painter.setFont(font)
                box = QRectF(middle.x() - MARK / 2, middle.y() - MARK / 2, MARK, MARK)
                shape = palette.shapes[line.code] if palette.shapes else ROUND
                ground = palette.discs[line.code]
                if palette.hollow and palette.hollow[line.code]:
                    ground = palette.ring
                paint_sign(painter, box, sign, palette.inks[line.code], shape, ground)

        return self._build(f"{line.words} ({format_number(line.count)})", paint)

    def _build_kind(self, kind: str) -> _Entry:
        look, palette = look_of_kind(kind), self._scene.palette

        def paint(painter: QPainter, at: QPointF) -> None:
            painter.setPen(kind_pen(kind, palette.kinds[look.color], 2.0))
            painter.drawLine(QLineF(at, at + QPointF(LINE_WIDTH, 0)))

        return self._build(look.words.capitalize(), paint)

    def _build(self, text: str, paint_mark: Callable[[QPainter, QPointF], None]) -> _Entry:
        metrics = QFontMetricsF(self._font)
        room = min(WIDEST_LINE, self._scene.frame.width - 2 * MARGIN - LINE_WIDTH - 6)
        text = metrics.elidedText(" ".join(text.split()), Qt.TextElideMode.ElideMiddle, room)
        width = LINE_WIDTH + 6 + metrics.horizontalAdvance(text) + GAP
        return _Entry(text, width, paint_mark)

    def _wrap(self, entries: list[_Entry], width: float) -> list[list[_Entry]]:
        rows: list[list[_Entry]] = []
        used = width
        for entry in entries:
            if not rows or used + entry.width > width - MARGIN + GAP:
                rows.append([])
                used = MARGIN
            rows[-1].append(entry)
            used += entry.width
        return rows
