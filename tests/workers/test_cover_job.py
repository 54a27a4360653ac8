"""Covers are made of the documents that are there, and references of older ones found again."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.attack_files import make_pdf, show
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.services.covers import (
    BOX,
    Cover,
    CoverService,
    fetch_covers,
    pack_cover,
    unpack_cover,
)
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.reference_update import ReferenceUpdate
from desktop_app.engine.store import history
from desktop_app.engine.store.backup import write_copy
from desktop_app.workers.background_jobs import CoverJob
from tests.cover_files import GREEN, add_as_read, make_covered_book, make_png
from tests.pdf_layouts import BOLD, Words, body, make_layout
from tests.small_library import row_of

PAPER = make_layout(
    [[Words("The Ferries of Harrow Ford", 20, 120, 720, BOLD), Words("Ada Voss", 12, 250, 690),
      *body(600)]]
)  # fmt: skip


@pytest.fixture
def library(tmp_library_path):
    made = Library(tmp_library_path)
    yield made
    made.close()


def make_covers(library: Library) -> list[int]:
    """Make what is missing; return the documents that were looked at."""
    seen: list[int] = []
    job = CoverJob(library.writer, WorkScheduler())
    job.run(on_change=lambda change: seen.extend(change.documents))
    return seen


def test_each_file_is_drawn_once_and_text_files_never(library, tmp_path):
    paper = add_as_read(library, tmp_path, "paper.pdf", PAPER)
    book = add_as_read(library, tmp_path, "book.epub", make_covered_book(make_png(300, 400, GREEN)))
    bare = add_as_read(library, tmp_path, "bare.epub", make_covered_book(b"no picture"))
    text = add_as_read(library, tmp_path, "note.txt", b"The ferry leaves at dawn.")
    assert fetch_covers(library.writer, [paper, book, bare]) == {}  # not made yet
    assert make_covers(library) == [bare, book, paper]  # the newest first
    found = fetch_covers(library.writer, [paper, book, bare, text])
    assert (
        set(found) == {paper, book, bare} and found[bare] is None
    )  # that of text is not looked for
    assert make_covers(library) == []


def test_a_changed_file_gets_another_cover(library, tmp_path):
    paper = add_as_read(library, tmp_path, "paper.pdf", PAPER)
    make_covers(library)
    before = fetch_covers(library.writer, [paper])[paper]
    changed = make_pdf([show(b"The ferry leaves at noon, and nobody waits for it.")], b"")
    with library.writer.transaction():
        library.writer.write("UPDATE original SET content = ?", (changed,))
        library.writer.write("UPDATE document SET sha256 = 'another'")
    assert make_covers(library) == [paper]
    assert fetch_covers(library.writer, [paper])[paper] != before


def test_first_pages_drawn_in_an_older_way_are_shown_and_drawn_once_more(library, tmp_path):
    paper = add_as_read(library, tmp_path, "paper.pdf", PAPER)
    book = add_as_read(library, tmp_path, "book.epub", make_covered_book(make_png(300, 400, GREEN)))
    make_covers(library)
    now = fetch_covers(library.writer, [paper])[paper]
    old = Cover(3, 4, bytes(range(36)))
    with library.writer.transaction():
        library.writer.write(  # as version 0.1 stored it
            "UPDATE cover SET width = ?, height = ?, pixels = ?,"
            " sha256 = (SELECT d.sha256 FROM document d WHERE d.id = document_id)",
            pack_cover(old),
        )
    assert fetch_covers(library.writer, [paper, book]) == {paper: old, book: old}
    assert make_covers(library) == [paper]  # only what is drawn in another way
    assert fetch_covers(library.writer, [paper])[paper] == now
    assert make_covers(library) == []


def test_a_cover_goes_with_its_document_and_comes_back_with_it(library, tmp_path):
    paper = add_as_read(library, tmp_path, "paper.pdf", PAPER)
    make_covers(library)
    DocumentService(library.writer).trash_documents([paper])
    assert library.writer.value("SELECT count(*) FROM cover") == 0
    history.undo(library.writer)
    assert make_covers(library) == [paper]


def test_a_backup_has_the_covers(library, tmp_path):
    paper = add_as_read(library, tmp_path, "paper.pdf", PAPER)
    make_covers(library)
    copy = tmp_path / "copy.inkgraph"
    write_copy(library.writer, copy)
    restored = Library(copy)
    try:
        made = fetch_covers(restored.writer, [paper])
        assert made == fetch_covers(library.writer, [paper]) != {}
    finally:
        restored.close()


def test_covers_wait_for_more_urgent_work_and_stop_when_cancelled(library, tmp_path):
    add_as_read(library, tmp_path, "paper.pdf", PAPER)
    scheduler, token = WorkScheduler(), CancelToken()
    scheduler.on_change = token.cancel  # as soon as the covers want their turn
    with scheduler.hold(Priority.QUESTION), pytest.raises(Cancelled):
        CoverService(library.writer, lambda *_: None, scheduler).run(cancel=token)
    assert library.writer.value("SELECT count(*) FROM cover") == 0


# --- what is stored -------------------------------------------------------------------------------


@given(
    st.integers(1, BOX[0]).flatmap(
        lambda width: st.tuples(st.just(width), st.integers(1, 24), st.integers(0, 2**32 - 1))
    )
)
def test_a_stored_cover_is_the_same_cover(made):
    width, height, seed = made
    block = hashlib.sha256(seed.to_bytes(4, "little")).digest()
    pixels = (block * (3 * width * height // len(block) + 1))[: 3 * width * height]
    cover = Cover(width, height, pixels)
    assert unpack_cover(pack_cover(cover)) == cover


@pytest.mark.parametrize(
    "stored",
    [
        (0, 0, b""),
        (3, 4, b""),
        (3, 4, b"no zlib"),
        (3, 4, pack_cover(Cover(3, 3, bytes(27)))[2]),  # too few pixels
        (3, 2, pack_cover(Cover(3, 3, bytes(27)))[2]),  # too many
        (100_000, 100_000, b""),
        (-3, -4, pack_cover(Cover(3, 4, bytes(36)))[2]),
    ],
)
def test_what_is_no_cover_in_a_library_is_not_shown(stored):
    assert unpack_cover(stored) is None


# --- references -----------------------------------------------------------------------------------


def make_older(library: Library, document_id: int, title: str, author: str = "") -> None:
    """Give a document what older rules found."""
    with library.writer.transaction():
        library.writer.write(
            "UPDATE document SET title = ?1, file_title = ?1, author = ?3, file_author = ?3,"
            " reference_rules = 0 WHERE id = ?2",
            (title, document_id, author),
        )


def find_again(library: Library) -> list[int]:
    return ReferenceUpdate(library.writer).run()


def test_references_of_older_documents_are_found_once_and_the_document_says_so(library, tmp_path):
    paper = add_as_read(library, tmp_path, "paper.pdf", PAPER)
    assert find_again(library) == []  # read by the present rules
    make_older(library, paper, "FERRIES OF")
    assert find_again(library) == [paper]
    row = row_of(library, paper)
    assert (row.title, row.author) == ("The Ferries of Harrow Ford", "Ada Voss")
    assert "FERRIES OF" in str(row.notes[-1])
    assert find_again(library) == []


def test_only_titles_in_capitals_are_read_again_for_their_case(library, tmp_path):
    shouted = add_as_read(library, tmp_path, "shouted.pdf", PAPER)
    make_older(library, shouted, "THE FERRIES OF HARROW FORD", "Ada Voss")
    named = add_as_read(library, tmp_path, "named.pdf", PAPER + b"\n")
    make_older(library, named, "FERRIES", "Ada Voss")
    DocumentService(library.writer).edit_details([named], title="MY FERRIES")
    calm = add_as_read(library, tmp_path, "calm.pdf", PAPER + b"\n\n")
    make_older(library, calm, "Ferries of 1987", "Ada Voss")
    with library.writer.transaction():
        library.writer.write("UPDATE document SET reference_rules = 1")
    assert set(find_again(library)) == {shouted, named}
    titles = [row_of(library, number).title for number in (shouted, named, calm)]
    assert titles == ["The Ferries of Harrow Ford", "MY FERRIES", "Ferries of 1987"]
    assert not row_of(library, shouted).notes and "FERRIES" in str(row_of(library, named).notes)
    assert find_again(library) == []


def test_what_the_user_edited_stays(library, tmp_path):
    paper = add_as_read(library, tmp_path, "paper.pdf", PAPER)
    make_older(library, paper, "FERRIES OF")
    DocumentService(library.writer).edit_details([paper], title="My ferries", year="1987")
    assert find_again(library) == [paper]
    row = row_of(library, paper)
    assert (row.title, row.author, row.year) == ("My ferries", "Ada Voss", "1987")
    history.undo(library.writer)  # of the edit: what the file says is that of the present rules
    row = row_of(library, paper)
    assert (row.title, row.year) == ("The Ferries of Harrow Ford", "")


def test_a_document_that_has_all_references_is_not_reported(library, tmp_path):
    paper = add_as_read(library, tmp_path, "paper.pdf", PAPER)
    make_older(library, paper, "The Ferries of Harrow Ford", "Ada Voss")
    DocumentService(library.writer).edit_details([paper], title="My ferries")
    with library.writer.transaction():
        library.writer.write("UPDATE document SET reference_rules = 0")
    assert find_again(library) == []
    assert row_of(library, paper).title == "My ferries"


def test_a_file_that_can_not_be_read_again_keeps_what_is_known(library, tmp_path):
    paper = add_as_read(library, tmp_path, "paper.pdf", PAPER)
    make_older(library, paper, "FERRIES OF")
    with library.writer.transaction():
        library.writer.write("UPDATE original SET content = ?", (b"%PDF-1.4 cut off",))
    assert find_again(library) == []
    assert row_of(library, paper).title == "FERRIES OF"
    assert find_again(library) == []


def test_a_document_that_comes_back_from_the_trash_is_found_again(library, tmp_path):
    paper = add_as_read(library, tmp_path, "paper.pdf", PAPER)
    make_older(library, paper, "FERRIES OF")
    DocumentService(library.writer).trash_documents([paper])
    assert find_again(library) == []
    history.undo(library.writer)
    assert len(find_again(library)) == 1
