"""Which drawings of a page belong to which caption, by their places.

A caption is a line that begins with "Figure 3" or "图3"; its figure is what is drawn above or below
it, up to the next line of running text. Coordinates are points of the upright page, from its top
left. Knows no file: `readers.pdf_figures` reads lines and drawings of a PDF, `ocr.page_figures`
those of a page that was read as a picture.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..figures import MAX_CAPTION_CHARS, FigureBox, find_caption_label
from .pdf_positions import normalize_letters

MAX_CAPTION_LINES = 25
DPI = 200.0  # at which the size of a region is counted in pixels, and the text in it is read
_MIN_WIDTH, _MIN_HEIGHT = 40.0, 30.0  # points of a region
_TEXT_LETTERS = 20  # of a line of running text, at least
_TEXT_WIDTH = 0.55  # of the usual width of lines
_FAR = 60.0  # points between a caption and its figure, at most
_GAP = 50.0  # points between two parts of a figure: labels stand between them
_LABEL_GAP = 16.0  # points between a drawing and its labels
THIN = 2.0  # points: a rule
_MARGIN = 3.0

Side = tuple[float, float, float, float]  # left, top, right, bottom; points


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line of text, or a part of one beside a gap."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    is_whole: bool = True  # it is the first part of its line

    @property
    def height(self) -> float:
        return self.bottom - self.top


@dataclass(slots=True)
class Drawing:
    """Something drawn on the page; `pixels` are those of an embedded picture."""

    left: float
    top: float
    right: float
    bottom: float
    pixels: tuple[int, int] = (0, 0)
    is_taken: bool = False
    is_form: bool = False  # its bounds may be larger than what is seen of it

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def is_rule(self) -> bool:
        return min(self.width, self.height) < THIN


@dataclass(frozen=True, slots=True)
class PageFigure:
    """A figure of a page; `caption` is as it was read, with line ends, "" without one.

    Attributes:
        place: what is the same for copies of a picture on several pages.
    """

    label: str
    caption: str
    box: FigureBox
    width: int
    height: int
    place: tuple[int, ...] = ()


class PageSize:
    """The size of a page in points, which turns places into shares of it."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height

    def to_shares(self, side: Side) -> FigureBox:
        """Return a rectangle as shares of the page, with a margin."""
        left, top, right, bottom = side
        return (
            max(0.0, (left - _MARGIN) / self.width),
            max(0.0, (top - _MARGIN) / self.height),
            min(1.0, (right + _MARGIN) / self.width),
            min(1.0, (bottom + _MARGIN) / self.height),
        )


def _find_frames(drawings: Sequence[Drawing]) -> list[Drawing]:
    """Return the frames that are drawn as single lines, between two vertical ones."""
    sides: dict[tuple[int, int], list[Drawing]] = {}
    for d in drawings:
        if d.width < THIN and d.height > _MIN_HEIGHT:
            sides.setdefault((round(d.top / 4), round(d.bottom / 4)), []).append(d)
    frames = []
    for group in sides.values():
        left, top, right, bottom = _bounds(group)
        if right - left > _MIN_WIDTH:
            frames.append(Drawing(left, top, right, bottom))
    return frames


# --- captions and their drawings ------------------------------------------------------------------


@dataclass(slots=True)
class _Caption:
    """A caption: its lines, and the columns of text in which it stands."""

    label: str
    lines: list[PageLine]
    span: tuple[float, float] = (0.0, 0.0)

    @property
    def side(self) -> Side:
        return (
            min(line.left for line in self.lines),
            min(line.top for line in self.lines),
            max(line.right for line in self.lines),
            max(line.bottom for line in self.lines),
        )


