"""Tests the direction of relations: where it comes from, and what must not lose it."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import networkx as nx
import pytest

from desktop_app.engine.model import BACKWARD, BOTH_WAYS, FORWARD, UNDIRECTED
from desktop_app.engine.services.editing.curation_file import apply_curation, export_curation
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.exporting.graph_files import export_graph
from desktop_app.engine.services.exporting.parquet import export_tables
from desktop_app.engine.services.exporting.vault import export_vault
from desktop_app.engine.services.graph_update import count_graph_differences, rebuild_graph
from desktop_app.engine.services.importing.service import import_graph
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from tests.books import add_book, id_of
from tests.unit.services.reading_here import read_graphs_here

TEXT = "Ada wrote to Charles about the engine. Charles had hired Grace, and Grace knew Ada."


@pytest.fixture
def book(library: Library) -> Library:
    add_book(library)
    return library


@pytest.fixture
def editing(book):
    return EditingService(book.writer)


def direction(library: Library, a: str, b: str) -> int:
    """Return the direction between two names, from the first to the second."""
    ids = id_of(library, a), id_of(library, b)
    for row in LibraryReader(library.writer).fetch_relations(ids[0]):
        if row.source_id == ids[1]:
            return (UNDIRECTED, BACKWARD, FORWARD, BOTH_WAYS)[row.direction]
        if row.target_id == ids[1]:
            return row.direction
    raise AssertionError("no relation")


def relate(editing, library, a: str, b: str, way: int = FORWARD, kind: str = "father") -> None:
    editing.relate(id_of(library, a), id_of(library, b), kind=kind, direction=way)


@pytest.mark.parametrize("pair", [("Tobias", "Clara"), ("Clara", "Tobias")])
def test_a_direction_of_the_user_is_shown_turned_and_undone(book, editing, pair):
    weights = "SELECT source_id, target_id, weight FROM relation ORDER BY 1, 2"
    relate(editing, book, *pair)
    before = book.writer.rows(weights)
    assert direction(book, *pair) == FORWARD
    row = next(
        r
        for r in LibraryReader(book.writer).fetch_relations(id_of(book, pair[0]))
        if id_of(book, pair[1]) in (r.source_id, r.target_id)
    )
    turned = BACKWARD if row.direction == FORWARD else FORWARD
    editing.edit_relation(row.id, direction=turned)
    assert direction(book, *pair) == BACKWARD
    assert book.writer.rows(weights) == before
    editing.undo()
    assert direction(book, *pair) == FORWARD
    editing.undo()
    assert direction(book, *pair) == UNDIRECTED
    assert count_graph_differences(book.writer) == 0


def test_a_changed_description_keeps_the_direction(book, editing):
    relate(editing, book, "Tobias", "Clara")
    rows = LibraryReader(book.writer).fetch_relations(id_of(book, "Tobias"))
    row = next(r for r in rows if r.kind == "father")
    editing.edit_relation(row.id, description="He brought her up.")
    assert direction(book, "Tobias", "Clara") == FORWARD


def test_merged_names_keep_directions_and_opposite_ones_are_both_kept(book, editing):
    relate(editing, book, "Marsh", "Clara")
    relate(editing, book, "Clara", "Petrel")
    editing.merge(id_of(book, "Hale"), [id_of(book, "Marsh")])
    assert direction(book, "Hale", "Clara") == FORWARD
    editing.merge(id_of(book, "Hale"), [id_of(book, "Petrel")])
    assert direction(book, "Hale", "Clara") == BOTH_WAYS
    assert count_graph_differences(book.writer) == 0
    rebuild_graph(book.writer)
    assert direction(book, "Hale", "Clara") == BOTH_WAYS


def test_exported_corrections_carry_the_direction(book, editing, tmp_path):
    relate(editing, book, "Clara", "Hale")
    path = tmp_path / "corrections.json"
    export_curation(book.writer, path)
    other = Library(tmp_path / "other.inkgraph")
    add_book(other)
    apply_curation(other.writer, path)
    assert direction(other, "Clara", "Hale") == FORWARD
    other.close()


def test_corrections_of_older_versions_have_no_direction(book, editing, tmp_path):
    relate(editing, book, "Clara", "Hale")
    path = tmp_path / "corrections.json"
    export_curation(book.writer, path)
    old = json.loads(path.read_text("utf-8"))
    for row in old["hand_relation"]:
        del row["direction"]
    path.write_text(json.dumps(old), "utf-8")
    other = Library(tmp_path / "other.inkgraph")
    add_book(other)
    apply_curation(other.writer, path)
    assert direction(other, "Clara", "Hale") == UNDIRECTED
    other.close()


@pytest.fixture(autouse=True)
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    read_graphs_here(monkeypatch)  # tests/unit/services/test_importing.py starts the child


@pytest.fixture
def imported(library, tmp_path) -> Library:
    """A library with one imported relation of each direction: Ada, Charles, Grace, Ida."""
    ends = (("Charles", "Ada"), ("Grace", "Charles"), ("Ada", "Grace"), ("Grace", "Ada"))
    relations = [
        {"src_id": a, "tgt_id": b, "description": f"{a} taught {b}.", "source_id": "c"}
        for a, b in ends
    ]
    undirected = {"source": "Ada", "target": "Ida", "description": "They met.", "direction": ""}
    kg = {
        "chunks": [{"content": TEXT, "source_id": "c", "file_path": "engine.txt"}],
        "entities": [{"entity_name": n, "source_id": "c"} for n in ("Ada", "Charles", "Grace")],
        "relationships": [*relations, undirected],
    }
    path = tmp_path / "kg.json"
    path.write_text(json.dumps(kg), "utf-8")
    import_graph(library.writer, path, find_names=False)
    return library


def assert_imported(library: Library) -> None:
    assert direction(library, "Charles", "Ada") == FORWARD
    assert direction(library, "Grace", "Charles") == FORWARD
    assert direction(library, "Ada", "Grace") == BOTH_WAYS
    assert direction(library, "Ada", "Ida") == UNDIRECTED


def test_an_imported_graph_keeps_its_directions(imported):
    assert_imported(imported)
    assert count_graph_differences(imported.writer) == 0


@pytest.mark.parametrize("format_", ["json", "graphml", "parquet"])
def test_an_own_export_gives_the_directions_and_kinds_back(imported, tmp_path, format_):
    relate(EditingService(imported.writer), imported, "Charles", "Ada", FORWARD, "teacher")
    path = tmp_path / "out" / f"graph.{format_}"
    if format_ == "parquet":
        path = path.parent
        export_tables(imported.writer, path)
    else:
        export_graph(imported.writer, path, format_)
    other = Library(tmp_path / "other.inkgraph")
    import_graph(other.writer, path, find_names=False)
    assert_imported(other)
    kinds = {r.kind for r in LibraryReader(other.writer).top_relations(100)}
    assert "teacher" in kinds
    other.close()


def test_an_undirected_graphml_file_gives_no_direction_and_a_directed_one_does(tmp_path):
    for made, expected in ((nx.Graph(), UNDIRECTED), (nx.DiGraph(), FORWARD)):
        made.add_edge("Grace", "Ada", description="Grace taught Ada.")
        path = tmp_path / f"{expected}.graphml"
        nx.write_graphml(made, path)
        library = Library(tmp_path / f"{expected}.inkgraph")
        import_graph(library.writer, path, find_names=False)
        assert direction(library, "Grace", "Ada") == expected
        library.close()


def test_gexf_csv_and_the_vault_state_the_direction(imported, tmp_path):
    export_graph(imported.writer, tmp_path / "g.gexf", "gexf")
    edges = ElementTree.parse(tmp_path / "g.gexf").iter("{http://www.gexf.net/1.2draft}edge")
    types = {(edge.get("source"), edge.get("target")): edge.get("type") for edge in edges}
    charles, ada = (str(id_of(imported, name)) for name in ("Charles", "Ada"))
    assert types[charles, ada] == "directed" and (ada, charles) not in types
    assert sorted(types.values()) == ["directed", "directed", "mutual", "undirected"]
    export_graph(imported.writer, tmp_path / "g.csv", "csv")
    rows = (tmp_path / "g.relations.csv").read_text("utf-8-sig").splitlines()
    assert {row.rsplit(",", 1)[1] for row in rows[1:]} >= {"", "both"}
    export_vault(imported.writer, tmp_path / "vault")
    note = (tmp_path / "vault" / "Names" / "Ada.md").read_text("utf-8")
    assert "[[Charles]] (←)" in note and "[[Grace]] (↔)" in note and "[[Ida]]:" in note
