"""A lane: one QThread with one queue, so that its jobs never overlap.

Owns the communication between the window's thread and a worker thread. A lane keeps a job
until its end was handled on the window's thread; it does not know what jobs do. A failure is
always logged; one that no caller handles goes to the failure handler of the lane.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from desktop_app.engine.errors import Cancelled
from desktop_app.engine.garbage import release_freed_memory
from desktop_app.engine.log_files import plain
from desktop_app.engine.progress import CancelToken

from .failures import FailureHandler, log_failure

log = logging.getLogger(__name__)

PROGRESS_INTERVAL_S = 0.05
PIECE_INTERVAL_S = 0.04
SLOW_MS = 500  # a job that takes longer is in the log, and its memory is given back


class Job(QObject):
    """One piece of work for a lane.

    `work(job)` runs in the lane's thread; it may call `job.report(value)` for progress and
    `job.emit_piece(text)` for pieces of a stream, and reads `job.cancel_token`.

    Attributes:
        default_handler: gets a failure that no other handler accepts; set by the lane.
    """

    succeeded = Signal(object)
    cancelled = Signal()
    ended = Signal()
    progressed = Signal(object)
    piece = Signal(object)

    # Emitted in the lane's thread; queued slots run on the window's thread.
    _done = Signal(str, object)
    _reported = Signal(str, object)
    _piece_held = Signal()

    def __init__(self, work: Callable[[Job], Any], label: str = "") -> None:
        super().__init__()
        self.label = label
        self.cancel_token = CancelToken()
        self.default_handler: FailureHandler | None = None
        self._failure_handlers: list[Callable[[BaseException], bool]] = []
        self._work = work
        self._last_report = 0.0
        self._last_stage: str | None = None
        self._pieces: list[str] = []
        self._pieces_lock = threading.Lock()
        self._last_piece = 0.0
        self._done.connect(self._finish, Qt.ConnectionType.QueuedConnection)
        self._reported.connect(self._emit_report, Qt.ConnectionType.QueuedConnection)
        self._piece_held.connect(self._flush_later, Qt.ConnectionType.QueuedConnection)

    def cancel(self) -> None:
        self.cancel_token.cancel()

    def handle_failure(self, handler: Callable[[BaseException], bool]) -> None:
        """Add a handler, called on the window's thread; it returns whether it handled it."""
        self._failure_handlers.append(handler)

    def report(self, value: object) -> None:
        """Report progress, at most every 50 ms; a new stage is always reported.

        A value without a stage, such as a change notice, is always reported too.
        """
        now = time.monotonic()
        stage = getattr(value, "stage", None)
        is_new = stage is None or stage != self._last_stage
        if is_new or now - self._last_report >= PROGRESS_INTERVAL_S:
            self._last_report, self._last_stage = now, stage
            self._reported.emit("progress", value)

    def emit_piece(self, text: str) -> None:
        """Report a piece of streamed text, joined to about 25 updates per second."""
        with self._pieces_lock:
            is_first = not self._pieces
            self._pieces.append(text)
        if time.monotonic() - self._last_piece >= PIECE_INTERVAL_S:
            self._flush()
        elif is_first:
            self._piece_held.emit()

    def _flush(self) -> None:
        """Report the pieces so far; from the lane's thread or the window's."""
        with self._pieces_lock:  # while it emits, so that no piece comes after the end
            if self._pieces:
                self._last_piece = time.monotonic()
                self._reported.emit("piece", "".join(self._pieces))
                self._pieces.clear()

    @Slot()
    def _flush_later(self) -> None:
        QTimer.singleShot(int(PIECE_INTERVAL_S * 1000), self, self._flush)

    def run_here(self) -> None:
        """Do the work in the calling thread and post the result to the window's thread."""
        if self.cancel_token.cancelled:
            self._done.emit("cancelled", None)
            return
        started = time.monotonic()
        try:
            result = self._work(self)
        except Cancelled:
            self._flush()
            self._done.emit("cancelled", None)
        except BaseException as error:  # every failure goes to the window's thread
            log_failure(
                error, self.label or "a job"
            )  # now, because the window may be closed before its thread gets it
            self._flush()
            self._done.emit("failed", error)
        else:
            self._flush()
            self._done.emit("succeeded", result)
        finally:
            took_ms = (time.monotonic() - started) * 1000
            level = logging.INFO if took_ms > SLOW_MS else logging.DEBUG
            log.log(level, "%s took %d ms", plain(self.label or "a job"), took_ms)
            if took_ms > SLOW_MS:
                release_freed_memory()  # what a large job used, in its own thread

    @Slot(str, object)
    def _emit_report(self, what: str, value: object) -> None:
        (self.progressed if what == "progress" else self.piece).emit(value)

    @Slot(str, object)
    def _finish(self, how: str, value: object) -> None:
        try:
            if how == "succeeded":
                self.succeeded.emit(value)
            elif isinstance(value, BaseException):
                self._fail(value)
            else:
                self.cancelled.emit()
        finally:  # also if a failure handler fails: the lane keeps the job until then
            self.ended.emit()

    def _fail(self, error: BaseException) -> None:
        taken = [handler(error) for handler in self._failure_handlers]
        if not any(taken) and self.default_handler is not None:
            self.default_handler(error)


