"""The small panels over the canvas and their placement.

Counts, zoom buttons, actions for the selection, progress of a layout, minimap. Knows no services.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLayout, QMenu, QSlider, QWidget

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import (
    Button,
    ElidedLabel,
    IconButton,
    Label,
    ProgressLine,
    build_column,
    build_row,
    format_number,
)
from .canvas import GraphCanvas

INSET, GAP = 12, 8
BRIEF_WIDTH, BRIEF_HEIGHT = 560, 480  # of the canvas: with less, legends are brief
# Pixels of height of the canvas in a window of 800: with less, a long legend would push the graph
# to one side.
SHORT_HEIGHT = 712
MOST_COVERED = 0.45  # of the width, by legends side by side
LARGEST_LEGEND = 0.25  # of the area, by a legend that is wider than that
SHOW_AFTER_MS = 350
HIDE_ORDER = ("shared", "pin", "keep", "hide", "path")
PANEL_EDGE, PANEL_TOP = 12, 7  # pixels around what a connection is
PANEL_EDGES = (PANEL_EDGE, PANEL_TOP, PANEL_EDGE, PANEL_TOP)
SENTENCE_WIDTH = 460  # pixels of the lines of its sentence
LEAST_TEXT = 120  # pixels of width for what a connection is
LEAST_BAR = 380  # pixels of width for the selection bar beside the legends
MOST_EXPANDED = 12  # names


class Panel(QWidget):
    """A rounded, slightly transparent panel."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.changed.connect(self.update)

    def set_brief(self, brief: bool) -> None:
        """Show only what is needed most, where the canvas is small."""

    def set_short(self, short: bool) -> None:
        """Show fewer rows, where the canvas is low."""

    def set_tight(self, tight: bool) -> bool:
        """Fold where there is no room for the panel; return whether it can be folded."""
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high = self._theme.is_high
        painter.setPen(self._theme.color("line"))  # the ground differs too little from the canvas
        painter.setBrush(self._theme.color("surface", 1.0 if high else 0.9))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()


class BudgetLine(Panel):
    """How many entities of the library are in the view, with "Show more" or "Clear filters"."""

    more_wanted = Signal()
    clear_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.text = Label("", "small", self)
        self.more = Button(tr("Show more"), self, kind="link")
        self.more.clicked.connect(self.more_wanted)
        self.clear = Button(tr("Clear filters"), self, kind="link")
        self.clear.clicked.connect(self.clear_wanted)
        self._row = build_row(self.text, self.more, self.clear, parent=self, spacing=4)
        self._has_more = False
        self._texts: tuple[str, ...] = ()  # the longest first
        self._by_connections = self._is_by_community = False
        self._counts, self._n_strongest = (0, 0), 0

    def set_budget(
        self,
        n_shown: int,
        n_all: int,
        *,
        by_connections: bool,
        more: bool,
        n_strongest: int = 0,
        is_by_community: bool = False,
    ) -> None:
        """Show the counts; `is_by_community` if lines between communities are left out, too."""
        total = max(n_shown, n_all)
        self._counts, self._n_strongest = (n_shown, total), n_strongest
        self._by_connections = by_connections
        self._is_by_community = is_by_community and n_strongest > 0
        self._has_more = more and n_shown < total
        self.set_filtered(n_shown)
        self.setVisible(n_shown > 0)
        self.setFixedHeight(self._theme.length(32))
        self.adjustSize()

    def set_filtered(self, n_left: int) -> None:
        """Show how many entities the filters leave."""
        n_shown, total = self._counts
        is_filtered = n_left < n_shown
        self.clear.setVisible(is_filtered)
        self.more.setVisible(self._has_more and not is_filtered)
        has_button = self._has_more or is_filtered
        self._row.setContentsMargins(12, 0, 4 if has_button else 12, 0)
        k = format_number(n_left)
        if is_filtered:
            text = trn("{k} of {n} name, filtered", "{k} of {n} names, filtered", total, k=k)
        elif n_shown == total:
            text = trn("{n} name", "All {n} names", total)
        elif self._by_connections:
            text = trn("{k} top names of {n}", "{k} top names of {n}", total, k=k)
        else:
            text = trn("{k} of {n} name", "{k} of {n} names", total, k=k)
        self._texts = (text, tr("{k} of {n}", k=k, n=format_number(total)))
        hint = ""
        if self._n_strongest:
            self._texts = (f"{text} · {tr('strongest connections')}", *self._texts)
            hint = tr("Select a name to see all its connections.")
        if self._n_strongest and not self._is_by_community:
            few = trn(
                "{n} strongest connection per name",
                "{n} strongest connections per name",
                self._n_strongest,
            )
            hint = f"{few}. {hint}"
        self.text.setText(self._texts[0])
        self.text.setToolTip(hint)

    def fit_into(self, room: int) -> None:
        """Show the longest text that fits."""
        for text in self._texts:
            self.text.setText(text)
            self.adjustSize()
            if self.width() <= room:
                break


