"""Tests a library in a folder where nothing can be written: it can be read, searched and asked."""

from __future__ import annotations

import shutil

import pytest

from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.errors import EnvironmentProblem, ReadOnlyLibrary
from desktop_app.engine.messages import Message
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.services.exporting.graph_files import export_graph
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_check import check_library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store import curation
from tests.damaged_files import compute_hash
from tests.read_only import read_only
from tests.small_library import TEXT, add


@pytest.fixture
def medium(tmp_path):
    """Return a folder with a closed library, on which nothing else can be written."""
    folder = tmp_path / "medium"
    folder.mkdir()
    library = Library(folder / "books.inkgraph")
    add(library, tmp_path, text=TEXT * 20)
    library.close()
    with read_only(folder):
        yield folder


@pytest.fixture
def library(medium):
    opened = Library(medium / "books.inkgraph")
    yield opened
    opened.close()


def test_a_read_only_library_is_read_searched_and_checked(library, medium):
    before = compute_hash(library.path)
    assert not library.is_writable and library.writer.is_medium_read_only
    assert library.damage.found is None
    reader = LibraryReader(library.reader())
    assert reader.overview().n_documents == 1
    assert "Tobias Quill" in reader.fetch_text(1)
    assert reader.find_entities("Tobias")
    assert check_library(library.reader()).is_sound
    assert [path.name for path in medium.iterdir()] == ["books.inkgraph"]
    assert compute_hash(library.path) == before


def test_a_change_of_a_read_only_library_is_refused_with_a_sentence(library):
    with (
        pytest.raises(ReadOnlyLibrary, match="is read-only where it is") as caught,
        library.writer.edit(Message("Merge 2 names")),
    ):
        curation.add_merged(library.writer, "Tobias Quill", "Ada Merrow")
    assert caught.value.exit_code == 2
    with pytest.raises(ReadOnlyLibrary):
        library.writer.compact()
    AnnotationService(library.reader(), library.writer).store_reading_position(1, "{}")


def test_questions_in_a_read_only_library_last_until_it_is_closed(library, medium):
    db = library.writer
    chats = Chats(db, db)
    pipeline = AnswerPipeline(Retriever(db, lambda: None), db, lambda: None)
    chat_id = chats.create_chat()
    answer = pipeline.ask(chat_id, "Who kept a shop of clocks?")
    assert answer.found.passages
    assert [m.role for m in chats.fetch_messages(chat_id)] == ["user", "assistant"]
    again = Library(medium / "books.inkgraph")
    assert Chats(again.reader(), again.writer).list_chats() == []
    again.close()


def test_a_read_only_library_is_exported(library, tmp_path):
    n_entities, _ = export_graph(library.writer, tmp_path / "graph.json", "json")
    assert n_entities >= 2


def test_a_library_copied_while_it_was_open_is_not_shown_in_an_older_state(tmp_path):
    made = Library(tmp_path / "open.inkgraph")
    add(made, tmp_path)
    copies = tmp_path / "copies"
    copies.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(f"{made.path}{suffix}", copies)
    made.close()
    with (
        read_only(copies),
        pytest.raises(EnvironmentProblem, match=r"are in “open\.inkgraph-wal”"),
    ):
        Library(copies / "open.inkgraph")


def test_an_older_library_that_cannot_be_upgraded_is_refused(tmp_path, monkeypatch):
    from desktop_app.engine.store import connection as connection_module

    with monkeypatch.context() as patch:
        files = connection_module.migration_files()
        patch.setattr(connection_module, "migration_files", lambda: files[:-1])
        Library(tmp_path / "in" / "old.inkgraph").close()
    with (
        read_only(tmp_path / "in"),
        pytest.raises(EnvironmentProblem, match="made by an older Inkgraph"),
    ):
        Library(tmp_path / "in" / "old.inkgraph")
