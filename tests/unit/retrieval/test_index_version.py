"""Tests when the retrieval index is rebuilt: one connection writes, another one searches.

Every change is made by the writing connection, every search by a reading one.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from desktop_app.engine.retrieval import retriever as retriever_module
from desktop_app.engine.retrieval.index import build_index
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.services.document_import import add_text
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.store import annotations, chats, enrichment
from tests.fakes import HashEmbedder

CLOCKS = "Tobias Quill kept a shop of clocks in Marsh End. Ada Merrow wound the clocks of Quill."
ROPES = "Jonas Pike made ropes in Cold Harbour. Clara Finch bought the ropes of Jonas Pike."
QUESTION = "Who wound the clocks?"


def add(library: Library, title: str, text: str) -> int:
    """Add a text with its evidence, its graph and its vectors, and return its id."""
    add_text(library.writer, title, text)
    IndexingService(library.writer, HashEmbedder).run()
    return int(library.writer.value("SELECT max(id) FROM document"))


@pytest.fixture
def library(library: Library) -> Library:
    add(library, "Clocks", CLOCKS)
    add(library, "Ropes", ROPES)
    return library


@pytest.fixture
def n_builds(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Yield a list that gets an entry for every index that a retriever builds."""
    built: list[object] = []

    def build_and_count(*args: object) -> object:
        built.append(build_index(*args))
        return built[-1]

    monkeypatch.setattr(retriever_module, "build_index", build_and_count)
    return built


def entity_named(library: Library, name: str) -> int:
    return int(library.writer.value("SELECT id FROM entity WHERE name = ?", (name,)))


def store_message(library: Library) -> None:
    chat_id = Chats(library.writer, library.writer).create_chat()
    with library.writer.transaction():
        chats.add_question(library.writer, chat_id, QUESTION)


def store_reading_position(library: Library) -> None:
    with library.writer.transaction():
        annotations.store_reading_position(library.writer, 1, "[3, 0.5]")


def store_setting(library: Library) -> None:
    with library.writer.transaction():
        enrichment.store_setting(library.writer, "enrichment", "{}")


def describe_entity(library: Library) -> None:
    EditingService(library.writer).describe(entity_named(library, "Ada Merrow"), "A clockmaker.")


def exclude_document(library: Library) -> None:
    DocumentService(library.writer).set_aside([2], True)


@pytest.mark.parametrize(
    "change",
    [store_message, store_reading_position, store_setting, describe_entity, exclude_document],
)
def test_a_change_of_something_else_keeps_the_index(
    library: Library, n_builds: list[object], change: Callable[[Library], None]
):
    retriever = Retriever(library.reader(), HashEmbedder)
    first = retriever.find(QUESTION)
    change(library)
    second = retriever.find(QUESTION)
    assert len(n_builds) == 1
    assert second.passages[0].text == first.passages[0].text == CLOCKS


def add_document(library: Library) -> None:
    add(library, "Lamps", "Edith Vane lit the lamps of Marsh End. Tobias Quill paid Edith Vane.")


def replace_document(library: Library) -> None:
    """Replace the last document by one of the same length, whose rows get the same ids."""
    DocumentService(library.writer).delete_documents([2])
    add(library, "Ropes", ROPES.replace("Jonas Pike", "Lucas Dale"))


def change_title(library: Library) -> None:
    DocumentService(library.writer).edit_details([2], title="Cordage")


def rename_entity(library: Library) -> None:
    EditingService(library.writer).rename(entity_named(library, "Jonas Pike"), "Gregory Holt")


def merge_entities(library: Library) -> None:
    EditingService(library.writer).merge(
        entity_named(library, "Ada Merrow"), [entity_named(library, "Clara Finch")]
    )


@pytest.mark.parametrize(
    "change", [add_document, replace_document, change_title, rename_entity, merge_entities]
)
def test_a_change_of_texts_titles_or_entities_builds_the_index_again(
    library: Library, n_builds: list[object], change: Callable[[Library], None]
):
    retriever = Retriever(library.reader(), HashEmbedder)
    retriever.find(QUESTION)
    change(library)
    retriever.find(QUESTION)
    assert len(n_builds) == 2
    retriever.find(QUESTION)
    assert len(n_builds) == 2
    names = "Gregory Holt, Jonas Pike, Lucas Dale, Edith Vane, Clara Finch"
    fresh = Retriever(library.reader(), HashEmbedder)
    assert retriever.find_names(names) == fresh.find_names(names)


def test_an_undone_change_builds_the_index_again(library: Library, n_builds: list[object]):
    retriever = Retriever(library.reader(), HashEmbedder)
    rename_entity(library)
    assert retriever.find_names("Gregory Holt") == ["Gregory Holt"]
    EditingService(library.writer).undo()
    assert retriever.find_names("Gregory Holt") == []
    assert len(n_builds) == 2
