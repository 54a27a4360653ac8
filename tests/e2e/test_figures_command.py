"""Pictures are listed, described by a real process, found and corrected with the command line.

The model has random weights: its picture passes llama.cpp's encoder, and what it writes is thrown
away as no description.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.cli import run_command
from tests.figure_files import draw_picture, make_epub
from tests.vision_files import write_projector, write_writing_chat

Run = Callable[..., tuple[int, str]]
BODY = (
    "<p>The harbour wall stood for a hundred years, as Figure 1 shows.</p>"
    '<p><img src="../images/wall.png"/></p><p>Figure 1. The harbour wall</p><p>The end.</p>'
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    library = str(tmp_path / "figures.inkgraph")
    models = tmp_path / "models"
    models.mkdir()
    monkeypatch.setenv("INKGRAPH_MODELS", str(models))
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))

    def run(*arguments: str) -> tuple[int, str]:
        code = run_command([arguments[0], "--library", library, *arguments[1:]])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    book = tmp_path / "Harbour.epub"
    book.write_bytes(make_epub(BODY, {"c.png": draw_picture(), "wall.png": draw_picture(300, 200)}))
    assert run("add", "--no-embed", str(book))[0] == 0
    return run


def test_pictures_are_listed_described_found_corrected_and_undone(run: Run, tmp_path: Path):
    code, printed = run("figures")
    assert code == 0 and "Figure 1. The harbour wall" in printed
    code, printed = run("figures", "describe", "A book")
    assert code and "no model that describes pictures" in printed
    assert "waits for its description" in run("figures")[1]
    write_writing_chat(tmp_path / "models" / "tiny-seer.gguf")
    write_projector(tmp_path / "models" / "mmproj-tiny-seer.gguf", name="tiny seer")
    code, printed = run("models", "list")
    assert "mmproj-tiny-seer  (vision" in printed
    code, printed = run("figures", "describe", "A book")
    assert code == 0 and "0 of 1 picture described" in printed
    assert "nothing about this picture that can be used" in printed
    code, printed = run("figures", "correct", "A book", "--number", "1", "--text", "Three boats")
    assert code == 0 and "Your description: Three boats" in printed
    assert "harbour wall" in run("figures", "search", "--text", "boats")[1]
    assert run("undo")[0] == 0
    assert "boats" not in run("figures")[1]
    assert run("figures", "search", "--text", "boats")[1].strip() == "No picture was found."
    code, printed = run("figures", "correct", "A book")
    assert code and "Which picture" in printed
