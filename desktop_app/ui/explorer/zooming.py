"""A view that zooms, pans and fits the graph beside the panels, and its viewport.

The viewport is painted by the processor or with OpenGL; one whose OpenGL fails is replaced. Knows
the places and radii of nodes, not how they are painted.
"""

from __future__ import annotations

import itertools
import logging

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QGraphicsView, QWidget

from desktop_app.engine.graph.view.graph_data import GraphData

from .frame import screen_radii

log = logging.getLogger(__name__)

FIT_SCALE = 1.35
SIDE, TOP, BOTTOM = 56.0, 64.0, 48.0  # room for the selection bar at the top
LABEL_WIDTH, LABEL_HEIGHT = 28.0, 20.0
GAP = 12.0
CROWD, CELLS = 2_000, 80
OFF_CENTRE = 0.4  # weight of being centred against the scale
Margins = tuple[float, float, float, float]  # left, top, right, bottom
# Of width and height of a panel that a view avoids: beside it, or above or below it.
SHARES = ((1.0, 0.0), (0.0, 1.0))
PARTS = (0.0, 0.25, 0.5, 0.75, 1.0)
BIG_SHARES = tuple((x, y) for x in PARTS for y in PARTS if 0 < x + y <= 1)
BISECTIONS, LARGER = 5, 1.03  # steps of the search for a larger scale, and the least gain
SHIFTS = np.linspace(0.0, 1.0, 7)  # shares of the free room at the left of the graph, or above it
FAR_FROM_MIDDLE = np.hypot(*np.meshgrid(SHIFTS - 0.5, SHIFTS - 0.5)).ravel()
PLAIN: Margins = (SIDE, TOP, SIDE, BOTTOM)


def find_fit(
    data: GraphData,
    width: float,
    height: float,
    panels: list[QRect],
    rows: np.ndarray | None = None,
) -> QRectF | None:
    """Return the part of the plane to show: the largest scale at which no node is under `panels`.

    Each panel may be avoided at its side, above or below; all combinations are tried. Where none
    is free of panels, as few nodes as possible are under them. With `rows` only those nodes count.
    """
    bounds = data.bounds(rows)
    if bounds is None or width < 2 or height < 2:
        return None
    use = data.shown & np.isfinite(data.places).all(1)
    if rows is not None:
        use &= np.isin(np.arange(len(data)), rows)
    places, radii = _thin_out(data.places[use], data.radii[use])
    best: tuple[float, QRectF] | None = None
    least: tuple[int, QRectF] | None = None
    for margins in _margins(panels, width, height):
        scale, view = _view(bounds, width, height, margins)
        left, top, right, bottom = margins
        aside = max(abs(left - right) / width, abs(top - bottom) / height)
        worth = scale * (1.0 - OFF_CENTRE * aside)
        if best is not None and worth <= best[0]:
            continue
        n_covered = _count_covered(places, radii, scale, view, panels)
        if not n_covered:
            best = (worth, view)
        elif least is None or n_covered < least[0]:
            least = (n_covered, view)
    if best is not None:
        larger = _find_larger(bounds, places, radii, width, height, panels, width / best[1].width())
        return larger or best[1]
    return least[1] if least is not None else _view(bounds, width, height, PLAIN)[1]


def _find_larger(
    bounds: tuple[float, float, float, float],
    places: np.ndarray,
    radii: np.ndarray,
    width: float,
    height: float,
    panels: list[QRect],
    scale: float,
) -> QRectF | None:
    """Return a view with a larger scale, moved so that panels stand where there are no nodes.

    A layout of several parts leaves room for a panel that margins along its sides don't use.
    """
    x, y, wide, high = bounds
    left, top, right, bottom = PLAIN
    room_x, room_y = max(width - left - right, 40), max(height - top - bottom, 40)
    most = min(room_x / max(wide, 1), room_y / max(high, 1), FIT_SCALE)
    if most < LARGER * scale:
        return None
    found, low = None, scale
    for _ in range(BISECTIONS):
        middle = (low + most) / 2
        across = (room_x - wide * middle) * SHIFTS
        down = (room_y - high * middle) * SHIFTS
        # the most central first
        shifts = np.stack(np.meshgrid(left + across, top + down), axis=-1).reshape(-1, 2)
        shifts = shifts[np.argsort(FAR_FROM_MIDDLE, kind="stable")]
        points = ((places - (x, y)) * middle)[None] + shifts[:, None]
        covered = _find_covered(points, screen_radii(radii, middle) + 4, panels).any(axis=1)
        if covered.all():
            most = middle
            continue
        low = middle
        at_x, at_y = shifts[int(covered.argmin())].tolist()
        found = QRectF(x - at_x / middle, y - at_y / middle, width / middle, height / middle)
    return found if low >= LARGER * scale else None


