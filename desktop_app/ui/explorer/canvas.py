"""The canvas: draws the nodes, relations and labels of one view, with selection and animation.

Owns the shown data and the selection. `gestures` handles mouse and keys, `layers` and `labels`
paint, `zooming` holds the viewport. Knows neither services nor the screen around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEasingCurve, QObject, QPointF, QRect, QRectF, QVariantAnimation, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QPainter,
    QResizeEvent,
    QTransform,
)
from PySide6.QtWidgets import QGraphicsView, QWidget

from desktop_app.engine.graph.view.graph_data import (
    Filters,
    GraphData,
    apply_filters,
    build_graph_data,
)
from desktop_app.engine.model import EntityRow, Subgraph

from ..language import tr, trn
from ..theme.theme import Theme
from ..widgets.words import format_type, shorten_list
from .focus import Focus
from .frame import ViewFrame, build_frame
from .gestures import SPOKEN_KEYS, Gestures, Lasso
from .labels import FadePace, LabelLayer
from .layers import DiscLayer, GuideLayer, LayerItem, RelationLayer
from .palette import build_graph_palette
from .picking import pick_disc, pick_relation
from .zooming import ZoomingView

FADE_MS, MOVE_MS = 120, 180


class FadeAnimation:
    """Animates a number to 0 or 1, as long as the theme's animations take."""

    def __init__(self, theme: Theme, parent: QObject, show: Callable[[float], None]) -> None:
        self._theme, self._show = theme, show
        self._animation = build_animation(parent, show)

    def animate_to(self, now: float, target: float) -> None:
        self.stop()
        duration = self._theme.animation_ms(FADE_MS)
        if not duration:
            self._show(target)
            return
        self._animation.setStartValue(float(now))
        self._animation.setEndValue(target)
        self._animation.setDuration(duration)
        self._animation.start()

    def stop(self) -> None:
        self._animation.stop()


class MoveAnimation:
    """Animates nodes from their old to their new places, and the viewport with them."""

    def __init__(
        self,
        theme: Theme,
        parent: QObject,
        show: Callable[[np.ndarray, QRectF | None], None],
    ) -> None:
        self._theme, self._show = theme, show
        self._animation = build_animation(parent, self._step)
        self._from = self._to = np.zeros((0, 2))
        self._view_from = self._view_to = QRectF()

    @property
    def running(self) -> bool:
        return self._animation.state() == QVariantAnimation.State.Running

    @property
    def target(self) -> np.ndarray:
        return self._to

    def start(self, start: np.ndarray, end: np.ndarray, view: QRectF, to: QRectF | None) -> bool:
        """Start the animation; return False where the theme has animations off."""
        duration = self._theme.animation_ms(MOVE_MS)
        if not duration or not len(end):
            return False
        self._from, self._to = start, end
        self._view_from, self._view_to = view, to if to is not None else view
        self._animation.setDuration(duration)
        self._animation.start()
        return True

    def set_view_target(self, to: QRectF | None) -> None:
        """Change where the viewport ends, because panels changed during the animation."""
        if to is not None:
            self._view_to = to

    def stop(self) -> None:
        self._animation.stop()

    def _step(self, share: float) -> None:
        share = float(share)
        view = None
        if self._view_from != self._view_to:
            a, b = self._view_from.getRect(), self._view_to.getRect()
            view = QRectF(*(p + (q - p) * share for p, q in zip(a, b, strict=True)))
        self._show(self._from + (self._to - self._from) * share, view)


def build_animation(parent: QObject, step: Callable[[float], None]) -> QVariantAnimation:
    animation = QVariantAnimation(parent, startValue=0.0, endValue=1.0)
    animation.setEasingCurve(QEasingCurve.Type.OutCubic)
    animation.valueChanged.connect(step)
    return animation


def find_start_places(data: GraphData, before: GraphData, *, animate: bool) -> np.ndarray:
    """Return where nodes start: at their old place, at a shown neighbour, or at their new place."""
    starts = data.places.copy()
    old = np.array([before.row_of.get(i, -1) for i in data.ids], dtype=np.int64)
    known = old >= 0
    starts[known] = before.places[old[known]]
    if animate and known.any() and not known.all():
        for near, far in ((0, 1), (1, 0)):
            # Pairs come strongest first, and so each finds its strongest neighbour first.
            own, other = data.pairs[:, near], data.pairs[:, far]
            use = np.flatnonzero(~known[own] & known[other])
            rows, first = np.unique(own[use], return_index=True)
            starts[rows] = starts[other[use[first]]]
    return starts


