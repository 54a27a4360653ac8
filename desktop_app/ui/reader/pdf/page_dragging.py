"""Dragging the pages of a PDF with the mouse, outside the text or with the middle button.

A press that does not move is a click on the area of the page under it, if there is one.
"""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QMouseEvent

from ..view import DocumentView

CLICK_REACH = 4  # pixels: the hand moves so far while it clicks


class PagePointer(QObject):
    """Drags the page: handles presses outside the text and of the middle button."""

    def __init__(self, view: DocumentView) -> None:
        super().__init__(view)
        self._view = view
        self._grip: QPoint | None = None
        self._clicked: QPoint | None = None  # where it was pressed, until it is dragged
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress:
            return self._press(cast(QMouseEvent, event))
        if kind == QEvent.Type.MouseMove and self._grip is not None:
            self._drag(cast(QMouseEvent, event), self._grip)
            return True
        if kind == QEvent.Type.MouseButtonRelease and self._grip is not None:
            self._grip = None
            self._view.viewport().unsetCursor()
            self._click()
            return True
        return False

    def _click(self) -> None:
        point = self._clicked
        mark_id = self._view.mark_at(point.x(), point.y()) if point is not None else None
        if point is not None and mark_id is not None:
            self._view.set_chosen_mark(mark_id)  # with the grips of an area
            self._view.mark_clicked.emit(mark_id, self._view.viewport().mapToGlobal(point))

    def _press(self, event: QMouseEvent) -> bool:
        point = event.position()
        left = event.button() == Qt.MouseButton.LeftButton
        x, y = point.x(), point.y()
        on_text = self._view.is_text_at(x, y) or self._view.name_at(x, y) is not None
        beside = left and not event.modifiers() and not on_text
        if not beside and event.button() != Qt.MouseButton.MiddleButton:
            return False
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        if left:
            self._view.selection.clear()
        self._grip = point.toPoint()
        self._clicked = self._grip if left else None
        return True

    def _drag(self, event: QMouseEvent, grip: QPoint) -> None:
        view, here = self._view, event.position().toPoint()
        moved, self._grip = here - grip, here
        if self._clicked is not None and (here - self._clicked).manhattanLength() >= CLICK_REACH:
            self._clicked = None
        for bar, step in (
            (view.verticalScrollBar(), moved.y()),
            (view.horizontalScrollBar(), moved.x()),
        ):
            bar.setValue(bar.value() - step)
        view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
