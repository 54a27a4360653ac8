"""Reads documents in a child process, so that no file can end, fill or freeze the program.

`DocumentReader.read` sends the bytes of one file to a child (`reader_child`) and puts the documents
together from what comes back (`reader_protocol`). The child has a memory limit and no network, and
reads no files (`reader_sandbox` says what holds on which system). It is ended when it exceeds its
memory, makes no progress, or the work is cancelled; its death is a refusal of that file. One child
reads many files: it is started at the first file, again after a death and after some files.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..child_processes import track_child
from ..crash_log import keep_child_crash
from ..errors import Cancelled, EnvironmentProblem, UserError
from ..exit_status import describe_signal, find_signal
from ..log_files import list_frames, plain
from ..messages import Message
from ..model import ReadDocument
from ..progress import CancelToken
from .reader_protocol import (
    DocumentAssembler,
    ProtocolError,
    check_page,
    decode_error,
    parse_frame,
    read_frame,
    write_frame,
)
from .reader_sandbox import MEMORY_EXIT

log = logging.getLogger(__name__)

CHILD_ARGUMENT = "--document-reader"  # of a packaged program, which has no interpreter to start
_FRAMES_AHEAD = 8  # that wait in the program; the child waits while there are more
_END_S = 5.0
_LOOK_S = 0.05  # between two looks at the memory of a child that is silent
_FULL = 0.5  # of its memory: a child that crashes above it is taken to have needed more
_CRASH_RECORD_BYTES = 4_000
# Nothing else of the environment is of use to the child: it may hold keys of other programs.
_VARIABLES = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LANG", "HOME")
_VARIABLE_STARTS = ("LC_", "PYTHON", "LD_", "DYLD_")


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """Limits of reading one file, and of one child process.

    Attributes:
        memory_bytes: memory of the child.
        silence_s: time without progress: a page, a chapter or a piece of the result.
        total_s: time for one file.
        start_s: time to start the child.
        files, bytes: what one child reads before another takes its place.
        idle_s: time without a file after which the child ends.
    """

    memory_bytes: int = 1_500_000_000
    silence_s: float = 60.0
    total_s: float = 900.0
    start_s: float = 60.0
    files: int = 1_000
    bytes: int = 256 * 1024 * 1024
    idle_s: float = 60.0


class ReaderBug(Exception):
    """A reader raised an unexpected exception in the child: its traceback."""


class _ChildDied(Exception):
    """The child ended; `code` as `subprocess` reports it, `peak_bytes` is 0 where unknown."""

    def __init__(self, code: int, peak_bytes: int) -> None:
        super().__init__(code)
        self.code, self.peak_bytes = code, peak_bytes


class DocumentReader:
    """Reads files in a child process, one at a time; safe from several threads."""

    def __init__(self, limits: ReaderLimits | None = None) -> None:
        self.limits = limits or ReaderLimits()
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._is_closing = False

    def read(
        self,
        content: bytes,
        file_name: str,
        *,
        password: str | None = None,
        cancel: CancelToken | None = None,
        on_page: Callable[[int, int], None] | None = None,
    ) -> list[ReadDocument]:
        """Return the documents in a file's content, as `reading.read_bytes` does.

        Raises:
            UserError: it can't be read: the reader's reason, or what ended the reader.
            PasswordNeeded: it is an encrypted PDF; `wrong` if a password was given.
            EnvironmentProblem: no child process can be started.
            Cancelled: the token was set, or the reader closed; the child is ended.
        """
        token = cancel or CancelToken()
        with self._lock:
            for is_last in (False, True):
                token.check()
                child = self._ensure_child()
                if self._is_closing:
                    raise Cancelled
                request = _Request(content, file_name, password, on_page)
                try:
                    with child.ended_by(token):
                        return request.run(child)
                except (UserError, ReaderBug):
                    raise  # the child has answered, and waits for the next file
                except _ChildDied as death:
                    self._close_child()
                    if token.cancelled or self._is_closing:
                        raise Cancelled from None
                    if request.has_begun:
                        raise self._refusal(request, death) from death
                    # It ended while it waited: it was idle, or killed from outside.
                    if is_last:
                        raise _cannot_start(_describe_exit(death.code)) from death
                except BaseException:
                    self._close_child()
                    raise
        raise AssertionError

    @property
    def child_pid(self) -> int | None:
        """The process id of the child, None if none was started."""
        return self._child.pid if self._child is not None else None

    def close(self) -> None:
        """End the child; the next file starts another. A file that is being read is cancelled."""
        self._is_closing = True
        if (child := self._child) is not None:
            child.kill()
        with self._lock:
            self._close_child()
            self._is_closing = False

    def _close_child(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    def _ensure_child(self) -> _Child:
        """Return a child that can read one more file."""
        if self._child is not None and self._child.is_used_up():
            self._close_child()
        if self._child is None:
            self._child = _Child(self.limits)
        return self._child

    def _refusal(self, request: _Request, death: _ChildDied) -> UserError:
        """Return the refusal of the file whose reader ended."""
        if request.silent_for_s and request.page:
            return request.refuse(
                Message("its reader stopped answering on page {page}.", page=request.page)
            )
        if request.silent_for_s:
            return request.refuse(
                Message(
                    "its reader did not answer for {seconds:g} seconds.",
                    seconds=request.silent_for_s,
                )
            )
        if request.is_late:
            return request.refuse(Message("reading it takes too long."))
        limit_bytes = self.limits.memory_bytes
        # Native code that gets no memory crashes in ways that differ from library to library.
        if death.code == MEMORY_EXIT or death.peak_bytes > _FULL * limit_bytes:
            return request.refuse(
                Message("it needs more than {limit:g} GB of memory.", limit=limit_bytes / 1e9)
            )
        if name := find_signal(death.code):
            log.warning("the document reader was ended by %s", plain(describe_signal(name)))
            reason = Message("its reader crashed ({signal}).", signal=name)
        else:
            reason = Message("its reader ended unexpectedly.")
        return request.refuse(reason)


@cache
def shared_reader() -> DocumentReader:
    """Return the reader of this process; it is closed when the process ends."""
    reader = DocumentReader()
    atexit.register(reader.close)
    return reader


class _Request:
    """One file: sends it, and takes the frames that answer it.

    Attributes:
        has_begun: the child has started with this file, so that its death is the file's fault.
        page: the page that is being read, 0 if unknown.
        silent_for_s: the limit that the child exceeded without progress, 0 if it did not.
        is_late: the child exceeded the time for one file.
    """

    def __init__(
        self,
        content: bytes,
        file_name: str,
        password: str | None,
        on_page: Callable[[int, int], None] | None,
    ) -> None:
        self._content, self._file_name, self._password = content, file_name, password
        self._on_page = on_page
        self.has_begun = self.is_late = False
        self.page = 0
        self.silent_for_s = 0.0

    def run(self, child: _Child) -> list[ReadDocument]:
        """Return the documents.

        Raises:
            UserError: the file can't be read.
            ReaderBug: a reader has a bug.
            _ChildDied: the child ended, or was ended for its silence.
        """
        limits = child.limits
        child.send(
            {
                "name": self._file_name,
                "password": self._password or "",
                "size": len(self._content),
                "processor_s": limits.total_s + limits.silence_s,
            },
            self._content,
        )
        assembler = DocumentAssembler()
        deadline = time.monotonic() + limits.total_s
        while True:
            left_s = deadline - time.monotonic()
            frame = child.receive(min(limits.silence_s, left_s)) if left_s > 0 else b""
            if not frame:
                self.is_late = left_s < limits.silence_s
                self.silent_for_s = 0.0 if self.is_late else limits.silence_s
                raise child.end()
            try:
                for item in parse_frame(frame):
                    if self._take(item, assembler):
                        return assembler.finish()
            except ProtocolError as error:
                log.warning("the document reader sent %s", error)
                raise child.end() from error

    def _take(self, item: dict[str, Any], assembler: DocumentAssembler) -> bool:
        """Take one item of the answer; return whether it was the last."""
        if "page" in item:
            done, total = check_page(item["page"])
            self.page = min(done + 1, total)
            if self._on_page is not None:
                self._on_page(done, total)
        elif "begun" in item:
            self.has_begun = True
        elif "refused" in item:
            raise decode_error(item)
        elif "memory" in item:
            raise _ChildDied(MEMORY_EXIT, 0)
        elif "bug" in item:
            bug = str(item["bug"])[:10_000]
            log.error("the document reader has a bug:\n%s", plain(list_frames(bug)))
            raise ReaderBug(bug)
        elif "end" in item:
            return True
        elif "alive" not in item:
            assembler.add(item)
        return False

    def refuse(self, reason: Message) -> UserError:
        return UserError(
            "“{name}” can't be read: {reason}",
            "Convert it to another format, or split it.",
            name=Path(self._file_name).name,
            reason=reason,
        )


class _Child:
    """A running child process with the threads that send files to it and take its frames."""

    def __init__(self, limits: ReaderLimits) -> None:
        self.limits = limits
        self._n_files = self._n_bytes = self._peak_bytes = 0
        self._frames: queue.Queue[bytes | None] = queue.Queue(_FRAMES_AHEAD)
        self._state = threading.Lock()
        self._death: _ChildDied | None = None
        try:
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the child)
            self._process = start_child(self._errors)
        except OSError as error:
            raise _cannot_start(str(error.strerror or error)) from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._requests, self._answers = self._process.stdin, self._process.stdout
        self._receiver = threading.Thread(target=self._take_frames, daemon=True)
        self._receiver.start()
        self._sender: threading.Thread | None = None
        settings = {"memory_bytes": limits.memory_bytes, "idle_s": limits.idle_s}
        try:
            write_frame(self._requests, [settings])
            ready = self.receive(limits.start_s)
            if not ready:
                raise self.end()
            parts = ready.decode("utf-8", "replace")[:200]  # before it reads a file
            log.info("document reader started: %s", plain(parts))
        except (_ChildDied, OSError) as error:
            death = self.end()
            reason = self._read_errors().strip().rpartition("\n")[2]
            self.close()
            raise _cannot_start(reason or _describe_exit(death.code)) from error
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_used_up(self) -> bool:
        """Return whether another child should read the next file."""
        return self._n_files >= self.limits.files or self._n_bytes >= self.limits.bytes

    def send(self, request: dict[str, Any], content: bytes) -> None:
        """Send a file in a thread of its own, because a child that hangs takes nothing."""
        self._n_files += 1
        self._n_bytes += len(content)

        def write() -> None:
            with contextlib.suppress(OSError, ValueError):  # the death is noticed while receiving
                write_frame(self._requests, [request])
                self._requests.write(content)
                self._requests.flush()

        if self._sender is not None:
            self._sender.join()
        self._sender = threading.Thread(target=write, daemon=True)
        self._sender.start()

    def receive(self, timeout_s: float) -> bytes:
        """Return the next frame, b"" if none came in time.

        Raises:
            _ChildDied: the process ended.
        """
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                frame = self._frames.get(timeout=_LOOK_S)
                break
            except queue.Empty:
                self._note_memory()
                if time.monotonic() > deadline:
                    return b""
        if frame is None:
            self._frames.put(None)
            raise self.end()
        return frame

    @contextmanager
    def ended_by(self, token: CancelToken) -> Iterator[None]:
        """End the process if the token is set in this context."""
        with token.notifying(self.kill):
            token.check()
            yield

    def end(self) -> _ChildDied:
        """Kill the process if it still runs; return how it ended."""
        self.kill()
        with self._state:
            if self._death is None:
                self._death = _ChildDied(self._process.wait(), self._peak_bytes)
                errors = self._read_errors()
                if list_frames(errors):
                    reason = _describe_exit(self._death.code)
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

    def _note_memory(self) -> None:
        """Record how much memory the process has; the system forgets it when the process ends."""
        if not sys.platform.startswith("linux"):
            return
        with contextlib.suppress(OSError, ValueError, IndexError):
            status = Path(f"/proc/{self._process.pid}/status").read_text("utf-8")
            peak_bytes = int(status.partition("VmHWM:")[2].split()[0]) * 1024
            self._peak_bytes = max(self._peak_bytes, peak_bytes)

    def _read_errors(self) -> str:
        self._errors.seek(0)
        return self._errors.read(_CRASH_RECORD_BYTES).decode("utf-8", "replace")

    def _take_frames(self) -> None:
        try:
            while (frame := read_frame(self._answers)) is not None:
                self._frames.put(frame)
        except (ProtocolError, OSError, ValueError) as error:
            log.warning("the document reader can't be heard: %s", error)
        self._frames.put(None)


def start_child(errors: Any) -> subprocess.Popen[bytes]:
    """Start the program that reads documents; `errors` is the file for its crash record."""
    # `-m` looks into the working directory first: the child runs the parent's own source.
    root = Path(__file__).resolve().parents[3]
    command = [sys.executable, "-m", "desktop_app.engine.text.reader_child"]
    if getattr(sys, "frozen", False):
        command = [sys.executable, CHILD_ARGUMENT]
    environment = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _VARIABLES or name.startswith(_VARIABLE_STARTS)
    }
    # One thread and few heaps: both would count as memory of the child.
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
    child = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=environment,
        cwd=root,
        start_new_session=True,  # Ctrl+C in a terminal ends the program, which ends the child
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    track_child(child)
    return child


def _cannot_start(reason: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        "The process that reads documents can't be started: {reason}.",
        "Close other programs, then retry.",
        reason=reason.rstrip("."),
    )


def _describe_exit(code: int) -> str:
    name = find_signal(code)
    return describe_signal(name) if name else f"exit code {code}"
