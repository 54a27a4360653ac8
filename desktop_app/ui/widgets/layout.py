"""The frame of a screen: toolbar row, hairlines, rows of label and value.

Owns the spacing that all screens share.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLayout, QSizePolicy, QWidget

from .labels import Label


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


MOST_OF_NAMES = 0.45  # of the width of a grid of facts


class FactGrid(QWidget):
    """Rows of label and value, for inspectors and cards."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._names: list[Label] = []

    def set_facts(self, facts: list[tuple[str, str]]) -> None:
        """Replace the rows; a fact without a value is left out."""
        clear_layout(self._grid)
        self._names = []
        for row, (name, value) in enumerate((n, v) for n, v in facts if v):
            label = Label(name, "muted", self, wrap=True)
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            shown = Label(value, "", self, wrap=True)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            shown.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(shown, row, 1)
            self._names.append(label)
        self._fit_names()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_names()

    def _fit_names(self) -> None:
        for label in self._names:
            label.setMaximumWidth(max(1, round(self.width() * MOST_OF_NAMES)))


def clear_layout(layout: QLayout) -> None:
    """Remove all items of a layout and delete their widgets."""
    while layout.count():
        taken = layout.takeAt(0)
        if (widget := taken.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := taken.layout()) is not None:
            clear_layout(inner)
