"""Tests what the trial of OpenGL paints and when it takes two pictures for the same."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from desktop_app.ui.explorer.frame import Focus, Layer, Scene
from desktop_app.ui.explorer.labels import LabelLayer
from desktop_app.ui.explorer.layers import DiscLayer, RelationLayer
from desktop_app.ui.explorer.viewport_child import (
    HEIGHT,
    WIDTH,
    Painter,
    build_trial_data,
    measure_difference,
)
from desktop_app.workers.viewport_choice import MAX_DIFFERENT, MAX_DIFFERENT_BLOCK


def paint_still(theme, layers: tuple[Layer, ...] | None = None) -> QImage:
    """Return the picture that the trial compares, painted by the processor."""
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)

    def paint(paint_scene, scene) -> None:
        painter = QPainter(image)
        paint_scene(painter, scene)
        painter.end()

    made = Painter(theme, build_trial_data(), paint)
    if layers is not None:
        made.layers = layers
    made.paint_still()
    return image


def is_same(one: QImage, other: QImage) -> bool:
    mean, worst = measure_difference(one, other)
    return mean <= MAX_DIFFERENT and worst <= MAX_DIFFERENT_BLOCK


class MovedLines(RelationLayer):
    """Paints the lines half a pixel aside, as another renderer may round."""

    def paint(self, painter: QPainter, scene: Scene) -> None:
        painter.save()
        painter.translate(0.5, 0.0)
        super().paint(painter, scene)
        painter.restore()


def test_a_picture_with_lines_half_a_pixel_aside_is_the_same(theme):
    picture = paint_still(theme)
    assert measure_difference(picture, picture) == (0.0, 0.0)
    layers = (MovedLines(), DiscLayer(), LabelLayer(theme.font("small")))
    moved = paint_still(theme, layers)
    assert moved != picture and is_same(picture, moved)


@pytest.mark.parametrize("missing", ["relations", "nodes", "labels"])
def test_a_picture_in_which_something_is_missing_is_another_picture(theme, missing: str):
    layers = {
        "relations": RelationLayer(),
        "nodes": DiscLayer(),
        "labels": LabelLayer(theme.font("small")),
    }
    del layers[missing]
    assert not is_same(paint_still(theme), paint_still(theme, tuple(layers.values())))


def test_a_picture_upside_down_is_another_picture(theme):
    picture = paint_still(theme)
    assert not is_same(picture, picture.flipped())


def test_the_frames_of_a_trial_have_lines_nodes_and_labels(theme):
    made = Painter(theme, build_trial_data(), lambda *_: None)
    scene = made.build_scene(0.3, Focus())
    assert len(scene.frame.rows) > 1_000 and len(scene.frame.lines) > 2_500
    assert np.isfinite(scene.frame.points).all()
