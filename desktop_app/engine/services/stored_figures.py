"""Stores the figures of a document that was read: of its file, and of its scanned pages.

The reader of the file finds the pictures that the file has; of a page that is a picture itself, the
figures come from what was read of it (`text.ocr.page_figures`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ..figures import Figure, FigureBox, limit_figures
from ..model import ReadDocument
from ..scanned_pages import ScannedPage
from ..store import figures, scanned_pages
from ..store.db import Db
from ..text.ocr.page_figures import build_scanned_figures

_MOVED = 2_000  # characters by which another reader moves the end of a long text
_SAME = 0.5  # of the area of two figures together: they are one
_TEXT_LETTERS = 150  # read in a picture of a file: it is a scanned text, and no figure


def store_document_figures(
    db: Db,
    document_id: int,
    read: ReadDocument,
    stored: str,
    used: Collection[int],
    *,
    is_same_file: bool,
) -> bool:
    """Replace the figures of a document; return whether it has one.

    Args:
        read: the document as its file was read now.
        stored: its text in the library, which has the captions.
        used: the pages whose text was read from their pictures and is in the document's.
        is_same_file: what was read in its figures stays.
    """
    pages: dict[int, ScannedPage] = {}
    if used:
        read_pages = scanned_pages.fetch_pages(db, document_id)
        pages = {index: page for index, page in read_pages.items() if index in used}
    words: dict[int, str] = {}  # by the place in the list
    found = [one for one in read.figures if not _is_scan(one, pages)]
    for figure, own in build_scanned_figures(read.text, read.pages, pages) if pages else ():
        if not any(_is_same(figure, other) for other in found):
            words[id(figure)] = own
            found.append(figure)
    found.sort(key=lambda one: one.start)
    kept, _ = limit_figures(found, 0)
    figures.store_figures(
        db,
        document_id,
        stored,
        [move_figure(one, read.text, stored) for one in kept],
        is_same_file=is_same_file,
        words={at: words[id(one)] for at, one in enumerate(kept) if id(one) in words},
        is_complete=all(page.regions is not None for page in pages.values()),
    )
    return bool(kept)


def _is_scan(figure: Figure, pages: Mapping[int, ScannedPage]) -> bool:
    """Return whether a picture of a file is a page, or a part of one, whose text was read."""
    page = pages.get(figure.page_index) if figure.page_index is not None else None
    if page is None or figure.box is None or figure.start < figure.end:
        return False
    left, top, right, bottom = figure.box
    n_letters = 0
    for line in page.lines:
        x, y = line.centre
        n_letters += len(line.text) if left <= x <= right and top <= y <= bottom else 0
    return n_letters > _TEXT_LETTERS


def _is_same(one: Figure, other: Figure) -> bool:
    if one.page_index != other.page_index or one.box is None or other.box is None:
        return False
    if one.label and one.label == other.label:
        return True
    return _measure_shared(one.box, other.box) > _SAME


def _measure_shared(one: FigureBox, other: FigureBox) -> float:
    """Return the area that two boxes share, as a share of both together."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    if across <= 0 or down <= 0:
        return 0.0
    both = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return across * down / (both - across * down)


def move_figure(figure: Figure, read: str, stored: str) -> Figure:
    """Return a figure of a text that was read now, with its place in the stored one.

    A newer reader may join lines in another way: the caption is then found by its words, and the
    figure has none if they are not there.
    """
    if read == stored:
        return figure
    caption = read[figure.start : figure.end]
    at = min(figure.start, len(stored))
    if caption:
        near = stored.find(caption, max(0, at - _MOVED))
        found = near if near >= 0 else stored.find(caption)
        if found >= 0:
            return replace(figure, start=found, end=found + len(caption))
    return replace(figure, start=at, end=at)
