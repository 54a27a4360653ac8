"""From what was read to a picture with places: keep what stands, arrange the rest.

Owns the choice of layout and what a timeline is marked with. Runs in a worker; touches nothing
of the window.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from desktop_app.engine.graph.layout import force_layout
from desktop_app.engine.graph.layout_groups import find_groups, grouped_layout
from desktop_app.engine.graph.layout_packing import part_discs
from desktop_app.engine.graph.layout_shapes import (
    circle_layout,
    grid_layout,
    radial_layout,
    timeline_layout,
)
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.types import Subgraph

from .coloring import set_sizes
from .graph_data import GraphData, build_graph_data
from .thinning import thin_relations
from .views import Reading, Standing, View

SHARE_OF_FORCES = 0.9
PLACE_BITS = 34  # a place in a document fits; the document's number goes above


def lay_out(
    graph: Subgraph,
    standing: Standing,
    cancel: CancelToken | None = None,
    *,
    reading: Reading | None = None,
    size_mode: str = "connections",
    on_round: Callable[[float], bool | None] | None = None,
) -> GraphData:
    """Return the picture of a graph; what stands stays, the rest finds its place.

    Only the strongest relations of each name pull: the ties of everyone with everyone would draw a
    dense novel into one ball.
    """
    reading = reading or Reading(graph, View())
    view = reading.view
    data = build_graph_data(graph)
    data.n_strongest = thin_relations(data)
    _take_homes(data, reading)
    if size_mode != "connections":
        set_sizes(data, size_mode)
    unknown = (np.nan, np.nan)
    known = standing.places if standing.layout == view.layout else {}
    before = np.array([known.get(i, unknown) for i in data.ids]).reshape(-1, 2)
    data.pinned = np.array([i in standing.pinned and i in known for i in data.ids], dtype=bool)
    if len(data) and np.isfinite(before).all():
        data.places = before
    elif view.layout == "force":
        data.places = force_layout(
            len(data),
            data.pairs[data.pulling],
            data.weights[data.pulling],
            positions=before if np.isfinite(before).any() else None,
            radii=data.radii,
            pinned=data.pinned,
            cancel=cancel,
            on_round=on_round,
        )
    else:
        data.places = _arrange(data, view, cancel, on_round)
        data.places[data.pinned] = before[data.pinned]
    if view.layout == "timeline":
        data.guides = _mark_chapters(data, reading)
    return data


def _take_homes(data: GraphData, reading: Reading) -> None:
    homes = [reading.homes.get(i) for i in data.ids]
    data.homes = [home.documents if home else () for home in homes]
    data.entering = np.array(
        [float(_when(*home.first)) if home else np.nan for home in homes], dtype=float
    )
    kept = reading.groups
    known = np.array([kept.of.get(i, -1) for i in data.ids], dtype=np.int64)
    if (known >= 0).any():
        data.groups, data.group_titles = known, kept.titles
    else:
        data.groups = find_groups(len(data), data.pairs[data.pulling], data.weights[data.pulling])


def _when(document_id: int, start: int) -> int:
    return (document_id << PLACE_BITS) + start


def _arrange(
    data: GraphData,
    view: View,
    cancel: CancelToken | None,
    on_round: Callable[[float], bool | None] | None,
) -> np.ndarray:
    if cancel is not None:
        cancel.check()
    pairs, weights = data.pairs[data.pulling], data.weights[data.pulling]
    if view.layout == "groups":
        return grouped_layout(
            len(data), pairs, weights, data.groups, data.radii, cancel=cancel, on_round=on_round
        )
    if view.layout == "radial" and len(data):
        centre = data.row_of.get(view.centre or 0, int(data.by_size[0]))
        places = radial_layout(len(data), data.pairs, data.weights, centre, data.radii)
        fixed = np.arange(len(data)) == centre
        return part_discs(places, data.radii, fixed=fixed, rounds=12)
    if view.layout == "timeline":
        return timeline_layout(data.entering, data.radii)
    if view.layout == "circle":
        # Side by side with whom one belongs, so that few lines cross the middle.
        rank = np.empty(len(data))
        rank[data.by_size] = np.arange(len(data))
        return circle_layout(np.lexsort((rank, data.groups)), data.radii)
    return grid_layout(data.by_size, data.radii)


def _mark_chapters(data: GraphData, reading: Reading) -> list[tuple[float, str]]:
    """Return where along the timeline each chapter begins: at the first who enters in it."""
    entering, x = data.entering, data.places[:, 0]
    named = np.flatnonzero(np.isfinite(entering))
    order = named[np.argsort(entering[named], kind="stable")]
    whens = entering[order]
    guides: list[tuple[float, str]] = []
    starts = [float(_when(document, start)) for document, start, _ in reading.chapters]
    for k, (_, _, title) in enumerate(reading.chapters):
        until = starts[k + 1] if k + 1 < len(starts) else np.inf
        first = int(np.searchsorted(whens, starts[k]))
        if first < len(order) and whens[first] < until and title.strip():
            row = order[first]
            guides.append((float(x[row] - data.radii[row] - 14.0), " ".join(title.split())))
    return guides
