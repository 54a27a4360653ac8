"""Lays out a view: keeps known positions, thins dense graphs, and runs the chosen layout.

Runs in a worker.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...model import Subgraph
from ...progress import CancelToken
from ..layout.force import CORNER, VIEW_RATIO, force_layout, separate_discs
from ..layout.label_room import MOST_NAMES, RATIO, estimate_label_widths, make_room_for_labels
from ..layout.shapes import (
    circle_layout,
    find_groups,
    grid_layout,
    grouped_layout,
    radial_layout,
    ring_layout_by_strength,
    timeline_layout,
)
from .graph_data import (
    LEGEND_ROWS,
    GraphData,
    build_graph_data,
    classify_strengths,
    set_clusters,
    set_parts,
    set_sizes,
)
from .view import DiscPositions, View, ViewContent

DENSE = 3.0
STRONGEST, PULLING = 2, 4
# Of a canvas of 890 × 780 pixels, what a legend of communities covers: for each line, and without.
LEGEND_WIDTH, LEGEND_LINE, LEGEND_HEAD = 0.32, 0.032, 0.115
HIGH_LEGEND = 0.5  # of the height of the canvas
FEW_COMMUNITIES = 3  # with more, a view of the top names has a legend of them
FEW_NAMES = 12


def thin_relations(data: GraphData) -> int:
    """Set `data.drawn` and `data.pulling`; return the relations drawn per node, 0 for all.

    A relation is drawn if it is among the strongest of either end, so that every node keeps
    some. A few more take part in the layout, which keeps distances short.
    """
    data.drawn = np.ones(len(data.pairs), dtype=bool)
    data.pulling = data.drawn
    if len(data) < FEW_NAMES or len(data.pairs) <= DENSE * len(data):
        return 0
    best = np.minimum(*(_rank_at_end(data.pairs, end, len(data)) for end in (0, 1)))
    data.drawn, data.pulling = best < STRONGEST, best < PULLING
    return STRONGEST


def thin_relations_between(data: GraphData) -> None:
    """Keep in `data.drawn`, of the relations between two communities, only the strongest.

    Hundreds of long lines between communities would hide what is inside them.
    """
    groups = np.sort(data.communities[data.pairs], axis=1)
    across = np.flatnonzero((groups[:, 0] != groups[:, 1]) & data.drawn)
    # relations are sorted by strength, so that the first of two communities is the strongest
    _, first = np.unique(groups[across], axis=0, return_index=True)
    data.drawn = data.drawn.copy()
    data.drawn[across] = False
    data.drawn[across[first]] = True


def _rank_at_end(pairs: np.ndarray, end: int, n: int) -> np.ndarray:
    """Return each relation's rank among those of the node at one end, 0 strongest, shape (E,)."""
    names = np.concatenate((pairs[:, 0], pairs[:, 1]))
    order = np.concatenate((np.arange(len(pairs)), np.arange(len(pairs))))
    sorted_by_name = np.lexsort((order, names))
    starts = np.concatenate(([0], np.cumsum(np.bincount(names, minlength=n))))
    rank = np.empty(len(names), dtype=np.int64)
    rank[sorted_by_name] = np.arange(len(names)) - starts[names[sorted_by_name]]
    return rank[: len(pairs)] if end == 0 else rank[len(pairs) :]


PLACE_BITS = 34  # bits of an offset; the document id uses the bits above


def lay_out(
    graph: Subgraph,
    positions: DiscPositions,
    cancel: CancelToken | None = None,
    *,
    content: ViewContent | None = None,
    size_mode: str = "connections",
    on_round: Callable[[float], bool | None] | None = None,
) -> GraphData:
    """Return the data of a graph with places: known nodes keep theirs, others are laid out.

    Only the strongest relations of each node take part, because all relations of a dense graph
    would pull it into one ball.

    Args:
        positions: of the previous view; used if its layout is the same.
        on_round: called with the progress 0 to 1; returning False ends the layout early.
    """
    content = content or ViewContent(graph, View())
    view = content.view
    data = build_graph_data(graph, is_excerpt=view.kind != "top")
    data.n_strongest = thin_relations(data)
    _set_documents_and_groups(data, content)
    if size_mode != "connections":
        set_sizes(data, size_mode)
    unknown = (np.nan, np.nan)
    known = positions.places if positions.layout == view.layout else {}
    before = np.array([known.get(i, unknown) for i in data.ids]).reshape(-1, 2)
    data.pinned = np.array([i in positions.pinned and i in known for i in data.ids], dtype=bool)
    if len(data) and np.isfinite(before).all() and _has_same_groups(data, positions):
        data.places = before
    elif view.layout == "force":
        corner = _estimate_corner(data)
        data.places = force_layout(
            len(data),
            data.pairs[data.pulling],
            data.weights[data.pulling],
            positions=before if np.isfinite(before).any() else None,
            radii=data.radii,
            pinned=data.pinned,
            corner=corner,
            cancel=cancel,
            on_round=on_round,
        )
        is_new = not np.isfinite(before).any()
        if is_new and view.kind == "near" and len(view.ids) == 1 and view.depth == 1:
            data.places = _arrange_by_strength(data, view.ids[0])
        if len(data) <= MOST_NAMES:
            data.places = make_room_for_labels(
                data.places,
                data.radii,
                estimate_label_widths([entity.name for entity in data.entities]),
                data.pairs[data.drawn],
                fixed=np.isfinite(before).all(1),
                ratio=_find_free_ratio(corner),
            )
    else:
        data.places = _arrange(data, view, cancel, on_round)
        data.places[data.pinned] = before[data.pinned]
    if view.layout == "force" and view.kind == "top":
        set_parts(data, content.titles)
    data.is_by_community = view.layout == "groups"
    if data.is_by_community and data.n_strongest:
        thin_relations_between(data)
    if view.layout == "timeline":
        data.guides = _mark_chapters(data, content)
    return data


