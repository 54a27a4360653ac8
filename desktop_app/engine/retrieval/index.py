"""The in-memory index of a library for retrieval: chunks, their entities and their titles.

`build_index` reads which chunk mentions which entity and treats the titles of short texts as
names. The result contains the bipartite graph of chunks and names for the personalized PageRank
of `strategies/personalized_pagerank.py`; the weight of a title in it is `TITLE_WEIGHT`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import scipy  # its parts load when they are used: they take 0.2 s of the start

from ..graph.name_linking import NameFinder, TitleScanner, name_key, strip_title
from ..store import search
from ..store.db import Db
from ..store.search import SHORT_DOCUMENT_CHARS
from ..writing_systems import has_han

LONG_ARTICLE_CHARS = 60_000  # a longer document is a book, whatever its title
HEAD_CHARS = 300  # the definition of its subject is at the start of an article
_BATCH_SIZE = 500
_DEFINITION = re.compile(r"\b(?:is|was|are|were|refers to)\s+(?:an?|the|one|any)\b|[是為为]|指的?")
_NARRATIVE_START = re.compile(r"\b(?:there|once|long ago|it)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TitleMentions:
    """Which titles occur in which titled chunks.

    Attributes:
        titles: document id -> title without quotation marks.
        chunk_ids: the chunks that were searched.
        pairs: (chunk id, id of the document with that title), int64, shape (P, 2).
    """

    titles: dict[int, str]
    chunk_ids: frozenset[int]
    pairs: np.ndarray


NO_TITLE_MENTIONS = TitleMentions({}, frozenset(), np.zeros((0, 2), dtype=np.int64))


def defines_title(title: str, head: str) -> bool:
    """Return whether a text begins with a definition of its title ("Lindau is a town on …").

    A title as a heading above a narrative is no definition.
    """
    words = name_key(strip_title(title)).split()
    if not words or all(re.fullmatch(r"\d+", word) for word in words):
        return False
    for line in head.split("\n"):
        definition = _DEFINITION.search(line)
        if definition is None or _NARRATIVE_START.search(line[: definition.start()]):
            continue
        before = set(name_key(line[: definition.start()]).split())
        if 2 * sum(word in before for word in words) >= len(words):
            return True
    return False


def find_title_mentions(
    db: Db, chunk_ids: list[int], titles: dict[int, str], before: TitleMentions
) -> TitleMentions:
    """Return which titles occur in the texts of titled chunks.

    Args:
        titles: document id -> title without quotation marks.
        before: result for an earlier index; its chunks are searched for new titles only.
    """
    wanted = frozenset(chunk_ids)
    new_titles = {d: t for d, t in titles.items() if before.titles.get(d) != t}
    new_chunks = wanted - before.chunk_ids
    if wanted == before.chunk_ids and titles == before.titles:
        return before
    kept = before.pairs
    if len(kept):
        same_titles = set(titles) - set(new_titles)
        kept = kept[
            np.isin(kept[:, 0], np.fromiter(wanted, np.int64, len(wanted)))
            & np.isin(kept[:, 1], np.fromiter(same_titles, np.int64, len(same_titles)))
        ]
    found = [kept]
    if new_chunks:
        found.append(_find_titles_in(db, sorted(new_chunks), titles))
    if new_titles and (searched_chunks := wanted & before.chunk_ids):
        found.append(_find_titles_in(db, sorted(searched_chunks), new_titles))
    return TitleMentions(dict(titles), wanted, np.concatenate(found))


def _find_titles_in(db: Db, chunk_ids: list[int], titles: dict[int, str]) -> np.ndarray:
    scanner = TitleScanner((title, document_id) for document_id, title in titles.items())
    pairs: list[tuple[int, int]] = []
    for i in range(0, len(chunk_ids), _BATCH_SIZE):
        for chunk_id, text in search.fetch_chunk_texts(db, chunk_ids[i : i + _BATCH_SIZE]):
            pairs += [(chunk_id, value) for value in scanner.scan(text)]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


# --- the graph for personalized PageRank ---------------------------------------------------------

TITLE_WEIGHT = 8.0  # of the link from a chunk to the title of its document; a mention has about 1
N_STEPS = 12  # at a restart of 0.3 the later steps have 1/70 of the mass
MIN_MASS = 1e-6  # smaller masses are not propagated, which keeps the walk near its seeds


class PageRankGraph:
    """The bipartite graph of chunks and names as two transition matrices.

    From a chunk, the probability of a name grows with its rarity.

    Args:
        links: (chunk index, name index) pairs, int64, shape (L, 2); duplicates are summed.
        weights: strength of each link, float, shape (L,).
        n_chunks, n_names: number of nodes of each kind.
    """

    def __init__(self, links: np.ndarray, weights: np.ndarray, n_chunks: int, n_names: int) -> None:
        matrix = scipy.sparse.csr_array(
            (weights.astype(np.float32), (links[:, 0], links[:, 1])), shape=(n_chunks, n_names)
        )
        matrix.sum_duplicates()
        self.n_chunks, self.n_names = n_chunks, n_names
        by_name = matrix.T.tocsr()
        rarity = 1.0 / np.log2(2.0 + np.diff(by_name.indptr))
        matrix.data *= rarity[matrix.indices].astype(np.float32)
        self._names_of_chunk = _normalise_rows(matrix)
        self._chunks_of_name = _normalise_rows(by_name)

    def rank(
        self,
        chunk_seeds: Mapping[int, float],
        name_seeds: Mapping[int, float],
        *,
        restart: float = 0.3,
        name_share: float = 0.3,
        n_steps: int = N_STEPS,
        gates: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return the probability mass of each chunk, float32, shape (n_chunks,).

        Args:
            chunk_seeds, name_seeds: index -> weight (any scale) of the restart nodes.
            restart: probability of a restart at each step.
            name_share: share of the restarts at names, if both kinds of seeds are given.
            gates: factor of each chunk in the steps from names to chunks, > 0, shape (n_chunks,).
        """
        seed_chunks = _build_distribution(chunk_seeds, self.n_chunks)
        seed_names = _build_distribution(name_seeds, self.n_names)
        if not seed_chunks.any() and not seed_names.any():
            return np.zeros(self.n_chunks, dtype=np.float32)
        if not seed_chunks.any():
            name_share = 1.0
        elif not seed_names.any():
            name_share = 0.0
        seed_chunks *= restart * (1.0 - name_share)
        seed_names *= restart * name_share
        chunks, names = seed_chunks / restart, seed_names / restart
        for _ in range(n_steps):
            chunks, names = (
                seed_chunks + (1.0 - restart) * _propagate(self._chunks_of_name, names, gates),
                seed_names + (1.0 - restart) * _propagate(self._names_of_chunk, chunks),
            )
        return chunks