def _margins(panels: list[QRect], width: float, height: float) -> list[Margins]:
    """Return the margins for all ways to avoid the panels, the smallest first."""
    options = []
    for panel in panels:
        left, top, right, bottom = PLAIN
        ways = [PLAIN]
        middle = panel.center()
        # A big panel may be avoided in part, at both sides: a round layout leaves corners free.
        is_big = panel.height() > height / 4
        for across_share, down_share in BIG_SHARES if is_big else SHARES:
            across = across_share * panel.width() + LABEL_WIDTH + GAP
            down = down_share * panel.height() + LABEL_HEIGHT + GAP
            way = [left, top, right, bottom]
            if across_share and middle.x() < width / 2:
                way[0] = max(left, panel.left() + across)
            elif across_share:
                way[2] = max(right, width - panel.right() + across)
            if down_share and middle.y() < height / 2:
                way[1] = max(top, panel.top() + down)
            elif down_share:
                way[3] = max(bottom, height - panel.bottom() + down + LABEL_HEIGHT)
            ways.append((way[0], way[1], way[2], way[3]))
        options.append(ways)
    found = set()
    for chosen in itertools.product(*options):
        lefts, tops, rights, bottoms = zip(PLAIN, *chosen, strict=True)
        found.add((max(lefts), max(tops), max(rights), max(bottoms)))
    return sorted(found, key=sum)


def _view(
    bounds: tuple[float, float, float, float], width: float, height: float, margins: Margins
) -> tuple[float, QRectF]:
    x, y, wide, high = bounds
    left, top, right, bottom = margins
    room_x, room_y = max(width - left - right, 40), max(height - top - bottom, 40)
    scale = min(room_x / max(wide, 1), room_y / max(high, 1), FIT_SCALE)
    middle_x, middle_y = left + room_x / 2, top + room_y / 2
    return scale, QRectF(
        x + wide / 2 - middle_x / scale,
        y + high / 2 - middle_y / scale,
        width / scale,
        height / scale,
    )


