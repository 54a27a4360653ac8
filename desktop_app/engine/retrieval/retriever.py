"""The entry point of retrieval: a question in, ranked passages, entities and relations out.

Short titled texts are ranked by personalized PageRank (`strategies/personalized_pagerank.py`),
passages of long texts by their best window (`strategies/book_ranking.py`); each chunk gets the
score for its kind of text. LightRAG's graph modes are in `strategies/graph_routes.py`. No chat
model is called here.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from weakref import WeakKeyDictionary

import numpy as np

from ..errors import AppError, UserError
from ..graph.name_linking import NameFinder
from ..graph.transliteration import PhoneticNames, RomanizedNames, is_foreign, is_latin
from ..llm.protocols import Embedder, Reranker
from ..messages import NO_MESSAGE, Message
from ..model import (
    ChunkId,
    DocumentId,
    EntityRow,
    Keywords,
    MentionRow,
    Passage,
    RelationRow,
    RetrievalResult,
)
from ..query import GRAPH_MODES, MODES, QueryParam
from ..store import collections
from ..store import graph as graph_rows
from ..store import search as search_rows
from ..store.db import Db
from ..store.documents import fetch_beginning, fetch_outline
from ..store.fts_tokens import build_match, build_phrase
from ..store.page_labels import find_page
from ..store.table_headers import find_table_start
from ..text.chunking import split_sentences
from ..text.sections import MOST_BEGINNING, find_printed_headings, find_section
from ..writing_systems import features, has_han, language_of
from .community_ranking import CommunityRanking, rank_communities
from .index import RetrievalIndex, build_index
from .keywords import choose_keywords
from .languages import join_rankings, split_by_language
from .name_definitions import (
    DEFINITION,
    LIKELY,
    STATED,
    find_asked_name,
    find_defining,
    find_in_passages,
    find_only_name,
    find_span,
    has_only_names,
)
from .printed_contents import put_contents_aside
from .search_state import LinkedName, RetrievalTrace, SearchState, fuse_scores
from .strategies.book_ranking import rank_books
from .strategies.graph_routes import (
    GraphFound,
    find_global,
    find_local,
    interleave,
    join_found,
    pick_entity_chunks,
    pick_relation_chunks,
)
from .strategies.personalized_pagerank import rank_titled
from .unrelated import find_unknown_names, is_unrelated
from .windows import choose_windows

Ranking = list[tuple[int, float]]  # (chunk id, score), best first

N_CANDIDATES = 200  # of BM25 and of vector search
MAX_COPIES = 4  # number of copies of a book that are dropped without shortening the list
MAX_GRAPH_ROWS = 12  # entities and relations of modes without a graph route
MAX_PAIRS_OF_FIRST = 8  # relations of the first entity, besides those among the entities
MAX_SHOWN_PASSAGES = 12  # passages of one route in the trace


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
        find_reranker: Callable[[], Reranker | None] = lambda: None,
    ) -> None:
        self._db, self._find_embedder, self._find_reranker = db, find_embedder, find_reranker
        self._index: RetrievalIndex | None = None

    @property
    def db(self) -> Db:
        """The connection that it reads with."""
        return self._db

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
            return self._find_by_graph(search)
        return self._add_graph_rows(search, self._rank_chunks(search))

    def fetch_state(self, param: QueryParam) -> Hashable:
        """Return what the result of `find` depends on, besides the question and `param`."""
        embedder = self._find_embedder()
        version, aside = (
            search_rows.fetch_content_version(self._db),
            search_rows.fetch_set_aside(self._db),
        )
        documents = resolve_documents(self._db, param)
        return version, tuple(aside), documents, embedder.name if embedder is not None else ""

    def rank_communities(self, question: str, param: QueryParam) -> CommunityRanking:
        """Return the communities by their relevance to a question, with the passages found.

        The communities are those of the last update, even if the graph changed since.
        """
        search = self._start_search(question.strip(), param)
        ranked = self._rank_chunks(search)
        communities = tuple(rank_communities(search, param.level))
        return CommunityRanking(
            self._add_graph_rows(search, ranked), communities, search.document_ids
        )

    def rate_texts(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return each text's similarity to a question, scaled to 0..1; 0 without an embedder."""
        embedder = self._find_embedder()
        if embedder is None or len(texts) < 2:
            return [0.0] * len(texts)
        cosines = embedder.embed_passages(texts) @ embedder.embed_query(question)
        low, spread = float(cosines.min()), float(np.ptp(cosines)) or 1.0
        return [(float(value) - low) / spread for value in cosines]

    @property
    def sends_questions(self) -> bool:
        """Whether the embedding model runs on a server."""
        embedder = self._find_embedder()
        return embedder is not None and embedder.is_remote

    def find_names(self, text: str) -> list[str]:
        """Return the names of the library that occur in a text, as written there, in order."""
        return [text[start:end] for start, end, _ in self._get_index().names.find(text)]

    def find_people(self, text: str) -> list[frozenset[str]]:
        """Return all names of each person that a text names.

        A name that can also be something else is left out.
        """
        found: list[frozenset[str]] = []
        for start, end, ids in self._get_index().names.find(text):
            rows = graph_rows.fetch_entities(self._db, ids)
            if len(rows) < len(ids) or any(row.type != "person" for row in rows):
                continue
            names = {text[start:end], *(row.name for row in rows)}
            for entity_id in ids:
                names.update(name for name, _ in graph_rows.fetch_aliases(self._db, entity_id))
            found.append(frozenset(names))
        return list(dict.fromkeys(found))

    def asks_about_name(self, question: str) -> bool:
        """Return whether a question asks who or what a name of the library is, and nothing else."""
        names = self._get_index().names.find(question)
        return find_only_name(question, [(start, end) for start, end, _ in names]) is not None

    def has_only_names(self, text: str, question: str) -> bool:
        """Return whether an answer only gives another name, and not who it is."""
        names = self._get_index().names.find(text)
        return has_only_names(text, [(start, end) for start, end, _ in names], question)

    def _get_index(self) -> RetrievalIndex:
        if self._index is None or self._index.version != search_rows.fetch_content_version(
            self._db
        ):
            self._index = build_index(self._db, self._index)
        return self._index

    def _start_search(self, question: str, param: QueryParam) -> SearchState:
        index = self._get_index()
        document_ids = resolve_documents(self._db, param)
        if document_ids is None:
            allowed = ~np.isin(index.documents, search_rows.fetch_set_aside(self._db))
        else:
            allowed = np.isin(index.documents, list(document_ids))
        search = SearchState(
            question, param, self._db, index, document_ids, allowed, self._find_embedder()
        )
        if document_ids is not None and not allowed.any():
            search.trace.notes.append(Message("the chosen documents contain no text"))
        elif not len(index.chunk_ids):
            search.trace.notes.append(
                Message("no document has text yet: the list of documents says which can't be read")
            )
        search.trace.lap("index")
        return search

    def _rank_chunks(self, search: SearchState) -> Ranking:
        parts = [search]
        if search.param.mode != "words":
            parts = split_by_language(search)
        if len(parts) == 1:
            search.compared_ids = parts[0].compared_ids
            return self._rank_in_one_language(search)
        rankings = []
        for part in parts:
            part.query_vec = parts[0].query_vec
            rankings.append(self._rank_in_one_language(part))
        return join_rankings(search, parts, rankings)

    def _rank_in_one_language(self, search: SearchState) -> Ranking:
        mode = search.param.mode
        if mode != "naive":
            search.words = find_by_words(search)
        if mode == "words":
            return search.words
        search.cosines = find_by_meaning(search)
        if mode == "naive" and not search.cosines:
            search.words = find_by_words(search)
            return search.words
        if mode == "naive":
            return sorted(search.cosines.items(), key=lambda item: (-item[1], item[0]))
        link_names(search)
        fused = fuse_scores(search.words, search.cosines)
        scores = rank_titled(search, fused) | rank_books(search)
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        _describe_route(search, "walk", ranked)
        return ranked

    def _find_by_graph(self, search: SearchState) -> RetrievalResult:
        """Return the results of one of LightRAG's modes."""
        mode, trace = search.param.mode, search.trace
        search.cosines = find_by_meaning(search)
        link_names(search)
        keywords = choose_keywords(
            search.question, search.param, [(start, end) for start, end, _ in search.linked]
        )
        labels: list[str] = [Message("theme: {keyword}", keyword=k) for k in keywords.high]
        labels += [Message("name: {keyword}", keyword=k) for k in keywords.low]
        is_given = search.param.has_keywords
        trace.stage(
            "keywords",
            labels,
            note=Message("given with the question" if is_given else "taken from the question"),
        )
        if not labels:
            trace.notes.append(Message("no keyword to look for: name a person, a thing or a theme"))
        found = GraphFound()
        if mode != "global":
            found = find_local(search, keywords.low)
            trace.lap("local")
        if mode != "local":
            found = join_found(found, find_global(search, keywords.high))
            trace.lap("global")
        entities = search.fetch_entities(list(found.entities))
        relations = search.fetch_relations(list(found.relations))
        trace.lap("graph")
        _describe_graph(search, found, entities, relations)
        of_entities = pick_entity_chunks(search, [e.id for e in entities])
        _record_route(search, "entity", of_entities)
        of_relations = pick_relation_chunks(search, [(r.source_id, r.target_id) for r in relations])
        _record_route(search, "relation", of_relations)
        near = list(search.cosines.items()) if mode == "mix" else []
        order = interleave(*([c for c, _ in part] for part in (near, of_entities, of_relations)))
        ranked = [(chunk_id, 1.0 - n / (len(order) + 1)) for n, chunk_id in enumerate(order)]
        return self._build_result(search, ranked, entities, relations, keywords)

    def _add_graph_rows(self, search: SearchState, ranked: Ranking) -> RetrievalResult:
        """Return the result with the entities of the question and their strongest relations."""
        entities = search.fetch_entities(search.entity_ids)[:MAX_GRAPH_ROWS]
        ids: list[int] = [e.id for e in entities]
        among = graph_rows.fetch_relations_among(self._db, ids)
        pairs: list[tuple[int, int]] = [(r.source_id, r.target_id) for r in among]
        if ids:
            strongest = graph_rows.fetch_strongest_pairs(self._db, ids[0], MAX_PAIRS_OF_FIRST)
            pairs += [(a, b) for a, b, _ in strongest]
        relations = search.fetch_relations(pairs)[:MAX_GRAPH_ROWS]
        search.trace.lap("graph")
        return self._build_result(search, ranked, entities, relations, Keywords())

    def _build_result(
        self,
        search: SearchState,
        ranked: Ranking,
        entities: list[EntityRow],
        relations: list[RelationRow],
        keywords: Keywords,
    ) -> RetrievalResult:
        top, trace = search.param.chunk_top_k, search.trace
        candidates = build_passages(self._db, ranked[: MAX_COPIES * top], search.question, trace)
        candidates = rerank(search, candidates, self._find_reranker)
        passages = drop_copies(put_contents_aside(candidates, search.question), top)
        if search.param.mode == "walk":
            passages = choose_windows(search, passages)
        passages = [name_section(self._db, passage) for passage in passages]
        trace.lap("passages")
        _describe_passages(search, candidates, passages)
        passages = put_definitions_first(search, passages)
        passages = put_pinned_first(search, passages)
        unknown = find_unknown_names(search)
        return RetrievalResult(
            question=search.question,
            mode=search.param.mode,
            passages=tuple(passages),
            entities=tuple(entities),
            relations=tuple(relations),
            weak=not search.param.pinned_chunk_ids and is_unrelated(search, passages, unknown),
            timings_ms=trace.timings_ms,
            notes=tuple(trace.notes),
            keywords=keywords,
            stages=tuple(trace.stages),
            meant=tuple(search.meant),
            unknown=tuple(unknown),
        )


