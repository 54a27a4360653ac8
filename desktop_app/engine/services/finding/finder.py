"""The door to finding: a question and its parameters in, passages, names and relations out.

Two kinds of text want two rankings: short texts with a title of their own are reached by walking
from name to name (`walking.py`), passages of a book by their best window (`books.py`). Each chunk
gets the ranking of its kind. LightRAG's graph modes are in `graph_modes.py`. No chat model is
called here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...errors import UserError, said
from ...graph.question_words import gathers
from ...models.protocols import Embedder, Reranker
from ...query import GRAPH_MODES, MODES, QueryParam
from ...store import search as rows
from ...store.db import Db
from ...types import EntityRow, Found, Keywords, RelationRow
from .books import rank_books
from .fusing import fuse
from .gathered_sentence import choose_gathered
from .graph_modes import rank_by_graph
from .index import FindingIndex, build_index
from .passages import build_passages, drop_copies
from .reranking import no_reranker, rerank
from .retelling import pairs_among
from .routes import find_by_meaning, find_by_words
from .scope import mark_allowed, resolve_documents
from .search import Search
from .spelling import link_spelled
from .stages import tell_names, tell_passages, tell_route
from .themes import ThemeRanking, rank_themes
from .walking import rank_titled

COPIES = 4  # how many copies of a book a library may hold before they crowd the list
WEAK_COSINE = 0.80  # e5 gives unrelated texts 0.7 to 0.8
MOST_NAMED = 12  # entities and relations given beside the passages of modes without a graph route


class Finder:
    """Ranks a library's chunks for a question, without any call of a chat model.

    Args:
        db: a read connection of the calling thread's own.
        find_embedder: gives the embedding model, None where none is installed.
        find_reranker: gives the reranker, None unless one was chosen.
    """

    def __init__(
        self,
        db: Db,
        find_embedder: Callable[[], Embedder | None],
        find_reranker: Callable[[], Reranker | None] = no_reranker,
    ) -> None:
        self._find_reranker = find_reranker
        self._db = db
        self._find_embedder = find_embedder
        self._index: FindingIndex | None = None

    def find(self, question: str, param: QueryParam = QueryParam()) -> Found:
        """Return the passages that bear on a question, best first.

        Raises:
            UserError: there is no such mode.
        """
        question = question.strip()
        if param.mode not in MODES:
            raise UserError(f"There is no mode “{param.mode}”.", f"Choose: {', '.join(MODES)}.")
        if param.mode == "bypass":
            return Found(question, param.mode, ())
        search = self._begin(question, param)
        if param.mode in GRAPH_MODES:
            search.cosines = find_by_meaning(search)
            tell_route(search, "meaning", search.cosines.items())
            self._link(search)
            found = rank_by_graph(search)
            return self._build(
                search, found.passages, found.entities, found.relations, found.keywords
            )
        return self._finish(search, self._rank(search))

    def rank_themes(self, question: str, param: QueryParam) -> ThemeRanking:
        """Return the communities that bear on a question, best first, with what was found.

        They are as they were last made of the graph; the passages are those of a walk.
        """
        search = self._begin(question.strip(), param)
        ranked = self._rank(search)
        themes = rank_themes(search, param.level)
        return ThemeRanking(self._finish(search, ranked), tuple(themes), search.document_ids)

    def rate_texts(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return how near texts are to a question, 0 to 1 among themselves; 0 without vectors."""
        embedder = self._find_embedder()
        if embedder is None or len(texts) < 2:
            return [0.0] * len(texts)
        cosines = embedder.embed_passages(texts) @ embedder.embed_query(question)
        low, spread = float(cosines.min()), float(np.ptp(cosines)) or 1.0
        return [(float(value) - low) / spread for value in cosines]

    def find_names(self, text: str) -> list[str]:
        """Return the library's names that stand in a text, as they stand there, in order."""
        found = self._fresh_index().names.find(text)
        return [text[start:end] for start, end, _ in found]

    def _rank(self, search: Search) -> list[tuple[int, float]]:
        mode = search.param.mode
        if mode != "naive":
            search.words = find_by_words(search)
            tell_route(search, "words", search.words)
        if mode != "words":
            search.cosines = find_by_meaning(search)
            tell_route(search, "meaning", search.cosines.items())
            if mode == "naive" and not search.cosines:
                search.words = find_by_words(search)
                tell_route(search, "words", search.words)
        if mode == "words" or (mode == "naive" and not search.cosines):
            return search.words
        if mode == "naive":
            return sorted(search.cosines.items(), key=lambda item: (-item[1], item[0]))
        return self._walk(search)

    def _begin(self, question: str, param: QueryParam) -> Search:
        index = self._fresh_index()
        document_ids = resolve_documents(self._db, param)
        search = Search(
            question,
            param,
            self._db,
            index,
            document_ids,
            mark_allowed(self._db, index, document_ids),
            self._find_embedder(),
        )
        if document_ids is not None and not search.allowed.any():
            search.trace.notes.append(said("the documents to look in hold no text"))
        search.trace.lap("index")
        return search

    def _link(self, search: Search) -> None:
        search.linked = search.index.names.find(search.question)
        search.linked = link_spelled(search)
        search.rest = _without(search.question, search.linked)
        search.trace.lap("names")
        tell_names(search)

    def _walk(self, search: Search) -> list[tuple[int, float]]:
        self._link(search)
        fused = fuse(search.words, search.cosines)
        scores = rank_titled(search, fused) | rank_books(search, fused)
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        tell_route(search, "walk", ranked)
        return ranked

    def _finish(self, search: Search, ranked: list[tuple[int, float]]) -> Found:
        entities = search.telling.entities(search.entity_ids)[:MOST_NAMED]
        pairs = pairs_among(self._db, [e.id for e in entities])
        relations = search.telling.relations(pairs)[:MOST_NAMED]
        search.trace.lap("graph")
        return self._build(search, ranked, entities, relations, Keywords())

    def _build(
        self,
        search: Search,
        ranked: list[tuple[int, float]],
        entities: list[EntityRow],
        relations: list[RelationRow],
        keywords: Keywords,
    ) -> Found:
        top, trace = search.param.chunk_top_k, search.trace
        built = build_passages(self._db, ranked[: COPIES * top], search.question, trace)
        built = rerank(search, built, self._find_reranker)
        passages = drop_copies(built, top)
        if gathers(search.question):
            passages = choose_gathered(search, passages)
        trace.lap("passages")
        tell_passages(search, built, passages)
        best_cosine = max(search.cosines.values(), default=0.0)
        near = not search.cosines or best_cosine >= WEAK_COSINE or bool(search.words)
        near = near or bool(search.meant)  # in another language neither words nor cosines are near
        return Found(
            question=search.question,
            mode=search.param.mode,
            passages=tuple(passages),
            entities=tuple(entities),
            relations=tuple(relations),
            weak=not passages or not near,
            timings_ms=trace.timings_ms,
            notes=tuple(trace.notes),
            keywords=keywords,
            stages=tuple(trace.stages),
            meant=tuple(search.meant),
        )

    def _fresh_index(self) -> FindingIndex:
        version = rows.content_version(self._db)
        if self._index is None or self._index.version != version:
            self._index = build_index(self._db, version, self._index)
        return self._index


def _without(question: str, linked: list[tuple[int, int, list[int]]]) -> str:
    """Return the question with its names taken out."""
    for start, end, _ in reversed(linked):
        question = question[:start] + question[end:]
    return question.strip()
