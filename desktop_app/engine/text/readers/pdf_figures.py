"""Figures on the pages of a PDF: captioned regions, and embedded pictures without a caption.

A caption is a line that begins with "Figure 3" or "图3"; its figure is what is drawn above or below
it, up to the next line of running text. Coordinates are points of the page as it is displayed, from
its top left. Only pages with a caption or a picture are looked at closely.
"""

from __future__ import annotations

import ctypes
import re
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...figures import (
    MAX_CAPTION_CHARS,
    MAX_FIGURES,
    MAX_REPEATED,
    MIN_PIXELS,
    Figure,
    FigureBox,
    find_caption_label,
    is_decoration,
)
from ...messages import Message
from ...model import Page
from ..pdf_positions import normalize_letters, read_characters, to_box
from .flow_figures import limit_figures

MAX_OBJECTS = 4_000  # of a page with a caption: some plots have a path for each of 100,000 points
MAX_OBJECTS_ALONE = 1_000  # of a page without one, where only pictures are looked for
MAX_CHARS = 20_000  # of a page
MAX_PAGE_FIGURES = 40
MAX_CAPTION_LINES = 25
MIN_SECONDS, SECONDS_A_PAGE = 10.0, 0.2  # of a document: the usual page takes a hundredth of that
DPI = 200.0  # at which the size of a region is counted in pixels, and the text in it is read
_HINT = re.compile(
    r"^[ \t\u3000(（\[【]*(?:Fig|FIG|Plate|PLATE|Illus|ILLUS|Chart|CHART|Diagram|DIAGRAM|Scheme|"
    r"SCHEME|Map|MAP|Exhibit|EXHIBIT|Photo|PHOTO|Tab|TAB|Abb|Tafel|[图圖插表照地])",
    re.M,
)
_MIN_WIDTH, _MIN_HEIGHT = 40.0, 30.0  # points of a region
_MIN_SHOWN = 36.0  # points: half an inch, of a picture without a caption
_MAX_OF_PAGE = 0.7  # a picture that covers more is a scanned page or a background
_LARGE = 0.12  # of the page: a picture that may have a text over it
_MAX_LETTERS, _EVERY = 300, 10  # of such a text; every tenth is looked at
_TEXT_LETTERS = 20  # of a line of running text, at least
_TEXT_WIDTH = 0.55  # of the usual width of lines
_FAR = 60.0  # points between a caption and its figure, at most
_GAP = 50.0  # points between two parts of a figure: labels stand between them
_LABEL_GAP = 16.0  # points between a drawing and its labels
_THIN = 2.0  # points: a rule
_MARGIN = 3.0

Side = tuple[float, float, float, float]  # left, top, right, bottom; points


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of text, or a part of one beside a gap; `first` is PDFium's index of its start."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    first: int
    is_whole: bool = True  # it is the first part of its line

    @property
    def height(self) -> float:
        return self.bottom - self.top


@dataclass(slots=True)
class _Drawing:
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
        return min(self.width, self.height) < _THIN


@dataclass(frozen=True, slots=True)
class PageFigure:
    """A figure of a page; `caption` is as PDFium has it, with line ends, "" without one.

    Attributes:
        place: what is the same for copies of a picture on several pages.
    """

    label: str
    caption: str
    box: FigureBox
    width: int
    height: int
    place: tuple[int, ...] = ()


def find_page_figures(page: Any, text_page: Any, text: str) -> list[PageFigure]:
    """Return the figures of a page from top to bottom.

    Args:
        text: the page's text, which is searched for captions first.
    """
    has_caption = _HINT.search(text) is not None
    to_display = _Display(page)
    drawings = _read_drawings(page, to_display, images_only=not has_caption)
    if not drawings:
        return []
    figures: list[PageFigure] = []
    if has_caption:
        lines = _read_lines(text_page, to_display)
        figures = list(_find_captioned(lines, drawings, to_display))
    figures += _find_alone(drawings, to_display, text_page)
    figures.sort(key=lambda f: (f.box[1], f.box[0]))
    return figures[:MAX_PAGE_FIGURES]


