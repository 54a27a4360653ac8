"""The pictograms of entity types: filled shapes that are read at 14 pixels.

The icons of the window are drawn with thin lines, which disappear in the disc of a list or of a
node; these show the same things, filled. Knows neither themes nor discs.
"""

from __future__ import annotations

import functools

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPolygonF, QTransform

SCALE = 100.0  # of the shapes below, whose circle has the radius 1: Qt cuts small curves coarsely


def _at(x: float, y: float) -> QPointF:
    return QPointF(x * SCALE, y * SCALE)


def _box(left: float, top: float, right: float, bottom: float, bend: float = 0.0) -> QPainterPath:
    path = QPainterPath()
    area = QRectF(_at(left, top), _at(right, bottom))
    path.addRoundedRect(area, bend * SCALE, bend * SCALE)
    return path


def _disc(x: float, y: float, radius: float) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(_at(x, y), radius * SCALE, radius * SCALE)
    return path


def _polygon(*points: tuple[float, float]) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([_at(x, y) for x, y in points]))
    path.closeSubpath()
    return path


def _build_person() -> QPainterPath:
    shoulders = _disc(0.0, 0.66, 0.56).intersected(_box(-1.0, 0.1, 1.0, 0.56))
    return _disc(0.0, -0.28, 0.29).united(shoulders)


def _build_place() -> QPainterPath:
    """Build a pin, whose hole shows what it stands on."""
    tip = _polygon((-0.385, 0.02), (0.385, 0.02), (0.0, 0.68))
    return _disc(0.0, -0.16, 0.44).united(tip).subtracted(_disc(0.0, -0.16, 0.17))


def _build_organisation() -> QPainterPath:
    """Build a high house with windows beside a low one."""
    high, low = _box(-0.52, -0.58, 0.1, 0.54), _box(0.22, -0.12, 0.54, 0.54)
    for top in (-0.4, -0.1, 0.2):
        high = high.subtracted(_box(-0.38, top, -0.26, top + 0.15))
        high = high.subtracted(_box(-0.16, top, -0.04, top + 0.15))
    return high.united(low)


def _build_event() -> QPainterPath:
    """Build the sheet of a calendar."""
    sheet = _box(-0.52, -0.42, 0.52, 0.54, 0.1).subtracted(_box(-0.38, -0.12, 0.38, 0.4))
    for x in (-0.26, 0.26):
        sheet = sheet.united(_box(x - 0.08, -0.62, x + 0.08, -0.3))
    return sheet.united(_box(-0.02, 0.08, 0.24, 0.3))


def _build_object() -> QPainterPath:
    """Build a cube with a gap between its three faces."""
    return (
        _polygon((0.0, -0.64), (0.54, -0.36), (0.0, -0.08), (-0.54, -0.36))
        .united(_polygon((-0.58, -0.24), (-0.07, 0.03), (-0.07, 0.64), (-0.58, 0.36)))
        .united(_polygon((0.58, -0.24), (0.07, 0.03), (0.07, 0.64), (0.58, 0.36)))
    )


def _build_concept() -> QPainterPath:
    """Build a light bulb."""
    neck = _polygon((-0.36, 0.0), (0.36, 0.0), (0.2, 0.3), (-0.2, 0.3))
    bulb = _disc(0.0, -0.2, 0.44).united(neck)
    return bulb.united(_box(-0.2, 0.4, 0.2, 0.66, 0.06))


_BUILDERS = {
    "person": _build_person,
    "place": _build_place,
    "organisation": _build_organisation,
    "event": _build_event,
    "object": _build_object,
    "concept": _build_concept,
}


def has_pictogram(entity_type: str) -> bool:
    """Return whether a type has a pictogram; others are shown by a letter."""
    return entity_type in _BUILDERS


@functools.cache
def _get_shape(entity_type: str) -> QPainterPath:
    path = _BUILDERS[entity_type]().simplified()
    path.setFillRule(Qt.FillRule.OddEvenFill)
    return path


def build_pictogram(entity_type: str, middle: QPointF, radius: float) -> QPainterPath:
    """Return the pictogram of a type inside a circle of a radius."""
    place = QTransform.fromTranslate(middle.x(), middle.y()).scale(radius / SCALE, radius / SCALE)
    return place.map(_get_shape(entity_type))
