"""A personalised walk over chunks and entities: ranks chunks that names lead to from a few seeds.

Arrays in, arrays out. After the personalised PageRank of HippoRAG (Gutiérrez et al. 2024), on
the bipartite graph of chunks and the names that stand in them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy import sparse

TITLE_WEIGHT = 8.0  # how much more a chunk's own title ties it to a name than a mention does


class WalkGraph:
    """Chunks and names as one bipartite graph, ready to be walked.

    Args:
        links: (chunk index, name index) pairs, int64, shape (L, 2); doubles add up.
        weights: strength of each link, float, shape (L,).
        n_chunks, n_names: sizes of both sides.
    """

    def __init__(self, links: np.ndarray, weights: np.ndarray, n_chunks: int, n_names: int) -> None:
        matrix = sparse.csr_array(
            (weights.astype(np.float64), (links[:, 0], links[:, 1])), shape=(n_chunks, n_names)
        )
        matrix.sum_duplicates()
        self.n_chunks, self.n_names = n_chunks, n_names
        self._to_names = _normalise_rows(matrix).T.tocsr()
        self._to_chunks = _normalise_rows(matrix.T.tocsr()).T.tocsr()

    def rank(
        self,
        chunk_seeds: Mapping[int, float],
        name_seeds: Mapping[int, float],
        *,
        restart: float = 0.3,
        name_share: float = 0.4,
        n_steps: int = 25,
    ) -> np.ndarray:
        """Return how much of the walk rests on each chunk, float64, shape (n_chunks,).

        Args:
            chunk_seeds, name_seeds: index -> weight (any scale); where the walk restarts.
            restart: probability of going back to a seed at each step.
            name_share: part of the restarts on names, if both kinds of seed are given.
        """
        seed_chunks = _distribution(chunk_seeds, self.n_chunks)
        seed_names = _distribution(name_seeds, self.n_names)
        if not seed_chunks.any() and not seed_names.any():
            return np.zeros(self.n_chunks)
        if not seed_chunks.any():
            name_share = 1.0
        elif not seed_names.any():
            name_share = 0.0
        seed_chunks *= 1.0 - name_share
        seed_names *= name_share
        chunks, names = seed_chunks, seed_names
        for _ in range(n_steps):
            chunks, names = (
                restart * seed_chunks + (1.0 - restart) * (self._to_chunks @ names),
                restart * seed_names + (1.0 - restart) * (self._to_names @ chunks),
            )
        return chunks


def _normalise_rows(matrix: sparse.csr_array) -> sparse.csr_array:
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    sums[sums == 0.0] = 1.0
    return sparse.diags_array(1.0 / sums).tocsr() @ matrix


def _distribution(seeds: Mapping[int, float], size: int) -> np.ndarray:
    values = np.zeros(size)
    for index, weight in seeds.items():
        values[index] += weight
    total = values.sum()
    return values / total if total > 0.0 else values
