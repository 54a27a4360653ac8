"""Runs work in a lane until its queue is empty: starts, pauses, resumes, reports progress.

A run that fails ends; its failure goes to the lane's failure handler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.progress import Progress

from .lane import Job, Lane
from .operations import Work


class QueueRunner(QObject):
    """One run at a time; a run continues until its queue is empty.

    Args:
        lane: the lane for this work.
        run: takes `cancel`, `on_progress` and `on_change`, as `IndexingService.run` does.
    """

    progressed = Signal(object)
    changed = Signal(object)
    state_changed = Signal(str)  # "idle", "running", "paused"
    label = "work"

    def __init__(self, lane: Lane, run: Callable[..., Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._run = run
        self._job: Job | None = None
        self._again = False
        self.state = "idle"

    @property
    def is_running(self) -> bool:
        return self.state == "running"

    def start(self) -> None:
        """Start a run; while one is running, start another one at its end."""
        if self._job is not None:
            self._again = True
            if self.state == "paused":  # the cancelled run has not ended yet
                self._set_state("running")
            return
        self._again = False
        work = Work(self._lane, self._work, owner=self, label=self.label)
        work.on_progress(self._emit_report).on_end(self._ended)
        self._set_state("running")
        self._job = work.run()

    def pause(self) -> None:
        """Stop after the current chunk; `start` resumes."""
        if self._job is not None:
            self._job.cancel()
            self._again = False
            self._set_state("paused")

    def _work(self, job: Job) -> None:
        self._run(
            cancel=job.cancel_token,
            on_progress=job.report,
            on_change=lambda change: job.report(change),
        )

    def _emit_report(self, value: Any) -> None:
        if isinstance(value, ChangeSet):
            self.changed.emit(value)
        elif isinstance(value, Progress):
            self.progressed.emit(value)

    def _ended(self) -> None:
        self._job = None
        if self._again:
            self.start()
        elif self.state == "running":
            self._set_state("idle")

    def _set_state(self, state: str) -> None:
        if state != self.state:
            self.state = state
            self.state_changed.emit(state)


class IndexingRunner(QueueRunner):
    """Runs `IndexingService.run` until every document is ready and embedded."""

    label = "indexing"


class EnrichmentRunner(QueueRunner):
    """Runs `EnrichmentJob.run` until the queue of enrichment is empty."""

    label = "enriching"