def _thin_out(places: np.ndarray, radii: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return only the biggest node of each grid cell where there are thousands."""
    if len(places) <= CROWD:
        return places, radii
    low = places.min(0)
    cells = ((places - low) / max(float((places - low).max()), 1e-9) * CELLS).astype(np.int64)
    order = np.argsort(-radii, kind="stable")
    _, first = np.unique(cells[order, 0] * (CELLS + 1) + cells[order, 1], return_index=True)
    return places[order[first]], radii[order[first]]


def _count_covered(
    places: np.ndarray, radii: np.ndarray, scale: float, view: QRectF, panels: list[QRect]
) -> int:
    """Return how many nodes, with room for their labels, are under panels."""
    points = (places - (view.x(), view.y())) * scale
    return int(_find_covered(points, screen_radii(radii, scale) + 4, panels).sum())


def _find_covered(points: np.ndarray, reach: np.ndarray, panels: list[QRect]) -> np.ndarray:
    """Return which points (..., N, 2) with their `reach` (N,) and labels are under panels."""
    x, y = points[..., 0], points[..., 1]
    covered = np.zeros(x.shape, dtype=bool)
    for panel in panels:
        beside = np.maximum(panel.left() - x, x - panel.right())
        away_y = np.maximum(panel.top() - y - LABEL_HEIGHT, y - panel.bottom() - LABEL_HEIGHT)
        covered |= (beside < reach + LABEL_WIDTH) & (away_y < reach)
    return covered


MIN_SCALE, MAX_SCALE = 0.005, 8.0
CALM_MS = 140
MANY_RELATIONS = 300  # with fewer, a moving view has every detail
FAILURE_MS = 200  # without a context; a window that is made anew gets another at once
SAMPLES = 4  # of each pixel, for the smooth lines of OpenGL


class OpenGLViewport(QOpenGLWidget):
    """A viewport that is painted with OpenGL, by the paint event of its view."""

    def __init__(self) -> None:
        super().__init__()
        wanted = self.format()
        wanted.setSamples(SAMPLES)
        self.setFormat(wanted)

    @property
    def works(self) -> bool:
        return self.isValid() and self.context().isValid()

    def paintGL(self) -> None:
        """Paint a picture for `grab`; Qt does not call this to paint on the screen."""
        view = self.parentWidget()
        if isinstance(view, QGraphicsView):
            painter = QPainter(self)
            view.render(painter)
            painter.end()


class ZoomingView(pg.GraphicsView):
    """A view of `data`; fitting avoids `panels`.

    Args:
        use_opengl: paint the viewport with OpenGL; `ViewportChoice` decides. Only before
            the window is shown: Qt would make a shown window anew for it.
    """

    view_changed = Signal()
    viewport_replaced = Signal()
    opengl_failed = Signal()  # the viewport is painted by the processor now

    def __init__(
        self, ground: str, parent: QWidget | None = None, *, use_opengl: bool = False
    ) -> None:
        super().__init__(parent, background=ground)
        if use_opengl:
            self.setViewport(OpenGLViewport())
        self.data: GraphData
        self.panels: list[QRect] = []
        self.moving = False
        self.fitted = True  # whether the view was not moved since it was fitted
        self._frame: object | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.box = pg.ViewBox(
            enableMenu=False, enableMouse=False, lockAspect=True, invertY=True, defaultPadding=0
        )
        self.box.disableAutoRange()
        self.setCentralItem(self.box)
        self._rest_timer = QTimer(self, singleShot=True, interval=CALM_MS)
        self._rest_timer.timeout.connect(self._rest)
        self._failure_timer = QTimer(self, singleShot=True, interval=FAILURE_MS)
        self._failure_timer.timeout.connect(self._replace_viewport)
        self.box.sigRangeChanged.connect(lambda *_: self.view_changed.emit())

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
        self.fitted = True
        target = self._fit_rect(self.data)
        if target is not None:
            self._set_view(target)

    def fit_rows(self, rows: list[int]) -> None:
        """Zoom so that these nodes fill the view."""
        self.settle()
        target = self._fit_rect(self.data, np.array(rows, int))
        if target is not None:
            self.fitted = False
            self._set_view(target)

    def centre_on(self, place: QPointF) -> None:
        """Centre a place at the current zoom."""
        view = self.box.viewRect()
        view.moveCenter(place)
        self._start_moving()
        self._set_view(view)

    def ensure_visible(self, row: int) -> None:
        """Move the view so that a node is well inside it."""
        x, y = self.data.places[row]
        view = self.box.viewRect()
        inner = view.adjusted(view.width() * 0.1, view.height() * 0.1, 0, 0)
        inner.setSize(view.size() * 0.8)
        if not inner.contains(QPointF(x, y)):
            self.fitted = False
            view.moveCenter(QPointF(x, y))
            self._set_view(view)

    def settle(self) -> None:
        """Stop animations; the base class has none."""

    def repaint_layers(self) -> None:
        self.viewport().update()

    @property
    def has_opengl(self) -> bool:
        """Whether the viewport is painted with OpenGL, and its context is valid."""
        viewport = self.viewport()
        return isinstance(viewport, OpenGLViewport) and viewport.works

    @property
    def _has_failed(self) -> bool:
        return isinstance(self.viewport(), OpenGLViewport) and not self.has_opengl

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._has_failed:
            if not self._failure_timer.isActive():
                self._failure_timer.start()
            return
        super().paintEvent(event)

    def _replace_viewport(self) -> None:
        """Go on with a viewport that the processor paints; the view stays as it is."""
        if not self._has_failed:
            self.repaint_layers()
            return
        log.warning("the OpenGL viewport of the graph failed; the processor draws now")
        self.setViewport(QWidget())
        self.viewport().setMouseTracking(True)
        self.viewport().lower()  # below the panels over the canvas
        self.viewport_replaced.emit()
        self.repaint_layers()
        self.opengl_failed.emit()

    def _fit_rect(self, data: GraphData, rows: np.ndarray | None = None) -> QRectF | None:
        return find_fit(data, self.width(), self.height(), self.panels, rows)

    def _set_view(self, rect: QRectF) -> None:
        self.box.setRange(rect, padding=0, disableAutoRange=True)
        self._frame = None

    def _start_moving(self) -> None:
        self.fitted = False
        self._draw_less()

    def _draw_less(self) -> None:
        """Draw less detail until nothing has moved for `CALM_MS`."""
        self.moving = len(self.data.pairs) > MANY_RELATIONS
        self._frame = None
        self._rest_timer.start()

    def _rest(self) -> None:
        self.moving = False
        self.repaint_layers()
