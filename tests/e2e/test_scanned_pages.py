"""A scan is added, searched, corrected and undone with the command line, with the real networks."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_app.cli import run_command
from tests.scanned import CHINESE, CHINESE_LINES, ENGLISH_LINES, draw_page, make_scan, save

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    library = str(tmp_path / "scans.inkgraph")

    def run(*arguments: str) -> tuple[int, str]:
        code = run_command([arguments[0], "--library", library, *arguments[1:]])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return run


def test_scans_are_added_searched_corrected_and_undone(run: Run, tmp_path: Path):
    scan, letter = tmp_path / "The Ferry.pdf", tmp_path / "书信.png"
    scan.write_bytes(make_scan([draw_page(["Port Ellis"]), draw_page(ENGLISH_LINES)]))
    letter.write_bytes(save(draw_page(CHINESE_LINES, CHINESE)))
    code, printed = run("add", "--no-embed", "--no-ocr", str(scan), str(letter))
    assert code == 0 and "2 added" in printed
    code, printed = run("ocr")
    assert code == 0 and "The Ferry: 0 of 2 pages read, 2 wait" in printed
    code, printed = run("ocr", "run", "--no-embed")
    assert code == 0 and "The Ferry: 2 of 2 pages read" in printed
    assert "书信: 1 of 1 page read" in printed
    code, printed = run("search", "the watch of Captain Hale")
    assert code == 0 and "She carries the watch of Captain Hale." in printed
    code, printed = run("search", "陆青山")
    assert code == 0 and "陆青山是我的同窗" in printed
    code, printed = run("ocr", "lines", "The Ferry", "--page", "2")
    assert ENGLISH_LINES[2] in printed
    code, _ = run(
        *("ocr", "correct", "The Ferry", "--page", "2", "--line", "3", "--no-embed"),
        *("--text", "She carries the lantern of Captain Hale."),
    )
    assert code == 0
    assert "lantern of Captain Hale" in run("search", "lantern")[1]
    code, printed = run("undo")
    assert code == 0 and "Correct a line of page 2" in printed
    run("versions", "read", "--no-embed")
    assert "lantern" not in run("search", "the watch of Captain Hale")[1]


def test_a_wrong_command_is_explained(run: Run, tmp_path: Path):
    (tmp_path / "a.txt").write_text("A story.", "utf-8")
    run("add", "--no-embed", str(tmp_path / "a.txt"))
    assert run("ocr")[1].strip() == "No document has pages that are pictures."
    code, printed = run("ocr", "correct", "a")
    assert code == 1 and "Which line" in printed
    code, printed = run("ocr", "lines", "a")
    assert code == 1 and "not read as a picture" in printed
    code, printed = run("ocr", "again")
    assert code == 1 and "Which document?" in printed


def test_a_scan_that_is_added_in_the_window_is_read_in_the_background(
    qtbot: Any, workspace: Any, tmp_path: Path
):
    scan = tmp_path / "The Ferry.pdf"
    scan.write_bytes(make_scan([draw_page(ENGLISH_LINES)]))
    workspace.library_controller.add([str(scan)])
    writer = workspace.session.library.writer
    qtbot.waitUntil(
        lambda: "She carries the watch" in (writer.value("SELECT text FROM document_text") or ""),
        timeout=120_000,
    )
    assert writer.value("SELECT state FROM scanned_page") == "read"


@pytest.mark.slow  # loads the networks once more; `test_closing` closes during other work
def test_the_window_closes_while_a_page_is_read(qtbot: Any, workspace: Any, tmp_path: Path):
    scan = tmp_path / "The Ferry.pdf"
    scan.write_bytes(make_scan([draw_page(ENGLISH_LINES)] * 20))
    workspace.library_controller.add([str(scan)])
    writer = workspace.session.library.writer
    qtbot.waitUntil(
        lambda: bool(writer.value("SELECT sum(state = 'read') FROM scanned_page")), timeout=120_000
    )
    began = time.monotonic()
    assert workspace.session.close()
    assert time.monotonic() - began < 2.5
