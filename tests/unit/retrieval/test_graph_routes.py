"""Tests LightRAG's modes over the instant graph, and filters by document."""

from __future__ import annotations

import time
from dataclasses import asdict

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.messages import Message
from desktop_app.engine.query import GRAPH_MODES, MODES, QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.retrieval.strategies.graph_routes import interleave
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.graph_update import update_graph
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from tests.fakes import HashEmbedder
from tests.unit.services.test_indexing import STORY, TALE

TRIAL = """The Trial at Mordale

Tobias Wren was hanged at Mordale for the poisoning of Silas Quill. Old Wren the poisoner, as the
people of Mordale called Tobias Wren, had quarrelled with Silas Quill over a stolen ledger.

Clara Wren stood beside Judge Harbottle at Mordale. Judge Harbottle had married Clara Wren that
spring. Clara Wren spoke to Silas Quill of the ledger.
"""
OF_TRIAL = ("Mordale", "Quill", "Harbottle", "poison", "ledger", "hanged", "forger")
ASKED = "What became of Tobias Wren and Clara Wren at Mordale?"


@pytest.fixture
def library(tmp_path):
    for name, text in (("clock.txt", STORY), ("tea.txt", TALE), ("trial.txt", TRIAL)):
        (tmp_path / name).write_text(text, "utf-8")
    made = Library(tmp_path / "asked.inkgraph")
    add_files(made.writer, sorted(tmp_path.glob("*.txt")))
    IndexingService(made.writer, HashEmbedder).run()
    yield made
    made.close()


def find(library, question, *, embedder=HashEmbedder, **options):
    return Retriever(library.writer, embedder).find(question, QueryParam(**options))


def document(library, file_name):
    return library.writer.value("SELECT id FROM document WHERE file_name = ?", (file_name,))


def all_text(found) -> str:
    """Return all text of a retrieval result except the question."""
    parts = asdict(found)
    for key in ("question", "asked", "timings_ms", "keywords"):
        del parts[key]
    parts["meant"] = [name for _, name in found.meant]  # the other half is from the question
    parts["stages"] = [s for s in parts["stages"] if s["name"] not in ("keywords", "names")]
    linked = [k for s in found.stages if s.name == "names" for k in s.kept if "→" in k]
    return repr((parts, [label.split("→")[-1] for label in linked]))


def say_of(library, name, file_name, description):
    """Store a description of a name for every chunk of a document."""
    db = library.writer
    with db.transaction():
        name_id = db.value("SELECT id FROM name WHERE text = ? AND sense = 0", (name,))
        for (chunk_id,) in db.rows(
            "SELECT id FROM chunk WHERE document_id = ?", (document(library, file_name),)
        ):
            made = db.write(
                "INSERT OR IGNORE INTO extraction(chunk_id, strategy, model, created_at)"
                " VALUES (?, 'given', 'someone', ?)",
                (chunk_id, time.time()),
            )
            db.write(
                "INSERT INTO name_claim(extraction_id, chunk_id, document_id, name_id, type,"
                " description, confidence) SELECT ?, id, document_id, ?, 'person', ?, 0.9"
                " FROM chunk WHERE id = ?",
                (made, name_id, description, chunk_id),
            )
    update_graph(db)


@pytest.mark.parametrize("mode", GRAPH_MODES)
def test_a_graph_mode_gives_passages_names_and_relations(library, mode):
    found = find(library, "How did Captain Hale know Edmund Marsh?", mode=mode)
    assert "sailed with Edmund Marsh" in " ".join(found.passages[0].text.split())
    assert {"Captain Hale", "Edmund Marsh"} <= {e.name for e in found.entities}
    first = found.passages[0]  # its position is known
    length = "SELECT n_chars FROM document WHERE id = ?"
    n_chars = library.writer.value(length, (first.document_id,))
    assert 0 <= first.start < first.n_document_chars == n_chars
    ties = [{r.source, r.target} for r in found.relations]
    assert {"Captain Hale", "Edmund Marsh"} in ties
    assert len({p.chunk_id for p in found.passages}) == len(found.passages)
    assert [p.score for p in found.passages] == sorted(p.score for p in found.passages)[::-1]
    assert found.keywords.low == ("Captain Hale", "Edmund Marsh")
    names = [s.name for s in found.stages]
    assert names[-1] == "passages"
    assert {"meaning", "names", "keywords", "entities", "relations"} <= set(names)


