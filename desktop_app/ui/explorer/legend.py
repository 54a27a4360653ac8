"""The legend: what colours stand for, how many discs have each; pressing a line filters.

Owns its lines. Knows the palette's codes, not how discs are painted on the canvas.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from desktop_app.engine.types import ENTITY_TYPES
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Label, format_number, paint_type_disc

from .coloring import LegendLine
from .corners import Panel
from .discs import paint_disc
from .palette import build_palette

WIDTH = 152
WIDE = 196


class ColorToggle(QAbstractButton):
    """A line of the legend; pressing it hides or shows what has the colour."""

    only_wanted = Signal()

    def __init__(self, theme: Theme, line: LegendLine, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.line = line
        self.setCheckable(True)
        self.setChecked(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(f"Show or hide: {line.words}\nDouble click: only these")
        self.setAccessibleName(f"Show {line.words}")
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH if self.line.code < len(ENTITY_TYPES) else WIDE, 28)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.only_wanted.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isChecked() else 0.4)
        if self.underMouse() or self.hasFocus():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent_soft"))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        code = self.line.code
        if code < len(ENTITY_TYPES):
            paint_type_disc(painter, QRectF(8, 6, 16, 16), ENTITY_TYPES[code], self._theme)
        else:
            palette = build_palette(self._theme.tokens)
            painter.setFont(self._theme.font("small"))
            paint_disc(painter, palette, code, QPointF(16, 14), 9.0)
        font = self._theme.font("small")
        count = format_number(self.line.count)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        area = self.rect().adjusted(32, 0, -8, 0)
        room = area.width() - metrics.horizontalAdvance(count) - 8
        words = metrics.elidedText(self.line.words, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, words)
        painter.setPen(self._theme.color("text2"))
        end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(area, end, count)
        painter.end()


class Legend(Panel):
    """Lines of colours with counts; `changed` when one was hidden or shown."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(4, 4, 4, 4)
        self._column.setSpacing(0)
        self.title = Label("", "small", self)
        self.title.setContentsMargins(8, 4, 8, 4)
        self._column.addWidget(self.title)
        self.toggles: list[ColorToggle] = []
        self.mode = "type"
        self._silent = False

    def hidden(self) -> frozenset[int]:
        """Return the codes that are off."""
        return frozenset(t.line.code for t in self.toggles if not t.isChecked())

    def set_lines(self, mode: str, words: str, lines: list[LegendLine]) -> None:
        """Show these lines; while colours mean the same, what was hidden stays so."""
        hidden = self.hidden() if mode == self.mode else frozenset()
        self.mode = mode
        self.title.setText(words)
        self.title.setVisible(mode != "type")
        for toggle in self.toggles:
            self._column.removeWidget(toggle)
            toggle.hide()
            toggle.deleteLater()
        self.toggles = []
        for line in lines:
            toggle = ColorToggle(self._theme, line, self)
            toggle.setChecked(line.code not in hidden)
            toggle.toggled.connect(lambda _: self._say())
            toggle.only_wanted.connect(lambda code=line.code: self.only(code))
            self._column.addWidget(toggle)
            toggle.setVisible(line.count > 0)
            self.toggles.append(toggle)
        self.setVisible(any(line.count for line in lines))
        self._column.activate()
        self.adjustSize()

    def set_hidden(self, codes: frozenset[int]) -> None:
        self._silent = True
        for toggle in self.toggles:
            toggle.setChecked(toggle.line.code not in codes)
        self._silent = False

    def only(self, code: int) -> None:
        """Leave one colour alone, or show all again where it already is alone."""
        on = [t.line.code for t in self.toggles if t.isChecked() and t.line.count]
        self.set_hidden(
            frozenset()
            if on == [code]
            else frozenset(t.line.code for t in self.toggles if t.line.code != code)
        )
        self.changed.emit()

    def _say(self) -> None:
        if not self._silent:
            self.changed.emit()