def resolve_documents(db: Db, param: QueryParam) -> tuple[int, ...] | None:
    """Return the documents to search; None for all that are not set aside.

    Documents selected by id are searched even if they are set aside, those of collections are not.
    If both are given, the result is the intersection.
    """
    if param.collection_ids is None:
        return param.document_ids
    inside = collections.fetch_documents_of(db, param.collection_ids)
    if param.document_ids is None:
        return tuple(inside)
    return tuple(i for i in param.document_ids if i in set(inside))


# --- routes: full text, vectors, names ----------------------------------------------------------


def find_by_words(search: SearchState) -> Ranking:
    """Return (chunk id, BM25 score), best first.

    Chunks that contain the whole question as a phrase (a pasted quotation) come first.
    """
    db, ids = search.db, search.document_ids
    found = search_rows.search_words(db, build_match(search.question), N_CANDIDATES, ids)
    phrase = build_phrase(search.question)
    if phrase and " " in phrase.strip():
        exact = search_rows.search_words(db, phrase, 5, ids)
        top = found[0][1] if found else 0.0
        quoted = [(chunk_id, top + score + 1.0) for chunk_id, score in exact]
        seen = {chunk_id for chunk_id, _ in quoted}
        found = quoted + [item for item in found if item[0] not in seen]
    _record_route(search, "words", found)
    return found


