"""Tests details, tags and the trash of documents with undo, and the job queue."""

from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.engine.errors import UserError
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.collections import (
    Collections,
    list_collections,
    list_documents,
)
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService, tidy_tags
from desktop_app.engine.services.editing.history import list_history
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import (
    Library,
)
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.watched_folders import FolderWatcher
from desktop_app.engine.store import documents
from tests.small_library import TEXT, add, index, row_of


@pytest.fixture
def work(library) -> DocumentService:
    return DocumentService(library.writer)


@pytest.fixture
def editing(library) -> EditingService:
    return EditingService(library.writer)


def test_edited_details_override_the_file_and_survive_reindexing(library, work, tmp_path):
    document_id = add(library, tmp_path)
    work.edit_details([document_id], title="The Clocks", author="E. Quill", year="1899")
    work.edit_details([document_id], comment="Lent to me.", tags=["loan", "Clocks", "clocks"])
    work.reindex_documents([document_id])
    index(library)
    row = row_of(library, document_id)
    assert (row.title, row.author, row.year) == ("The Clocks", "E. Quill", "1899")
    assert (row.comment, row.tags) == ("Lent to me.", ("Clocks", "loan"))
    with pytest.raises(UserError):
        work.edit_details([document_id], title="  ")


def test_undo_restores_details_of_the_file_or_the_user(library, work, editing, tmp_path):
    document_id = add(library, tmp_path)
    before = row_of(library, document_id)
    work.edit_details([document_id], title="The Clocks", author="E. Quill", tags=["loan"])
    first = row_of(library, document_id)
    work.edit_details([document_id], title="Clocks, again", comment="Lent.")
    second = row_of(library, document_id)
    label, change = editing.undo()
    assert (label, change.documents) == ("Edit the details of “The Clocks”", {document_id})
    assert row_of(library, document_id) == first
    editing.undo()
    assert row_of(library, document_id) == before
    work.reindex_documents([document_id])
    index(library)
    assert row_of(library, document_id) == before
    editing.redo()
    editing.redo()
    assert row_of(library, document_id) == second


def test_a_tag_is_added_to_several_documents_and_removed_from_one(library, work, tmp_path):
    ids = [add(library, tmp_path), add(library, tmp_path, "b.txt", TEXT + "More.")]
    work.tag(ids, "to read")
    work.tag(ids[:1], "TO READ", on=False)
    assert [row_of(library, i).tags for i in ids] == [(), ("to read",)]
    with pytest.raises(UserError):
        work.tag(ids, " , ")
    assert tidy_tags(["b", "a, c", "B"]) == ["a c", "b"]


def test_a_document_is_restored_from_the_trash_with_its_annotations(library, work, tmp_path):
    document_id = add(library, tmp_path)
    reading = AnnotationService(library.writer, library.writer)
    reading.highlight(document_id, 0, 12, note="who?")
    work.edit_details([document_id], title="The Clocks", tags=["loan"])
    registry = Collections(library.writer).create("Shelf", [document_id])
    _, in_trash = work.trash_documents([document_id])
    reader = LibraryReader(library.writer)
    assert reader.list_documents() == [] and reader.find_entities("Tobias Quill") == []
    with pytest.raises(UserError, match="is in the trash"):
        reader.get_document(document_id)
    with pytest.raises(UserError, match="no longer in the library"):
        reader.get_document(document_id + 1)
    [thrown] = work.list_trash()
    assert (thrown.title, [thrown.id]) == ("The Clocks", in_trash)
    change = work.restore_documents(in_trash)
    index(library)
    [back] = change.documents
    assert row_of(library, back).title == "The Clocks"
    assert row_of(library, back).tags == ("loan",)
    assert [mark.note for mark in reading.list_annotations(back)] == ["who?"]
    assert list_documents(library.writer, registry) == [back]
    assert LibraryReader(library.writer).find_entities("Tobias Quill")
    assert work.list_trash() == []


def held(library: Library) -> tuple:
    """Return all rows of the library's documents that the trash stores."""
    reader = LibraryReader(library.writer)
    reading = AnnotationService(library.writer, library.writer)
    return (
        reader.list_documents(),
        reading.list_annotations(None),
        [(row, list_documents(library.writer, row.id)) for row in list_collections(library.writer)],
        DocumentService(library.writer).list_trash(),
        library.writer.value("SELECT count(*) FROM original"),
        [entity.name for entity in reader.find_entities("Tobias Quill")],
    )


