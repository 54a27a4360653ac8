"""A child process that parses foreign bytes: start, frames to and from it, memory, death.

Used by all that parse what the person got from somewhere: documents (`reader_process`), pages
(`page_renderer`) and graphs of other programs (`engine/services/importing/reader.py`). What is
asked and answered is theirs; the child's side is `parser_child`.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..child_process import describe_exit, find_peak_bytes, start_child
from ..child_protocol import ProtocolError, decode_error, read_frame, write_frame
from ..child_sandbox import MEMORY_EXIT
from ..crash_log import keep_child_crash
from ..errors import Cancelled, EnvironmentProblem
from ..exit_status import describe_signal, find_signal
from ..file_content import FileContent
from ..log_files import list_frames, plain
from ..messages import Message
from ..progress import CancelToken

log = logging.getLogger(__name__)

MEMORY_BYTES = 1_500_000_000
START_S = 60.0
_FRAMES_AHEAD = 8  # that wait in the program; the child waits while there are more
_END_S = 5.0
_LOOK_S = 0.05  # between two looks at the memory of a child that is silent
FULL_SHARE = 0.5  # of its memory: a child that crashes above it is taken to have needed more
_CRASH_RECORD_BYTES = 4_000
_MAX_TRACEBACK = 10_000  # characters
_PIPE_BYTES = 1024 * 1024
# One thread and few heaps: both would count as memory of the child.
_VARIABLES = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}


class ParserBug(Exception):
    """A parser raised an unexpected exception in the child; `child_traceback` is what it sent."""

    def __init__(self, child_traceback: str) -> None:
        super().__init__(child_traceback)
        self.child_traceback = child_traceback


class ChildDied(Exception):
    """The child ended; `code` as `subprocess` reports it, `peak_bytes` is 0 where unknown."""

    def __init__(self, code: int, peak_bytes: int) -> None:
        super().__init__(code)
        self.code, self.peak_bytes = code, peak_bytes

    def explain(self, memory_bytes: int) -> Message:
        """Return why the child ended, as the end of a sentence.

        Args:
            memory_bytes: the memory that it was allowed.
        """
        # Native code that gets no memory crashes in ways that differ from library to library.
        if self.code == MEMORY_EXIT or self.peak_bytes > FULL_SHARE * memory_bytes:
            return Message("it needs more than {limit:g} GB of memory.", limit=memory_bytes / 1e9)
        if name := find_signal(self.code):
            log.warning("a parser was ended by %s", plain(describe_signal(name)))
            return Message("its reader crashed ({signal}).", signal=name)
        return Message("its reader ended unexpectedly.")


def raise_failure(item: dict[str, Any]) -> None:
    """Raise the failure that an item of a child reports; return if it reports none.

    Raises:
        AppError: the child refuses the request.
        ChildDied: it has no memory left, and ends.
        ParserBug: a parser has a bug.
        ProtocolError: it is a refusal that no child sends.
    """
    if "refused" in item:
        raise decode_error(item)
    if "memory" in item:
        raise ChildDied(MEMORY_EXIT, 0)
    if "bug" in item:
        raise ParserBug(str(item["bug"])[:_MAX_TRACEBACK])


class ParserProcess:
    """A running child with the threads that send to it and take its frames.

    Args:
        module: the child's module; `argument` starts the same in a packaged program.
        settings: sent with the memory limit before any request, see `parser_child`.

    Raises:
        EnvironmentProblem: it can't be started.
    """

    def __init__(
        self,
        module: str,
        argument: str,
        *,
        memory_bytes: int = MEMORY_BYTES,
        start_s: float = START_S,
        settings: Mapping[str, Any],
    ) -> None:
        self._peak_bytes = 0
        self._frames: queue.Queue[bytes | None] = queue.Queue(_FRAMES_AHEAD)
        self._state = threading.Lock()
        self._death: ChildDied | None = None
        self._content_error: Exception | None = None
        try:
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the child)
            self._process = start_child(module, argument, self._errors, _VARIABLES)
        except OSError as error:
            raise cannot_start(str(error.strerror or error)) from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._requests, self._answers = self._process.stdin, self._process.stdout
        for stream in (self._requests, self._answers):
            _enlarge_pipe(stream.fileno())
        self._receiver = threading.Thread(target=self._take_frames, daemon=True)
        self._receiver.start()
        self._sender: threading.Thread | None = None
        try:
            write_frame(self._requests, [{"memory_bytes": memory_bytes, **settings}])
            ready = self.receive(start_s)
            if not ready:
                raise self.end()
            parts = ready.decode("utf-8", "replace")[:200]  # before it reads a file
            log.info("%s started: %s", plain(module), plain(parts))
        except (ChildDied, OSError) as error:
            death = self.end()
            if find_signal(death.code) == "SIGINT":  # Ctrl+C came before it had its own session
                self.close()
                raise Cancelled from error
            reason = self._read_errors().strip().rpartition("\n")[2]
            self.close()
            raise cannot_start(reason or describe_exit(death.code)) from error
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def send(self, request: dict[str, Any], content: FileContent | None = None) -> None:
        """Send a request in a thread of its own, because a child that hangs takes nothing.

        If the content can't be read, the process ends, and `receive` raises the reason.
        """

        def write() -> None:
            try:
                write_frame(self._requests, [request])
                for piece in content.iter_pieces() if content is not None else ():
                    self._requests.write(piece)
                self._requests.flush()
            except (OSError, ValueError):
                return  # the death is noticed while receiving
            except Exception as error:
                self._content_error = error
                self.kill()

        if self._sender is not None:
            self._sender.join()
        self._sender = threading.Thread(target=write, daemon=True)
        self._sender.start()

    def receive(self, timeout_s: float) -> bytes:
        """Return the next frame, b"" if none came in time.

        Raises:
            ChildDied: the process ended.
            Exception: what the content of the last request raised.
        """
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                frame = self._frames.get(timeout=_LOOK_S)
                break
            except queue.Empty:
                # The system forgets how much it was when the process ends.
                self._peak_bytes = max(self._peak_bytes, find_peak_bytes(self._process.pid))
                if time.monotonic() > deadline:
                    return b""
        if frame is None:
            self._frames.put(None)
            death = self.end()
            raise self._content_error or death
        return frame

    @contextmanager
    def ended_by(self, token: CancelToken) -> Iterator[None]:
        """End the process if the token is set in this context."""
        with token.notifying(self.kill):
            token.check()
            yield

    def end(self) -> ChildDied:
        """Kill the process if it still runs; return how it ended."""
        self.kill()
        with self._state:
            if self._death is None:
                self._death = ChildDied(self._process.wait(), self._peak_bytes)
                errors = self._read_errors()
                if list_frames(errors):
                    reason = describe_exit(self._death.code)
                    keep_child_crash("reader", self._process.pid, reason, errors)
            return self._death

    def close(self) -> None:
        """End the process and its threads."""
        self.end()
        deadline = time.monotonic() + _END_S
        while self._receiver.is_alive() and time.monotonic() < deadline:
            with contextlib.suppress(queue.Empty):  # it may wait for room
                self._frames.get(timeout=0.01)
        if self._sender is not None:
            self._sender.join(_END_S)
        for stream in (self._requests, self._answers, self._errors):
            with contextlib.suppress(OSError, ValueError):
                stream.close()

    def kill(self) -> None:
        with self._state:
            self._process.kill()

    def _read_errors(self) -> str:
        self._errors.seek(0)
        return self._errors.read(_CRASH_RECORD_BYTES).decode("utf-8", "replace")

    def _take_frames(self) -> None:
        try:
            while (frame := read_frame(self._answers)) is not None:
                self._frames.put(frame)
        except (ProtocolError, OSError, ValueError) as error:
            log.warning("a parser can't be heard: %s", error)
        self._frames.put(None)


def _enlarge_pipe(file: int) -> None:
    """Let a pipe hold 1 MB where the system can: a picture then comes in few pieces."""
    if sys.platform.startswith("linux"):
        import fcntl

        with contextlib.suppress(OSError):  # the limit of this user is used up
            fcntl.fcntl(file, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def cannot_start(reason: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        "The process that reads documents can't be started: {reason}.",
        "Close other programs, then retry.",
        reason=reason.rstrip("."),
    )
