"""Which names a picture shows: views, how they are read, and the way back through them.

Owns views and their trail (back and forward, with the places and pins of every step).
`read_view` runs in the reader's lane and touches nothing of the window.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from desktop_app.engine.model import Subgraph
from desktop_app.engine.services.graph_views import Groups, Home
from desktop_app.ui.language import later

from .graph_data import GraphData

TOP_STEP, NEAR_LIMIT, EXPAND_LIMIT, KINDS_LIMIT = 60, 40, 24, 120
LAYOUTS = {
    "force": later("By connections"),
    "groups": later("By community"),
    "radial": later("Around one name"),
    "timeline": later("By order of appearance"),
    "circle": later("Circle"),
    "grid": later("Grid"),
}


@dataclass(frozen=True)
class View:
    """What to show: top names, names with what is around them, relations of a kind, or exactly.

    Attributes:
        grow: a name to expand; resolved into an exact view while it is read.
        depth: how many steps around `ids` a "near" view goes.
        layout: one of `LAYOUTS`; centre: the name in the middle of a radial one.
    """

    kind: str = "top"
    ids: tuple[int, ...] = ()
    limit: int = TOP_STEP
    hidden: frozenset[int] = frozenset()
    grow: int | None = None
    depth: int = 1
    kinds: tuple[str, ...] = ()
    layout: str = "force"
    centre: int | None = None

    def hide(self, *ids: int) -> View:
        return replace(self, hidden=self.hidden | set(ids))

    def as_plain(self) -> dict[str, Any]:
        plain = asdict(self)
        plain.pop("grow")
        return plain | {"hidden": sorted(self.hidden)}


def view_from(plain: dict[str, Any]) -> View:
    """Return a view from what `as_plain` made; what is not understood has its default."""
    known = {f.name: plain[f.name] for f in fields(View) if f.name in plain and f.name != "grow"}
    try:
        known["ids"] = tuple(int(i) for i in known.get("ids", ()))
        known["hidden"] = frozenset(int(i) for i in known.get("hidden", ()))
        known["kinds"] = tuple(str(k) for k in known.get("kinds", ()))
        if known.get("layout") not in LAYOUTS:
            known["layout"] = "force"
        known["limit"], known["depth"] = int(known.get("limit", 60)), int(known.get("depth", 1))
        return View(**known)
    except (TypeError, ValueError):
        return View()


@dataclass(frozen=True)
class DiscPositions:
    """Places and pins of the picture before, so that what is known stays where it is."""

    places: dict[int, tuple[float, float]] = field(default_factory=dict)
    pinned: frozenset[int] = frozenset()
    layout: str = "force"

    def pins(self, layout: str) -> DiscPositions:
        """Return what a fresh arrangement keeps: the pins, unless the layout is another."""
        if layout != self.layout:
            return DiscPositions(layout=layout)
        held = {i: place for i, place in self.places.items() if i in self.pinned}
        return DiscPositions(held, self.pinned, layout)


class ViewHistory:
    """Steps gone through, with the way back and forward, and where the discs of each stood."""

    def __init__(self) -> None:
        self._steps: list[tuple[View, DiscPositions | None]] = []
        self._at = -1
        self._arranged: dict[tuple, DiscPositions] = {}

    def remember(self, view: View, standing: DiscPositions) -> None:
        """Keep where discs stand in the step that is left.

        A view that the person arranged by pinning is found arranged whenever it is opened.
        """
        if self._at >= 0:
            self._steps[self._at] = (self._steps[self._at][0], standing)
        if standing.pinned:
            self._arranged[view.kind, view.ids] = standing
        else:
            self._arranged.pop((view.kind, view.ids), None)

    def standing_in(self, view: View) -> DiscPositions:
        return self._arranged.get((view.kind, view.ids), DiscPositions())

    @property
    def now(self) -> View | None:
        return self._steps[self._at][0] if self._at >= 0 else None

    @property
    def standing_now(self) -> DiscPositions:
        """Where discs stood when this step was left."""
        return (self._steps[self._at][1] if self._at >= 0 else None) or DiscPositions()

    def go(self, view: View, *, again: bool = False) -> None:
        """Make a step; one that changes nothing only where discs were moved (`again`)."""
        if again or view != self.now:
            self._steps[self._at + 1 :] = [(view, None)]
            self._at = len(self._steps) - 1

    def replace_now(self, view: View) -> None:
        self._steps[self._at] = (view, self._steps[self._at][1])

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
        return self._at < len(self._steps) - 1


def standing_of(data: GraphData, layout: str = "force") -> DiscPositions:
    """Return places and pins of a picture by id."""
    ids = data.ids
    places = dict(zip(ids, map(tuple, data.places.tolist()), strict=True))
    pinned = frozenset(i for i, pin in zip(ids, data.pinned, strict=True) if pin)
    return DiscPositions(places, pinned, layout)


@dataclass(frozen=True)
class GraphReader:
    """What was read for a view: the graph, the view with its expansion resolved, more of both.

    Attributes:
        homes: which documents name each entity, and where first.
        chapters: (document, place, title) in reading order, for a timeline.
        groups: which community each entity is in, of those that the library keeps.
    """

    graph: Subgraph
    view: View
    homes: dict[int, Home] = field(default_factory=dict)
    chapters: tuple[tuple[int, int, str], ...] = ()
    titles: dict[int, str] = field(default_factory=dict)
    groups: Groups = field(default_factory=Groups)


def read_view(exploring: Any, view: View, level: int = 0) -> GraphReader:
    """Return what a view shows; an expansion (`grow`) becomes the exact list it leads to.

    Communities are those of a level, 0 the coarsest.
    """
    graph = _fetch(exploring, view)
    if view.grow is not None:
        near = exploring.neighbourhood([view.grow], EXPAND_LIMIT)
        shown = [int(e.id) for e in graph.entities if int(e.id) not in view.hidden]
        ids = dict.fromkeys([*shown, *(int(e.id) for e in near.entities)])
        view = replace(view, kind="exact", ids=tuple(ids), hidden=frozenset(), grow=None)
        graph = _fetch(exploring, view)
    graph = _keep(graph, {int(e.id) for e in graph.entities} - view.hidden)
    ids = [int(e.id) for e in graph.entities]
    homes = exploring.graph.homes(ids)
    titles = dict(exploring.graph.documents())
    chapters: list[tuple[int, int, str]] = []
    if view.layout == "timeline":
        for document_id in sorted({home.first[0] for home in homes.values()}):
            marks = exploring.graph.chapters(document_id) or [(0, titles.get(document_id, ""))]
            chapters += [(document_id, start, title) for start, title in marks]
    groups = exploring.graph.groups(ids, level)
    return GraphReader(graph, view, homes, tuple(chapters), titles, groups)


def _fetch(exploring: Any, view: View) -> Subgraph:
    if view.kind == "top":
        return exploring.top_graph(limit=view.limit)
    # Who was merged into another one since is that one now; undone, it is itself again.
    wanted = exploring.graph.heirs(list(view.ids))
    if view.kind == "near" and view.depth > 1:
        return exploring.graph.reach(wanted, view.depth, view.limit)
    if view.kind == "near":
        return exploring.neighbourhood(wanted, view.limit)
    if view.kind == "kinds":
        ids = exploring.graph.ids_of_kinds(list(view.kinds), view.limit)
        return exploring.graph.exactly(ids)
    return _keep(exploring.graph.exactly(wanted), set(wanted))


def _keep(graph: Subgraph, ids: set[int]) -> Subgraph:
    return Subgraph(
        tuple(e for e in graph.entities if int(e.id) in ids),
        tuple(r for r in graph.relations if int(r.source_id) in ids and int(r.target_id) in ids),
        graph.n_all,
    )
