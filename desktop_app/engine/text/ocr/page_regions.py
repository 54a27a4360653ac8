"""Where something is drawn on a picture of a page: regions with ink or tone outside its lines.

Works on the pixels, at about 100 dots per inch, and on the places of the lines that were read.
Shadows at the edges, specks, rules and frames of the page are left out. Which regions are figures
is for `page_figures` to say, by their captions; `PageRegion.is_alone` marks those that are figures
without one. Regions are found as groups of connected components, as in Wong, Casey and Wahl (1982).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...scanned_pages import MAX_REGIONS, PageBox, PageRegion, ScannedLine

SIDE = 1_100  # pixels of the long side of the picture that is looked at: a sheet at 94 dpi
_SHEET = 842.0  # points of the long side of a sheet: the unit in which sizes are given here
_EVERY = 3  # rows and columns of which the colour of the paper and the grain are measured
_BLOCKS = 24  # along the long side, for each of which the colour of the paper is found
_LIGHT, _PAPER = 85, 0.75  # percentile of a block; of the lightest block: darker ones are no paper
_EVEN = 16.0  # of 255, by which the light pixels of paper differ from most of its pixels
_LEAST_PAPER = 0.15  # of the blocks: a plate with a narrow margin has less
_TONE, _NOISE = 24.0, 4.0  # of 255: darker than the paper; in deviations of the grain
_LINE_MORE = 0.12  # of the height of a line, by which it is covered: letters reach over their box
_SURE_LINE = 0.6  # confidence: shapes in drawings are read as letters
_EDGE = 0.015  # of each side, where nothing counts
_SHADOW = 0.08  # of the page, from an edge: the depth of shadows and of the next page's margin
_DARK_ROW = 0.5  # of a row at the edge, which is then a part of a shadow
_SPECK = 3  # pixels
_RULE, _RULE_LENGTH = 3.0, 24.0  # points: a rule is thinner, and longer
_WHOLE, _THIN_FRAME = 0.85, 0.06  # of the page, and what of it is inked: a frame of the page
_REACH = 6.0  # points between parts of one drawing
_LEAST = 6.0  # points of the longer side of a region
_STRIP, _STRIP_STRETCHED = 16.0, 8.0  # points of the shorter side; a line of text, a heading's rule
_HOLE, _HOLE_MARGIN = (10.0, 32.0), 0.12  # points; of the width: a hole for a folder
# A region is a figure without a caption if it is large, and toned or one drawing: stamps, initials,
# stains, formulas, notes by hand and tables are not.
_ALONE_SIDE, _ALONE_SHARE = 86.0, 0.025  # points of the shorter side; of the page
_ALONE_LETTERS = 150  # in lines over it, at most: more are a text on a coloured ground
_ALONE_STRETCHED = 5.0  # longer side by shorter one, at most
_TONED = 0.45  # of a photograph's pixels are darker than paper
_ONE_PIECE, _DRAWN = 0.6, 0.07  # of both sides that one stroke spans; of its pixels that are inked
_DRAWN_SIDE = 130.0  # points of the shorter side of a drawing: stamps have up to 110
_DARK, _DARK_SHARE = 70.0, 0.03  # of 255, of the pixels: paler regions are stains
_FLAT = 10.0  # deviation of the tones: fewer are one even ground
_STRAIGHT, _STRAIGHT_RUN = 0.75, 22.0  # of the ink, in runs of so many points: a table
_SAME = 0.8  # of a region inside another one, which then has it


@dataclass(slots=True)
class _Found:
    """A region in pixels of the upright picture: left, top, right, bottom."""

    left: int
    top: int
    right: int
    bottom: int
    n_ink: int = 0
    widest: int = 0  # the sides of its largest connected part
    highest: int = 0

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def area(self) -> int:
        return self.width * self.height

    def take(self, other: _Found) -> None:
        self.left, self.top = min(self.left, other.left), min(self.top, other.top)
        self.right, self.bottom = max(self.right, other.right), max(self.bottom, other.bottom)
        self.n_ink += other.n_ink
        if other.widest * other.highest > self.widest * self.highest:
            self.widest, self.highest = other.widest, other.highest


def find_regions(
    picture: np.ndarray, lines: Sequence[ScannedLine], turn: int = 0, angle: float = 0.0
) -> tuple[PageRegion, ...]:
    """Return where something is drawn on a page, the largest first, at most `MAX_REGIONS`.

    Args:
        picture: red, green, blue; uint8, shape (height, width, 3).
        lines, turn, angle: as in `ScannedPage`.
    """
    upright = _Upright(picture, turn, angle)
    darkness, threshold = _measure_darkness(upright.pixels)
    toned = darkness > threshold
    sure = [line for line in lines if line.confidence >= _SURE_LINE]
    text = upright.draw_lines(sure)
    unit = max(toned.shape) / _SHEET  # pixels a point
    drawn = _clear_edges(toned) & ~text
    found = _group(drawn, unit)
    placed = [(upright.place(line), len(line.text)) for line in sure]
    regions = []
    for one in sorted(found, key=lambda one: -one.area)[:MAX_REGIONS]:
        is_alone = _is_alone(one, darkness, toned, drawn, placed, unit)
        box = upright.to_page(one)
        if box[0] < box[2] and box[1] < box[3]:  # not in a corner that turning the page cut off
            regions.append(PageRegion(box, is_alone))
    return tuple(regions)


class _Upright:
    """A small upright picture of a page, with its lines horizontal.

    Attributes:
        pixels: the darkest of red, green and blue, so that every colour differs from paper; uint8,
            shape (height, width).
    """

    def __init__(self, picture: np.ndarray, turn: int, angle: float) -> None:
        from PIL import Image

        height, width = picture.shape[:2]
        share = min(1.0, SIDE / max(height, width))
        size = max(1, round(width * share)), max(1, round(height * share))
        small = Image.fromarray(picture).resize(size, Image.Resampling.BOX)
        self._page_size = size
        self._turn = turn
        self._angle = angle if abs(angle) >= 0.1 else 0.0
        red, green, blue = np.moveaxis(np.asarray(small), 2, 0)
        dark = np.rot90(np.minimum(np.minimum(red, green), blue), turn // 90)
        if self._angle:
            paper = int(np.median(dark[::_EVERY, ::_EVERY]))
            turned = Image.fromarray(np.ascontiguousarray(dark)).rotate(
                self._angle, Image.Resampling.BILINEAR, fillcolor=paper
            )
            dark = np.asarray(turned)
        self.pixels = np.ascontiguousarray(dark)

    @property
    def _center(self) -> np.ndarray:
        height, width = self.pixels.shape
        return np.array([width / 2, height / 2])

    def _straighten(self, line: ScannedLine) -> np.ndarray:
        """Return the corners of a line in pixels of the upright picture, shape (4, 2)."""
        width, height = self._page_size
        points = np.array(line.corners).reshape(4, 2) * (width, height)
        x, y = points[:, 0], points[:, 1]
        if self._turn == 90:
            points = np.stack([y, width - x], axis=1)
        elif self._turn == 180:
            points = np.stack([width - x, height - y], axis=1)
        elif self._turn == 270:
            points = np.stack([height - y, x], axis=1)
        return rotate_points(points, -self._angle, self._center)

    def draw_lines(self, lines: Iterable[ScannedLine]) -> np.ndarray:
        """Return which pixels are covered by lines, bool, as the picture."""
        from PIL import Image, ImageDraw

        height, width = self.pixels.shape
        mask = Image.new("L", (width, height), 0)
        drawing = ImageDraw.Draw(mask)
        for line in lines:
            corners = self._straighten(line)
            center = corners.mean(axis=0)
            sides = np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[3] - corners[0])
            more = _LINE_MORE * min(sides)
            away = corners - center
            corners = corners + np.sign(away) * more
            drawing.polygon([(float(x), float(y)) for x, y in corners], fill=1)
        return np.asarray(mask) > 0

    def place(self, line: ScannedLine) -> tuple[float, float]:
        """Return the centre of a line in pixels of the upright picture."""
        x, y = self._straighten(line).mean(axis=0).tolist()
        return x, y

    def to_page(self, one: _Found) -> PageBox:
        """Return a region as shares of the page as it is in the file."""
        height, width = self.pixels.shape
        center = np.array([[(one.left + one.right) / 2, (one.top + one.bottom) / 2]])
        [[x, y]] = rotate_points(center, self._angle, self._center).tolist()
        half_width, half_height = one.width / 2, one.height / 2
        box = (
            (x - half_width) / width,
            (y - half_height) / height,
            (x + half_width) / width,
            (y + half_height) / height,
        )
        return turn_box(box, self._turn)


def rotate_points(points: np.ndarray, degrees: float, center: np.ndarray) -> np.ndarray:
    """Return points, shape (N, 2), that are rotated clockwise around a center, y downwards."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = (points - center).T
    turned = np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=1)
    return np.asarray(turned + center)


