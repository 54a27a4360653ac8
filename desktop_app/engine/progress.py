"""Progress and cancellation of long work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .errors import Cancelled


class CancelToken:
    """Can be set from any thread; long work calls `check` once per chunk, page or token.

    Args:
        parents: the token also counts as set when one of these is.
    """

    def __init__(self, *parents: CancelToken) -> None:
        self._event = threading.Event()
        self._parents = parents
        self._callbacks: list[Callable[[], None]] = []

    def cancel(self) -> None:
        self._event.set()
        for callback in tuple(self._callbacks):
            callback()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set() or any(parent.cancelled for parent in self._parents)

    def check(self) -> None:
        """Raise `Cancelled` once `cancel` was called."""
        if self.cancelled:
            raise Cancelled

    @contextmanager
    def notifying(self, callback: Callable[[], None]) -> Iterator[None]:
        """Call `callback`, in the thread of `cancel`, if the token is set in this context."""
        tokens = self._with_ancestors()
        for token in tokens:
            token._callbacks.append(callback)
        try:
            yield
        finally:
            for token in tokens:
                token._callbacks.remove(callback)

    def _with_ancestors(self) -> list[CancelToken]:
        return [self, *(token for p in self._parents for token in p._with_ancestors())]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of long work.

    Attributes:
        stage: short key of the current step (`reading`, `names`, `graph`, `embedding`).
        done: units finished; total: units in all, 0 while unknown.
        rate: units per second, 0.0 while unknown; left_s: seconds left, None while unknown.
        document_id: the current document, None for the whole library.
    """

    stage: str
    done: int = 0
    total: int = 0
    rate: float = 0.0
    left_s: float | None = None
    document_id: int | None = None


class Clock:
    """Measures units per second, starting after the first unit, which includes loading models.

    Args:
        n_units: units still to do.
    """

    def __init__(self, n_units: int) -> None:
        self._n_units = n_units
        self._n_done = 0
        self._since: float | None = None
        self.rate = 0.0

    def tick(self, n: int = 1) -> None:
        """Count units as done."""
        now = time.monotonic()
        self._n_done += n
        if self._since is None:
            self._since = now
            self._n_units -= n
            self._n_done = 0
        elif now > self._since:
            self.rate = self._n_done / (now - self._since)

    def leave_out(self, seconds: float) -> None:
        """Exclude a pause from the measurement."""
        if self._since is not None:
            self._since += seconds

    @property
    def left_s(self) -> float | None:
        """Remaining seconds at this rate, None while it is unknown."""
        return max(0, self._n_units - self._n_done) / self.rate if self.rate else None


ProgressCallback = Callable[[Progress], None]


def ignore_progress(_: Progress) -> None:
    """Do nothing, for callers that show no progress."""
