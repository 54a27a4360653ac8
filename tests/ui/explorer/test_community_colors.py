"""The graph colored by the communities of a level."""

from __future__ import annotations

import numpy as np

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.communities.report_service import ReportService
from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.graph.view.graph_data import MAX_STEPS, REST, set_color_codes
from desktop_app.engine.model import ENTITY_TYPES
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.store import communities as community_rows
from desktop_app.ui.communities.community_tree import read_community_tree
from desktop_app.ui.communities.parts import shade_color
from desktop_app.ui.explorer.node_colors import fit_title
from desktop_app.ui.explorer.screen import ExplorerScreen
from tests.books import id_of
from tests.ui.explorer.fake_library import OPENED_MS, make_graph


def divide(library: Library) -> None:
    """Make two communities on the first level, one of them divided further."""
    refresh_communities(library.writer)
    db = library.writer
    ids = [id_of(library, name) for name in ("Tobias", "Clara", "Hale", "Marsh", "Petrel")]

    def part(level: int, parent: int | None, title: str, members: list[int]):
        return community_rows.CommunityValues(
            level,
            parent,
            title,
            (),
            (title,),
            tuple(members),
            len(members),
            n_relations=1,
            weight=0.5,
            is_loose=False,
            fingerprint=title,
        )

    kept = {
        901: part(0, None, "The shop", ids[:4]),
        902: part(0, None, "The sea", ids[4:]),
        903: part(1, 901, "Clocks", ids[:2]),
        904: part(1, 901, "Sailors", ids[2:4]),
    }
    with db.transaction():
        community_rows.replace_communities(
            db, kept, [i for (i,) in db.rows("SELECT id FROM community")]
        )


def legend(screen: ExplorerScreen) -> dict[str, int]:
    return {t.words: t.count for t in screen.surface.legend.toggles.values() if t.count}


def test_a_title_without_room_is_cut_after_whole_names() -> None:
    title = "Scrooge, Ghost, Spirit: clerk, partner"
    assert fit_title(title, len, 40) == title
    assert fit_title(title, len, 30) == "Scrooge, Ghost, Spirit"
    assert fit_title(title, len, 20) == "Scrooge, Ghost"
    assert fit_title(title, len, 5) is None
    assert fit_title("宋江、吴用：众人", len, 6) == "宋江、吴用"
    assert fit_title("The clockmaker of the harbour", len, 20) is None


def test_groups_are_the_communities_of_a_level(library):
    graph = LibraryReader(library.writer).graph
    ids = [id_of(library, name) for name in ("Tobias", "Marsh", "Petrel")]
    assert graph.groups(ids).of == {} and graph.groups(ids).n_levels == 0
    divide(library)
    coarse, fine = graph.groups(ids), graph.groups(ids, 1)
    assert coarse.of == dict(zip(ids, (901, 901, 902), strict=True))
    assert coarse.titles == {901: "The shop", 902: "The sea"} and coarse.n_levels == 2
    # a community without parts counts as its own part
    assert fine.of == dict(zip(ids, (903, 904, 902), strict=True))


def test_the_legend_names_communities_and_a_report_renames_them(open_library, library, qtbot):
    divide(library)
    screen = open_library()
    screen.surface.set_color("group")
    assert legend(screen) == {"The shop": 4, "The sea": 1}
    number = int(CommunityReader(library.writer).tree()[0].id)
    change = ReportService(library.writer, lambda: None).edit(number, title="The clockmaker’s shop")
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.context.hub.publish_edit(change)
    assert "The clockmaker’s shop" in legend(screen)


def test_the_community_level_is_chosen_in_the_menu_and_stored(open_library, library, qtbot):
    divide(library)
    screen = open_library()
    levels = screen.toolbar.levels.actions()
    assert len(levels) == 2 and levels[0].isChecked()
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        levels[1].trigger()
    assert legend(screen) == {"Clocks": 2, "Sailors": 2, "The sea": 1}
    appearance = screen.surface.appearance()
    assert appearance["level"] == 1 and appearance["color"] == "group"
    screen.surface.set_appearance({})
    assert screen.surface.level == 0
    screen.surface.set_appearance(appearance)
    assert screen.surface.level == 1


