"""One frame of the canvas: nodes and relations in pixels of the widget, without invisible ones.

All layers paint from the same frame. Knows no colours and does not paint.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QTransform

from desktop_app.engine.graph.view.graph_data import GraphData

RESTING_RELATIONS = 24_000
MOVING_RELATIONS = 5_000
FEW_EACH = 2  # relations per node; with so few left by a filter, all are drawn


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
        left: x of the layout's origin on the screen.
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


def screen_radii(radii: np.ndarray, scale: float) -> np.ndarray:
    """Return node radii at a zoom: they shrink with it and grow more slowly."""
    factor = scale**0.85 if scale < 1 else min(scale**0.35, 1.9)
    return np.maximum(radii * factor, 1.6)


def build_frame(
    data: GraphData, transform: QTransform, width: float, height: float, *, moving: bool = False
) -> ViewFrame:
    """Return the frame; while `moving`, only with the strongest relations."""
    places = data.places
    points = np.empty((len(data), 2))
    points[:, 0] = places[:, 0] * transform.m11() + places[:, 1] * transform.m21() + transform.dx()
    points[:, 1] = places[:, 0] * transform.m12() + places[:, 1] * transform.m22() + transform.dy()
    scale = float(np.hypot(transform.m11(), transform.m12()))
    radii = screen_radii(data.radii, scale)
    with np.errstate(invalid="ignore"):
        inside = (
            (points[:, 0] > -radii)
            & (points[:, 0] < width + radii)
            & (points[:, 1] > -radii)
            & (points[:, 1] < height + radii)
        )
    order = data.by_size[::-1]
    rows = order[(inside & data.shown)[order]]
    lines = _visible_lines(data, points, width, height)
    budget = MOVING_RELATIONS if moving else RESTING_RELATIONS
    left = float(transform.dx())
    return ViewFrame(points, radii, rows, lines[:budget], scale, width, height, left=left)


def _visible_lines(data: GraphData, points: np.ndarray, width: float, height: float) -> np.ndarray:
    if not len(data.pairs):
        return np.zeros(0, dtype=np.int64)
    first, second = points[data.pairs[:, 0]], points[data.pairs[:, 1]]
    with np.errstate(invalid="ignore"):
        low, high = np.minimum(first, second), np.maximum(first, second)
        seen = (high[:, 0] > 0) & (low[:, 0] < width) & (high[:, 1] > 0) & (low[:, 1] < height)
        seen &= (high - low).max(1) > 1.5
    few = not data.wanted.all() and data.wanted.sum() <= FEW_EACH * len(data)
    seen &= (data.wanted if few else data.drawn & data.wanted) & data.shown[data.pairs].all(1)
    return np.flatnonzero(seen)