def find_by_meaning(search: SearchState) -> dict[int, float]:
    """Return chunk id -> cosine of its best window, best first; sets `search.query_vec`.

    Empty, with a note in the trace, if there is no embedding model or the library was embedded
    with another one.
    """
    trace, embedder = search.trace, search.embedder
    model = search_rows.find_embedding_model(search.db)
    best: dict[int, float] = {}
    note = NO_MESSAGE
    if embedder is None or model is None:
        note = Message("no vectors: searched by words and names only")
    elif (embedder.name, embedder.dim) != model:
        note = Message("the library was embedded with another model: words and names only")
    if embedder is None or note:
        trace.notes.append(note)
        _describe_route(search, "meaning", ())
        return best
    n_windows, n_vectors = search_rows.count_searched_windows(search.db, search.document_ids)
    if n_windows > n_vectors:
        note = Message(
            "{n} passages have no vectors yet: searched by words and names",
            n=n_windows - n_vectors,
        )
        trace.notes.append(note)
        # What has no vector could not compete: while a Chinese novel was embedded, an English note
        # that had its vectors already was the best passage for each question about the novel.
        if search.param.mode == "walk" and 2 * n_vectors < n_windows:
            _describe_route(search, "meaning", ())
            return best
    if search.query_vec is None:
        search.query_vec = embedder.embed_query(search.question)
    trace.lap("embedding")
    search.windows = search_rows.search_vectors(
        search.db, search.query_vec, N_CANDIDATES, search.document_ids
    )
    for window_id, chunk_id, cosine in search.windows:
        if chunk_id not in best:
            best[chunk_id] = cosine
            trace.best_window[chunk_id] = window_id
    _record_route(search, "meaning", best.items())
    return best


