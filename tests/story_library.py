"""A library of two short stories, English and Chinese, indexed with vectors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from tests.fakes import HashEmbedder
from tests.unit.services.test_indexing import STORY, TALE

STORIES = {"clock.txt": STORY, "tea.txt": TALE}


@contextmanager
def open_story_library(folder: Path) -> Iterator[Library]:
    """Make the library in `folder`, with `clock.txt` and `tea.txt` beside it."""
    write_stories(folder)
    content, first_folder = index_stories()
    (folder / "stories.inkgraph").write_bytes(content)
    library = Library(folder / "stories.inkgraph")
    with library.writer.transaction():  # nothing may take it for another copy
        library.writer.write("UPDATE library_state SET library_id = lower(hex(randomblob(16)))")
        library.writer.write(
            "UPDATE document SET source_path = replace(source_path, ?, ?)",
            (first_folder, str(folder)),
        )
    yield library
    library.close()


def write_stories(folder: Path) -> list[Path]:
    for name, text in STORIES.items():
        (folder / name).write_text(text, "utf-8")
    return [folder / name for name in STORIES]


@cache
def index_stories() -> tuple[bytes, str]:
    """Return the file of the library and the folder of its stories; read once a process."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        library = Library(folder / "stories.inkgraph")
        add_files(library.writer, write_stories(folder))
        IndexingService(library.writer, HashEmbedder).run()
        library.close()
        return (folder / "stories.inkgraph").read_bytes(), name


HELPED = "His niece, Clara Wren, wound them every\nnight."


def add_help(library: Library) -> None:
    """Add the event that Clara Wren helps Tobias Wren."""
    reader = LibraryReader(library.writer)
    clara, tobias = (reader.find_by_names([name]) for name in ("Clara Wren", "Tobias Wren"))
    document_id = next(row.id for row in reader.list_documents() if row.title == "clock")
    start = reader.fetch_text(document_id).index(HELPED)
    assert clara is not None and tobias is not None
    EditingService(library.writer).add_event(
        document_id, start, start + len(HELPED), "helps", actors=[clara], patients=[tobias]
    )
