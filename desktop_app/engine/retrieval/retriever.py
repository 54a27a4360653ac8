"""The entry point of retrieval: a question in, ranked passages, entities and relations out.

Short titled texts are ranked by the walk (`strategies/walk.py`), passages of long texts by their
best window (`strategies/books.py`); each chunk gets the score for its kind of text. LightRAG's
graph modes are in `strategies/graph_routes.py`. No chat model is called here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import UserError
from ..llm.protocols import Embedder, Reranker
from ..messages import Message
from ..model import ChunkId, DocumentId, EntityRow, Keywords, Passage, RelationRow, RetrievalResult
from ..query import GRAPH_MODES, MODES, QueryParam
from ..scripts import features, language_of
from ..store import search
from ..store import search as rows
from ..store.db import Db
from ..text.chunking import split_sentences
from .community_ranking import CommunityRanking, rank_communities
from .index import RetrievalIndex, build_index
from .keywords import choose_keywords
from .question_kinds import asks_for_list
from .reranking import no_reranker, rerank
from .scoped_graph import mark_allowed, pairs_among, resolve_documents
from .score_fusion import fuse_scores
from .search_state import RetrievalTrace, SearchState
from .stage_notes import (
    describe_graph_stage,
    describe_keywords_stage,
    describe_names_stage,
    describe_passages_stage,
    describe_route_stage,
)
from .strategies.books import choose_key_sentences, rank_books
from .strategies.graph_routes import (
    GraphFound,
    Ranked,
    find_global,
    find_local,
    interleave,
    join_found,
    pick_entity_chunks,
    pick_relation_chunks,
)
from .strategies.text_routes import find_by_meaning, find_by_words
from .strategies.walk import rank_titled
from .transliterated_names import link_transliterated_names

MIN_COPY_OVERLAP = 0.4
N_GRAM_LETTERS = 8


def build_passages(
    db: Db, ranked: list[tuple[int, float]], question: str, trace: RetrievalTrace
) -> list[Passage]:
    """Return ranked (chunk id, score) as passages with text, offsets and best window."""
    rows = search.fetch_passages(db, [chunk_id for chunk_id, _ in ranked])
    chosen = ",".join(str(w) for c, w in trace.best_window.items() if c in rows)
    windows = {
        window_id: (start, end)
        for window_id, start, end in db.rows(
            f"SELECT id, start, end FROM window WHERE id IN ({chosen})"
        )
    }
    passages = []
    for chunk_id, score in ranked:
        if chunk_id not in rows:
            continue
        _, document_id, title, start, end, text, heading, page, label = rows[chunk_id]
        window = windows.get(trace.best_window.get(chunk_id, 0))
        best = window or _best_span(text, start, question)
        passages.append(
            Passage(
                chunk_id=ChunkId(chunk_id),
                document_id=DocumentId(document_id),
                title=title,
                start=start,
                end=end,
                score=round(float(score), 4),
                text=text,
                best_start=best[0],
                best_end=best[1],
                page_label=label,
                page_index=page,
                heading=heading,
                routes=trace.routes_to(chunk_id),
            )
        )
    return passages


def drop_copies(passages: list[Passage], top: int) -> list[Passage]:
    """Return the first `top` passages that are not copies of an earlier one.

    A library often contains a book twice, as text and as PDF. Passages of two documents are copies
    if they share enough n-grams of letters; line breaks and punctuation are ignored.
    """
    kept: list[Passage] = []
    seen: list[tuple[int, set[str]]] = []
    for passage in passages:
        n_grams = _letter_n_grams(passage.text)
        copy = any(
            document_id != passage.document_id
            and len(n_grams & others) > MIN_COPY_OVERLAP * min(len(n_grams), len(others))
            for document_id, others in seen
            if n_grams and others
        )
        if copy:
            continue
        kept.append(passage)
        seen.append((passage.document_id, n_grams))
        if len(kept) == top:
            break
    return kept


def _letter_n_grams(text: str) -> set[str]:
    plain = "".join(c for c in text.casefold() if c.isalnum())
    return {plain[i : i + N_GRAM_LETTERS] for i in range(max(1, len(plain) - N_GRAM_LETTERS + 1))}


def _best_span(text: str, start: int, question: str) -> tuple[int, int]:
    """Return the offsets of the sentence with most words of the question."""
    wanted = features(question)
    spans = split_sentences(text, language_of(text[:200])) or [(0, len(text))]
    best = max(spans, key=lambda span: (len(wanted & features(text[slice(*span)])), -span[0]))
    return start + best[0], start + best[1]


@dataclass(frozen=True, slots=True)
class GraphRanking:
    """Results of a graph mode; `passages` are (chunk id, score), best first."""

    passages: list[tuple[int, float]]
    entities: list[EntityRow]
    relations: list[RelationRow]
    keywords: Keywords


def rank_by_graph(search: SearchState) -> GraphRanking:
    """Return the results of one of LightRAG's modes.

    Names must be linked and the question embedded in `search`.
    """
    mode, trace = search.param.mode, search.trace
    keywords = choose_keywords(
        search.question, search.param, [(start, end) for start, end, _ in search.linked]
    )
    describe_keywords_stage(search, keywords)
    if not keywords.high and not keywords.low:
        trace.notes.append(Message("no keyword to look for: name a person, a thing or a theme"))
    found = GraphFound()
    if mode != "global":
        found = find_local(search, keywords.low)
        trace.lap("local")
    if mode != "local":
        found = join_found(found, find_global(search, keywords.high))
        trace.lap("global")
    entities = search.graph_reader.entities(list(found.entities))
    relations = search.graph_reader.relations(list(found.relations))
    trace.lap("graph")
    describe_graph_stage(search, found, entities, relations)
    of_entities = pick_entity_chunks(search, [e.id for e in entities])
    _record_route(search, "entity", of_entities)
    of_relations = pick_relation_chunks(search, [(r.source_id, r.target_id) for r in relations])
    _record_route(search, "relation", of_relations)
    near = list(search.cosines.items()) if mode == "mix" else []
    order = interleave(*([c for c, _ in part] for part in (near, of_entities, of_relations)))
    passages = [(chunk_id, 1.0 - n / (len(order) + 1)) for n, chunk_id in enumerate(order)]
    return GraphRanking(passages, entities, relations, keywords)


def _record_route(search: SearchState, route: str, ranked: Ranked) -> None:
    search.trace.found(route, ranked)
    search.trace.lap(f"{route} passages")
    describe_route_stage(search, route, ranked)


MAX_COPIES = 4  # number of copies of a book that are dropped without shortening the list
WEAK_COSINE = 0.80  # e5 gives unrelated texts 0.7 to 0.8
MAX_GRAPH_ROWS = 12  # entities and relations of modes without a graph route


class Retriever:
    """Ranks a library's chunks for a question; keeps the index between questions.

    Args:
        db: a read connection of the calling thread.
        find_embedder: returns the embedding model, None if none is installed.
        find_reranker: returns the reranker, None unless one was chosen.
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
        self._index: RetrievalIndex | None = None

    def find(self, question: str, param: QueryParam = QueryParam()) -> RetrievalResult:
        """Return the passages, entities and relations for a question, best first.

        Raises:
            UserError: there is no such mode.
        """
        question = question.strip()
        if param.mode not in MODES:
            raise UserError(
                "There is no mode “{mode}”.",
                "Choose: {modes}.",
                mode=param.mode,
                modes=", ".join(MODES),
            )
        if param.mode == "bypass":
            return RetrievalResult(question, param.mode, ())
        search = self._start_search(question, param)
        if param.mode in GRAPH_MODES:
            search.cosines = find_by_meaning(search)
            describe_route_stage(search, "meaning", search.cosines.items())
            self._link_names(search)
            found = rank_by_graph(search)
            return self._build_result(
                search, found.passages, found.entities, found.relations, found.keywords
            )
        return self._add_graph_rows(search, self._rank_chunks(search))

    def rank_communities(self, question: str, param: QueryParam) -> CommunityRanking:
        """Return the communities by their relevance to a question, with the passages found.

        The communities are those of the last update, even if the graph changed since.
        """
        search = self._start_search(question.strip(), param)
        ranked = self._rank_chunks(search)
        ranked_communities = rank_communities(search, param.level)
        return CommunityRanking(
            self._add_graph_rows(search, ranked), tuple(ranked_communities), search.document_ids
        )

    def rate_texts(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return each text's similarity to a question, scaled to 0..1; 0 without an embedder."""
        embedder = self._find_embedder()
        if embedder is None or len(texts) < 2:
            return [0.0] * len(texts)
        cosines = embedder.embed_passages(texts) @ embedder.embed_query(question)
        low, spread = float(cosines.min()), float(np.ptp(cosines)) or 1.0
        return [(float(value) - low) / spread for value in cosines]

    def find_names(self, text: str) -> list[str]:
        """Return the names of the library that occur in a text, as written there, in order."""
        found = self._get_index().names.find(text)
        return [text[start:end] for start, end, _ in found]

    def _rank_chunks(self, search: SearchState) -> list[tuple[int, float]]:
        mode = search.param.mode
        if mode != "naive":
            search.words = find_by_words(search)
            describe_route_stage(search, "words", search.words)
        if mode != "words":
            search.cosines = find_by_meaning(search)
            describe_route_stage(search, "meaning", search.cosines.items())
            if mode == "naive" and not search.cosines:
                search.words = find_by_words(search)
                describe_route_stage(search, "words", search.words)
        if mode == "words" or (mode == "naive" and not search.cosines):
            return search.words
        if mode == "naive":
            return sorted(search.cosines.items(), key=lambda item: (-item[1], item[0]))
        return self._rank_by_walk_and_books(search)

    def _start_search(self, question: str, param: QueryParam) -> SearchState:
        index = self._get_index()
        document_ids = resolve_documents(self._db, param)
        search = SearchState(
            question,
            param,
            self._db,
            index,
            document_ids,
            mark_allowed(self._db, index, document_ids),
            self._find_embedder(),
        )
        if document_ids is not None and not search.allowed.any():
            search.trace.notes.append(Message("the documents to look in hold no text"))
        search.trace.lap("index")
        return search

    def _link_names(self, search: SearchState) -> None:
        search.linked = search.index.names.find(search.question)
        search.linked = link_transliterated_names(search)
        search.rest = _remove_names(search.question, search.linked)
        search.trace.lap("names")
        describe_names_stage(search)

    def _rank_by_walk_and_books(self, search: SearchState) -> list[tuple[int, float]]:
        self._link_names(search)
        fused = fuse_scores(search.words, search.cosines)
        scores = rank_titled(search, fused) | rank_books(search)
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        describe_route_stage(search, "walk", ranked)
        return ranked

    def _add_graph_rows(
        self, search: SearchState, ranked: list[tuple[int, float]]
    ) -> RetrievalResult:
        entities = search.graph_reader.entities(search.entity_ids)[:MAX_GRAPH_ROWS]
        pairs = pairs_among(self._db, [e.id for e in entities])
        relations = search.graph_reader.relations(pairs)[:MAX_GRAPH_ROWS]
        search.trace.lap("graph")
        return self._build_result(search, ranked, entities, relations, Keywords())

    def _build_result(
        self,
        search: SearchState,
        ranked: list[tuple[int, float]],
        entities: list[EntityRow],
        relations: list[RelationRow],
        keywords: Keywords,
    ) -> RetrievalResult:
        top, trace = search.param.chunk_top_k, search.trace
        candidates = build_passages(self._db, ranked[: MAX_COPIES * top], search.question, trace)
        candidates = rerank(search, candidates, self._find_reranker)
        passages = drop_copies(candidates, top)
        if asks_for_list(search.question):
            passages = choose_key_sentences(search, passages)
        trace.lap("passages")
        describe_passages_stage(search, candidates, passages)
        best_cosine = max(search.cosines.values(), default=0.0)
        near = not search.cosines or best_cosine >= WEAK_COSINE or bool(search.words)
        near = near or bool(
            search.meant
        )  # a question in another language has no matching words and low cosines
        return RetrievalResult(
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

    def _get_index(self) -> RetrievalIndex:
        version = rows.content_version(self._db)
        if self._index is None or self._index.version != version:
            self._index = build_index(self._db, version, self._index)
        return self._index


def _remove_names(question: str, linked: list[tuple[int, int, list[int]]]) -> str:
    """Return the question without its linked names."""
    for start, end, _ in reversed(linked):
        question = question[:start] + question[end:]
    return question.strip()