def link_names(search: SearchState) -> None:
    """Find the library's names in the question: sets `linked`, `meant` and `rest`."""
    question = search.question
    search.linked = search.index.names.find(question)
    search.linked = link_transliterated_names(search)
    rest = question
    for start, end, _ in reversed(search.linked):
        rest = rest[:start] + rest[end:]
    search.rest = rest.strip()
    search.trace.lap("names")
    names: dict[int, str] = {e.id: e.name for e in search.fetch_entities(search.entity_ids)}
    labels = []
    for start, end, values in search.linked:
        words = question[start:end]
        found = [names.get(v, "") if v >= 0 else Message("a title") for v in values]
        meant = [f for f in dict.fromkeys(found) if f and f != words]
        if len(meant) == len(values) == 1 and values[0] >= 0:
            search.meant.append((words, meant[0]))
        labels.append(f"{words} → {', '.join(meant)}" if meant else words)
    search.trace.stage(
        "names", labels, note=NO_MESSAGE if labels else Message("no name of the library")
    )


MIN_FREQUENCY_SHARE = 0.1  # of the most frequent entity with the same transliteration
N_NEAR_PASSAGES = 12

_romanized_names: WeakKeyDictionary[NameFinder, RomanizedNames] = WeakKeyDictionary()
_latin_entity_ids: WeakKeyDictionary[NameFinder, frozenset[int]] = WeakKeyDictionary()


