"""Tests how a document is shown whose file is inside an archive."""

from __future__ import annotations

from pathlib import Path

from benchmarks.attack_files import make_pdf, make_zip, show
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.text.page_renderer import PageRenderer
from desktop_app.ui.reader.loading import load_document


def test_a_pdf_in_an_archive_is_shown_with_its_pages(tmp_path: Path):
    pages = make_pdf([show(b"The tide came in."), show(b"Clara Wren wrote letters.")], b"")
    pile = tmp_path / "pile.zip"
    pile.write_bytes(make_zip([("papers/tides.pdf", pages), ("b.txt", b"The mill.")]))
    library = Library(tmp_path / "made.inkgraph")
    try:
        add_files(library.writer, [pile])
        IndexingService(library.writer, lambda: None).run(embed=False)
        reader = LibraryReader(library.writer)
        rows = {row.format: row for row in reader.list_documents()}
        loaded = load_document(
            reader, AnnotationService(library.writer, library.writer), rows["pdf"].id
        )
    finally:
        library.close()
    assert rows["pdf"].title == "papers/tides"
    assert loaded.blocks is None and loaded.inner_place == "1"
    renderer = PageRenderer()
    try:
        opened = renderer.open(
            loaded.content or b"", name=loaded.row.file_name, place=loaded.inner_place
        )
        assert len(opened.sizes) == 2 and opened.render(1, 0.2).pixels
    finally:
        renderer.close()
    assert "Clara Wren wrote letters." in loaded.text
    assert len(loaded.pages) == 2
