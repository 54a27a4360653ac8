"""Tests importing graphs of other programs: small folders, real parsers, real library."""

from __future__ import annotations

import json
import math
from pathlib import Path

import duckdb
import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.cli import run_command
from desktop_app.cli.importing import describe
from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.model import ENTITY_TYPES
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.exporting.graph_files import export_graph
from desktop_app.engine.services.graph_update import count_graph_differences
from desktop_app.engine.services.importing import service
from desktop_app.engine.services.importing.custom_kg import load_json_file, read_custom_kg
from desktop_app.engine.services.importing.graphrag import load_parquet
from desktop_app.engine.services.importing.model import (
    ImportedChunk,
    split_fragments,
    split_keywords,
)
from desktop_app.engine.services.importing.names import capitalise, map_type
from desktop_app.engine.services.importing.planning import plan_import
from desktop_app.engine.services.importing.service import Imported, import_graph
from desktop_app.engine.services.importing.text_alignment import (
    AlignedPassage,
    FoldedText,
    PassageIndex,
    find_places,
    join_chunks,
)
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from tests.fakes import HashEmbedder
from tests.unit.services.reading_here import read_graphs_here

FIRST = (
    "Tobias Wren kept a shop of clocks in Harrow Lane. His niece, Clara Wren, wound them every"
    " night. Tobias Wren said little."
)
SECOND = (
    "One evening Captain Hale came in from the rain. Captain Hale asked Clara Wren for the watch"
    " of Edmund Marsh. She had loved the sailor once."
)
THIRD = "当夜，陆青山来到听雨楼，柳三娘把一封信交给陆青山。沈砚在旁边看见，不觉大惊。"
BOOK = f"{FIRST}\n\n{SECOND}"


IN_CHILD = pytest.mark.usefixtures("in_child")


@pytest.fixture
def in_child() -> None:
    """Let the test read in a child process, as the program does."""


