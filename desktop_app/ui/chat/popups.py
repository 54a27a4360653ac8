"""The position of a panel next to its button."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

GAP = 4


def show_by(panel: QWidget, button: QWidget) -> None:
    """Show a panel above a button if it fits there, else below, within the screen."""
    area = button.screen().availableGeometry()
    corner = button.mapToGlobal(QPoint(0, 0))
    top = corner.y() - panel.height() - GAP
    if top < area.top():
        top = corner.y() + button.height() + GAP
    left = min(corner.x(), area.right() - panel.width() - 8)
    panel.move(max(area.left() + 8, left), max(area.top(), top))
    panel.show()