def test_moving_to_the_trash_and_restoring_are_undone_and_redone(library, work, editing, tmp_path):
    kept = add(library, tmp_path, "b.txt", TEXT + "More.")
    gone = add(library, tmp_path, "tale.txt")
    reading = AnnotationService(library.writer, library.writer)
    reading.highlight(gone, 0, 12, note="who?")
    reading.store_reading_position(gone, "[3, 0.5]")
    work.edit_details([gone], title="The Clocks", tags=["loan"])
    Collections(library.writer).create("Shelf", [gone, kept])
    before = held(library)
    _, in_trash = work.trash_documents([gone])
    added = add(library, tmp_path, "c.txt", "Nobody else is in this text. Ada Merrow is.")
    assert added not in (gone, kept)  # ids of deleted documents are not used again
    work.delete_documents([added])
    trashed = held(library)
    label, change = editing.undo()
    assert label == "Move “The Clocks” to the trash"
    assert (change.queued, change.documents) == (frozenset(), {gone})  # nothing is read again
    assert held(library) == before
    assert reading.fetch_reading_position(gone) == "[3, 0.5]"
    assert editing.redo()[0] == label
    assert held(library) == trashed
    work.restore_documents(in_trash)
    assert held(library)[2:] == before[2:]
    label, change = editing.undo()
    assert (label, change.queued) == ("Restore “The Clocks”", frozenset())
    assert held(library) == trashed
    editing.undo()
    assert held(library) == before
    assert library.writer.integrity_problems() == []


def test_a_permanently_deleted_document_blocks_no_other_undo(library, work, editing, tmp_path):
    first, second = add(library, tmp_path), add(library, tmp_path, "b.txt", TEXT + "More.")
    work.tag([first], "loan")
    work.tag([first, second], "old")
    _, in_trash = work.trash_documents([first, second])
    work.empty_trash(in_trash[:1])
    assert editing.undo()[0] == "Move 2 documents to the trash"
    index(library)
    assert [row.tags for row in LibraryReader(library.writer).list_documents()] == [("old",)]
    assert editing.undo()[0] == "Edit the details of 2 documents"
    assert row_of(library, second).tags == ()
    with pytest.raises(UserError, match="deleted permanently"):
        editing.undo()
    assert editing.undo()[0] is None  # the edit of the first document alone was forgotten
    work.trash_documents([second])
    work.empty_trash()
    with pytest.raises(UserError, match="deleted permanently"):
        editing.undo()
    assert held(library)[:5] == ([], [], [], [], 0)


def test_undo_does_not_make_a_second_copy_of_a_document_added_again(
    library, work, editing, tmp_path
):
    work.trash_documents([add(library, tmp_path)])
    again = add(library, tmp_path)
    with pytest.raises(UserError, match="already in the library"):
        editing.undo()
    work.delete_documents([again])
    editing.undo()
    index(library)
    assert [row.state for row in LibraryReader(library.writer).list_documents()] == ["ready"]


numbers = st.integers(0, 5)
STEPS = st.one_of(
    st.tuples(st.just("details"), numbers, st.sampled_from(("Tale", "Clocks"))),
    st.tuples(st.just("tag"), numbers, st.sampled_from(("loan", "old"))),
    st.tuples(st.just("highlight"), numbers, numbers),
    st.tuples(st.just("collect"), numbers, numbers),
    st.tuples(st.just("trash"), numbers, numbers),
    st.tuples(st.just("restore"), numbers),
    st.tuples(st.just("watch")),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
    st.tuples(st.just("purge"), numbers),
)


def pick(ids: list[int], number: int) -> int:
    if not ids:
        raise UserError("Nothing is there.")
    return ids[number % len(ids)]