class ConnectionPanel(Panel):
    """What connects two names, while the pointer is on their line; passes the mouse on."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.text = ElidedLabel("", "small", self)
        self.sentence = Label("", "", self, wrap=True)
        build_column(self.text, self.sentence, parent=self, spacing=4, margins=PANEL_EDGES)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_text(self, text: str, sentence: str, left: int, right: int, bottom: int) -> None:
        """Show a line of text and a sentence between two edges, at the bottom; nothing for "".

        Args:
            left, right, bottom: edges of the room for it, in pixels of the canvas.
        """
        self.setVisible(bool(text) and right - left > LEAST_TEXT)
        if self.isHidden():
            return
        self.text.setText(text)
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        wide = self.text.fontMetrics().horizontalAdvance(text)
        if sentence:
            needed = self.sentence.fontMetrics().horizontalAdvance(sentence)
            wide = max(wide, min(needed, self._theme.length(SENTENCE_WIDTH)))
        wide = min(wide + 26, right - left)
        high = self._theme.length(32)
        if sentence:
            room = wide - 2 * PANEL_EDGE
            self.sentence.resize(room, self.sentence.height())  # breaks words that are wider
            lines = self.sentence.heightForWidth(room)
            high = 2 * PANEL_TOP + self.text.sizeHint().height() + 4 + lines
        self.setGeometry(left, bottom - high, wide, high)
        self.raise_()


class ZoomButtons(Panel):
    """Zoom in, zoom out, fit."""

    def __init__(self, theme: Theme, canvas: GraphCanvas) -> None:
        super().__init__(theme, canvas)
        column = build_column(parent=self, spacing=0, margins=(2, 2, 2, 2))
        for icon, words, key, act in (
            ("plus", tr("Zoom in"), "+", lambda: canvas.zoom(1.25)),
            ("minus", tr("Zoom out"), "-", lambda: canvas.zoom(0.8)),
            ("corners-out", tr("Fit everything"), "0", canvas.fit),
        ):
            button = IconButton(theme, icon, words, self, shortcut=key)
            button.clicked.connect(lambda _=False, act=act: act())
            column.addWidget(button)


class NodeActionBar(Panel):
    """Buttons for the selected nodes; emits `action_wanted` with the action pressed."""

    action_wanted = Signal(str)
    depth_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.text = Label("", "small", self)
        self.buttons: dict[str, Button] = {}
        for action, words, tip in (
            ("expand", tr("Expand"), tr("Add the neighbours of the selected names (E)")),
            ("hide", tr("Hide"), tr("Hide the selected names in this view (H)")),
            ("keep", tr("Show only these"), tr("Show only the selected names (K)")),
            ("path", tr("Find path"), tr("Find paths between two names, with evidence (W)")),
            ("pin", tr("Pin"), tr("Fix the position of the selected names (P)")),
            (
                "shared",
                tr("Common neighbours"),
                tr("Add the neighbours that all selected names share"),
            ),
        ):
            button = self.buttons[action] = Button(words, self, tooltip=tip)
            button.clicked.connect(lambda _=False, action=action: self.action_wanted.emit(action))
        self.more_button = IconButton(theme, "more", tr("More"), self)
        self.more_button.setPopupMode(self.more_button.ToolButtonPopupMode.InstantPopup)
        self._more = QMenu(self)  # the actions without room for their buttons
        self._more.aboutToShow.connect(self._fill_menu)
        self.more_button.setMenu(self._more)
        self.more_button.hide()
        self.depth_label = Label("", "small", self)
        self.depth_label.setContentsMargins(0, 0, 4, 0)
        self.depth_slider = QSlider(Qt.Orientation.Horizontal, self)
        self.depth_slider.setRange(1, 4)
        self.depth_slider.setFixedWidth(64)
        self.depth_slider.setPageStep(1)
        self.depth_slider.setToolTip(tr("Number of steps around the name"))
        self.depth_slider.setAccessibleName(tr("Steps around the name"))
        self.close_button = IconButton(theme, "close", tr("Clear selection"), self, shortcut="Esc")
        self.close_button.clicked.connect(lambda: self.action_wanted.emit("none"))
        depth = (self.depth_label, self.depth_slider, self.close_button)
        build_row(
            *(self.text, *self.buttons.values(), self.more_button, *depth),
            parent=self,
            spacing=8,
            margins=(12, 4, 4, 4),
        )
        self._wait = QTimer(self, singleShot=True, interval=200)
        self._wait.timeout.connect(lambda: self.depth_wanted.emit(self.depth_slider.value()))
        self.depth_slider.valueChanged.connect(lambda _: self._wait.start())
        self.depth_slider.valueChanged.connect(self._show_depth)
        self._dropped: list[str] = []
        self._chosen: tuple[int, bool, int | None] | None = None  # what is shown
        self.hide()

    def set_chosen(self, n: int, *, pinned: bool, depth: int | None) -> None:
        """Show the actions for `n` nodes; `depth` is None unless the view is about them.

        What comes and goes with the selection stands last, and a button has the width of its
        longest text, so that no button moves when one is pressed.
        """
        if self._chosen == (n, pinned, depth):
            return
        self._chosen = (n, pinned, depth)
        one = n == 1
        self._dropped = []
        self.more_button.hide()
        for action in ("expand", "hide", "keep", "path", "pin"):
            self.buttons[action].show()
        self._set_text(self.text, trn("{n} name", "{n} names", n), trn("{n} name", "{n} names", 88))
        self.text.show()
        self.buttons["path"].setEnabled(n <= 2)
        self._set_text(
            self.buttons["path"], tr("Find path…") if one else tr("Find path"), tr("Find path…")
        )
        self.buttons["shared"].setVisible(n >= 2)
        self.buttons["expand"].setEnabled(n <= MOST_EXPANDED)
        self._set_text(self.buttons["pin"], tr("Unpin") if pinned else tr("Pin"), tr("Unpin"))
        self.depth_slider.setVisible(one and depth is not None)
        self.depth_label.setVisible(one and depth is not None)
        if depth is not None:
            self.depth_slider.blockSignals(True)
            self.depth_slider.setValue(depth)
            self.depth_slider.blockSignals(False)
            self._show_depth(depth)
        self.setVisible(n > 0)
        self.adjustSize()

    def _show_depth(self, depth: int) -> None:
        self.depth_label.setText(tr("Steps: {n}", n=depth))

    @staticmethod
    def _set_text(widget: Label | Button, text: str, longest: str) -> None:
        """Set a text, with the width of the longest one that the widget shows."""
        widget.setMinimumWidth(0)
        widget.setText(longest)
        widget.ensurePolished()
        wide = widget.sizeHint().width()
        widget.setText(text)
        widget.setMinimumWidth(max(wide, widget.sizeHint().width()))

    def fit_into(self, room: int) -> None:
        """Move actions into the menu of "…" until the bar fits; without them, the steps go too."""
        for action in self._dropped:
            self.buttons[action].show()
        self._dropped = []
        has_depth = (
            self._chosen is not None and self._chosen[0] == 1 and self._chosen[2] is not None
        )
        for part in (self.depth_label, self.depth_slider):
            part.setVisible(has_depth)
        self.more_button.hide()
        self.adjustSize()
        for action in HIDE_ORDER:
            if self.width() <= room:
                break
            if not self.buttons[action].isHidden():
                self.buttons[action].hide()
                self._dropped.append(action)
                self.more_button.show()
                self.adjustSize()
        if self.width() > room:
            for part in (self.depth_label, self.depth_slider):
                part.hide()
            self.adjustSize()

    def _fill_menu(self) -> None:
        self._more.clear()
        for action, button in self.buttons.items():
            if action in self._dropped:
                entry = self._more.addAction(button.text())
                entry.setEnabled(button.isEnabled())
                entry.triggered.connect(button.click)

    def show_message(self, text: str) -> None:
        """Show only a sentence and the close button."""
        self._chosen = None
        self.text.setText(text)
        self.text.show()
        self._dropped = []
        hidden = (*self.buttons.values(), self.more_button, self.depth_slider, self.depth_label)
        for widget in hidden:
            widget.hide()
        self.show()
        self.adjustSize()


class ArrangingPanel(Panel):
    """What is being done to show a view; a layout has its progress and a button to stop it."""

    stop_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._ground = parent
        self.text = Label("", "small", self)
        self.line = ProgressLine(self)
        self.line.setFixedWidth(120)
        tip = tr("Stop and keep the current layout")
        self.stop = Button(tr("Stop"), self, kind="link", tooltip=tip)
        self.stop.clicked.connect(self.stop_wanted)
        build_row(self.text, self.line, self.stop, parent=self, spacing=8, margins=(12, 4, 4, 4))
        self._wait = QTimer(self, singleShot=True, interval=SHOW_AFTER_MS)
        self._wait.timeout.connect(self._appear)
        self.hide()

    def begin(self) -> None:
        self._show_text(tr("Loading the graph…"), is_layout=False)
        self._wait.start()

    def set_share(self, share: float, n: int) -> None:
        self.line.set_share(share)
        self._show_text(trn("Arranging {n} name", "Arranging {n} names", n), is_layout=True)

    def end(self) -> None:
        self._wait.stop()
        self.hide()

    def _show_text(self, text: str, *, is_layout: bool) -> None:
        self.text.setText(text)
        right = 4 if is_layout else 12  # the button has a margin of its own
        cast(QLayout, self.layout()).setContentsMargins(12, 4, right, 4)
        for widget in (self.line, self.stop):
            widget.setVisible(is_layout)
        self._place()

    def _place(self) -> None:
        self.adjustSize()
        self.move(self._ground.rect().center() - self.rect().center())

    def _appear(self) -> None:
        self._place()
        self.show()
        self.raise_()


class CornerPlacer(QObject):
    """Places the panels in the corners of the canvas and passes it their rectangles."""

    def __init__(
        self,
        ground: GraphCanvas,
        *,
        left: Sequence[Panel],
        budget: BudgetLine,
        zoom: QWidget,
        minimap: QWidget,
        bar: NodeActionBar,
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

    def show_connection(self, panel: ConnectionPanel, text: str, sentence: str) -> None:
        """Show what a connection is, and its sentence, between the counts and the zoom buttons."""
        right, bottom = self._zoom.x() - GAP, self._ground.height() - INSET
        panel.show_text(text, sentence, self._budget.geometry().right() + 1 + GAP, right, bottom)

    def place_soon(self) -> None:
        """Place the panels once, in the next turn of the event loop."""
        self._later.start()

    def place(self) -> None:
        right, bottom = self._ground.width() - INSET, self._ground.height() - INSET
        panels = (*self._left, self._budget, self._zoom, self._minimap, self._bar)
        for legend in self._left:
            legend.set_brief(right < BRIEF_WIDTH or bottom < BRIEF_HEIGHT)
            legend.set_short(self._ground.height() < SHORT_HEIGHT)
            legend.set_tight(False)
        for panel in panels:
            panel.adjustSize()
            panel.raise_()
        self._budget.fit_into(right - INSET - self._zoom.width() - GAP)
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
            has_room = self._has_room(panel, right, bottom)
            if not has_room and panel.set_tight(True):
                panel.adjustSize()
            elif not has_room:
                panel.move(-2 * panel.width(), 0)  # it would hide most of the names
                continue
            if y > INSET and y + panel.height() + GAP > bottom - self._budget.height():
                # No room below; a panel that would leave too little width is moved outside.
                if x + widest + GAP + panel.width() > right * MOST_COVERED:
                    panel.move(-2 * panel.width(), 0)
                    continue
                x, y, widest = x + widest + GAP, INSET, 0
            panel.move(x, y)
            y, widest = y + panel.height() + GAP, max(widest, panel.width())
        # The place of the bar depends on the legends only: it stays when the selection changes.
        start = x + widest + GAP if widest else INSET
        low = right - start < LEAST_BAR  # no room beside the legends: place it above the counts
        self._bar.fit_into(right - INSET - self._zoom.width() - GAP if low else right - start)
        top = bottom - self._budget.height() - GAP - self._bar.height() if low else INSET
        self._bar.move(INSET if low else start, max(INSET, top))
        # Without room for both, the zoom buttons go: wheel and keys zoom as well.
        over = self._bar.isVisibleTo(self._ground)
        self._zoom.setVisible(not (over and self._bar.geometry().intersects(self._zoom.geometry())))
        # Labels avoid the bar and the minimap, but the view is not fitted again for them.
        ground = self._ground
        shown = [p for p in panels if p is self._zoom or p.isVisibleTo(ground)]
        passing = (self._minimap, self._bar)
        ground.set_panels(
            [p.geometry() for p in shown if p not in passing and p.x() >= 0],
            [p.geometry() for p in shown if p in passing],
        )

    def _has_room(self, panel: Panel, right: int, bottom: int) -> bool:
        """Return whether a legend leaves most of the canvas free."""
        area = panel.width() * panel.height() / max(1, right * bottom)
        if panel.width() > right * MOST_COVERED and area > LARGEST_LEGEND:
            return False
        # over a low canvas, as above the tables, it would be below the bar and the counts
        floor = bottom - self._budget.height()
        if right - INSET - panel.width() - GAP < LEAST_BAR:
            floor -= GAP + self._bar.sizeHint().height()
        return INSET + panel.height() + GAP <= floor


WIDTH, HEIGHT, MARGIN = 168, 112, 8  # of the minimap
FEWEST, SMALLEST_GROUND = 12, 560


class Minimap(Panel):
    """Shows all nodes as dots; emits `appeared` when it is shown or hidden."""

    appeared = Signal()

    def __init__(self, theme: Theme, canvas: GraphCanvas, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._canvas = canvas
        self._dots: QImage | None = None
        self.wanted = True
        self.setFixedSize(WIDTH, HEIGHT)
        self.setAccessibleName(tr("Minimap"))
        self.setToolTip(tr("Click to go there"))
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
            seen = canvas.box.viewRect().adjusted(-2, -2, 2, 2)
            needed = not seen.contains(QRectF(*bounds))
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
        corner = QPointF(view.x() * scale + left, view.y() * scale + top)
        frame = QRectF(corner, view.size() * scale).intersected(
            QRectF(self.rect()).adjusted(2, 2, -2, -2)
        )
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
