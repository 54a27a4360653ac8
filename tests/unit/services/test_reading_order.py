"""Tests that the graph does not depend on the order in which documents were read."""

from __future__ import annotations

import itertools
import random
import shutil
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.graph_update import update_graph
from desktop_app.engine.services.library import Library
from desktop_app.engine.store.db import Db
from tests.small_library import index
from tests.unit.services.test_graph_update import (
    N_CHUNKS,
    N_DOCUMENTS,
    NAMES,
    Scene,
    names,
    plain_values,
)

# Equally frequent names, some with equal letters, so that only their ids could decide.
STORIES = (
    "Captain Hale met Edmund Marsh at Port Ellis. Clara Wren was there. Marsh and Hale left.",
    "Clara Wren wrote to Captain Hale from Harrow. Mr. Marsh was in Port Ellis with Clara.",
    "Edmund Marsh knew Tobias Wren, also called Old Wren. Port Ellis was far from Harrow.",
    "话说苏州城里有个秀才，姓沈名砚。沈砚常到听雨楼喝茶。柳三娘与沈砚相熟。",
    "柳三娘在听雨楼等沈砚。苏州城里的人都认得柳三娘。",
)

EVIDENCE = (
    "SELECT d.sha256, c.order_no, n.text, m.type, m.start, m.weight FROM mention m"
    " JOIN name n ON n.id = m.name_id JOIN chunk c ON c.id = m.chunk_id"
    " JOIN document d ON d.id = m.document_id"
)
NAMES_OF_ENTITIES = (
    "SELECT e.entity_id, group_concat(n.text || n.sense, '|' ORDER BY n.text, n.sense)"
    " FROM entity_name e JOIN name n ON n.id = e.name_id GROUP BY 1"
)


def draw_graph(db: Db, *, quotes: bool = True) -> tuple:
    """Return the graph without ids; relations have no direction.

    Args:
        quotes: with the sentences that are shown; of equally good ones, that of the document
            that was added first.
    """
    named = dict(db.rows(NAMES_OF_ENTITIES))
    entities = {
        named[i]: (*row, description if quotes else "")
        for i, description, *row in db.rows(
            "SELECT id, description, name, type, n_mentions, n_relations, n_documents, edited,"
            " n_enriched FROM entity"
        )
    }
    relations = {
        frozenset((named[a], named[b])): (*row, *(place if quotes else ()))
        for a, b, *place, weight, n, description, keywords, kind, confidence in db.rows(
            "SELECT r.source_id, r.target_id, d.sha256, q.start, q.end, r.weight, r.n_evidence,"
            " r.description, r.keywords, r.kind, r.confidence FROM relation r"
            " LEFT JOIN claimed_relation q ON q.id = r.best_claim"
            " LEFT JOIN document d ON d.id = q.document_id"
        )
        for row in [(weight, n, description, keywords, kind, confidence)]
    }
    return sorted(db.rows(EVIDENCE)), entities, relations


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """Return the file of an empty library to copy."""
    path = tmp_path_factory.mktemp("empty") / "empty.inkgraph"
    Db(path).close()
    return path


PLACES = tuple(itertools.product(range(N_DOCUMENTS), range(N_CHUNKS)))
EDITS = st.one_of(
    st.tuples(st.just("merge"), names, names),
    st.tuples(st.just("keep apart"), names, names),
    st.tuples(
        st.just("edit"), names, st.sampled_from((None, "place")), st.sampled_from((None, "Me."))
    ),
    st.tuples(st.just("alias"), names, st.sampled_from((*NAMES, "Old Screw"))),
    st.tuples(st.just("delete name"), names),
    st.tuples(st.just("tie"), names, names, st.sampled_from((0, 1))),
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    claims=st.dictionaries(st.sampled_from(PLACES), plain_values(False), min_size=3),
    judged=st.dictionaries(st.sampled_from(PLACES), plain_values(True), max_size=4),
    edits=st.lists(EDITS, max_size=3),
    seed=st.integers(0, 1000),
)
def test_evidence_stored_in_another_order_gives_the_same_graph(
    empty, tmp_path_factory, claims, judged, edits, seed
):
    folder = tmp_path_factory.mktemp("order")
    stored = [(place, "instant", values) for place, values in claims.items()]
    stored += [(place, "slots", values) for place, values in judged.items()]
    drawn = []
    for number in range(2):
        shutil.copy(empty, folder / f"{number}.inkgraph")
        db = Db(folder / f"{number}.inkgraph")
        try:
            order, spelled = list(stored), [*NAMES, "Old Screw", "Nobody"]
            if number:
                random.Random(seed).shuffle(order)
                random.Random(seed).shuffle(spelled)
            scene = Scene(db, spelled)
            for (document, chunk), strategy, values in order:
                scene.store_claims(document, chunk, strategy, values)
            for edit in edits:
                scene.take(edit)
            update_graph(db)
            drawn.append(draw_graph(db))
        finally:
            db.close()
    assert drawn[0] == drawn[1]


def build_library(folder, order: Sequence[int], *, reads: Sequence[int] = ()) -> Library:
    """Return a library of the stories, added in this order and read in the order `reads`."""
    folder.mkdir()
    files = []
    for number in order:
        files.append(folder / f"story{number}.txt")
        files[-1].write_text(STORIES[number], "utf-8")
    library = Library(folder / "library.inkgraph")
    added = add_files(library.writer, files)
    if reads:
        ids = sorted(added.documents)
        DocumentService(library.writer).read_next([ids[i] for i in reads])
    index(library)
    return library


def test_documents_read_in_another_order_give_the_same_graph(tmp_path):
    wanted, rng = None, random.Random(5)
    for number in range(6):
        reads = list(range(len(STORIES)))
        rng.shuffle(reads)
        library = build_library(
            tmp_path / str(number), range(len(STORIES)), reads=reads if number else ()
        )
        try:
            drawn = draw_graph(library.writer)
            wanted = wanted or drawn
            assert drawn == wanted, reads
        finally:
            library.close()
    assert len(wanted[1]) > 6 and len(wanted[2]) > 6


def test_documents_added_in_another_order_give_the_same_names_and_relations(tmp_path):
    wanted, rng = None, random.Random(7)
    for number in range(4):
        order = list(range(len(STORIES)))
        rng.shuffle(order)
        library = build_library(tmp_path / str(number), order)
        try:
            drawn = draw_graph(library.writer, quotes=False)
            wanted = wanted or drawn
            assert drawn == wanted, order
        finally:
            library.close()


def test_documents_read_again_give_the_same_graph(tmp_path):
    library = build_library(tmp_path / "one", range(len(STORIES)))
    try:
        before = draw_graph(library.writer)
        ids = [i for (i,) in library.writer.rows("SELECT id FROM document ORDER BY id")]
        for document_id in (ids[2], ids[0], ids[4]):
            DocumentService(library.writer).reindex_documents([document_id])
            index(library)
            assert draw_graph(library.writer) == before
    finally:
        library.close()
