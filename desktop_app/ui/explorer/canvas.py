"""The canvas: draws the nodes, relations and labels of one view; selection, mouse and keys.

Owns the shown data and the selection. `layers` and `labels` paint, `zooming` holds the viewport.
Knows neither services nor the screen around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsView, QToolTip, QWidget

from desktop_app.engine.graph.view.graph_data import (
    Filters,
    GraphData,
    apply_filters,
    build_graph_data,
)
from desktop_app.engine.model import EntityRow, Subgraph

from ..theme.design_tokens import Tokens
from ..theme.theme import Theme
from ..translation import later, tr, trn
from ..widgets import KeyDescriptions
from ..widgets.words import format_type, shorten_list
from .animations import FadeAnimation, FadePace, MoveAnimation, find_start_places
from .frame import Focus, Layer, Scene, ViewFrame, build_frame, find_neighbour
from .labels import LabelLayer
from .layers import DiscLayer, GuideLayer, LayerItem, RelationLayer
from .node_colors import FIRST_NUMBERS, GraphPalette, build_graph_palette
from .tooltips import build_entity_tooltip, build_relation_tooltip
from .zooming import ZoomingView

FEW_NEIGHBOURS = 5  # named for screen readers, the strongest first
DRAG_PX, LASSO_STEP_PX = 4, 3.0
CLEAR = 8  # pixels between a panel and a label
# Shift draws a rectangle, Alt a freehand line; both, and Ctrl, add to the selection.
DRAWING = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier
ADDING = DRAWING | Qt.KeyboardModifier.ControlModifier
ARROWS: dict[int, tuple[float, float]] = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0),
    Qt.Key.Key_Down: (0.0, 1.0),
}

ACTION_KEYS: dict[int, str] = {
    Qt.Key.Key_E: "expand",
    Qt.Key.Key_H: "hide",
    Qt.Key.Key_Delete: "hide",
    Qt.Key.Key_K: "keep",
    Qt.Key.Key_W: "path",
    Qt.Key.Key_P: "pin",
    Qt.Key.Key_F: "full",
}
# for the list of shortcuts
KEYS = (
    ("←", later("Select the next name in that direction")),
    ("Return", later("Open the selected name")),
    ("+", later("Zoom in")),
    ("-", later("Zoom out")),
    ("0", later("Fit everything")),
    ("Z", later("Zoom to selection")),
    ("E", later("Expand the selected names")),
    ("H", later("Hide the selected names")),
    ("K", later("Show only the selected names")),
    ("P", later("Pin the selected names")),
    ("W", later("Find path between two names")),
    ("F", later("Full screen")),
    ("Shift+F10", later("Context menu")),
)


def describe_selection(data: GraphData, focus: Focus) -> str:
    """Return the selection and its neighbours in words, or the size of the view."""
    row = focus.selected
    if row is None and len(focus.chosen) > 1:
        return trn("{n} name selected", "{n} names selected", len(focus.chosen))
    if row is None or row >= len(data):
        n_relations = (
            int((data.wanted & data.shown[data.pairs].all(1)).sum()) if len(data.pairs) else 0
        )
        names = trn("{n} name", "{n} names", int(data.shown.sum()))
        return trn(
            "{names}, {n} connection. Arrow keys go from name to name.",
            "{names}, {n} connections. Arrow keys go from name to name.",
            n_relations,
            names=names,
        )
    entity = data.entities[row]
    near = [" ".join(data.entities[other].name.split()) for other in data.neighbours_of(row)]
    who = {"name": " ".join(entity.name.split()), "type": format_type(entity.type)}
    text = tr("{name}, {type}, pinned", **who) if data.pinned[row] else tr("{name}, {type}", **who)
    if not near:
        return tr("{name}, no connections in this view", name=text)
    return tr("{name}, connected to {others}", name=text, others=shorten_list(near, FEW_NEIGHBOURS))


def announce(widget: QWidget, text: str) -> None:
    """Set the accessible description and have a screen reader read it."""
    if widget.accessibleDescription() == text:
        return
    widget.setAccessibleDescription(text)
    if QAccessible.isActive():
        changed = QAccessible.Event.DescriptionChanged
        QAccessible.updateAccessibility(QAccessibleEvent(widget, changed))
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


class Lasso(QWidget):
    """The outline being drawn over the canvas; transparent for the mouse."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._ground = theme, parent
        self._points: list[QPointF] = []
        self.by_hand = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def begin(self, at: QPointF, *, by_hand: bool) -> None:
        self._points, self.by_hand = [at], by_hand
        self.resize(self._ground.size())
        self.show()
        self.raise_()

    def draw_to(self, at: QPointF) -> None:
        if self.by_hand:
            if (at - self._points[-1]).manhattanLength() >= LASSO_STEP_PX:
                self._points.append(at)
        else:
            self._points[1:] = [at]
        self.update()

    def finish(self, frame: ViewFrame) -> list[int]:
        """End the drawing and return the rows of the nodes inside."""
        outline, rows = self._outline(), frame.rows
        self._points = []
        self.hide()
        return rows[find_inside(frame.points[rows], outline)].tolist() if len(outline) > 2 else []

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


