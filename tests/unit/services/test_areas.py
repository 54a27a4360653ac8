"""Tests areas of pages: stored with their picture, undone, kept in the trash, placed, exported."""

from __future__ import annotations

import os
import struct
import zipfile
from contextlib import closing

import pytest
from lxml import etree

from desktop_app.engine.errors import EnvironmentProblem, UserError
from desktop_app.engine.figures import Figure
from desktop_app.engine.model import DocumentRow, Page
from desktop_app.engine.png import decode_png, encode_png
from desktop_app.engine.services.annotation_entries import (
    export_entries,
    fetch_entry_pictures,
    list_annotation_entries,
    write_pictures,
)
from desktop_app.engine.services.annotations import (
    AnnotationService,
    Area,
    build_annotation,
    build_notes_markdown,
    find_caption_of,
    find_page_of,
    relocate_annotation,
)
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store import history
from desktop_app.engine.store.db import Db
from desktop_app.engine.store.figures import store_figures
from tests.books import add_book

PIXELS = bytes(range(24))  # four by two
PICTURE = encode_png(4, 2, PIXELS)
AREA = Area(1, 0.1, 0.2, 0.6, 0.5)


@pytest.fixture
def document_id(library: Library) -> int:
    """A book with three pages, of which the last two have no text."""
    add_book(library)
    found = int(LibraryReader(library.writer).list_documents()[0].id)
    n_chars = len(LibraryReader(library.writer).fetch_text(found))
    with library.writer.transaction():
        library.writer.write_many(
            "INSERT INTO page(document_id, page_index, label, start, end) VALUES (?, ?, ?, ?, ?)",
            [
                (found, 0, "i", 0, n_chars),
                (found, 1, "", n_chars, n_chars),
                (found, 2, "", n_chars, n_chars),
            ],
        )
    return found


@pytest.fixture
def reading(library: Library) -> AnnotationService:
    return AnnotationService(library.writer, library.writer)


def test_pixels_are_the_same_after_png():
    assert decode_png(PICTURE) == (4, 2, PIXELS)


@pytest.mark.parametrize(
    "png",
    [
        b"",
        PICTURE[:40],
        PICTURE.replace(b"IDAT", b"iDAT"),
        PICTURE[:16] + struct.pack(">I", 5) + PICTURE[20:],  # wider than its pixels
        PICTURE[:16] + struct.pack(">II", 1 << 30, 1 << 30) + PICTURE[24:],
        PICTURE[:41] + b"\0" * 8 + PICTURE[49:],
    ],
)
def test_other_pictures_are_refused(png):
    assert decode_png(png) is None


def test_an_area_is_a_highlight_with_a_picture_and_can_be_undone(library, reading, document_id):
    change = reading.mark_area(document_id, AREA, PICTURE, color="pink", note=" why? ")
    assert change.documents == {document_id}
    [mark] = reading.list_annotations(document_id)
    assert (mark.kind, mark.area, mark.color, mark.note) == ("highlight", AREA, "pink", "why?")
    assert reading.fetch_pictures([mark.id]) == {mark.id: PICTURE}
    reading.change(mark.id, color="blue", note="because")
    label, _ = history.undo(library.writer)
    assert str(label) == "Note on an area of p. 2"
    assert reading.list_annotations(document_id) == [mark]
    reading.remove(mark.id)
    assert reading.list_annotations(document_id) == []
    history.undo(library.writer)
    assert reading.list_annotations(document_id) == [mark]
    assert reading.fetch_pictures([mark.id]) == {mark.id: PICTURE}
    history.undo(library.writer)
    assert reading.list_annotations(document_id) == []
    history.redo(library.writer)
    assert reading.fetch_pictures([mark.id]) == {mark.id: PICTURE}


def test_the_sides_of_an_area_are_changed_with_picture_and_words_and_that_can_be_undone(
    library, reading, document_id
):
    reading.mark_area(document_id, AREA, PICTURE, (0, 9), "one", color="pink", note="why?")
    [before] = reading.list_annotations(document_id)
    other, pixels = Area(0, 0.2, 0.2, 0.6, 0.6), encode_png(2, 1, bytes(6))
    change = reading.change_area(before.id, other, pixels, (3, 12), " two ")
    assert change.documents == {document_id}
    [after] = reading.list_annotations(document_id)
    assert (after.id, after.area, after.start, after.end) == (before.id, other, 3, 12)
    assert (after.quote, after.color, after.note) == ("two", "pink", "why?")
    assert reading.fetch_pictures([after.id]) == {after.id: pixels}
    label, _ = history.undo(library.writer)
    assert str(label) == "Change an area of p. i"
    assert reading.list_annotations(document_id) == [before]
    assert reading.fetch_pictures([before.id]) == {before.id: PICTURE}
    history.redo(library.writer)
    assert reading.list_annotations(document_id) == [after]


