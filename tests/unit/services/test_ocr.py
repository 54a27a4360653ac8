"""Pages that are pictures are read in the background, and the text follows."""

from __future__ import annotations

import gc
import threading
import weakref
import zipfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.engine.changes import NOTHING, ChangeNotice
from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import CancelToken, Progress
from desktop_app.engine.scanned_pages import (
    PageRegion,
    ScannedLine,
    ScannedPage,
    measure_words,
)
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.figures import FigureReader
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.ocr import OcrReader, OcrService
from desktop_app.engine.store import scanned_pages
from desktop_app.engine.store.page_labels import find_page
from desktop_app.engine.store.search import find_passage
from desktop_app.engine.text.page_renderer import PageFailure
from tests.scanned import draw_page, make_scan, save

NAMES = ("Wren", "Hale", "Marsh", "Ellis", "Petrel", "Harrow", "Thornby", "Quill", "Lowe", "Ash")


def make_page(*lines: str) -> ScannedPage:
    made = []
    for row, text in enumerate(lines):
        top = 0.1 + 0.05 * row
        corners = (0.1, top, 0.9, top, 0.9, top + 0.03, 0.1, top + 0.03)
        places = tuple((i + 0.5) / len(text) for i in range(len(text)))
        made.append(ScannedLine(corners, text, 0.99, measure_words(text, places), row))
    return ScannedPage(tuple(made), engine="test/1", regions=(), size=(595.0, 842.0))


def story(index: int) -> ScannedPage:
    name = NAMES[index % len(NAMES)]
    return make_page(
        f"Captain {name} came to the harbour on day {index}.",
        f"Nobody but Clara {name} waited for him there.",
    )


class FakeDocument:
    def __init__(self, content: bytes) -> None:
        self.content, self.is_closed = content, False

    def close(self) -> None:
        self.is_closed = True


class FakeReader:
    """Returns a story for each page, and does what a test wants for some."""

    def __init__(self) -> None:
        self.read: list[int] = []
        self.searched: list[int] = []  # pages on which only drawings were looked for
        self.regions: tuple[PageRegion, ...] = ()  # that are found on them
        self.opened: list[str] = []  # places of documents in their files
        self.pictures: dict[int, str] = {}  # page index -> digest of its picture
        self.special: dict[int, Callable[[], ScannedPage]] = {}
        self.is_closed = False

    def __call__(self) -> FakeReader:
        return self

    def open(
        self, content: bytes, password: str | None = None, *, name: str = "", place: str = ""
    ) -> FakeDocument:
        self.opened.append(place)
        return FakeDocument(content)

    def read_lines(
        self,
        document: FakeDocument,
        index: int,
        *,
        known: Collection[str],
        find_known: Callable[[str], ScannedPage | None],
    ) -> ScannedPage:
        picture = self.pictures.get(index, "")
        if picture in known and (page := find_known(picture)) is not None:
            return page
        self.read.append(index)
        made = self.special.get(index, lambda: story(index))()
        return replace(made, picture=picture)

    def find_regions(self, document: FakeDocument, index: int, page: ScannedPage) -> ScannedPage:
        self.searched.append(index)
        return replace(page, regions=self.regions, size=(595.0, 842.0))

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def service(library: Library, reader: FakeReader) -> OcrService:
    return OcrService(library.writer, open_reader=reader)  # type: ignore[arg-type]


@pytest.fixture
def indexing(library: Library) -> IndexingService:
    return IndexingService(library.writer, lambda: None)


@pytest.fixture
def add(library: Library, indexing: IndexingService, tmp_path: Path) -> Callable[[int], int]:
    """Return a function that adds a scan of so many pages and returns its document."""

    def add(n_pages: int, name: str = "scan.pdf") -> int:
        size = (60 + len(name), 40 + n_pages)
        path = tmp_path / name
        path.write_bytes(make_scan([draw_page([], size=size)] * n_pages))
        [document_id] = add_files(library.writer, [path]).documents
        indexing.run()
        return int(document_id)

    return add


def text_of(library: Library, document_id: int) -> str:
    return LibraryReader(library.writer).fetch_text(document_id)


