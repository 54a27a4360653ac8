"""Tests a viewport whose OpenGL fails: here there is none, so that each of them does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.app import App
from desktop_app.engine.graph.view.arrangement import lay_out
from desktop_app.engine.graph.view.view import DiscPositions, View, ViewContent
from desktop_app.ui.explorer.canvas import GraphCanvas
from desktop_app.ui.explorer.surface import Surface
from desktop_app.ui.explorer.zooming import OpenGLViewport
from desktop_app.ui.settings.window_options import WindowStore
from desktop_app.workers.viewport_choice import OpenGLResult

pytestmark = pytest.mark.qt_log_ignore(
    "QOpenGLWidget is not supported on this platform", extend=True
)


def place(graph):
    content = ViewContent(graph, View())
    return lay_out(graph, DiscPositions(), content=content)


@pytest.fixture
def canvas(qtbot, theme, cast) -> GraphCanvas:
    canvas = GraphCanvas(theme, use_opengl=True)
    qtbot.addWidget(canvas)
    canvas.resize(900, 600)
    canvas.show_data(place(cast))
    return canvas


def test_a_canvas_is_painted_by_the_processor_unless_opengl_is_wanted(qtbot, theme, cast):
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    assert type(canvas.viewport()) is QWidget and not canvas.has_opengl


def test_a_viewport_without_a_context_is_replaced_and_the_view_stays(qtbot, canvas):
    with qtbot.waitSignal(canvas.opengl_failed):
        canvas.show()
        QApplication.processEvents()
        assert isinstance(canvas.viewport(), OpenGLViewport)
        canvas.zoom(1.6, QPointF(300, 200))
        canvas.select_row(2)
        view, chosen = canvas.box.viewRect(), set(canvas.focus.chosen)
    assert type(canvas.viewport()) is QWidget and not canvas.has_opengl
    assert canvas.viewport().size() == canvas.size()
    assert canvas.box.viewRect() == view and canvas.focus.chosen == chosen
    picture = canvas.grab().toImage()
    colors = {picture.pixel(x, y) for x in range(0, 900, 3) for y in range(0, 600, 3)}
    assert len(colors) > 10  # it is painted


def test_the_new_viewport_gets_the_mouse(qtbot, canvas):
    with qtbot.waitSignal(canvas.opengl_failed):
        canvas.show()
    canvas.fit()
    at = QPoint(*canvas.frame().points[1].round().astype(int).tolist())
    with qtbot.waitSignal(canvas.entity_hovered):
        qtbot.mouseMove(canvas.viewport(), at)
    with qtbot.waitSignal(canvas.entity_selected):
        qtbot.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert canvas.focus.selected == 1


def test_the_panels_stay_above_the_new_viewport(qtbot, theme, cast):
    surface = Surface(theme, QWidget(), use_opengl=True)
    qtbot.addWidget(surface)
    surface.resize(1000, 700)
    canvas = surface.canvas
    canvas.show_data(place(cast))
    surface.end()
    with qtbot.waitSignal(canvas.opengl_failed):
        surface.show()
    surface.prepare()
    middle = surface.legend.geometry().center()
    child = canvas.childAt(middle)
    assert surface.legend.isVisible()
    assert child is surface.legend or surface.legend.isAncestorOf(child)


def test_a_canvas_that_closes_before_its_viewport_is_replaced_does_nothing(qtbot, canvas):
    canvas.show()
    QApplication.processEvents()
    canvas.close()
    assert not canvas._failure_timer.isActive()


def test_the_program_remembers_that_opengl_failed_in_its_window(app: App, qtbot, tmp_path):
    """The trial of another platform passed, as for a driver that fails only in windows."""
    choice = app.viewports
    choice._platform = "xcb"
    choice._store(
        OpenGLResult(raster_ms=9.0, opengl_ms=3.0, raster_processor_ms=9.0, opengl_processor_ms=2.0)
    )
    workspace = app.open_library(tmp_path / "one.inkgraph")
    canvas = workspace.window.screens.graph.canvas
    assert isinstance(canvas.viewport(), OpenGLViewport)
    screen = workspace.window.screens.graph
    with qtbot.waitSignal(screen.shown):  # that there are no names
        workspace.window.show_screen("graph")
    with qtbot.waitSignal(canvas.opengl_failed):
        screen.surface.pages.setCurrentWidget(canvas)
    app.restart()
    canvas = app.workspace.window.screens.graph.canvas
    assert type(canvas.viewport()) is QWidget


def test_the_setting_decides_about_the_next_window(app: App, tmp_path):
    choice = app.viewports
    choice._platform = "xcb"
    choice._store(
        OpenGLResult(raster_ms=9.0, opengl_ms=8.9, raster_processor_ms=9.0, opengl_processor_ms=8.0)
    )
    workspace = app.open_library(tmp_path / "one.inkgraph")
    assert type(workspace.window.screens.graph.canvas.viewport()) is QWidget
    WindowStore().change("drawing", "card")
    app.restart()
    viewport = app.workspace.window.screens.graph.canvas.viewport()
    assert isinstance(viewport, OpenGLViewport)
    WindowStore().change("drawing", "processor")
    app.restart()
    assert type(app.workspace.window.screens.graph.canvas.viewport()) is QWidget
