"""One search on its way: the question, where it may look, and what the first routes found."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..llm.protocols import Embedder
from ..model import Stage
from ..query import QueryParam
from ..store.db import Db
from .index import RetrievalIndex
from .scoped_graph import ScopedGraphReader

MOST_LABELS = 40  # of each kind in a stage; the inspector shows no more


@dataclass
class RetrievalTrace:
    """What a question found on its way; `best_window` maps a chunk to its best window's id.

    `routes` has chunk id -> score for every route, in the order they were taken.
    """

    timings_ms: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    routes: dict[str, dict[int, float]] = field(default_factory=dict)
    best_window: dict[int, int] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)
    _since: float = field(default_factory=time.perf_counter)
    _stage_since: float = field(default_factory=time.perf_counter)

    def lap(self, step: str) -> None:
        now = time.perf_counter()
        passed = self.timings_ms.get(step, 0.0) + (now - self._since) * 1000
        self.timings_ms[step] = round(passed, 2)
        self._since = now

    def found(self, route: str, scores: Iterable[tuple[int, float]]) -> None:
        """Note the chunks that a route found, with the route's own scores."""
        self.routes.setdefault(route, {}).update(scores)

    def routes_to(self, chunk_id: int) -> tuple[tuple[str, float], ...]:
        """Return (route, score) of every route that found a chunk."""
        return tuple(
            (route, round(float(scores[chunk_id]), 4))
            for route, scores in self.routes.items()
            if chunk_id in scores
        )

    def stage(
        self, name: str, kept: Iterable[str], dropped: Iterable[str] = (), note: str = ""
    ) -> None:
        """Note what a step kept and dropped; its time is what passed since the last stage."""
        now = time.perf_counter()
        passed, self._stage_since = now - self._stage_since, now
        self.stages.append(
            Stage(
                name,
                tuple(kept)[:MOST_LABELS],
                tuple(dropped)[:MOST_LABELS],
                round(passed * 1000, 2),
                note,
            )
        )


N_CANDIDATES = 200

LinkedName = tuple[int, int, list[int]]  # start, end, entities (or minus a document) so named


@dataclass
class SearchState:
    """What every ranking may use.

    Attributes:
        document_ids: look only in these; None for all that are not set aside.
        allowed: which rows of the index may be found, bool, shape (n_chunks,).
        linked: the question's names that the library knows.
        meant: (name in the question, name in the library) where these differ.
        rest: the question without those names.
        words: (chunk id, BM25 score), best first.
        cosines: chunk id -> cosine of its best window, best first.
        windows: (window id, chunk id, cosine) nearest the question, best first.
        query_vec: float32, shape (D,); None without vectors.
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

    @cached_property
    def telling(self) -> ScopedGraphReader:
        """What tells of entities and relations by the allowed documents only."""
        if self.allowed.all():
            return ScopedGraphReader(self.db, None)
        return ScopedGraphReader(self.db, frozenset(self.index.documents[self.allowed].tolist()))

    @property
    def entity_ids(self) -> list[int]:
        """The entities named in the question, in reading order."""
        return list(dict.fromkeys(i for _, _, found in self.linked for i in found if i >= 0))
