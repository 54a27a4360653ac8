"""An open PDF: page sizes, rendered pictures and the positions of letters.

Owns one PDFium document, used from one thread at a time. The window uses it through
`page_renderer`, in a process of its own; `pdf_positions` finds text. Returns plain data.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .pdf_positions import (
    PDFIUM_LOCK,
    Box,
    Letters,
    check_page_size,
    find_boxes,
    locate_characters,
    open_pdf,
    page_access,
    read_page_sizes,
    to_box,
)
from .readers.archives import Unreadable

_OFF_LINE = 3.0  # weight of vertical distance: prefer the line beside a point to the one above


@dataclass(frozen=True, slots=True)
class PageLetters:
    """Ascending offsets in the document, shape (N,), and their boxes, 0 to 1, shape (N, 4).

    Attributes:
        width, height: of the page, in points.
        others: boxes of letters that are not in the document's text, shape (M, 4), in the order in
            which they are printed: running heads and page numbers.
    """

    offsets: np.ndarray
    boxes: np.ndarray
    width: float
    height: float
    others: np.ndarray = field(default_factory=lambda: np.zeros((0, 4), np.float32))

    def foot(self, start: int, end: int, box: Box) -> float:
        """Return the lower edge of the letters of a range in a box, 0 to 1 of the page.

        It is the median: one letter of another font or size does not move it.
        """
        rows = slice(*np.searchsorted(self.offsets, (start, end)))
        boxes = self.boxes[rows]
        middle = (boxes[:, 1] + boxes[:, 3]) / 2
        inside = boxes[(middle >= box[1]) & (middle <= box[3]), 3]
        return float(np.median(inside)) if len(inside) else box[3]

    def nearest(self, x: float, y: float) -> tuple[int, float]:
        """Return the offset of the gap between letters nearest to a point, and its distance.

        Args:
            x, y: 0 to 1 from the page's top left.
        """
        if not len(self.offsets):
            return 0, float("inf")
        left, top, right, bottom = self.boxes.T
        dx = np.maximum(np.maximum(left - x, x - right), 0.0) * self.width
        dy = np.maximum(np.maximum(top - y, y - bottom), 0.0) * self.height
        at = int(np.argmin(dx + _OFF_LINE * dy))
        box = self.boxes[at]
        flat = (box[2] - box[0]) * self.width < 2.5 * (box[3] - box[1]) * self.height
        behind = x > (box[0] + box[2]) / 2 if flat else y > (box[1] + box[3]) / 2
        return int(self.offsets[at]) + int(behind), float(np.hypot(dx[at], dy[at]))

    def rects(self, start: int, end: int) -> list[Box]:
        """Return the boxes of a range, one per line."""
        low, high = np.searchsorted(self.offsets, [start, end])
        if low >= high:
            return []
        left, top, right, bottom = self.boxes[low:high].T
        begins = self.line_begins(int(low), int(high))
        lines = np.stack(
            [
                np.minimum.reduceat(left, begins),
                np.minimum.reduceat(top, begins),
                np.maximum.reduceat(right, begins),
                np.maximum.reduceat(bottom, begins),
            ],
            axis=1,
        )
        return [(float(a), float(b), float(c), float(d)) for a, b, c, d in lines]

    def other_rects(self) -> list[Box]:
        """Return the boxes of the lines, or parts of lines, that are not in the text."""
        n = len(self.others)
        return PageLetters(np.arange(n), self.others, self.width, self.height).rects(0, n)

    def line_begins(self, low: int = 0, high: int | None = None) -> np.ndarray:
        """Return the rows, counted from `low`, at which a line starts, shape (L,), L > 0."""
        same, far = self._compare_neighbours(low, high)
        return np.flatnonzero(np.concatenate([[True], ~same | far]))

    def label_around(self, offset: int) -> tuple[int, int]:
        """Return the range of the text around an offset that is printed together.

        It ends where a line goes on far away: at the next label of a figure, or the next cell.
        """
        row = min(int(np.searchsorted(self.offsets, offset)), len(self.offsets) - 1)
        same, far = self._compare_neighbours(0, None)
        begins = np.flatnonzero(np.concatenate([[True], same & far]))
        at = int(np.searchsorted(begins, row, side="right"))
        last = int(begins[at]) if at < len(begins) else len(self.offsets)
        return int(self.offsets[begins[at - 1]]), int(self.offsets[last - 1]) + 1

    def _compare_neighbours(self, low: int, high: int | None) -> tuple[np.ndarray, np.ndarray]:
        """Return whether each letter is on the line of the one before, and far away from it."""
        left, top, right, bottom = self.boxes[low:high].T
        heights = np.maximum(bottom - top, 1e-4)
        overlap = np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
        same = overlap > 0.4 * np.minimum(heights[1:], heights[:-1])
        # a line continues to the right, or close to the left in right-to-left scripts
        gap = np.maximum(left[1:] - right[:-1], left[:-1] - right[1:]) * self.width
        return same, gap > 4 * heights[1:] * self.height


LARGEST_PIXELS = 9_000_000
LONGEST_SIDE = 30_000  # pixels; a page of one point by a million would pass the limit on the area
_MAX_CACHED_PAGES = 64


def _shades(paper: int, ink: int) -> np.ndarray:
    return np.rint(np.linspace(paper, ink, 256)).astype(np.uint8)


DIMMED = 85  # per cent of the light of a photograph on a dark page
MAX_PICTURES = 200  # of a page: some maps are thousands of small pictures
MIN_PICTURE, LARGEST_PICTURE = 0.002, 0.7  # shares of the page: smaller ones are marks

# blue, green, red: from the dark theme's surface to its text
_DARK_SHADES = (_shades(0x23, 0xE6), _shades(0x20, 0xEA), _shades(0x1F, 0xEC))

# Pure blue and dark red have no light to give when their lightness is inverted: they are mixed with
# the colour of text until they stand out as much as on white, up to what WCAG 2 asks of text.
COLORED = 24  # difference of the strongest and weakest part from which a pixel is coloured
MAX_CONTRAST = 4.7  # 4.5:1 is wanted, and rounding takes a little
CONTRAST_SHARE = 1.2  # pure red has 4:1 on white, and is text as often as dark red is
_LUMINANCE = (0.0722, 0.7152, 0.2126)  # of blue, green, red (sRGB)


def _to_linear(shades: np.ndarray) -> np.ndarray:
    """Return the light (0 to 1, float32) of sRGB shades from 0 to 1."""
    high = ((shades + 0.055) / 1.055) ** 2.4
    return np.where(shades <= 0.04045, shades / 12.92, high).astype(np.float32)


_LINEAR = _to_linear(np.arange(256) / 255)
_FINE = 4096  # steps of light with which the nearest shade is looked up
_FROM_LINEAR = np.searchsorted(
    (_LINEAR[1:] + _LINEAR[:-1]) / 2, np.arange(_FINE + 1, dtype=np.float32) / _FINE
).astype(np.uint8)
_DARK_GROUND = float(sum(w * _LINEAR[s[0]] for w, s in zip(_LUMINANCE, _DARK_SHADES, strict=True)))
_DARK_TEXT = [float(_LINEAR[shades[255]]) for shades in _DARK_SHADES]


@dataclass(frozen=True, slots=True)
class PagePicture:
    """Pixels of a page, 4 bytes each (blue, green, red, unused); `scale` is pixels per point.

    For a part of a page, `left` and `top` are its corner in pixels of the whole page.
    """

    index: int
    scale: float
    width: int
    height: int
    stride: int
    pixels: bytes | bytearray
    left: int = 0
    top: int = 0
    dark: bool = False


def shrink(picture: PagePicture, factor: int) -> PagePicture:
    """Return a picture of 1/factor of the width and height; each pixel is the mean of its part."""
    height, width = picture.height // factor, picture.width // factor
    if factor < 2 or not height or not width:
        return picture
    rows = np.frombuffer(picture.pixels, np.uint8).reshape(picture.height, picture.stride)
    rows = rows[: height * factor, : width * factor * 4]
    parts = rows.reshape(height, factor, width, factor, 4)
    total = np.zeros((height, width, 4), np.uint16)
    # nine times as fast as `sum` over two axes
    for y, x in itertools.product(range(factor), repeat=2):
        total += parts[:, y, :, x]
    pixels = (total // factor**2).astype(np.uint8)
    scale = picture.scale / factor
    corner = picture.left // factor, picture.top // factor
    made = pixels.tobytes()
    return PagePicture(
        picture.index, scale, width, height, 4 * width, made, *corner, dark=picture.dark
    )


def darken(
    pixels: bytes, stride: int = 0, pictures: Sequence[tuple[int, int, int, int]] = ()
) -> bytes:
    """Invert a picture's lightness and keep its hues: white becomes the dark theme's surface.

    Coloured text stays readable: see `_lift_colors`.

    Args:
        stride: bytes of a row of pixels; needed with `pictures`.
        pictures: parts (left, top, right, bottom) that are only dimmed, such as photographs.
    """
    # one flat array per colour is four times as fast as rows of pixels
    given = np.frombuffer(pixels, dtype=np.uint8)
    blue, green, red = (given[i::4].astype(np.int16) for i in range(3))
    strongest = np.maximum(np.maximum(blue, green), red)
    weakest = np.minimum(np.minimum(blue, green), red)
    shift = 255 - strongest - weakest
    made = np.empty_like(given)
    for i, part in enumerate((blue, green, red)):
        made[i::4] = _DARK_SHADES[i][np.clip(part + shift, 0, 255)]
    made[3::4] = 255
    _lift_colors(given, made, np.flatnonzero(strongest - weakest >= COLORED))
    for left, top, right, bottom in pictures:
        columns = slice(4 * left, 4 * right)
        part = given.reshape(-1, stride)[top:bottom, columns].astype(np.uint16)
        made.reshape(-1, stride)[top:bottom, columns] = part * DIMMED // 100
    return made.tobytes()


def _lift_colors(given: np.ndarray, made: np.ndarray, colored: np.ndarray) -> None:
    """Lighten coloured pixels that stand out less from the dark page than from white.

    Each is mixed with the colour of text, so it keeps its hue. Pale grounds stay as dark as they
    are, since they hardly stand out from white.

    Args:
        given, made: pixels before and after the inversion, uint8, shape (4 N,); `made` is changed.
        colored: the pixels with a hue, shape (M,).
    """
    if not len(colored):
        return
    before, after = np.zeros((2, len(colored)), np.float32)
    text = float(np.dot(_LUMINANCE, _DARK_TEXT))
    parts = []
    for i, weight in enumerate(_LUMINANCE):
        before += np.float32(weight) * _LINEAR[given[i::4][colored]]
        parts.append(_LINEAR[made[i::4][colored]])
        after += np.float32(weight) * parts[i]
    contrast = 1 + CONTRAST_SHARE * (1.05 / (before + 0.05) - 1)
    wanted = np.minimum(contrast, MAX_CONTRAST) * (_DARK_GROUND + 0.05) - 0.05
    share = np.clip((wanted - after) / np.maximum(text - after, 1e-3), 0.0, 1.0)
    dull = np.flatnonzero(share > 0)
    at, share = 4 * colored[dull], share[dull]
    for i, part in enumerate(parts):
        light = part[dull] + share * (_DARK_TEXT[i] - part[dull])
        made[at + i] = _FROM_LINEAR[np.rint(light * _FINE).astype(np.intp)]


def _find_pictures(page: Any, width: int, height: int) -> list[tuple[int, int, int, int]]:
    """Return where photographs are on a displayed page of so many pixels.

    A picture that fills the page is a scanned text, which is inverted as other texts are.
    """
    import pypdfium2.raw as pdfium

    found = []
    images = page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_IMAGE,), max_depth=1)
    for image in itertools.islice(images, MAX_PICTURES):
        left, top, right, bottom = to_box(page, image.get_bounds())
        if MIN_PICTURE < (right - left) * (bottom - top) < LARGEST_PICTURE:
            found.append((
                max(0, math.floor(left * width)),
                max(0, math.floor(top * height)),
                min(width, math.ceil(right * width)),
                min(height, math.ceil(bottom * height)),
            ))  # fmt: skip
    return found


FIGURE_MARGIN = 0.006  # of the width of a page: white around a figure on a dark page


def _place_figures(
    figures: Iterable[Box], width: int, height: int
) -> Iterator[tuple[int, int, int, int]]:
    """Yield figures with some white around them, in pixels of a displayed page of so many.

    One that fills the page is left out, as in `_find_pictures`.
    """
    more = FIGURE_MARGIN * width
    for left, top, right, bottom in figures:
        if (right - left) * (bottom - top) < LARGEST_PICTURE:
            yield (
                max(0, math.floor(left * width - more)),
                max(0, math.floor(top * height - more)),
                min(width, math.ceil(right * width + more)),
                min(height, math.ceil(bottom * height + more)),
            )


def limit_scale(size: tuple[float, float], scale: float) -> float:
    """Return the pixels per point at which a page of this size (points) is drawn."""
    width, height = (max(1.0, side) for side in size)
    most = min(math.sqrt(LARGEST_PIXELS / (width * height)), LONGEST_SIDE / max(width, height))
    return min(scale, most)


def limit_part(
    size: tuple[float, float], scale: float, part: tuple[int, int, int, int]
) -> tuple[int, int, int, int]:
    """Return what of a part (left, top, right, bottom; pixels) is on the page and may be drawn."""
    width, height = (math.ceil(side * scale) for side in size)
    left, top = min(max(0, part[0]), width), min(max(0, part[1]), height)
    right = max(left, min(width, part[2], left + LONGEST_SIDE))
    bottom = max(top, min(height, part[3], top + LARGEST_PIXELS // max(1, right - left)))
    return left, top, right, bottom


class PdfPages:
    """One open PDF; call its methods in one thread at a time.

    Attributes:
        figures: parts of pages that keep their colours on a dark page, by index, as photographs do.
    """

    def __init__(self, content: bytes, password: str | None = None) -> None:
        with PDFIUM_LOCK:
            self._document = open_pdf(content, password)
            self.sizes = read_page_sizes(self._document)
        self._letters: dict[int, Letters] = {}
        self.figures: Mapping[int, Sequence[Box]] = {}

    def close(self) -> None:
        with PDFIUM_LOCK:
            self._document.close()

    def render(self, index: int, scale: float, *, dark: bool = False) -> PagePicture:
        """Return a page at `scale` pixels per point, fewer above `LARGEST_PIXELS`."""
        return self._draw(index, scale, limit_scale(self.sizes[index], scale), dark=dark)

    def render_part(
        self, index: int, scale: float, part: tuple[int, int, int, int], *, dark: bool = False
    ) -> PagePicture:
        """Return the part (left, top, right, bottom in pixels) of a page at `scale`."""
        width, height = (math.ceil(side * scale) for side in self.sizes[index])
        left, top, right, bottom = limit_part(self.sizes[index], scale, part)
        # slightly less than whole pixels, which pdfium rounds up
        cut = [(side - 0.01) / scale for side in (left, height - bottom, width - right, top)]
        crop = tuple(max(0.0, side) for side in cut)
        return self._draw(index, scale, scale, crop, left, top, dark=dark)

    def _draw(
        self,
        index: int,
        asked: float,
        scale: float,
        crop: tuple[float, ...] = (0, 0, 0, 0),
        left: int = 0,
        top: int = 0,
        *,
        dark: bool,
    ) -> PagePicture:
        with page_access():
            page = self._document[index]
            if check_page_size(page.get_size()) != page.get_size():
                raise Unreadable("its size is not valid.")
            bitmap = page.render(scale=scale, crop=crop, prefer_bgrx=True, may_draw_forms=False)
            try:
                size = (bitmap.width, bitmap.height, bitmap.stride)
                pixels = bytes(bitmap.buffer)
                if dark:
                    whole = [math.ceil(side * scale) for side in self.sizes[index]]
                    shown = [
                        *_find_pictures(page, *whole),
                        *_place_figures(self.figures.get(index, ()), *whole),
                    ]
                    parts = [
                        (
                            *(max(0, a - left), max(0, b - top)),
                            *(min(bitmap.width, c - left), min(bitmap.height, d - top)),
                        )
                        for a, b, c, d in shown
                        if c > left and d > top
                    ]
                    pixels = darken(pixels, bitmap.stride, parts)
            finally:
                bitmap.close()
                page.close()
        return PagePicture(index, asked, *size, pixels, left, top, dark)

    def find_boxes(
        self, index: int, page_text: str, ranges: Sequence[tuple[int, int]]
    ) -> list[list[Box]]:
        """Return the boxes of each range of the page's text."""
        if len(self._letters) > _MAX_CACHED_PAGES:
            self._letters.clear()
        with page_access():
            return find_boxes(self._document, index, page_text, ranges, self._letters)

    def find_letters(self, index: int, page_text: str, page_start: int) -> PageLetters:
        """Return the boxes of the page's letters, with offsets in the document."""
        with page_access():
            offsets, boxes, others = locate_characters(self._document, index, page_text)
        return PageLetters(offsets + page_start, boxes, *self.sizes[index], others)
