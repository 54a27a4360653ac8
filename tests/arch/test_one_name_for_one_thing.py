"""Tests that a name imported in several modules denotes one function or class of the program.

`from ... import find_place` tells the reader what is meant only if one module defines it. Names
that are used as `module.name` are left out, as the module says which one it is, and so are names
that at most one module imports: they are local to places that never meet.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "desktop_app"
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

WRAPPED = "cli/command_context.py imports `entity_lookup` when it is called, so commands start fast"
ALLOWED = {
    "choose_documents": WRAPPED,
    "get_best_entity": WRAPPED,
    "get_entity_id": WRAPPED,
    "write_name": WRAPPED,
    "describe_refusal": "one refusal, worded in English for commands and translated in the window",
    "format_duration": "durations as commands, messages of the engine and the window write them",
}


def name_module(path: Path) -> str:
    """Return the dotted name of the module in a file, as a path below `ROOT`."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def iter_public(tree: ast.Module) -> Iterator[str]:
    """Yield the public functions and classes that a module defines at its top."""
    for node in tree.body:
        if isinstance(node, DEFINITIONS) and not node.name.startswith("_"):
            yield node.name


def iter_imported(path: Path, tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield (module, name) of what a module imports by name, also inside functions."""
    package = path.parent.parts
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            source = ".".join([*above, *filter(None, [node.module])])
            for one in node.names:
                yield source, one.name


def find_clashes(codes: Mapping[Path, str]) -> dict[str, list[str]]:
    """Return name -> modules, of names with several definitions and several importing modules."""
    trees = {path: ast.parse(code) for path, code in codes.items()}
    defined: dict[str, list[str]] = defaultdict(list)
    importers: dict[tuple[str, str], set[Path]] = defaultdict(set)
    for path, tree in trees.items():
        for name in dict.fromkeys(iter_public(tree)):
            defined[name].append(name_module(path))
        for key in iter_imported(path, tree):
            importers[key].add(path)

    def count_importers(name: str, modules: Iterable[str]) -> int:
        return len(set().union(*(importers[module, name] for module in modules)))

    return {
        name: modules
        for name, modules in defined.items()
        if len(modules) > 1 and count_importers(name, modules) > 1
    }


def read_program() -> dict[Path, str]:
    return {
        path.relative_to(ROOT): path.read_text(encoding="utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def test_a_name_that_several_modules_import_is_defined_once():
    clashes = find_clashes(read_program())
    assert {name: where for name, where in clashes.items() if name not in ALLOWED} == {}
    assert sorted(set(ALLOWED) - set(clashes)) == [], "allowed, but defined once"


def test_two_definitions_that_two_modules_import_clash():
    codes = {
        Path("p/store.py"): "def find_place(): ...\n",
        Path("p/ui/bar.py"): "def find_place(): ...\nclass Row: ...\n",
        Path("p/ui/list.py"): "class Row: ...\nfrom .bar import find_place\n",
        Path("p/ui/screen.py"): "def show():\n    from ..store import find_place\n",
    }
    assert find_clashes(codes) == {"find_place": ["p.store", "p.ui.bar"]}
    codes[Path("p/ui/screen.py")] = "from .. import store\nstore.find_place()\n"
    assert find_clashes(codes) == {}
