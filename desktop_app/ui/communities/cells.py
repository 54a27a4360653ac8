"""What lies where on the map: one box a community, and the parts inside those with room for them.

Owns this arrangement and finding the box at a point or beside another. Draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from .forest import ROOT, Forest
from .squares import lay_squares

HEAD = 22
GAP = 2.0
INSET = 3.0
ROOM_W, ROOM_H = 84.0, 64.0  # smaller boxes do not show their parts


@dataclass(frozen=True, slots=True)
class Cell:
    """A community's box; `depth` 0 for a part of what is shown, 1 for a part of that.

    `shade` is one of the twelve colours, -1 for none; `has_inside` where parts are drawn in it.
    """

    number: int
    area: QRectF
    depth: int
    shade: int
    has_inside: bool = False


def lay_cells(forest: Forest, root: int, area: QRectF, head: float = HEAD) -> list[Cell]:
    """Return the boxes of a community's parts and of theirs, the outer ones first."""
    cells: list[Cell] = []
    numbers = forest.children(root) or ([root] if root in forest else [])
    boxes = lay_squares(
        [forest.rows[i].n_members for i in numbers],
        (area.left(), area.top(), area.width(), area.height()),
    )
    for place, (number, box) in enumerate(zip(numbers, boxes, strict=True)):
        outer = QRectF(*box).adjusted(0, 0, -GAP, -GAP)
        if outer.width() < 1.5 or outer.height() < 1.5:
            continue
        if root == ROOT:
            color = forest.shade(number)
        else:
            color = place % 12 if not forest.rows[number].is_loose else -1
        parts = forest.children(number) if number != root else []
        room = outer.width() >= ROOM_W and outer.height() >= ROOM_H + head
        inside = bool(parts) and room
        cells.append(Cell(number, outer, 0, color, inside))
        if not inside:
            continue
        inner = outer.adjusted(INSET, head, -INSET + GAP, -INSET + GAP)
        small = lay_squares(
            [forest.rows[i].n_members for i in parts],
            (inner.left(), inner.top(), inner.width(), inner.height()),
        )
        for part, one in zip(parts, small, strict=True):
            spot = QRectF(*one).adjusted(0, 0, -GAP, -GAP)
            if spot.width() >= 1.5 and spot.height() >= 1.5:
                cells.append(Cell(part, spot, 1, color))
    return cells


def cell_at(cells: list[Cell], point: QPointF) -> Cell | None:
    """Return the innermost box at a point."""
    return next((cell for cell in reversed(cells) if cell.area.contains(point)), None)


_BESIDE: dict[str, Callable[[QPointF], tuple[float, float]]] = {
    "left": lambda by: (-by.x(), abs(by.y())),
    "right": lambda by: (by.x(), abs(by.y())),
    "up": lambda by: (-by.y(), abs(by.x())),
    "down": lambda by: (by.y(), abs(by.x())),
}


def cell_beside(cells: list[Cell], here: Cell, way: str) -> Cell | None:
    """Return the nearest box of the same depth to the left, right, up or down."""
    best, best_cost = None, float("inf")
    for cell in cells:
        if cell.depth != here.depth or cell.number == here.number:
            continue
        along, across = _BESIDE[way](cell.area.center() - here.area.center())
        if along > 0.5 and along + 2.0 * across < best_cost:
            best, best_cost = cell, along + 2.0 * across
    return best
