"""Drawing a rectangle on a page of a PDF, or changing one, with the mouse or the arrow keys.

Owns the rectangle until it is kept. It is held in parts of its page, so that scrolling and zoom
leave it where it is. A `Snapper` returns the area of what is printed there. The receivers of
`drawn` and `changed` store it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QInputEvent, QKeyEvent, QMouseEvent, QPainter, QPen

from desktop_app.engine.highlight_colors import DEFAULT_COLOR
from desktop_app.engine.services.annotations import Area

from ..look import paint_area, paint_grips, place_grips
from ..view import DocumentView
from .layout import in_page

LEAST_SIDE = 8.0  # pixels: less is a click
STEP, FINE_STEP = 16.0, 2.0  # pixels by which a key moves the rectangle or its lower right corner
FIRST_SHARE = 0.4  # of the part of a page in sight: the rectangle that a key begins with
NEAR_EDGE = 24.0  # pixels between the rectangle and the edge of the window
GRIP_REACH = 4.0  # pixels around a grip where it is taken hold of, too
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


DRAWN_OPACITY = 0.55  # of the rectangle as it is drawn, inside or outside the one that is kept


class Snapper(Protocol):
    """Finds the printed area that a rectangle means; both on the page as it is shown."""

    def snap(self, area: Area) -> Area: ...

    def snap_sides(self, before: Area, area: Area) -> Area: ...

    def find_block(self, index: int, x: float, y: float) -> Area | None: ...


@dataclass
class _Rectangle:
    """Two opposite corners on a page, 0 to 1 of it."""

    page: int
    first: QPointF
    last: QPointF

    def area(self) -> Area:
        box = QRectF(self.first, self.last).normalized()
        left, top, right, bottom = box.left(), box.top(), box.right(), box.bottom()
        return Area(
            self.page, *(round(min(max(x, 0.0), 1.0), 5) for x in (left, top, right, bottom))
        )


class AreaTool(QObject):
    """While it is active, a drag on a page draws a rectangle; `drawn` carries it as an `Area`.

    The rectangle snaps to figures, tables and lines, unless Alt is held. A click on a figure or a
    table takes that.

    An arrow key begins with a rectangle in the middle of what is in sight, and moves it then; with
    Shift it moves the lower right corner, with Ctrl by small steps. Return keeps the rectangle,
    Esc gives it up. The sides of a kept area are changed with the same keys after `edit`, or with
    its grips; `changed` carries the annotation and the new area.

    Args:
        pages: returns the pages in sight.
        page_rect: returns the place of a page in the window, `card_rect` the part that is shown.
        snapper: finds the printed area that a rectangle means.
    """

    drawn = Signal(object)
    changed = Signal(int, object)

    def __init__(
        self,
        view: DocumentView,
        pages: Callable[[], Sequence[int]],
        page_rect: Callable[[int], QRectF],
        card_rect: Callable[[int], QRectF],
        snapper: Snapper,
    ) -> None:
        super().__init__(view)
        self._view, self._pages, self._snapper = view, pages, snapper
        self._page_rect, self._card_rect = page_rect, card_rect
        self.is_active = False
        self._color = DEFAULT_COLOR
        self._rectangle: _Rectangle | None = None
        self._kept: Area | None = None
        self._is_dragged = False
        self._is_free = False  # Alt is held: the rectangle is kept as it was drawn
        self._is_settled = False
        self._before: Area | None = None  # of the annotation whose sides are being changed
        self._grip: tuple[int, int] | None = None  # the sides that the mouse moves

    @property
    def area(self) -> Area | None:
        """The rectangle as it is being drawn."""
        return self._rectangle.area() if self._rectangle is not None else None

    @property
    def kept(self) -> Area | None:
        """The rectangle that is kept: it snaps to what is printed, unless Alt is held."""
        return self._kept

    def _find_kept(self) -> Area | None:
        area = self.area
        if area is None or self._is_free or self._is_settled or self._is_click(area):
            return area
        if self._view.edited_mark is not None and self._before is not None:
            return self._snapper.snap_sides(self._before, area)
        return self._snapper.snap(area)

    def _show(self, rectangle: _Rectangle | None, *, is_settled: bool = False) -> None:
        """Show a rectangle, and what is kept of it; painting computes nothing that may fail.

        Args:
            is_settled: it has snapped already.
        """
        self._rectangle, self._is_settled = rectangle, is_settled
        self._kept = self._find_kept()
        self._view.viewport().update()

    def set_active(self, active: bool) -> None:
        """Draw rectangles from now on, or leave the mouse to the selection."""
        self.is_active, self._is_free = active, False
        if active:
            for watched in (self._view, self._view.viewport()):
                watched.installEventFilter(self)  # before all others: it is called first
            self._view.viewport().setCursor(Qt.CursorShape.CrossCursor)
        else:
            for watched in (self._view, self._view.viewport()):
                watched.removeEventFilter(self)
            self._view.viewport().unsetCursor()
            self.clear()

    def edit(
        self, annotation_id: int, area: Area, color: str, grip: tuple[int, int] | None = None
    ) -> None:
        """Let the keys change the sides of an area, or the mouse that has pressed one of its grips.

        Args:
            area: as its page is shown.
        """
        self._view.edited_mark, self._before = annotation_id, area
        self._set(area)
        self._grip, self._is_dragged = grip, grip is not None
        self._color, self.is_active = color, True
        for watched in (self._view, self._view.viewport()):
            watched.installEventFilter(self)
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._view.viewport().update()

    def _end_edit(self) -> None:
        """Leave the mouse to the selection again; the rectangle stays until it is shown."""
        self._view.edited_mark = self._grip = None
        self._is_dragged = self.is_active = False
        for watched in (self._view, self._view.viewport()):
            watched.removeEventFilter(self)
        self._view.viewport().unsetCursor()
        self._view.viewport().update()

    def find_grip(self, area: Area, point: QPointF) -> tuple[int, int] | None:
        """Return the direction of the grip of an area at a point of the window.

        Args:
            area: as its page is shown.
        """
        reach = GRIP_REACH
        grips = place_grips(in_page(self._page_rect(area.page), area[1:]))
        found = (
            direction
            for direction, grip in grips.items()
            if grip.adjusted(-reach, -reach, reach, reach).contains(point)
        )
        return next(found, None)

    def set_color(self, color: str) -> None:
        self._color = color
        self._view.viewport().update()

    def clear(self) -> None:
        """Give up the rectangle, or the change of an area."""
        if self._view.edited_mark is not None:
            self._end_edit()
        self._is_dragged = False
        self._show(None)

    def paint(self, painter: QPainter, index: int, place: QRectF, ink: QColor) -> None:
        """Draw the rectangle, if it is on this page.

        Args:
            place: the page's rectangle in the window.
            ink: the full colour of what is drawn.
        """
        rectangle = self._rectangle
        if rectangle is None or rectangle.page != index:
            return
        drawn, kept = rectangle.area(), self.kept
        box = in_page(place, drawn[1:])
        if kept is not None and kept != drawn:
            painter.save()
            painter.setOpacity(DRAWN_OPACITY)
            painter.setPen(QPen(ink, 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)
            painter.restore()
            box = in_page(place, kept[1:])
        paint_area(painter, box, ink)
        paint_grips(painter, box, ink)

    @property
    def color(self) -> str:
        return self._color

    # --- events -----------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.is_active:
            return False
        kind = event.type()
        if isinstance(event, QInputEvent) and kind != QEvent.Type.ShortcutOverride:
            self._follow_alt(event)
        if watched is self._view:
            is_key = kind in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)
            return is_key and self._press_key(cast(QKeyEvent, event))
        if kind == QEvent.Type.MouseButtonPress:
            return self._press(cast(QMouseEvent, event))
        if kind == QEvent.Type.MouseMove:
            self._move(cast(QMouseEvent, event))
            return True
        if kind == QEvent.Type.MouseButtonRelease and self._is_dragged:
            self._is_dragged = False
            self.keep()
            return True
        return False

    def _follow_alt(self, event: QInputEvent) -> None:
        """Snap, or keep the rectangle as it is drawn, as long as Alt is held."""
        is_free = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
            is_free = event.type() == QEvent.Type.KeyPress
        if is_free != self._is_free:
            self._is_free = is_free
            self._show(self._rectangle, is_settled=self._is_settled)

    def _press(self, event: QMouseEvent) -> bool:
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        if self._view.edited_mark is not None and self._rectangle is not None:
            self._grip = self.find_grip(self._rectangle.area(), event.position())
            self._is_dragged = self._grip is not None
            if self._grip is None:
                self.keep()  # a press beside it ends the change
            return True
        self._view.setFocus(Qt.FocusReason.MouseFocusReason)
        for index in self._pages():
            if self._card_rect(index).contains(event.position()):
                corner = self._in_page(index, event.position())
                self._show(_Rectangle(index, corner, corner))
                self._is_dragged = True
        return True

    def _move(self, event: QMouseEvent) -> None:
        if self._view.edited_mark is None:
            self._view.viewport().setCursor(Qt.CursorShape.CrossCursor)
        if not self._is_dragged or self._rectangle is None:
            return
        y, height = event.position().y(), self._view.viewport().height()
        if y < 0 or y > height:
            # the farther outside, the faster
            self._view.scroll_by(y / 3 if y < 0 else (y - height) / 3 + 1)
        card = self._card_rect(self._rectangle.page)
        x = min(max(event.position().x(), card.left()), card.right())
        y = min(max(y, card.top()), card.bottom())
        point = self._in_page(self._rectangle.page, QPointF(x, y))
        if self._grip is None:
            self._show(_Rectangle(self._rectangle.page, self._rectangle.first, point))
        else:
            self._pull(self._grip, point)

    def _pull(self, grip: tuple[int, int], point: QPointF) -> None:
        """Move the sides of a grip to a point of the page, at most as far as the others are."""
        if self._rectangle is None:
            return
        place = self._page_rect(self._rectangle.page)
        least = LEAST_SIDE / max(1.0, place.width()), LEAST_SIDE / max(1.0, place.height())
        box = QRectF(self._rectangle.first, self._rectangle.last).normalized()
        if grip[0] < 0:
            box.setLeft(min(point.x(), box.right() - least[0]))
        elif grip[0] > 0:
            box.setRight(max(point.x(), box.left() + least[0]))
        if grip[1] < 0:
            box.setTop(min(point.y(), box.bottom() - least[1]))
        elif grip[1] > 0:
            box.setBottom(max(point.y(), box.top() + least[1]))
        self._show(_Rectangle(self._rectangle.page, box.topLeft(), box.bottomRight()))

    def _in_page(self, index: int, point: QPointF) -> QPointF:
        """Return a point of the window in parts of a page."""
        place = self._page_rect(index)
        return QPointF(
            (point.x() - place.left()) / max(1.0, place.width()),
            (point.y() - place.top()) / max(1.0, place.height()),
        )

    def _is_click(self, area: Area) -> bool:
        """Return whether a rectangle is as small as one that a click makes."""
        box = in_page(self._page_rect(area.page), area[1:])
        return min(box.width(), box.height()) < LEAST_SIDE

    def keep(self) -> None:
        """Emit `changed`, or `drawn`; a click takes the figure or table there, if there is one."""
        area, kept = self.area, self.kept
        if area is None or kept is None:
            return
        if (annotation_id := self._view.edited_mark) is not None:
            self._end_edit()
            self._set(kept)
            if kept == self._before:
                self.clear()
            else:
                self.changed.emit(annotation_id, kept)
            return
        if self._is_click(area):
            found = None
            if not self._is_free:
                x, y = (area.left + area.right) / 2, (area.top + area.bottom) / 2
                found = self._snapper.find_block(area.page, x, y)
            if found is None:
                self.clear()
                return
            kept = found
        self._set(kept)
        self.drawn.emit(kept)

    def _set(self, area: Area) -> None:
        """Show the rectangle that is kept until it is shown as an annotation."""
        first, last = QPointF(area.left, area.top), QPointF(area.right, area.bottom)
        self._show(_Rectangle(area.page, first, last), is_settled=True)

    # --- keys -------------------------------------------------------------------------------

    def _press_key(self, event: QKeyEvent) -> bool:
        command = self._find_command(event)
        if command is None:
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            command()
            return True
        return False

    def _find_command(self, event: QKeyEvent) -> Callable[[], object] | None:
        key = event.key()
        if key in _ARROWS:
            modifiers = event.modifiers()
            step = FINE_STEP if modifiers & Qt.KeyboardModifier.ControlModifier else STEP
            resizes = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
            x, y = _ARROWS[Qt.Key(key)]
            return lambda: self._step(x * step, y * step, resizes=resizes)
        if self._rectangle is None:
            return None
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return self.keep
        return self.clear if key == Qt.Key.Key_Escape else None

    def _step(self, dx: float, dy: float, *, resizes: bool) -> None:
        """Move the rectangle or its lower right corner by pixels; begin with one without it."""
        if self._rectangle is None:
            self._begin()
            return
        page = self._rectangle.page
        place, card = self._page_rect(page), self._card_rect(page)
        box = in_page(place, self._rectangle.area()[1:])
        if resizes:
            right = min(max(box.right() + dx, box.left() + LEAST_SIDE), card.right())
            bottom = min(max(box.bottom() + dy, box.top() + LEAST_SIDE), card.bottom())
            box = QRectF(box.topLeft(), QPointF(right, bottom))
        else:
            left = max(min(box.left() + dx, card.right() - box.width()), card.left())
            top = max(min(box.top() + dy, card.bottom() - box.height()), card.top())
            box.moveTo(left, top)
        first, last = (self._in_page(page, p) for p in (box.topLeft(), box.bottomRight()))
        self._show(_Rectangle(page, first, last))
        height = self._view.viewport().height()
        if box.bottom() > height - NEAR_EDGE and dy > 0:
            self._view.scroll_by(box.bottom() - height + NEAR_EDGE)
        elif box.top() < NEAR_EDGE and dy < 0:
            self._view.scroll_by(box.top() - NEAR_EDGE)

    def _begin(self) -> None:
        """Draw a rectangle in the middle of the page that has most of the window."""
        window = QRectF(self._view.viewport().rect())
        seen = {index: self._card_rect(index).intersected(window) for index in self._pages()}
        if not seen:
            return
        index = max(seen, key=lambda one: seen[one].width() * seen[one].height())
        room = seen[index]
        box = QRectF(0, 0, FIRST_SHARE * room.width(), FIRST_SHARE * room.height())
        box.moveCenter(room.center())
        first, last = (self._in_page(index, p) for p in (box.topLeft(), box.bottomRight()))
        self._show(_Rectangle(index, first, last))
