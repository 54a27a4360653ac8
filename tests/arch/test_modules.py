"""Tests the modules of the program: a docstring, no generic name, complete packages."""

from __future__ import annotations

import ast
import tokenize
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "desktop_app"
MODULES = sorted(PACKAGE.rglob("*.py"))
EMPTY_NAMES = {"util", "utils", "helper", "helpers", "misc", "common", "manager", "handler"}


def relative(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_there_are_modules():
    assert len(MODULES) > 20


def begins_with_a_text(path: Path) -> bool:
    """Return whether the first thing in a module, after comments, is a string that is not empty."""
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.STRING:
                return bool(str(ast.literal_eval(token.string)).strip())
            if token.type not in (tokenize.ENCODING, tokenize.COMMENT, tokenize.NL):
                break
    return False


def test_every_module_has_a_docstring():
    assert [relative(path) for path in MODULES if not begins_with_a_text(path)] == []


def test_no_module_has_a_generic_name():
    empty = [relative(path) for path in MODULES if path.stem.lower() in EMPTY_NAMES]
    assert empty == []


def test_every_package_has_an_init_file():
    folders = {path.parent for path in MODULES}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []
