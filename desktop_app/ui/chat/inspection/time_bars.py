"""Small bars for times: a name, a bar as long as its share, and the time.

Owns painting only. Knows nothing of answers.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme

from .telling import format_ms

ROW, BAR = 20, 4
GAP = 8


class TimeBars(QWidget):
    """One line a step; the longest fills the bar's room."""

    def __init__(
        self, theme: Theme, times: Sequence[tuple[str, float]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._times = list(times)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Times"))
        self.setAccessibleDescription(", ".join(f"{n} {format_ms(ms)}" for n, ms in self._times))
        theme.changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def _row(self) -> int:
        return max(ROW, QFontMetrics(self._theme.font("small")).height() + 3)

    def sizeHint(self) -> QSize:
        return QSize(200, len(self._times) * self._row())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self._theme.font("small")
        painter.setFont(font)
        metrics = QFontMetrics(font)
        most = max((ms for _, ms in self._times), default=0.0) or 1.0
        named = max((metrics.horizontalAdvance(n) for n, _ in self._times), default=0)
        name_width = min(named, self.width() * 2 // 5)
        time_width = max((metrics.horizontalAdvance(format_ms(ms)) for _, ms in self._times),
                         default=0)  # fmt: skip
        left = name_width + GAP
        room = max(8, self.width() - left - time_width - GAP)
        middle = Qt.AlignmentFlag.AlignVCenter
        for place, (name, ms) in enumerate(self._times):
            top, row = place * self._row(), self._row()
            painter.setPen(self._theme.color("text"))
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, name_width + 1)
            painter.drawText(QRectF(0, top, name_width + 1, row), middle, shown)
            painter.setPen(self._theme.color("text2"))
            area = QRectF(self.width() - time_width - 1, top, time_width + 1, row)
            painter.drawText(area, middle | Qt.AlignmentFlag.AlignRight, format_ms(ms))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("line"))
            y = top + (row - BAR) / 2
            painter.drawRoundedRect(QRectF(left, y, room, BAR), 2, 2)
            painter.setBrush(self._theme.color("accent", 0.75))
            painter.drawRoundedRect(QRectF(left, y, max(BAR, room * ms / most), BAR), 2, 2)
        painter.end()