class Gestures(QObject):
    """Handles the events of a canvas and its viewport."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._lasso = Lasso(canvas.theme, canvas)
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
        canvas.viewport_replaced.connect(lambda: canvas.viewport().installEventFilter(self))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._canvas:
            return kind == QEvent.Type.KeyPress and self._press_key(cast(QKeyEvent, event))
        if isinstance(event, QMouseEvent):
            if kind == QEvent.Type.MouseMove:
                self._move(event)
            elif kind == QEvent.Type.MouseButtonPress:
                self._start(event)
            elif kind == QEvent.Type.MouseButtonRelease:
                self._end()
            elif event.button() == Qt.MouseButton.LeftButton:  # a double click
                row = self._canvas.disc_at(event.position())
                if row is not None:
                    self._canvas.activate_row(row)
            return True
        if isinstance(event, QWheelEvent):
            if turns := event.angleDelta().y() / 120:
                self._canvas.zoom(1.2**turns, event.position())
            return True
        if isinstance(event, QHelpEvent):
            self._show_tooltip(event)
            return True
        if kind == QEvent.Type.Leave:
            self._pointer = None
            self._canvas.hover_row(None)
        return False

    def _start(self, event: QMouseEvent) -> None:
        at, canvas = event.position(), self._canvas
        canvas.setFocus(Qt.FocusReason.MouseFocusReason)
        row, left = canvas.disc_at(at), event.button() == Qt.MouseButton.LeftButton
        if event.button() == Qt.MouseButton.RightButton:
            if row is not None and row not in canvas.focus.chosen:
                canvas.select_row(row)
            canvas.menu_wanted.emit(row, event.globalPosition().toPoint())
        elif left or event.button() == Qt.MouseButton.MiddleButton:
            self._press = self._last = at
            self._row = row if left else None
            self._dragging = False
            keys = event.modifiers()
            self._adding = bool(keys & ADDING)
            self._drawing = left and bool(keys & DRAWING)
            if self._drawing:
                self._lasso.begin(at, by_hand=bool(keys & Qt.KeyboardModifier.AltModifier))

    def _move(self, event: QMouseEvent) -> None:
        at = self._pointer = event.position()
        if self._press is None:
            if not self._hover_timer.isActive():
                self._hover_timer.start()
            return
        if not self._dragging and (at - self._press).manhattanLength() < DRAG_PX:
            return
        if self._drawing:
            self._lasso.draw_to(at)
        else:
            if not self._dragging:
                self._canvas.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            if self._row is not None:
                self._canvas.move_disc(self._row, at)
            else:
                self._canvas.pan(at - self._last)
        self._dragging, self._last = True, at

    def _end(self) -> None:
        canvas = self._canvas
        if self._press is None:
            return
        drawn = self._lasso.finish(canvas.frame()) if self._drawing else []
        if self._dragging and self._drawing:
            canvas.choose(canvas.focus.chosen.union(drawn))
        elif self._dragging and self._row is not None:
            canvas.places_changed.emit()
        elif not self._dragging and self._row is not None and self._adding:
            canvas.toggle_row(self._row)
        elif not self._dragging:
            canvas.select_row(self._row)
        self._press, self._row, self._dragging, self._drawing = None, None, False, False
        canvas.viewport().unsetCursor()

    def cancel(self) -> None:
        """Cancel a drag or lasso, because row numbers have changed."""
        self._press, self._row, self._dragging, self._drawing = None, None, False, False
        self._lasso.hide()
        self._hover_timer.stop()

    def _hover(self) -> None:
        if self._pointer is None or self._press is not None:
            return
        row = self._canvas.disc_at(self._pointer)
        relation = None if row is not None else self._canvas.relation_at(self._pointer)
        self._canvas.hover_row(row, relation)
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self._canvas.viewport().setCursor(arrow if row is None else hand)

    def _show_tooltip(self, event: QHelpEvent) -> None:
        at, data = QPointF(event.pos()), self._canvas.data
        row = self._canvas.disc_at(at)
        relation = None if row is not None else self._canvas.relation_at(at)
        if row is not None:
            QToolTip.showText(
                event.globalPos(), build_entity_tooltip(data.entities[row]), self._canvas
            )
        elif relation is not None:
            text = build_relation_tooltip(data.relations[relation])
            QToolTip.showText(event.globalPos(), text, self._canvas)
        else:
            QToolTip.hideText()

    def _press_key(self, event: QKeyEvent) -> bool:
        canvas, key = self._canvas, event.key()
        selected, data = canvas.focus.selected, canvas.data
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            return False  # Alt and an arrow go back and forward
        if key in ARROWS and len(data):
            if selected is not None:
                nearest = find_neighbour(data, selected, ARROWS[key])
            else:
                nearest = next((int(row) for row in data.by_size if data.shown[row]), None)
            if nearest is not None:
                canvas.select_row(nearest, reveal=True)
        elif key == Qt.Key.Key_Escape:
            canvas.hover_row(None)
            canvas.select_row(None)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and selected is not None:
            canvas.activate_row(selected)
        elif key == Qt.Key.Key_Menu or (key == Qt.Key.Key_F10 and shift):
            # beside the selected node, or in the middle of the canvas
            at = canvas.rect().center()
            if selected is not None:
                canvas.ensure_visible(selected)
                at = QPoint(*canvas.frame().points[selected].round().astype(int).tolist())
            canvas.menu_wanted.emit(selected, canvas.mapToGlobal(at))
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            canvas.zoom(0.8 if key == Qt.Key.Key_Minus else 1.25)
        elif key == Qt.Key.Key_0:
            canvas.fit()
        elif key == Qt.Key.Key_Z and canvas.focus.chosen:
            canvas.fit_rows(sorted(canvas.focus.chosen))
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            canvas.choose(data.shown.nonzero()[0])
        elif key in ACTION_KEYS and not event.modifiers():
            canvas.action_wanted.emit(ACTION_KEYS[key])
        else:
            return False
        return True


class GraphCanvas(ZoomingView):
    """Shows a `GraphData`; its signals and public methods name entities by id."""

    entity_selected = Signal(object)
    chosen_changed = Signal()
    entity_activated = Signal(int)
    entity_hovered = Signal(object)
    relation_hovered = Signal(object)
    places_changed = Signal()
    data_changed = Signal()
    menu_wanted = Signal(object, object)  # row or None, point of the screen
    action_wanted = Signal(str)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, use_opengl: bool = False
    ) -> None:
        super().__init__(theme.tokens.bg, parent, use_opengl=use_opengl)
        self.theme = theme
        KeyDescriptions(self, KEYS)
        self._step_numbers = FIRST_NUMBERS
        self.palette_now = build_graph_palette(theme.tokens)
        self.data = build_graph_data(Subgraph((), (), 0))
        self.passing: list[QRect] = []
        self.filters = Filters()
        self.focus = Focus()
        self._path_ids: tuple[int, ...] = ()
        self._frame: ViewFrame | None = None
        self._frame_key: tuple | None = None
        self.setAccessibleName(tr("Graph of names"))
        small = theme.font("small")
        self._guides, self.labels = GuideLayer(small), LabelLayer(small)
        self.layers: tuple[Layer, ...] = (
            self._guides,
            RelationLayer(),
            DiscLayer(),
            self.labels,
        )
        self._items = [LayerItem(self._build_painter(n), n) for n in range(len(self.layers))]
        for item in self._items:
            self.box.addItem(item, ignoreBounds=True)
        self.pace = FadePace(theme, self, lambda: self.viewport().update())
        self._fading = FadeAnimation(theme, self, self._set_fade)
        self._movement = MoveAnimation(theme, self, self._apply_step)
        self._gestures = Gestures(self)
        theme.changed.connect(self._apply_theme)

    def show_data(
        self,
        data: GraphData,
        *,
        animate: bool = False,
        fit: bool = True,
        selected: int | None = None,
    ) -> None:
        """Show data with known places; nodes that were shown move to their new place.

        Args:
            selected: the entity that the selected one is now; None if that is still the same.
        """
        self._movement.stop()
        self._gestures.cancel()
        before, chosen = self.selected_id(), self.chosen_ids()
        if before is None or selected is None:
            selected = before
        elif selected != before:
            chosen = [selected if i == before else i for i in chosen]
        start = find_start_places(data, self.data, animate=animate)
        self.data = data
        apply_filters(data, self.filters)
        self.focus.clear()
        self.focus.selected = data.row_of.get(selected) if selected is not None else None
        self.focus.chosen = {data.row_of[i] for i in chosen if i in data.row_of}
        self.show_path(self._path_ids)
        target = self._fit_rect(data) if fit else None
        self.fitted = fit
        if animate and self._movement.start(start, data.places, self.box.viewRect(), target):
            data.places = start.copy()
        elif target is not None:
            self._set_view(target)
        self.repaint_layers()
        announce(self, describe_selection(data, self.focus))
        self.data_changed.emit()
        if selected is not None and self.focus.selected is None:
            self.entity_selected.emit(None)
        if len(self.focus.chosen) != len(chosen):
            self.chosen_changed.emit()

    def set_filters(self, filters: Filters) -> None:
        """Hide what these filters exclude and deselect it."""
        self.filters = filters
        apply_filters(self.data, filters)
        hidden = {row for row in self.focus.chosen if not self.data.shown[row]}
        if self.focus.selected is not None and not self.data.shown[self.focus.selected]:
            self.select_row(None)
        elif hidden:
            self.choose(self.focus.chosen - hidden)
        self.repaint_layers()
        self.data_changed.emit()

    def settle(self) -> None:
        """Stop the animation; every node goes to its final place, and the view to its own."""
        if self._movement.running:
            self._movement.stop()
            self._apply_step(self._movement.target.copy(), self._movement.view_target)

    def set_panels(self, panels: list[QRect], passing: Sequence[QRect] = ()) -> None:
        """Set which parts of the canvas are covered; fitted nodes and labels avoid them.

        `passing` panels are shown only for a while: only labels avoid them.
        """
        before, self.panels = self.panels, panels
        if before == panels and self.passing == list(passing):
            return
        self.passing = list(passing)
        if before != panels and self.fitted and len(self.data):
            if self._movement.running:
                self._movement.set_view_target(
                    self._fit_rect(replace(self.data, places=self._movement.target))
                )
            else:
                self.fit()
        self.repaint_layers()

    def selected_id(self) -> int | None:
        row = self.focus.selected
        return int(self.data.entities[row].id) if row is not None else None

    def chosen_ids(self) -> list[int]:
        """Return the ids of all chosen nodes, the selected one first."""
        rows = sorted(self.focus.chosen, key=lambda row: row != self.focus.selected)
        return [int(self.data.entities[row].id) for row in rows]

    def chosen_rows(self) -> list[EntityRow]:
        return [self.data.entities[self.data.row_of[i]] for i in self.chosen_ids()]

    def select_entity(self, entity_id: int | None) -> None:
        self.select_row(None if entity_id is None else self.data.row_of.get(entity_id))

    def select_row(self, row: int | None, *, reveal: bool = False) -> None:
        """Select one node alone, or none."""
        if reveal and row is not None:
            self.ensure_visible(row)
        self.choose(set() if row is None else {row}, first=row)

    def choose(self, rows: Iterable[int], first: int | None = None) -> None:
        """Select these nodes; the inspector shows `first`, or the only one."""
        rows = {int(row) for row in rows}
        if first is None and len(rows) == 1:
            first = next(iter(rows))
        before, known = self.focus.selected, self.focus.chosen
        self.focus.selected, self.focus.chosen = first, rows
        if self.focus.has_path and rows != known:
            self.show_path(())
        self._repaint_focus()
        announce(self, describe_selection(self.data, self.focus))
        if first != before:
            self.entity_selected.emit(self.selected_id())
        if rows != known:
            self.chosen_changed.emit()

    def activate_row(self, row: int) -> None:
        self.entity_activated.emit(int(self.data.entities[row].id))

    def cancel_gesture(self) -> None:
        """Cancel a drag or lasso, because the data is about to change."""
        self._gestures.cancel()

    def toggle_row(self, row: int) -> None:
        """Add a node to the selection, or remove it."""
        rows = self.focus.chosen ^ {row}
        kept = self.focus.selected if self.focus.selected in rows else None
        self.choose(rows, first=row if row in rows else kept)

    def show_path(self, ids: Iterable[int]) -> None:
        """Highlight the path through these entities; an empty one ends the highlight.

        The path stays when the view is read again, as long as it has all its entities.
        """
        self._path_ids = tuple(ids)
        rows = [self.data.row_of[i] for i in self._path_ids if i in self.data.row_of]
        self.focus.show_path(self.data, rows if len(rows) == len(self._path_ids) else [])
        self._repaint_focus()

    def reveal_rows(self, rows: list[int]) -> None:
        """Zoom to these nodes if one of them is outside the view."""
        points = self.frame().points[rows]
        if not self.fitted and not ((points > 0) & (points < (self.width(), self.height()))).all():
            self.fit_rows(rows)

    def hover_row(self, row: int | None, relation: int | None = None) -> None:
        """Highlight a node and its neighbours, or one relation."""
        if row != self.focus.hovered:
            self.focus.hover(self.data, row)
            self._fading.animate_to(self.focus.fade, 0.0 if row is None else 1.0)
            self.entity_hovered.emit(None if row is None else int(self.data.entities[row].id))
        if relation != self.focus.hovered_relation:
            self.focus.hovered_relation = relation
            self.relation_hovered.emit(
                None if relation is None else int(self.data.relations[relation].id)
            )
            self._repaint_focus()

    def disc_at(self, point: QPointF) -> int | None:
        return self.frame().pick_disc(point.x(), point.y())

    def relation_at(self, point: QPointF) -> int | None:
        touched = self.focus.touched(self.data)
        return self.frame().pick_relation(self.data, point.x(), point.y(), touched)

    def move_disc(self, row: int, point: QPointF) -> None:
        """Move a node to a point of the screen and pin it; chosen nodes move together."""
        place = self.box.mapSceneToView(self.mapToScene(point.toPoint()))
        rows = sorted(self.focus.chosen) if row in self.focus.chosen else [row]
        self.data.places[rows] += (place.x(), place.y()) - self.data.places[row]
        self.data.pinned[rows] = True
        self._draw_less()
        self.repaint_layers()

    def set_pinned(self, rows: Iterable[int], pinned: bool) -> None:
        self.data.pinned[list(rows)] = pinned
        self.repaint_layers()
        self.places_changed.emit()

    def view_transform(self) -> QTransform:
        """Return the transformation from places to pixels of the widget."""
        self.scene().prepareForPaint()  # pyqtgraph applies a new range late
        return self._items[0].sceneTransform() * self.viewportTransform()

    def frame(self, transform: QTransform | None = None) -> ViewFrame:
        """Return the current frame, which all layers share."""
        if transform is None:
            transform = self.view_transform()
        data = self.data
        key = (transform, self.width(), self.height(), self.moving, id(data))
        if self._frame is None or key != self._frame_key:
            made = build_frame(data, transform, self.width(), self.height(), moving=self.moving)
            self._frame = replace(
                made,
                covered=tuple(
                    (p.x() - CLEAR, p.y() - CLEAR, p.width() + 2 * CLEAR, p.height() + 2 * CLEAR)
                    for p in (*self.panels, *self.passing)
                ),
            )
            self._frame_key = key
        return self._frame

    def repaint_layers(self) -> None:
        """Repaint everything with a new frame: places, sizes or filters changed."""
        self._frame = None
        self._repaint_focus()

    def _repaint_focus(self) -> None:
        """Repaint with the same frame: only highlights changed."""
        for item in self._items:
            item.update()
        self.viewport().update()

    def close(self) -> bool:
        """Close as any widget; pyqtgraph's own would clear the scene under items we hold."""
        self._fading.stop()
        self._movement.stop()
        self._rest_timer.stop()
        self._failure_timer.stop()
        self.pace.stop()
        return QGraphicsView.close(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_gestures") and self.fitted:  # not while it is built
            self.fit()

    def _build_painter(self, number: int) -> Callable[[QPainter, QTransform], None]:
        layer = self.layers[number]

        def paint(painter: QPainter, transform: QTransform) -> None:
            if not len(self.data):
                return
            scene = Scene(self.frame(transform), self.data, self.focus, self.palette_now)
            if number == 0:
                self.pace.begin()
                self.labels.fade_ms = self.pace.fade_ms(moving=self._rest_timer.isActive())
                self.labels.follows_nodes = self._movement.running
            layer.paint(painter, scene)
            if layer is self.labels:
                self.pace.end(busy=self.labels.fading.busy)

        return paint

    def _set_fade(self, value: float) -> None:
        self.focus.fade = float(value)
        self._repaint_focus()

    def _apply_step(self, places: np.ndarray, view: QRectF | None) -> None:
        if places.shape != self.data.places.shape:
            return
        self.data.places = places
        if view is not None:
            self._set_view(view)
        self.repaint_layers()

    def set_step_numbers(self, numbers: Sequence[int]) -> None:
        """Set the numbers in the nodes of each colour of documents or communities."""
        if tuple(numbers) != self._step_numbers:
            self._step_numbers = tuple(numbers)
            self.palette_now = self.build_palette(self.theme.tokens)

    def build_palette(self, tokens: Tokens) -> GraphPalette:
        """Return the colours of what is shown in a look, for the screen or for a picture."""
        return build_graph_palette(tokens, self._step_numbers)

    def _apply_theme(self) -> None:
        self.palette_now = self.build_palette(self.theme.tokens)
        self.setBackground(self.theme.tokens.bg)
        self._guides.font = self.theme.font("small")
        self.labels.set_font(self.theme.font("small"))
        self.repaint_layers()
