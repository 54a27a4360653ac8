"""A library of two short stories, English and Chinese, indexed with vectors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from tests.fakes import HashEmbedder
from tests.unit.services.test_indexing import STORY, TALE


@contextmanager
def open_story_library(folder: Path) -> Iterator[Library]:
    """Make the library in `folder`, with `clock.txt` and `tea.txt` beside it."""
    files = [folder / "clock.txt", folder / "tea.txt"]
    for file, text in zip(files, (STORY, TALE), strict=True):
        file.write_text(text, "utf-8")
    library = Library(folder / "stories.inkgraph")
    add_files(library.writer, files)
    IndexingService(library.writer, HashEmbedder).run()
    yield library
    library.close()
