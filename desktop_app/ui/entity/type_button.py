"""The type of a name as a chip that is pressed to choose another one, by mouse or by key."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import TypeChip, format_type

PRESSING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Down)


class TypeButton(TypeChip):
    """Emits `menu_wanted` with the point under it."""

    menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "other", parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_type(self, entity_type: str) -> None:
        words = format_type(entity_type)
        self.set_type(entity_type, words)
        self.setAccessibleName(tr("Change type: {type}", type=words))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._ask()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in PRESSING:
            self._ask()
        else:
            super().keyPressEvent(event)

    def _ask(self) -> None:
        self.menu_wanted.emit(self.mapToGlobal(self.rect().bottomLeft()))
