"""Communities are computed beside edits: an edit in between is never overwritten."""

from __future__ import annotations

import pytest

from desktop_app.engine.changes import NOTHING
from desktop_app.engine.communities.updater import (
    are_fresh,
    compute_communities,
    refresh_communities,
    store_communities,
)
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.editing.service import EditingService
from tests.books import NAMES, add_book, id_of


@pytest.fixture
def book(library):
    add_book(library)
    return library


def fetch_stored(library) -> list[tuple]:
    return library.writer.rows("SELECT * FROM community ORDER BY id")


def test_computing_writes_nothing_and_storing_makes_the_communities_fresh(book):
    reader = book.reader()
    with reader.snapshot():
        update = compute_communities(reader)
    assert update is not None and fetch_stored(book) == []
    change = store_communities(book.writer, update)
    assert change.communities == frozenset(update.values) and are_fresh(book.writer)
    assert compute_communities(reader) is None


def test_communities_of_an_older_graph_are_not_stored(book):
    refresh_communities(book.writer)
    EditingService(book.writer).retype(id_of(book, NAMES[0]), "place")
    with book.reader().snapshot():
        update = compute_communities(book.reader())
    before = fetch_stored(book)
    EditingService(book.writer).delete(id_of(book, NAMES[1]))
    assert update is not None
    assert store_communities(book.writer, update) == NOTHING
    assert fetch_stored(book) == before and not are_fresh(book.writer)


def test_computing_ends_when_it_is_cancelled(book):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        compute_communities(book.writer, cancel=cancel)
