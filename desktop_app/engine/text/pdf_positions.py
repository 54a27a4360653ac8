"""Positions of text on PDF pages, for highlighting and selection.

Compares only normalized letters and digits, so that text that the reader changed (hyphens, line
breaks) still matches the glyphs. Owns no document and no cache: the caller passes the open PDF.
"""

from __future__ import annotations

import bisect
import ctypes
import itertools
import threading
import unicodedata
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import PasswordNeeded
from .readers.archives import MAX_PAGES, Unreadable

PDFIUM_LOCK = threading.RLock()
_PASSWORD_ERROR = 4
_SECURITY_ERROR = 5
DAMAGED_SIZE = (612.0, 792.0)  # points; the default of PDFium for a page without a size
_MAX_SIDE = 1_000_000.0  # points


def open_pdf(content: bytes, password: str | None = None) -> Any:
    """Return an open `pypdfium2.PdfDocument`; hold the lock while using and closing it.

    Raises:
        PasswordNeeded: it is encrypted and `password` is missing or wrong.
        Unreadable: it is damaged, or encrypted in an unknown way.
    """
    import pypdfium2

    with PDFIUM_LOCK:
        try:
            return pypdfium2.PdfDocument(content, password=password)
        except pypdfium2.PdfiumError as error:
            code = getattr(error, "err_code", None)
            if code == _PASSWORD_ERROR and password:
                raise PasswordNeeded(
                    "the password does not open it.", "Try again.", wrong=True
                ) from error
            if code == _PASSWORD_ERROR:
                raise PasswordNeeded("it needs a password.", "Type its password.") from error
            if code == _SECURITY_ERROR:
                raise Unreadable(
                    "it is encrypted in a way that is not supported.",
                    "Save a copy without protection in the program that opens it.",
                ) from error
            raise Unreadable(
                "it is damaged, or not a PDF.", "Download it again, or print it to a new PDF."
            ) from error
        except (ValueError, UnicodeError) as error:
            raise Unreadable("it can't be opened as PDF.", "Download it again.") from error


def read_page_sizes(document: Any) -> list[tuple[float, float]]:
    """Return the width and height of each page in points; a default for damaged pages."""
    import pypdfium2

    sizes = []
    with PDFIUM_LOCK:
        for index in range(min(len(document), MAX_PAGES)):
            try:
                sizes.append(check_page_size(document.get_page_size(index)))
            except pypdfium2.PdfiumError:
                sizes.append(DAMAGED_SIZE)
    return sizes


def check_page_size(size: tuple[float, float]) -> tuple[float, float]:
    """Return the size of a page in points; the default for one that no page has."""
    return size if all(0.0 < side <= _MAX_SIDE for side in size) else DAMAGED_SIZE


@contextmanager
def page_access() -> Iterator[None]:
    """Hold the lock while one page is drawn or searched, and report a damaged page.

    Raises:
        Unreadable: this page is damaged.
    """
    import pypdfium2

    with PDFIUM_LOCK:
        try:
            yield
        except pypdfium2.PdfiumError as error:
            raise Unreadable("it is damaged.") from error


Rect = tuple[float, float, float, float]  # left, bottom, right, top; PDF points
Box = tuple[float, float, float, float]  # left, top, right, bottom; 0 to 1 from the top left
Letters = tuple[str, list[int]]
_GRID = 100_000  # device units of a page's side
_SEED = 16  # letters that start a match of a passage
_LETTER_GRID = 1_000_000
_LETTER_SEED = 12
_SIGN_ROOM = 3  # characters of a page that are looked at for a sign: blanks may be between signs
MAX_OTHERS = 5_000  # letters of a page that are not in its text: a page has 5,000 in all
_MAX_CHAR_HEIGHT = 0.2  # of the page; larger values are errors of the font


