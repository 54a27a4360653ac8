"""Animations of the canvas: highlights, moving nodes, and labels that fade in and out.

All take no time where the theme has animations off. Knows no painting.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEasingCurve, QObject, QRectF, QTimer, QVariantAnimation

from desktop_app.engine.graph.view.graph_data import GraphData

from ..theme.theme import Theme

FADE_MS, MOVE_MS = 120, 180
FRAME_MS = 16
LONGEST_STEP_MS = 40  # per paint, so that a late or slow paint still shows a fade
SLOW_MS = 20  # slower paints are not repeated only for a fade
MOST_GOING = 80


class FadeAnimation:
    """Animates a number to 0 or 1."""

    def __init__(self, theme: Theme, parent: QObject, show: Callable[[float], None]) -> None:
        self._theme, self._show = theme, show
        self._animation = build_animation(parent, show)

    def animate_to(self, now: float, target: float) -> None:
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


class MoveAnimation:
    """Animates nodes from their old to their new places, and the viewport with them."""

    def __init__(
        self, theme: Theme, parent: QObject, show: Callable[[np.ndarray, QRectF | None], None]
    ) -> None:
        self._theme, self._show = theme, show
        self._animation = build_animation(parent, self._step)
        self._from = self.target = np.zeros((0, 2))
        self._view_from = self._view_to = QRectF()

    @property
    def running(self) -> bool:
        return self._animation.state() == QVariantAnimation.State.Running

    def start(self, start: np.ndarray, end: np.ndarray, view: QRectF, to: QRectF | None) -> bool:
        """Start the animation; return False if nothing moves, or the theme has animations off."""
        duration = self._theme.animation_ms(MOVE_MS)
        to = to if to is not None else view
        if not duration or (view == to and np.array_equal(start, end)):
            return False
        self._from, self.target = start, end
        self._view_from, self._view_to = view, to
        self._animation.setDuration(duration)
        self._animation.start()
        return True

    @property
    def view_target(self) -> QRectF | None:
        """Where the viewport ends; None if it stays."""
        return self._view_to if self._view_to != self._view_from else None

    def set_view_target(self, to: QRectF | None) -> None:
        """Change where the viewport ends, because panels changed during the animation."""
        if to is not None:
            self._view_to = to

    def stop(self) -> None:
        self._animation.stop()

    def _step(self, share: float) -> None:
        share = float(share)
        view = None
        if self._view_from != self._view_to:
            a, b = self._view_from, self._view_to
            corner = a.topLeft() + (b.topLeft() - a.topLeft()) * share
            view = QRectF(corner, a.size() + (b.size() - a.size()) * share)
        self._show(self._from + (self.target - self._from) * share, view)


def build_animation(parent: QObject, step: Callable[[float], None]) -> QVariantAnimation:
    animation = QVariantAnimation(parent, startValue=0.0, endValue=1.0)
    animation.setEasingCurve(QEasingCurve.Type.OutCubic)
    animation.valueChanged.connect(step)
    return animation


def find_start_places(data: GraphData, before: GraphData, *, animate: bool) -> np.ndarray:
    """Return where nodes start: at their old place, at a shown neighbour, or at their new place."""
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


class LabelChoice(NamedTuple):
    """One label on the screen: its row, position, text, font and opacity (`share`).

    `level` is 0 for a plain font, 1 for a bold one, 2 for a bold and larger one.
    """

    row: int
    left: float
    top: float
    text: str
    level: int
    share: float = 1.0


class LabelFading:
    """Keeps the opacity of every label between paints, so that labels fade in and out."""

    def __init__(self) -> None:
        # by entity: the label and the middle of its node
        self.shown: dict[int, tuple[LabelChoice, float, float]] = {}
        self._then = 0.0
        self.busy = False

    def step(
        self, choices: list[LabelChoice], data: GraphData, points: np.ndarray, fade_ms: int
    ) -> list[LabelChoice]:
        """Return the labels to paint, those that fade out first.

        Args:
            points: of the nodes, shape (N, 2); labels that fade out move with their node.
        """
        now = 1000 * time.perf_counter()
        passed, self._then = min(now - self._then, LONGEST_STEP_MS), now
        before, self.shown, self.busy = self.shown, {}, False
        step = passed / fade_ms if fade_ms else 1.0
        here = []
        middles = points[[one.row for one in choices]].tolist() if choices else []
        for one, (x, y) in zip(choices, middles, strict=True):
            key = data.entities[one.row].id
            known = before.pop(key, None)
            share = step + (known[0].share if known is not None else 0.0)
            if share < 1.0:
                one = one._replace(share=share)
                self.busy = True
            here.append(one)
            self.shown[key] = (one, x, y)
        going: list[LabelChoice] = []
        for gone, (one, old_x, old_y) in list(before.items())[: MOST_GOING if step < 1.0 else 0]:
            row, share = data.row_of.get(int(gone)), one.share - step
            if row is None or share <= 0.0 or not data.shown[row]:
                continue
            x, y = points[row].tolist()
            left, top = one.left + x - old_x, one.top + y - old_y
            going.append(one._replace(row=row, left=left, top=top, share=share))
            self.shown[gone] = (going[-1], x, y)
        self.busy = self.busy or bool(going)
        return going + here


class FadePace(QObject):
    """Requests the repaints of a fade, as long as painting is fast."""

    def __init__(self, theme: Theme, parent: QObject, repaint: Callable[[], object]) -> None:
        super().__init__(parent)
        self._theme = theme
        self._began = 0.0
        self.last_ms = 0.0
        self._next = QTimer(self, singleShot=True, interval=FRAME_MS)
        self._next.timeout.connect(repaint)

    def begin(self) -> None:
        """Start measuring a paint."""
        self._began = time.perf_counter()

    def fade_ms(self, *, moving: bool) -> int:
        """Return how long a fade takes: 0 with animations off or while painting is slow.

        While the view moves, repaints happen anyway.
        """
        slow = self.last_ms > SLOW_MS and not moving
        return 0 if slow else self._theme.animation_ms(FADE_MS)

    def end(self, *, busy: bool) -> None:
        """End the measurement; request another paint if labels are fading."""
        self.last_ms = 1000 * (time.perf_counter() - self._began)
        if busy and self.last_ms <= SLOW_MS:
            self._next.start()

    def stop(self) -> None:
        self._next.stop()
