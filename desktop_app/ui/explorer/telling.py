"""What the panels tell of the chosen names: the portrait beside the graph, the bar over it.

Owns reading what is told, in the reader's lane. Knows panels and canvas, not what is shown next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop_app.ui.language import tr
from desktop_app.workers.operations import Query

from .inspector import Portrait
from .surface import Surface
from .verbs import Verbs
from .views import View

N_RELATIONS, N_MENTIONS = 8, 6


class Telling(QObject):
    """Keeps inspector and bar with what is chosen on the canvas."""

    def __init__(
        self,
        context: Any,
        surface: Surface,
        verbs: Verbs,
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
