"""Large views: labels of clusters, sizes of nodes, titles of communities, detail while moving."""

from __future__ import annotations

import itertools
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QImage

from desktop_app.engine.graph.view.arrangement import lay_out
from desktop_app.engine.graph.view.graph_data import GraphData, find_leaders, set_color_codes
from desktop_app.engine.graph.view.view import (
    DiscPositions,
    EntityDocuments,
    Groups,
    View,
    ViewContent,
    positions_of,
)
from desktop_app.engine.model import Subgraph
from desktop_app.ui.explorer import labels as label_layer
from desktop_app.ui.explorer.canvas import GraphCanvas
from desktop_app.ui.explorer.label_placement import NAMES_A_STEP, LabelPlacement
from desktop_app.ui.explorer.labels import MOVED, belong_to, find_title_spots
from tests.ui.explorer.fake_library import make_graph

SIZES = (700, 60, 40, 25)  # names of each cluster: one book is much bigger than the others


def build_clusters(sizes: tuple[int, ...] = SIZES) -> tuple[Subgraph, ViewContent]:
    """Return stars, each a community and a document; the k-th name is connected to k + 1."""
    names: list[str] = []
    pairs: list[tuple[int, int]] = []
    communities: dict[int, int] = {}
    documents: dict[int, EntityDocuments] = {}
    for number, size in enumerate(sizes):
        base = len(names)
        names += [f"Book {number} name {k}" for k in range(size)]
        pairs += [(base, base + k) for k in range(1, size)]
        pairs += [(base + 1, base + k) for k in range(2, size, 2)]
        pairs += [(base + 2, base + k) for k in range(3, size, 4)]
        for row in range(base, base + size):
            communities[row + 1] = 100 + number
            documents[row + 1] = EntityDocuments((number + 1,), (number + 1, row))
    graph = make_graph(names, pairs)
    groups = Groups(communities, {100: "The big book"}, 1)
    return graph, ViewContent(graph, View(), documents, groups=groups)


def show(qtbot, theme, content: ViewContent, view: View) -> GraphCanvas:
    content = replace(content, view=view)
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(1280, 800)
    canvas.show()
    canvas.show_data(lay_out(content.graph, DiscPositions(), content=content))
    return canvas


def labelled(canvas: GraphCanvas) -> list[str]:
    frame, data = canvas.frame(), canvas.data
    titles = [one.row for one in canvas.labels.place_titles(frame, data) if one.row is not None]
    placed = [one.row for one in canvas.labels.place(frame, data, canvas.focus)]
    return [data.entities[row].name for row in [*titles, *placed]]


@pytest.mark.parametrize("layout", ["force", "groups"])
@pytest.mark.parametrize("sizes", [SIZES, (120, 60, 40, 25), (300, 200, 100), (2_000, 300, 60)])
def test_every_cluster_of_a_large_view_has_labels_of_its_three_largest_names(
    qtbot, theme, layout, sizes
) -> None:
    _, content = build_clusters(sizes)
    canvas = show(qtbot, theme, content, View(layout=layout))
    canvas.resize(1440, 900)
    for mode in ("type", "group", "document"):
        set_color_codes(canvas.data, mode)
        names = labelled(canvas)
        largest = {f"Book {number} name {k}" for number in range(len(sizes)) for k in range(3)}
        assert largest <= {*names}, mode
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("layout", ["force", "groups"])
def test_labels_of_the_largest_names_cover_no_label_and_no_node_of_their_size(
    qtbot, theme, layout
) -> None:
    _, content = build_clusters()
    canvas = show(qtbot, theme, content, View(layout=layout))
    frame, data, layer = canvas.frame(), canvas.data, canvas.labels
    leaders = {*find_leaders(data, frame.rows[::-1], 3).tolist()}
    rects = [QRectF(*title[:4]) for title in layer.place_titles(frame, data)]
    n_over = 0
    for one in layer.place(frame, data, canvas.focus):
        _, width, height = layer.measure(one.text, one.level, 9_999)
        own = QRectF(one.left, one.top, width, height)
        assert not any(own.intersects(rect) for rect in rects)
        rects.append(own)
        covered = [row for row in frame.rows.tolist() if own.contains(QPointF(*frame.points[row]))]
        n_over += bool(covered)
        assert not covered or one.row in leaders
        assert all(frame.radii[row] < frame.radii[one.row] for row in covered)
    assert n_over  # else this test examines nothing


