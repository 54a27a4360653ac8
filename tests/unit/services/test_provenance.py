"""Tests provenance: a model, a quotation, an import or the user; and rejected names."""

from __future__ import annotations

import pytest

from desktop_app.engine.graph.names import normalise_name
from desktop_app.engine.model import (
    ChunkEvidence,
    ClaimedRelation,
    Mention,
    NameClaim,
    Passage,
    TextClaim,
)
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.graph_update import update_graph
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader, find_named
from desktop_app.engine.store import evidence
from tests.books import BOOK, add_book

MODEL = "tiny-model"


@pytest.fixture
def library(library: Library) -> Library:
    add_book(library)
    return library


def enrich(library: Library, order: int, *, strategy: str = "slots", model: str = MODEL, **fields):
    """Store evidence of a model for one chunk; `fields` are those of the evidence."""
    db = library.writer
    chunk_id, document_id, start = db.row(
        "SELECT id, document_id, start FROM chunk WHERE order_no = ?", (order,)
    )
    mentions = tuple(
        Mention(name, "object", start + at, start + at + len(name), start, start + len(BOOK[order]))
        for name, at in fields.pop("added", ())
    )
    found = ChunkEvidence(order, mentions, fields.pop("relations", ()), **fields)
    with db.transaction():
        evidence.store_evidence(
            db,
            document_id,
            chunk_id,
            found,
            evidence.NameIds(db, normalise_name),
            strategy=strategy,
            model=model,
        )
    update_graph(db)
    return start


def find(library: Library, name: str) -> int:
    return next(e.id for e in LibraryReader(library.writer).find_entities(name) if e.name == name)


def test_an_instant_entity_is_based_on_quotations(library):
    provenance = LibraryReader(library.writer).describe_provenance(find(library, "Clara"))
    assert (provenance.description_from, provenance.type_from) == ("quote", "text")
    assert provenance.n_passages == 2 and not provenance.models and not provenance.n_confirmed


def test_a_described_entity_names_the_model_and_the_passages(library):
    clara = NameClaim("Clara", "person", "Clara loved Marsh.", 0.9)
    enrich(library, 1, names=(clara,))
    enrich(library, 3, names=(NameClaim("Clara", "place", "", 0.3),))
    provenance = LibraryReader(library.writer).describe_provenance(find(library, "Clara"))
    assert (provenance.description_from, provenance.models) == ("model", (MODEL,))
    assert (provenance.n_described, provenance.n_judged, provenance.n_passages) == (1, 2, 2)
    assert provenance.type_from == "model"
    assert provenance.type_sureness == pytest.approx(0.45)  # 0.9 of one, 0 of the other


def test_user_edits_and_imported_claims_have_their_own_sources(library):
    enrich(
        library, 1, strategy="given", model="LightRAG",
        names=(NameClaim("Clara", "person", "A girl."),),
    )  # fmt: skip
    library_reader, clara = LibraryReader(library.writer), find(library, "Clara")
    provenance = library_reader.describe_provenance(clara)
    assert (provenance.description_from, provenance.type_from) == ("import", "import")
    assert provenance.origins == ("LightRAG",) and not provenance.models
    editing = EditingService(library.writer)
    editing.describe(clara, "She winds the clocks.")
    editing.retype(clara, "organisation")
    provenance = library_reader.describe_provenance(clara)
    assert (provenance.description_from, provenance.type_from) == ("hand", "hand")


def test_kinds_of_relations_are_counted_with_those_a_model_confirmed(library):
    start = enrich(
        library, 1, relations=(ClaimedRelation("Hale", "Clara", 88, 120, kind="family",
                                               confidence=0.8),)
    )  # fmt: skip
    assert start > 0
    library_reader, clara = LibraryReader(library.writer), find(library, "Clara")
    provenance = library_reader.describe_provenance(clara)
    assert ("family", 1) in provenance.kinds and provenance.n_confirmed == 1
    relation = next(r for r in library_reader.fetch_relations(clara) if r.kind)
    assert relation.n_enriched == 1 and relation.confidence == 0.8
    assert sum(count for _, count in provenance.kinds) == len(library_reader.fetch_relations(clara))


