"""What a question leaves behind on its way to passages: timings, routes, scores and stages."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from ...types import Stage

MOST_LABELS = 40  # of each kind in a stage; the inspector shows no more


@dataclass
class Trace:
    """What a question found on its way; `best_window` maps a chunk to its best window's id.

    `routes` has chunk id -> score for every route, in the order they were taken.
    """

    timings_ms: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    routes: dict[str, dict[int, float]] = field(default_factory=dict)
    best_window: dict[int, int] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)
    _since: float = field(default_factory=time.perf_counter)
    _stage_since: float = field(default_factory=time.perf_counter)

    def lap(self, step: str) -> None:
        now = time.perf_counter()
        passed = self.timings_ms.get(step, 0.0) + (now - self._since) * 1000
        self.timings_ms[step] = round(passed, 2)
        self._since = now

    def found(self, route: str, scores: Iterable[tuple[int, float]]) -> None:
        """Note the chunks that a route found, with the route's own scores."""
        self.routes.setdefault(route, {}).update(scores)

    def routes_to(self, chunk_id: int) -> tuple[tuple[str, float], ...]:
        """Return (route, score) of every route that found a chunk."""
        return tuple(
            (route, round(float(scores[chunk_id]), 4))
            for route, scores in self.routes.items()
            if chunk_id in scores
        )

    def stage(
        self, name: str, kept: Iterable[str], dropped: Iterable[str] = (), note: str = ""
    ) -> None:
        """Note what a step kept and dropped; its time is what passed since the last stage."""
        now = time.perf_counter()
        passed, self._stage_since = now - self._stage_since, now
        self.stages.append(
            Stage(
                name,
                tuple(kept)[:MOST_LABELS],
                tuple(dropped)[:MOST_LABELS],
                round(passed * 1000, 2),
                note,
            )
        )
