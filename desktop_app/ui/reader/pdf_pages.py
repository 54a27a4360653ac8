"""An open PDF: sizes, pictures of pages, and where a piece of text stands on one.

Owns one pdfium document, used from one worker lane and under the lock that all pdfium calls
share. Gives plain data: bytes of pictures, rectangles as shares of the page. Knows no widgets.
"""

from __future__ import annotations

import bisect
import ctypes
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from desktop_app.engine.text.pdfium import PDFIUM_LOCK as LOCK
from desktop_app.engine.text.pdfium import open_pdf

Box = tuple[float, float, float, float]  # left, top, right, bottom; 0 to 1 from the top left
_GRID = 100_000
_LARGEST_PIXELS = 24_000_000
_SEED = 16


@dataclass(frozen=True, slots=True)
class PagePicture:
    """Pixels of a page, 4 bytes each (blue, green, red, unused); `scale` is pixels a point."""

    index: int
    scale: float
    width: int
    height: int
    stride: int
    pixels: bytes


class PdfPages:
    """One open PDF. Every method may be called in any one thread at a time."""

    def __init__(self, content: bytes, password: str | None = None) -> None:
        with LOCK:
            self._document = open_pdf(content, password)
            self.sizes: list[tuple[float, float]] = [
                self._document.get_page_size(i) for i in range(len(self._document))
            ]
        self._letters: dict[int, tuple[str, list[int]]] = {}

    def close(self) -> None:
        with LOCK:
            self._document.close()

    def render(self, index: int, scale: float) -> PagePicture:
        """Return a page at so many pixels a point, fewer if that would be a huge picture."""
        width, height = self.sizes[index]
        most = (_LARGEST_PIXELS / max(1.0, width * height)) ** 0.5
        with LOCK:
            page = self._document[index]
            bitmap = page.render(scale=min(scale, most), prefer_bgrx=True, may_draw_forms=False)
            try:
                return PagePicture(
                    index,
                    scale,
                    bitmap.width,
                    bitmap.height,
                    bitmap.stride,
                    bytes(bitmap.buffer),
                )
            finally:
                bitmap.close()
                page.close()

    def find_boxes(
        self, index: int, page_text: str, ranges: Sequence[tuple[int, int]]
    ) -> list[list[Box]]:
        """Return where ranges of the page's own text stand, a list of boxes for each.

        The text that was read may be in another order or joined otherwise than pdfium's, so
        letters are compared, not characters: the whole range if it is there, else its parts.
        """
        with LOCK:
            page = self._document[index]
            textpage = page.get_textpage()
            try:
                if index not in self._letters:
                    if len(self._letters) > 64:
                        self._letters.clear()
                    self._letters[index] = letters_of(_page_characters(textpage))
                there, places = self._letters[index]
                here, here_places = letters_of(page_text)
                found = []
                for start, end in ranges:
                    boxes: list[Box] = []
                    for low, high in find_spans(here, here_places, there, start, end):
                        first, last = places[low], places[high - 1]
                        count = textpage.count_rects(first, last - first + 1)
                        boxes += [_shown(page, textpage.get_rect(i)) for i in range(count)]
                    found.append(boxes)
                return found
            finally:
                textpage.close()
                page.close()


def letters_of(text: str) -> tuple[str, list[int]]:
    """Return the letters and digits of a text, folded, and the place of each in the text."""
    letters: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        folded = char if char.isascii() else unicodedata.normalize("NFKC", char)
        for part in folded:
            if part.isalnum():
                letters.append(part.lower()[0])
                places.append(place)
    return "".join(letters), places


def find_spans(
    here: str, here_places: Sequence[int], there: str, start: int, end: int
) -> list[tuple[int, int]]:
    """Return the spans of letters in `there` that stand for text range start..end of `here`."""
    low = bisect.bisect_left(here_places, start)
    high = bisect.bisect_left(here_places, end)
    wanted = here[low:high]
    if not wanted:
        return []
    if there[low:high] == wanted:
        return [(low, high)]
    at = _likeliest(here, low, high, there)
    if at >= 0:
        return [(at, at + len(wanted))]
    spans: list[tuple[int, int]] = []
    position = 0
    while position < len(wanted):
        seed = wanted[position : position + _SEED]
        near = spans[-1][1] if spans else 0
        at = there.find(seed, near)
        if at < 0 and len(seed) == _SEED:
            at = there.find(seed)
        if at < 0 or (len(seed) < _SEED and at > near + 200):
            position += 4
            continue
        length = len(seed)
        while (
            position + length < len(wanted)
            and at + length < len(there)
            and there[at + length] == wanted[position + length]
        ):
            length += 1
        spans.append((at, at + length))
        position += length
    return spans


def _likeliest(here: str, low: int, high: int, there: str) -> int:
    """Return where here[low:high] stands in `there`, -1 if nowhere.

    Of several places the one with the same letters around it is taken, then the one that is as
    many-eth there as here: pdfium may give the lines of a page in another order.
    """
    wanted = here[low:high]
    number = here[:low].count(wanted)
    best, best_score = -1, (-1, 0)
    at, count = there.find(wanted), 0
    while at >= 0:
        before = _n_same(
            reversed(here[max(0, low - _SEED) : low]), reversed(there[max(0, at - _SEED) : at])
        )
        after = _n_same(here[high : high + _SEED], there[at + len(wanted) :][:_SEED])
        score = (before + after, -abs(count - number))
        if score > best_score:
            best, best_score = at, score
        at, count = there.find(wanted, at + 1), count + 1
    return best


def _n_same(first: Iterable[str], second: Iterable[str]) -> int:
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        count += 1
    return count


def _page_characters(textpage: Any) -> str:
    """Return the page's characters one for one with pdfium's indexes."""
    import pypdfium2.raw as pdfium

    return "".join(
        chr(code) if 0 < (code := pdfium.FPDFText_GetUnicode(textpage, i)) < 0x110000 else " "
        for i in range(textpage.count_chars())
    )


def _shown(page: Any, rect: Sequence[float]) -> Box:
    """Return a rectangle of the page's own space as it is shown: rotated, cropped, top down."""
    import pypdfium2.raw as pdfium

    left, bottom, right, top = rect
    corners = []
    for x, y in ((left, top), (right, bottom)):
        column, row = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, _GRID, _GRID, 0, x, y, column, row)
        corners.append((column.value / _GRID, row.value / _GRID))
    (x1, y1), (x2, y2) = corners
    return (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
