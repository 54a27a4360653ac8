"""Everything that lies over and beside the canvas, placed; and what colour, size and filters say.

Owns the panels and the look they make together. Knows neither services nor what is shown next.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import EmptyState, Hairline, Skeleton

from .canvas import GraphCanvas
from .coloring import COLOR_MODES, SIZE_MODES, set_colors, set_sizes
from .corners import BudgetLine, CornerPlacer, ZoomButtons
from .filter_panel import FilterPanel
from .filters import Filters, filters_from
from .inspector import Inspector
from .kind_legend import KindLegend
from .legend import Legend
from .minimap import Minimap
from .selection_bar import ArrangingPanel, SelectionBar
from .table_twin import TableTwin
from .way_panel import WayPanel


class Surface(QWidget):
    """The canvas with all its panels; `toolbar` stands over it."""

    def __init__(self, theme: Theme, toolbar: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.color_mode, self.size_mode = "type", "connections"
        self.titles: dict[int, str] = {}
        self.collections: list[tuple[str, tuple[int, ...]]] = []
        self.canvas = GraphCanvas(theme, self)
        self.inspector = Inspector(theme, self)
        self.ways = WayPanel(theme, self)
        self.filters = FilterPanel(theme, self)
        self.empty = EmptyState(theme, "graph", "No names yet", "")
        self.skeleton = Skeleton(theme)
        self.pages = QStackedWidget(self)
        for page in (self.skeleton, self.canvas, self.empty):
            self.pages.addWidget(page)
        self.table = TableTwin(theme, self.canvas, self)
        self.split = QSplitter(Qt.Orientation.Vertical, self)
        self.split.setHandleWidth(1)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.pages)
        self.split.addWidget(self.table)
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)
        self.legend = Legend(theme, self.canvas)
        self.kinds = KindLegend(theme, self.canvas)
        self.budget = BudgetLine(theme, self.canvas)
        self.zoom_buttons = ZoomButtons(theme, self.canvas)
        self.minimap = Minimap(theme, self.canvas, self.canvas)
        self.bar = SelectionBar(theme, self.canvas)
        self.arranging = ArrangingPanel(theme, self.canvas)
        self.corners = CornerPlacer(
            self.canvas,
            left=(self.legend, self.kinds),
            budget=self.budget,
            zoom=self.zoom_buttons,
            minimap=self.minimap,
            bar=self.bar,
        )
        self.filter_edge, self.edge = (Hairline(Qt.Orientation.Vertical) for _ in range(2))
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self.filters)
        row.addWidget(self.filter_edge)
        row.addWidget(self.split, 1)
        row.addWidget(self.edge)
        row.addWidget(self.inspector)
        row.addWidget(self.ways)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(toolbar)
        column.addLayout(row, 1)
        self.show_filters(False)
        self.table.hide()
        self.minimap.appeared.connect(self.corners.place_soon)
        self.legend.changed.connect(self.sift)
        self.kinds.changed.connect(self.sift)
        self.filters.changed.connect(lambda _: self.sift())
        self.filters.cleared.connect(self._clear)
        zoom = self.zoom_buttons
        zoom.zoom_in.clicked.connect(lambda: self.canvas.zoom(1.25))
        zoom.zoom_out.clicked.connect(lambda: self.canvas.zoom(0.8))
        zoom.fit.clicked.connect(self.canvas.fit)

    # --- what stands in the middle ----------------------------------------------------------

    def begin(self) -> None:
        """Say that something is under way: over the picture, or in its place."""
        if len(self.canvas.data):
            self.arranging.begin()
        else:
            self.pages.setCurrentWidget(self.skeleton)
            self.skeleton.start()

    def end(self) -> None:
        self.skeleton.stop()
        self.arranging.end()
        if len(self.canvas.data):
            self.pages.setCurrentWidget(self.canvas)

    def show_empty(self, title: str, text: str) -> None:
        """Say in place of the picture why there is none."""
        self.empty.set_texts(title, text)
        self.pages.setCurrentWidget(self.empty)
        self.show_side(False)

    # --- panels ---------------------------------------------------------------------------

    def show_filters(self, wanted: bool) -> None:
        self.filters.setVisible(wanted)
        self.filter_edge.setVisible(wanted)

    def show_side(self, wanted: bool) -> None:
        """Show what is beside the canvas: the ways that were found, else the inspector."""
        ways = wanted and bool(self.ways.property("open"))
        self.ways.setVisible(ways)
        self.inspector.setVisible(wanted and not ways)
        self.edge.setVisible(wanted)

    def open_ways(self, opened: bool) -> None:
        self.ways.setProperty("open", opened)
        if not opened:
            self.canvas.show_way([])
        self.show_side(True)

    # --- look -----------------------------------------------------------------------------

    def prepare(self) -> None:
        """Colour the picture that is shown and tell the legends and filters what is in it."""
        data = self.canvas.data
        lines = set_colors(data, self.color_mode, self.titles)
        self.legend.set_lines(self.color_mode, COLOR_MODES[self.color_mode], lines)
        self.kinds.set_data(data)
        self.filters.set_data(data, self.titles, self.collections)
        self.corners.place()
        self.sift()

    def set_color(self, mode: str) -> None:
        self.color_mode = mode
        self.prepare()

    def set_size(self, mode: str) -> None:
        """Size the discs anew where they stand."""
        self.size_mode = mode
        set_sizes(self.canvas.data, mode)
        self.canvas.repaint_layers()

    def sift(self) -> None:
        """Leave out what legends and filters say."""
        chosen, legend = self.filters.filters, self.legend
        by_type = legend.mode == "type"
        self.canvas.set_filters(
            Filters(
                hidden_types=legend.hidden() if by_type else frozenset(),
                hidden_colors=frozenset() if by_type else legend.hidden(),
                hidden_kinds=frozenset(self.kinds.hidden()),
                confirmed_only=self.kinds.confirmed_only,
                documents=chosen.documents,
                weights=chosen.weights,
                connections=chosen.connections,
                name=chosen.name,
                orphans=chosen.orphans,
            )
        )
        data = self.canvas.data
        both = data.wanted & data.shown[data.pairs].all(1) if len(data.pairs) else data.wanted
        self.filters.say_shown(int(data.shown.sum()), len(data), int(both.sum()))

    def look(self) -> dict[str, Any]:
        """Return colours, sizes and filters as plain data."""
        return {
            "color": self.color_mode,
            "size": self.size_mode,
            "filters": self.canvas.filters.as_plain(),
        }

    def take_look(self, look: dict[str, Any]) -> None:
        """Take colours, sizes and filters that were kept; `prepare` shows them."""
        color, size = look.get("color"), look.get("size")
        self.color_mode = color if color in COLOR_MODES else "type"
        self.size_mode = size if size in SIZE_MODES else "connections"
        kept = look.get("filters")
        self.filters.set_filters(filters_from(kept if isinstance(kept, dict) else {}))

    def _clear(self) -> None:
        self.legend.set_hidden(frozenset())
        self.kinds.only([])
        self.sift()