def test_a_community_has_the_same_number_and_color_in_every_view_and_list(
    open_library, library, qtbot
):
    divide(library)
    tree = read_community_tree(CommunityReader(library.writer))
    assert (tree.mark(901), tree.mark(902)) == (1, 2)
    screen = open_library()
    screen.surface.set_color("group")
    numbers = {line.words: line.number for line in screen.surface.legend_lines}
    assert numbers == {"The shop": 1, "The sea": 2}
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.navigation.keep_only([id_of(library, "Petrel")])
    [line] = screen.surface.legend_lines  # the smaller one alone: not number 1 of its view
    assert (line.words, line.number, line.code) == ("The sea", 2, len(ENTITY_TYPES) + 1)
    assert screen.canvas.palette_now.signs[line.code] == "2"
    assert screen.canvas.palette_now.discs[line.code] == shade_color(screen.context.theme, 2)


def test_the_legend_says_how_much_of_a_community_is_drawn(open_library, library, qtbot):
    divide(library)
    screen = open_library()
    screen.surface.set_color("group")
    ids = [id_of(library, name) for name in ("Tobias", "Clara", "Petrel")]
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.navigation.keep_only(ids)
    toggles = screen.surface.legend.toggles.values()
    assert {t.words: t.counted for t in toggles} == {"The shop": "2 of 4", "The sea": "1"}


def test_of_two_communities_of_one_color_only_the_larger_has_it(open_library, library):
    screen = open_library()
    data = screen.canvas.data
    data.communities = np.arange(len(data)) % 3
    data.community_numbers, data.community_sizes = {0: 27, 1: 3, 2: 2}, {}
    found = set_color_codes(data, "group")
    first = len(ENTITY_TYPES)
    assert [(c.code, c.values, c.number) for c in found] == [
        (first + 1, (2,), 2),
        (first + 2, (1,), 3),
        (REST, (0,), 0),
    ]
    data.community_numbers = {0: 27, 1: 28, 2: 2}
    set_color_codes(data, "group")  # no other one has the looks of 27 and 28
    assert data.step_numbers[:4] == (1, 2, 27, 28)
    data.community_numbers = {0: 15, 1: 3, 2: 2}  # filled and hollow: two looks
    assert [c.number for c in set_color_codes(data, "group")] == [2, 3, 15]


def test_of_many_communities_those_with_most_names_in_the_view_have_a_look(open_screen) -> None:
    sizes = [2] * 14 + [3] * 5  # the communities with the largest numbers are larger here
    names = [f"Name {k}" for k in range(sum(sizes))]
    screen = open_screen(make_graph(names, [(k, k + 1) for k in range(len(names) - 1)]))
    data = screen.canvas.data
    data.communities = np.repeat(np.arange(len(sizes)), sizes)
    data.community_numbers = {k: k + 1 for k in range(len(sizes))}
    found = set_color_codes(data, "group")
    assert [c.number for c in found[:-1]] == [*range(1, 8), *range(15, 20)]
    assert found[-1].code == REST and len(found[-1].values) == 7


def test_the_main_community_of_each_part_has_a_color(open_screen) -> None:
    # two books: 13 communities of the large one have more names than that of the small one
    sizes = [9, *[8] * 12, 3]
    n = sum(sizes)
    screen = open_screen(make_graph([f"Name {k}" for k in range(n)], [(0, 1)]))
    data = screen.canvas.data
    data.communities = np.repeat(np.arange(len(sizes)), sizes)
    data.community_numbers = {k: k + 1 for k in range(len(sizes))}
    data.part_titles, data.parts = {}, np.full(n, -1)
    assert 14 not in {one.number for one in set_color_codes(data, "group")}
    data.parts = np.where(data.communities == 13, 1, 0)
    data.part_titles = {0: "A Long Book", 1: "A Leaflet"}
    numbers = {one.number for one in set_color_codes(data, "group") if one.number}
    assert {1, 14} <= numbers and len(numbers) == MAX_STEPS


def test_without_stored_communities_the_graph_is_clustered_anew(open_library):
    screen = open_library()
    screen.surface.set_color("group")
    assert screen.surface.legend.toggles and not screen.canvas.data.community_titles
    assert not screen.toolbar.levels.menuAction().isVisible()


def test_a_community_is_shown_with_its_neighbours_in_the_colors_of_its_level(
    open_library, library, qtbot
):
    divide(library)
    screen = open_library()
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.show_communities([id_of(library, "Tobias"), id_of(library, "Clara")], 1)
    assert screen.surface.color_mode == "group" and "Clocks" in legend(screen)


def test_changed_communities_are_loaded_only_if_they_are_shown(open_library, library):
    divide(library)
    screen = open_library()
    change = ChangeNotice(communities=frozenset({901}))
    assert not screen.is_touched(change)
    screen.surface.set_color("group")
    assert screen.is_touched(change) and not screen.is_touched(ChangeNotice())
