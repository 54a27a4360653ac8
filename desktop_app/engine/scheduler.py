"""Decides which work may use the model and the processor: the most urgent one.

A question and a visible page start at once. Background work (import, reports, enrichment) waits
until nothing more urgent is active, and pauses at its next checkpoint when something more urgent
begins. Work of equal priority runs side by side. Knows neither models nor widgets: that two users
of one chat model exclude each other is ensured by the lock of the model.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import IntEnum

from .progress import CancelToken


class Priority(IntEnum):
    """Kinds of work, most urgent first."""

    QUESTION = 0
    VISIBLE_PAGE = 1
    IMPORT = 2
    REPORTS = 3
    ENRICHMENT = 4


class WorkScheduler:
    """Grants permits to work; may be called from every thread.

    Args:
        max_import_wait_s: an import does one step after this time, so that long answers delay it
            but do not stop it.

    Attributes:
        on_change: called, in any thread, when work begins or ends that is no visible page.
    """

    def __init__(self, max_import_wait_s: float = 120.0) -> None:
        self.on_change: Callable[[], None] = lambda: None
        self._max_import_wait_s = max_import_wait_s
        self._changed = threading.Condition()
        self._active: Counter[Priority] = Counter()
        self._steps: dict[CancelToken, Priority] = {}  # running steps that can be interrupted

    @contextmanager
    def hold(self, priority: Priority, cancel: CancelToken | None = None) -> Iterator[WorkPermit]:
        """Wait for the turn of some work; make less urgent work pause until its end.

        Raises:
            Cancelled: the token was set before the end of the wait.
        """
        cancel = cancel or CancelToken()
        self.activate(priority)  # before the wait, so that less urgent work begins after this one
        try:
            self.wait_for_turn(priority, cancel)
            yield WorkPermit(self, priority, cancel)
        finally:
            self.release(priority)

    def activate(self, priority: Priority) -> None:
        """Count work of this priority as active, without waiting for its turn."""
        with self._changed:
            self._count(priority, 1)
        self._report(priority)

    def release(self, priority: Priority) -> None:
        """Undo `activate`; work that waits for this one continues."""
        with self._changed:
            self._count(priority, -1)
        self._report(priority)

    @contextmanager
    def step(self, priority: Priority, cancel: CancelToken) -> Iterator[CancelToken]:
        """Wait for the turn; give a token that is also set when more urgent work begins."""
        token = CancelToken(cancel)
        with cancel.notifying(self._wake), self._changed:
            self._wait(priority, cancel)
            self._steps[token] = priority
        try:
            yield token
        finally:
            with self._changed:
                del self._steps[token]

    def wait_for_turn(self, priority: Priority, cancel: CancelToken) -> float:
        """Wait until nothing more urgent is active; return for how many seconds.

        Raises:
            Cancelled: the token was set.
        """
        started = time.monotonic()
        with cancel.notifying(self._wake), self._changed:
            self._wait(priority, cancel)
        return time.monotonic() - started

    def find_blocker(self, priority: Priority) -> Priority | None:
        """Return the most urgent active work that makes other work pause; never a page."""
        with self._changed:
            found = [p for p in self._more_urgent(priority) if p is not Priority.VISIBLE_PAGE]
        return min(found, default=None)

    def _more_urgent(self, priority: Priority) -> list[Priority]:
        return [p for p, n in self._active.items() if n and p < priority]

    def _wait(self, priority: Priority, cancel: CancelToken) -> None:
        """Wait for the turn of this priority; the caller holds the lock."""
        if priority > Priority.VISIBLE_PAGE:
            self._changed.wait_for(
                lambda: cancel.cancelled or not self._more_urgent(priority),
                self._max_import_wait_s if priority is Priority.IMPORT else None,
            )
            cancel.check()

    def _count(self, priority: Priority, n: int) -> None:
        """Change the number of active work, and interrupt steps; the caller holds the lock."""
        self._active[priority] += n
        self._changed.notify_all()
        if n > 0 and priority is not Priority.VISIBLE_PAGE:  # it delays, but never interrupts
            for token, of in self._steps.items():
                if of > priority:
                    token.cancel()

    def _report(self, priority: Priority) -> None:
        if priority is not Priority.VISIBLE_PAGE:
            self.on_change()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


@dataclass(frozen=True, slots=True)
class WorkPermit:
    """The right of one piece of work to run; its methods raise as those of the scheduler."""

    scheduler: WorkScheduler
    priority: Priority
    cancel: CancelToken

    def checkpoint(self) -> float:
        """Pause while more urgent work is active; return for how many seconds."""
        return self.scheduler.wait_for_turn(self.priority, self.cancel)

    def step(self) -> AbstractContextManager[CancelToken]:
        """Run a call in this context with the given token, so that it can be interrupted."""
        return self.scheduler.step(self.priority, self.cancel)

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Let less urgent work run in this context; checkpoints still pause for more urgent one."""
        self.scheduler.release(self.priority)
        try:
            yield
        finally:
            self.scheduler.activate(self.priority)
