"""Toggles that filter by type of entity or by kind of connection, wrapped over several lines.

Own the checked ones. Know no entities, only numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_app.engine.model import ENTITY_TYPES, RelationRow
from desktop_app.engine.services.provenance import EntityProvenance

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import format_number, format_type, paint_type_disc
from ..widgets.kind_marks import LINE_WIDTH, paint_kind_line
from ..widgets.layout import order_tabs
from ..widgets.words import look_of_kind

HEIGHT, GAP, DISC = 28, 4, 14


class MarkedToggle(QAbstractButton):
    """A mark and a word on a background that is tinted when checked.

    Args:
        mark_width: in pixels at the normal size of text.
        paint_mark: paints the mark into a square of this width.
    """

    def __init__(
        self,
        theme: Theme,
        words: str,
        mark_width: int,
        paint_mark: Callable[[QPainter, QRectF], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._theme, self._mark_width, self._paint_mark = theme, mark_width, paint_mark
        self._count = ""  # shown at the right
        self.setCheckable(True)
        self.setText(words)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.changed.connect(self.update)

    def set_count(self, count: int, tip: str, *, shown: bool = False) -> None:
        """Set how many there are, for the tooltip and screen readers, or also as text."""
        n = format_number(count)
        self.setAccessibleName(f"{self.text()}, {n}")
        if tip != self.toolTip() or self._count != (n if shown else ""):
            self._count = n if shown else ""
            self.setToolTip(tip)
            self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.font("small"))
        width = metrics.horizontalAdvance(self.text())
        if self._count:
            width += metrics.horizontalAdvance(self._count) + 8
        side = self._theme.length(self._mark_width)
        return QSize(side + width + 20, self._theme.length(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on, hovered = self.isChecked(), self.underMouse()
        painter.setPen(self._theme.color("accent" if on or self.hasFocus() else "line"))
        if on or hovered:
            painter.setBrush(self._theme.color("accent_soft", 1.0 if on else 0.6))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 2.5, -0.5, -2.5), 6, 6)
        side = self._theme.length(self._mark_width)
        self._paint_mark(painter, QRectF(7, (self.height() - side) / 2, side, side))
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.color("text" if on else "text2"))
        words = self.rect().adjusted(side + 13, 0, -7, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.setPen(self._theme.color("text2"))
        end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(words, end, self._count)
        painter.end()


class WrappingToggles(QWidget):
    """Buttons side by side, wrapped over as many lines as they need."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.buttons: list[QAbstractButton] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.place)

    def place(self) -> None:
        """Lay out the buttons that are not hidden."""
        x = y = 0
        height = self._theme.length(HEIGHT)
        shown = [button for button in self.buttons if not button.isHidden()]
        for button in shown:
            width = button.sizeHint().width()
            if x and x + width > self.width():
                x, y = 0, y + height
            button.setGeometry(x, y, width, height)
            x += width + GAP
        self.setFixedHeight(y + height if shown else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()


class TypeToggles(WrappingToggles):
    """Toggles for all types of the library; `changed` emits the checked ones (none: show all)."""

    changed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.toggles = {name: self._build_toggle(name) for name in ENTITY_TYPES}
        for toggle in self.toggles.values():
            toggle.toggled.connect(lambda _: self.changed.emit(self.ticked()))
        self.buttons = list(self.toggles.values())

    def ticked(self) -> frozenset[str]:
        return frozenset(name for name, toggle in self.toggles.items() if toggle.isChecked())

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Show the types that occur; a single type needs no filter."""
        present = [name for name in self.toggles if counts.get(name)]
        for name, toggle in self.toggles.items():
            count = counts.get(name, 0)
            toggle.set_count(
                count,
                trn("Show only: {n} {type}", "Show only: {type} ({n})", count, type=toggle.text()),
            )
            toggle.setVisible(len(present) > 1 and name in present)
        self.place()

    def _build_toggle(self, name: str) -> MarkedToggle:
        def paint(painter: QPainter, area: QRectF) -> None:
            paint_type_disc(painter, area, name, self._theme)

        return MarkedToggle(self._theme, format_type(name, capital=True), DISC, paint, self)


class KindFilter(WrappingToggles):
    """Emits `changed` when a toggle changes; needs connections from a model."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.confirmed = MarkedToggle(
            theme, tr("Confirmed by a model"), LINE_WIDTH, self._paint_model, self
        )
        self.confirmed.toggled.connect(lambda _: self.changed.emit())
        self.toggles: dict[str, MarkedToggle] = {}
        self.is_offered = False
        self.hide()

    @property
    def is_set(self) -> bool:
        """Return whether any toggle is checked."""
        return self.confirmed.isChecked() or bool(self.kinds())

    def kinds(self) -> frozenset[str]:
        return frozenset(kind for kind, toggle in self.toggles.items() if toggle.isChecked())

    def lets_pass(self, relation: RelationRow) -> bool:
        """Return whether the filter includes a connection."""
        kinds = self.kinds()
        return (not kinds or relation.kind in kinds) and (
            not self.confirmed.isChecked() or relation.n_enriched > 0
        )

    def set_standing(self, standing: EntityProvenance) -> None:
        """Offer the kinds that occur; checked kinds stay checked while they still occur."""
        counts = dict(standing.kinds)
        for kind in [kind for kind in self.toggles if kind not in counts]:
            self.toggles.pop(kind).deleteLater()
        for kind, count in counts.items():
            if kind not in self.toggles:
                toggle = self.toggles[kind] = self._build_toggle(kind)
                toggle.toggled.connect(lambda _: self.changed.emit())
            n, words = format_number(count), self.toggles[kind].text()
            tip = tr("Show only connections “{kind}” ({n})", kind=words, n=n)
            self.toggles[kind].set_count(count, tip, shown=True)
        n = format_number(standing.n_confirmed)
        tip = tr("Show only connections confirmed by a model ({n})", n=n)
        self.confirmed.set_count(standing.n_confirmed, tip, shown=True)
        named = [kind for kind in counts if kind]
        some = len(counts) > 1 and bool(named)
        self.buttons = [self.confirmed, *(self.toggles[k] for k in (*named, *({""} & set(counts))))]
        for button in self.buttons:
            button.setVisible(some)
        self.confirmed.setVisible(0 < standing.n_confirmed < sum(counts.values()))
        order_tabs(self.buttons)
        self.is_offered = any(not button.isHidden() for button in self.buttons)
        self.place()

    def clear(self) -> None:
        """Remove all toggles without emitting `changed`."""
        self.is_offered = False
        for button in (self.confirmed, *self.toggles.values()):
            button.blockSignals(True)
            button.setChecked(False)
            button.blockSignals(False)

    def _build_toggle(self, kind: str) -> MarkedToggle:
        def paint(painter: QPainter, area: QRectF) -> None:
            paint_kind_line(painter, area.left(), area.center().y(), kind, self._theme)

        return MarkedToggle(self._theme, look_of_kind(kind).words, LINE_WIDTH, paint, self)

    def _paint_model(self, painter: QPainter, area: QRectF) -> None:
        spot = QRect(round(area.left()) + 1, round(area.center().y()) - 8, 16, 16)
        self._theme.icon("models").paint(painter, spot)