def _arrange_by_strength(data: GraphData, entity_id: int) -> np.ndarray:
    """Return the places with those on inner rings that appear with an entity most often."""
    centre = data.row_of.get(entity_id)
    if centre is None:
        return data.places
    own = data.relations_of(centre)
    others = data.pairs[own].sum(axis=1) - centre
    strengths = np.full(len(data), -1, dtype=np.int64)
    n_passages = np.array([data.relations[k].n_evidence for k in own.tolist()], dtype=float)
    strengths[others] = classify_strengths(n_passages)
    return ring_layout_by_strength(data.places, centre, strengths, data.radii)


def _estimate_corner(data: GraphData) -> tuple[float, float]:
    """Return the share of width and height that the legend will cover."""
    n_lines = min(len(np.unique(data.communities[data.communities >= 0])), LEGEND_ROWS + 1)
    if data.is_excerpt or n_lines < FEW_COMMUNITIES:
        return CORNER
    return LEGEND_WIDTH, max(CORNER[1], LEGEND_HEAD + n_lines * LEGEND_LINE)


def _find_free_ratio(corner: tuple[float, float]) -> float:
    """Return width to height of what the legend leaves: beside it, if it is high."""
    return RATIO if corner[1] < HIGH_LEGEND else VIEW_RATIO * (1.0 - corner[0])


def _has_same_groups(data: GraphData, positions: DiscPositions) -> bool:
    """Return whether earlier positions were made for the communities that the view has now.

    Their ids may have changed.
    """
    earlier = positions.groups
    if not earlier:
        return True
    pairs = {(earlier.get(i), group) for i, group in zip(data.ids, data.communities, strict=True)}
    return len(pairs) == len({old for old, _ in pairs}) == len({new for _, new in pairs})


def _set_documents_and_groups(data: GraphData, content: ViewContent) -> None:
    found = [content.documents.get(i) for i in data.ids]
    data.documents = [own.documents if own else () for own in found]
    data.entering = np.array([float(_when(*own.first)) if own else np.nan for own in found])
    kept = content.groups
    known = np.array([kept.of.get(i, -1) for i in data.ids], dtype=np.int64)
    if (known >= 0).any():
        data.communities, data.community_titles = known, kept.titles
        data.community_numbers, data.community_sizes = kept.numbers, kept.sizes
    else:
        pairs, weights = data.pairs[data.pulling], data.weights[data.pulling]
        data.communities = find_groups(len(data), pairs, weights)
    set_clusters(data, "type")


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
            *(len(data), pairs, weights, data.communities, data.radii),
            corner=_estimate_corner(data),
            cancel=cancel,
            on_round=on_round,
        )
    if view.layout == "radial" and len(data):
        centre = data.row_of.get(view.centre or 0, int(data.by_size[0]))
        places = radial_layout(len(data), data.pairs, data.weights, centre, data.radii)
        fixed = np.arange(len(data)) == centre
        return separate_discs(places, data.radii, fixed=fixed, rounds=12)
    if view.layout == "timeline":
        return timeline_layout(data.entering, data.radii)
    if view.layout == "circle":
        # Nodes of a community are adjacent, so that few lines cross the middle.
        rank = np.empty(len(data))
        rank[data.by_size] = np.arange(len(data))
        return circle_layout(np.lexsort((rank, data.communities)), data.radii)
    return grid_layout(data.by_size)


def _mark_chapters(data: GraphData, content: ViewContent) -> list[tuple[float, str]]:
    """Return (x, title) of each chapter, placed at the first entity that appears in it."""
    entering, x = data.entering, data.places[:, 0]
    named = np.flatnonzero(np.isfinite(entering))
    order = named[np.argsort(entering[named], kind="stable")]
    whens = entering[order]
    guides: list[tuple[float, str]] = []
    starts = [float(_when(document, start)) for document, start, _ in content.chapters]
    for k, (_, _, title) in enumerate(content.chapters):
        until = starts[k + 1] if k + 1 < len(starts) else np.inf
        first = int(np.searchsorted(whens, starts[k]))
        if first < len(order) and whens[first] < until and title.strip():
            row = order[first]
            guides.append((float(x[row] - data.radii[row] - 14.0), " ".join(title.split())))
    return guides
