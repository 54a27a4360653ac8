"""The layers of timeline marks, relations and nodes, and the scene item that paints a layer.

Few nodes are painted exactly, many are copied from a pixmap with all types and sizes; both look
the same. Knows no mouse.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from pyqtgraph import GraphicsObject
from pyqtgraph.Qt.internals import PrimitiveArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QTransform,
)

from desktop_app.engine.graph.view.graph_data import N_STRENGTHS, REST, GraphData
from desktop_app.engine.model import BACKWARD, ENTITY_TYPES, FORWARD

from ..theme.design_tokens import MOST_BEYOND_SIGNED
from ..widgets.kind_marks import kind_pen
from ..widgets.labels import HOLLOW_SHARE, ROUND, paint_shape, paint_sign
from ..widgets.words import look_of_kind
from .frame import Scene, ViewFrame
from .node_colors import (
    FADED,
    LEAST_TOUCHED,
    SIGN_RADIUS,
    GraphPalette,
    blend_over,
    measure_contrast,
    mix_for_contrast,
    with_alpha,
)
from .scales import CLEAR_NODES, MOVING_SMOOTH_LIMIT, can_draw_smooth, measure_lines

EXACT_LIMIT = 400
STEP = 0.5
MAX_SCREEN_RADIUS = 28.0


class DiscSheet:
    """Pixmap of nodes of every colour in steps of half a pixel, per theme and screen density."""

    def __init__(self, palette: GraphPalette, ratio: float) -> None:
        self.ratio, self.palette = ratio, palette
        sizes = np.arange(1.5, MAX_SCREEN_RADIUS + STEP, STEP)
        self._first = float(sizes[0])
        beyond = MOST_BEYOND_SIGNED if palette.shapes else 1.0
        self.cells = np.ceil(2 * (sizes + beyond) + 2)
        self.lefts = np.concatenate(([0.0], np.cumsum(self.cells)[:-1]))
        self.row_height = float(self.cells.max())
        self.pixmap = QPixmap(
            int(self.cells.sum() * ratio) + 1, int(self.row_height * len(palette.discs) * ratio)
        )
        self.pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self.pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(ratio, ratio)
        for code in range(len(palette.discs)):
            for left, cell, size in zip(self.lefts, self.cells, sizes, strict=True):
                middle = QPointF(left + cell / 2, code * self.row_height + cell / 2)
                paint_disc(painter, palette, code, middle, float(size))
        painter.end()

    def columns(self, radii: np.ndarray) -> np.ndarray:
        """Return the column of the pixmap for each radius."""
        return np.clip(np.rint((radii - self._first) / STEP).astype(int), 0, len(self.lefts) - 1)


def paint_disc(
    painter: QPainter,
    palette: GraphPalette,
    code: int,
    middle: QPointF,
    radius: float,
    *,
    in_list: bool = False,
) -> None:
    """Paint one node; from 3 px on with a thin ring that separates it from others.

    Args:
        in_list: a mark beside a name, which has no room beyond its radius.
    """
    shape = palette.shapes[code] if palette.shapes else ROUND
    sign = palette.signs[code]
    is_signed = radius >= SIGN_RADIUS and bool(sign)
    is_large = is_signed and not in_list
    color = ground = palette.discs[code]
    painter.setPen(QPen(palette.ring, 1.2) if radius >= 3 else Qt.PenStyle.NoPen)
    painter.setBrush(color)
    paint_shape(painter, middle, radius, shape, is_signed=is_large)
    if palette.hollow and palette.hollow[code]:
        ground = palette.ring
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        inner = radius - max(1.6, HOLLOW_SHARE * radius)
        paint_shape(painter, middle, inner, shape, is_signed=is_large)
    if is_signed:
        font = QFont(painter.font())
        font.setPixelSize(round(radius * (1.1 if len(sign) == 1 else 0.95)))
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        box = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
        paint_sign(painter, box, sign, palette.inks[code], shape, ground)


class DiscLayer:
    """Paints the visible nodes, their pins and the rings of the selection."""

    def __init__(self) -> None:
        self._sheet: DiscSheet | None = None
        self._fragments = PrimitiveArray(QPainter.PixmapFragment, 10)

    def paint(self, painter: QPainter, scene: Scene) -> None:
        frame, data, palette = scene.frame, scene.data, scene.palette
        opacities = scene.focus.opacities(len(data))
        if scene.exact or len(frame.rows) <= EXACT_LIMIT:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            for row in frame.rows:
                middle, radius = QPointF(*frame.points[row]), frame.radii[row]
                if opacities is not None:
                    if opacities[row] < 1:  # a dimmed node still covers the lines that end in it
                        painter.setOpacity(1.0)
                        painter.setPen(Qt.PenStyle.NoPen)
                        painter.setBrush(palette.background)
                        painter.drawEllipse(middle, radius, radius)
                    painter.setOpacity(float(opacities[row]))
                paint_disc(painter, palette, int(data.color_codes[row]), middle, radius)
            painter.setOpacity(1.0)
        else:
            self._paint_copies(painter, scene, opacities)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.ring)
        for row in frame.rows[data.pinned[frame.rows]]:
            painter.drawEllipse(QPointF(*frame.points[row]), 2.0, 2.0)
        # Rings have a background of their own, because lines of the same colour would hide them.
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for row in scene.focus.ringed():
            if row >= len(data) or not data.shown[row]:
                continue
            middle, radius = QPointF(*frame.points[row]), frame.radii[row]
            first = row == scene.focus.selected
            painter.setPen(QPen(palette.background, 4.0 if first else 3.0))
            painter.drawEllipse(middle, radius + 2.0, radius + 2.0)
            painter.drawEllipse(middle, radius + 5.5, radius + 5.5)
            painter.setPen(QPen(palette.accent, 2.0 if first else 1.4))
            painter.drawEllipse(middle, radius + 3.5, radius + 3.5)

    def _paint_copies(self, painter: QPainter, scene: Scene, opacities: np.ndarray | None) -> None:
        frame, palette, rows = scene.frame, scene.palette, scene.frame.rows
        ratio = painter.device().devicePixelRatioF()
        if self._sheet is None or self._sheet.ratio != ratio or self._sheet.palette != palette:
            self._sheet = DiscSheet(palette, ratio)
        sheet = self._sheet
        columns = sheet.columns(frame.radii[rows])
        self._fragments.resize(len(rows))
        cells = self._fragments.ndarray()
        cells[:, 0:2] = frame.points[rows]
        cells[:, 2] = sheet.lefts[columns] * ratio
        cells[:, 3] = scene.data.color_codes[rows] * sheet.row_height * ratio
        cells[:, 4] = cells[:, 5] = sheet.cells[columns] * ratio
        cells[:, 6] = cells[:, 7] = 1.0 / ratio
        cells[:, 8] = 0.0
        cells[:, 9] = 1.0 if opacities is None else opacities[rows]
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, ratio != 1)
        # the stub does not know the arguments of pyqtgraph's array
        painter.drawPixmapFragments(*self._fragments.drawargs(), sheet.pixmap)  # type: ignore[call-arg]


NEAR_SCALE = 0.8
# Kinds are drawn for up to FEW_LINES at any zoom, and never for more than MANY_LINES.
FEW_LINES, MANY_LINES = 160, 900


MAX_KEPT = 8  # frames of a moving view


class Crowding:
    """How crowded the surroundings of lines are; while the view moves, found every few frames."""

    def __init__(self) -> None:
        self._levels = np.zeros(0, dtype=np.int64)  # of all relations of the view
        self._data: GraphData | None = None
        self._age = 0

    def of(self, frame: ViewFrame, data: GraphData) -> np.ndarray:
        """Return the levels of the lines of a frame, as `find_crowding` does."""
        self._age += 1
        is_known = self._data is data and len(self._levels) == len(data.pairs)
        if not (frame.moving and is_known and self._age < MAX_KEPT):
            self._data, self._age = data, 0
            self._levels = np.zeros(len(data.pairs), dtype=np.int64)
            self._levels[frame.lines] = find_crowding(frame, data)
        return np.asarray(self._levels[frame.lines])


N_COLORS = 64  # more than there are colours of nodes: 0 is a line without a colour


def find_inner_colors(data: GraphData, lines: np.ndarray) -> np.ndarray:
    """Return the colour code of the community or document that lines are inside of, shape (L,).

    It is 0 for lines between two of them, for those of small ones, which have no colour of their
    own, and where colours stand for types.
    """
    first, second = data.color_codes[data.pairs[lines]].T
    is_step = (first >= len(ENTITY_TYPES)) & (first < REST)
    return np.where((first == second) & is_step, first, 0)


class RelationLayer:
    """Paints the visible relations, those of the selection last in the accent colour.

    While the view moves, only few lines are smooth: they cost several times as much as others.
    A frame that is painted again (while the pointer hovers) is copied from a pixmap.
    """

    def __init__(self) -> None:
        self._lines = PrimitiveArray(QLineF, 4)
        self._crowding = Crowding()
        self._copied: tuple[ViewFrame, GraphPalette, float] | None = None
        self._copy: QPixmap | None = None
        self._tints_of: GraphPalette | None = None
        self._tints: dict[tuple[int, int, int], QColor] = {}

    def paint(self, painter: QPainter, scene: Scene) -> None:
        focus = scene.focus
        fade = 1.0 - (1.0 - FADED) * focus.fade if focus.hovered is not None else 1.0
        if focus.has_path:
            fade = FADED
        if scene.exact or not self._is_repeated(painter, scene):
            self._paint_all(painter, scene, fade)
        else:
            painter.setOpacity(fade)
            painter.drawPixmap(QPointF(0, 0), self._copy_of(painter, scene))
            painter.setOpacity(1.0)
        self._paint_touched(painter, scene)

    def _is_repeated(self, painter: QPainter, scene: Scene) -> bool:
        """Return whether the frame is the one of the last paint, and remember it."""
        ratio, last = painter.device().devicePixelRatioF(), self._copied
        self._copied = (scene.frame, scene.palette, ratio)
        if last is not None and last[0] is scene.frame and last[1:] == self._copied[1:]:
            return True
        self._copy = None
        return False

    def _copy_of(self, painter: QPainter, scene: Scene) -> QPixmap:
        """Return all relations of the frame as a pixmap, painted when it is first needed."""
        if self._copy is None:
            ratio, frame = painter.device().devicePixelRatioF(), scene.frame
            self._copy = QPixmap(int(frame.width * ratio) + 1, int(frame.height * ratio) + 1)
            self._copy.setDevicePixelRatio(ratio)
            self._copy.fill(Qt.GlobalColor.transparent)
            own = QPainter(self._copy)
            self._paint_all(own, scene, 1.0)
            own.end()
        return self._copy

    def _paint_all(self, painter: QPainter, scene: Scene, fade: float) -> None:
        frame, data, palette = scene.frame, scene.data, scene.palette
        if not len(frame.lines):
            return
        smooth = can_draw_smooth(frame, exact=scene.exact)
        widths = measure_lines(frame.scale, data, smooth=smooth)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        by_kind = shows_kinds(frame, data)
        shades = (palette.relations, *palette.crowded)
        crowding = self._crowding.of(frame, data)
        if len(data) <= CLEAR_NODES:
            crowding = np.minimum(crowding, 1)
        looks = data.strengths[frame.lines] - N_STRENGTHS * crowding
        inside = np.zeros(len(frame.lines), dtype=np.int64)
        if len(data) <= CLEAR_NODES and not palette.shapes:
            inside = find_inner_colors(data, frame.lines)
        looks = looks * N_COLORS + inside
        order = np.argsort(looks.astype(np.int16), kind="stable")
        ends = np.searchsorted(looks[order], looks_now := np.unique(looks), side="right")
        # the paler lines first: they lie below the others
        for one, lines in zip(looks_now, np.split(frame.lines[order], ends[:-1]), strict=True):
            look, color = divmod(int(one), N_COLORS)
            level, strength = -(look // N_STRENGTHS), look % N_STRENGTHS
            shade = shades[level][strength]
            if color:
                shade = self._tint(palette, level, strength, color)
            # Qt blends each pixel of a transparent line, which takes ten times as long.
            plain = blend_over(palette.background, with_alpha(shade, fade))
            self._draw(painter, scene, lines, plain, widths[strength], by_kind=by_kind, fade=fade)

    def _tint(self, palette: GraphPalette, level: int, strength: int, color: int) -> QColor:
        """Return the colour of lines inside a community, as strong as the grey of others."""
        if self._tints_of is not palette:
            self._tints_of, self._tints = palette, {}
        key = level, strength, color
        if key not in self._tints:
            grey = (palette.relations, *palette.crowded)[level][strength]
            contrast = measure_contrast(grey, palette.background)
            disc = palette.discs[color]
            self._tints[key] = mix_for_contrast(palette.background, disc, contrast)
        return self._tints[key]

    def _paint_touched(self, painter: QPainter, scene: Scene) -> None:
        frame, data, focus, palette = scene.frame, scene.data, scene.focus, scene.palette
        touched = focus.touched(data)
        touched = touched[data.shown[data.pairs[touched]].all(1)] if len(touched) else touched
        if not len(touched):
            return
        smooth = can_be_smooth(len(touched), painter.paintEngine().type())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
        widths = measure_lines(frame.scale, data, smooth=smooth, touched=True)
        if palette.shapes and smooth:  # high contrast
            widths = tuple(max(LEAST_TOUCHED, width) for width in widths)
        classes = data.strengths[touched]
        for strength in np.unique(classes):
            lines = touched[classes == strength]
            self._draw(
                painter, scene, lines, palette.touched[strength], widths[strength], by_kind=smooth
            )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        path = focus.path_relations
        if len(path := path[data.shown[data.pairs[path]].all(1)]):
            self._draw(painter, scene, path, with_alpha(palette.accent, 0.9), 2.6, by_kind=True)

    def _draw(
        self,
        painter: QPainter,
        scene: Scene,
        lines: np.ndarray,
        shade: QColor,
        width: float,
        *,
        by_kind: bool,
        fade: float = 1.0,
    ) -> None:
        """Draw lines of one strength, all alike or each kind in its own style."""
        data = scene.data
        codes = data.kind_codes[lines] if by_kind else np.zeros(0, dtype=np.int64)
        for code in np.unique(codes) if by_kind else (0,):
            pen = QPen(shade, width)
            if by_kind and (kind := data.kinds[code]):
                color = scene.palette.kinds[look_of_kind(kind).color]
                pen = kind_pen(kind, with_alpha(color, fade), max(width, 1.5))
            alike = data.pairs[lines[codes == code] if by_kind else lines]
            self._lines.resize(len(alike))
            ends = self._lines.ndarray()
            ends[:, 0:2] = scene.frame.points[alike[:, 0]]
            ends[:, 2:4] = scene.frame.points[alike[:, 1]]
            painter.setPen(pen)
            painter.drawLines(*self._lines.drawargs())
            if by_kind:
                paint_arrows(painter, scene, lines[codes == code], pen.color(), pen.widthF())


def can_be_smooth(n_lines: int, engine: QPaintEngine.Type) -> bool:
    """Return whether so many highlighted lines are drawn smooth and with their widths and kinds.

    With OpenGL, Qt makes triangles of each such line on the processor: 385 ms for the name with
    most relations in a view of 50,000 names, 41 ms without OpenGL. Lines of one pixel are drawn by
    the card, and smoothed by its samples.
    """
    return engine != QPaintEngine.Type.OpenGL2 or n_lines <= MOVING_SMOOTH_LIMIT


CELL, SAMPLES = 40.0, (0.2, 0.5, 0.8)  # pixels; shares of a line
CROWDED = (0.07, 0.13)  # pixels of lines per square pixel, from which lines are paler


def find_crowding(frame: ViewFrame, data: GraphData) -> np.ndarray:
    """Return how crowded the surroundings of each line of a frame are, 0 to 2, shape (L,).

    A line counts in the cells of three of its points, if they are visible, and there for no more
    than the width of a cell. Cells are fixed to the
    graph, so that no line changes its colour while the view is moved.
    """
    ends = data.pairs[frame.lines]
    if not len(ends):
        return np.zeros(0, dtype=np.int64)
    points = frame.points
    x, y = points[ends[:, 0], 0], points[ends[:, 0], 1]
    along_x, along_y = points[ends[:, 1], 0] - x, points[ends[:, 1], 1] - y
    part = np.minimum(np.hypot(along_x, along_y) / len(SAMPLES), CELL) / CELL**2
    first_x, first_y = (-(-place // CELL) for place in (-frame.left, -frame.top))
    n_x, n_y = int(frame.width // CELL) + 2, int(frame.height // CELL) + 2
    n = n_x * n_y
    cells, n_seen = [], np.zeros(len(ends))
    for share in SAMPLES:
        column = ((x + share * along_x - frame.left) / CELL - first_x + 1).astype(np.int64)
        row = ((y + share * along_y - frame.top) / CELL - first_y + 1).astype(np.int64)
        seen = (column >= 0) & (column < n_x) & (row >= 0) & (row < n_y)
        cells.append(np.where(seen, column * n_y + row, n))
        n_seen += seen
    ink = np.zeros(n + 1)
    for cell in cells:
        ink += np.bincount(cell, part, n + 1)
    ink[n] = 0.0  # of all that is not visible
    total = ink[np.stack(cells)].sum(axis=0)
    return np.digitize(total / np.maximum(n_seen, 1), CROWDED)


# Arrow heads have the same size at every zoom, up to the given share of the line that is seen.
ARROW_LENGTH, ARROW_WIDTH, ARROW_SHARE = 7.0, 3.4, 0.45
ARROW_GAP = 1.5  # between a node and the tip
MIN_ARROW = 3.0
ARROW_ALPHA = 1.8  # a head has more opacity than its line


def paint_arrows(
    painter: QPainter, scene: Scene, lines: np.ndarray, color: QColor, width: float
) -> None:
    """Paint a head at the end of each line whose direction is known, two for both directions."""
    data, frame = scene.data, scene.frame
    directions = data.directions[lines]
    if len(lines) > MANY_LINES or not directions.any():
        return
    heads = QPainterPath()
    for bit, (start, end) in ((FORWARD, (0, 1)), (BACKWARD, (1, 0))):
        pairs = data.pairs[lines[(directions & bit) > 0]]
        tails, tips = frame.points[pairs[:, start]], frame.points[pairs[:, end]]
        along = tips - tails
        lengths = np.hypot(along[:, 0], along[:, 1])
        radii = frame.radii[pairs]
        seen = lengths - radii.sum(axis=1)
        sizes = np.minimum(ARROW_LENGTH + 2.0 * width, ARROW_SHARE * seen)
        fits = sizes >= MIN_ARROW
        if not fits.any():
            continue
        unit = along[fits] / lengths[fits, None]
        size = sizes[fits, None]
        tip = tips[fits] - unit * (radii[fits, end] + ARROW_GAP)[:, None]
        back = tip - unit * size
        half = unit[:, ::-1] * (-1.0, 1.0) * size * (ARROW_WIDTH / ARROW_LENGTH)
        for corners in np.stack((tip, back + half, back - half), axis=1).tolist():
            heads.moveTo(*corners[0])
            heads.lineTo(*corners[1])
            heads.lineTo(*corners[2])
            heads.closeSubpath()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(with_alpha(color, color.alphaF() * ARROW_ALPHA))
    painter.drawPath(heads)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def shows_kinds(frame: ViewFrame, data: GraphData) -> bool:
    """Return whether kinds and directions are drawn: zoomed in, or for few lines."""
    if len(frame.lines) > MANY_LINES or not (any(data.kinds) or data.directions.any()):
        return False
    return frame.scale >= NEAR_SCALE or len(frame.lines) <= FEW_LINES


TOP, GAP, LEAST, WIDEST = 53.0, 12.0, 52.0, 150.0


class GuideLayer:
    """Paints the chapter marks of a timeline; other layouts have none."""

    def __init__(self, font: QFont) -> None:
        self.font = font

    def paint(self, painter: QPainter, scene: Scene) -> None:
        frame, guides = scene.frame, scene.data.guides
        if not guides:
            return
        metrics = QFontMetricsF(self.font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self.font)
        relation = scene.palette.relation
        line, words = with_alpha(relation, 0.22), with_alpha(relation, 0.95)
        top, bottom = TOP, TOP + metrics.height()
        covered = [r for r in frame.covered if r[1] < bottom and r[1] + r[3] > top]
        places = [place * frame.scale + frame.left for place, _ in guides]
        free = 0.0
        for x, after, (_, text) in zip(places, [*places[1:], frame.width], guides, strict=True):
            if x < 0 or x > frame.width:
                continue
            painter.setPen(QPen(line, 1))
            painter.drawLine(QPointF(x, 0), QPointF(x, frame.height))
            room = min(after - x - GAP, WIDEST) if after - x > LEAST else WIDEST
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            width = metrics.horizontalAdvance(text)
            if x < free or any(x < r[0] + r[2] + 8 and x + width > r[0] - 8 for r in covered):
                continue
            painter.setPen(words)
            painter.drawText(QPointF(x + 5, top + metrics.ascent()), text)
            free = x + width + GAP


class LayerItem(GraphicsObject):
    """Calls `paint_layer(painter, transform)` with the painter in pixels of the widget."""

    def __init__(self, paint_layer: Callable[[QPainter, QTransform], None], z: float) -> None:
        super().__init__()
        self._paint_layer = paint_layer
        self.setZValue(z)

    def boundingRect(self) -> QRectF:
        return QRectF(-1e6, -1e6, 2e6, 2e6)

    def paint(self, painter: QPainter, *_: object) -> None:
        transform = painter.worldTransform()
        painter.save()
        painter.resetTransform()
        self._paint_layer(painter, transform)
        painter.restore()
