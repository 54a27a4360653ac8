"""A personalised walk over chunks and entities: ranks chunks that names lead to from a few seeds.

Arrays in, arrays out. After the personalised PageRank of HippoRAG (Gutiérrez et al. 2024), on
the bipartite graph of chunks and the names that stand in them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy import sparse

TITLE_WEIGHT = 8.0  # how much more a chunk's own title ties it to a name than a mention does
N_STEPS = 12  # with a restart of 0.3, what comes later is one part in seventy
FAINT = 1e-6  # shares of the walk too small to be followed: keeps it near its seeds


class PageRankGraph:
    """Chunks and names as one bipartite graph, ready to be walked.

    From a chunk the walk rather goes on to a rare name than to one that is everywhere.

    Args:
        links: (chunk index, name index) pairs, int64, shape (L, 2); doubles add up.
        weights: strength of each link, float, shape (L,).
        n_chunks, n_names: sizes of both sides.
    """

    def __init__(self, links: np.ndarray, weights: np.ndarray, n_chunks: int, n_names: int) -> None:
        matrix = sparse.csr_array(
            (weights.astype(np.float32), (links[:, 0], links[:, 1])), shape=(n_chunks, n_names)
        )
        matrix.sum_duplicates()
        self.n_chunks, self.n_names = n_chunks, n_names
        by_name = matrix.T.tocsr()
        rarity = 1.0 / np.log2(2.0 + np.diff(by_name.indptr))
        matrix.data *= rarity[matrix.indices].astype(np.float32)
        self._names_of_chunk = _normalise_rows(matrix)
        self._chunks_of_name = _normalise_rows(by_name)

    def rank(
        self,
        chunk_seeds: Mapping[int, float],
        name_seeds: Mapping[int, float],
        *,
        restart: float = 0.3,
        name_share: float = 0.3,
        n_steps: int = N_STEPS,
    ) -> np.ndarray:
        """Return how much of the walk rests on each chunk, float32, shape (n_chunks,).

        Args:
            chunk_seeds, name_seeds: index -> weight (any scale); where the walk restarts.
            restart: probability of going back to a seed at each step.
            name_share: part of the restarts on names, if both kinds of seed are given.
        """
        seed_chunks = _distribution(chunk_seeds, self.n_chunks)
        seed_names = _distribution(name_seeds, self.n_names)
        if not seed_chunks.any() and not seed_names.any():
            return np.zeros(self.n_chunks, dtype=np.float32)
        if not seed_chunks.any():
            name_share = 1.0
        elif not seed_names.any():
            name_share = 0.0
        seed_chunks *= restart * (1.0 - name_share)
        seed_names *= restart * name_share
        chunks, names = seed_chunks / restart, seed_names / restart
        for _ in range(n_steps):
            chunks, names = (
                seed_chunks + (1.0 - restart) * _step(self._chunks_of_name, names),
                seed_names + (1.0 - restart) * _step(self._names_of_chunk, chunks),
            )
        return chunks


def _step(matrix: sparse.csr_array, share: np.ndarray) -> np.ndarray:
    """Return where a walk goes from the rows that hold more than a faint share of it."""
    active = np.flatnonzero(share > FAINT)
    return matrix[active].T @ share[active]


def _normalise_rows(matrix: sparse.csr_array) -> sparse.csr_array:
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    sums[sums == 0.0] = 1.0
    data = matrix.data / np.repeat(sums, np.diff(matrix.indptr))
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def _distribution(seeds: Mapping[int, float], size: int) -> np.ndarray:
    values = np.zeros(size, dtype=np.float32)
    for index, weight in seeds.items():
        values[index] += weight
    total = values.sum()
    return values / total if total > 0.0 else values