def link_transliterated_names(search: SearchState) -> list[LinkedName]:
    """Return the linked names with transliterated ones: Lu Zhishen is 鲁智深, 斯克鲁奇 is Scrooge.

    Romanizations of the library's Chinese names are computed at the first such question and cached
    as long as the index of names exists. Chinese transliterations of Latin names are ambiguous, so
    only names in the passages nearest to the question by vector search are candidates.
    """
    names = search.index.names
    if not search.index.scripts - {has_han(search.question)}:
        return search.linked  # all names are in the script of the question
    if is_latin(search.question):
        romanized = _romanized_names.get(names)
        if romanized is None:
            romanized = _romanized_names[names] = RomanizedNames(sorted(search.index.known))
        more = romanized.find(search.question)
    else:
        latin_ids = _latin_entity_ids.get(names)
        if latin_ids is None:
            latin_ids = frozenset(i for name, i in search.index.known if is_foreign(name))
            _latin_entity_ids[names] = latin_ids
        if not latin_ids:
            return search.linked
        near = graph_rows.fetch_named_in(search.db, list(islice(search.cosines, N_NEAR_PASSAGES)))
        ids = [i for i in dict.fromkeys(entity_id for _, entity_id, *_ in near) if i in latin_ids]
        known = graph_rows.fetch_name_counts(search.db, ids)
        phonetic = PhoneticNames([(name, entity_id) for entity_id, _, name, *_ in known])
        more = phonetic.find(search.question)
    taken = [(start, end) for start, end, _ in search.linked]
    added = []
    for start, end, values in more:
        if any(start < last and first < end for first, last in taken):
            continue
        uses = {value: len(search.index.chunks_of_entity.get(value, ())) for value in values}
        least = MIN_FREQUENCY_SHARE * max(uses.values())
        added.append((start, end, [value for value in values if uses[value] >= least]))
    return sorted([*search.linked, *added], key=lambda hit: hit[:2])


# --- passages ------------------------------------------------------------------------------------

MAX_DEFINITIONS = 2
MIN_COPY_OVERLAP = 0.4
N_GRAM_LETTERS = 8


def put_pinned_first(search: SearchState, passages: list[Passage]) -> list[Passage]:
    """Return the passages after the pinned ones, which get the score of the best."""
    pinned = search.param.pinned_chunk_ids
    if not pinned:
        return passages
    best = max((p.score for p in passages), default=1.0)
    ranked = [(int(chunk_id), best) for chunk_id in pinned]
    search.trace.found("pinned", ranked)
    first = build_passages(search.db, ranked, search.question, search.trace)
    return [*first, *(p for p in passages if p.chunk_id not in pinned)]


def put_definitions_first(search: SearchState, passages: list[Passage]) -> list[Passage]:
    """Return the passages after those that define the name of a question that asks who it is.

    They get the score of the best, and their best window is the sentence that defines the name. In
    a book the words of such a question are everywhere, and its meaning is near to none of them.
    """
    found, is_stated = _find_defining(search, passages)
    defining: dict[int, MentionRow] = {}
    for mention in found:
        defining.setdefault(mention.chunk_id, mention)
    if not defining:
        return passages
    value = STATED if is_stated else LIKELY
    search.trace.found(DEFINITION, [(chunk_id, value) for chunk_id in defining])
    best = max((p.score for p in passages), default=1.0)
    ranked = [(chunk_id, best) for chunk_id in defining]
    first = []
    for one in build_passages(search.db, ranked, search.question, search.trace):
        start, end = find_span(defining[one.chunk_id], one.text, one.start)
        first.append(name_section(search.db, replace(one, best_start=start, best_end=end)))
    return [*first, *(p for p in passages if p.chunk_id not in defining)]


def _find_defining(
    search: SearchState, passages: Sequence[Passage]
) -> tuple[list[MentionRow], bool]:
    """Return the sentences in scope that say who or what the question asks about.

    Also whether the text states it (see `find_defining`).
    """
    question, asked = search.question, find_asked_name(search.question)
    if asked is None or search.param.mode in ("naive", "words"):
        return [], False
    name = find_only_name(question, [(start, end) for start, end, _ in search.linked])
    if name is None:
        has_others = any(a < asked[1] and asked[0] < b for a, b, _ in search.linked)
        words = "" if has_others else question[slice(*asked)]
        return (find_in_passages(search.db, passages, words, question) if words else []), True
    ids = [i for start, end, found in search.linked if (start, end) == name for i in found]
    likely: list[MentionRow] = []
    stated: list[MentionRow] = []
    for entity in search.fetch_entities([i for i in ids if i >= 0]):
        places = search.index.chunks_of_entity.get(entity.id, ())
        chunk_ids = [int(search.index.chunk_ids[i]) for i in places if search.allowed[i]]
        found, is_stated = find_defining(search.db, entity, question[slice(*name)], chunk_ids)
        (stated if is_stated else likely).extend(found)
    return (stated or likely)[:MAX_DEFINITIONS], bool(stated)


