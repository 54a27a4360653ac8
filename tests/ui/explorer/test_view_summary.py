"""The side panel while no name is selected: counts, top names, types or communities."""

from __future__ import annotations

from desktop_app.engine.graph.view.graph_data import REST
from desktop_app.ui.explorer.inspector import NameMark, NeutralTypeMark, PressRow
from desktop_app.ui.widgets import TypeChip
from tests.ui.explorer.fake_library import OPENED_MS, make_graph


def rows_of(screen) -> list[PressRow]:
    return screen.surface.inspector.findChildren(PressRow)


def open_summary(screen, qtbot):
    qtbot.waitUntil(lambda: screen.surface.inspector.summary is not None)
    return screen.surface.inspector.summary


def test_the_panel_lists_what_the_view_shows(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    summary = open_summary(screen, qtbot)
    assert summary.title == "Whole graph"
    assert summary.facts.replace("\u00a0", " ") == "8 names · 8 connections"
    counts = [entity.n_relations for entity in summary.top]
    assert counts == sorted(counts, reverse=True) and len(counts) == 8
    assert summary.top[0].name == "Scrooge"
    # the legend has the types, so that the panel has the communities
    assert summary.parts_title == "Communities"
    data = screen.canvas.data
    sizes = [len(part.ids) for part in summary.parts]
    assert sizes == sorted(sizes, reverse=True) and sum(sizes) == (data.communities >= 0).sum()


def test_with_colours_of_communities_the_panel_lists_the_types(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    open_summary(screen, qtbot)
    screen.surface.set_color("group")
    inspector = screen.surface.inspector
    qtbot.waitUntil(lambda: inspector.summary.parts_title == "Types")
    types = {part.type: len(part.ids) for part in inspector.summary.parts}
    rows = [entity.type for entity in screen.canvas.data.entities]
    assert types == {kind: rows.count(kind) for kind in set(rows)}
    # the rows before are deleted by the event loop
    qtbot.waitUntil(lambda: len(inspector.findChildren(NameMark)) == len(rows))
    assert len(inspector.findChildren(NeutralTypeMark)) == len(types)


def test_names_in_the_panel_have_the_colours_of_the_canvas(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    open_summary(screen, qtbot)
    inspector, data = screen.surface.inspector, screen.canvas.data
    marks = inspector.findChildren(NameMark)
    assert marks and {mark.find_code() for mark in marks} == {None}  # those of types
    screen.surface.set_color("group")
    codes = [int(data.color_codes[data.row_of[int(e.id)]]) for e in inspector.summary.top]
    qtbot.waitUntil(
        lambda: [mark.find_code() for mark in inspector.findChildren(NameMark)] == codes
    )
    assert screen.surface.find_code(10**6) == REST  # a name beyond the view
    screen.canvas.select_row(0)
    qtbot.waitUntil(lambda: inspector.details is not None)
    assert all(mark.is_neutral for mark in inspector.findChildren(TypeChip))
    screen.surface.set_color("type")
    assert not any(mark.is_neutral for mark in inspector.findChildren(TypeChip))


def test_a_click_on_a_top_name_selects_it(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    open_summary(screen, qtbot)
    next(row for row in rows_of(screen) if row.accessibleName().startswith("Marley")).pressed.emit()
    assert screen.canvas.selected_id() == 2
    qtbot.waitUntil(lambda: screen.surface.inspector.details is not None)
    assert screen.surface.inspector.summary is None
    screen.canvas.select_row(None)
    assert open_summary(screen, qtbot).title == "Whole graph"


def test_a_click_on_a_community_selects_its_names(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    summary = open_summary(screen, qtbot)
    part = next(part for part in summary.parts if len(part.ids) > 1)
    rows = rows_of(screen)
    next(row for row in rows if row.accessibleName().startswith(part.words)).pressed.emit()
    assert set(screen.canvas.chosen_ids()) == set(part.ids)
    assert screen.surface.bar.isVisible()


def test_hidden_names_are_not_listed(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    open_summary(screen, qtbot)
    code = int(screen.canvas.data.type_codes[0])
    screen.surface.legend.toggles[code].setChecked(False)
    inspector = screen.surface.inspector
    qtbot.waitUntil(lambda: len(inspector.summary.top) < 8)
    assert "Scrooge" not in {entity.name for entity in inspector.summary.top}
    assert all(1 not in part.ids for part in inspector.summary.parts)


def test_all_names_of_a_large_library_are_shown_by_community(open_screen, qtbot) -> None:
    pairs = [(k - k % 25, k) for k in range(200) if k % 25]
    screen = open_screen(make_graph([f"Name {k}" for k in range(200)], pairs))
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.toolbar.all_wanted.emit()
    assert screen.navigation.view.layout == "groups" and screen.surface.color_mode == "group"
    assert len(screen.canvas.labels.place_titles(screen.canvas.frame(), screen.canvas.data)) == 8
    with qtbot.waitSignal(screen.shown, timeout=OPENED_MS):
        screen.show_entities([26])
    assert screen.navigation.view.layout == "force" and screen.surface.color_mode == "type"


def test_all_names_of_a_small_library_keep_their_colours(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    with qtbot.waitSignal(screen.shown):
        screen.toolbar.all_wanted.emit()
    assert screen.navigation.view.layout == "force" and screen.surface.color_mode == "type"


def test_the_panel_says_how_many_connections_are_drawn(open_screen, qtbot) -> None:
    pairs = [(a, b) for a in range(14) for b in range(a + 1, 14)]
    screen = open_screen(make_graph([f"Name {k}" for k in range(14)], pairs))
    facts = open_summary(screen, qtbot).facts.replace("\u00a0", " ")
    n_drawn = len(screen.canvas.frame().lines)
    assert 0 < n_drawn < 91
    lines = facts.replace("\u00a0", " ").split("\n")
    assert lines[0] == "14 names · 91 connections"
    assert lines[1].startswith(f"{n_drawn} drawn")


def test_top_names_of_several_communities_have_their_colours_at_first(open_screen, qtbot) -> None:
    pairs = [(k - k % 6, k) for k in range(24) if k % 6]
    screen = open_screen(make_graph([f"Name {k}" for k in range(24)], pairs))
    assert screen.surface.color_mode == "group"
    with qtbot.waitSignal(screen.shown):
        screen.show_entities([2])
    assert screen.surface.color_mode == "type"
    screen.surface.set_color("document")  # what was chosen stays
    with qtbot.waitSignal(screen.shown):
        screen.show_top()
    assert screen.surface.color_mode == "document"
    saved = screen.surface.appearance()
    screen.surface.set_appearance(saved)
    assert screen.surface.is_color_chosen
