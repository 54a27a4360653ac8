"""The data of a view as arrays: entities, relations, places, sizes.

Rows are numbered as in the subgraph; `row_of` maps ids to rows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from ...model import ENTITY_TYPES, EntityRow, RelationRow, Subgraph

MIN_RADIUS, MAX_RADIUS = 4.0, 14.0
N_STRENGTHS = 4


@dataclass
class GraphData:
    """One view of the graph.

    Attributes:
        places: of nodes in pixels at zoom 1, shape (N, 2); NaN while unknown.
        radii: of nodes in pixels at zoom 1, shape (N,).
        type_codes: position in `ENTITY_TYPES`, shape (N,).
        pairs: rows of both ends of each relation, shape (E, 2), the strongest first.
        strengths: class of a relation's line, 0 faint to 3 strong, shape (E,).
        by_size: rows, the biggest node first, shape (N,).
        drawn: relations drawn while no node is hovered or selected, shape (E,).
        pulling: relations that count in the layout, shape (E,).
        kinds: kinds of relations that occur, the most frequent first; may contain "".
        kind_codes: position in `kinds`, shape (E,).
        confirmed: relations found by a model, shape (E,).
        wanted: relations that pass the filters, shape (E,).
        n_strongest: how many relations of each node are drawn; 0 for all.
        color_codes: number of each node's colour (`node_colors.py`), shape (N,).
        n_connections: in the whole library, shape (N,).
        homes: ids of the documents that mention each entity, most mentions first.
        entering: first mention of each as a sortable number, NaN for none, shape (N,).
        groups: community of each node, -1 for none, shape (N,).
        group_titles: of the library's communities.
        guides: (x, text) of marks along a timeline.
    """

    entities: list[EntityRow]
    relations: list[RelationRow]
    places: np.ndarray
    radii: np.ndarray
    type_codes: np.ndarray
    pairs: np.ndarray
    strengths: np.ndarray
    by_size: np.ndarray
    pinned: np.ndarray
    shown: np.ndarray
    drawn: np.ndarray
    pulling: np.ndarray
    kinds: tuple[str, ...]
    kind_codes: np.ndarray
    confirmed: np.ndarray
    wanted: np.ndarray
    weights: np.ndarray
    color_codes: np.ndarray
    n_connections: np.ndarray
    homes: list[tuple[int, ...]]
    entering: np.ndarray
    groups: np.ndarray
    n_strongest: int = 0
    n_all: int = 0
    row_of: dict[int, int] = field(default_factory=dict)
    guides: list[tuple[float, str]] = field(default_factory=list)
    group_titles: dict[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.entities)

    @property
    def ids(self) -> list[int]:
        return [int(entity.id) for entity in self.entities]

    def relations_of(self, row: int) -> np.ndarray:
        """Return the positions in `pairs` of a row's relations, filtered ones left out."""
        return np.flatnonzero((self.pairs == row).any(axis=1) & self.wanted)

    def strong_relations_of(self, row: int) -> np.ndarray:
        """Return those of a row's relations that take part in the layout."""
        own = self.relations_of(row)
        return np.asarray(own[self.pulling[own]])

    def neighbours_of(self, row: int) -> np.ndarray:
        """Return the neighbours of a row, the strongest relation first, hidden ones left out."""
        own = self.pairs[self.relations_of(row)]
        others = own.sum(axis=1) - row
        return np.asarray(others[self.shown[others]])

    def bounds(self, rows: np.ndarray | None = None) -> tuple[float, float, float, float] | None:
        """Return x, y, width and height of the shown nodes (of `rows`), None without any."""
        use = self.shown & np.isfinite(self.places).all(1)
        if rows is not None:
            chosen = np.zeros(len(self), dtype=bool)
            chosen[rows] = True
            use &= chosen
        if not use.any():
            return None
        low = (self.places[use] - self.radii[use][:, None]).min(0)
        high = (self.places[use] + self.radii[use][:, None]).max(0)
        width, height = (high - low).tolist()
        return float(low[0]), float(low[1]), width, height


def build_graph_data(graph: Subgraph) -> GraphData:
    """Return the arrays of a subgraph, without places yet."""
    entities = list(graph.entities)
    row_of = {int(entity.id): row for row, entity in enumerate(entities)}
    ends = [(row_of.get(int(r.source_id)), row_of.get(int(r.target_id))) for r in graph.relations]
    kept = [
        (relation, pair)
        for relation, pair in zip(graph.relations, ends, strict=True)
        if None not in pair and pair[0] != pair[1]
    ]
    kept.sort(key=lambda one: -one[0].weight)
    pairs = np.array([pair for _, pair in kept], dtype=np.int64).reshape(-1, 2)
    n = len(entities)
    counts = Counter(relation.kind for relation, _ in kept)
    kinds = tuple(sorted(counts, key=lambda kind: (-counts[kind], kind)))
    code_of = {kind: code for code, kind in enumerate(kinds)}
    # Sizes use the connections in the whole library, so that they stay when a view grows.
    degrees = np.array([max(e.n_relations, 0) for e in entities], dtype=float)
    degrees = np.maximum(degrees, np.bincount(pairs.ravel(), minlength=n)[:n])
    n_connections = degrees.copy()
    if degrees.max(initial=0.0) == 0:
        degrees += 2.0
    share = (degrees / max(float(degrees.max(initial=1.0)), 8.0)) ** 0.65
    codes = {name: code for code, name in enumerate(ENTITY_TYPES)}
    other = codes["other"]
    type_codes = np.array([codes.get(e.type, other) for e in entities], dtype=np.int64)
    weights = np.array([r.weight for r, _ in kept], dtype=float)
    return GraphData(
        entities=entities,
        relations=[relation for relation, _ in kept],
        places=np.full((n, 2), np.nan),
        radii=MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * share,
        type_codes=type_codes,
        pairs=pairs,
        strengths=_classes(weights),
        by_size=np.lexsort((np.arange(n), -degrees)),
        pinned=np.zeros(n, dtype=bool),
        shown=np.ones(n, dtype=bool),
        drawn=np.ones(len(pairs), dtype=bool),
        pulling=np.ones(len(pairs), dtype=bool),
        kinds=kinds,
        kind_codes=np.array([code_of[r.kind] for r, _ in kept], dtype=np.int64),
        confirmed=np.array([r.n_enriched > 0 for r, _ in kept], dtype=bool),
        wanted=np.ones(len(pairs), dtype=bool),
        weights=weights,
        color_codes=type_codes,
        n_connections=n_connections,
        homes=[()] * n,
        entering=np.full(n, np.nan),
        groups=np.full(n, -1, dtype=np.int64),
        n_all=graph.n_all,
        row_of=row_of,
    )


def _classes(weights: np.ndarray) -> np.ndarray:
    if not len(weights):
        return np.zeros(0, dtype=np.int64)
    logs = np.log1p(np.maximum(weights, 0.0))
    span = float(np.ptp(logs))
    if span < 1e-9:
        return np.ones(len(weights), dtype=np.int64)
    share = (logs - logs.min()) / span
    return np.asarray(np.minimum((share * N_STRENGTHS).astype(np.int64), N_STRENGTHS - 1))
