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
    places: FloatArray, radii: FloatArray, widths: FloatArray, *, fixed: np.ndarray
) -> FloatArray:
    """Return the places with room for a label below each node.

    A new layout is first stretched to the shape and the size of the canvas, so that it fills
    the view; one with fixed nodes keeps its shape.

    Args:
        widths: of the labels, shape (N,).
        fixed: nodes that do not move, bool, shape (N,).
    """
    if len(places) < 2:
        return places
    sizes = np.stack(
        (np.maximum(widths, 2 * radii) + ACROSS, 2 * radii + HEIGHT + 2 + DOWN), axis=1
    )
    if not fixed.any():
        places = _stretch(places, sizes)
    return _separate_boxes(places, sizes, fixed)


def _stretch(places: FloatArray, sizes: FloatArray) -> FloatArray:
    low, high = places.min(0), places.max(0)
    extent = np.maximum(high - low + sizes.mean(0), 1.0)
    needed = float(sizes.prod(1).sum()) / FILLED
    goal = np.sqrt(needed * RATIO), np.sqrt(needed / RATIO)
    scale = np.array(goal) / extent
    # One direction may grow more than the other, but by no more than a part.
    scale = np.maximum(scale, scale.max() / MOST_STRETCHED)
    grown: FloatArray = (places - (low + high) / 2) * scale
    return grown


def _separate_boxes(places: FloatArray, sizes: FloatArray, fixed: np.ndarray) -> FloatArray:
    """Return the places moved until no boxes overlap, in at most `ROUNDS` iterations.

    Two boxes are moved apart in the direction in which they overlap less.
    """
    points = places.copy()
    n = len(points)
    points[~fixed] += (
        1e-3 * np.stack((np.cos(np.arange(n) * 2.4), np.sin(np.arange(n) * 2.4)), 1)[~fixed]
    )
    room = (sizes[:, None, :] + sizes[None, :, :]) / 2
    mobility = np.where(fixed, 0.0, 1.0)
    total = mobility[:, None] + mobility[None, :]
    share = np.divide(mobility[:, None], total, out=np.zeros_like(total), where=total > 0)
    for _ in range(ROUNDS):
        delta = points[:, None, :] - points[None, :, :]
        over = room - np.abs(delta)
        hit = (over > 0.5).all(2)
        np.fill_diagonal(hit, False)
        hit &= total > 0
        if not hit.any():
            break
        down = over[..., 1] < over[..., 0] * 0.9
        across = hit & ~down
        down &= hit
        push = np.zeros_like(delta)
        push[..., 0] = np.where(across, np.sign(delta[..., 0]) * (over[..., 0] + 0.5), 0.0)
        push[..., 1] = np.where(down, np.sign(delta[..., 1]) * (over[..., 1] + 0.5), 0.0)
        n_hit = np.maximum(hit.sum(1), 1)[:, None]
        step = (push * share[..., None]).sum(1)
        points += step / np.sqrt(n_hit)
    return points