def find_captioned(
    lines: Sequence[PageLine], drawings: Sequence[Drawing], sheet: PageSize
) -> Iterator[PageFigure]:
    captions = _find_captions(lines)
    if not captions:
        return
    drawings = [*drawings, *_find_frames(drawings)]
    firsts = [caption.lines[0] for caption in captions]
    # A frame or picture with both sides: text inside it belongs to it.
    solid = [
        d
        for d in drawings
        if d.width > 20 and d.height > 20 and not any(_is_inside(line, d) for line in firsts)
    ]
    in_drawing = {id(line) for line in lines if any(_is_inside(line, d) for d in solid)}
    long_lines = [line for line in lines if len(line.text) >= 25 and id(line) not in in_drawing]
    usual = (
        statistics.median(line.right - line.left for line in long_lines)
        if long_lines
        else sheet.width / 2
    )
    in_caption = {id(line) for caption in captions for line in caption.lines}
    prose = [
        line
        for line in lines
        if id(line) not in in_drawing
        and id(line) not in in_caption
        and sum(map(str.isalpha, line.text)) >= _TEXT_LETTERS * (0.5 if _is_wide(line) else 1)
        and line.right - line.left >= _TEXT_WIDTH * usual
    ]
    # An unruled table may not block, and a rule as wide as the text is part of its layout.
    shapes = [d for d in drawings if not (d.is_rule and d.width > 0.9 * usual)]
    for caption in captions:
        caption.span = _find_span(caption, prose, usual, sheet)
    regions = _choose_regions(captions, shapes, prose)
    done: set[str] = set()
    for caption in captions:
        region = regions.get(id(caption))
        if region is None or caption.label in done:
            continue
        free = [x for x in lines if id(x) not in in_caption and x not in prose]
        side = _add_labels(region, free, caption)
        if side[2] - side[0] < _MIN_WIDTH or side[3] - side[1] < _MIN_HEIGHT:
            continue
        done.add(caption.label)
        for d in drawings:
            if _overlap(side, (d.left, d.top, d.right, d.bottom)) > 0.5:
                d.is_taken = True
        text = "\n".join(line.text.strip() for line in caption.lines)
        yield PageFigure(
            caption.label,
            text,
            sheet.to_shares(_without(side, caption.side)),
            round((side[2] - side[0]) * DPI / 72),
            round((side[3] - side[1]) * DPI / 72),
        )


def _is_wide(line: PageLine) -> bool:
    """Return whether a line has letters as wide as Chinese ones."""
    return sum(char > "\u2e80" for char in line.text) * 2 > len(line.text)


def _is_inside(line: PageLine, drawing: Drawing) -> bool:
    x, y = (line.left + line.right) / 2, (line.top + line.bottom) / 2
    return drawing.left <= x <= drawing.right and drawing.top <= y <= drawing.bottom


def _find_captions(lines: Sequence[PageLine]) -> list[_Caption]:
    """Return the captions, each with the lines that follow closely below its first."""
    found: list[_Caption] = []
    taken: set[int] = set()
    for number, line in enumerate(lines):
        if number in taken or not line.is_whole or not (label := find_caption_label(line.text)):
            continue
        caption = _Caption(label, [line])
        step = 0.0
        for other in range(number + 1, min(len(lines), number + MAX_CAPTION_LINES)):
            below, last = lines[other], caption.lines[-1]
            gap = below.top - last.top
            is_beside = abs(below.top - last.top) < 0.5 * last.height and below.left >= last.right
            if is_beside and below.left - last.right < 3 * last.height:
                caption.lines.append(below)
                taken.add(other)
                continue
            most = 1.25 * step if step else 1.75 * max(line.height, below.height)
            left, right = caption.side[0], caption.side[2]
            if (
                not 0.4 * line.height < gap <= most
                or find_caption_label(below.text)
                or not 0.7 < below.height / max(1.0, last.height) < 1.4
                or below.left > right
                or below.right < left
            ):
                break
            step = gap
            caption.lines.append(below)
            taken.add(other)
        found.append(caption)
    return found


