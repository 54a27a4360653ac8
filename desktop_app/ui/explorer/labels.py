"""The layer of labels: places names so that none covers another, and paints them.

Titles of communities come first, then the biggest nodes of every cluster, then the other nodes by
size. Rendered names are cached as pixmaps. Knows no mouse.
"""

from __future__ import annotations

import itertools
import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from desktop_app.engine.graph.view.graph_data import (
    MIN_TITLED_NODES,
    GraphData,
    find_leaders,
)

from .animations import LabelChoice, LabelFading
from .frame import Focus, Scene, ViewFrame
from .node_colors import (
    SIGN_RADIUS,
    STRONG_RADIUS,
    TITLE_PARTS,
    GraphPalette,
    fit_title,
    name_group,
)

CELL, BAND = 2, 24
EDGE = 6.0
WHOLE_DISCS = 600


class Occupancy:
    """The occupied parts of the screen: nodes on a grid, rectangles of labels and panels.

    Nodes are added once, first; a summed-area table of the grid then answers a query with four
    look-ups, however big the label is.
    """

    def __init__(self, width: float, height: float) -> None:
        self._columns, self._rows = int(width) // CELL + 2, int(height) // CELL + 2
        self._sums: np.ndarray | None = None
        # by horizontal band of the screen, so that few are compared with a label
        self._rects: dict[int, list[tuple[float, float, float, float]]] = {}

    def is_free(self, x: float, y: float, width: float, height: float) -> bool:
        """Return whether a rectangle overlaps no label and no panel."""
        right, bottom = x + width, y + height
        for band in range(int(y // BAND), int(bottom // BAND) + 1):
            for left, top, end, foot in self._rects.get(band, ()):
                if x < end and right > left and y < foot and bottom > top:
                    return False
        return True

    def clear_of_discs(self, spots: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """Return which spots (N, S, 2) with `sizes` (N, S, 2) overlap no node, shape (N, S).

        NaN spots give False.
        """
        with np.errstate(invalid="ignore"):
            ends = spots + sizes
            known = np.isfinite(spots).all(2)
            low = np.where(known[..., None], spots, 0).astype(np.int64) // CELL
            high = np.where(known[..., None], ends, 0).astype(np.int64) // CELL + 1
        most = (self._columns, self._rows)
        low, high = np.clip(low, 0, most), np.clip(high, 0, most)
        if self._sums is None:
            return known
        left, top, right, bottom = low[..., 0], low[..., 1], high[..., 0], high[..., 1]
        sums = self._sums
        over = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        return known & (over == 0)

    def fork(self) -> Occupancy:
        """Return one with the same nodes and rectangles, to which others may be added."""
        made = Occupancy(0.0, 0.0)
        made._columns, made._rows, made._sums = self._columns, self._rows, self._sums
        made._rects = {band: [*rects] for band, rects in self._rects.items()}
        return made

    def take(self, x: float, y: float, width: float, height: float) -> None:
        for band in range(int(y // BAND), int((y + height) // BAND) + 1):
            self._rects.setdefault(band, []).append((x, y, x + width, y + height))

    def take_discs(self, points: np.ndarray, radii: np.ndarray) -> None:
        """Mark the cells of nodes (the biggest last); of small ones only the centre."""
        taken = np.zeros((self._rows, self._columns), dtype=bool)
        cells = (points / CELL).astype(np.int64)
        inside = (cells >= 0).all(1) & (cells[:, 0] < self._columns) & (cells[:, 1] < self._rows)
        cells = cells[inside]
        taken[cells[:, 1], cells[:, 0]] = True
        whole = np.flatnonzero(radii >= 3)[-WHOLE_DISCS:]
        low = np.maximum((points[whole] - 0.8 * radii[whole, None]) // CELL, 0).astype(int)
        high = np.maximum((points[whole] + 0.8 * radii[whole, None]) // CELL + 1, 0).astype(int)
        for (left, top), (right, bottom) in zip(low.tolist(), high.tolist(), strict=True):
            taken[top:bottom, left:right] = True
        self._sums = np.zeros((self._rows + 1, self._columns + 1), dtype=np.int32)
        np.cumsum(taken, axis=0, dtype=np.int32, out=self._sums[1:, 1:])
        np.cumsum(self._sums[1:, 1:], axis=1, out=self._sums[1:, 1:])


def find_covering_spots(
    middle: tuple[float, float], radius: float, width: float, height: float
) -> list[tuple[float, float]]:
    """Return positions (left, top) of a label that cover a part of its node, best first."""
    x, y = middle
    lefts = (x - width / 2, x - radius / 2, x - width + radius / 2)
    tops = (y + 0.3 * radius, y - 0.3 * radius - height)
    return [(left, top) for top in tops for left in lefts]


NEIGHBOURHOOD = 32.0  # pixels; width of the cells in which nodes are looked up
COLUMN = 100_000  # difference of the keys of two cells side by side
CLEARER = 1.0  # pixels that a label is nearer to its own node than to any other
# In a view that shows each name, the label's middle decides as well: a reader looks from it.
NEAR_MIDDLE = 0.6  # least distance of the middle to other nodes, in distances to its own


class NearbyDiscs:
    """The visible nodes by place, to check that a label is nearest to its own node.

    Args:
        points, radii: of all nodes, shapes (N, 2) and (N,); rows: the visible ones, shape (V,).
    """

    def __init__(self, points: np.ndarray, radii: np.ndarray, rows: np.ndarray) -> None:
        cells = np.floor(points[rows] / NEIGHBOURHOOD).astype(np.int64)
        keys = cells[:, 0] * COLUMN + cells[:, 1]
        order = np.argsort(keys, kind="stable")
        keys, rows = keys[order], rows[order]
        # flat lists: a list for each node would cost a garbage collection in every frame
        self._x, self._y = points[rows, 0].tolist(), points[rows, 1].tolist()
        self._radii, self._rows = radii[rows].tolist(), rows.tolist()
        starts = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1)).tolist()
        ranges = zip(starts, [*starts[1:], len(rows)], strict=True)
        self._ranges = dict(zip(keys[starts].tolist(), ranges, strict=True))
        self._largest = float(radii[rows].max(initial=0.0))

    def is_nearest(
        self,
        row: int,
        middle: tuple[float, float],
        radius: float,
        box: tuple[float, ...],
        *,
        covers: bool = False,
        clearer: float = CLEARER,
    ) -> bool:
        """Return whether a label is nearer to its node than to any other, edge to edge.

        The distance of a label that covers a part of its node is negative; with `covers`, it may
        cover other nodes, which are smaller.

        Args:
            middle, radius: of its node; box: left, top, width and height of the label.
            clearer: by how many pixels it is nearer.
        """
        left, top, right, bottom = box[0], box[1], box[0] + box[2], box[1] + box[3]
        x, y = middle
        own = math.hypot(max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom)) - radius
        most = own + (clearer if own > 0 else clearer / 2)
        most = most if covers else max(0.0, most)
        reach = max(0.0, most) + self._largest
        cell = NEIGHBOURHOOD
        across = range(int((left - reach) // cell), int((right + reach) // cell) + 1)
        down = range(int((top - reach) // cell), int((bottom + reach) // cell) + 1)
        for column in across:
            for line in down:
                start, end = self._ranges.get(column * COLUMN + line, (0, 0))
                for place in range(start, end):
                    limit = most + self._radii[place]
                    if limit <= 0.0:
                        continue
                    x, y = self._x[place], self._y[place]
                    wide = left - x if x < left else x - right if x > right else 0.0
                    if wide >= limit:
                        continue
                    high = top - y if y < top else y - bottom if y > bottom else 0.0
                    near = wide * wide + high * high < limit * limit
                    if near and self._rows[place] != row:
                        return False
        return True


def have_clear_middles(
    spots: np.ndarray, sizes: np.ndarray, rows: np.ndarray, points: np.ndarray, radii: np.ndarray
) -> np.ndarray:
    """Return at which spots no other node is near the middle of a label, shape (N, S).

    Args:
        spots: left and top of the labels, shape (N, S, 2); sizes: of them, shape (N, 2).
        rows: position of the node of each label in `points`, shape (N,).
        points, radii: of the visible nodes, shapes (V, 2) and (V,).
    """
    middles = spots + sizes[:, None, :] / 2
    away_x = middles[:, :, 0, None] - points[:, 0]
    away_y = middles[:, :, 1, None] - points[:, 1]
    squared = away_x * away_x + away_y * away_y
    each = np.arange(len(rows))
    with np.errstate(invalid="ignore"):
        own = np.sqrt(squared[each, :, rows]) - radii[rows][:, None]
        least = np.maximum(NEAR_MIDDLE * own, 0.0)[:, :, None] + radii
        near = squared < least * least
    near[each, :, rows] = False
    return np.asarray(~near.any(2))


def count_crossings(
    spots: np.ndarray, sizes: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> np.ndarray:
    """Return how many lines cross a label at each of its spots, shape (N, S).

    Args:
        spots: left and top, shape (N, S, 2); sizes: of the labels, shape (N, 2).
        starts, ends: of the lines, shape (L, 2).
    """
    enters: np.ndarray | float = 0.0  # shares of each line, from its start to its end
    leaves: np.ndarray | float = 1.0
    with np.errstate(invalid="ignore"):
        for axis in range(2):  # a reduction over an axis of two is five times slower
            low = spots[:, :, None, axis]
            high = low + sizes[:, None, None, axis]
            along = ends[:, axis] - starts[:, axis]
            along = np.where(np.abs(along) < 1e-6, 1e-6, along)
            first, second = (low - starts[:, axis]) / along, (high - starts[:, axis]) / along
            enters = np.maximum(enters, np.minimum(first, second))
            leaves = np.minimum(leaves, np.maximum(first, second))
        return np.count_nonzero(enters < leaves, axis=2)


def find_spots(
    points: np.ndarray, radii: np.ndarray, sizes: np.ndarray, wide: float, high: float
) -> np.ndarray:
    """Return candidate positions (left, top) of labels, best first, shape (N, 12, 2), NaN for none.

    All are on the screen. A label above or below its node may shift sideways to stay inside;
    at the sides it must fit.

    Args:
        points, radii: of the discs, shapes (N, 2) and (N,); sizes: of the names, shape (N, 2).
    """
    (x, y), (width, height) = points.T, sizes.T
    middle = np.minimum(np.maximum(x - width / 2, EDGE), np.maximum(wide - width - EDGE, EDGE))
    beside = np.minimum(np.maximum(y - height / 2, EDGE), np.maximum(high - height - EDGE, EDGE))
    below, above = y + radii + 2, y - radii - height - 2
    right, left = x + radii + 4, x - radii - 4 - width
    fits_below = below + height <= high - EDGE
    spots = np.full((len(x), 12, 2), np.nan)

    def put(number: int, across: np.ndarray, down: np.ndarray, fits: np.ndarray) -> None:
        spots[fits, number, 0], spots[fits, number, 1] = across[fits], down[fits]

    put(0, middle, below, fits_below)
    put(1, right, beside, right + width <= wide - EDGE)
    put(2, middle, above, above >= EDGE)
    put(3, left, beside, left >= EDGE)
    # Aligned with an edge of the node, where the centred position is occupied.
    for number, start in ((4, x - radii), (5, x + radii - width)):
        inside = (start >= EDGE) & (start + width <= wide - EDGE)
        put(number, start, below, fits_below & inside)
        put(number + 2, start, above, (above >= EDGE) & inside)
    # At the corners of the node.
    near = radii * 0.7 + 2
    for number, across, down in (
        (8, x + near, y + near),
        (9, x + near, y - near - height),
        (10, x - near - width, y + near),
        (11, x - near - width, y - near - height),
    ):
        inside = (across >= EDGE) & (across + width <= wide - EDGE)
        put(number, across, down, inside & (down >= EDGE) & (down + height <= high - EDGE))
    nowhere = ~np.isfinite(spots[:, :, 0]).any(1)
    put(0, middle, beside, nowhere)
    return spots


RING_TURNS, RING_GAPS = 24, (2.0, 9.0)  # directions around a node, and pixels to its edge


def find_ring_spots(x: float, y: float, radius: float, width: float, height: float) -> np.ndarray:
    """Return positions (left, top) of a label in all directions around its node, shape (S, 2).

    They are for a name that must be shown where all positions of `find_spots` are occupied: the
    nearest first, and of these the ones beside and below the node.
    """
    turns = 2 * np.pi * np.arange(RING_TURNS) / RING_TURNS
    along = np.stack((np.cos(turns), np.sin(turns)), axis=1)
    half = np.array((width / 2, height / 2))
    found = []
    for gap in RING_GAPS:
        low, high = np.zeros(RING_TURNS), np.full(RING_TURNS, radius + gap + half.sum())
        for _ in range(12):  # bisection: how far its middle is away for this gap
            middle = (low + high) / 2
            beyond = np.maximum(np.abs(along * middle[:, None]) - half, 0.0)
            is_far = np.hypot(beyond[:, 0], beyond[:, 1]) >= radius + gap
            low, high = np.where(is_far, low, middle), np.where(is_far, middle, high)
        found.append(along * high[:, None] - half)
    order = np.argsort(np.where(along[:, 1] >= -0.1, 0, 1), kind="stable")
    return np.concatenate([spots[order] for spots in found]) + np.array((x, y))


# For each position of `find_spots`, the sides (left, top, right, bottom) that don't face the node:
# with another node this close to one of them, the label would be nearer to that one.
CLOSE = 3.0
AWAY = CLOSE * np.array(
    [
        *((1, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 0), (1, 1, 0, 1)),
        *((1, 0, 1, 1), (1, 0, 1, 1), (1, 1, 1, 0), (1, 1, 1, 0)),
        *((0, 0, 1, 1), (0, 1, 1, 0), (1, 0, 0, 1), (1, 1, 0, 0)),
    ],
    dtype=float,
)


HALO = 3.0  # pixels in the colour of the ground around a text, over lines
HALO_STEPS = [
    QPointF(HALO * share * math.cos(turn), HALO * share * math.sin(turn))
    for n, share in ((14, 1.0), (8, 0.55))
    for turn in (2 * math.pi * k / n for k in range(n))
]
KEPT = 1_200
MAX_WIDTH, FULL_WIDTH = 168.0, 420.0
CANDIDATES, MAX_LABELS, CROWDED_LABELS = 420, 140, 64
CROWD = 600
LABELS_EACH, LEADERS_EACH = 3, 6  # labels of a cluster, and the nodes that are tried for them
MORE_LABELS = 24  # for the biggest nodes, where the clusters need all labels of a crowded view
FEW_NODES = 160  # in whose views labels avoid lines, and no other node is near their middle
MAX_CROSSINGS = 36_000  # pairs of label and line that are examined for it in a frame
CROSSED = 3  # spots that a label goes on for each line less that crosses it
APART = (5.0, 2.0)  # pixels between two labels, where there are few
APART_OF_MANY = (2.0, 0.0)  # with less, the halo of one would cover a part of the other
RING = 7.0  # pixels around a selected node; its label is beyond
PLATE = 4.0  # pixels around the text of the selected node, in whose middle all its lines meet
# Where each name is shown, the names of the largest nodes and of the two largest ones of each
# cluster come first. If one of them has no place, it is placed before the others, which have more
# choice.
N_LARGEST, MAX_DISPLACED = 12, 6
GLYPH_EDGE = 2.0  # pixels of a label around its letters, as a font has them above and below
RING_CLEARER = 3.0  # pixels that a label further from its node is nearer to it than to others
MIN_COVERED = 2.5  # radius of a node that its own label may cover in part
MAX_MOVED = 3  # frames of a moving view that keep the placed labels
NEW_WHILE_MOVING = 3  # names rendered in one frame of a moving view; the others follow
TITLE_GAP, TITLE_SIZE = 6.0, 1.2  # pixels to its nodes; size in that of a label
HEADING_SIZE = 1.5  # of the title of a document: larger than every name in it
# Pixels: the title of a document is so near to a node of it, and so much nearer than to any other
# node. At the edge of the view, or between two documents, it has no such place.
HEADING_REACH, HEADING_CLEARER = 30.0, 12.0
HEADING_WIDTH = 300.0  # pixels
TITLE_STEP = 7.0  # pixels between the places of a title that has none of the usual ones
LINE_COST = 40.0  # pixels that it is moved further for each line less that it is over
# Of the largest radius: names of such nodes are larger than the others, if they are so few.
MAIN_SHARE, MAX_MAIN_NAMES = 0.75, 6
MAX_HELD = 40  # chosen or pinned nodes that always get a label


class PlacedTitle(NamedTuple):
    """The title of a community or of a part: its rectangle, its text, the node whose name it is.

    `level` is that of its font in `LabelLayer.fonts`.
    """

    left: float
    top: float
    width: float
    height: float
    text: str
    row: int | None
    level: int


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


class LabelPlacement:
    """The placement of the labels of one frame.

    Args:
        titles: of communities or parts, which labels avoid.
        measure: see `LabelLayer.measure`.
    """

    def __init__(
        self,
        frame: ViewFrame,
        data: GraphData,
        focus: Focus,
        titles: list[PlacedTitle],
        measure: Callable[[str, int, float], tuple[str, float, float]],
    ) -> None:
        self._frame, self._data, self._measure = frame, data, measure
        self._is_crowd = len(frame.rows) > CROWD
        self._is_few = few = len(frame.rows) <= FEW_NODES and not data.is_by_community
        self._radii = self._add_rings(focus)
        self._taken = Occupancy(frame.width, frame.height)
        for rect in frame.covered:
            self._taken.take(*rect)
        for x, y, width, height, *_ in titles:
            self._taken.take(x - TITLE_GAP, y, width + 2 * TITLE_GAP, height)
        self._taken.take_discs(frame.points[frame.rows], frame.radii[frame.rows])
        self._first = [row for row in (focus.hovered, focus.selected) if row is not None]
        self._plated = focus.selected if few else None
        self._held = {*sorted(focus.chosen), *np.flatnonzero(data.pinned).tolist()[:MAX_HELD]}
        # A title that is the name of a node is its label, unless the node is in focus.
        self._labelled = {t.row for t in titles if t.row is not None}.difference(self._first)
        self._order_rows(focus)
        if not self.rows:
            return
        self._choose_levels(focus)
        self._find_spots()
        self._nearby = NearbyDiscs(frame.points, frame.radii, frame.rows)
        self._nearby_urgent = self._nearby
        if self._urgent:
            urgent = np.array(sorted(self._urgent), dtype=np.int64)
            self._nearby_urgent = NearbyDiscs(frame.points, frame.radii, urgent)

    def _add_rings(self, focus: Focus) -> np.ndarray:
        """Return the radii of all nodes with their rings."""
        ringed = focus.ringed()
        if not ringed:
            return self._frame.radii
        radii = self._frame.radii.copy()
        radii[ringed] += RING
        return radii

    def _order_rows(self, focus: Focus) -> None:
        """Set which nodes are named, the most important first, and which of them must be."""
        frame, data, first = self._frame, self._data, self._first
        big_first = frame.rows[::-1]
        held = [*sorted(focus.chosen), *np.flatnonzero(data.pinned).tolist()][:MAX_HELD]
        near = data.neighbours_of(first[0])[:40].tolist() if first else []
        ahead = dict.fromkeys([*first, *held, *near])
        visible = set(frame.rows.tolist()) if ahead else set()
        rows = [row for row in ahead if row in visible]
        self._n_ahead = len(rows)
        leaders = find_leaders(data, big_first, LEADERS_EACH).tolist()
        self._n_led = dict.fromkeys(data.clusters[leaders].tolist(), 0)  # labels of each cluster
        self._heads = set(leaders[: len(self._n_led)])  # the biggest node of each cluster
        led: dict[int, None] = {}
        self._urgent: set[int] = set()
        if self._is_few:
            # a node with a letter is read as one with a name
            self._urgent = {*big_first[frame.radii[big_first] >= SIGN_RADIUS].tolist()}
            self._urgent |= {*leaders[: 2 * len(self._n_led)], *big_first[:N_LARGEST].tolist()}
            rows += [row for row in big_first.tolist() if row in self._urgent and row not in ahead]
        else:
            led = dict.fromkeys(row for row in leaders if row not in ahead)
        self._n_leading, self._n_urgent = len(led), len(rows)
        most = CANDIDATES - len(led)
        biggest = big_first[:most].tolist()
        self._important = {*leaders[: 2 * len(self._n_led)], *biggest[:MORE_LABELS]}
        done = {*rows}
        # leaders beyond the third are tried again by size
        self.rows = [*rows, *led, *(row for row in biggest if row not in done)]
        most = MAX_LABELS if len(frame.rows) <= FEW_NODES else CROWDED_LABELS
        self._most = max(most, min(MAX_LABELS, LABELS_EACH * len(self._n_led) + MORE_LABELS))

    def _choose_levels(self, focus: Focus) -> None:
        """Set the font, the text and its size for each name."""
        frame, rows = self._frame, self.rows
        marked = {*self._first, *focus.chosen}
        marked |= self._heads if self._is_crowd else set()
        # where all nodes have letters, only the names of the larger ones are bold
        is_lettered = bool((frame.radii[frame.rows] >= SIGN_RADIUS).all())
        least = STRONG_RADIUS if is_lettered else SIGN_RADIUS
        self._levels = [int(frame.radii[row] >= least or row in marked) for row in rows]
        if self._is_few and not is_lettered:
            limit = max(MAIN_SHARE * float(frame.radii[frame.rows].max()), least)
            main = set(frame.rows[frame.radii[frame.rows] >= limit].tolist())
            if len(main) <= MAX_MAIN_NAMES:
                levels = zip(rows, self._levels, strict=True)
                self._levels = [2 if row in main else level for row, level in levels]
        self._texts = [
            self._measure_row(row, level) for row, level in zip(rows, self._levels, strict=True)
        ]

    def _measure_row(self, row: int, level: int) -> tuple[str, float, float]:
        room = FULL_WIDTH if row in self._first else MAX_WIDTH
        room = min(room, self._frame.width - 2 * EDGE)
        return self._measure(self._data.entities[row].name, level, room)

    def _find_spots(self) -> None:
        """Set the positions of each label, and which of them are over no node."""
        frame, data, rows, few = self._frame, self._data, self.rows, self._is_few
        points = frame.points[rows]
        sizes = np.array([size for _, *size in self._texts])
        self._spots = spots = find_spots(
            points, self._radii[rows], sizes, frame.width, frame.height
        )
        roomy = sizes[:, None, :] + AWAY[:, :2] + AWAY[:, 2:]
        self._clear = self._clear_barely = self._taken.clear_of_discs(spots - AWAY[:, :2], roomy)
        self._order: np.ndarray | None = None  # of the spots, by the lines that cross the label
        if few:
            wide = np.broadcast_to(sizes[:, None], spots.shape)
            self._clear_barely = self._taken.clear_of_discs(spots, wide)
            self._place_of = np.zeros(len(frame.points), dtype=np.int64)
            self._place_of[frame.rows] = np.arange(len(frame.rows))
            seen = (frame.points[frame.rows], frame.radii[frame.rows])
            self._clear = self._clear & have_clear_middles(
                spots, sizes, self._place_of[rows], *seen
            )
            if 0 < len(frame.lines) * len(rows) <= MAX_CROSSINGS:
                ends = data.pairs[frame.lines]
                crossed = count_crossings(
                    spots, sizes, frame.points[ends[:, 0]], frame.points[ends[:, 1]]
                )
                best_first = np.arange(spots.shape[1]) + CROSSED * crossed
                self._order = np.argsort(best_first, axis=1, kind="stable")
        self._is_clear = np.any(self._clear, axis=1)
        self._middles, self._reaches = points.tolist(), self._radii[rows].tolist()

    def run(self) -> list[LabelChoice]:
        """Return the labels that have room."""
        order = [*range(len(self.rows))]
        if self._urgent:
            order = self._displace(order)
        return self._fill(order)[0]

    def _displace(self, order: list[int]) -> list[int]:
        """Return the order in which most of the names that must be shown have a place."""
        best, fewest = order, len(order)
        tried: set[int] = set()
        for _ in range(MAX_DISPLACED + 1):
            failed = self._fill(order[: self._n_urgent], only_good=True)[1]
            if len(failed) < fewest:
                best, fewest = order, len(failed)
            moved = next((number for number in failed if number not in tried), None)
            if moved is None:
                break
            tried.add(moved)
            rest = [number for number in order[self._n_ahead :] if number != moved]
            order = [*order[: self._n_ahead], moved, *rest]
        return best

    def _fill(
        self, order: list[int], *, only_good: bool = False
    ) -> tuple[list[LabelChoice], list[int]]:
        """Return the labels that have room and the numbers of urgent ones that have none.

        Args:
            order: positions in `rows`.
            only_good: no label stands where it is nearer to another node than usual.
        """
        taken, n_led = self._taken.fork(), dict(self._n_led)
        labelled = set(self._labelled)
        leading = self.rows[self._n_urgent : self._n_urgent + self._n_leading]
        for row in labelled.intersection(leading):
            n_led[int(self._data.clusters[row])] += 1
        placed: list[LabelChoice] = []
        failed: list[int] = []
        for number in order:
            row = self.rows[number]
            cluster = int(self._data.clusters[row])
            leads = 0 <= number - self._n_urgent < self._n_leading
            if row in labelled or (leads and n_led[cluster] >= LABELS_EACH):
                continue
            choice = self._place_one(number, taken, only_good=only_good)
            if choice is None:
                if row in self._urgent:
                    failed.append(number)
                continue
            _, width, height = self._measure_row(row, choice.level)
            edge = PLATE if row == self._plated else 0.0
            taken.take(choice.left - edge, choice.top, width + 2 * edge, height)
            placed.append(choice)
            labelled.add(row)
            if cluster in n_led:
                n_led[cluster] += 1
            if len(placed) >= self._most:
                break
        return placed, failed

    def _place_one(self, number: int, taken: Occupancy, *, only_good: bool) -> LabelChoice | None:
        """Return the label of a name where it has room, if it has any."""
        row, level = self.rows[number], self._levels[number]
        text, width, height = self._texts[number]
        must, holds, urgent = row in self._first, row in self._held, row in self._urgent
        is_clear = bool(self._is_clear[number])
        if not (must or holds or urgent or row in self._important or is_clear):
            return None
        spots = self._spots[number]
        options: list[list[float]] = []
        if is_clear:
            free_spots = self._clear[number]
            if self._order is not None and row != self._plated:
                spots, free_spots = spots[self._order[number]], free_spots[self._order[number]]
            options = spots[free_spots].tolist()
        found = self._first_free(number, options, (width, height), taken)
        if found is None and urgent:
            found = self._find_around(number, (width, height), taken)
        if found is None and urgent and level and not must:
            smaller = self._measure_row(row, level - 1)
            found = self._find_around(number, smaller[1:], taken)
            if found is not None:
                level, text = level - 1, smaller[0]
        if found is None and row in self._important and not self._is_few:
            found = self._find_covering(number, (width, height), taken)
        if found is None and urgent and not only_good:
            text, level, found = self._find_barely(number, taken)
        every = self._spots[number][np.isfinite(self._spots[number, :, 0])].tolist()
        if holds and found is None:  # may cover other nodes
            found = next(((x, y) for x, y in every if taken.is_free(x, y, width, height)), None)
        if must and found is None:
            found = tuple((options + every)[0])
        return None if found is None else LabelChoice(row, *found, text, level)

    def _first_free(
        self,
        number: int,
        options: list[list[float]],
        size: tuple[float, float],
        taken: Occupancy,
        clearer: float = CLEARER,
    ) -> tuple[float, float] | None:
        """Return the first of these places that is free and nearest to its own node."""
        width, height = size
        apart_x, apart_y = APART if self._is_few else APART_OF_MANY
        row, middle, radius = self.rows[number], self._middles[number], self._reaches[number]
        for x, y in options:
            if taken.is_free(
                x - apart_x, y - apart_y, width + 2 * apart_x, height + 2 * apart_y
            ) and self._nearby.is_nearest(
                row, middle, radius, (x, y, width, height), clearer=clearer
            ):
                return x, y
        return None

    def _find_around(
        self, number: int, size: tuple[float, float], taken: Occupancy
    ) -> tuple[float, float] | None:
        """Return the first free place in all directions around a node."""
        frame, row = self._frame, self.rows[number]
        spots = self._list_around(number, size)
        if not len(spots):
            return None
        seen = (frame.points[frame.rows], frame.radii[frame.rows])
        place = self._place_of[[row]]
        clear = have_clear_middles(spots[None], np.array([size]), place, *seen)[0]
        return self._first_free(number, spots[clear].tolist(), size, taken, RING_CLEARER)

    def _find_barely(
        self, number: int, taken: Occupancy
    ) -> tuple[str, int, tuple[float, float] | None]:
        """Return the text, its font and a place that is over no node and over no label.

        It may be nearer to small nodes than usual, but to another node that must be named only
        where there is no other place.
        """
        row = self.rows[number]
        levels = [self._levels[number]]
        if row not in self._first:
            levels = [*range(levels[0], -1, -1)]
        found: list[tuple[str, int, tuple[float, float]]] = []
        for inner, level in itertools.product((0.0, GLYPH_EDGE), levels):
            text, width, height = self._measure_row(row, level)
            spots = self._list_around(number, (width, height), inner).tolist()
            if not inner and level == self._levels[number]:
                spots = self._spots[number][self._clear_barely[number]].tolist() + spots
            for x, y in spots:
                if taken.is_free(x, y, width, height):
                    box = (x, y, width, height)
                    middle, radius = self._middles[number], self._reaches[number]
                    if self._nearby_urgent.is_nearest(row, middle, radius, box):
                        return text, level, (x, y)
                    found.append((text, level, (x, y)))
        return found[0] if found else (self._texts[number][0], self._levels[number], None)

    def _list_around(
        self, number: int, size: tuple[float, float], inner: float = 0.0
    ) -> np.ndarray:
        """Return the positions in all directions around a node that are over no node.

        Args:
            inner: pixels of the edge of a label that may be over nodes.
        """
        frame, (x, y) = self._frame, self._middles[number]
        spots = find_ring_spots(x, y, self._reaches[number], *size)
        most = np.array((frame.width, frame.height)) - size - EDGE
        spots = spots[((spots >= EDGE) & (spots <= most)).all(1)]
        wide = np.broadcast_to(np.array(size) - 2 * inner, (1, *spots.shape))
        clear: np.ndarray = spots[self._taken.clear_of_discs(spots[None] + inner, wide)[0]]
        return clear

    def _find_covering(
        self, number: int, size: tuple[float, float], taken: Occupancy
    ) -> tuple[float, float] | None:
        """Return a place over a part of its own node, the rest of which stays visible."""
        (width, height), frame = size, self._frame
        middle, radius = self._middles[number], self._reaches[number]
        if radius < MIN_COVERED:
            return None
        covers = self._is_crowd or self._data.is_by_community
        for x, y in find_covering_spots(middle, radius, width, height):
            inside = EDGE <= x <= frame.width - EDGE - width and y >= EDGE
            if (
                inside
                and y <= frame.height - EDGE - height
                and taken.is_free(x, y, width, height)
                and self._nearby.is_nearest(
                    self.rows[number], middle, radius, (x, y, width, height), covers=covers
                )
            ):
                return x, y
        return None


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
        self._n_new = 0
        self.set_font(font)

    def set_font(self, font: QFont) -> None:
        self._pictures.clear()
        self._sizes.clear()
        self._placed = self._titles_placed = None
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
                if anywhere:
                    spots = list_title_spots(box, size, view)
                    spots = self._sort_spots(frame, data, box, spots, size)
                else:
                    spots = find_title_spots(box, size, view)
                spot = self._find_spot(frame, data, members, spots, size, taken, n_over_nodes)
                if spot is not None:
                    return PlacedTitle(*spot, *size, wanted, row, level)
        return None

    def _find_spot(
        self,
        frame: ViewFrame,
        data: GraphData,
        members: np.ndarray,
        spots: np.ndarray,
        size: tuple[float, float],
        taken: Occupancy,
        n_over_nodes: int = 0,
    ) -> tuple[float, float] | None:
        """Return the first of these places that is free; the first ones may be over nodes."""
        # beside the nodes, a title must not stand over others, whose name it would seem
        edge = 0.0 if data.is_by_community else TITLE_GAP / 2
        wide = np.broadcast_to(np.array(size) + 2 * edge, (1, len(spots), 2))
        is_clear = taken.clear_of_discs(spots[None] - edge, wide)[0]
        is_clear[:n_over_nodes] = True
        is_clear &= np.isfinite(spots[:, 0])
        if not data.is_by_community and is_clear.any():
            near = np.flatnonzero(is_clear)
            is_own = np.isin(frame.rows, members)
            discs = (frame.points[frame.rows], frame.radii[frame.rows])
            is_clear[near] = belong_to(spots[near], size, *discs, is_own)
        usable = spots[is_clear].tolist()
        return next(((x, y) for x, y in usable if taken.is_free(x, y, *size)), None)

    def _sort_spots(
        self,
        frame: ViewFrame,
        data: GraphData,
        box: tuple[float, float, float, float],
        spots: np.ndarray,
        size: tuple[float, float],
    ) -> np.ndarray:
        """Return places, those nearest to the middle above or below first, over lines last."""
        if not len(spots):
            return spots
        above, below = find_title_spots(box, size, (np.inf, np.inf))[:ABOVE_OR_BELOW]
        away = [np.hypot(*(spots - usual).T) for usual in (above, below)]
        costs = np.minimum(*away)
        if len(frame.lines):
            starts, ends = (frame.points[data.pairs[frame.lines, end]] for end in (0, 1))
            crossed = count_crossings(spots[None], np.array([size]), starts, ends)[0]
            costs = costs + LINE_COST * crossed
        ordered: np.ndarray = spots[np.argsort(costs, kind="stable")]
        return ordered

    def place(self, frame: ViewFrame, data: GraphData, focus: Focus) -> list[LabelChoice]:
        """Return the labels that have room, the most important first."""
        titles = self.place_titles(frame, data)
        placement = LabelPlacement(frame, data, focus, titles, self.measure)
        return placement.run() if placement.rows else []

    def labels_of(self, frame: ViewFrame, data: GraphData, focus: Focus) -> list[LabelChoice]:
        """Return the labels; many frames of a moving view only move the last ones with their nodes.

        These are most frames of a crowded view, and all while nodes go to other places.
        """
        marked = (focus.hovered, focus.selected, *sorted(focus.chosen))
        state = (frame.covered, frame.width, frame.height, marked)
        last = self._placed
        may_move = frame.moving and len(frame.rows) > CROWD
        is_same = last is not None and last.data is data and last.state == state
        if last is not None and is_same and last.frame is frame:
            return last.choices  # painted again, such as under a panel that changed
        may_move = may_move and last is not None and last.age < MAX_MOVED
        if last is None or not is_same or not (may_move or self.follows_nodes):
            choices = self.place(frame, data, focus)
            rows = np.array([choice.row for choice in choices], dtype=np.int64)
            self._placed = PlacedLabels(frame, data, state, choices, frame.points[rows], rows)
            return choices
        seen = set(frame.rows.tolist())
        steps = (frame.points[last.rows] - last.middles).tolist()
        last.age += 1
        return [
            choice._replace(left=choice.left + x, top=choice.top + y)
            for choice, (x, y) in zip(last.choices, steps, strict=True)
            if choice.row in seen
        ]

    def paint(self, painter: QPainter, scene: Scene) -> None:
        frame, data = scene.frame, scene.data
        self._n_new = 0
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

        Args:
            plate: on a plate in the colour of the ground, and not only with a halo.
        """
        if plate:
            metrics = QFontMetricsF(font)
            area = QRectF(at.x(), at.y(), metrics.horizontalAdvance(text), metrics.height())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(scene.palette.background)
            painter.drawRoundedRect(area.adjusted(-PLATE, -1, PLATE, 1), PLATE, PLATE)
        if scene.exact:
            self._write(painter, at, text, font, scene.palette)
            return
        ratio = painter.device().devicePixelRatioF()
        key = (text, font.key(), scene.palette.text.rgb(), scene.palette.background.rgb(), ratio)
        picture = self._pictures.get(key)
        if picture is None:
            if scene.frame.moving and self._n_new >= NEW_WHILE_MOVING:
                return
            self._n_new += 1
            picture = self._pictures[key] = self._render(text, font, scene.palette, ratio)
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
        pen = QPen(palette.background, 2 * HALO)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(outline, pen)
        painter.setFont(font)
        painter.setPen(palette.text)
        painter.drawText(baseline, text)
