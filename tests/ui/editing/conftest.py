"""The entity screen over a real library, with an entity that has five names beside it."""

from __future__ import annotations

import pytest

from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.ui.entity.screen import EntityScreen
from tests.books import add_book, id_of
from tests.ui.fakes import FakeContext


@pytest.fixture
def library(library: Library) -> Library:
    add_book(library)
    return library


@pytest.fixture
def screen(context: FakeContext, library, qtbot):
    context.library_reader = LibraryReader(library.reader())
    context.editing = EditingService(library.writer)
    made = EntityScreen(context)
    qtbot.addWidget(made)
    made.resize(1100, 760)
    made.show()
    made.show_entity(id_of(library, "Hale"))
    qtbot.waitUntil(lambda: made.loader.card is not None)
    qtbot.waitUntil(lambda: made.names.model.n_all == 5)
    return made
