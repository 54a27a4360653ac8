"""Draws the pages of PDFs and pictures in a child process, so that none can freeze the window.

`PageRenderer.open` sends a document once to a child of its own (`page_child`), not to the one that
reads documents, so that a page never waits for an import. Pages come back as pixels; the program
computes their largest size from what it asked for, and allocates nothing that exceeds it. A page
that ends the child is a `PageFailure`; after the second time it is not tried again.
"""

from __future__ import annotations

import hashlib
import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ..child_process import describe_exit
from ..child_protocol import (
    ProtocolError,
    check_list,
    check_number,
    parse_frame,
)
from ..errors import Cancelled, UserError
from ..figures import Figure
from ..file_content import BytesContent, FileContent
from ..messages import Message
from ..scanned_pages import ScannedLine
from .ocr import positions
from .page_rotation import QUARTERS, rotate_letters, rotate_part, rotate_picture, rotate_size
from .parser_process import (
    MEMORY_BYTES,
    START_S,
    ChildDied,
    ParserBug,
    ParserProcess,
    cannot_start,
    raise_failure,
)
from .pdf_pages import PageLetters, PagePicture, limit_part, limit_scale
from .pdf_positions import MAX_OTHERS, Box, check_page_size
from .readers.archives import MAX_PAGES

log = logging.getLogger(__name__)

CHILD_MODULE = "desktop_app.engine.text.page_child"
CHILD_ARGUMENT = "--page-renderer"
MAX_FAILURES = 2  # of one page that ended the child, in one session
_DOCUMENT = -1  # the index of failures while the document is opened
_MAX_BOXES = 10_000  # of one page
_ABANDONED_S = 0.5  # that a request may take after its document was closed
_LOOK_S = 0.1
_CLOSE_S = 2.0
_Result = TypeVar("_Result")
Reader = Callable[[int], bytearray]  # returns so many bytes of the raw frames after an answer
Taker = Callable[[dict[str, Any], Reader], _Result]


@dataclass(frozen=True, slots=True)
class PageLimits:
    """Limits of one page and of the child process.

    Attributes:
        memory_bytes: memory of the child.
        silence_s: time for one page, or for a part of its answer; the child is ended after it. It
            may use twice as much processor time.
        start_s: time to start the child.
        idle_s: time without a page after which the child ends.
    """

    memory_bytes: int = MEMORY_BYTES
    silence_s: float = 60.0
    start_s: float = START_S
    idle_s: float = 900.0


class PageFailure(UserError):
    """One page can't be shown; `is_final` if it is not to be tried again."""

    def __init__(self, reason: Message, *, is_final: bool) -> None:
        super().__init__(Message("This page can't be shown: {reason}", reason=reason))
        self.is_final = is_final


