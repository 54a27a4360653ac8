"""The layer of labels: places the titles of communities and documents, and paints them and names.

Names are placed by `label_placement`. Rendered ones are cached as pixmaps. Knows no mouse.
"""

from __future__ import annotations

import itertools
import math
import time
from collections import OrderedDict
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from desktop_app.engine.graph.view.graph_data import MIN_TITLED_NODES, GraphData

from .animations import LabelChoice, LabelFading
from .frame import Focus, Scene, ViewFrame
from .label_placement import (
    CROWD,
    MAX_WIDTH,
    PLATE,
    PLATE_EDGE,
    TITLE_GAP,
    LabelPlacement,
    PlacedTitle,
    shows_each_name,
)
from .label_spots import EDGE, Occupancy, count_crossings
from .node_colors import TITLE_PARTS, GraphPalette, fit_title, name_group

HALO = 3.0  # pixels in the colour of the ground around a text, over lines
# Whole pixels: Qt draws text at no others. The edge of a disc of that size, and half-way to it.
HALO_STEPS = [
    QPointF(x, y)
    for x, y in itertools.product(range(-3, 4), repeat=2)
    if 2.5 < math.hypot(x, y) < 3.2 or 1.2 < math.hypot(x, y) < 2.1
]
KEPT = 1_200
# Seconds for labels in each frame of a moving view: a third of a frame at 50 frames a second.
PLACING_S = 0.006
MOVED = 8  # frames of a moving view that only move the labels, before others are placed
NEW_WHILE_MOVING = 3  # names rendered in one frame of a moving view; the others follow
TITLE_SIZE = 1.2  # of the title of a community, in that of a label
HEADING_SIZE = 1.5  # of the title of a document: larger than every name in it
# Pixels: the title of a document is so near to a node of it, and so much nearer than to any other
# node. At the edge of the view, or between two documents, it has no such place.
HEADING_REACH, HEADING_CLEARER = 30.0, 12.0
HEADING_WIDTH = 300.0  # pixels
TITLE_STEP = 7.0  # pixels between the places of a title that has none of the usual ones
LINE_COST = 40.0  # pixels that it is moved further for each line less that it is over


@dataclass
class PlacedLabels:
    """The labels of the last frame for which they were placed.

    Attributes:
        frame: in which they were placed.
        data, state: what else than the view decides which labels there are.
        middles: of their nodes, shape (N, 2); rows: their nodes, shape (N,).
        age: how many frames have moved them since.
    """

    frame: ViewFrame
    data: GraphData
    state: tuple[object, ...]
    choices: list[LabelChoice]
    middles: np.ndarray
    rows: np.ndarray
    age: int = 0


@dataclass
class ComingLabels:
    """Labels that are placed a part in each frame of a moving view; see `LabelPlacement.steps`.

    Attributes:
        frame, data, state: see `PlacedLabels`.
    """

    frame: ViewFrame
    data: GraphData
    state: tuple[object, ...]
    steps: Generator[None, None, list[LabelChoice]]


def _remember(
    choices: list[LabelChoice], frame: ViewFrame, data: GraphData, state: tuple[object, ...]
) -> PlacedLabels:
    rows = np.array([choice.row for choice in choices], dtype=np.int64)
    return PlacedLabels(frame, data, state, choices, frame.points[rows], rows)


def _keep_known(
    last: PlacedLabels, data: GraphData, state: tuple[object, ...]
) -> PlacedLabels | None:
    """Return the labels of the nodes that are in other data too, with the same name, if any are.

    The nodes are on their way there. Names that are new have their labels where they arrive: they
    begin at a neighbour, where all labels would have to be placed in a crowd for a single frame.
    """
    kept, rows = [], []
    for number, choice in enumerate(last.choices):
        entity = last.data.entities[choice.row]
        row = data.row_of.get(entity.id)
        if row is not None and data.entities[row].name == entity.name:
            kept.append(number)
            rows.append(row)
    if not kept:
        return None
    choices = [
        last.choices[number]._replace(row=row) for number, row in zip(kept, rows, strict=True)
    ]
    return PlacedLabels(last.frame, data, state, choices, last.middles[kept], np.array(rows))


