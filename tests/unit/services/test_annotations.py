"""Tests highlights and bookmarks: stored, undone, found again after reindexing, exported."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.model import DocumentRow, Heading, Page
from desktop_app.engine.services.annotations import (
    AnnotationService,
    build_notes_markdown,
    describe_text_place,
    find_words,
    relocate_annotation,
    share_read,
    short,
)
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store import history
from tests.books import BOOK, add_book


@pytest.fixture
def library(library: Library) -> Library:
    add_book(library)
    return library


@pytest.fixture
def reading(library: Library) -> AnnotationService:
    return AnnotationService(library.writer, library.writer)


@pytest.fixture
def document_id(library: Library) -> int:
    return int(LibraryReader(library.writer).list_documents()[0].id)


def span_of(library: Library, document_id: int, words: str) -> tuple[int, int]:
    start = LibraryReader(library.writer).fetch_text(document_id).index(words)
    return start, start + len(words)


def test_a_highlight_keeps_its_words_and_can_be_undone(library, reading, document_id):
    start, end = span_of(library, document_id, "a shop of clocks")
    change = reading.highlight(document_id, start, end, color="green", note=" why clocks? ")
    assert change.documents == {document_id}
    [mark] = reading.list_annotations(document_id)
    assert (mark.quote, mark.color, mark.note) == ("a shop of clocks", "green", "why clocks?")
    assert "a shop of clocks" in (history.undo(library.writer)[0] or "")
    assert reading.list_annotations(document_id) == []
    history.redo(library.writer)
    assert reading.list_annotations(document_id) == [mark]


def test_the_overview_counts_the_highlights_of_documents_outside_the_trash(
    library, reading, document_id
):
    reader = LibraryReader(library.writer)
    reading.highlight(document_id, *span_of(library, document_id, "a shop of clocks"))
    assert reader.overview().n_annotations == 1
    DocumentService(library.writer).trash_documents([document_id])
    assert reader.overview().n_annotations == 0 == len(reader.list_annotation_entries())
    history.undo(library.writer)
    assert reader.overview().n_annotations == 1 == len(reader.list_annotation_entries())


def test_the_same_passage_is_highlighted_once(library, reading, document_id):
    span = span_of(library, document_id, "the harbour")
    reading.highlight(document_id, *span, note="first")
    reading.highlight(document_id, *span, color="pink")
    [mark] = reading.list_annotations(document_id)
    assert (mark.color, mark.note) == ("pink", "first")


def test_words_are_underlined_instead_and_keep_that_when_they_are_edited(
    library, reading, document_id
):
    span = span_of(library, document_id, "the harbour")
    reading.highlight(document_id, *span, color="green", style="underline")
    [mark] = reading.list_annotations(document_id)
    assert (mark.kind, mark.color, mark.style) == ("highlight", "green", "underline")
    reading.change(mark.id, color="blue", note="see below")
    [mark] = reading.list_annotations(document_id)
    assert (mark.color, mark.note, mark.style) == ("blue", "see below", "underline")
    DocumentService(library.writer).trash_documents([document_id])
    history.undo(library.writer)
    reading.highlight(document_id, *span)  # the same words with a ground
    assert [m.style for m in reading.list_annotations(document_id)] == ["fill"]
    history.undo(library.writer)
    assert [m.style for m in reading.list_annotations(document_id)] == ["underline"]
    with pytest.raises(UserError, match="style"):
        reading.highlight(document_id, *span, style="wavy")


def test_a_note_is_changed_and_an_annotation_removed(library, reading, document_id):
    reading.bookmark(document_id, *span_of(library, document_id, "Hale came in"))
    [mark] = reading.list_annotations(document_id)
    reading.change(mark.id, note="here it begins")
    assert reading.list_annotations(document_id)[0].note == "here it begins"
    reading.remove(mark.id)
    assert reading.list_annotations(document_id) == []
    with pytest.raises(UserError):
        reading.change(mark.id, note="too late")
    history.undo(library.writer)
    assert reading.list_annotations(document_id)[0].note == "here it begins"


def test_tags_of_a_highlight_are_stored_undone_and_kept(library, reading, document_id):
    span = span_of(library, document_id, "the harbour")
    reading.highlight(document_id, *span)
    [mark] = reading.list_annotations(document_id)
    reading.change(mark.id, tags=["to  read", "Sea", "sea", ""])
    [mark] = reading.list_annotations(document_id)
    assert mark.tags == ("Sea", "to read")
    assert str(history.fetch_history(library.writer)[0][1]) == "Tags of “the harbour”"
    reading.highlight(document_id, *span, color="pink")  # again, in another colour
    reading.change(mark.id, note="a note")
    assert reading.list_annotations(document_id)[0].tags == ("Sea", "to read")
    DocumentService(library.writer).edit_details([document_id], tags=["novels", "sea"])
    assert reading.list_tags() == ["novels", "Sea", "to read"]
    DocumentService(library.writer).trash_documents([document_id])
    assert reading.list_tags() == []
    history.undo(library.writer)
    assert reading.list_annotations(document_id)[0].tags == ("Sea", "to read")
    history.go_to(library.writer, 0)
    assert reading.list_annotations(document_id) == []


@pytest.mark.parametrize(
    ("cut", "style"),
    [
        (lambda mark: mark[:7], "fill"),  # before there were underlines
        (lambda mark: mark[:8], "underline"),  # before there were areas
        (lambda mark: [*mark[:9], mark[10]], "underline"),  # before there were tags
    ],
)
def test_what_older_versions_moved_to_the_trash_comes_back(
    library, reading, document_id, cut, style
):
    span = span_of(library, document_id, "the harbour")
    reading.highlight(document_id, *span, note="why?", style="underline")
    DocumentService(library.writer).trash_documents([document_id])
    db = library.writer
    trash_id, stored = db.row("SELECT id, kept FROM trash")
    kept = json.loads(stored)
    kept["marks"] = [cut(mark) for mark in kept["marks"]]
    with db.transaction():
        db.write("UPDATE trash SET kept = ? WHERE id = ?", (json.dumps(kept), trash_id))
    [back] = DocumentService(db).restore_documents([trash_id]).documents
    [mark] = reading.list_annotations(back)
    assert (mark.quote, mark.note, mark.style, mark.tags) == ("the harbour", "why?", style, ())


def test_several_highlights_are_changed_and_removed_in_one_step(library, reading, document_id):
    for words in ("the harbour", "a shop of clocks"):
        reading.highlight(document_id, *span_of(library, document_id, words))
    reading.bookmark(document_id, *span_of(library, document_id, "Hale came in"))
    marks = reading.list_annotations(document_id)
    ids = [mark.id for mark in marks]
    reading.change(ids[0], tags=["old", "sea"])

    def look() -> list[tuple[str, tuple[str, ...]]]:
        return [(mark.color, mark.tags) for mark in reading.list_annotations(document_id)]

    before = look()
    reading.tag(ids, add=["sea"], drop=["OLD"])
    assert [tags for _, tags in look()] == [("sea",)] * 3
    reading.recolor(ids, "blue")
    colors = {mark.kind: mark.color for mark in reading.list_annotations(document_id)}
    assert colors == {"highlight": "blue", "bookmark": "yellow"}
    reading.remove_many(ids)
    assert look() == []
    labels = [str(row[1]) for row in history.fetch_history(library.writer)[:3]]
    assert labels == ["Remove 3 highlights", "Colour of 2 highlights", "Tags of 3 highlights"]
    for _ in range(3):
        history.undo(library.writer)
    assert look() == before
    with pytest.raises(UserError, match="name"):
        reading.tag(ids, add=[" , "])
    with pytest.raises(UserError, match="no longer"):
        reading.remove_many([9_999])
    [bookmark] = [mark.id for mark in marks if mark.kind == "bookmark"]
    with pytest.raises(UserError, match="no colour"):
        reading.recolor([bookmark], "blue")


def test_nothing_and_unknown_colours_are_refused(reading, document_id):
    with pytest.raises(UserError):
        reading.highlight(document_id, 5, 5)
    with pytest.raises(UserError):
        reading.highlight(document_id, 0, 5, color="plaid")


def test_annotations_are_deleted_with_their_document(library, reading, document_id):
    reading.highlight(document_id, *span_of(library, document_id, "the harbour"))
    DocumentService(library.writer).delete_documents([document_id])
    assert library.writer.value("SELECT count(*) FROM annotation") == 0


def test_an_annotation_is_found_again_by_its_words(library, reading, document_id):
    reading.highlight(document_id, *span_of(library, document_id, "the harbour"))
    [mark] = reading.list_annotations(document_id)
    moved = relocate_annotation(mark, "A new preface. " + "".join(BOOK))
    assert (
        "A new preface. " + "".join(BOOK)[: mark.start]
        == ("A new preface. " + "".join(BOOK))[: moved.start]
    )
    assert not moved.lost
    assert relocate_annotation(mark, "Quite another text.").lost


def test_of_several_occurrences_the_nearest_is_chosen(library, reading, document_id):
    reading.highlight(document_id, *span_of(library, document_id, "the harbour"))
    mark = replace(reading.list_annotations(document_id)[0], start=100, end=111)
    text = "the harbour" + "-" * 80 + "the harbour" + "-" * 300 + "the harbour"
    assert relocate_annotation(mark, text).start == 91


def test_occurrences_of_a_name_and_its_mention_are_found(library, reading, document_id):
    library_reader = LibraryReader(library.writer)
    hale = library_reader.find_entities("Hale")[0]
    text = library_reader.fetch_text(document_id)
    places = reading.fetch_places(hale.id, document_id)
    assert [text[start:end] for start, end in places] == ["Hale"] * text.count("Hale")
    found = reading.find_mention(document_id, places[0][0], hale.id)
    assert found is not None and found[1] == "Hale"
    assert reading.find_mention(document_id, places[0][0] + 1, hale.id) is None


def test_annotations_are_exported_as_markdown_by_chapter_with_pages(
    library, reading, document_id, tmp_path
):
    start, end = span_of(library, document_id, "Clara had loved Marsh.")
    reading.highlight(document_id, start, end, note="At last.")
    reading.bookmark(document_id, 0, 10)
    row = DocumentRow(document_id, "Clocks", "c.txt", "txt", "en", "ready", author="E. Tester")
    written = build_notes_markdown(
        row,
        reading.list_annotations(document_id),
        [Heading(1, "One", 0), Heading(1, "Two", start - 5)],
        [Page(0, "i", 0, start - 1), Page(1, "", start - 1, end + 10)],
    )
    assert written.startswith("# Clocks\n\n*E. Tester*\n\n## One\n\n**Bookmark** · p. i\n\n")
    assert "## Two\n\n> Clara had loved Marsh.\n>\n> — p. 2\n\nAt last.\n" in written


def test_a_position_is_described_by_page_and_chapter():
    pages = [Page(0, "i", 0, 10), Page(1, "", 10, 20)]
    outline = [Heading(1, "Of the\nferry", 5)]
    assert describe_text_place(3, outline, pages) == "p. i"
    assert describe_text_place(12, outline, pages) == "p. 2 · Of the ferry"
    assert describe_text_place(12, (), ()) == ""


def test_a_long_quote_is_shortened_to_a_line():
    assert short("one\n two") == "one two"
    assert len(short("word " * 40)) <= 48


def test_a_note_that_is_stored_while_it_is_written_is_undone_in_one_step(
    library, reading, document_id
):
    service = reading
    service.highlight(document_id, 0, 5)
    [mark] = service.list_annotations(document_id)
    for note in ("h", "half", "half a note"):
        service.change(mark.id, note=note, session="1")
    service.change(mark.id, note="another day", session="2")
    assert history.undo(library.writer)[0] is not None
    assert service.list_annotations(document_id)[0].note == "half a note"
    history.undo(library.writer)
    assert service.list_annotations(document_id)[0].note == ""
    history.redo(library.writer)
    assert service.list_annotations(document_id)[0].note == "half a note"
    # what was done in between is undone for itself
    service.change(mark.id, note="a", session="3")
    service.change(mark.id, color="pink")
    service.change(mark.id, note="a b", session="3")
    history.undo(library.writer)
    now = service.list_annotations(document_id)[0]
    assert (now.note, now.color) == ("a", "pink")
    # a session that ends as it began leaves no step
    newest = history.find_newest_edit(library.writer)
    service.change(mark.id, note="a!", session="4")
    service.change(mark.id, note="a", session="4")
    assert history.find_newest_edit(library.writer) == newest


def test_undoing_an_annotation_reports_its_document(library, reading, document_id):
    editing = EditingService(library.writer)
    reading.highlight(document_id, *span_of(library, document_id, "the harbour"))
    [mark] = reading.list_annotations(document_id)
    reading.change(mark.id, note="a note")
    for verb in (editing.undo, editing.undo, editing.redo):
        label, change = verb()
        assert "the harbour" in (label or "")
        assert change.documents == {document_id}
    assert editing.go_to(0).documents == {document_id}
    assert reading.list_annotations(document_id) == []


def test_a_name_added_by_the_user_is_found_by_its_words(library, reading, document_id):
    editing, library_reader = EditingService(library.writer), LibraryReader(library.writer)
    text = library_reader.fetch_text(document_id)
    editing.create("rain", "event")
    [rain] = library_reader.find_entities("rain")
    places = reading.fetch_places(rain.id, document_id)
    assert [text[start:end] for start, end in places] == ["rain", "rain"]
    named = reading.names_in(document_id, 0, len(text))
    assert [(row[0], row[1]) for row in named if row[2] == rain.id] == places
    assert named == sorted(named)


def test_words_inside_other_words_are_no_names():
    assert find_words("rain, train and rains in the rain", "rain", 0, 100) == [(0, 4), (29, 33)]
    assert find_words("铁牛和铁牛们", "铁牛", 0, 6) == [(0, 2), (3, 5)]
    assert find_words("rain", "", 0, 4) == []


def test_the_share_that_was_read_follows_from_the_stored_position(library, reading, document_id):
    assert reading.fetch_reading_shares() == {}
    n_chars = library.reader().value("SELECT n_chars FROM document WHERE id = ?", (document_id,))
    reading.store_reading_position(document_id, str(n_chars // 2))
    assert reading.fetch_reading_shares()[document_id] == pytest.approx(0.5, abs=0.01)
    reading.store_reading_position(document_id, "-1")  # the start
    assert reading.fetch_reading_shares() == {}


@pytest.mark.parametrize(
    ("position", "share"),
    [
        *(("50", 0.5), ("-1", 0.0), ("500", 1.0), ("[2, 0.5]", 0.25), ("[0, 0.0]", 0.0)),
        *(("", 0.0), ("{}", 0.0), ("[", 0.0), ('["a", 1]', 0.0), ("null", 0.0)),
    ],
)
def test_a_position_is_a_share_of_the_characters_or_of_the_pages(position, share):
    assert share_read(position, 100, 10) == share
    assert share_read(position, 0, 0) == 0.0


def test_the_reading_position_is_kept_until_the_document_is_deleted(library, reading, document_id):
    assert reading.fetch_reading_position(document_id) is None
    reading.store_reading_position(document_id, "[3, 0.5]")
    reading.store_reading_position(document_id, "[4, 0.5]")
    reading.store_reading_position(document_id + 1, "7")
    assert reading.fetch_reading_position(document_id) == "[4, 0.5]"
    assert reading.fetch_reading_position(document_id + 1) is None
    DocumentService(library.writer).delete_documents([document_id])
    assert reading.fetch_reading_position(document_id) is None


def test_a_quotation_in_a_label_has_one_pair_of_marks():
    assert short("“Well, Watson,  what is it?”") == "Well, Watson, what is it?"
    assert short("「再会」") == "再会"
