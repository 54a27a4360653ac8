"""The grips of the chosen area: the mouse takes hold of one, and `AreaTool` changes the sides.

Owns the cursor over a grip and the press on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QMouseEvent

from desktop_app.engine.services.annotations import Annotation, Area

from ..view import DocumentView
from .area_tool import AreaTool


def find_cursor(grip: tuple[int, int]) -> Qt.CursorShape:
    """Return the cursor over a grip, by its direction."""
    shapes, (x, y) = Qt.CursorShape, grip
    if not x or not y:
        return shapes.SizeHorCursor if x else shapes.SizeVerCursor
    return shapes.SizeFDiagCursor if x == y else shapes.SizeBDiagCursor


class AreaGrips(QObject):
    """Watches the mouse over the grips of the area that is chosen.

    Args:
        pages: returns the pages in sight.
        shown_area: returns an area as its page is shown.
    """

    def __init__(
        self,
        view: DocumentView,
        tool: AreaTool,
        pages: Callable[[], Sequence[int]],
        shown_area: Callable[[Area], Area],
    ) -> None:
        super().__init__(view)
        self._view, self._tool, self._pages, self._shown_area = view, tool, pages, shown_area
        self._is_over = False
        view.viewport().installEventFilter(self)

    def find_chosen(self) -> Annotation | None:
        """Return the chosen annotation, if it is an area that is still on its page."""
        chosen = self._view.chosen_mark
        found = (mark for mark in self._view.marks if mark.id == chosen and not mark.lost)
        mark = next(found, None)
        return mark if mark is not None and mark.area is not None else None

    def edit_chosen(self) -> None:
        """Let the keys change the sides of the chosen area."""
        mark = self.find_chosen()
        if mark is not None and mark.area is not None:
            self._tool.edit(mark.id, self._shown_area(mark.area), mark.color)

    def _find_grip(self, point: QPointF) -> tuple[int, int] | None:
        mark = self.find_chosen()
        if mark is None or mark.area is None or mark.area.page not in self._pages():
            return None
        return self._tool.find_grip(self._shown_area(mark.area), point)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if self._tool.is_active or kind not in (
            QEvent.Type.MouseButtonPress,
            QEvent.Type.MouseMove,
        ):
            return False
        mouse = cast(QMouseEvent, event)
        grip = self._find_grip(mouse.position())
        if kind == QEvent.Type.MouseMove:
            if grip is not None and not mouse.buttons():
                self._view.viewport().setCursor(find_cursor(grip))
            elif self._is_over:
                self._view.viewport().unsetCursor()
            self._is_over = grip is not None
            return self._is_over and not mouse.buttons()
        mark = self.find_chosen()
        is_left = mouse.button() == Qt.MouseButton.LeftButton
        if grip is None or mark is None or mark.area is None or not is_left:
            return False
        self._tool.edit(mark.id, self._shown_area(mark.area), mark.color, grip)
        return True
