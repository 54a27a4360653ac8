"""Operations: work that a screen starts in a lane.

`Query(lane, fn, *args).on_success(show).run()`: `fn` runs in the lane's thread, the callbacks on
the window's thread. After its owner widget was deleted, an operation calls no callback.

An operation without `on_error` needs none: the lane's failure handler shows the error and its
hint in the message bar, and a bug with "Copy report". `on_error` is for a screen that shows the
failure itself, or has to restore its state. Every failure is logged (`workers/failures.py`).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Self

import shiboken6
from PySide6.QtCore import QObject

from .lane import Job, Lane


class Query:
    """Work that reads. No callback is called after `owner`, the widget that asked, is deleted."""

    def __init__(
        self,
        lane: Lane,
        fn: Callable[..., Any],
        *args: Any,
        owner: QObject | None = None,
        **kwargs: Any,
    ) -> None:
        self._lane = lane
        self._owner = weakref.ref(owner) if owner is not None else None
        self.job = Job(lambda job: fn(*args, **kwargs), getattr(fn, "__qualname__", "work"))

    def on_success(self, callback: Callable[[Any], None]) -> Self:
        self.job.succeeded.connect(self._guard(callback))
        return self

    def on_error(self, callback: Callable[[BaseException], None]) -> Self:
        """Handle the failure here, in place of the lane's failure handler.

        The lane's handler still gets the failure if the owner was deleted, because the user must
        learn of unsaved data even after the dialog was closed.
        """
        self.job.handle_failure(self._guard(callback))
        return self

    def on_cancelled(self, callback: Callable[[], None]) -> Self:
        self.job.cancelled.connect(self._guard(callback))
        return self

    def on_end(self, callback: Callable[[], None]) -> Self:
        self.job.ended.connect(self._guard(callback))
        return self

    def on_progress(self, callback: Callable[[Any], None]) -> Self:
        self.job.progressed.connect(self._guard(callback))
        return self

    def on_piece(self, callback: Callable[[str], None]) -> Self:
        self.job.piece.connect(self._guard(callback))
        return self

    def run(self) -> Job:
        return self._lane.submit(self.job)

    def _guard(self, callback: Callable[..., None]) -> Callable[..., bool]:
        """Return `callback` for as long as the owner lives; it returns whether it was called."""
        owner = self._owner

        def call(*args: Any) -> bool:
            if owner is not None:
                alive = owner()
                if alive is None or not shiboken6.isValid(alive):
                    return False
            callback(*args)
            return True

        return call


class Work(Query):
    """Long work: `fn(job)` reads `job.cancel_token`, calls `job.report` and `job.emit_piece`."""

    def __init__(
        self, lane: Lane, fn: Callable[[Job], Any], *, owner: QObject | None = None, label: str = ""
    ) -> None:
        self._lane = lane
        self._owner = weakref.ref(owner) if owner is not None else None
        self.job = Job(fn, label)