def read_all(service: OcrService, indexing: IndexingService) -> list[ChangeNotice]:
    changes: list[ChangeNotice] = []

    def follow(change: ChangeNotice) -> None:
        changes.append(change)
        if change.queued:
            indexing.run()

    service.run(on_change=follow)
    indexing.run()
    return changes


def test_a_scan_is_taken_and_says_what_is_done(library, add):
    document_id = add(3)
    row = LibraryReader(library.writer).get_document(document_id)
    assert (row.state, row.n_pages, row.n_chars) == ("ready", 3, 0)
    assert row.notes == ("3 of 3 pages are pictures: they are read in the background.",)
    state = OcrReader(library.writer).find_state(document_id)
    assert state is not None and (state.count.n_waiting, state.count.n_pages) == (3, 3)


def test_pages_are_read_and_their_text_is_searched_with_its_page(
    library, add, service, indexing, reader
):
    document_id = add(3)
    read_all(service, indexing)
    assert reader.read == [0, 1, 2] and reader.is_closed
    text = text_of(library, document_id)
    assert "Captain Wren came to the harbour on day 0." in text
    row = LibraryReader(library.writer).get_document(document_id)
    assert row.notes == () and row.state == "ready" and row.n_entities > 0
    pages = LibraryReader(library.writer).fetch_pages(document_id)
    second = text[pages[1].start : pages[1].end]
    assert second.startswith("Captain Hale") and "Marsh" not in second
    # What is cited names the page, though no number is printed on it.
    assert find_page(library.writer, document_id, pages[1].start) == (1, "2")
    passage = find_passage(library.writer, document_id, pages[1].start, pages[1].end)
    assert passage is not None and passage.page_label == "2"
    pages_read = LibraryReader(library.writer).fetch_scanned_pages(document_id)
    assert set(pages_read) == {0, 1, 2}


def test_the_text_follows_after_one_page_and_then_after_batches_that_double(
    library, add, service, indexing
):
    document_id = add(40)
    lengths = []

    def follow(change: ChangeNotice) -> None:
        if change.queued:
            indexing.run()
            pages = LibraryReader(library.writer).fetch_pages(document_id)
            lengths.append(sum(page.end > page.start for page in pages))

    service.run(on_change=follow)
    assert lengths == [1, 9, 18, 36, 40]


def test_names_that_were_found_stay_when_more_pages_are_read(
    library, add, service, indexing, monkeypatch
):
    add(12)
    extracted: list[int] = []
    extract = IndexingService._extract

    def count(self, document_id):
        found = extract(self, document_id)
        extracted.append(len(found.chunks) - len(found.done))
        return found

    monkeypatch.setattr(IndexingService, "_extract", count)
    read_all(service, indexing)
    n_chunks = library.writer.value("SELECT count(*) FROM chunk")
    assert sum(extracted) < 2 * n_chunks + 3


def test_the_page_on_the_screen_comes_first_then_documents_that_were_asked_about(
    library, add, service, indexing, reader
):
    first, second = add(3, "first.pdf"), add(3, "second.pdf")
    service.want_documents([second])
    service.want_page(first, 2)
    service.run()
    assert reader.read == [2, 0, 1, 2, 0, 1]


def test_to_find_the_next_page_not_all_pages_are_looked_at(library, add):
    """Of 4,000 read pages each was looked at for every page that was read: 32 ms of a processor."""
    document_id, db = add(600), library.writer
    n_steps: dict[tuple[int, bool], int] = {}
    for n_read in (10, 590):
        with db.transaction():
            for index in range(n_read):
                scanned_pages.store_page(db, document_id, index, story(index), 1.0)
        for of_document in (False, True):
            counted = 0

            def count() -> bool:
                nonlocal counted
                counted += 1
                return False

            db._connection.set_progress_handler(count, 1)
            found = scanned_pages.find_waiting_page(db, (), [document_id] if of_document else ())
            db._connection.set_progress_handler(None)
            assert found == (document_id, n_read)
            n_steps[n_read, of_document] = counted
    assert max(n_steps.values()) < 100


