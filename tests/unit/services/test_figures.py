"""Figures in a library: stored with their document, found, drawn, and read for their text."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import py7zr
import pytest

from benchmarks import format_files
from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.figures import Figure
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.scanned_pages import ScannedLine, ScannedPage
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.figure_descriptions import FigureDescriptionService
from desktop_app.engine.services.figure_texts import FigureTextService
from desktop_app.engine.services.figures import (
    FigureDrawer,
    FigureReader,
    FigureUpdate,
)
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.services.stored_figures import move_figure
from desktop_app.engine.store import figures
from desktop_app.engine.store.figures import StoredFigure
from desktop_app.engine.store.history import undo
from desktop_app.engine.text.page_renderer import PageFailure, PageRenderer
from tests.figure_files import (
    draw_picture,
    make_epub,
    make_fb2,
    make_pdf,
    make_xlsx,
    make_zip,
    plot,
    prose,
    write,
)

BODY = (
    "<p>Clara Merrow lived at Harrow Ford, as Figure 1 shows, for all her life.</p>"
    '<p><img src="../images/wall.png"/></p><p>Figure 1. Clara Merrow at the harbour wall</p>'
    "<p>A long text stands between the two pictures here.</p>"
    '<p><img src="../images/bay.png" alt="A chart of the bay"/></p><p>After it.</p>'
)
PICTURES = {
    "cover.png": draw_picture(),
    "wall.png": draw_picture(300, 200),
    "bay.png": draw_picture(200, 200, 30),
}


@pytest.fixture
def library(tmp_path: Path):
    opened = Library(tmp_path / "figures.inkgraph")
    yield opened
    opened.close()


def add(library: Library, tmp_path: Path, name: str, content: bytes) -> int:
    path = tmp_path / name
    path.write_bytes(content)
    [document_id] = add_files(library.writer, [path]).documents
    IndexingService(library.writer, lambda: None).run(embed=False)
    return int(document_id)


def change(library: Library, sql: str, *params: object) -> None:
    with library.writer.transaction():
        library.writer.write(sql, params)


def add_book(library: Library, tmp_path: Path) -> int:
    return add(library, tmp_path, "book.epub", make_epub(BODY, PICTURES))


def test_figures_of_a_document_are_found_by_caption_mention_and_name(library, tmp_path):
    document_id = add_book(library, tmp_path)
    reader = FigureReader(library.writer)
    wall, bay = reader.list_figures(document_id)
    assert wall.caption == "Figure 1. Clara Merrow at the harbour wall"
    assert library.writer.value("SELECT text FROM document_text").count(wall.caption) == 1
    assert (bay.caption, bay.figure.alt, bay.title) == ("", "A chart of the bay", wall.title)
    assert reader.search("HARBOUR clara") == [wall]
    assert reader.search("chart") == [bay]
    assert reader.search("100%") == reader.search("") == []
    text = "lived at Harrow Ford, as Figure 1 shows"
    assert reader.list_mentioned(document_id, text) == [wall]
    assert reader.list_mentioned(document_id, "Figure 2 and Table 1") == []
    [clara] = LibraryReader(library.writer).find_entities("Clara Merrow", 1)
    assert reader.list_of_entity(clara.id) == [wall]
    assert reader.list_of_entity(99_999) == []


def test_figures_come_back_from_the_trash_and_go_with_their_document(library, tmp_path):
    document_id = add_book(library, tmp_path)
    reader = FigureReader(library.writer)
    before = reader.list_figures(document_id)
    DocumentService(library.writer).trash_documents([document_id])
    assert library.writer.value("SELECT count(*) FROM figure") == 0
    EditingService(library.writer).undo()
    assert reader.list_figures(document_id) == before
    assert figures.fetch_outdated(library.writer) == []


def test_a_figure_is_drawn_from_the_file_in_the_library(library, tmp_path):
    page = prose(740, 4) + plot(150, 450, 200, 150) + write("Figure 7: A plot", 150, 430)
    pdf = add(library, tmp_path, "plot.pdf", make_pdf([page]))
    book = add_book(library, tmp_path)
    drawer = FigureDrawer(library.writer)
    try:
        drawn = drawer.draw(pdf, 0, 400)
        assert max(drawn.width, drawn.height) == 400
        assert len(drawn.pixels) == 3 * drawn.width * drawn.height
        assert drawer.draw(book, 0, 150).width == 150
        change(library, "UPDATE figure SET path = 'OPS/gone.png' WHERE number = 1")
        with pytest.raises(UserError, match="missing"):
            drawer.draw(book, 1, 150)
        with pytest.raises(UserError, match="no longer"):
            drawer.draw(book, 9, 150)
    finally:
        drawer.close()
    with pytest.raises(Cancelled):
        drawer.draw(book, 0, 160)


def test_figures_of_documents_of_older_rules_are_found_once(library, tmp_path):
    document_id = add_book(library, tmp_path)
    reader = FigureReader(library.writer)
    before = reader.list_figures(document_id)
    change(library, "DELETE FROM figure")
    change(library, "UPDATE document SET figure_rules = 0")
    update = FigureUpdate(library.writer)
    assert update.run() == [document_id]
    assert reader.list_figures(document_id) == before
    assert update.run() == []


def test_a_saved_page_is_added_with_the_pictures_beside_it(library, tmp_path):
    folder = tmp_path / "page_files"
    folder.mkdir()
    (folder / "wall.png").write_bytes(PICTURES["wall.png"])
    markup = b"<p>One.</p><img src='page_files/wall.png'><p>Figure 1. A wall</p>"
    page = add(library, tmp_path, "page.html", markup)
    reader = FigureReader(library.writer)
    [figure] = reader.list_figures(page)
    assert figure.caption == "Figure 1. A wall"
    drawer = FigureDrawer(library.writer)
    try:
        assert (drawn := drawer.draw(page, figure.number, 150)).width == 150 and drawn.height == 100
    finally:
        drawer.close()
    (folder / "wall.png").unlink()  # the library has it
    assert reader.list_figures(page) == [figure]
    (folder / "wall.png").write_bytes(PICTURES["wall.png"])
    again = add_files(library.writer, [tmp_path / "page.html"])
    assert (again.documents, again.same_as) == ((), (page,))
    (folder / "wall.png").write_bytes(PICTURES["bay.png"])
    assert add_files(library.writer, [tmp_path / "page.html"]).documents == (page,)
    IndexingService(library.writer, lambda: None).run(embed=False)
    [changed] = reader.list_figures(page)
    assert (changed.figure.width, changed.caption) == (200, "Figure 1. A wall")


def test_workbooks_and_books_of_rules_without_their_pictures_are_read_again_once(library, tmp_path):
    book = add_book(library, tmp_path)
    sheet = add(library, tmp_path, "tides.xlsx", make_xlsx(PICTURES["bay.png"]))
    mill = add(library, tmp_path, "mill.fb2", make_fb2(PICTURES["bay.png"]))
    reader = FigureReader(library.writer)
    before = {i: reader.list_figures(i) for i in (book, sheet, mill)}
    assert [len(found) for found in before.values()] == [2, 3, 3]
    change(library, "DELETE FROM figure WHERE document_id <> ?", book)
    change(library, "UPDATE document SET figure_rules = 3")
    assert [i for i, _ in figures.fetch_outdated(library.writer)] == [mill, sheet]  # not the book
    update = FigureUpdate(library.writer)
    assert sorted(update.run()) == [sheet, mill]
    assert {i: reader.list_figures(i) for i in (book, sheet, mill)} == before
    assert update.run() == []


def test_a_caption_is_found_again_in_a_text_of_another_reader():
    read, stored = "Abc\n\nFigure 1. A wall", "A bc\n\n\nFigure 1. A wall"
    figure = Figure(5, 21, "figure 1", path="a.png")
    moved = move_figure(figure, read, stored)
    assert stored[moved.start : moved.end] == "Figure 1. A wall"
    assert move_figure(figure, read, read) is figure
    lost = move_figure(figure, read, "A short one")
    assert lost.start == lost.end == 5


def say(*lines: str, confidence: float = 0.9) -> ScannedPage:
    corners = (0.1, 0.1, 0.9, 0.1, 0.9, 0.2, 0.1, 0.2)
    return ScannedPage(
        tuple(ScannedLine(corners, t, confidence, (), n) for n, t in enumerate(lines))
    )


class FakeReader:
    """Reads figures as a test says, in place of the process with the networks."""

    def __init__(self, answer: Callable[[Figure], ScannedPage]) -> None:
        self.answer, self.read, self.opened, self.is_closed = answer, [], [], False

    def open(self, content: bytes, password: str | None = None, *, name: str = "", place: str = ""):
        self.opened.append(place)
        document = PageRenderer.__new__(PageRenderer)
        document.is_closed, document.close = False, lambda: None  # type: ignore[attr-defined]
        return document

    def read_figure(self, document: object, figure: Figure) -> ScannedPage:
        self.read.append(figure.path)
        return self.answer(figure)

    def close(self) -> None:
        self.is_closed = True


def run(library: Library, answer: Callable[[Figure], ScannedPage]) -> FakeReader:
    reader = FakeReader(answer)
    service = FigureTextService(library.writer, open_reader=lambda: reader)  # type: ignore[arg-type]
    service.want_figure(1, 1)
    service.run(cancel=CancelToken())
    assert reader.is_closed
    return reader


def test_the_text_in_figures_is_read_wanted_ones_first_and_found(library, tmp_path):
    document_id = add_book(library, tmp_path)
    reader = run(library, lambda f: say("Petrel Rock", "10 fathoms"))
    assert reader.read == ["OPS/images/bay.png", "OPS/images/wall.png"]
    found = FigureReader(library.writer)
    assert [f.number for f in found.search("petrel")] == [0, 1]
    assert found.search("fathoms harbour")[0].number == 0
    assert LibraryReader(library.writer).find_documents_with_text("fathoms") == [document_id]
    # What was read stays when the file is read again.
    change(library, "UPDATE document SET figure_rules = 0")
    FigureUpdate(library.writer).run()
    assert figures.count_waiting(library.writer) == 0
    assert len(found.search("petrel")) == 2


def test_figures_that_cannot_be_read_are_given_up_and_uncertain_lines_left_out(library, tmp_path):
    add_book(library, tmp_path)

    def answer(figure: Figure) -> ScannedPage:
        if "bay" in figure.path:
            raise PageFailure(Message("it is damaged."), is_final=True)
        return say("xq", confidence=0.3)

    run(library, answer)
    rows = library.writer.rows("SELECT number, state, words FROM figure ORDER BY number")
    assert rows == [(0, "read", ""), (1, "failed", "")]


def test_reading_ends_for_scanned_pages_and_without_what_reads_pictures(library, tmp_path):
    document_id = add_book(library, tmp_path)

    def refuse() -> FakeReader:
        raise EnvironmentProblem("It is not installed.")

    service = FigureTextService(library.writer, open_reader=refuse)  # type: ignore[arg-type]
    service.run()
    assert figures.count_waiting(library.writer) == 2
    insert = "INSERT INTO scanned_page(document_id, page_index) VALUES (?, 0)"
    change(library, insert, document_id)
    reader = FakeReader(lambda f: say("x"))
    FigureTextService(library.writer, open_reader=lambda: reader).run()  # type: ignore[arg-type]
    assert reader.read == []


def test_at_most_some_figures_of_a_document_are_read_those_with_a_caption_first(
    library, tmp_path, monkeypatch
):
    monkeypatch.setattr(figures, "MAX_READ", 1)
    add_book(library, tmp_path)
    states = library.writer.column("SELECT state FROM figure ORDER BY number")
    assert states == ["waiting", "left"]


# --- in files within files ------------------------------------------------------------------------


def make_inner_files() -> dict[str, bytes]:
    page = prose(740, 4) + plot(150, 450, 200, 150) + write("Figure 7: A plot", 150, 430)
    return {
        "notes.txt": b"Nothing but a few words about the harbour stands in this file.",
        "plots/plot.pdf": make_pdf([page]),
        "book.epub": make_epub(BODY, PICTURES),
    }


def pack(kind: str, files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    if kind == "zip":
        return make_zip(files)
    if kind == "7z":
        with py7zr.SevenZipFile(out, "w") as archive:
            for name, content in files.items():
                archive.writestr(content, name)
    elif kind == "tar.gz":
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            for name, content in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    else:
        letter = format_files.make_eml(
            tuple((name.rpartition("/")[2], content) for name, content in files.items())
        )
        return (
            letter if kind == "eml" else b"From a@example.org Mon Jan  5 10:00:00 2026\n" + letter
        )
    return out.getvalue()


def find_by_caption(library: Library) -> dict[str, StoredFigure]:
    documents = LibraryReader(library.writer).list_documents()
    found = [f for row in documents for f in FigureReader(library.writer).list_figures(row.id)]
    return {figure.caption or figure.figure.alt: figure for figure in found}


PLOT, WALL, BAY = (
    "Figure 7: A plot",
    "Figure 1. Clara Merrow at the harbour wall",
    "A chart of the bay",
)


@pytest.mark.parametrize("kind", ["zip", "tar.gz", "7z", "eml", "mbox"])
def test_figures_in_files_within_files_are_found_and_drawn(library, tmp_path, kind):
    add(library, tmp_path, f"papers.{kind}", pack(kind, make_inner_files()))
    found = find_by_caption(library)
    assert set(found) == {PLOT, WALL, BAY}
    assert len({figure.document_id for figure in found.values()}) == 2
    assert [f.key for f in FigureReader(library.writer).search("plot")] == [found[PLOT].key]
    drawer = FigureDrawer(library.writer)
    try:
        drawn = {name: drawer.draw(*figure.key, 150) for name, figure in found.items()}
    finally:
        drawer.close()
    assert {name: max(one.width, one.height) for name, one in drawn.items()} == dict.fromkeys(
        found, 150
    )
    wall = np.frombuffer(drawn[WALL].pixels, np.uint8).reshape(-1, 3)
    assert {(90, 120, 160), (240, 240, 200)} <= set(map(tuple, wall.tolist()))


def test_the_text_in_figures_of_an_archive_is_read(library, tmp_path):
    add(library, tmp_path, "papers.zip", pack("zip", make_inner_files()))
    reader = run(library, lambda f: say("Petrel Rock"))
    assert sorted(reader.read) == ["", "OPS/images/bay.png", "OPS/images/wall.png"]
    assert reader.opened == ["2", "3"] or reader.opened == ["3", "2"]
    assert len(FigureReader(library.writer).search("petrel")) == 3


def test_figures_in_archives_of_older_rules_are_found_once(library, tmp_path):
    archive = add(library, tmp_path, "papers.zip", pack("zip", make_inner_files()))
    book = add_book(library, tmp_path)
    before = {i: FigureReader(library.writer).list_figures(i) for i in range(1, book + 1)}
    assert sum(map(len, before.values())) == 5
    change(library, "DELETE FROM figure WHERE document_id <> ?", book)
    change(library, "UPDATE document SET figure_rules = 1")
    assert figures.fetch_outdated(library.writer) == [(archive, "papers.zip")]  # not the book
    update = FigureUpdate(library.writer)
    assert update.run() == [archive]
    after = {i: FigureReader(library.writer).list_figures(i) for i in range(1, book + 1)}
    assert after == before
    assert update.run() == []


def test_the_own_description_of_a_figure_in_an_archive_is_of_that_alone(library, tmp_path):
    """Two books of one archive have figures at the same place, and no digest of their own."""
    other = BODY.replace("harbour wall", "mill pond")
    files = {"a.epub": make_epub(BODY, PICTURES), "b.epub": make_epub(other, PICTURES)}
    add(library, tmp_path, "books.zip", pack("zip", files))
    first = find_by_caption(library)[WALL]
    second = find_by_caption(library)["Figure 1. Clara Merrow at the mill pond"]
    service = FigureDescriptionService(library.writer, lambda: None)
    service.correct(*second.key, "By the pond")
    service.correct(*first.key, "By the sea")
    assert find_by_caption(library)[WALL].description == "By the sea"
    undone, changed = undo(library.writer)
    assert undone is not None and changed.documents == {first.document_id}
    found = find_by_caption(library)
    assert found[WALL].description == ""
    assert found["Figure 1. Clara Merrow at the mill pond"].description == "By the pond"
