"""Tests the pictograms of entity types: each type is told from the others without its colour."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from desktop_app.engine.model import ENTITY_TYPES
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.labels import paint_type_disc
from desktop_app.ui.widgets.pictograms import build_pictogram, has_pictogram
from desktop_app.ui.widgets.words import sign_of_type

SIDE = 14


def draw(entity_type: str, theme: Theme, *, neutral: bool = True) -> np.ndarray:
    image = QImage(SIDE + 8, SIDE + 8, QImage.Format.Format_Grayscale8)
    image.fill(theme.color("bg"))
    painter = QPainter(image)
    paint_type_disc(painter, QRectF(4, 4, SIDE, SIDE), entity_type, theme, neutral=neutral)
    painter.end()
    pixels = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), -1)
    return pixels[:, : image.width()].astype(int)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("contrast", ["on", "off"])
def test_each_type_is_told_from_the_others_at_14_pixels_without_colour(qapp, mode, contrast):
    theme = Theme(mode, contrast=contrast)
    drawn = {name: draw(name, theme) for name in ENTITY_TYPES}
    for one, other in itertools.combinations(ENTITY_TYPES, 2):
        differing = np.abs(drawn[one] - drawn[other]) > 60
        assert differing.sum() >= 10, (one, other)


@pytest.mark.parametrize("name", ENTITY_TYPES[:-1])
def test_a_pictogram_is_inside_its_disc(name: str) -> None:
    assert has_pictogram(name) and sign_of_type(name) == name
    area = build_pictogram(name, QPointF(20, 10), 7.0).boundingRect()
    corners = (area.topLeft(), area.topRight(), area.bottomLeft(), area.bottomRight())
    assert max(np.hypot(p.x() - 20, p.y() - 10) for p in corners) <= 7.0
    assert area.height() >= 7.0  # of 14 pixels


def test_a_type_of_the_user_keeps_its_letter(qapp) -> None:
    theme = Theme("light", contrast="off")
    assert sign_of_type("vessel") == "V"
    assert (draw("vessel", theme) != draw("weapon", theme)).any()
    assert QColor(theme.type_color("vessel")) == theme.type_color("other")
