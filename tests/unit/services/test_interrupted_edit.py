"""A process ends between an edit and the update of the graph: the next one makes up for it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from desktop_app.cli.command_context import open_library
from desktop_app.engine.services.document_import import add_text
from desktop_app.engine.services.editing import service
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader

TEXT = "Robert Vale met Ann Stone in Leeds. Ann Stone wrote to Robert Vale from Leeds. " * 3


class _Ended(BaseException):
    """Takes the place of the end of the process."""


@contextmanager
def ending_before_the_graph_follows() -> Iterator[None]:
    """Let the process of an edit end before it updates the graph."""

    def end(*_: object) -> None:
        raise _Ended

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service, "update_graph", end)
        with pytest.raises(_Ended):
            yield


def end_during(library: Path, edit: Callable[[EditingService, int], object]) -> None:
    """Run an edit of Ann Stone whose process ends before the graph is updated."""
    opened = Library(library)
    editing = EditingService(opened.writer)
    [row] = LibraryReader(opened.writer).find_entities("Ann Stone", 1)
    with ending_before_the_graph_follows():
        edit(editing, row.id)
    opened.close()


def list_names(library: Path) -> set[str]:
    options = argparse.Namespace(library=library, passphrase_file=None, passphrase=None)
    with open_library(options) as opened:
        return {row.name for row in LibraryReader(opened.writer).top_entities(10)}


@pytest.fixture
def library(tmp_library_path: Path) -> Path:
    opened = Library(tmp_library_path)
    add_text(opened.writer, "Letters", TEXT)
    IndexingService(opened.writer, lambda: None).run(embed=False)
    opened.close()
    return tmp_library_path


def test_the_next_command_shows_a_renamed_entity(library: Path):
    end_during(library, lambda editing, id_: editing.rename(id_, "Anna Stone"))
    assert "Anna Stone" in list_names(library)


def test_the_next_command_shows_what_undo_restored(library: Path):
    opened = Library(library)
    [row] = LibraryReader(opened.writer).find_entities("Ann Stone", 1)
    EditingService(opened.writer).delete(row.id)
    opened.close()
    assert "Ann Stone" not in list_names(library)
    opened = Library(library)
    editing = EditingService(opened.writer)
    with ending_before_the_graph_follows():
        editing.undo()
    opened.close()
    assert "Ann Stone" in list_names(library)


def test_the_run_of_the_queue_that_a_window_starts_does_so_too(library: Path):
    end_during(library, lambda editing, id_: editing.rename(id_, "Anna Stone"))
    opened = Library(library)
    IndexingService(opened.writer, lambda: None).run(embed=False)
    names = {row.name for row in LibraryReader(opened.writer).top_entities(10)}
    opened.close()
    assert "Anna Stone" in names
