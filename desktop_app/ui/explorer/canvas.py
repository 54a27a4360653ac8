"""The canvas: discs, relations and names of one picture, with zoom, focus and movement.

Owns what is shown and where the view stands. Knows neither services nor the screen around it;
mouse and keys are read in `gestures`, layers paint themselves.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QResizeEvent, QTransform
from PySide6.QtWidgets import QGraphicsView, QWidget

from desktop_app.engine.types import Subgraph
from desktop_app.ui.theme.theme import Theme

from .discs import DiscLayer
from .fitting import find_fit
from .focus import Focus
from .frame import Frame, build_frame
from .gestures import Gestures
from .graph_data import GraphData, build_graph_data
from .labels import LabelLayer
from .layer_item import LayerItem
from .palette import build_palette
from .picking import pick_disc, pick_relation
from .relation_lines import RelationLayer
from .travel import Fading, Travel, find_starts

MIN_SCALE, MAX_SCALE = 0.005, 8.0
CALM_MS = 140


class GraphCanvas(pg.GraphicsView):
    """Shows a `GraphData` with places; speaks of entities by id."""

    entity_selected = Signal(object)
    entity_activated = Signal(int)
    entity_hovered = Signal(object)
    relation_hovered = Signal(object)
    places_changed = Signal()
    view_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=theme.tokens.bg)
        self._theme = theme
        self.palette_now = build_palette(theme.tokens)
        self.data: GraphData = _empty()
        self.focus = Focus()
        self.panels: list[QRect] = []
        self.moving = False
        self._frame: Frame | None = None
        self._frame_key: tuple | None = None
        self._fitted = True
        self.setAccessibleName("Graph of names")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.box = pg.ViewBox(
            enableMenu=False, enableMouse=False, lockAspect=True, invertY=True, defaultPadding=0
        )
        self.box.disableAutoRange()
        self.setCentralItem(self.box)
        self.layers = (RelationLayer(), DiscLayer(), LabelLayer(theme.font("small")))
        self._items = [LayerItem(self._painter_of(n), n) for n in range(len(self.layers))]
        for item in self._items:
            self.box.addItem(item, ignoreBounds=True)
        self._fading = Fading(theme, self, self._set_fade)
        self._travel = Travel(theme, self, self._take_step)
        self._calm = QTimer(self, singleShot=True, interval=CALM_MS)
        self._calm.timeout.connect(self._come_to_rest)
        self.gestures = Gestures(self)
        self.box.sigRangeChanged.connect(lambda *_: self.view_changed.emit())
        theme.changed.connect(self._take_theme)

    # --- what is shown --------------------------------------------------------------------

    def show_data(self, data: GraphData, *, animate: bool = False, fit: bool = True) -> None:
        """Show a picture whose places are known; discs already shown travel to their place."""
        self._travel.stop()
        self.gestures.forget()
        selected = self.selected_id()
        start = find_starts(data, self.data, animate=animate)
        self.data = data
        self.focus.clear()
        self.focus.selected = data.row_of.get(selected) if selected is not None else None
        target = self._fit_rect(data) if fit else None
        self._fitted = fit
        if animate and self._travel.start(start, data.places, self.box.viewRect(), target):
            data.places = start.copy()
        elif target is not None:
            self._set_view(target)
        self.repaint_layers()
        if selected is not None and self.focus.selected is None:
            self.entity_selected.emit(None)

    def sift(
        self, hidden_types: set[int], hidden_kinds: set[str], *, confirmed_only: bool = False
    ) -> None:
        """Leave out discs of these type codes, with their relations, and kinds of relations."""
        self.data.sift(hidden_types, hidden_kinds, confirmed_only=confirmed_only)
        if self.focus.selected is not None and not self.data.shown[self.focus.selected]:
            self.select_row(None)
        self.repaint_layers()

    def settle(self) -> None:
        """End movement: every disc is where it belongs."""
        if self._travel.running:
            self._travel.stop()
            self._take_step(self._travel.target.copy(), None)

    def set_panels(self, panels: list[QRect]) -> None:
        """Say which parts of the canvas are covered; fitted discs and names keep clear of them."""
        if panels == self.panels:
            return
        self.panels = panels
        if self._fitted and len(self.data) and not self._travel.running:
            self.fit()
        self.repaint_layers()

    # --- who is looked at -----------------------------------------------------------------

    def selected_id(self) -> int | None:
        row = self.focus.selected
        return int(self.data.entities[row].id) if row is not None else None

    def select_entity(self, entity_id: int | None) -> None:
        self.select_row(None if entity_id is None else self.data.row_of.get(entity_id))

    def select_row(self, row: int | None, *, reveal: bool = False) -> None:
        if row == self.focus.selected:
            return
        self.focus.selected = row
        if reveal and row is not None:
            self.ensure_visible(row)
        self.repaint_layers()
        self.entity_selected.emit(self.selected_id())

    def hover_row(self, row: int | None, relation: int | None = None) -> None:
        """Keep a disc and its neighbours bright, or touch one relation."""
        if row != self.focus.hovered:
            self.focus.hover(self.data, row)
            self._fading.go(self.focus.fade, 0.0 if row is None else 1.0)
            self.entity_hovered.emit(None if row is None else int(self.data.entities[row].id))
        if relation != self.focus.hovered_relation:
            self.focus.hovered_relation = relation
            self.relation_hovered.emit(
                None if relation is None else int(self.data.relations[relation].id)
            )
            self.repaint_layers()

    def disc_at(self, point: QPointF) -> int | None:
        return pick_disc(self.frame(), point.x(), point.y())

    def relation_at(self, point: QPointF) -> int | None:
        touched = self.focus.touched(self.data)
        return pick_relation(self.frame(), self.data, point.x(), point.y(), touched)

    def move_disc(self, row: int, point: QPointF) -> None:
        """Put a disc under a point of the screen and keep it there in later layouts."""
        place = self.box.mapSceneToView(self.mapToScene(point.toPoint()))
        self.data.places[row] = (place.x(), place.y())
        self.data.pinned[row] = True
        self.repaint_layers()

    def unpin(self, row: int) -> None:
        self.data.pinned[row] = False
        self.repaint_layers()
        self.places_changed.emit()

    # --- where the view stands ------------------------------------------------------------

    @property
    def scale_now(self) -> float:
        return 1.0 / max(self.box.viewPixelSize()[0], 1e-9)

    def zoom(self, factor: float, around: QPointF | None = None) -> None:
        scale = float(np.clip(self.scale_now * factor, MIN_SCALE, MAX_SCALE))
        factor = scale / self.scale_now
        middle = around if around is not None else QPointF(self.width() / 2, self.height() / 2)
        place = self.box.mapSceneToView(middle)
        self._start_moving()
        self.box.scaleBy((1 / factor, 1 / factor), center=place)

    def pan(self, delta: QPointF) -> None:
        step = self.box.viewPixelSize()
        self._start_moving()
        self.box.translateBy(x=-delta.x() * step[0], y=-delta.y() * step[1])

    def fit(self) -> None:
        self.settle()
        self._fitted = True
        target = self._fit_rect(self.data)
        if target is not None:
            self._set_view(target)

    def ensure_visible(self, row: int) -> None:
        """Move the view so that a disc is well inside it."""
        x, y = self.data.places[row]
        view = self.box.viewRect()
        inner = view.adjusted(view.width() * 0.1, view.height() * 0.1, 0, 0)
        inner.setSize(view.size() * 0.8)
        if not inner.contains(QPointF(x, y)):
            self._fitted = False
            view.moveCenter(QPointF(x, y))
            self._set_view(view)

    def view_transform(self) -> QTransform:
        """Return the step from places to pixels of the widget."""
        self.scene().prepareForPaint()  # pyqtgraph puts off what a new range means
        return self._items[0].sceneTransform() * self.viewportTransform()

    def frame(self, transform: QTransform | None = None) -> Frame:
        """Return the frame of the view now; made once for all layers."""
        if transform is None:
            transform = self.view_transform()
        data = self.data
        key = (transform, self.width(), self.height(), self.moving, id(data))
        if self._frame is None or key != self._frame_key:
            made = build_frame(data, transform, self.width(), self.height(), moving=self.moving)
            self._frame = replace(made, covered=tuple(p.getRect() for p in self.panels))
            self._frame_key = key
        return self._frame

    def repaint_layers(self) -> None:
        self._frame = None
        for item in self._items:
            item.update()
        self.viewport().update()

    def close(self) -> bool:
        """Close as any widget; pyqtgraph's own would clear the scene under items we hold."""
        for running in (self._fading, self._travel, self._calm):
            running.stop()
        return QGraphicsView.close(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if getattr(self, "_fitted", False) and hasattr(self, "gestures"):
            self.fit()

    # --- inside ---------------------------------------------------------------------------

    def _painter_of(self, number: int):
        def paint(painter: QPainter, transform: QTransform) -> None:
            if len(self.data):
                frame = self.frame(transform)
                self.layers[number].paint(painter, frame, self.data, self.focus, self.palette_now)

        return paint

    def _set_fade(self, value: float) -> None:
        self.focus.fade = float(value)
        self.repaint_layers()

    def _take_step(self, places: np.ndarray, view: QRectF | None) -> None:
        if places.shape != self.data.places.shape:
            return
        self.data.places = places
        if view is not None:
            self._set_view(view)
        self.repaint_layers()

    def _fit_rect(self, data: GraphData) -> QRectF | None:
        return find_fit(data, self.width(), self.height(), self.panels)

    def _set_view(self, rect: QRectF) -> None:
        self.box.setRange(rect, padding=0, disableAutoRange=True)
        self._frame = None

    def _start_moving(self) -> None:
        self._fitted = False
        self.moving = len(self.data.pairs) > 5_000
        self._frame = None
        self._calm.start()

    def _come_to_rest(self) -> None:
        self.moving = False
        self.repaint_layers()

    def _take_theme(self) -> None:
        self.palette_now = build_palette(self._theme.tokens)
        self.setBackground(self._theme.tokens.bg)
        self.layers[2].set_font(self._theme.font("small"))
        self.repaint_layers()


def _empty() -> GraphData:
    return build_graph_data(Subgraph((), (), 0))
