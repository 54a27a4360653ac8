"""Where in each document a name stands: one line a document, a thin tick a mention.

Owns drawing and which tick was clicked. Knows positions only, 0 at the start, 1 at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import format_number, plural

LINE, SHOWN = 24, 6
TITLE, COUNT = 180, 48


class SpreadChart(QWidget):
    """Emits `tick_clicked` with a document and the position of the nearest mention."""

    tick_clicked = Signal(int, float)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._all: list[tuple[int, str, np.ndarray]] = []
        self._unfolded = False
        self._touched = -1
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_spread(self, spread: Sequence[tuple[int, str, Sequence[float]]]) -> None:
        """Show these documents, the one with most mentions first."""
        rows = [(d, t, np.asarray(p, dtype=np.float64)) for d, t, p in spread if len(p)]
        self._all = sorted(rows, key=lambda row: -len(row[2]))
        self._unfolded = False
        said = ", ".join(f"{t}: {plural(len(p), 'mention')}" for _, t, p in self._all[:SHOWN])
        self.setAccessibleName(f"Where it is named. {said}")
        self._fit()

    def rows(self) -> list[tuple[int, str, np.ndarray]]:
        """Return what is shown now."""
        return self._all if self._unfolded else self._all[:SHOWN]

    def sizeHint(self) -> QSize:
        return QSize(480, self.height())

    def _has_rest(self) -> bool:
        return len(self._all) > SHOWN

    def _fit(self) -> None:
        self.setVisible(bool(self._all))
        self.setFixedHeight(LINE * (len(self.rows()) + self._has_rest()))
        self.update()

    def _strip(self, row: int) -> QRectF:
        title = min(TITLE, self.width() // 3)
        width = self.width() - title - COUNT - 16
        return QRectF(title + 8, row * LINE + 5, max(40, width), LINE - 10)

    # --- drawing ----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        small = self._theme.font("small")
        metrics = QFontMetrics(small)
        painter.setFont(small)
        for row, (_, title, places) in enumerate(self.rows()):
            strip = self._strip(row)
            words = QRect(0, row * LINE, round(strip.left()) - 8, LINE)
            painter.setPen(self._theme.color("text" if row == self._touched else "text2"))
            shown = metrics.elidedText(title, Qt.TextElideMode.ElideRight, words.width())
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, shown)
            painter.setPen(self._theme.color("text2"))
            count = QRect(round(strip.right()) + 8, row * LINE, COUNT, LINE)
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(count, flags, format_number(len(places)))
            self._paint_ticks(painter, strip, places)
        if self._has_rest():
            rest = QRect(0, self.height() - LINE, self.width(), LINE)
            painter.setPen(self._theme.color("accent"))
            n_more = len(self._all) - SHOWN
            words = "Fewer" if self._unfolded else f"{plural(n_more, 'more document')}"
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, words)
        painter.end()

    def _paint_ticks(self, painter: QPainter, strip: QRectF, places: np.ndarray) -> None:
        y = strip.center().y()
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.drawLine(QLineF(strip.left(), y, strip.right(), y))
        # at most one tick a pixel; the more mentions it stands for, the stronger
        pixels, counts = np.unique(
            np.round(np.clip(places, 0, 1) * (strip.width() - 1)).astype(int), return_counts=True
        )
        for strength, low, high in ((0.55, 1, 1), (0.8, 2, 3), (1.0, 4, 1 << 30)):
            some = pixels[(counts >= low) & (counts <= high)]
            lines = [
                QLineF(strip.left() + x + 0.5, strip.top(), strip.left() + x + 0.5, strip.bottom())
                for x in some.tolist()
            ]
            painter.setPen(QPen(self._theme.color("accent", strength), 1))
            painter.drawLines(lines)

    # --- pointer ----------------------------------------------------------------------------

    def find_tick(self, point: QPointF) -> tuple[int, float] | None:
        """Return the row and the position of the mention nearest to a point of its strip."""
        row = int(point.y() // LINE)
        if not 0 <= row < len(self.rows()):
            return None
        strip, places = self._strip(row), self.rows()[row][2]
        if not strip.left() - 4 <= point.x() <= strip.right() + 4:
            return None
        wanted = (point.x() - strip.left()) / strip.width()
        return row, float(places[int(np.abs(places - wanted).argmin())])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        tick = self.find_tick(event.position())
        on_rest = self._has_rest() and event.position().y() >= self.height() - LINE
        hand = Qt.CursorShape.PointingHandCursor
        self.setCursor(hand if tick or on_rest else Qt.CursorShape.ArrowCursor)
        touched = tick[0] if tick else -1
        if touched != self._touched:
            self._touched = touched
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._touched = -1
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._has_rest() and event.position().y() >= self.height() - LINE:
            self._unfolded = not self._unfolded
            self._fit()
        elif (tick := self.find_tick(event.position())) is not None:
            self.tick_clicked.emit(self.rows()[tick[0]][0], tick[1])

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            tick = self.find_tick(QPointF(event.pos()))
            if tick is None:
                QToolTip.hideText()
            else:
                title = self.rows()[tick[0]][1]
                QToolTip.showText(event.globalPos(), f"{title}, at {tick[1]:.0%}", self)
            return True
        return super().event(event)
