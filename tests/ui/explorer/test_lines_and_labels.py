"""Lines are strong enough to be seen, and each label is nearest to the node that it names."""

from __future__ import annotations

import copy
import dataclasses
import itertools
from functools import cache

import numpy as np
import pytest
import scipy
from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter

from desktop_app.engine.graph.view.arrangement import lay_out, thin_relations_between
from desktop_app.engine.graph.view.graph_data import (
    REST,
    GraphData,
    build_graph_data,
    find_leaders,
    set_color_codes,
)
from desktop_app.engine.graph.view.view import DiscPositions, View, ViewContent
from desktop_app.ui.explorer import label_placement, labels, node_colors
from desktop_app.ui.explorer.canvas import GraphCanvas
from desktop_app.ui.explorer.frame import Scene, ViewFrame, screen_radii
from desktop_app.ui.explorer.label_placement import FEW_NODES, LABELS_EACH
from desktop_app.ui.explorer.label_spots import RING_TURNS, count_crossings, find_ring_spots
from desktop_app.ui.explorer.layers import (
    MOVING_SMOOTH_LIMIT,
    RelationLayer,
    can_be_smooth,
    find_crowding,
    find_inner_colors,
)
from desktop_app.ui.explorer.node_colors import (
    SIGN_RADIUS,
    build_graph_palette,
    measure_contrast,
)
from desktop_app.ui.explorer.tooltips import describe_joined
from desktop_app.ui.theme.design_tokens import DARK, HIGH_DARK, HIGH_LIGHT, LIGHT
from desktop_app.ui.theme.theme import Theme
from tests.ui.explorer.fake_library import OPENED_MS, make_graph
from tests.ui.explorer.test_large_views import build_clusters

ALL_TOKENS = [LIGHT, DARK, HIGH_LIGHT, HIGH_DARK]
LAYOUTS = ("force", "groups", "circle", "radial")


def open_canvas(qtbot, theme, data, size: tuple[int, int] = (1100, 760)) -> GraphCanvas:
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(*size)
    canvas.show()
    canvas.show_data(data)
    return canvas


@pytest.mark.parametrize("tokens", ALL_TOKENS, ids=lambda tokens: tokens.name)
def test_every_line_has_enough_contrast_to_the_background(tokens) -> None:
    palette = build_graph_palette(tokens)
    least = 3.0 if tokens.high or tokens.dark else 2.0
    contrasts = [measure_contrast(line, palette.background) for line in palette.relations]
    assert min(contrasts) >= least and contrasts == sorted(contrasts)
    touched = [measure_contrast(line, palette.background) for line in palette.touched]
    assert all(mine > other for mine, other in zip(touched, contrasts, strict=True))
    # a label stands out from lines of every strength
    assert all(measure_contrast(palette.text, line) >= 2.0 for line in palette.relations)
    assert {line.alpha() for line in (*palette.relations, *palette.touched)} == {255}


@pytest.mark.parametrize("tokens", ALL_TOKENS, ids=lambda tokens: tokens.name)
def test_lines_among_many_others_are_paler(tokens) -> None:
    palette = build_graph_palette(tokens)
    for alone, paler, palest in zip(palette.relations, *palette.crowded, strict=True):
        contrasts = [measure_contrast(c, palette.background) for c in (alone, paler, palest)]
        assert contrasts == sorted(contrasts, reverse=True)
        assert contrasts[-1] >= (2.9 if tokens.high else 1.4)


def test_a_line_keeps_its_shade_while_the_view_is_moved(qtbot, theme) -> None:
    pairs = [(0, 1), *((2, k) for k in range(3, 200))]
    data = lay_out(make_graph([f"N{i}" for i in range(200)], pairs), DiscPositions())
    data.places[:] = np.random.default_rng(3).uniform((-90, 110), (90, 290), (200, 2))
    data.places[:2] = [(-300, -200), (300, -196)]
    canvas = open_canvas(qtbot, theme, data)

    def find() -> dict[tuple[int, ...], int]:
        frame = canvas.frame()
        ends = map(tuple, data.pairs[frame.lines].tolist())
        return dict(zip(ends, find_crowding(frame, data).tolist(), strict=True))

    before = find()
    assert before[0, 1] == 0 and max(before.values()) == 2
    canvas.pan(QPointF(13, -7))
    assert find() == before