def test_a_page_that_ended_with_the_program_comes_after_the_others(library, add):
    document_id, db = add(3), library.writer
    other_id = add(2, "other.pdf")
    with db.transaction():
        assert scanned_pages.count_attempt(db, document_id, 0) == 1
    find = scanned_pages.find_waiting_page
    assert find(db) == (document_id, 1)
    assert find(db, (), [other_id]) == (other_id, 0)
    with db.transaction():
        for index in (1, 2):
            scanned_pages.fail_page(db, document_id, index, Message("It is damaged."))
    assert find(db) == (other_id, 0)
    assert find(db, (), [document_id]) == (document_id, 0)
    states = scanned_pages.fetch_states(db, document_id)
    assert [(i, state, str(why)) for i, (state, why) in states.items()] == [
        (0, "waiting", ""), (1, "failed", "It is damaged."), (2, "failed", "It is damaged.")
    ]  # fmt: skip
    assert set(scanned_pages.count_pages(db, [other_id])) == {other_id}
    assert set(scanned_pages.count_pages(db)) == {document_id, other_id}


def test_the_text_follows_the_last_page_although_the_program_ends_after_it(
    library, add, service, indexing, reader, monkeypatch
):
    document_id = add(3)

    def end(*_: object) -> bool:
        raise SystemExit

    def read_last() -> ScannedPage:
        monkeypatch.setattr(scanned_pages, "is_waiting", end)  # the next thing after storing it
        monkeypatch.setattr(service, "_finish", lambda ids: NOTHING)
        return story(2)

    reader.special[2] = read_last
    with pytest.raises(SystemExit):
        service.run(on_change=lambda change: indexing.run() if change.queued else None)
    monkeypatch.undo()
    indexing.run()  # as at the next start
    assert "day 2" in text_of(library, document_id)
    read_all(OcrService(library.writer, open_reader=reader), indexing)  # type: ignore[arg-type]
    assert reader.read == [0, 1, 2]


def test_reading_is_cancelled_and_goes_on_in_another_run(library, add, service, indexing, reader):
    document_id = add(4)
    cancel = CancelToken()

    def stop() -> ScannedPage:
        cancel.cancel()
        return story(2)

    reader.special[2] = stop
    changes: list[ChangeNotice] = []
    with pytest.raises(Cancelled):
        service.run(cancel=cancel, on_change=changes.append)
    indexing.run()
    assert "day 2" in text_of(library, document_id)  # what was read is not lost
    assert changes[-1].queued == {document_id}
    reader.special.clear()
    again = OcrService(library.writer, open_reader=reader)  # type: ignore[arg-type]
    read_all(again, indexing)
    assert reader.read == [0, 1, 2, 3]


def test_a_page_that_can_not_be_read_is_named_and_the_others_are_read(
    library, add, service, indexing, reader
):
    document_id = add(3)
    n_tries = []

    def fail() -> ScannedPage:
        n_tries.append(1)
        raise PageFailure(Message("it is damaged."), is_final=len(n_tries) == 2)

    reader.special[1] = fail
    read_all(service, indexing)
    state = OcrReader(library.writer).find_state(document_id)
    assert state is not None
    assert [(i, str(reason)) for i, reason in state.failed] == [
        (1, "This page can't be shown: it is damaged.")
    ]
    assert state.count.n_read == 2 and len(n_tries) == 2
    assert LibraryReader(library.writer).get_document(document_id).notes == (
        "1 of 3 pages have no text: 2",
    )


def test_a_page_that_ends_the_program_twice_is_given_up(library, add, service, indexing, reader):
    document_id = add(2)
    with library.writer.transaction():
        library.writer.write("UPDATE scanned_page SET attempts = 2 WHERE page_index = 1")
    read_all(service, indexing)
    assert reader.read == [0]
    state = OcrReader(library.writer).find_state(document_id)
    assert state is not None and "ended unexpectedly" in state.failed[0][1]


def test_pages_are_left_and_read_later(library, add, service, indexing, reader):
    document_id = add(3)
    change = service.leave([document_id])
    assert change.queued == {document_id}
    indexing.run()
    read_all(service, indexing)
    assert reader.read == []
    assert LibraryReader(library.writer).get_document(document_id).notes == (
        "3 of 3 pages have no text: 1, 2, 3",
    )
    service.read_again([document_id])
    read_all(service, indexing)
    assert reader.read == [0, 1, 2]
    assert "day 2" in text_of(library, document_id)


