"""Tests exports to folders: GraphRAG's tables, read back by the importer, and a vault."""

from __future__ import annotations

import json
import re

import pytest

from desktop_app.engine.services.exporting.parquet import COLUMNS, export_tables
from desktop_app.engine.services.exporting.vault import export_vault
from desktop_app.engine.services.importing.graphrag import load_parquet, read_graphrag
from tests.books import BOOK, add_book


@pytest.fixture
def made(library):
    add_book(library)
    return library


def test_tables_have_the_columns_of_graphrag_and_consistent_ids(made, tmp_path):
    counts = export_tables(made.writer, tmp_path / "out put's")
    tables = {}
    for name, columns in COLUMNS.items():
        names, rows = load_parquet(tmp_path / "out put's" / f"{name}.parquet")
        assert list(names) == list(columns)
        assert len(rows) == counts[name] > 0
        tables[name] = rows
    titles = {e["title"] for e in tables["entities"]}
    units = {u["id"] for u in tables["text_units"]}
    assert all({r["source"], r["target"]} <= titles for r in tables["relationships"])
    assert all(set(e["text_unit_ids"]) <= units for e in tables["entities"])
    known = {c["community"] for c in tables["communities"]}
    assert all(c["parent"] in known | {-1} for c in tables["communities"])
    assert all(set(c["children"]) <= known for c in tables["communities"])
    report = tables["community_reports"][0]
    assert report["findings"][0]["explanation"]
    assert json.loads(report["full_content_json"])["title"] == report["title"]
    assert tables["documents"][0]["text"] == "".join(BOOK)


def test_our_own_importer_reads_the_tables(made, tmp_path):
    export_tables(made.writer, tmp_path)
    graph = read_graphrag(tmp_path)
    names = {name for (name,) in made.writer.rows("SELECT name FROM entity")}
    assert {e.name for e in graph.entities} == names
    assert len(graph.relations) == made.writer.value("SELECT count(*) FROM relation")


def test_an_empty_library_gives_empty_tables(library, tmp_path):
    counts = export_tables(library.writer, tmp_path)
    assert set(counts.values()) == {0}
    names, rows = load_parquet(tmp_path / "entities.parquet")
    assert list(names) == list(COLUMNS["entities"]) and not rows


def test_every_link_of_a_vault_leads_to_a_note(made, tmp_path):
    n_names, n_themes = export_vault(made.writer, tmp_path)
    notes = {path.stem: path for path in tmp_path.rglob("*.md")}
    assert len(notes) == n_names + n_themes + 1
    for path in notes.values():
        for target in re.findall(r"\[\[([^\]|]+)", path.read_text("utf-8")):
            assert target in notes, f"{path.name} links to {target}"
    tobias = (tmp_path / "Names" / "Tobias.md").read_text("utf-8")
    assert tobias.startswith("---\ntype: person") and "[[Clara]]" in tobias
    assert "Tobias kept a shop of clocks" in tobias


def test_invalid_file_names_are_cleaned_and_kept_unique(made, tmp_path):
    db = made.writer
    with db.transaction():
        db.write("UPDATE entity SET name = 'A/B: C?' WHERE name = 'Tobias'")
        db.write("UPDATE entity SET name = 'a b c' WHERE name = 'Clara'")
        db.write("UPDATE setting SET value = 'y' WHERE key = 'graph_version'")
    export_vault(db, tmp_path)
    names = sorted(path.stem for path in (tmp_path / "Names").glob("*.md"))
    assert {"A B C", "a b c 2"} <= set(names) or {"a b c", "A B C 2"} <= set(names)