@cache
def lay_out_crowd(n: int) -> GraphData:
    """Return two connected names, and others that meet in one node."""
    pairs = [(0, 1), *((2, k) for k in range(3, n))]
    return lay_out(make_graph([f"N{i}" for i in range(n)], pairs), DiscPositions())


@pytest.mark.parametrize("n", [3, pytest.param(900, marks=pytest.mark.slow)])
@pytest.mark.parametrize("selected", [False, True], ids=["at rest", "selected"])
@pytest.mark.parametrize("tokens", ALL_TOKENS, ids=lambda tokens: tokens.name)
def test_a_line_is_painted_in_its_full_colour(qtbot, tokens, selected, n) -> None:
    theme = Theme("dark" if tokens.dark else "light", contrast="on" if tokens.high else "off")
    theme.animation_ms = lambda wanted=150: 0  # type: ignore[method-assign]
    assert theme.tokens == tokens
    # many lines meet in one node, beside the one that is measured
    data = copy.deepcopy(lay_out_crowd(n))
    data.places[:] = np.random.default_rng(3).uniform((-300, 80), (300, 300), (n, 2))
    data.places[:2] = [(-300, -200), (300, -196)]
    canvas = open_canvas(qtbot, theme, data)
    if selected:
        canvas.select_row(2)
    picture: QImage = canvas.grab().toImage()
    start, end = canvas.frame().points[0], canvas.frame().points[1]
    ground = QColor(tokens.bg)
    best = 0.0
    for share in np.linspace(0.2, 0.4, 60):
        x, y = (start + (end - start) * share).tolist()
        for step in (-1, 0, 1):
            color = picture.pixelColor(round(x), round(y) + step)
            best = max(best, measure_contrast(color, ground))
    assert best >= (3.0 if tokens.high else 2.5 if tokens.dark else 2.0)


