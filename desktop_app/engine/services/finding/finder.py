"""The door to finding: a question and its parameters in, passages, names and relations out.

Two kinds of text want two rankings: short texts with a title of their own are reached by walking
from name to name (`walking.py`), passages of a book by their best window (`books.py`). Each chunk
gets the ranking of its kind. No chat model is called here.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...models.protocols import Embedder
from ...query import QueryParam
from ...store import graph as graph_rows
from ...store import search as rows
from ...store.db import Db
from ...types import Found
from .books import rank_books
from .fusing import fuse
from .index import FindingIndex, build_index
from .passages import build_passages, drop_copies
from .routes import find_by_meaning, find_by_words
from .search import Search
from .walking import rank_titled

COPIES = 4  # how many copies of a book a library may hold before they crowd the list
WEAK_COSINE = 0.80  # e5 gives unrelated texts 0.7 to 0.8


class Finder:
    """Ranks a library's chunks for a question, without any call of a chat model.

    Args:
        db: a read connection of the calling thread's own.
        find_embedder: gives the embedding model, None where none is installed.
    """

    def __init__(self, db: Db, find_embedder: Callable[[], Embedder | None]) -> None:
        self._db = db
        self._find_embedder = find_embedder
        self._index: FindingIndex | None = None

    def find(self, question: str, param: QueryParam = QueryParam()) -> Found:
        """Return the passages that bear on a question, best first."""
        search = self._begin(question.strip(), param)
        if param.mode != "naive":
            search.words = find_by_words(search)
        if param.mode != "words":
            search.cosines = find_by_meaning(search)
            if param.mode == "naive" and not search.cosines:
                search.words = find_by_words(search)
        if param.mode == "words" or (param.mode == "naive" and not search.cosines):
            ranked = search.words
        elif param.mode == "naive":
            ranked = sorted(search.cosines.items(), key=lambda item: (-item[1], item[0]))
        else:
            ranked = self._walk(search)
        return self._finish(search, ranked)

    def _begin(self, question: str, param: QueryParam) -> Search:
        index = self._fresh_index()
        search = Search(
            question,
            param,
            self._db,
            index,
            param.document_ids,
            self._allowed(index, param.document_ids),
            self._find_embedder(),
        )
        search.trace.lap("index")
        return search

    def _walk(self, search: Search) -> list[tuple[int, float]]:
        search.linked = search.index.names.find(search.question)
        search.rest = _without(search.question, search.linked)
        search.trace.lap("names")
        fused = fuse(search.words, search.cosines)
        scores = rank_titled(search, fused) | rank_books(search, fused)
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))

    def _finish(self, search: Search, ranked: list[tuple[int, float]]) -> Found:
        top, trace = search.param.chunk_top_k, search.trace
        passages = drop_copies(
            build_passages(self._db, ranked[: COPIES * top], search.question, trace), top
        )
        trace.lap("passages")
        best_cosine = max(search.cosines.values(), default=0.0)
        near = not search.cosines or best_cosine >= WEAK_COSINE or bool(search.words)
        entities = graph_rows.fetch_entities(self._db, search.entity_ids)[:12]
        return Found(
            question=search.question,
            mode=search.param.mode,
            passages=tuple(passages),
            entities=tuple(entities),
            relations=tuple(self._relations(entities)),
            weak=not passages or not near,
            timings_ms=trace.timings_ms,
            notes=tuple(trace.notes),
        )

    def _relations(self, entities: list) -> list:
        if not entities:
            return []
        among = graph_rows.fetch_relations_among(self._db, [e.id for e in entities])
        own = graph_rows.fetch_relations(self._db, entities[0].id, 8)
        return list({r.id: r for r in (*among, *own)}.values())[:12]

    def _allowed(self, index: FindingIndex, document_ids: tuple[int, ...] | None) -> np.ndarray:
        if document_ids is None:
            aside = [r[0] for r in self._db.rows("SELECT id FROM document WHERE set_aside = 1")]
            return ~np.isin(index.documents, aside)
        return np.isin(index.documents, list(document_ids))

    def _fresh_index(self) -> FindingIndex:
        version = rows.content_version(self._db)
        if self._index is None or self._index.version != version:
            self._index = build_index(self._db, version)
        return self._index


def _without(question: str, linked: list[tuple[int, int, list[int]]]) -> str:
    """Return the question with its names taken out."""
    for start, end, _ in reversed(linked):
        question = question[:start] + question[end:]
    return question.strip()