def test_without_communities_the_names_of_each_document_are_a_cluster() -> None:
    graph, content = build_clusters((8, 6))
    lone = Subgraph(graph.entities, (), graph.n_all)  # without relations there is no community
    content = ViewContent(lone, View(), content.documents)
    data = lay_out(lone, DiscPositions(), content=content)
    assert data.clusters.tolist() == [0] * 8 + [1] * 6


def test_leaders_are_the_biggest_of_each_cluster_in_turn() -> None:
    data = lay_out(*(lambda g, c: (g, DiscPositions()))(*build_clusters((6, 5, 2))))
    data.clusters = np.array([0] * 6 + [1] * 5 + [2] * 2)
    rows = np.arange(13)
    assert find_leaders(data, rows, 2).tolist() == [0, 6, 1, 7]  # two names are no cluster
    assert find_leaders(data, rows[:0], 2).tolist() == []


def test_sizes_differ_visibly_where_thousands_are_fitted(qtbot, theme) -> None:
    _, content = build_clusters((2_000, 300))
    canvas = show(qtbot, theme, content, View())
    frame = canvas.frame()
    assert frame.scale < 0.4
    smallest, biggest = frame.radii.min(), frame.radii.max()
    assert biggest >= 3 * smallest


def test_the_biggest_name_of_a_small_book_stands_out_beside_a_large_book(qtbot, theme) -> None:
    _, content = build_clusters((2_000, 60))
    canvas = show(qtbot, theme, content, View())
    radii = canvas.frame().radii
    assert radii[2_000] >= 1.5 * np.median(radii[2_003:])


def test_labels_of_a_moving_crowded_view_stay_beside_their_nodes(qtbot, theme) -> None:
    _, content = build_clusters()
    canvas = show(qtbot, theme, content, View())
    layer = canvas.labels
    canvas.pan(QPointF(1, 0))
    frame = canvas.frame()
    first = {one.row: one for one in layer.labels_of(frame, canvas.data, canvas.focus)}
    canvas.pan(QPointF(30, 20))
    moved = layer.labels_of(canvas.frame(), canvas.data, canvas.focus)
    assert len(moved) >= 10
    for one in moved:
        dx, dy = canvas.frame().points[one.row] - frame.points[one.row]
        assert one.left - first[one.row].left == pytest.approx(dx)
        assert one.top - first[one.row].top == pytest.approx(dy)
    canvas.moving = False
    canvas.repaint_layers()


def test_a_moving_crowded_view_places_its_labels_over_several_frames(qtbot, theme, monkeypatch):
    _, content = build_clusters((2_000, 300, 60))
    canvas = show(qtbot, theme, content, View())
    canvas.grab()
    monkeypatch.setattr(label_layer, "PLACING_S", 0.0)  # one step in each frame
    at_once: list[int] = []
    place_one = LabelPlacement._place_one
    monkeypatch.setattr(
        LabelPlacement,
        "_place_one",
        lambda *args, **named: (at_once.append(1), place_one(*args, **named))[1],
    )
    layer = canvas.labels
    layer.place(canvas.frame(), canvas.data, canvas.focus)
    whole, counts = len(at_once), []
    first, steps = layer._placed, 0
    while layer._placed is first or layer._coming is not None:
        steps += 1
        assert steps < 200
        canvas.pan(QPointF(-6, 4))
        at_once.clear()
        canvas.grab()
        counts.append(len(at_once))
    assert counts[:MOVED] == [0] * MOVED  # the labels go with their nodes
    assert 0 < max(counts) <= NAMES_A_STEP < whole
    canvas.moving = False
    frame = canvas.frame()
    shown = layer.labels_of(frame, canvas.data, canvas.focus)
    assert shown == layer.place(frame, canvas.data, canvas.focus)


def test_labels_of_a_moving_view_that_gets_smaller_do_not_cover_each_other(qtbot, theme) -> None:
    _, content = build_clusters((2_000, 300, 60))
    canvas = show(qtbot, theme, content, View())
    canvas.grab()
    layer = canvas.labels
    before = layer.labels_of(canvas.frame(), canvas.data, canvas.focus)
    for _ in range(MOVED):
        canvas.zoom(1 / 1.3, QPointF(640, 400))
    shown = layer.labels_of(canvas.frame(), canvas.data, canvas.focus)
    assert 0 < len(shown) < len(before)
    boxes = []
    for choice in shown:
        _, *size = layer.measure(choice.text, choice.level, 1_000.0)
        boxes.append(QRectF(choice.left, choice.top, *size))
    assert not any(one.intersects(other) for one, other in itertools.combinations(boxes, 2))


