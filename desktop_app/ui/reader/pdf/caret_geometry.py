"""Where offsets of the text are on the pages of a PDF, for the keyboard caret."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from PySide6.QtCore import QRectF

from desktop_app.engine.text.pdf_pages import PageLetters

from ..ranges import Range
from .layout import PageLayout, in_page
from .worker import PdfWorker


class PlacedPages(Protocol):
    """A view that knows where its pages are in the window."""

    worker: PdfWorker
    placed: PageLayout

    def page_of(self, offset: int) -> int: ...

    def page_rect(self, index: int) -> QRectF: ...

    def show_page(self, index: int) -> None: ...

    def show_range(self, start: int, end: int) -> None: ...


class PageCaretGeometry:
    """Positions of offsets on the pages of a view; implements `CaretGeometry`."""

    def __init__(self, view: PlacedPages) -> None:
        self._view = view

    def box(self, offset: int) -> QRectF | None:
        index, letters = self._page(offset)
        if letters is None or index >= len(self._view.worker.sizes):
            return None
        row = int(np.searchsorted(letters.offsets, offset))
        behind = row >= len(letters.offsets)
        left, top, right, bottom = letters.boxes[min(row, len(letters.offsets) - 1)]
        x = right if behind else left
        return in_page(self._view.page_rect(index), (float(x), float(top), float(x), float(bottom)))

    def offset_in_next_line(self, offset: int, x: float, by: int) -> int | None:
        view = self._view
        index, letters = self._page(offset)
        if letters is not None:
            begins = [*letters.line_begins(), len(letters.offsets)]
            number = self._line(letters, begins, offset) + by
            if 0 <= number < len(begins) - 1:
                return self._nearest(index, letters, begins[number], begins[number + 1], x)
        pages = view.worker.pages
        index += by
        while 0 <= index < len(pages) and pages[index].start == pages[index].end:
            index += by
        if not 0 <= index < len(pages):
            return None
        beside = view.worker.letters(index)
        if beside is None or not len(beside.offsets):
            view.worker.wake()
            return pages[index].start if by > 0 else max(pages[index].start, pages[index].end - 1)
        begins = [*beside.line_begins(), len(beside.offsets)]
        low, high = begins[:2] if by > 0 else begins[-2:]
        return self._nearest(index, beside, low, high, x)

    def line_of(self, offset: int) -> Range | None:
        letters = self._page(offset)[1]
        if letters is None:
            return None
        begins = [*letters.line_begins(), len(letters.offsets)]
        number = self._line(letters, begins, offset)
        first, last = begins[number], begins[number + 1] - 1
        return int(letters.offsets[first]), int(letters.offsets[last]) + 1

    def scroll_to(self, offset: int) -> None:
        view = self._view
        if len(view.placed.stops):
            view.show_page(view.page_of(offset))
        else:
            view.show_range(offset, offset + 1)

    def _page(self, offset: int) -> tuple[int, PageLetters | None]:
        index = self._view.page_of(offset)
        letters = self._view.worker.letters(index)
        return index, letters if letters is not None and len(letters.offsets) else None

    @staticmethod
    def _line(letters: PageLetters, begins: list[int], offset: int) -> int:
        row = min(int(np.searchsorted(letters.offsets, offset)), len(letters.offsets) - 1)
        return int(np.searchsorted(begins, row, side="right")) - 1

    def _nearest(self, index: int, letters: PageLetters, low: int, high: int, x: float) -> int:
        place = self._view.page_rect(index)
        share = (x - place.left()) / max(1.0, place.width())
        lefts = letters.boxes[low:high, 0]
        return int(letters.offsets[low + int(np.abs(lefts - share).argmin())])
