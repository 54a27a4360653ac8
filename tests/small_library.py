"""A library with documents of a few sentences, for tests of services."""

from __future__ import annotations

from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader

TEXT = "Tobias Quill kept a shop of clocks. Ada Merrow wound them. Tobias Quill made them.\n"


def index(library: Library) -> None:
    IndexingService(library.writer, lambda: None).run(embed=False)


def add(library: Library, folder, name: str = "clocks.txt", text: str = TEXT) -> int:
    path = folder / name
    path.write_text(text, "utf-8")
    [made] = add_files(library.writer, [path]).documents
    index(library)
    return int(made)


def row_of(library: Library, document_id: int):
    return LibraryReader(library.writer).get_document(document_id)
