"""The key of the underlines of names: beside the page, or in a row under the text."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QSizePolicy, QWidget

from desktop_app.engine.writing_systems import has_han

from ..theme.design_tokens import TYPE_SHAPES
from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets.buttons import CheckBox
from ..widgets.labels import paint_box, paint_type_disc
from ..widgets.layout import STRETCH, build_row
from ..widgets.words import format_number, format_type, letter_of_type
from .look import paint_name_line

HEIGHT = 36  # pixels of the row
TOGGLE_HEIGHT = 28
DISC, PAD, GAP = 14, 4, 6  # pixels: the disc of a type, around a toggle, between disc and word
LETTER_SHARE = 0.62  # of the height of a disc
ROW_LEFT, BETWEEN = 16, 8  # pixels before the toggles of the row, and between two


class TypeToggle(QAbstractButton):
    """A type with the number of its names; chosen, their underlines have the colour of the type."""

    def __init__(self, theme: Theme, kind: str, count: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self.kind = theme, kind
        self.word, self.number = format_type(kind), format_number(count)
        self.has_number = True
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        names = trn("{n} name", "{n} names", count)
        self.setAccessibleName(f"{self.word}: {names}")
        words = tr("Click to colour the underlines of these names.")
        self.setToolTip(f"{self.accessibleName()}. {words}")

    def width_with(self, *, number: bool) -> int:
        metrics = QFontMetrics(self._theme.font("small"))
        words = f"{self.word} {self.number}" if number else self.word
        return 2 * PAD + self._theme.length(DISC) + GAP + metrics.horizontalAdvance(words)

    def sizeHint(self) -> QSize:
        return QSize(self.width_with(number=self.has_number), self._theme.length(TOGGLE_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, area = self._theme, QRectF(self.rect())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked() or self.underMouse():
            ground = theme.color("accent_soft", 1.0 if self.isChecked() else 0.5)
            paint_box(painter, area.adjusted(0, 1, 0, -1), ground)
        side = theme.length(DISC)
        disc = QRectF(PAD, (area.height() - side) / 2, side, side)
        if self.isChecked() or self.underMouse():
            paint_type_disc(painter, disc, self.kind, theme)
        else:
            self._paint_ring(painter, disc)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("text" if self.isChecked() else "text2"))
        place = area.adjusted(PAD + side + GAP, 0, 0, 0)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self.word)
        if theme.is_high:
            self._paint_dashes(painter, place.left())
        if self.has_number:
            painter.setPen(theme.color("text2"))
            place.adjust(painter.fontMetrics().horizontalAdvance(f"{self.word} "), 0, 0, 0)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self.number)
        painter.end()

    def _paint_dashes(self, painter: QPainter, left: float) -> None:
        """Underline the word as the names of the type are."""
        metrics = painter.fontMetrics()
        foot = (self.height() + metrics.ascent() - metrics.descent()) / 2  # of the letters
        right, ratio = left + metrics.horizontalAdvance(self.word), self.devicePixelRatioF()
        tokens, colored = self._theme.tokens, self.isChecked()
        paint_name_line(painter, left, right, foot + 3, tokens, self.kind, ratio, colored=colored)

    def _paint_ring(self, painter: QPainter, disc: QRectF) -> None:
        """Paint the disc of a type that is not chosen: without colour."""
        theme, letter = self._theme, letter_of_type(self.kind)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(theme.color("text2"))
        painter.drawEllipse(disc.adjusted(0.5, 0.5, -0.5, -0.5))
        font = theme.font("text" if has_han(letter) else "strong")
        font.setPixelSize(max(8, round(disc.height() * LETTER_SHARE)))
        painter.setFont(font)
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, letter)


class LegendHeading(QWidget):
    """The word "Names" with the underline that names have."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.font("small"))
        width = metrics.horizontalAdvance(tr("Names")) + 2 * PAD
        return QSize(width, self._theme.length(TOGGLE_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, metrics = self._theme, QFontMetrics(self._theme.font("small"))
        painter = QPainter(self)
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("text"))
        foot = (self.height() + metrics.ascent() - metrics.descent()) / 2  # of the letters
        painter.drawText(QPointF(PAD, foot), tr("Names"))
        right = PAD + metrics.horizontalAdvance(tr("Names"))
        ratio = self.devicePixelRatioF()
        paint_name_line(painter, PAD, right, foot + 3, theme.tokens, "person", ratio, colored=False)
        painter.end()


class NameLegend(QWidget):
    """Shows which types of names are underlined in a document, with the number of names.

    Underlines are grey until a type is chosen here. It is a column that is placed beside the page,
    where that has room, or a row. The most frequent type is the first. What has no room is in the
    tooltip: types in a row, numbers in a column. For pages, `every` says whether each mention is
    underlined or the first one on each page; `every_toggled` is emitted when it is clicked.
    `changed` is emitted when the legend has other types, or none; `ReaderBody` places it.
    """

    every_toggled = Signal()
    changed = Signal()
    kinds_chosen = Signal(object)  # frozenset of types

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.counts: dict[str, int] = {}
        self.toggles: dict[str, TypeToggle] = {}
        self.is_column = self._has_numbers = False
        self._paged = False
        self.heading = LegendHeading(theme, self)
        self.every = CheckBox(tr("Every mention"), self)
        self.every.setObjectName("everyMention")
        self.every.clicked.connect(self.every_toggled)
        self._foot = build_row(self.every)
        self._row = build_row(self.heading, STRETCH, self._foot, parent=self)
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
        for toggle in self.toggles.values():
            toggle.has_number = self._has_numbers
            toggle.updateGeometry()
        self.every.setVisible(self._paged)
        margin = 0 if column else ROW_LEFT - PAD
        self._row.setContentsMargins(margin, 0, 0 if column else ROW_LEFT, 0)
        self._row.setSpacing(0 if column else BETWEEN)
        self._foot.setContentsMargins(PAD if column else 0, 0, 0, 0)
        directions = QBoxLayout.Direction
        self._row.setDirection(directions.TopToBottom if column else directions.LeftToRight)
        self._show_those_that_fit()
        self.update()

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """Show these types with their numbers of names; none if empty. Chosen types stay so."""
        order = list(TYPE_SHAPES)

        def place(kind: str) -> tuple[int, int, str]:
            return -counts[kind], order.index(kind) if kind in order else len(order), kind

        sorted_counts = {kind: counts[kind] for kind in sorted(counts, key=place)}
        if sorted_counts == self.counts:
            return
        self.counts = sorted_counts
        chosen = self.chosen_kinds()
        for toggle in self.toggles.values():
            toggle.hide()
            toggle.deleteLater()
        self.toggles = {}
        for number, (kind, count) in enumerate(sorted_counts.items(), 1):
            toggle = self.toggles[kind] = TypeToggle(self._theme, kind, count, self)
            toggle.setChecked(kind in chosen)
            toggle.toggled.connect(lambda _: self.kinds_chosen.emit(self.chosen_kinds()))
            self._row.insertWidget(number, toggle)
        listed = ", ".join(
            f"{format_type(kind)} {format_number(count)}" for kind, count in self.counts.items()
        )
        self.setToolTip(tr("Different names that are underlined: {types}", types=listed))
        self.setAccessibleName(self.toolTip())
        self.changed.emit()
        if chosen != self.chosen_kinds():
            self.kinds_chosen.emit(self.chosen_kinds())

    def chosen_kinds(self) -> frozenset[str]:
        """Return the types whose underlines have their colour."""
        return frozenset(kind for kind, toggle in self.toggles.items() if toggle.isChecked())

    @property
    def row_height(self) -> int:
        return self._theme.length(HEIGHT)

    def least_column_width(self) -> int:
        """Return the width of a column that has no numbers."""
        return self._column_width(numbers=False)

    def column_size(self) -> QSize:
        """Return the size of the column with all that it shows."""
        n_lines = len(self.counts) + 1
        height = self._theme.length(TOGGLE_HEIGHT) * n_lines
        if self._paged:
            height += self.every.sizeHint().height()
        return QSize(self._column_width(numbers=self._has_numbers), height)

    def _column_width(self, *, numbers: bool) -> int:
        widths = [toggle.width_with(number=numbers) for toggle in self.toggles.values()]
        width = max([self.heading.sizeHint().width(), *widths])
        if self._paged:
            self.every.ensurePolished()
            width = max(width, PAD + self.every.sizeHint().width())
        return width

    def _show_those_that_fit(self) -> None:
        """Show the types that a row has room for, or all of a column."""
        room = self.width() - 2 * ROW_LEFT - self.heading.sizeHint().width()
        if self._paged:
            room -= self.every.sizeHint().width()
        for toggle in self.toggles.values():
            room -= toggle.sizeHint().width() + BETWEEN
            toggle.setVisible(self.is_column or room >= 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_those_that_fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.is_column:
            return
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), theme.color("bg"))
        painter.setPen(theme.color("line"))
        painter.drawLine(0, 0, self.width(), 0)
        painter.end()
