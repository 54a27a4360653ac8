"""Tests exports to folders: GraphRAG's tables, read back by the importer, and a vault."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from desktop_app.engine.errors import EnvironmentProblem, UserError
from desktop_app.engine.services.exporting import parquet, vault
from desktop_app.engine.services.exporting.graph_files import export_graph
from desktop_app.engine.services.exporting.parquet import COLUMNS, export_tables
from desktop_app.engine.services.exporting.parquet_writer import write_parquet
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


@pytest.mark.parametrize("export", [export_tables, export_vault])
def test_an_export_that_fails_leaves_the_last_one_and_other_files_stay(
    made, tmp_path, monkeypatch, export
):
    folder = tmp_path / "out"
    export(made.writer, folder)
    (folder / ".obsidian").mkdir()
    (folder / ".obsidian" / "app.json").write_text("{}")
    (folder / "my note.md").write_text("Mine")

    def read() -> dict[str, bytes]:
        files = (path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}

    before = read()
    assert {".obsidian/app.json", "my note.md"} < before.keys()
    with made.writer.transaction():
        made.writer.write("UPDATE relation SET kind = 'changed'")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def fail_late(path: Path, *rest: object, scratch: Path) -> int:
        return write_parquet(path, *rest, scratch) if path.stem != "communities" else fail()

    with monkeypatch.context() as patched:
        patched.setattr(parquet, "write_parquet", fail_late)
        patched.setattr(vault._Vault, "start_note", fail)
        with pytest.raises(EnvironmentProblem, match="No space left"):
            export(made.writer, folder)
    assert read() == before
    export(made.writer, folder)
    after = read()
    assert after.keys() == before.keys() and after != before
    assert after["my note.md"] == b"Mine"


@pytest.mark.parametrize("export", [export_tables, export_vault])
def test_a_file_in_the_place_of_the_folder_is_reported(made, tmp_path, export):
    path = tmp_path / "out"
    path.write_text("Mine")
    with pytest.raises(UserError, match="is a file"):
        export(made.writer, path)
    assert path.read_text() == "Mine"


@pytest.mark.parametrize("format_", ["json", "graphml", "gexf", "csv"])
def test_a_graph_that_cannot_be_written_leaves_the_last_one(made, tmp_path, monkeypatch, format_):
    folder = tmp_path / "graphs"
    path = folder / f"graph.{format_}"
    export_graph(made.writer, path, format_)
    before = {one.name: one.read_bytes() for one in folder.iterdir()}
    assert len(before) == (3 if format_ == "csv" else 1)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.replace", fail)
        with pytest.raises(EnvironmentProblem, match="No space left"):
            export_graph(made.writer, path, format_)
    assert {one.name: one.read_bytes() for one in folder.iterdir()} == before
