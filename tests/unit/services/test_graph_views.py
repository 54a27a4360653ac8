"""Tests reading the graph for a view, saved views, and exported files."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import networkx as nx
import pytest

from desktop_app.cli import run_command
from desktop_app.engine.errors import UserError
from desktop_app.engine.graph.view.view import DiscPositions
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.exporting.graph_files import export_graph
from desktop_app.engine.services.graph_views import GraphViews, SavedView
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader

TALE = """# Chapter I

Martin Hale met Clara Winter in Oxford. Clara Winter laughed at Martin Hale.
Martin Hale knew Peter Grey. Peter Grey wrote to Clara Winter from London.

# Chapter II

Peter Grey met Susan Brook in London. Susan Brook spoke with Peter Grey of Edward Stone.
Edward Stone followed Susan Brook to Paris. Susan Brook feared Edward Stone.
"""


@pytest.fixture
def tale(library: Library, tmp_path: Path) -> Library:
    path = tmp_path / "tale.md"
    path.write_text(TALE, encoding="utf-8")
    add_files(library.writer, [path])
    IndexingService(library.writer, lambda: None).run(embed=False)
    return library


def id_of(library: Library, name: str) -> int:
    return int(LibraryReader(library.writer).find_entities(name, 1)[0].id)


def test_paths_include_the_sentences_of_their_relations(tale: Library) -> None:
    graph = LibraryReader(tale.writer).graph
    paths = graph.find_paths(id_of(tale, "Martin Hale"), id_of(tale, "Edward Stone"))
    assert paths and paths[0].how == "shortest"
    assert paths[0].entities[0].name == "Martin Hale"
    assert paths[0].entities[-1].name == "Edward Stone"
    for step in paths[0].steps:
        assert step.evidence and step.evidence[0].sentence in TALE


def test_the_first_document_and_position_of_an_entity_are_known(tale: Library) -> None:
    graph = LibraryReader(tale.writer).graph
    martin, edward = id_of(tale, "Martin Hale"), id_of(tale, "Edward Stone")
    documents = graph.documents_of([martin, edward, 999_999])
    assert documents[martin].first < documents[edward].first
    assert documents[martin].documents == (1,)
    assert 999_999 not in documents


def test_neighbours_are_listed_with_type_and_document(tale: Library) -> None:
    graph = LibraryReader(tale.writer).graph
    near = graph.neighbours(id_of(tale, "Susan Brook"))
    assert {"Peter Grey", "Edward Stone"} <= {n.row.name for n in near}
    assert [n.weight for n in near] == sorted((n.weight for n in near), reverse=True)
    assert near[0].documents == (1,)


def test_further_steps_reach_more(tale: Library) -> None:
    graph = LibraryReader(tale.writer).graph
    martin = id_of(tale, "Martin Hale")
    one, two = (graph.reach([martin], depth, 100) for depth in (1, 2))
    assert {e.id for e in one.entities} < {e.id for e in two.entities}


def test_a_merged_entity_is_replaced_by_the_remaining_one(tale: Library) -> None:
    graph, editing = LibraryReader(tale.writer).graph, EditingService(tale.writer)
    martin, clara = id_of(tale, "Martin Hale"), id_of(tale, "Clara Winter")
    kept, gone = min(martin, clara), max(martin, clara)
    editing.merge(kept, [gone])
    assert graph.replace_merged([gone, kept, 999_999]) == [kept, 999_999]
    editing.undo()
    assert graph.replace_merged([gone, kept]) == [gone, kept]


def test_what_an_entity_was_merged_into_takes_its_place_in_a_view() -> None:
    positions = DiscPositions({2: (1.0, 2.0), 3: (5.0, 6.0)}, frozenset({2}), groups={2: 7, 3: 8})
    moved = positions.follow({2: 1})
    assert moved.places[1] == (1.0, 2.0) and 1 in moved.pinned and moved.groups[1] == 7
    assert positions.follow({2: 3}) == positions  # has a place of its own


def test_a_view_is_saved_found_replaced_and_deleted(library: Library) -> None:
    views, graph = GraphViews(library.writer), LibraryReader(library.writer).graph
    assert graph.saved_view("好汉") is None
    views.save(SavedView("好汉", {"kind": "top"}, {1: (1.5, -2.0), 2: (0.0, 0.0)}, frozenset({2})))
    views.save(SavedView("", {"kind": "near"}))
    kept = graph.saved_view("好汉")
    assert kept.places == {1: (1.5, -2.0), 2: (0.0, 0.0)}
    assert kept.pinned == {2}
    assert graph.saved_views() == ["好汉"]  # the one that was open last has no name
    views.save(SavedView("好汉", {"kind": "exact"}, {3: (float("nan"), 0.0)}))
    assert graph.saved_view("好汉").content == {"kind": "exact"}
    assert graph.saved_view("好汉").places == {}
    views.delete("好汉")
    assert graph.saved_views() == []
    with pytest.raises(UserError):
        views.save(SavedView("x" * 200, {}))


@pytest.mark.parametrize("format_", ["gexf", "graphml"])
def test_networkx_reads_an_export_with_positions_and_kinds(
    tale: Library, tmp_path: Path, format_: str
) -> None:
    path = tmp_path / f"graph.{format_}"
    martin, clara = id_of(tale, "Martin Hale"), id_of(tale, "Clara Winter")
    places = {martin: (10.0, 20.0), clara: (-3.0, 4.0)}
    n_entities, n_relations = export_graph(
        tale.writer, path, format_, entity_ids=[martin, clara], places=places
    )
    assert (n_entities, n_relations) == (2, 1)
    read = nx.read_gexf(path) if format_ == "gexf" else nx.read_graphml(path)
    node = read.nodes[str(martin)]
    assert node["label"] == "Martin Hale"
    assert node["type"] == "person"
    if format_ == "gexf":
        assert node["viz"]["position"]["x"] == 10.0
        assert node["viz"]["position"]["y"] == -20.0  # up in Gephi, down on the screen
        assert node["viz"]["color"]["b"] == 178
    else:
        assert (node["x"], node["y"]) == (10.0, 20.0)
    (_, _, tie), *_ = read.edges(data=True)
    assert float(tie["weight"]) > 0


def test_the_command_line_exports_the_neighbourhood_of_an_entity(
    tale: Library, tmp_path: Path
) -> None:
    out = tmp_path / "part.json"
    code = run_command(
        ["export", "--library", str(tale.path), "--format", "json", "--out", str(out),
         "--entity", "Edward Stone"]
    )  # fmt: skip
    assert code == 0
    names = {e["name"] for e in json.loads(out.read_text("utf-8"))["entities"]}
    assert "Susan Brook" in names and "Martin Hale" not in names


@pytest.mark.parametrize("format_", ["gexf", "graphml"])
def test_an_export_of_the_command_line_opens_in_networkx_with_all_attributes(
    tale: Library, tmp_path: Path, format_: str
) -> None:
    out = tmp_path / f"all.{format_}"
    code = run_command(
        ["export", "--library", str(tale.path), "--format", format_, "--out", str(out)]
    )
    assert code == 0
    read = nx.read_gexf(out) if format_ == "gexf" else nx.read_graphml(out)
    library_reader = LibraryReader(tale.writer)
    entities, relations = library_reader.top_entities(10_000), library_reader.top_relations(10_000)
    assert (read.number_of_nodes(), read.number_of_edges()) == (len(entities), len(relations))
    places = set()
    for entity in entities:
        node = read.nodes[str(entity.id)]
        assert (node["label"], node["type"]) == (entity.name, entity.type)
        assert node["mentions"] == entity.n_mentions
        assert {"aliases", "description", "documents", "connections"} <= set(node)
        place = node["viz"]["position"] if format_ == "gexf" else node
        places.add((float(place["x"]), float(place["y"])))
    assert len(places) == len(entities)  # no two at one position
    for relation in relations:
        tie = read.edges[str(relation.source_id), str(relation.target_id)]
        assert float(tie["weight"]) == pytest.approx(relation.weight)
        assert tie["evidence"] == relation.n_evidence
        assert {"kind", "keywords", "description"} <= set(tie)


@pytest.mark.parametrize(
    "arguments", [["--image", "x.bmp"], ["--image", "x.png", "--entity", "Nobody"]]
)
def test_the_command_line_reports_formats_it_cannot_draw(
    tale: Library, tmp_path: Path, arguments: list[str], capsys
) -> None:
    assert run_command(["graph", "--library", str(tale.path), *arguments]) != 0
    assert "inkgraph:" in capsys.readouterr().err


def test_the_main_names_of_every_large_document_are_in_the_first_view(
    tale: Library, tmp_path: Path
) -> None:
    path = tmp_path / "short.md"
    path.write_text("Ada Merrow met Tobias Quill. Tobias Quill thanked Ada Merrow.", "utf-8")
    add_files(tale.writer, [path])
    IndexingService(tale.writer, lambda: None).run(embed=False)
    reader = LibraryReader(tale.writer)
    shown = reader.top_graph(limit=4)
    assert len(shown.entities) == 4
    assert {e.name for e in reader.top_entities(4)}.isdisjoint({"Ada Merrow", "Tobias Quill"})
    connections = [entity.n_relations for entity in reader.top_graph(limit=10).entities]
    assert connections == sorted(connections, reverse=True)
    assert {"Ada Merrow", "Tobias Quill"} <= {e.name for e in reader.top_graph(limit=10).entities}
    # Four names are too few to give a document a share.
    assert "Ada Merrow" not in {e.name for e in shown.entities}


def test_few_documents_have_more_names_each_in_the_first_view(
    tale: Library, tmp_path: Path
) -> None:
    first = ("Ada", "Tobias", "Clara", "Edmund", "Flora", "Gideon", "Hester", "Isaac")
    people = [f"{name} Merrow" for name in first]
    path = tmp_path / "short.md"
    lines = [f"{a} met {b}. {b} thanked {a}." for a, b in itertools.pairwise(people)]
    path.write_text(" ".join(lines), "utf-8")
    add_files(tale.writer, [path])
    IndexingService(tale.writer, lambda: None).run(embed=False)
    reader = LibraryReader(tale.writer)
    of_short = {e.name for e in reader.top_entities(100)} & set(people)
    shown = {entity.name for entity in reader.top_graph(limit=20).entities} & of_short
    assert len(of_short) > 5 and len(shown) >= 6, "three fifths of 20 for two documents"
