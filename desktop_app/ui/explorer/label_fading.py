"""How much of each name is to be seen: names come and go softly, in a time that is the theme's.

Owns what was told in the paints before, and whether another paint is worth its time. Knows no
painting; places are pixels of the screen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QTimer

from desktop_app.ui.theme.theme import Theme

from .graph_data import GraphData

FADE_MS = 120
FRAME_MS = 16
LONGEST_STEP_MS = 40  # of one paint: after a rest, or where paints are slow, it is still a fade
SLOW_MS = 20  # paints that take so long are not made for the sake of a fade
MOST_GOING = 80


class Told(NamedTuple):
    """One name as it stands on the screen: whose, where, how written, how much of it."""

    row: int
    left: float
    top: float
    text: str
    strong: bool
    share: float = 1.0


class LabelFading:
    """Carries every name's share from paint to paint; those that lost their place go last."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Told, float, float]] = {}  # by entity, and its disc's middle
        self._then = 0.0
        self.busy = False

    def step(
        self, told: list[Told], data: GraphData, points: np.ndarray, fade_ms: int
    ) -> list[Told]:
        """Return what to paint now, first what is going.

        Args:
            points: of the discs, shape (N, 2); what goes moves with its disc.
        """
        now = 1000 * time.perf_counter()
        passed, self._then = min(now - self._then, LONGEST_STEP_MS), now
        before, self._known, self.busy = self._known, {}, False
        step = passed / fade_ms if fade_ms else 1.0
        here = []
        middles = points[[one.row for one in told]].tolist() if told else []
        for one, (x, y) in zip(told, middles, strict=True):
            key = data.entities[one.row].id
            known = before.pop(key, None)
            share = step + (known[0].share if known is not None else 0.0)
            if share < 1.0:
                one = one._replace(share=share)
                self.busy = True
            here.append(one)
            self._known[key] = (one, x, y)
        going = self._let_go(before, data, points, step) if step < 1.0 else []
        self.busy = self.busy or bool(going)
        return going + here

    def _let_go(
        self, before: dict[int, Told], data: GraphData, points: np.ndarray, step: float
    ) -> list[Told]:
        going = []
        for key, (one, old_x, old_y) in list(before.items())[:MOST_GOING]:
            row, share = data.row_of.get(int(key)), one.share - step
            if row is None or share <= 0.0 or not data.shown[row]:
                continue
            x, y = points[row].tolist()
            left, top = one.left + x - old_x, one.top + y - old_y
            going.append(one._replace(row=row, left=left, top=top, share=share))
            self._known[key] = (going[-1], x, y)
        return going


class FadePace(QObject):
    """Asks for the paints that a fade needs, as long as paints are quick."""

    def __init__(self, theme: Theme, parent: QObject, repaint: Callable[[], object]) -> None:
        super().__init__(parent)
        self._theme = theme
        self._began = 0.0
        self.last_ms = 0.0
        self._next = QTimer(self, singleShot=True, interval=FRAME_MS)
        self._next.timeout.connect(repaint)

    def begin(self) -> None:
        """Note that a paint begins."""
        self._began = time.perf_counter()

    def fade_ms(self, *, moving: bool) -> int:
        """Return how long names take: none without movement in the theme, or at slow paints.

        While the view moves paints come anyhow, slow or not.
        """
        slow = self.last_ms > SLOW_MS and not moving
        return 0 if slow else self._theme.animation_ms(FADE_MS)

    def end(self, *, busy: bool) -> None:
        """Note that a paint has ended; have another one soon where names come and go."""
        self.last_ms = 1000 * (time.perf_counter() - self._began)
        if busy and self.last_ms <= SLOW_MS:
            self._next.start()

    def stop(self) -> None:
        self._next.stop()
