"""Parts that the page, the panels and the dialogs of communities share.

Chips of names or key words, quoted sentences, and the bar of an importance from 0 to 10. Owns
their painting, clicks and keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.engine.model import Evidence

from ..language import tr, trn
from ..theme.theme import Theme
from ..theme.tokens import step_colors
from ..widgets import Label, paint_box, paint_type_disc
from ..widgets.words import format_type

HEIGHT, GAP = 28, 6
WIDEST = 240
SECOND_CLICK_MS = 250
MORE = -1


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip; `kind` is the type of an entity, "" for a key word."""

    number: int
    words: str
    kind: str = ""
    tooltip: str = ""


class ChipFlow(QWidget):
    """Emits `clicked` and `double_clicked` with the index of a chip; hides those beyond `most`."""

    clicked = Signal(int)
    double_clicked = Signal(int)

    def __init__(
        self,
        theme: Theme,
        name: str,
        parent: QWidget | None = None,
        *,
        most: int = 24,
        live: bool = True,
    ) -> None:
        super().__init__(parent)
        self._theme, self._most, self._live = theme, most, live
        self.chips: list[Chip] = []
        self._unfolded = False
        self._spots: list[tuple[Chip, QRectF]] = []
        self._hovered = self._current = -1
        self._waiting: int | None = None
        self._second = QTimer(self, singleShot=True, interval=SECOND_CLICK_MS)
        self._second.timeout.connect(self._click_was_one)
        self.setAccessibleName(name)
        self.setMouseTracking(live)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if live else Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._place_chips)

    def set_chips(self, chips: Sequence[Chip]) -> None:
        """Replace the chips."""
        self.chips = list(chips)
        self._unfolded, self._current = False, -1
        self._place_chips()

    def sizeHint(self) -> QSize:
        return QSize(400, self.height())

    def spot_of(self, number: int) -> QRectF | None:
        """Return the rectangle of a chip."""
        return next((spot for chip, spot in self._spots if chip.number == number), None)

    def _place_chips(self) -> None:
        metrics = QFontMetrics(self._theme.font("text"))
        height = self._theme.length(HEIGHT)
        self._spots = []
        x = y = 0.0
        width = max(self.width(), 80)
        shown, rest = self.chips, len(self.chips) - self._most
        if rest > 1 and not self._unfolded:
            shown = [*shown[: self._most], Chip(MORE, trn("{n} more", "{n} more", rest))]
        for chip in shown:
            disc = 24 if chip.kind else 0
            own = min(width, WIDEST, metrics.horizontalAdvance(chip.words) + 18 + disc)
            if x and x + own > width:
                x, y = 0.0, y + height + GAP
            self._spots.append((chip, QRectF(x, y, own, height)))
            x += own + GAP
        self.setFixedHeight(round(y + height) if self._spots else 0)
        self.update()

    def resizeEvent(self, event) -> None:
        if event.size().width() != event.oldSize().width():
            self._place_chips()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        metrics = QFontMetrics(theme.font("text"))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("text"))
        for place, (chip, spot) in enumerate(self._spots):
            if not spot.intersects(QRectF(event.rect())):
                continue
            if chip.number != MORE:
                touched = place == self._hovered
                ground = theme.color("accent_soft") if touched else theme.color("text2", 0.12)
                paint_box(painter, spot, ground)
            if self.hasFocus() and place == self._current:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(theme.color("accent"), 2))
                painter.drawRoundedRect(spot.adjusted(1, 1, -1, -1), 6, 6)
            left = spot.left() + 9
            if chip.kind:
                disc = QRectF(spot.left() + 6, spot.center().y() - 8, 16, 16)
                paint_type_disc(painter, disc, chip.kind, theme)
                left = spot.left() + 29
            words = QRectF(left, spot.top(), spot.right() - left - 6, spot.height())
            painter.setPen(theme.color("accent" if chip.number == MORE else "text"))
            shown = metrics.elidedText(
                chip.words, Qt.TextElideMode.ElideRight, int(words.width()) + 1
            )
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()

    def _place_at(self, point: QPointF) -> int:
        return next((i for i, (_, spot) in enumerate(self._spots) if spot.contains(point)), -1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position())
        if place != self._hovered:
            self._hovered = place
            chip = self._spots[place][0] if place >= 0 else None
            self.setToolTip(chip.tooltip or format_type(chip.kind) if chip and chip.kind else "")
            hand = Qt.CursorShape.PointingHandCursor
            self.setCursor(hand if chip else Qt.CursorShape.ArrowCursor)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = -1
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position())
        if not self._live or event.button() != Qt.MouseButton.LeftButton or place < 0:
            return
        self._current = place
        number = self._spots[place][0].number
        if number == MORE:
            self._unfold()
        elif self._waiting == number:  # a double click came first
            self._waiting = None
        else:
            self._waiting = number
            self._second.start()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position())
        if self._live and place >= 0 and self._spots[place][0].number != MORE:
            self._second.stop()
            self._waiting = self._spots[place][0].number  # no click of its own
            self.double_clicked.emit(self._waiting)

    def _click_was_one(self) -> None:
        number, self._waiting = self._waiting, None
        if number is not None:
            self.clicked.emit(number)

    def _unfold(self) -> None:
        self._unfolded = True
        self._place_chips()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        key = Qt.Key(event.key())
        if key in steps and self._spots:
            self._current = min(len(self._spots) - 1, max(0, self._current + steps[key]))
            chip = self._spots[self._current][0]
            self.setAccessibleDescription(f"{chip.words} {format_type(chip.kind)}".strip())
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current >= 0:
            number = self._spots[self._current][0].number
            if number == MORE:
                self._unfold()
            elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.double_clicked.emit(number)
            else:
                self.clicked.emit(number)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event) -> None:
        super().focusInEvent(event)
        self._current = max(0, self._current)


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
        self.setAccessibleName(" ".join(one.quote.split()))
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
        quote = escape(" ".join(one.quote.split()))
        self.setText(f'{quote}<br><span style="{look}">{escape(where)}</span>')  # not shown

    def paintEvent(self, event: QPaintEvent) -> None:
        lit = self.underMouse() or self.hasFocus()
        with QPainter(self) as painter:
            color = self._theme.color("accent" if lit else "line")
            painter.fillRect(0, 4, 2, self.height() - 8, color)
        super().paintEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
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
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("text2", 0.22))
    painter.drawRoundedRect(spot, 2, 2)
    full = QRectF(spot)
    full.setWidth(max(2.0, spot.width() * min(1.0, max(0.0, rating / 10.0))))
    painter.setBrush(theme.color("accent"))
    painter.drawRoundedRect(full, 2, 2)


def shade_color(theme: Theme, shade: int, alpha: float = 1.0) -> QColor:
    """Return one of the twelve colours, the muted text colour for -1."""
    color = QColor(step_colors(theme.tokens)[shade]) if shade >= 0 else theme.color("text2")
    color.setAlphaF(alpha)
    return color
