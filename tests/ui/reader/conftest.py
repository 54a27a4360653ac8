"""A small generated PDF, and a reader screen with fakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from desktop_app.engine.model import DocumentRow, Heading, Page
from desktop_app.ui.reader.screen import ReaderScreen
from tests.ui.fakes import ENGLISH, FakeContext

PAGE_LINES = (
    ("The ferry leaves at dawn.", "Nobody waits for the ferry."),
    ("At noon the bridge was closed.", "The toll keeper went home."),
    ("In the evening the river rose.", "It took the bridge with it."),
)


def make_pdf(pages=PAGE_LINES, *, rotate: int = 0) -> bytes:
    """Return a PDF written by hand: one tuple of lines per page, 300 by 400 points."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1"
               " /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"]  # fmt: skip
    kids = []
    for lines in pages:
        shown = " ".join(f"({line}) Tj 0 -20 Td" for line in lines)
        stream = f"BT /F1 14 Tf 40 340 Td {shown} ET"
        content = len(objects) + 1
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Rotate "
            f"{rotate} /Resources << /Font << /F1 3 0 R >> >> /Contents {content} 0 R >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>"
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    start = len(out)
    out += (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    ).encode("latin-1")
    return out


def pdf_text(pages=PAGE_LINES) -> tuple[str, list[Page]]:
    text, found = "", []
    for index, lines in enumerate(pages):
        part = " ".join(lines)
        found.append(Page(index, ("i", "ii", "1")[index % 3], len(text), len(text) + len(part)))
        text += part + "\n\n"
    return text, found


class Books:
    """Adds a PDF, outlines and originals to the fake library reader."""

    def __init__(self, context: FakeContext) -> None:
        library_reader = context.library_reader
        self.text, self.pages = pdf_text()
        self.original = make_pdf()
        self._known = library_reader.get_document
        library_reader.texts[5] = self.text
        library_reader.get_document = self.get_document
        library_reader.fetch_text = lambda document_id: library_reader.texts.get(
            document_id, ENGLISH
        )
        library_reader.fetch_original = lambda document_id: self.original
        library_reader.fetch_pages = lambda document_id: self.pages if document_id == 5 else []
        library_reader.fetch_outline = self.fetch_outline
        self._row = DocumentRow(5, "Ferry timetable", "t.pdf", "pdf", "en", "ready", n_pages=3)

    def get_document(self, document_id: int) -> DocumentRow:
        return self._row if document_id == 5 else self._known(document_id)

    def fetch_outline(self, document_id: int) -> list[Heading]:
        if document_id == 1:
            return [
                Heading(1, "Chapter 1. The ferry", 0),
                Heading(1, "Chapter 2. The flood", ENGLISH.index("Chapter 2")),
            ]
        if document_id == 5:
            return [Heading(1, "Evening", self.pages[2].start, 2)]
        return []


@pytest.fixture
def books(context: FakeContext) -> Books:
    return Books(context)


@pytest.fixture
def reader(
    qtbot, context: FakeContext, books: Books, tmp_path, monkeypatch
) -> Iterator[ReaderScreen]:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))  # reading options are stored there
    context.theme.animation_ms = lambda wanted=150: 0
    screen = ReaderScreen(context)
    qtbot.addWidget(screen)
    screen.resize(700, 400)
    screen.show()
    yield screen
    screen.shut_down()


@pytest.fixture
def opened(qtbot, reader: ReaderScreen) -> Callable[..., ReaderScreen]:
    """Return a function that opens a document (at a passage) and waits until it is shown."""

    def open_(document_id: int, start: int | None = None, end: int = 0) -> ReaderScreen:
        if start is None:
            reader.open_document(document_id)
        else:
            reader.open_at(document_id, start, end)

        def is_there() -> bool:
            loaded = reader.loaded
            return loaded is not None and loaded.row.id == document_id

        qtbot.waitUntil(is_there)
        if reader.view is reader.pdf_view:
            qtbot.waitUntil(lambda: bool(reader.pdf_view.worker.sizes))
        return reader

    return open_