class _Display:
    """Converts rectangles of page space to points of the page as it is displayed."""

    def __init__(self, page: Any) -> None:
        self.width, self.height = (max(1.0, side) for side in page.get_size())
        # The transformation is affine, and turns by multiples of 90 degrees only.
        corners = []
        for point in ((0.0, 0.0), (1000.0, 0.0), (0.0, 1000.0)):
            left, top, _, _ = to_box(page, (*point, *point))
            corners.append((left * self.width, top * self.height))
        (self._x, self._y), across, up = corners
        self._ax, self._ay = (across[0] - self._x) / 1000, (across[1] - self._y) / 1000
        self._ux, self._uy = (up[0] - self._x) / 1000, (up[1] - self._y) / 1000

    def convert(self, left: float, bottom: float, right: float, top: float) -> Side:
        xs, ys = [], []
        for x, y in ((left, bottom), (right, top)):
            xs.append(self._x + x * self._ax + y * self._ux)
            ys.append(self._y + x * self._ay + y * self._uy)
        return min(xs), min(ys), max(xs), max(ys)

    def to_shares(self, side: Side) -> FigureBox:
        """Return a rectangle as shares of the page, with a margin."""
        left, top, right, bottom = side
        return (
            max(0.0, (left - _MARGIN) / self.width),
            max(0.0, (top - _MARGIN) / self.height),
            min(1.0, (right + _MARGIN) / self.width),
            min(1.0, (bottom + _MARGIN) / self.height),
        )


# --- what is on the page --------------------------------------------------------------------------


def _read_drawings(page: Any, display: _Display, *, images_only: bool) -> list[_Drawing]:
    """Return pictures, forms, shadings and paths; of forms only those with a picture if alone."""
    from pypdfium2 import raw

    most = MAX_OBJECTS_ALONE if images_only else MAX_OBJECTS
    found: list[_Drawing] = []
    sides = [ctypes.c_float() for _ in range(4)]
    left, bottom, right, top = sides
    for number in range(min(raw.FPDFPage_CountObjects(page), most)):
        item = raw.FPDFPage_GetObject(page, number)
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            continue
        pixels = (0, 0)
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            pixels = _read_pixels(item)
        elif images_only:
            pixels = _find_inner_pixels(item) if kind == raw.FPDF_PAGEOBJ_FORM else (0, 0)
            if pixels == (0, 0):
                continue
        if not raw.FPDFPageObj_GetBounds(item, left, bottom, right, top):
            continue
        x1, y1, x2, y2 = display.convert(left.value, bottom.value, right.value, top.value)
        x1, x2 = max(0.0, x1), min(display.width, x2)
        y1, y2 = max(0.0, y1), min(display.height, y2)
        if x2 - x1 < 0 or y2 - y1 < 0 or max(x2 - x1, y2 - y1) < 1.0:
            continue
        covered = (x2 - x1) * (y2 - y1) / (display.width * display.height)
        if covered > _MAX_OF_PAGE:
            continue
        is_form = kind == raw.FPDF_PAGEOBJ_FORM
        found.append(_Drawing(x1, y1, x2, y2, pixels, is_form=is_form))
    return found


def _find_frames(drawings: Sequence[_Drawing]) -> list[_Drawing]:
    """Return the frames that are drawn as single lines, between two vertical ones."""
    sides: dict[tuple[int, int], list[_Drawing]] = {}
    for d in drawings:
        if d.width < _THIN and d.height > _MIN_HEIGHT:
            sides.setdefault((round(d.top / 4), round(d.bottom / 4)), []).append(d)
    frames = []
    for group in sides.values():
        left, top, right, bottom = _bounds(group)
        if right - left > _MIN_WIDTH:
            frames.append(_Drawing(left, top, right, bottom))
    return frames


def _read_pixels(image: Any) -> tuple[int, int]:
    from pypdfium2 import raw

    width, height = ctypes.c_uint(), ctypes.c_uint()
    if not raw.FPDFImageObj_GetImagePixelSize(image, width, height):
        return 0, 0
    return min(width.value, 1_000_000), min(height.value, 1_000_000)


def _find_inner_pixels(form: Any) -> tuple[int, int]:
    """Return the size of the largest picture in a form, (0, 0) if there is none."""
    from pypdfium2 import raw

    best = (0, 0)
    for number in range(min(raw.FPDFFormObj_CountObjects(form), 50)):
        item = raw.FPDFFormObj_GetObject(form, number)
        if raw.FPDFPageObj_GetType(item) == raw.FPDF_PAGEOBJ_IMAGE:
            size = _read_pixels(item)
            best = max(best, size, key=lambda s: s[0] * s[1])
    return best