def turn_box(box: PageBox, turn: int) -> PageBox:
    """Return a box of the upright page on the page that is turned clockwise, inside of it."""
    left, top, right, bottom = box
    if turn == 90:
        left, top, right, bottom = 1 - bottom, left, 1 - top, right
    elif turn == 180:
        left, top, right, bottom = 1 - right, 1 - bottom, 1 - left, 1 - top
    elif turn == 270:
        left, top, right, bottom = top, 1 - right, bottom, 1 - left
    return max(0.0, left), max(0.0, top), min(1.0, right), min(1.0, bottom)


# --- paper and ink --------------------------------------------------------------------------------


def _measure_darkness(grey: np.ndarray) -> tuple[np.ndarray, float]:
    """Return how much darker than the paper each pixel is, and above what it is no grain.

    The paper may be lit from one side: its colour is that of the light pixels around, and where
    there are none, as in a photograph, that of the nearest paper. On a page without paper it is
    the lightest one.
    """
    from PIL import Image
    from scipy import ndimage

    height, width = grey.shape
    step = max(8, math.ceil(max(height, width) / _BLOCKS))
    rows, columns = math.ceil(height / step), math.ceil(width / step)
    whole = np.pad(grey, ((0, rows * step - height), (0, columns * step - width)), mode="edge")
    blocks = whole.reshape(rows, step, columns, step)[:, ::_EVERY, :, ::_EVERY]
    middle, light = np.percentile(blocks, (50, _LIGHT), axis=(1, 3))
    is_paper = (light >= _PAPER * np.percentile(light, 95)) & (light - middle < _EVEN)
    if is_paper.mean() < _LEAST_PAPER:
        light[:] = light.max()
    else:
        nearest = ndimage.distance_transform_edt(
            ~is_paper, return_distances=False, return_indices=True
        )
        light = light[tuple(nearest)]
    light = ndimage.uniform_filter(light, 3, mode="nearest")
    paper = Image.fromarray(light.astype(np.float32)).resize(
        (columns * step, rows * step), Image.Resampling.BILINEAR
    )
    darkness = np.asarray(paper)[:height, :width] - grey
    near = darkness[::_EVERY, ::_EVERY]
    near = near[np.abs(near) < 2 * _TONE]
    grain = 1.48 * float(np.median(np.abs(near - np.median(near)))) if near.size else 0.0
    return darkness, max(_TONE, _NOISE * grain)


