"""Which windows have a library open: marks that end with their process, and requests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.engine import paths
from desktop_app.engine.services.open_windows import (
    WindowMark,
    find_windows,
    is_request_taken,
    request_front,
    withdraw_request,
)

WINDOW = """
import json, sys
from pathlib import Path
from desktop_app.engine.services.open_windows import WindowMark
mark = WindowMark(Path(sys.argv[1]))
print("open", flush=True)
for line in sys.stdin:
    print(json.dumps(mark.take_request()) if line.strip() == "take" else mark.release(), flush=True)
"""


class OtherWindow:
    """A process with a mark; `ask` sends it a line and returns its answer."""

    def __init__(self, library: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WINDOW, str(library)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None and self.process.stdout.readline() == "open\n"

    def ask(self, line: str) -> str:
        assert self.process.stdin is not None and self.process.stdout is not None
        print(line, file=self.process.stdin, flush=True)
        return self.process.stdout.readline().strip()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    return tmp_path / "novels.inkgraph"


@pytest.fixture
def other(library: Path) -> Iterator[OtherWindow]:
    made = OtherWindow(library)
    yield made
    made.kill()


def test_a_window_of_another_process_is_found_until_it_is_closed(library, other, tmp_path):
    assert len(find_windows(library)) == 1
    assert find_windows(tmp_path / "other.inkgraph") == []
    (tmp_path / "link.inkgraph").symlink_to(library)
    assert len(find_windows(tmp_path / "link.inkgraph")) == 1
    other.ask("close")
    assert find_windows(library) == []


def test_a_window_that_ended_without_closing_locks_nothing(library, other):
    [mark] = find_windows(library)
    request_front(mark)
    other.kill()
    assert find_windows(library) == []
    assert list(paths.open_windows_dir().iterdir()) == []


def test_windows_of_this_process_are_not_others(library):
    first, second = WindowMark(library), WindowMark(library)
    assert first.file != second.file and find_windows(library) == []
    for mark in (first, second):
        mark.release()
        assert not mark.file.exists()


def test_a_request_reaches_the_window_with_its_files(library, other):
    [mark] = find_windows(library)
    assert is_request_taken(mark)
    request_front(mark, ["/books/雪.txt"])
    assert not is_request_taken(mark)
    assert other.ask("take") == '["/books/\\u96ea.txt"]'
    assert is_request_taken(mark)
    assert other.ask("take") == "null"
    request_front(mark)
    withdraw_request(mark)
    assert other.ask("take") == "null"


def test_a_request_that_is_no_request_adds_nothing(library):
    mark = WindowMark(library)
    request = mark.file.with_suffix(".request")
    for text, taken in (("[1", None), ("[]", []), ('{"files": "a"}', [])):
        request.write_text(text, "utf-8")
        assert mark.take_request() == taken
    mark.release()
