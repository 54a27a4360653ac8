"""The graph screen: toolbar, canvas and panels, and how they are connected.

Reads through `context.library_reader` in the reader lane; layouts run in a lane of its own, which
`shut_down` closes. Other screens are opened by the signals of `ExplorerScreen`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import UserError
from desktop_app.engine.graph.view.graph_data import GraphData, count_groups, find_drawn
from desktop_app.engine.graph.view.view import DiscPositions, View, ViewContent, positions_of
from desktop_app.engine.model import ENTITY_TYPES, EntityRow, MentionRow, Subgraph
from desktop_app.engine.services.graph_views import ShownPath
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..translation import tr, trn
from ..widgets import build_column, format_number
from .actions import GraphActions
from .caption import PictureCaption, describe_view
from .export import ask_and_save, copy_picture
from .graph_navigation import GraphNavigation
from .inspector import EntityDetails, ViewPart, ViewSummary
from .node_colors import describe_size, list_groups, list_types
from .saved_views import LAST, SavedViews
from .surface import Surface
from .toolbar import COPY, ExplorerToolbar
from .tooltips import shorten_line

N_MENTIONS = 6
MOST_RELATIONS = 100  # read, of which those with most passages are shown first
LARGE = 120  # names; more of them are shown by community
AROUND, AT_TOP = 60, 200  # names shown by community around given ones, or without any


def one_per_sentence(mentions: Iterable[MentionRow]) -> list[MentionRow]:
    """Return the first mention in each sentence, at most `N_MENTIONS`."""
    first: dict[tuple[int, str], MentionRow] = {}
    for mention in mentions:
        first.setdefault((int(mention.document_id), mention.sentence), mention)
    return list(first.values())[:N_MENTIONS]


LEAST_COMMUNITY, FEWEST_COMMUNITIES = 3, 3  # names, and communities, to colour a view by them
N_TOP = 12  # names listed while none is selected
SUMMARY_MS = 60
KINDS_MS = 1000


def summarize_view(view: View, data: GraphData, color_mode: str) -> ViewSummary:
    """Return what a view shows: counts, the most connected names, and types or communities.

    The legend over the canvas lists types or communities with their colours; the summary lists
    the others, so that nothing is shown twice.
    """
    shown = data.shown
    shown_relations = data.wanted & shown[data.pairs].all(1) if len(data.pairs) else data.wanted
    n_relations = int(shown_relations.sum())
    n_drawn = int((shown_relations & find_drawn(data)).sum()) if len(data.pairs) else 0
    facts = [
        trn("{n} name", "{n} names", int(shown.sum())),
        trn("{n} connection", "{n} connections", n_relations)
        if len(data) >= data.n_all  # else not those with other names, which the list below counts
        else trn("{n} connection among them", "{n} connections among them", n_relations),
    ]
    words = " · ".join(fact.replace(" ", "\u00a0") for fact in facts)
    if n_drawn < n_relations:
        drawn = format_number(n_drawn)
        words += "\n" + tr("{n} drawn: the strongest of each name", n=drawn)
    order = np.lexsort((np.arange(len(data)), -data.n_connections))
    top = [data.entities[row] for row in order[shown[order]][:N_TOP]]
    ids = np.array(data.ids, dtype=np.int64)
    if color_mode == "group":
        title, values = tr("Types"), data.type_codes
        lines = [(code, words, ENTITY_TYPES[code]) for code, words, _ in list_types(data)]
    else:
        title, values = tr("Communities"), data.communities
        lines = [(group, words, "") for group, words, _ in list_groups(data)]
    parts = [
        ViewPart(words, tuple(ids[shown & (values == value)].tolist()), type_)
        for value, words, type_ in lines
    ]
    return ViewSummary(
        describe_view(view, data),
        words,
        top,
        title,
        [part for part in parts if part.ids],
    )


def choose_colors(view: View, data: GraphData) -> str:
    """Return what colours stand for at first: communities where the view shows several."""
    sizes = [count for _, count in count_groups(data)]
    several = len([size for size in sizes if size >= LEAST_COMMUNITY]) >= FEWEST_COMMUNITIES
    by_group = view.layout == "groups" or (view.kind == "top" and several)
    return "group" if by_group else "type"


class DetailsAhead:
    """Details of the selected name that are read before its view is shown again.

    Attributes:
        details: None until they are read.
        is_wanted: the view is shown and waits for them.
    """

    def __init__(self, entity_id: int) -> None:
        self.entity_id = entity_id
        self.details: EntityDetails | None = None
        self.is_wanted = False

    @property
    def present_id(self) -> int:
        """The entity that is shown: the name may have been merged since it was selected."""
        return self.entity_id if self.details is None else self.details.card.row.id


class SelectionPresenter(QObject):
    """Shows the selection of the canvas in the inspector and the selection bar."""

    def __init__(
        self,
        context: SessionContext,
        surface: Surface,
        actions: GraphActions,
        navigation: GraphNavigation,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._surface = context, surface
        self._actions, self._navigation = actions, navigation
        self._ahead: DetailsAhead | None = None
        canvas = surface.canvas
        canvas.entity_selected.connect(self.show_selected)
        canvas.chosen_changed.connect(self.show_chosen)
        canvas.places_changed.connect(self.show_chosen)
        self._summary_timer = QTimer(self, singleShot=True, interval=SUMMARY_MS)
        self._summary_timer.timeout.connect(self._show_summary)
        canvas.data_changed.connect(self._summary_timer.start)
        canvas.data_changed.connect(self._count_again)
        surface.inspector.names_chosen.connect(self._choose_names)
        actions.other_end_wanted.connect(self._ask_for_other_end)
        actions.paths_found.connect(self._show_paths)
        surface.paths.path_chosen.connect(actions.show_path)
        surface.paths.closed.connect(lambda: surface.open_paths(False))

    def show_selected(self, entity_id: int | None) -> None:
        """Show one entity in the inspector; with None, what the view contains."""
        ahead = self._ahead
        if entity_id is None:
            self._ahead = None
            self._summary_timer.start()
            return
        if self._actions.use_as_other_end(entity_id):
            return
        if self._surface.has_open_paths and entity_id not in self._surface.paths.entity_ids():
            self._surface.open_paths(False)
        if ahead is not None and ahead.present_id == entity_id:
            if ahead.details is not None:
                self._show_details(ahead.details)
            ahead.is_wanted = True
            return
        self._ahead = None
        self._read(entity_id).on_success(self._show_details).run()

    def read_ahead(self) -> None:
        """Read the details of the selected name, because its view is being read again.

        `show_selected` then shows them with the view, so that both are painted once.
        """
        entity_id, self._ahead = self._surface.canvas.selected_id(), None
        if entity_id is None:
            return
        ahead = self._ahead = DetailsAhead(entity_id)

        def take(details: EntityDetails) -> None:
            ahead.details = details
            if ahead is self._ahead and ahead.is_wanted:
                self._show_details(details)

        def fail(error: BaseException) -> None:
            if ahead is self._ahead:
                self._ahead = None
            # a name that is gone is gone from the view as well, once that is read
            if ahead.is_wanted or not isinstance(error, UserError):
                self._context.messages.show_error(error)

        self._read(entity_id).on_success(take).on_error(fail).run()

    def _show_details(self, details: EntityDetails) -> None:
        canvas = self._surface.canvas
        entity_id = int(details.card.row.id)
        row = canvas.data.row_of.get(entity_id)
        if row is not None and canvas.selected_id() == entity_id:
            n = len(canvas.data.neighbours_of(row))
            self._surface.inspector.show_details(replace(details, n_in_view=n))

    def _count_again(self) -> None:
        """Show how many connections of the selected name the view and its filters leave."""
        details = self._surface.inspector.details
        if details is not None:
            self._show_details(details)

    def _read(self, entity_id: int) -> Query:
        """Return a query for the details of an entity, or of what it was merged into."""
        library_reader = self._context.library_reader

        def read() -> EntityDetails:
            [present_id] = library_reader.graph.replace_merged([entity_id])
            card = library_reader.get_entity(present_id)
            relations = library_reader.fetch_relations(present_id, MOST_RELATIONS)
            mentions = library_reader.fetch_mentions(present_id, 4 * N_MENTIONS)
            return EntityDetails(
                card,
                relations,
                # the sentences that characterize the name come before the first ones
                one_per_sentence([*card.description_evidence, *mentions]),
                library_reader.describe_provenance(present_id),
            )

        return Query(self._context.reader_lane, read, owner=self)

    def _show_summary(self) -> None:
        surface, view = self._surface, self._navigation.shown_view
        if surface.canvas.selected_id() is not None:
            return
        if view is None or not len(surface.canvas.data):
            surface.inspector.show_nothing()
            return
        summary = summarize_view(view, surface.canvas.data, surface.color_mode)
        surface.inspector.show_summary(summary)

    def _choose_names(self, ids: Iterable[int]) -> None:
        """Select the names of a type or a community, and show all of them."""
        canvas = self._surface.canvas
        rows = [canvas.data.row_of[i] for i in ids if i in canvas.data.row_of]
        canvas.choose(rows)
        canvas.reveal_rows(rows)

    def show_chosen(self) -> None:
        """Show the actions for the selected nodes in the selection bar."""
        surface, canvas, view = self._surface, self._surface.canvas, self._navigation.view
        if self._actions.path_start is not None:
            return
        rows = sorted(canvas.focus.chosen)
        about = view is not None and view.kind == "near" and set(canvas.chosen_ids()) <= {*view.ids}
        surface.bar.set_chosen(
            len(rows),
            pinned=bool(rows) and bool(canvas.data.pinned[rows].all()),
            depth=view.depth if view is not None and about else None,
        )
        surface.corners.place_soon()

    def _ask_for_other_end(self, name: str) -> None:
        self._surface.bar.show_message(
            tr(
                "Path from {name} to… Click the other name or search for it above.",
                name=shorten_line(name, 40),
            )
        )
        self._surface.corners.place_soon()

    def _show_paths(self, ends: tuple[int, int], paths: list[ShownPath]) -> None:
        """Show the paths between two entities, which need not be in the view."""
        surface = self._surface

        def show(graph: Subgraph) -> None:
            names = {int(e.id): e.name for e in graph.entities}
            surface.paths.show_paths(names.get(ends[0], ""), names.get(ends[1], ""), paths)
            surface.open_paths(True)
            self.show_chosen()

        read = self._context.library_reader.graph.exactly
        Query(self._context.reader_lane, read, list(ends), owner=self).on_success(show).run()


class ExplorerScreen(QWidget):
    """Shows a part of the graph; `show_top` and `show_entities` choose which."""

    open_entity = Signal(int)
    open_passage = Signal(int, int, int)
    shown = Signal()
    enrich_entity_wanted = Signal(int)
    export_library_wanted = Signal()

    def __init__(
        self,
        context: SessionContext,
        parent: QWidget | None = None,
        *,
        use_opengl: bool = False,
    ) -> None:
        super().__init__(parent)
        self.context = context
        self._started, self._stale = False, True
        self._only_kind: str | None = None
        # all connections of the library are counted, so not while an edit is being shown
        self._kinds_timer = QTimer(self, singleShot=True, interval=KINDS_MS)
        self._kinds_timer.timeout.connect(self._read_kinds)
        self.toolbar = ExplorerToolbar(context.theme, self._find, self)
        self.surface = surface = Surface(context.theme, self.toolbar, self, use_opengl=use_opengl)
        self.canvas = surface.canvas
        context.messages.keep_clear(surface.budget)
        build_column(surface, parent=self)
        self.navigation = GraphNavigation(context, self.canvas, self)
        self.graph_actions = GraphActions(context, self.canvas, self.navigation, self)
        self.selection = SelectionPresenter(
            context, surface, self.graph_actions, self.navigation, self
        )
        self.saved_views = SavedViews(context, self._view_now, self)
        self._connect()
        self._connect_toolbar()

    def _connect(self) -> None:
        canvas, surface, navigation = self.canvas, self.surface, self.navigation
        inspector, actions = surface.inspector, self.graph_actions
        canvas.entity_activated.connect(self.open_entity)
        canvas.places_changed.connect(self.saved_views.save_soon)
        canvas.data_changed.connect(self.saved_views.save_soon)
        canvas.menu_wanted.connect(lambda row, at: actions.build_menu(row).popup(at))
        canvas.action_wanted.connect(self.run_action)
        actions.open_wanted.connect(self.open_entity)
        actions.enrich_wanted.connect(self.enrich_entity_wanted)
        actions.corrections.place_wanted.connect(self.open_passage)
        surface.bar.action_wanted.connect(self.run_action)
        surface.bar.depth_wanted.connect(navigation.set_depth)
        surface.table.activated.connect(self.open_entity)
        surface.budget.more_wanted.connect(navigation.show_more)
        surface.arranging.stop_wanted.connect(navigation.loader.stop_layout)
        inspector.entity_chosen.connect(self._choose_neighbour)
        inspector.open_wanted.connect(self.open_entity)
        inspector.mention_chosen.connect(self._open_mention)
        surface.paths.mention_chosen.connect(self._open_mention)
        navigation.loading_started.connect(self._start_loading)
        navigation.loaded.connect(self._show)
        navigation.history_changed.connect(self.toolbar.set_history)
        navigation.failed.connect(self._fail)
        navigation.loader.progressed.connect(surface.arranging.set_share)
        navigation.loader.ended.connect(surface.arranging.end)
        self.saved_views.found.connect(self._open_saved)
        self.saved_views.missing.connect(self.show_top)
        self.saved_views.listed.connect(lambda names: setattr(self.toolbar, "saved", names))
        self.context.hub.changed.connect(self._library_changed)

    def _connect_toolbar(self) -> None:
        bar, navigation, surface = self.toolbar, self.navigation, self.surface
        bar.name_chosen.connect(self._show_found)
        bar.top_wanted.connect(self.show_top)
        bar.all_wanted.connect(self.show_all)
        bar.communities_wanted.connect(self.show_communities)
        bar.kind_wanted.connect(self.show_kind)
        bar.saved_wanted.connect(self.saved_views.open)
        bar.save_wanted.connect(self.saved_views.ask_and_save)
        bar.delete_wanted.connect(self.saved_views.delete)
        bar.back_wanted.connect(navigation.back)
        bar.forward_wanted.connect(navigation.forward)
        bar.layout_wanted.connect(self.set_layout)
        bar.color_wanted.connect(surface.set_color)
        bar.size_wanted.connect(surface.set_size)
        bar.size_wanted.connect(lambda _: self.saved_views.save_soon())
        bar.level_wanted.connect(self.set_level)
        bar.filter_wanted.connect(surface.show_filters)
        bar.table_wanted.connect(surface.table.setVisible)
        bar.minimap_wanted.connect(surface.set_minimap_wanted)
        bar.full_wanted.connect(lambda: self.run_action("full"))
        bar.export_wanted.connect(self._export)
        bar.library_export_wanted.connect(self.export_library_wanted)
        self.canvas.data_changed.connect(lambda: bar.set_filtered(self.canvas.filters.n_set))

    # --- what to show ---------------------------------------------------------------------

    def show_top(self) -> None:
        """Show the main names of the library."""
        self._started = True
        self._leave_large_view()
        self.navigation.show_top()

    def show_all(self) -> None:
        """Show all names of the library; many are laid out and coloured by community."""
        self._started = True
        if self.canvas.data.n_all > LARGE:
            self.surface.color_mode = "group"
            self.navigation.show_all("groups")
        else:
            self.navigation.show_all()

    def show_entities(self, ids: Sequence[int]) -> None:
        """Show these names with their strongest neighbours, the first one selected."""
        self._started = True
        self._leave_large_view()
        self.navigation.show_entities(ids)

    def _leave_large_view(self) -> None:
        """Colour by type again after `show_all` has coloured by community."""
        if self.navigation.shows_all_by_community and self.surface.color_mode == "group":
            self.surface.color_mode = "type"

    def show_communities(self, ids: Sequence[int] = (), level: int | None = None) -> None:
        """Show entities coloured by community: these and their neighbours, or the top ones."""
        self._started = True
        self.surface.color_mode, self.surface.is_color_chosen = "group", True
        if level is not None:
            self.surface.level = level
        if ids:
            self.navigation.show_view(View("near", tuple(int(i) for i in ids), limit=AROUND))
        else:
            self.navigation.show_view(View("top", limit=AT_TOP, layout="groups"))

    def set_level(self, level: int) -> None:
        """Colour by coarser or finer communities."""
        self.surface.level, self.surface.color_mode = level, "group"
        self.surface.is_color_chosen = True
        view = self.navigation.view
        if view is not None and view.layout == "groups":
            self.navigation.set_layout("groups")
        else:
            self.navigation.refresh()

    def set_layout(self, layout: str) -> None:
        """Lay out the same entities differently; by community, they are coloured by it, too."""
        if layout == "groups" and self.surface.color_mode != "group":
            self.surface.set_color("group")
        self.navigation.set_layout(layout)

    def show_kind(self, kind: str) -> None:
        """Show the entities with relations of a kind, and only those relations."""
        self._only_kind = kind
        self.navigation.show_kinds([kind])

    def run_action(self, action: str) -> None:
        """Run an action on the selection (`GraphActions.run_action`) or toggle full screen."""
        if action == "full":
            window = self.window()
            window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)
            return
        self.graph_actions.run_action(action)
        if action == "none":
            self.selection.show_chosen()

    def toggle_inspector(self) -> None:
        self.surface.toggle_side()

    def refresh(self) -> None:
        """Read the view again; deleted entities disappear without a message."""
        self.navigation.refresh()

    def save_changes(self) -> None:
        """Save the view, before the window closes."""
        self.saved_views.stop()

    def shut_down(self) -> None:
        """Stop the background work; the screen loads nothing after this."""
        self.save_changes()
        self.navigation.loader.close()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._started:
            self._started = True
            self.saved_views.open(LAST)
            self.saved_views.list()
            self._read_kinds()
        elif self._stale:
            self.refresh()
            self._kinds_timer.start()

    def is_touched(self, change: ChangeNotice) -> bool:
        """Return whether a change affects the view with its current colours."""
        if change.communities and self.surface.color_mode == "group":
            return True
        view, data = self.navigation.view, self.canvas.data
        if view is not self.navigation.shown_view or view is None or view.kind in ("top", "kinds"):
            return bool(change.entities or change.relations)  # may bring others into the view
        return not (
            change.entities.isdisjoint(e.id for e in data.entities)
            and change.relations.isdisjoint(r.id for r in data.relations)
        )

    def _library_changed(self, change: ChangeNotice) -> None:
        is_shown = self.isVisible() and self.navigation.view is not None
        if is_shown and (change.documents or change.collections):
            self._read_kinds()
        if not self.is_touched(change):
            return
        if is_shown:
            self.refresh()
            self._kinds_timer.start()
        else:
            self._stale = True

    def _read_kinds(self) -> None:
        graph = self.context.library_reader.graph

        def take(read: tuple) -> None:
            self.toolbar.kinds, self.surface.collections = read

        query = Query(
            self.context.reader_lane, lambda: (graph.kinds(), graph.collections()), owner=self
        )
        query.on_success(take).run()

    # --- showing --------------------------------------------------------------------------

    def _start_loading(self, quiet: bool) -> None:
        self._stale = False
        loader = self.navigation.loader
        loader.size_mode, loader.level = self.surface.size_mode, self.surface.level
        if quiet:
            self.selection.read_ahead()
        else:
            self.surface.begin()

    def _show(self, data: GraphData, content: ViewContent, quiet: bool) -> None:
        view, surface, canvas = content.view, self.surface, self.canvas
        surface.end()
        surface.titles = self.graph_actions.titles = content.titles
        self.toolbar.set_levels(content.groups.n_levels, surface.level)
        if not len(data):
            self._show_empty(data)
            return
        was_shown = surface.pages.currentWidget() is canvas and len(canvas.data) > 0
        surface.pages.setCurrentWidget(canvas)
        surface.budget.set_budget(
            len(data),
            data.n_all,
            by_connections=view.kind == "top",
            more=view.kind in ("top", "near", "kinds"),
            n_strongest=data.n_strongest,
            is_by_community=data.is_by_community,
        )
        # A fitted view stays fitted while the library grows; a zoomed one does not move.
        fit = not quiet or not was_shown or canvas.fitted
        if not surface.is_color_chosen and not (quiet and was_shown):
            surface.color_mode = choose_colors(view, data)
        selected = self.navigation.find_selected(data, content.merged)
        canvas.show_data(data, animate=was_shown, fit=fit, selected=selected)
        surface.prepare()
        if self._only_kind is not None:
            surface.kinds.only([self._only_kind])
            self._only_kind = None
        self.toolbar.set_appearance(view.layout, surface.color_mode, surface.size_mode)
        is_outside = not surface.paths.entity_ids().issubset(data.row_of)
        if surface.has_open_paths and is_outside and not self.graph_actions.has_pending_path:
            surface.open_paths(False)
        surface.show_side(True)
        select, self.navigation.select_next = self.navigation.select_next, None
        if select is None and len(data) == 1:
            select = data.ids[0]
        if select is not None:
            canvas.select_entity(select)
        elif quiet:
            self.selection.show_selected(canvas.selected_id())
        self.selection.show_chosen()
        self.graph_actions.show_pending_path()
        self.shown.emit()

    def _show_empty(self, data: GraphData) -> None:
        self.canvas.show_data(data)
        if data.n_all:
            texts = (
                tr("Nothing to show"),
                tr("The names of this view are hidden or were deleted."),
            )
        else:
            texts = (tr("No names yet"), tr("Add a book and its names appear here in seconds."))
        self.surface.show_empty(*texts)
        self.selection.show_selected(None)
        self.shown.emit()

    def _fail(self, error: BaseException) -> None:
        self.surface.end()
        if not len(self.canvas.data):
            self.surface.show_empty(
                tr("The graph could not be read"), tr("Open the library again.")
            )
        self.context.messages.show_error(error)

    # --- toolbar and panels --------------------------------------------------

    def _export(self, ending: str, chosen: bool) -> None:
        canvas, caption = self.canvas, self.build_caption(chosen=chosen)
        light = self.toolbar.light_background.isChecked()
        if ending == COPY:
            copy_picture(canvas, self.context, chosen=chosen, caption=caption, light=light)
        else:
            ask_and_save(canvas, self.context, ending, chosen=chosen, caption=caption, light=light)

    def build_caption(self, *, chosen: bool = False) -> PictureCaption:
        """Return title and legend for a picture of the view, or of the selection."""
        view = self.navigation.shown_view or View()
        if chosen:
            view = View("exact", tuple(self.canvas.chosen_ids()))
        title = describe_view(view, self.canvas.data)
        surface = self.surface
        return PictureCaption(
            title,
            surface.color_mode,
            surface.legend_lines,
            surface.size_mode,
            describe_size(surface.size_mode, self.canvas.data),
        )

    def _find(self, text: str, show: Callable[[list[EntityRow]], None]) -> None:
        lane, find = self.context.reader_lane, self.context.library_reader.find_entities
        Query(lane, find, text, 12, owner=self).on_success(show).run()

    def _show_found(self, entity_id: int) -> None:
        if not self.graph_actions.use_as_other_end(entity_id):
            self.show_entities([entity_id])

    def _choose_neighbour(self, entity_id: int) -> None:
        row = self.canvas.data.row_of.get(entity_id)
        if row is not None and self.canvas.data.shown[row]:
            self.canvas.select_row(row, reveal=True)
        else:
            self.navigation.select_next = entity_id
            self.navigation.add([entity_id])

    def _open_mention(self, mention: MentionRow) -> None:
        self.open_passage.emit(int(mention.document_id), mention.start, mention.end)

    def _view_now(self) -> tuple[View, DiscPositions, dict] | None:
        view = self.navigation.shown_view
        if view is None or not len(self.canvas.data):
            return None
        self.canvas.settle()
        return view, positions_of(self.canvas.data, view.layout), self.surface.appearance()

    def _open_saved(self, view: View, positions: DiscPositions, appearance: dict) -> None:
        self.surface.set_appearance(appearance)
        self.navigation.open(view, positions)