def test_leaving_a_document_ends_the_page_that_is_read(library, add, service, reader):
    document_id = add(2)
    begun = threading.Event()
    documents: list[FakeDocument] = []
    opened = reader.open
    reader.open = lambda *given, **more: documents.append(opened(*given, **more)) or documents[-1]

    def wait() -> ScannedPage:
        begun.set()
        for _ in range(500):
            if documents[-1].is_closed:
                raise Cancelled
            threading.Event().wait(0.01)
        raise AssertionError("it was not closed")

    reader.special[0] = wait
    thread = threading.Thread(target=service.run)
    thread.start()
    assert begun.wait(10)
    service.leave([document_id])
    thread.join(10)
    assert not thread.is_alive()
    assert reader.read == [0]


def test_a_question_pauses_reading(library, add, reader):
    add(2)
    scheduler = WorkScheduler()
    service = OcrService(library.writer, scheduler, reader)  # type: ignore[arg-type]
    with scheduler.hold(Priority.QUESTION):
        thread = threading.Thread(target=service.run)
        thread.start()
        thread.join(0.3)
        assert thread.is_alive() and reader.read == []
    thread.join(10)
    assert reader.read == [0, 1]


def test_less_urgent_work_runs_beside_reading(library, add, reader):
    add(1)
    scheduler = WorkScheduler()
    service = OcrService(library.writer, scheduler, reader)  # type: ignore[arg-type]

    def enrich() -> ScannedPage:
        with scheduler.hold(Priority.ENRICHMENT):
            return story(0)

    reader.special[0] = enrich
    service.run()
    assert reader.read == [0]


def test_progress_says_how_many_pages_are_done(library, add, service):
    document_id = add(3)
    seen: list[Progress] = []
    service.run(on_progress=seen.append)
    assert [(p.stage, p.done, p.total, p.document_id) for p in seen] == [
        ("scans", n, 3, document_id) for n in range(3)
    ]
    assert seen[-1].rate > 0 and seen[-1].left_s is not None


def test_a_page_whose_reader_was_ended_is_not_counted_before_its_second_attempt(
    library, add, service, reader
):
    add(3)

    def end_once() -> ScannedPage:
        del reader.special[0]
        raise PageFailure(Message("its reader crashed"), is_final=False)

    reader.special[0] = end_once
    seen: list[Progress] = []
    service.run(on_progress=seen.append)
    assert reader.read == [0, 0, 1, 2]
    assert [(p.done, p.total) for p in seen] == [(0, 3), (0, 3), (1, 3), (2, 3)]
    assert [p.rate > 0 for p in seen] == [False, False, False, True]


def test_a_missing_package_is_named_once(library, add):
    add(1)
    n_calls = []

    def refuse():
        n_calls.append(1)
        raise EnvironmentProblem("What reads scanned pages is not installed.")

    service = OcrService(library.writer, open_reader=refuse)
    with pytest.raises(EnvironmentProblem):
        service.run()
    service.run()
    assert len(n_calls) == 1


# --- corrections ----------------------------------------------------------------------------------


@pytest.fixture
def read_document(add, service, indexing) -> int:
    document_id = add(2)
    read_all(service, indexing)
    return int(document_id)


def test_a_corrected_line_is_in_the_text_and_undone_and_redone(
    library, read_document, service, indexing
):
    change = service.correct_line(read_document, 0, 1, "Nobody but Clara Wrenfield waited.")
    assert change.queued == {read_document}
    indexing.run()
    assert "Clara Wrenfield waited." in text_of(library, read_document)
    page = OcrReader(library.writer).find_page(read_document, 0)
    assert page is not None
    line = page.lines[1]
    assert (line.confidence, line.before) == (1.0, "Nobody but Clara Wren waited for him there.")
    editing = EditingService(library.writer)
    label, undone = editing.undo()
    assert label == "Correct a line of page 1" and undone.queued == {read_document}
    indexing.run()
    assert "Wrenfield" not in text_of(library, read_document)
    _, redone = editing.redo()
    assert redone.queued == {read_document}
    indexing.run()
    assert "Wrenfield" in text_of(library, read_document)


