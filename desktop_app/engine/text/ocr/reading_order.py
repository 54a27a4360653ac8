"""The order in which the lines of a page are read.

Pure functions of boxes. Columns are found by recursive cuts of the page as in the XY-cut (Nagy and
Seth 1984; with boxes: Ha, Haralick and Phillips 1995), but lines that cross a gap between columns
divide the page first, so that headings across columns do not hide the columns (as in "XY-Cut++",
Liu et al. 2025). Where the order is not clear, `Order.is_certain` is False.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

_MAX_DEPTH = 6
_COLUMN_LINES = 3  # that each of two columns has at least
_GAP = 0.9  # between columns, in heights of a line
_COLUMN_WIDTH = 5.0  # of a column at least, in heights of a line
_FILLED = 0.7  # of the width of its column: a line that fills it
_FILLED_SHARE = 0.4  # of such lines in columns of text; there are fewer in a table
_OVERLAP = 0.5  # of the heights of two boxes in one row
_EDGE = 0.12  # of the page, where headers and footers are
_EDGE_GAP = 0.9  # between them and the text, in heights of a line
_INDENT = 0.8  # of a paragraph's first line, in heights of a line
_MAX_INDENT = 6.0
_MANY_OVERLAPS, _MANY_CROSSINGS, _MIXED = 0.1, 0.35, 0.2  # shares of lines
_MANY_ANGLES = 4.0  # degrees by which lines differ


@dataclass(frozen=True, slots=True)
class LineBox:
    """Where a line is on the page, in units in which both directions are equal.

    Attributes:
        corners: top left, top right, bottom right, bottom left as the line is read.
    """

    corners: tuple[tuple[float, float], ...]
    is_vertical: bool = False


@dataclass(frozen=True, slots=True)
class BoxRow:
    """Boxes that are one line of text, in order; `block` counts columns and parts of the page."""

    boxes: tuple[int, ...]
    block: int
    is_indented: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """The rows of a page in the order in which they are read.

    Attributes:
        angle: degrees by which the lines rise or fall, clockwise.
    """

    rows: tuple[BoxRow, ...]
    is_certain: bool
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class _Box:
    index: int
    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


def find_order(boxes: Sequence[LineBox], turn: int = 0) -> Order:
    """Return the order in which the lines of a page are read.

    Args:
        turn: degrees, clockwise, by which the page is turned: 0, 90, 180 or 270. The corners are
            those on the turned page.
    """
    if not boxes:
        return Order((), True)
    points = np.array([box.corners for box in boxes], dtype=np.float64)
    points = _rotate(points, -turn)
    vertical = np.array([box.is_vertical for box in boxes])
    lengths = np.linalg.norm(points[:, 1] - points[:, 0], axis=1)
    lengths[vertical] = np.linalg.norm(points[vertical, 3] - points[vertical, 0], axis=1)
    share = float(lengths[vertical].sum() / max(1e-9, lengths.sum()))
    is_mixed = _MIXED < share < 1 - _MIXED
    reads_down = share >= 0.5
    if reads_down:
        # A column from top to bottom becomes a row from left to right; the right one comes first.
        points = np.stack([points[..., 1], -points[..., 0]], axis=-1)
        points = points[:, [1, 2, 3, 0]]
    angle, spread = _find_angle(points, vertical == reads_down)
    points = _rotate(points, -angle)
    found = [
        _Box(i, *p.min(axis=0).tolist(), *p.max(axis=0).tolist()) for i, p in enumerate(points)
    ]
    sorter = _Sorter(found)
    rows = sorter.sort()
    is_certain = not (is_mixed or spread > _MANY_ANGLES) and sorter.is_certain
    if _count_overlaps(found) > _MANY_OVERLAPS * len(found) + 1:
        is_certain = False
    return Order(tuple(rows), is_certain, angle)


def _rotate(points: np.ndarray, degrees: float) -> np.ndarray:
    """Return points that are rotated clockwise around the origin."""
    if degrees % 90 == 0:
        cosine, sine = {0: (1, 0), 1: (0, 1), 2: (-1, 0), 3: (0, -1)}[int(degrees // 90) % 4]
    else:
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))  # type: ignore[assignment]
    x, y = points[..., 0], points[..., 1]
    return np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=-1)


def _find_angle(points: np.ndarray, counts: np.ndarray) -> tuple[float, float]:
    """Return the angle of the long lines in degrees, and by how much the lines differ from it."""
    sides = points[counts][:, 1] - points[counts][:, 0]
    heights = np.linalg.norm(points[counts][:, 3] - points[counts][:, 0], axis=1)
    lengths = np.linalg.norm(sides, axis=1)
    long = lengths > 4 * np.maximum(heights, 1e-9)
    if not long.any():
        return 0.0, 0.0
    angles = np.degrees(np.arctan2(sides[long, 1], sides[long, 0]))
    order = np.argsort(angles)
    weights = np.cumsum(lengths[long][order])
    middle = float(angles[order][np.searchsorted(weights, weights[-1] / 2)])
    if abs(middle) > 30:
        return 0.0, 90.0
    away = np.abs(angles - middle)
    spread = float((away * lengths[long]).sum() / lengths[long].sum())
    return middle, spread


def _count_overlaps(boxes: Sequence[_Box]) -> int:
    """Return how many boxes lie on another one by more than half of their area."""
    left, top, right, bottom = np.array([(b.left, b.top, b.right, b.bottom) for b in boxes]).T
    count = 0
    for i, box in enumerate(boxes):
        width = np.minimum(right, box.right) - np.maximum(left, box.left)
        height = np.minimum(bottom, box.bottom) - np.maximum(top, box.top)
        shared = np.clip(width, 0, None) * np.clip(height, 0, None)
        shared[i] = 0
        count += bool(shared.max() > 0.5 * max(1e-12, box.width * box.height))
    return count


class _Sorter:
    """Sorts the upright boxes of one page.

    Attributes:
        is_certain: False if the boxes could be read in another order as well.
    """

    def __init__(self, boxes: Sequence[_Box]) -> None:
        self._boxes = list(boxes)
        self._height = float(np.median([box.height for box in boxes])) or 1e-6
        self._left = min(box.left for box in boxes)
        self._right = max(box.right for box in boxes)
        self.is_certain = True
        self._n_blocks = 0

    def sort(self) -> list[BoxRow]:
        head, body, foot = self._split_edges()
        rows: list[BoxRow] = []
        for part in (head, body, foot):
            rows += self._sort(part, 0)
        return rows

    def _split_edges(self) -> tuple[list[_Box], list[_Box], list[_Box]]:
        """Return header, text and footer: single rows apart from the text."""
        rows = _group_rows(self._boxes)
        if len(rows) < 5:
            return [], self._boxes, []
        top = min(box.top for box in self._boxes)
        room = _EDGE * (max(box.bottom for box in self._boxes) - top)
        head: list[_Box] = []
        foot: list[_Box] = []
        first, second = rows[0], rows[1]
        gap = min(b.top for b in second) - max(b.bottom for b in first)
        if gap > _EDGE_GAP * self._height and max(b.bottom for b in first) < top + room:
            head, rows = first, rows[1:]
        last, before = rows[-1], rows[-2]
        gap = min(b.top for b in last) - max(b.bottom for b in before)
        if gap > _EDGE_GAP * self._height and sum(b.width for b in last) < 0.5 * (
            self._right - self._left
        ):
            foot, rows = last, rows[:-1]
        return head, [box for row in rows for box in row], foot

    def _sort(self, boxes: Sequence[_Box], depth: int) -> list[BoxRow]:
        if not boxes:
            return []
        gutter = self._find_gutter(boxes) if depth < _MAX_DEPTH else None
        if gutter is None:
            return self._read_rows(boxes)
        crossing = [b for b in boxes if b.left < gutter - 1e-9 and b.right > gutter + 1e-9]
        if len(crossing) > _MANY_CROSSINGS * len(boxes):
            self.is_certain = False
        beside = [b for b in boxes if b not in crossing]
        crossing_rows = sorted(_group_rows(crossing), key=lambda row: min(b.top for b in row))
        rows: list[BoxRow] = []
        above = -math.inf
        for own in [*crossing_rows, []]:
            middle = min(((b.top + b.bottom) / 2 for b in own), default=math.inf)
            part = [b for b in beside if above <= (b.top + b.bottom) / 2 < middle]
            rows += self._sort([b for b in part if b.right <= gutter + 1e-9], depth + 1)
            rows += self._sort([b for b in part if b.right > gutter + 1e-9], depth + 1)
            rows += self._read_rows(own, continues=True)
            above = middle
        return rows

    def _find_gutter(self, boxes: Sequence[_Box]) -> float | None:
        """Return where the gap between two columns is, None if there are no columns."""
        if len(boxes) < 2 * _COLUMN_LINES:
            return None
        edges = sorted({b.right for b in boxes})
        best: tuple[float, float] | None = None
        for edge in edges[:-1]:
            left = [b for b in boxes if b.right <= edge + 1e-9]
            right = [b for b in boxes if b.left > edge]
            if min(len(left), len(right)) < _COLUMN_LINES:
                continue
            begin = min(b.left for b in right)
            n_crossing = len(boxes) - len(left) - len(right)
            if begin - edge < _GAP * self._height or n_crossing > 0.6 * len(boxes):
                continue
            if not self._are_columns(left, right, (edge + begin) / 2):
                continue
            score = n_crossing - (begin - edge) / (10 * self._height)
            if best is None or score < best[0]:
                best = score, (edge + begin) / 2
        return best[1] if best is not None else None

    def _are_columns(self, left: Sequence[_Box], right: Sequence[_Box], gutter: float) -> bool:
        """Return whether boxes on both sides of a gap are columns of text, and not of a table."""
        top = max(min(b.top for b in left), min(b.top for b in right))
        bottom = min(max(b.bottom for b in left), max(b.bottom for b in right))
        sides = [
            [b for b in side if top <= (b.top + b.bottom) / 2 <= bottom] for side in (left, right)
        ]
        if min(map(len, sides)) < min(_COLUMN_LINES, 2):
            return False
        filled = []
        for side in sides:
            width = max(b.right for b in side) - min(b.left for b in side)
            if width < _COLUMN_WIDTH * self._height:
                return False
            rows = _group_rows(side)
            wide = [sum(b.width for b in row) > _FILLED * width for row in rows]
            filled.append(sum(wide) / len(wide))
        if min(filled) >= _FILLED_SHARE:
            return True
        if max(filled) >= _FILLED_SHARE and not _is_aligned(*sides):
            return True
        if not _is_aligned(*sides):
            self.is_certain = False  # verses beside each other, or a list
            return True
        if sum(map(len, sides)) >= 4 * _COLUMN_LINES:
            self.is_certain = False  # a table is read by rows; columns of short lines are not
        return False

    def _read_rows(self, boxes: Sequence[_Box], *, continues: bool = False) -> list[BoxRow]:
        """Return boxes without columns row by row, the rows from top to bottom."""
        if not boxes:
            return []
        self._n_blocks += 1
        rows = _group_rows(boxes)
        lefts = [row[0].left for row in rows]
        margin = float(np.percentile(lefts, 25)) if len(rows) > 2 else min(lefts)
        made = []
        for row in rows:
            indent = (row[0].left - margin) / self._height
            made.append(
                BoxRow(
                    tuple(box.index for box in row),
                    self._n_blocks,
                    not continues and _INDENT < indent < _MAX_INDENT,
                )
            )
        if sum(row.is_indented for row in made) > 0.5 * len(made):  # a list or verses
            made = [replace(row, is_indented=False) for row in made]
        return made


def _group_rows(boxes: Sequence[_Box]) -> list[list[_Box]]:
    """Return boxes that stand beside each other as rows, from top to bottom, left to right."""
    rows: list[list[_Box]] = []
    for box in sorted(boxes, key=lambda b: (b.top + b.bottom) / 2):
        for row in reversed(rows[-3:]):
            shared = min(min(b.bottom, box.bottom) - max(b.top, box.top) for b in row)
            least = min(min(b.height for b in row), box.height)
            beside = all(
                min(b.right, box.right) - max(b.left, box.left) < 0.3 * min(b.width, box.width)
                for b in row
            )
            if beside and shared > _OVERLAP * least:
                row.append(box)
                break
        else:
            rows.append([box])
    for row in rows:
        row.sort(key=lambda b: b.left)
    return rows


def _is_aligned(left: Sequence[_Box], right: Sequence[_Box]) -> bool:
    """Return whether most boxes of the shorter side stand in one row with a box of the other."""
    few, many = sorted((left, right), key=len)
    n = sum(
        any(abs(a.top + a.bottom - b.top - b.bottom) < 0.5 * min(a.height, b.height) for b in many)
        for a in few
    )
    return n >= 0.8 * len(few)