def test_lines_of_a_small_view_are_clear_however_many_are_near(qtbot, theme) -> None:
    """The palest line in dark has the contrast 3 to the ground, and is 1.2 pixels wide."""
    theme.set_mode("dark")
    n = 200
    pairs = [(2, k) for k in range(3, n)]
    data = lay_out(make_graph([f"N{i}" for i in range(n)], pairs), DiscPositions())
    data.places[:] = np.random.default_rng(3).uniform((-90, 80), (90, 260), (n, 2))
    canvas = open_canvas(qtbot, theme, data)
    frame, ground = canvas.frame(), canvas.palette_now.background
    assert find_crowding(frame, data).max() == 2
    pens = []
    layer = canvas.layers[1]
    layer._draw = lambda painter, scene, lines, shade, width, **_: pens.append((shade, width))
    scene = Scene(frame, data, canvas.focus, canvas.palette_now, exact=True)
    image = QImage(1100, 760, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        layer.paint(painter, scene)
    assert pens and min(width for _, width in pens) >= 1.2
    assert min(measure_contrast(shade, ground) for shade, _ in pens) >= 2.95


def find_gaps(canvas: GraphCanvas) -> list[tuple[str, float, float]]:
    """Return (label, distance to its node, distance to the nearest other node), edge to edge.

    The three largest names of a cluster in a large view may be over or near smaller nodes.
    """
    frame, layer, data = canvas.frame(), canvas.labels, canvas.data
    is_large = len(frame.rows) > FEW_NODES
    leaders = {*find_leaders(data, frame.rows[::-1], LABELS_EACH).tolist()} if is_large else set()
    found = []
    for row, left, top, text, strong, _ in layer.place(frame, data, canvas.focus):
        _, width, height = layer.measure(text, strong, 9_999)
        x, y = frame.points[:, 0], frame.points[:, 1]
        across = np.maximum(np.maximum(left - x, x - left - width), 0)
        down = np.maximum(np.maximum(top - y, y - top - height), 0)
        gaps = np.hypot(across, down) - frame.radii
        others = np.delete(frame.rows, np.flatnonzero(frame.rows == row))
        if row in leaders:
            others = others[frame.radii[others] >= frame.radii[row]]
        found.append((text, float(gaps[row]), float(gaps[others].min(initial=np.inf))))
    return found


def make_web(n: int) -> ViewContent:
    """Return names that are connected as unevenly as those of a novel."""
    random = np.random.default_rng(11)
    share = 1 / np.arange(1, n + 1) ** 0.8
    ends = random.choice(n, (4 * n, 2), p=share / share.sum())
    pairs = sorted({(int(min(a, b)), int(max(a, b))) for a, b in ends if a != b})
    names = [("Mr. " if i % 3 else "The Honourable ") + f"Name {i}" for i in range(n)]
    return ViewContent(make_graph(names, pairs), View())


@pytest.mark.parametrize(
    ("n", "layout"),
    [
        *((220, layout) for layout in LAYOUTS),
        (40, "force"),
        (1_500, "radial"),
        *(
            pytest.param(n, layout, marks=pytest.mark.slow)
            for n in (40, 1_500)
            for layout in LAYOUTS
            if (n, layout) not in ((40, "force"), (1_500, "radial"))
        ),
    ],
)
def test_a_label_is_nearer_to_its_node_than_to_any_other(qtbot, theme, n, layout) -> None:
    content = make_web(n)
    content = ViewContent(content.graph, View(layout=layout))
    data = lay_out(content.graph, DiscPositions(), content=content)
    gaps = find_gaps(open_canvas(qtbot, theme, data))
    assert len(gaps) >= (20 if n < 1_000 else 10)  # the rule does not remove all labels
    assert [one for one in gaps if one[1] >= one[2]] == []


def test_a_label_may_be_dropped_but_not_the_one_that_is_selected(qtbot, theme) -> None:
    graph = make_graph([f"A long name {i}" for i in range(9)], [(0, i) for i in range(1, 9)])
    data = lay_out(graph, DiscPositions())
    # a small node with others at all sides: its label would be nearer to one of them
    data.places = np.array(
        [(9 * x, 9 * y) for x, y in itertools.product(range(3), range(3))], float
    )
    data.places[0] = (300, 300)
    data.radii[:] = 4.0
    canvas = open_canvas(qtbot, theme, data)
    named = {text for text, *_ in find_gaps(canvas)}
    hidden = next(row for row in range(1, 9) if f"A long name {row}" not in named)
    canvas.select_row(hidden)
    assert f"A long name {hidden}" in {text for text, *_ in find_gaps(canvas)}


def test_labels_keep_their_distance_to_panels(qtbot, theme) -> None:
    data = lay_out(make_web(120).graph, DiscPositions())
    canvas = open_canvas(qtbot, theme, data)
    panel = QRect(12, 12, 400, 400)
    canvas.set_panels([], [panel])  # labels avoid it, the nodes stay
    frame, layer = canvas.frame(), canvas.labels
    for _, left, top, text, strong, _ in layer.place(frame, data, canvas.focus):
        _, width, height = layer.measure(text, strong, 9_999)
        label = QRect(round(left), round(top), round(width), round(height))
        assert not label.intersects(panel.adjusted(-6, -6, 6, 6))


def test_between_two_communities_only_the_strongest_line_is_drawn() -> None:
    graph = make_graph([str(i) for i in range(6)], list(itertools.combinations(range(6), 2)))
    data = build_graph_data(graph)
    data.communities = np.array([0, 0, 0, 1, 1, 1])
    thin_relations_between(data)
    across = data.communities[data.pairs[:, 0]] != data.communities[data.pairs[:, 1]]
    assert data.drawn[~across].all()
    assert data.drawn[across].sum() == 1
    assert data.weights[across & data.drawn] == data.weights[across].max()


def test_a_layout_by_community_draws_one_line_between_two_of_them() -> None:
    graph, content = build_clusters((30, 20))
    joined = [(k, 30 + k % 20) for k in range(30)]
    names = [entity.name for entity in graph.entities]
    pairs = [(int(r.source_id) - 1, int(r.target_id) - 1) for r in graph.relations]
    # enough relations that only the strongest of each name are drawn
    pairs += list(itertools.combinations(range(12), 2)) + joined
    content = ViewContent(
        make_graph(names, sorted(set(pairs))), View(layout="groups"), groups=content.groups
    )
    data = lay_out(content.graph, DiscPositions(), content=content)
    across = data.communities[data.pairs[:, 0]] != data.communities[data.pairs[:, 1]]
    assert data.n_strongest and across.sum() > 5
    assert (across & data.drawn).sum() == 1


@pytest.mark.parametrize("size", [(878, 783), (760, 632)])
def test_a_view_of_sixty_names_labels_nearly_all_of_them(qtbot, theme, size) -> None:
    names = [("Mrs. " if i % 3 else "") + f"Name {i}" for i in range(60)]
    web = make_web(60).graph
    pairs = [(int(r.source_id) - 1, int(r.target_id) - 1) for r in web.relations]
    data = lay_out(make_graph(names, pairs), DiscPositions())
    assert len(find_gaps(open_canvas(qtbot, theme, data, size))) >= 52


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 6))]
)
def test_a_node_with_a_letter_has_its_label(qtbot, theme, seed) -> None:
    random = np.random.default_rng(seed)
    names = ["晁盖" if i % 4 else f"The Honourable Name {i}" for i in range(60)]
    data = lay_out(make_graph(names, [(0, i) for i in range(1, 60)]), DiscPositions())
    data.places = random.uniform(-300, 300, (60, 2))
    canvas = open_canvas(qtbot, theme, data, (760, 632))
    data.radii[:] = 4.0
    data.radii[10:22] = 12.0  # not the first ones
    data.places[10:22] = [(150 * (k % 4) - 225, 150 * (k // 4) - 150) for k in range(12)]
    frame = canvas.frame()
    lettered = {int(row) for row in frame.rows if frame.radii[row] >= SIGN_RADIUS}
    placed = {choice.row for choice in canvas.labels.place(frame, data, canvas.focus)}
    assert lettered and not lettered - placed


@pytest.mark.parametrize("seed", [4, 23])
def test_large_nodes_side_by_side_have_labels_that_are_clearly_theirs(qtbot, theme, seed) -> None:
    # placed by size alone, one of the five took the only place of another one
    names = ["悟空", "三藏", "八戒", "沙僧", "唐僧", *(f"Name {i}" for i in range(60))]
    data = lay_out(make_graph(names, [(0, i) for i in range(1, 65)]), DiscPositions())
    data.radii[:], data.radii[:5] = 4.0, 12.0
    data.places = np.random.default_rng(seed).uniform(-190, 190, (65, 2))
    turns = np.arange(5) * 2 * np.pi / 5
    data.places[:5] = 44 * np.stack((np.cos(turns), np.sin(turns)), axis=1)
    away = np.linalg.norm(data.places[5:, None] - data.places[None, :5], axis=2)
    data.places[5:][away.min(1) < 24] *= 4
    canvas = open_canvas(qtbot, theme, data, (560, 520))
    frame = canvas.frame()
    placed = {one.row: one for one in canvas.labels.place(frame, data, canvas.focus)}
    for row in range(5):
        one = placed[row]
        _, width, height = canvas.labels.measure(one.text, one.level, 9_999)
        low, high = (one.left, one.top), (one.left + width, one.top + height)
        beyond = np.maximum(np.maximum(low - frame.points[:5], frame.points[:5] - high), 0.0)
        assert np.hypot(*beyond.T).argmin() == row


@pytest.mark.parametrize("seed", [0, 5])
def test_in_a_large_view_the_largest_names_of_all_have_labels(qtbot, theme, seed) -> None:
    # in one cluster, of which the fourth and fifth are the fourth and fifth of all
    names = [f"Name {i}" for i in range(300)]
    data = lay_out(make_graph(names, [(0, i) for i in range(1, 300)]), DiscPositions())
    data.radii[:], data.radii[:5] = 4.0, 12.0
    data.places = np.random.default_rng(seed).uniform(-300, 300, (300, 2))
    turns = np.arange(5) * 2 * np.pi / 5
    data.places[:5] = 30 * np.stack((np.cos(turns), np.sin(turns)), axis=1)
    canvas = open_canvas(qtbot, theme, data)
    placed = {choice.row for choice in canvas.labels.place(canvas.frame(), data, canvas.focus)}
    assert placed >= set(range(5))


def test_labels_around_a_node_touch_neither_it_nor_each_other() -> None:
    points, radii, sizes = np.array([(100.0, 50.0)]), np.array([12.0]), np.array([(60.0, 14.0)])
    spots = find_ring_spots(points, radii, sizes)[0]
    beyond_x = np.maximum(np.maximum(spots[:, 0] - 100, 100 - spots[:, 0] - 60), 0)
    beyond_y = np.maximum(np.maximum(spots[:, 1] - 50, 50 - spots[:, 1] - 14), 0)
    gaps = np.hypot(beyond_x, beyond_y) - 12.0
    n = len(spots) // 2
    assert np.allclose(gaps[:n], 2.0, atol=0.1) and np.allclose(gaps[n:], 9.0, atol=0.1)


def test_the_label_of_the_selected_name_is_below_its_ring_on_a_plate(qtbot, theme) -> None:
    data = lay_out(make_web(30).graph, DiscPositions())
    data.places[0] = (4_000.0, 0.0)  # nothing is near
    canvas = open_canvas(qtbot, theme, data)
    canvas.select_row(0)
    canvas.fit_rows([0])
    frame = canvas.frame()
    x, y = frame.points[0]
    chosen = next(one for one in canvas.labels.place(frame, data, canvas.focus) if one.row == 0)
    _, width, height = canvas.labels.measure(chosen.text, chosen.level, 9_999)
    assert chosen.left < x < chosen.left + width
    assert chosen.top >= y + frame.radii[0] + 6.5, "below the ring"
    image = QImage(1100, 760, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    scene = Scene(frame, data, canvas.focus, canvas.palette_now, exact=True)
    with QPainter(image) as painter:
        canvas.labels.paint(painter, scene)
    ground = canvas.palette_now.background.name()
    for at_x in (chosen.left - 2, chosen.left + width + 2):
        assert image.pixelColor(round(at_x), round(chosen.top + height / 2)).name() == ground


@pytest.mark.parametrize("exact", [False, True], ids=["screen", "picture"])
def test_no_line_comes_nearer_to_a_text_than_its_halo(qtbot, theme, exact) -> None:
    data = lay_out(make_graph(["Mr. Franklin 悟空"], []), DiscPositions())
    canvas = open_canvas(qtbot, theme, data)
    frame = canvas.frame()
    image = QImage(1100, 760, QImage.Format.Format_RGB32)
    image.fill(QColor("#FF0000"))  # as if it were all under a line
    scene = Scene(frame, data, canvas.focus, canvas.palette_now, exact=exact)
    with QPainter(image) as painter:
        canvas.labels.paint(painter, scene)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(760, 1100, 4).astype(int)
    red = (pixels[..., 2] > 200) & (pixels[..., :2].max(2) < 60)
    ink = pixels[..., :3].max(2) < 110
    assert ink.sum() > 100
    away = scipy.ndimage.distance_transform_edt(~ink)
    assert away[red].min() >= 2.5


@pytest.mark.parametrize("exact", [False, True], ids=["screen", "picture"])
def test_no_line_is_seen_between_the_words_of_a_name(qtbot, theme, exact) -> None:
    data = lay_out(make_graph(["The Honourable Mr. Franklin"], []), DiscPositions())
    canvas = open_canvas(qtbot, theme, data)
    frame = canvas.frame()
    image = QImage(1100, 760, QImage.Format.Format_RGB32)
    image.fill(QColor("#FF0000"))
    scene = Scene(frame, data, canvas.focus, canvas.palette_now, exact=exact)
    with QPainter(image) as painter:
        canvas.labels.paint(painter, scene)
    (choice,) = canvas.labels.place(frame, data, canvas.focus)
    _, width, height = canvas.labels.measure(choice.text, choice.level, 9_999)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(760, 1100, 4).astype(int)
    left, top = round(choice.left), round(choice.top)
    inside = pixels[top + 2 : top + int(height) - 2, left - 1 : left + int(width)]
    assert not ((inside[..., 2] > 200) & (inside[..., :2].max(2) < 60)).any()


def test_a_moving_view_keeps_its_names_where_plates_come_and_go(qtbot, theme, monkeypatch) -> None:
    data = lay_out(make_web(43).graph, DiscPositions())
    canvas = open_canvas(qtbot, theme, data)
    frame = canvas.frame()
    image = QImage(1100, 760, QImage.Format.Format_RGB32)

    def paint(frame: ViewFrame) -> int:
        with QPainter(image) as painter:
            scene = Scene(frame, data, canvas.focus, canvas.palette_now)
            canvas.labels.paint(painter, scene)
        return len(canvas.labels._pictures)

    n_known = paint(frame)
    assert n_known > 20
    monkeypatch.setattr(labels, "shows_each_name", lambda *_: False)
    assert paint(dataclasses.replace(frame, moving=True)) == n_known
    assert paint(dataclasses.replace(frame)) > n_known, "at rest without plates"


def test_a_label_that_lines_cross_at_all_usual_places_goes_around_its_node(
    qtbot, theme, monkeypatch
) -> None:
    data = lay_out(make_web(43).graph, DiscPositions())
    canvas = open_canvas(qtbot, theme, data)
    frame = canvas.frame()
    starts, ends = (frame.points[data.pairs[frame.lines, end]] for end in (0, 1))

    def count() -> tuple[int, int]:
        placed = canvas.labels.place(frame, data, canvas.focus)
        spots = np.array([[(one.left, one.top)] for one in placed])
        sizes = np.array([canvas.labels.measure(o.text, o.level, 9_999)[1:] for o in placed])
        return len(placed), int(count_crossings(spots, sizes, starts, ends).sum())

    n_labels, n_crossed = count()
    monkeypatch.setattr(
        label_placement,
        "find_ring_spots",
        lambda points, *_: np.full((len(points), RING_TURNS, 2), np.nan),
    )
    n_usual, n_crossed_usual = count()
    assert n_labels >= n_usual and n_crossed < n_crossed_usual


@pytest.mark.parametrize("scale", [0.3, 0.8, 1.0, 2.5])
def test_nodes_with_a_letter_are_clearly_larger_than_those_without(scale) -> None:
    radii = screen_radii(np.linspace(3.0, 14.0, 400), scale)
    assert (np.diff(radii) >= 0).all()
    plain, lettered = radii[radii < SIGN_RADIUS], radii[radii >= SIGN_RADIUS]
    assert not len(plain) or not len(lettered) or lettered.min() - plain.max() >= 2


def test_no_other_node_is_near_the_middle_of_a_label(qtbot, theme) -> None:
    # the label at the left of the second node would end below the first one
    graph = make_graph(["Elizabeth", "A very long name of a person"], [(0, 1)])
    data = lay_out(graph, DiscPositions())
    data.radii[:] = 8.0
    data.places = np.array([(0.0, 0.0), (90.0, 26.0)])
    canvas = open_canvas(qtbot, theme, data)
    frame = canvas.frame()
    for choice in canvas.labels.place(frame, data, canvas.focus):
        _, width, height = canvas.labels.measure(choice.text, choice.level, 9_999)
        middle = np.array([choice.left + width / 2, choice.top + height / 2])
        away = np.hypot(*(frame.points - middle).T) - frame.radii
        assert away.argmin() == choice.row


def test_labels_are_placed_where_few_lines_cross_them() -> None:
    spots = np.array([[(10.0, 10.0), (10.0, 100.0)]])
    sizes = np.array([(60.0, 16.0)])
    starts, ends = np.array([(0.0, 0.0), (40.0, 0.0)]), np.array([(90.0, 40.0), (40.0, 60.0)])
    assert count_crossings(spots, sizes, starts, ends).tolist() == [[2, 0]]


def test_opengl_draws_many_highlighted_lines_as_lines_and_not_as_triangles() -> None:
    raster, opengl = QPaintEngine.Type.Raster, QPaintEngine.Type.OpenGL2
    assert can_be_smooth(100_000, raster)
    assert can_be_smooth(MOVING_SMOOTH_LIMIT, opengl)
    assert not can_be_smooth(MOVING_SMOOTH_LIMIT + 1, opengl)


def test_highlighted_lines_that_cannot_be_smooth_have_one_pixel(qtbot, theme, monkeypatch) -> None:
    data = lay_out(make_graph(["A", "B"], [(0, 1)]), DiscPositions())
    canvas = open_canvas(qtbot, theme, data)
    canvas.focus.hover(data, 0)
    scene = Scene(canvas.frame(), data, canvas.focus, canvas.palette_now)
    pens: list[tuple[float, bool]] = []

    def draw(layer, painter, scene, lines, shade, width, **how) -> None:
        smooth = bool(painter.renderHints() & QPainter.RenderHint.Antialiasing)
        pens.append((width, smooth))

    monkeypatch.setattr(RelationLayer, "_draw", draw)
    for smooth in (True, False):
        monkeypatch.setattr(
            "desktop_app.ui.explorer.layers.can_be_smooth", lambda *_, is_smooth=smooth: is_smooth
        )
        image = QImage(300, 200, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        RelationLayer()._paint_touched(painter, scene)
        painter.end()
    (wide, first), (thin, second) = pens
    assert first and not second and wide > thin == 1.0


def test_the_contrasts_of_a_theme_are_computed_once(monkeypatch):
    expected = build_graph_palette(LIGHT)
    computed: list[float] = []
    monkeypatch.setattr(node_colors, "mix_for_contrast", lambda *given: computed.append(given[2]))
    again = build_graph_palette(LIGHT, (3, 1, 2))
    assert computed == []
    assert (again.relations, again.crowded) == (expected.relations, expected.crowded)
    assert again.touched == expected.touched


def test_a_line_under_the_pointer_says_what_it_connects(open_screen, cast) -> None:
    screen = open_screen(cast)
    canvas, panel = screen.canvas, screen.surface.connection
    assert panel.isHidden()
    number = int(canvas.frame().lines[0])
    relation = canvas.data.relations[number]
    canvas.hover_row(None, number)
    shown = panel.text.full_text()
    assert not panel.isHidden() and relation.source in shown
    assert relation.target[:20] in shown
    assert f"{relation.n_evidence} passage" in shown
    assert panel.x() > screen.surface.budget.geometry().right(), "covers no counts"
    quoted = panel.sentence.text()
    assert quoted and quoted == describe_joined(relation), "what joins the two"
    assert panel.sentence.heightForWidth(panel.sentence.width()) <= panel.sentence.height()
    assert (panel.y() + panel.height()) <= canvas.height()
    canvas.hover_row(None, None)
    assert panel.isHidden()


def test_around_a_name_all_nodes_have_room_for_the_letter_of_their_type(
    open_screen, cast, qtbot
) -> None:
    screen = open_screen(cast)
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.show_entities([1])
    frame = screen.canvas.frame()
    assert len(frame.rows) > 2 and (frame.radii[frame.rows] >= SIGN_RADIUS).all()


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: tokens.name)
def test_lines_inside_a_community_have_its_colour_and_the_strength_of_grey_ones(
    qtbot, theme, tokens
):
    graph, content = build_clusters((20, 12))
    data = lay_out(graph, DiscPositions(), content=content)
    lines = np.arange(len(data.pairs))
    set_color_codes(data, "type")
    assert not find_inner_colors(data, lines).any(), "there, a colour is a type"
    set_color_codes(data, "group")
    inner = find_inner_colors(data, lines)
    assert (inner == data.color_codes[data.pairs[:, 0]]).all() and len(np.unique(inner)) == 2
    data.color_codes[data.pairs[0, 1]] = REST
    assert find_inner_colors(data, lines)[0] == 0
    palette, layer = build_graph_palette(tokens), RelationLayer()
    for level, shades in enumerate((palette.relations, *palette.crowded)):
        for strength, grey in enumerate(shades):
            wanted = measure_contrast(grey, palette.background)
            for color in np.unique(inner[inner > 0]).tolist():
                tint = layer._tint(palette, level, strength, color)
                assert tint.saturation() > grey.saturation()
                most = measure_contrast(palette.discs[color], palette.background)
                assert abs(measure_contrast(tint, palette.background) - min(wanted, most)) < 0.15


def test_the_names_of_the_largest_nodes_are_larger(qtbot, theme):
    graph, content = build_clusters((40, 12))
    data = lay_out(graph, DiscPositions(), content=content)
    canvas = open_canvas(qtbot, theme, data)
    frame = canvas.frame()
    levels = {one.row: one.level for one in canvas.labels.place(frame, data, canvas.focus)}
    largest = int(data.by_size[0])
    assert levels[largest] == 2
    small = [row for row in levels if frame.radii[row] < 0.5 * frame.radii[largest]]
    assert small and all(levels[row] == 0 for row in small)
    _, width, _ = canvas.labels.measure("Captain Sayle", 0, 9_999)
    assert canvas.labels.measure("Captain Sayle", 2, 9_999)[1] > 1.15 * width


def test_labels_go_with_their_nodes_to_other_data_and_are_placed_where_these_arrive(
    qtbot, theme
) -> None:
    old = lay_out(make_web(20).graph, DiscPositions())
    canvas = open_canvas(qtbot, theme, old)
    layer = canvas.labels
    before = {old.entities[one.row].id: one for one in layer.labels_of(*read_view_of(canvas))}
    points = {old.entities[row].id: canvas.frame().points[row] for row in range(len(old))}
    renamed, *_ = before
    # one name is gone and another has a new name, so all rows and most places are others
    larger = make_web(21).graph
    graph = dataclasses.replace(
        larger,
        entities=tuple(
            dataclasses.replace(one, name="Another name") if one.id == renamed else one
            for one in reversed(larger.entities)
            if one.id != 2
        ),
        relations=tuple(r for r in larger.relations if 2 not in (r.source_id, r.target_id)),
    )
    new = lay_out(graph, DiscPositions())
    canvas.show_data(new)
    layer.follows_nodes = True
    placed = layer.labels_of(*read_view_of(canvas))
    kept = {new.entities[one.row].id: one for one in placed}
    assert set(kept) == set(before) - {renamed, 2} and len(kept) > 5
    for entity_id, label in kept.items():
        moved = canvas.frame().points[label.row] - points[entity_id]
        assert label.text == before[entity_id].text
        assert label.left - before[entity_id].left == pytest.approx(moved[0])
        assert label.top - before[entity_id].top == pytest.approx(moved[1])
    layer.follows_nodes = False
    placed = layer.labels_of(*read_view_of(canvas))
    assert "Another name" in {one.text for one in placed}
    assert placed == layer.place(*read_view_of(canvas))


def read_view_of(canvas: GraphCanvas) -> tuple:
    return canvas.frame(), canvas.data, canvas.focus
