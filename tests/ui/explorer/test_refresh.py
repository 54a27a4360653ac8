"""Changes during work: refreshes, undo, fading labels, tables."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QTransform
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from benchmarks.graph_view import build_graph
from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import UserError
from desktop_app.engine.graph.view.arrangement import lay_out
from desktop_app.engine.graph.view.view import DiscPositions
from desktop_app.engine.model import Subgraph
from desktop_app.ui.explorer.animations import SLOW_MS
from desktop_app.ui.explorer.canvas import GraphCanvas
from desktop_app.ui.explorer.frame import build_frame
from desktop_app.ui.explorer.inspector import MOST_SPARE, KeptRows, PressRow
from desktop_app.ui.explorer.zooming import find_fit
from desktop_app.ui.widgets import build_column
from tests.ui.explorer.conftest import CAST, TIES
from tests.ui.explorer.fake_library import make_graph


def all_in_view(screen) -> bool:
    frame = screen.canvas.frame()
    return len(frame.rows) == len(screen.canvas.data) > 0


def test_changes_during_loading_are_shown(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    for _ in range(2):  # twice, before the change is loaded
        screen.show_entities([1])
        with qtbot.waitSignal(screen.shown):
            screen.context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
        assert all_in_view(screen)
        assert screen.navigation.view.kind == "near"


def test_the_first_names_of_an_empty_library_are_shown(open_screen, qtbot, cast) -> None:
    screen = open_screen(Subgraph((), (), 0))
    screen.context.library_reader.subgraph = cast
    with qtbot.waitSignal(screen.shown):
        screen.context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
    assert screen.surface.pages.currentWidget() is screen.canvas
    assert all_in_view(screen)


def test_a_zoomed_view_stays_when_the_library_changes(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.canvas.zoom(2.0)
    before = screen.canvas.box.viewRect()
    with qtbot.waitSignal(screen.shown):
        screen.context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
    assert screen.canvas.box.viewRect() == before


def test_details_are_shown_with_the_view_in_the_rows_that_are_there(
    open_screen, qtbot, cast
) -> None:
    screen = open_screen(cast)
    screen.canvas.select_entity(1)
    inspector, reader = screen.surface.inspector, screen.context.library_reader
    qtbot.waitUntil(lambda: inspector.details is not None)
    before = {row.accessibleName(): row for row in inspector.findChildren(PressRow)}
    relations = list(inspector.details.relations)
    changed = [replace(relations[0], n_evidence=77), *relations[1:]]
    reader.fetch_relations = lambda *_: changed
    ids: list[int] = []
    screen.shown.connect(lambda: ids.append(inspector.details.relations[0].n_evidence))
    with qtbot.waitSignal(screen.shown):
        screen.context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
    assert ids == [77], "the details are there when the view is"
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    after = {row.accessibleName(): row for row in inspector.findChildren(PressRow)}
    assert after == before and len(before) > 2, "no row is built, and none deleted"
    other = relations[0].target if relations[0].source_id == 1 else relations[0].source
    assert "77" in {label.text() for label in after[other].findChildren(QLabel)}
    assert all(row.isVisibleTo(inspector) for row in after.values())
    places = [QRect(row.mapTo(inspector, QPoint()), row.size()) for row in after.values()]
    assert not any(a.intersects(b) for a, b in itertools.combinations(places, 2))


def test_a_selected_name_that_is_gone_ends_without_an_error(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.canvas.select_entity(8)
    inspector, reader = screen.surface.inspector, screen.context.library_reader
    qtbot.waitUntil(lambda: inspector.details is not None)

    def refuse(entity_id: int) -> None:
        raise UserError("This name no longer exists.", "Choose another one.")

    reader.get_entity = refuse
    reader.subgraph = make_graph(CAST[:7], [tie for tie in TIES if 7 not in tie])
    with qtbot.waitSignal(screen.shown):
        screen.context.hub.publish_edit(ChangeNotice(entities=frozenset({8})))
    qtbot.waitUntil(lambda: inspector.summary is not None)
    assert screen.canvas.selected_id() is None and inspector.details is None
    assert not screen.context.messages.errors


def test_labels_go_with_their_nodes_and_are_placed_where_they_arrive(
    qtbot, moving, monkeypatch
) -> None:
    layer = moving.labels
    placed: list[bool] = []
    place = layer.place
    monkeypatch.setattr(
        layer, "place", lambda *a: (placed.append(moving._movement.running), place(*a))[1]
    )
    data = replace(moving.data, places=moving.data.places[::-1].copy())
    moving.show_data(data, animate=True)
    n_painted = 0

    def count() -> None:
        nonlocal n_painted
        n_painted += 1

    paint = layer.paint
    monkeypatch.setattr(layer, "paint", lambda *a: (count(), paint(*a)))
    qtbot.waitUntil(lambda: moving.grab() is not None and not moving._movement.running)
    moving.grab()
    assert placed.count(True) == 0 and placed[-1] is False
    assert n_painted > len(placed), "the frames before only move the labels"


def test_a_frame_that_is_painted_again_keeps_its_labels(qtbot, moving, monkeypatch) -> None:
    layer, placed = moving.labels, []
    place = layer.place
    monkeypatch.setattr(layer, "place", lambda *a: (placed.append(a), place(*a))[1])
    moving.grab()
    assert not placed, "nothing changed since the last paint"
    moving.select_row(2)
    moving.grab()
    moving.grab()
    assert len(placed) == 1
    moving.set_pinned([1], True)  # pinned nodes always have a label
    moving.grab()
    assert len(placed) == 2


def test_a_movement_that_is_cut_short_ends_with_the_whole_graph_in_view(moving) -> None:
    data = replace(moving.data, places=moving.data.places * 3)
    moving.show_data(data, animate=True)
    assert moving._movement.running
    moving.settle()  # as saving the view does
    assert len(moving.frame().rows) == len(data)
    assert moving.box.viewRect() == moving._fit_rect(moving.data)


def test_the_filters_of_a_view_that_is_read_again_stay_as_they_are(
    open_screen, qtbot, cast
) -> None:
    screen = open_screen(cast)
    panel = screen.surface.filters
    assert not panel.boxes  # made once the panel is seen
    screen.surface.show_filters(True)
    before = [*panel.boxes.values(), *panel.groups.boxes.values(), *panel.types.boxes.values()]
    key = next(iter(panel.boxes))
    panel.boxes[key].setChecked(False)
    with qtbot.waitSignal(screen.shown):
        screen.context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
    after = [*panel.boxes.values(), *panel.groups.boxes.values(), *panel.types.boxes.values()]
    assert all(a is b for a, b in zip(before, after, strict=True))
    assert not panel.boxes[key].isChecked()


def test_the_undo_key_moves_a_node_back(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    assert not screen.toolbar.back.isEnabled()
    screen.canvas.move_disc(0, QPointF(200, 150))
    screen.canvas.places_changed.emit()
    assert screen.toolbar.back.isEnabled()
    screen.activateWindow()
    screen.canvas.setFocus()
    with qtbot.waitSignal(screen.shown):
        screen.toolbar.back.click()
    assert not screen.canvas.data.pinned.any()
    assert screen.toolbar.forward.isEnabled()
    assert "Alt+Left" in screen.toolbar.back.toolTip()


def test_alt_with_an_arrow_selects_no_neighbour(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.canvas.select_entity(1)
    qtbot.keyClick(screen.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert screen.canvas.selected_id() == 1


def test_contents_and_selection_are_described_to_screen_readers(open_screen, cast) -> None:
    canvas = open_screen(cast).canvas
    assert canvas.accessibleDescription().startswith("8 names, 8 connections")
    canvas.select_entity(3)
    shown_text = canvas.accessibleDescription()
    assert (
        shown_text.startswith("Bob Cratchit, ")
        and "Scrooge" in shown_text
        and "Tiny Tim" in shown_text
    )
    canvas.choose({0, 1, 2})
    assert canvas.accessibleDescription() == "3 names selected"


def test_the_tables_are_filtered_by_every_word(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.toolbar.table.setChecked(True)
    table = screen.surface.table
    qtbot.waitUntil(lambda: table.names.rowCount() == 8)
    screen.canvas.select_entity(1)
    table.search.setText("bob")
    qtbot.waitUntil(lambda: table.names.rowCount() == 1)
    assert table.names.index(0, 0).data() == "Bob Cratchit"
    assert table.relations.rowCount() == 2
    assert screen.canvas.selected_id() == 1  # a search does not select
    table.search.setText("tim cratchit")
    qtbot.waitUntil(lambda: table.relations.rowCount() == 1)
    table.search.clear()
    qtbot.waitUntil(lambda: table.names.rowCount() == 8)


def test_the_budget_line_counts_what_the_filters_leave(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    assert screen.surface.budget.text.text() == "All 8 names"
    assert screen.context.messages.kept_clear == [screen.surface.budget], "no message covers it"
    screen.surface.filters.name.setText("cratchit")
    qtbot.waitUntil(lambda: screen.surface.budget.text.text() == "1 of 8 names, filtered")
    screen.surface.filters.name.setText("nobody")
    qtbot.waitUntil(lambda: screen.surface.budget.text.text() == "0 of 8 names, filtered")
    assert not screen.surface.filters.isVisible(), "the panel may be closed"
    screen.surface.budget.clear.click()
    assert screen.surface.budget.text.text() == "All 8 names"
    assert screen.surface.budget.clear.isHidden()


def test_selected_and_pinned_nodes_always_have_labels(qtbot, theme, cast) -> None:
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(900, 600)
    data = lay_out(build_graph(1_500, 3_000), DiscPositions())
    canvas.show_data(data)
    small = [int(row) for row in data.by_size[-400:-380:5]]
    message = {row for row, *_ in canvas.labels.place(canvas.frame(), data, canvas.focus)}
    assert not message.issuperset(small)
    canvas.choose(small[:2])
    canvas.set_pinned(small[2:], True)
    message = {row for row, *_ in canvas.labels.place(canvas.frame(), data, canvas.focus)}
    assert message.issuperset(small)


@pytest.fixture
def moving(qtbot, theme, cast) -> GraphCanvas:
    """Return a canvas with animations on, at rest, with all labels shown."""
    theme.animation_ms = lambda wanted=150: wanted  # type: ignore[method-assign]
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(900, 600)
    canvas.show_data(lay_out(cast, DiscPositions()))
    qtbot.waitUntil(lambda: canvas.grab() is not None and not canvas.labels.fading.busy)
    assert set(shares(canvas).values()) == {1.0}
    return canvas


def shares(canvas: GraphCanvas) -> dict[int, float]:
    return {key: message.share for key, (message, *_) in canvas.labels.fading.shown.items()}


def test_labels_fade_in(qtbot, moving: GraphCanvas) -> None:
    moving.pace.last_ms = 0.0  # independent of the speed of this machine
    moving.labels.fading.shown.clear()  # as if no label had been shown before
    moving.grab()
    assert all(0 < share < 0.5 for share in shares(moving).values())
    qtbot.waitUntil(lambda: moving.grab() is not None and not moving.labels.fading.busy)
    assert set(shares(moving).values()) == {1.0}


def test_a_label_without_room_fades_out_and_moves_with_its_node(qtbot, moving) -> None:
    before = set(shares(moving))
    moving.pace.last_ms = 0.0
    moving.set_panels([QRect(0, 0, 900, 600)])  # no room for any
    moving.grab()
    gone = {key: share for key, share in shares(moving).items() if share < 1.0}
    assert gone and set(gone) <= before
    qtbot.waitUntil(lambda: moving.grab() is not None and not moving.labels.fading.busy)
    assert not set(gone) & set(shares(moving))


def test_labels_do_not_fade_while_painting_is_slow(moving) -> None:
    moving.pace.last_ms = SLOW_MS + 1
    moving.labels.fading.shown.clear()
    moving.grab()
    assert set(shares(moving).values()) == {1.0}


def test_without_animations_labels_appear_at_once(qtbot, theme, cast) -> None:
    theme.animation_ms = lambda wanted=150: 0  # type: ignore[method-assign]
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(900, 600)
    canvas.show_data(lay_out(cast, DiscPositions()))
    canvas.grab()
    assert shares(canvas) and set(shares(canvas).values()) == {1.0}


@pytest.mark.parametrize("size", [(560, 620), (640, 560), (900, 800), (1400, 620)])
def test_no_node_of_a_fitted_view_is_under_the_legend(theme, cast, size) -> None:
    data = lay_out(cast, DiscPositions())
    panel = QRect(12, 12, 232, 400)  # as high as most of a small view
    view = find_fit(data, *size, [panel])
    scale = size[0] / view.width()
    step = QTransform(scale, 0, 0, scale, -view.x() * scale, -view.y() * scale)
    frame = build_frame(data, step, *size)
    assert len(frame.rows) == len(data)
    for (x, y), radius in zip(frame.points, frame.radii, strict=True):
        around = panel.adjusted(*map(round, (-radius, -radius, radius, radius)))
        assert not around.contains(round(x), round(y))


def test_the_graph_is_centred_beside_a_panel(qtbot, theme, cast) -> None:
    data = lay_out(cast, DiscPositions())
    panel = QRect(12, 12, 196, 380)
    view = find_fit(data, 900, 800, [panel])
    scale = 900 / view.width()
    step = QTransform(scale, 0, 0, scale, -view.x() * scale, -view.y() * scale)
    frame = build_frame(data, step, 900, 800)
    middle = (frame.points.min(0) + frame.points.max(0)) / 2
    assert abs(middle[1] - 400) < 160
    assert len(frame.rows) == len(data)
    for (x, y), radius in zip(frame.points, frame.radii, strict=True):
        assert not panel.adjusted(*map(round, (-radius, -radius, radius, radius))).contains(
            round(x), round(y)
        )


def test_rows_of_a_list_are_kept_moved_changed_and_removed(theme, qtbot) -> None:
    built: list[str] = []

    def build(key: str) -> PressRow:
        built.append(key)
        return PressRow(theme, key)

    rows = KeptRows(build, PressRow.setAccessibleName)
    page = QWidget()
    qtbot.addWidget(page)
    build_column(rows.column, parent=page)
    page.show()

    def shown() -> list[str]:
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        found = [row for row in page.findChildren(PressRow) if row.isVisibleTo(page)]
        assert {*found} == {*rows.list_rows()}
        return [row.accessibleName() for row in sorted(found, key=lambda row: row.y())]

    page.resize(200, 200)
    assert rows.show("abc")
    qtbot.waitUntil(lambda: shown() == ["a", "b", "c"])
    a, b, c = rows.list_rows()
    assert not rows.show("abd") and rows.list_rows() == [a, b, c], "c shows d"
    assert rows.show("dab") and rows.list_rows() == [c, a, b]
    qtbot.waitUntil(lambda: shown() == ["d", "a", "b"])
    assert rows.show("dabe") and built == ["a", "b", "c", "e"]
    assert rows.show("xy") and rows.list_rows()[:2] == [c, a] and len(built) == 4
    qtbot.waitUntil(lambda: shown() == ["x", "y"])
    assert rows.show("vwxyz") and len(built) == 5, "two rows were spare"
    qtbot.waitUntil(lambda: shown() == ["v", "w", "x", "y", "z"])
    assert rows.show("") and shown() == []
    assert rows.show(map(str, range(MOST_SPARE + 5))) and len(built) == MOST_SPARE + 5
    assert rows.show("") and shown() == []
    assert len(page.findChildren(PressRow)) == MOST_SPARE
