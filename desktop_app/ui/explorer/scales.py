"""What sizes of nodes and widths of lines stand for: samples with their numbers.

The legend and the caption of a picture draw the samples; their sizes come from the same functions
as those of the view (`ViewFrame.radii`, `measure_lines`). Does not paint.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from desktop_app.engine.graph.view.graph_data import (
    N_STRENGTHS,
    GraphData,
    find_drawn,
    is_lettered,
)

from ..widgets import format_number
from .frame import ViewFrame
from .node_colors import RELATION_WIDTH, WIDE_RANGE, WIDE_RELATION

SMOOTH_LIMIT = 2_500
MOVING_SMOOTH_LIMIT = 300  # a smooth line costs several times as much as another one
THINNEST = 1.0  # pixels; a thinner smooth line is drawn fainter than its colour
CLEAR_NODES, CLEAR = 300, 1.2  # in views of so few nodes, each line can be followed
TOUCHED = 0.3  # by which the lines of the selected node are wider


@dataclass(frozen=True)
class ScaleSample:
    """A node or line as it is drawn.

    Attributes:
        size: radius of the node or width of the line, in pixels.
        number: what it stands for; "" where the number says nothing to a reader.
        strength: class of the line, which has a colour of its own.
    """

    size: float
    number: str
    strength: int = 0


def can_draw_smooth(frame: ViewFrame, *, exact: bool = False) -> bool:
    """Return whether the lines of a frame are smooth, and so have different widths."""
    return exact or len(frame.lines) <= (MOVING_SMOOTH_LIMIT if frame.moving else SMOOTH_LIMIT)


def measure_lines(
    scale: float, data: GraphData, *, smooth: bool, touched: bool = False
) -> tuple[float, ...]:
    """Return the width in pixels of a line of each strength.

    Args:
        scale: of the view, see `ViewFrame`.
        touched: lines of the selected or hovered node.
    """
    if not smooth:
        return (1.0,) * N_STRENGTHS
    slim = min(1.0, max(0.5, scale**0.5))
    widths = _choose_widths(data)
    if touched:
        return tuple(max(THINNEST, (width + TOUCHED) * slim) for width in widths)
    thinnest = CLEAR if len(data) <= CLEAR_NODES else THINNEST
    return tuple(max(thinnest, width * slim) for width in widths)


def _choose_widths(data: GraphData) -> tuple[float, ...]:
    """Return the widths at zoom 1: around few names, the wider the more passages differ."""
    if not is_lettered(data) or not len(data.n_passages):
        return RELATION_WIDTH
    fewest, most = max(float(data.n_passages.min()), 1.0), max(float(data.n_passages.max()), 1.0)
    share = min(np.log(max(most / fewest, 1.0)) / np.log(WIDE_RANGE), 1.0)
    pairs = zip(RELATION_WIDTH, WIDE_RELATION, strict=True)
    return tuple(float(usual + share * (wide - usual)) for usual, wide in pairs)


def find_line_ends(data: GraphData) -> tuple[int, int] | None:
    """Return the positions in `pairs` of the lines with fewest and most passages, if any."""
    drawn = np.flatnonzero(find_drawn(data))
    drawn = drawn[data.shown[data.pairs[drawn]].all(1)]
    if not len(drawn):
        return None
    passages = data.n_passages[drawn]
    return int(drawn[passages.argmin()]), int(drawn[passages.argmax()])


def list_line_samples(
    data: GraphData, frame: ViewFrame, ends: tuple[int, int] | None, *, exact: bool = False
) -> list[ScaleSample]:
    """Return a line with fewest and one with most passages; one if all have equally many.

    Args:
        ends: the result of `find_line_ends`.
    """
    if ends is None:
        return []
    # as it is drawn at rest: the legend does not change while the view moves
    smooth = exact or len(frame.lines) <= SMOOTH_LIMIT
    widths = measure_lines(frame.scale, data, smooth=smooth)
    differ = data.n_passages[ends[0]] < data.n_passages[ends[1]]
    return [
        ScaleSample(
            widths[data.strengths[at]],
            format_number(int(data.n_passages[at])),
            int(data.strengths[at]),
        )
        for at in (ends if differ else ends[:1])
    ]


def describe_range(samples: list[ScaleSample]) -> str:
    """Return the numbers of samples, from the first to the last: "1–12"."""
    return "–".join(sample.number for sample in samples if sample.number)


def list_node_samples(
    data: GraphData, frame: ViewFrame, largest: float, *, mode: str
) -> list[ScaleSample]:
    """Return the smallest node and the largest one; one if all are equally large.

    Args:
        largest: radius in pixels that there is room for: larger nodes are left out.
        mode: what sizes stand for; the values of "rank" are no numbers that a reader knows.
    """
    rows = data.by_size[data.shown[data.by_size]]
    rows = rows[frame.radii[rows] <= largest]
    if not len(rows):
        return []
    ends = [int(rows[-1]), int(rows[0])]
    if data.size_values[ends[0]] == data.size_values[ends[1]]:
        ends = ends[:1]
    return [
        ScaleSample(
            float(frame.radii[row]),
            format_number(round(float(data.size_values[row]))) if mode != "rank" else "",
        )
        for row in ends
    ]
