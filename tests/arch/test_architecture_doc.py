"""Tests that docs/ARCHITECTURE.md describes every package and table, and no removed one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from desktop_app.engine.store.db import Db

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "desktop_app"
PAGE = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_the_page_names_every_package():
    packages = {path.parent.relative_to(PACKAGE) for path in PACKAGE.rglob("__init__.py")}
    unnamed = [str(p) for p in packages if p.parts and f"`{p.as_posix()}/`" not in PAGE]
    assert unnamed == []


def test_the_page_names_no_removed_package():
    named = re.findall(r"`((?:engine|workers|ui)(?:/[a-z_]+)*)/`", PAGE)
    assert [name for name in named if not (PACKAGE / name).is_dir()] == []


def test_the_page_names_no_removed_file():
    named = re.findall(r"`((?:engine|workers|ui)/[a-z_/]+\.py)`", PAGE)
    assert [name for name in named if not (PACKAGE / name).is_file()] == []
    assert named


def find_defined(path: Path) -> set[str]:
    """Return the names that a module defines: functions, classes and constants."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {
                one.id for top in targets for one in ast.walk(top) if isinstance(one, ast.Name)
            }
    return found


def test_the_contributing_page_names_no_place_that_is_gone():
    part = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    part = part.split("## Where to change what")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if re.match(r"\| |\d\. ", line)]
    n_names = 0
    for line in lines:
        code = [one for one in re.findall(r"`([^`]+)`", line) if not re.search("NAME|NNNN|…", one)]
        paths = [one for one in code if re.search(r"[/.]", one)]
        files = [
            next((f for f in (PACKAGE / one, ROOT / one) if f.exists()), Path(one)) for one in paths
        ]
        assert [str(file) for file in files if not file.exists()] == [], line
        modules = [file for file in files if file.suffix == ".py"]
        defined = {name for module in modules for name in find_defined(module)}
        names = set(code) - set(paths)
        assert names <= defined, line
        n_names += len(names)
    assert len(lines) > 30 and n_names > 10


def test_the_page_names_every_table(tmp_path: Path):
    library = Db(tmp_path / "new.inkgraph")
    tables = library.column(
        "SELECT name FROM pragma_table_list WHERE schema = 'main'"
        " AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite%'"
    )
    library.close()
    assert "document" in tables
    assert [table for table in tables if f"`{table}`" not in PAGE] == []


def test_a_decision_is_short():
    for path in (ROOT / "docs" / "decisions").glob("*.md"):
        assert re.match(r"\d{4}-[a-z0-9-]+\.md$", path.name)
        assert len(path.read_text(encoding="utf-8").strip().splitlines()) <= 16, path.name