def build_passages(db: Db, ranked: Ranking, question: str, trace: RetrievalTrace) -> list[Passage]:
    """Return ranked chunks as passages with text, offsets and best window.

    Without a window, the best span is the sentence with most words of the question.
    """
    known = search_rows.fetch_passages(db, [chunk_id for chunk_id, _ in ranked])
    chosen = [window_id for chunk_id, window_id in trace.best_window.items() if chunk_id in known]
    windows = search_rows.fetch_window_spans(db, chosen)
    wanted = features(question)
    passages = []
    for chunk_id, score in ranked:
        if chunk_id not in known:
            continue
        _, document_id, title, start, end, text, heading, page, label, n_chars = known[chunk_id]
        best = windows.get(trace.best_window.get(chunk_id, 0))
        if best is None:
            sentences = split_sentences(text, language_of(text[:200])) or [(0, len(text))]
            shared = {span: len(wanted & features(text[slice(*span)])) for span in sentences}
            first, last = max(sentences, key=lambda span: (shared[span], -span[0]))
            best = start + first, start + last
        page, label = find_page(db, document_id, best[0]) or (page, label)
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
                table=find_table_start(db, document_id, start, text),
                n_document_chars=n_chars,
            )
        )
    return passages


def name_section(db: Db, passage: Passage) -> Passage:
    """Return the passage with the section of its best window, which may begin inside it."""
    heading = search_rows.find_heading_inside(
        db, passage.document_id, passage.start, passage.best_start
    )
    if heading is None and passage.best_start < MOST_BEGINNING:
        heading = _find_printed_heading(db, passage)
    return passage if heading is None else replace(passage, heading=heading)


def _find_printed_heading(db: Db, passage: Passage) -> str | None:
    """Return a heading such as "Abstract" above a passage before the first section."""
    outline = sorted(fetch_outline(db, passage.document_id), key=lambda heading: heading.start)
    if not outline or find_section(outline, passage.best_start) > 0:
        return None
    text = fetch_beginning(db, passage.document_id, MOST_BEGINNING)
    above = [
        heading
        for heading in find_printed_headings(outline, text)
        if heading.start <= passage.best_start
    ]
    return above[-1].title if above else None


def drop_copies(passages: list[Passage], top: int) -> list[Passage]:
    """Return the first `top` passages that are not copies of an earlier one.

    A library often contains a book twice, as text and as PDF. Passages of two documents are copies
    if they share enough n-grams of letters; line breaks and punctuation are ignored. Tables of two
    years have the same words and other numbers: these are no copies.
    """
    kept: list[Passage] = []
    seen: list[tuple[int, set[str], set[str]]] = []
    for passage in passages:
        plain = "".join(c for c in passage.text.casefold() if c.isalnum())
        starts = range(max(1, len(plain) - N_GRAM_LETTERS + 1))
        n_grams = {plain[i : i + N_GRAM_LETTERS] for i in starts}
        numbers = set(_NUMBER.findall(passage.text))
        is_copy = any(
            document_id != passage.document_id
            and len(n_grams & others) > MIN_COPY_OVERLAP * min(len(n_grams), len(others))
            and not _differ_in_numbers(numbers, other_numbers)
            for document_id, others, other_numbers in seen
            if n_grams and others
        )
        if is_copy:
            continue
        kept.append(passage)
        seen.append((passage.document_id, n_grams, numbers))
        if len(kept) == top:
            break
    return kept


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
MIN_NUMBERS = 4  # a passage of a book has one or two: of its page, of a note
MIN_SHARED_NUMBERS = 0.8  # of the passage with fewer; what is read from scans has errors


def _differ_in_numbers(one: set[str], other: set[str]) -> bool:
    """Return whether two passages with several numbers have others."""
    fewer = min(len(one), len(other))
    return fewer >= MIN_NUMBERS and len(one & other) < MIN_SHARED_NUMBERS * fewer


N_RERANKED = 24
RERANK_BATCH = 4  # passages scored between two checks of the time
RERANK_LIMIT_S = 6.0


