"""The legend: what colours stand for, how many discs have each; pressing a line filters.

Owns its lines. Knows the palette's codes, not how discs are painted on the canvas.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.engine.types import ENTITY_TYPES
from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Label, paint_type_disc

from .coloring import LegendLine
from .corners import Panel
from .discs import paint_disc
from .legend_toggle import LegendToggle
from .palette import build_palette

WIDTH = 152
WIDE = 224


class ColorToggle(LegendToggle):
    """A line of the legend; pressing it hides or shows what has the colour."""

    def __init__(self, theme: Theme, line: LegendLine, parent: QWidget) -> None:
        super().__init__(theme, line.words, line.count, parent)
        self.line = line
        tip = tr("Show or hide: {what}\nDouble click: only these", what=line.words)
        self.setToolTip(tip)
        self.setAccessibleName(tr("Show {what}", what=line.words))

    def sizeHint(self) -> QSize:
        width = WIDTH if self.line.code < len(ENTITY_TYPES) else WIDE
        return QSize(self._theme.length(width), self._theme.length(28))

    def paint_mark(self, painter: QPainter) -> None:
        code = self.line.code
        if code < len(ENTITY_TYPES):
            paint_type_disc(painter, self.mark_area(), ENTITY_TYPES[code], self._theme)
        else:
            palette = build_palette(self._theme.tokens)
            painter.setFont(self._theme.font("small"))
            area = self.mark_area()
            paint_disc(painter, palette, code, area.center(), area.width() * 0.56)


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
