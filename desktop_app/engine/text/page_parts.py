"""What is printed on a page as a whole: lines of text, figures and tables with their captions.

Owns how a rectangle that is drawn on a page snaps to them, so that none of its sides cuts a line;
running heads are lines, too, though the text is without them.
Works from letters and known figures alone: a page of which nothing is known snaps nothing. Knows
no window; positions are 0 to 1 of the page from its top left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..figures import find_caption_label
from ..text_tables import find_tables
from .pdf_pages import PageLetters
from .pdf_positions import Box

PAD = 3.0  # points of white that a snapped rectangle has around what is printed
HALF = 0.5  # of a figure, table or line: a rectangle that has less of it does not mean it
LEAST_WIDE = 0.25  # of the width of a line: one of a neighbouring column is only touched
TOUCH = 0.3  # of the height of a line: the boxes of letters may reach over those of the next line
LEAST_TOUCH = 0.02  # of the height of a line: less is rounding
REACH = 6.0  # points between the side that a grip moves and the edge of a figure
NEAR_CAPTION = 1.5  # of the height of a line: between a table, its caption and lines of that
MOST_CAPTION_LINES = 6
RULES_REACH = 18.0  # points: how far the rules of a table go beyond its letters
LEAST_OWN = 0.6  # of the letters in a table's rectangle that are its own; others were misplaced
FindInk = Callable[[Box], Box | None]


@dataclass(frozen=True, slots=True)
class PlacedFigure:
    """A figure on a page as that is shown: its box, and its caption in the document's text."""

    box: Box
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A figure or table: `body` is its box, `box` that with its caption.

    That of a table ends at its letters.
    """

    body: Box
    box: Box
    is_table: bool = False


@dataclass(frozen=True, slots=True)
class PageParts:
    """The blocks and lines of a page; `height` and `width` are those of the page in points.

    Lines within a block are in both.
    """

    blocks: tuple[PageBlock, ...]
    lines: tuple[Box, ...]
    width: float
    height: float


def is_sideways(letters: PageLetters) -> bool:
    """Return whether the lines of a page go down or up it, as those of a sideways table do."""
    if len(letters.offsets) < 2:
        return False
    left, top, right, bottom = letters.boxes.T
    x = np.abs(np.diff(left + right)) * letters.width
    y = np.abs(np.diff(top + bottom)) * letters.height
    is_next = np.diff(letters.offsets) == 1  # letters of one word
    return bool((y > x)[is_next].sum() > (x > y)[is_next].sum())


def find_page_parts(
    letters: PageLetters, text: str, span: tuple[int, int], figures: Iterable[PlacedFigure]
) -> PageParts:
    """Return what is printed on a page whose lines go across it; see `is_sideways`.

    Args:
        text: of the document; `span` is the part of it that is on the page.
        figures: of the page.
    """
    lines = _join_fragments([*letters.rects(span[0], span[1]), *letters.other_rects()])
    blocks = []
    for figure in figures:
        caption = letters.rects(figure.start, figure.end) if figure.start < figure.end else []
        inside = [line for line in lines if _has_middle(figure.box, line)]
        body = _join([figure.box, *inside])
        blocks.append(PageBlock(body, _join([body, *caption])))
    blocks += _find_table_blocks(letters, text, span, lines)
    return PageParts(tuple(blocks), tuple(lines), letters.width, letters.height)


def _find_table_blocks(
    letters: PageLetters, text: str, span: tuple[int, int], lines: Sequence[Box]
) -> list[PageBlock]:
    captions = _find_captions(letters, text, span)
    page_text = text[span[0] : span[1]]
    blocks = []
    for table in find_tables(page_text):
        start, end = span[0] + table.start, span[0] + table.end
        rows = letters.rects(start, end)
        if not rows:
            continue
        body = _join(rows)
        own, all_ = _count_letters(letters, body, start, end)
        if own < LEAST_OWN * all_:
            continue
        with_captions = [_join_caption(body, caption, lines) for caption in captions]
        boxes = [box for box in with_captions if box is not None]
        box = min(boxes, key=lambda one: one[3] - one[1], default=body)
        blocks.append(PageBlock(body, box, is_table=True))
    return blocks


def _join_caption(body: Box, caption: Box, lines: Sequence[Box]) -> Box | None:
    """Return a table with its caption; None if that is not the caption of this table.

    Between "Table 2" and the table may be lines of the title, but no gap.
    """
    is_above = caption[1] < body[1]
    box = caption if is_above else body
    last = body if is_above else caption
    if min(body[2], caption[2]) <= max(body[0], caption[0]):
        return None
    for _ in range(MOST_CAPTION_LINES):
        height = min(caption[3] - caption[1], 0.05)
        if last[1] - box[3] <= NEAR_CAPTION * height:
            return _join([body, caption, box])
        below = [
            line
            for line in lines
            if box[3] - TOUCH * height <= line[1] <= box[3] + NEAR_CAPTION * height
            and line[3] <= last[1] + TOUCH * height
            and min(line[2], body[2]) > max(line[0], body[0])
        ]
        if not below:
            return None
        box = _join([box, *below])
    return None


def _find_captions(letters: PageLetters, text: str, span: tuple[int, int]) -> list[Box]:
    """Return the captions of a page, each with the rest of its paragraph.

    Printed lines are looked at, because the text may have joined one with the paragraph before.
    """
    offsets = letters.offsets
    if not len(offsets):
        return []
    begins = letters.line_begins()
    captions = []
    for row, stop in zip(begins, [*begins[1:], len(offsets)], strict=True):
        start, end = int(offsets[row]), int(offsets[stop - 1]) + 1
        if find_caption_label(text[start : min(end, start + 100)]):
            last = text.find("\n", start, span[1])
            captions.append(_join(letters.rects(start, last if last >= 0 else span[1])))
    return captions


def _count_letters(letters: PageLetters, box: Box, start: int, end: int) -> tuple[int, int]:
    """Return how many letters in a box are of a range of the text, and how many there are."""
    left, top, right, bottom = letters.boxes.T
    x, y = (left + right) / 2, (top + bottom) / 2
    inside = (x >= box[0]) & (x <= box[2]) & (y >= box[1]) & (y <= box[3])
    own = inside & (letters.offsets >= start) & (letters.offsets < end)
    return int(own.sum()), int(inside.sum())


def _join_fragments(fragments: Sequence[Box]) -> list[Box]:
    """Return lines of which the parts are joined: a letter above another, a word after a gap."""
    lines: list[Box] = []
    for box in sorted(fragments, key=lambda one: (one[1], one[0])):
        for at in range(len(lines) - 1, max(-1, len(lines) - 12), -1):
            line = lines[at]
            height = min(line[3] - line[1], box[3] - box[1])
            down = min(line[3], box[3]) - max(line[1], box[1])
            across = max(line[0], box[0]) - min(line[2], box[2])
            if down > HALF * height and across < height:
                lines[at] = _join([line, box])
                break
        else:
            lines.append(box)
    return lines


# --- snapping -------------------------------------------------------------------------------------


def snap_box(parts: PageParts, box: Box, find_ink: FindInk) -> Box:
    """Return the rectangle that is meant by one that was drawn on a page.

    It has a figure or table of which half is in it as a whole, with the caption. Other lines are in
    it or not; white at its edges is cut to `PAD`.

    Args:
        find_ink: returns the sides of what is printed in a box, None if that is not known.
    """
    meant = [block for block in parts.blocks if _share(block.box, box) >= HALF]
    return _snap_to(parts, box, meant, find_ink)


def _snap_to(parts: PageParts, box: Box, blocks: Sequence[PageBlock], find_ink: FindInk) -> Box:
    """Return a rectangle around these blocks, and the other lines that it means."""
    kept: list[Box] = [block.box for block in blocks]
    others = [line for line in parts.lines if not any(_has_middle(b, line) for b in kept)]
    kept += [line for line in others if _is_meant(line, box)]
    others = [line for line in others if line not in kept]
    found = _join([box, *kept])
    for block in blocks:
        if block.is_table:
            found = _join([found, _add_rules(parts, block.body, others, find_ink)])
    waiting = list(others)
    while waiting:
        cut = waiting.pop()
        if not _touches(found, cut):
            continue
        smaller = _leave_out(found, cut, kept)
        if smaller is not None:
            found = smaller
            continue
        kept.append(cut)  # it is between lines that are meant
        others.remove(cut)
        found, waiting = _join([found, cut]), list(others)
    return _trim(parts, found, others, find_ink)


def _add_rules(parts: PageParts, body: Box, others: Sequence[Box], find_ink: FindInk) -> Box:
    """Return the box of a table with the rules around it, which are no letters."""
    dx, dy = RULES_REACH / max(1.0, parts.width), RULES_REACH / max(1.0, parts.height)
    room = _stay_apart(body, (body[0] - dx, body[1] - dy, body[2] + dx, body[3] + dy), others)
    return find_ink(room) or body


def _stay_apart(inner: Box, outer: Box, others: Sequence[Box]) -> Box:
    """Return the outer box, cut so that it touches none of the lines around the inner one."""
    left, top, right, bottom = outer
    for line in others:
        if line[0] < right and line[2] > left:
            if line[1] < inner[1]:
                top = max(top, min(line[3], inner[1]))
            elif line[3] > inner[3]:
                bottom = min(bottom, max(line[1], inner[3]))
        if line[1] < inner[3] and line[3] > inner[1]:
            if line[0] < inner[0]:
                left = max(left, min(line[2], inner[0]))
            elif line[2] > inner[2]:
                right = min(right, max(line[0], inner[2]))
    return max(0.0, left), max(0.0, top), min(1.0, right), min(1.0, bottom)


def _is_meant(line: Box, box: Box) -> bool:
    """Return whether a rectangle has so much of a line that it means it."""
    across, down = _overlap(line, box)
    width = line[2] - line[0]
    is_high = down >= HALF * (line[3] - line[1])
    return is_high and (across >= LEAST_WIDE * width or across >= HALF * (box[2] - box[0]))


def _leave_out(found: Box, line: Box, kept: Sequence[Box]) -> Box | None:
    """Return a box without a line, by moving the side that has the shortest way; None if none may.

    A side may not cut what is kept. Where the boxes of two lines overlap, it is in the middle.
    """
    slack = TOUCH * (line[3] - line[1])
    ways = []
    for side in range(4):
        axis, is_first = side % 2, side < 2
        edge = line[axis + 2] if is_first else line[axis]
        limit = (
            min((k[axis] for k in kept), default=1.0)
            if is_first
            else max((k[axis + 2] for k in kept), default=0.0)
        )
        past = edge - limit if is_first else limit - edge
        if past > slack:
            continue
        if past > 0:
            edge = (edge + limit) / 2
        moved = list(found)
        moved[side] = edge
        if moved[axis] < moved[axis + 2]:
            ways.append((abs(edge - found[side]), moved))
    if not ways:
        return None
    left, top, right, bottom = min(ways)[1]
    return left, top, right, bottom


def _touches(box: Box, line: Box) -> bool:
    """Return whether a line is partly or wholly in a box."""
    across, down = _overlap(line, box)
    slack = LEAST_TOUCH * (line[3] - line[1])
    return across > slack and down > slack


def _trim(parts: PageParts, found: Box, others: Sequence[Box], find_ink: FindInk) -> Box:
    """Return a box without the white at its edges, but for `PAD`; it touches no other line."""
    ink = find_ink(found) or found
    dx, dy = PAD / max(1.0, parts.width), PAD / max(1.0, parts.height)
    padded = ink[0] - dx, ink[1] - dy, ink[2] + dx, ink[3] + dy
    return _stay_apart(ink, padded, others)


def snap_sides(parts: PageParts, before: Box, box: Box) -> Box:
    """Return a rectangle of which those sides snap that differ from `before`.

    A side goes to the nearer end of the lines that it cuts, or to the edge of a figure or table
    that is as near as `REACH`. Figures are not taken as a whole: who moves one side may want to
    leave the caption out.
    """
    sides = list(box)
    edges = [b.body for b in parts.blocks] + [b.box for b in parts.blocks]
    for side in range(4):
        if abs(box[side] - before[side]) < 1e-6:
            continue
        axis, size = side % 2, parts.height if side % 2 else parts.width
        other = 1 - axis  # the axis along the side
        low, high = sides[other], sides[other + 2]
        across = [
            line
            for line in parts.lines
            if line[axis] < sides[side] < line[axis + 2]
            and min(high, line[other + 2]) - max(low, line[other]) > TOUCH * (line[3] - line[1])
        ]
        wanted = sides[side]
        if across:
            ends = min(x[axis] for x in across), max(x[axis + 2] for x in across)
            wanted = min(ends, key=lambda end: abs(end - sides[side]))
            wanted += _find_gap(parts, axis, wanted, size) * (1 if wanted == ends[1] else -1)
        pad = PAD / max(1.0, size) * (-1 if side < 2 else 1)
        near = [
            edge[side] + pad
            for edge in edges
            if min(high, edge[other + 2]) > max(low, edge[other])
            and abs(edge[side] + pad - sides[side]) * size <= REACH
        ]
        if near:
            wanted = min(near, key=lambda edge: abs(edge - sides[side]))
        opposite = sides[(side + 2) % 4]
        if (wanted < opposite) == (side < 2):
            sides[side] = min(1.0, max(0.0, wanted))
    return sides[0], sides[1], sides[2], sides[3]


def _find_gap(parts: PageParts, axis: int, end: float, size: float) -> float:
    """Return how far a side stays away from the end of a line: not as far as the next one.

    Args:
        size: of the page along the axis, in points.
    """
    ends = (edge for line in parts.lines for edge in (line[axis], line[axis + 2]))
    near = min((abs(edge - end) for edge in ends if edge != end), default=1.0)
    return min(PAD / max(1.0, size), near / 2)


def find_block(parts: PageParts, x: float, y: float, find_ink: FindInk) -> Box | None:
    """Return the smallest figure or table at a point, with its caption; None if there is none."""
    at = [one for one in parts.blocks if _contains(one.box, x, y)]
    if not at:
        return None
    block = min(at, key=lambda one: (one.box[2] - one.box[0]) * (one.box[3] - one.box[1]))
    return _snap_to(parts, block.box, [block], find_ink)


# --- boxes ----------------------------------------------------------------------------------------


def _join(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = np.array(boxes, dtype=float).T
    return float(lefts.min()), float(tops.min()), float(rights.max()), float(bottoms.max())


def _overlap(box: Box, other: Box) -> tuple[float, float]:
    """Return how much two boxes overlap across and down, 0.0 each if they do not."""
    return (
        max(0.0, min(box[2], other[2]) - max(box[0], other[0])),
        max(0.0, min(box[3], other[3]) - max(box[1], other[1])),
    )


def _share(box: Box, other: Box) -> float:
    """Return how much of a box is in another one, 0 to 1."""
    across, down = _overlap(box, other)
    return across * down / max(1e-9, (box[2] - box[0]) * (box[3] - box[1]))


def _has_middle(box: Box, part: Box) -> bool:
    return _contains(box, (part[0] + part[2]) / 2, (part[1] + part[3]) / 2)


def _contains(box: Box, x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]