def titles(canvas: GraphCanvas) -> dict[str, QRectF]:
    found = canvas.labels.place_titles(canvas.frame(), canvas.data)
    return {one.text: QRectF(one.left, one.top, one.width, one.height) for one in found}


def test_communities_have_the_title_of_their_report_or_their_largest_name(qtbot, theme) -> None:
    _, content = build_clusters((120, 60, 40, 25))
    canvas = show(qtbot, theme, content, View(layout="groups"))
    found = titles(canvas)
    wanted = {"The big book", "Book 1 name 0", "Book 2 name 0", "Book 3 name 0"}
    assert set(found) == wanted
    assert not any(a.intersects(b) for a, b in itertools.combinations(found.values(), 2))
    layer, canvas_rect = canvas.labels, QRectF(canvas.rect())
    for one in layer.place(canvas.frame(), canvas.data, canvas.focus):
        _, width, height = layer.measure(one.text, one.level, 999)
        label = QRectF(one.left, one.top, width, height)
        assert not any(label.intersects(title) for title in found.values())
    assert all(canvas_rect.contains(title) for title in found.values())
    assert titles(show(qtbot, theme, content, View())) == {}


def pixels(canvas: GraphCanvas) -> np.ndarray:
    image = canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    plain = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return plain[:, :, :3].astype(int)


def test_a_frame_that_is_painted_again_looks_the_same(qtbot, theme) -> None:
    _, content = build_clusters()
    canvas = show(qtbot, theme, content, View())
    first, again = pixels(canvas), pixels(canvas)
    assert first.std() > 1  # something is painted
    assert np.abs(first - again).max() <= 10  # rounding of copied, translucent lines
    canvas.pan(QPointF(40, 0))
    assert np.abs(pixels(canvas) - again).max() > 50  # the copy is not used for another frame


def test_a_moving_view_and_a_dragged_node_draw_less_until_they_rest(qtbot, theme) -> None:
    _, content = build_clusters()
    canvas = show(qtbot, theme, content, View())
    data: GraphData = canvas.data
    assert not canvas.frame().moving
    canvas.pan(QPointF(10, 0))
    assert canvas.frame().moving
    qtbot.waitUntil(lambda: not canvas.frame().moving)
    canvas.move_disc(int(data.by_size[0]), QPointF(300, 300))
    assert canvas.frame().moving
    qtbot.waitUntil(lambda: not canvas.frame().moving)


def test_a_small_view_moves_with_every_detail(qtbot, theme) -> None:
    _, content = build_clusters((20, 10))
    canvas = show(qtbot, theme, content, View())
    canvas.pan(QPointF(10, 0))
    assert not canvas.frame().moving


def test_groups_are_laid_out_again_where_the_communities_changed() -> None:
    graph, content = build_clusters((60, 40, 25))
    view = View(layout="groups")
    content = ViewContent(graph, view, content.documents, groups=content.groups)
    before = lay_out(graph, DiscPositions(), content=content)
    positions = positions_of(before, "groups")
    same = lay_out(graph, positions, content=content)
    assert np.array_equal(same.places, before.places)
    renumbered = Groups({i: 7 * g for i, g in content.groups.of.items()})
    other = lay_out(graph, positions, content=ViewContent(graph, view, groups=renumbered))
    assert np.array_equal(other.places, before.places)  # the same groups with other ids
    joined = Groups({i: min(g, 101) for i, g in content.groups.of.items()})
    after = lay_out(graph, positions, content=ViewContent(graph, view, groups=joined))
    assert not np.array_equal(after.places, before.places)
    for number in (100, 101):
        own = after.places[after.communities == number]
        others = after.places[after.communities != number]
        middle = own.mean(0)
        reach = np.hypot(*(own - middle).T).max()
        assert np.hypot(*(others - middle).T).min() > 0.7 * reach  # no other one inside it


