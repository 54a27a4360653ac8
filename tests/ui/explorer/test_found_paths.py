"""A found path is drawn at once and stays while the view is read again."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from desktop_app.ui.explorer.frame import PATH_FADED
from desktop_app.ui.explorer.screen import ExplorerScreen

FRED, MARLEY = 6, 2  # connected through Scrooge (1)


def point_of(screen: ExplorerScreen, entity_id: int) -> QPoint:
    row = screen.canvas.data.row_of[entity_id]
    return QPoint(*screen.canvas.frame().points[row].round().astype(int).tolist())


def path_names(screen: ExplorerScreen) -> set[str]:
    canvas = screen.canvas
    pairs = canvas.data.pairs[canvas.focus.path_relations]
    return {canvas.data.entities[row].name for row in np.unique(pairs)}


@pytest.fixture
def found(open_screen, qtbot, cast) -> ExplorerScreen:
    """A screen in which the pointer chose both ends of a path and rests on the second one."""
    screen = open_screen(cast)
    view = screen.canvas.viewport()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=point_of(screen, MARLEY))
    screen.run_action("path")
    end = point_of(screen, FRED)
    qtbot.mouseMove(view, QPoint(2, 2))  # the pointer may be there since the last test
    qtbot.mouseMove(view, end)
    qtbot.waitUntil(lambda: screen.canvas.focus.hovered is not None)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=end)
    qtbot.waitUntil(lambda: screen.surface.paths.isVisible())
    return screen


def test_a_path_is_drawn_while_the_pointer_rests_on_its_end(found) -> None:
    focus, data = found.canvas.focus, found.canvas.data
    assert focus.hovered == data.row_of[FRED]
    assert path_names(found) == {"Fred 😀", "Marley", "Scrooge"}
    assert set(focus.touched(data).tolist()) == set(focus.path_relations.tolist())
    opacities = focus.opacities(len(data))
    assert opacities[data.row_of[FRED]] == 1.0
    assert opacities[data.row_of[4]] == PATH_FADED


def test_hovering_another_name_shows_its_connections_beside_the_path(found) -> None:
    canvas = found.canvas
    canvas.hover_row(canvas.data.row_of[5])
    touched = canvas.focus.touched(canvas.data)
    assert set(touched.tolist()) > set(canvas.focus.path_relations.tolist())
    assert canvas.focus.opacities(len(canvas.data))[canvas.data.row_of[MARLEY]] == 1.0


def test_a_path_stays_when_the_view_is_read_again(found, qtbot) -> None:
    with qtbot.waitSignal(found.shown):
        found.refresh()
    assert path_names(found) == {"Fred 😀", "Marley", "Scrooge"}
    found.surface.paths.closed.emit()
    with qtbot.waitSignal(found.shown):
        found.refresh()
    assert not found.canvas.focus.has_path


def test_a_path_outside_the_view_is_brought_into_it(found) -> None:
    canvas = found.canvas
    canvas.pan(QPointF(5_000, 0))
    assert not len(canvas.frame().rows)
    found.surface.paths.path_chosen.emit((MARLEY, 1, FRED))
    rows = [canvas.data.row_of[i] for i in (MARLEY, 1, FRED)]
    points = canvas.frame().points[rows]
    assert ((points > 0) & (points < (canvas.width(), canvas.height()))).all()


def test_choosing_a_name_outside_the_path_shows_its_details_instead(found) -> None:
    paths, inspector = found.surface.paths, found.surface.inspector
    found.canvas.select_entity(1)
    assert paths.isVisible(), "Scrooge is on the path"
    found.canvas.select_entity(3)
    assert inspector.isVisible() and not paths.isVisible()
    assert not found.canvas.focus.has_path


def test_a_view_without_the_path_closes_its_panel(found, qtbot) -> None:
    with qtbot.waitSignal(found.shown):
        found.navigation.hide([MARLEY])
    assert not found.surface.paths.isVisible()
