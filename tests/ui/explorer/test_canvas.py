"""The canvas: labels, picking, dragging, keys."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from desktop_app.engine.graph.layout.force import force_layout
from desktop_app.engine.graph.view.graph_data import build_graph_data
from desktop_app.ui.explorer.canvas import GraphCanvas
from desktop_app.ui.explorer.tooltips import build_entity_tooltip, first_sentence


@pytest.fixture
def canvas(qtbot, theme, cast) -> GraphCanvas:
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(900, 600)
    canvas.show()
    data = build_graph_data(cast)
    data.places = force_layout(len(data), data.pairs, data.weights, radii=data.radii)
    canvas.show_data(data)
    return canvas


def test_labels_do_not_overlap(canvas) -> None:
    layer = canvas.labels
    boxes = []
    for row, left, top, text, strong, _ in layer.place(canvas.frame(), canvas.data, canvas.focus):
        assert canvas.data.entities[row].name.startswith(text.rstrip("…")[:5])
        _, width, height = layer.measure(text, strong, 999)
        boxes.append((left, top, left + width, top + height))
    assert len(boxes) >= 5
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_fitting_shows_all_nodes(canvas) -> None:
    canvas.zoom(6.0)
    canvas.fit()
    assert len(canvas.frame().rows) == len(canvas.data)


def test_the_wheel_zooms_at_the_mouse(canvas) -> None:
    row = 2
    before = QPointF(*canvas.frame().points[row])
    canvas.zoom(1.7, before)
    after = QPointF(*canvas.frame().points[row])
    assert (after - before).manhattanLength() < 1.0


def test_nodes_and_edges_are_picked(canvas) -> None:
    points = canvas.frame().points
    assert canvas.disc_at(QPointF(*points[3])) == 3
    pair = canvas.data.pairs[0]
    middle = points[pair].mean(0)
    assert canvas.relation_at(QPointF(*middle)) is not None
    assert canvas.disc_at(QPointF(2, 2)) is None


def test_dragging_a_node_moves_and_pins_it(canvas, qtbot) -> None:
    at = QPoint(*(int(v) for v in canvas.frame().points[1]))
    view = canvas.viewport()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(view, at + QPoint(30, 0))
    qtbot.mouseMove(view, at + QPoint(60, 20))
    with qtbot.waitSignal(canvas.places_changed):
        qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at + QPoint(60, 20))
    assert canvas.data.pinned[1]
    assert np.abs(canvas.frame().points[1] - (at.x() + 60, at.y() + 20)).max() < 2


def test_dragging_the_background_moves_the_view(canvas, qtbot) -> None:
    before = canvas.frame().points[0].copy()
    view = canvas.viewport()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    qtbot.mouseMove(view, QPoint(23, 13))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(23, 13))
    assert np.allclose(canvas.frame().points[0] - before, (20, 10), atol=1.0)


def test_hovering_fades_the_rest_and_leaving_brings_it_back(canvas) -> None:
    canvas.hover_row(2)
    opacities = canvas.focus.opacities(len(canvas.data))
    assert opacities[2] == opacities[0] == opacities[3] == 1.0
    assert opacities[4] == pytest.approx(0.15)
    canvas.hover_row(None)
    assert canvas.focus.opacities(len(canvas.data)) is None


def test_arrow_keys_select_neighbours_and_escape_clears(canvas, qtbot) -> None:
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert canvas.selected_id() == 1
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Down):
        qtbot.keyClick(canvas, key)
    assert canvas.selected_id() is not None
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert canvas.selected_id() is None


def test_a_tooltip_is_plain_text(cast) -> None:
    from dataclasses import replace

    entity = replace(cast.entities[0], name="<img src=x>", description="He. And more.")
    shown_text = build_entity_tooltip(entity)
    assert shown_text.startswith("<img src=x>\n")
    assert "He." in shown_text and "more" not in shown_text
    assert first_sentence("宋江是好汉。他在梁山。") == "宋江是好汉。"


def test_the_theme_changes_the_colours(canvas, theme) -> None:
    light = canvas.palette_now.background
    theme.set_mode("dark")
    assert canvas.palette_now.background != light
    theme.set_mode("light")


def test_the_menu_key_opens_the_menu_beside_the_selected_node(canvas, qtbot) -> None:
    wanted = []
    canvas.menu_wanted.connect(lambda row, at: wanted.append((row, at)))
    canvas.select_row(2)
    qtbot.keyClick(canvas, Qt.Key.Key_Menu)
    qtbot.keyClick(canvas, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    disc = canvas.mapToGlobal(QPoint(*canvas.frame().points[2].round().astype(int).tolist()))
    assert wanted == [(2, disc), (2, disc)]
    canvas.select_row(None)
    qtbot.keyClick(canvas, Qt.Key.Key_Menu)
    assert wanted[-1] == (None, canvas.mapToGlobal(canvas.rect().center()))
