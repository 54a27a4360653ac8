"""Small panels over the canvas (counts, zoom buttons, minimap) and their placement.

Knows no services.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ..language import tr, trn
from ..theme.theme import Theme
from ..widgets import Button, IconButton, Label, format_number
from .canvas import GraphCanvas
from .panel import Panel
from .selection_bar import SelectionBar

INSET, GAP = 12, 8
MOST_COVERED = 0.45  # of the width, by legends side by side


class BudgetLine(Panel):
    """How many entities of the library are in the view, with "Show more"."""

    more_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 4, 0)
        row.setSpacing(4)
        self.text = Label("", "small", self)
        self.more = Button(tr("Show more"), self, kind="link")
        self.more.clicked.connect(self.more_wanted)
        row.addWidget(self.text)
        row.addWidget(self.more)
        self._long = self._short = self._least = ""
        self._by_connections = False
        self._counts, self._n_strongest = (0, 0), 0

    def set_budget(
        self,
        n_shown: int,
        n_all: int,
        *,
        by_connections: bool,
        more: bool,
        n_strongest: int = 0,
    ) -> None:
        total = max(n_shown, n_all)
        self._counts, self._n_strongest = (n_shown, total), n_strongest
        self._by_connections = by_connections
        self.set_filtered(n_shown)
        self.more.setVisible(more and n_shown < total)
        self._row.setContentsMargins(12, 0, 4 if self.more.isVisibleTo(self) else 12, 0)
        self.setVisible(n_shown > 0)
        self.setFixedHeight(self._theme.length(32))
        self.adjustSize()

    def set_filtered(self, n_left: int) -> None:
        """Show how many entities the filters leave."""
        n_shown, total = self._counts
        shown = format_number(n_shown)
        if n_left < n_shown:
            left = format_number(n_left)
            text = trn("{k} of {n} name, filtered", "{k} of {n} names, filtered", total, k=left)
        elif n_shown == total:
            text = trn("{n} name", "All {n} names", total)
        elif self._by_connections:
            text = trn(
                "{k} of {n} name, by connections",
                "{k} of {n} names, by connections",
                total,
                k=shown,
            )
        else:
            text = trn("{k} of {n} name", "{k} of {n} names", total, k=shown)
        self._short = self._long = text
        if self._n_strongest:
            few = trn(
                "{n} strongest connection of each",
                "{n} strongest connections of each",
                self._n_strongest,
            )
            self._long = f"{text} · {few}"
        self._least = tr("{k} of {n}", k=format_number(n_left), n=format_number(total))
        self.text.setText(self._long)
        hint = tr("Select a name to see all its connections.") if self._n_strongest else ""
        self.text.setToolTip(hint)

    def fit_into(self, room: int) -> None:
        """Show the longest of three texts that fits."""
        for text in (self._long, self._short, self._least):
            self.text.setText(text)
            self.adjustSize()
            if self.width() <= room:
                break


class ZoomButtons(Panel):
    """Zoom in, zoom out, fit."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.setSpacing(0)
        self.zoom_in = IconButton(theme, "plus", tr("Zoom in"), self, shortcut="+")
        self.zoom_out = IconButton(theme, "minus", tr("Zoom out"), self, shortcut="-")
        self.fit = IconButton(theme, "corners-out", tr("Fit everything"), self, shortcut="0")
        for button in (self.zoom_in, self.zoom_out, self.fit):
            column.addWidget(button)


class CornerPlacer(QObject):
    """Places the panels in the corners of the canvas and passes it their rectangles."""

    def __init__(
        self,
        ground: GraphCanvas,
        *,
        left: Sequence[QWidget],
        budget: BudgetLine,
        zoom: QWidget,
        minimap: QWidget,
        bar: SelectionBar,
    ) -> None:
        super().__init__(ground)
        self._ground, self._left = ground, left
        self._budget, self._zoom, self._minimap, self._bar = budget, zoom, minimap, bar
        ground.installEventFilter(self)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.place)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._ground and event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.place()
        return False

    def place_soon(self) -> None:
        """Place the panels once, in the next turn of the event loop."""
        self._later.start()

    def place(self) -> None:
        right, bottom = self._ground.width() - INSET, self._ground.height() - INSET
        panels = (*self._left, self._budget, self._zoom, self._minimap, self._bar)
        for panel in panels:
            panel.adjustSize()
            panel.raise_()
        self._budget.fit_into(right - INSET - self._zoom.width() - GAP)
        self._bar.fit_into(right - INSET)
        self._budget.move(INSET, bottom - self._budget.height())
        self._zoom.move(right - self._zoom.width(), bottom - self._zoom.height())
        self._minimap.move(
            right - self._zoom.width() - GAP - self._minimap.width(),
            bottom - self._minimap.height(),
        )
        x = y = INSET
        widest = 0
        for panel in self._left:
            if panel.isHidden():
                continue
            if y > INSET and y + panel.height() + GAP > bottom - self._budget.height():
                # No room below; a panel that would leave too little width is moved outside.
                if x + widest + GAP + panel.width() > right * MOST_COVERED:
                    panel.move(-2 * panel.width(), 0)
                    continue
                x, y, widest = x + widest + GAP, INSET, 0
            panel.move(x, y)
            y, widest = y + panel.height() + GAP, max(widest, panel.width())
        wide = self._bar.width()
        room = right - (x + widest + GAP if widest else INSET)
        middle = right - room / 2 - wide / 2
        low = room < wide  # no room beside the legends: place it above the counts
        top = bottom - self._budget.height() - GAP - self._bar.height() if low else INSET
        most = right - wide - (self._zoom.width() + GAP if low else 0)
        self._bar.move(round(max(INSET, min(middle, most))), max(INSET, top))
        # Without room for both, the zoom buttons go: wheel and keys zoom as well.
        over = self._bar.isVisibleTo(self._ground)
        self._zoom.setVisible(not (over and self._bar.geometry().intersects(self._zoom.geometry())))
        # Labels avoid the bar and the minimap, but the view is not fitted again for them.
        lasting, passing = panels[:-2], panels[-2:]
        ground = self._ground
        ground.set_panels(
            [
                p.geometry()
                for p in lasting
                if (p is self._zoom or p.isVisibleTo(ground)) and p.x() >= 0
            ],
            [p.geometry() for p in passing if p.isVisibleTo(ground)],
        )


