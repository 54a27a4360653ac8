"""Tests that commands that draw no picture run where PySide6 cannot be imported."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from desktop_app.cli import run_command
from desktop_app.cli.export import FORMATS
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.library import Library
from tests.unit.services.test_indexing import STORY

# All commands in one process, because starting it takes longer than they do.
WITHOUT_QT = """
import contextlib, io, json, sys
sys.modules["PySide6"] = None  # an import of it raises ImportError
from desktop_app.cli import run_command
done, errors = [], io.StringIO()  # the log keeps the stream of the first command
for words in json.loads(sys.argv[1]):
    out, before = io.StringIO(), len(errors.getvalue())
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = run_command(words)
    done.append((code, out.getvalue(), errors.getvalue()[before:]))
print(json.dumps(done))
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("without_qt")
    text = folder / "clock.txt"
    text.write_text(STORY, "utf-8")
    path = folder / "cli.inkgraph"
    assert run_command(["add", "--library", str(path), "--no-embed", str(text)]) == 0
    opened = Library(path)
    AnnotationService(opened.reader(), opened.writer).bookmark(1, 0, 5, "A clock.")
    opened.close()
    return path


def run_without_qt(*commands: Sequence[str]) -> list[tuple[int, str, str]]:
    """Run commands; return exit code, output and errors of each."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_QT, json.dumps(commands)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [tuple(one) for one in json.loads(done.stdout)]


def test_every_export_needs_no_qt(library: Path, tmp_path: Path):
    base = ("export", "--library", str(library), "--format")
    commands = [(*base, kind, "--out", str(tmp_path / kind / f"graph.{kind}")) for kind in FORMATS]
    around = tmp_path / "around.gexf"
    name = ("--entity", "Clara Wren", "--layout", "radial")
    done = run_without_qt(*commands, (*base, "gexf", "--out", str(around), *name))
    assert [errors[-2000:] for code, _, errors in done if code] == []
    assert [kind for kind in FORMATS if not any((tmp_path / kind).iterdir())] == []
    assert "Clara Wren" in around.read_text("utf-8")


def test_only_a_picture_of_the_graph_imports_qt(library: Path, tmp_path: Path):
    graph = ("graph", "--library", str(library))
    printed, drawn = run_without_qt(
        (*graph, "--limit", "10"), (*graph, "--image", str(tmp_path / "graph.svg"))
    )
    assert printed[0] == 0, printed[2][-2000:]
    assert "Clara Wren" in printed[1]
    assert drawn[0] == 3 and "PySide6" in drawn[2]
