"""Figures in a library: stored with their document, found, drawn, and read for their text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.figures import Figure
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.scanned_pages import ScannedLine, ScannedPage
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.figure_texts import FigureTextService
from desktop_app.engine.services.figures import (
    FigureDrawer,
    FigureReader,
    FigureUpdate,
    move_figure,
)
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store import figures
from desktop_app.engine.text.page_renderer import PageFailure, PageRenderer
from tests.figure_files import draw_picture, make_epub, make_pdf, plot, prose, write

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
        self.answer, self.read, self.is_closed = answer, [], False

    def open(self, content: bytes, password: str | None = None):
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
