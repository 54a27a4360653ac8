"""When the graph follows what enrichment found: not after every chunk, and never for long."""

from __future__ import annotations

import time

from ..changes import ChangeSet
from ..store.db import Db
from .deriving import Deriving

MIN_PAUSE_S = 6.0
SHARE = 0.05  # of a run's time may go into deriving
QUICK_S = 0.7  # a pause may wait so long for the graph
QUICK_MENTIONS = 20_000  # a graph of so many takes about that, if it was not measured yet


class Following:
    """Derives the graph now and then while chunks are finished."""

    def __init__(self, db: Db) -> None:
        self._db = db
        self._deriving = Deriving(db)
        self._touched: set[int] = set()
        self._began_at = self._derived_at = time.monotonic()
        self._spent_s = 0.0
        self._cost_s: float | None = None

    def touch(self, chunk_id: int) -> None:
        """Note, in the chunk's own transaction, that the graph is behind its evidence."""
        self._touched.add(chunk_id)
        self._db.write("INSERT OR REPLACE INTO setting VALUES ('graph_stale', '1')")

    @property
    def is_due(self) -> bool:
        now = time.monotonic()
        return (
            bool(self._touched)
            and now - self._derived_at > MIN_PAUSE_S
            and self._spent_s <= SHARE * (now - self._began_at)
        )

    @property
    def is_quick(self) -> bool:
        """Say whether deriving takes no time that a person would notice."""
        if self._cost_s is not None:
            return self._cost_s <= QUICK_S
        return self._db.value("SELECT count(*) FROM mention") <= QUICK_MENTIONS

    @property
    def is_behind(self) -> bool:
        return bool(self._touched)

    def derive(self) -> ChangeSet:
        """Bring the graph in line with the evidence; return what that changed."""
        started = time.monotonic()
        with self._db.transaction():
            change = self._deriving.follow()
            self._db.write("DELETE FROM setting WHERE key = 'graph_stale'")
        self._touched.clear()
        self._derived_at = time.monotonic()
        self._cost_s = self._derived_at - started
        self._spent_s += self._cost_s
        return change
