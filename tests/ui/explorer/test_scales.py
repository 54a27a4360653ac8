"""Tests the scales of the legend: samples are as large as what is drawn, and say for what."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter, QTransform

from desktop_app.engine.graph.view.arrangement import lay_out
from desktop_app.engine.graph.view.graph_data import Filters, build_graph_data
from desktop_app.engine.graph.view.view import DiscPositions
from desktop_app.engine.model import Subgraph
from desktop_app.ui.explorer.canvas import GraphCanvas
from desktop_app.ui.explorer.caption import CaptionLayout
from desktop_app.ui.explorer.frame import Focus, Scene, build_frame
from desktop_app.ui.explorer.scales import (
    find_line_ends,
    list_line_samples,
    list_node_samples,
    measure_lines,
)
from desktop_app.ui.explorer.zooming import PLAIN, find_fit
from desktop_app.ui.theme.theme import Theme


@pytest.fixture
def counted(cast: Subgraph) -> Subgraph:
    """The cast with different numbers of passages."""
    relations = tuple(
        replace(relation, n_evidence=1 + 3 * k) for k, relation in enumerate(cast.relations)
    )
    return replace(cast, relations=relations)


def test_a_sample_has_the_size_and_number_of_a_node_that_is_shown(open_screen, counted) -> None:
    canvas = open_screen(counted).canvas
    data, frame = canvas.data, canvas.frame()
    small, large = list_node_samples(data, frame, 99.0, mode="connections")
    assert small.size == pytest.approx(frame.radii.min())
    assert large.size == pytest.approx(frame.radii.max())
    assert [small.number, large.number] == [
        str(int(data.n_connections.min())), str(int(data.n_connections.max()))
    ]  # fmt: skip
    limit = float(np.median(frame.radii))
    assert list_node_samples(data, frame, limit, mode="connections")[-1].size <= limit
    assert not any(s.number for s in list_node_samples(data, frame, 99.0, mode="rank"))


def test_line_samples_follow_filters_and_have_the_width_of_the_drawing(
    open_screen, counted
) -> None:
    screen = open_screen(counted)
    canvas, foot = screen.canvas, screen.surface.legend.foot
    few, many = foot.list_samples()[1]
    n_passages = canvas.data.n_passages
    assert [few.number, many.number] == [str(int(n_passages.min())), str(int(n_passages.max()))]
    widths = measure_lines(canvas.frame().scale, canvas.data, smooth=True)
    assert (few.size, many.size) == (widths[few.strength], widths[many.strength])
    assert many.size > 1.5 * few.size
    strongest = canvas.data.pairs[int(n_passages.argmax())][0]
    canvas.set_filters(Filters(name=canvas.data.entities[strongest].name))
    assert not foot.list_samples()[1], "one name has no lines"


def test_lines_that_are_not_smooth_have_one_width(counted) -> None:
    data = build_graph_data(counted)
    assert set(measure_lines(1.0, data, smooth=False)) == {1.0}
    assert len(set(measure_lines(1.0, data, smooth=True))) == 4


def test_around_a_name_sizes_and_widths_are_stretched_as_far_as_the_numbers_differ(
    counted,
) -> None:
    data = build_graph_data(counted, is_excerpt=True)
    assert data.radii.min() >= 10 and data.radii.max() >= 1.4 * data.radii.min()
    data.n_passages[[0, -1]] = 911.0, 1.0
    widths = measure_lines(1.0, data, smooth=True)
    assert widths[-1] > 5 * widths[0]
    data.n_passages[:] = np.linspace(1.0, 3.0, len(data.n_passages))
    assert widths[-1] > measure_lines(1.0, data, smooth=True)[-1] > 3.4
    whole = build_graph_data(counted)
    assert measure_lines(1.0, whole, smooth=True)[-1] == pytest.approx(3.4)


def test_the_legend_does_not_cut_its_words_when_the_view_is_zoomed(open_screen, counted) -> None:
    screen = open_screen(counted)
    canvas, foot = screen.canvas, screen.surface.legend.foot
    room = foot.sizeHint().width()
    for factor in (0.3, 12.0):
        canvas.zoom(factor)
        assert foot._place_columns(*foot.list_samples())[-1] <= room
    assert foot.sizeHint().width() == room


def test_in_high_contrast_lines_of_the_selected_name_are_wide_and_dark(qtbot, counted) -> None:
    theme = Theme("light", contrast="on")
    canvas = GraphCanvas(theme)
    qtbot.addWidget(canvas)
    canvas.resize(900, 700)
    canvas.show_data(lay_out(counted, DiscPositions()))
    canvas.select_row(0)
    pens = []
    layer = canvas.layers[1]
    layer._draw = lambda painter, scene, lines, shade, width, **_: pens.append((shade, width))
    scene = Scene(canvas.frame(), canvas.data, canvas.focus, canvas.palette_now)
    image = QImage(900, 700, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        layer._paint_touched(painter, scene)
    assert pens and min(width for _, width in pens) >= 2.0
    assert {shade.name() for shade, _ in pens} == {theme.color("accent").name()}


def test_a_picture_has_the_same_scales(open_screen, counted) -> None:
    screen = open_screen(counted)
    canvas = screen.canvas
    scene = Scene(canvas.frame(), canvas.data, Focus(), canvas.palette_now, exact=True)
    layout = CaptionLayout(screen.build_caption(), scene, canvas.labels.font)
    texts = [entry.text for entry in layout._rows[-1]]
    lines = list_line_samples(canvas.data, canvas.frame(), find_line_ends(canvas.data))
    assert texts[-2:] == [lines[0].number, f"{lines[1].number} shared passages"]
    assert texts[-3].endswith(" connections")


def test_an_empty_view_has_no_samples() -> None:
    data = build_graph_data(Subgraph((), (), 0))
    frame = build_frame(data, QTransform(), 100, 100)
    assert find_line_ends(data) is None
    assert not list_line_samples(data, frame, None)
    assert not list_node_samples(data, frame, 9.0, mode="mentions")


def test_a_graph_with_a_free_corner_is_drawn_larger_than_beside_the_legend(
    open_screen, cast
) -> None:
    data = open_screen(cast).canvas.data
    # a diagonal of nodes: only the corner at the top left is free
    share = np.linspace(0.0, 1.0, len(data))
    data.places = np.stack((1000 * share, 700 * (1 - share)), axis=1)
    width, height, panel = 900, 800, QRect(12, 12, 380, 330)
    rect = find_fit(data, width, height, [panel])
    assert rect is not None
    scale = width / rect.width()
    beside = (width - panel.right() - PLAIN[2]) / 1000
    assert scale > 1.5 * beside
    points = (data.places - (rect.x(), rect.y())) * scale
    assert not any(panel.contains(int(x), int(y)) for x, y in points)
