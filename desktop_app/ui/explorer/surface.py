"""The canvas with all its panels, their placement, and the appearance (colour, size, filters).

Knows neither services nor which view is shown next.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_app.engine.graph.view.graph_data import REST, Filters, filters_from_dict, set_sizes

from ..theme.theme import Theme
from ..translation import tr
from ..widgets import EmptyState, Hairline, build_column, build_row, build_splitter
from .canvas import GraphCanvas
from .filter_panel import FilterPanel
from .inspector import WIDTH as SIDE_WIDTH
from .inspector import Inspector, PathPanel
from .legends import KindLegend, Legend
from .node_colors import (
    COLOR_MODES,
    SIZE_MODES,
    LegendLine,
    describe_size,
    list_groups,
    list_types,
    set_colors,
)
from .overlays import (
    ArrangingPanel,
    BudgetLine,
    ConnectionPanel,
    CornerPlacer,
    Minimap,
    NodeActionBar,
    ZoomButtons,
)
from .tables import GraphTables
from .tooltips import describe_drawn_relation, describe_joined

LEAST_CANVAS = 360  # pixels of width; the inspector is hidden to leave this much


class Surface(QWidget):
    """The canvas with all its panels, below a toolbar."""

    def __init__(
        self,
        theme: Theme,
        toolbar: QWidget,
        parent: QWidget | None = None,
        *,
        use_opengl: bool = False,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._side = self._forced = False
        self.color_mode, self.size_mode, self.level = "type", "connections", 0
        self.is_color_chosen = False  # by the user; else each view has the colours that suit it
        self.titles: dict[int, str] = {}
        self.legend_lines: list[LegendLine] = []
        self._saved_filters: Filters | None = None
        self.collections: list[tuple[str, tuple[int, ...]]] = []
        self.canvas = GraphCanvas(theme, self, use_opengl=use_opengl)
        self.inspector = Inspector(theme, self)
        self.paths = PathPanel(theme, self)
        self.filters = FilterPanel(theme, self)
        self.empty = EmptyState(theme, "graph", tr("No names yet"), "")
        self.loading = QWidget(self)  # nothing but the sentence of `arranging`
        self.pages = QStackedWidget(self)
        for page in (self.loading, self.canvas, self.empty):
            self.pages.addWidget(page)
        self.table = GraphTables(theme, self.canvas, self)
        split = build_splitter(self.pages, self.table, orientation=Qt.Orientation.Vertical)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        self.legend = Legend(
            theme,
            lambda: (self.canvas.data, self.canvas.frame(), self.canvas.palette_now),
            self.canvas,
        )
        self.kinds = KindLegend(theme, self.canvas)
        self.budget = BudgetLine(theme, self.canvas)
        self.minimap = Minimap(theme, self.canvas, self.canvas)
        self.bar = NodeActionBar(theme, self.canvas)
        self.arranging = ArrangingPanel(theme, self.pages)
        self.corners = CornerPlacer(
            self.canvas,
            left=(self.legend, self.kinds),
            budget=self.budget,
            zoom=ZoomButtons(theme, self.canvas),
            minimap=self.minimap,
            bar=self.bar,
        )
        self.connection = ConnectionPanel(theme, self.canvas)
        self.canvas.relation_hovered.connect(lambda _: self._show_connection())
        self.filter_edge, self.edge = (Hairline(Qt.Orientation.Vertical) for _ in range(2))
        sides = (self.edge, self.inspector, self.paths)
        row = build_row(self.filters, self.filter_edge, (split, 1), *sides, spacing=0)
        build_column(toolbar, (row, 1), parent=self, spacing=0)
        self.show_filters(False)
        self.table.hide()
        theme.changed.connect(self.corners.place_soon)
        self.minimap.appeared.connect(self.corners.place_soon)
        self.legend.changed.connect(self.apply_filters)
        self.canvas.data_changed.connect(self.legend.foot.refresh)
        self.canvas.view_changed.connect(self.legend.foot.update)
        self.legend.folded.connect(self.corners.place)
        self.kinds.changed.connect(self.apply_filters)
        self.filters.changed.connect(lambda _: self.apply_filters())
        self.filters.cleared.connect(self._clear)
        self.budget.clear_wanted.connect(self.filters.clear.click)

    # --- pages ----------------------------------------------------------

    def begin(self) -> None:
        """Show that a view is loading, over the canvas or in its place."""
        self.arranging.begin()
        if not len(self.canvas.data):
            self.pages.setCurrentWidget(self.loading)

    def end(self) -> None:
        self.arranging.end()
        if len(self.canvas.data):
            self.pages.setCurrentWidget(self.canvas)

    def show_empty(self, title: str, text: str) -> None:
        """Show an explanation in place of an empty graph."""
        self.empty.set_texts(title, text)
        self.pages.setCurrentWidget(self.empty)
        self.show_side(False)

    # --- panels ---------------------------------------------------------------------------

    def show_filters(self, wanted: bool) -> None:
        self.filters.setVisible(wanted)
        self.filter_edge.setVisible(wanted)
        self._fit_side()

    def show_side(self, wanted: bool, *, forced: bool = False) -> None:
        """Show the side panel: the paths that were found, else the inspector.

        In a narrow window the inspector stays hidden unless `forced`.
        """
        self._side, self._forced = wanted, wanted and (forced or self._forced)
        self._fit_side()

    def toggle_side(self) -> None:
        self.show_side(self.inspector.isHidden() and self.paths.isHidden(), forced=True)

    def _fit_side(self) -> None:
        paths = self._side and self.has_open_paths
        taken = self.filters.width() if self.filters.isVisibleTo(self) else 0
        room = self.width() - self._theme.breadth(SIDE_WIDTH) - taken
        inspector = self._side and not paths and (self._forced or room >= LEAST_CANVAS)
        self.paths.setVisible(paths)
        self.inspector.setVisible(inspector)
        self.edge.setVisible(paths or inspector)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_side()

    def open_paths(self, opened: bool) -> None:
        self.paths.setProperty("open", opened)
        if not opened:
            self.canvas.show_path([])
        self.show_side(True)

    @property
    def has_open_paths(self) -> bool:
        return bool(self.paths.property("open"))

    def set_minimap_wanted(self, wanted: bool) -> None:
        self.minimap.wanted = wanted
        self.canvas.view_changed.emit()

    # --- appearance -----------------------------------------------------------------------------

    def prepare(self) -> None:
        """Colour the view and update legends and filters with its content."""
        data = self.canvas.data
        lines = self.legend_lines = set_colors(data, self.color_mode, self.titles)
        self.legend.set_lines(
            self.color_mode,
            tr(COLOR_MODES[self.color_mode]),
            lines,
            size_mode=self.size_mode,
            size=describe_size(self.size_mode, data),
        )
        self.kinds.set_data(data)
        self.canvas.set_step_numbers(data.step_numbers)
        self.inspector.set_colors(
            self.find_code, by_type=self.color_mode == "type", step_numbers=data.step_numbers
        )
        by_type, by_group = self.color_mode == "type", self.color_mode == "group"
        # Types or communities of the legend are switched there, others in the filter panel.
        self.filters.types.set_lines([] if by_type else list_types(data))
        self.filters.groups.set_lines([] if by_group else list_groups(data))
        if self._saved_filters is not None:
            saved, self._saved_filters = self._saved_filters, None
            self.filters.types.set_hidden(saved.hidden_types)
            self.filters.groups.set_hidden(saved.hidden_groups)
            self.legend.set_hidden(saved.hidden_types if by_type else saved.hidden_colors)
            self.kinds.set_hidden(saved.hidden_kinds)
            self.kinds.set_confirmed_only(saved.confirmed_only)
        self.filters.set_data(data, self.titles, self.collections)
        self.corners.place()
        self.apply_filters()

    def find_code(self, entity_id: int) -> int | None:
        """Return the code of the colour of a name, None while colours stand for types."""
        if self.color_mode == "type":
            return None
        data = self.canvas.data
        row = data.row_of.get(entity_id)
        return REST if row is None else int(data.color_codes[row])

    def _show_connection(self) -> None:
        """Show what the line under the pointer is: its names, kind, passages and sentence."""
        number = self.canvas.focus.hovered_relation
        relation = None if number is None else self.canvas.data.relations[number]
        text = "" if relation is None else describe_drawn_relation(relation)
        sentence = "" if relation is None else describe_joined(relation)
        self.corners.show_connection(self.connection, text, sentence)

    def set_color(self, mode: str) -> None:
        """Change what colours stand for, as the user chose; hidden nodes stay hidden."""
        self.is_color_chosen = True
        data, legend, panel = self.canvas.data, self.legend, self.filters
        hidden = list(legend.hidden())
        if legend.mode == "type":
            panel.types.set_hidden(hidden)
        elif legend.mode == "group":
            left_out = data.communities[np.isin(data.color_codes, hidden)]
            panel.groups.set_hidden(np.unique(left_out).tolist())
        self.color_mode = mode
        self.prepare()
        if mode == "type":
            legend.set_hidden(panel.types.hidden())
        elif mode == "group":
            left_out = np.isin(data.communities, list(panel.groups.hidden()))
            legend.set_hidden(frozenset(np.unique(data.color_codes[left_out]).tolist()))
        self.apply_filters()

    def set_size(self, mode: str) -> None:
        """Change the sizes of the nodes; their places stay."""
        self.size_mode = mode
        set_sizes(self.canvas.data, mode)
        self.legend.set_size(mode, describe_size(mode, self.canvas.data))
        self.corners.place_soon()
        self.canvas.repaint_layers()

    def apply_filters(self) -> None:
        """Apply the filters of the panel and the legends."""
        legend = self.legend
        by_type, by_group = legend.mode == "type", legend.mode == "group"
        self.canvas.set_filters(
            replace(
                self.filters.filters,
                hidden_types=legend.hidden() if by_type else self.filters.types.hidden(),
                hidden_groups=frozenset() if by_group else self.filters.groups.hidden(),
                hidden_colors=frozenset() if by_type else legend.hidden(),
                hidden_kinds=self.kinds.hidden(),
                confirmed_only=self.kinds.confirmed_only,
            )
        )
        data = self.canvas.data
        both = data.wanted & data.shown[data.pairs].all(1) if len(data.pairs) else data.wanted
        n_left = int(data.shown.sum())
        self.filters.show_counts(n_left, len(data), int(both.sum()))
        self.budget.set_filtered(n_left)
        self.corners.place_soon()

    def appearance(self) -> dict[str, Any]:
        """Return colours, sizes and filters as plain data, for saved views."""
        return {
            "color": self.color_mode,
            "color_chosen": self.is_color_chosen,
            "size": self.size_mode,
            "level": self.level,
            "filters": self.canvas.filters.to_dict(),
        }

    def set_appearance(self, appearance: dict[str, Any]) -> None:
        """Set saved colours, sizes and filters; `prepare` shows them."""
        color, size = appearance.get("color"), appearance.get("size")
        self.color_mode = color if color in COLOR_MODES else "type"
        self.is_color_chosen = bool(appearance.get("color_chosen", color in COLOR_MODES))
        self.size_mode = size if size in SIZE_MODES else "connections"
        level = appearance.get("level")
        self.level = max(0, level) if isinstance(level, int) else 0
        saved = appearance.get("filters")
        self._saved_filters = filters_from_dict(saved if isinstance(saved, dict) else {})
        self.filters.set_filters(self._saved_filters)

    def _clear(self) -> None:
        for group in (self.legend, self.kinds, self.filters.types, self.filters.groups):
            group.set_hidden(frozenset())
        self.kinds.set_confirmed_only(False)
        self.apply_filters()
