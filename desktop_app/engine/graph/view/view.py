"""What a view of the graph is: its definition, the positions of its nodes, and its content.

Plain data only. `services/view_reader.py` reads the content of a view from a library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from ...model import Subgraph
from .graph_data import GraphData

TOP_STEP, NEAR_LIMIT, EXPAND_LIMIT, KINDS_LIMIT = 150, 40, 24, 120
LAYOUTS = ("force", "groups", "radial", "timeline", "circle", "grid")


@dataclass(frozen=True)
class View:
    """What to show: top entities, neighbours of entities, a kind of relation, or exact ids.

    Attributes:
        grow: an entity to expand; becomes an exact view when it is read.
        depth: how many steps around `ids` a "near" view goes.
        layout: one of `LAYOUTS`.
        centre: the entity in the middle of a radial layout.
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

    def to_dict(self) -> dict[str, Any]:
        plain = asdict(self)
        plain.pop("grow")
        return plain | {"hidden": sorted(self.hidden)}


def view_from_dict(plain: dict[str, Any]) -> View:
    """Return a view from the result of `to_dict`; invalid values get their default."""
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
    """Places and pinned nodes of a view, by entity id.

    `groups` are the communities by which a grouped layout was made; empty for others, and for
    stored views.
    """

    places: dict[int, tuple[float, float]] = field(default_factory=dict)
    pinned: frozenset[int] = frozenset()
    layout: str = "force"
    groups: dict[int, int] = field(default_factory=dict)

    def follow(self, merged: Mapping[int, int]) -> DiscPositions:
        """Return these positions with those of merged entities for what they were merged into.

        An entity that has a place already keeps it.
        """
        moved = {new: old for old, new in merged.items() if new not in self.places}
        if not moved:
            return self
        return replace(
            self,
            places=self.places | {new: self.places[old] for new, old in moved.items()},
            pinned=self.pinned | {new for new, old in moved.items() if old in self.pinned},
            groups=self.groups
            | {new: self.groups[old] for new, old in moved.items() if old in self.groups},
        )

    def keep_pinned(self, layout: str) -> DiscPositions:
        """Return only the pinned places, none for another layout."""
        if layout != self.layout:
            return DiscPositions(layout=layout)
        held = {i: place for i, place in self.places.items() if i in self.pinned}
        return DiscPositions(held, self.pinned, layout)


def positions_of(data: GraphData, layout: str = "force") -> DiscPositions:
    """Return the places and pinned nodes of a view by entity id."""
    ids = data.ids
    places = dict(zip(ids, map(tuple, data.places.tolist()), strict=True))
    pinned = frozenset(i for i, pin in zip(ids, data.pinned, strict=True) if pin)
    groups = dict(zip(ids, data.communities.tolist(), strict=True)) if layout == "groups" else {}
    return DiscPositions(places, pinned, layout, groups)


@dataclass(frozen=True, slots=True)
class EntityDocuments:
    """The documents that mention an entity, most mentions first, and its first mention.

    `first` is (document, offset).
    """

    documents: tuple[int, ...] = ()
    first: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Groups:
    """The communities of one level.

    Attributes:
        of: id of an entity of the view -> id of its community.
        titles: by id of a community.
        n_levels: how many levels the library has; 0 without communities.
        numbers: by id, 1 for the largest community of the level, also of those not in the view.
        sizes: by id, the number of its names, also of those not in the view.
    """

    of: dict[int, int] = field(default_factory=dict)
    titles: dict[int, str] = field(default_factory=dict)
    n_levels: int = 0
    numbers: dict[int, int] = field(default_factory=dict)
    sizes: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ViewContent:
    """What was read for a view: the graph and the view with its expansion resolved.

    Attributes:
        documents: documents and first mention of each entity.
        chapters: (document, offset, title) in reading order, for a timeline.
        titles: of the documents, by id.
        groups: communities of the entities.
        merged: entities of the view before that were merged since -> what they were merged into.
    """

    graph: Subgraph
    view: View
    documents: dict[int, EntityDocuments] = field(default_factory=dict)
    chapters: tuple[tuple[int, int, str], ...] = ()
    titles: dict[int, str] = field(default_factory=dict)
    groups: Groups = field(default_factory=Groups)
    merged: Mapping[int, int] = field(default_factory=dict)
