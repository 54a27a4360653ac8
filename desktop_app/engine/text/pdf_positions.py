"""Finds where a piece of a page's text stands on the page, for highlighting.

Compares letters and digits only, folded, so that text mended for reading still lands on the right
glyphs. Owns no document and no cache: whoever has the PDF open passes it in.
"""

from __future__ import annotations

import bisect
import ctypes
import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from typing import Any

import numpy as np

from .pdfium import PDFIUM_LOCK, open_pdf

Rect = tuple[float, float, float, float]  # left, bottom, right, top; PDF points
Box = tuple[float, float, float, float]  # left, top, right, bottom; 0 to 1 from the top left
Letters = tuple[str, list[int]]
_GRID = 100_000
_SEED = 16


def find_boxes(
    document: Any,
    page_index: int,
    page_text: str,
    ranges: Sequence[tuple[int, int]],
    known: MutableMapping[int, Letters] | None = None,
) -> list[list[Box]]:
    """Return where ranges of a page's own text stand as it is shown, a list of boxes for each.

    The text that was read may be in another order or joined otherwise than PDFium's, so the
    whole range is taken if it is there, else its parts.

    Args:
        document: an open `pypdfium2.PdfDocument`.
        page_text: the page's text as the reader gave it.
        known: letters of pages asked for before; they are looked up and added here.
    """
    with PDFIUM_LOCK:
        page = document[page_index]
        text_page = page.get_textpage()
        try:
            letters = known.get(page_index) if known is not None else None
            if letters is None:
                letters = letters_of(characters_of(text_page))
                if known is not None:
                    known[page_index] = letters
            there, places = letters
            here, here_places = letters_of(page_text)
            found = []
            for start, end in ranges:
                spans = find_spans(here, here_places, there, start, end)
                found.append([_shown(page, rect) for rect in _rects(text_page, places, spans)])
            return found
        finally:
            text_page.close()
            page.close()


def find_page_rects(
    pdf_bytes: bytes,
    page_index: int,
    text_slice: str,
    *,
    occurrence_hint: int = 0,
    password: str | None = None,
) -> list[Rect]:
    """Return the rectangles, one a line, of a piece of text whose page's text isn't at hand.

    Args:
        occurrence_hint: offset of the slice in the page: of several places the nearest is taken.

    Returns an empty list if the text is not on that page.
    """
    document = open_pdf(pdf_bytes, password)
    with PDFIUM_LOCK:
        try:
            if not 0 <= page_index < len(document):
                return []
            page = document[page_index]
            text_page = page.get_textpage()
            there, places = letters_of(characters_of(text_page))
            here, here_places = letters_of(text_slice)
            whole = [match.start() for match in re.finditer(re.escape(here), there)] if here else []
            if whole:
                at = min(whole, key=lambda start: abs(start - occurrence_hint))
                spans = [(at, at + len(here))]
            else:
                spans = find_spans(here, here_places, there, 0, len(text_slice))
            rects = _rects(text_page, places, spans)
            text_page.close()
            page.close()
            return rects
        finally:
            document.close()


def letters_of(text: str) -> Letters:
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
        # few letters prove nothing unless what goes before them was found
        if at < 0 or (len(seed) < _SEED and (not spans or at > near + 200)):
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
    many-eth there as here: PDFium may give the lines of a page in another order.
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


def characters_of(text_page: Any) -> str:
    """Return the page's characters one for one with PDFium's indexes.

    Of a pair of surrogates the character stands at the first and a blank at the second.
    """
    import pypdfium2.raw as pdfium

    get = pdfium.FPDFText_GetUnicode
    codes = [get(text_page, i) for i in range(text_page.count_chars())]
    for i, (code, after) in enumerate(itertools.pairwise(codes)):
        if 0xD800 <= code < 0xDC00 <= after < 0xE000:
            codes[i], codes[i + 1] = 0x10000 + ((code - 0xD800) << 10) + after - 0xDC00, 32
    return "".join(chr(code) if 0 < code < 0x110000 else " " for code in codes)


def _rects(text_page: Any, places: Sequence[int], spans: Iterable[tuple[int, int]]) -> list[Rect]:
    rects: list[Rect] = []
    for low, high in spans:
        first, last = places[low], places[high - 1]
        count = text_page.count_rects(first, last - first + 1)
        rects += [text_page.get_rect(i) for i in range(count)]
    return _joined(rects)


def _joined(rects: Iterable[Rect]) -> list[Rect]:
    """Join what stands side by side on a line: PDFium begins a rectangle at each change of font."""
    lines: list[Rect] = []
    for left, bottom, right, top in rects:
        if lines:
            a, b, c, d = lines[-1]
            height = min(top - bottom, d - b)
            beside = min(top, d) - max(bottom, b) > 0.5 * height and a <= left
            if beside and -height <= left - c <= height:
                lines[-1] = (a, min(b, bottom), max(c, right), max(d, top))
                continue
        lines.append((left, bottom, right, top))
    return lines


def _shown(page: Any, rect: Rect) -> Box:
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


_LETTER_GRID = 1_000_000
_LETTER_SEED = 12
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
            shown = _shown_letter(page, rects)
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
        seed = here[position : position + _LETTER_SEED]
        at = there.find(seed, near)
        if at < 0 and len(seed) == _LETTER_SEED:
            at = there.find(seed)
        if at < 0 or (len(seed) < _LETTER_SEED and at > near + 200):
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


def _shown_letter(page: Any, rects: np.ndarray) -> np.ndarray:
    """Return rectangles of the page's own space as it is shown: rotated, cropped, top down."""
    import pypdfium2.raw as pdfium

    # the way from one space to the other is affine: three points tell all of it
    corners = []
    for x, y in ((0.0, 0.0), (1000.0, 0.0), (0.0, 1000.0)):
        column, row = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, _LETTER_GRID, _LETTER_GRID, 0, x, y, column, row)
        corners.append((column.value / _LETTER_GRID, row.value / _LETTER_GRID))
    origin, along_x, along_y = (np.array(corner) for corner in corners)
    turn = np.stack([(along_x - origin) / 1000.0, (along_y - origin) / 1000.0])
    first = rects[:, [0, 3]] @ turn + origin
    second = rects[:, [2, 1]] @ turn + origin
    return np.hstack([np.minimum(first, second), np.maximum(first, second)]).astype(np.float32)