def test_only_an_area_has_sides_that_are_changed(reading, document_id):
    reading.highlight(document_id, 0, 9)
    [mark] = reading.list_annotations(document_id)
    with pytest.raises(UserError, match="no area"):
        reading.change_area(mark.id, AREA, PICTURE)
    reading.mark_area(document_id, AREA, PICTURE)
    area = next(mark for mark in reading.list_annotations(document_id) if mark.area)
    with pytest.raises(UserError):
        reading.change_area(area.id, Area(9, 0.1, 0.1, 0.2, 0.2), PICTURE)
    assert next(m for m in reading.list_annotations(document_id) if m.area) == area


def test_two_areas_may_begin_at_the_same_word_as_a_highlight(reading, document_id):
    reading.mark_area(document_id, Area(0, 0.1, 0.1, 0.5, 0.5), PICTURE, (0, 9), "one")
    reading.highlight(document_id, 0, 9)
    reading.mark_area(document_id, Area(0, 0.2, 0.2, 0.6, 0.6), PICTURE, (0, 9), "two")
    assert len(reading.list_annotations(document_id)) == 3


@pytest.mark.parametrize(
    ("area", "picture"),
    [
        (Area(3, 0.1, 0.1, 0.2, 0.2), PICTURE),
        (Area(-1, 0.1, 0.1, 0.2, 0.2), PICTURE),
        (Area(0, 0.2, 0.1, 0.2, 0.2), PICTURE),
        (Area(0, 0.1, 0.1, 0.2, 1.2), PICTURE),
        (AREA, b"GIF89a"),
    ],
)
def test_what_is_no_part_of_a_page_is_refused(reading, document_id, area, picture):
    with pytest.raises(UserError):
        reading.mark_area(document_id, area, picture)
    assert reading.list_annotations(document_id) == []


@pytest.mark.parametrize(
    "stored", ["[1]", "{}", "[0.5, 0, 0, 1, 1]", '["1", 0, 0, 1, 1]', "[0, NaN, 0, 1, 1]", "[", "7"]
)
def test_a_damaged_area_is_none(stored):
    row = (1, 1, "highlight", 0, 4, "word", "yellow", "", 0.0, "fill", stored, "")
    assert build_annotation(row).area is None


def test_an_area_survives_the_trash_and_a_restart(library, reading, document_id):
    reading.mark_area(document_id, AREA, PICTURE, note="kept")
    work = DocumentService(library.writer)
    work.trash_documents([document_id])
    assert list_annotation_entries(library.writer) == []
    [trash_id] = library.writer.column("SELECT id FROM trash")
    work.restore_documents([trash_id])
    with closing(Db(library.writer.path, read_only=True)) as again:
        [note] = list_annotation_entries(again)
        assert (note.mark.area, note.mark.note, note.page) == (AREA, "kept", "2")
        assert list(fetch_entry_pictures(again, [note]).values()) == [PICTURE]


def test_an_area_keeps_its_page_when_the_text_is_read_again():
    pages = [Page(0, "", 0, 10), Page(1, "", 10, 40), Page(2, "", 40, 60)]
    text = "front page a figure of a ship on sea the end of all this."
    row = (1, 1, "highlight", 12, 20, "figure of", "yellow", "", 0.0, "fill", str(list(AREA)), "")
    mark = build_annotation(row)
    kept = relocate_annotation(mark, text, pages)
    assert (kept.area, kept.start, kept.lost) == (AREA, 12, False)
    scan = relocate_annotation(mark, "", [Page(i, "", 0, 0) for i in range(3)])
    assert (scan.area, scan.start, scan.lost) == (AREA, 0, False)  # no text was read
    later = [Page(0, "", 0, 4), Page(1, "", 4, 8), *(Page(p.index + 1, "", p.start, p.end)
             for p in pages[1:])]  # fmt: skip
    moved = relocate_annotation(mark, text, later)  # a page was added in front
    assert moved.area == AREA._replace(page=2)
    assert find_page_of(moved, later) == 2
    assert relocate_annotation(mark, "", pages[:1]).lost
    assert relocate_annotation(mark, text).lost  # it has no pages any more


