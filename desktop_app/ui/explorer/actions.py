"""Actions on the selected nodes (expand, hide, show only, find paths, pin) and the context menu.

`GraphActions` acts on the canvas and the navigation, reads in the reader lane, and remembers the
first end of a path until the second one is chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.engine.graph.view.view import EXPAND_LIMIT
from desktop_app.engine.model import Subgraph
from desktop_app.engine.services.graph_views import ShownPath, ViewNeighbour
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.entity_menu import EntityMenu
from ..translation import tr, trn
from .canvas import GraphCanvas
from .expand_dialog import ExpandDialog
from .graph_navigation import GraphNavigation

MANY = 2 * EXPAND_LIMIT


class GraphActions(QObject):
    """Runs the actions of bar, menu and keys; emits `paths_found(ids, paths)`.

    `corrections` is the menu that the entity screen offers as well.
    """

    paths_found = Signal(object, object)
    other_end_wanted = Signal(object)
    open_wanted = Signal(int)
    enrich_wanted = Signal(int)

    def __init__(
        self,
        context: SessionContext,
        canvas: GraphCanvas,
        navigation: GraphNavigation,
        owner: QWidget,
    ) -> None:
        super().__init__(owner)
        self._context, self._canvas, self._navigation = context, canvas, navigation
        self._owner = owner
        self.corrections = EntityMenu(context, owner)
        self.corrections.open_wanted.connect(self.open_wanted)
        self.path_start: int | None = None
        self.dialog: ExpandDialog | None = None
        self.titles: dict[int, str] = {}
        self._pending_path: tuple[int, ...] = ()

    def run_action(self, action: str) -> None:
        """Run one action on the selected nodes."""
        canvas, chosen = self._canvas, self._canvas.chosen_ids()
        rows = sorted(canvas.focus.chosen)
        if action == "none":
            self.path_start = None
            canvas.select_row(None)
        elif not chosen:
            return
        elif action == "expand":
            self.expand(chosen)
        elif action == "hide":
            self._navigation.hide(chosen)
        elif action == "keep":
            self._navigation.keep_only(chosen)
        elif action == "path":
            self.find_path(chosen)
        elif action == "shared":
            self._read(
                self._context.library_reader.graph.shared_neighbours, chosen, then=self._show_shared
            )
        elif action == "pin":
            canvas.set_pinned(rows, not canvas.data.pinned[rows].all())
        elif action == "zoom":
            canvas.fit_rows(rows)
        elif action == "neighbours":
            near = {int(n) for row in rows for n in canvas.data.neighbours_of(row)}
            canvas.choose(near.union(rows), first=canvas.focus.selected)
        elif action == "invert":
            canvas.choose(set(np.flatnonzero(canvas.data.shown).tolist()) - set(rows))

    # --- expanding ------------------------------------------------------------------------

    def expand(self, ids: list[int]) -> None:
        """Add the neighbours of these entities; where one has many, ask which."""
        if len(ids) == 1:
            self.choose_expansion(ids[0], most=EXPAND_LIMIT)
            return

        def add(graph: Subgraph) -> None:
            self._navigation.add(int(e.id) for e in graph.entities)

        self._read(self._context.library_reader.neighbourhood, ids, EXPAND_LIMIT, then=add)

    def choose_expansion(self, entity_id: int, *, most: int = 0) -> None:
        """Ask which neighbours to add if there are more than `most`, else add all."""

        def choose(neighbours: list[ViewNeighbour]) -> None:
            unseen = [n for n in neighbours if int(n.row.id) not in self._canvas.data.row_of]
            if not unseen:
                self._context.messages.show(tr("All its neighbours are already shown."))
            elif len(unseen) <= most:
                self._navigation.grow(entity_id)
            else:
                theme, name = self._context.theme, self._name(entity_id)
                self.dialog = ExpandDialog(theme, name, unseen, self.titles, self._owner)
                self.dialog.chosen.connect(self._navigation.add)
                self.dialog.finished.connect(lambda _: setattr(self, "dialog", None))
                self.dialog.open()

        self._read(self._context.library_reader.graph.neighbours, entity_id, then=choose)

    # --- paths ----------------------------------------------------------------------------

    def find_path(self, ids: list[int]) -> None:
        """Find paths between two entities; for one, the next entity chosen is the other end."""
        if len(ids) == 1:
            self.path_start = ids[0]
            self.other_end_wanted.emit(self._name(ids[0]))
        if len(ids) != 2:
            return
        a, b = ids

        def show(paths: list[ShownPath]) -> None:
            self.paths_found.emit((a, b), paths)
            if not paths:
                return
            self._pending_path = paths[0].ids
            needed = [i for path in paths for i in path.ids]
            if all(i in self._canvas.data.row_of for i in needed):
                self.show_pending_path()
            else:
                self._navigation.add(needed)

        self._read(self._context.library_reader.graph.find_paths, a, b, then=show)

    def use_as_other_end(self, entity_id: int) -> bool:
        """Use an entity as the other end if a path was started; return whether it was."""
        if self.path_start is None or entity_id == self.path_start:
            return False
        first, self.path_start = self.path_start, None
        self.find_path([first, entity_id])
        return True

    @property
    def has_pending_path(self) -> bool:
        """Whether a path was found whose entities are still read into the view."""
        return bool(self._pending_path)

    def show_pending_path(self) -> None:
        """Highlight the path that was found once all its entities are in the view."""
        ids, self._pending_path = self._pending_path, ()
        if ids and all(i in self._canvas.data.row_of for i in ids):
            self.show_path(ids)

    def show_path(self, ids: tuple[int, ...]) -> None:
        canvas = self._canvas
        rows = [canvas.data.row_of[i] for i in ids if i in canvas.data.row_of]
        canvas.choose({rows[0], rows[-1]} if len(rows) > 1 else set(rows))
        canvas.show_path(ids)
        canvas.reveal_rows(rows)

    # --- inside ---------------------------------------------------------------------------

    def _show_shared(self, ids: list[int]) -> None:
        canvas, rows = self._canvas, self._canvas.data.row_of
        if not ids:
            self._context.messages.show(tr("No common neighbours."))
            return
        self._context.messages.show(
            trn("{n} common neighbour.", "{n} common neighbours.", len(ids))
        )
        chosen = canvas.chosen_ids()
        if all(i in rows for i in ids[:MANY]):
            canvas.choose({rows[i] for i in (*chosen, *ids) if i in rows})
        else:
            self._navigation.add([*chosen, *ids[:MANY]])

    def _name(self, entity_id: int) -> str:
        row = self._canvas.data.row_of.get(entity_id)
        return self._canvas.data.entities[row].name if row is not None else ""

    def _read(self, fn: Callable[..., Any], *args: Any, then: Callable[[Any], None]) -> None:
        Query(self._context.reader_lane, fn, *args, owner=self).on_success(then).run()

    # --- menu -----------------------------------------------------------------------------

    def build_menu(self, row: int | None) -> QMenu:
        """Return the menu of a node (or of all selected ones), or of the background for None."""
        canvas, navigation, run = self._canvas, self._navigation, self.run_action
        menu, n = QMenu(self._owner), len(canvas.focus.chosen)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if row is None:
            menu.addAction(tr("Fit everything"), canvas.fit)
            if n:
                menu.addAction(tr("Zoom to selection"), lambda: run("zoom"))
            menu.addAction(tr("Select all"), lambda: canvas.choose(canvas.data.shown.nonzero()[0]))
            menu.addAction(tr("Rearrange"), navigation.rearrange)
            menu.addAction(tr("Top names"), navigation.show_top)
            return menu
        entity_id = int(canvas.data.entities[row].id)
        if n > 1 and row in canvas.focus.chosen:
            if n == 2:
                menu.addAction(tr("Find path"), lambda: run("path"))
            menu.addAction(tr("Common neighbours"), lambda: run("shared"))
            menu.addAction(tr("Expand"), lambda: run("expand"))
            words = trn("Show only this name", "Show only these {n} names", n)
            menu.addAction(words, lambda: run("keep"))
            menu.addAction(tr("Hide"), lambda: run("hide"))
            menu.addAction(tr("Invert selection"), lambda: run("invert"))
            menu.addAction(tr("Zoom to selection"), lambda: run("zoom"))
            menu.addAction(tr("Pin or unpin"), lambda: run("pin"))
        else:
            pinned = bool(canvas.data.pinned[row])
            menu.addAction(tr("Open"), lambda: self.open_wanted.emit(entity_id))
            menu.addAction(tr("Expand"), lambda: self.expand([entity_id]))
            choose = tr("Choose neighbours to add…")
            menu.addAction(choose, lambda: self.choose_expansion(entity_id))
            near = tr("Show only this and its neighbours")
            menu.addAction(near, lambda: navigation.show_entities([entity_id]))
            around = tr("Arrange around this")
            menu.addAction(around, lambda: navigation.set_layout("radial", entity_id))
            menu.addAction(tr("Find path to…"), lambda: run("path"))
            enrich = menu.addAction(
                tr("Enrich this now"), lambda: self.enrich_wanted.emit(entity_id)
            )
            enrich.setToolTip(tr("Read its passages with a model before all others"))
            menu.addAction(tr("Select its neighbours"), lambda: run("neighbours"))
            menu.addAction(tr("Hide"), lambda: navigation.hide([entity_id]))
            words = tr("Unpin") if pinned else tr("Pin")
            menu.addAction(words, lambda: canvas.set_pinned([row], not pinned))
        if rows := canvas.chosen_rows():
            menu.addSeparator()
            self.corrections.fill(menu, rows)
        return menu
