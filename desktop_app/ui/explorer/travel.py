"""Movement on the canvas: discs on their way to new places, and the fading of the rest.

Owns the two animations and what they go between. Speaks to the canvas only through the two
callables it is given.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEasingCurve, QObject, QRectF, QVariantAnimation

from desktop_app.ui.theme.theme import Theme

from .graph_data import GraphData

FADE_MS, MOVE_MS = 120, 180


class Fading:
    """Carries one number to 0 or 1 in the theme's time."""

    def __init__(self, theme: Theme, parent: QObject, show: Callable[[float], None]) -> None:
        self._theme, self._show = theme, show
        self._animation = build_animation(parent, show)

    def go(self, now: float, target: float) -> None:
        self.stop()
        duration = self._theme.animation_ms(FADE_MS)
        if not duration:
            self._show(target)
            return
        self._animation.setStartValue(float(now))
        self._animation.setEndValue(target)
        self._animation.setDuration(duration)
        self._animation.start()

    def stop(self) -> None:
        self._animation.stop()


class Travel:
    """Carries discs from where they were to where they belong, and the view with them."""

    def __init__(
        self,
        theme: Theme,
        parent: QObject,
        show: Callable[[np.ndarray, QRectF | None], None],
    ) -> None:
        self._theme, self._show = theme, show
        self._animation = build_animation(parent, self._step)
        self._from = self._to = np.zeros((0, 2))
        self._view_from = self._view_to = QRectF()

    @property
    def running(self) -> bool:
        return self._animation.state() == QVariantAnimation.State.Running

    @property
    def target(self) -> np.ndarray:
        return self._to

    def start(self, start: np.ndarray, end: np.ndarray, view: QRectF, to: QRectF | None) -> bool:
        """Set out; return False where the theme wants no movement."""
        duration = self._theme.animation_ms(MOVE_MS)
        if not duration or not len(end):
            return False
        self._from, self._to = start, end
        self._view_from, self._view_to = view, to if to is not None else view
        self._animation.setDuration(duration)
        self._animation.start()
        return True

    def aim(self, to: QRectF | None) -> None:
        """Let the view come to rest elsewhere, since what covers it changed on the way."""
        if to is not None:
            self._view_to = to

    def stop(self) -> None:
        self._animation.stop()

    def _step(self, share: float) -> None:
        share = float(share)
        view = None
        if self._view_from != self._view_to:
            a, b = self._view_from.getRect(), self._view_to.getRect()
            view = QRectF(*(p + (q - p) * share for p, q in zip(a, b, strict=True)))
        self._show(self._from + (self._to - self._from) * share, view)


def build_animation(parent: QObject, step: Callable[[float], None]) -> QVariantAnimation:
    animation = QVariantAnimation(parent, startValue=0.0, endValue=1.0)
    animation.setEasingCurve(QEasingCurve.Type.OutCubic)
    animation.valueChanged.connect(step)
    return animation


def find_starts(data: GraphData, before: GraphData, *, animate: bool) -> np.ndarray:
    """Return where discs come from: their old place, a neighbour that was shown, or their own."""
    starts = data.places.copy()
    old = np.array([before.row_of.get(i, -1) for i in data.ids], dtype=np.int64)
    known = old >= 0
    starts[known] = before.places[old[known]]
    if animate and known.any() and not known.all():
        for near, far in ((0, 1), (1, 0)):
            # Pairs come strongest first, and so each finds its strongest neighbour first.
            own, other = data.pairs[:, near], data.pairs[:, far]
            use = np.flatnonzero(~known[own] & known[other])
            rows, first = np.unique(own[use], return_index=True)
            starts[rows] = starts[other[use[first]]]
    return starts