def _read_lines(text_page: Any, display: _Display) -> list[_Line]:
    """Return the lines in the order of the file; lines with a wide gap are cut there."""
    from pypdfium2 import raw

    characters = read_characters(text_page, 0, min(text_page.count_chars(), MAX_CHARS))
    sides = [ctypes.c_double() for _ in range(4)]
    left, top, right, bottom = sides
    lines: list[_Line] = []
    for match in re.finditer(r"[^\r\n]+", characters):
        start, end = match.span()
        boxes: list[Side] = []
        for number in range(min(raw.FPDFText_CountRects(text_page, start, end - start), 400)):
            if raw.FPDFText_GetRect(text_page, number, left, top, right, bottom):
                boxes.append(display.convert(left.value, bottom.value, right.value, top.value))
        if not boxes:
            continue
        parts: list[list[float]] = []
        for x1, y1, x2, y2 in boxes:
            height = max(4.0, y2 - y1)
            if parts and abs(x1 - parts[-1][2]) < 2.5 * height and y1 < parts[-1][3]:
                last = parts[-1]
                last[:] = [min(last[0], x1), min(last[1], y1), max(last[2], x2), max(last[3], y2)]
            else:
                parts.append([x1, y1, x2, y2])
        # Which letters are in which part is not known: the first one begins with the line.
        share = len(match.group()) / sum(max(1.0, part[2] - part[0]) for part in parts)
        at = 0
        for number, (x1, y1, x2, y2) in enumerate(parts):
            n = len(match.group()) - at if number == len(parts) - 1 else int((x2 - x1) * share)
            text = match.group()[at : at + n]
            lines.append(_Line(text, x1, y1, x2, y2, start + at, number == 0))
            at += n
    return lines


# --- figures with a caption -----------------------------------------------------------------------


@dataclass(slots=True)
class _Caption:
    """A caption: its lines, and the columns of text in which it stands."""

    label: str
    lines: list[_Line]
    span: tuple[float, float] = (0.0, 0.0)

    @property
    def side(self) -> Side:
        return (
            min(line.left for line in self.lines),
            min(line.top for line in self.lines),
            max(line.right for line in self.lines),
            max(line.bottom for line in self.lines),
        )


def _find_captioned(
    lines: Sequence[_Line], drawings: Sequence[_Drawing], display: _Display
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
        else display.width / 2
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
        caption.span = _find_span(caption, prose, usual, display)
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
            display.to_shares(_without(side, caption.side)),
            round((side[2] - side[0]) * DPI / 72),
            round((side[3] - side[1]) * DPI / 72),
        )


def _is_wide(line: _Line) -> bool:
    """Return whether a line has letters as wide as Chinese ones."""
    return sum(char > "\u2e80" for char in line.text) * 2 > len(line.text)


def _is_inside(line: _Line, drawing: _Drawing) -> bool:
    x, y = (line.left + line.right) / 2, (line.top + line.bottom) / 2
    return drawing.left <= x <= drawing.right and drawing.top <= y <= drawing.bottom


def _find_captions(lines: Sequence[_Line]) -> list[_Caption]:
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
    caption: _Caption, prose: Sequence[_Line], usual: float, display: _Display
) -> tuple[float, float]:
    """Return from where to where the columns of a caption go."""
    left, _, right, _ = caption.side
    if right - left > 1.3 * usual:
        return min(left, *(x.left for x in prose)) if prose else 0.0, max(
            right, *(x.right for x in prose)
        ) if prose else display.width
    middle = (left + right) / 2
    # A title over all columns says nothing about one of them.
    around = [x for x in prose if x.left <= middle <= x.right and x.right - x.left < 1.3 * usual]
    if not around:
        return 0.0, display.width
    return (
        min(left, statistics.median(x.left for x in around)),
        max(right, statistics.median(x.right for x in around)),
    )


def _choose_regions(
    captions: Sequence[_Caption], shapes: Sequence[_Drawing], prose: Sequence[_Line]
) -> dict[int, Side]:
    """Return what belongs to each caption, by its `id`.

    All captions of a page stand below their figures, or all above: what gives more of them a
    figure, and a nearer one. A caption that has none so may have one on its other side.
    """
    passes = []
    for is_above in (True, False):
        found: dict[int, list[_Drawing]] = {}
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


def _bounds(drawings: Sequence[_Drawing]) -> Side:
    return (
        min(d.left for d in drawings),
        min(d.top for d in drawings),
        max(d.right for d in drawings),
        max(d.bottom for d in drawings),
    )


def _collect(
    caption: _Caption, shapes: Sequence[_Drawing], blocks: Sequence[_Line], *, is_above: bool
) -> list[_Drawing]:
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
    chosen: list[_Drawing] = []
    reach = 0.0
    for away, far, shape in near:
        if away - reach > (_GAP if chosen else _FAR):
            break
        chosen.append(shape)
        reach = max(reach, far)
    is_drawing = any(d.pixels != (0, 0) or (d.width > 10 and d.height > 10) for d in chosen)
    return chosen if is_drawing or len(chosen) >= 5 else []


