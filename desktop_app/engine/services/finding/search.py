"""One search on its way: the question, where it may look, and what the first routes found."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...models.protocols import Embedder
from ...query import QueryParam
from ...store.db import Db
from .index import FindingIndex
from .retelling import Telling
from .trace import Trace

N_CANDIDATES = 200

LinkedName = tuple[int, int, list[int]]  # start, end, entities (or minus a document) so named


@dataclass
class Search:
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
    index: FindingIndex
    document_ids: tuple[int, ...] | None
    allowed: np.ndarray
    embedder: Embedder | None = None
    trace: Trace = field(default_factory=Trace)
    linked: list[LinkedName] = field(default_factory=list)
    meant: list[tuple[str, str]] = field(default_factory=list)
    rest: str = ""
    words: list[tuple[int, float]] = field(default_factory=list)
    cosines: dict[int, float] = field(default_factory=dict)
    windows: list[tuple[int, int, float]] = field(default_factory=list)
    query_vec: np.ndarray | None = None

    @cached_property
    def telling(self) -> Telling:
        """What tells of entities and relations by the allowed documents only."""
        if self.allowed.all():
            return Telling(self.db, None)
        return Telling(self.db, frozenset(self.index.documents[self.allowed].tolist()))

    @property
    def entity_ids(self) -> list[int]:
        """The entities named in the question, in reading order."""
        return list(dict.fromkeys(i for _, _, found in self.linked for i in found if i >= 0))