def test_claims_come_with_their_sentence_and_dates(library):
    claim = TextClaim("Marsh", "loss", "suspected", "He was lost.", 90, 120, "Hale", "1871")
    enrich(library, 1, claims=(claim,))
    library_reader = LibraryReader(library.writer)
    (found,) = library_reader.fetch_claims(find(library, "Marsh"))
    assert (found.subject, found.object, found.status, found.start_date) == (
        "Marsh", "Hale", "suspected", "1871",
    )  # fmt: skip
    text = library_reader.fetch_text(found.document_id)
    assert found.sentence == text[found.start : found.end]
    assert library_reader.fetch_claims(find(library, "Hale")) == [found]
    assert library_reader.fetch_claims(find(library, "Clara")) == []


def test_a_rejected_name_is_listed_can_be_kept_and_the_edit_undone(library):
    enrich(library, 4, names=(NameClaim("Petrel", "none", "", 0.9),))
    library_reader, editing = LibraryReader(library.writer), EditingService(library.writer)
    assert library_reader.find_entities("Petrel") == []
    (rejected,) = library_reader.list_rejected_names()
    assert (rejected.name, rejected.n_against, rejected.n_asked) == ("Petrel", 1, 1)
    assert rejected.models == (MODEL,) and "The Petrel was lost" in rejected.place.sentence
    editing.keep_name("Petrel")
    kept = library_reader.get_entity(find(library, "Petrel"))
    assert library_reader.list_rejected_names() == [] and not kept.edited
    enrich(library, 4, names=(NameClaim("Petrel", "none", "", 1.0),))
    assert library_reader.find_entities("Petrel")
    assert editing.undo()[0] == "Restore the name “Petrel”"
    assert [one.name for one in library_reader.list_rejected_names()] == ["Petrel"]


def test_a_name_deleted_by_the_user_is_not_listed_as_rejected_by_a_model(library):
    enrich(library, 1, names=(NameClaim("Hale", "none", "", 0.2),))
    enrich(library, 3, names=(NameClaim("Hale", "person", "", 0.9),))
    editing = EditingService(library.writer)
    editing.delete(find(library, "Hale"))
    assert LibraryReader(library.writer).list_rejected_names() == []


def test_a_name_that_a_model_added_is_found_in_the_text(library):
    start = enrich(
        library, 4, added=(("lane", BOOK[4].index("lane")),),
        names=(NameClaim("lane", "place", "", 0.9),),
    )  # fmt: skip
    library_reader = LibraryReader(library.writer)
    document_id = library_reader.list_documents()[0].id
    seen = library_reader.mentions_in(document_id, start, start + len(BOOK[4]))
    assert "lane" in [name for _, _, _, name, _ in seen]
    assert library_reader.describe_provenance(find(library, "lane")).type_from == "model"


def test_a_deleted_entity_has_no_provenance(library):
    assert LibraryReader(library.writer).describe_provenance(9_999).n_passages == 0


def test_a_name_that_its_document_mentions_once_is_no_subject(library: Library) -> None:
    db = library.writer
    document_id, chunk_id, start, end = db.row(
        "SELECT document_id, id, start, end FROM chunk WHERE order_no = 0"
    )
    text = BOOK[0]
    passage = Passage(chunk_id, document_id, "T", start, end, 1.0, text, start, end)
    counts = dict(db.rows("SELECT n.entity_id, count(*) FROM mention JOIN entity_name n"
                          " USING (name_id) GROUP BY n.entity_id"))  # fmt: skip
    named = find_named(db, text, [passage])
    assert named
    for part in named:
        assert part.is_subject == (counts[part.entity_id] > 1)