def test_a_correction_holds_when_the_pages_are_read_again(
    library, read_document, service, indexing, reader
):
    service.correct_line(read_document, 0, 0, "Captain Wren came home.")
    indexing.run()
    moved = make_page("Captain Vvren came to the harbour on day 0.", "Nobody was there.")
    reader.special[0] = lambda: moved
    service.read_again([read_document], all_pages=True)
    read_all(service, indexing)
    text = text_of(library, read_document)
    assert "Captain Wren came home." in text and "Nobody was there." in text


def test_a_line_is_corrected_again_and_set_back(library, read_document, service, indexing):
    service.correct_line(read_document, 0, 0, "Once.")
    service.correct_line(read_document, 0, 0, "Twice.")
    indexing.run()
    assert "Twice." in text_of(library, read_document)
    assert library.writer.value("SELECT count(*) FROM line_correction") == 1
    before = story(0).lines[0].text
    service.correct_line(read_document, 0, 0, before)
    indexing.run()
    assert before in text_of(library, read_document)
    assert library.writer.value("SELECT count(*) FROM line_correction") == 0
    assert not service.correct_line(read_document, 0, 0, before)


def test_a_line_that_is_not_there_is_refused(read_document, service):
    with pytest.raises(UserError, match="no longer on the page"):
        service.correct_line(read_document, 0, 9, "x")
    with pytest.raises(UserError, match="no longer on the page"):
        service.correct_line(read_document, 7, 0, "x")


def test_a_highlight_stays_on_its_words_when_more_pages_are_read(
    library, add, service, indexing, reader
):
    document_id = add(12)
    service.want_page(document_id, 10)
    marks: list[int] = []
    annotations = AnnotationService(library.writer, library.writer)

    def follow(change: ChangeNotice) -> None:
        if not change.queued:
            return
        indexing.run()
        if not marks:
            start = text_of(library, document_id).index("harbour on day 10")
            annotations.highlight(document_id, start, start + 17)
            marks.append(start)

    service.run(on_change=follow)
    indexing.run()
    text = text_of(library, document_id)
    [mark] = annotations.list_annotations(document_id)
    assert text[mark.start : mark.end] == "harbour on day 10"
    assert mark.start > marks[0]


# --- other versions, trash ------------------------------------------------------------------------


def test_a_scan_comes_back_from_the_trash_with_what_was_read(
    library, read_document, service, indexing, reader
):
    documents = DocumentService(library.writer)
    _, [trash_id] = documents.trash_documents([read_document])
    assert library.writer.value("SELECT count(*) FROM scanned_page") == 0
    documents.restore_documents([trash_id])
    read_all(service, indexing)
    assert reader.read == [0, 1]
    assert set(LibraryReader(library.writer).fetch_scanned_pages(read_document)) == {0, 1}


def test_pages_of_a_changed_file_are_read_again(
    library, read_document, service, indexing, reader, tmp_path
):
    before = len(reader.read)
    (tmp_path / "scan.pdf").write_bytes(make_scan([draw_page([], size=(300, 200))] * 3))
    add_files(library.writer, [tmp_path / "scan.pdf"])
    indexing.run()
    assert LibraryReader(library.writer).get_document(read_document).n_pages == 3
    read_all(service, indexing)
    assert len(reader.read) == before + 3
    assert "day 2" in text_of(library, read_document)


def test_indexing_again_keeps_what_was_read(library, read_document, service, indexing, reader):
    before = text_of(library, read_document)
    DocumentService(library.writer).reindex_documents([read_document])
    indexing.run()
    assert text_of(library, read_document) == before
    assert reader.read == [0, 1]


def test_a_scan_of_1000_pages_is_queued_at_once(library, add):
    document_id = add(1000)
    count = OcrReader(library.writer).count()[document_id]
    assert (count.n_waiting, count.n_pages) == (1000, 1000)


def test_a_picture_is_a_document(library, service, indexing, tmp_path: Path):
    (tmp_path / "letter.jpg").write_bytes(save(draw_page([]), "JPEG"))
    [document_id] = add_files(library.writer, [tmp_path / "letter.jpg"]).documents
    indexing.run()
    read_all(service, indexing)
    row = LibraryReader(library.writer).get_document(document_id)
    assert (row.format, row.title, row.state) == ("jpeg", "letter", "ready")
    assert "Captain Wren" in text_of(library, document_id)


