"""Reads pictures of pages in a child process of its own (`ocr_child`).

The process is started at the first page, ends when it is not used, and takes one document at a
time. It has the limits of the process that draws pages, with more memory and time for a page.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any

from ...child_protocol import ProtocolError, check_number
from ...figures import Figure
from ...scanned_pages import ScannedPage, check_scanned_page, pack_page
from ..page_renderer import (
    PageLimits,
    PageRenderer,
    Reader,
    RemotePdf,
    build_figure_request,
)

CHILD_MODULE = "desktop_app.engine.text.ocr.ocr_child"
CHILD_ARGUMENT = "--page-reader"
LIMITS = PageLimits(memory_bytes=2_500_000_000, silence_s=240.0, start_s=120.0, idle_s=60.0)
DPI = 200.0
MAX_PIXELS = 9_000_000  # of a page that is read
MAX_FIGURE_SIDE = 1_800  # pixels of a figure that is read
_MAX_BYTES = 4_000_000  # of what was read of a page


class PictureReader(PageRenderer):
    """Opens documents and reads their pages, one at a time; used in one thread, closed from any."""

    def __init__(self, limits: PageLimits = LIMITS) -> None:
        super().__init__(limits, module=CHILD_MODULE, argument=CHILD_ARGUMENT)

    def read_lines(
        self,
        document: RemotePdf,
        index: int,
        *,
        known: Collection[str] = (),
        find_known: Callable[[str], ScannedPage | None] = lambda digest: None,
        dpi: float = DPI,
        max_pixels: int = MAX_PIXELS,
    ) -> ScannedPage:
        """Return the lines of a page, and the regions with a drawing on it.

        Args:
            known: digests of the pictures of pages that were read already; a page with the same
                picture is not read again.
            find_known: returns the page that was read of one of these pictures, None if it is to
                be read again.

        Raises:
            PageFailure: the page is damaged, or ended the child.
            Cancelled: the document or the reader was closed.
        """

        def take(answer: dict[str, Any], read: Reader) -> ScannedPage | None:
            if "same" not in answer:
                return _take_page(answer, read)
            if (digest := str(answer["same"])) not in known:
                raise ProtocolError("a page that was not asked about")
            return find_known(digest)

        request = {"what": "lines", "dpi": dpi, "pixels": max_pixels}
        found = self.ask(document, index, {**request, "known": list(known)}, take)
        if found is None:  # what was read of it is to be read again
            return self.ask(document, index, {**request, "known": []}, _take_page)
        return found

    def find_regions(self, document: RemotePdf, index: int, page: ScannedPage) -> ScannedPage:
        """Return a page that was read before with its regions; raises as `read_lines`."""
        request = {"what": "regions", "dpi": DPI, "pixels": MAX_PIXELS, "page": pack_page(page)}
        return self.ask(document, index, request, _take_page)

    def read_figure(self, document: RemotePdf, figure: Figure) -> ScannedPage:
        """Return the lines of text in a figure; raises as `read_lines`."""
        drawn = build_figure_request(figure, MAX_FIGURE_SIDE, DPI)
        request = {**drawn, "what": "figure lines"}
        return self.ask(document, figure.page_index or 0, request, _take_page)


def _take_page(answer: dict[str, Any], read: Reader) -> ScannedPage:
    n_bytes = check_number(answer.get("bytes"), _MAX_BYTES)
    try:
        return check_scanned_page(json.loads(bytes(read(n_bytes))))
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise ProtocolError("a page that is none") from error