class PageRenderer:
    """Opens documents in a child process, one at a time; used in one thread, closed from any.

    Args:
        module, argument: the child, as for `ParserProcess`.
    """

    def __init__(
        self,
        limits: PageLimits | None = None,
        *,
        module: str = CHILD_MODULE,
        argument: str = CHILD_ARGUMENT,
    ) -> None:
        self.limits = limits or PageLimits()
        self._start = module, argument
        self._lock = threading.Lock()  # held while the child is used
        self._child: ParserProcess | None = None
        self._loaded: RemotePdf | None = None  # by the child
        self._failures: Counter[tuple[str, int]] = Counter()
        self._is_closed = False

    @property
    def child_pid(self) -> int | None:
        """The process id of the child, None if none was started."""
        return self._child.pid if self._child is not None else None

    def open(
        self, content: bytes, password: str | None = None, *, name: str = "", place: str = ""
    ) -> RemotePdf:
        """Return an open document.

        Args:
            name, place: of the file and of the document in it, which are needed for one that
                lies in an archive or a letter; see `reading.find_inner_file`.

        Raises:
            UserError: it is no PDF, or opening it ended the child.
            PasswordNeeded: it is encrypted.
            EnvironmentProblem: no child process can be started.
            Cancelled: the renderer was closed.
        """
        document = RemotePdf(self, content, password, name, place)
        self._ask(document, _DOCUMENT, {}, _take_nothing)
        return document

    def ask(
        self, document: RemotePdf, index: int, request: dict[str, Any], take: Taker[_Result]
    ) -> _Result:
        """Return what the child answers about a page; `take` checks it.

        Raises:
            PageFailure: the page is damaged, or ended the child.
            Cancelled: the document or the renderer was closed.
        """
        return self._ask(document, index, {**request, "index": index}, take)

    def close(self) -> None:
        """End the child; what is being drawn is cancelled."""
        self._is_closed = True
        if (child := self._child) is not None:
            child.kill()
        if self._lock.acquire(timeout=_CLOSE_S):  # the lane that draws ends at once
            self._drop_child()
            self._lock.release()

    def _ask(
        self, document: RemotePdf, index: int, request: dict[str, Any], take: Taker[_Result]
    ) -> _Result:
        with self._lock:
            for is_last in (False, True):
                if self._is_closed or document.is_closed:
                    raise Cancelled
                if self._count_failures(document, index) >= MAX_FAILURES:
                    raise _failure(index, Message("its reader ended twice."), is_final=True)
                child = self._ensure_child()
                exchange = _Exchange(child, document, self.limits)
                try:
                    if self._loaded is not document:
                        self._loaded = None
                        document.sizes = exchange.open()
                        self._loaded = document
                    return exchange.run(request, take) if request else take({}, exchange.read)
                except ParserBug as bug:
                    log.error("a page can't be shown:\n%s", bug)
                    raise _failure(index, Message("its reader has a bug."), is_final=True) from bug
                except UserError as error:
                    if index == _DOCUMENT:
                        raise
                    raise PageFailure(error.full_message, is_final=True) from error
                except ChildDied as death:
                    self._drop_child()
                    if self._is_closed or document.is_closed:
                        raise Cancelled from None
                    if exchange.has_begun:
                        raise self._count_failure(
                            document, index, exchange.explain(death)
                        ) from death
                    # It ended while it waited: it was idle, or killed from outside.
                    if is_last:
                        raise cannot_start(describe_exit(death.code)) from death
                except BaseException:
                    self._drop_child()
                    raise
        raise AssertionError

    def _count_failures(self, document: RemotePdf, index: int) -> int:
        return self._failures[document.digest, index] if self._failures else 0

    def _count_failure(self, document: RemotePdf, index: int, reason: Message) -> UserError:
        self._failures[document.digest, index] += 1
        is_final = self._count_failures(document, index) >= MAX_FAILURES
        return _failure(index, reason, is_final=is_final)

    def _ensure_child(self) -> ParserProcess:
        if self._child is None:
            limits = self.limits
            self._child = ParserProcess(
                *self._start,
                memory_bytes=limits.memory_bytes,
                start_s=limits.start_s,
                settings={"idle_s": limits.idle_s},
            )
        return self._child

    def _drop_child(self) -> None:
        child, self._child, self._loaded = self._child, None, None
        if child is not None:
            child.close()


def _failure(index: int, reason: Message, *, is_final: bool) -> UserError:
    if index == _DOCUMENT:
        return UserError("The pages can't be shown: {reason}", reason=reason)
    return PageFailure(reason, is_final=is_final)


