"""The community tree and the treemap: order, search, boxes, keys, large hierarchies."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt

from desktop_app.engine.model import CommunityRow
from desktop_app.ui.communities.community_tree import ROOT, CommunityTree
from desktop_app.ui.communities.parts import Chip, ChipFlow
from desktop_app.ui.communities.tree_panel import BAR_ROLE, MAP, ROW_ROLE, TREE, TreePanel
from desktop_app.ui.communities.treemap import cell_at, squarify
from desktop_app.ui.widgets import Button


def row(number: int, level: int, parent: int | None, n: int, title: str, **more) -> CommunityRow:
    return CommunityRow(number, level, parent, title, n, n, 0, n / 100, (title,), **more)


def small_tree() -> CommunityTree:
    return CommunityTree(
        [
            row(1, 0, None, 60, "Tobias and the clocks", rating=4.0),
            row(2, 0, None, 30, "宋江、吴用、卢俊义", rating=9.0, key_words=("学究",)),
            row(3, 0, None, 40, "tied to nothing", is_loose=True),
            row(4, 1, 1, 40, "Clara, who sang", is_stale=True, model=""),
            row(5, 1, 1, 20, "Marsh and the sea", is_pinned=True, is_edited=True, model=""),
            row(6, 2, 4, 25, "The harbour " * 30),
        ]
    )


def many(n: int) -> CommunityTree:
    tops = [row(i, 0, None, 200 - i, f"Community {i}") for i in range(1, 21)]
    parts = [row(100 + i, 1, 1 + i % 20, 1 + i % 9, f"Part {i}") for i in range(n - 20)]
    return CommunityTree([*tops, *parts])


@pytest.fixture
def panel(context, qtbot) -> TreePanel:
    made = TreePanel(context.theme)
    qtbot.addWidget(made)
    made.resize(480, 640)
    made.show()
    made.set_community_tree(small_tree())
    return made


def test_in_high_contrast_a_chosen_row_is_filled_beside_its_arrow_too(panel, context, qapp):
    context.theme.set_contrast("on")
    context.theme.apply(qapp)
    tree = panel.tree
    tree.setCurrentIndex(panel.model.index(0, 0))
    row = tree.visualRect(panel.model.index(0, 0))
    image = tree.viewport().grab().toImage()
    qapp.setStyleSheet("")
    accent = context.theme.color("accent").name()
    grounds = [image.pixelColor(x, row.bottom() - 1).name() for x in (2, row.left() + 40)]
    assert row.left() > 2 and grounds == [accent, accent]


def titles(panel: TreePanel) -> list[str]:
    model = panel.model
    return [model.index(n, 0).data() for n in range(model.rowCount())]


def test_the_largest_communities_come_first_and_isolated_names_last():
    community_tree = small_tree()
    assert community_tree.children() == [1, 2, 3]
    assert community_tree.children(ROOT, "rating") == [2, 1, 3]
    assert community_tree.children(1) == [4, 5]
    assert community_tree.path(6) == [1, 4, 6] and community_tree.parent(1) == ROOT
    assert (community_tree.n_real, community_tree.n_levels, community_tree.n_stale) == (5, 3, 1)


def test_communities_are_numbered_by_size_on_each_level():
    community_tree = small_tree()
    assert [community_tree.mark(n) for n in (1, 2, 4, 5, 6)] == [1, 2, 1, 3, 2]
    assert community_tree.mark(3) == community_tree.mark(99) == 0
    # community 2 has no parts, so that it counts on the second level, too: it is number 2 there


def with_small(n_small: int, n_large: int = 160) -> CommunityTree:
    tops = [row(1, 0, None, n_large, "The clocks"), row(2, 0, None, 9, "loose", is_loose=True)]
    return CommunityTree([*tops, *(row(10 + i, 0, None, 3, f"Pair {i}") for i in range(n_small))])


def test_small_communities_are_listed_after_a_click_in_a_search_and_when_one_is_opened(panel):
    panel.set_community_tree(with_small(3))
    assert titles(panel) == ["The clocks", "Unconnected names"]
    assert panel.found.full_text() == "1 main community"
    assert panel.small_button.text() == "Show 3 small ones" and panel.small_button.isVisible()
    panel.small_button.click()
    assert len(titles(panel)) == 5 and panel.found.full_text() == "4 main communities"
    assert panel.small_button.text() == "Hide the small ones"
    panel.small_button.click()
    panel.search.searched.emit("Pair 1")
    assert titles(panel) == ["Pair 1"] and not panel.small_button.isVisible()
    panel.search.searched.emit("")
    assert titles(panel) == ["The clocks", "Unconnected names"]
    panel.mark(12)
    assert "Pair 2" in titles(panel) and panel.tree.currentIndex().data() == "Pair 2"
    panel.small_button.click()
    assert titles(panel) == ["The clocks", "Unconnected names"]


def test_communities_of_three_names_are_listed_in_a_small_library_and_where_they_are_few():
    assert not with_small(3, n_large=100).small  # 118 names: three are more than a fiftieth
    assert not with_small(2).small
    assert with_small(3).small == {10, 11, 12}
    pinned = [replace(one, is_pinned=one.id == 11) for one in with_small(4).rows.values()]
    assert CommunityTree(pinned).small == {10, 12, 13}


def test_a_community_without_its_parent_is_at_the_top_level():
    assert CommunityTree([row(7, 1, 99, 3, "lost")]).children() == [7]


@given(
    st.lists(st.integers(1, 500), min_size=1, max_size=40).map(lambda v: sorted(v, reverse=True)),
    st.floats(10, 2000),
    st.floats(10, 2000),
)
def test_boxes_have_the_areas_of_their_values_and_stay_inside(values, width, height):
    boxes = squarify(values, (0.0, 0.0, width, height))
    scale = width * height / sum(values)
    for value, (left, top, w, h) in zip(values, boxes, strict=True):
        assert w * h == pytest.approx(value * scale, rel=1e-6)
        assert left >= -1e-6 and left + w <= width * (1 + 1e-9) + 1e-6
        assert top >= -1e-6 and top + h <= height * (1 + 1e-9) + 1e-6


def test_an_empty_rectangle_gives_boxes_without_area():
    assert squarify([3, 1], (0, 0, 0, 10)) == [(0, 0, 0.0, 0.0)] * 2
    assert squarify([0, 0], (0, 0, 9, 9)) == [(0, 0, 0.0, 0.0)] * 2


def test_the_tree_describes_each_community(panel):
    assert titles(panel)[0] == "Tobias and the clocks"
    assert titles(panel)[2] == "Unconnected names"
    shown_text = panel.model.index_of(5).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "20 names" in shown_text and "Pinned" in shown_text and "Edited by you" in shown_text
    assert "Changed since" in panel.model.index_of(4).data(Qt.ItemDataRole.ToolTipRole)
    panel.tree.expandAll()
    panel.grab()


def test_a_search_keeps_matches_and_their_parents(panel, qtbot):
    panel.search.setText("harbour")
    qtbot.waitUntil(lambda: panel.model.n_found == 1)
    assert titles(panel) == ["Tobias and the clocks"]
    assert panel.tree.isExpanded(panel.model.index_of(4)) and not panel.found.isHidden()
    panel.search.setText("学究")
    qtbot.waitUntil(lambda: titles(panel) == ["宋江、吴用、卢俊义"])
    panel.search.clear()
    qtbot.waitUntil(lambda: len(titles(panel)) == 3)


def test_sorting_follows_the_menu_and_keeps_the_selection(panel):
    panel.mark(5)
    panel.sorts["rating"].trigger()
    assert titles(panel)[0].startswith("宋江")
    assert panel.tree.currentIndex() == panel.model.index_of(5)


def test_selecting_in_the_tree_selects_on_the_treemap(panel, qtbot):
    with qtbot.waitSignal(panel.chosen) as tooltip:
        panel.tree.setCurrentIndex(panel.model.index_of(2))
    assert tooltip.args == [2] and panel.map.treemap.current == 2
    panel.show_view(MAP)
    assert panel.sort_button.isHidden() and panel.view_button.text() == "List"
    panel.grab()
    panel.show_view(TREE)


def test_a_click_selects_a_box_and_a_double_click_opens_it(panel, qtbot):
    panel.show_view(MAP)
    treemap = panel.map.treemap
    qtbot.waitUntil(lambda: treemap.cell_of(1) is not None and treemap.width() > 300)
    head = treemap.cell_of(1).area.topLeft().toPoint() + QPoint(20, 8)
    with qtbot.waitSignal(panel.chosen) as tooltip:
        qtbot.mouseClick(treemap, Qt.MouseButton.LeftButton, pos=head)
    assert tooltip.args == [1] and panel.map.root == ROOT
    qtbot.mouseClick(treemap, Qt.MouseButton.LeftButton, pos=head)
    assert panel.map.root == 1 and panel.map.back_row.isVisible()
    assert {cell.number for cell in treemap.cells if not cell.depth} == {4, 5}
    panel.map.up_button.click()
    assert panel.map.root == ROOT and panel.current == 1


def test_the_treemap_is_navigated_by_keys(panel, qtbot):
    panel.show_view(MAP)
    treemap = panel.map.treemap
    panel.mark(1)
    qtbot.waitUntil(lambda: treemap.cell_of(1) is not None)
    qtbot.keyClick(treemap, Qt.Key.Key_PageDown)
    assert panel.current == 4
    qtbot.keyClick(treemap, Qt.Key.Key_PageUp)
    assert panel.current == 1
    qtbot.keyClick(treemap, Qt.Key.Key_Return)
    assert panel.map.root == 1
    qtbot.keyClick(treemap, Qt.Key.Key_Backspace)
    assert panel.map.root == ROOT
    before = panel.current
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(treemap, key)
    assert panel.current != before


def test_the_treemap_opens_the_level_of_the_selection(panel, qtbot):
    panel.show_view(MAP)
    panel.mark(6)
    treemap = panel.map.treemap
    assert treemap.cell_of(6) is not None and panel.map.root in (1, 4)
    tooltip = treemap.build_tooltip(6)
    assert "25 names" in tooltip and "Importance" in tooltip


def test_the_treemap_stays_at_the_top_level_if_the_selection_is_visible(panel, qtbot):
    panel.mark(4)
    panel.show_view(MAP)
    assert panel.map.root == ROOT and panel.map.treemap.cell_of(4) is not None


def test_five_hundred_communities_are_shown_in_both(panel, qtbot):
    panel.set_community_tree(many(500))
    assert panel.model.rowCount() == 20 and len(panel.community_tree) == 500
    panel.tree.expandAll()
    panel.show_view(MAP)
    qtbot.waitUntil(lambda: len(panel.map.treemap.cells) > 100)
    treemap = panel.map.treemap
    for cell in treemap.cells:
        assert cell_at(treemap.cells, cell.area.center()) is not None
    panel.map.set_found(panel.community_tree.find("Part 7"))
    panel.grab()


def test_a_single_community_fills_the_treemap_and_cannot_be_opened(panel, qtbot):
    panel.set_community_tree(CommunityTree([row(1, 0, None, 3, "Alone")]))
    panel.show_view(MAP)
    qtbot.waitUntil(lambda: [c.number for c in panel.map.treemap.cells] == [1])
    panel.mark(1)
    panel.map.go_into(1)
    assert panel.map.root == ROOT


def test_expanded_communities_stay_expanded_after_a_reload(panel):
    panel.tree.expand(panel.model.index_of(1))
    panel.mark(4)
    panel.set_community_tree(small_tree())
    assert panel.tree.isExpanded(panel.model.index_of(1))
    assert panel.tree.currentIndex() == panel.model.index_of(4)


def test_the_bar_shows_the_number_by_which_the_list_is_ordered(panel):
    model = panel.model

    def bars() -> list[float]:
        return [model.index(n, 0).data(BAR_ROLE) for n in range(model.rowCount())]

    def tooltip() -> str:
        return model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)

    sizes = [model.index(n, 0).data(ROW_ROLE).n_members for n in range(2)]
    assert bars()[:2] == [10.0, 10 * sizes[1] / sizes[0]]
    assert "The bar shows the size" in tooltip()
    panel.set_sort("rating")
    ratings = [model.index(n, 0).data(ROW_ROLE).rating for n in range(model.rowCount())]
    assert bars() == ratings and "The bar shows the importance" in tooltip()
    spoken = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "The bar shows the importance" in spoken and "Importance: " in spoken


def test_the_lines_of_chips_have_equal_gaps(context, qtbot):
    flow = ChipFlow(context.theme, "Names", most=9)
    qtbot.addWidget(flow)
    flow.resize(260, 200)
    flow.show()
    flow.set_chips(range(12), lambda n: Chip(n, f"Name number {n}", "person"))
    tops = sorted({chip.y() for chip in flow.chips})
    more = next(child for child in flow.findChildren(Button) if "more" in child.text())
    more.setFixedHeight(40)  # higher than chips, as it is in large text
    flow.resize(261, 200)
    tops = sorted({chip.y() for chip in flow.chips})
    assert len(tops) > 3 and len({b - a for a, b in pairwise(tops)}) == 1
    assert more.geometry().bottom() < flow.height()


def test_a_cleared_search_shows_the_rows_expanded_that_were_so_before(panel):
    n_children = {1: 2, 4: 1}
    rows = small_tree().rows.items()
    with_counts = [replace(row, n_children=n_children.get(number, 0)) for number, row in rows]
    panel.set_community_tree(CommunityTree(with_counts))
    tree, index_of = panel.tree, panel.model.index_of
    tree.expand(index_of(1))
    panel.search.searched.emit("harbour")
    assert tree.isExpanded(index_of(1)) and tree.isExpanded(index_of(4))
    panel.search.searched.emit("clara")
    panel.search.searched.emit("")
    assert [number for number in n_children if tree.isExpanded(index_of(number))] == [1]


def test_a_change_of_the_tree_that_fails_leaves_the_clicks_working(panel, qtbot):
    def fail() -> None:
        raise RuntimeError("no tree")

    with pytest.raises(RuntimeError, match="no tree"):
        panel._update_model(fail)
    with qtbot.waitSignal(panel.chosen):
        panel.tree.setCurrentIndex(panel.model.index_of(1))