@pytest.fixture(autouse=True)
def read_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in this process, unless the test asks for the child: each format is read by both."""
    if "in_child" not in request.fixturenames:
        read_graphs_here(monkeypatch)


def contents(library: Library) -> tuple:
    """Return the numbers of rows in the library."""
    tables = "document chunk window extraction mention claimed_relation name_claim text_claim"
    return tuple(library.writer.value(f"SELECT count(*) FROM {t}") for t in tables.split())


def names(library: Library) -> dict[str, str]:
    return {e.name: e.type for e in LibraryReader(library.writer).top_entities(100)}


def relation(library: Library, a: str, b: str):
    found = LibraryReader(library.writer).top_relations(100)
    return next((r for r in found if {r.source, r.target} == {a, b}), None)


def import_kg(library: Library, custom_kg: dict, **options) -> Imported:
    path = library.path.with_name("kg.json")
    path.write_text(json.dumps(custom_kg), "utf-8")
    return import_graph(library.writer, path, **options)


# --- custom_kg of LightRAG ------------------------------------------------------------------------


@pytest.fixture
def custom_kg() -> dict:
    clock = {"file_path": "clock.txt"}
    return {
        "chunks": [
            {"content": SECOND, "source_id": "c2", "chunk_order_index": 1} | clock,
            {"content": FIRST, "source_id": "c1", "chunk_order_index": 0} | clock,
            {"content": THIRD, "source_id": "c3", "file_path": "tea.txt"},
        ],
        "entities": [
            {
                "entity_name": "Tobias Wren",
                "entity_type": "person",
                "description": "An old clockmaker.",
                "source_id": "c1",
            },
            {"entity_name": "陆青山", "entity_type": "人物", "source_id": "c3"},
        ],
        "relationships": [
            {
                "src_id": "Captain Hale",
                "tgt_id": "Clara Wren",
                "description": "The captain asks Clara for the watch.",
                "keywords": "request, watch，debt",
                "weight": 1.0,
                "source_id": "c2",
            }
        ],
    }


@IN_CHILD
def test_a_custom_graph_becomes_documents_names_and_relations(library, custom_kg):
    done = import_kg(library, custom_kg)
    assert (len(done.documents), done.n_chunks, done.n_entities, done.n_relations) == (2, 3, 4, 1)
    titles = {d.title: d for d in LibraryReader(library.writer).list_documents()}
    assert set(titles) == {"clock", "tea"}
    assert all(d.state == "ready" for d in titles.values())
    text = library.writer.value("SELECT text FROM document_text WHERE document_id = 1")
    assert text == BOOK  # in the order of their numbers, not of the list
    assert names(library)["陆青山"] == "person"
    found = relation(library, "Captain Hale", "Clara Wren")
    assert found.description == "The captain asks Clara for the watch."
    assert set(found.keywords) == {"request", "watch", "debt"}
    assert found.sentence == "Captain Hale asked Clara Wren for the watch of Edmund Marsh."
    card = LibraryReader(library.writer).get_entity(
        LibraryReader(library.writer).find_entities("Tobias Wren", 1)[0].id
    )
    assert "An old clockmaker." in card.description


def test_a_graph_imported_twice_is_stored_once(library, custom_kg):
    import_kg(library, custom_kg)
    before = contents(library), names(library)
    again = import_kg(library, custom_kg)
    assert (again.documents, again.updated, again.unchanged) == ((), (), 2)
    assert (contents(library), names(library)) == before


def test_a_second_import_replaces_changed_descriptions(library, custom_kg):
    import_kg(library, custom_kg)
    before = contents(library)
    custom_kg["relationships"][0]["description"] = "She keeps it from him."
    again = import_kg(library, custom_kg)
    assert (len(again.updated), again.unchanged) == (1, 1)
    assert contents(library) == before
    found = relation(library, "Captain Hale", "Clara Wren")
    assert found.description == "She keeps it from him."


def test_a_second_call_adds_to_the_first(library, custom_kg):
    import_kg(library, custom_kg)
    once = contents(library)
    more = {
        "chunks": custom_kg["chunks"][:2],
        "entities": [
            {"entity_name": "Edmund Marsh", "description": "A sailor.", "source_id": "c2"},
            {"entity_name": "Captain Hale", "entity_type": "person", "source_id": "c2"},
        ],
        "relationships": [{"src_id": "Edmund Marsh", "tgt_id": "Clara Wren", "keywords": "love"}],
    }
    assert len(import_kg(library, more).updated) == 1
    assert relation(library, "Captain Hale", "Clara Wren").description.startswith("The captain")
    assert relation(library, "Edmund Marsh", "Clara Wren").keywords == ("love",)
    both = contents(library)
    assert both[3] == once[3]  # one extraction a chunk, from either source
    import_kg(library, custom_kg)
    import_kg(library, more)
    assert contents(library) == both


def test_imported_relations_replace_instant_ones(library, custom_kg):
    import_kg(library, custom_kg)
    instant = library.writer.rows(
        "SELECT c.order_no FROM claimed_relation r JOIN extraction e ON e.id = r.extraction_id"
        " JOIN chunk c ON c.id = r.chunk_id WHERE e.strategy = 'instant' AND r.document_id = 1"
    )
    assert (1,) in instant  # found too, but the graph uses the imported one
    relations = LibraryReader(library.writer).top_relations(50)
    about_hale = [r for r in relations if "asked" in r.sentence]
    assert [{r.source, r.target} for r in about_hale] == [{"Captain Hale", "Clara Wren"}]


@IN_CHILD
def test_a_text_that_was_added_as_a_file_gets_the_graph(library, custom_kg, tmp_path):
    (tmp_path / "clock.txt").write_bytes(BOOK.encode())
    add_files(library.writer, [tmp_path / "clock.txt"])
    with pytest.raises(UserError, match="not read yet"):
        import_kg(library, custom_kg)
    assert library.writer.value("SELECT count(*) FROM extraction") == 0
    IndexingService(library.writer, lambda: None).run(embed=False)
    done = import_kg(library, custom_kg)
    assert (len(done.documents), len(done.updated)) == (1, 1)
    assert relation(library, "Captain Hale", "Clara Wren").description.startswith("The captain")


def test_an_existing_mention_is_not_counted_twice(library, custom_kg):
    custom_kg["entities"].append({"entity_name": "Clara Wren", "source_id": "c1"})
    import_kg(library, custom_kg)
    places = library.writer.rows(
        "SELECT n.text, m.document_id, m.start, count(*) FROM mention m JOIN name n"
        " ON n.id = m.name_id GROUP BY 1, 2, 3"
    )
    assert places
    assert [p for p in places if p[3] > 1] == []


def test_imported_texts_are_embedded_and_found(library, custom_kg):
    import_kg(library, custom_kg)
    embedder = HashEmbedder()
    IndexingService(library.writer, lambda: embedder).run()
    overview = LibraryReader(library.writer).overview()
    assert overview.n_embedded == overview.n_windows > 0
    found = Retriever(library.writer, lambda: embedder).find("Who asked for the watch?")
    assert found.passages[0].title == "clock"


def test_without_instant_names_the_graph_is_as_imported(library, custom_kg):
    import_kg(library, custom_kg, find_names=False)
    assert set(names(library)) == {"Tobias Wren", "陆青山", "Captain Hale", "Clara Wren"}
    assert {d.state for d in LibraryReader(library.writer).list_documents()} == {"ready"}


def test_a_full_doc_id_makes_all_chunks_one_document(library, custom_kg):
    for chunk in custom_kg["chunks"]:
        chunk["full_doc_id"] = "everything"
    done = import_kg(library, custom_kg)
    assert len(done.documents) == 1


def test_a_name_not_in_the_text_is_placed_at_the_most_similar_sentence(library, custom_kg):
    custom_kg["entities"].append(
        {
            "entity_name": "The Lost Sailor's Timepiece",
            "entity_type": "artifact",
            "description": "A watch that Captain Hale asked for.",
            "source_id": "c2",
        }
    )
    done = import_kg(library, custom_kg, find_names=False)
    assert done.unseen_names == ("The Lost Sailor's Timepiece",)
    start, end, sentence = library.writer.row(
        "SELECT m.start, m.end, substr(t.text, m.sentence_start + 1, m.sentence_end -"
        " m.sentence_start) FROM mention m JOIN name n ON n.id = m.name_id JOIN document_text t"
        " USING (document_id) WHERE n.text LIKE 'The Lost%'"
    )
    assert start == end  # no text is marked as the name
    assert sentence.startswith("Captain Hale asked")
    assert any("not in the text" in line for line in describe(done))


def test_names_are_found_whatever_their_case_width_and_quotes(library):
    text = "The ‘Iron  Duke’ sailed. Ｋ２ was seen from O’Brien's ship. Annabel slept."
    given = ['"IRON DUKE"', "K2", "O'Brien", "Anna"]
    kg = {
        "chunks": [{"content": text, "source_id": "c"}],
        "entities": [{"entity_name": n, "source_id": "c"} for n in given],
    }
    done = import_kg(library, kg, find_names=False)
    assert done.unseen_names == ("Anna",)  # not found in "Annabel"
    assert set(names(library)) == {"Iron Duke", "K2", "O'Brien", "Anna"}


def test_a_graph_without_texts_gets_a_generated_document(library):
    kg = {
        "entities": [{"entity_name": "Ada", "entity_type": "person", "description": "She counts."}],
        "relationships": [
            {"src_id": "Ada", "tgt_id": "Charles", "description": "They write.", "keywords": ""}
        ],
    }
    done = import_kg(library, kg, find_names=False)
    assert (len(done.documents), done.unseen_names) == (1, ())
    assert names(library)["Ada"] == "person"
    assert relation(library, "Ada", "Charles").sentence == "Ada – Charles: They write."


def test_an_own_export_can_be_imported(library, custom_kg, tmp_path):
    import_kg(library, custom_kg)
    for format_ in ("json", "graphml"):
        path = tmp_path / f"graph.{format_}"
        export_graph(library.writer, path, format_)
        other = Library(tmp_path / f"{format_}.inkgraph")
        import_graph(other.writer, path, find_names=False)
        assert set(names(library)) <= set(names(other))
        back = relation(other, "Captain Hale", "Clara Wren")
        assert back.description == "The captain asks Clara for the watch."
        assert names(other)["Clara Wren"] == names(library)["Clara Wren"]
        other.close()


@pytest.mark.parametrize("weight", [1e300, math.nan, math.inf, -3, "heavy", None, True])
def test_weights_are_limited(library, custom_kg, weight):
    custom_kg["relationships"] += [
        {"src_id": "Tobias Wren", "tgt_id": "Clara Wren", "weight": weight, "source_id": "c1"}
    ]
    import_kg(library, custom_kg)
    weights = [
        w
        for (w,) in library.writer.rows(
            "SELECT r.weight FROM claimed_relation r JOIN extraction e ON e.id = r.extraction_id"
            " WHERE e.strategy = 'given'"
        )
    ]
    assert len(weights) == 2
    assert all(0.25 <= w <= 4.0 for w in weights)


def test_the_longest_chunk_is_cut_and_keeps_its_names(library):
    text = " ".join(f"Sentence number {i} is here." for i in range(1200)) + " Zenobia sleeps."
    kg = {
        "chunks": [{"content": text, "source_id": "c"}],
        "entities": [{"entity_name": "Zenobia", "source_id": "c"}],
    }
    done = import_kg(library, kg, find_names=False)
    assert done.n_chunks > 5
    assert done.unseen_names == ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"chunks": {}, "entities": [], "relationships": []}, "no chunks, entities"),
        ({"chunks": "text"}, "“chunks”"),
        ({"entities": [{"entity_type": "person"}]}, "entry 1 of “entities”.*entity_name"),
        ({"entities": ["Ada"]}, "entry 1 of “entities”"),
        ({"relationships": [{"src_id": "Ada"}]}, "entry 1 of “relationships”.*tgt_id"),
        ({"chunks": [{"source_id": "c1"}]}, "entry 1 of “chunks”.*content"),
    ],
)
def test_an_invalid_entry_is_reported_and_nothing_is_stored(library, custom_kg, change, reason):
    with pytest.raises(UserError, match=f"(?i){reason}") as caught:
        import_kg(library, custom_kg | change)
    assert caught.value.hint
    assert not any(contents(library))


@pytest.mark.parametrize("stage", ["importing", "graph"])
@pytest.mark.parametrize("at", [0, 1])
def test_a_cancelled_import_leaves_the_library_as_it_was(library, custom_kg, tmp_path, stage, at):
    import_kg(library, custom_kg | {"chunks": custom_kg["chunks"][:1]})
    before = contents(library)
    path = tmp_path / "kg.json"
    path.write_text(json.dumps(custom_kg), "utf-8")
    token = CancelToken()

    def stop(progress):
        if progress.stage == stage and progress.total and progress.done == at:
            token.cancel()

    with pytest.raises(Cancelled):
        import_graph(library.writer, path, cancel=token, on_progress=stop)
    assert contents(library) == before
    assert count_graph_differences(library.writer) == 0
    assert import_graph(library.writer, path).documents


def test_a_text_added_during_an_import_ends_it_and_nothing_else_is_written(
    library, custom_kg, tmp_path
):
    path, text = tmp_path / "kg.json", tmp_path / "book.txt"
    path.write_text(json.dumps(custom_kg), "utf-8")
    text.write_text(THIRD, "utf-8")

    def add_text(progress):
        if progress.stage == "importing" and progress.total and progress.done == 1:
            add_files(library.writer, [text])

    with pytest.raises(UserError, match="changed during"):
        import_graph(library.writer, path, on_progress=add_text)
    assert contents(library)[:2] == (1, 0)


ANYTHING = st.one_of(
    st.none(),
    st.floats(),
    st.integers(),
    st.text(max_size=30),
    st.sampled_from(
        ["c0", "c1", "Ada", "ADA", "Ada Byron", "柳三娘", "<SEP>", "c0<SEP>c1", "A\ud800"]
    ),
    st.lists(st.text(max_size=5), max_size=3),
)
FIELDS = [
    "entity_name",
    "entity_type",
    "description",
    "source_id",
    "aliases",
    "src_id",
    "tgt_id",
    "keywords",
    "weight",
    "content",
    "file_path",
    "chunk_order_index",
    "full_doc_id",
]


@given(
    st.lists(st.dictionaries(st.sampled_from(FIELDS), ANYTHING), max_size=4),
    st.lists(st.text(min_size=1, max_size=60), max_size=3),
)
def test_any_input_is_planned_or_refused(entries, texts):
    names = ["Ada", "Ada Byron", "柳三娘", "ADA"]
    kg = {
        "chunks": [
            {"content": f"{t} Ada Byron.", "source_id": f"c{i}"} for i, t in enumerate(texts)
        ]
        + [e for e in entries if "content" in e],
        "entities": [{"entity_name": names[i]} | e for i, e in enumerate(entries)],
        "relationships": [{"src_id": "Ada", "tgt_id": "柳三娘"} | e for e in entries],
    }
    try:
        plan = plan_import(read_custom_kg(kg), lambda sha256: None, CancelToken())
    except UserError:
        return
    for document in plan.documents:
        text = document.read.text
        text.encode("utf-8")
        covered = "".join(text[s.start : s.end] for s in document.spans)
        assert len("".join(covered.split())) >= len("".join(text.split()))
        spans = {s.order: s for s in document.spans}
        for order, evidence in document.evidence.items():
            claims = (*evidence.mentions, *evidence.relations, *evidence.claims)
            for one in claims:
                assert spans[order].start <= one.start <= one.end <= spans[order].end
            for mention in evidence.mentions:
                assert mention.sentence_start <= mention.start <= mention.sentence_end
            assert all(0.25 <= r.weight <= 4.0 for r in evidence.relations)
    mentioned = {m.name for d in plan.documents for e in d.evidence.values() for m in e.mentions}
    for document in plan.documents:
        for evidence in document.evidence.values():
            assert {n for r in evidence.relations for n in (r.source, r.target)} <= mentioned
            assert {n.name for n in evidence.names} <= mentioned


# --- LightRAG ------------------------------------------------------------------------------------


def make_lightrag(folder: Path, *, overlap: int = 40, with_docs: bool = True) -> Path:
    """Write a working folder as LightRAG 1.4 does; its two chunks overlap."""
    folder.mkdir(parents=True)
    cut = len(FIRST)
    chunks = {
        "chunk-a": BOOK[:cut],
        "chunk-b": BOOK[cut - overlap :].strip(),
    }
    stored = {
        key: {
            "tokens": 30,
            "content": text,
            "chunk_order_index": i,
            "full_doc_id": "doc-0123456789abcdef0123456789abcdef",
            "file_path": "books/clock.txt",
        }
        for i, (key, text) in enumerate(chunks.items())
    }
    (folder / "kv_store_text_chunks.json").write_text(json.dumps(stored), "utf-8")
    if with_docs:
        document = {"content": BOOK, "file_path": "books/clock.txt"}
        (folder / "kv_store_full_docs.json").write_text(
            json.dumps({"doc-0123456789abcdef0123456789abcdef": document}), "utf-8"
        )
    graph = nx.Graph()
    graph.add_node(
        "Clara Wren",
        entity_id="Clara Wren",
        entity_type="person",
        description="Clara winds the clocks.<SEP>Clara loved a sailor.",
        source_id="chunk-a<SEP>chunk-b",
        file_path="books/clock.txt",
        created_at=1,
    )
    graph.add_node(
        "Harrow Lane", entity_type="location", description="A lane.", source_id="chunk-a"
    )
    graph.add_node("Old Nick", entity_type="deity", description="UNKNOWN", source_id="chunk-gone")
    graph.add_edge(
        "Clara Wren",
        "Harrow Lane",
        weight=9.0,
        description="Clara lives in the lane.",
        keywords="home,work",
        source_id="chunk-a",
    )
    graph.add_edge("Old Nick", "Old Nick", weight=1.0, description="himself", source_id="chunk-a")
    nx.write_graphml(graph, folder / "graph_chunk_entity_relation.graphml")
    return folder


@pytest.mark.parametrize("with_docs", [True, False])
def test_a_lightrag_folder_is_imported_with_its_texts(library, tmp_path, with_docs):
    folder = make_lightrag(tmp_path / "rag", with_docs=with_docs)
    done = import_graph(library.writer, folder, find_names=False)
    assert done.origin == "LightRAG"
    text = library.writer.value("SELECT text FROM document_text WHERE document_id = 1")
    assert text == BOOK  # joined from its chunks, without the overlap, where it is missing
    document = LibraryReader(library.writer).list_documents()[-1]
    assert (document.title, document.file_name) == ("clock", "clock.txt")
    assert names(library)["Harrow Lane"] == "place"
    sql = "SELECT description FROM name_claim WHERE description LIKE 'Clara%'"
    assert sorted(library.writer.rows(sql)) == [
        ("Clara loved a sailor.",),
        ("Clara winds the clocks.",),
    ]
    assert relation(library, "Clara Wren", "Harrow Lane").keywords == ("home", "work")
    assert done.left_out["connections of a name with itself"] == 1
    assert any("deity" in reason for reason in done.left_out)
    assert "Old Nick" in names(library)  # its passage is lost, so a generated text holds it
    assert import_graph(library.writer, folder, find_names=False).unchanged == 2


def test_names_in_overlapping_chunks_count_once(library, tmp_path):
    import_graph(library.writer, make_lightrag(tmp_path / "rag", overlap=120), find_names=False)
    places = library.writer.rows(
        "SELECT start FROM mention m JOIN name n ON n.id = m.name_id WHERE n.text = 'Clara Wren'"
    )
    assert len(places) == len(set(places)) == BOOK.count("Clara Wren")


@IN_CHILD
def test_a_workspace_inside_the_working_folder_is_found(library, tmp_path):
    make_lightrag(tmp_path / "rag" / "space")
    assert import_graph(library.writer, tmp_path / "rag").origin == "LightRAG"


@pytest.mark.parametrize("file", ["kv_store_text_chunks.json", "kv_store_full_docs.json"])
def test_a_truncated_store_is_reported(library, tmp_path, file):
    folder = make_lightrag(tmp_path / "rag")
    path = folder / file
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UserError, match=f"{file}.*line 1"):
        import_graph(library.writer, folder)
    path.write_text("[1]", "utf-8")
    with pytest.raises(UserError, match=file):
        import_graph(library.writer, folder)
    assert not any(contents(library))


@IN_CHILD
def test_a_truncated_graph_is_reported(library, tmp_path):
    path = make_lightrag(tmp_path / "rag") / "graph_chunk_entity_relation.graphml"
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(UserError, match=r"graph_chunk_entity_relation\.graphml"):
        import_graph(library.writer, tmp_path / "rag")
    path.unlink()
    with pytest.raises(UserError, match=r"graph_chunk_entity_relation\.graphml"):
        import_graph(library.writer, tmp_path / "rag")
    assert not any(contents(library))


# --- GraphRAG ------------------------------------------------------------------------------------


def write_parquet(path: Path, rows: list[dict]) -> None:
    """Write rows as a parquet file through JSON, so that lists stay lists."""
    source = path.with_suffix(".jsonl")
    source.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"COPY (SELECT * FROM read_json('{source}')) TO '{path}'")
    source.unlink()


def make_graphrag(folder: Path, *, old: bool = False) -> Path:
    """Write the tables as GraphRAG 2 does, or 0.3 (names of files and columns)."""
    folder.mkdir(parents=True)
    name, text, prefix = ("name", "raw_content", "create_final_") if old else ("title", "text", "")
    tables = {
        "documents": [{"id": "d", "title": "clock.txt", text: BOOK, "text_unit_ids": ["a", "b"]}],
        "text_units": [
            {"id": "a", "text": FIRST, "n_tokens": 30, "document_ids": ["d"]},
            {"id": "b", "text": SECOND, "n_tokens": 30, "document_ids": ["d"]},
        ],
        "entities": [
            {
                "id": "1",
                name: "CLARA WREN",
                "type": "PERSON",
                "description": "Clara winds clocks.",
                "text_unit_ids": ["a", "b"],
            },
            {
                "id": "2",
                name: "HARROW LANE",
                "type": "GEO",
                "description": "A lane.",
                "text_unit_ids": ["a"],
            },
            {
                "id": "3",
                name: "CLOCK GUILD",
                "type": "ORGANIZATION",
                "description": None,
                "text_unit_ids": ["a"],
            },
        ],
        "relationships": [
            {
                "id": "r",
                "source": "CLARA WREN",
                "target": "HARROW LANE",
                "description": "Clara lives there.",
                "weight": 8.0,
                "text_unit_ids": ["a"],
            }
        ],
        "covariates": [
            {
                "id": "c",
                "covariate_type": "claim",
                "type": "SECRECY",
                "description": "Tobias is silent.",
                "subject_id": "TOBIAS WREN",
                "object_id": "NONE",
                "status": "TRUE",
                "start_date": None,
                "end_date": None,
                "source_text": "Tobias Wren said little.",
                "text_unit_id": "a",
            },
            {
                "id": "e",
                "covariate_type": "claim",
                "type": "THEFT",
                "description": "Hale steals.",
                "subject_id": "HALE",
                "object_id": "NONE",
                "status": "SUSPECTED",
                "start_date": None,
                "end_date": None,
                "source_text": "Hale stole it in the night.",
                "text_unit_id": "b",
            },
        ],
    }
    for table, rows in tables.items():
        write_parquet(folder / f"{prefix}{table}.parquet", rows)
    return folder


@pytest.mark.parametrize(
    ("below", "old"),
    [
        ("out", False),
        ("root/output", False),
        ("root/output/20240701-1/artifacts", True),
    ],
)
def test_graphrag_tables_are_imported(library, tmp_path, below, old):
    make_graphrag(tmp_path / below, old=old)
    folder = tmp_path / below.split("/")[0]
    done = import_graph(library.writer, folder, find_names=False)
    assert (done.origin, len(done.documents), done.n_chunks) == ("GraphRAG", 1, 2)
    assert names(library) == {
        "Clara Wren": "person",  # in the spelling of the text
        "Harrow Lane": "place",
        "Clock Guild": "organisation",  # not in the text
    }
    assert done.unseen_names == ("Clock Guild",)
    assert relation(library, "Clara Wren", "Harrow Lane").description == "Clara lives there."
    claim = library.writer.row(
        "SELECT c.type, c.status, c.object_id, substr(t.text, c.start + 1, c.end - c.start)"
        " FROM text_claim c JOIN document_text t USING (document_id)"
    )
    assert claim == ("SECRECY", "true", None, "Tobias Wren said little")
    assert done.left_out["claims whose quote is not in the text"] == 1
    before = contents(library)
    assert import_graph(library.writer, folder, find_names=False).unchanged == 1
    assert contents(library) == before


def test_a_missing_table_or_column_is_reported(library, tmp_path):
    folder = make_graphrag(tmp_path / "out")
    write_parquet(folder / "relationships.parquet", [{"id": "r", "source": "A"}])
    with pytest.raises(UserError, match=r"relationships\.parquet.*“target”"):
        import_graph(library.writer, folder)
    (folder / "relationships.parquet").unlink()
    with pytest.raises(UserError, match=r"no “relationships\.parquet”"):
        import_graph(library.writer, folder)
    assert not any(contents(library))


def test_a_truncated_table_is_reported(library, tmp_path):
    path = make_graphrag(tmp_path / "out") / "text_units.parquet"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UserError, match=r"text_units\.parquet"):
        import_graph(library.writer, tmp_path / "out")
    assert not any(contents(library))


@pytest.mark.parametrize("rows", ["range(3000000)", "range(20000)"])
def test_a_small_table_of_very_many_or_very_long_values_is_refused(tmp_path, rows):
    path = tmp_path / "entities.parquet"
    long = "repeat('x', 30000)" if rows == "range(20000)" else "'x'"
    duckdb.execute(f"COPY (SELECT {long} AS title FROM {rows}) TO '{path}' (FORMAT parquet)")
    assert path.stat().st_size < 2_000_000
    with pytest.raises(UserError, match="far too much data"):
        load_parquet(path)


def test_a_json_file_with_a_lone_surrogate_is_imported(library, custom_kg, tmp_path):
    custom_kg["chunks"][0]["file_path"] = "mill\ud800.txt"
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(custom_kg))
    graph = read_custom_kg(load_json_file(path))
    assert "mill\ufffd.txt" in {document.file_name for document in graph.documents}


@IN_CHILD
def test_a_folder_whose_name_looks_like_a_pattern_is_read(library, tmp_path):
    make_graphrag(tmp_path / "a[1] what?")
    assert import_graph(library.writer, tmp_path / "a[1] what?").n_entities == 3


def test_a_folder_of_another_format_is_refused(library, tmp_path):
    with pytest.raises(UserError, match="no graph"):
        import_graph(library.writer, tmp_path)
    with pytest.raises(UserError, match="There is no"):
        import_graph(library.writer, tmp_path / "nowhere")


@IN_CHILD
def test_the_command_prints_what_was_imported(tmp_path, capsys):
    folder, library = make_graphrag(tmp_path / "out"), tmp_path / "l.inkgraph"
    arguments = ["import", "--library", str(library), str(folder), "--no-embed"]
    assert run_command(arguments) == 0
    printed = capsys.readouterr().out
    assert "GraphRAG's tables in “out”: 1 new document" in printed
    assert "claims whose quote is not in the text: 1" in printed
    assert run_command([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["imported"]["unchanged"] == 1
    assert run_command(["import", "--library", str(library), str(tmp_path / "nowhere")]) == 1
    assert "There is no" in capsys.readouterr().err


# --- alignment of chunks -------------------------------------------------------------------------


def test_chunks_that_differ_from_the_text_are_aligned_by_similarity(library, tmp_path):
    folder = make_lightrag(tmp_path / "rag")
    path = folder / "kv_store_text_chunks.json"
    stored = json.loads(path.read_text("utf-8"))
    stored["chunk-a"]["content"] = "title: clock\n" + FIRST.replace("little", "nothing")
    stored["chunk-b"]["content"] = "Nothing of this stands there: 完全不同的一段文字在这里。"
    path.write_text(json.dumps(stored), "utf-8")
    done = import_graph(library.writer, folder, find_names=False)
    assert done.n_attached == 1
    titles = {d.title for d in LibraryReader(library.writer).list_documents()}
    assert "clock: other passages" in titles
    sentence = relation(library, "Clara Wren", "Harrow Lane").sentence
    assert "Clara Wren" in sentence or "Harrow Lane" in sentence


def test_chunks_are_aligned_ignoring_white_space():
    text = "One two\n  three. Four five six. Seven."
    chunks = [
        ImportedChunk("a", "One two three.", "d"),
        ImportedChunk("b", "\ufffdFour  five six.", "d"),
    ]
    assert [text[a:b] for a, b in find_places(text, chunks)] == [
        "One two\n  three.",
        "Four five six.",
    ]


def test_text_shared_by_neighbouring_chunks_is_stored_once():
    text = "".join(f"word{i} " for i in range(200)).strip()
    assert join_chunks([text[:500], text[400:900], text[880:]]) == text
    assert join_chunks(["One.", "Two."]) == "One.\n\nTwo."


# --- words of other programs ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "ours"),
    [
        ("Organization", "organisation"),
        ('"GEO"', "place"),
        ("NaturalObject", "object"),
        ("natural object", "object"),
        ("Creature", "other"),
        ("method", "concept"),
        ("地点", "place"),
        ("spaceship<SEP>person", "person"),
        ("spaceship", ""),
        ("", ""),
    ],
)
def test_imported_types_are_mapped_to_known_types(given, ours):
    assert map_type(given) == ours
    assert ours in (*ENTITY_TYPES, "")


def test_fields_are_split_at_the_separator():
    assert split_fragments("One.<SEP>UNKNOWN<SEP>Two.<SEP>One.") == ("One.", "Two.")
    assert split_fragments(None) == split_fragments(math.nan) == ()
    assert split_keywords("Power, power，rule<SEP>rule; war") == ("Power", "rule", "war")
    assert split_keywords(["a, b", "c"]) == ("a", "b", "c")


def test_names_in_capitals_are_converted_to_title_case():
    assert capitalise("SCROOGE'S CLERK") == "Scrooge's Clerk"
    assert capitalise("THE GHOST OF JACOB MARLEY") == "The Ghost Of Jacob Marley"
    assert capitalise("O’BRIEN-SMITH 2") == "O’brien-Smith 2"


PIECES = [
    "Ada",
    "ada",
    "Ada's",
    "柳",
    "三娘",
    "ＡＤＡ",
    "_",
    " ",
    "\n",
    "-",
    "(x)",
    "Byron",
    "é",
    "’",
]
PIECED_TEXT = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


@given(st.lists(PIECED_TEXT, max_size=6), PIECED_TEXT)
def test_the_index_finds_the_same_passages_as_a_search_of_each(texts, name):
    passages = [AlignedPassage(0, i, 0, text, "en") for i, text in enumerate(texts)]
    assert PassageIndex(passages).find(name) == [p for p in passages if p.find(name)]


@given(PIECED_TEXT)
def test_each_place_of_a_folded_text_is_where_its_character_was(text):
    folded = FoldedText(text)
    for at, char in enumerate(folded.text):
        own = text[folded.place(at)]
        assert char == " " or char in FoldedText(own).text


def test_a_very_long_generated_text_is_not_searched_for_further_names(library, monkeypatch):
    monkeypatch.setattr(service, "MAX_SEARCHED_CHARS", 10)
    entity = {"entity_name": "Ada Byron", "description": "She wrote to Clara Wren of Harrow Lane."}
    done = import_kg(library, {"chunks": [], "entities": [entity]})
    assert list(names(library)) == ["Ada Byron"]
    [(reason, n_chars)] = done.left_out.items()
    assert "too many to search" in str(reason)
    assert n_chars == len("Ada Byron: She wrote to Clara Wren of Harrow Lane.")
