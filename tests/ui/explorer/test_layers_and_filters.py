"""Colors, sizes, filters, layouts, the minimap and the tables."""

from __future__ import annotations

import re

import networkx as nx
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage

from desktop_app.engine.graph.view.graph_data import (
    Filters,
    filters_from_dict,
    page_rank,
    set_sizes,
)
from desktop_app.engine.graph.view.view import LAYOUTS
from desktop_app.engine.model import ENTITY_TYPES
from desktop_app.ui.explorer.export import save_picture
from desktop_app.ui.explorer.node_colors import build_graph_palette
from desktop_app.ui.theme.design_tokens import DARK, HIGH_DARK, HIGH_LIGHT, LIGHT
from tests.ui.explorer.fake_library import OPENED_MS, make_graph


def shown(screen) -> set[int]:
    data = screen.canvas.data
    return {int(e.id) for e, on in zip(data.entities, data.shown, strict=True) if on}


def contrast(a: QColor, b: QColor) -> float:
    def light(color: QColor) -> float:
        parts = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
                 for v in color.getRgbF()[:3]]  # fmt: skip
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    bright, dark = sorted((light(a), light(b)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    "tokens", [LIGHT, DARK, HIGH_LIGHT, HIGH_DARK], ids=lambda tokens: tokens.name
)
def test_every_color_has_contrast_and_its_own_sign(tokens) -> None:
    palette = build_graph_palette(tokens)
    steps = palette.discs[7:31]
    assert min(contrast(color, palette.background) for color in steps) >= 3.0
    assert len(set(palette.signs[7:31])) == 24
    assert not set(palette.signs[:7]) & set(palette.signs[7:31])  # of types and of communities
    assert all(sign.isdigit() for sign in palette.signs[7:31])
    looks = {(c.rgb(), h) for c, h in zip(steps, palette.hollow[7:31], strict=True)}
    assert len(looks) == 24, "in high contrast, 13 is hollow where 1 is filled"
    assert tokens.high == any(palette.hollow)
    numbers_on_hollow = [i for i, h in zip(palette.inks, palette.hollow, strict=True) if h]
    assert min((contrast(i, palette.ring) for i in numbers_on_hollow), default=21) >= 4.5
    rest = palette.discs[31]
    assert rest.hslSaturationF() < 0.05 and palette.signs[31] == ""  # grey, as no community is
    assert min(color.hslSaturationF() for color in steps) > 0.15


def test_colors_by_document_have_a_legend_and_a_filter(open_screen, cast) -> None:
    screen = open_screen(cast)
    screen.surface.set_color("document")
    words = {t.words: t for t in screen.surface.legend.toggles.values()}
    assert set(words) == {"A Winter Tale", "水浒传"}
    words["水浒传"].click()
    assert shown(screen) == {2, 4, 6, 8}
    screen.surface.set_color("type")  # the meaning of colors changed
    assert len(shown(screen)) == 8


def test_a_double_click_in_the_legend_shows_only_one_type(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.surface.legend.only([0])
    assert {e.type for e in cast.entities if e.id in shown(screen)} == {"person"}
    screen.surface.legend.only([0])
    assert len(shown(screen)) == 8


def test_communities_are_named_after_their_biggest_names(open_screen) -> None:
    pairs = [(a, b) for a in range(5) for b in range(a)]
    pairs += [(a + 5, b + 5) for a, b in pairs] + [(0, 5)]
    screen = open_screen(make_graph([f"Name {i}" for i in range(10)], pairs))
    screen.surface.set_color("group")
    assert len(screen.surface.legend.toggles) == 2
    assert all("Name" in t.words for t in screen.surface.legend.toggles.values())


def test_even_one_small_community_is_more_and_not_a_colour_of_its_own(open_screen) -> None:
    pairs = [(2 * k, 2 * k + 1) for k in range(13)]
    screen = open_screen(make_graph([f"Name {i}" for i in range(26)], pairs))
    screen.surface.set_color("group")
    lines = screen.surface.legend_lines
    assert len(lines) == 13 and lines[-1].words == "1 more" and lines[-1].count == 2


def test_the_legend_says_what_widths_and_sizes_mean_in_each_view(open_screen, cast, qtbot) -> None:
    screen = open_screen(cast)
    described = screen.surface.legend.foot.describe()
    assert described == "Node size: connections 1–5. Line width: shared passages 2", described
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.show_entities([1])
    assert screen.surface.legend.foot.describe().startswith("Node size: connections shown ")


def test_the_panel_says_how_many_connections_of_a_name_the_view_has(
    open_screen, cast, qtbot
) -> None:
    screen = open_screen(cast)
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.show_entities([1])
    inspector, data = screen.surface.inspector, screen.canvas.data
    qtbot.waitUntil(lambda: inspector.details is not None)
    row = data.row_of[1]
    n = len(data.neighbours_of(row))
    assert n == data.entities[row].n_relations
    assert f"· {n}\u00a0connections" in inspector._parts.head.counts.text()
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.navigation.hide([int(data.entities[data.neighbours_of(row)[0]].id)])
    qtbot.waitUntil(lambda: inspector.details.n_in_view == n - 1)
    expected = f"{n - 1}\u00a0of\u00a0{n}\u00a0connections"
    assert expected in inspector._parts.head.counts.text()


def test_sizes_follow_the_chosen_measure(open_screen, cast) -> None:
    data = open_screen(cast).canvas.data
    set_sizes(data, "rank")
    assert data.by_size[0] == data.row_of[1]  # Scrooge, who has the most connections
    set_sizes(data, "mentions")
    assert data.radii.argmax() == max(range(8), key=lambda k: data.entities[k].n_mentions)


def test_rank_sums_to_one_with_and_without_ties() -> None:
    assert page_rank(0, np.zeros((0, 2), int), np.zeros(0)).tolist() == []
    assert page_rank(4, np.zeros((0, 2), int), np.zeros(0)).sum() == pytest.approx(1)
    pairs = np.random.default_rng(3).integers(0, 60, (150, 2))
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    weights = np.arange(1.0, len(pairs) + 1)
    graph = nx.Graph()
    graph.add_nodes_from(range(60))
    graph.add_weighted_edges_from(
        (a, b, np.log1p(w)) for (a, b), w in zip(pairs.tolist(), weights, strict=True)
    )
    expected = nx.pagerank(graph, alpha=0.85, tol=1e-10)
    rank = page_rank(60, pairs, weights)
    assert rank == pytest.approx([expected[i] for i in range(60)], abs=1e-4)
    rank = page_rank(4, np.array([(0, 1), (0, 2)]), np.ones(2))
    assert rank.sum() == pytest.approx(1) and rank.argmax() == 0


def test_filters_hide_names_and_clearing_shows_them_again(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.toolbar.filter.click()
    panel = screen.surface.filters
    assert panel.isVisible()
    panel.name.setText("宋")
    qtbot.waitUntil(lambda: shown(screen) == {5})
    assert "1 of 8 names" in panel.counts.text()
    assert "1 set" in screen.toolbar.filter.toolTip()
    assert screen.toolbar.filter.text() == "Filter (1)"
    panel.clear.click()
    assert len(shown(screen)) == 8 and screen.toolbar.filter.text() == "Filter"
    panel.boxes[8].click()
    qtbot.waitUntil(lambda: shown(screen) == {2, 4, 6, 8})


def test_the_histogram_handle_hides_rare_names(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.toolbar.filter.click()
    made = screen.surface.filters.connections
    right = made.width() - 7
    view = QPoint(7, made.height() - 14)
    qtbot.mousePress(made, Qt.MouseButton.LeftButton, pos=view)
    qtbot.mouseMove(made, QPoint(right // 2, view.y()))
    qtbot.mouseRelease(made, Qt.MouseButton.LeftButton, pos=QPoint(right // 2, view.y()))
    low = made.range[0]
    assert low > 1
    counts = screen.canvas.data.n_connections
    qtbot.waitUntil(lambda: len(shown(screen)) == int((counts >= low).sum()))


def test_isolated_nodes_can_be_hidden(open_screen, qtbot) -> None:
    screen = open_screen(make_graph(["A", "B", "C"], [(0, 1)]))
    screen.surface.filters.orphans.click()
    qtbot.waitUntil(lambda: shown(screen) == {1, 2})


def test_filters_are_serialised() -> None:
    made = Filters(frozenset({1}), frozenset({"family"}), weights=(2.0, float("inf")), name="a")
    assert filters_from_dict(made.to_dict()) == made
    assert (
        filters_from_dict({"weights": "x", "name": None, "hidden_types": 5, "old": 1}) == Filters()
    )


@pytest.mark.parametrize("layout", list(LAYOUTS))
def test_every_layout_gives_each_name_a_place(open_screen, qtbot, cast, layout: str) -> None:
    screen = open_screen(cast)
    with qtbot.waitSignal(screen.shown):
        screen.navigation.set_layout(layout)
    data = screen.canvas.data
    assert len(data) == 8 and np.isfinite(data.places).all()
    apart = np.hypot(*(data.places[:, None] - data.places[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    assert apart.min() > 8
    assert bool(data.guides) == (layout == "timeline")
    assert not screen.grab().isNull()


def test_a_layout_stays_when_names_are_hidden_and_back_restores_the_former(
    open_screen, qtbot, cast
) -> None:
    screen = open_screen(cast)
    before = screen.canvas.data.places.copy()
    with qtbot.waitSignal(screen.shown):
        screen.navigation.set_layout("grid")
    grid = {e.id: tuple(p) for e, p in zip(cast.entities, screen.canvas.data.places, strict=True)}
    with qtbot.waitSignal(screen.shown):
        screen.navigation.hide([7])
    for entity, place in zip(screen.canvas.data.entities, screen.canvas.data.places, strict=True):
        assert np.allclose(place, grid[entity.id])
    for _ in range(2):
        with qtbot.waitSignal(screen.shown):
            screen.navigation.back()
    assert np.allclose(screen.canvas.data.places, before)


def test_the_minimap_appears_when_nodes_are_out_of_view(open_screen, qtbot) -> None:
    pairs = [(0, i) for i in range(1, 40)]
    screen = open_screen(make_graph([f"Name {i}" for i in range(40)], pairs))
    minimap = screen.surface.minimap
    assert minimap.isHidden()
    screen.canvas.zoom(4.0)
    qtbot.waitUntil(minimap.isVisible)
    before = screen.canvas.box.viewRect().center()
    qtbot.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    assert screen.canvas.box.viewRect().center() != before
    screen.canvas.fit()
    qtbot.waitUntil(minimap.isHidden)


def test_the_tables_list_visible_items_and_share_the_selection(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.toolbar.table.click()
    table = screen.surface.table
    qtbot.waitUntil(lambda: table.names.rowCount() == 8)
    assert table.relations.rowCount() == 8
    assert table.names.index(0, 0).data() == "Scrooge"  # the most connected first
    screen.canvas.select_entity(5)
    position = table.names.position_of(screen.canvas.data.row_of[5])
    assert table.name_table.selectionModel().isRowSelected(position)
    table.name_table.selectRow(0)
    assert screen.canvas.selected_id() == 1
    table.name_table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert table.names.index(0, 0).data() == "Bob Cratchit"
    assert table.name_table.selectionModel().isRowSelected(
        table.names.position_of(screen.canvas.data.row_of[1])
    )
    table.relation_table.selectRow(0)
    assert len(screen.canvas.chosen_ids()) == 2
    screen.surface.legend.only([0])
    qtbot.waitUntil(lambda: table.names.rowCount() == len(shown(screen)))


def test_arrow_keys_move_through_the_table_of_names(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    screen.toolbar.table.click()
    table = screen.surface.table
    qtbot.waitUntil(lambda: table.names.rowCount() == 8)
    table.name_table.selectRow(0)
    qtbot.keyClick(table.name_table, Qt.Key.Key_Down)
    assert screen.canvas.selected_id() == int(screen.canvas.data.entities[table.names.row_at(1)].id)


def test_only_the_selection_can_be_exported(open_screen, cast, tmp_path) -> None:
    screen = open_screen(cast)
    screen.canvas.choose({screen.canvas.data.row_of[i] for i in (1, 2)})
    path = tmp_path / "two.svg"
    save_picture(screen.canvas, path, chosen=True)
    text = path.read_text("utf-8")
    assert "Scrooge" in text and "Marley" in text and "London" not in text
    families = set(re.findall('font-family="([^"]+)"', text))
    assert families and all(f.startswith("Inter,") and f.endswith(",sans-serif") for f in families)
    assert screen.canvas.data.shown.all()
    big = tmp_path / "big.png"
    save_picture(screen.canvas, big, scale=4.0)
    assert QImage(str(big)).width() == 4 * screen.canvas.width()


def test_types_and_communities_are_filtered_together(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    surface, data = screen.surface, screen.canvas.data
    person = ENTITY_TYPES.index("person")
    surface.legend.toggles[person].setChecked(False)
    left = set(np.flatnonzero(data.shown))
    surface.set_color("group")
    assert set(np.flatnonzero(data.shown)) == left  # coloring does not undo the filter
    assert not surface.filters.types.boxes[person].isChecked()
    assert surface.filters.groups.isHidden()  # the legend lists them now
    surface.filters.types.boxes[person].setChecked(True)
    qtbot.waitUntil(lambda: data.shown.all())
    next(iter(surface.legend.toggles.values())).setChecked(False)
    gone = set(np.flatnonzero(~data.shown))
    assert gone
    surface.set_color("type")
    assert set(np.flatnonzero(~data.shown)) == gone
    assert surface.filters.groups.hidden()
    surface.set_color("group")
    assert set(np.flatnonzero(~data.shown)) == gone
    surface.filters.clear.click()
    assert data.shown.all()
