"""What the person looks at: the disc under the mouse, the selected one, and what fades for it.

Owns who stays bright. Knows no painting; the canvas animates `fade` from 0 to 1.
"""

from __future__ import annotations

import numpy as np

from .graph_data import GraphData
from .palette import FADED


class Focus:
    """Rows hovered and selected, with the masks that painting asks for."""

    def __init__(self) -> None:
        self.hovered: int | None = None
        self.hovered_relation: int | None = None
        self.selected: int | None = None
        self.fade = 0.0
        self._bright: np.ndarray | None = None

    def hover(self, data: GraphData, row: int | None) -> None:
        """Keep a row and its neighbours bright; with None the last ones stay while fading.

        In a dense picture nearly all are neighbours of nearly all: there the strongest stay.
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
        self.fade = 0.0

    def opacities(self, n: int) -> np.ndarray | None:
        """Return each disc's opacity, shape (N,); None when nothing fades."""
        if self._bright is None or self.fade <= 0 or len(self._bright) != n:
            return None
        return np.where(self._bright, 1.0, 1.0 - (1.0 - FADED) * self.fade)

    def touched(self, data: GraphData) -> np.ndarray:
        """Return the relations to draw in the accent colour, as positions in `pairs`."""
        touched = np.zeros(0, dtype=np.int64)
        if self.hovered is not None and self.hovered != self.selected:
            touched = data.strong_relations_of(self.hovered)
        elif self.selected is not None:
            touched = data.relations_of(self.selected)
        if self.hovered_relation is not None:
            touched = np.append(touched, self.hovered_relation)
        return touched
