"""Selection, hiding, paths, common neighbours, undo and saved views."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from desktop_app.engine.graph.view.view import View, view_from_dict
from desktop_app.engine.model import Subgraph
from desktop_app.ui.explorer.canvas import Lasso, find_inside
from desktop_app.ui.explorer.inspector import PressRow
from tests.ui.explorer.fake_library import make_graph


def spot(screen, entity_id: int) -> QPoint:
    row = screen.canvas.data.row_of[entity_id]
    return QPoint(*(round(float(v)) for v in screen.canvas.frame().points[row]))


def click(qtbot, screen, entity_id: int, keys=Qt.KeyboardModifier.NoModifier) -> None:
    view = screen.canvas.viewport()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, keys, pos=spot(screen, entity_id))


def ids(screen) -> set[int]:
    return {int(e.id) for e in screen.canvas.data.entities}


def choose(screen, *wanted: int) -> None:
    screen.canvas.choose({screen.canvas.data.row_of[i] for i in wanted})


def test_ctrl_click_selects_several(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    click(qtbot, screen, 1)
    click(qtbot, screen, 2, Qt.KeyboardModifier.ControlModifier)
    assert set(screen.canvas.chosen_ids()) == {1, 2}
    assert screen.surface.bar.text.text() == "2 names"
    click(qtbot, screen, 2, Qt.KeyboardModifier.ControlModifier)
    assert screen.canvas.chosen_ids() == [1]
    qtbot.keyClick(screen.canvas, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(screen.canvas.chosen_ids()) == 8


@pytest.mark.parametrize(
    "keys", [Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier]
)
def test_a_lasso_selects_nodes(open_screen, qtbot, cast, keys) -> None:
    screen = open_screen(cast)
    view, at = screen.canvas.viewport(), spot(screen, 3)
    corners = [at + QPoint(*p) for p in ((-20, -20), (20, -20), (20, 20), (-20, 20))]
    if keys == Qt.KeyboardModifier.ShiftModifier:
        corners = [corners[0], corners[2]]
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, keys, pos=corners[0])
    for corner in corners[1:]:
        qtbot.mouseMove(view, corner)
    assert screen.canvas.findChild(Lasso).isVisible()
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, keys, pos=corners[-1])
    assert 3 in screen.canvas.chosen_ids()
    assert not screen.canvas.findChild(Lasso).isVisible()


def test_the_lasso_may_be_concave() -> None:
    outline = np.array([(0, 0), (10, 0), (10, 10), (5, 2), (0, 10)], dtype=float)
    points = np.array([(2, 2), (5, 8), (9, 5), (11, 5)], dtype=float)
    assert find_inside(points, outline).tolist() == [True, False, True, False]


def test_keep_only_hides_the_rest_and_back_shows_all(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    before = {e.id: screen.canvas.data.places[k].copy() for k, e in enumerate(cast.entities)}
    choose(screen, 1, 2, 6)
    with qtbot.waitSignal(screen.shown):
        qtbot.keyClick(screen.canvas, Qt.Key.Key_K)
    assert ids(screen) == {1, 2, 6}
    with qtbot.waitSignal(screen.shown):
        screen.toolbar.back.click()
    for row, entity in enumerate(screen.canvas.data.entities):
        assert np.allclose(screen.canvas.data.places[row], before[entity.id])


def test_back_undoes_moving_a_node(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    view, at = screen.canvas.viewport(), spot(screen, 2)
    before = screen.canvas.data.places[1].copy()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(view, at + QPoint(30, 10))
    qtbot.mouseMove(view, at + QPoint(60, 20))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at + QPoint(60, 20))
    moved = screen.canvas.data.places[1].copy()
    assert not np.allclose(moved, before)
    with qtbot.waitSignal(screen.shown):
        screen.navigation.back()
    assert np.allclose(screen.canvas.data.places[1], before)
    assert not screen.canvas.data.pinned.any()
    with qtbot.waitSignal(screen.shown):
        screen.navigation.forward()
    assert np.allclose(screen.canvas.data.places[1], moved)
    assert screen.canvas.data.pinned[1]


def test_a_path_between_two_names_is_shown_with_its_evidence(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    choose(screen, 2, 4)  # Marley and Tiny Tim, through Scrooge and Bob
    screen.run_action("path")
    qtbot.waitUntil(screen.surface.paths.isVisible)
    assert screen.surface.paths.paths[0].ids in ((2, 1, 3, 4), (4, 3, 1, 2))
    bright = screen.canvas.focus.opacities(8)
    assert [bright[screen.canvas.data.row_of[i]] for i in (1, 2, 3, 4)] == [1.0] * 4
    assert bright[screen.canvas.data.row_of[7]] < 0.5
    assert len(screen.canvas.focus.touched(screen.canvas.data)) == 3
    rows = screen.surface.paths.findChildren(PressRow)
    mention = next(row for row in rows if "candle" in row.accessibleName())
    with qtbot.waitSignal(screen.open_passage):
        mention.pressed.emit()
    screen.surface.paths.closed.emit()
    assert screen.surface.inspector.isVisible() and not screen.surface.paths.isVisible()
    assert screen.canvas.focus.opacities(8) is None


def test_the_end_of_a_path_is_clicked_or_searched(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.canvas.select_entity(2)
    screen.run_action("path")
    assert "Marley" in screen.surface.bar.text.text()
    click(qtbot, screen, 6)
    qtbot.waitUntil(lambda: bool(screen.surface.paths.paths))
    assert set(screen.surface.paths.paths[0].ids) >= {2, 6}
    assert screen.graph_actions.path_start is None


def test_hidden_names_of_a_path_are_added(open_screen, qtbot) -> None:
    pairs = [(k, k + 1) for k in range(9)]
    screen = open_screen(make_graph([f"Name {k}" for k in range(10)], pairs))
    with qtbot.waitSignal(screen.shown):
        screen.navigation.show_view(View("exact", (1, 10)))
    choose(screen, 1, 10)
    with qtbot.waitSignal(screen.shown):
        screen.run_action("path")
    assert ids(screen) == set(range(1, 11))
    assert screen.canvas.focus.has_path


def test_a_missing_path_is_reported(open_screen, qtbot) -> None:
    screen = open_screen(make_graph(["A", "B", "C", "D"], [(0, 1), (2, 3)]))
    choose(screen, 1, 4)
    screen.run_action("path")
    qtbot.waitUntil(screen.surface.paths.isVisible)
    assert screen.surface.paths.paths == []


def test_common_neighbours_are_selected(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    choose(screen, 1, 2)  # Scrooge and Marley both know London
    screen.run_action("shared")
    qtbot.waitUntil(lambda: 8 in screen.canvas.chosen_ids())
    choose(screen, 4, 7)
    screen.run_action("shared")
    qtbot.waitUntil(lambda: "No common neighbours" in screen.context.messages.texts[-1])


def test_a_larger_radius_shows_more_names(open_screen, qtbot) -> None:
    pairs = [(k, k + 1) for k in range(9)]
    screen = open_screen(make_graph([f"Name {k}" for k in range(10)], pairs))
    with qtbot.waitSignal(screen.shown):
        screen.show_entities([1])
    assert ids(screen) == {1, 2}
    assert screen.surface.bar.depth_slider.isVisible()
    with qtbot.waitSignal(screen.shown):
        screen.surface.bar.depth_slider.setValue(3)
    assert ids(screen) == {1, 2, 3, 4}


def test_expanding_follows_type_weight_and_number(open_screen, qtbot) -> None:
    pairs = [(0, i) for i in range(1, 80)]
    screen = open_screen(make_graph([f"Name {i}" for i in range(80)], pairs))
    with qtbot.waitSignal(screen.shown):
        screen.navigation.show_view(View("exact", (1,)))
    screen.graph_actions.expand([1])
    qtbot.waitUntil(lambda: screen.graph_actions.dialog is not None)
    sheet = screen.graph_actions.dialog
    sheet.type.setCurrentIndex(sheet.type.findData("place"))
    assert {n.row.type for n in sheet.fitting()} == {"place"}
    sheet.most.setValue(3)
    wanted = sheet.ids()
    assert len(wanted) == 3
    with qtbot.waitSignal(screen.shown):
        sheet.add_button.click()
    assert ids(screen) == {1, *wanted}


def test_nodes_are_pinned_by_menu_and_key(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    choose(screen, 1, 2)
    qtbot.keyClick(screen.canvas, Qt.Key.Key_P)
    assert screen.canvas.data.pinned.sum() == 2
    assert screen.surface.bar.buttons["pin"].text() == "Unpin"
    qtbot.keyClick(screen.canvas, Qt.Key.Key_P)
    assert not screen.canvas.data.pinned.any()


def test_selected_nodes_move_together(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    choose(screen, 1, 2)
    rows = [screen.canvas.data.row_of[i] for i in (1, 2)]
    apart = np.subtract(*screen.canvas.data.places[rows]).copy()
    screen.canvas.move_disc(rows[0], QPointF(300, 300))
    assert np.allclose(np.subtract(*screen.canvas.data.places[rows]), apart)


def test_the_menu_of_several_nodes_has_actions_for_several(open_screen, cast) -> None:
    screen = open_screen(cast)
    choose(screen, 1, 2)
    words = [
        a.text() for a in screen.graph_actions.build_menu(screen.canvas.data.row_of[1]).actions()
    ]
    assert "Find path" in words
    assert "Show only these 2 names" in words
    assert "Open" not in words
    assert "Select all" in [a.text() for a in screen.graph_actions.build_menu(None).actions()]


def test_a_saved_view_is_restored(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    choose(screen, 1, 2, 3)
    with qtbot.waitSignal(screen.shown):
        screen.run_action("keep")
    screen.surface.set_color("document")
    screen.canvas.move_disc(0, QPointF(200, 150))
    places = screen.canvas.data.places.copy()
    screen.saved_views.save("My three")
    qtbot.waitUntil(lambda: "My three" in screen.context.library_reader.graph.views)
    screen.surface.set_color("type")
    with qtbot.waitSignal(screen.shown):
        screen.show_top()
    with qtbot.waitSignal(screen.shown):
        screen.toolbar.saved_wanted.emit("My three")
    assert ids(screen) == {1, 2, 3}
    assert np.allclose(screen.canvas.data.places, places)
    assert screen.surface.color_mode == "document"


def test_the_last_view_is_opened_again(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    with qtbot.waitSignal(screen.shown):
        screen.show_entities([4])
    screen.saved_views.save("")
    qtbot.waitUntil(lambda: "" in screen.context.library_reader.graph.views)
    saved = screen.context.library_reader.graph.views[""]
    again = view_from_dict(saved.content["view"])
    assert again.kind == "near" and again.ids == (4,)


@pytest.mark.parametrize(
    "plain", [{}, {"kind": "near", "ids": "x"}, {"layout": "spiral"}, {"limit": None}, {"what": 1}]
)
def test_an_unreadable_saved_view_becomes_the_default_view(plain: dict) -> None:
    assert view_from_dict(plain).layout == "force"


def test_a_family_is_shown_by_one_click(open_screen, qtbot, cast) -> None:
    from dataclasses import replace

    kinds = ["family", "family", "work", "", "", "", "", ""]
    relations = tuple(
        replace(r, kind=k, n_enriched=bool(k), confidence=0.9)
        for r, k in zip(cast.relations, kinds, strict=True)
    )
    screen = open_screen(Subgraph(cast.entities, relations, cast.n_all))
    qtbot.waitUntil(lambda: bool(screen.toolbar.kinds))
    screen.toolbar.start.menu().aboutToShow.emit()
    words = [a.text() for a in screen.toolbar.start.menu().actions()]
    assert "Family tree (2)" in words
    with qtbot.waitSignal(screen.shown):
        screen.show_kind("family")
    data = screen.canvas.data
    shown = {data.kinds[data.kind_codes[k]] for k in np.flatnonzero(data.wanted)}
    assert shown == {"family"}


def test_a_new_layout_keeps_pinned_nodes_in_place(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    canvas = screen.canvas
    row = canvas.data.row_of[3]
    canvas.set_pinned([row], True)
    held = canvas.data.places[row].copy()
    with qtbot.waitSignal(screen.shown):
        screen.navigation.rearrange()
    row = canvas.data.row_of[3]
    assert canvas.data.pinned[row]
    canvas.settle()
    assert canvas.data.places[row] == pytest.approx(held)
    with qtbot.waitSignal(screen.shown):
        screen.navigation.set_layout("circle")
    assert not canvas.data.pinned.any()
