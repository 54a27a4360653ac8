"""A small drawing of a community: its best connected names and the connections among them.

`build_group_picture` computes the places in a lane; the widget only scales and paints them. The
graph screen draws whole communities.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop_app.engine.model import CommunityCard, EntityRow

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import paint_type_disc
from ..widgets.words import plain_tip

MAX_NAMES, MIN_NAMES, MIN_RELATIONS = 10, 4, 3
RADIUS = 9.0
RATIO = 3.2  # width to height of the layout
HEIGHT = 190
SIDE, ABOVE, BELOW = 48.0, 14.0, 30.0  # pixels around the middles of the outermost names
LARGEST = 1.3  # scale of the layout
WIDEST_NAME = 120.0
WIDTHS = (1.0, 1.6, 2.4, 3.4)  # of lines, by their passages
HALO = 3.0
LABEL_GROUND = 0.85  # opacity of the ground behind a name: no line is read as part of a letter


@dataclass(frozen=True, slots=True)
class GroupPicture:
    """The names that are drawn and their connections.

    Attributes:
        members: the most central name first.
        places: in pixels, around (0, 0), shape (N, 2).
        pairs: positions in `members`, shape (E, 2).
        strengths: class of each connection by its passages, 0 to 3, shape (E,).
    """

    members: tuple[EntityRow, ...]
    places: np.ndarray
    pairs: np.ndarray
    strengths: np.ndarray

    def count_connections(self, row: int) -> int:
        """Return the number of connections of a name that are drawn."""
        return int((self.pairs == row).any(axis=1).sum())


def build_group_picture(card: CommunityCard) -> GroupPicture | None:
    """Return the drawing of a community; None if it has too few names or connections.

    Runs in a lane.
    """
    from desktop_app.engine.graph.layout.force import force_layout
    from desktop_app.engine.graph.layout.label_room import (
        estimate_label_widths,
        make_room_for_labels,
    )
    from desktop_app.engine.graph.view.graph_data import classify_strengths

    members = card.members[:MAX_NAMES]
    row_of = {int(member.id): row for row, member in enumerate(members)}
    inner = [
        one for one in card.relations if {int(one.source_id), int(one.target_id)} <= row_of.keys()
    ]
    if len(members) < MIN_NAMES or len(inner) < MIN_RELATIONS:
        return None
    pairs = np.array([(row_of[int(r.source_id)], row_of[int(r.target_id)]) for r in inner])
    weights = np.array([one.weight for one in inner])
    radii = np.full(len(members), RADIUS)
    widths = np.minimum(estimate_label_widths([one.name for one in members]), WIDEST_NAME)
    fixed = np.zeros(len(members), dtype=bool)
    places = force_layout(len(members), pairs, weights, radii=radii)
    places = make_room_for_labels(places, radii, widths, pairs, fixed=fixed, ratio=RATIO)
    places -= (places.min(0) + places.max(0)) / 2
    strengths = classify_strengths(np.array([one.n_evidence for one in inner], dtype=float))
    return GroupPicture(members, places, pairs, strengths)


class GroupDrawing(QWidget):
    """Paints a `GroupPicture`; emits `clicked` with the id of a name."""

    clicked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.picture: GroupPicture | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("The best connected names and their connections"))
        theme.changed.connect(self._apply_theme)

    def _apply_theme(self) -> None:
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, self._theme.length(HEIGHT))

    def set_picture(self, picture: GroupPicture | None) -> None:
        self.picture = picture
        self.setVisible(picture is not None)
        self.update()

    def points(self) -> np.ndarray:
        """Return the middle of each name on the widget, shape (N, 2)."""
        assert self.picture is not None
        room = np.maximum((self.width() - 2 * SIDE, self.height() - ABOVE - BELOW), 1.0)
        extent = np.maximum(np.ptp(self.picture.places, axis=0), 1.0)
        scale = np.minimum(room / extent, LARGEST)
        middle = np.array((self.width() / 2, ABOVE + room[1] / 2))
        return np.asarray(self.picture.places * scale + middle)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.picture is None:
            return
        theme, picture, points = self._theme, self.picture, self.points()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            color = theme.color("text2", 0.9 if theme.is_high else 0.45)
            for (a, b), strength in zip(picture.pairs, picture.strengths, strict=True):
                painter.setPen(QPen(color, WIDTHS[int(strength)]))
                painter.drawLine(QPointF(*points[a]), QPointF(*points[b]))
            font = theme.font("small")
            metrics = QFontMetricsF(font)
            ground = QPen(theme.color("bg"), HALO)
            ground.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            named = list(zip(picture.members, points.tolist(), strict=True))
            for member, (x, y) in named:
                name = metrics.elidedText(
                    " ".join(member.name.split()), Qt.TextElideMode.ElideRight, WIDEST_NAME
                )
                wide = metrics.horizontalAdvance(name)
                left = min(max(x - wide / 2, 2.0), max(self.width() - wide - 2.0, 2.0))
                label = QRectF(left, y + RADIUS + 2, wide, metrics.height())
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("bg", LABEL_GROUND))
                painter.drawRoundedRect(label.adjusted(-HALO, 0, HALO, 0), HALO, HALO)
                path = QPainterPath()
                path.addText(left, y + RADIUS + 2 + metrics.ascent(), font, name)
                painter.strokePath(path, ground)
                painter.fillPath(path, theme.color("text"))
            for member, (x, y) in named:  # over the grounds of the names
                disc = QRectF(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS)
                paint_type_disc(painter, disc, member.type, theme)

    def find_name(self, at: QPointF) -> int | None:
        """Return the position of the name whose disc or label is at a point."""
        if self.picture is None:
            return None
        metrics = QFontMetricsF(self._theme.font("small"))
        for row, (x, y) in enumerate(self.points().tolist()):
            half = max(
                RADIUS,
                min(metrics.horizontalAdvance(self.picture.members[row].name), WIDEST_NAME) / 2,
            )
            box = QRectF(x - half, y - RADIUS, 2 * half, 2 * RADIUS + 2 + metrics.height())
            if box.contains(at):
                return row
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self.find_name(event.position()) is not None
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.setCursor(hand if over else arrow)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row = self.find_name(event.position())
        if event.button() == Qt.MouseButton.LeftButton and row is not None and self.picture:
            self.clicked.emit(int(self.picture.members[row].id))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            row = self.find_name(QPointF(event.pos()))
            if row is None or self.picture is None:
                QToolTip.hideText()
            else:
                n = self.picture.count_connections(row)
                words = trn("{n} connection drawn", "{n} connections drawn", n)
                name = self.picture.members[row].name
                QToolTip.showText(event.globalPos(), plain_tip(f"{name}\n{words}"), self)
            return True
        return super().event(event)
