"""The legends over the canvas: colours of nodes, and kinds of relations.

Each line can be switched off, which hides what it stands for. Knows no services.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from desktop_app.engine.graph.view.graph_data import GraphData
from desktop_app.engine.model import ENTITY_TYPES
from desktop_app.ui.explorer.node_colors import LegendLine

from ..language import tr
from ..theme.theme import Theme
from ..widgets import Label, format_number, paint_type_disc
from ..widgets.kind_marks import LINE_WIDTH, paint_kind_line
from ..widgets.words import look_of_kind
from .layers import paint_disc
from .palette import build_graph_palette
from .panel import Panel

MARK = 16


class LegendToggle(QAbstractButton):
    """A line of a legend, on at first; a double click emits `only_wanted`."""

    only_wanted = Signal()

    def __init__(self, theme: Theme, words: str, count: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words, self._count = words, count
        self.setCheckable(True)
        self.setChecked(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self._apply_theme)

    def _apply_theme(self) -> None:
        self.updateGeometry()
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.only_wanted.emit()

    def mark_area(self) -> QRectF:
        side = self._theme.length(MARK)
        return QRectF(8, (self.height() - side) / 2, side, side)

    def paint_mark(self, painter: QPainter) -> None:
        """Paint the symbol of the line in `mark_area`."""
        raise NotImplementedError

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        off = not self.isChecked()
        painter.setOpacity((0.7 if self._theme.is_high else 0.4) if off else 1.0)
        if self.underMouse() or self.hasFocus():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent_soft"))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        self.paint_mark(painter)
        font = self._theme.font("small")
        font.setStrikeOut(off and self._theme.is_high)
        count = format_number(self._count)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        area = self.rect().adjusted(self._theme.length(MARK) + 16, 0, -8, 0)
        room = area.width() - metrics.horizontalAdvance(count) - 8
        words = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, words)
        painter.setPen(self._theme.color("text2"))
        end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(area, end, count)
        painter.end()


WIDTH = 152
WIDE = 224


class ColorToggle(LegendToggle):
    """A colour of the legend; switching it hides or shows its nodes."""

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
            palette = build_graph_palette(self._theme.tokens)
            painter.setFont(self._theme.font("small"))
            area = self.mark_area()
            paint_disc(painter, palette, code, area.center(), area.width() * 0.56)


class Legend(Panel):
    """The colours of nodes with counts; emits `changed` when one was switched."""

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
        """Show these lines; with the same mode, hidden ones stay hidden."""
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
            toggle.toggled.connect(lambda _: self._emit_changed())
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
        """Show only one colour, or all again if it is the only one."""
        on = [t.line.code for t in self.toggles if t.isChecked() and t.line.count]
        self.set_hidden(
            frozenset()
            if on == [code]
            else frozenset(t.line.code for t in self.toggles if t.line.code != code)
        )
        self.changed.emit()

    def _emit_changed(self) -> None:
        if not self._silent:
            self.changed.emit()


MOST_KINDS = 9


class KindToggle(LegendToggle):
    """A kind of relation in the legend; a double click shows only this kind."""

    def __init__(self, theme: Theme, kind: str, count: int, parent: QWidget) -> None:
        words = look_of_kind(kind).words
        super().__init__(theme, words.capitalize(), count, parent)
        self.kind = kind
        self.setText(words)
        tip = tr("Show or hide connections: {kind}\nDouble click: only these", kind=words)
        self.setToolTip(tip)
        self.setAccessibleName(tr("Show connections: {kind}", kind=words))

    def sizeHint(self) -> QSize:
        return QSize(self._theme.length(152), self._theme.length(26))

    def paint_mark(self, painter: QPainter) -> None:
        paint_kind_line(
            painter,
            self.mark_area().center().x() - LINE_WIDTH / 2,
            self.height() / 2,
            self.kind,
            self._theme,
        )


class ConfirmedToggle(QAbstractButton):
    """While on, only relations that a model confirmed are shown."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setText(tr("Only confirmed"))
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tr("Show only connections that a model confirmed"))
        self.setAccessibleName(tr("Show only connections that a model confirmed"))
        theme.changed.connect(self._apply_theme)

    def _apply_theme(self) -> None:
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.length(152), self._theme.length(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked()
        if on or self.underMouse() or self.hasFocus():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent_soft"))
            painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        side = self._theme.length(16)
        spot = QRect(8, (self.height() - side) // 2, side, side)
        icon = "ph.check-square" if on else "ph.square"
        self._theme.icon(icon, color="accent" if on else "text2").paint(painter, spot)
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.color("text"))
        area = self.rect().adjusted(side + 16, 0, -8, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()


class KindLegend(Panel):
    """The kinds of relations; hidden while no relation was confirmed by a model."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(4, 4, 4, 4)
        self._column.setSpacing(0)
        self.confirmed = ConfirmedToggle(theme, self)
        self.confirmed.toggled.connect(lambda _: self._emit_changed())
        self.toggles: dict[str, KindToggle] = {}
        self._silent = False
        self._column.addWidget(self.confirmed)
        self.hide()

    @property
    def confirmed_only(self) -> bool:
        return self.confirmed.isChecked() and not self.isHidden()

    def hidden(self) -> set[str]:
        """Return the hidden kinds."""
        return {kind for kind, toggle in self.toggles.items() if not toggle.isChecked()}

    def set_hidden(self, kinds: frozenset[str], *, confirmed_only: bool) -> None:
        self._silent = True
        for kind, toggle in self.toggles.items():
            toggle.setChecked(kind not in kinds)
        self.confirmed.setChecked(confirmed_only)
        self._silent = False

    def only(self, kinds: list[str]) -> None:
        """Show only these kinds, or all again if they are the only ones."""
        alone = {kind for kind, toggle in self.toggles.items() if toggle.isChecked()} == set(kinds)
        self._silent = True
        for kind, toggle in self.toggles.items():
            toggle.setChecked(alone or kind in kinds)
        self._silent = False
        self.changed.emit()

    def _emit_changed(self) -> None:
        if not self._silent:
            self.changed.emit()

    def set_data(self, data: GraphData) -> None:
        """Show the kinds of a view, the most frequent first; hidden ones stay hidden."""
        counts = np.bincount(data.kind_codes, minlength=len(data.kinds))
        named = [kind for kind in data.kinds if kind][:MOST_KINDS]
        kinds = [*named, *({""} & set(data.kinds))] if named else []
        hidden = self.hidden()
        for toggle in self.toggles.values():
            self._column.removeWidget(toggle)
            toggle.hide()
            toggle.deleteLater()
        self.toggles = {}
        for row, kind in enumerate(kinds):
            count = int(counts[data.kinds.index(kind)])
            toggle = self.toggles[kind] = KindToggle(self._theme, kind, count, self)
            toggle.setChecked(kind not in hidden)
            toggle.toggled.connect(lambda _: self._emit_changed())
            toggle.only_wanted.connect(lambda kind=kind: self.only([kind]))
            self._column.insertWidget(row, toggle)
            toggle.show()  # a hidden widget has no size in the layout
        self.setVisible(bool(data.confirmed.any()))
        self._column.activate()
        self.adjustSize()