ABOVE_OR_BELOW = 2  # spots of a title that may be over nodes


def find_title_spots(
    box: tuple[float, float, float, float], size: tuple[float, float], view: tuple[float, float]
) -> np.ndarray:
    """Return positions (left, top) of a title around its nodes, best first, NaN outside the view.

    The first ones, above and below the middle of the nodes, are moved into the view.

    Args:
        box: left, top, right and bottom of the nodes; size: of the title; view: its size.
    """
    (left, top, right, bottom), (width, height) = box, size
    above, below = top - height - TITLE_GAP, bottom + TITLE_GAP
    centred, level = (left + right - width) / 2, (top + bottom - height) / 2
    spots = np.array(
        [
            *((x, y) for x in (centred, left, right - width) for y in (above, below)),
            (right + TITLE_GAP, level),
            (left - TITLE_GAP - width, level),
            *((x, y) for x in (right, left - width) for y in (above, below)),
        ]
    )
    low = np.array((EDGE, EDGE))
    most = np.maximum(np.array(view) - size - EDGE, low)
    inside = np.clip(spots, low, most)
    spots[:ABOVE_OR_BELOW] = inside[:ABOVE_OR_BELOW]
    spots[(spots != inside).any(1)] = np.nan
    return spots


def list_title_spots(
    box: tuple[float, float, float, float], size: tuple[float, float], view: tuple[float, float]
) -> np.ndarray:
    """Return all positions (left, top) of a title in and around its nodes, in steps, shape (S, 2).

    Args:
        box, size, view: see `find_title_spots`.
    """
    (left, top, right, bottom), (width, height) = box, size
    across = np.arange(left - width - HEADING_REACH, right + HEADING_REACH + 1, TITLE_STEP)
    down = np.arange(top - height - HEADING_REACH, bottom + HEADING_REACH + 1, TITLE_STEP)
    spots = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    most = np.array(view) - size - EDGE
    inside: np.ndarray = spots[((spots >= EDGE) & (spots <= most)).all(1)]
    return inside


def belong_to(
    spots: np.ndarray,
    size: tuple[float, float],
    points: np.ndarray,
    radii: np.ndarray,
    is_own: np.ndarray,
) -> np.ndarray:
    """Return which places of a title can only be read as the title of its own nodes, shape (S,).

    Args:
        spots: left and top in pixels, shape (S, 2), NaN for no place; size: width and height.
        points, radii, is_own: of all visible nodes, shapes (N, 2), (N,) and (N,).
    """
    low = spots[:, None, :]
    beyond = np.maximum(np.maximum(low - points, points - low - np.array(size)), 0.0)
    distances = np.hypot(beyond[..., 0], beyond[..., 1]) - radii
    own = np.where(is_own, distances, np.inf).min(axis=1, initial=np.inf)
    others = np.where(is_own, np.inf, distances).min(axis=1, initial=np.inf)
    with np.errstate(invalid="ignore"):  # of places that are NaN
        return (own <= HEADING_REACH) & (own + HEADING_CLEARER <= others)


def draw_plate(
    painter: QPainter,
    at: QPointF,
    text: str,
    font: QFont,
    palette: GraphPalette,
    edge: float,
    edge_above: float = 0.0,
) -> None:
    """Draw a plate in the colour of the ground that covers the lines below a text.

    Args:
        at: left and top of the text.
        edge, edge_above: pixels of the plate beside the text, and above and below it.
    """
    metrics = QFontMetricsF(font)
    area = QRectF(at.x(), at.y(), metrics.horizontalAdvance(text), metrics.height())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(palette.background)
    painter.drawRoundedRect(area.adjusted(-edge, -edge_above, edge, edge_above), edge, edge)


