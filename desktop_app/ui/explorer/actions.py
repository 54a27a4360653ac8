"""Actions on the selected nodes (expand, hide, keep, find paths, pin) and the context menu.

`GraphActions` acts on the canvas and the navigation, reads in the reader lane, and remembers the
first end of a path until the second one is chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from desktop_app.engine.graph.view.view import EXPAND_LIMIT
from desktop_app.workers.operations import Query

from ..editing.entity_menu import EntityMenu
from ..language import tr, trn
from .canvas import GraphCanvas
from .expand_sheet import ExpandDialog
from .graph_navigation import GraphNavigation

if TYPE_CHECKING:
    from .screen import ExplorerScreen


MANY = 2 * EXPAND_LIMIT


class GraphActions(QObject):
    """Runs the actions of bar, menu and keys; emits `paths_found(ids, paths)`."""

    paths_found = Signal(object, object)
    other_end_wanted = Signal(object)

    def __init__(
        self, context: Any, canvas: GraphCanvas, navigation: GraphNavigation, owner: QWidget
    ) -> None:
        super().__init__(owner)
        self._context, self._canvas, self._navigation = context, canvas, navigation
        self._owner = owner
        self.path_start: int | None = None
        self.sheet: ExpandDialog | None = None
        self.titles: dict[int, str] = {}
        self._show_next: tuple[int, ...] = ()

    def run_action(self, action: str) -> None:
        """Run one action on the selected nodes."""
        canvas, chosen = self._canvas, self._canvas.chosen_ids()
        rows = sorted(canvas.focus.chosen)
        if action == "none":
            self.cancel_path()
            canvas.select_row(None)
        elif not chosen:
            return
        elif action == "expand":
            self.expand(chosen)
        elif action == "hide":
            self._navigation.hide(chosen)
        elif action == "keep":
            self._navigation.keep_only(chosen)
        elif action == "way":
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
        """Add the neighbours of these entities; where there are many, ask which."""
        if len(ids) == 1:
            self._expand_or_ask(ids[0], lambda unseen: len(unseen) > EXPAND_LIMIT)
            return

        def add(graph: Any) -> None:
            self._navigation.add(int(e.id) for e in graph.entities)

        self._read(self._context.library_reader.neighbourhood, ids, EXPAND_LIMIT, then=add)

    def choose_expansion(self, entity_id: int) -> None:
        """Ask which neighbours to add, however many there are."""
        self._expand_or_ask(entity_id, lambda unseen: len(unseen) > 0)

    def _expand_or_ask(self, entity_id: int, many: Callable[[list], bool]) -> None:
        def choose(neighbours: list) -> None:
            here = self._canvas.data.row_of
            unseen = [n for n in neighbours if int(n.row.id) not in here]
            if not many(unseen):
                if unseen:
                    self._navigation.grow(entity_id)
                else:
                    self._context.messages.show(tr("All its neighbours are shown already."))
                return
            name = self._name(entity_id)
            self.sheet = ExpandDialog(self._context.theme, name, unseen, self.titles, self._owner)
            self.sheet.chosen.connect(self._navigation.add)
            self.sheet.finished.connect(lambda _: setattr(self, "sheet", None))
            self.sheet.open()

        self._read(self._context.library_reader.graph.neighbours, entity_id, then=choose)

    # --- paths ----------------------------------------------------------------------------

    def find_path(self, ids: list[int]) -> None:
        """Find paths between two entities; for one, the next entity chosen is the other end."""
        if len(ids) == 1:
            self.path_start = ids[0]
            self.other_end_wanted.emit(self._name(ids[0]))
        elif len(ids) == 2:
            self._find(ids[0], ids[1])

    def use_as_other_end(self, entity_id: int | None) -> bool:
        """Use an entity as the other end if a path was started; return whether it was."""
        if self.path_start is None or entity_id in (None, self.path_start):
            return False
        first = self.path_start
        self.cancel_path()
        self._find(first, int(entity_id))
        return True

    def cancel_path(self) -> None:
        self.path_start = None

    def _find(self, a: int, b: int) -> None:
        def show(paths: list) -> None:
            if not paths:
                self.paths_found.emit((a, b), paths)
                return
            needed = [i for path in paths for i in path.ids]
            missing = [i for i in needed if i not in self._canvas.data.row_of]
            self._show_next = paths[0].ids
            self.paths_found.emit((a, b), paths)
            if missing:
                self._navigation.add(needed)
            else:
                self.show_pending_path()

        self._read(self._context.library_reader.graph.ways, a, b, then=show)

    def show_pending_path(self) -> None:
        """Highlight the path that was found once all its entities are in the view."""
        ids, self._show_next = self._show_next, ()
        if ids and all(i in self._canvas.data.row_of for i in ids):
            self.show_path(ids)

    def show_path(self, ids: tuple[int, ...]) -> None:
        canvas = self._canvas
        rows = [canvas.data.row_of[i] for i in ids if i in canvas.data.row_of]
        canvas.choose({rows[0], rows[-1]} if len(rows) > 1 else set(rows))
        canvas.show_path(ids)

    # --- inside ---------------------------------------------------------------------------

    def _show_shared(self, ids: list[int]) -> None:
        chosen = self._canvas.chosen_ids()
        if not ids:
            self._context.messages.show(tr("They have nobody in common."))
            return
        self._context.messages.show(
            trn("They have {n} name in common.", "They have {n} names in common.", len(ids))
        )
        missing = [i for i in ids[:MANY] if i not in self._canvas.data.row_of]
        if missing:
            self._navigation.add([*chosen, *ids[:MANY]])
        else:
            rows = self._canvas.data.row_of
            self._canvas.choose({rows[i] for i in (*chosen, *ids) if i in rows})

    def _name(self, entity_id: int) -> str:
        row = self._canvas.data.row_of.get(entity_id)
        return self._canvas.data.entities[row].name if row is not None else ""

    def _read(self, fn: Callable[..., Any], *args: Any, then: Callable[[Any], None]) -> None:
        query = Query(self._context.reader_lane, fn, *args, owner=self)
        query.on_success(then).run()


def build_menu(screen: ExplorerScreen, row: int | None) -> QMenu:
    """Return the menu of a node (or of all selected ones), or of the background for None."""
    canvas, run_action = screen.canvas, screen.run_action
    menu = QMenu(screen)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    chosen = canvas.chosen_ids()
    if row is None:
        menu.addAction(tr("Fit everything"), canvas.fit)
        if chosen:
            menu.addAction(tr("Zoom to what is chosen"), lambda: run_action("zoom"))
        menu.addAction(tr("Choose all"), lambda: canvas.choose(canvas.data.shown.nonzero()[0]))
        menu.addAction(tr("Arrange anew"), screen.arrange_anew)
        menu.addAction(tr("Top names"), screen.show_top)
        return menu
    entity_id = int(canvas.data.entities[row].id)
    if len(chosen) > 1 and entity_id in chosen:
        _add_for_several(menu, screen, len(chosen))
    else:
        _add_for_one(menu, screen, row, entity_id)
    _add_corrections(menu, screen)
    return menu


def _add_for_one(menu: QMenu, screen: ExplorerScreen, row: int, entity_id: int) -> None:
    run_action, canvas = screen.run_action, screen.canvas
    menu.addAction(tr("Open"), lambda: screen.open_entity.emit(entity_id))
    menu.addAction(tr("Expand"), lambda: screen.expand(entity_id))
    menu.addAction(tr("Choose whom to add…"), lambda: screen.choose_expansion(entity_id))
    menu.addAction(tr("Only this and its neighbours"), lambda: screen.show_entities([entity_id]))
    menu.addAction(tr("Arrange around this"), lambda: screen.set_layout("radial", entity_id))
    menu.addAction(tr("Find a way to…"), lambda: run_action("way"))
    menu.addAction(
        tr("Enrich this now"), lambda: screen.enrich_entity_requested.emit(entity_id)
    ).setToolTip(tr("A model reads the passages that name it before all others"))
    menu.addAction(tr("Choose its neighbours"), lambda: run_action("neighbours"))
    menu.addAction(tr("Hide"), lambda: screen.navigation.hide([entity_id]))
    if canvas.data.pinned[row]:
        menu.addAction(tr("Unpin"), lambda: canvas.unpin(row))
    else:
        menu.addAction(tr("Pin"), lambda: canvas.set_pinned([row], True))


def _add_for_several(menu: QMenu, screen: ExplorerScreen, n: int) -> None:
    run_action = screen.run_action
    if n == 2:
        menu.addAction(tr("Find a way between them"), lambda: run_action("way"))
    menu.addAction(tr("Names they have in common"), lambda: run_action("shared"))
    menu.addAction(tr("Expand"), lambda: run_action("expand"))
    menu.addAction(
        trn("Keep only this {n} name", "Keep only these {n} names", n), lambda: run_action("keep")
    )
    menu.addAction(tr("Hide"), lambda: run_action("hide"))
    menu.addAction(tr("Choose all others"), lambda: run_action("invert"))
    menu.addAction(tr("Zoom to them"), lambda: run_action("zoom"))
    menu.addAction(tr("Pin or unpin"), lambda: run_action("pin"))


def _add_corrections(menu: QMenu, screen: ExplorerScreen) -> None:
    """Add the corrections that the entity screen offers."""
    rows = screen.canvas.chosen_rows()
    if not rows:
        return
    if screen.corrections is None:
        screen.corrections = EntityMenu(screen.context, screen)
        screen.corrections.open_wanted.connect(screen.open_entity)
        screen.corrections.place_wanted.connect(screen.open_passage)
    menu.addSeparator()
    screen.corrections.fill(menu, rows)