# --- pausing, one page, the same pictures ---------------------------------------------------------


def test_while_reading_is_paused_only_requested_pages_are_read(library, add, service, reader):
    document_id = add(4)
    service.set_paused(True)
    service.run()
    assert reader.read == []
    assert OcrService(library.writer).is_paused  # also after the next start
    service.leave([document_id])
    service.request_page(document_id, 2)  # one that was left
    service.run()
    assert reader.read == [2]
    progress = OcrReader(library.writer).find_progress(document_id)
    assert progress is not None and progress.is_paused
    assert [progress.states[i][0] for i in range(4)] == ["left", "left", "read", "left"]
    service.read_again([document_id])
    service.set_paused(False)
    service.run()
    assert reader.read == [2, 0, 1, 3]
    row = LibraryReader(library.writer).get_document(document_id)
    assert (row.scans.n_read, row.scans.n_pages) == (4, 4)


def test_pausing_gives_up_the_page_that_is_read(library, add, service, reader):
    add(2)
    begun = threading.Event()
    documents: list[FakeDocument] = []
    opened = reader.open
    reader.open = lambda *given, **more: documents.append(opened(*given, **more)) or documents[-1]

    def wait() -> ScannedPage:
        begun.set()
        for _ in range(500):
            if documents[-1].is_closed:
                raise Cancelled
            threading.Event().wait(0.01)
        raise AssertionError("it was not closed")

    reader.special[0] = wait
    thread = threading.Thread(target=service.run)
    thread.start()
    assert begun.wait(10)
    service.set_paused(True)
    thread.join(10)
    assert not thread.is_alive() and reader.read == [0]
    assert library.writer.value("SELECT sum(attempts) FROM scanned_page") == 0


def test_all_documents_are_left_at_once(library, add, service, reader):
    first, second = add(1, "first.pdf"), add(1, "second.pdf")
    assert service.leave().documents == {first, second}
    service.run()
    assert reader.read == []


def test_a_line_that_is_right_is_confirmed_and_no_longer_uncertain(
    library, add, service, indexing, reader
):
    document_id = add(1)
    unsure = make_page("Captain Wren came to the harbour.")
    reader.special[0] = lambda: replace(
        unsure, lines=tuple(replace(line, confidence=0.6) for line in unsure.lines)
    )
    read_all(service, indexing)
    change = service.correct_line(document_id, 0, 0, "Captain Wren came to the harbour.")
    assert change.documents == {document_id} and not change.queued  # the text has it
    page = OcrReader(library.writer).find_page(document_id, 0)
    assert page is not None and not page.lines[0].is_unsure
    EditingService(library.writer).undo()
    page = OcrReader(library.writer).find_page(document_id, 0)
    assert page is not None and page.lines[0].is_unsure


def test_a_page_with_the_same_picture_is_not_read_again_and_keeps_its_corrections(
    library, add, service, indexing, reader, tmp_path
):
    reader.pictures = {0: "first", 1: "second"}
    document_id = add(2)
    read_all(service, indexing)
    service.correct_line(document_id, 1, 0, "Captain Hale came home.")
    # A page was put in front of the two.
    reader.pictures = {0: "new", 1: "first", 2: "second"}
    reader.read.clear()
    (tmp_path / "scan.pdf").write_bytes(make_scan([draw_page([], size=(300, 200))] * 3))
    add_files(library.writer, [tmp_path / "scan.pdf"])
    indexing.run()
    reader.special[0] = lambda: make_page("A page that was added.")
    read_all(service, indexing)
    assert reader.read == [0]
    pages = LibraryReader(library.writer).fetch_pages(document_id)
    text = text_of(library, document_id)
    assert "Captain Wren" in text[pages[1].start : pages[1].end]
    assert "Captain Hale came home." in text[pages[2].start : pages[2].end]
    service.correct_line(document_id, 2, 0, story(1).lines[0].text)  # taken back
    assert library.writer.value("SELECT count(*) FROM line_correction") == 0


