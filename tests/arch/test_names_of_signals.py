"""Tests that signals which ask for something have one kind of name (see CONTRIBUTING.md)."""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "desktop_app"
SIGNAL = re.compile(r"^ +(\w+) = Signal\(", re.MULTILINE)


def find_requested(code: str) -> list[str]:
    """Return the signals of a module whose names end in "requested"."""
    return [name for name in SIGNAL.findall(code) if name.endswith("_requested")]


def test_what_a_screen_asks_for_is_wanted():
    other = {
        path.relative_to(PACKAGE).as_posix(): found
        for path in sorted(PACKAGE.rglob("*.py"))
        if (found := find_requested(path.read_text(encoding="utf-8")))
    }
    assert other == {}


def test_another_name_is_found():
    code = "class Dialog:\n    merge_wanted = Signal(int)\n    merge_requested = Signal()\n"
    assert find_requested(code) == ["merge_requested"]
