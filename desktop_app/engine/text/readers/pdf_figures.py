"""Figures on the pages of a PDF: captioned regions, and embedded pictures without a caption.

Reads the lines and drawings of a page, of which `captioned_figures` finds those of each caption.
Coordinates are points of the page as it is displayed, from its top left. Only pages with a caption
or a picture are looked at closely.
"""

from __future__ import annotations

import ctypes
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...figures import (
    MAX_FIGURES,
    MAX_REPEATED,
    MIN_PIXELS,
    Figure,
    is_decoration,
    limit_figures,
)
from ...messages import Message
from ...model import Page
from ..captioned_figures import (
    Drawing,
    PageFigure,
    PageLine,
    PageSize,
    Side,
    find_captioned,
    place_caption,
)
from ..pdf_positions import read_characters, to_box

MAX_OBJECTS = 4_000  # of a page with a caption: some plots have a path for each of 100,000 points
MAX_OBJECTS_ALONE = 1_000  # of a page without one, where only pictures are looked for
MAX_CHARS = 20_000  # of a page
MAX_PAGE_FIGURES = 40
MIN_SECONDS, SECONDS_A_PAGE = 10.0, 0.2  # of a document: the usual page takes a hundredth of that
_HINT = re.compile(
    r"^[ \t\u3000(（\[【]*(?:Fig|FIG|Plate|PLATE|Illus|ILLUS|Chart|CHART|Diagram|DIAGRAM|Scheme|"
    r"SCHEME|Map|MAP|Exhibit|EXHIBIT|Photo|PHOTO|Tab|TAB|Abb|Tafel|[图圖插表照地])",
    re.M,
)
_MIN_SHOWN = 36.0  # points: half an inch, of a picture without a caption
_MAX_OF_PAGE = 0.7  # a picture that covers more is a scanned page or a background
_LARGE = 0.12  # of the page: a picture that may have a text over it
_MAX_LETTERS, _EVERY = 300, 10  # of such a text; every tenth is looked at


def find_page_figures(page: Any, text_page: Any, text: str) -> list[PageFigure]:
    """Return the figures of a page from top to bottom.

    Args:
        text: the page's text, which is searched for captions first.
    """
    has_caption = _HINT.search(text) is not None
    to_display = DisplayedPageSize(page)
    drawings = _read_drawings(page, to_display, images_only=not has_caption)
    if not drawings:
        return []
    figures: list[PageFigure] = []
    if has_caption:
        lines = read_page_lines(text_page, to_display)
        figures = list(find_captioned(lines, drawings, to_display))
    figures += _find_alone(drawings, to_display, text_page)
    figures.sort(key=lambda f: (f.box[1], f.box[0]))
    return figures[:MAX_PAGE_FIGURES]


class DisplayedPageSize(PageSize):
    """Converts rectangles of page space to points of the page as it is displayed."""

    def __init__(self, page: Any) -> None:
        super().__init__(*(max(1.0, side) for side in page.get_size()))
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


# --- what is on the page --------------------------------------------------------------------------


def _read_drawings(page: Any, display: DisplayedPageSize, *, images_only: bool) -> list[Drawing]:
    """Return pictures, forms, shadings and paths; of forms only those with a picture if alone."""
    from pypdfium2 import raw

    most = MAX_OBJECTS_ALONE if images_only else MAX_OBJECTS
    found: list[Drawing] = []
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
        found.append(Drawing(x1, y1, x2, y2, pixels, is_form=is_form))
    return found


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


def read_page_lines(text_page: Any, display: DisplayedPageSize) -> list[PageLine]:
    """Return the lines in the order of the file; lines with a wide gap are cut there."""
    from pypdfium2 import raw

    characters = read_characters(text_page, 0, min(text_page.count_chars(), MAX_CHARS))
    sides = [ctypes.c_double() for _ in range(4)]
    left, top, right, bottom = sides
    lines: list[PageLine] = []
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
            lines.append(PageLine(text, x1, y1, x2, y2, number == 0))
            at += n
    return lines


# --- pictures without a caption -------------------------------------------------------------------


def _find_alone(
    drawings: Sequence[Drawing], display: DisplayedPageSize, text_page: Any
) -> Iterator[PageFigure]:
    """Yield embedded pictures that no caption has; strips of one picture are joined.

    A large picture with a text over it is a scanned page with its text, or a background.
    """
    letters: list[tuple[float, float]] | None = None
    free = [d for d in drawings if d.pixels != (0, 0) and not d.is_taken]
    groups: list[Drawing] = []
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


def _place_letters(text_page: Any, display: DisplayedPageSize) -> list[tuple[float, float]]:
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
                    start, end = place_caption(page_text, one.caption)
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
