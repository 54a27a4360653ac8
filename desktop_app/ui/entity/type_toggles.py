"""Toggles for entity types, wrapped over as many lines as they need.

Owns the checked types. Knows no entities, only the number of each type.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_app.engine.model import ENTITY_TYPES
from desktop_app.ui.language import trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import format_number, format_type, paint_type_disc

HEIGHT, GAP, DISC = 28, 4, 14


class TypeToggle(QAbstractButton):
    """A toggle for one type: its disc and its name, on a tinted background when checked."""

    def __init__(self, theme: Theme, entity_type: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.type = entity_type
        self.setCheckable(True)
        self.setText(format_type(entity_type))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.changed.connect(self.update)

    def set_count(self, count: int) -> None:
        self.setToolTip(
            trn("Show only: {n} {type}", "Show only: {type} ({n})", count, type=self.text())
        )
        self.setAccessibleName(f"{self.text()}, {format_number(count)}")

    def sizeHint(self) -> QSize:
        width = QFontMetrics(self._theme.font("small")).horizontalAdvance(self.text())
        return QSize(width + self._left() + 7, self._theme.length(HEIGHT))

    def _left(self) -> int:
        return 11 + self._theme.length(DISC)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on, hovered = self.isChecked(), self.underMouse()
        area = QRectF(self.rect()).adjusted(0.5, 2.5, -0.5, -2.5)
        painter.setPen(self._theme.color("accent") if self.hasFocus() else Qt.PenStyle.NoPen)
        if on or hovered:
            painter.setBrush(self._theme.color("accent_soft", 1.0 if on else 0.6))
        painter.drawRoundedRect(area, 6, 6)
        side = self._theme.length(DISC)
        disc = QRectF(6, (self.height() - side) / 2, side, side)
        paint_type_disc(painter, disc, self.type, self._theme)
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.color("text" if on else "text2"))
        words = self.rect().adjusted(self._left(), 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
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
        self.toggles = {name: TypeToggle(theme, name, self) for name in ENTITY_TYPES}
        for toggle in self.toggles.values():
            toggle.toggled.connect(lambda _: self.changed.emit(self.ticked()))
        self.buttons = list(self.toggles.values())

    def ticked(self) -> frozenset[str]:
        return frozenset(name for name, toggle in self.toggles.items() if toggle.isChecked())

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Show the types that occur; a single type needs no filter."""
        present = [name for name in self.toggles if counts.get(name)]
        for name, toggle in self.toggles.items():
            toggle.set_count(counts.get(name, 0))
            toggle.setVisible(len(present) > 1 and name in present)
        self.place()
