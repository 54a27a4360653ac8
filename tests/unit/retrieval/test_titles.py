"""Tests titles of articles as names in the retrieval index."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.index import build_index, defines_title
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.retrieval.strategies.personalized_pagerank import join_search
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

NOTES = [
    ("Dark River (film)", "Dark River is a drama that was directed by Clio Barnard."),
    ("Clio Barnard", "Clio Barnard is a British director. She was born in Santa Barbara."),
    ("State", "State is a punk group that two students founded in a cellar."),
    ("Old Mill", "The Old Mill stands in Kansas, at the end of a lane."),
    ("Kansas", "Kansas is a state of plains and wheat."),
]


def add_notes(library: Library, folder: Path, notes: list[tuple[str, str]]) -> None:
    path = folder / f"{len(notes)}.jsonl"
    rows = [json.dumps({"title": title, "text": text}) for title, text in notes]
    path.write_text("\n".join(rows), encoding="utf-8")
    add_files(library.writer, [path])
    IndexingService(library.writer, lambda: None).run(embed=False)


@pytest.fixture
def library(library: Library, tmp_path: Path) -> Library:
    add_notes(library, tmp_path, NOTES)
    return library


def titles_found(library: Library, question: str) -> list[str]:
    found = Retriever(library.writer, lambda: None).find(question, QueryParam(mode="walk"))
    return [passage.title for passage in found.passages]


def test_a_question_reaches_the_article_about_an_entity_it_does_not_name(library: Library):
    found = titles_found(library, "Where does the maker of the film Dark River come from?")
    assert found[:2] == ["Dark River (film)", "Clio Barnard"]


def test_a_common_word_is_not_linked_to_a_title(library: Library):
    found = titles_found(library, "In which state does the Old Mill stand?")
    assert found[0] == "Old Mill"
    assert found.index("Kansas") < found.index("State")


def test_a_rebuilt_index_reads_no_text_twice_and_is_equal(library: Library, tmp_path: Path):
    first = build_index(library.writer)
    assert build_index(library.writer, first).title_mentions is first.title_mentions
    new = [("Santa Barbara", "Santa Barbara lies by the sea. Dark River was never shown there.")]
    add_notes(library, tmp_path, new)
    grown, fresh = build_index(library.writer, first), build_index(library.writer)
    assert sorted(map(tuple, grown.title_mentions.pairs.tolist())) == sorted(
        map(tuple, fresh.title_mentions.pairs.tolist())
    )
    assert np.array_equal(grown.title_node, fresh.title_node)
    assert len(fresh.title_mentions.pairs) > len(first.title_mentions.pairs)


def test_every_article_is_connected_to_the_name_in_its_title(library: Library):
    index = build_index(library.writer)
    assert index.titled.all()
    for row in range(len(index.chunk_ids)):
        value = next(v for v, n in index.node_of_entity.items() if n == index.title_node[row])
        assert row in index.chunks_of_entity[value]


def test_a_long_text_is_an_article_if_it_begins_with_its_title():
    assert defines_title("Frank Sinatra", "Francis Albert Sinatra was an American singer.")
    assert defines_title("海王星", "海王星是太阳系八大行星之一。")
    assert not defines_title(
        "Great Expectations", "My father's family name being Pirrip, I was Pip."
    )
    assert not defines_title("12", "12 men sat in a room.")


@pytest.mark.parametrize("has_titles", [True, False])
def test_titles_that_no_text_has_are_known_as_such(library: Library, tmp_path: Path, has_titles):
    notes = [(title if has_titles else f"{n:04}", text) for n, (title, text) in enumerate(NOTES)]
    other = Library(tmp_path / "other.inkgraph")
    add_notes(other, tmp_path, notes)
    index = build_index(other.writer)
    other.close()
    assert index.titled.all() and len(index.title_mentioned) == len(NOTES)
    assert index.title_mentioned.all() if has_titles else not index.title_mentioned.any()


def test_search_counts_beside_the_walk_only_where_titles_lead_nowhere():
    walk, found = {1: 1.0, 2: 0.5, 3: 0.45}, {3: 0.9, 2: 0.1}
    assert join_search(walk, found, 1.0) == walk
    without = join_search(walk, found, 0.0)
    assert without[3] > without[2] and max(without.values()) == 1.0
