"""The hovered, selected and chosen nodes, the highlighted path, and which nodes are dimmed.

Knows no painting; the canvas animates `fade` from 0 to 1.
"""

from __future__ import annotations

import itertools

import numpy as np

from desktop_app.engine.graph.view.graph_data import GraphData

from .palette import FADED

PATH_FADED = 0.3


class Focus:
    """Hovered, selected and chosen rows, with the masks that painting needs."""

    def __init__(self) -> None:
        self.hovered: int | None = None
        self.hovered_relation: int | None = None
        self.selected: int | None = None
        self.chosen: set[int] = set()
        self.fade = 0.0
        self._bright: np.ndarray | None = None
        self._path_rows: np.ndarray | None = None
        self._path_relations = np.zeros(0, dtype=np.int64)

    def ringed(self) -> list[int]:
        """Return the rows drawn with a ring, the selected one last."""
        rows = sorted(self.chosen - {self.selected})
        return rows if self.selected is None else [*rows, self.selected]

    def show_path(self, data: GraphData, rows: list[int]) -> None:
        """Highlight a path: its rows and the relations along it; an empty one ends that."""
        self._path_rows, self._path_relations = None, np.zeros(0, dtype=np.int64)
        if not rows:
            return
        self._path_rows = np.zeros(len(data), dtype=bool)
        self._path_rows[rows] = True
        steps = {frozenset(pair) for pair in itertools.pairwise(rows)}
        near = np.flatnonzero(self._path_rows[data.pairs].all(1))
        along = [k for k in near if frozenset(data.pairs[k].tolist()) in steps]
        self._path_relations = np.array(along, dtype=np.int64)

    @property
    def has_path(self) -> bool:
        return self._path_rows is not None

    def hover(self, data: GraphData, row: int | None) -> None:
        """Highlight a row and its neighbours; with None the last ones stay while fading out.

        Only neighbours by strong relations count, because a dense graph connects nearly all.
        """
        self.hovered = row
        if row is not None:
            self._bright = np.zeros(len(data), dtype=bool)
            self._bright[data.pairs[data.strong_relations_of(row)]] = True
            self._bright[row] = True
            if row == self.selected:
                self._bright[data.neighbours_of(row)] = True

    def clear(self) -> None:
        self.hovered = self.hovered_relation = self.selected = self._bright = None
        self.chosen = set()
        self.fade = 0.0
        self._path_rows, self._path_relations = None, np.zeros(0, dtype=np.int64)

    def opacities(self, n: int) -> np.ndarray | None:
        """Return each disc's opacity, shape (N,); None when nothing fades."""
        if self._path_rows is not None and len(self._path_rows) == n and self.hovered is None:
            return np.where(self._path_rows, 1.0, PATH_FADED)
        if self._bright is None or self.fade <= 0 or len(self._bright) != n:
            return None
        return np.where(self._bright, 1.0, 1.0 - (1.0 - FADED) * self.fade)

    def touched(self, data: GraphData) -> np.ndarray:
        """Return the relations to draw in the accent colour, as positions in `pairs`."""
        touched = np.zeros(0, dtype=np.int64)
        if self._path_rows is not None and self.hovered is None:
            touched = self._path_relations
        elif self.hovered is not None and self.hovered != self.selected:
            touched = data.strong_relations_of(self.hovered)
        elif self.selected is not None:
            touched = data.relations_of(self.selected)
        if self.hovered_relation is not None:
            touched = np.append(touched, self.hovered_relation)
        return touched
