"""Tests that the README's commands exist, with the options that it gives them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from desktop_app.cli import COMMANDS, build_parser

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
LINES = re.findall(r"^    inkgraph (.+?)(?:\s+#.*)?$", README, re.MULTILINE)


@pytest.mark.parametrize("line", LINES)
def test_a_command_of_the_readme_is_understood(line: str):
    words = shlex.split(line)
    assert build_parser().parse_args(words).command == words[0]


def test_the_readme_names_every_command():
    code = re.findall(r"^    inkgraph .*$|`inkgraph [^`]*`", README, re.MULTILINE)
    assert set(COMMANDS) - set(re.findall(r"[a-z-]+", " ".join(code))) == set()
