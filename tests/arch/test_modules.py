"""What a file of the program looks like: with a docstring, named for its one idea."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "desktop_app"
MODULES = sorted(PACKAGE.rglob("*.py"))
EMPTY_NAMES = {"util", "utils", "helper", "helpers", "misc", "common", "manager", "handler"}


def relative(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_there_are_modules():
    assert len(MODULES) > 20


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_a_module_says_what_it_owns(path: Path):
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), "the module says nothing about itself"


def test_no_module_has_a_name_that_says_nothing():
    empty = [relative(path) for path in MODULES if path.stem.lower() in EMPTY_NAMES]
    assert empty == []


def test_every_package_has_an_init_file():
    folders = {path.parent for path in MODULES}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []
