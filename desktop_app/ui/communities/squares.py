"""A treemap's rectangles: areas by weight, each as near a square as it gets.

Owns the arithmetic (squarified treemaps, Bruls, Huizing and van Wijk 2000). No Qt here.
"""

from __future__ import annotations

from collections.abc import Sequence

Box = tuple[float, float, float, float]  # left, top, width, height


def lay_squares(values: Sequence[float], box: Box) -> list[Box]:
    """Return a box for each value, in their order; areas are as the values, which fall.

    Values of zero or less have boxes without area.
    """
    left, top, width, height = box
    total = sum(v for v in values if v > 0)
    if total <= 0 or width <= 0 or height <= 0:
        return [(left, top, 0.0, 0.0) for _ in values]
    scale = width * height / total
    areas = [max(0.0, v) * scale for v in values]
    found: list[Box] = []
    start = 0
    while start < len(areas):
        side = min(width, height)
        end = start + 1
        while end < len(areas) and _worst(areas[start : end + 1], side) <= _worst(
            areas[start:end], side
        ):
            end += 1
        row = areas[start:end]
        depth = sum(row) / side if side > 0 else 0.0
        at = 0.0
        for area in row:
            length = area / depth if depth > 0 else 0.0
            if width >= height:
                found.append((left, top + at, depth, length))
            else:
                found.append((left + at, top, length, depth))
            at += length
        if width >= height:
            left, width = left + depth, max(0.0, width - depth)
        else:
            top, height = top + depth, max(0.0, height - depth)
        start = end
    return found


def _worst(areas: Sequence[float], side: float) -> float:
    """Return how far from a square the longest box of a row along a side is."""
    total, least, most = sum(areas), min(areas), max(areas)
    if total <= 0 or least <= 0 or side <= 0:
        return float("inf")
    return max(side * side * most / (total * total), total * total / (side * side * least))