FEW = 5  # neighbours, the strongest first


def describe_selection(data: GraphData, focus: Focus) -> str:
    """Return the selection and its neighbours in words, or the size of the view."""
    row = focus.selected
    if row is None and len(focus.chosen) > 1:
        return trn("{n} name chosen", "{n} names chosen", len(focus.chosen))
    if row is None or row >= len(data):
        n_ties = int((data.wanted & data.shown[data.pairs].all(1)).sum()) if len(data.pairs) else 0
        names = trn("{n} name", "{n} names", int(data.shown.sum()))
        return trn(
            "{names}, {n} connection. Arrow keys go from name to name.",
            "{names}, {n} connections. Arrow keys go from name to name.",
            n_ties,
            names=names,
        )
    entity = data.entities[row]
    near = [" ".join(data.entities[other].name.split()) for other in data.neighbours_of(row)]
    who = {"name": " ".join(entity.name.split()), "type": format_type(entity.type)}
    text = tr("{name}, {type}, pinned", **who) if data.pinned[row] else tr("{name}, {type}", **who)
    if not near:
        return tr("{name}, without connections in this picture", name=text)
    return tr("{name}, tied to {others}", name=text, others=shorten_list(near, FEW))


def announce(widget: QWidget, text: str) -> None:
    """Set the accessible description and have a screen reader read it."""
    if widget.accessibleDescription() == text:
        return
    widget.setAccessibleDescription(text)
    if QAccessible.isActive():
        changed = QAccessible.Event.DescriptionChanged
        QAccessible.updateAccessibility(QAccessibleEvent(widget, changed))
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