class Lane(QThread):
    """Runs jobs one after another; `close` cancels the running job and waits for the thread.

    Args:
        on_failure: shows the failure of a job that has no handler of its own.
        hold: gives the context of every job, such as a permit of the scheduler.
    """

    busy_changed = Signal(bool)

    def __init__(
        self,
        name: str,
        on_failure: FailureHandler,
        parent: QObject | None = None,
        hold: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._on_failure, self._hold = on_failure, hold
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._jobs: set[Job] = set()
        self._closed = False
        self.thread_id: int | None = None  # of the interpreter, while it runs

    def submit(self, job: Job) -> Job:
        """Queue a job (from the window's thread) and start the thread if need be.

        A closed lane cancels new jobs, such as those of screens while the program ends.
        """
        if self._closed:
            job.cancel()
            return job
        job.default_handler = self._on_failure
        self._jobs.add(job)
        job.ended.connect(self._release, Qt.ConnectionType.DirectConnection)
        self._queue.put(job)
        if not self.isRunning():
            self.start()
        return job

    @property
    def n_jobs(self) -> int:
        return len(self._jobs)

    @Slot()
    def _release(self) -> None:
        self._jobs.discard(self.sender())

    def run(self) -> None:
        self.thread_id = threading.get_ident()
        while (job := self._queue.get()) is not None:
            self.busy_changed.emit(True)
            with self._hold():
                job.run_here()
            self.busy_changed.emit(False)

    def begin_closing(self, *, cancel: bool = True) -> None:
        """Accept no more jobs and end the thread after the queued ones, without waiting.

        Args:
            cancel: False lets the jobs run to their end, unless `cancel_jobs` is called.
        """
        self._closed = True
        if cancel:
            self.cancel_jobs()
        self._queue.put(None)

    def cancel_jobs(self) -> None:
        """Cancel the running job and the queued ones."""
        for job in list(self._jobs):
            job.cancel()

    def close(self, timeout_ms: int = 10_000) -> bool:
        """Cancel all jobs, wait for the running one, and stop the thread."""
        self.begin_closing()
        return not find_running([self], time.monotonic() + timeout_ms / 1000)


def find_running(lanes: Iterable[Lane], until: float) -> list[Lane]:
    """Wait for all lanes together; return those whose thread still runs.

    Args:
        until: the end of the wait, as `time.monotonic` counts.
    """
    return [
        lane
        for lane in lanes
        if lane.isRunning() and not lane.wait(max(0, int((until - time.monotonic()) * 1000)))
    ]