def _find_span(
    caption: _Caption, prose: Sequence[PageLine], usual: float, sheet: PageSize
) -> tuple[float, float]:
    """Return from where to where the columns of a caption go."""
    left, _, right, _ = caption.side
    if right - left > 1.3 * usual:
        return min(left, *(x.left for x in prose)) if prose else 0.0, max(
            right, *(x.right for x in prose)
        ) if prose else sheet.width
    middle = (left + right) / 2
    # A title over all columns says nothing about one of them.
    around = [x for x in prose if x.left <= middle <= x.right and x.right - x.left < 1.3 * usual]
    if not around:
        return 0.0, sheet.width
    return (
        min(left, statistics.median(x.left for x in around)),
        max(right, statistics.median(x.right for x in around)),
    )


def _choose_regions(
    captions: Sequence[_Caption], shapes: Sequence[Drawing], prose: Sequence[PageLine]
) -> dict[int, Side]:
    """Return what belongs to each caption, by its `id`.

    All captions of a page stand below their figures, or all above: what gives more of them a
    figure, and a nearer one. A caption that has none so may have one on its other side.
    """
    passes = []
    for is_above in (True, False):
        found: dict[int, list[Drawing]] = {}
        taken: set[int] = set()
        away = 0.0
        for caption in captions:
            others = [x for c in captions if c is not caption for x in c.lines]
            # Captions of tables stand above them.
            way = is_above != caption.label.startswith("table")
            free = [shape for shape in shapes if id(shape) not in taken]
            chosen = _collect(caption, free, [*prose, *others], is_above=way)
            if chosen:
                found[id(caption)] = chosen
                taken.update(map(id, chosen))
                side = _bounds(chosen)
                away += max(0.0, caption.side[1] - side[3], side[1] - caption.side[3])
        passes.append((len(found), -away / max(1, len(found)), is_above, found, taken))
    _, _, is_above, found, taken = max(passes, key=lambda one: one[:3])
    for caption in captions:
        if id(caption) not in found:
            others = [x for c in captions if c is not caption for x in c.lines]
            way = is_above == caption.label.startswith("table")
            free = [shape for shape in shapes if id(shape) not in taken]
            if chosen := _collect(caption, free, [*prose, *others], is_above=way):
                found[id(caption)] = chosen
                taken.update(map(id, chosen))
    return {key: _bounds(chosen) for key, chosen in found.items()}


def _bounds(drawings: Sequence[Drawing]) -> Side:
    return (
        min(d.left for d in drawings),
        min(d.top for d in drawings),
        max(d.right for d in drawings),
        max(d.bottom for d in drawings),
    )


def _collect(
    caption: _Caption, shapes: Sequence[Drawing], blocks: Sequence[PageLine], *, is_above: bool
) -> list[Drawing]:
    """Return what is drawn above or below a caption, up to the next text; empty if nothing is."""
    left, top, right, bottom = caption.side
    start, end = caption.span
    # What blocks stands in the way of the caption itself, or in that of its column.
    in_way = [b for b in blocks if b.left < max(right, end) - 5 and b.right > min(left, start) + 5]
    if is_above:
        limit = max((b.bottom for b in in_way if b.bottom <= top + 2), default=-1.0)
    else:
        limit = min((b.top for b in in_way if b.top >= bottom - 2), default=float("inf"))
    pictures_only = caption.label.startswith("table")  # its rules are those of rows
    near = []
    for shape in shapes:
        if shape.is_taken or (pictures_only and shape.pixels == (0, 0)):
            continue
        middle = (shape.left + shape.right) / 2
        if not (
            start - 5 <= middle <= end + 5 or shape.left <= left + 5 <= right - 5 <= shape.right
        ):
            continue
        first, last = (limit, top) if is_above else (bottom, limit)
        if shape.is_form:
            seen = min(shape.bottom, last) - max(shape.top, first)
            if seen < 0.5 * shape.height:
                continue
            shape = replace(shape, top=max(shape.top, first), bottom=min(shape.bottom, last))
        if shape.top >= first - 4 and shape.bottom <= last + 4:
            if is_above:
                near.append((top - shape.bottom, top - shape.top, shape))
            else:
                near.append((shape.top - bottom, shape.bottom - bottom, shape))
    near.sort(key=lambda one: one[0])
    chosen: list[Drawing] = []
    reach = 0.0
    for away, far, shape in near:
        if away - reach > (_GAP if chosen else _FAR):
            break
        chosen.append(shape)
        reach = max(reach, far)
    is_drawing = any(d.pixels != (0, 0) or (d.width > 10 and d.height > 10) for d in chosen)
    return chosen if is_drawing or len(chosen) >= 5 else []


