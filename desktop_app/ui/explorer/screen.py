"""The graph screen: opens at the most connected names, follows the person from name to name.

Owns which view is shown, and joins toolbar, canvas, corners and inspector. Reads only through
`context.exploring` in the reader lane, lays out in a lane of its own (`shut_down` ends it);
other screens are reached by its signals.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.types import ENTITY_TYPES
from desktop_app.ui.widgets import EmptyState, Hairline, Skeleton
from desktop_app.workers.operations import Query

from .canvas import GraphCanvas
from .corners import BudgetLine, CornerPlacer, Legend, ZoomButtons
from .export import ask_and_save
from .graph_data import GraphData
from .inspector import Inspector, Portrait
from .kind_legend import KindLegend
from .loading import GraphLoader
from .menu import build_menu
from .toolbar import ExplorerToolbar
from .views import NEAR_LIMIT, TOP_STEP, Trail, View, standing_of

N_RELATIONS, N_MENTIONS = 8, 6


class ExplorerScreen(QWidget):
    """Shows a part of the graph; `show_top` and `show_entities` choose which."""

    open_entity = Signal(int)
    open_passage = Signal(int, int, int)
    shown = Signal()
    enrich_entity_requested = Signal(int)

    def __init__(self, context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._trail = Trail()
        self._loader = GraphLoader(context, self)
        self._shown_view: View | None = None
        self._select_next: int | None = None
        self._stale = True
        self._quiet = False
        theme = context.theme
        self.toolbar = ExplorerToolbar(theme, self._find, self)
        self.canvas = GraphCanvas(theme, self)
        self.inspector = Inspector(theme, self)
        self.empty = EmptyState(
            theme, "graph", "No names yet", "Add a book and its names appear here in seconds."
        )
        self.skeleton = Skeleton(theme)
        self.pages = QStackedWidget(self)
        for page in (self.skeleton, self.canvas, self.empty):
            self.pages.addWidget(page)
        self.legend = Legend(theme, self.canvas)
        self.kinds = KindLegend(theme, self.canvas)
        self.budget = BudgetLine(theme, self.canvas)
        self.zoom_buttons = ZoomButtons(theme, self.canvas)
        self._corners = CornerPlacer(
            self.canvas, self.legend, self.kinds, self.budget, self.zoom_buttons
        )
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self.pages, 1)
        self._edge = Hairline(Qt.Orientation.Vertical)
        row.addWidget(self._edge)
        row.addWidget(self.inspector)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addLayout(row, 1)
        self._join()

    def _join(self) -> None:
        canvas, bar, panel = self.canvas, self.toolbar, self.inspector
        canvas.entity_selected.connect(self._selected)
        canvas.entity_activated.connect(self.open_entity)
        canvas.gestures.menu_wanted.connect(self._show_menu)
        bar.name_chosen.connect(lambda entity_id: self.show_entities([entity_id]))
        bar.top_wanted.connect(self.show_top)
        bar.expand_wanted.connect(lambda: self.expand(canvas.selected_id()))
        bar.hide_wanted.connect(lambda: self.hide_entity(canvas.selected_id()))
        bar.back_wanted.connect(lambda: self._load(self._trail.back()))
        bar.forward_wanted.connect(lambda: self._load(self._trail.forward()))
        bar.export_wanted.connect(self._export)
        panel.entity_chosen.connect(self._choose_neighbour)
        panel.mention_chosen.connect(
            lambda m: self.open_passage.emit(int(m.document_id), m.start, m.end)
        )
        panel.open_wanted.connect(self.open_entity)
        panel.expand_wanted.connect(self.expand)
        self.legend.hidden_changed.connect(lambda _: self._sift())
        self.kinds.changed.connect(self._sift)
        self.budget.more_wanted.connect(self._show_more)
        self.zoom_buttons.zoom_in.clicked.connect(lambda: canvas.zoom(1.25))
        self.zoom_buttons.zoom_out.clicked.connect(lambda: canvas.zoom(0.8))
        self.zoom_buttons.fit.clicked.connect(canvas.fit)
        self._loader.loaded.connect(self._show)
        self._loader.failed.connect(self._fail)
        self._context.hub.changed.connect(self._library_changed)

    # --- what to show ---------------------------------------------------------------------

    def show_top(self) -> None:
        """Show the most connected names of the library."""
        self._go(View("top", limit=TOP_STEP))

    def show_entities(self, ids: list[int]) -> None:
        """Show these names with their strongest neighbours, the first one selected."""
        wanted = tuple(dict.fromkeys(int(i) for i in ids))
        if wanted:
            self._select_next = wanted[0]
            self._go(View("near", wanted, NEAR_LIMIT))

    def expand(self, entity_id: int | None) -> None:
        """Add the strongest neighbours of a name to what is shown."""
        view = self._trail.now
        if entity_id is not None and view is not None:
            self._go(replace(view, grow=int(entity_id)))

    def hide_entity(self, entity_id: int | None) -> None:
        """Leave one name out of this view."""
        view = self._trail.now
        if entity_id is not None and view is not None:
            self._go(view.hide(int(entity_id)))

    def refresh(self) -> None:
        """Read again what is shown; what was deleted elsewhere goes without a word."""
        self._load(self._trail.now or View(), quiet=True)

    def shut_down(self) -> None:
        """End the work in the background; the screen shows nothing new after this."""
        self._loader.close()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if self._trail.now is None:
            self.show_top()
        elif self._stale:
            self.refresh()

    def _library_changed(self, change: ChangeSet) -> None:
        if not (change.everything or change.entities or change.relations or change.documents):
            return
        if self.isVisible() and self._trail.now is not None:
            self.refresh()
        else:
            self._stale = True

    # --- loading --------------------------------------------------------------------------

    def _go(self, view: View) -> None:
        self._trail.go(view)
        self._load(view)

    def _load(self, view: View | None, *, quiet: bool = False, keep: bool = False) -> None:
        if view is None:
            return
        self._stale = False
        canvas = self.canvas
        canvas.gestures.forget()
        canvas.settle()
        if self._shown_view is not None:
            self._trail.remember(self._shown_view, standing_of(canvas.data))
        if not len(canvas.data) and not quiet:
            self.pages.setCurrentWidget(self.skeleton)
            self.skeleton.start()
        self._quiet = quiet
        # Another view starts afresh, so that it is the same picture every time it is opened;
        # only one arranged by hand is as it was left.
        goes_on = (
            quiet or keep or view.kind == "exact" or view.grow is not None or bool(view.hidden)
        )
        self._loader.load(
            view, standing_of(canvas.data) if goes_on else self._trail.standing_in(view)
        )

    def _show(self, asked: View, data: GraphData, view: View) -> None:
        quiet = self._quiet
        if self._trail.now is not None:
            self._trail.replace_now(view)
        else:
            self._trail.go(view)
        self._shown_view = view
        self.skeleton.stop()
        self.toolbar.set_trail(self._trail.can_go_back(), self._trail.can_go_forward())
        if not len(data):
            self._show_empty(data)
            return
        was_shown = self.pages.currentWidget() is self.canvas and len(self.canvas.data) > 0
        self.pages.setCurrentWidget(self.canvas)
        counts = [int((data.type_codes == code).sum()) for code in range(len(ENTITY_TYPES))]
        self.legend.set_counts(counts)
        self.kinds.set_data(data)
        by = ", by connections" if view.kind == "top" else ""
        more, few = view.kind in ("top", "near"), data.n_strongest
        self.budget.set_budget(len(data), data.n_all, by=by, more=more, n_strongest=few)
        self._corners.place()
        self.canvas.show_data(data, animate=was_shown, fit=not quiet)
        self._sift()
        self._show_inspector(True)
        if len(data) == 1 and self._select_next is None:
            self._select_next = data.ids[0]
        if self._select_next is not None:
            chosen, self._select_next = self._select_next, None
            self.canvas.select_entity(chosen)
        elif quiet:
            self._selected(self.canvas.selected_id())
        self.shown.emit()

    def _show_empty(self, data: GraphData) -> None:
        self.canvas.show_data(data)
        if data.n_all:
            self.empty.set_texts("Nothing to show", "The names of this view are hidden or gone.")
        else:
            self.empty.set_texts("No names yet", "Add a book and its names appear here in seconds.")
        self.pages.setCurrentWidget(self.empty)
        self._selected(None)
        self._show_inspector(False)
        self.shown.emit()

    def _show_inspector(self, wanted: bool) -> None:
        self.inspector.setVisible(wanted)
        self._edge.setVisible(wanted)

    def _fail(self, error: BaseException) -> None:
        self.skeleton.stop()
        if len(self.canvas.data):
            self.pages.setCurrentWidget(self.canvas)
        else:
            self.empty.set_texts("The graph could not be read", "Try again, or open the library.")
            self.pages.setCurrentWidget(self.empty)
        self._context.messages.show_error(error)

    def _show_more(self) -> None:
        view = self._trail.now
        if view is not None:
            self._trail.replace_now(replace(view, limit=view.limit * 2))
            self._load(self._trail.now, keep=True)

    def _find(self, text: str, show) -> None:
        query = Query(
            self._context.reader_lane, self._context.exploring.find_entities, text, 12, owner=self
        )
        query.on_success(show).on_error(self._context.messages.show_error).run()

    # --- the selected name ----------------------------------------------------------------

    def _selected(self, entity_id: int | None) -> None:
        self.toolbar.set_selected(entity_id is not None)
        if entity_id is None:
            self.inspector.show_nothing()
            return
        exploring = self._context.exploring

        def read() -> Portrait:
            return Portrait(
                exploring.get_entity(entity_id),
                exploring.fetch_relations(entity_id, N_RELATIONS),
                exploring.fetch_mentions(entity_id, N_MENTIONS),
                exploring.tell_standing(entity_id),
            )

        def tell(portrait: Portrait) -> None:
            if self.canvas.selected_id() == entity_id:
                self.inspector.show_portrait(portrait)

        query = Query(self._context.reader_lane, read, owner=self)
        query.on_success(tell).on_error(self._context.messages.show_error).run()

    def _choose_neighbour(self, entity_id: int) -> None:
        row = self.canvas.data.row_of.get(entity_id)
        if row is not None and self.canvas.data.shown[row]:
            self.canvas.select_row(row, reveal=True)
        else:
            self._select_next = entity_id
            self.expand(self.canvas.selected_id())

    def _show_menu(self, row: int | None, at) -> None:
        menu = build_menu(self, row)
        menu.popup(at)

    def _export(self, ending: str) -> None:
        ask_and_save(self.canvas, self._context.messages, ending)

    def _sift(self) -> None:
        kinds = self.kinds
        self.canvas.sift(self.legend.hidden(), kinds.hidden(), confirmed_only=kinds.confirmed_only)
