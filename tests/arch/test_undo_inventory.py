"""Tests that docs/UNDO.md names every function that writes: on the history, or why it is not."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "desktop_app"
PAGE = (ROOT / "docs" / "UNDO.md").read_text(encoding="utf-8")
DB = "engine/store/db.py"  # defines them
TRANSACTIONS, EDITS = {"transaction", "session_transaction"}, {"edit", "_edit"}


def find_writers(tree: ast.Module) -> dict[str, set[str]]:
    """Return function -> the methods of `Db` by which it, or a function in it, begins to write."""
    found: dict[str, set[str]] = {}

    def visit(node: ast.AST, names: tuple[str, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                is_inner = bool(names) and isinstance(node, ast.FunctionDef)
                visit(child, names if is_inner else (*names, child.name))
                continue
            if isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute):
                method = child.func.attr
                if method in TRANSACTIONS | EDITS:
                    found.setdefault(".".join(names), set()).add(method)
            visit(child, names)

    visit(tree, ())
    return found


def find_all_writers() -> dict[tuple[str, str], bool]:
    """Return (module, function) of `engine/` -> whether it writes a step of the history."""
    found = {}
    for path in sorted((PACKAGE / "engine").rglob("*.py")):
        module = path.relative_to(PACKAGE).as_posix()
        if module != DB:
            for name, methods in find_writers(ast.parse(path.read_text("utf-8"))).items():
                found[module, name] = bool(methods & EDITS)
    return found


def read_table(title: str) -> list[tuple[str, str]]:
    """Return (module, function) of each row of a table of the page, each with its reason."""
    part = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    found = []
    for line in part.splitlines():
        if line.startswith("| `"):
            _, module, functions, reason, _ = line.split("|")
            assert reason.strip(), line
            names = re.findall(r"`([^`]+)`", functions)
            assert names, line
            found += [(module.strip().strip("`"), name) for name in names]
    return found


def test_every_function_that_writes_is_on_the_history_or_named_with_a_reason():
    writers = find_all_writers()
    undoable, others = read_table("On the history"), read_table("Not on the history")
    assert len({*undoable, *others}) == len(undoable) + len(others), "named twice"
    assert sorted(undoable) == sorted(w for w, is_edit in writers.items() if is_edit)
    assert sorted(others) == sorted(w for w, is_edit in writers.items() if not is_edit)


def test_a_new_function_that_writes_is_found():
    code = """
class Service:
    def remember(self):
        def work():
            with self._db.transaction():
                pass
        work()
    def decide(self):
        with self._db.edit(1), other.transaction():
            pass
"""
    assert find_writers(ast.parse(code)) == {
        "Service.remember": {"transaction"},
        "Service.decide": {"edit", "transaction"},
    }


def test_no_screen_writes_without_a_service():
    """Screens and commands open no transaction of a library themselves."""
    for folder in ("ui", "cli", "workers"):
        for path in (PACKAGE / folder).rglob("*.py"):
            found = find_writers(ast.parse(path.read_text("utf-8")))
            methods = {method for of_one in found.values() for method in of_one}
            assert not methods & TRANSACTIONS, path
