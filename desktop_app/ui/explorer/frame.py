"""What the layers of the canvas paint: one frame in pixels, and the highlighted nodes.

Also hit testing in a frame. Does not paint.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from PySide6.QtGui import QPainter, QTransform

from desktop_app.engine.graph.view.graph_data import (
    MAX_RADIUS,
    MIN_RADIUS,
    GraphData,
    find_drawn,
)

from .node_colors import FADED, SIGN_RADIUS, GraphPalette

RESTING_RELATIONS = 24_000
MOVING_RELATIONS = 5_000
PATH_FADED = 0.3
SHRINKING, BIG_SHRINKING, LEAST_RADIUS = 0.85, 0.25, 1.6
SHORTEST_LINE = 1.5  # pixels along one axis; shorter ones are hidden by their nodes
REACH = 4.0  # pixels from the pointer to a node or a line
# A node with a sign is this much larger than one without: two that look equally large are alike.
LARGEST_PLAIN, SMALLEST_SIGNED = SIGN_RADIUS - 1.5, SIGN_RADIUS + 1.0


@dataclass(frozen=True)
class ViewFrame:
    """What is visible.

    Attributes:
        points: centre of every node on the screen, visible or not, shape (N, 2).
        radii: of nodes on the screen, shape (N,).
        rows: visible nodes, the biggest last so that it is drawn on top.
        lines: visible relations as positions in `pairs`, the strongest first.
        scale: screen pixels per pixel of the layout.
        covered: x, y, width and height of panels over the canvas; labels avoid them.
        left, top: the layout's origin on the screen.
        moving: whether the view or a node is moving, so that less detail is drawn.
    """

    points: np.ndarray
    radii: np.ndarray
    rows: np.ndarray
    lines: np.ndarray
    scale: float
    width: float
    height: float
    covered: tuple[tuple[int, int, int, int], ...] = ()
    left: float = 0.0
    top: float = 0.0
    moving: bool = False

    def pick_disc(self, x: float, y: float) -> int | None:
        """Return the row of the node at a point of the screen."""
        rows = self.rows
        if not len(rows):
            return None
        away = np.hypot(self.points[rows, 0] - x, self.points[rows, 1] - y) - self.radii[rows]
        best = int(away.argmin())
        return int(rows[best]) if away[best] <= REACH else None

    def pick_relation(self, data: GraphData, x: float, y: float, touched: np.ndarray) -> int | None:
        """Return the position in `pairs` of the relation at a point of the screen.

        `touched` are relations drawn in addition to those of the frame, for the selected node.
        """
        lines = np.union1d(self.lines, touched[data.shown[data.pairs[touched]].all(1)])
        if not len(lines):
            return None
        start, end = self.points[data.pairs[lines, 0]], self.points[data.pairs[lines, 1]]
        along = end - start
        share = ((np.array([x, y]) - start) * along).sum(1) / ((along * along).sum(1) + 1e-9)
        nearest = start + along * np.clip(share, 0.0, 1.0)[:, None]
        away = np.hypot(nearest[:, 0] - x, nearest[:, 1] - y)
        best = int(away.argmin())
        return int(lines[best]) if away[best] <= REACH else None


def screen_radii(radii: np.ndarray, scale: float) -> np.ndarray:
    """Return node radii at a zoom: they shrink with it and grow more slowly.

    Big nodes shrink less than small ones: they are still bigger where thousands are fitted.
    """
    if scale >= 1:
        return _part_signed(radii * min(scale**0.35, 1.9))
    # more than 1 for the largest ones of a view around few names
    share = np.maximum((radii - MIN_RADIUS) / (MAX_RADIUS - MIN_RADIUS), 0.0)
    low = max(MIN_RADIUS * scale**SHRINKING, LEAST_RADIUS)
    return _part_signed(low + share * (MAX_RADIUS * scale**BIG_SHRINKING - low))


def _part_signed(radii: np.ndarray) -> np.ndarray:
    """Return radii without any between those of nodes without and with a sign."""
    plain, signed = np.minimum(radii, LARGEST_PLAIN), np.maximum(radii, SMALLEST_SIGNED)
    return np.where(radii < SIGN_RADIUS, plain, signed)


def build_frame(
    data: GraphData, transform: QTransform, width: float, height: float, *, moving: bool = False
) -> ViewFrame:
    """Return the frame; while `moving`, only with the strongest relations."""
    turn = np.array([[transform.m11(), transform.m12()], [transform.m21(), transform.m22()]])
    points = data.places @ turn + (transform.dx(), transform.dy())
    scale = float(np.hypot(transform.m11(), transform.m12()))
    radii = screen_radii(data.radii, scale)
    # Columns are compared one by one: numpy reduces along an axis of length 2 ten times slower.
    x, y = points[:, 0], points[:, 1]
    with np.errstate(invalid="ignore"):
        inside = (x > -radii) & (x < width + radii) & (y > -radii) & (y < height + radii)
    order = data.by_size[::-1]
    rows = order[(inside & data.shown)[order]]
    most = MOVING_RELATIONS if moving else RESTING_RELATIONS
    lines = _find_visible(data, x, y, width, height, most)
    left, top = float(transform.dx()), float(transform.dy())
    return ViewFrame(
        points, radii, rows, lines, scale, width, height, left=left, top=top, moving=moving
    )


def _find_visible(
    data: GraphData, x: np.ndarray, y: np.ndarray, width: float, height: float, most: int
) -> np.ndarray:
    """Return the strongest relations that cross the view, as positions in `pairs`.

    Args:
        x, y: centre of every node on the screen, shape (N,).
    """
    drawn = np.flatnonzero(find_drawn(data))
    first, second = data.pairs[drawn, 0], data.pairs[drawn, 1]
    x1, x2, y1, y2 = x[first], x[second], y[first], y[second]
    with np.errstate(invalid="ignore"):
        seen = (np.maximum(x1, x2) > 0) & (np.minimum(x1, x2) < width)
        seen &= (np.maximum(y1, y2) > 0) & (np.minimum(y1, y2) < height)
        seen &= (np.abs(x1 - x2) > SHORTEST_LINE) | (np.abs(y1 - y2) > SHORTEST_LINE)
    seen &= data.shown[first] & data.shown[second]
    return drawn[seen][:most]


def find_neighbour(data: GraphData, row: int, direction: tuple[float, float]) -> int | None:
    """Return the neighbour nearest to a direction of the screen, None if there is none."""
    others = data.neighbours_of(row)
    if not len(others):
        return None
    delta = data.places[others] - data.places[row]
    distance = np.hypot(delta[:, 0], delta[:, 1]) + 1e-9
    facing = (delta * direction).sum(1) / distance
    ahead = facing > 0.3
    if not ahead.any():
        return None
    return int(others[np.where(ahead, distance / facing.clip(0.3), np.inf).argmin()])


class Focus:
    """The hovered, selected and chosen rows and the highlighted path, with masks for painting.

    The canvas animates `fade` from 0 to 1.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.hovered: int | None = None
        self.hovered_relation: int | None = None
        self.selected: int | None = None
        self.chosen: set[int] = set()
        self.fade = 0.0
        self._bright: np.ndarray | None = None
        self._path_rows: np.ndarray | None = None
        self._path_relations = np.zeros(0, dtype=np.int64)

    def ringed(self) -> list[int]:
        """Return the rows drawn with a ring, the selected one last."""
        rows = sorted(self.chosen - {self.selected})
        return rows if self.selected is None else [*rows, self.selected]

    def show_path(self, data: GraphData, rows: list[int]) -> None:
        """Highlight a path: its rows and the relations along it; an empty one ends that."""
        self._path_rows, self._path_relations = None, np.zeros(0, dtype=np.int64)
        if not rows:
            return
        self._path_rows = np.zeros(len(data), dtype=bool)
        self._path_rows[rows] = True
        steps = {frozenset(pair) for pair in itertools.pairwise(rows)}
        near = np.flatnonzero(self._path_rows[data.pairs].all(1))
        along = [k for k in near if frozenset(data.pairs[k].tolist()) in steps]
        self._path_relations = np.array(along, dtype=np.int64)

    @property
    def has_path(self) -> bool:
        return self._path_rows is not None

    @property
    def path_relations(self) -> np.ndarray:
        """The relations along the path, as positions in `pairs`; none without a path."""
        return self._path_relations

    @property
    def hovers_aside(self) -> bool:
        """Whether a node is hovered that is not on the path.

        The pointer rests on the node that was chosen as the end of a path: hovering a node of
        the path must not hide the path.
        """
        if self.hovered is None:
            return False
        return self._path_rows is None or not self._path_rows[self.hovered]

    def hover(self, data: GraphData, row: int | None) -> None:
        """Highlight a row and its neighbours; with None the last ones stay while fading out.

        Only neighbours by strong relations count, because a dense graph connects nearly all.
        """
        self.hovered = row
        if row is not None:
            self._bright = np.zeros(len(data), dtype=bool)
            self._bright[data.pairs[data.strong_relations_of(row)]] = True
            self._bright[row] = True
            if row == self.selected:
                self._bright[data.neighbours_of(row)] = True

    def opacities(self, n: int) -> np.ndarray | None:
        """Return each disc's opacity, shape (N,); None when nothing fades."""
        if self._path_rows is not None and len(self._path_rows) == n:
            bright = self._path_rows
            if self.hovers_aside and self._bright is not None and len(self._bright) == n:
                bright = bright | self._bright
            return np.where(bright, 1.0, PATH_FADED)
        if self._bright is None or self.fade <= 0 or len(self._bright) != n:
            return None
        return np.where(self._bright, 1.0, 1.0 - (1.0 - FADED) * self.fade)

    def touched(self, data: GraphData) -> np.ndarray:
        """Return the relations to draw in the accent colour, as positions in `pairs`."""
        touched = np.zeros(0, dtype=np.int64)
        if self._path_rows is not None:
            touched = self._path_relations
            if self.hovers_aside and self.hovered is not None:
                touched = np.union1d(touched, data.strong_relations_of(self.hovered))
        elif self.hovered is not None and self.hovered != self.selected:
            touched = data.strong_relations_of(self.hovered)
        elif self.selected is not None:
            touched = data.relations_of(self.selected)
        if self.hovered_relation is not None:
            touched = np.append(touched, self.hovered_relation)
        return touched


@dataclass(frozen=True)
class Scene:
    """Everything that a layer needs to paint; `exact` at full detail, for a picture file."""

    frame: ViewFrame
    data: GraphData
    focus: Focus
    palette: GraphPalette
    exact: bool = False


class Layer(Protocol):
    """Paints one kind of thing: marks, relations, nodes or labels."""

    def paint(self, painter: QPainter, scene: Scene) -> None: ...
