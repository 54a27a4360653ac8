"""The graph over a real library: corrections, saved views, changes made elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage

from desktop_app.cli import run_command
from desktop_app.engine.model import ENTITY_TYPES
from desktop_app.engine.services.library import Library
from desktop_app.ui.context import SessionContext
from desktop_app.ui.editing.merge_dialog import MergeDialog
from desktop_app.ui.explorer.screen import ExplorerScreen
from desktop_app.ui.theme.fonts import INTERFACE_FAMILY


def id_of(library: Library, name: str) -> int:
    return library.writer.value("SELECT id FROM entity WHERE name = ?", (name,))


def names(screen: ExplorerScreen) -> set[str]:
    return {e.name for e in screen.canvas.data.entities}


def choose(screen: ExplorerScreen, *wanted: str) -> None:
    rows = [r for r, e in enumerate(screen.canvas.data.entities) if e.name in wanted]
    screen.canvas.choose(rows)


def menu_action(screen: ExplorerScreen, words: str, under: str = ""):
    menu = screen.graph_actions.build_menu(min(screen.canvas.focus.chosen))
    if under:
        menu = next(a.menu() for a in menu.actions() if a.text() == under)
    return next(a for a in menu.actions() if a.text() == words)


def test_selected_names_are_merged_from_the_menu_and_undone(open_library, context, library, qtbot):
    screen = open_library()
    assert {"Hale", "Marsh"} <= names(screen)
    choose(screen, "Hale", "Marsh")
    menu_action(screen, "Merge 2 names…").trigger()
    qtbot.waitUntil(lambda: isinstance(screen.graph_actions.corrections.sheet, MergeDialog))
    screen.graph_actions.corrections.sheet.merge_button.click()
    qtbot.waitUntil(lambda: len(names(screen) & {"Hale", "Marsh"}) == 1)
    context.messages.last.action()
    qtbot.waitUntil(lambda: {"Hale", "Marsh"} <= names(screen))


def test_types_are_changed_and_names_deleted_from_the_menu(open_library, context, library, qtbot):
    screen = open_library()
    choose(screen, "Petrel")
    menu_action(screen, "Event", under="Change type").trigger()
    qtbot.waitUntil(
        lambda: any(e.name == "Petrel" and e.type == "event" for e in screen.canvas.data.entities)
    )
    assert [e.name for e in screen.canvas.chosen_rows()] == ["Petrel"]
    menu_action(screen, "Delete").trigger()
    qtbot.waitUntil(lambda: "Petrel" not in names(screen))
    assert screen.canvas.chosen_ids() == []
    context.messages.last.action()
    qtbot.waitUntil(lambda: "Petrel" in names(screen))


def test_the_selection_follows_a_name_merged_elsewhere(open_library, context, library, qtbot):
    screen = open_library()
    hale, marsh = id_of(library, "Hale"), id_of(library, "Marsh")
    first, second = min(hale, marsh), max(hale, marsh)
    screen.show_entities([second])
    qtbot.waitUntil(lambda: screen.canvas.selected_id() == second)
    change = context.editing.merge(first, [second])
    with qtbot.waitSignal(screen.shown):
        context.hub.publish_edit(change)
    assert first in screen.canvas.data.row_of and second not in screen.canvas.data.row_of
    assert screen.canvas.selected_id() == first
    inspector = screen.surface.inspector
    qtbot.waitUntil(lambda: inspector.details and inspector.details.card.row.id == first)
    _, undone = context.editing.undo()
    with qtbot.waitSignal(screen.shown):
        context.hub.publish_edit(undone)
    assert second in screen.canvas.data.row_of
    assert screen.canvas.selected_id() == second
    qtbot.waitUntil(lambda: inspector.details and inspector.details.card.row.id == second)


def test_a_view_survives_closing_the_library_and_is_not_an_edit(
    open_library, context, library, qtbot
) -> None:
    screen = open_library()
    history = len(context.library_reader.list_history())
    kept = [id_of(library, name) for name in ("Hale", "Clara", "Petrel")]
    with qtbot.waitSignal(screen.shown):
        screen.navigation.keep_only(kept)
    with qtbot.waitSignal(screen.shown):
        screen.navigation.set_layout("circle")
    screen.surface.set_color("document")
    for _ in range(2):
        next(iter(screen.surface.legend.toggles.values())).toggle()
    row = screen.canvas.data.row_of[kept[0]]
    screen.canvas.move_disc(row, QPointF(200, 150))
    screen.canvas.places_changed.emit()
    places = {i: screen.canvas.data.places[screen.canvas.data.row_of[i]].copy() for i in kept}
    screen.shut_down()  # before the view was saved by the timer

    again = open_library()
    assert set(again.canvas.data.ids) == set(kept)
    assert again.navigation.view.layout == "circle"
    assert again.surface.color_mode == "document"
    for i in kept:
        assert np.allclose(again.canvas.data.places[again.canvas.data.row_of[i]], places[i])
    assert again.canvas.data.pinned[again.canvas.data.row_of[kept[0]]]
    assert len(context.library_reader.list_history()) == history
    assert context.editing.undo()[0] is None  # nothing to undo: views are not edits


def test_hidden_types_are_still_hidden_after_a_restart(open_library, context, library, qtbot):
    screen = open_library()
    code = ENTITY_TYPES.index("person")
    screen.surface.legend.set_hidden(frozenset({code}))
    screen.surface.apply_filters()
    n_shown = int(screen.canvas.data.shown.sum())
    assert n_shown < len(screen.canvas.data)
    screen.shut_down()
    again = open_library()
    assert int(again.canvas.data.shown.sum()) == n_shown
    assert again.surface.legend.hidden() == {code}


def test_views_are_stored_by_name_in_the_library(open_library, context, library, qtbot) -> None:
    screen = open_library()
    screen.saved_views.save("Ships", message="Kept")
    qtbot.waitUntil(lambda: screen.toolbar.saved == ["Ships"])
    screen.toolbar.start.menu().aboutToShow.emit()
    assert "Ships" in [a.text() for a in screen.toolbar.start.menu().actions()]
    screen.saved_views.delete("Ships")
    qtbot.waitUntil(lambda: screen.toolbar.saved == [])


def test_the_session_context_has_a_view_store() -> None:
    assert "graph_views" in SessionContext.__dataclass_fields__


def test_the_command_line_exports_the_neighbourhood_of_a_name(
    library, qapp, tmp_path: Path
) -> None:
    out = tmp_path / "out.png"
    arguments = ["--image", str(out), "--entity", "Hale", "--depth", "2", "--scale", "1.5"]
    assert run_command(["graph", "--library", str(library.path), *arguments]) == 0
    picture = QImage(str(out))
    assert picture.width() == 2400
    colors = {picture.pixel(x, y) for x in range(0, 2400, 40) for y in range(0, 1500, 40)}
    assert len(colors) > 1


def test_a_picture_exported_without_a_window_has_the_bundled_fonts(library, tmp_path: Path) -> None:
    out = tmp_path / "out.svg"
    arguments = ["graph", "--library", str(library.path), "--image", str(out), "--entity", "Hale"]
    command = [sys.executable, "-m", "desktop_app", *arguments]
    done = subprocess.run(command, capture_output=True, cwd=Path(__file__).parents[3])
    assert done.returncode == 0, done.stderr[-2000:]
    families = re.findall('font-family="([^",]+)', out.read_text("utf-8"))
    assert set(families) == {INTERFACE_FAMILY}
