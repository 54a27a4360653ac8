"""Where every character of a page's text stands on the page, for selecting with the mouse.

Matches the text as it was read with PDFium's own, character by character. Owns no document and
no cache: whoever has the PDF open passes it in.
"""

from __future__ import annotations

import ctypes
import unicodedata
from collections.abc import Iterator
from typing import Any

import numpy as np

from .pdf_map import characters_of, letters_of
from .pdfium import PDFIUM_LOCK

_GRID = 1_000_000
_SEED = 12
_TALLEST = 0.2  # of the page: a font that says more is wrong about itself


def find_letters(document: Any, page_index: int, page_text: str) -> tuple[np.ndarray, np.ndarray]:
    """Return offsets in the page's own text, rising, and the box of each as the page is shown.

    Returns:
        Offsets, int32, shape (N,), and boxes, float32, shape (N, 4): left, top, right, bottom,
        0 to 1 from the top left. Characters that are not found on the page are left out.
    """
    with PDFIUM_LOCK:
        page = document[page_index]
        text_page = page.get_textpage()
        try:
            there = characters_of(text_page)
            pairs = list(match_characters(page_text, there))
            rects = _read_rects(text_page, [place for _, place in pairs], page.get_size()[1])
            shown = _shown(page, rects)
        finally:
            text_page.close()
            page.close()
    return np.array([offset for offset, _ in pairs], dtype=np.int32), shown


def match_characters(here: str, there: str) -> Iterator[tuple[int, int]]:
    """Yield (place in `here`, place in `there`) of the same characters, in the order of `here`.

    Letters are matched first, whatever is between them; signs where letters around them are.
    """
    here_letters, here_places = letters_of(here)
    there_letters, there_places = letters_of(there)
    before: tuple[int, int] | None = None
    for i, j in _match_runs(here_letters, there_letters):
        now = (here_places[i], there_places[j])
        if before is not None:
            if now[0] == before[0]:
                continue  # one sign that stands for two letters
            near = 0 < now[1] - before[1] < 40
            if near:
                yield from _match_signs(here, there, before, now)
            else:
                yield from _match_signs(here, there, before, None)
        yield now
        before = now
    if before is not None:
        yield from _match_signs(here, there, before, None)


def _match_runs(here: str, there: str) -> Iterator[tuple[int, int]]:
    """Yield pairs of the same letters: as they come, else run by run, wherever the run stands."""
    if here == there:
        yield from zip(range(len(here)), range(len(there)), strict=True)
        return
    position = near = 0
    while position < len(here):
        seed = here[position : position + _SEED]
        at = there.find(seed, near)
        if at < 0 and len(seed) == _SEED:
            at = there.find(seed)
        if at < 0 or (len(seed) < _SEED and at > near + 200):
            position += 1
            continue
        while position < len(here) and at < len(there) and here[position] == there[at]:
            yield position, at
            position += 1
            at += 1
        near = at


def _match_signs(
    here: str, there: str, before: tuple[int, int], after: tuple[int, int] | None
) -> Iterator[tuple[int, int]]:
    """Yield the signs between two letters, as far as they are the same."""
    i, j = before[0] + 1, before[1] + 1
    here_end = after[0] if after else min(len(here), i + 4)
    there_end = after[1] if after else min(len(there), j + 4)
    while i < here_end and j < there_end:
        if here[i].isspace():
            if after is None:
                return
            i += 1
        elif there[j].isspace() or there[j] < " ":
            j += 1
        elif _folded(here[i]) == _folded(there[j]) and not here[i].isalnum():
            yield i, j
            i += 1
            j += 1
        else:
            return


def _folded(sign: str) -> str:
    return unicodedata.normalize("NFKC", sign)


def _read_rects(text_page: Any, places: list[int], page_height: float) -> np.ndarray:
    """Return left, bottom, right, top of characters in points, float64, shape (N, 4)."""
    import pypdfium2.raw as pdfium

    rects = np.zeros((len(places), 4))
    loose = pdfium.FS_RECTF()
    sides = [ctypes.c_double() for _ in range(4)]
    left, right, bottom, top = sides
    for row, place in enumerate(places):
        good = pdfium.FPDFText_GetLooseCharBox(text_page, place, loose)
        if good and 0 < abs(loose.top - loose.bottom) < _TALLEST * page_height:
            rects[row] = (loose.left, loose.bottom, loose.right, loose.top)
        elif pdfium.FPDFText_GetCharBox(text_page, place, left, right, bottom, top):
            rects[row] = (left.value, bottom.value, right.value, top.value)
    return rects


def _shown(page: Any, rects: np.ndarray) -> np.ndarray:
    """Return rectangles of the page's own space as it is shown: rotated, cropped, top down."""
    import pypdfium2.raw as pdfium

    # the way from one space to the other is affine: three points tell all of it
    corners = []
    for x, y in ((0.0, 0.0), (1000.0, 0.0), (0.0, 1000.0)):
        column, row = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, _GRID, _GRID, 0, x, y, column, row)
        corners.append((column.value / _GRID, row.value / _GRID))
    origin, along_x, along_y = (np.array(corner) for corner in corners)
    turn = np.stack([(along_x - origin) / 1000.0, (along_y - origin) / 1000.0])
    first = rects[:, [0, 3]] @ turn + origin
    second = rects[:, [2, 1]] @ turn + origin
    return np.hstack([np.minimum(first, second), np.maximum(first, second)]).astype(np.float32)
