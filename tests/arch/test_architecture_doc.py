"""Tests that docs/ARCHITECTURE.md describes every package and table, and no removed one."""

from __future__ import annotations

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


def test_the_contributing_page_names_no_place_that_is_gone():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.split("## Where to change what")[1].split("\n## ")[0]
    named = re.findall(r"`((?:[a-z_]+/)*(?:[a-z_]+\.py)?)`", table)
    assert named
    assert [name for name in named if not (PACKAGE / name).exists()] == []


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
