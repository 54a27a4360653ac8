"""Draws the covers of documents in a child process (`cover_child`), one at a time.

The child has the limits of all that parses foreign bytes. What comes back is a size within the box
that was asked for and so many bytes of pixels; a file that ends the child has no cover.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass

from desktop_app.engine.child_protocol import ProtocolError, check_list, check_number, parse_frame
from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.file_content import FileContent
from desktop_app.engine.model import DRAWN_FORMATS
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.covers import BOX, PAGE_BOX, Cover
from desktop_app.engine.text.parser_process import (
    MEMORY_BYTES,
    START_S,
    ChildDied,
    ParserBug,
    ParserProcess,
    raise_failure,
)

log = logging.getLogger(__name__)

CHILD_MODULE = "desktop_app.workers.cover_child"
CHILD_ARGUMENT = "--cover-reader"


@dataclass(frozen=True, slots=True)
class CoverLimits:
    """Limits of one cover and of the child process, as `ReaderLimits`."""

    memory_bytes: int = MEMORY_BYTES
    silence_s: float = 30.0
    start_s: float = START_S
    idle_s: float = 60.0


class CoverReader:
    """Reads covers in a child process; used in one thread, closed from any."""

    def __init__(self, limits: CoverLimits | None = None) -> None:
        self._limits = limits or CoverLimits()
        self._lock = threading.Lock()  # held while the child is used
        self._child: ParserProcess | None = None
        self._is_closed = False

    @property
    def child_pid(self) -> int | None:
        """The process id of the child, None if none was started."""
        return self._child.pid if self._child is not None else None

    def read(self, content: FileContent, kind: str, cancel: CancelToken) -> Cover | None:
        """Return the cover of a document, None if it has none that can be drawn.

        Raises:
            EnvironmentProblem: no child process can be started.
            Cancelled: the token was set, the reader closed, or the content is gone.
        """
        with self._lock:
            for is_last in (False, True):
                cancel.check()
                child = self._ensure_child()
                exchange = _Exchange(child, self._limits.silence_s)
                try:
                    with child.ended_by(cancel):
                        return exchange.run(content, kind)
                except UserError:  # it is damaged or encrypted
                    return None
                except ParserBug as bug:
                    log.error("a cover can't be drawn:\n%s", bug)
                    return None
                except ChildDied as death:
                    self._drop_child()
                    if cancel.cancelled or self._is_closed:
                        raise Cancelled from None
                    if exchange.has_begun or is_last:
                        log.warning("drawing a cover ended its process with code %d", death.code)
                        return None
                    # It ended while it waited: it was idle.
                except BaseException:
                    self._drop_child()
                    raise
        raise AssertionError

    def close(self) -> None:
        """End the child; a later `read` starts another."""
        if (child := self._child) is not None:
            self._is_closed = True
            child.kill()
        with self._lock:
            self._drop_child()
            self._is_closed = False

    def _ensure_child(self) -> ParserProcess:
        if self._child is None:
            limits = self._limits
            self._child = ParserProcess(
                CHILD_MODULE,
                CHILD_ARGUMENT,
                memory_bytes=limits.memory_bytes,
                start_s=limits.start_s,
                settings={"idle_s": limits.idle_s},
            )
        return self._child

    def _drop_child(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.close()


class _Exchange:
    """One request and the frames that answer it.

    Attributes:
        has_begun: the child has started with the file, so that its death is the file's fault.
    """

    def __init__(self, child: ParserProcess, silence_s: float) -> None:
        self._child, self._silence_s = child, silence_s
        self._box = BOX
        self.has_begun = False

    def run(self, content: FileContent, kind: str) -> Cover | None:
        """Return the cover.

        Raises:
            UserError: the child refuses the file.
            ParserBug: there is a bug in the child.
            ChildDied: the child ended, or was ended for its silence or for nonsense.
        """
        width, height = self._box = PAGE_BOX if kind in DRAWN_FORMATS else BOX
        request = {
            "kind": kind,
            "size": content.size,
            "width": width,
            "height": height,
            "processor_s": self._silence_s,
        }
        self._child.send(request, content)
        try:
            while True:
                for item in parse_frame(self._receive()):
                    raise_failure(item)
                    if "none" in item:
                        return None
                    if "cover" in item:
                        return self._take(item["cover"])
                    self.has_begun = True
        except ProtocolError as error:
            log.warning("the process that draws covers sent %s", error)
            raise self._child.end() from error

    def _take(self, size: object) -> Cover:
        """Return the cover of this size; its pixels come in raw frames."""
        width, height = check_list(size, 2)
        n_bytes = 3 * check_number(width, self._box[0]) * check_number(height, self._box[1])
        if not n_bytes:
            raise ProtocolError("a cover without pixels")
        pixels = bytearray()
        while len(pixels) < n_bytes:
            piece = self._receive()
            if not piece or len(pixels) + len(piece) > n_bytes:
                raise ProtocolError("more pixels than it announced")
            pixels += piece
        return Cover(width, height, bytes(pixels))

    def _receive(self) -> bytes:
        frame = self._child.receive(self._silence_s)
        if not frame:
            log.warning("no cover after %.0f s", self._silence_s)
            raise self._child.end()
        return frame