WIDTH, HEIGHT, MARGIN = 168, 112, 8
FEWEST, SMALLEST_GROUND = 12, 560


class Minimap(Panel):
    """Shows all nodes as dots; emits `appeared` when it is shown or hidden."""

    appeared = Signal()

    def __init__(self, theme: Theme, canvas: GraphCanvas, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._canvas = canvas
        self._dots: QImage | None = None
        self._key: tuple | None = None
        self.wanted = True
        self.setFixedSize(WIDTH, HEIGHT)
        self.setAccessibleName(tr("Map of the picture"))
        self.setToolTip(tr("Press to go there"))
        self.setCursor(Qt.CursorShape.CrossCursor)
        self._later = QTimer(self, singleShot=True, interval=60)
        self._later.timeout.connect(self._update_visibility)
        canvas.view_changed.connect(self._view_changed)
        canvas.data_changed.connect(self._data_changed)
        canvas.places_changed.connect(self._data_changed)
        theme.changed.connect(self._data_changed)
        self.hide()

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, HEIGHT)

    def _data_changed(self) -> None:
        self._dots = None
        self._view_changed()

    def _view_changed(self) -> None:
        if not self._later.isActive():
            self._later.start()
        self.update()

    def _update_visibility(self) -> None:
        """Show the minimap only while something is out of view."""
        canvas = self._canvas
        bounds = canvas.data.bounds() if len(canvas.data) >= FEWEST else None
        needed = False
        if self.wanted and bounds is not None and canvas.width() >= SMALLEST_GROUND:
            inner = QRectF(*bounds)
            needed = not canvas.box.viewRect().adjusted(-2, -2, 2, 2).contains(inner)
        if needed == self.isHidden():
            self.setVisible(needed)
            self.appeared.emit()

    def _step(self) -> tuple[float, float, float]:
        """Return scale and offset from the layout to the minimap."""
        x, y, wide, high = self._canvas.data.bounds() or (0.0, 0.0, 1.0, 1.0)
        scale = min((WIDTH - 2 * MARGIN) / max(wide, 1), (HEIGHT - 2 * MARGIN) / max(high, 1))
        left = (WIDTH - wide * scale) / 2 - x * scale
        return scale, left, (HEIGHT - high * scale) / 2 - y * scale

    def _paint_dots(self) -> QImage:
        """Return an image of the nodes as dots, the biggest on top."""
        data, palette = self._canvas.data, self._canvas.palette_now
        scale, left, top = self._step()
        pixels = np.zeros((HEIGHT, WIDTH), dtype=np.uint32)
        colors = np.array([color.rgba() for color in palette.discs], dtype=np.uint32)
        order = data.by_size[::-1]
        rows = order[(data.shown & np.isfinite(data.places).all(1))[order]]
        at = (data.places[rows] * scale + (left, top)).astype(np.int64)
        wide = 2 if len(rows) < 3_000 else 1
        for right in range(wide):
            for down in range(wide):
                x = np.clip(at[:, 0] + right, 0, WIDTH - 1)
                y = np.clip(at[:, 1] + down, 0, HEIGHT - 1)
                pixels[y, x] = colors[data.color_codes[rows]]
        image = QImage(pixels.data, WIDTH, HEIGHT, 4 * WIDTH, QImage.Format.Format_ARGB32)
        return image.copy()  # a copy, because the array is freed

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not len(self._canvas.data):
            return
        if self._dots is None:
            self._dots = self._paint_dots()
        painter = QPainter(self)
        painter.drawImage(0, 0, self._dots)
        scale, left, top = self._step()
        view = self._canvas.box.viewRect()
        frame = QRectF(
            view.x() * scale + left, view.y() * scale + top, view.width() * scale,
            view.height() * scale,
        )  # fmt: skip
        frame = frame.intersected(QRectF(self.rect()).adjusted(2, 2, -2, -2))
        painter.setPen(QPen(self._theme.color("accent"), 1.4))
        painter.setBrush(self._theme.color("accent", 0.1))
        painter.drawRoundedRect(frame, 2, 2)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go_to(event.position())

    def _go_to(self, at: QPointF) -> None:
        scale, left, top = self._step()
        self._canvas.centre_on(QPointF((at.x() - left) / scale, (at.y() - top) / scale))
