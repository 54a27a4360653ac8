"""A theme, a lane and a graph screen over a fake library."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from desktop_app.engine.model import Subgraph
from desktop_app.session import Hub
from desktop_app.ui.explorer.screen import ExplorerScreen
from desktop_app.ui.theme.theme import Theme
from desktop_app.workers.lane import Lane
from tests.failure_handlers import raise_failure
from tests.ui.explorer.fake_library import make_context, make_graph

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
        with qtbot.waitSignal(screen.shown):
            screen.show()
        return screen

    yield build
    for screen in opened:
        screen.shut_down()