def test_passages_say_which_route_found_them(library):
    found = find(library, "How did Captain Hale know Edmund Marsh?", mode="mix")
    routes = {route for p in found.passages for route, _ in p.routes}
    assert routes == {"meaning", "entity", "relation"}


@pytest.mark.parametrize("mode", ["walk", "mix", "naive", "words"])
def test_pinned_passages_come_first_whatever_is_found(library, mode):
    asked = "How did Captain Hale know Edmund Marsh?"
    plain = find(library, asked, mode=mode)
    pinned = library.writer.value("SELECT id FROM chunk WHERE text LIKE '%柳三娘%'")
    gone = 10_000
    assert plain.passages[0].chunk_id != pinned
    found = find(library, asked, mode=mode, pinned_chunk_ids=(pinned, gone))
    assert found.passages[0].chunk_id == pinned and "柳三娘" in found.passages[0].text
    assert found.passages[0].score == found.passages[1].score == plain.passages[0].score
    rest = [p.chunk_id for p in plain.passages if p.chunk_id != pinned]
    assert [p.chunk_id for p in found.passages[1:]] == rest
    off = find(library, "xyzzy plugh?", mode=mode, pinned_chunk_ids=(pinned,))
    assert [p.chunk_id for p in off.passages][:1] == [pinned] and not off.weak


def test_local_mode_starts_with_the_named_entities(library):
    found = find(library, "柳三娘是谁？", mode="local")
    assert found.entities[0].name == "柳三娘"
    assert "柳三娘" in found.passages[0].text


def test_given_keywords_replace_extracted_ones(library):
    by_names = find(
        library, "Tell me more.", mode="local", ll_keywords=("Port Ellis", "brig Petrel")
    )
    assert by_names.keywords.low == ("Port Ellis", "brig Petrel")
    assert "Petrel" in by_names.passages[0].text
    by_theme = find(library, "Tell me more.", mode="global", hl_keywords=("a letter", "一封信"))
    assert "信" in by_theme.passages[0].text


def test_top_k_bounds_names_and_relations(library):
    found = find(library, ASKED, mode="mix", top_k=2, chunk_top_k=1)
    assert len(found.passages) == 1
    assert len(found.entities) <= 4 and len(found.relations) <= 4  # of local and of global
    assert len(find(library, ASKED, mode="local", top_k=2).entities) == 2


def test_chunks_can_be_chosen_by_weight(library):
    found = find(library, ASKED, mode="hybrid", kg_chunk_pick_method="WEIGHT")
    scores = [s for p in found.passages for route, s in p.routes if route == "entity"]
    assert scores and all(score == int(score) for score in scores)


def test_a_threshold_drops_distant_results(library):
    found = find(library, "Zebras in the zoo?", mode="global", cosine_threshold=0.99)
    assert found.entities == () and found.relations == () and found.passages == ()


@pytest.mark.parametrize("mode", GRAPH_MODES)
def test_without_vectors_names_are_found_by_words(library, mode):
    found = find(library, "Who sailed with Edmund Marsh?", mode=mode, embedder=lambda: None)
    assert "Captain Hale" in {e.name for e in found.entities}
    assert "sailed with Edmund Marsh" in " ".join(p.text for p in found.passages)


@pytest.mark.parametrize("mode", GRAPH_MODES)
def test_an_empty_library_gives_nothing(tmp_path, mode):
    empty = Library(tmp_path / "empty.inkgraph")
    found = find(empty, "Who is there?", mode=mode)
    assert found.passages == () and found.entities == () and found.weak
    empty.close()


