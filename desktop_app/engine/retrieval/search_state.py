"""State of one search: the question, its scope, the results of the first routes, and the trace.

Also score fusion, which the routes share.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

import numpy as np

from ..llm.protocols import Embedder
from ..messages import NO_MESSAGE, Message
from ..model import EntityRow, RelationRow, Stage
from ..query import QueryParam
from ..store import graph as graph_rows
from ..store import search as search_rows
from ..store.db import Db
from .index import RetrievalIndex
from .scoped_graph import ScopedGraphReader

N_MEAN_SAMPLE = 256
MAX_LABELS = 40  # kept and dropped labels of a stage; the inspector shows no more


@dataclass
class RetrievalTrace:
    """Timings, notes, stages and scores by route, recorded for the answer's inspection.

    Attributes:
        routes: route -> chunk id -> score, in the order in which the routes ran.
        best_window: chunk id -> id of its best window.
    """

    timings_ms: dict[str, float] = field(default_factory=dict)
    notes: list[Message] = field(default_factory=list)
    routes: dict[str, dict[int, float]] = field(default_factory=dict)
    best_window: dict[int, int] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)
    _since: float = field(default_factory=time.perf_counter)
    _stage_since: float = field(default_factory=time.perf_counter)

    def lap(self, step: str) -> None:
        """Add the time since the last call to the timing of `step`."""
        now = time.perf_counter()
        elapsed = self.timings_ms.get(step, 0.0) + (now - self._since) * 1000
        self.timings_ms[step] = round(elapsed, 2)
        self._since = now

    def found(self, route: str, scores: Iterable[tuple[int, float]]) -> None:
        """Record the chunks that a route found, with the route's scores."""
        self.routes.setdefault(route, {}).update(scores)

    def routes_to(self, chunk_id: int) -> tuple[tuple[str, float], ...]:
        """Return (route, score) of every route that found a chunk."""
        return tuple(
            (route, round(float(scores[chunk_id]), 4))
            for route, scores in self.routes.items()
            if chunk_id in scores
        )

    def stage(
        self,
        name: str,
        kept: Iterable[str],
        dropped: Iterable[str] = (),
        note: Message = NO_MESSAGE,
    ) -> None:
        """Record what a step kept and dropped, with the time since the last stage."""
        now = time.perf_counter()
        elapsed, self._stage_since = now - self._stage_since, now
        self.stages.append(
            Stage(
                name,
                tuple(kept)[:MAX_LABELS],
                tuple(dropped)[:MAX_LABELS],
                round(elapsed * 1000, 2),
                note,
            )
        )


class Leading(Enum):
    """Which documents a question is about: those in its language, the others, or both."""

    OWN = "own"
    OTHER = "other"
    BOTH = "both"


LinkedName = tuple[int, int, list[int]]  # start, end, entity ids (or negative document ids)


@dataclass
class SearchState:
    """The question, its scope and the results so far, shared by all strategies.

    Attributes:
        document_ids: search only in these; None for all that are not set aside.
        allowed: which rows of the index are in scope, bool, shape (n_chunks,).
        linked: names in the question that the library contains, in reading order.
        meant: (name in the question, name in the library) where these differ.
        rest: the question without those names.
        words: (chunk id, BM25 score), best first.
        cosines: chunk id -> cosine of its best window, best first.
        windows: (window id, chunk id, cosine) nearest the question, best first.
        query_vec: float32, shape (D,); None without vectors.
        compared_ids: the documents whose vectors have the mean of `mean_vec`; None for all.
        parts: the searches in each language, the question's first, where they were ranked apart.
        leading: which of these parts the question is about.
        rest_vec: the same for the question without its names (those in lower case stay); None
            unless passages of books were compared with it.
    """

    question: str
    param: QueryParam
    db: Db
    index: RetrievalIndex
    document_ids: tuple[int, ...] | None
    allowed: np.ndarray
    embedder: Embedder | None = None
    trace: RetrievalTrace = field(default_factory=RetrievalTrace)
    linked: list[LinkedName] = field(default_factory=list)
    meant: list[tuple[str, str]] = field(default_factory=list)
    rest: str = ""
    words: list[tuple[int, float]] = field(default_factory=list)
    cosines: dict[int, float] = field(default_factory=dict)
    windows: list[tuple[int, int, float]] = field(default_factory=list)
    query_vec: np.ndarray | None = None
    rest_vec: np.ndarray | None = None
    compared_ids: tuple[int, ...] | None = None
    parts: tuple[SearchState, ...] = ()
    leading: Leading = Leading.OWN

    @cached_property
    def _scoped_reader(self) -> ScopedGraphReader | None:
        """Reads entities and relations as the documents in scope describe them; None for all."""
        if self.allowed.all():
            return None
        return ScopedGraphReader(self.db, frozenset(self.index.documents[self.allowed].tolist()))

    @cached_property
    def mean_vec(self) -> np.ndarray:
        """The mean vector of all texts in the language of those that are searched."""
        return search_rows.fetch_mean_vector(self.db, N_MEAN_SAMPLE, self.compared_ids)

    def fetch_entities(self, entity_ids: Sequence[int]) -> list[EntityRow]:
        """Return the entities that the documents in scope mention, in the given order."""
        ids = list(dict.fromkeys(entity_ids))
        reader = self._scoped_reader
        return reader.entities(ids) if reader else graph_rows.fetch_entities(self.db, ids)

    def fetch_relations(self, pairs: Sequence[tuple[int, int]]) -> list[RelationRow]:
        """Return the relations with evidence in the documents in scope, in the given order."""
        pairs = list(dict.fromkeys(pairs))
        ids = graph_rows.find_relation_ids(self.db, pairs)
        found = graph_rows.fetch_relation_rows(self.db, [ids[p] for p in pairs if p in ids])
        reader = self._scoped_reader
        return reader.describe_relations(found) if reader else found

    @property
    def entity_ids(self) -> list[int]:
        """Entities named in the question, in reading order."""
        return list(dict.fromkeys(i for _, _, found in self.linked for i in found if i >= 0))


def fuse_scores(
    words: list[tuple[int, float]], cosines: dict[int, float], *, word_share: float = 0.5
) -> dict[int, float]:
    """Return chunk id -> fused score, 0 to 1.

    Both routes are scaled to 0..1; BM25 has the weight `word_share`, vectors have the rest.

    Args:
        words: (chunk id, BM25 score), best first.
        cosines: chunk id -> cosine with the question.
    """
    scores: dict[int, float] = {}
    if words:
        top = words[0][1] or 1.0
        for chunk_id, score in words:
            scores[chunk_id] = word_share * score / top
    if cosines:
        high, low = max(cosines.values()), min(cosines.values())
        spread = (high - low) or 1.0
        for chunk_id, value in cosines.items():
            scores[chunk_id] = scores.get(chunk_id, 0.0) + (
                (1.0 - word_share) * (value - low) / spread
            )
    return scores


def scale_to_unit(values: dict[int, float]) -> dict[int, float]:
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    spread = (high - low) or 1.0
    return {key: (value - low) / spread for key, value in values.items()}
