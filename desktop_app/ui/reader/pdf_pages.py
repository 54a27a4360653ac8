"""An open PDF: sizes, pictures of pages, and what is known of the letters on them.

Owns one pdfium document, used from one worker lane and under the lock that all pdfium calls
share; places of text are found by `pdf_map`. Gives plain data and knows no widgets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_app.engine.text.pdf_map import Box, Letters, find_boxes
from desktop_app.engine.text.pdfium import PDFIUM_LOCK, open_pdf

_LARGEST_PIXELS = 24_000_000
_PAGES_KNOWN = 64


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
        with PDFIUM_LOCK:
            self._document = open_pdf(content, password)
            self.sizes: list[tuple[float, float]] = [
                self._document.get_page_size(i) for i in range(len(self._document))
            ]
        self._letters: dict[int, Letters] = {}

    def close(self) -> None:
        with PDFIUM_LOCK:
            self._document.close()

    def render(self, index: int, scale: float) -> PagePicture:
        """Return a page at so many pixels a point, fewer if that would be a huge picture."""
        width, height = self.sizes[index]
        most = (_LARGEST_PIXELS / max(1.0, width * height)) ** 0.5
        with PDFIUM_LOCK:
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
        """Return where ranges of the page's own text stand, a list of boxes for each."""
        if len(self._letters) > _PAGES_KNOWN:
            self._letters.clear()
        return find_boxes(self._document, index, page_text, ranges, self._letters)
