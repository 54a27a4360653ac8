"""A small histogram with two handles: choose a range and see what is in it.

Owns the bars, the handles and their keys. Knows numbers, not what they are of.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme

N_BARS, HEIGHT, FOOT = 24, 56, 14
EDGE = 7


class HistogramRange(QWidget):
    """Bars of how often values occur; `changed` with (from, to), the whole range as infinity."""

    changed = Signal(float, float)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._edges = np.array([0.0, 1.0])
        self._counts = np.zeros(1)
        self._low, self._high = 0, 1  # positions in the edges
        self._held: int | None = None
        self.whole = False
        self.setAccessibleName(name)
        self.setToolTip(
            tr("Drag the handles; arrow keys move the left one, with Shift the right one")
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def set_values(self, values: np.ndarray, *, whole: bool = False) -> None:
        """Show how often values occur, in steps that grow; the range opens to all of them."""
        values = np.asarray(values, dtype=float)
        self.whole = whole
        top = float(values.max(initial=1.0))
        low = max(float(values.min(initial=top)), 0.0)
        if whole and top - low <= N_BARS:
            edges = np.arange(np.floor(low), np.floor(top) + 2)
        else:
            edges = np.expm1(np.linspace(np.log1p(low), np.log1p(top), N_BARS + 1))
            edges = np.unique(np.floor(edges)) if whole else edges
            edges[-1] = top + (1 if whole else 1e-9)
        if len(edges) < 2:
            edges = np.array([low, low + 1])
        self._edges = edges
        self._counts = np.histogram(values, edges)[0].astype(float)
        self._low, self._high = 0, len(edges) - 1
        self.update()

    @property
    def range(self) -> tuple[float, float]:
        """Return from and to as values, both included; infinity where nothing is cut off."""
        low = 0.0 if self._low == 0 else float(self._edges[self._low])
        if self._high == len(self._edges) - 1:
            return low, float("inf")
        return low, float(self._edges[self._high]) - (1.0 if self.whole else 1e-9)

    def set_range(self, low: float, high: float) -> None:
        """Put the handles where these values are, without saying so."""
        self._low = int(np.searchsorted(self._edges, low, "right")) - 1 if low > 0 else 0
        self._high = (
            len(self._edges) - 1
            if high == float("inf")
            else int(np.searchsorted(self._edges, high, "right"))
        )
        self._low = max(0, min(self._low, len(self._edges) - 2))
        self._high = max(self._low + 1, min(self._high, len(self._edges) - 1))
        self.update()

    def _x(self, step: int) -> float:
        return EDGE + (self.width() - 2 * EDGE) * step / (len(self._edges) - 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        base = self.height() - FOOT
        tallest = np.sqrt(self._counts.max(initial=1.0)) or 1.0
        for n, count in enumerate(self._counts):
            inside = self._low <= n < self._high
            painter.setBrush(self._theme.color("accent" if inside else "line"))
            tall = max(2.0 if count else 0.0, np.sqrt(count) / tallest * (base - 4))
            left, right = self._x(n), self._x(n + 1)
            painter.drawRect(QRectF(left + 0.5, base - tall, max(right - left - 1, 1), tall))
        painter.setBrush(self._theme.color("line"))
        painter.drawRect(QRectF(EDGE, base, self.width() - 2 * EDGE, 1))
        for step in (self._low, self._high):
            painter.setBrush(self._theme.color("surface"))
            painter.setPen(self._theme.color("accent" if self.hasFocus() else "text2"))
            painter.drawEllipse(QPointF(self._x(step), base + 0.5), 5, 5)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        step = self._step_at(event.position().x())
        near_low = abs(step - self._low) < abs(step - self._high)
        if abs(step - self._low) == abs(step - self._high):
            near_low = step < self._low
        self._held = 0 if near_low else 1
        self._move(step)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._move(self._step_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() not in steps:
            super().keyPressEvent(event)
            return
        self._held = 1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0
        self._move((self._high if self._held else self._low) + steps[event.key()])
        self._held = None

    def _step_at(self, x: float) -> int:
        share = (x - EDGE) / max(self.width() - 2 * EDGE, 1)
        return round(share * (len(self._edges) - 1))

    def _move(self, step: int) -> None:
        before = (self._low, self._high)
        if self._held == 0:
            self._low = max(0, min(step, self._high - 1))
        else:
            self._high = min(len(self._edges) - 1, max(step, self._low + 1))
        if before != (self._low, self._high):
            self.update()
            self.changed.emit(*self.range)
