"""Which names a picture shows, and how it is made: read, keep what stands, lay out the rest.

Owns views, their trail (back and forward) and the pins of each. `read_view` and `lay_out` run
in workers and touch nothing of the window.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from desktop_app.engine.graph.layout import force_layout
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.types import Subgraph

from .graph_data import GraphData, build_graph_data
from .thinning import thin_relations

TOP_STEP, NEAR_LIMIT, EXPAND_LIMIT = 60, 40, 24


@dataclass(frozen=True)
class View:
    """What to show: the top names, names with their neighbours, or exactly these names."""

    kind: str = "top"
    ids: tuple[int, ...] = ()
    limit: int = TOP_STEP
    hidden: frozenset[int] = frozenset()
    grow: int | None = None

    def hide(self, entity_id: int) -> View:
        return replace(self, hidden=self.hidden | {entity_id})


@dataclass(frozen=True)
class Standing:
    """Places and pins of the picture before, so that what is known stays where it is."""

    places: dict[int, tuple[float, float]] = field(default_factory=dict)
    pinned: frozenset[int] = frozenset()


class Trail:
    """Views gone through, with the way back and forward, and what was pinned in them."""

    def __init__(self) -> None:
        self._views: list[View] = []
        self._at = -1
        self._arranged: dict[tuple, Standing] = {}

    def remember(self, view: View, standing: Standing) -> None:
        """Keep the places of a view that the person arranged by pinning; forget others."""
        if standing.pinned:
            self._arranged[view.kind, view.ids] = standing
        else:
            self._arranged.pop((view.kind, view.ids), None)

    def standing_in(self, view: View) -> Standing:
        return self._arranged.get((view.kind, view.ids), Standing())

    @property
    def now(self) -> View | None:
        return self._views[self._at] if self._at >= 0 else None

    def go(self, view: View) -> None:
        if view != self.now:
            self._views[self._at + 1 :] = [view]
            self._at = len(self._views) - 1

    def replace_now(self, view: View) -> None:
        self._views[self._at] = view

    def back(self) -> View | None:
        if self.can_go_back():
            self._at -= 1
        return self.now

    def forward(self) -> View | None:
        if self.can_go_forward():
            self._at += 1
        return self.now

    def can_go_back(self) -> bool:
        return self._at > 0

    def can_go_forward(self) -> bool:
        return self._at < len(self._views) - 1


def standing_of(data: GraphData) -> Standing:
    """Return places and pins of a picture by id."""
    ids = data.ids
    places = {i: (float(p[0]), float(p[1])) for i, p in zip(ids, data.places, strict=True)}
    return Standing(places, frozenset(i for i, pin in zip(ids, data.pinned, strict=True) if pin))


def read_view(exploring: Any, view: View) -> tuple[Subgraph, View]:
    """Return what a view shows, and the view with an expansion resolved.

    An expansion (`grow`) becomes the exact list of names it leads to.
    """
    graph = _fetch(exploring, view)
    if view.grow is not None:
        near = exploring.neighbourhood([view.grow], EXPAND_LIMIT)
        ids = dict.fromkeys(
            [int(e.id) for e in graph.entities] + [int(e.id) for e in near.entities]
        )
        view = View(
            "exact", tuple(ids), view.limit, view.hidden - {int(e.id) for e in near.entities}
        )
        graph = _fetch(exploring, view)
    return _keep(graph, {int(e.id) for e in graph.entities} - view.hidden), view


def lay_out(graph: Subgraph, standing: Standing, cancel: CancelToken | None = None) -> GraphData:
    """Return the picture of a graph; what stands stays, the rest finds its place.

    Only the strongest relations of each name pull: the ties of everyone with everyone would draw a
    dense novel into one ball.
    """
    data = build_graph_data(graph)
    data.n_strongest = thin_relations(data)
    unknown = (np.nan, np.nan)
    before = np.array([standing.places.get(i, unknown) for i in data.ids]).reshape(-1, 2)
    data.pinned = np.array([i in standing.pinned for i in data.ids], dtype=bool)
    data.places = force_layout(
        len(data),
        data.pairs[data.pulling],
        data.weights[data.pulling],
        positions=before if np.isfinite(before).any() else None,
        radii=data.radii,
        pinned=data.pinned,
        cancel=cancel,
    )
    return data


def _fetch(exploring: Any, view: View) -> Subgraph:
    if view.kind == "top":
        return exploring.top_graph(limit=view.limit)
    if view.kind == "near":
        return exploring.neighbourhood(list(view.ids), view.limit)
    return _keep(exploring.neighbourhood(list(view.ids), 0), set(view.ids))


def _keep(graph: Subgraph, ids: set[int]) -> Subgraph:
    return Subgraph(
        tuple(e for e in graph.entities if int(e.id) in ids),
        tuple(r for r in graph.relations if int(r.source_id) in ids and int(r.target_id) in ids),
        graph.n_all,
    )
