"""Where characters of a document's text stand on the picture of a page that was read.

The text of the page went through the reader of documents, which joins lines and drops hyphens and
headers; it is compared with the lines as `pdf_positions` compares it with the letters of a PDF.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...scanned_pages import ScannedLine, build_text, place_lines, split_words
from ..pdf_pages import PageLetters
from ..pdf_positions import Box, match_characters


def locate_letters(
    lines: Sequence[ScannedLine], page_text: str, page_start: int, size: tuple[float, float]
) -> PageLetters:
    """Return the boxes of a page's characters, with offsets in the document.

    Args:
        page_text: the text of the page in the document, which begins at `page_start`.
        size: of the page, in points.
    """
    offsets, boxes, numbers = _locate(lines, page_text)
    in_text = set(numbers.tolist())
    others = [_character_boxes(line) for n, line in enumerate(lines) if n not in in_text]
    none = np.zeros((0, 4), dtype=np.float32)
    return PageLetters(offsets + page_start, boxes, *size, np.concatenate([none, *others]))


def find_boxes(
    lines: Sequence[ScannedLine], page_text: str, ranges: Sequence[tuple[int, int]]
) -> list[list[Box]]:
    """Return the boxes of each range of the page's text, one for each line that it touches."""
    offsets, boxes, numbers = _locate(lines, page_text)
    found: list[list[Box]] = []
    for start, end in ranges:
        inside = slice(*np.searchsorted(offsets, (start, end)))
        own, touched = boxes[inside], numbers[inside]
        found.append([])
        for number in dict.fromkeys(touched.tolist()):
            part = own[touched == number]
            left, top = part[:, :2].min(axis=0).tolist()
            right, bottom = part[:, 2:].max(axis=0).tolist()
            found[-1].append((left, top, right, bottom))
    return found


def _locate(
    lines: Sequence[ScannedLine], page_text: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return offsets in a page's text, ascending, and the boxes and line numbers of the letters."""
    read = build_text(lines)
    known = np.full((len(read), 4), np.nan, dtype=np.float32)
    numbers = np.zeros(len(read), dtype=np.int32)
    for number, (line, (start, end)) in enumerate(zip(lines, place_lines(lines), strict=True)):
        if end > start:
            known[start:end] = _character_boxes(line)
            numbers[start:end] = number
    kept = {
        offset: at for offset, at in match_characters(page_text, read) if not np.isnan(known[at, 0])
    }
    places = np.array(list(kept.values()), dtype=np.int64)
    return np.array(list(kept), dtype=np.int32), known[places], numbers[places]


def _character_boxes(line: ScannedLine) -> np.ndarray:
    """Return the upright boxes of the characters of a line, shape (characters, 4)."""
    corners = np.array(line.corners, dtype=np.float64).reshape(4, 2)
    begins, ends = _character_spans(line)
    if line.is_vertical:
        first, second = corners[0], corners[3]  # the left edge, from top to bottom
        other_first, other_second = corners[1], corners[2]
    else:
        first, second = corners[0], corners[1]  # the upper edge, in reading direction
        other_first, other_second = corners[3], corners[2]
    points = np.stack(
        [
            start + share[:, np.newaxis] * (end - start)
            for start, end in ((first, second), (other_first, other_second))
            for share in (begins, ends)
        ]
    )
    return np.concatenate([points.min(axis=0), points.max(axis=0)], axis=1).astype(np.float32)


def _character_spans(line: ScannedLine) -> tuple[np.ndarray, np.ndarray]:
    """Return begin and end of each character, as shares of the line."""
    n = len(line.text)
    edges = np.linspace(0.0, 1.0, n + 1)
    begins, ends = edges[:-1].copy(), edges[1:].copy()
    words = split_words(line.text)
    if len(line.words) == 2 * len(words):
        for i, (start, end) in enumerate(words):
            low, high = line.words[2 * i] / 1000, line.words[2 * i + 1] / 1000
            inside = np.linspace(low, high, end - start + 1)
            begins[start:end], ends[start:end] = inside[:-1], inside[1:]
    return begins, ends