def _add_labels(region: Side, lines: Sequence[_Line], caption: _Caption) -> Side:
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


# --- pictures without a caption -------------------------------------------------------------------


def _find_alone(
    drawings: Sequence[_Drawing], display: _Display, text_page: Any
) -> Iterator[PageFigure]:
    """Yield embedded pictures that no caption has; strips of one picture are joined.

    A large picture with a text over it is a scanned page with its text, or a background.
    """
    letters: list[tuple[float, float]] | None = None
    free = [d for d in drawings if d.pixels != (0, 0) and not d.is_taken]
    groups: list[_Drawing] = []
    for d in sorted(free, key=lambda d: (d.top, d.left)):
        for group in groups[-20:]:
            is_strip = (
                abs(group.left - d.left) < 2
                and abs(group.right - d.right) < 2
                and -2 < d.top - group.bottom < 2
            )
            if is_strip:
                group.bottom = d.bottom
                group.pixels = (
                    max(group.pixels[0], d.pixels[0]),
                    min(1_000_000, group.pixels[1] + d.pixels[1]),
                )
                break
        else:
            groups.append(replace(d))
    for d in groups:
        covered = d.width * d.height / (display.width * display.height)
        if is_decoration(*d.pixels) or min(d.width, d.height) < _MIN_SHOWN:
            continue
        if is_decoration(int(MIN_PIXELS * d.width), int(MIN_PIXELS * d.height)):
            continue
        if covered > _LARGE:
            if letters is None:
                letters = _place_letters(text_page, display)
            inside = sum(d.left < x < d.right and d.top < y < d.bottom for x, y in letters)
            if covered > _MAX_OF_PAGE or inside * _EVERY > _MAX_LETTERS:
                continue
        side = (d.left, d.top, d.right, d.bottom)
        place = (*d.pixels, *(round(x / 4) for x in side))
        yield PageFigure("", "", display.to_shares(side), *d.pixels, place)


def _place_letters(text_page: Any, display: _Display) -> list[tuple[float, float]]:
    """Return where every tenth character of a page is."""
    from pypdfium2 import raw

    sides = [ctypes.c_double() for _ in range(4)]
    left, right, bottom, top = sides
    found = []
    for index in range(0, min(text_page.count_chars(), MAX_CHARS), _EVERY):
        if raw.FPDFText_GetCharBox(text_page, index, left, right, bottom, top):
            x1, y1, x2, y2 = display.convert(left.value, bottom.value, right.value, top.value)
            found.append(((x1 + x2) / 2, (y1 + y2) / 2))
    return found


# --- figures of the document ----------------------------------------------------------------------


class FigureFinder:
    """Collects the figures of a document's pages, within a time limit.

    Args:
        n_pages: of the document.
    """

    def __init__(self, n_pages: int) -> None:
        self._most_s = MIN_SECONDS + SECONDS_A_PAGE * n_pages
        self._took_s = 0.0
        self._n_found = self._n_skipped = 0
        self._found: dict[int, list[PageFigure]] = {}

    def add_page(self, index: int, page: Any, text_page: Any, text: str) -> None:
        """Look for figures on a page, unless there are too many already."""
        if self._n_found >= 2 * MAX_FIGURES or self._took_s > self._most_s:
            self._n_skipped += 1
            return
        began = time.perf_counter()
        found = find_page_figures(page, text_page, text)
        self._took_s += time.perf_counter() - began
        if found:
            self._found[index] = found
            self._n_found += len(found)

    def build(self, text: str, pages: Sequence[Page]) -> tuple[list[Figure], list[Message]]:
        """Return the figures with the offsets of their captions in the text, and notes.

        Pictures without a caption that stand in the same place of several pages are left out:
        logos, headers and backgrounds of slides. Of two figures with one number the first counts.
        """
        copies = Counter(f.place for page in self._found.values() for f in page if f.place)
        figures: list[Figure] = []
        for page in pages:
            page_text = text[page.start : page.end]
            for one in self._found.get(page.index, ()):
                if one.place and copies[one.place] >= MAX_REPEATED:
                    continue
                start = end = 0
                if one.caption:
                    start, end = _place_caption(page_text, one.caption)
                    if start == end:  # the text has no such line: it is a running header
                        continue
                start, end = page.start + start, page.start + end
                figures.append(
                    Figure(
                        *(start, end, one.label),
                        page_index=page.index,
                        box=one.box,
                        width=one.width,
                        height=one.height,
                    )
                )
        return limit_figures(figures, self._n_skipped)


_SEED = 24  # letters that a caption is found by


def _place_caption(page_text: str, caption: str) -> tuple[int, int]:
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
