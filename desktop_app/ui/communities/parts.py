"""Parts that the page, the panels and the dialogs of communities share.

Chips of names or key words, quoted sentences, and the bar of an importance from 0 to 10. Owns
their painting, clicks and keys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TypeVar

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.engine.model import EntityRow, Evidence
from desktop_app.engine.text.shown_text import show_text

from ..theme.design_tokens import pick_step_color
from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import Button, Flow, Label
from ..widgets.buttons import NameChip
from ..widgets.emphasis import build_html
from ..widgets.words import format_type

SECOND_CLICK_MS = 250
MAX_AT_ONCE = 300  # chips that one click adds; thousands would stop the window for a moment
Item = TypeVar("Item")  # not shown
MARK = 16  # pixels of the number of a community


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip; `kind` is the type of an entity, "" for a key word."""

    number: int
    words: str
    kind: str = ""
    tooltip: str = ""


def make_name_chip(entity: EntityRow) -> Chip:
    mentions = trn("{n} mention", "{n} mentions", entity.n_mentions)
    tooltip = f"{entity.name} · {format_type(entity.type, capital=True)} · {mentions}"
    return Chip(int(entity.id), entity.name, entity.type, tooltip)


class ChipFlow(Flow):
    """Emits `clicked` and `double_clicked` with the number of a chip; hides those beyond `most`.

    A community may have thousands of names: chips are made when they are shown, at most
    `MAX_AT_ONCE` more with a click.
    """

    clicked = Signal(int)
    double_clicked = Signal(int)

    def __init__(
        self, theme: Theme, name: str, parent: QWidget | None = None, *, most: int = 24
    ) -> None:
        super().__init__(parent, even=True)
        self._theme, self._most = theme, most
        self.chips: list[NameChip] = []
        self._waiting: int | None = None  # a chip that was clicked once
        self._second = QTimer(self, singleShot=True, interval=SECOND_CLICK_MS)
        self._second.timeout.connect(self._end_single_click)
        self.setAccessibleName(name)

    def set_chips(self, items: Sequence[Item], make_chip: Callable[[Item], Chip]) -> None:
        """Replace the chips by those of these items."""
        self._show(items, make_chip, self._most)

    def _show(self, items: Sequence[Item], make_chip: Callable[[Item], Chip], most: int) -> None:
        self.clear()
        n_hidden = len(items) - most
        shown = [make_chip(item) for item in (items if n_hidden <= 1 else items[:most])]
        self.chips = [
            NameChip(self._theme, chip.words, chip.kind, self, tooltip=chip.tooltip)
            for chip in shown
        ]
        for button, chip in zip(self.chips, shown, strict=True):
            if chip.kind:
                button.clicked.connect(lambda _=False, number=chip.number: self._click(number))
                button.double_clicked.connect(partial(self.double_clicked.emit, chip.number))
        self.add(*self.chips)
        if n_hidden > 1:
            more = Button(trn("{n} more", "{n} more", n_hidden), self, kind="link")
            more.clicked.connect(lambda: self._show_more(items, make_chip))
            self.add(more)

    def _show_more(self, items: Sequence[Item], make_chip: Callable[[Item], Chip]) -> None:
        n_shown = len(self.chips)
        self._show(items, make_chip, n_shown + MAX_AT_ONCE)
        self.chips[n_shown].setFocus()

    def _click(self, number: int) -> None:
        is_second = self._second.isActive() and number == self._waiting
        self._waiting = number
        if is_second:
            self._second.stop()
            self.double_clicked.emit(number)
        else:
            self._second.start()

    def _end_single_click(self) -> None:
        if self._waiting is not None:
            self.clicked.emit(self._waiting)


class Sentence(Label):
    """A quoted sentence; a click or Return opens it in the reader."""

    clicked = Signal()

    def __init__(self, theme: Theme, one: Evidence, parent: QWidget) -> None:
        super().__init__("", "", parent, wrap=True)
        self._theme, self._one = theme, one
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.setContentsMargins(10, 4, 8, 4)
        self.setToolTip(tr("Open in the document"))
        self._shown = show_text(one.quote, one_line=True).with_closed_quotes()
        self.setAccessibleName(self._shown.text)
        theme.changed.connect(self._write)
        self._write()

    def _write(self) -> None:
        one, theme = self._one, self._theme
        self.setFont(theme.book_font(one.quote, 14))
        page = tr("p. {page}", page=one.page_label) if one.page_label else ""
        heading = one.heading.split("›")[-1].strip()
        where = " · ".join(part for part in (one.title, heading, page) if part)
        small = theme.font("small").pixelSize()
        families = "','".join(theme.font("small").families())
        color = theme.color("text2").name()
        look = f"color:{color};font-size:{small}px;font-family:'{families}'"
        place = f'<span style="{look}">{escape(where)}</span>'  # not shown
        self.setText(f"{build_html(self._shown)}<br>{place}")

    def paintEvent(self, event: QPaintEvent) -> None:
        lit = self.underMouse() or self.hasFocus()
        with QPainter(self) as painter:
            color = self._theme.color("accent" if lit else "line")
            painter.fillRect(0, 4, 2, self.height() - 8, color)
        super().paintEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and is_inside:
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class WeightBar(QWidget):
    """A rating from 0 to 10 as a bar."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._rating = theme, 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_rating(self, rating: float) -> None:
        self._rating = rating
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(96, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        spot = QRectF(0, self.height() / 2 - 3, self.width(), 6)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_weight(painter, self._theme, spot, self._rating)


def paint_weight(painter: QPainter, theme: Theme, spot: QRectF, rating: float) -> None:
    """Paint a rating from 0 to 10 as a short bar."""
    painter.setPen(theme.color("text2") if theme.is_high else Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("surface") if theme.is_high else theme.color("text2", 0.22))
    painter.drawRoundedRect(spot, 2, 2)
    painter.setPen(Qt.PenStyle.NoPen)
    full = QRectF(spot)
    full.setWidth(max(2.0, spot.width() * min(1.0, max(0.0, rating / 10.0))))
    painter.setBrush(theme.color("accent"))
    painter.drawRoundedRect(full, 2, 2)


def shade_color(theme: Theme, mark: int, alpha: float = 1.0) -> QColor:
    """Return the colour of the number of a community, the muted text colour for 0."""
    color = QColor(pick_step_color(theme.tokens, mark)) if mark else theme.color("text2")
    color.setAlphaF(alpha)
    return color
