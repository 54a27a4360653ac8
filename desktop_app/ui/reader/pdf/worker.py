"""Gets pages and text positions of a PDF in its own lane, most urgent request first.

Owns the open document, the process that draws its pages, and the caches of pictures, boxes and
letters. Knows no painting: its signals report new results on the window's thread.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from desktop_app.engine.messages import Message
from desktop_app.engine.model import Page
from desktop_app.engine.png import encode_png
from desktop_app.engine.scanned_pages import ScannedLine, ScannedPage
from desktop_app.engine.services.annotations import Area
from desktop_app.engine.text.page_ink import find_blank_foot, find_blank_top, find_ink_columns
from desktop_app.engine.text.page_renderer import PageFailure, PageRenderer, RemotePdf
from desktop_app.engine.text.page_rotation import rotate_box
from desktop_app.engine.text.pdf_pages import PageLetters, PagePicture, shrink
from desktop_app.engine.text.pdf_positions import Box
from desktop_app.workers.failures import FailureHandler
from desktop_app.workers.lane import Lane
from desktop_app.workers.operations import Query

from ..ranges import Range

Part = tuple[int, int, int, int]  # left, top, right, bottom; pixels of the whole page


AREA_SCALE, AREA_SIDE = 2.5, 1000  # of a kept area: pixels per point, most pixels of a side


def _draw_area(document: RemotePdf, area: Area) -> bytes:
    """Return a PNG of a part of a page, rotated as the page is shown."""
    width, height = document.rotated_sizes[area.page]
    sides = rotate_box(area[1:], document.rotations.get(area.page, 0))
    box = sides[0] * width, sides[1] * height, sides[2] * width, sides[3] * height
    scale = min(AREA_SCALE, AREA_SIDE / max(1.0, box[2] - box[0], box[3] - box[1]))
    left, top, right, bottom = (side * scale for side in box)
    part = math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom)
    drawn = document.render_part(area.page, scale, part)
    rows = np.frombuffer(drawn.pixels, dtype=np.uint8).reshape(drawn.height, drawn.stride)
    pixels = rows[:, : 4 * drawn.width].reshape(drawn.height, drawn.width, 4)
    return encode_png(drawn.width, drawn.height, pixels[:, :, 2::-1].tobytes())


class PictureCache:
    """Pictures of pages by index; the least recently used are removed above `max_bytes`."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[int, tuple[float, QImage, PagePicture]] = OrderedDict()

    def get(self, index: int) -> QImage | None:
        kept = self._kept.get(index)
        if kept is None:
            return None
        self._kept.move_to_end(index)
        return kept[1]

    def has(self, index: int, scale: float, part: Part | None = None) -> bool:
        kept = self._kept.get(index)
        if kept is None or abs(kept[0] - scale) > 1e-3:
            return False
        there = kept[2]
        return part is None or (
            there.left <= part[0]
            and there.top <= part[1]
            and there.left + there.width >= part[2]
            and there.top + there.height >= part[3]
        )

    def find(self, index: int, scale: float) -> tuple[QImage, PagePicture] | None:
        """Return the picture and its pixels, if it has this scale."""
        return self._kept[index][1:] if self.has(index, scale) else None

    def find_any(self, index: int) -> PagePicture | None:
        """Return the pixels of a page at the scale that is there."""
        kept = self._kept.get(index)
        return kept[2] if kept is not None else None

    def add(self, picture: PagePicture) -> None:
        form = QImage.Format.Format_RGB32
        image = QImage(picture.pixels, picture.width, picture.height, picture.stride, form)
        # keep the bytes too: the image only points to them
        self._kept[picture.index] = (picture.scale, image, picture)
        self._kept.move_to_end(picture.index)
        total = sum(len(kept[2].pixels) for kept in self._kept.values())
        while total > self._max_bytes and len(self._kept) > 2:
            _, (_, _, oldest) = self._kept.popitem(last=False)
            total -= len(oldest.pixels)

    def remove(self, index: int) -> None:
        self._kept.pop(index, None)

    def clear(self) -> None:
        self._kept.clear()


