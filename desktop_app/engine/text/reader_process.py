"""Reads documents in a child process, so that no file can end, fill or freeze the program.

`DocumentReader.read` sends the bytes of one file to a child (`reader_child`) and puts the documents
together from what comes back (`reader_protocol`). The child has a memory limit and no network, and
reads no files (`child_sandbox` says what holds on which system). It is ended when it exceeds its
memory, makes no progress, or the work is cancelled; its death is a refusal of that file. One child
reads many files: it is started at the first file, again after a death and after some files.
"""

from __future__ import annotations

import atexit
import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..child_process import describe_exit
from ..child_protocol import ProtocolError, parse_frame
from ..errors import AppError, Cancelled, UserError
from ..file_content import BytesContent, FileContent, JoinedContent
from ..messages import Message
from ..model import ReadDocument
from ..progress import CancelToken
from ..scanned_pages import ScannedTexts
from .parser_process import (
    MEMORY_BYTES,
    ChildDied,
    ParserBug,
    ParserProcess,
    cannot_start,
    raise_failure,
)
from .reader_protocol import DocumentAssembler, check_page_progress

log = logging.getLogger(__name__)

CHILD_MODULE = "desktop_app.engine.text.reader_child"
CHILD_ARGUMENT = "--document-reader"  # of a packaged program, which has no interpreter to start


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

    memory_bytes: int = MEMORY_BYTES
    silence_s: float = 60.0
    total_s: float = 900.0
    start_s: float = 60.0
    files: int = 1_000
    bytes: int = 256 * 1024 * 1024
    idle_s: float = 60.0


class DocumentReader:
    """Reads files in a child process, one at a time; safe from several threads."""

    def __init__(self, limits: ReaderLimits | None = None) -> None:
        self.limits = limits or ReaderLimits()
        self._lock = threading.Lock()
        self._child: ParserProcess | None = None
        self._n_files = self._n_bytes = 0  # read by this child
        self._is_closing = False

    def read(
        self,
        content: bytes | FileContent,
        file_name: str,
        *,
        password: str | None = None,
        cancel: CancelToken | None = None,
        on_page: Callable[[int, int], None] | None = None,
        scanned: ScannedTexts | None = None,
    ) -> list[ReadDocument]:
        """Return the documents in a file's content, as `reading.read_bytes` does.

        Raises:
            UserError: it can't be read: the reader's reason, or what ended the reader.
            PasswordNeeded: it is an encrypted PDF; `wrong` if a password was given.
            EnvironmentProblem: no child process can be started.
            Cancelled: the token was set, the reader closed, or the content is gone; the child is
                ended.
        """
        token = cancel or CancelToken()
        content = BytesContent(content) if isinstance(content, bytes) else content
        with self._lock:
            for is_last in (False, True):
                token.check()
                child = self._ensure_child()
                if self._is_closing:
                    raise Cancelled
                self._n_files += 1
                self._n_bytes += content.size
                request = _Request(
                    content, file_name, password, on_page, self.limits, scanned or {}
                )
                try:
                    with child.ended_by(token):
                        return request.run(child)
                except (AppError, ParserBug):
                    raise  # the child has answered, and waits for the next file
                except ChildDied as death:
                    self._close_child()
                    if token.cancelled or self._is_closing:
                        raise Cancelled from None
                    if request.has_begun:
                        raise self._refusal(request, death) from death
                    # It ended while it waited: it was idle, or killed from outside.
                    if is_last:
                        raise cannot_start(describe_exit(death.code)) from death
                except BaseException:
                    self._close_child()
                    raise
        raise AssertionError

    def prepare(self) -> None:
        """Start the child, so that the next file does not wait for it; not while one is read.

        Raises:
            EnvironmentProblem: no child process can be started.
        """
        if not self._lock.acquire(blocking=False):
            return
        try:
            if self._child is not None and not self._child.is_alive:
                self._close_child()
            self._ensure_child()
        finally:
            self._lock.release()

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

    def _ensure_child(self) -> ParserProcess:
        """Return a child that can read one more file."""
        limits = self.limits
        if self._n_files >= limits.files or self._n_bytes >= limits.bytes:
            self._close_child()
        if self._child is None:
            self._n_files = self._n_bytes = 0
            self._child = ParserProcess(
                CHILD_MODULE,
                CHILD_ARGUMENT,
                memory_bytes=limits.memory_bytes,
                start_s=limits.start_s,
                settings={"idle_s": limits.idle_s},
            )
        return self._child

    def _refusal(self, request: _Request, death: ChildDied) -> UserError:
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
        return request.refuse(death.explain(self.limits.memory_bytes))


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
        content: FileContent,
        file_name: str,
        password: str | None,
        on_page: Callable[[int, int], None] | None,
        limits: ReaderLimits,
        scanned: ScannedTexts,
    ) -> None:
        self._scanned = scanned
        self._content, self._file_name, self._password = content, file_name, password
        self._on_page, self._limits = on_page, limits
        self.has_begun = self.is_late = False
        self.page = 0
        self.silent_for_s = 0.0

    def run(self, child: ParserProcess) -> list[ReadDocument]:
        """Return the documents.

        Raises:
            UserError: the file can't be read.
            ParserBug: a reader has a bug.
            ChildDied: the child ended, or was ended for its silence.
        """
        limits = self._limits
        texts = [[place, sorted(rows.items())] for place, rows in sorted(self._scanned.items())]
        scanned = json.dumps(texts).encode() if texts else b""
        child.send(
            {
                "name": self._file_name,
                "password": self._password or "",
                "size": self._content.size,
                "scanned": len(scanned),
                "processor_s": limits.total_s + limits.silence_s,
            },
            JoinedContent((self._content, BytesContent(scanned))) if scanned else self._content,
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
        raise_failure(item)
        if "page" in item:
            done, total = check_page_progress(item["page"])
            self.page = min(done + 1, total)
            if self._on_page is not None:
                self._on_page(done, total)
        elif "begun" in item:
            self.has_begun = True
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
