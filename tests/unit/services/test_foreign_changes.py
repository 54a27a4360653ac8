"""Two processes with one library, here two connections: each sees what the other changed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.services.collections import Collections
from desktop_app.engine.services.document_import import add_text
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.foreign_changes import ForeignChanges
from desktop_app.engine.services.graph_update import count_graph_differences
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from tests.small_library import add


@pytest.fixture
def other(library: Library, tmp_path: Path) -> Iterator[Library]:
    """Yield the same library, opened again."""
    add(library, tmp_path)
    opened = Library(library.path)
    yield opened
    opened.close()


def test_what_another_process_changes_is_found(library: Library, other: Library):
    changes = ForeignChanges(library.writer)
    assert changes.find() is None  # the first look
    assert changes.find() is None
    reader = LibraryReader(other.writer)
    ada = reader.find_by_names(["Ada Merrow"])
    with other.writer.edits_of("Notes"):
        EditingService(other.writer).rename(ada, "Ada Vane")
    found = changes.find()
    assert found.edit == "Rename “Ada Merrow” to “Ada Vane” (Notes)"
    assert ada in found.change.entities and found.change.relations
    assert not found.change.chats and not found.change.collections
    assert changes.find() is None

    document_id = reader.list_documents()[0].id
    DocumentService(other.writer).edit_details([document_id], title="Clocks")
    assert changes.find().change.documents == {document_id}
    Collections(other.writer).create("Novels")
    assert changes.find().change.collections
    chat_id = Chats(other.writer, other.writer).create_chat("Talk")
    assert changes.find().change.chats == {chat_id}


def test_own_changes_are_no_foreign_ones(library: Library, other: Library):
    changes = ForeignChanges(library.writer)
    changes.find()
    reader = LibraryReader(library.writer)
    EditingService(library.writer).retype(reader.find_by_names(["Ada Merrow"]), "other")
    assert changes.find() is None
    with library.writer.transaction():
        assert changes.find() is None  # asks another time


def test_an_edit_of_this_process_is_not_named_as_one_of_another(library: Library, other: Library):
    changes = ForeignChanges(library.writer)
    changes.find()
    reader = LibraryReader(library.writer)
    document_id = reader.list_documents()[0].id
    Collections(other.writer).create("Novels")
    theirs = LibraryReader(other.writer).list_history()[0].label
    DocumentService(library.writer).edit_details([document_id], title="Clocks")
    found = changes.find()
    assert found.edit == theirs and found.change.collections
    DocumentService(library.writer).edit_details([document_id], title="Watches")
    ours = reader.list_history()[0].label
    chat_id = Chats(other.writer, other.writer).create_chat("Talk")
    found = changes.find()
    assert found.edit != ours and found.change.chats == {chat_id}


def test_edits_of_two_processes_keep_the_graph_whole(library: Library, other: Library):
    """In turn, with undo: each uses what the other wrote, and nothing is lost."""
    mine, theirs = EditingService(library.writer), EditingService(other.writer)
    reader = LibraryReader(library.writer)
    ada, tobias = reader.find_by_names(["Ada Merrow"]), reader.find_by_names(["Tobias Quill"])
    mine.rename(ada, "Ada Vane")
    theirs.merge(ada, [tobias])
    both = reader.find_by_names(["Ada Vane"])
    mine.add_alias(both, "the winder")
    assert {"Tobias Quill", "the winder"} <= set(reader.get_entity(both).aliases)
    assert count_graph_differences(library.writer) == 0
    assert mine.undo()[0] == "Add alias “the winder” to “Ada Vane”"
    assert theirs.undo()[0] == "Merge 2 names into “Ada Vane”"
    mine.retype(reader.find_by_names(["Tobias Quill"]), "other")
    assert count_graph_differences(library.writer) == 0
    assert reader.get_entity(reader.find_by_names(["Tobias Quill"])).row.type == "other"
    assert reader.get_entity(reader.find_by_names(["Ada Vane"])).row.type == "person"


def test_one_process_indexes_at_a_time(library: Library, other: Library):
    """Two would read the same document twice."""
    add_text(library.writer, "Bells", "Orla Finch mended the bells. Orla Finch was never late.")
    mine = IndexingService(library.writer, lambda: None)
    theirs = IndexingService(other.writer, lambda: None)
    begun, goes_on, cancel = threading.Event(), threading.Event(), CancelToken()
    reached: list[str] = []

    def hold(progress: object) -> None:
        begun.set()
        goes_on.wait(20)

    first = threading.Thread(target=lambda: mine.run(embed=False, on_progress=hold))
    first.start()
    assert begun.wait(20)
    waiting = threading.Thread(
        target=lambda: theirs.run(embed=False, on_progress=lambda p: reached.append(p.stage))
    )
    waiting.start()
    cancel.cancel()
    with pytest.raises(Cancelled):  # who waits can be stopped
        IndexingService(other.writer, lambda: None).run(embed=False, cancel=cancel)
    assert reached == []
    goes_on.set()
    first.join()
    waiting.join()
    assert reached == []  # nothing was left to do
    rows = LibraryReader(other.writer).list_documents()
    assert [row.state for row in rows] == ["ready", "ready"]
