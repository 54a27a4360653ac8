"""The frame of dialogs: a title, a scrolling body, one line of buttons.

Owns sizes and margins only.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from .labels import Label
from .layout import STRETCH, Hairline, build_row, scroll_area

MARGIN = 24


class Sheet(QDialog):
    """A dialog over the window; Escape closes it, closing deletes it."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.title = Label(title, "title", wrap=True)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, MARGIN, 0, 16)
        self.column.setSpacing(12)
        self.add(self.title)

    def add(self, widget: QWidget) -> None:
        """Add a widget at the bottom, with the margins of the sheet."""
        self.column.addLayout(inset(widget))

    def add_foot(
        self, right: Sequence[QPushButton], left: Sequence[QPushButton] = (), *, line: bool = False
    ) -> None:
        """Add the buttons; the last one at the right is the default."""
        if line:
            self.column.addWidget(Hairline())
        for button in (*right, *left):
            button.setAutoDefault(False)
        right[-1].setDefault(True)
        foot = build_row(*left, STRETCH, *right, spacing=8, margins=(MARGIN, 0, MARGIN, 0))
        self.column.addLayout(foot)

    def fit_content(self, width: int) -> None:
        """Set the width, more if texts that don't wrap need it, and the height for it."""
        self.column.activate()
        around = self.parentWidget()
        room = around.window().width() - 32 if around is not None else width
        width = max(width, min(room, self.column.minimumSize().width()))
        self.setFixedWidth(width)
        self.column.activate()
        self.setFixedHeight(self.column.totalHeightForWidth(width))

    def fit(self, width: int, height: int) -> None:
        """Set this size, limited by the screen and the parent window."""
        around = self.parentWidget()
        room = (around or self).screen().availableSize() - QSize(32, 64)
        if around is not None and (window := around.window()).isVisible():
            room = room.boundedTo(window.size() - QSize(32, 32))
        self.resize(min(width, room.width()), min(height, room.height()))


def inset(widget: QWidget) -> QHBoxLayout:
    """Return a widget with a sheet's margins at its sides."""
    return build_row(widget, margins=(MARGIN, 0, MARGIN, 0), spacing=0)


def scrolling(body: QWidget) -> QScrollArea:
    """Return a scroll area as wide as the sheet."""
    body.setContentsMargins(MARGIN, 0, MARGIN - 8, 8)
    body.setObjectName("screenBody")
    return scroll_area(body)
