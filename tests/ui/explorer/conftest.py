"""A theme, a lane, and graph screens over a fake and over a real library."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from desktop_app.engine.model import Subgraph
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.graph_views import GraphViews
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.session import Hub
from desktop_app.ui.explorer.screen import ExplorerScreen
from desktop_app.ui.theme.theme import Theme
from desktop_app.workers.lane import Lane
from tests.books import add_book
from tests.failure_handlers import raise_failure
from tests.ui.explorer.fake_library import OPENED_MS, make_context, make_graph
from tests.ui.fakes import FakeContext

CAST = ["Scrooge", "Marley", "Bob Cratchit", "Tiny Tim", "宋江", "Fred 😀", "x" * 200, "London"]
TIES = [(0, 1), (0, 2), (2, 3), (0, 5), (4, 7), (0, 7), (0, 6), (1, 7)]


@pytest.fixture
def theme(qapp) -> Theme:
    theme = Theme("light")
    theme.animation_ms = lambda wanted=150: 0  # type: ignore[method-assign]
    return theme


@pytest.fixture
def cast() -> Subgraph:
    return make_graph(CAST, TIES)


@pytest.fixture
def lane(qapp) -> Iterator[Lane]:
    lane = Lane("reader", raise_failure)
    yield lane
    lane.close()


@pytest.fixture
def open_screen(qtbot, theme, lane) -> Iterator[Callable[[Subgraph], ExplorerScreen]]:
    opened: list[ExplorerScreen] = []

    def build(graph: Subgraph) -> ExplorerScreen:
        screen = ExplorerScreen(make_context(graph, lane, theme, Hub()))
        qtbot.addWidget(screen)
        opened.append(screen)
        screen.resize(1100, 700)
        with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
            screen.show()
        return screen

    yield build
    for screen in opened:
        screen.shut_down()


@pytest.fixture
def library(library: Library) -> Library:
    add_book(library)
    return library


@pytest.fixture
def open_library(context: FakeContext, library: Library, qtbot) -> Iterator[Callable]:
    context.library_reader = LibraryReader(library.reader())
    context.editing = EditingService(library.writer)
    context.graph_views = GraphViews(library.writer)
    context.theme.animation_ms = lambda wanted=150: 0  # type: ignore[method-assign]
    opened: list[ExplorerScreen] = []

    def build() -> ExplorerScreen:
        screen = ExplorerScreen(context)
        qtbot.addWidget(screen)
        opened.append(screen)
        screen.resize(1100, 700)
        with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
            screen.show()
        return screen

    yield build
    for screen in opened:
        screen.shut_down()