def rerank(
    search: SearchState,
    passages: list[Passage],
    find_reranker: Callable[[], Reranker | None],
    *,
    time_s: float = RERANK_LIMIT_S,
) -> list[Passage]:
    """Return the passages with the first `N_RERANKED` in the reranker's order.

    Those that were not scored in time follow in their old order. If the reranker fails, the order
    stays and a note is added to the trace.
    """
    if not search.param.enable_rerank or not passages:
        return passages
    started = time.monotonic()
    scored: list[tuple[float, int]] = []
    try:
        reranker = find_reranker()
        if reranker is None:
            return passages
        candidates = passages[:N_RERANKED]
        for i in range(0, len(candidates), RERANK_BATCH):
            if scored and time.monotonic() - started > time_s:
                break
            texts = [passage.text for passage in candidates[i : i + RERANK_BATCH]]
            scores = reranker.score(search.question, texts)
            scored += [(score, i + k) for k, score in enumerate(scores)]
    except AppError as error:
        search.trace.notes.append(Message("not reranked: {reason}", reason=error.full_message))
        return passages
    reranked = [
        replace(passages[i], routes=(*passages[i].routes, ("reranker", round(score, 4))))
        for score, i in sorted(scored, key=lambda pair: (-pair[0], pair[1]))
    ]
    is_complete = len(scored) == len(candidates)
    search.trace.stage(
        "reranker",
        [f"{p.title} {p.routes[-1][1]:.2f}" for p in reranked],
        [p.title for p in passages[len(scored) : N_RERANKED]],
        note=Message(reranker.name)
        if is_complete
        else Message("{name}: out of time", name=reranker.name),
    )
    search.trace.lap("reranker")
    return [*reranked, *passages[len(scored) :]]


# --- what each stage kept and dropped, for the inspection of an answer ---------------------------


def _record_route(search: SearchState, route: str, ranked: Iterable[tuple[int, float]]) -> None:
    name = route if route in ("words", "meaning") else f"{route} passages"
    search.trace.found(route, ranked)
    search.trace.lap(name)
    _describe_route(search, route, ranked)


def _describe_route(search: SearchState, name: str, ranked: Iterable[tuple[int, float]]) -> None:
    """Record the first passages of a route with their scores."""
    top = list(islice(ranked, MAX_SHOWN_PASSAGES))
    labels = search_rows.fetch_chunk_labels(search.db, [chunk_id for chunk_id, _ in top])
    kept = [f"{labels.get(c, '?')} {score:.3g}" for c, score in top]
    search.trace.stage(name, kept, note=NO_MESSAGE if kept else Message("nothing found"))


def _describe_graph(
    search: SearchState,
    found: GraphFound,
    entities: Sequence[EntityRow],
    relations: Sequence[RelationRow],
) -> None:
    """Record the chosen entities and relations with cosines, and the next ones that were cut."""
    note = Message("at most {n}", n=search.param.top_k)
    cut: list[EntityRow] = []
    if search.allowed.all():
        cut = graph_rows.fetch_entities(search.db, list(found.cut_entities)[:MAX_SHOWN_PASSAGES])
    search.trace.stage(
        "entities",
        [f"{e.name} {found.entities[e.id]:.2f}" for e in entities],
        [f"{e.name} {found.cut_entities[e.id]:.2f}" for e in cut],
        note=note,
    )
    scores = ((r, found.relations[r.source_id, r.target_id]) for r in relations)
    labels = [f"{r.source} – {r.target} {score:.2f}" for r, score in scores]
    search.trace.stage("relations", labels, note=note)


def _describe_passages(
    search: SearchState, built: Sequence[Passage], kept: Sequence[Passage]
) -> None:
    """Record the passages that are returned, and the copies that were dropped."""
    given = {p.chunk_id for p in kept}
    ids: list[int] = [p.chunk_id for p in built]
    reached = ids.index(kept[-1].chunk_id) if kept else len(ids)
    copies = [p for p in built[:reached] if p.chunk_id not in given]
    search.trace.stage(
        "passages",
        [f"{p.title} · {p.start} {p.score:.2f}" for p in kept],
        [f"{p.title} · {p.start} {p.score:.2f}" for p in copies],
        note=Message("repeated passages are left out") if copies else NO_MESSAGE,
    )
