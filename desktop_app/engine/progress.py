"""Progress and cancellation of long work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

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

    def wait(self, seconds: float) -> None:
        """Wait so long.

        Raises:
            Cancelled: the token was set, before or meanwhile.
        """
        is_set = threading.Event()
        with self.notifying(is_set.set):
            self.check()
            is_set.wait(seconds)
        self.check()

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
        chunk_id: the passage that is being read, None for several or none.
    """

    stage: str
    done: int = 0
    total: int = 0
    rate: float = 0.0
    left_s: float | None = None
    document_id: int | None = None
    chunk_id: int | None = field(default=None, kw_only=True)


class TimeLeft:
    """Keeps an estimate of the remaining time steady.

    Work comes in bursts, so the plain quotient of what is left and the mean rate jumps. The
    estimate follows it by at most a factor of two at once, and of two in `DOUBLING_S` seconds.
    Below `SHORT_S`, which is shown as "less than a minute", it is the plain value. More or less
    work in all begins a new estimate.
    """

    DOUBLING_S = 10.0
    SHORT_S = 30.0

    def __init__(self) -> None:
        self.seconds: float | None = None
        self._at = self._total = 0.0

    def update(self, plain_s: float, *, at: float, total: float) -> float:
        """Return the steady estimate.

        Args:
            plain_s: what is left, by the mean rate.
            at: the time spent on the work, without pauses.
            total: the size of the whole work.
        """
        if self.seconds is None or total != self._total:
            steady = plain_s
        else:
            passed = max(0.0, at - self._at)
            factor = min(2.0, 2 ** (passed / self.DOUBLING_S))
            low, high = self.seconds / factor, self.seconds * factor
            short = plain_s <= self.SHORT_S and low <= 2 * self.SHORT_S
            steady = plain_s if short else min(high, max(low, plain_s))
        self.seconds, self._at, self._total = steady, at, total
        return steady


class Clock:
    """Measures units per second, starting after the first unit, which includes loading models.

    Args:
        n_units: units still to do.
        seconds_each: for a unit, as measured earlier; 0.0 if it is not known.
    """

    def __init__(self, n_units: int, *, seconds_each: float = 0.0) -> None:
        self._n_all = self._n_left = n_units
        self._n_done = 0  # since the first unit
        self._since: float | None = None
        self._last = 0.0
        self._left = TimeLeft()
        self.rate = 1 / seconds_each if seconds_each else 0.0
        self._estimate()

    def tick(self, n: int = 1) -> None:
        """Count units as done."""
        now = self._last = time.monotonic()
        self._n_left -= n
        if self._since is None:
            self._since = now
        else:
            self._n_done += n
            if now > self._since:
                self.rate = self._n_done / (now - self._since)
        self._estimate()

    def go_on(self, n_left: int) -> None:
        """Go on with so many units after an interruption, which is not measured.

        What was begun when the work was interrupted is done again, so that the time since the
        last unit does not count.
        """
        if self._since is not None:
            self._since += time.monotonic() - self._last
            self._last = time.monotonic()
        self.set_left(n_left)

    def set_left(self, n_left: int) -> None:
        """Set how many units are left, which begins a new estimate if there are more or less."""
        if n_left != self._n_left:
            self._n_all += n_left - self._n_left
            self._n_left = n_left
            self._estimate()

    def leave_out(self, seconds: float) -> None:
        """Exclude a pause from the measurement."""
        if self._since is not None:
            self._since += seconds

    @property
    def left_s(self) -> float | None:
        """Remaining seconds, None while unknown; see `TimeLeft`."""
        return self._left.seconds

    def _estimate(self) -> None:
        if self.rate:
            passed = self._last - self._since if self._since is not None else 0.0
            self._left.update(max(0, self._n_left) / self.rate, at=passed, total=self._n_all)


ProgressCallback = Callable[[Progress], None]


def never_pause() -> None:
    """Do not pause, for work that the user waits for."""


def ignore_progress(_: Progress) -> None:
    """Do nothing, for callers that show no progress."""