def test_pages_that_are_queued_again_while_others_are_read_are_read_again(
    library, add, service, indexing, reader
):
    document_id = add(2)
    reader.pictures = {0: "first", 1: "second"}

    def queue_again() -> ScannedPage:
        del reader.special[1]
        service.read_again([document_id], all_pages=True)
        reader.special[0] = lambda: make_page("Captain Wren came home.")
        return story(1)

    reader.special[1] = queue_again
    read_all(service, indexing)
    assert reader.read == [0, 1, 0]
    text = text_of(library, document_id)
    assert "Captain Wren came home." in text and "Captain Hale" in text


class WeakPage(ScannedPage):
    """A page that can be referred to weakly: it has no slots."""


def test_a_run_keeps_no_pages_that_were_read(library, add, service, indexing, reader):
    add(3)
    made: list[weakref.ref[ScannedPage]] = []
    n_alive: list[int] = []

    def read_lines(document: FakeDocument, index: int, **more: object) -> ScannedPage:
        gc.collect()
        n_alive.append(sum(one() is not None for one in made))
        page = WeakPage(story(index).lines, picture=f"{index}", regions=())
        made.append(weakref.ref(page))
        return page

    reader.read_lines = read_lines
    read_all(service, indexing)
    # at most the last one, until the next one is there
    assert len(n_alive) == 3 and max(n_alive) <= 1