def find_boxes(
    document: Any,
    page_index: int,
    page_text: str,
    ranges: Sequence[tuple[int, int]],
    known: MutableMapping[int, Letters],
) -> list[list[Box]]:
    """Return the boxes of each range of a page's text, relative to the displayed page.

    The text of the reader may differ from PDFium's in order and line breaks. A range that is
    not found as a whole is located in parts.

    Args:
        document: an open `pypdfium2.PdfDocument`.
        page_text: the page's text as the reader returned it.
        ranges: start and end in `page_text`.
        known: cache of the letters of pages, by page index; it is read and filled.
    """
    with PDFIUM_LOCK:
        page = document[page_index]
        text_page = page.get_textpage()
        try:
            if page_index not in known:
                known[page_index] = normalize_letters(read_characters(text_page))
            target, offsets = known[page_index]
            source, source_offsets = normalize_letters(page_text)
            found = []
            for start, end in ranges:
                spans = find_spans(source, source_offsets, target, start, end)
                parts = [(offsets[low], offsets[high - 1] + 1) for low, high in spans]
                if parts:
                    signs = _find_end_signs(page_text, source_offsets, start, end)
                    parts = _add_end_signs(text_page, parts, *signs)
                found.append([to_box(page, rect) for rect in _rects(text_page, parts)])
            return found
        finally:
            text_page.close()
            page.close()


_LAST_WITH_ACCENTS = "\u2000"  # Latin, Greek and Cyrillic letters come before


def normalize_letters(text: str) -> Letters:
    """Return the letters and digits of a text in lower case, and the offset of each in the text.

    Letters are without their accents, which a page may have as characters of their own.
    """
    letters: list[str] = []
    offsets: list[int] = []
    for offset, char in enumerate(text):
        if char.isascii():
            normalized = char
        elif char < _LAST_WITH_ACCENTS:
            normalized = unicodedata.normalize("NFKD", char.replace("ı", "i"))
        else:
            normalized = unicodedata.normalize("NFKC", char)
        for part in normalized:
            if part.isalnum():
                letters.append(part.lower()[0])
                offsets.append(offset)
    return "".join(letters), offsets


def find_spans(
    source: str, source_offsets: Sequence[int], target: str, start: int, end: int
) -> list[tuple[int, int]]:
    """Return the spans of letters in `target` that match the text range start..end of `source`.

    Args:
        source, source_offsets: letters of the text and their offsets; see `normalize_letters`.
        target: letters of the page as PDFium returns them.
    """
    low = bisect.bisect_left(source_offsets, start)
    high = bisect.bisect_left(source_offsets, end)
    wanted = source[low:high]
    if not wanted:
        return []
    if target[low:high] == wanted:
        return [(low, high)]
    at = _find_best_match(source, low, high, target)
    if at >= 0:
        return [(at, at + len(wanted))]
    spans: list[tuple[int, int]] = []
    position = 0
    while position < len(wanted):
        seed = wanted[position : position + _SEED]
        near = spans[-1][1] if spans else 0
        at = target.find(seed, near)
        if at < 0 and len(seed) == _SEED:
            at = target.find(seed)
        # a short match counts only right after an earlier match
        if at < 0 or (len(seed) < _SEED and (not spans or at > near + 200)):
            position += 4
            continue
        length = len(seed)
        while (
            position + length < len(wanted)
            and at + length < len(target)
            and target[at + length] == wanted[position + length]
        ):
            length += 1
        spans.append((at, at + length))
        position += length
    return spans


def _find_end_signs(
    text: str, letter_offsets: Sequence[int], start: int, end: int
) -> tuple[str, str]:
    """Return what a range of a text has before its first letter and after its last one."""
    low = bisect.bisect_left(letter_offsets, start)
    high = bisect.bisect_left(letter_offsets, end)
    before, after = text[start : letter_offsets[low]], text[letter_offsets[high - 1] + 1 : end]
    return before.strip(), after.strip()


def _add_end_signs(
    text_page: Any, parts: list[tuple[int, int]], before: str, after: str
) -> list[tuple[int, int]]:
    """Extend the first and the last part of a page by signs: "“Come!" belongs to “Come!”.

    Args:
        parts: begin and end of each, as indexes of PDFium.
        before, after: the signs of the range at its ends.
    """
    if before:
        first, last = parts[0]
        near = read_characters(text_page, max(0, first - _SIGN_ROOM * len(before)), first)
        parts = [(first - _count_signs(before[::-1], near[::-1]), last), *parts[1:]]
    if after:
        first, last = parts[-1]
        room = min(text_page.count_chars(), last + _SIGN_ROOM * len(after))
        near = read_characters(text_page, last, room)
        parts = [*parts[:-1], (first, last + _count_signs(after, near))]
    return parts


def _count_signs(signs: str, near: str) -> int:
    """Return how many characters at the beginning of `near` are these signs, with blanks."""
    at = reach = 0
    for sign in "".join(signs.split()):
        while at < len(near) and (near[at].isspace() or near[at] < " "):
            at += 1
        if at == len(near) or _normalize_char(near[at]) != _normalize_char(sign):
            break
        at += 1
        reach = at
    return reach


