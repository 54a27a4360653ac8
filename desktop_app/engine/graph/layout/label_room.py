"""Makes room for the names of a small view: moves nodes apart until all labels fit.

Works on boxes: each holds a node and its name below it. Knows no fonts: the sizes of names are
estimated, in pixels at zoom 1.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np

from .force import FloatArray

MOST_NAMES = 160  # larger views label only a part of their nodes
LATIN_WIDTH, WIDE_WIDTH = 6.8, 12.5  # of a character, of those of Chinese
WIDEST, HEIGHT = 168.0, 17.0  # of a label
ACROSS, DOWN = 16.0, 7.0  # between two boxes
RATIO = 1.18  # width to height of the part of the canvas that no panel covers
FILLED = 0.5  # share of the area that boxes fill, so that relations stay visible between them
MOST_STRETCHED = 1.3  # one direction against the other
ROUNDS = 160


def estimate_label_widths(names: Sequence[str]) -> FloatArray:
    """Return the widths of names as labels, shape (N,)."""
    wide = ("W", "F")
    widths = [
        sum(WIDE_WIDTH if unicodedata.east_asian_width(c) in wide else LATIN_WIDTH for c in name)
        for name in (" ".join(name.split()) for name in names)
    ]
    return np.asarray(np.minimum(np.array(widths, dtype=float).reshape(-1), WIDEST))


def make_room_for_labels(
    places: FloatArray,
    radii: FloatArray,
    widths: FloatArray,
    pairs: FloatArray,
    *,
    fixed: np.ndarray,
    ratio: float = RATIO,
) -> FloatArray:
    """Return the places with room for a label below each node, and nodes beside foreign lines.

    A new layout is first stretched to the shape and the size of the canvas, so that it fills
    the view; one with fixed nodes keeps its shape.

    Args:
        widths: of the labels, shape (N,).
        pairs: rows of both ends of the lines that are drawn, shape (E, 2).
        fixed: nodes that do not move, bool, shape (N,).
        ratio: width to height of the canvas that is free.
    """
    if len(places) < 2:
        return places
    sizes = np.stack(
        (np.maximum(widths, 2 * radii) + ACROSS, 2 * radii + HEIGHT + 2 + DOWN), axis=1
    )
    if not fixed.any():
        places = _stretch(places, sizes, ratio)
    places = _separate_boxes(places, sizes, fixed)
    return _move_off_lines(places, radii, sizes, pairs, fixed)


OFF_LINE, PUSHES, SETTLING = 7.0, 24, 4  # pixels from the edge of a node to a foreign line
# Where most nodes are held, few pushes help: after six without a better state the rest of 24
# found at most two lines more in six random graphs, in twice the time.
MOST_VAIN_PUSHES = 6
FEW_PUSHED = 80  # names; with more, a round takes so long that vain ones end as well


def find_line_distances(
    points: FloatArray, pairs: FloatArray, rows: np.ndarray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the distance of each node to each line, and the vector from there to the node.

    The shapes are (N, E) and (N, E, 2); lines of the node itself are infinitely far.

    Args:
        rows: the nodes that are asked about; None for all.
    """
    rows = np.arange(len(points)) if rows is None else rows
    start, along = points[pairs[:, 0]], points[pairs[:, 1]] - points[pairs[:, 0]]
    squared = np.maximum((along * along).sum(1), 1e-9)
    asked = points[rows, None]
    share = ((asked - start) * along).sum(2) / squared
    away = asked - (start + np.clip(share, 0.0, 1.0)[..., None] * along)
    distances = np.hypot(away[..., 0], away[..., 1])
    distances[(rows[:, None] == pairs[:, 0]) | (rows[:, None] == pairs[:, 1])] = np.inf
    return distances, away


def _lack(distances: FloatArray, radii: FloatArray) -> tuple[FloatArray, int]:
    """Return how far nodes are too near to lines, shape (N, E), and the number of those that are.

    A node up to half too near counts as beside the line.
    """
    lacking = radii[:, None] + OFF_LINE - distances
    return lacking, int((lacking > OFF_LINE / 2).sum())


def _push_off_lines(
    points: FloatArray, radii: FloatArray, pairs: FloatArray, rows: np.ndarray
) -> tuple[int, FloatArray, FloatArray]:
    """Return how many of these nodes are too near to lines, and the pushes away from them.

    The pushes are of the nodes, shape (R, 2), and of the lines, shape (E, 2).
    """
    distances, away = find_line_distances(points, pairs, rows)
    lacking, n_near = _lack(distances, radii[rows])
    lacking = np.maximum(lacking, 0.0)
    # a node exactly on a line is pushed to the side where the line has its left
    flat = distances < 1e-6
    along = points[pairs[:, 1]] - points[pairs[:, 0]]
    side = np.broadcast_to(along[:, ::-1] * (-1.0, 1.0), away.shape)
    away = np.where(flat[..., None], side, away)
    length = np.maximum(np.hypot(away[..., 0], away[..., 1]), 1e-9)
    push = away / length[..., None] * lacking[..., None]
    return n_near, push.sum(1), push.sum(0)


