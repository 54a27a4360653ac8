"""Paths between entities, neighbourhoods and common neighbours, on arrays of relations.

Knows no names and no database.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy  # its parts load when they are used: they take 0.2 s of the start

MAX_PATHS = 4


@dataclass(frozen=True, slots=True)
class Path:
    """A chain of entities; `how` is "shortest", "strongest" or "another"."""

    ids: tuple[int, ...]
    how: str


class PathGraph:
    """The relations of a whole graph as arrays.

    Args:
        ends: entity ids at both ends of each relation, shape (E, 2).
        weights: weight of each relation, shape (E,).
    """

    def __init__(self, ends: np.ndarray, weights: np.ndarray) -> None:
        ends = np.asarray(ends, dtype=np.int64).reshape(-1, 2)
        self.ids, rows = np.unique(ends, return_inverse=True)
        self._pairs = rows.reshape(-1, 2)
        self._weights = np.maximum(np.asarray(weights, dtype=float), 1e-6)
        self._row_of = {int(i): row for row, i in enumerate(self.ids)}

    def find_paths(self, a: int, b: int, most: int = MAX_PATHS) -> list[Path]:
        """Return paths between two entities; only the first two may share inner entities.

        First the shortest path (the strongest of equally short ones), then the strongest path of
        any length if it is a different one, then further paths that avoid the inner entities.
        """
        start, end = self._row_of.get(a), self._row_of.get(b)
        if start is None or end is None or start == end:
            return []
        top = float(self._weights.max())
        steps = 1.0 + 1e-3 * (1.0 - self._weights / top)
        resistance = 1.0 / self._weights
        found: list[Path] = []
        taken: set[int] = set()
        direct = False
        for how, costs in (("shortest", steps), ("strongest", resistance)):
            rows = self._find_path(start, end, costs, set(), skip_direct=False)
            if rows is None:
                return []
            ids = tuple(int(self.ids[row]) for row in rows)
            if ids not in [path.ids for path in found]:
                found.append(Path(ids, how))
            taken.update(rows[1:-1])
            direct = direct or len(rows) == 2
        while len(found) < most:
            rows = self._find_path(start, end, steps, taken, skip_direct=direct)
            if rows is None:
                break
            found.append(Path(tuple(int(self.ids[row]) for row in rows), "another"))
            taken.update(rows[1:-1])
        return found

    def reach(self, starts: list[int], depth: int, limit: int) -> list[int]:
        """Return entities at most `depth` steps from `starts`, nearest first, then by weight.

        The starts themselves are not included.
        """
        near = [self._row_of[i] for i in starts if i in self._row_of]
        if not near or depth < 1:
            return []
        n = len(self.ids)
        inside = np.zeros(n, dtype=bool)
        inside[near] = True
        frontier = inside.copy()
        found: list[int] = []
        directed = np.concatenate((self._pairs, self._pairs[:, ::-1]))
        weights = np.concatenate((self._weights, self._weights))
        for _ in range(depth):
            use = frontier[directed[:, 0]] & ~inside[directed[:, 1]]
            strength = np.bincount(directed[use, 1], weights[use], n)
            new = np.flatnonzero(strength > 0)
            new = new[np.lexsort((new, -strength[new]))][: max(0, limit - len(found))]
            found += [int(self.ids[row]) for row in new]
            frontier = np.zeros(n, dtype=bool)
            frontier[new] = inside[new] = True
            if not len(new) or len(found) >= limit:
                break
        return found

    def shared_neighbours(self, ids: list[int]) -> list[int]:
        """Return entities related to all of `ids`, the most strongly related first.

        The strength is that of the weakest of these relations.
        """
        rows = [self._row_of[i] for i in ids if i in self._row_of]
        if len(rows) < 2 or len(rows) < len(ids):
            return []
        weakest = np.full(len(self.ids), np.inf)
        for row in rows:
            strength = np.zeros(len(self.ids))
            for near, far in ((0, 1), (1, 0)):
                own = self._pairs[:, near] == row
                np.maximum.at(strength, self._pairs[own, far], self._weights[own])
            weakest = np.minimum(weakest, strength)
        weakest[rows] = 0
        found = np.flatnonzero(weakest > 0)
        return [int(self.ids[row]) for row in found[np.lexsort((found, -weakest[found]))]]

    def _find_path(
        self, start: int, end: int, costs: np.ndarray, excluded: set[int], *, skip_direct: bool
    ) -> list[int] | None:
        keep = np.ones(len(self._pairs), dtype=bool)
        if excluded:
            keep &= ~np.isin(self._pairs, list(excluded)).any(1)
        if skip_direct:
            keep &= ~(np.isin(self._pairs, [start, end]).all(1))
        pairs, n = self._pairs[keep], len(self.ids)
        directed = np.concatenate((pairs, pairs[:, ::-1]))
        order = np.lexsort((np.tile(costs[keep], 2), directed[:, 1], directed[:, 0]))
        directed, both_costs = directed[order], np.tile(costs[keep], 2)[order]
        first = np.ones(len(directed), dtype=bool)  # of duplicate relations, the cheaper one
        first[1:] = (directed[1:] != directed[:-1]).any(1)
        network = scipy.sparse.csr_array(
            (both_costs[first], (directed[first, 0], directed[first, 1])), shape=(n, n)
        )
        _, predecessors = scipy.sparse.csgraph.dijkstra(
            network, indices=start, return_predecessors=True
        )
        if predecessors[end] < 0:
            return None
        rows = [end]
        while rows[-1] != start:
            rows.append(int(predecessors[rows[-1]]))
        return rows[::-1]
