"""What a file of the program looks like: short, with a docstring, named for its one idea."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "desktop_app"
MODULES = sorted(PACKAGE.rglob("*.py"))
MAX_LINES = 300
# One flat list of plain rows that all layers share: splitting it would only hide where a row is.
LONGER = {"engine/types.py": 472}
EMPTY_NAMES = {"util", "utils", "helper", "helpers", "misc", "common", "manager", "handler"}


def relative(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_there_are_modules():
    assert len(MODULES) > 20


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_a_module_is_short_and_says_what_it_owns(path: Path):
    text = path.read_text(encoding="utf-8")
    n_lines = text.count("\n") + 1
    most = LONGER.get(relative(path), MAX_LINES)
    assert n_lines <= most + 1, f"{n_lines} lines: one idea a file, {most} at most"
    assert ast.get_docstring(ast.parse(text)), "the module says nothing about itself"


def test_no_module_has_a_name_that_says_nothing():
    empty = [relative(path) for path in MODULES if path.stem.lower() in EMPTY_NAMES]
    assert empty == []


def test_every_package_has_an_init_file():
    folders = {path.parent for path in MODULES}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []
