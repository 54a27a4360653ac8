"""Quantized copy of all window vectors in memory, to preselect candidates for exact search.

Each vector is stored minus the mean of all (models shift all vectors the same way) with one byte
per dimension. Its cosines are right to about 0.001; the caller compares the candidates exactly.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from .db import Db
from .library_settings import find_embedding_model

N_SAMPLE = 4096  # vectors used for the mean and the scale
_READ = 8192  # rows read at once
_BLOCK = 1024  # rows compared at once: they fit into the cache, and BLAS starts no threads
_kept: WeakKeyDictionary[Db, VectorSketch] = WeakKeyDictionary()


class VectorSketch:
    """The quantized vectors of one library, per connection.

    Attributes:
        window_ids, document_ids: int64, shape (N,), by window id.
    """

    def __init__(self, db: Db, version: tuple[Any, ...]) -> None:
        self.version = version
        sample = fetch_sample(db, N_SAMPLE)
        self._mean = sample.mean(axis=0)
        # Values beyond six deviations are clipped, which is rare and has little effect.
        self._scale = 127.0 / (6.0 * float((sample - self._mean).std()) or 1.0)
        self.window_ids = np.zeros(0, dtype=np.int64)
        self.document_ids = np.zeros(0, dtype=np.int64)
        self._bytes = np.zeros((0, len(self._mean)), dtype=np.int8)
        self._last = b""
        self._read(db)

    def update(self, db: Db, version: tuple[Any, ...]) -> bool:
        """Read the vectors added at the end; False if others were added or deleted."""
        if not len(self.window_ids):
            return False
        last = int(self.window_ids[-1])
        same = db.value("SELECT vector FROM embedding WHERE window_id = ?", (last,)) == self._last
        if not same or len(self.window_ids) != db.value(
            "SELECT count(*) FROM embedding WHERE window_id <= ?", (last,)
        ):
            return False
        self.version = version
        self._read(db, last)
        return True

    def _read(self, db: Db, after: int = -1) -> None:
        ids, documents, small = [self.window_ids], [self.document_ids], [self._bytes]
        while rows := db.rows(
            "SELECT e.window_id, w.document_id, e.vector FROM embedding e"
            " JOIN window w ON w.id = e.window_id WHERE e.window_id > ?"
            " ORDER BY e.window_id LIMIT ?",
            (after, _READ),
        ):
            after, self._last = rows[-1][0], rows[-1][2]
            flat = np.frombuffer(b"".join(r[2] for r in rows), dtype=np.float32)
            centred = flat.reshape(len(rows), -1) - self._mean
            ids.append(np.array([r[0] for r in rows], dtype=np.int64))
            documents.append(np.array([r[1] for r in rows], dtype=np.int64))
            centred *= self._scale
            small.append(np.rint(centred).clip(-127, 127).astype(np.int8))
        if len(ids) > 1:
            self.window_ids, self.document_ids = np.concatenate(ids), np.concatenate(documents)
            self._bytes = np.concatenate(small)

    def choose(
        self,
        query_vec: np.ndarray,
        limit: int,
        *,
        only: Collection[int] | None = None,
        without: Collection[int] = (),
    ) -> list[int]:
        """Return up to `limit` ids of the windows most similar to a vector, approximately.

        Args:
            only: documents to choose from, None for all but `without`.
        """
        if only is not None:
            rows = np.flatnonzero(np.isin(self.document_ids, list(only)))
        elif without:
            rows = np.flatnonzero(~np.isin(self.document_ids, list(without)))
        else:
            rows = np.arange(len(self.window_ids))
        if len(rows) > limit:
            near = self._compare(query_vec, rows)
            rows = rows[np.argpartition(-near, limit)[:limit]]
        chosen: list[int] = self.window_ids[rows].tolist()
        return chosen

    def _compare(self, query_vec: np.ndarray, rows: np.ndarray) -> np.ndarray:
        near = np.empty(len(rows), dtype=np.float32)
        whole = len(rows) == len(self._bytes)
        for i in range(0, len(rows), _BLOCK):
            end = i + _BLOCK
            block = self._bytes[i:end] if whole else self._bytes[rows[i:end]]
            near[i:end] = block.astype(np.float32) @ query_vec
        return near


def ensure_sketch(db: Db) -> VectorSketch:
    """Return the up-to-date sketch of a library's vectors, created on the first call."""
    version = find_embedding_model(db), db.value("SELECT vectors_version FROM library_state")
    kept = _kept.get(db)
    if kept is None or (
        kept.version != version and (kept.version[0] != version[0] or not kept.update(db, version))
    ):
        kept = _kept[db] = VectorSketch(db, version)
    return kept


def fetch_sample(db: Db, n_sample: int) -> np.ndarray:
    """Return vectors spread over the library, float32, shape (about n_sample, D).

    Shape (0, 0) where nothing is embedded.
    """
    # Single queries use the index; one combined query would scan the whole table.
    first = db.value("SELECT min(window_id) FROM embedding")
    last = db.value("SELECT max(window_id) FROM embedding")
    if first is None:
        return np.zeros((0, 0), dtype=np.float32)
    wanted = np.unique(np.linspace(first, last, n_sample).astype(np.int64)).tolist()
    rows = db.rows(
        f"SELECT vector FROM embedding WHERE window_id IN ({','.join(map(str, wanted))})"
    )
    flat = np.frombuffer(b"".join(r[0] for r in rows), dtype=np.float32)
    return flat.reshape(len(rows), -1)
