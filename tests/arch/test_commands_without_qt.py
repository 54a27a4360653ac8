"""Tests that the command line runs without Qt and its help loads no heavy module."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.cli import COMMANDS

STORY = (
    "Ebenezer Scrooge was the partner of Jacob Marley. Bob Cratchit worked for Scrooge. "
    "Scrooge visited Bob Cratchit on Christmas Day. Jacob Marley was dead to begin with."
)
# None in `sys.modules` makes every import of the module fail.
RUN = """
import sys
sys.modules["PySide6"] = None
from desktop_app.cli import run_command
sys.exit(run_command(sys.argv[1:]))
"""
ENTITY_ACTIONS = (
    "show",
    "rename",
    "merge",
    "never",
    "retype",
    "alias",
    "split",
    "compare",
    "delete",
)
MODEL_ACTIONS = ("list", "install", "check", "use", "remove")
HELP_COMMANDS = (
    *((command,) for command in COMMANDS),
    *(("entity", action) for action in ENTITY_ACTIONS),
    *(("models", action) for action in MODEL_ACTIONS),
)
HELP = """
import sys
sys.modules["PySide6"] = None
from desktop_app.cli import build_parser
for command in {commands!r}:
    try:
        build_parser().parse_args([*command, "--help"])
    except SystemExit as end:
        assert end.code == 0, command
heavy = {{"numpy", "scipy", "apsw", "lxml"}} & {{m for m in sys.modules if sys.modules[m]}}
sys.exit(f"--help loads {{', '.join(sorted(heavy))}}" if heavy else 0)
"""


def run_python(program: str, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "INKGRAPH_HOME": str(home), "INKGRAPH_MODELS": str(home / "none")}
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**environment, "PYTHONIOENCODING": "utf-8"},
    )


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library with one short story, created by the command `add`."""
    folder = tmp_path_factory.mktemp("without_qt")
    story = folder / "story.txt"
    story.write_text(STORY, "utf-8")
    path = folder / "story.inkgraph"
    done = run_python(
        RUN, "add", "--no-embed", "--library", str(path), str(story), home=folder / "home"
    )
    assert done.returncode == 0, done.stderr
    return path


def test_every_command_prints_its_help_without_qt_and_heavy_modules(tmp_path: Path) -> None:
    done = run_python(HELP.format(commands=HELP_COMMANDS), home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("usage: inkgraph") == len(HELP_COMMANDS)


COMMAND_OUTPUTS = (
    (("status",), "story"),
    (("search", "--mode", "words", "Who was the partner of Marley?"), "Jacob Marley"),
    (("graph", "--entities"), "Scrooge"),
    (("entity", "show", "Scrooge"), "mentions"),
    (("history",), "Nothing was changed by hand yet."),
)
# All in one process, because starting it takes longer than the commands.
RUN_ALL = """
import contextlib, io, json, sys
sys.modules["PySide6"] = None
from desktop_app.cli import run_command
outcomes = []
for words in json.loads(sys.argv[1]):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = run_command(words)
    outcomes.append((code, printed.getvalue()))
print(json.dumps(outcomes))
"""


@pytest.fixture(scope="module")
def outcomes(
    library: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[str, ...], tuple[int, str]]:
    """Return the exit code and the output of each command."""
    commands = [arguments for arguments, _ in COMMAND_OUTPUTS]
    words = [[*arguments, "--library", str(library)] for arguments in commands]
    done = run_python(RUN_ALL, json.dumps(words), home=tmp_path_factory.mktemp("commands"))
    assert done.returncode == 0, done.stderr
    return dict(zip(commands, map(tuple, json.loads(done.stdout)), strict=True))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    COMMAND_OUTPUTS,
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_command_runs_without_qt(outcomes, arguments: tuple[str, ...], expected: str) -> None:
    code, printed = outcomes[arguments]
    assert code == 0
    assert expected in printed
