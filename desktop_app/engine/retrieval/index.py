"""What finding keeps in memory between questions: who is named where, and titles as names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ..graph.name_linking import NameFinder, TitleScanner, name_key, strip_title
from ..graph.ranking import TITLE_WEIGHT, PageRankGraph
from ..store import search
from ..store.db import Db
from ..store.graph_view import fetch_known_names, fetch_links
from ..store.search import SHORT_DOCUMENT_CHARS

LONG_ARTICLE_CHARS = 60_000  # beyond, a document is a book, whatever its title
HEAD_CHARS = 300  # an article names its subject at once
_BLOCK = 500
_SAYS_WHAT = re.compile(r"\b(?:is|was|are|were|refers to)\s+(?:an?|the|one|any)\b|[是為为]|指的?")
_TELLS = re.compile(r"\b(?:there|once|long ago|it)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TitleMentions:
    """Which titles stand in which titled chunks; `pairs` are (chunk id, document id)."""

    titles: dict[int, str]
    chunk_ids: frozenset[int]
    pairs: np.ndarray


NOTHING_READ = TitleMentions({}, frozenset(), np.zeros((0, 2), dtype=np.int64))


def find_titled(db: Db, chunks: list[tuple[int, int, str, int, int]]) -> np.ndarray:
    """Return which chunks belong to a text with a title of its own, bool, shape (n_chunks,).

    Short texts do; longer ones if their beginning speaks of what the title says, as an
    encyclopedia's articles do and a novel's or tale's first page hardly ever does.
    """
    articles = {
        document_id
        for document_id, title, head in db.rows(
            "SELECT d.id, d.title, substr(c.text, 1, ?) FROM document d"
            " JOIN chunk c ON c.document_id = d.id AND c.order_no ="
            " (SELECT min(order_no) FROM chunk WHERE document_id = d.id)"
            " WHERE d.n_chars > ? AND d.n_chars <= ?",
            (HEAD_CHARS, SHORT_DOCUMENT_CHARS, LONG_ARTICLE_CHARS),
        )
        if speaks_of(title, head)
    }
    return np.array([c[3] <= SHORT_DOCUMENT_CHARS or c[1] in articles for c in chunks], dtype=bool)


def speaks_of(title: str, head: str) -> bool:
    """Say whether a text begins by saying what its title is ("Lindau is a town on …").

    A tale begins under its title too, as a heading, and then tells: that is no article.
    """
    words = name_key(strip_title(title)).split()
    if not words or all(re.fullmatch(r"\d+", word) for word in words):
        return False
    for line in head.split("\n"):
        said = _SAYS_WHAT.search(line)
        if said is None or _TELLS.search(line[: said.start()]):
            continue
        before = set(name_key(line[: said.start()]).split())
        if 2 * sum(word in before for word in words) >= len(words):
            return True
    return False


def find_title_mentions(
    db: Db, chunk_ids: list[int], titles: dict[int, str], before: TitleMentions
) -> TitleMentions:
    """Return where titles stand in the texts of titled chunks.

    Args:
        titles: document id -> title without marks.
        before: what an earlier index read; its texts are only searched for new titles.
    """
    wanted = frozenset(chunk_ids)
    fresh = {d: t for d, t in titles.items() if before.titles.get(d) != t}
    unread = wanted - before.chunk_ids
    if wanted == before.chunk_ids and titles == before.titles:
        return before
    kept = before.pairs
    if len(kept):
        still = set(titles) - set(fresh)
        kept = kept[
            np.isin(kept[:, 0], np.fromiter(wanted, np.int64, len(wanted)))
            & np.isin(kept[:, 1], np.fromiter(still, np.int64, len(still)))
        ]
    found = [kept]
    if unread:
        found.append(_scan(db, sorted(unread), titles))
    if fresh and (read := wanted & before.chunk_ids):
        found.append(_scan(db, sorted(read), fresh))
    return TitleMentions(dict(titles), wanted, np.concatenate(found))


def _scan(db: Db, chunk_ids: list[int], titles: dict[int, str]) -> np.ndarray:
    scanner = TitleScanner((title, document_id) for document_id, title in titles.items())
    pairs: list[tuple[int, int]] = []
    for i in range(0, len(chunk_ids), _BLOCK):
        part = chunk_ids[i : i + _BLOCK]
        for chunk_id, text in db.rows(
            f"SELECT id, text FROM chunk WHERE id IN ({','.join(map(str, part))})"
        ):
            pairs += [(chunk_id, value) for value in scanner.scan(text)]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


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
class RetrievalIndex:
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
    walk: PageRankGraph
    names: NameFinder
    known: frozenset[tuple[str, int]]
    node_of_entity: dict[int, int]
    chunks_of_entity: Mapping[int, np.ndarray]
    title_mentions: TitleMentions


def build_index(
    db: Db, version: tuple = (), before: RetrievalIndex | None = None
) -> RetrievalIndex:
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
    return RetrievalIndex(
        version=version,
        chunk_ids=chunk_ids,
        position=dict(zip(chunk_ids.tolist(), range(len(chunks)), strict=True)),
        documents=documents,
        titled=titled,
        title_node=title_node,
        walk=PageRankGraph(
            np.column_stack((link_rows, link_nodes)), weights, len(chunks), len(node_of)
        ),
        names=names,
        known=known,
        node_of_entity=node_of,
        chunks_of_entity=ChunksOfEntity(node_of, link_nodes, link_rows),
        title_mentions=mentions,
    )


def _know_names(known: frozenset[tuple[str, int]], before: RetrievalIndex | None) -> NameFinder:
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
