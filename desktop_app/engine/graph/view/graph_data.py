"""The data of a view as arrays: entities, relations, places, sizes, colours and filters.

Rows are numbered as in the subgraph; `row_of` maps ids to rows. Colours are numbers
(`GraphData.color_codes`): the types in the order of `ENTITY_TYPES`, then `N_STEPS` colours for the
most frequent documents or communities, then `REST`; the window maps them to its theme.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
import scipy  # its parts load when they are used: they take 0.2 s of the start

from ...model import ENTITY_TYPES, EntityRow, RelationRow, Subgraph

MIN_RADIUS, MAX_RADIUS = 3.0, 14.0  # nodes of 6 to 28 pixels
# In a view around few names all nodes have room for the letter of their type, so that no type is
# known by its colour alone; 10 pixels leave 9 where the view is a little reduced.
MIN_LETTERED, MAX_LETTERED = 10.0, 60
# There, the largest node is twice as wide as the smallest one: with 28 pixels it was a sixth wider.
MAX_LETTERED_RADIUS = 18.0
# The value that has the smallest radius, in logarithms, as a share of the smallest value of the
# view: less than 1, so that the least connected node of a view is a little bigger than that.
BELOW_LEAST = 0.85
# The logarithm of a smallest value (3) up to which the smallest radius belongs to the value 0:
# among names with so few connections, each one makes a visible difference.
FEW = 1.4
N_STRENGTHS = 4
N_STEPS = 24  # looks of documents or communities
MAX_STEPS = 12  # in one view: more colours are confused
LEGEND_ROWS = 8  # of colours at first: more would cover the graph


@dataclass
class GraphData:
    """One view of the graph: N nodes, one for each entity, and E relations between them.

    Attributes:
        entities: of the nodes; "row" is a position in it.
        relations: the strongest first; all arrays of shape (E,) have this order.
        places: of nodes in pixels at zoom 1, shape (N, 2); NaN while unknown.
        radii: of nodes in pixels at zoom 1, shape (N,).
        type_codes: position in `ENTITY_TYPES`, shape (N,).
        pairs: rows of both ends of each relation, shape (E, 2).
        size_values: what the radii stand for, shape (N,).
        n_passages: in which both ends of each relation occur, shape (E,).
        strengths: class of a relation's line by its number of passages, 0 faint to 3 strong,
            shape (E,).
        by_size: rows, the biggest node first, shape (N,).
        pinned: nodes that the user moved, which layouts leave in place, shape (N,).
        shown: nodes that pass the filters, shape (N,).
        drawn: relations drawn while no node is hovered or selected, shape (E,).
        pulling: relations that count in the layout, shape (E,).
        kinds: kinds of relations that occur, the most frequent first; may contain "".
        kind_codes: position in `kinds`, shape (E,).
        directions: of relations, from the first to the second row of `pairs`, shape (E,).
        confirmed: relations found by a model, shape (E,).
        wanted: relations that pass the filters, whether their nodes are shown or not, shape (E,).
        weights: of relations, shape (E,).
        color_codes: number of each node's colour (`ui/explorer/node_colors.py`), shape (N,).
        n_connections: in the whole library, shape (N,).
        n_in_view: connections to other nodes of the view, drawn or not, shape (N,).
        documents: ids of the documents that mention each entity, most mentions first.
        entering: first mention of each as a sortable number, NaN for none, shape (N,).
        communities: id of each node's community, -1 for none, shape (N,). Where the library has
            none yet, they are found for the view.
        n_strongest: how many relations of each node are drawn; 0 for all.
        n_all: how many entities the library has.
        row_of: id of an entity -> row.
        guides: (x, text) of marks along a timeline.
        community_titles: by id, of the library's communities; empty for those of the view.
        community_numbers: by id, by size from 1; empty for those of the view.
        community_sizes: by id, how many names each has in the library; empty for those of the view.
        step_numbers: the number of the document or community that has each of the step colours.
        clusters: what labels are shared out among: communities, or first documents where colours
            stand for documents or there are no communities; numbered from 0, -1 for none,
            shape (N,).
        part_titles: of parts of the view without lines to the others whose names are of one
            document: its title, by the code of the part.
        parts: code of the part of each node, -1 for none that has a title, shape (N,).
        is_by_community: whether each community is laid out apart from the others.
        is_excerpt: the view has what belongs to a few names, not the top names of the library:
            its sizes are by `n_in_view`.
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
    directions: np.ndarray
    confirmed: np.ndarray
    wanted: np.ndarray
    weights: np.ndarray
    color_codes: np.ndarray
    n_connections: np.ndarray
    n_in_view: np.ndarray
    documents: list[tuple[int, ...]]
    entering: np.ndarray
    communities: np.ndarray
    n_strongest: int = 0
    n_all: int = 0
    row_of: dict[int, int] = field(default_factory=dict)
    guides: list[tuple[float, str]] = field(default_factory=list)
    community_titles: dict[int, str] = field(default_factory=dict)
    community_numbers: dict[int, int] = field(default_factory=dict)
    community_sizes: dict[int, int] = field(default_factory=dict)
    step_numbers: tuple[int, ...] = tuple(range(1, N_STEPS + 1))
    clusters: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int16))
    part_titles: dict[int, str] = field(default_factory=dict)
    parts: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    is_by_community: bool = False
    is_excerpt: bool = False
    size_values: np.ndarray = field(default_factory=lambda: np.zeros(0))
    n_passages: np.ndarray = field(default_factory=lambda: np.zeros(0))

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


def build_graph_data(graph: Subgraph, *, is_excerpt: bool = False) -> GraphData:
    """Return the arrays of a subgraph, without places yet; sizes are by connections."""
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
    n_in_view = np.bincount(pairs.ravel(), minlength=n)[:n].astype(float)
    degrees = np.array([max(e.n_relations, 0) for e in entities], dtype=float)
    degrees = np.maximum(degrees, n_in_view)
    codes = {name: code for code, name in enumerate(ENTITY_TYPES)}
    other = codes["other"]
    type_codes = np.array([codes.get(e.type, other) for e in entities], dtype=np.int64)
    weights = np.array([r.weight for r, _ in kept], dtype=float)
    n_passages = np.array([r.n_evidence for r, _ in kept], dtype=float)
    data = GraphData(
        entities=entities,
        relations=[relation for relation, _ in kept],
        places=np.full((n, 2), np.nan),
        radii=np.zeros(n),
        type_codes=type_codes,
        pairs=pairs,
        strengths=classify_strengths(n_passages),
        by_size=np.arange(n),
        pinned=np.zeros(n, dtype=bool),
        shown=np.ones(n, dtype=bool),
        drawn=np.ones(len(pairs), dtype=bool),
        pulling=np.ones(len(pairs), dtype=bool),
        kinds=kinds,
        kind_codes=np.array([code_of[r.kind] for r, _ in kept], dtype=np.int64),
        directions=np.array([r.direction for r, _ in kept], dtype=np.int64),
        confirmed=np.array([r.n_enriched > 0 for r, _ in kept], dtype=bool),
        wanted=np.ones(len(pairs), dtype=bool),
        weights=weights,
        color_codes=type_codes,
        n_connections=degrees,
        n_in_view=n_in_view,
        documents=[()] * n,
        entering=np.full(n, np.nan),
        communities=np.full(n, -1, dtype=np.int64),
        n_all=graph.n_all,
        row_of=row_of,
        is_excerpt=is_excerpt,
        n_passages=n_passages,
    )
    set_sizes(data, "connections")
    set_clusters(data, "type")
    return data


def classify_strengths(n_passages: np.ndarray) -> np.ndarray:
    """Return the class of each relation, 0 to `N_STRENGTHS` - 1, by the logarithm of its passages.

    Passages are what lists of connections show and are sorted by. The weight also counts how rare
    two names are: by it, a name with one passage had a wider line than one with two.
    """
    if not len(n_passages):
        return np.zeros(0, dtype=np.int64)
    logs = np.log1p(np.maximum(n_passages, 0.0))
    span = float(np.ptp(logs))
    if span < 1e-9:
        return np.ones(len(n_passages), dtype=np.int64)
    share = (logs - logs.min()) / span
    return np.asarray(np.minimum((share * N_STRENGTHS).astype(np.int64), N_STRENGTHS - 1))


SIZE_MODES = ("connections", "mentions", "rank")
DAMPING, ROUNDS = 0.85, 40


def is_lettered(data: GraphData) -> bool:
    """Return whether all nodes of a view have room for a sign: in small views around few names."""
    return data.is_excerpt and len(data) <= MAX_LETTERED


def set_sizes(data: GraphData, mode: str) -> None:
    """Set radii and order by size; mentions and connections are those of the whole library.

    In an excerpt, connections are those within the view, as a reader counts them there and as
    Gephi does: around Scrooge, London is not the largest node because of other books.

    Radii grow with the square of the logarithm: the main names of a small book are bigger than
    their neighbours beside a name of a large book with fifty times as many connections. They
    begin a little below the smallest value of the view: the names of a view of the most
    connected ones differ in size, too. In a small excerpt the smallest node has room for a letter,
    and the largest one is larger than in other views.
    """
    if mode == "mentions":
        values = np.array([max(e.n_mentions, 0) for e in data.entities], dtype=float)
    elif mode == "rank":
        values = page_rank(len(data), data.pairs, data.weights) * max(len(data), 1) * 8.0
    else:
        values = (data.n_in_view if data.is_excerpt else data.n_connections).copy()
    data.size_values = values
    if mode == "connections" and values.max(initial=0.0) == 0:
        values = values + 2.0
    logs, top = np.log1p(values), np.log1p(max(float(values.max(initial=1.0)), 8.0))
    least = float(logs.min(initial=top))
    start = BELOW_LEAST * least * min(max(least - FEW, 0.0), 1.0)
    smallest, largest = MIN_RADIUS, MAX_RADIUS
    if is_lettered(data):
        smallest, largest, start = MIN_LETTERED, MAX_LETTERED_RADIUS, min(least, top - FEW)
    share = ((logs - start) / (top - start)) ** 2
    data.radii = smallest + (largest - smallest) * share
    data.by_size = np.lexsort((np.arange(len(data)), -values))


def page_rank(n: int, pairs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the PageRank of each node in the view, shape (N,), with the sum 1."""
    if not n:
        return np.zeros(0)
    ends = np.concatenate((pairs, pairs[:, ::-1])) if len(pairs) else np.zeros((0, 2), int)
    strength = np.tile(np.log1p(np.maximum(weights, 0.0)) + 1e-6, 2)
    out = np.bincount(ends[:, 0], strength, n) if len(ends) else np.zeros(n)
    share = strength / np.maximum(out[ends[:, 0]], 1e-12) if len(ends) else strength
    step = scipy.sparse.csr_array((share, (ends[:, 1], ends[:, 0])), shape=(n, n))
    rank = np.full(n, 1.0 / n)
    for _ in range(ROUNDS):
        lost = rank[out == 0].sum()
        rank = DAMPING * (step @ rank + lost / n) + (1 - DAMPING) / n
    return rank


COLOR_MODES = ("type", "group", "document")
MAX_COMMUNITY_NUMBER = 99  # two digits have room in a node
MIN_CLUSTER_NODES, MAX_LABELLED_CLUSTERS = 4, 36  # with labels of their own
REST = len(ENTITY_TYPES) + N_STEPS  # the colour of everything beyond the steps


@dataclass(frozen=True, slots=True)
class ColorClass:
    """The nodes of one colour.

    Attributes:
        code: the number of the colour.
        values: what has the colour: codes of types, ids of documents or numbers of communities;
            -1 for nodes without a document or community. Several values only for `REST`.
        count: how many nodes have the colour.
        number: of a document or community, drawn in its nodes; 0 for none.
        n_all: how many names the community has in the library; 0 where nobody knows.
    """

    code: int
    values: tuple[int, ...]
    count: int
    number: int = 0
    n_all: int = 0


def set_color_codes(data: GraphData, mode: str) -> list[ColorClass]:
    """Set `data.color_codes` and return the colours.

    All types are returned, in the order of `ENTITY_TYPES`; documents come most frequent first,
    communities in the order of their numbers, which are those of the whole library.
    """
    set_clusters(data, mode)
    if mode == "document":
        return _set_step_colors(data, _first_documents(data), {})
    if mode == "group":
        return _set_step_colors(data, data.communities, data.community_numbers)
    data.color_codes = data.type_codes
    counts = np.bincount(data.type_codes, minlength=len(ENTITY_TYPES))
    return [ColorClass(code, (code,), int(counts[code])) for code in range(len(ENTITY_TYPES))]


def _first_documents(data: GraphData) -> np.ndarray:
    return np.array([own[0] if own else -1 for own in data.documents], dtype=np.int64)


def set_clusters(data: GraphData, mode: str) -> None:
    """Set `data.clusters` for a colour mode, numbered from 0."""
    by_document = mode == "document" or not (data.communities >= 0).any()
    values = _first_documents(data) if by_document else data.communities
    found, codes = np.unique(values, return_inverse=True)
    n_none = int((found < 0).sum())
    data.clusters = np.maximum(codes - n_none, -1).astype(np.int32)


MIN_TITLED_NODES = 8  # of a community or part that has a title: decision 51
OF_ONE_DOCUMENT = 0.9  # share of the names of a part: one may also be in a second document


def set_parts(data: GraphData, titles: Mapping[int, str]) -> None:
    """Set `data.parts` and `data.part_titles`: which parts of a view each document has.

    A library of several books is drawn as a part for each; the title says what the part is. There
    are none where all names are connected, as in the volumes of one novel.

    Args:
        titles: of the documents, by id.
    """
    n = len(data)
    ends = data.pairs[data.drawn]
    links = scipy.sparse.coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n))
    n_parts, codes = scipy.sparse.csgraph.connected_components(links, directed=False)
    documents = _first_documents(data)
    named: dict[int, str] = {}
    by_size = np.argsort(-np.bincount(codes, minlength=n_parts), kind="stable")
    for code in by_size[:MAX_LABELLED_CLUSTERS].tolist():
        own = documents[codes == code]
        if len(own) < MIN_TITLED_NODES:
            break
        found, counts = np.unique(own, return_counts=True)
        most = int(found[counts.argmax()])
        title = titles.get(most, "")
        if counts.max() >= OF_ONE_DOCUMENT * len(own) and title not in ("", *named.values()):
            named[code] = title
    data.part_titles = named if len(named) > 1 else {}
    data.parts = np.where(np.isin(codes, list(data.part_titles)), codes, -1)


def find_leaders(data: GraphData, rows: np.ndarray, n_each: int) -> np.ndarray:
    """Return the first `n_each` of `rows` of each cluster: all first ones, all second ones, ...

    Clusters of fewer than `MIN_CLUSTER_NODES` rows, and those beyond the `MAX_LABELLED_CLUSTERS`
    biggest, have none.

    Args:
        rows: biggest node first, shape (N,).
    """
    codes = data.clusters[rows]
    counts = np.bincount(codes[codes >= 0], minlength=1)
    enough = counts >= MIN_CLUSTER_NODES
    if len(counts) > MAX_LABELLED_CLUSTERS:
        enough[np.argsort(-counts, kind="stable")[MAX_LABELLED_CLUSTERS:]] = False
    places = np.flatnonzero((codes >= 0) & enough[codes])
    order = places[np.argsort(codes[places], kind="stable")]
    starts = np.concatenate(([0], np.cumsum(counts * enough)))[:-1]
    rank = np.arange(len(order)) - starts[codes[order]]
    first = order[rank < n_each]
    return np.asarray(rows[first[np.lexsort((first, rank[rank < n_each]))]])


def step_of(number: int) -> int:
    """Return the look of a community, 0 to `N_STEPS` - 1; from 25 on they come again."""
    return (number - 1) % N_STEPS


def _set_step_colors(
    data: GraphData, values: np.ndarray, numbers: Mapping[int, int]
) -> list[ColorClass]:
    """Set the colours of documents or communities.

    Of two communities with the same look in a view, only the larger one has it. Of more than
    `MAX_STEPS`, first the main one of each part with a title has one, then those with most nodes
    in the view: a part that is grey as a whole would look like a rest of something.

    Args:
        numbers: of the values; without any, they are numbered by how often they occur.
    """
    found, counts = np.unique(values, return_counts=True)
    order = np.lexsort((found, -counts, found < 0)).tolist()
    if not numbers:
        numbers = {int(found[position]): place for place, position in enumerate(order, start=1)}
    else:
        order = sorted(
            order, key=lambda k: (found[k] < 0, numbers.get(int(found[k]), MAX_COMMUNITY_NUMBER))
        )
    n_known = int((found >= 0).sum())
    by_count = np.lexsort((found, -counts, found < 0))[:n_known].tolist()
    main = _find_main_values(data, values, found)
    largest = set(sorted(by_count, key=lambda k: k not in main)[:MAX_STEPS])
    codes = np.full(len(data), REST, dtype=np.int64)
    shown, classes = list(range(1, N_STEPS + 1)), []
    n_rest, rest, used = 0, [], set()
    for position in order:
        value, count = int(found[position]), int(counts[position])
        number = numbers.get(value, MAX_COMMUNITY_NUMBER + 1)
        step = step_of(number)
        is_numbered = position in largest and number <= MAX_COMMUNITY_NUMBER
        if is_numbered and step not in used:
            used.add(step)
            shown[step], code = number, len(ENTITY_TYPES) + step
            codes[values == value] = code
            n_all = data.community_sizes.get(value, 0)
            classes.append(ColorClass(code, (value,), count, number, n_all))
        else:
            n_rest += count
            rest.append(value)
    data.step_numbers = tuple(shown)
    if n_rest:
        classes.append(ColorClass(REST, tuple(rest), n_rest))
    data.color_codes = codes
    return classes


def _find_main_values(data: GraphData, values: np.ndarray, found: np.ndarray) -> set[int]:
    """Return the positions in `found` of the most frequent value of each part with a title."""
    main = set()
    for part in data.part_titles:
        own = values[data.parts == part]
        if len(own := own[own >= 0]):
            known, counts = np.unique(own, return_counts=True)
            main.add(int(np.searchsorted(found, known[counts.argmax()])))
    return main


def count_groups(data: GraphData) -> list[tuple[int, int]]:
    """Return (number, count) of the biggest communities that have more than one node."""
    found, counts = np.unique(data.communities, return_counts=True)
    order = [k for k in np.argsort(-counts, kind="stable") if found[k] >= 0 and counts[k] > 1]
    return [(int(found[k]), int(counts[k])) for k in order[:N_STEPS]]


FEW_EACH = 2  # relations per node; with so few left by a filter, all are drawn


def find_drawn(data: GraphData) -> np.ndarray:
    """Return which relations are drawn while no node is hovered or selected, shape (E,)."""
    few = not data.wanted.all() and data.wanted.sum() <= FEW_EACH * len(data)
    return np.asarray(data.wanted if few else data.drawn & data.wanted)


EVERYTHING = (0.0, float("inf"))


@dataclass(frozen=True)
class Filters:
    """What to hide; the defaults hide nothing.

    Attributes:
        hidden_types: codes of types.
        hidden_kinds: kinds of relations.
        hidden_colors: codes of colours (of documents or communities).
        hidden_groups: communities by number.
        documents: only names of these; empty for all.
        weights, connections: from and to, both included.
        name: only entities whose name contains this, ignoring case.
        orphans: also nodes without a shown relation.
    """

    hidden_types: frozenset[int] = frozenset()
    hidden_kinds: frozenset[str] = frozenset()
    hidden_colors: frozenset[int] = frozenset()
    hidden_groups: frozenset[int] = frozenset()
    confirmed_only: bool = False
    documents: frozenset[int] = frozenset()
    weights: tuple[float, float] = EVERYTHING
    connections: tuple[float, float] = EVERYTHING
    name: str = ""
    orphans: bool = True

    @property
    def n_set(self) -> int:
        """How many filters are set."""
        return sum(getattr(self, f.name) != f.default for f in fields(self))

    def cleared(self) -> Filters:
        return Filters()

    def to_dict(self) -> dict[str, Any]:
        """Return the filters that are set, as JSON values."""
        plain: dict[str, Any] = {}
        for one in fields(self):
            value = getattr(self, one.name)
            if value == one.default:
                continue
            if isinstance(value, frozenset):
                value = sorted(value)
            elif isinstance(value, tuple):
                value = [None if v == float("inf") else v for v in value]
            plain[one.name] = value
        return plain


def filters_from_dict(plain: dict[str, Any]) -> Filters:
    """Return filters from the result of `to_dict`; invalid values are ignored."""
    made = Filters()
    for one in fields(Filters):
        value = plain.get(one.name)
        if value is None:
            continue
        try:
            if isinstance(one.default, frozenset):
                value = frozenset(value)
            elif isinstance(one.default, tuple):
                low, high = value
                value = (float(low), float("inf") if high is None else float(high))
            made = replace(made, **{one.name: type(getattr(made, one.name))(value)})
        except (TypeError, ValueError):
            continue
    return made


def apply_filters(data: GraphData, filters: Filters) -> None:
    """Set `data.shown` and `data.wanted`.

    While relations are hidden, nodes without a shown relation are hidden as well.
    """
    names = np.ones(len(data), dtype=bool)
    if filters.hidden_types:
        names &= ~np.isin(data.type_codes, list(filters.hidden_types))
    if filters.hidden_colors:
        names &= ~np.isin(data.color_codes, list(filters.hidden_colors))
    if filters.hidden_groups:
        names &= ~np.isin(data.communities, list(filters.hidden_groups))
    if filters.documents:
        names &= np.array([bool(filters.documents & set(h)) for h in data.documents], dtype=bool)
    if filters.name:
        wanted = filters.name.casefold()
        names &= np.array([wanted in e.name.casefold() for e in data.entities], dtype=bool)
    low, high = filters.connections
    if filters.connections != EVERYTHING:
        names &= (data.n_connections >= low) & (data.n_connections <= high)
    ties = np.ones(len(data.pairs), dtype=bool)
    if filters.hidden_kinds:
        codes = [code for code, kind in enumerate(data.kinds) if kind in filters.hidden_kinds]
        ties &= ~np.isin(data.kind_codes, codes)
    if filters.confirmed_only:
        ties &= data.confirmed
    low, high = filters.weights
    if filters.weights != EVERYTHING:
        ties &= (data.weights >= low) & (data.weights <= high)
    data.wanted = ties
    data.shown = names
    if not ties.all() or not filters.orphans:
        tied = np.zeros(len(data), dtype=bool)
        tied[data.pairs[ties & names[data.pairs].all(1)]] = True
        data.shown = names & tied