def test_an_area_of_a_figure_has_the_caption_beside_it(library, reading, document_id):
    text = LibraryReader(library.writer).fetch_text(document_id)
    caption = (text.index("clocks"), text.index("clocks") + 6)
    with library.writer.transaction():
        figures = [
            Figure(*caption, page_index=1, box=(0.1, 0.2, 0.7, 0.55)),
            Figure(0, 5, page_index=2, box=(0.1, 0.2, 0.7, 0.55)),
        ]
        store_figures(library.writer, document_id, text, figures, is_same_file=False)
    reading.mark_area(document_id, AREA, PICTURE)
    reading.mark_area(document_id, Area(1, 0.1, 0.7, 0.6, 0.9), PICTURE)  # below the figure
    reading.mark_area(document_id, AREA, PICTURE, (0, 9), "Table 2: its own caption")
    found = [find_caption_of(mark) for mark in reading.list_annotations(document_id)]
    assert sorted(found) == ["", "Table 2: its own caption", "clocks"]
    assert [note.mark.caption for note in list_annotation_entries(library.writer)].count(
        "clocks"
    ) == 1


def test_markdown_has_the_pictures_of_areas_in_a_folder_beside_it(
    library, reading, document_id, tmp_path
):
    reading.mark_area(document_id, AREA, PICTURE, note="a figure")
    notes = list_annotation_entries(library.writer)
    path = tmp_path / "my notes.md"
    assert export_entries(
        notes, path, "markdown", pictures=fetch_entry_pictures(library.writer, notes)
    )
    [shown] = (tmp_path / "my notes-pictures").iterdir()
    assert shown.read_bytes() == PICTURE
    written = path.read_text("utf-8")
    assert f"![p. 2 · Part](my%20notes-pictures/{shown.name})" in written
    assert "a figure" in written and "> — p. 2 · Part" in written
    [mark] = [note.mark for note in notes]
    own = build_notes_markdown(
        DocumentRow(1, "Book", "b.pdf", "pdf", "en", "ready"), [mark],
        pages=[Page(0, "i", 0, 9), Page(1, "", 9, 9)], picture_paths={mark.id: "b-pictures/1.png"},
    )  # fmt: skip
    assert "![p. 2](b-pictures/1.png)" in own and "a figure" in own


def test_no_picture_replaces_a_file_and_a_repeated_export_writes_only_what_is_new(tmp_path):
    path, folder = tmp_path / "notes.md", tmp_path / "notes-pictures"
    (tmp_path / "notes-1.png").write_bytes(b"of the person")
    first, second = write_pictures(path, {7: PICTURE, 8: PICTURE}).values()
    assert first == second and (tmp_path / first).read_bytes() == PICTURE
    changed = (tmp_path / first).stat().st_mtime_ns
    (folder / "mine.png").write_bytes(b"of the person, too")
    other = encode_png(2, 1, os.urandom(6))
    assert write_pictures(path, {9: other, 7: PICTURE})[7] == first
    assert (tmp_path / first).stat().st_mtime_ns == changed and len(list(folder.iterdir())) == 3
    # a file of the person that has this name by chance stays as it is
    (tmp_path / first).write_bytes(b"drawn over")
    renamed = write_pictures(path, {7: PICTURE})[7]
    assert renamed != first and (tmp_path / renamed).read_bytes() == PICTURE
    assert (tmp_path / first).read_bytes() == b"drawn over"
    assert write_pictures(path, {7: PICTURE})[7] == renamed
    assert (tmp_path / "notes-1.png").read_bytes() == b"of the person"
    (tmp_path / "other-pictures").write_bytes(b"a file")
    with pytest.raises(EnvironmentProblem, match="can't be written"):
        write_pictures(tmp_path / "other.md", {7: PICTURE})
    assert write_pictures(path, {}) == {} and not (tmp_path / "x-pictures").exists()


def test_word_documents_contain_the_pictures_of_areas(library, reading, document_id, tmp_path):
    reading.mark_area(document_id, AREA, PICTURE)
    reading.mark_area(document_id, Area(0, 0.0, 0.0, 1.0, 1.0), encode_png(2, 1, os.urandom(6)))
    notes = list_annotation_entries(library.writer)
    path = tmp_path / "notes.docx"
    export_entries(notes, path, "docx", pictures=fetch_entry_pictures(library.writer, notes))
    with zipfile.ZipFile(path) as archive:
        document = etree.fromstring(archive.read("word/document.xml"))
        relations = etree.fromstring(archive.read("word/_rels/document.xml.rels"))
        targets = {one.get("Id"): one.get("Target") for one in relations}
        embedded = [v for one in document.iter() for k, v in one.items() if k.endswith("}embed")]
        shown = [archive.read(f"word/{targets[one]}") for one in embedded]
    assert len(shown) == 2 and PICTURE in shown


def test_csl_says_that_a_note_is_an_area(library, reading, document_id, tmp_path):
    reading.mark_area(document_id, AREA, PICTURE, note="a figure")
    path = tmp_path / "notes.json"
    export_entries(list_annotation_entries(library.writer), path, "csl")
    assert "[Area of the page] (p. 2 · Part)\\na figure" in path.read_text("utf-8")