def _propagate(
    matrix: scipy.sparse.csr_array, mass: np.ndarray, gates: np.ndarray | None = None
) -> np.ndarray:
    """Return the mass after one step from the rows with a mass above `MIN_MASS`.

    Args:
        gates: factor of each column; each row still gives all of its mass.
    """
    active = np.flatnonzero(mass > MIN_MASS)
    rows = matrix[active]
    if gates is not None:
        rows.data = rows.data * gates[rows.indices]
        rows = _normalise_rows(rows)
    moved: np.ndarray = rows.T @ mass[active]
    return moved


def _normalise_rows(matrix: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    sums[sums == 0.0] = 1.0
    data = matrix.data / np.repeat(sums, np.diff(matrix.indptr))
    return scipy.sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def _build_distribution(seeds: Mapping[int, float], size: int) -> np.ndarray:
    values = np.zeros(size, dtype=np.float32)
    for index, weight in seeds.items():
        values[index] += weight
    total = values.sum()
    return values / total if total > 0.0 else values


# --- the index -----------------------------------------------------------------------------------


class ChunksOfEntity(Mapping[int, np.ndarray]):
    """Entity id (or negative document id) -> rows of the index that mention it, ascending."""

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
class RetrievalIndex:
    """Chunks, names and their links, cached between questions and rebuilt after a change.

    Rows are positions in `chunk_ids`; nodes are the names in the graph of `pagerank_graph`.

    Attributes:
        version: of the library's content; another one makes the index stale.
        chunk_ids: int64, shape (n_chunks,), ascending.
        position: chunk id -> row.
        documents: document id of each row, int64, shape (n_chunks,).
        titled: which chunks belong to a titled text, bool, shape (n_chunks,).
        title_node: node of that title, int64, shape (n_chunks,); -1 where not titled.
        title_mentioned: which of these titles occur in the texts, bool, shape (n_chunks,); the
            others are file names, numbers and the like.
        pagerank_graph: chunks and names for the personalized PageRank.
        names: finds the names of entities and titles in a question.
        known: (name, entity id) of the entities in `names`.
        scripts: whether there are names with Chinese characters (True), and others (False).
        node_of_entity: entity id (or negative document id) -> node.
    """

    version: int
    chunk_ids: np.ndarray
    position: dict[int, int]
    documents: np.ndarray
    titled: np.ndarray
    title_node: np.ndarray
    title_mentioned: np.ndarray
    pagerank_graph: PageRankGraph
    names: NameFinder
    known: frozenset[tuple[str, int]]
    scripts: frozenset[bool]
    node_of_entity: dict[int, int]
    chunks_of_entity: Mapping[int, np.ndarray]
    title_mentions: TitleMentions


def build_index(db: Db, before: RetrievalIndex | None = None) -> RetrievalIndex:
    """Return the index of a library: links of names and chunks, with titles as names.

    Titled texts are short documents, and longer ones that begin with a definition of their title,
    as encyclopedia articles do and novels do not.

    Args:
        before: an earlier index of the same library, whose text searches are reused.
    """
    version = search.fetch_content_version(db)  # first: a change during the build is noticed
    chunks = search.fetch_chunk_documents(db)
    chunk_ids = np.array([c[0] for c in chunks], dtype=np.int64)
    documents = np.array([c[1] for c in chunks], dtype=np.int64)
    heads = search.fetch_heads(db, HEAD_CHARS, SHORT_DOCUMENT_CHARS, LONG_ARTICLE_CHARS)
    articles = {document_id for document_id, title, head in heads if defines_title(title, head)}
    titled = np.array(
        [c[3] <= SHORT_DOCUMENT_CHARS or c[1] in articles for c in chunks],
        dtype=bool,
    )
    known = frozenset(search.fetch_known_names(db))
    links = search.fetch_links(db)
    entities, nodes = np.unique(links[:, 1], return_inverse=True)
    node_of = dict(zip(entities.tolist(), range(len(entities)), strict=True))
    titles = {int(documents[i]): strip_title(chunks[i][2]) for i in np.flatnonzero(titled).tolist()}
    if before is None or before.known - known:
        names = NameFinder(known)
    else:  # no name was removed: the earlier finder is extended
        names = before.names
        for name, value in known - before.known:
            names.add(name, value)
    title_nodes: dict[int, int] = {}  # document id -> node of its title
    n_entities = len(node_of)
    for document_id, title in titles.items():
        found = next((v for v in names.lookup(title) if v in node_of), None)
        if found is None:  # no entity has this name
            found = -document_id
            names.add(title, found)
            node_of[found] = len(node_of)
        title_nodes[document_id] = node_of[found]
    earlier = before.title_mentions if before is not None else NO_TITLE_MENTIONS
    mentions = find_title_mentions(db, chunk_ids[titled].tolist(), titles, earlier)
    title_node = np.full(len(chunks), -1, dtype=np.int64)
    title_node[titled] = [title_nodes[d] for d in documents[titled].tolist()]
    mentioned_title_nodes = np.array(
        [title_nodes[d] for d in mentions.pairs[:, 1].tolist()], dtype=np.int64
    )
    link_rows, link_nodes, weights = _merge_links(
        (np.searchsorted(chunk_ids, links[:, 0]), nodes, 1.0 + np.log(links[:, 2])),
        (
            np.searchsorted(chunk_ids, mentions.pairs[:, 0]),
            mentioned_title_nodes,
            np.ones(len(mentioned_title_nodes)),
        ),
        (np.flatnonzero(titled), title_node[titled], np.full(int(titled.sum()), TITLE_WEIGHT)),
    )
    return RetrievalIndex(
        version=version,
        chunk_ids=chunk_ids,
        position=dict(zip(chunk_ids.tolist(), range(len(chunks)), strict=True)),
        documents=documents,
        titled=titled,
        title_node=title_node,
        title_mentioned=titled
        & ((title_node < n_entities) | np.isin(documents, mentions.pairs[:, 1])),
        pagerank_graph=PageRankGraph(
            np.column_stack((link_rows, link_nodes)), weights, len(chunks), len(node_of)
        ),
        names=names,
        known=known,
        scripts=frozenset(has_han(name) for name, _ in known),
        node_of_entity=node_of,
        chunks_of_entity=ChunksOfEntity(node_of, link_nodes, link_rows),
        title_mentions=mentions,
    )


def _merge_links(
    *parts: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return links as (rows, nodes, weights), each pair once, sorted.

    The weight of a pair is that of the mention, else that of the title in the text; the title of
    the chunk's own document adds its weight.

    Args:
        parts: (rows, nodes, weights) of mentions, of titles in texts, and of own titles.
    """
    width = 1 + max(int(nodes.max(initial=0)) for _, nodes, _ in parts)
    mention_keys, title_keys, own_title_keys = (rows * width + nodes for rows, nodes, _ in parts)
    pairs = np.sort(np.concatenate((mention_keys, title_keys, own_title_keys)), kind="stable")
    pairs = pairs[np.flatnonzero(np.diff(pairs, prepend=-1))]
    weights = np.zeros(len(pairs))
    weights[np.searchsorted(pairs, title_keys)] = parts[1][2]
    weights[np.searchsorted(pairs, mention_keys)] = parts[0][2]
    weights[np.searchsorted(pairs, own_title_keys)] += parts[2][2]
    return pairs // width, pairs % width, weights
