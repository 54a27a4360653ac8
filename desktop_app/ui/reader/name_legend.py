"""The key of the underlines of names: beside the page, or in a row under the text."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from ..theme.design_tokens import TYPE_SHAPES
from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import Button
from ..widgets.labels import Label
from ..widgets.layout import STRETCH, build_row
from ..widgets.words import format_type
from .look import paint_name_line

HEIGHT = 28
SAMPLE = 18.0  # pixels: the length of a sample of an underline
GAP, BETWEEN = 6, 18  # pixels: between a sample and its word, between two types
ROW_LEFT, COLUMN_LEFT = 16, 4  # pixels: before the samples
LINE_GAP = 6  # pixels between two lines of the column
LINK_PADDING = 2  # pixels that the style sheet leaves at the left of a link


class NameLegend(QWidget):
    """Shows the underline of each entity type in sight with the word for the type.

    It is a column that is placed beside the page, where that has room, or a row. Types for which a
    row has no room are in the tooltip. For pages it also says whether only first mentions are
    underlined; `every_toggled` is emitted by the words that change it. `changed` is emitted when
    it has other types, or none; `ReaderBody` places it.
    """

    every_toggled = Signal()
    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.types: list[str] = []
        self.is_column = False
        self._paged = False
        self.rule = Label("", "small", self)
        self.other_rule = Button("", self, kind="link")
        self.other_rule.clicked.connect(self.every_toggled)
        self._row = build_row(STRETCH, self.rule, self.other_rule, parent=self)
        theme.changed.connect(self.changed)
        self.set_every_name(False)
        self.set_column(False)
        self.hide()

    def set_every_name(self, every: bool) -> None:
        """Say whether every mention is underlined, or the first one on each page."""
        every_words = tr("Every mention is underlined")
        first_words = tr("The first mention on a page is underlined")
        self.rule.setText(every_words if every else first_words)
        self.other_rule.setText(tr("Underline the first only") if every else tr("Underline all"))
        self.other_rule.setToolTip(self.rule.text())
        self.changed.emit()

    def set_paged(self, paged: bool) -> None:
        """Say whether the document has pages."""
        self._paged = paged
        self._fit()

    def set_column(self, column: bool) -> None:
        """Place the types below each other, or beside each other."""
        self.is_column = column
        self._fit()

    def _fit(self) -> None:
        column = self.is_column
        self.rule.setVisible(self._paged and not column)
        self.other_rule.setVisible(self._paged)
        left = COLUMN_LEFT - LINK_PADDING if column else 0
        self._row.setDirection(
            QBoxLayout.Direction.TopToBottom if column else QBoxLayout.Direction.LeftToRight
        )
        self._row.setContentsMargins(left, 0, 0 if column else ROW_LEFT, 0)
        start = Qt.AlignmentFlag.AlignLeft
        self._row.setAlignment(self.other_rule, start if column else Qt.AlignmentFlag(0))
        self.update()

    def show_types(self, types: Iterable[str]) -> None:
        """Show the underlines of these types; nothing is shown if there are none."""
        order = list(TYPE_SHAPES)
        found = set(types)
        shown = [kind for kind in order if kind in found] + sorted(found.difference(order))
        if shown == self.types:
            return
        self.types = shown
        words = [format_type(kind) for kind in self.types]
        self.setToolTip(", ".join(words))
        self.setAccessibleName(tr("Names: {types}", types=", ".join(words)))
        self.changed.emit()
        self.update()

    @property
    def row_height(self) -> int:
        return self._theme.length(HEIGHT)

    def column_size(self) -> QSize:
        """Return the size of the column, with all its words."""
        metrics = self._metrics()
        widths = [metrics.horizontalAdvance(format_type(kind)) for kind in self.types]
        width = COLUMN_LEFT + SAMPLE + GAP + max(widths, default=0)
        height = (metrics.lineSpacing() + LINE_GAP) * len(self.types)
        if self._paged:
            link = self.other_rule.sizeHint()
            width = max(width, COLUMN_LEFT - LINK_PADDING + link.width())
            height += link.height()
        return QSize(math.ceil(width), height)

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self._theme.font("small"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, metrics = QPainter(self), self._theme, self._metrics()
        painter.setFont(theme.font("small"))
        if self.is_column:
            pitch = metrics.lineSpacing() + LINE_GAP
            for number, kind in enumerate(self.types):
                self._paint_type(painter, kind, COLUMN_LEFT, number * pitch, pitch)
            painter.end()
            return
        painter.fillRect(self.rect(), theme.color("bg"))
        painter.setPen(theme.color("line"))
        painter.drawLine(0, 0, self.width(), 0)
        x, room = float(ROW_LEFT), self.width() - float(ROW_LEFT)
        if not self.rule.isHidden():
            room = self.rule.x() - BETWEEN
        for kind in self.types:
            end = x + SAMPLE + GAP + metrics.horizontalAdvance(format_type(kind))
            if end > room:
                break
            self._paint_type(painter, kind, x, 0, self.height())
            x = end + BETWEEN
        painter.end()

    def _paint_type(
        self, painter: QPainter, kind: str, x: float, top: float, height: float
    ) -> None:
        """Paint the sample of a type with its word at the right of it."""
        theme, metrics, words = self._theme, self._metrics(), format_type(kind)
        foot = top + (height + metrics.ascent() - metrics.descent()) / 2 + 2
        color, ratio = QColor(theme.type_color(kind)), self.devicePixelRatioF()
        paint_name_line(painter, x, x + SAMPLE, foot, color, kind, ratio, theme.is_high)
        painter.setPen(theme.color("text2"))
        width = metrics.horizontalAdvance(words) + 2
        place = QRectF(x + SAMPLE + GAP, top, width, height)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), words)
