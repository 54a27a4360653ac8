"""Finding passages for a question: linked names, words, meaning, and a walk that joins them.

Two kinds of text want two rankings. Short texts with a title of their own (encyclopedia
articles, notes) are reached by walking from name to name; passages of a book, where one name is
everywhere, are ranked by their best window among those that name who is asked about. Each chunk
gets the ranking of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np

from ..graph.question_words import asks_who, expand_question
from ..models.protocols import Embedder
from ..store import graph as graph_rows
from ..store import search
from ..store.db import Db
from ..store.tokens import build_match, build_phrase
from ..types import Found
from .finding_index import FindingIndex, build_index
from .fusing import fuse, lift_neighbours
from .introducing import choose_introductions
from .passages import build_passages, drop_copies
from .trace import Trace

MODES = ("walk", "naive", "words")
N_CANDIDATES = 200
N_SEED_CHUNKS = 2
N_INTRODUCTIONS = 3
INTRODUCTION_SHARE = 0.3
COPIES = 4  # how many copies of a book a library may hold before they crowd the list
EXPANDED_SHARE = 0.75  # of the words an answer may be told in, among a book's own passages
RESTART = 0.3
NAME_SHARE = 0.3
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

    def find(
        self,
        question: str,
        *,
        mode: str = "walk",
        top: int = 10,
        document_ids: Collection[int] | None = None,
    ) -> Found:
        """Return the passages that bear on a question, best first.

        Args:
            mode: `walk` (names, words and meaning together), `naive` (meaning), `words` (BM25).
            document_ids: look only in these; None for all that are not set aside.
        """
        question = question.strip()
        trace = Trace()
        index = self._fresh_index()
        trace.lap("index")
        words = self._by_words(question, document_ids, trace)
        cosines = {} if mode == "words" else self._by_meaning(question, document_ids, trace)
        entity_ids: list[int] = []
        if mode == "words" or (mode == "naive" and not cosines):
            ranked = words
        elif mode == "naive":
            ranked = sorted(cosines.items(), key=lambda item: (-item[1], item[0]))
        else:
            linked = index.names.find(question)
            trace.rest = _without(question, linked)
            entity_ids = list(dict.fromkeys(i for _, _, found in linked for i in found if i >= 0))
            trace.lap("names")
            ranked = self._walk(question, index, linked, words, cosines, document_ids, trace)
        passages = drop_copies(
            build_passages(self._db, ranked[: COPIES * top], question, trace), top
        )
        trace.lap("passages")
        best_cosine = max(cosines.values(), default=0.0)
        entities = graph_rows.fetch_entities(self._db, entity_ids)[:12]
        return Found(
            question=question,
            mode=mode,
            passages=tuple(passages),
            entities=tuple(entities),
            relations=tuple(self._relations(entities)),
            weak=not passages or (bool(cosines) and best_cosine < WEAK_COSINE and not words),
            timings_ms=trace.timings_ms,
            notes=tuple(trace.notes),
        )

    # --- routes ------------------------------------------------------------------------------

    def _by_words(
        self, question: str, document_ids: Collection[int] | None, trace: Trace
    ) -> list[tuple[int, float]]:
        found = search.search_words(self._db, build_match(question), N_CANDIDATES, document_ids)
        phrase = build_phrase(question)
        if phrase and " " in phrase.strip():  # a quotation pasted in: the exact place comes first
            exact = search.search_words(self._db, phrase, 5, document_ids)
            top = found[0][1] if found else 0.0
            quoted = [(chunk_id, top + score + 1.0) for chunk_id, score in exact]
            seen = {chunk_id for chunk_id, _ in quoted}
            found = quoted + [item for item in found if item[0] not in seen]
        for chunk_id, score in found:
            trace.found(chunk_id, "words", score)
        trace.lap("words")
        return found

    def _by_meaning(
        self, question: str, document_ids: Collection[int] | None, trace: Trace
    ) -> dict[int, float]:
        """Return chunk id -> cosine of its best window, best first."""
        model = search.embedding_model(self._db)
        embedder = self._find_embedder() if model else None
        if embedder is None or model is None:
            trace.notes.append("no vectors: searched by words and names only")
            return {}
        if (embedder.name, embedder.dim) != model:
            trace.notes.append("the library was embedded with another model: words and names only")
            return {}
        trace.query_vec = embedder.embed_query(question)
        trace.lap("embedding")
        best: dict[int, float] = {}
        for window_id, chunk_id, cosine in search.search_vectors(
            self._db, trace.query_vec, N_CANDIDATES, document_ids
        ):
            if chunk_id not in best:
                best[chunk_id] = cosine
                trace.found(chunk_id, "meaning", cosine)
                trace.best_window[chunk_id] = window_id
        trace.lap("meaning")
        return best

    def _walk(
        self,
        question: str,
        index: FindingIndex,
        linked: list[tuple[int, int, list[int]]],
        words: list[tuple[int, float]],
        cosines: dict[int, float],
        document_ids: Collection[int] | None,
        trace: Trace,
    ) -> list[tuple[int, float]]:
        allowed = self._allowed(index, document_ids)
        fused = fuse(words, cosines)
        name_seeds: dict[int, float] = {}
        named_chunks: dict[int, float] = {}
        for _, _, found in linked:
            for value in found:
                node = index.node_of_entity.get(value)
                if node is None:
                    continue
                chunks = index.chunks_of_entity[value]
                rarity = 1.0 / np.log2(2.0 + len(chunks))
                name_seeds[node] = max(name_seeds.get(node, 0.0), rarity / len(found))
                for position in chunks:
                    named_chunks[int(position)] = named_chunks.get(int(position), 0.0) + 1.0
        seeds = sorted(fused, key=lambda c: (-fused[c], c))[:N_SEED_CHUNKS]
        mass = index.walk.rank(
            {index.position[c]: fused[c] ** 2 for c in seeds if c in index.position},
            name_seeds,
            restart=RESTART,
            name_share=NAME_SHARE,
        )
        trace.lap("walk")
        scoped = self._scope(index, named_chunks, cosines, trace)
        told = self._fuse_told(question, cosines, document_ids) or fused
        scores: dict[int, float] = {}
        top_mass = mass[allowed & index.titled].max(initial=0.0) or 1.0
        for position in np.flatnonzero(allowed & index.titled & (mass > 0.0)):
            chunk_id = int(index.chunk_ids[position])
            scores[chunk_id] = float(mass[position] / top_mass)
            trace.found(chunk_id, "walk", mass[position])
        n_names = max(1, len(linked))
        for chunk_id in fused.keys() | scoped.keys() | told.keys():
            position = index.position.get(chunk_id)
            if position is None or not allowed[position]:
                continue
            if index.titled[position]:
                # What the walk did not reach comes after what it did, in the order of search.
                scores.setdefault(chunk_id, 0.001 * fused.get(chunk_id, 0.0))
                continue
            names = min(1.0, named_chunks.get(position, 0.0) / n_names)
            scores[chunk_id] = (
                0.45 * scoped.get(chunk_id, 0.0) + 0.3 * told.get(chunk_id, 0.0) + 0.25 * names
            )
        lift_neighbours(scores, index)
        if asks_who(question):
            self._lift_introductions(scores, index, linked)
        trace.lap("ranking")
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))

    def _lift_introductions(
        self, scores: dict[int, float], index: FindingIndex, linked: list
    ) -> None:
        """Bring forward where a book introduces who is asked about."""
        for value in {v for _, _, found in linked for v in found if v > 0}:
            best = graph_rows.fetch_best_mentions(self._db, value, 12)
            for mention in choose_introductions(best, N_INTRODUCTIONS, lambda m: m.sentence):
                position = index.position.get(mention.chunk_id)
                if mention.chunk_id in scores and not index.titled[position]:
                    scores[mention.chunk_id] += INTRODUCTION_SHARE

    def _fuse_told(
        self,
        question: str,
        cosines: dict[int, float],
        document_ids: Collection[int] | None,
    ) -> dict[int, float]:
        """Return chunk id -> 0..1 with the words added that a story may tell the answer in.

        Empty where the question's kind is not known, hence no words are added.
        """
        expanded = expand_question(question)
        if not expanded:
            return {}
        match = build_match(expanded)
        return fuse(search.search_words(self._db, match, N_CANDIDATES, document_ids), cosines)

    def _scope(
        self,
        index: FindingIndex,
        named_chunks: dict[int, float],
        cosines: dict[int, float],
        trace: Trace,
    ) -> dict[int, float]:
        """Return chunk id -> 0..1, the best window of book passages that name who is meant.

        All of them name who is asked about, so what counts is the rest of the question: it is
        compared without the name, with the words that stories tell such answers in.
        """
        book = [p for p in named_chunks if not index.titled[p]]
        if not book or not cosines:
            return {}
        most = max(named_chunks[p] for p in book)
        # Passages that name everyone asked about, or all of them if these are few.
        inner = [p for p in book if named_chunks[p] == most]
        chosen = inner if len(inner) >= 8 else book
        spans, vectors = search.fetch_window_vectors(
            self._db, [int(index.chunk_ids[p]) for p in chosen]
        )
        if not spans:
            return {}
        values = vectors @ trace.query_vec
        embedder = self._find_embedder()
        if embedder is not None and (expanded := expand_question(trace.rest)):
            told = vectors @ embedder.embed_query(expanded)
            values = (1.0 - EXPANDED_SHARE) * values + EXPANDED_SHARE * told
        best: dict[int, float] = {}
        for (window_id, chunk_id, _, _), value in zip(spans, values, strict=True):
            if value > best.get(chunk_id, -1.0):
                best[chunk_id] = float(value)
                trace.best_window[chunk_id] = window_id
        low, high = min(best.values()), max(best.values())
        spread = (high - low) or 1.0
        for chunk_id, value in best.items():
            trace.found(chunk_id, "names", value)
        trace.lap("scope")
        return {chunk_id: (value - low) / spread for chunk_id, value in best.items()}

    def _relations(self, entities: list) -> list:
        if not entities:
            return []
        among = graph_rows.fetch_relations_among(self._db, [e.id for e in entities])
        own = graph_rows.fetch_relations(self._db, entities[0].id, 8)
        return list({r.id: r for r in (*among, *own)}.values())[:12]

    # --- index ------------------------------------------------------------------------------------

    def _allowed(self, index: FindingIndex, document_ids: Collection[int] | None) -> np.ndarray:
        if document_ids is None:
            aside = [r[0] for r in self._db.rows("SELECT id FROM document WHERE set_aside = 1")]
            return ~np.isin(index.documents, aside)
        return np.isin(index.documents, list(document_ids))

    def _fresh_index(self) -> FindingIndex:
        version = search.content_version(self._db)
        if self._index is None or self._index.version != version:
            self._index = build_index(self._db, version)
        return self._index


def _without(question: str, linked: list[tuple[int, int, list[int]]]) -> str:
    """Return the question with its names taken out."""
    for start, end, _ in reversed(linked):
        question = question[:start] + question[end:]
    return question.strip()
