"""The zoom and the cut margins of pages that follow the width of their text.

Owns which page gives the text block of the document and where the margins of each page are cut.
`layout` has the rules, `worker` the letters and the ink; the view places and paints the pages.
"""

from __future__ import annotations

import math

import numpy as np

from desktop_app.engine.text.pdf_pages import PageLetters

from .layout import (
    GAP,
    PIXELS_PER_POINT,
    SAME_WIDTH,
    TextBlock,
    find_text_block,
    find_trim,
    page_margin,
    place_pages,
    text_margin,
)
from .worker import PdfWorker

LARGEST_LETTER = 22.0  # pixels from the top to the foot of a line, of 25-px type or so
MOST_ZOOM = 1.5  # of the size on paper: larger pages have too few lines in sight
NO_LETTERS = PageLetters(np.zeros(0, np.int32), np.zeros((0, 4), np.float32), 1.0, 1.0)
FILLED = 0.97  # share of the room from which the text fills it
BLOCK_PAGES = 4  # covers and title pages may have no text block
# A cover or title page has title, authors and publisher; a full page has 1,500 letters and more.
COVER_LETTERS = 500
# The title of a cover is set in more than 1.5 times the size of the text (LaTeX's \Huge is 2.5
# times, \LARGE 1.7 times); a short first page of a memo or a book's licence is not.
TITLE_SHARE = 1.5
TITLE_LETTERS = 0.05  # share of the letters of a page, at least: an initial is no title