def _build_books(sizes: tuple[int, ...], *, linked: bool = False) -> ViewContent:
    graph, content = build_clusters(sizes)
    if linked:  # a name of each book appears with one of the next book
        starts = np.cumsum((0, *sizes[:-1])).tolist()
        pairs = [(int(r.source_id) - 1, int(r.target_id) - 1) for r in graph.relations]
        pairs += list(pairwise(starts))
        graph = make_graph([entity.name for entity in graph.entities], pairs)
    titles = {1: "The Moonstone", 2: "Emma", 3: "A Leaflet"}
    return replace(content, graph=graph, titles=titles)


def test_the_part_of_each_book_has_its_title_and_covers_no_other_part(qtbot, theme):
    content = _build_books((24, 18, 4))
    canvas = show(qtbot, theme, content, View())
    data, frame = canvas.data, canvas.frame()
    titles = canvas.labels.place_titles(frame, data)
    assert {title.text for title in titles} == {"The Moonstone", "Emma"}, "a leaflet has none"
    for title in titles:
        document = 1 if title.text == "The Moonstone" else 2
        middle = np.array((title.left + title.width / 2, title.top + title.height / 2))
        nearest = np.hypot(*(frame.points - middle).T).argmin()
        assert data.documents[int(nearest)] == (document,)
        for row in frame.rows:
            x, y = frame.points[row]
            inside = 0 < x - title.left < title.width and 0 < y - title.top < title.height
            assert not inside, "a title is beside the nodes, not over one"
    names = canvas.labels.place(frame, data, canvas.focus)
    rects = [QRectF(*title[:4]) for title in titles]
    for choice in names:
        _, width, height = canvas.labels.measure(choice.text, choice.level, 9_999)
        own = QRectF(choice.left, choice.top, width, height)
        assert not any(rect.intersects(own) for rect in rects)


def test_a_title_without_a_usual_place_is_moved_and_not_dropped(qtbot, theme):
    content = _build_books((24, 18, 4))
    canvas = show(qtbot, theme, content, View())
    data = canvas.data
    usual = {one.text: one for one in canvas.labels.place_titles(canvas.frame(), data)}["Emma"]
    # panels cover all the usual places of the title, and leave a strip beside its nodes
    members = np.flatnonzero(data.parts == data.parts[data.documents.index((2,))])
    points, radii = canvas.frame().points[members], canvas.frame().radii[members]
    left, top = (points - radii[:, None]).min(0).tolist()
    right, bottom = (points + radii[:, None]).max(0).tolist()
    size, view = (usual.width, usual.height), (canvas.width(), canvas.height())
    spots = find_title_spots((left, top, right, bottom), size, view)
    spots = spots[np.isfinite(spots[:, 0])]
    small = [QRect(round(x + usual.width / 2) - 2, round(y) + 4, 4, 4) for x, y in spots]
    canvas.set_panels(canvas.panels, small)
    moved = {one.text: one for one in canvas.labels.place_titles(canvas.frame(), data)}["Emma"]
    assert (moved.left, moved.top) != (usual.left, usual.top)
    rect = QRectF(*moved[:4])
    assert not any(rect.intersects(QRectF(panel)) for panel in small)
    frame = canvas.frame()
    is_own = np.isin(frame.rows, members)
    spot = np.array([[moved.left, moved.top]])
    discs = (frame.points[frame.rows], frame.radii[frame.rows])
    assert belong_to(spot, (moved.width, moved.height), *discs, is_own).all()


def test_books_whose_names_are_connected_have_no_titles(qtbot, theme):
    canvas = show(qtbot, theme, _build_books((24, 18), linked=True), View())
    assert not canvas.data.part_titles
    assert not canvas.labels.place_titles(canvas.frame(), canvas.data)
    single = show(qtbot, theme, _build_books((24,)), View())
    assert not single.data.part_titles, "the title of the only book says nothing new"


def test_a_title_stands_only_where_it_can_be_read_as_that_of_its_own_nodes() -> None:
    points = np.array([(100.0, 100.0), (160.0, 100.0), (300.0, 100.0)])
    radii, is_own = np.full(3, 10.0), np.array([True, True, False])
    spots = np.array(
        [
            (100.0, 60.0),  # above the own nodes
            (230.0, 90.0),  # as near to the foreign node
            (100.0, 10.0),  # too far above
            (np.nan, np.nan),  # outside the view
        ]
    )
    found = belong_to(spots, (60.0, 20.0), points, radii, is_own)
    assert found.tolist() == [True, False, False, False]