def make_zip(path: Path, files: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_scans_in_an_archive_are_read_and_corrected(library, service, indexing, reader, tmp_path):
    scan, picture = make_scan([draw_page([])] * 2), save(draw_page([], size=(600, 700)))
    files = {"notes.txt": b"Notes on the ferry.", "scan.pdf": scan, "a/photo.png": picture}
    add_files(library.writer, [make_zip(tmp_path / "box.zip", files)])
    indexing.run()
    rows = {row.title: row for row in LibraryReader(library.writer).list_documents()}
    assert {title: row.scans.n_waiting for title, row in rows.items()} == {
        "notes": 0, "scan": 2, "a/photo": 1
    }  # fmt: skip
    changes = read_all(service, indexing)
    assert sorted(set(reader.opened)) == ["2", "3"]
    # The archive is read again as one file: after its first page, and when all are there.
    assert len([change for change in changes if change.queued]) == 2
    scan_id, photo_id = rows["scan"].id, rows["a/photo"].id
    assert "Captain Hale" in text_of(library, scan_id)
    assert "Captain Wren" in text_of(library, photo_id)
    service.correct_line(scan_id, 1, 0, "Captain Hale came home.")
    indexing.run()
    assert "Captain Hale came home." in text_of(library, scan_id)
    _, undone = EditingService(library.writer).undo()
    assert undone.queued
    indexing.run()
    assert "Captain Hale came to the harbour" in text_of(library, scan_id)


def test_pages_of_a_changed_archive_are_known_by_their_pictures(
    library, service, indexing, reader, tmp_path
):
    reader.pictures = {0: "first", 1: "second"}
    scan = make_scan([draw_page([])] * 2)
    add_files(library.writer, [make_zip(tmp_path / "box.zip", {"scan.pdf": scan})])
    indexing.run()
    read_all(service, indexing)
    assert reader.read == [0, 1]
    files = {"a.txt": b"A text that was added.", "b.txt": b"Another one.", "scan.pdf": scan}
    add_files(library.writer, [make_zip(tmp_path / "box.zip", files)])
    indexing.run()
    read_all(service, indexing)
    assert reader.read == [0, 1]
    rows = {row.title: row.id for row in LibraryReader(library.writer).list_documents()}
    assert "Captain Hale" in text_of(library, rows["scan"])


MAP = "Map 2. The coast that Edith Merrow had drawn"
DRAWN = PageRegion((0.2, 0.3, 0.8, 0.6))


def page_with_map(regions: tuple[PageRegion, ...] | None) -> ScannedPage:
    made = make_page("Edith Merrow had drawn the coast, as Map 2 shows.")
    top = 0.62
    corners = (0.2, top, 0.7, top, 0.7, top + 0.02, 0.2, top + 0.02)
    lines = (*made.lines, ScannedLine(corners, MAP, 0.99, (), 1))
    corners = (0.4, 0.4, 0.5, 0.4, 0.5, 0.42, 0.4, 0.42)
    lines = (*lines, ScannedLine(corners, "Gull Rock", 0.99, (), 2))
    return replace(made, lines=lines, regions=regions)


def test_a_drawing_on_a_scanned_page_is_a_figure_with_its_caption_and_words(
    library, add, service, indexing, reader
):
    document_id = add(2)
    reader.special[1] = lambda: page_with_map((DRAWN,))
    read_all(service, indexing)
    figures = FigureReader(library.writer)
    [found] = figures.list_figures(document_id)
    assert (found.caption, found.figure.label, found.figure.page_index) == (MAP, "map 2", 1)
    assert found.figure.box == pytest.approx((0.2, 0.3, 0.8, 0.6), abs=0.01)
    assert found.words == "Gull Rock" and figures.search("gull") == [found]
    assert library.writer.column("SELECT state FROM figure") == ["read"]
    assert figures.list_mentioned(document_id, "as Map 2 shows") == [found]
    [edith] = LibraryReader(library.writer).find_entities("Edith Merrow", 1)
    assert figures.list_of_entity(edith.id) == [found]
    assert reader.searched == []


def test_a_corrected_caption_is_that_of_its_figure(library, add, service, indexing, reader):
    document_id = add(1)
    reader.special[0] = lambda: page_with_map((DRAWN,))
    read_all(service, indexing)
    service.correct_line(document_id, 0, 1, MAP.replace("Merrow", "Marrow"))
    indexing.run()
    [found] = FigureReader(library.writer).list_figures(document_id)
    assert found.caption == MAP.replace("Merrow", "Marrow")


def test_pages_that_were_read_before_get_their_figures_without_being_read_again(
    library, add, service, indexing, reader
):
    document_id = add(3)
    reader.special = {i: lambda: page_with_map(None) for i in range(3)}
    reader.special[2] = lambda: replace(story(2), regions=None)
    service.run()
    indexing.run()
    assert FigureReader(library.writer).list_figures(document_id) == []
    names = library.writer.rows("SELECT * FROM mention")
    reader.regions, read = (DRAWN,), list(reader.read)
    cancel = CancelToken()

    def stop(*given: object) -> ScannedPage:
        cancel.cancel()
        raise Cancelled

    find, reader.find_regions = reader.find_regions, stop
    with pytest.raises(Cancelled):
        service.run(cancel=cancel)
    reader.find_regions = find
    changes = read_all(service, indexing)
    assert reader.searched == [0, 1, 2] and reader.read == read
    assert sum(bool(change.queued) for change in changes) == 1
    found = FigureReader(library.writer).list_figures(document_id)
    assert [one.figure.page_index for one in found] == [0, 1]
    assert library.writer.rows("SELECT * FROM mention") == names
    read_all(service, indexing)  # nothing more is to be done
    assert reader.searched == [0, 1, 2]


def test_a_page_that_can_not_be_drawn_again_has_no_figures(library, add, service, indexing, reader):
    document_id = add(2)
    reader.special = {i: lambda: page_with_map(None) for i in range(2)}
    service.run()
    indexing.run()
    find, reader.regions = reader.find_regions, (DRAWN,)

    def refuse(document: FakeDocument, index: int, page: ScannedPage) -> ScannedPage:
        if index == 0:
            raise PageFailure(Message("it is damaged."), is_final=True)
        return find(document, index, page)

    reader.find_regions = refuse
    read_all(service, indexing)
    found = FigureReader(library.writer).list_figures(document_id)
    assert [one.figure.page_index for one in found] == [1]
    assert "map" in text_of(library, document_id).lower()


def test_what_was_read_stays_if_the_file_is_gone_when_figures_are_looked_for(
    library, add, service, indexing, reader
):
    document_id = add(2)
    reader.special = {i: lambda: page_with_map(None) for i in range(2)}
    service.run()
    indexing.run()
    before = library.writer.rows("SELECT page_index, content FROM scanned_page")
    with library.writer.transaction():
        library.writer.write("DELETE FROM original WHERE document_id = ?", (document_id,))
    service.run()  # ends: the document is not looked for again
    assert reader.searched == []
    assert library.writer.rows("SELECT page_index, content FROM scanned_page") == before
