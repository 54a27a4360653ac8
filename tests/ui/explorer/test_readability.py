"""Readability of the graph: thinned edges, labels on the canvas, nothing under the panels."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt

from desktop_app.engine.graph.layout.force import force_layout
from desktop_app.engine.graph.view.arrangement import lay_out, thin_relations
from desktop_app.engine.graph.view.graph_data import build_graph_data, find_leaders
from desktop_app.engine.graph.view.view import DiscPositions
from desktop_app.ui.explorer.canvas import GraphCanvas
from desktop_app.ui.explorer.label_placement import LABELS_EACH
from tests.ui.explorer.fake_library import OPENED_MS, make_graph

LONG = "The Honourable Company of Ferrymen and Lightermen of the Upper River, number "


def make_dense(n: int):
    return make_graph([f"Name {i}" for i in range(n)], list(itertools.combinations(range(n), 2)))


def test_a_dense_graph_draws_the_strongest_edges_of_every_node() -> None:
    data = build_graph_data(make_dense(40))
    n_strongest = thin_relations(data)
    assert n_strongest > 0
    assert data.drawn.sum() <= 40 * n_strongest
    weights = data.weights
    for row in range(40):
        own = data.relations_of(row)
        assert data.drawn[own].sum() >= n_strongest
        assert weights[own][data.drawn[own]].max() == weights[own].max()


def test_a_sparse_or_small_graph_draws_everything() -> None:
    star = build_graph_data(make_graph([str(i) for i in range(60)], [(0, i) for i in range(1, 60)]))
    assert thin_relations(star) == 0
    assert star.drawn.all()
    assert thin_relations(build_graph_data(make_dense(8))) == 0


def test_a_selected_node_shows_all_its_edges(qtbot, theme) -> None:
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(900, 600)
    canvas.show()
    canvas.show_data(lay_out(make_dense(30), DiscPositions()))
    assert len(canvas.frame().lines) < 100
    canvas.select_row(4)
    assert len(canvas.focus.touched(canvas.data)) == 29


def test_hovering_a_node_of_a_dense_graph_shows_its_strongest_edges(qtbot, theme) -> None:
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.show_data(lay_out(make_dense(30), DiscPositions()))
    canvas.hover_row(4)
    opacities = canvas.focus.opacities(30)
    assert opacities[4] == 1.0
    assert 3 <= (opacities == 1.0).sum() < 25
    assert len(canvas.focus.touched(canvas.data)) == (opacities == 1.0).sum() - 1


def test_a_single_name_is_selected_at_once(open_screen, qtbot) -> None:
    screen = open_screen(make_graph(["宋江"], []))
    qtbot.waitUntil(lambda: screen.surface.inspector.details is not None)
    assert screen.canvas.selected_id() == 1


def test_an_empty_library_shows_no_panel(open_screen) -> None:
    screen = open_screen(make_graph([], []))
    assert not screen.surface.inspector.isVisible()


def test_the_budget_line_says_when_lines_are_left_out(open_screen, cast) -> None:
    screen = open_screen(make_dense(40))
    assert screen.surface.budget.text.text() == "All 40 names · strongest connections"
    assert "2 strongest connections per name" in screen.surface.budget.text.toolTip()
    assert "all its connections" in screen.surface.budget.text.toolTip()
    assert open_screen(cast).surface.budget.text.text() == "All 8 names"


@pytest.mark.parametrize("size", [(900, 600), (420, 320), (1400, 500)])
def test_labels_stay_on_the_canvas(qtbot, theme, size) -> None:
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(*size)
    canvas.show()
    pairs = [(i, (i * 5 + 1) % 14) for i in range(14) if i != (i * 5 + 1) % 14]
    canvas.show_data(lay_out(make_graph([f"{LONG}{i}" for i in range(14)], pairs), DiscPositions()))
    layer = canvas.labels
    for row in range(14):
        canvas.select_row(row)
        placed = layer.place(canvas.frame(), canvas.data, canvas.focus)
        assert row in [one[0] for one in placed]
        for _, left, top, text, strong, _ in placed:
            _, width, height = layer.measure(text, strong, 9_999)
            assert left >= 0 and left + width <= size[0]
            assert top >= 0 and top + height <= size[1]


@pytest.mark.parametrize("size", [(1100, 700), (1280, 800), (760, 560)])
def test_fitted_nodes_and_labels_do_not_overlap_panels(open_screen, qtbot, size) -> None:
    pairs = [(0, i) for i in range(1, 60)]
    screen = open_screen(make_graph([f"Name {i}" for i in range(60)], pairs))
    screen.resize(*size)
    qtbot.waitUntil(lambda: len(screen.canvas.frame().rows) == 60)
    canvas = screen.canvas
    frame = canvas.frame()
    panels = [QRectF(panel) for panel in canvas.panels]
    assert len(panels) == 3
    for row in frame.rows:
        x, y, r = *frame.points[row], frame.radii[row]
        assert not any(p.intersects(QRectF(x - r, y - r, 2 * r, 2 * r)) for p in panels)
    layer = canvas.labels
    for _, left, top, text, strong, _ in layer.place(frame, canvas.data, canvas.focus):
        _, width, height = layer.measure(text, strong, 999)
        assert not any(p.intersects(QRectF(left, top, width, height)) for p in panels)


def test_no_label_covers_a_node_except_those_of_the_largest_smaller_ones(qtbot, theme) -> None:
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(980, 740)
    canvas.show()
    graph = make_graph([f"Name {i}" for i in range(301)], [(0, i) for i in range(1, 301)])
    canvas.show_data(lay_out(graph, DiscPositions()))
    frame, layer = canvas.frame(), canvas.labels
    placed = layer.place(frame, canvas.data, canvas.focus)
    assert placed
    leaders = find_leaders(canvas.data, frame.rows[::-1], LABELS_EACH).tolist()
    assert {0} <= {one.row for one in placed}  # the star's middle, without room beside it
    for row, left, top, text, strong, _ in placed:
        _, width, height = layer.measure(text, strong, 999)
        inside = (frame.points > (left, top)).all(1)
        inside &= (frame.points < (left + width, top + height)).all(1)
        if row in leaders:
            inside &= frame.radii >= frame.radii[row]
        assert not inside.any(), (row, text)


def test_show_more_on_a_star_keeps_nodes_apart(open_screen, qtbot) -> None:
    pairs = [(0, i) for i in range(1, 501)]
    screen = open_screen(make_graph([f"Name {i}" for i in range(501)], pairs))
    while screen.surface.budget.more.isVisible():
        with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
            screen.surface.budget.more.click()
    places = screen.canvas.data.places
    assert len(places) == 501
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    fresh = force_layout(501, screen.canvas.data.pairs, radii=screen.canvas.data.radii)
    freely = np.hypot(*(fresh[:, None] - fresh[None]).transpose(2, 0, 1))
    np.fill_diagonal(freely, np.inf)
    assert np.median(apart.min(1)) > 0.6 * np.median(freely.min(1))


def drag(qtbot, screen, row: int, by: QPoint) -> None:
    at = QPoint(*(round(float(v)) for v in screen.canvas.frame().points[row]))
    view = screen.canvas.viewport()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(view, at + by / 2)
    qtbot.mouseMove(view, at + by)
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at + by)


def test_a_reopened_view_has_its_pins(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    drag(qtbot, screen, 1, QPoint(60, 20))
    before = screen.canvas.data.places[1].copy()
    with qtbot.waitSignal(screen.shown):
        screen.show_entities([4])
    with qtbot.waitSignal(screen.shown):
        screen.show_top()
    data = screen.canvas.data
    assert data.pinned.tolist() == [row == 1 for row in range(len(data))]
    assert np.array_equal(data.places[1], before)
    screen.canvas.set_pinned([1], False)
    with qtbot.waitSignal(screen.shown):
        screen.show_entities([4])
    with qtbot.waitSignal(screen.shown):
        screen.show_top()
    assert not screen.canvas.data.pinned.any()


def test_the_layout_does_not_occupy_the_reader_lane(open_screen, cast, lane) -> None:
    screen = open_screen(cast)
    assert screen.navigation.loader.lane is not lane
    assert screen.navigation.loader.lane.isRunning()


def test_closing_the_screen_ends_its_lane(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.show_entities([1])
    screen.shut_down()
    assert not screen.navigation.loader.lane.isRunning()
    screen.show_top()
    screen.shut_down()
    assert not screen.navigation.loader.lane.isRunning()


def test_an_edge_of_the_selected_node_is_picked_even_if_thinned_out(qtbot, theme) -> None:
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(900, 600)
    canvas.show()
    canvas.show_data(lay_out(make_dense(30), DiscPositions()))
    weak = int(np.flatnonzero(~canvas.data.drawn)[0])
    first, second = canvas.data.pairs[weak]
    canvas.select_row(int(first))
    frame = canvas.frame()
    middle = QPointF(*(frame.points[first] * 0.5 + frame.points[second] * 0.5))
    found = canvas.relation_at(middle)
    assert found is not None
    assert first in canvas.data.pairs[found] or found in frame.lines
    assert weak in canvas.focus.touched(canvas.data)