class RemotePdf:
    """A PDF or picture that the child has open; as `PdfPages`, with the pixels and boxes checked.

    Attributes:
        sizes: width and height of each page in points, as it is in the file.
        scanned: lines of the pages that were read from their pictures; their text has its place
            there, and not in what the PDF itself says.
        rotations: pages that are shown rotated, by index: quarters clockwise. Pictures, boxes and
            letters are those of the rotated page; figures and kept areas are not rotated.
        figures: parts of the pages in the file that keep their colours on dark pages.
    """

    def __init__(
        self,
        renderer: PageRenderer,
        content: bytes,
        password: str | None,
        name: str = "",
        place: str = "",
    ) -> None:
        self._renderer = renderer
        self.content, self.password = content, password
        self.name, self.place = name, place
        self.scanned: Mapping[int, Sequence[ScannedLine]] = {}
        self.rotations: Mapping[int, int] = {}
        self.figures: Mapping[int, Sequence[Box]] = {}
        self.sizes: list[tuple[float, float]] = []
        self.is_closed = False

    @cached_property
    def digest(self) -> str:
        """Identifies the document in the list of failures, also when it is opened again."""
        return f"{hashlib.sha256(self.content).hexdigest()}/{self.place}"

    def close(self) -> None:
        """Give up what is being drawn of it; from any thread."""
        self.is_closed = True

    @property
    def rotated_sizes(self) -> list[tuple[float, float]]:
        """The size of each page as it is shown."""
        return [rotate_size(size, self.rotations.get(i, 0)) for i, size in enumerate(self.sizes)]

    def render(self, index: int, scale: float, *, dark: bool = False) -> PagePicture:
        """Return a page at `scale` pixels per point, fewer where it would be too large."""
        rotation = self.rotations.get(index, 0)
        own = limit_scale(self.sizes[index], scale)
        width, height = (math.ceil(side * own) for side in self.sizes[index])
        request = {"what": "page", "scale": scale, **self._describe_colors(index, dark=dark)}

        def take(answer: dict[str, Any], read: Reader) -> PagePicture:
            size, pixels = _take_pixels(answer, read, width, height)
            drawn = PagePicture(index, scale, *size, pixels, dark=dark)
            return rotate_picture(drawn, (drawn.width, drawn.height), rotation)

        return self._renderer.ask(self, index, request, take)

    def render_part(
        self, index: int, scale: float, part: tuple[int, int, int, int], *, dark: bool = False
    ) -> PagePicture:
        """Return the part (left, top, right, bottom in pixels) of a page at `scale`."""
        rotation = self.rotations.get(index, 0)
        width, height = (math.ceil(side * scale) for side in self.sizes[index])
        whole = (height, width) if rotation % 2 else (width, height)
        part = rotate_part(part, whole, -rotation % QUARTERS)
        left, top, right, bottom = limit_part(self.sizes[index], scale, part)
        request = {
            "what": "part",
            "scale": scale,
            "part": [left, top, right, bottom],
            **self._describe_colors(index, dark=dark),
        }

        def take(answer: dict[str, Any], read: Reader) -> PagePicture:
            size, pixels = _take_pixels(answer, read, right - left, bottom - top)
            drawn = PagePicture(index, scale, *size, pixels, left, top, dark)
            return rotate_picture(drawn, (width, height), rotation)

        return self._renderer.ask(self, index, request, take)

    def _describe_colors(self, index: int, *, dark: bool) -> dict[str, Any]:
        figures = self.figures.get(index, ()) if dark else ()
        return {"dark": dark, "figures": [list(box) for box in figures]}

    def draw_figure(self, figure: Figure, most: int, dpi: float = 300.0) -> FigurePixels:
        """Return a figure with at most so many pixels on its longer side.

        Args:
            dpi: of a part of a page; a picture is never enlarged.

        Raises:
            PageFailure: it is damaged, or ended the child.
            Cancelled: the document or the renderer was closed.
        """

        def take(answer: dict[str, Any], read: Reader) -> FigurePixels:
            width, height = check_list(answer.get("figure"), 2)
            check_number(width, most)
            check_number(height, most)
            return FigurePixels(width, height, bytes(read(3 * width * height)))

        request = build_figure_request(figure, most, dpi)
        return self._renderer.ask(self, figure.page_index or 0, request, take)

    def find_boxes(
        self, index: int, page_text: str, ranges: Sequence[tuple[int, int]]
    ) -> list[list[Box]]:
        """Return the boxes of each range of the page's text."""
        if self.rotations.get(index, 0):  # other letters are on one line
            letters = self.find_letters(index, page_text, 0)
            return [letters.rects(*span) for span in ranges]
        if (lines := self.scanned.get(index)) is not None:
            return positions.find_boxes(lines, page_text, ranges)
        request = {"what": "boxes", "text": page_text, "ranges": list(ranges)}

        def take(answer: dict[str, Any], read: Reader) -> list[list[Box]]:
            rows = check_list(answer.get("boxes"), len(ranges))
            return [[_check_box(box) for box in check_list(row, None, _MAX_BOXES)] for row in rows]

        return self._renderer.ask(self, index, request, take)

    def find_letters(self, index: int, page_text: str, page_start: int) -> PageLetters:
        """Return the boxes of the page's letters, with offsets in the document."""
        size, rotation = self.sizes[index], self.rotations.get(index, 0)
        if (lines := self.scanned.get(index)) is not None:
            found = positions.locate_letters(lines, page_text, page_start, size)
            return rotate_letters(found, rotation)
        request = {"what": "letters", "text": page_text}

        def take(answer: dict[str, Any], read: Reader) -> PageLetters:
            count = check_number(answer.get("letters"), len(page_text))
            offsets = np.frombuffer(read(4 * count), dtype=np.int32)
            n_others = check_number(answer.get("others"), MAX_OTHERS)
            boxes, others = (
                np.frombuffer(read(16 * n), dtype=np.float32).reshape(n, 4)
                for n in (count, n_others)
            )
            in_text = count == 0 or (offsets[0] >= 0 and offsets[-1] < len(page_text))
            are_boxes = np.isfinite(boxes).all() and np.isfinite(others).all()
            if not (in_text and (np.diff(offsets) > 0).all() and are_boxes):
                raise ProtocolError("letters outside the text")
            letters = PageLetters(offsets + page_start, boxes, *size, others)
            return rotate_letters(letters, rotation)

        return self._renderer.ask(self, index, request, take)