def _find_best_match(source: str, low: int, high: int, target: str) -> int:
    """Return the position of source[low:high] in `target`, -1 if it is not there.

    Of several matches the one with the most equal letters around it is chosen, then the one with
    the nearest occurrence number: PDFium may return the lines of a page in another order.
    """
    wanted = source[low:high]
    number = source[:low].count(wanted)
    best, best_score = -1, (-1, 0)
    at, count = target.find(wanted), 0
    while at >= 0:
        before = _common_prefix_length(
            reversed(source[max(0, low - _SEED) : low]), reversed(target[max(0, at - _SEED) : at])
        )
        after = _common_prefix_length(
            source[high : high + _SEED], target[at + len(wanted) :][:_SEED]
        )
        score = (before + after, -abs(count - number))
        if score > best_score:
            best, best_score = at, score
        at, count = target.find(wanted, at + 1), count + 1
    return best


def _common_prefix_length(first: Iterable[str], second: Iterable[str]) -> int:
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        count += 1
    return count


def read_characters(text_page: Any, first: int = 0, last: int | None = None) -> str:
    """Return the characters of a page, one for each index of PDFium, from `first` to `last`.

    A surrogate pair becomes the character at the first index and a blank at the second.
    """
    import pypdfium2.raw as pdfium

    get = pdfium.FPDFText_GetUnicode
    last = text_page.count_chars() if last is None else last
    codes = [get(text_page, i) for i in range(first, last)]
    for i, (code, after) in enumerate(itertools.pairwise(codes)):
        if 0xD800 <= code < 0xDC00 <= after < 0xE000:
            codes[i], codes[i + 1] = 0x10000 + ((code - 0xD800) << 10) + after - 0xDC00, 32
    return "".join(chr(code) if 0 < code < 0x110000 else " " for code in codes)


def _rects(text_page: Any, parts: Iterable[tuple[int, int]]) -> list[Rect]:
    """Return the rectangles of parts of a page, one for each line that they touch.

    Args:
        parts: begin and end of each, as indexes of PDFium.
    """
    rects: list[Rect] = []
    for first, end in parts:
        count = text_page.count_rects(first, end - first)
        rects += [text_page.get_rect(i) for i in range(count)]
    lines: list[Rect] = []
    for left, bottom, right, top in rects:
        if lines:
            a, b, c, d = lines[-1]
            low, high = sorted((top - bottom, d - b))  # a hyphen is far lower than a letter
            beside = min(top, d) - max(bottom, b) > 0.5 * low and a <= left
            if beside and -high <= left - c <= high:
                lines[-1] = (a, min(b, bottom), max(c, right), max(d, top))
                continue
        lines.append((left, bottom, right, top))
    return lines


def to_box(page: Any, rect: Rect) -> Box:
    """Return a rectangle of page space as a box on the displayed (rotated, cropped) page."""
    import pypdfium2.raw as pdfium

    left, bottom, right, top = rect
    corners = []
    for x, y in ((left, top), (right, bottom)):
        column, row = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, _GRID, _GRID, 0, x, y, column, row)
        corners.append((column.value / _GRID, row.value / _GRID))
    (x1, y1), (x2, y2) = corners
    return (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))


