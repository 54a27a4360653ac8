"""Tests that a module calls its limits by one pair of words, see "Code" in CONTRIBUTING.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "desktop_app"
NEWER, OLDER = ("MAX_", "MIN_"), ("MOST_", "LEAST_")


def iter_constants(tree: ast.Module) -> Iterator[str]:
    """Yield the names in capitals that a module assigns at its top, without a leading "_"."""
    for node in tree.body:
        for one in ast.walk(node) if isinstance(node, ast.Assign | ast.AnnAssign) else ():
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                name = one.id.lstrip("_")
                if re.fullmatch(r"[A-Z0-9_]+", name):
                    yield name


def find_mixed(code: str) -> list[str]:
    """Return the constants with the older words in a module that has the newer ones, too."""
    names = sorted(set(iter_constants(ast.parse(code))))
    has_newer = any(name.startswith(NEWER) for name in names)
    return [name for name in names if has_newer and name.startswith(OLDER)]


def test_no_module_has_two_words_for_a_limit():
    mixed = {
        path.relative_to(PACKAGE).as_posix(): found
        for path in sorted(PACKAGE.rglob("*.py"))
        if (found := find_mixed(path.read_text(encoding="utf-8")))
    }
    assert mixed == {}


def test_two_words_for_a_limit_are_found():
    assert find_mixed("MAX_NAMES, _MOST_ROWS = 5, 6\nLEAST_SHARE = 0.5") == [
        "LEAST_SHARE",
        "MOST_ROWS",
    ]
    assert find_mixed("MOST_ROWS = 6\nLEAST_SHARE = 0.5") == []
    assert find_mixed("MIN_SHARE: float = 0.4\nMOST_WORDS: int = 3") == ["MOST_WORDS"]
