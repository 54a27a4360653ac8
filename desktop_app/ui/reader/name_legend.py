"""The key of the underlines of names: beside the page, or in a row under the text."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import QPointF, QSize, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from desktop_app.engine.writing_systems import has_han

from ..theme.design_tokens import TYPE_SHAPES
from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import CheckBox
from ..widgets.layout import STRETCH, build_row
from ..widgets.words import format_number, format_type
from .look import paint_name_line

HEIGHT = 28
SAMPLE = 15.0  # pixels: the length of a sample of an underline
GAP, BETWEEN = 6, 18  # pixels: between a sample and its word, between two types
ROW_LEFT, COLUMN_LEFT = 16, 2  # pixels: before the samples
LINE_GAP = 6  # pixels between two lines of the column


class NameLegend(QWidget):
    """Shows the underline of each entity type of a document, with the number of its names.

    It is a column that is placed beside the page, where that has room, or a row. The most frequent
    type is the first. What has no room is in the tooltip: types in a row, numbers in a column. For
    pages, `every` says whether each mention is underlined or the first one on each page;
    `every_toggled` is emitted when it is clicked. `changed` is emitted when the legend has other
    types, or none; `ReaderBody` places it.
    """

    every_toggled = Signal()
    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.counts: dict[str, int] = {}
        self.is_column = self._has_numbers = False
        self._paged = False
        self.every = CheckBox(tr("Every mention"), self)
        self.every.setObjectName("everyMention")
        self.every.clicked.connect(self.every_toggled)
        self._row = build_row(STRETCH, self.every, parent=self)
        theme.changed.connect(self.changed)
        self.set_every_name(False)
        self.set_column(False)
        self.hide()

    def set_every_name(self, every: bool) -> None:
        """Say whether every mention is underlined, or the first one on each page."""
        every_words = tr("Now every mention of a name is underlined.")
        first_words = tr("Now only the first mention of a name on each page is underlined.")
        self.every.setChecked(every)
        self.every.setToolTip(every_words if every else first_words)
        self.every.setAccessibleDescription(self.every.toolTip())

    def set_paged(self, paged: bool) -> None:
        """Say whether the document has pages."""
        self._paged = paged
        self.set_column(self.is_column)

    def set_column(self, column: bool, width: int = 0) -> None:
        """Place the types below each other, or beside each other.

        Args:
            width: the pixels that a column may have; it has no numbers where they have no room.
        """
        self.is_column = column
        self._has_numbers = not column or self._column_width(numbers=True) <= width
        self.every.setVisible(self._paged)
        left = COLUMN_LEFT if column else 0
        self._row.setContentsMargins(left, 0, 0 if column else ROW_LEFT, 0)
        directions = QBoxLayout.Direction
        self._row.setDirection(directions.TopToBottom if column else directions.LeftToRight)
        self.update()

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """Show the underlines of these types with their numbers of names; none if empty."""
        order = list(TYPE_SHAPES)

        def place(kind: str) -> tuple[int, int, str]:
            return -counts[kind], order.index(kind) if kind in order else len(order), kind

        sorted_counts = {kind: counts[kind] for kind in sorted(counts, key=place)}
        if sorted_counts == self.counts:
            return
        self.counts = sorted_counts
        listed = ", ".join(self._words(kind, numbers=True) for kind in self.counts)
        self.setToolTip(tr("Different names that are underlined: {types}", types=listed))
        self.setAccessibleName(self.toolTip())
        self.changed.emit()
        self.update()

    @property
    def row_height(self) -> int:
        return self._theme.length(HEIGHT)

    def least_column_width(self) -> int:
        """Return the width of a column that has no numbers."""
        return self._column_width(numbers=False)

    def column_size(self) -> QSize:
        """Return the size of the column with all that it shows."""
        height = self._pitch() * len(self.counts)
        if self._paged:
            height += self.every.sizeHint().height()
        return QSize(self._column_width(numbers=self._has_numbers), height)

    def _column_width(self, *, numbers: bool) -> int:
        metrics = self._metrics()
        widths = [
            metrics.horizontalAdvance(self._words(kind, numbers=numbers)) for kind in self.counts
        ]
        width = COLUMN_LEFT + SAMPLE + GAP + max(widths, default=0)
        if self._paged:
            self.every.ensurePolished()
            width = max(width, COLUMN_LEFT + self.every.sizeHint().width())
        return math.ceil(width)

    def _words(self, kind: str, *, numbers: bool) -> str:
        words = format_type(kind)
        return f"{words} {format_number(self.counts[kind])}" if numbers else words

    def _pitch(self) -> int:
        return self._metrics().lineSpacing() + LINE_GAP

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(self._theme.font("small"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, metrics = QPainter(self), self._theme, self._metrics()
        painter.setFont(theme.font("small"))
        if self.is_column:
            for number, kind in enumerate(self.counts):
                self._paint_type(painter, kind, COLUMN_LEFT, number * self._pitch(), self._pitch())
            painter.end()
            return
        painter.fillRect(self.rect(), theme.color("bg"))
        painter.setPen(theme.color("line"))
        painter.drawLine(0, 0, self.width(), 0)
        x, room = float(ROW_LEFT), self.width() - float(ROW_LEFT)
        if self._paged:
            room = self.every.x() - BETWEEN
        for kind in self.counts:
            words = self._words(kind, numbers=True)
            end = x + SAMPLE + GAP + metrics.horizontalAdvance(words)
            if end > room:
                break
            self._paint_type(painter, kind, x, 0, self.height())
            x = end + BETWEEN
        painter.end()

    def _paint_type(
        self, painter: QPainter, kind: str, x: float, top: float, height: float
    ) -> None:
        """Paint the sample of a type with its word at the right of it."""
        theme, metrics = self._theme, self._metrics()
        words = self._words(kind, numbers=self._has_numbers)
        foot = top + (height + metrics.ascent() - metrics.descent()) / 2  # of the letters
        # Chinese characters are as high as capitals; words in Latin letters are written small
        middle = foot - (metrics.capHeight() if has_han(words) else metrics.xHeight()) / 2
        color, ratio = QColor(theme.type_color(kind)), self.devicePixelRatioF()
        paint_name_line(painter, x, x + SAMPLE, middle, color, kind, ratio, theme.is_high)
        painter.setPen(theme.color("text2"))
        painter.drawText(QPointF(x + SAMPLE + GAP, foot), words)