def locate_characters(
    document: Any, page_index: int, page_text: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the offsets of characters in the page's text, ascending, their boxes, and other boxes.

    Returns:
        Offsets, int32, shape (N,), and boxes, float32, shape (N, 4): left, top, right, bottom,
        0 to 1 from the top left of the displayed page. Characters that are not found on the page
        are left out. Then the boxes of letters and digits that are on the page and not in the text,
        such as running heads, shape (M, 4), M at most `MAX_OTHERS`.
    """
    with PDFIUM_LOCK:
        page = document[page_index]
        text_page = page.get_textpage()
        try:
            target = read_characters(text_page)
            pairs = list(match_characters(page_text, target))
            matched = {at for _, at in pairs}
            others = (i for i, char in enumerate(target) if char.isalnum() and i not in matched)
            places = [*(at for _, at in pairs), *itertools.islice(others, MAX_OTHERS)]
            shown = _to_boxes(page, _read_rects(text_page, places, page.get_size()[1]))
        finally:
            text_page.close()
            page.close()
    n = len(pairs)
    return np.array([offset for offset, _ in pairs], dtype=np.int32), shown[:n], shown[n:]


def match_characters(source: str, target: str) -> Iterator[tuple[int, int]]:
    """Yield (offset in `source`, offset in `target`) of equal characters, in the order of `source`.

    Letters are matched first, whatever is between them, then the punctuation next to matched
    letters.
    """
    source_letters, source_offsets = normalize_letters(source)
    target_letters, target_offsets = normalize_letters(target)
    before: tuple[int, int] | None = None
    for i, j in _match_runs(source_letters, target_letters):
        now = (source_offsets[i], target_offsets[j])
        if before is not None:
            if now[0] == before[0]:
                continue  # one character that stands for two letters, such as a ligature
            is_near = 0 < now[1] - before[1] < 40
            yield from _match_punctuation(source, target, before, now if is_near else None)
        yield now
        before = now
    if before is not None:
        yield from _match_punctuation(source, target, before, None)


def _match_runs(source: str, target: str) -> Iterator[tuple[int, int]]:
    """Yield index pairs of equal letters; runs may be in another order in `target`."""
    if source == target:
        yield from zip(range(len(source)), range(len(target)), strict=True)
        return
    position = near = 0
    while position < len(source):
        seed = source[position : position + _LETTER_SEED]
        at = target.find(seed, near)
        if at < 0 and len(seed) == _LETTER_SEED:
            at = target.find(seed)
        if at < 0 or (len(seed) < _LETTER_SEED and at > near + 200):
            position += 1
            continue
        while position < len(source) and at < len(target) and source[position] == target[at]:
            yield position, at
            position += 1
            at += 1
        near = at


def _match_punctuation(
    source: str, target: str, before: tuple[int, int], after: tuple[int, int] | None
) -> Iterator[tuple[int, int]]:
    """Yield index pairs of equal punctuation between two matched letters."""
    i, j = before[0] + 1, before[1] + 1
    source_end = after[0] if after else min(len(source), i + 4)
    target_end = after[1] if after else min(len(target), j + 4)
    while i < source_end and j < target_end:
        if source[i].isspace():
            if after is None:
                return
            i += 1
        elif target[j].isspace() or target[j] < " ":
            j += 1
        elif _normalize_char(source[i]) == _normalize_char(target[j]) and not source[i].isalnum():
            yield i, j
            i += 1
            j += 1
        else:
            return


def _normalize_char(char: str) -> str:
    return unicodedata.normalize("NFKC", char)


def _read_rects(text_page: Any, offsets: list[int], page_height: float) -> np.ndarray:
    """Return left, bottom, right, top of characters in points, float64, shape (N, 4).

    Args:
        places: PDFium indexes of the characters.
    """
    import pypdfium2.raw as pdfium

    rects = np.zeros((len(offsets), 4))
    loose = pdfium.FS_RECTF()
    sides = [ctypes.c_double() for _ in range(4)]
    left, right, bottom, top = sides
    for row, offset in enumerate(offsets):
        good = pdfium.FPDFText_GetLooseCharBox(text_page, offset, loose)
        if good and 0 < abs(loose.top - loose.bottom) < _MAX_CHAR_HEIGHT * page_height:
            rects[row] = (loose.left, loose.bottom, loose.right, loose.top)
        elif pdfium.FPDFText_GetCharBox(text_page, offset, left, right, bottom, top):
            rects[row] = (left.value, bottom.value, right.value, top.value)
    return rects


def _to_boxes(page: Any, rects: np.ndarray) -> np.ndarray:
    """Return rectangles of page space as boxes on the displayed page, float32, shape (N, 4)."""
    import pypdfium2.raw as pdfium

    # the transformation is affine, so that three points determine it
    corners = []
    for x, y in ((0.0, 0.0), (1000.0, 0.0), (0.0, 1000.0)):
        column, row = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, _LETTER_GRID, _LETTER_GRID, 0, x, y, column, row)
        corners.append((column.value / _LETTER_GRID, row.value / _LETTER_GRID))
    origin, along_x, along_y = (np.array(corner) for corner in corners)
    matrix = np.stack([(along_x - origin) / 1000.0, (along_y - origin) / 1000.0])
    first = rects[:, [0, 3]] @ matrix + origin
    second = rects[:, [2, 1]] @ matrix + origin
    return np.hstack([np.minimum(first, second), np.maximum(first, second)]).astype(np.float32)