class TextFit:
    """Finds the block of text of a document, and from it the zoom and the edges of its pages.

    Attributes:
        wanted_pages: pages whose letters may give the block, in this order; empty once it is known.
        fills: whether the text is as wide as the window; letters that would be too large are not.
        has_cover: whether the first page has few letters, and no block of text or a large title; it
            is shown whole, while the others fit their text.
    """

    def __init__(self, worker: PdfWorker) -> None:
        self._worker = worker
        self._block: TextBlock | None = None
        self._first: TextBlock | None = None  # of a first page with few letters
        self._trims: dict[int, tuple[float, float]] = {}  # of pages whose ink is known
        self._blanks: dict[int, tuple[float, float]] = {}  # white above and below, 0 to 1
        self.wanted_pages: list[int] = []
        self.fills = True
        self.has_cover = False

    def clear(self) -> None:
        self._block = self._first = None
        self.wanted_pages, self.has_cover = [], False
        self._trims.clear()
        self._blanks.clear()

    def look_from(self, first: int) -> None:
        """Want the letters of a page and of those after it, unless the block is known."""
        last = min(first + BLOCK_PAGES, len(self._worker.pages), len(self._worker.sizes))
        # a rotated page has another width than the others: it says least about them
        pages = sorted(range(first, last), key=lambda i: bool(self._worker.rotations.get(i)))
        self.wanted_pages = pages if self._block is None else []

    def forget(self, index: int) -> None:
        """Forget where the margins of a page were, because it is rotated."""
        self._trims.pop(index, None)
        self._blanks.pop(index, None)

    def take_letters(self) -> bool:
        """Look for the block in the letters that are loaded; return whether it is known."""
        failed = self._worker.failed_requests
        self.wanted_pages = [i for i in self.wanted_pages if ("letters", i, 0.0) not in failed]
        while self.wanted_pages:
            letters = self._worker.letters(self.wanted_pages[0])
            if letters is None:
                return False
            index, self.wanted_pages = self.wanted_pages[0], self.wanted_pages[1:]
            block = find_text_block(letters)
            if index == 0 and len(letters.offsets) < COVER_LETTERS and self.wanted_pages:
                self._first = block  # perhaps lines of a cover: the text of the next pages counts
            elif block is not None:
                self._block, self.wanted_pages = block, []
        if self._block is None:
            self._block = self._first
        return self._block is not None

    def take_cover(self) -> None:
        """Look whether the first page is a cover, once the block and its letters are known."""
        letters, block = self._worker.letters(0), self._block
        if letters is not None and block is not None and not self.has_cover:
            is_short = len(letters.offsets) < COVER_LETTERS and len(self._worker.sizes) > 1
            is_free = find_text_block(letters) is None or _has_title(letters, block)
            self.has_cover = is_short and is_free

    def zoom(self, width: float, height: float, *, facing: bool) -> float:
        """Return the zoom at which the text, with a narrow margin, is as wide as the window.

        Letters get no larger than `LARGEST_LETTER`, and pages no smaller than the window is wide,
        unless that is more than `MOST_ZOOM`.

        Args:
            width, height: of the window, in pixels.
        """
        block = self._block
        if block is None:
            return 1.0
        whole = place_pages(self._worker.sizes, width, height, 1.0, single=False, facing=facing)
        usual = float(np.median(whole.scales))
        margin, per_row = page_margin(width), whole.per_row
        room = width - 2 * margin - GAP * (per_row - 1) - 2 * text_margin(width) * per_row
        needed = block.width * per_row
        scale = min(room / max(1.0, needed), LARGEST_LETTER / max(1.0, block.letter_height))
        most = MOST_ZOOM * PIXELS_PER_POINT / usual
        zoom = min(max(1.0, math.floor(100 * scale / usual) / 100), most)
        self.fills = zoom * usual * needed >= FILLED * room
        return zoom

    def is_usual(self, index: int) -> bool:
        """Return whether a page is as wide as the one whose text gives the zoom."""
        block = self._block
        width = self._worker.sizes[index][0]
        return block is None or abs(width - block.page_width) <= SAME_WIDTH * block.page_width

    def trim(self, index: int) -> tuple[float, float] | None:
        """Return left and right edge of what is shown, 0 to 1 of a page; None for all of it."""
        if self._block is None:
            return None
        if index in self._trims:
            return self._trims[index]
        ink, letters = self._worker.ink_columns(index), self._worker.letters(index)
        if ink is None and (small := self._worker.thumbnail_ink(index)) is not None:
            # only its thumbnail is known: nothing that is wider than the text is cut
            return find_trim(self._block, self._worker.sizes[index][0], small, NO_LETTERS)
        trim = find_trim(self._block, self._worker.sizes[index][0], ink, letters)
        if ink is not None and letters is not None:
            self._trims[index] = trim
        return trim

    def take_blanks(self, index: int) -> bool:
        """Take what is known of the white above and below a page; return whether that is new."""
        found = self._worker.blanks(index)
        if found is None or found == self._blanks.get(index):
            return False
        self._blanks[index] = found
        return self._block is not None

    def blanks(self) -> np.ndarray | None:
        """Return the white above and below the rows of each page, 0 to 1, shape (N, 2).

        It is 0 for pages that were not drawn yet, and for pages of another width, which are not
        cut. None until the block of text is known.
        """
        block = self._block
        if block is None:
            return None
        widths = np.array([width for width, _ in self._worker.sizes])
        found = np.zeros((len(widths), 2))
        for index, shares in self._blanks.items():
            found[index] = shares
        found[np.abs(widths - block.page_width) > SAME_WIDTH * block.page_width] = 0.0
        return found

    def shift(self, scale: float) -> float:
        """Return how far the middle of the text is from that of its page, in pixels.

        Args:
            scale: pixels per point of the page.
        """
        return self._block.shift * scale if self._block is not None else 0.0


def _has_title(letters: PageLetters, block: TextBlock) -> bool:
    """Return whether a page has a line in much larger type than the text of the document."""
    boxes = letters.boxes
    heights = (boxes[:, 3] - boxes[:, 1]) * letters.height
    least = TITLE_SHARE * block.letter_height
    return bool(len(heights)) and float((heights >= least).mean()) >= TITLE_LETTERS
