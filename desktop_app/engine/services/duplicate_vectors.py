"""The vectors of names with what is said of them, made a few seconds' worth at a time.

Owns the vectors it made, in memory, by what was embedded: a text that is the same is not embedded
again. The names of most mentions come first; the rest follow when the desk looks again.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ..models.protocols import Embedder
from ..store import graph
from ..store.db import Db

_BATCH = 16
_MOST_CHARS = 300
_LEAST_MENTIONS = 2


class NameVectors:
    """Gives a row of length 1 for each entity, a row of zeros where there is none yet.

    Args:
        find_embedder: gives the embedding model, None where none is installed.
        budget_s: how long one call may embed.
    """

    def __init__(
        self, db: Db, find_embedder: Callable[[], Embedder | None], budget_s: float = 2.0
    ) -> None:
        self._db, self._find_embedder, self._budget_s = db, find_embedder, budget_s
        self._made: dict[str, np.ndarray] = {}
        self._model = ""

    def __call__(self, entity_ids: list[int]) -> np.ndarray | None:
        """Return (N, D) float32, rows as the ids are given, or None without a model."""
        embedder = self._find_embedder()
        if embedder is None:
            return None
        if embedder.name != self._model:
            self._made, self._model = {}, embedder.name
        texts: dict[int, str] = {}
        for row in sorted(
            graph.fetch_entities(self._db, entity_ids), key=lambda row: -row.n_mentions
        ):
            if row.n_mentions >= _LEAST_MENTIONS and row.description:
                said = " ".join(row.description.split())[:_MOST_CHARS]
                texts[row.id] = f"{row.name}: {said}"
        self._embed(embedder, [text for text in texts.values() if text not in self._made])
        kept = set(texts.values())
        self._made = {text: vector for text, vector in self._made.items() if text in kept}
        rows = np.zeros((len(entity_ids), embedder.dim), dtype=np.float32)
        for number, entity_id in enumerate(entity_ids):
            vector = self._made.get(texts.get(entity_id, ""))
            if vector is not None:
                rows[number] = vector
        return rows

    def _embed(self, embedder: Embedder, texts: list[str]) -> None:
        until = time.monotonic() + self._budget_s
        for start in range(0, len(texts), _BATCH):
            if time.monotonic() > until:
                return
            part = texts[start : start + _BATCH]
            self._made.update(zip(part, embedder.embed_passages(part), strict=True))
