"""Tests the modules of the program: a docstring, no generic name, complete packages."""

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
def test_every_module_has_a_docstring(path: Path):
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), "the module says nothing about itself"


def test_no_module_has_a_generic_name():
    empty = [relative(path) for path in MODULES if path.stem.lower() in EMPTY_NAMES]
    assert empty == []


def test_every_package_has_an_init_file():
    folders = {path.parent for path in MODULES}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []
