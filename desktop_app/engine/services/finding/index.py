"""What finding keeps in memory between questions: who is named where, and titles as names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ...graph.linking import NameFinder, strip_title
from ...graph.walk import TITLE_WEIGHT, WalkGraph
from ...store import search
from ...store.db import Db
from ...store.links import fetch_known_names, fetch_links
from .titles import NOTHING_READ, TitleMentions, find_title_mentions, find_titled


class ChunksOfEntity(Mapping[int, np.ndarray]):
    """Entity (or minus a document) -> rows of the index that name it, in ascending order."""

    def __init__(self, node_of: dict[int, int], nodes: np.ndarray, rows: np.ndarray) -> None:
        order = np.lexsort((rows, nodes))
        self._node_of, self._rows = node_of, rows[order]
        self._ends = np.searchsorted(nodes[order], np.arange(len(node_of) + 1))

    def __getitem__(self, value: int) -> np.ndarray:
        node = self._node_of[value]
        return self._rows[self._ends[node] : self._ends[node + 1]]

    def __iter__(self) -> Iterator[int]:
        return iter(self._node_of)

    def __len__(self) -> int:
        return len(self._node_of)


@dataclass(frozen=True, slots=True)
class FindingIndex:
    """What is kept in memory between questions; made again when the library changed.

    Attributes:
        titled: which chunks belong to a text with a title of its own, bool, shape (n_chunks,).
        title_node: the name in that title, int64, shape (n_chunks,); -1 where not titled.
    """

    version: tuple
    chunk_ids: np.ndarray
    position: dict[int, int]
    documents: np.ndarray
    titled: np.ndarray
    title_node: np.ndarray
    walk: WalkGraph
    names: NameFinder
    known: frozenset[tuple[str, int]]
    node_of_entity: dict[int, int]
    chunks_of_entity: Mapping[int, np.ndarray]
    title_mentions: TitleMentions


def build_index(db: Db, version: tuple = (), before: FindingIndex | None = None) -> FindingIndex:
    """Read the links of names and chunks, and tie titles to the passages that speak of them.

    Args:
        before: an earlier index of the same library; what it read of texts is not read again.
    """
    chunks = search.fetch_chunk_documents(db)
    chunk_ids = np.array([c[0] for c in chunks], dtype=np.int64)
    documents = np.array([c[1] for c in chunks], dtype=np.int64)
    titled = find_titled(db, chunks)
    known = frozenset(fetch_known_names(db))
    links = fetch_links(db)
    entities, nodes = np.unique(links[:, 1], return_inverse=True)
    node_of = dict(zip(entities.tolist(), range(len(entities)), strict=True))
    titles = {int(documents[i]): strip_title(chunks[i][2]) for i in np.flatnonzero(titled).tolist()}
    names = _know_names(known, before)
    named_by = _name_titles(titles, names, node_of)
    mentions = find_title_mentions(
        db,
        chunk_ids[titled].tolist(),
        titles,
        before.title_mentions if before is not None else NOTHING_READ,
    )
    title_node = np.full(len(chunks), -1, dtype=np.int64)
    title_node[titled] = [named_by[d] for d in documents[titled].tolist()]
    of_titles = np.array([named_by[d] for d in mentions.pairs[:, 1].tolist()], dtype=np.int64)
    link_rows, link_nodes, weights = _unite(
        (np.searchsorted(chunk_ids, links[:, 0]), nodes, 1.0 + np.log(links[:, 2])),
        (np.searchsorted(chunk_ids, mentions.pairs[:, 0]), of_titles, np.ones(len(of_titles))),
        (np.flatnonzero(titled), title_node[titled], np.full(int(titled.sum()), TITLE_WEIGHT)),
    )
    return FindingIndex(
        version=version,
        chunk_ids=chunk_ids,
        position=dict(zip(chunk_ids.tolist(), range(len(chunks)), strict=True)),
        documents=documents,
        titled=titled,
        title_node=title_node,
        walk=WalkGraph(
            np.column_stack((link_rows, link_nodes)), weights, len(chunks), len(node_of)
        ),
        names=names,
        known=known,
        node_of_entity=node_of,
        chunks_of_entity=ChunksOfEntity(node_of, link_nodes, link_rows),
        title_mentions=mentions,
    )


def _know_names(known: frozenset[tuple[str, int]], before: FindingIndex | None) -> NameFinder:
    """Return a finder of these names: the one there was, with what is new, if none went away."""
    if before is None or before.known - known:
        return NameFinder(known)
    for name, value in known - before.known:
        before.names.add(name, value)
    return before.names


def _name_titles(
    titles: dict[int, str], names: NameFinder, node_of: dict[int, int]
) -> dict[int, int]:
    """Return document id -> node of the name in its title.

    A title that is no entity's name becomes a name of its own, with the negative of its
    document's id; it is added to `names` and `node_of`.
    """
    named_by: dict[int, int] = {}
    for document_id, title in titles.items():
        value = next((v for v in names.lookup(title) if v in node_of), None)
        if value is None:
            value = -document_id
            names.add(title, value)
            node_of[value] = len(node_of)
        named_by[document_id] = node_of[value]
    return named_by


def _unite(
    *parts: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return links (row, node, weight), each pair once, sorted, from parts of such links.

    The parts are mentions, titles standing in texts, and texts' own titles: a title that a
    mention covers adds nothing, a text's own title adds its weight.
    """
    width = 1 + max(int(nodes.max(initial=0)) for _, nodes, _ in parts)
    mention, standing, own = (rows * width + nodes for rows, nodes, _ in parts)
    pairs = np.sort(np.concatenate((mention, standing, own)), kind="stable")
    pairs = pairs[np.flatnonzero(np.diff(pairs, prepend=-1))]
    weights = np.zeros(len(pairs))
    weights[np.searchsorted(pairs, standing)] = parts[1][2]
    weights[np.searchsorted(pairs, mention)] = parts[0][2]
    weights[np.searchsorted(pairs, own)] += parts[2][2]
    return pairs // width, pairs % width, weights