def take(library: Library, step: tuple) -> None:
    """Apply one random step; a refused one changes nothing."""
    what, *rest = step
    db, work, editing = (
        library.writer,
        DocumentService(library.writer),
        EditingService(library.writer),
    )
    ids = [row.id for row in LibraryReader(db).list_documents()]
    in_trash = [row.id for row in work.list_trash()]
    if what == "details":
        work.edit_details([pick(ids, rest[0])], title=rest[1])
    elif what == "tag":
        work.tag([pick(ids, rest[0])], rest[1])
    elif what == "highlight":
        AnnotationService(db, db).highlight(pick(ids, rest[0]), rest[1], rest[1] + 5)
    elif what == "collect":
        chosen = [pick(ids, number) for number in rest]
        Collections(db).create(f"{len(list_collections(db))}", chosen)
    elif what == "trash":
        work.trash_documents(list({pick(ids, number) for number in rest}))
    elif what == "restore":
        work.restore_documents([pick(in_trash, rest[0])])
    elif what == "watch":
        FolderWatcher(db).watch(library.path.parent)
    elif what == "purge":
        work.empty_trash([pick(in_trash, rest[0])])
    else:
        (editing.undo if what == "undo" else editing.redo)()


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(STEPS, min_size=3, max_size=16))
def test_random_edits_of_documents_are_undone_and_redone(tmp_path_factory, steps):
    folder = tmp_path_factory.mktemp("random")
    library = Library(folder / "one.inkgraph")
    try:
        for name in "abc":
            (folder / f"{name}.txt").write_text(f"{name} {TEXT}", "utf-8")
        add_files(library.writer, [folder / f"{name}.txt" for name in "abc"])
        for step in steps:
            with contextlib.suppress(UserError):
                take(library, step)
            assert library.writer.integrity_problems() == []
        after = [*held(library), FolderWatcher(library.writer).list_folders()]
        n_done = sum(not row.undone for row in list_history(library.writer))
        editing, n_undone = EditingService(library.writer), 0
        for _ in range(n_done):
            with contextlib.suppress(UserError):  # its documents were deleted permanently
                n_undone += editing.undo()[0] is not None
        assert editing.undo()[0] is None
        assert n_undone == n_done or any(step[0] == "purge" for step in steps)
        for _ in range(n_undone):
            assert editing.redo()[0] is not None
        assert [*held(library), FolderWatcher(library.writer).list_folders()] == after
    finally:
        library.close()


def test_a_document_added_again_is_not_restored_twice(library, work, tmp_path):
    document_id = add(library, tmp_path)
    _, in_trash = work.trash_documents([document_id])
    add(library, tmp_path)
    with pytest.raises(UserError):
        work.restore_documents(in_trash)
    work.empty_trash()
    assert work.list_trash() == []


def test_old_documents_are_removed_from_the_trash(library, work, tmp_path):
    work.trash_documents([add(library, tmp_path)])
    with library.writer.transaction():
        library.writer.write("UPDATE trash SET trashed_at = ?", (time.time() - 40 * 86_400,))
    other = add(library, tmp_path, "other.txt", "Another text about Ada Merrow and nobody else.")
    work.trash_documents([other])
    assert [row.title for row in work.list_trash()] == ["other"]


def test_documents_are_found_by_their_text(library, tmp_path):
    first = add(library, tmp_path)
    add(library, tmp_path, "b.txt", "却说鲁智深来到五台山，长老说道不可饮酒。")
    find = LibraryReader(library.writer).find_documents_with_text
    assert find("shop of CLOCKS") == [first]
    assert find("鲁智深") != [first] and len(find("鲁智深")) == 1
    assert find("...") == [] and find("clocks of shop") == []


def test_a_prioritised_document_is_read_before_the_others(library, work, tmp_path):
    paths = [tmp_path / f"{name}.txt" for name in "abc"]
    for path in paths:
        path.write_text(f"{path.stem}: {TEXT}", "utf-8")
    first, middle, last = add_files(library.writer, paths).documents
    assert documents.find_next_to_index(library.writer) == first
    work.read_next(last)
    assert documents.find_next_to_index(library.writer) == last
    work.read_next([middle, first])
    assert documents.find_next_to_index(library.writer) == middle
    work.stop_document(middle)
    assert documents.find_next_to_index(library.writer) == first
    work.stop_document(first)
    assert documents.find_next_to_index(library.writer) == last
    work.retry_document(middle)
    index(library)
    assert documents.find_next_to_index(library.writer) is None


def test_a_file_that_ended_the_program_twice_is_not_read_again(library, work, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    (tmp_path / "b.txt").write_text(f"{TEXT} {TEXT}", "utf-8")
    document_id, other = add_files(
        library.writer, [tmp_path / "a.txt", tmp_path / "b.txt"]
    ).documents
    for _ in range(2):  # each start of the program counts one and ends
        assert documents.find_next_to_index(library.writer) in (document_id, other)
        with library.writer.transaction():
            documents.count_attempt(library.writer, document_id)
        assert documents.find_next_to_index(library.writer) == other  # the others come first
    index(library)
    assert row_of(library, other).state == "ready"
    assert row_of(library, document_id).state == "failed"
    assert "ended unexpectedly" in row_of(library, document_id).reason
    work.retry_document(document_id)
    index(library)
    assert row_of(library, document_id).state == "ready"
