"""How fast a run of enrichment gets on: characters a second while the model works, time left."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ..progress import Progress
from ..store import enrichment
from ..store.db import Db
from .enrich_facts import ChatFacts
from .enrich_rates import add_measurement, load_rate

_COUNT_EVERY_S = 1.0
_TRUST_AFTER_S = 20.0  # of work, until when what was measured before weighs more


@dataclass(frozen=True, slots=True)
class EnrichProgress(Progress):
    """Where enrichment is: `done` and `total` are chunks, `rate` is chunks a second."""

    chars_per_s: float = 0.0
    n_failed: int = 0


class Pace:
    """Counts what a run has done; only the time between `go` and `stop` is the model's."""

    def __init__(
        self, db: Db, facts: ChatFacts, strategy: str, min_priority: int, limit: int | None
    ) -> None:
        self._db, self._facts, self._strategy = db, facts, strategy
        self._min_priority, self._limit = min_priority, limit
        self._prior = load_rate(db, facts.name, strategy, facts.n_parameters).chars_per_s
        self._since: float | None = None
        self._active_s = self._kept_s = 0.0
        self._n_chars = self._n_kept_chars = 0
        self._left = (0, 0)
        self._counted_at = -_COUNT_EVERY_S
        self.n_done = 0
        self.n_failed = 0

    def go(self) -> None:
        self._since = time.monotonic()

    def stop(self) -> None:
        if self._since is not None:
            self._active_s += time.monotonic() - self._since
            self._since = None

    def count(self, n_chars: int, *, asked: bool) -> None:
        """Count a chunk; one whose answers were all known says nothing about the speed."""
        self.n_done += 1
        self._n_chars += n_chars if asked else 0
        n_left, chars_left = self._left
        self._left = (max(0, n_left - 1), max(0, chars_left - n_chars))

    @property
    def active_s(self) -> float:
        running = time.monotonic() - self._since if self._since is not None else 0.0
        return self._active_s + running

    @property
    def chars_per_s(self) -> float:
        """Return the speed of this run, at first leaning on what was known before."""
        trust = _TRUST_AFTER_S
        return (self._n_chars + self._prior * trust) / (self.active_s + trust)

    def progress(self, document_id: int | None = None) -> EnrichProgress:
        """Return where the run is now."""
        now = time.monotonic()
        if now - self._counted_at > _COUNT_EVERY_S:  # others add to the queue and take from it
            self._counted_at = now
            self._left = enrichment.count_wanted(self._db, self._min_priority)
        n_left, chars_left = self._left
        if self._limit is not None and n_left > (most := max(0, self._limit - self.n_done)):
            n_left, chars_left = most, chars_left * most // n_left
        rate = self.chars_per_s
        return EnrichProgress(
            "enriching",
            done=self.n_done,
            total=self.n_done + n_left,
            rate=self.n_done / self.active_s if self.active_s else 0.0,
            left_s=chars_left / rate if rate else None,
            document_id=document_id,
            chars_per_s=rate,
            n_failed=self.n_failed,
        )

    def keep(self) -> None:
        """Keep the measured speed for later estimates."""
        n_chars, seconds = self._n_chars - self._n_kept_chars, self.active_s - self._kept_s
        self._n_kept_chars, self._kept_s = self._n_chars, self.active_s
        with self._db.transaction():
            add_measurement(self._db, self._facts.name, self._strategy, n_chars, seconds)
