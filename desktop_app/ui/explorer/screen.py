"""The graph screen: opens at the most connected names, follows the person from name to name.

Joins toolbar, canvas, panels and trail. Reads only through `context.exploring` in the reader
lane, lays out in a lane of its own (`shut_down` ends it); other screens are reached by its signals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.graph.view.graph_data import GraphData
from desktop_app.engine.graph.view.view import DiscPositions, View, ViewContent, standing_of
from desktop_app.workers.operations import Query

from ..language import tr
from .actions import GraphActions, build_menu
from .export import ask_and_save
from .graph_navigation import GraphNavigation
from .inspector import Portrait
from .saved_views import LAST, SavedViews
from .surface import Surface
from .toolbar import ExplorerToolbar

N_RELATIONS, N_MENTIONS = 8, 6


class SelectionPresenter(QObject):
    """Keeps inspector and bar with what is chosen on the canvas."""

    def __init__(
        self,
        context: Any,
        surface: Surface,
        verbs: GraphActions,
        view: Callable[[], View | None],
        owner: QWidget,
    ) -> None:
        super().__init__(owner)
        self._context, self._surface, self._verbs, self._view = context, surface, verbs, view
        canvas = surface.canvas
        canvas.entity_selected.connect(self.tell_entity)
        canvas.chosen_changed.connect(self.tell_chosen)
        canvas.places_changed.connect(self.tell_chosen)
        verbs.other_end_wanted.connect(self._ask_other_end)
        verbs.ways_found.connect(self._show_ways)
        surface.ways.way_chosen.connect(verbs.show_way)
        surface.ways.closed.connect(lambda: surface.open_ways(False))

    def tell_entity(self, entity_id: int | None) -> None:
        """Tell of one name, or that none is chosen."""
        canvas, inspector = self._surface.canvas, self._surface.inspector
        if entity_id is None:
            inspector.show_nothing()
            return
        if self._verbs.take_other_end(entity_id):
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
            if canvas.selected_id() == entity_id:
                inspector.show_portrait(portrait)

        query = Query(self._context.reader_lane, read, owner=self)
        query.on_success(tell).run()

    def tell_chosen(self) -> None:
        """Offer what can be done with what is chosen."""
        surface, canvas = self._surface, self._surface.canvas
        if self._verbs.waiting_from is not None:
            return
        rows, view = sorted(canvas.focus.chosen), self._view()
        about = (
            view is not None and view.kind == "near" and set(canvas.chosen_ids()) <= set(view.ids)
        )
        surface.bar.set_chosen(
            len(rows),
            pinned=bool(rows) and bool(canvas.data.pinned[rows].all()),
            depth=view.depth if about else None,
        )
        surface.corners.place_soon()

    def _ask_other_end(self, name: str) -> None:
        line = " ".join(name.split())
        line = line if len(line) <= 40 else line[:39] + "…"
        self._surface.bar.say(
            tr("A way from {name} to… Click the other name, or find it above.", name=line)
        )
        self._surface.corners.place_soon()

    def _show_ways(self, ends: tuple[int, int], ways: list) -> None:
        """Tell of the ways between two names, by name also where they are not in the picture."""
        exploring, surface = self._context.exploring, self._surface

        def show(graph: Any) -> None:
            names = {int(e.id): e.name for e in graph.entities}
            surface.ways.show_ways(names.get(ends[0], ""), names.get(ends[1], ""), ways)
            surface.open_ways(True)
            self.tell_chosen()

        query = Query(self._context.reader_lane, exploring.graph.exactly, list(ends), owner=self)
        query.on_success(show).run()


AROUND, AT_TOP = 60, 200  # names shown around given ones, or without any


class CommunityGrouping(QObject):
    """Follows the level that the toolbar asks for."""

    def __init__(
        self,
        surface: Surface,
        wandering: GraphNavigation,
        toolbar: ExplorerToolbar,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._surface, self._wandering, self._toolbar = surface, wandering, toolbar
        toolbar.level_wanted.connect(self.set_level)
        wandering.leaving.connect(lambda _: self._take_level())
        wandering.came.connect(self._came)

    def show(self, ids: Sequence[int] = (), level: int | None = None) -> None:
        """Show names in the colours of their communities: these and who is near, or top ones."""
        self._surface.color_mode = "group"
        if level is not None:
            self._surface.level = level
        wanted = tuple(int(i) for i in ids)
        if wanted:
            self._wandering.go(View("near", wanted, limit=AROUND))
        else:
            self._wandering.go(View("top", limit=AT_TOP, layout="groups"))

    def set_level(self, level: int) -> None:
        """Colour by coarser or finer communities."""
        self._surface.level = level
        self._surface.color_mode = "group"
        view = self._wandering.view
        if view is not None and view.layout == "groups":
            self._wandering.set_layout("groups")
        else:
            self._wandering.refresh()

    def _take_level(self) -> None:
        self._wandering.loader.level = self._surface.level

    def _came(self, _data: GraphData, reading: ViewContent, _quiet: bool) -> None:
        self._toolbar.set_levels(reading.groups.n_levels, self._surface.level)

    def is_touched(self, change: ChangeSet) -> bool:
        """Say whether a change shows in the picture, as it is coloured now."""
        if change.everything or change.documents or change.entities or change.relations:
            return True
        return bool(change.communities) and self._surface.color_mode == "group"


class ExplorerScreen(QWidget):
    """Shows a part of the graph; `show_top` and `show_entities` choose which."""

    open_entity = Signal(int)
    open_passage = Signal(int, int, int)
    shown = Signal()
    enrich_entity_requested = Signal(int)

    def __init__(self, context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.corrections: Any = None
        self._select_next: int | None = None
        self._started, self._stale = False, True
        self._only_kind: str | None = None
        self.toolbar = ExplorerToolbar(context.theme, self._find, self)
        self.surface = surface = Surface(context.theme, self.toolbar, self)
        self.canvas, self.inspector, self.pages = surface.canvas, surface.inspector, surface.pages
        self.empty, self.skeleton, self.budget = surface.empty, surface.skeleton, surface.budget
        self.legend, self.kinds = surface.legend, surface.kinds
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(surface)
        self.wandering = GraphNavigation(context, self.canvas, self)
        self.verbs = GraphActions(context, self.canvas, self.wandering, self)
        self.telling = SelectionPresenter(
            context, surface, self.verbs, lambda: self.wandering.view, self
        )
        self.grouping = CommunityGrouping(surface, self.wandering, self.toolbar, self)
        self.kept = SavedViews(context, self._view_now, self)
        self.toolbar.can_save = self.kept.can_save
        self._join()
        self._join_toolbar()

    def _join(self) -> None:
        canvas, panel, surface, walk = self.canvas, self.inspector, self.surface, self.wandering
        canvas.entity_activated.connect(self.open_entity)
        canvas.places_changed.connect(self.kept.save_soon)
        canvas.data_changed.connect(self.kept.save_soon)
        canvas.gestures.menu_wanted.connect(lambda row, at: build_menu(self, row).popup(at))
        canvas.gestures.verb_wanted.connect(self.do)
        surface.bar.verb_wanted.connect(self.do)
        surface.bar.depth_wanted.connect(walk.set_depth)
        surface.table.activated.connect(self.open_entity)
        surface.budget.more_wanted.connect(walk.show_more)
        surface.arranging.stop_wanted.connect(walk.loader.stop_here)
        panel.entity_chosen.connect(self._choose_neighbour)
        panel.mention_chosen.connect(self._open_mention)
        panel.open_wanted.connect(self.open_entity)
        panel.expand_wanted.connect(self.expand)
        surface.ways.mention_chosen.connect(self._open_mention)
        walk.leaving.connect(self._leaving)
        walk.came.connect(self._show)
        walk.stepped.connect(self.toolbar.set_trail)
        walk.failed.connect(self._fail)
        walk.loader.progressed.connect(surface.arranging.set_share)
        walk.loader.ended.connect(surface.arranging.end)
        self.kept.found.connect(self._open_kept)
        self.kept.missing.connect(self.show_top)
        self.kept.listed.connect(lambda names: setattr(self.toolbar, "saved", names))
        self.context.hub.changed.connect(self._library_changed)

    def _join_toolbar(self) -> None:
        bar, walk, surface = self.toolbar, self.wandering, self.surface
        bar.name_chosen.connect(self._name_found)
        bar.top_wanted.connect(self.show_top)
        bar.all_wanted.connect(walk.show_all)
        bar.themes_wanted.connect(self.show_communities)
        bar.kind_wanted.connect(self.show_kind)
        bar.saved_wanted.connect(self.kept.open)
        bar.save_wanted.connect(self.kept.ask_and_save)
        bar.forget_wanted.connect(self.kept.forget)
        bar.back_wanted.connect(walk.back)
        bar.forward_wanted.connect(walk.forward)
        bar.layout_wanted.connect(self.set_layout)
        bar.color_wanted.connect(surface.set_color)
        bar.size_wanted.connect(surface.set_size)
        bar.size_wanted.connect(lambda _: self.kept.save_soon())
        bar.filter_wanted.connect(surface.show_filters)
        bar.table_wanted.connect(surface.table.setVisible)
        bar.minimap_wanted.connect(surface.want_map)
        bar.full_wanted.connect(lambda: self.do("full"))
        bar.export_wanted.connect(
            lambda e, chosen: ask_and_save(self.canvas, self.context, e, chosen=chosen)
        )
        self.canvas.data_changed.connect(lambda: bar.set_filtered(self.canvas.filters.n_set))

    # --- what to show ---------------------------------------------------------------------

    def show_top(self) -> None:
        """Show the most connected names of the library."""
        self._started = True
        self.wandering.show_top()

    def show_entities(self, ids: list[int]) -> None:
        """Show these names with their strongest neighbours, the first one selected."""
        self._started = True
        wanted = [int(i) for i in ids]
        if wanted:
            self._select_next = wanted[0]
            self.wandering.show_entities(wanted)

    def show_communities(self, ids: Sequence[int] = (), level: int | None = None) -> None:
        """Show names by community: these and who is near, or those that matter in the library."""
        self._started = True
        self.grouping.show(ids, level)

    def show_kind(self, kind: str) -> None:
        """Show who is tied by a kind of relation, and those ties alone."""
        self._only_kind = kind
        self.wandering.show_kinds([kind])

    def set_layout(self, layout: str, centre: int | None = None) -> None:
        if layout == "radial" and centre is None:
            centre = self.canvas.selected_id()
        self.wandering.set_layout(layout, centre)

    def arrange_anew(self) -> None:
        now = self.wandering.view or View()
        self.wandering.set_layout(now.layout, now.centre)

    def expand(self, entity_id: int | None) -> None:
        """Add neighbours of a name to what is shown; where there are many, ask which."""
        if entity_id is not None:
            self.verbs.expand([int(entity_id)])

    def choose_expansion(self, entity_id: int) -> None:
        self.verbs.choose_expansion(entity_id)

    def do(self, verb: str) -> None:
        """Do one thing with what is chosen (`Verbs.do`), or turn full screen on or off."""
        if verb == "full":
            window = self.window()
            window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)
            return
        self.verbs.do(verb)
        if verb == "none":
            self.telling.tell_chosen()

    def toggle_inspector(self) -> None:
        self.surface.toggle_side()

    def refresh(self) -> None:
        """Read again what is shown; what was deleted elsewhere goes without a word."""
        self.wandering.refresh()

    def shut_down(self) -> None:
        """End the work in the background; the screen shows nothing new after this."""
        self.kept.stop()
        self.wandering.loader.close()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if not self._started:
            self._started = True
            self.kept.open(LAST)
            self.kept.list()
            self._read_kinds()
        elif self._stale:
            self.refresh()

    def _library_changed(self, change: ChangeSet) -> None:
        if not self.grouping.is_touched(change):
            return
        if self.isVisible() and self.wandering.view is not None:
            self.refresh()
            self._read_kinds()
        else:
            self._stale = True

    def _read_kinds(self) -> None:
        def take(read: tuple) -> None:
            self.toolbar.kinds, self.surface.collections = read

        graph = self.context.exploring.graph
        query = Query(
            self.context.reader_lane, lambda: (graph.kinds(), graph.collections()), owner=self
        )
        query.on_success(take).run()

    # --- showing --------------------------------------------------------------------------

    def _leaving(self, quiet: bool) -> None:
        self._stale = False
        self.wandering.loader.size_mode = self.surface.size_mode
        if not quiet:
            self.surface.begin()

    def _show(self, data: GraphData, reading: ViewContent, quiet: bool) -> None:
        view, surface = reading.view, self.surface
        surface.end()
        surface.titles = self.verbs.titles = reading.titles
        if not len(data):
            self._show_empty(data)
            return
        was_shown = self.pages.currentWidget() is self.canvas and len(self.canvas.data) > 0
        self.pages.setCurrentWidget(self.canvas)
        top, more = view.kind == "top", view.kind in ("top", "near", "kinds")
        n, few = len(data), data.n_strongest
        surface.budget.set_budget(n, data.n_all, by_connections=top, more=more, n_strongest=few)
        # A picture seen whole stays so while the library grows; one looked into stays put.
        fit = not quiet or not was_shown or self.canvas.fitted
        self.canvas.show_data(data, animate=was_shown, fit=fit)
        surface.prepare()
        if self._only_kind is not None:
            kind, self._only_kind = self._only_kind, None
            self.kinds.only([kind])
        self.toolbar.set_look(view.layout, surface.color_mode, surface.size_mode)
        surface.show_side(True)
        if len(data) == 1 and self._select_next is None:
            self._select_next = data.ids[0]
        if self._select_next is not None:
            chosen, self._select_next = self._select_next, None
            self.canvas.select_entity(chosen)
        elif quiet:
            self.telling.tell_entity(self.canvas.selected_id())
        self.telling.tell_chosen()
        self.verbs.show_pending_way()
        self.shown.emit()

    def _show_empty(self, data: GraphData) -> None:
        self.canvas.show_data(data)
        if data.n_all:
            texts = (tr("Nothing to show"), tr("The names of this view are hidden or gone."))
        else:
            texts = (tr("No names yet"), tr("Add a book and its names appear here in seconds."))
        self.surface.show_empty(*texts)
        self.telling.tell_entity(None)
        self.shown.emit()

    def _fail(self, error: BaseException) -> None:
        self.surface.end()
        if not len(self.canvas.data):
            self.surface.show_empty(
                tr("The graph could not be read"), tr("Open the library again.")
            )
        self.context.messages.show_error(error)

    # --- what is pressed beside the canvas --------------------------------------------------

    def _find(self, text: str, show) -> None:
        query = Query(
            self.context.reader_lane, self.context.exploring.find_entities, text, 12, owner=self
        )
        query.on_success(show).run()

    def _name_found(self, entity_id: int) -> None:
        if not self.verbs.take_other_end(entity_id):
            self.show_entities([entity_id])

    def _choose_neighbour(self, entity_id: int) -> None:
        row = self.canvas.data.row_of.get(entity_id)
        if row is not None and self.canvas.data.shown[row]:
            self.canvas.select_row(row, reveal=True)
        else:
            self._select_next = entity_id
            self.wandering.add([entity_id])

    def _open_mention(self, mention) -> None:
        self.open_passage.emit(int(mention.document_id), mention.start, mention.end)

    def _view_now(self) -> tuple[View, DiscPositions, dict] | None:
        view = self.wandering.shown_view
        if view is None or not len(self.canvas.data):
            return None
        self.canvas.settle()
        return view, standing_of(self.canvas.data, view.layout), self.surface.look()

    def _open_kept(self, view: View, standing: DiscPositions, look: dict) -> None:
        self.surface.take_look(look)
        self.wandering.open(view, standing)
