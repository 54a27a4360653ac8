"""The process that reads pictures of pages: `python -m desktop_app.engine.text.ocr.ocr_child`.

Started by `ocr_process`. It gets the bytes of one document, then the numbers of pages, draws each
page and sends its lines. It answers all that `page_child` answers.
"""

from __future__ import annotations

import hashlib
import math
import os
import sys
from dataclasses import replace
from typing import IO, Any

import numpy as np

from ...child_protocol import write_frame, write_raw
from ...garbage import release_freed_memory
from ...scanned_pages import ScannedPage, pack_page, unpack_page
from ..figure_pages import FigureFile
from ..page_child import PageServer
from ..parser_child import serve
from ..picture_pages import PicturePages
from .page_reading import recognise_page
from .page_regions import find_regions
from .recognition import LineReader

POINTS_PER_INCH = 72.0
NICE = 10  # a page takes seconds: models that answer a question go before it


class OcrServer(PageServer):
    """Reads pages of one document at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._reader: LineReader | None = None

    def prepare(self) -> None:
        """Load the networks, and use them once, which imports all that reading needs."""
        super().prepare()
        self._reader = LineReader()
        paper = np.full((64, 256, 3), 255, dtype=np.uint8)
        paper[24:40, 32:200:8] = 0
        paper[20:44, 32:200] //= 2
        found = recognise_page(self._reader, paper)
        find_regions(paper, found.lines)

    def answer(self, requests: IO[bytes], answers: IO[bytes], request: dict[str, Any]) -> None:
        """Read a page, find the drawings on it, or answer as the process that draws pages."""
        what = request["what"]
        if what not in ("lines", "figure lines", "regions"):
            super().answer(requests, answers, request)
            return
        self._begin(answers, request)
        index = request["index"]
        assert self._reader is not None
        if what == "figure lines":
            picture = self._draw_figure(index, request)
            found = recognise_page(self._reader, picture)
        elif what == "lines":
            picture = self._draw(index, request["dpi"], request["pixels"])
            digest = digest_picture(picture)
            if digest in request["known"]:
                write_frame(answers, [{"same": digest}])
                return
            found = replace(recognise_page(self._reader, picture), picture=digest)
            found = self._add_regions(found, picture, index)
        else:
            picture = self._draw(index, request["dpi"], request["pixels"])
            found = self._add_regions(unpack_page(request["page"]), picture, index)
        page = pack_page(found).encode("utf-8", "replace")
        write_frame(answers, [{"bytes": len(page)}])
        write_raw(answers, page)
        release_freed_memory()  # freed blocks of the many sizes of lines would stay and add up

    def _add_regions(self, page: ScannedPage, picture: np.ndarray, index: int) -> ScannedPage:
        """Return a page with the places of the drawings on it."""
        width, height = self._get().sizes[index]
        found = find_regions(picture, page.lines, page.turn, page.angle)
        return replace(page, regions=found, size=(float(width), float(height)))

    def _draw(self, index: int, dpi: float, most: int) -> np.ndarray:
        """Return the picture of a page: red, green, blue."""
        pages = self._get()
        if isinstance(pages, PicturePages):
            return pages.read_pixels(index, most)
        assert not isinstance(pages, FigureFile)  # it has no pages
        width, height = (max(1.0, side) for side in pages.sizes[index])
        scale = min(dpi / POINTS_PER_INCH, math.sqrt(most / (width * height)))
        drawn = pages.render(index, scale)
        rows = np.frombuffer(drawn.pixels, dtype=np.uint8).reshape(drawn.height, drawn.stride)
        colours = rows[:, : 4 * drawn.width].reshape(drawn.height, drawn.width, 4)
        return np.ascontiguousarray(colours[:, :, 2::-1])


def digest_picture(picture: np.ndarray) -> str:
    """Return what identifies a drawn page: 32 hexadecimal digits of its size and pixels."""
    made = hashlib.blake2b(repr(picture.shape).encode(), digest_size=16)
    made.update(np.ascontiguousarray(picture).data)
    return made.hexdigest()


def main() -> int:
    """Answer requests until stdin is closed."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    server = OcrServer()
    return serve(server.prepare, server.answer)


if __name__ == "__main__":
    sys.exit(main())
