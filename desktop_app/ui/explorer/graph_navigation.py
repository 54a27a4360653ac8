"""Loads views into the canvas and keeps the history: back, forward, expand, hide, new layouts.

`GraphLoader` reads and lays out one view at a time in the background, `GraphNavigation` decides
which view comes next. Neither knows the panels around the canvas.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import replace

import shiboken6
from PySide6.QtCore import QObject, Signal

from desktop_app.engine.graph.view.arrangement import lay_out
from desktop_app.engine.graph.view.graph_data import GraphData
from desktop_app.engine.graph.view.view import (
    KINDS_LIMIT,
    NEAR_LIMIT,
    TOP_STEP,
    DiscPositions,
    View,
    ViewContent,
    positions_of,
)
from desktop_app.engine.services.view_reader import read_view
from desktop_app.workers.lane import Job, Lane
from desktop_app.workers.operations import Query, Work

from ..context import SessionContext
from .canvas import GraphCanvas

EVERY_NAME = 50_000  # what the canvas draws fast enough
DEPTH_LIMIT = {1: NEAR_LIMIT, 2: 120, 3: 300, 4: 800}


class GraphLoader(QObject):
    """Loads one view at a time; emits `loaded(data, content)`."""

    loaded = Signal(object, object)
    failed = Signal(object)
    progressed = Signal(float, int)
    ended = Signal()

    def __init__(self, context: SessionContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._job: Job | None = None
        self._closed = False
        self._requested = 0
        self._enough = threading.Event()
        self.size_mode, self.level = "connections", 0
        lane = self.lane = Lane("graph layout", context.messages.show_error)  # not shown
        self.destroyed.connect(lambda: lane.close() if shiboken6.isValid(lane) else None)

    def load(self, view: View, positions: DiscPositions) -> None:
        self.cancel()
        if self._closed:
            return
        request, context = self._requested, self._context
        query = Query(
            context.reader_lane,
            read_view,
            context.library_reader,
            view,
            self.level,
            tuple(positions.places),
            owner=self,
        )
        query.on_success(lambda content: self._lay_out(request, positions, content))
        query.on_error(lambda error: self._fail(request, error))
        self._job = query.run()

    def cancel(self) -> None:
        """Cancel the load that is running."""
        self._requested += 1
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def stop_layout(self) -> None:
        """Stop the running layout and show what it has reached."""
        self._enough.set()

    def close(self) -> None:
        """Close the lane; nothing is loaded after this."""
        self.cancel()
        self._closed = True
        if shiboken6.isValid(self.lane):
            self.lane.close()

    def _lay_out(self, request: int, positions: DiscPositions, content: ViewContent) -> None:
        if request != self._requested or self._closed:
            return
        n = len(content.graph.entities)
        positions = positions.follow(content.merged)
        enough = self._enough = threading.Event()

        def arrange(job: Job) -> GraphData:
            def report_round(share: float) -> bool:
                job.report(share)
                return not enough.is_set()

            return lay_out(
                content.graph,
                positions,
                job.cancel_token,
                content=content,
                size_mode=self.size_mode,
                on_round=report_round,
            )

        def report(share: float) -> None:
            if request == self._requested:
                self.progressed.emit(share, n)

        def finish(data: GraphData) -> None:
            if request == self._requested:
                self.ended.emit()
                self.loaded.emit(data, content)

        work = Work(self.lane, arrange, owner=self, label="graph")
        work.on_progress(report).on_success(finish)
        work.on_error(lambda error: self._fail(request, error))
        self._job = work.run()

    def _fail(self, request: int, error: BaseException) -> None:
        if request == self._requested:
            self.ended.emit()
            self.failed.emit(error)


class ViewHistory:
    """A list of views with a current step, and the positions of each."""

    def __init__(self) -> None:
        self._steps: list[tuple[View, DiscPositions | None]] = []
        self._at = -1
        self._arranged: dict[tuple, DiscPositions] = {}

    def remember(self, view: View, positions: DiscPositions) -> None:
        """Store the positions of the step that is left.

        Positions with pinned nodes are also used when the same view is opened again.
        """
        if self._at >= 0:
            self._steps[self._at] = (self._steps[self._at][0], positions)
        if positions.pinned:
            self._arranged[view.kind, view.ids] = positions
        else:
            self._arranged.pop((view.kind, view.ids), None)

    def positions_in(self, view: View) -> DiscPositions:
        return self._arranged.get((view.kind, view.ids), DiscPositions())

    @property
    def now(self) -> View | None:
        return self._steps[self._at][0] if self._at >= 0 else None

    @property
    def positions_now(self) -> DiscPositions:
        """The positions stored for the current step."""
        return (self._steps[self._at][1] if self._at >= 0 else None) or DiscPositions()

    def push(self, view: View, *, again: bool = False) -> None:
        """Add a step; the current view only where its positions changed (`again`)."""
        if again or view != self.now:
            self._steps[self._at + 1 :] = [(view, None)]
            self._at = len(self._steps) - 1

    def replace_now(self, view: View) -> None:
        self._steps[self._at] = (view, self._steps[self._at][1])

    def step(self, by: int) -> None:
        """Go `by` steps forward, or back if negative, as far as there are steps."""
        self._at = max(min(0, self._at), min(self._at + by, len(self._steps) - 1))

    def can_go_back(self) -> bool:
        return self._at > 0

    def can_go_forward(self) -> bool:
        return self._at < len(self._steps) - 1


class GraphNavigation(QObject):
    """Shows views on a canvas; emits `loaded(data, content, quiet)`.

    `history_changed` has whether back and forward are possible.
    """

    loading_started = Signal(bool)
    history_changed = Signal(bool, bool)
    loaded = Signal(object, object, bool)
    failed = Signal(object)

    def __init__(self, context: SessionContext, canvas: GraphCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self.history = ViewHistory()
        self.loader = GraphLoader(context, self)
        self.shown_view: View | None = None
        self.select_next: int | None = None  # the entity to select in the next view
        # The selected entity, and the one that was merged into it while it was selected.
        self._merged: tuple[int, int] | None = None
        self._before: DiscPositions | None = None
        self._quiet = False
        self._loading_positions: DiscPositions | None = None
        self.loader.loaded.connect(self._on_loaded)
        self.loader.failed.connect(self._fail)
        canvas.places_changed.connect(self._places_changed)

    @property
    def view(self) -> View | None:
        return self.history.now

    @property
    def shows_all_by_community(self) -> bool:
        """Whether the view is that of all names, laid out by community."""
        view = self.view
        is_all = view is not None and view.kind == "top" and view.limit >= EVERY_NAME
        return is_all and view is not None and view.layout == "groups"

    # --- views -------------------------------------------------------------------------

    def show_top(self) -> None:
        self.show_view(View("top", limit=TOP_STEP, layout=self._layout()))

    def show_all(self, layout: str = "") -> None:
        """Show all entities of the library, in this layout or the one of a new view."""
        self.show_view(View("top", limit=EVERY_NAME, layout=layout or self._layout()))

    def show_entities(self, ids: Iterable[int]) -> None:
        """Show these entities with their strongest neighbours, the first one selected."""
        if wanted := tuple(dict.fromkeys(int(i) for i in ids)):
            self.select_next, layout = wanted[0], self._layout()
            self.show_view(View("near", wanted, NEAR_LIMIT, layout=layout, centre=wanted[0]))

    def show_kinds(self, kinds: Iterable[str]) -> None:
        """Show the entities with relations of these kinds."""
        self.show_view(View("kinds", kinds=tuple(kinds), limit=KINDS_LIMIT, layout=self._layout()))

    def grow(self, entity_id: int) -> None:
        """Add the strongest neighbours of an entity to the view."""
        if self.view is not None:
            self.show_view(replace(self.view, grow=int(entity_id)))

    def add(self, ids: Iterable[int]) -> None:
        """Add exactly these entities."""
        view = self.view
        if view is None:
            return
        shown = [i for i in self._canvas.data.ids if i not in view.hidden]
        both = tuple(dict.fromkeys([*shown, *(int(i) for i in ids)]))
        if set(both) != set(shown):
            self.show_view(replace(view, kind="exact", ids=both, hidden=frozenset()))

    def hide(self, ids: Iterable[int]) -> None:
        if self.view is not None and (gone := [int(i) for i in ids]):
            self.show_view(self.view.hide(*gone))

    def keep_only(self, ids: Iterable[int]) -> None:
        if self.view is not None and (kept := tuple(int(i) for i in ids)):
            self.show_view(replace(self.view, kind="exact", ids=kept, hidden=frozenset()))

    def set_depth(self, depth: int) -> None:
        """Show more or fewer steps around the entities of a "near" view."""
        view = self.view
        if view is not None and view.kind == "near" and view.depth != depth:
            limit = DEPTH_LIMIT.get(depth, NEAR_LIMIT)
            self.show_view(replace(view, depth=depth, limit=limit, hidden=frozenset()), keep=True)

    def set_layout(self, layout: str, centre: int | None = None) -> None:
        """Lay out the same entities with another layout, or again with the same one.

        A radial layout without a centre is laid out around the selected entity.
        """
        if layout == "radial" and centre is None:
            centre = self._canvas.selected_id()
        if self.view is not None:
            self._remember_positions()
            self.history.push(replace(self.view, layout=layout, centre=centre), again=True)
            self._load(positions=self._current_positions().keep_pinned(layout))

    def rearrange(self) -> None:
        """Lay out the view again from the beginning."""
        view = self.view or View()
        self.set_layout(view.layout, view.centre)

    def show_more(self) -> None:
        view = self.view
        if view is not None:
            self.history.replace_now(replace(view, limit=view.limit * 2))
            self._load(keep=True)

    def back(self) -> None:
        self._step(-1)

    def forward(self) -> None:
        self._step(1)

    def _step(self, by: int) -> None:
        self._remember_positions()
        self.history.step(by)
        self._load(positions=self.history.positions_now)

    def refresh(self) -> None:
        """Read the view again; deleted entities disappear without a message.

        A view that is being loaded is loaded again.
        """
        if self.view is None:
            self.history.push(View())
        if self._loading_positions is not None:
            self._load(quiet=self._quiet, positions=self._loading_positions)
        else:
            self._load(quiet=True)

    def open(self, view: View, positions: DiscPositions) -> None:
        """Show a saved view with its positions."""
        self._remember_positions()
        self.history.push(view)
        self._load(positions=positions)

    def show_view(self, view: View, *, keep: bool = False) -> None:
        """Show a view; with `keep` the nodes stay near their current positions."""
        self._remember_positions()
        self.history.push(view)
        self._load(keep=keep)

    def _layout(self) -> str:
        """Return the layout of a new view: only "groups" is kept, unless for all names."""
        if self.shows_all_by_community:
            return "force"
        now = self.view.layout if self.view is not None else "force"
        return now if now == "groups" else "force"

    def _remember_positions(self) -> None:
        self._canvas.settle()
        if self.shown_view is not None:
            self.history.remember(self.shown_view, self._current_positions())

    def _current_positions(self) -> DiscPositions:
        layout = self.shown_view.layout if self.shown_view is not None else "force"
        return positions_of(self._canvas.data, layout)

    def _load(
        self, *, quiet: bool = False, keep: bool = False, positions: DiscPositions | None = None
    ) -> None:
        view = self.view
        if view is None:
            return
        self._canvas.cancel_gesture()
        self._canvas.settle()
        self._quiet = quiet
        self.loading_started.emit(quiet)
        if positions is None:
            # A new view ignores the current positions, so that it looks the same every time;
            # only a view with pinned nodes is restored.
            continues = view.kind == "exact" or view.grow is not None or bool(view.hidden)
            continues = continues or quiet or keep
            positions = self._current_positions() if continues else self.history.positions_in(view)
        self._loading_positions = positions
        self.loader.load(view, positions)

    def find_selected(self, data: GraphData, merged: Mapping[int, int]) -> int | None:
        """Return the entity of the next view that is the selected one.

        A selected entity that was merged is followed, and followed back when that is undone.

        Args:
            merged: see `ViewContent`.
        """
        selected = self._canvas.selected_id()
        if selected is None:
            return None
        if selected in merged:
            self._merged = merged[selected], selected
            return merged[selected]
        if self._merged is not None and self._merged[0] == selected:
            if self._merged[1] in data.row_of:
                _, selected = self._merged
                self._merged = None
        else:
            self._merged = None
        return selected

    def _fail(self, error: BaseException) -> None:
        self._loading_positions = None
        self.failed.emit(error)

    def _on_loaded(self, data: GraphData, content: ViewContent) -> None:
        self._loading_positions = None
        self.history.replace_now(content.view)
        self.shown_view = content.view
        self._before = positions_of(data, content.view.layout)
        self._emit_history()
        self.loaded.emit(data, content, self._quiet)

    def _places_changed(self) -> None:
        """Add a history step for a node moved by hand, so that Back undoes it."""
        if self.shown_view is None or self._before is None:
            return
        self.history.remember(self.shown_view, self._before)
        self.history.push(self.shown_view, again=True)
        self._before = self._current_positions()
        self.history.remember(self.shown_view, self._before)
        self._emit_history()

    def _emit_history(self) -> None:
        self.history_changed.emit(self.history.can_go_back(), self.history.can_go_forward())