@dataclass(frozen=True, slots=True)
class FigurePixels:
    """A drawn figure: red, green and blue of each pixel, row by row without padding."""

    width: int
    height: int
    pixels: bytes


def build_figure_request(figure: Figure, most: int, dpi: float) -> dict[str, Any]:
    """Return the request for a figure, of a child that draws or reads it."""
    box = list(figure.box or (0.0, 0.0, 1.0, 1.0))
    return {"what": "figure", "box": box, "path": figure.path, "most": most, "dpi": dpi}


class _Exchange:
    """Requests to the child, one after another, and the frames that answer them.

    Attributes:
        has_begun: the child has started with the last request, so that its death is its fault.
        is_silent: the child exceeded its time.
    """

    def __init__(self, child: ParserProcess, document: RemotePdf, limits: PageLimits) -> None:
        self._child, self._document, self._limits = child, document, limits
        self.has_begun = self.is_silent = False

    def open(self) -> list[tuple[float, float]]:
        """Send the document; return the sizes of its pages."""
        document = self._document
        size = len(document.content)
        request = {
            "what": "open",
            "password": document.password or "",
            "size": size,
            "name": document.name,
            "place": document.place,
        }
        return self.run(request, _take_sizes, BytesContent(document.content))

    def run(
        self, request: dict[str, Any], take: Taker[_Result], content: FileContent | None = None
    ) -> _Result:
        """Return what `take` makes of the answer.

        Raises:
            UserError: the child refuses it.
            ParserBug: there is a bug in the child.
            ChildDied: the child ended, or was ended for its silence or for nonsense.
        """
        self.has_begun = False
        self._child.send({**request, "processor_s": 2 * self._limits.silence_s}, content)
        try:
            while True:
                for item in parse_frame(self._receive()):
                    raise_failure(item)
                    if "begun" in item:
                        self.has_begun = True
                    else:
                        return take(item, self.read)
        except ProtocolError as error:
            log.warning("the process that draws pages sent %s", error)
            raise self._child.end() from error

    def read(self, n_bytes: int) -> bytearray:
        """Return exactly so many bytes of the raw frames that come next."""
        made = bytearray(n_bytes)
        filled = 0
        while filled < n_bytes:
            piece = self._receive()
            if not piece or filled + len(piece) > n_bytes:
                raise ProtocolError("more pixels than it announced")
            made[filled : filled + len(piece)] = piece
            filled += len(piece)
        return made

    def _receive(self) -> bytes:
        """Return the next frame.

        Raises:
            ChildDied: it ended, or was ended for its silence or because nobody waits for the page.
        """
        began = time.monotonic()
        while True:
            if frame := self._child.receive(_LOOK_S):
                return frame
            waited_s = time.monotonic() - began
            if self._document.is_closed and waited_s > _ABANDONED_S:
                raise self._child.end()
            if waited_s > self._limits.silence_s:
                self.is_silent = True
                raise self._child.end()

    def explain(self, death: ChildDied) -> Message:
        """Return why the child ended, as the end of a sentence."""
        if self.is_silent:
            seconds = self._limits.silence_s
            return Message("its reader did not answer for {seconds:g} seconds.", seconds=seconds)
        return death.explain(self._limits.memory_bytes)


# --- checks of what the child sends ---------------------------------------------------------------


def _take_nothing(answer: dict[str, Any], read: Reader) -> None:
    return None


def _take_sizes(answer: dict[str, Any], read: Reader) -> list[tuple[float, float]]:
    """Return the sizes of all pages; the usual size for one that no page has."""
    count = check_number(answer.get("pages"), MAX_PAGES)
    sizes = np.frombuffer(read(8 * count), dtype=np.float32).reshape(count, 2)
    return [check_page_size((width, height)) for width, height in sizes.tolist()]


def _take_pixels(
    answer: dict[str, Any], read: Reader, width: int, height: int
) -> tuple[tuple[int, int, int], bytearray]:
    """Return width, height and bytes per row of a picture, and its pixels.

    Args:
        width, height: the size that was asked for; PDFium rounds, by a pixel.
    """
    own_width, own_height, stride = check_list(answer.get("picture"), 3)
    check_number(own_width, width + 1)
    check_number(own_height, height + 1)
    if check_number(stride, 4 * (width + 1)) < 4 * own_width:
        raise ProtocolError("rows that overlap")
    return (own_width, own_height, stride), read(stride * own_height)


def _check_box(value: object) -> Box:
    sides = check_list(value, 4)
    if not all(isinstance(side, (int, float)) and math.isfinite(side) for side in sides):
        raise ProtocolError("a box that is none")
    left, top, right, bottom = sides
    return float(left), float(top), float(right), float(bottom)