def test_bypass_retrieves_nothing_and_an_unknown_mode_lists_the_known(library):
    found = find(library, ASKED, mode="bypass")
    assert found.mode == "bypass" and found.passages == () and not found.weak
    with pytest.raises(UserError, match="walk, local, global"):
        find(library, ASKED, mode="drift")


# --- filters ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [m for m in MODES if m != "bypass"])
@pytest.mark.parametrize("by", ["excluded", "documents"])
def test_nothing_of_an_excluded_document_is_found(library, mode, by):
    say_of(library, "Tobias Wren", "trial.txt", "Tobias Wren is a forger and a poisoner.")
    whole = all_text(find(library, ASKED, mode=mode))
    assert any(word in whole for word in OF_TRIAL)  # otherwise the test would prove nothing
    options = {}
    if by == "excluded":
        DocumentService(library.writer).set_aside([document(library, "trial.txt")], True)
    else:
        options["document_ids"] = tuple(document(library, n) for n in ("clock.txt", "tea.txt"))
    found = find(library, ASKED, mode=mode, **options)
    text = all_text(found)
    assert [word for word in OF_TRIAL if word in text] == []
    if mode not in ("naive", "words"):
        tobias = next(e for e in found.entities if "Tobias" in e.name)
        assert "kept a shop" in tobias.description or "Tobias" in tobias.description
        assert tobias.n_documents == 1


@pytest.mark.parametrize("mode", ["walk", "local"])
def test_an_entity_only_of_excluded_documents_is_not_shown(library, mode):
    only = (document(library, "trial.txt"),)
    found = find(library, "Who is Captain Hale to Tobias Wren?", mode=mode, document_ids=only)
    assert found.entities
    assert "Captain Hale" not in {e.name for e in found.entities}
    assert all("Hale" not in r.source + r.target for r in found.relations)


@pytest.mark.parametrize("mode", ["walk", "local"])
def test_an_entity_is_shown_under_a_name_of_the_included_documents(library, mode):
    db = library.writer
    hale, judge = (
        db.value("SELECT id FROM entity WHERE name LIKE ?", (f"%{n}",)) for n in ("Hale", "bottle")
    )
    with db.edit(Message("One man")):
        db.write("INSERT INTO merged VALUES ('Captain Hale', 'Judge Harbottle')")
    update_graph(db)
    assert db.value("SELECT count(*) FROM entity WHERE id IN (?, ?)", (hale, judge)) == 1
    only = (document(library, "trial.txt"),)
    found = find(library, "Captain Hale and Clara Wren?", mode=mode, document_ids=only)
    assert "Judge Harbottle" in {e.name for e in found.entities}
    assert "Hale" not in all_text(found)


def test_edits_of_the_user_stay_whatever_document_is_excluded(library):
    db = library.writer
    tobias = db.value("SELECT id FROM entity WHERE name LIKE '%Tobias Wren'")
    EditingService(db).describe(tobias, "My favourite.")
    DocumentService(db).set_aside([document(library, "trial.txt")], True)
    found = find(library, "Who is Tobias Wren?", mode="local")
    assert next(e for e in found.entities if e.id == tobias).description == "My favourite."


def test_relations_are_described_by_the_included_documents(library):
    asked = "Tobias Wren and Clara Wren"
    before = find(library, asked, mode="local")
    DocumentService(library.writer).set_aside([document(library, "trial.txt")], True)
    after = find(library, asked, mode="local")
    kept = {r.id: r for r in after.relations}
    assert kept and kept.keys() < {r.id for r in before.relations}
    for old in before.relations:
        if (new := kept.get(old.id)) is not None:
            assert new.n_evidence <= old.n_evidence and new.weight <= old.weight
            assert new.document_id == document(library, "clock.txt")
            assert new.sentence in " ".join([STORY])


def test_round_robin_merging_gives_no_duplicates():
    assert interleave([1, 2, 3, 4], [1, 5], [6]) == [1, 6, 2, 5, 3, 4]
    assert interleave([], []) == []
