"""Mouse, wheel and keys on the canvas, and the lasso selection.

Acts only through public methods and signals of the canvas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from ..language import later
from ..theme.theme import Theme
from .frame import ViewFrame
from .picking import find_neighbour
from .tooltips import describe_entity, describe_relation

if TYPE_CHECKING:
    from .canvas import GraphCanvas


DRAG_PX = 4
# Shift draws a rectangle, Alt a freehand line; both, and Ctrl, add to the selection.
DRAWING = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier
ADDING = DRAWING | Qt.KeyboardModifier.ControlModifier
ARROWS = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0),
    Qt.Key.Key_Down: (0.0, 1.0),
}


ACTION_KEYS = {
    Qt.Key.Key_E: "expand",
    Qt.Key.Key_H: "hide",
    Qt.Key.Key_Delete: "hide",
    Qt.Key.Key_K: "keep",
    Qt.Key.Key_W: "way",
    Qt.Key.Key_P: "pin",
    Qt.Key.Key_F: "full",
}
# keys of the focused canvas, for the list of shortcuts
SPOKEN_KEYS = (
    ("←", later("Choose the next name in that direction")),
    ("Return", later("Open the chosen name")),
    ("+", later("Larger")),
    ("-", later("Smaller")),
    ("0", later("Show the whole graph")),
    ("Z", later("Show what is chosen")),
    ("E", later("Show more around the chosen name")),
    ("H", later("Hide the chosen names")),
    ("K", later("Keep only the chosen names")),
    ("P", later("Pin the chosen names")),
    ("W", later("Find the way between two names")),
    ("F", later("Full screen")),
    ("Shift+F10", later("Menu of the chosen name")),
)


class Gestures(QObject):
    """Handles the events of a canvas and its viewport."""

    menu_wanted = Signal(object, object)
    action_wanted = Signal(str)

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._press: QPointF | None = None
        self._last = QPointF()
        self._row: int | None = None
        self._dragging = False
        self._drawing = self._adding = False
        self._pointer: QPointF | None = None
        # Hit testing runs once a frame, however many mouse events arrive.
        self._hover_timer = QTimer(self, singleShot=True, interval=16)
        self._hover_timer.timeout.connect(self._hover)
        canvas.installEventFilter(self)
        canvas.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._canvas:
            return kind == QEvent.Type.KeyPress and self._key(event)
        if kind == QEvent.Type.MouseMove:
            return self._move(event)
        if kind == QEvent.Type.MouseButtonPress:
            return self._start(event)
        if kind == QEvent.Type.MouseButtonRelease:
            return self._end(event)
        if kind == QEvent.Type.MouseButtonDblClick:
            return self._activate(event)
        if kind == QEvent.Type.Wheel:
            return self._wheel(event)
        if kind == QEvent.Type.ToolTip:
            return self._show_tooltip(event)
        if kind == QEvent.Type.Leave:
            self._pointer = None
            self._canvas.hover_row(None)
        return False

    # --- mouse ----------------------------------------------------------------------------

    def _start(self, event: QMouseEvent) -> bool:
        self._canvas.setFocus(Qt.FocusReason.MouseFocusReason)
        row = self._canvas.disc_at(event.position())
        if event.button() == Qt.MouseButton.RightButton:
            if row is not None and row not in self._canvas.focus.chosen:
                self._canvas.select_row(row)
            self.menu_wanted.emit(row, event.globalPosition().toPoint())
        elif event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._press = self._last = event.position()
            self._row = row if event.button() == Qt.MouseButton.LeftButton else None
            self._dragging = False
            keys = event.modifiers()
            self._adding = bool(keys & ADDING)
            self._drawing = event.button() == Qt.MouseButton.LeftButton and bool(keys & DRAWING)
            if self._drawing:
                by_hand = bool(keys & Qt.KeyboardModifier.AltModifier)
                self._canvas.lasso.begin(event.position(), by_hand=by_hand)
        return True

    def _move(self, event: QMouseEvent) -> bool:
        at = event.position()
        self._pointer = at
        if self._press is None:
            if not self._hover_timer.isActive():
                self._hover_timer.start()
            return True
        if not self._dragging and (at - self._press).manhattanLength() < DRAG_PX:
            return True
        if self._drawing:
            self._dragging = True
            self._canvas.lasso.draw_to(at)
            return True
        if not self._dragging:
            self._dragging = True
            self._canvas.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        if self._row is not None:
            self._canvas.move_disc(self._row, at)
        else:
            self._canvas.pan(at - self._last)
        self._last = at
        return True

    def _end(self, event: QMouseEvent) -> bool:
        if self._press is None:
            return True
        if self._drawing:
            self._drawing = False
            rows = self._canvas.lasso.finish(self._canvas.frame())
            if self._dragging:
                self._canvas.choose(self._canvas.focus.chosen.union(rows))
                self._press, self._row, self._dragging = None, None, False
                return True
        if not self._dragging:
            if self._row is not None and self._adding:
                self._canvas.toggle_row(self._row)
            elif self._row is None:
                self._canvas.select_row(None)
            else:
                self._canvas.select_row(self._row)
        elif self._row is not None:
            self._canvas.places_changed.emit()
        self._press, self._row, self._dragging = None, None, False
        self._canvas.viewport().unsetCursor()
        return True

    def _activate(self, event: QMouseEvent) -> bool:
        row = self._canvas.disc_at(event.position())
        if row is not None and event.button() == Qt.MouseButton.LeftButton:
            self._canvas.entity_activated.emit(int(self._canvas.data.entities[row].id))
        return True

    def _wheel(self, event: QWheelEvent) -> bool:
        turns = event.angleDelta().y() / 120
        if turns:
            self._canvas.zoom(1.2**turns, event.position())
        return True

    def forget(self) -> None:
        """Cancel a drag or lasso, because row numbers have changed."""
        self._press, self._row, self._dragging = None, None, False
        self._drawing = False
        self._canvas.lasso.hide()
        self._hover_timer.stop()

    def _hover(self) -> None:
        if self._pointer is None or self._press is not None:
            return
        row = self._canvas.disc_at(self._pointer)
        relation = None if row is not None else self._canvas.relation_at(self._pointer)
        self._canvas.hover_row(row, relation)
        pointing = row is not None
        shape = Qt.CursorShape.PointingHandCursor if pointing else Qt.CursorShape.ArrowCursor
        self._canvas.viewport().setCursor(shape)

    def _show_tooltip(self, event: QHelpEvent) -> bool:
        at = QPointF(event.pos())
        data = self._canvas.data
        row = self._canvas.disc_at(at)
        relation = None if row is not None else self._canvas.relation_at(at)
        if row is not None:
            text = describe_entity(data.entities[row])
        elif relation is not None:
            text = describe_relation(data.relations[relation])
        else:
            QToolTip.hideText()
            return True
        QToolTip.showText(event.globalPos(), text, self._canvas)
        return True

    # --- keys -----------------------------------------------------------------------------

    def _key(self, event: QKeyEvent) -> bool:
        canvas, key = self._canvas, event.key()
        selected = canvas.focus.selected
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            return False  # Alt and an arrow go back and forward
        if key in ARROWS and len(canvas.data):
            if selected is None:
                shown = canvas.data.by_size[canvas.data.shown[canvas.data.by_size]]
                nearest = int(shown[0]) if len(shown) else None
            else:
                nearest = find_neighbour(canvas.data, selected, ARROWS[key])
            if nearest is not None:
                canvas.select_row(nearest, reveal=True)
            return True
        if key == Qt.Key.Key_Escape:
            canvas.hover_row(None)
            canvas.select_row(None)
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and selected is not None:
            canvas.entity_activated.emit(int(canvas.data.entities[selected].id))
            return True
        if key == Qt.Key.Key_Menu or (
            key == Qt.Key.Key_F10 and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        ):
            self._ask_for_menu(selected)
            return True
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            canvas.zoom(1.25)
            return True
        if key == Qt.Key.Key_Minus:
            canvas.zoom(0.8)
            return True
        if key == Qt.Key.Key_0:
            canvas.fit()
            return True
        if key == Qt.Key.Key_Z and canvas.focus.chosen:
            canvas.fit_rows(sorted(canvas.focus.chosen))
            return True
        if event.matches(QKeySequence.StandardKey.SelectAll):
            canvas.choose(canvas.data.shown.nonzero()[0])
            return True
        if key in ACTION_KEYS and not event.modifiers():
            self.action_wanted.emit(ACTION_KEYS[key])
            return True
        return False

    def _ask_for_menu(self, row: int | None) -> None:
        """Open the menu beside the selected node, or in the middle of the canvas."""
        canvas = self._canvas
        at = canvas.rect().center()
        if row is not None:
            canvas.ensure_visible(row)
            at = QPoint(*canvas.frame().points[row].round().astype(int).tolist())
        self.menu_wanted.emit(row, canvas.mapToGlobal(at))


CLOSEST = 3.0


class Lasso(QWidget):
    """The outline being drawn over the canvas; transparent for the mouse."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._points: list[QPointF] = []
        self.by_hand = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def begin(self, at: QPointF, *, by_hand: bool) -> None:
        self._points, self.by_hand = [at], by_hand
        self.resize(self.parentWidget().size())
        self.show()
        self.raise_()

    def draw_to(self, at: QPointF) -> None:
        if self.by_hand:
            if (at - self._points[-1]).manhattanLength() >= CLOSEST:
                self._points.append(at)
        else:
            self._points[1:] = [at]
        self.update()

    def finish(self, frame: ViewFrame) -> list[int]:
        """End the drawing and return the rows of the nodes inside."""
        outline = self._outline()
        self._points = []
        self.hide()
        rows = frame.rows
        if len(outline) < 3 or not len(rows):
            return []
        return [int(row) for row in rows[find_inside(frame.points[rows], outline)]]

    def _outline(self) -> np.ndarray:
        points = self._points
        if not self.by_hand and len(points) == 2:
            box = QRectF(points[0], points[1]).normalized()
            points = [box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()]
        return np.array([(p.x(), p.y()) for p in points])

    def paintEvent(self, event: QPaintEvent) -> None:
        outline = self._outline()
        if len(outline) < 2:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("accent"), 1.2, Qt.PenStyle.DashLine))
        painter.setBrush(self._theme.color("accent", 0.1))
        painter.drawPolygon(QPolygonF([QPointF(*point) for point in outline]))
        painter.end()


def find_inside(points: np.ndarray, outline: np.ndarray) -> np.ndarray:
    """Return which points (N, 2) lie inside a closed outline (M, 2), by ray casting."""
    x, y = points[:, 0], points[:, 1]
    found = np.zeros(len(points), dtype=bool)
    for (ax, ay), (bx, by) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        if ay == by:
            continue
        crosses = (ay > y) != (by > y)
        found ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return found
