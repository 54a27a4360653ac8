"""What a question leaves behind on its way to passages: timings, routes and scores."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass
class Trace:
    """What a question found on its way; `best_window` maps a chunk to its best window's id."""

    timings_ms: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    routes: dict[int, list[tuple[str, float]]] = field(default_factory=dict)
    best_window: dict[int, int] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)

    def lap(self, step: str) -> None:
        now = time.perf_counter()
        self.timings_ms[step] = round((now - self._since) * 1000, 2)
        self._since = now

    def found(self, chunk_id: int, route: str, score: float) -> None:
        self.routes.setdefault(chunk_id, []).append((route, round(float(score), 4)))
