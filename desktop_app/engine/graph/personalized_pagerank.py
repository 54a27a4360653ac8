"""Personalized PageRank on the bipartite graph of chunks and the names in them.

After HippoRAG (Gutiérrez et al. 2024): a random walk that restarts at the names and passages of a
question ranks the chunks. Arrays in, arrays out; knows no database.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy import sparse

TITLE_WEIGHT = 8.0  # of the link from a chunk to the title of its document; a mention has about 1
N_STEPS = 12  # at a restart of 0.3 the later steps have 1/70 of the mass
MIN_MASS = 1e-6  # smaller masses are not propagated, which keeps the walk near its seeds


class PageRankGraph:
    """The bipartite graph of chunks and names as two transition matrices.

    From a chunk, the probability of a name grows with its rarity.

    Args:
        links: (chunk index, name index) pairs, int64, shape (L, 2); duplicates are summed.
        weights: strength of each link, float, shape (L,).
        n_chunks, n_names: number of nodes of each kind.
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
        """Return the probability mass of each chunk, float32, shape (n_chunks,).

        Args:
            chunk_seeds, name_seeds: index -> weight (any scale) of the restart nodes.
            restart: probability of a restart at each step.
            name_share: share of the restarts at names, if both kinds of seeds are given.
        """
        seed_chunks = _build_distribution(chunk_seeds, self.n_chunks)
        seed_names = _build_distribution(name_seeds, self.n_names)
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
                seed_chunks + (1.0 - restart) * _propagate(self._chunks_of_name, names),
                seed_names + (1.0 - restart) * _propagate(self._names_of_chunk, chunks),
            )
        return chunks


def _propagate(matrix: sparse.csr_array, mass: np.ndarray) -> np.ndarray:
    """Return the mass after one step from the rows with a mass above `MIN_MASS`."""
    active = np.flatnonzero(mass > MIN_MASS)
    moved: np.ndarray = matrix[active].T @ mass[active]
    return moved


def _normalise_rows(matrix: sparse.csr_array) -> sparse.csr_array:
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    sums[sums == 0.0] = 1.0
    data = matrix.data / np.repeat(sums, np.diff(matrix.indptr))
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def _build_distribution(seeds: Mapping[int, float], size: int) -> np.ndarray:
    values = np.zeros(size, dtype=np.float32)
    for index, weight in seeds.items():
        values[index] += weight
    total = values.sum()
    return values / total if total > 0.0 else values
