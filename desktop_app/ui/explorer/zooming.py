"""A view of the plane that zooms, pans, fits and goes where it is sent.

Owns where the view stands. Knows the places of discs, not how anything is painted.
"""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtWidgets import QGraphicsView, QWidget

from .fitting import find_fit
from .graph_data import GraphData

MIN_SCALE, MAX_SCALE = 0.005, 8.0
CALM_MS = 140
MANY_RELATIONS = 5_000


class ZoomingView(pg.GraphicsView):
    """The plane under the picture; `data` and `panels` say what must be seen when all is fitted."""

    view_changed = Signal()

    def __init__(self, ground: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=ground)
        self.data: GraphData
        self.panels: list[QRect] = []
        self.moving = False
        self._fitted = True
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
        self._calm = QTimer(self, singleShot=True, interval=CALM_MS)
        self._calm.timeout.connect(self._come_to_rest)
        self.box.sigRangeChanged.connect(lambda *_: self.view_changed.emit())

    @property
    def fitted(self) -> bool:
        """Whether everything is in view because nobody moved the view since it was fitted."""
        return self._fitted

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

    def fit_rows(self, rows: list[int]) -> None:
        """Zoom so that these discs fill the view."""
        self.settle()
        target = find_fit(self.data, self.width(), self.height(), self.panels, np.array(rows, int))
        if target is not None:
            self._fitted = False
            self._set_view(target)

    def centre_on(self, place: QPointF) -> None:
        """Put a place of the plane into the middle, at the zoom there is."""
        view = self.box.viewRect()
        view.moveCenter(place)
        self._start_moving()
        self._set_view(view)

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

    def settle(self) -> None:
        """End movement of discs; a picture without any has nothing to end."""

    def repaint_layers(self) -> None:
        self.viewport().update()

    def _fit_rect(self, data: GraphData) -> QRectF | None:
        return find_fit(data, self.width(), self.height(), self.panels)

    def _set_view(self, rect: QRectF) -> None:
        self.box.setRange(rect, padding=0, disableAutoRange=True)
        self._frame = None

    def _start_moving(self) -> None:
        self._fitted = False
        self.moving = len(self.data.pairs) > MANY_RELATIONS
        self._frame = None
        self._calm.start()

    def _come_to_rest(self) -> None:
        self.moving = False
        self.repaint_layers()
