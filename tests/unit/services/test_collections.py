"""Tests collections: created, filled, undone, searched."""

from __future__ import annotations

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.collections import (
    Collections,
    get_collection,
    list_collections,
    list_documents,
)
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from tests.fakes import HashEmbedder
from tests.unit.services.test_indexing import STORY, TALE


@pytest.fixture
def library(tmp_path):
    (tmp_path / "clock.txt").write_text(STORY, "utf-8")
    (tmp_path / "tea.txt").write_text(TALE, "utf-8")
    made = Library(tmp_path / "kept.inkgraph")
    add_files(made.writer, [tmp_path / "clock.txt", tmp_path / "tea.txt"])
    IndexingService(made.writer, HashEmbedder).run()
    yield made
    made.close()


def ids(library) -> tuple[int, int]:
    rows = dict(library.writer.rows("SELECT file_name, id FROM document"))
    return rows["clock.txt"], rows["tea.txt"]


def find(library, **options):
    finder = Retriever(library.writer, HashEmbedder)
    return finder.find("Who was Edmund Marsh?", QueryParam(mode="words", **options))


def test_a_collection_holds_each_document_once(library):
    clock, tea = ids(library)
    work = Collections(library.writer)
    made = work.create("  English   stories ", [clock])
    work.add(made, [clock, tea, 999])
    assert [(c.name, c.n_documents) for c in list_collections(library.writer)] == [
        ("English stories", 2)
    ]
    work.remove(made, [tea])
    assert list_documents(library.writer, made) == [clock]
    assert get_collection(library.writer, "english STORIES").id == made


def test_a_deleted_collection_is_restored_with_its_documents(library):
    clock, tea = ids(library)
    work = Collections(library.writer)
    made = work.create("Both", [clock, tea])
    assert work.delete(made).documents == {clock, tea}
    assert list_collections(library.writer) == []
    assert EditingService(library.writer).undo()[0] == "Delete collection “Both”"
    assert list_documents(library.writer, made) == [clock, tea]


def test_a_collection_needs_a_unique_name(library):
    work = Collections(library.writer)
    made = work.create("Stories")
    other = work.create("Letters")
    for refused in ("", "   ", "stories"):
        with pytest.raises(UserError):
            work.create(refused)
    with pytest.raises(UserError, match="already"):
        work.rename(other, "STORIES")
    work.rename(made, "stories")
    assert [c.name for c in list_collections(library.writer)] == ["Letters", "stories"]
    with pytest.raises(UserError, match="no longer"):
        work.add(99, [1])
    with pytest.raises(UserError, match="“Letters”, “stories”"):
        get_collection(library.writer, "Poems")


def test_a_question_searches_only_its_collections(library):
    clock, tea = ids(library)
    work = Collections(library.writer)
    english, chinese = work.create("English", [clock]), work.create("Chinese", [tea])
    empty = work.create("Empty")
    assert {p.document_id for p in find(library, collection_ids=(english,)).passages} == {clock}
    assert find(library, collection_ids=(chinese,)).passages == ()
    assert find(library, collection_ids=(english, chinese)).passages
    assert find(library, collection_ids=(english,), document_ids=(tea,)).passages == ()
    nothing = find(library, collection_ids=(empty,))
    assert nothing.passages == () and "contain no text" in nothing.notes[0]


def test_an_excluded_document_is_not_searched_in_its_collection(library):
    clock, _ = ids(library)
    made = Collections(library.writer).create("English", [clock])
    DocumentService(library.writer).set_aside([clock], True)
    assert find(library, collection_ids=(made,)).passages == ()
    assert find(library, document_ids=(clock,)).passages  # asked for by itself