class LabelLayer:
    """Places and paints the names of a frame."""

    def __init__(self, font: QFont) -> None:
        self._pictures: OrderedDict[tuple, QPixmap] = OrderedDict()
        self._sizes: OrderedDict[tuple, tuple[str, float, float]] = OrderedDict()
        self.fading = LabelFading()
        self.fade_ms = 0  # how long a label takes to fade
        # Nodes are on their way to other places: labels go with them, and are placed where they
        # arrive. Placing takes more than half of a frame.
        self.follows_nodes = False
        self._titled: tuple[GraphData, dict[int, str]] | None = None
        self._titles_placed: tuple[ViewFrame, GraphData, list[PlacedTitle]] | None = None
        self._placed: PlacedLabels | None = None
        self._coming: ComingLabels | None = None
        self._n_new = 0
        self._on_plates = False
        self.set_font(font)

    def set_font(self, font: QFont) -> None:
        self._pictures.clear()
        self._sizes.clear()
        self._placed = self._coming = self._titles_placed = None
        self.font = font
        self.strong = QFont(font)
        self.strong.setWeight(QFont.Weight.DemiBold)
        self.big, self.heading = QFont(self.strong), QFont(self.strong)
        for larger, share in ((self.big, TITLE_SIZE), (self.heading, HEADING_SIZE)):
            if font.pixelSize() > 0:
                larger.setPixelSize(round(font.pixelSize() * share))
            else:
                larger.setPointSizeF(font.pointSizeF() * share)
        self.fonts = (self.font, self.strong, self.big, self.heading)

    def place_titles(self, frame: ViewFrame, data: GraphData) -> list[PlacedTitle]:
        """Return the titles of large communities or parts, above their nodes, below or beside them.

        In a view that is not laid out by communities, only the parts of documents have titles.
        """
        if not (data.is_by_community or data.part_titles):
            return []
        last = self._titles_placed
        if last is None or last[0] is not frame or last[1] is not data:
            last = self._titles_placed = (frame, data, self._place_titles(frame, data))
        return last[2]

    def _place_titles(self, frame: ViewFrame, data: GraphData) -> list[PlacedTitle]:
        if self._titled is None or self._titled[0] is not data:
            titles = data.part_titles
            if data.is_by_community:
                numbers = np.unique(data.communities).tolist()
                titles = {n: name_group(data, n, n_names=1) for n in numbers}
            self._titled = (data, titles)
        titles = self._titled[1]
        codes = data.communities if data.is_by_community else data.parts
        rows = frame.rows[np.argsort(codes[frame.rows], kind="stable")]
        groups = codes[rows]
        starts = np.flatnonzero(np.diff(groups, prepend=groups[:1] - 1))
        taken = Occupancy(frame.width, frame.height)
        taken.take_discs(frame.points[frame.rows], frame.radii[frame.rows])
        for rect in frame.covered:
            taken.take(*rect)
        placed: list[PlacedTitle] = []
        left_out: list[np.ndarray] = []

        def place(members: np.ndarray, *, anywhere: bool) -> bool:
            line = " ".join(titles[int(codes[members[0]])].split())
            title = self._place_title(frame, data, members, line, taken, anywhere=anywhere)
            if title is not None:
                taken.take(*title[:4])
                placed.append(title)
            return title is not None

        for members in sorted(np.split(rows, starts[1:]), key=len, reverse=True):
            if len(members) < MIN_TITLED_NODES:
                break
            # names without a community or title have nothing in common
            if codes[members[0]] >= 0 and not place(members, anywhere=False):
                left_out.append(members)
        if not data.is_by_community and len(frame.rows) <= CROWD:
            for members in left_out:
                place(members, anywhere=True)
        return placed

    def _place_title(
        self,
        frame: ViewFrame,
        data: GraphData,
        members: np.ndarray,
        line: str,
        taken: Occupancy,
        *,
        anywhere: bool,
    ) -> PlacedTitle | None:
        """Return the title of these nodes where it has room.

        Args:
            anywhere: in any place that belongs to the nodes, if need be with smaller letters, and
                not only in the usual ones.
        """
        reach = frame.radii[members, None]
        left, top = (frame.points[members] - reach).min(0).tolist()
        right, bottom = (frame.points[members] + reach).max(0).tolist()
        box = (left, top, right, bottom)
        widest = MAX_WIDTH if data.is_by_community else HEADING_WIDTH
        room = min(max(right - left, widest), frame.width - 2 * EDGE)
        biggest = int(members[-1])  # rows of a frame come biggest last
        is_name = data.is_by_community and line == " ".join(data.entities[biggest].name.split())
        row = biggest if is_name else None
        view = (frame.width, frame.height)
        levels = self.title_levels(data)
        for level in levels if anywhere else levels[:1]:
            metrics = QFontMetricsF(self.fonts[level])
            text = fit_title(line, metrics.horizontalAdvance, room)
            if text is None:
                text = metrics.elidedText(line, Qt.TextElideMode.ElideRight, room)
            short = TITLE_PARTS.split(line, maxsplit=1)[0]
            texts = [text, short] if metrics.horizontalAdvance(short) < room else [text]
            sizes = [(metrics.horizontalAdvance(one), metrics.height()) for one in texts]
            for number, (wanted, size) in enumerate(zip(texts, sizes, strict=True)):
                n_over_nodes = ABOVE_OR_BELOW if number == 0 and data.is_by_community else 0
                list_spots = list_title_spots if anywhere else find_title_spots
                spots = list_spots(box, size, view)
                spots = self._keep_free(frame, data, members, spots, size, taken, n_over_nodes)
                if len(spots):
                    x, y = self._find_best(frame, data, box, spots, size) if anywhere else spots[0]
                    return PlacedTitle(float(x), float(y), *size, wanted, row, level)
        return None

    def _keep_free(
        self,
        frame: ViewFrame,
        data: GraphData,
        members: np.ndarray,
        spots: np.ndarray,
        size: tuple[float, float],
        taken: Occupancy,
        n_over_nodes: int = 0,
    ) -> np.ndarray:
        """Return the places that are free, and in a part belong to its nodes.

        Args:
            n_over_nodes: how many of the first places may be over nodes.
        """
        # beside the nodes, a title must not stand over others, whose name it would seem
        edge = 0.0 if data.is_by_community else TITLE_GAP / 2
        wide = np.broadcast_to(np.array(size) + 2 * edge, (1, len(spots), 2))
        is_clear = taken.clear_of_discs(spots[None] - edge, wide)[0]
        is_clear[:n_over_nodes] = True
        is_clear &= np.isfinite(spots[:, 0])
        spots = spots[is_clear]
        is_free = [taken.is_free(x, y, *size) for x, y in spots.tolist()]
        spots = spots[np.array(is_free, dtype=bool)]
        if not data.is_by_community and len(spots):
            is_own = np.isin(frame.rows, members)
            discs = (frame.points[frame.rows], frame.radii[frame.rows])
            spots = spots[belong_to(spots, size, *discs, is_own)]
        return spots

    def _find_best(
        self,
        frame: ViewFrame,
        data: GraphData,
        box: tuple[float, float, float, float],
        spots: np.ndarray,
        size: tuple[float, float],
    ) -> np.ndarray:
        """Return the place that is nearest to the middle above or below the nodes, off lines."""
        usual = find_title_spots(box, size, (np.inf, np.inf))[:ABOVE_OR_BELOW]
        costs = np.linalg.norm(spots[:, None] - usual, axis=2).min(axis=1)
        if len(frame.lines):
            starts, ends = (frame.points[data.pairs[frame.lines, end]] for end in (0, 1))
            crossed = count_crossings(spots[None], np.array([size]), starts, ends)[0]
            costs = costs + LINE_COST * crossed
        best: np.ndarray = spots[costs.argmin()]
        return best

    def place(self, frame: ViewFrame, data: GraphData, focus: Focus) -> list[LabelChoice]:
        """Return the labels that have room, the most important first."""
        return self._prepare(frame, data, focus).run()

    def _prepare(self, frame: ViewFrame, data: GraphData, focus: Focus) -> LabelPlacement:
        titles = self.place_titles(frame, data)
        return LabelPlacement(frame, data, focus, titles, self.measure)

    def labels_of(self, frame: ViewFrame, data: GraphData, focus: Focus) -> list[LabelChoice]:
        """Return the labels; while a crowded view moves, those placed last go with their nodes.

        Their places for the new view are found a part in each frame: all at once take longer than
        a frame should. While nodes go to other places, labels are placed where they arrive.
        """
        marked = (focus.hovered, focus.selected, *sorted(focus.chosen))
        state = (frame.covered, frame.width, frame.height, marked)
        last = self._placed
        if last is not None and last.data is not data and self.follows_nodes:
            last = self._placed = _keep_known(last, data, state) or last
        is_same = last is not None and last.data is data and last.state == state
        if last is not None and is_same and last.frame is frame:
            return last.choices  # painted again, such as under a panel that changed
        is_crowd_moving = frame.moving and len(frame.rows) > CROWD
        if last is None or not is_same or not (is_crowd_moving or self.follows_nodes):
            self._coming = None
            choices = self.place(frame, data, focus)
            self._placed = _remember(choices, frame, data, state)
            return choices
        last.age += 1
        if not self.follows_nodes and last.age > MOVED:
            last = self._place_a_part(frame, data, focus, state) or last
        return self._move(last, frame)

    def _place_a_part(
        self, frame: ViewFrame, data: GraphData, focus: Focus, state: tuple[object, ...]
    ) -> PlacedLabels | None:
        """Go on with the labels of the moving view, and return them when all are placed."""
        coming = self._coming
        if coming is None or coming.data is not data or coming.state != state:
            steps = self._prepare(frame, data, focus).steps()
            coming = self._coming = ComingLabels(frame, data, state, steps)
        end = time.perf_counter() + PLACING_S
        try:
            next(coming.steps)
            while time.perf_counter() < end:
                next(coming.steps)
        except StopIteration as ended:
            self._coming = None
            self._placed = _remember(ended.value, coming.frame, data, state)
            return self._placed
        return None

    def _move(self, last: PlacedLabels, frame: ViewFrame) -> list[LabelChoice]:
        """Return the labels beside the new places of their nodes.

        Where the nodes came nearer to each other, the less important ones give way.
        """
        seen = set(frame.rows.tolist())
        steps = (frame.points[last.rows] - last.middles).tolist()
        moved = [
            choice._replace(left=choice.left + x, top=choice.top + y)
            for choice, (x, y) in zip(last.choices, steps, strict=True)
            if choice.row in seen
        ]
        if frame.scale >= last.frame.scale:
            return moved
        taken = Occupancy(frame.width, frame.height)
        free = []
        for choice in moved:
            _, width, height = self.measure(choice.text, choice.level, math.inf)
            if taken.is_free(choice.left, choice.top, width, height):
                taken.take(choice.left, choice.top, width, height)
                free.append(choice)
        return free

    def paint(self, painter: QPainter, scene: Scene) -> None:
        frame, data = scene.frame, scene.data
        self._n_new = 0
        self._on_plates = shows_each_name(frame, data)
        opacities = scene.focus.opacities(len(data))
        choices = self.labels_of(frame, data, scene.focus)[::-1]
        if not scene.exact:
            choices = self.fading.step(choices, data, frame.points, self.fade_ms)
        for row, left, top, text, level, share in choices:
            painter.setOpacity(share if opacities is None else share * float(opacities[row]))
            at, font = QPointF(left, top), self.fonts[level]
            self._draw(painter, scene, at, text, font, plate=row == scene.focus.selected)
        painter.setOpacity(1.0)
        for title in self.place_titles(frame, data):
            at = QPointF(title.left, title.top)
            self._draw(painter, scene, at, title.text, self.fonts[title.level])

    def title_levels(self, data: GraphData) -> tuple[int, ...]:
        """Return the fonts that titles may have, the preferred one first."""
        return (2,) if data.is_by_community else (3, 2, 1)

    def _draw(
        self,
        painter: QPainter,
        scene: Scene,
        at: QPointF,
        text: str,
        font: QFont,
        *,
        plate: bool = False,
    ) -> None:
        """Draw a text, from a pixmap on the screen; a moving view renders few new ones.

        It is on a plate in the colour of the ground where labels are over no node: with its halo
        alone, a line between two of its words still seems to run through it.

        Args:
            plate: on a larger plate.
        """
        if plate:
            draw_plate(painter, at, text, font, scene.palette, PLATE, 1)
        if scene.exact:
            if self._on_plates and not plate:
                draw_plate(painter, at, text, font, scene.palette, PLATE_EDGE)
            self._write(painter, at, text, font, scene.palette)
            return
        ratio = painter.device().devicePixelRatioF()
        palette = scene.palette
        colors = palette.text.rgb(), palette.background.rgb()
        known = (text, font.key(), *colors, ratio)
        key = (*known, self._on_plates)
        picture = self._pictures.get(key)
        if picture is None and scene.frame.moving:
            # zoomed past the number of nodes that have plates: as it was until the view rests
            picture = self._pictures.get((*known, not self._on_plates))
        if picture is None:
            if scene.frame.moving and self._n_new >= NEW_WHILE_MOVING:
                return
            self._n_new += 1
            picture = self._pictures[key] = self._render(text, font, palette, ratio)
            if len(self._pictures) > KEPT:
                self._pictures.popitem(last=False)
        left, top = round(at.x() - HALO - 1), round(at.y() - HALO - 1)
        painter.drawPixmap(QPointF(left, top), picture)

    def measure(self, name: str, level: int, room: float) -> tuple[str, float, float]:
        """Return the text of a name that has room, and its size.

        Args:
            level: of its font, see `LabelChoice`.
        """
        key = (name, level, room)
        size = self._sizes.get(key)
        if size is None:
            metrics = QFontMetricsF(self.fonts[level])
            line = " ".join(name.split())
            text = metrics.elidedText(line, Qt.TextElideMode.ElideRight, room).replace(" …", "…")
            size = self._sizes[key] = (text, metrics.horizontalAdvance(text), metrics.height())
            if len(self._sizes) > KEPT:
                self._sizes.popitem(last=False)
        return size

    def _render(self, text: str, font: QFont, palette: GraphPalette, ratio: float) -> QPixmap:
        metrics = QFontMetricsF(font)
        width = metrics.horizontalAdvance(text) + 2 * HALO + 4
        height = metrics.height() + 2 * HALO + 4
        picture = QPixmap(int(width * ratio) + 1, int(height * ratio) + 1)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setFont(font)
        painter.setPen(palette.background)
        if self._on_plates:
            draw_plate(painter, QPointF(HALO + 1, HALO + 1), text, font, palette, PLATE_EDGE)
            painter.setPen(palette.background)
        at = QPointF(HALO + 1, HALO + 1 + metrics.ascent())
        for step in HALO_STEPS:  # a third of the time of a stroked outline
            painter.drawText(at + step, text)
        painter.setPen(palette.text)
        painter.drawText(at, text)
        painter.end()
        return picture

    def _write(
        self, painter: QPainter, at: QPointF, text: str, font: QFont, palette: GraphPalette
    ) -> None:
        baseline = at + QPointF(0.0, QFontMetricsF(font).ascent())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        outline = QPainterPath()
        outline.addText(baseline, font, text)
        # a wide stroke around a dot has a hole, which a narrower one fills
        for width in (2 * HALO, HALO):
            pen = QPen(palette.background, width)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.strokePath(outline, pen)
        painter.setFont(font)
        painter.setPen(palette.text)
        painter.drawText(baseline, text)
