"""Entities as small buttons with the mark of their type, and relations as clickable lines.

Owns how they look and their keyboard access. Knows nothing of retrieval.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_app.engine.model import EntityRow, RelationRow

from ...language import tr
from ...theme.theme import Theme
from ...widgets import paint_type_disc
from ...widgets.words import format_type, plain_tip
from .presentation import describe_relation

LONGEST = 220


class NameChip(QAbstractButton):
    """An entity; without a type it is a search word and cannot be opened."""

    def __init__(
        self, theme: Theme, name: str, entity_type: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._type = entity_type
        self.setText(" ".join(name.split()))
        self.setAccessibleName(f"{name}, {format_type(entity_type)}" if entity_type else name)
        self.setToolTip(plain_tip(tr("Open {name}", name=name) if entity_type else name))
        focus = Qt.FocusPolicy.TabFocus if entity_type else Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(focus)
        if entity_type:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.font("small"))
        left = 26 if self._type else 8
        width = min(LONGEST, metrics.horizontalAdvance(self.text())) + left + 10
        return QSize(width, max(24, metrics.height() + 6))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, area = self._theme, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        focus = self.hasFocus()
        painter.setPen(theme.color("accent") if focus else Qt.PenStyle.NoPen)
        hovered = self.underMouse() and bool(self._type)
        ground = theme.color("accent_soft") if hovered else theme.color("text2", 0.12)
        painter.setBrush(ground)
        painter.drawRoundedRect(area, 6, 6)
        left = 8
        if self._type:
            disc = QRectF(5, self.height() / 2 - 8, 16, 16)
            paint_type_disc(painter, disc, self._type, theme)
            left = 26
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("text"))
        room = self.width() - left - 6
        metrics = QFontMetrics(painter.font())
        shown = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        text = QRectF(left, 0, room + 2, self.height())
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()

    def enterEvent(self, event) -> None:
        self.update()

    def leaveEvent(self, event) -> None:
        self.update()


def entity_chip(theme: Theme, row: EntityRow, parent: QWidget) -> NameChip:
    """Return the chip of an entity."""
    return NameChip(theme, row.name, row.type, parent)


class RelationLine(QAbstractButton):
    """Two entities and their relation, above the sentence that supports it."""

    opened = Signal(int, int, int)

    def __init__(self, theme: Theme, relation: RelationRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._relation = relation
        self._sentence = " ".join((relation.sentence or relation.description).split())
        self.setText(describe_relation(relation))
        self.setAccessibleName(self.text())
        self.setAccessibleDescription(self._sentence)
        self.setToolTip(plain_tip(self._sentence))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        has_place = relation.document_id is not None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if has_place else Qt.FocusPolicy.NoFocus)
        if has_place:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._open)
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        line = QFontMetrics(self._theme.font("text")).height()
        small = QFontMetrics(self._theme.font("small")).height() if self._sentence else 0
        return QSize(120, line + small + 6)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def _open(self) -> None:
        r = self._relation
        if r.document_id is not None:
            self.opened.emit(int(r.document_id), r.sentence_start, r.sentence_end)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme
        if self._relation.document_id is not None and (self.underMouse() or self.hasFocus()):
            area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.setPen(theme.color("accent") if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft", 0.5))
            painter.drawRoundedRect(area, 6, 6)
        top = 3
        for text, role, color in (
            (self.text(), "text", "text"),
            (self._sentence, "small", "text2"),
        ):
            if not text:
                continue
            painter.setFont(theme.font(role))
            painter.setPen(theme.color(color))
            metrics = QFontMetrics(painter.font())
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width() - 8)
            # by the baseline: in a rectangle a taller fallback font would be clipped
            painter.drawText(QPointF(4, top + metrics.ascent()), shown)
            top += metrics.height()
        painter.end()

    def enterEvent(self, event) -> None:
        self.update()

    def leaveEvent(self, event) -> None:
        self.update()
