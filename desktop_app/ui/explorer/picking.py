"""Hit testing: the node or relation at a point, and the neighbour in a direction.

Knows no mouse events and no painting.
"""

from __future__ import annotations

import numpy as np

from desktop_app.engine.graph.view.graph_data import GraphData

from .frame import ViewFrame

DISC_REACH = 4.0
LINE_REACH = 4.0


def pick_disc(frame: ViewFrame, x: float, y: float) -> int | None:
    """Return the row of the node within `DISC_REACH` of a point of the screen."""
    rows = frame.rows
    if not len(rows):
        return None
    away = np.hypot(frame.points[rows, 0] - x, frame.points[rows, 1] - y) - frame.radii[rows]
    best = int(away.argmin())
    return int(rows[best]) if away[best] <= DISC_REACH else None


def pick_relation(
    frame: ViewFrame, data: GraphData, x: float, y: float, touched: np.ndarray
) -> int | None:
    """Return the position in `pairs` of the relation at a point of the screen.

    `touched` are relations drawn in addition to those of the frame, for the selected node.
    """
    lines = np.union1d(frame.lines, touched[data.shown[data.pairs[touched]].all(1)])
    if not len(lines):
        return None
    pairs = data.pairs[lines]
    start, end = frame.points[pairs[:, 0]], frame.points[pairs[:, 1]]
    along = end - start
    length = (along * along).sum(1) + 1e-9
    share = ((np.array([x, y]) - start) * along).sum(1) / length
    nearest = start + along * np.clip(share, 0.0, 1.0)[:, None]
    away = np.hypot(nearest[:, 0] - x, nearest[:, 1] - y)
    best = int(away.argmin())
    return int(lines[best]) if away[best] <= LINE_REACH else None


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