def _add_labels(region: Side, lines: Sequence[PageLine], caption: _Caption) -> Side:
    """Return a region with the short lines of text in it and around it."""
    left, top, right, bottom = region
    cap_top, cap_bottom = caption.side[1], caption.side[3]
    is_above = bottom <= cap_top + 4
    for _ in range(2):
        for line in lines:
            if line.bottom < top - _LABEL_GAP or line.top > bottom + _LABEL_GAP:
                continue
            if line.right < left - _LABEL_GAP or line.left > right + _LABEL_GAP:
                continue
            if (is_above and line.bottom > cap_top + 2) or (
                not is_above and line.top < cap_bottom - 2
            ):
                continue
            if line.right - line.left > 1.2 * (right - left) + 2 * _LABEL_GAP:
                continue
            left, top = min(left, line.left), min(top, line.top)
            right, bottom = max(right, line.right), max(bottom, line.bottom)
    return left, top, right, bottom


def _without(region: Side, caption: Side) -> Side:
    """Return a region cut so that it does not show its caption."""
    left, top, right, bottom = region
    if bottom > caption[1] - _MARGIN > top and caption[3] >= bottom - 4:
        bottom = caption[1] - _MARGIN
    if top < caption[3] + _MARGIN < bottom and caption[1] <= top + 4:
        top = caption[3] + _MARGIN
    return left, top, right, bottom


def _overlap(outer: Side, inner: Side) -> float:
    """Return the share of a rectangle that lies in another one; a line counts as thin."""
    width = max(0.1, inner[2] - inner[0])
    height = max(0.1, inner[3] - inner[1])
    across = min(outer[2], inner[0] + width) - max(outer[0], inner[0])
    down = min(outer[3], inner[1] + height) - max(outer[1], inner[1])
    return max(0.0, across) * max(0.0, down) / (width * height)


# --- captions in the text of a page ---------------------------------------------------------------

_SEED = 24  # letters that a caption is found by


def place_caption(page_text: str, caption: str) -> tuple[int, int]:
    """Return the offsets of a caption in the text of its page, (0, 0) if it is not there.

    The text of the reader has no line ends and hyphens there, so only letters are compared. A
    mention earlier on the page begins with the same letters as a short caption: the place that has
    the most of it counts.
    """
    source, offsets = normalize_letters(page_text)
    wanted, _ = normalize_letters(caption)
    if not wanted:
        return 0, 0
    best, best_length = -1, 0
    at = source.find(wanted[:_SEED])
    while at >= 0:
        length = 0
        while (
            length < len(wanted)
            and at + length < len(source)
            and source[at + length] == wanted[length]
        ):
            length += 1
        start = offsets[at]
        is_start = (
            start == 0
            or not page_text[:start].rstrip(" \u3000").rstrip("(（[【")
            or (page_text[:start].rstrip(" \u3000([（【").endswith("\n"))
        )
        if length + is_start > best_length:
            best, best_length = at, length + is_start
        at = source.find(wanted[:_SEED], at + 1)
    if best < 0:
        return 0, 0
    length = min(best_length, len(wanted), len(source) - best)
    start, end = offsets[best], offsets[best + length - 1] + 1
    while end < len(page_text) and page_text[end] in ".。)）!?！？”\"'’":
        end += 1
    return start, min(end, start + MAX_CAPTION_CHARS)