def _clear_edges(toned: np.ndarray) -> np.ndarray:
    """Return the toned pixels without the edges of the picture and the shadows along them."""
    made = toned.copy()
    for _ in range(4):  # each side in turn
        rows = made.shape[0]
        dark = made[: int(_SHADOW * rows)].mean(axis=1) > _DARK_ROW
        # A photograph that reaches the edge goes on: its rows are dark to the end.
        n_dark = int(np.argmin(dark)) if len(dark) and not dark.all() else 0
        made[: max(n_dark, math.ceil(_EDGE * rows))] = False
        made = np.rot90(made)
    return np.ascontiguousarray(made)


# --- parts and regions ----------------------------------------------------------------------------


def _group(drawn: np.ndarray, unit: float) -> list[_Found]:
    """Return groups of connected parts that stand close together, without those of the page."""
    from scipy import ndimage

    around = ndimage.uniform_filter(drawn.astype(np.float32), 3, mode="constant")
    drawn = drawn & (around > 2.5 / 9)  # a pixel alone is dirt
    labels, n_parts = ndimage.label(drawn, structure=np.ones((3, 3)))
    if not n_parts:
        return []
    height, width = drawn.shape
    weights = np.bincount(labels.ravel(), minlength=n_parts + 1)
    kept = np.zeros(n_parts + 1, dtype=bool)
    rules: list[_Found] = []
    sizes = np.zeros((n_parts + 1, 2), dtype=np.int64)
    for number, where in enumerate(ndimage.find_objects(labels), start=1):
        rows, columns = where
        part = _Found(columns.start, rows.start, columns.stop, rows.stop, int(weights[number]))
        sizes[number] = part.width, part.height
        if max(part.width, part.height) < _SPECK or _is_shadow(part, width, height):
            continue
        if min(part.width, part.height) <= max(2.0, _RULE * unit) and (
            max(part.width, part.height) > _RULE_LENGTH * unit
        ):
            rules.append(part)
            continue
        is_frame = part.width > _WHOLE * width and part.height > _WHOLE * height
        if is_frame and part.n_ink < _THIN_FRAME * part.area:
            continue
        kept[number] = True
    shapes = kept[labels]
    reach = 2 * max(1, round(_REACH * unit / 2)) + 1
    near = ndimage.maximum_filter(shapes.astype(np.uint8), size=reach) > 0
    groups, n_groups = ndimage.label(near)
    groups[~shapes] = 0
    weights = np.bincount(groups.ravel(), minlength=n_groups + 1)
    found: dict[int, _Found] = {}
    for number, where in enumerate(ndimage.find_objects(groups, n_groups), start=1):
        if where is not None:
            rows, columns = where
            found[number] = _Found(
                columns.start, rows.start, columns.stop, rows.stop, int(weights[number])
            )
    group_of = np.zeros(n_parts + 1, dtype=np.int64)
    group_of[labels[shapes]] = groups[shapes]
    for label in np.flatnonzero(kept).tolist():
        group = found[int(group_of[label])]
        if sizes[label].prod() > group.widest * group.highest:
            group.widest, group.highest = sizes[label].tolist()
    joined = _join_inner(list(found.values()))
    _add_rules(joined, rules, unit)
    return [one for one in joined if not _is_small(one, width, unit)]


