"""The frame of a screen: toolbar row, hairlines, rows of label and value.

Owns the spacing that all screens share.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextLayout
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from .labels import Label

# A part of a box: a widget or layout, with a stretch and an alignment; pixels; None for a stretch.
Part = (
    QWidget
    | QLayout
    | int
    | None
    | tuple[QWidget | QLayout, int]
    | tuple[QWidget, int, Qt.AlignmentFlag]
)
Margins = tuple[int, int, int, int]
NO_MARGINS: Margins = (0, 0, 0, 0)


def hbox(
    *parts: Part,
    parent: QWidget | None = None,
    spacing: int | None = None,
    margins: Margins = NO_MARGINS,
) -> QHBoxLayout:
    """Return a row of these parts; without `spacing` that of the outer layout."""
    box = QHBoxLayout() if parent is None else QHBoxLayout(parent)
    _set_up(box, spacing, margins)
    fill_box(box, *parts)
    return box


def vbox(
    *parts: Part,
    parent: QWidget | None = None,
    spacing: int | None = None,
    margins: Margins = NO_MARGINS,
) -> QVBoxLayout:
    """Return a column of these parts; without `spacing` that of the outer layout."""
    box = QVBoxLayout() if parent is None else QVBoxLayout(parent)
    _set_up(box, spacing, margins)
    fill_box(box, *parts)
    return box


def _set_up(box: QBoxLayout, spacing: int | None, margins: Margins) -> None:
    box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)


def fill_box(box: QBoxLayout, *parts: Part) -> None:
    """Add these parts to a row or column."""
    for part in parts:
        if part is None:
            box.addStretch(1)
        elif isinstance(part, int):
            box.addSpacing(part)
        else:
            # a widget or layout, perhaps with a stretch and an alignment
            item, *more = part if isinstance(part, tuple) else (part,)
            if isinstance(item, QLayout):
                box.addLayout(item, *more)
            else:
                box.addWidget(item, *more)  # type: ignore[arg-type]


def build_splitter(
    *widgets: QWidget,
    sizes: tuple[int, ...] = (),
    orientation: Qt.Orientation = Qt.Orientation.Horizontal,
) -> QSplitter:
    """Return a splitter with a thin handle; the last widget takes the room that is left."""
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    for widget in widgets:
        splitter.addWidget(widget)
    splitter.setStretchFactor(len(widgets) - 1, 1)
    if sizes:
        splitter.setSizes(list(sizes))
    return splitter


class ToolbarRow(QFrame):
    """The one row of controls over a screen: title at the left, at most seven controls."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolbarRow")
        self.setFixedHeight(52)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(16, 0, 12, 0)
        self.row.setSpacing(8)
        self.title = Label(title, "title", self)
        self.title.setVisible(bool(title))
        self.row.addWidget(self.title)

    def add(self, widget: QWidget, stretch: int = 0) -> QWidget:
        self.row.addWidget(widget, stretch)
        return widget

    def add_stretch(self) -> None:
        self.row.addStretch(1)


class Hairline(QFrame):
    """One pixel between two areas."""

    def __init__(
        self,
        orientation: Qt.Orientation = Qt.Orientation.Horizontal,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("hairline")
        if orientation == Qt.Orientation.Horizontal:
            self.setFixedHeight(1)
        else:
            self.setFixedWidth(1)


MOST_OF_NAMES, LEAST_NAME = 0.45, 120  # share of the width of a grid of facts, and pixels
FIRST_LINE = 80  # characters that may stand on the first line of a fact


class FactName(Label):
    """The name of a fact: on one line, unless it is wider than its share of the grid."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, "muted", parent, wrap=True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def _width(self) -> int:
        return min(self.fontMetrics().horizontalAdvance(self.text()) + 2, self.maximumWidth())

    def sizeHint(self) -> QSize:
        return QSize(self._width(), self.heightForWidth(self._width()))

    def minimumSizeHint(self) -> QSize:
        # a fact's value gives way first, for it may be a whole sentence
        return QSize(min(self._width(), LEAST_NAME), super().minimumSizeHint().height())


class FactGrid(QWidget):
    """Rows of label and value, for inspectors and cards."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._rows: list[tuple[FactName, Label]] = []

    def set_facts(self, facts: list[tuple[str, str]]) -> None:
        """Replace the rows; a fact without a value is left out."""
        clear_layout(self._grid)
        self._rows = []
        for row, (name, value) in enumerate((n, v) for n, v in facts if v):
            label = FactName(name, self)
            shown = Label(value, "", self, wrap=True)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            shown.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            for part in (label, shown):
                part.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(shown, row, 1, Qt.AlignmentFlag.AlignTop)
            self._rows.append((label, shown))
        self._fit_rows()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_rows()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_rows()

    def _fit_rows(self) -> None:
        """Give names their share of the width, and both labels of a row one baseline."""
        for label, shown in self._rows:
            label.setMaximumWidth(max(1, round(self.width() * MOST_OF_NAMES)))
            above = find_ascent(shown) - find_ascent(label)
            label.setContentsMargins(0, max(0, above), 0, 0)
            shown.setContentsMargins(0, max(0, -above), 0, 0)


def find_ascent(label: QLabel) -> int:
    """Return how far the first baseline is below the top; a fallback font can lower it."""
    label.ensurePolished()
    layout = QTextLayout(label.text().split("\n")[0][:FIRST_LINE], label.font())
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return round(line.ascent()) if line.isValid() else label.fontMetrics().ascent()


def clear_layout(layout: QLayout) -> None:
    """Remove all items of a layout and delete their widgets."""
    while layout.count():
        taken = layout.takeAt(0)
        if (widget := taken.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := taken.layout()) is not None:
            clear_layout(inner)