def _move_off_lines(
    places: FloatArray, radii: FloatArray, sizes: FloatArray, pairs: FloatArray, fixed: np.ndarray
) -> FloatArray:
    """Return the places with fewer nodes on the lines of others, which look like their own.

    Nodes are pushed off the lines, and then their boxes apart; the best of all rounds is kept.
    Where few nodes are free, after an edit, only these and their lines are examined.
    """
    if not len(pairs) or fixed.all():
        return places
    free, held = np.flatnonzero(~fixed), np.flatnonzero(fixed)
    is_loose = ~fixed[pairs].all(1)  # lines that move
    loose = pairs[is_loose]
    n_still = _lack(find_line_distances(places, pairs[~is_loose], held)[0], radii[held])[1]
    best, fewest, points = places, len(places) * len(pairs), places
    n_vain, ends_early = 0, len(held) > 0 or len(points) > FEW_PUSHED
    for _ in range(PUSHES + 1):
        n_near, of_free, of_lines = _push_off_lines(points, radii, pairs, free)
        n_near_held, _, of_loose = _push_off_lines(points, radii, loose, held)
        n_near += n_near_held + n_still
        n_vain += 1
        if n_near < fewest:
            best, fewest, n_vain = points, n_near, 0
        if n_near == n_still or (ends_early and n_vain > MOST_VAIN_PUSHES):
            break
        steps = np.zeros_like(points)
        steps[free] = of_free
        of_lines[is_loose] += of_loose
        back = of_lines * -0.25  # the line gives way, too
        for end in (0, 1):
            for column in (0, 1):
                steps[:, column] += np.bincount(pairs[:, end], back[:, column], len(points))
        size = np.maximum(np.hypot(steps[:, 0], steps[:, 1]), 1e-9)[:, None]
        steps *= np.minimum(size, 3 * OFF_LINE) / size
        points = points + np.where(fixed[:, None], 0.0, steps)
        points = _separate_boxes(points, sizes, fixed, rounds=SETTLING)
    return best if best is places else _separate_boxes(best, sizes, fixed)


def _stretch(places: FloatArray, sizes: FloatArray, ratio: float) -> FloatArray:
    low, high = places.min(0), places.max(0)
    extent = np.maximum(high - low + sizes.mean(0), 1.0)
    needed = float(sizes.prod(1).sum()) / FILLED
    goal = np.sqrt(needed * ratio), np.sqrt(needed / ratio)
    scale = np.array(goal) / extent
    # One direction may grow more than the other, but by no more than a part.
    scale = np.maximum(scale, scale.max() / MOST_STRETCHED)
    grown: FloatArray = (places - (low + high) / 2) * scale
    return grown


def _separate_boxes(
    places: FloatArray, sizes: FloatArray, fixed: np.ndarray, rounds: int = ROUNDS
) -> FloatArray:
    """Return the places moved until no boxes overlap, in at most `rounds` iterations.

    Two boxes are moved apart in the direction in which they overlap less.
    """
    points = places.copy()
    free = np.flatnonzero(~fixed)
    points[free] += 1e-3 * np.stack((np.cos(free * 2.4), np.sin(free * 2.4)), 1)
    # Each direction has an array: numpy reduces along an axis of length 2 ten times slower.
    room_x, room_y = ((sizes[free, None, k] + sizes[None, :, k]) / 2 for k in (0, 1))
    share = np.where(fixed, 1.0, 0.5)  # of a push that the free one of two boxes takes
    own = np.arange(len(free)), free
    for _ in range(rounds):
        delta_x = points[free, None, 0] - points[None, :, 0]
        delta_y = points[free, None, 1] - points[None, :, 1]
        over_x, over_y = room_x - np.abs(delta_x), room_y - np.abs(delta_y)
        hit = (over_x > 0.5) & (over_y > 0.5)
        hit[own] = False
        if not hit.any():
            break
        down = hit & (over_y < over_x * 0.9)
        across = hit & ~down
        spread = np.sqrt(np.maximum(hit.sum(1), 1))
        for column, where, delta, over in (
            (0, across, delta_x, over_x),
            (1, down, delta_y, over_y),
        ):
            push = np.where(where, np.sign(delta) * (over + 0.5), 0.0)
            points[free, column] += (push @ share) / spread
    return points