def _is_shadow(part: _Found, width: int, height: int) -> bool:
    """Return whether a part is a shadow or the next page: at an edge, and not deep."""
    edge = max(2, math.ceil(_EDGE * max(width, height)) + 1)
    deep, high = _SHADOW * width, _SHADOW * height
    return (
        (part.left <= edge and part.right < deep)
        or (part.right >= width - edge and part.left > width - deep)
        or (part.top <= edge and part.bottom < high)
        or (part.bottom >= height - edge and part.top > height - high)
    )


def _is_small(one: _Found, width: int, unit: float) -> bool:
    """Return whether a region is dirt, a strip, or a hole for a folder."""
    sides = one.width / unit, one.height / unit
    if max(sides) < _LEAST:
        return True
    if min(sides) < _STRIP and max(sides) > _STRIP_STRETCHED * min(sides):
        return True
    is_at_side = one.right < _HOLE_MARGIN * width or one.left > (1 - _HOLE_MARGIN) * width
    is_round = max(sides) < 1.5 * min(sides) and one.n_ink > 0.4 * one.area
    return is_at_side and is_round and _HOLE[0] <= min(sides) and max(sides) <= _HOLE[1]


def _join_inner(found: list[_Found]) -> list[_Found]:
    """Return regions, each with those that lie in it: drawings in a frame."""
    made: list[_Found] = []
    for one in sorted(found, key=lambda one: -one.area):
        for other in made:
            across = min(one.right, other.right) - max(one.left, other.left)
            down = min(one.bottom, other.bottom) - max(one.top, other.top)
            if across > 0 and down > 0 and across * down > _SAME * one.area:
                other.take(one)
                break
        else:
            made.append(one)
    return made


def _add_rules(found: list[_Found], rules: Sequence[_Found], unit: float) -> None:
    """Add the rules that belong to a region: its axes and its frame, not those of the page."""
    near = _REACH * unit
    for rule in rules:
        for one in found:
            is_outside = (
                rule.right < one.left - near
                or rule.left > one.right + near
                or rule.bottom < one.top - near
                or rule.top > one.bottom + near
            )
            is_longer = rule.width > 1.3 * one.width + near or rule.height > 1.3 * one.height + near
            if not is_outside and not is_longer and max(one.width, one.height) > 2 * near:
                one.take(rule)
                break


def _is_alone(
    one: _Found,
    darkness: np.ndarray,
    toned: np.ndarray,
    drawn: np.ndarray,
    lines: Sequence[tuple[tuple[float, float], int]],
    unit: float,
) -> bool:
    """Return whether a region is a figure without a caption."""
    least, most = sorted((one.width / unit, one.height / unit))
    if least < _ALONE_SIDE or most > _ALONE_STRETCHED * least:
        return False
    if one.area < _ALONE_SHARE * toned.size:
        return False
    n_letters = sum(
        n for (x, y), n in lines if one.left < x < one.right and one.top < y < one.bottom
    )
    if n_letters > _ALONE_LETTERS:
        return False
    inside = slice(one.top, one.bottom), slice(one.left, one.right)
    dark = darkness[inside]
    tone = float(toned[inside].mean())
    if float((dark > _DARK).mean()) < _DARK_SHARE or float(dark.std()) < _FLAT:
        return False
    if tone >= _TONED:
        return True
    is_one = one.widest > _ONE_PIECE * one.width and one.highest > _ONE_PIECE * one.height
    if not is_one or least < _DRAWN_SIDE or tone < _DRAWN:
        return False
    return _measure_straight(drawn[inside], unit) < _STRAIGHT


def _measure_straight(ink: np.ndarray, unit: float) -> float:
    """Return the share of inked pixels in long horizontal and vertical runs, as rules have."""
    from scipy import ndimage

    run = max(3, round(_STRAIGHT_RUN * unit))
    straight = np.zeros_like(ink)
    thick = ndimage.binary_dilation(ink, structure=np.ones((3, 3)))  # over small gaps
    for size in ((1, run), (run, 1)):
        eroded = ndimage.minimum_filter(thick.astype(np.uint8), size=size, mode="constant")
        straight |= ndimage.maximum_filter(eroded, size=size, mode="constant") > 0
    n_ink = int(ink.sum())
    return float((ink & straight).sum() / n_ink) if n_ink else 0.0
