"""The list of commands over the question box while one is typed.

Owns which row is chosen. Takes no focus: the box goes on being typed in and passes keys on.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import TextDelegate
from desktop_app.ui.widgets.tables import SUBTITLE_ROLE

from .slash import Command

MOST_ROWS = 8
WIDTH = 440
NAME_ROLE = Qt.ItemDataRole.UserRole


class SlashMenu(QFrame):
    """`picked` gives the name of a command."""

    picked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("palette")
        self.rows = QListWidget(self)
        self.rows.setAccessibleName(tr("Commands"))
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.rows.setFrameShape(QFrame.Shape.NoFrame)
        self.rows.setMouseTracking(True)
        self.rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.setItemDelegate(TextDelegate(theme, self.rows))
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self.rows)
        self.rows.itemClicked.connect(self._pick)
        self.hide()

    def show_commands(self, commands: Sequence[Command], over: QWidget) -> None:
        """Show these over a widget; none of them hides the list."""
        self.rows.clear()
        for command in commands:
            row = QListWidgetItem(f"/{command.name}", self.rows)
            row.setData(SUBTITLE_ROLE, tr(command.words))
            row.setData(NAME_ROLE, command.name)
            row.setData(Qt.ItemDataRole.AccessibleDescriptionRole, tr(command.words))
        if not commands:
            self.hide()
            return
        self.rows.setCurrentRow(0)
        self.show()
        row_height = max(self.rows.sizeHintForRow(0), 28)
        self.resize(
            QSize(min(WIDTH, over.width()), min(MOST_ROWS, len(commands)) * row_height + 10)
        )
        corner = over.mapTo(self.parentWidget(), QPoint(0, -self.height() - 4))
        self.move(corner)
        self.raise_()

    def take_key(self, key: int) -> bool:
        """Go up or down, choose, or close; return whether the key meant the list."""
        if not self.isVisible():
            return False
        row, last = self.rows.currentRow(), self.rows.count() - 1
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            by = 1 if key == Qt.Key.Key_Down else -1
            self.rows.setCurrentRow(min(last, max(0, row + by)))
            return True
        if key in (Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pick(self.rows.currentItem())
            return True
        if key == Qt.Key.Key_Escape:
            self.hide()
            return True
        return False

    def _pick(self, row: QListWidgetItem | None) -> None:
        if row is not None:
            self.hide()
            self.picked.emit(row.data(NAME_ROLE))
