"""Unusual input: empty and tiny graphs, 5,000 neighbours, isolated nodes, odd or deleted names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.graph.view.arrangement import lay_out
from desktop_app.engine.graph.view.graph_data import Filters
from desktop_app.engine.graph.view.view import LAYOUTS, DiscPositions, View, ViewContent
from desktop_app.engine.model import Subgraph
from desktop_app.ui.explorer.canvas import GraphCanvas
from desktop_app.ui.explorer.export import save_picture
from desktop_app.ui.explorer.node_colors import COLOR_MODES, set_colors
from tests.ui.explorer.fake_library import OPENED_MS, make_graph

STRANGE = [
    "x" * 200,
    "The " + "very " * 40 + "long",
    "🕵️‍♀️ Detective 😀",
    "שלום עולם",
    "محمد بن موسى",
    "及时雨宋江",
    "a\nb\tc",
    '<b>bold</b> & "quoted"',
    "   ",
    "",
    "\u200b",
    "A&B",
]


def show(qtbot, theme, graph: Subgraph, layout: str = "force") -> GraphCanvas:
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(1000, 700)
    canvas.show()
    content = ViewContent(graph, View(layout=layout))
    canvas.show_data(lay_out(graph, DiscPositions(), content=content))
    return canvas


@pytest.mark.parametrize("layout", list(LAYOUTS))
@pytest.mark.parametrize("n", [0, 1, 2])
def test_tiny_graphs_work_in_every_layout(qtbot, theme, n: int, layout: str) -> None:
    canvas = show(qtbot, theme, make_graph([f"N{i}" for i in range(n)], []), layout)
    for mode in COLOR_MODES:
        set_colors(canvas.data, mode, {})
    canvas.set_filters(Filters(name="nobody"))
    canvas.fit()
    canvas.fit_rows([])
    canvas.zoom(2)
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert not canvas.grab().isNull()


@pytest.mark.parametrize("layout", list(LAYOUTS))
def test_unusual_names_are_painted_and_selected(qtbot, theme, tmp_path, layout: str) -> None:
    pairs = [(0, k) for k in range(1, len(STRANGE))]
    canvas = show(qtbot, theme, make_graph(STRANGE, pairs), layout)
    for row in range(len(STRANGE)):
        canvas.select_row(row)
        canvas.grab()
    save_picture(canvas, tmp_path / "strange.svg")
    assert (tmp_path / "strange.svg").stat().st_size > 1000


def test_unusual_names_are_shown_in_all_panels(open_screen, qtbot) -> None:
    pairs = [(0, k) for k in range(1, len(STRANGE))]
    screen = open_screen(make_graph(STRANGE, pairs))
    screen.toolbar.filter.click()
    screen.toolbar.table.click()
    for entity_id in range(1, len(STRANGE) + 1):
        screen.canvas.select_entity(entity_id)
    screen.canvas.choose({0, 3})
    screen.run_action("path")
    qtbot.waitUntil(screen.surface.paths.isVisible)
    assert not screen.grab().isNull()
    assert not screen.context.messages.errors


def test_a_star_of_five_thousand_is_shown_and_picked(qtbot, theme) -> None:
    n = 5_001
    graph = make_graph([f"Name {i}" for i in range(n)], [(0, i) for i in range(1, n)])
    canvas = show(qtbot, theme, graph)
    assert np.isfinite(canvas.data.places).all()
    canvas.select_row(0)
    assert len(canvas.focus.touched(canvas.data)) == n - 1
    canvas.hover_row(0)
    assert canvas.disc_at(QPointF(*canvas.frame().points[0])) == 0
    assert not canvas.grab().isNull()


def test_ten_thousand_isolated_nodes_each_have_a_place(qtbot, theme) -> None:
    graph = make_graph([f"Name {i}" for i in range(10_000)], [])
    canvas = show(qtbot, theme, graph)
    assert len(np.unique(canvas.data.places.round(), axis=0)) == 10_000
    canvas.set_filters(Filters(orphans=False))
    assert not canvas.data.shown.any()
    canvas.fit()
    assert not canvas.grab().isNull()


def test_an_edge_to_a_missing_node_is_left_out() -> None:
    graph = make_graph(["A", "B"], [(0, 1)])
    stray = replace(graph.relations[0], id=9, target_id=77)
    loop = replace(graph.relations[0], id=10, target_id=1)
    data = lay_out(Subgraph(graph.entities, (*graph.relations, stray, loop), 2), DiscPositions())
    assert data.pairs.tolist() == [[0, 1]]


def test_invalid_weights_are_tolerated() -> None:
    graph = make_graph(["A", "B", "C"], [(0, 1), (1, 2)])
    ties = tuple(replace(r, weight=w) for r, w in zip(graph.relations, (0.0, -3.0), strict=True))
    data = lay_out(Subgraph(graph.entities, ties, 3), DiscPositions())
    assert np.isfinite(data.places).all()


def test_deleted_names_leave_the_selection_and_the_path(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.canvas.choose({screen.canvas.data.row_of[i] for i in (2, 4)})
    screen.run_action("path")
    qtbot.waitUntil(lambda: screen.canvas.focus.has_path)
    screen.context.library_reader.gone |= {1, 2}
    with qtbot.waitSignal(screen.shown):
        screen.context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
    assert screen.canvas.chosen_ids() == [4]
    assert not screen.canvas.focus.has_path
    screen.run_action("expand")  # of a node that still exists with its neighbours
    qtbot.waitUntil(
        lambda: any("already" in shown_text for shown_text in screen.context.messages.texts)
    )
    screen.canvas.choose({screen.canvas.data.row_of[i] for i in (3, 4)})
    screen.context.library_reader.gone |= {3, 4, 5, 6, 7, 8}
    with qtbot.waitSignal(screen.shown):
        screen.context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
    assert screen.surface.pages.currentWidget() is screen.surface.empty
    assert not screen.context.messages.errors


def test_a_view_of_deleted_names_is_empty_and_back_leaves_it(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    with qtbot.waitSignal(screen.shown):
        screen.navigation.show_view(View("exact", (777, 888)))
    assert screen.surface.pages.currentWidget() is screen.surface.empty
    with qtbot.waitSignal(screen.shown):
        screen.navigation.back()
    assert len(screen.canvas.data) == 8


def test_a_running_layout_can_be_stopped(open_screen, qtbot) -> None:
    random = np.random.default_rng(3)
    pairs = [(int(a), int(b)) for a, b in random.integers(0, 3_000, (9_000, 2)) if a != b]
    screen = open_screen(make_graph([f"Name {i}" for i in range(3_000)], pairs))
    loader = screen.navigation.loader
    with qtbot.waitSignal(loader.progressed, timeout=OPENED_MS):
        screen.navigation.show_view(View("top", limit=3_000))
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        loader.stop_layout()
    assert len(screen.canvas.data) == 3_000
    assert np.isfinite(screen.canvas.data.places).all()
