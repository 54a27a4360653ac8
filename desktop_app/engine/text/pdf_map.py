"""Finds where a piece of a page's text stands on the page, for highlighting.

Matches PDFium's own characters, without regard to white space, hyphens, width or ligatures, so
that text mended for reading still lands on the right glyphs.
"""

from __future__ import annotations

import unicodedata
from ctypes import c_double

from .pdfium import PDFIUM_LOCK, open_pdf

Rect = tuple[float, float, float, float]
_IGNORED = frozenset("-\u2010\u2011\xad\x02\ufffe\ufffd\u200b\ufeff")
_MIN_ANCHOR = 12


def find_page_rects(
    pdf_bytes: bytes,
    page_index: int,
    text_slice: str,
    *,
    occurrence_hint: int = 0,
    password: str | None = None,
) -> list[Rect]:
    """Return (left, bottom, right, top) in PDF points, one a line, of a piece of a page's text.

    Args:
        text_slice: the text as the reader gave it (it may begin or end on another page).
        occurrence_hint: offset of the slice in the page's text: of several places the nearest
            is taken.

    Returns an empty list if the text is not on that page.
    """
    document = open_pdf(pdf_bytes, password)
    try:
        return find_rects_in(document, page_index, text_slice, occurrence_hint=occurrence_hint)
    finally:
        with PDFIUM_LOCK:
            document.close()


def find_rects_in(
    document: object, page_index: int, text_slice: str, *, occurrence_hint: int = 0
) -> list[Rect]:
    """Like `find_page_rects`, for a document that is open already."""
    import pypdfium2
    import pypdfium2.raw as raw

    with PDFIUM_LOCK:
        if not 0 <= page_index < len(document):  # type: ignore[arg-type]
            return []
        try:
            page = document[page_index]  # type: ignore[index]
            text_page = page.get_textpage()
        except pypdfium2.PdfiumError:
            return []
        try:
            n_chars = text_page.count_chars()
            codes = [raw.FPDFText_GetUnicode(text_page, i) for i in range(n_chars)]
            wanted = _locate(codes, text_slice, occurrence_hint)
            boxes = [_box(raw, text_page, i) for i in wanted]
        finally:
            text_page.close()
            page.close()
    return _lines_of([box for box in boxes if box is not None])


def _box(raw: object, text_page: object, index: int) -> Rect | None:
    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    ok = raw.FPDFText_GetCharBox(text_page, index, left, right, bottom, top)  # type: ignore[attr-defined]
    if not ok or right.value <= left.value:
        return None
    return left.value, bottom.value, right.value, top.value


def _letters(char: str) -> str:
    """What is compared of a character; "" for white space and hyphens."""
    if char.isspace() or char in _IGNORED or not char.isprintable():
        return ""
    folded = unicodedata.normalize("NFKC", char).casefold()
    return "".join(c for c in folded if not c.isspace() and c not in _IGNORED)


def _locate(codes: list[int], text_slice: str, hint: int) -> range:
    """Return the range of character indices on the page that the slice covers."""
    letters: list[str] = []
    owners: list[int] = []
    for index, char in enumerate(_characters(codes)):
        for letter in _letters(char):
            letters.append(letter)
            owners.append(index)
    page = "".join(letters)
    wanted = "".join(_letters(c) for c in text_slice)
    if not wanted or not page:
        return range(0)
    start, length = _best_place(page, wanted, hint)
    if start < 0:
        return range(0)
    return range(owners[start], owners[start + length - 1] + 1)


def _characters(codes: list[int]) -> list[str]:
    """Characters of the page, one an index: surrogate pairs stand at the first of the two."""
    chars = [chr(c) if 0 <= c < 0x110000 else "" for c in codes]
    for i in range(len(chars) - 1):
        if 0xD800 <= codes[i] < 0xDC00 <= codes[i + 1] < 0xE000:
            pair = 0x10000 + ((codes[i] - 0xD800) << 10) + (codes[i + 1] - 0xDC00)
            chars[i], chars[i + 1] = chr(pair), ""
    return [("" if 0xD800 <= ord(c) < 0xE000 else c) if c else "" for c in chars]


def _best_place(page: str, wanted: str, hint: int) -> tuple[int, int]:
    place = _nearest(page, wanted, hint)
    if place >= 0:
        return place, len(wanted)
    # The slice goes over a page break or a running head: take the longest part that is here.
    half = len(wanted) // 2
    while half >= _MIN_ANCHOR:
        for part_start in (0, len(wanted) - half):
            place = _nearest(page, wanted[part_start : part_start + half], hint)
            if place >= 0:
                return _grown(page, wanted, place, part_start, half)
        half = half * 3 // 4
    return -1, 0


def _grown(page: str, wanted: str, place: int, at: int, length: int) -> tuple[int, int]:
    while place > 0 and at > 0 and page[place - 1] == wanted[at - 1]:
        place, at, length = place - 1, at - 1, length + 1
    while (
        place + length < len(page)
        and at + length < len(wanted)
        and page[place + length] == wanted[at + length]
    ):
        length += 1
    return place, length


def _nearest(page: str, wanted: str, hint: int) -> int:
    best = at = page.find(wanted)
    while at >= 0:
        if abs(at - hint) < abs(best - hint):
            best = at
        at = page.find(wanted, at + 1)
    return best


def _lines_of(boxes: list[Rect]) -> list[Rect]:
    """Join the boxes of characters that stand on one line."""
    lines: list[Rect] = []
    for left, bottom, right, top in boxes:
        if lines:
            a, b, c, d = lines[-1]
            shared = min(top, d) - max(bottom, b)
            near = -2 * (top - bottom) - 20 <= left - c <= 60
            if shared > 0.3 * min(top - bottom, d - b) and near and left >= a - 1:
                lines[-1] = (a, min(b, bottom), max(c, right), max(d, top))
                continue
        lines.append((left, bottom, right, top))
    return lines
