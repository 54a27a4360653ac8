"""What finding keeps in memory between questions: who is named where, and titles as names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...graph.linking import NameFinder, strip_title
from ...graph.walk import TITLE_WEIGHT, WalkGraph
from ...store import search
from ...store.db import Db


@dataclass(frozen=True, slots=True)
class FindingIndex:
    """What is kept in memory between questions; made again when the library changed."""

    version: tuple
    chunk_ids: np.ndarray
    position: dict[int, int]
    documents: np.ndarray
    titled: np.ndarray
    walk: WalkGraph
    names: NameFinder
    node_of_entity: dict[int, int]
    chunks_of_entity: dict[int, np.ndarray]


def build_index(db: Db, version: tuple = ()) -> FindingIndex:
    """Read the links of names and chunks, and tie titles to the passages that speak of them."""
    chunks = search.fetch_chunk_documents(db)
    chunk_ids = np.array([c[0] for c in chunks], dtype=np.int64)
    position = {int(c): i for i, c in enumerate(chunk_ids)}
    documents = np.array([c[1] for c in chunks], dtype=np.int64)
    titled = np.array([c[3] <= search.SHORT_DOCUMENT_CHARS for c in chunks], dtype=bool)
    links = search.fetch_links(db)
    known = search.fetch_known_names(db)
    node_of: dict[int, int] = {}
    for _, entity_id, _ in links.tolist():
        node_of.setdefault(entity_id, len(node_of))
    pairs = [(position[c], node_of[e]) for c, e, _ in links.tolist()]
    weights = [1.0 + float(np.log(n)) for _, _, n in links.tolist()]
    title_names = _add_titles(db, chunks, titled, known, node_of, pairs, weights)
    of_node: dict[int, list[int]] = {}
    for chunk, node in dict.fromkeys(pairs):
        of_node.setdefault(node, []).append(chunk)
    return FindingIndex(
        version=version,
        chunk_ids=chunk_ids,
        position=position,
        documents=documents,
        titled=titled,
        walk=WalkGraph(
            np.array(pairs, dtype=np.int64).reshape(-1, 2),
            np.array(weights),
            len(chunk_ids),
            len(node_of),
        ),
        names=NameFinder([*known, *title_names]),
        node_of_entity=node_of,
        chunks_of_entity={
            e: np.array(of_node.get(n, []), dtype=np.int64) for e, n in node_of.items()
        },
    )


def _add_titles(
    db: Db,
    chunks: list[tuple[int, int, str, int, int]],
    titled: np.ndarray,
    known: list[tuple[str, int]],
    node_of: dict[int, int],
    pairs: list[tuple[int, int]],
    weights: list[float],
) -> list[tuple[str, int]]:
    """Tie each short document to the name in its title, and other texts that have that name.

    A title that is no entity's name becomes a name of its own, with the negative of its
    document's id. Returns the names so made.
    """
    entity_named: dict[str, int] = {}
    for name, entity_id in known:
        entity_named.setdefault(strip_title(name).casefold(), entity_id)
    made: list[tuple[str, int]] = []
    titles: list[tuple[str, int]] = []
    for i in np.flatnonzero(titled):
        _, document_id, title, _, _ = chunks[i]
        name = strip_title(title)
        value = entity_named.get(name.casefold())
        if value is None or value not in node_of:
            value = -document_id
            entity_named[name.casefold()] = value
            made.append((name, value))
        node = node_of.setdefault(value, len(node_of))
        pairs.append((int(i), node))
        weights.append(TITLE_WEIGHT)
        titles.append((name, value))
    if titles:
        finder = NameFinder(titles)
        linked = set(pairs)
        for i in np.flatnonzero(titled):
            text = db.value("SELECT text FROM chunk WHERE id = ?", (chunks[i][0],))
            for _, _, values in finder.find(text):
                for value in values:
                    pair = (int(i), node_of[value])
                    if pair not in linked:
                        linked.add(pair)
                        pairs.append(pair)
                        weights.append(1.0)
    return made
