"""Reads files of other programs with the code of the child process, but in this process.

Both sides of the protocol run; only the start of a process, its limits and its sandbox are left
out. They take a second for each file, so tests of what comes of a file do without them.
"""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Iterator
from contextlib import chdir, contextmanager, suppress
from typing import Any

import pytest

from desktop_app.engine.child_protocol import parse_frame, read_frame, write_frame
from desktop_app.engine.file_content import FileContent
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.bibliography import reader as bibliography_reader
from desktop_app.engine.services.bibliography import reader_child as bibliography_child
from desktop_app.engine.services.importing import reader as graph_reader
from desktop_app.engine.services.importing import reader_child as graph_child
from desktop_app.engine.text import parser_child


class ReaderHere:
    """Stands for the `ParserProcess` of one file; its requests are answered in a thread."""

    def __init__(self, module: str, _argument: str, **_limits: Any) -> None:
        self._answer = importlib.import_module(module).answer
        requests, answers = os.pipe(), os.pipe()
        self._to_child, self._from_child = os.fdopen(requests[1], "wb"), os.fdopen(answers[0], "rb")
        pipes = os.fdopen(requests[0], "rb"), os.fdopen(answers[1], "wb")
        self._thread = threading.Thread(target=self._serve, args=pipes)
        self._thread.start()

    def _serve(self, requests: Any, answers: Any) -> None:
        with suppress(BrokenPipeError), requests, answers:  # what failed reads no further
            while (frame := read_frame(requests)) is not None:
                [request] = parse_frame(frame)
                with chdir("."):  # restores the folder, which the child changes
                    parser_child._answer(self._answer, requests, answers, request)

    def send(self, request: dict[str, Any], content: FileContent | None = None) -> None:
        write_frame(self._to_child, [request])
        for piece in content.iter_pieces() if content is not None else ():
            self._to_child.write(piece)
        self._to_child.flush()

    def receive(self, _timeout_s: float) -> bytes:
        frame = read_frame(self._from_child)
        assert frame is not None, "it ended without an answer"
        return frame

    @contextmanager
    def ended_by(self, token: CancelToken) -> Iterator[None]:
        token.check()
        yield

    def end(self) -> Exception:
        return AssertionError("the protocol was broken")

    def close(self) -> None:
        self._from_child.close()
        self._to_child.close()
        self._thread.join()


def read_graphs_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let imports read and plan in this process until the test ends."""
    monkeypatch.setattr(graph_reader, "ParserProcess", ReaderHere)
    # It would limit this process.
    monkeypatch.setattr(graph_child, "limit_processor_time", lambda seconds: None)


def read_bibliographies_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let works of other programs be read in this process until the test ends."""
    monkeypatch.setattr(bibliography_reader, "ParserProcess", ReaderHere)
    monkeypatch.setattr(bibliography_child, "limit_processor_time", lambda seconds: None)