class GraphCanvas(ZoomingView):
    """Shows a `GraphData`; its signals and public methods name entities by id."""

    entity_selected = Signal(object)
    chosen_changed = Signal()
    entity_activated = Signal(int)
    entity_hovered = Signal(object)
    relation_hovered = Signal(object)
    places_changed = Signal()
    data_changed = Signal()
    spoken_keys = SPOKEN_KEYS

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme.tokens.bg, parent)
        self._theme = theme
        self.palette_now = build_graph_palette(theme.tokens)
        self.data: GraphData = build_graph_data(Subgraph((), (), 0))
        self.passing: list[QRect] = []
        self.filters = Filters()
        self.focus = Focus()
        self._frame: ViewFrame | None = None
        self._frame_key: tuple | None = None
        self.setAccessibleName(tr("Graph of names"))
        small = theme.font("small")
        self.layers = (GuideLayer(small), RelationLayer(), DiscLayer(), LabelLayer(small))
        self.labels = self.layers[3]
        self._items = [LayerItem(self._build_painter(n), n) for n in range(len(self.layers))]
        for item in self._items:
            self.box.addItem(item, ignoreBounds=True)
        self._pace = FadePace(theme, self, self.viewport().update)
        self._fading = FadeAnimation(theme, self, self._set_fade)
        self._movement = MoveAnimation(theme, self, self._apply_step)
        self.lasso = Lasso(theme, self)
        self.gestures = Gestures(self)
        theme.changed.connect(self._apply_theme)

    # --- what is shown --------------------------------------------------------------------

    def show_data(self, data: GraphData, *, animate: bool = False, fit: bool = True) -> None:
        """Show data with known places; nodes that were shown move to their new place."""
        self._movement.stop()
        self.gestures.forget()
        selected, chosen = self.selected_id(), self.chosen_ids()
        start = find_start_places(data, self.data, animate=animate)
        self.data = data
        apply_filters(data, self.filters)
        self.focus.clear()
        self.focus.selected = data.row_of.get(selected) if selected is not None else None
        self.focus.chosen = {data.row_of[i] for i in chosen if i in data.row_of}
        target = self._fit_rect(data) if fit else None
        self._fitted = fit
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
        """Stop the animation; every node goes to its final place."""
        if self._movement.running:
            self._movement.stop()
            self._apply_step(self._movement.target.copy(), None)

    def set_panels(self, panels: list[QRect], passing: Sequence[QRect] = ()) -> None:
        """Set which parts of the canvas are covered; fitted nodes and labels avoid them.

        `passing` panels are shown only for a while: only labels avoid them.
        """
        before, self.panels = self.panels, panels
        if before == panels and self.passing == list(passing):
            return
        self.passing = list(passing)
        if before != panels and self._fitted and len(self.data):
            if self._movement.running:
                self._movement.set_view_target(
                    self._fit_rect(replace(self.data, places=self._movement.target))
                )
            else:
                self.fit()
        self.repaint_layers()

    # --- selection -----------------------------------------------------------------

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
        """Choose one disc alone, or none."""
        if reveal and row is not None:
            self.ensure_visible(row)
        self.choose(set() if row is None else {row}, first=row)

    def choose(self, rows: Iterable[int], first: int | None = None) -> None:
        """Choose these nodes; the inspector shows `first`, or the only one."""
        rows = {int(row) for row in rows}
        if first is None and len(rows) == 1:
            first = next(iter(rows))
        before, known = self.focus.selected, self.focus.chosen
        self.focus.selected, self.focus.chosen = first, rows
        if self.focus.has_path and rows != known:
            self.focus.show_path(self.data, [])
        self.repaint_layers()
        announce(self, describe_selection(self.data, self.focus))
        if first != before:
            self.entity_selected.emit(self.selected_id())
        if rows != known:
            self.chosen_changed.emit()

    def toggle_row(self, row: int) -> None:
        """Add a disc to what is chosen, or take it away."""
        rows = self.focus.chosen ^ {row}
        kept = self.focus.selected if self.focus.selected in rows else None
        self.choose(rows, first=row if row in rows else kept)

    def show_path(self, ids: Iterable[int]) -> None:
        """Highlight the path through these entities; an empty one ends the highlight."""
        rows = [self.data.row_of[i] for i in ids if i in self.data.row_of]
        self.focus.show_path(self.data, rows)
        self.repaint_layers()

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
            self.repaint_layers()

    def disc_at(self, point: QPointF) -> int | None:
        return pick_disc(self.frame(), point.x(), point.y())

    def relation_at(self, point: QPointF) -> int | None:
        touched = self.focus.touched(self.data)
        return pick_relation(self.frame(), self.data, point.x(), point.y(), touched)

    def move_disc(self, row: int, point: QPointF) -> None:
        """Move a node to a point of the screen and pin it; chosen nodes move together."""
        place = self.box.mapSceneToView(self.mapToScene(point.toPoint()))
        rows = sorted(self.focus.chosen) if row in self.focus.chosen else [row]
        self.data.places[rows] += (place.x(), place.y()) - self.data.places[row]
        self.data.pinned[rows] = True
        self.repaint_layers()

    def set_pinned(self, rows: Iterable[int], pinned: bool) -> None:
        self.data.pinned[list(rows)] = pinned
        self.repaint_layers()
        self.places_changed.emit()

    def unpin(self, row: int) -> None:
        self.set_pinned([row], False)

    # --- painting -------------------------------------------------------------------------

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
                made, covered=tuple(p.getRect() for p in (*self.panels, *self.passing))
            )
            self._frame_key = key
        return self._frame

    def repaint_layers(self) -> None:
        self._frame = None
        for item in self._items:
            item.update()
        self.viewport().update()

    def close(self) -> bool:
        """Close as any widget; pyqtgraph's own would clear the scene under items we hold."""
        for running in (self._fading, self._movement, self._rest_timer, self._pace):
            running.stop()
        return QGraphicsView.close(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "gestures"):
            self.lasso.resize(self.size())
            if self._fitted:
                self.fit()

    def _build_painter(self, number: int):
        def paint(painter: QPainter, transform: QTransform) -> None:
            if len(self.data):
                frame = self.frame(transform)
                if number == 0:
                    self._pace.begin()
                    self.labels.fade_ms = self._pace.fade_ms(moving=self._rest_timer.isActive())
                self.layers[number].paint(painter, frame, self.data, self.focus, self.palette_now)
                if self.layers[number] is self.labels:
                    self._pace.end(busy=self.labels.fading.busy)

        return paint

    def _set_fade(self, value: float) -> None:
        self.focus.fade = float(value)
        self.repaint_layers()

    def _apply_step(self, places: np.ndarray, view: QRectF | None) -> None:
        if places.shape != self.data.places.shape:
            return
        self.data.places = places
        if view is not None:
            self._set_view(view)
        self.repaint_layers()

    def _apply_theme(self) -> None:
        self.palette_now = build_graph_palette(self._theme.tokens)
        self.setBackground(self._theme.tokens.bg)
        for layer in (self.layers[0], self.labels):
            layer.set_font(self._theme.font("small"))
        self.repaint_layers()
