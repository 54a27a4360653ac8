"""Tests that what a test imports from this project is there, without running the test.

A test file that imports a helper of another one fails only when it is collected itself; mypy can't
be asked for such names alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("tests", "benchmarks", "packaging", "desktop_app", "run")


def find_module(name: str) -> Path | None:
    path = ROOT.joinpath(*name.split("."))
    candidates = (path.with_suffix(".py"), path / "__init__.py", path)
    return next((one for one in candidates if one.exists()), None)


@cache
def list_names(path: Path) -> frozenset[str]:
    """Return what a module defines or imports outside of functions and classes."""
    if path.is_dir():
        return frozenset()
    found: set[str] = set()
    todo: list[ast.AST] = [*ast.parse(path.read_text("utf-8")).body]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(one.asname or one.name).partition(".")[0] for one in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        todo += ast.iter_child_nodes(node)
    return frozenset(found)


def iter_missing(path: Path, code: str) -> Iterator[str]:
    """Give each import of a module or name of ours that does not exist."""
    package = path.parent.relative_to(ROOT).parts
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            wanted = [(one.name, "") for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            source = ".".join([*above, *filter(None, [node.module])])
            wanted = [(source, one.name) for one in node.names]
        else:
            continue
        for source, name in wanted:
            if source.partition(".")[0] not in OURS:
                continue
            module = find_module(source)
            if module is None:
                yield f"{source}: no such module"
            elif name and name not in list_names(module) and not find_module(f"{source}.{name}"):
                yield f"{source} has no {name}"


@pytest.mark.parametrize("folder", ["tests", "packaging"])
def test_imported_names_exist(folder: str):
    files = sorted((ROOT / folder).rglob("*.py"))
    missing = {str(f.relative_to(ROOT)): list(iter_missing(f, f.read_text("utf-8"))) for f in files}
    assert {file: names for file, names in missing.items() if names} == {}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("from tests.e2e.test_documents import LibraryModels", "has no LibraryModels"),
        ("def test():\n    from desktop_app.engine.model import NoSuchRow", "has no NoSuchRow"),
        ("import tests.no_such_file", "no such module"),
        ("from .no_such_file import helper", "no such module"),
        ("from .test_layers import no_such_helper", "has no no_such_helper"),
    ],
)
def test_a_name_that_is_gone_is_reported(code: str, expected: str):
    [missing] = iter_missing(Path(__file__), code)
    assert missing.endswith(expected)


@pytest.mark.parametrize(
    "code",
    [
        "from desktop_app.engine.model import EntityRow, EntityId",
        "from desktop_app.engine import model",
        "from tests import fakes",
        "import numpy.no_such_module",
    ],
)
def test_a_name_that_is_there_is_not_reported(code: str):
    assert list(iter_missing(Path(__file__), code)) == []
