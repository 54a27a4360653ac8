"""The row under the text that says what the underlines of names mean."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..theme.design_tokens import TYPE_SHAPES
from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import Button
from ..widgets.labels import Label
from ..widgets.layout import STRETCH, build_row
from ..widgets.words import format_type
from .look import paint_name_line

HEIGHT = 28
SAMPLE = 20.0  # pixels: the length of a sample of an underline
GAP, BETWEEN = 6, 18  # pixels: between a sample and its word, between two types


class NameLegend(QWidget):
    """Shows the underline of each entity type in sight with the word for the type.

    Types for which there is no room are in the tooltip. For pages it also says whether only first
    mentions are underlined; `every_toggled` is emitted by the words that change it.
    """

    every_toggled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.types: list[str] = []
        self.setFixedHeight(theme.length(HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.rule = Label("", "small", self)
        self.other_rule = Button("", self, kind="link")
        self.other_rule.clicked.connect(self.every_toggled)
        build_row(STRETCH, self.rule, self.other_rule, parent=self, margins=(0, 0, 16, 0))
        self.set_every_name(False)
        self.set_paged(False)
        self.hide()

    def set_every_name(self, every: bool) -> None:
        """Say whether every mention is underlined, or the first one on each page."""
        every_words = tr("Every mention is underlined")
        first_words = tr("The first mention on a page is underlined")
        self.rule.setText(every_words if every else first_words)
        self.other_rule.setText(tr("Underline the first only") if every else tr("Underline all"))

    def set_paged(self, paged: bool) -> None:
        for part in (self.rule, self.other_rule):
            part.setVisible(paged)

    def show_types(self, types: Iterable[str]) -> None:
        """Show the underlines of these types; the row is hidden if there are none."""
        order = list(TYPE_SHAPES)
        found = set(types)
        self.types = [kind for kind in order if kind in found] + sorted(found.difference(order))
        words = [format_type(kind) for kind in self.types]
        self.setToolTip(", ".join(words))
        self.setAccessibleName(tr("Names: {types}", types=", ".join(words)))
        self.setVisible(bool(words))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setPen(theme.color("line"))
        painter.drawLine(0, 0, self.width(), 0)
        painter.setFont(theme.font("small"))
        metrics = QFontMetrics(theme.font("small"))
        ratio = self.devicePixelRatioF()
        foot = (self.height() + metrics.ascent() - metrics.descent()) / 2 + 2
        x, room = 16.0, self.width() - 16.0
        if not self.rule.isHidden():
            room = self.rule.x() - BETWEEN
        for kind in self.types:
            words = format_type(kind)
            end = x + SAMPLE + GAP + metrics.horizontalAdvance(words)
            if end > room:
                break
            color = QColor(theme.type_color(kind))
            paint_name_line(painter, x, x + SAMPLE, foot, color, kind, ratio, theme.is_high)
            painter.setPen(theme.color("text2"))
            place = QRectF(x + SAMPLE + GAP, 0, end - x, self.height())
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), words)
            x = end + BETWEEN
        painter.end()
