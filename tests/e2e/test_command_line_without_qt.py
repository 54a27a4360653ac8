"""Tests that commands that draw no picture run where PySide6 cannot be imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

from desktop_app.cli import run_command
from desktop_app.cli.export import FORMATS
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.library import Library
from tests.unit.services.test_indexing import STORY

WITHOUT_QT = """
import sys
sys.modules["PySide6"] = None  # an import of it raises ImportError
from desktop_app.cli import run_command
sys.exit(run_command(sys.argv[1:]))
"""


@pytest.fixture
def library(tmp_path):
    text = tmp_path / "clock.txt"
    text.write_text(STORY, "utf-8")
    path = tmp_path / "cli.inkgraph"
    assert run_command(["add", "--library", str(path), "--no-embed", str(text)]) == 0
    opened = Library(path)
    AnnotationService(opened.reader(), opened.writer).bookmark(1, 0, 5, "A clock.")
    opened.close()
    return path


def run_without_qt(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_QT, *arguments], capture_output=True, text=True
    )


@pytest.mark.parametrize("format_", FORMATS)
def test_export_needs_no_qt(library, tmp_path, format_):
    folder = tmp_path / "out"
    out = folder / f"graph.{format_}"
    done = run_without_qt(
        "export", "--library", str(library), "--format", format_, "--out", str(out)
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert any(folder.iterdir())


def test_an_export_around_one_name_with_another_layout_needs_no_qt(library, tmp_path):
    out = tmp_path / "graph.gexf"
    done = run_without_qt(
        *("export", "--library", str(library), "--format", "gexf", "--out", str(out)),
        *("--entity", "Clara Wren", "--layout", "radial"),
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Clara Wren" in out.read_text("utf-8")


def test_printing_the_graph_needs_no_qt(library):
    done = run_without_qt("graph", "--library", str(library), "--limit", "10")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Clara Wren" in done.stdout


def test_only_a_picture_imports_qt(library, tmp_path):
    out = tmp_path / "graph.svg"
    done = run_without_qt("graph", "--library", str(library), "--image", str(out))
    assert done.returncode == 3
    assert "PySide6" in done.stderr
