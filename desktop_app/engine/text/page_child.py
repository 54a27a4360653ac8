"""The process that draws pages: `python -m desktop_app.engine.text.page_child`.

Started by `page_renderer`. Gets the bytes of one PDF or picture, then requests for its pages;
pixels and positions come back as raw frames after the frame that announces them.
"""

from __future__ import annotations

import math
import sys
from typing import IO, Any

import numpy as np

from ..child_protocol import write_frame, write_raw
from ..child_sandbox import limit_processor_time
from .document_pages import DocumentPages, open_pages, prepare_pictures
from .figure_pages import FigureFile, draw_pixels
from .page_ink import find_ink_sides
from .parser_child import read_request_bytes, serve
from .pdf_pages import PagePicture, PdfPages
from .pdf_positions import Box


class PageServer:
    """Answers requests for the pages of one document at a time."""

    def __init__(self) -> None:
        self._pages: DocumentPages | None = None
        self._trimmed: dict[tuple[int, Box], Box] = {}  # figures, by page and known box

    def prepare(self) -> None:
        """Import what drawing needs."""
        import pypdfium2

        pypdfium2.PdfDocument.new().close()
        prepare_pictures()

    def answer(self, requests: IO[bytes], answers: IO[bytes], request: dict[str, Any]) -> None:
        """Open a document, or draw or search one of its pages."""
        self._begin(answers, request)
        what = request["what"]
        if what == "open":
            content = read_request_bytes(requests, request["size"])
            if request["place"]:
                # what opens archives and letters is imported for the few documents in them
                from .reading import find_inner_file

                content = find_inner_file(content, request["name"], request["place"])
            self._open(content, request["password"] or None)
            sizes = np.array(self._get().sizes, dtype=np.float32)
            write_frame(answers, [{"pages": len(sizes)}])
            write_raw(answers, sizes.tobytes())
            return
        index, pages = request["index"], self._get()
        if what == "figure":
            pixels = self._draw_figure(index, request)
            height, width, _ = pixels.shape
            write_frame(answers, [{"figure": [width, height]}])
            write_raw(answers, pixels.tobytes())
        elif what == "page":
            self._keep_colors(index, request["figures"])
            _write_picture(answers, pages.render(index, request["scale"], dark=request["dark"]))
        elif what == "part":
            left, top, right, bottom = request["part"]
            part = (left, top, right, bottom)
            self._keep_colors(index, request["figures"])
            picture = pages.render_part(index, request["scale"], part, dark=request["dark"])
            _write_picture(answers, picture)
        elif what == "boxes":
            ranges = [(start, end) for start, end in request["ranges"]]
            found = pages.find_boxes(index, request["text"], ranges)
            write_frame(answers, [{"boxes": found}])
        else:
            letters = pages.find_letters(index, request["text"], 0)
            counts = {"letters": len(letters.offsets), "others": len(letters.others)}
            write_frame(answers, [counts])
            write_raw(answers, letters.offsets.astype(np.int32).tobytes())
            write_raw(answers, letters.boxes.astype(np.float32).tobytes())
            write_raw(answers, letters.others.astype(np.float32).tobytes())

    def _keep_colors(self, index: int, figures: list[list[float]]) -> None:
        """Let figures keep their colours on a dark page, without the white around them."""
        pages = self._get()
        if not isinstance(pages, PdfPages):
            return
        boxes: list[Box] = [(left, top, right, bottom) for left, top, right, bottom in figures]
        missing = [box for box in boxes if (index, box) not in self._trimmed]
        if missing:
            drawn = pages.render(index, 1.0)
            for box in missing:
                self._trimmed[index, box] = find_ink_sides(drawn, box) or box
        pages.figures = {index: [self._trimmed[index, box] for box in boxes]}

    def _draw_figure(self, index: int, request: dict[str, Any]) -> np.ndarray:
        """Return the pixels of a figure: red, green, blue; shape (height, width, 3).

        Args:
            index: of its page, if it is a part of one.
        """
        pages, most = self._get(), request["most"]
        if isinstance(pages, FigureFile):
            return draw_pixels(pages.open_picture(request["path"]), most)
        left, top, right, bottom = request["box"]
        width, height = pages.sizes[index]
        wide, high = max(1.0, (right - left) * width), max(1.0, (bottom - top) * height)
        scale = min(request["dpi"] / 72, most / max(wide, high))
        part = (
            *(int(left * width * scale), int(top * height * scale)),
            *(math.ceil(right * width * scale), math.ceil(bottom * height * scale)),
        )
        drawn = pages.render_part(index, scale, part)
        rows = np.frombuffer(drawn.pixels, dtype=np.uint8).reshape(drawn.height, drawn.stride)
        colours = rows[:, : 4 * drawn.width].reshape(drawn.height, drawn.width, 4)
        return np.ascontiguousarray(colours[:most, :most, 2::-1])

    def _begin(self, answers: IO[bytes], request: dict[str, Any]) -> None:
        write_frame(answers, [{"begun": True}])
        limit_processor_time(request["processor_s"])

    def _open(self, content: bytes, password: str | None) -> None:
        if self._pages is not None:
            self._pages.close()
            self._pages = None
        self._trimmed.clear()
        self._pages = open_pages(content, password)

    def _get(self) -> DocumentPages:
        assert self._pages is not None
        return self._pages


def _write_picture(answers: IO[bytes], picture: PagePicture) -> None:
    write_frame(answers, [{"picture": [picture.width, picture.height, picture.stride]}])
    write_raw(answers, picture.pixels)


def main() -> int:
    """Answer requests until stdin is closed."""
    server = PageServer()
    return serve(server.prepare, server.answer)


if __name__ == "__main__":
    sys.exit(main())
