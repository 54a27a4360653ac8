"""The pointer over PDF pages: what is under it, and dragging pages where there is no text.

Owns the grip and the two questions. What a press on text does is the selection's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent

from .page_painting import in_page
from .pdf_layout import GAP
from .view import Name

if TYPE_CHECKING:
    from .pdf_view import PdfView


def nearest_letter(
    view: PdfView, x: float, y: float, *, inside: bool = False
) -> tuple[int, float] | None:
    """Return the offset nearest to a point and how many points of the page away it is.

    None while the page's letters are not known.

    Args:
        inside: answer only for points on a page.
    """
    for index in view.pages_in_sight():
        place = view.page_rect(index)
        beyond = y > place.bottom() + GAP / 2 and index + 1 < len(view.work.sizes)
        if beyond or (inside and not place.contains(QPointF(x, y))):
            continue
        letters = view.work.letters(index)
        if letters is None:
            view.work.wake()
            return None
        if not len(letters.offsets):
            pages = view.work.pages
            return (pages[index].start, float("inf")) if index < len(pages) else None
        across = (x - place.left()) / place.width()
        return letters.nearest(across, (y - place.top()) / place.height())
    return None


def lacks_letters(view: PdfView, x: float, y: float) -> bool:
    """Say whether a point is on a page whose letters are still being looked for."""
    return any(
        index < len(view.work.pages)
        and view.work.letters(index) is None
        and view.page_rect(index).contains(QPointF(x, y))
        for index in view.pages_in_sight()
    )


def name_under(view: PdfView, point: QPointF) -> Name | None:
    """Return the name that stands under a point of the window, as far as names are shown."""
    for index in view.pages_in_sight():
        place = view.page_rect(index)
        if place.contains(point) and index < len(view.work.pages):
            page = view.work.pages[index]
            for name in view.names_in(page.start, page.end):
                for box in view.work.boxes((name[0], name[1]), index):
                    if in_page(place, box).adjusted(-1, -2, 1, 3).contains(point):
                        return name
    return None


class PagePointer(QObject):
    """Takes presses beside the text, and those of the middle button, before the selection does."""

    def __init__(self, view: PdfView) -> None:
        super().__init__(view)
        self._view = view
        self._grip: QPoint | None = None
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress:
            return self._press(event)
        if kind == QEvent.Type.MouseMove and self._grip is not None:
            self._drag(event)
            return True
        if kind == QEvent.Type.MouseButtonRelease and self._grip is not None:
            self._grip = None
            self._view.viewport().unsetCursor()
            return True
        return False

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
        return True

    def _drag(self, event: QMouseEvent) -> None:
        view, here = self._view, event.position().toPoint()
        moved, self._grip = here - self._grip, here
        for bar, step in (
            (view.verticalScrollBar(), moved.y()),
            (view.horizontalScrollBar(), moved.x()),
        ):
            bar.setValue(bar.value() - step)
        view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