CACHE_BYTES, SMALL_CACHE_BYTES = 160_000_000, 64_000_000
# Thumbnails are drawn so many times larger and averaged: pdfium draws letters of four pixels and
# the rules of tables far darker than they are.
FINER = 2
MAX_PAGES_OF_LETTERS = 64
# kind ("picture", "sharp" for the part in sight of a huge page, "small" for a thumbnail,
# "letters"), page index, pixels per point
PageRequest = tuple[str, int, float]
RequestSource = Callable[[], Iterable[PageRequest]]
AROUND_PX = 320  # rendered around the part in sight of a huge page


def _lines_of(pages: Mapping[int, ScannedPage]) -> dict[int, Sequence[ScannedLine]]:
    return {index: page.lines for index, page in pages.items()}


class PdfWorker(QObject):
    """Renders pictures and finds boxes and letters of one PDF in the background.

    Args:
        on_failure: shows a failure that no page shows; called once per document.

    Attributes:
        page_failures: why pages can't be shown, by index; written on the page.
        rotations: pages that are shown rotated, by index: quarters clockwise. All sizes, pictures
            and boxes are those of the rotated page.
    """

    opened = Signal()
    failed = Signal(object)
    page_ready = Signal(int)
    small_ready = Signal(int)
    boxes_ready = Signal(int)
    letters_ready = Signal(int)

    def __init__(self, on_failure: FailureHandler, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._on_failure = on_failure
        self._failure_shown = False
        self.lane = Lane("pdf pages", on_failure)  # not shown
        self.pages: list[Page] = []
        self.text = ""
        self.sizes: list[tuple[float, float]] = []
        self.rotations: Mapping[int, int] = {}
        self._figures: Mapping[int, Sequence[Box]] = {}
        self.renderer = PageRenderer()
        self._document: RemotePdf | None = None
        self.page_failures: dict[int, PageFailure] = {}
        # returns the pages in sight; set by the view
        self.in_sight: Callable[[], Iterable[int]] = tuple
        self.pictures = {
            "picture": PictureCache(CACHE_BYTES),
            "sharp": PictureCache(SMALL_CACHE_BYTES),
            "small": PictureCache(SMALL_CACHE_BYTES),
        }
        # returns the part of a page in sight; set by the view
        self.part_of: Callable[[int], Part] = lambda index: (0, 0, 0, 0)
        self.known_letters: OrderedDict[int, PageLetters] = OrderedDict()
        self._boxes: dict[Range, dict[int, list[Box]]] = {}
        self._blanks: dict[tuple[int, str], tuple[float, float]] = {}
        self._ink_columns: dict[int, np.ndarray] = {}
        self._thumbnail_ink: dict[int, np.ndarray] = {}
        self.failed_requests: set[PageRequest] = set()
        self._busy = False
        self.dark = False
        self._generation = 0
        self._sources: list[RequestSource] = []
        self._idle_sources: list[RequestSource] = []
        self._needed_boxes: Callable[[], Iterable[tuple[int, Range]]] = lambda: ()
        lane = self.lane
        self.destroyed.connect(lambda: lane.close() if shiboken6.isValid(lane) else None)

    def add_requests(
        self,
        requests: RequestSource,
        boxes: Callable[[], Iterable[tuple[int, Range]]] | None = None,
    ) -> None:
        """Add a source of requests, most urgent first; it is called before each job.

        Args:
            boxes: returns (page index, range) of the ranges whose boxes are needed.
        """
        self._sources.append(requests)
        if boxes is not None:
            self._needed_boxes = boxes

    def add_idle_requests(self, requests: RequestSource) -> None:
        """Add a source of requests that run when no other source has any."""
        self._idle_sources.append(requests)

    def open(
        self,
        content: bytes,
        password: str | None,
        text: str,
        pages: list[Page],
        scanned: Mapping[int, ScannedPage] | None = None,
        *,
        name: str = "",
        place: str = "",
        rotations: Mapping[int, int] | None = None,
    ) -> None:
        self.clear()
        self.text, self.pages, self.rotations = text, pages, dict(rotations or {})
        generation = self._generation

        def take(document: RemotePdf) -> None:
            if generation != self._generation:
                document.close()
                return
            document.scanned = _lines_of(scanned or {})
            document.rotations, document.figures = self.rotations, self._figures
            self._document, self.sizes = document, document.rotated_sizes
            self.opened.emit()

        query = Query(
            self.lane, self.renderer.open, content, password, owner=self, name=name, place=place
        )
        query.on_success(take).on_error(self.failed.emit).run()

    def has_open(self, content: bytes, place: str) -> bool:
        """Return whether this document is open."""
        document = self._document
        return document is not None and (document.content, document.place) == (content, place)

    def set_text(self, text: str, pages: list[Page], scanned: Mapping[int, ScannedPage]) -> None:
        """Take another text of the open document, of which more pages were read."""
        if self._document is None:
            return
        self._generation += 1  # positions that are being found belong to the text before
        self.text, self.pages = text, pages
        self._document.scanned = _lines_of(scanned)
        self.known_letters.clear()
        self._boxes.clear()
        self.failed_requests = {r for r in self.failed_requests if r[0] != "letters"}
        self.wake()

    def set_scanned_page(self, index: int, page: ScannedPage) -> None:
        """Take what was read of a page, or the corrections of its lines."""
        if self._document is None:
            return
        self._generation += 1
        self._document.scanned = {**self._document.scanned, index: page.lines}
        self.known_letters.pop(index, None)
        for boxes in self._boxes.values():
            boxes.pop(index, None)
        self.wake()

    def set_rotations(self, rotations: Mapping[int, int]) -> None:
        """Show these pages rotated, and the others as they are in the file."""
        before, self.rotations = self.rotations, dict(rotations)
        document = self._document
        if document is None:
            return
        self._generation += 1  # what is being drawn is not rotated so
        document.rotations = self.rotations
        self.sizes = document.rotated_sizes
        for index in before.keys() | self.rotations.keys():
            if before.get(index, 0) != self.rotations.get(index, 0):
                self._forget_page(index)
        self.wake()

    def rotation_of(self, index: int) -> int:
        """Return how far a page is rotated, quarters clockwise."""
        return self.rotations.get(index, 0)

    def _forget_page(self, index: int) -> None:
        """Forget everything that is known of how a page looks."""
        for pictures in self.pictures.values():
            pictures.remove(index)
        self.known_letters.pop(index, None)
        for boxes in self._boxes.values():
            boxes.pop(index, None)
        self._ink_columns.pop(index, None)
        self._thumbnail_ink.pop(index, None)
        for kind in self.pictures:
            self._blanks.pop((index, kind), None)
        self.failed_requests = {r for r in self.failed_requests if r[1] != index}

    def set_figures(self, figures: Mapping[int, Sequence[Box]]) -> None:
        """Keep the colours of these parts of pages, as they are in the file, on dark pages."""
        before, self._figures = self._figures, figures
        if self._document is None:
            return
        self._document.figures = figures
        if self.dark:
            changed = {i for i in before.keys() | figures.keys() if before.get(i) != figures.get(i)}
            self._generation += bool(changed)  # what is being drawn has other colours
            for index in changed:
                for pictures in self.pictures.values():
                    pictures.remove(index)
            self.wake()

    def set_dark(self, dark: bool) -> None:
        """Render pages with inverted lightness, or as they are."""
        self.dark = dark
        self.forget_pictures()
        self.wake()

    def forget_pictures(self) -> None:
        """Render all pictures again when they are needed."""
        for pictures in self.pictures.values():
            pictures.clear()

    def clear(self) -> None:
        self._generation += 1
        self.forget_pictures()
        self.known_letters.clear()
        self._boxes.clear()
        self._blanks.clear()
        self._ink_columns.clear()
        self._thumbnail_ink.clear()
        self.failed_requests.clear()
        self.page_failures.clear()
        self._failure_shown = False
        self.sizes, self.pages, self.text, self.rotations = [], [], "", {}
        if self._document is not None:
            self._document.close()
            self._document = None

    def shut_down(self) -> None:
        """Close the document and the lane; nothing is rendered after that."""
        if not shiboken6.isValid(self.lane):
            return
        self.renderer.close()
        if self.lane.close():
            self.lane.deleteLater()
        self.clear()

    # --- results -----------------------------------------------------------------------------

    def blanks(self, index: int) -> tuple[float, float] | None:
        """Return the shares of a page above its first and below its last printed row.

        None until it was drawn once. What its thumbnail says holds until the page itself is drawn.
        """
        for kind in ("picture", "small"):
            if (index, kind) in self._blanks:
                return self._blanks[index, kind]
            picture = self.pictures[kind].find_any(index)
            if picture is not None:
                found = find_blank_top(picture), find_blank_foot(picture)
                self._blanks[index, kind] = found
                return found
        return None

    def ink_columns(self, index: int) -> np.ndarray | None:
        """Return what `find_ink_columns` found; None until the page was drawn once."""
        if index not in self._ink_columns:
            picture = self.pictures["picture"].find_any(index)
            if picture is None:
                return None
            self._ink_columns[index] = find_ink_columns(picture)
        return self._ink_columns[index]

    def thumbnail_ink(self, index: int) -> np.ndarray | None:
        """Return what `find_ink_columns` finds in a thumbnail; None until it was drawn."""
        if index not in self._thumbnail_ink:
            picture = self.pictures["small"].find_any(index)
            if picture is None:
                return None
            self._thumbnail_ink[index] = find_ink_columns(picture)
        return self._thumbnail_ink[index]

    def picture(self, index: int) -> QImage | None:
        return self.pictures["picture"].get(index)

    def thumbnail(self, index: int) -> QImage | None:
        return self.pictures["small"].get(index)

    def sharp(self, index: int, scale: float) -> tuple[QImage, PagePicture] | None:
        """Return the part in sight of a page that is too large for one picture."""
        return self.pictures["sharp"].find(index, scale)

    def letters(self, index: int) -> PageLetters | None:
        return self.known_letters.get(index)

    def boxes(self, span: Range, index: int) -> list[Box]:
        return self._boxes.get(span, {}).get(index, [])

    def failure(self, index: int) -> Message | None:
        """Return why a page can't be shown, None if nothing is known against it."""
        failure = self.page_failures.get(index)
        return failure.message if failure is not None else None

    def draw_area(self, area: Area, take: Callable[[bytes], object]) -> None:
        """Draw an area of a page as it is printed, and call `take` with its PNG.

        It is not called if another document is opened before.
        """
        document = self._document
        if document is None:
            return

        def keep(png: bytes) -> None:
            if document is self._document:
                take(png)

        Query(self.lane, _draw_area, document, area, owner=self).on_success(keep).run()

    def page_span(self, index: int, span: Range) -> Range | None:
        """Return the part of a document range on a page, None if it does not touch it."""
        if index >= len(self.pages):
            return None
        page = self.pages[index]
        low, high = max(span[0], page.start), min(span[1], page.end)
        return (low, high) if low < high else None

    # --- jobs -------------------------------------------------------------------------------

    def wake(self) -> None:
        """Start the most urgent request without a result, if no job runs."""
        document = self._document
        if self._busy or document is None:
            return
        self._forget_failures()
        missing: dict[int, list[Range]] = {}
        for index, span in self._needed_boxes():
            if index not in self._boxes.get(span, {}) and index < len(self.pages):
                missing.setdefault(index, []).append(span)
        if missing:
            index, spans = next(iter(missing.items()))
            self._find_boxes(document, index, spans)
            return
        for source in (*self._sources, *self._idle_sources):
            for request in source():
                if request not in self.failed_requests and not self._has_result(request):
                    self._run_request(document, request)
                    return

    def _forget_failures(self) -> None:
        """Try the pages again that failed once and went out of sight since then."""
        in_sight = set(self.in_sight())
        for index, failure in list(self.page_failures.items()):
            if not failure.is_final and index not in in_sight:
                del self.page_failures[index]
                self.failed_requests -= {r for r in self.failed_requests if r[1] == index}

    def _has_result(self, request: PageRequest) -> bool:
        kind, index, scale = request
        if kind == "letters":
            return index in self.known_letters or index >= len(self.pages)
        part = self.part_of(index) if kind == "sharp" else None
        return self.pictures[kind].has(index, scale, part)

    def _run_request(self, document: RemotePdf, request: PageRequest) -> None:
        kind, index, scale = request
        generation = self._generation

        def keep(made: Any) -> None:
            if generation != self._generation:
                return
            if kind == "letters":
                self.known_letters[index] = made
                while len(self.known_letters) > MAX_PAGES_OF_LETTERS:
                    self.known_letters.popitem(last=False)
                self.letters_ready.emit(index)
            elif made.dark == self.dark:
                self.pictures[kind].add(shrink(made, FINER) if kind == "small" else made)
                self.page_failures.pop(index, None)
                (self.small_ready if kind == "small" else self.page_ready).emit(index)

        def give_up(error: BaseException) -> None:
            if generation == self._generation:
                self.failed_requests.add(request)
                self._keep_failure(index, error)

        if kind == "letters":
            page = self.pages[index]
            text = self.text[page.start : page.end]
            query = Query(self.lane, document.find_letters, index, text, page.start, owner=self)
        elif kind == "sharp":
            left, top, right, bottom = self.part_of(index)
            part = (left - AROUND_PX, top - AROUND_PX, right + AROUND_PX, bottom + AROUND_PX)
            query = Query(self.lane, document.render_part, index, scale, part, owner=self,
                          dark=self.dark)  # fmt: skip
        else:
            drawn = scale * FINER if kind == "small" else scale
            query = Query(self.lane, document.render, index, drawn, owner=self, dark=self.dark)
        self._start(query, keep, give_up)

    def _find_boxes(self, document: RemotePdf, index: int, spans: list[Range]) -> None:
        page = self.pages[index]
        text = self.text[page.start : page.end]
        parts = [
            (max(start, page.start) - page.start, min(end, page.end) - page.start)
            for start, end in spans
        ]
        generation = self._generation

        def keep(found: list[list[Box]]) -> None:
            if generation == self._generation:
                for span, boxes in zip(spans, found, strict=True):
                    self._boxes.setdefault(span, {})[index] = boxes
                self.boxes_ready.emit(index)

        def give_up(error: BaseException) -> None:
            if generation == self._generation:
                keep([[] for _ in spans])
                self._keep_failure(index, error)

        self._start(
            Query(self.lane, document.find_boxes, index, text, parts, owner=self), keep, give_up
        )

    def _start(
        self,
        query: Query,
        keep: Callable[[Any], None],
        give_up: Callable[[BaseException], None],
    ) -> None:
        self._busy = True
        query.on_success(keep).on_error(give_up).on_end(self._ended).run()

    def _keep_failure(self, index: int, error: BaseException) -> None:
        """Show why a page can't be shown on that page; any other failure as a message."""
        if isinstance(error, PageFailure):
            self.page_failures[index] = error
            self.page_ready.emit(index)
            self.small_ready.emit(index)
        if not isinstance(error, PageFailure) or self.picture(index) is not None:
            self._show_first(error)

    def _show_first(self, error: BaseException) -> None:
        """Show only the first failure of a document."""
        if not self._failure_shown:
            self._failure_shown = True
            self._on_failure(error)

    def _ended(self) -> None:
        self._busy = False
        self.wake()
