"""What the controllers of queues share: how much waits, and what is being done."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from desktop_app.engine.progress import Progress
from desktop_app.session import Session
from desktop_app.workers.background_jobs import QueueRunner

from ..context import SessionContext
from ..shell.main_window import MainWindow


class QueueController(QObject):
    """Follows a queue that is worked off in the background; subclasses show it.

    Args:
        count_waiting: reads how many things wait; called in a lane.
    """

    def __init__(
        self,
        context: SessionContext,
        window: MainWindow,
        session: Session,
        runner: QueueRunner,
        count_waiting: Callable[[], int],
    ) -> None:
        super().__init__(window)
        self._context, self._window, self._session = context, window, session
        self._count_waiting = count_waiting
        self._last: Progress | None = None  # None while nothing is being done
        self._n_waiting = 0
        self.titles: dict[int, str] = {}  # of the documents
        self.runner = runner
        runner.progressed.connect(self._take_progress)
        runner.state_changed.connect(self._take_state)

    def show_blocker(self) -> None:
        """Show what more urgent work it waits for, if any."""
        if self._last is not None:
            self._show()

    def _count(self) -> None:
        def take(n_waiting: int) -> None:
            self._n_waiting = n_waiting
            self._show()

        self._session.read(self._count_waiting, done=take)

    def _take_progress(self, progress: Progress) -> None:
        self._last = progress
        self._n_waiting = max(0, progress.total - progress.done)
        self._show()

    def _take_state(self, state: str) -> None:
        if state != "running":
            self._last = None
        self._count()

    def _show(self) -> None:
        raise NotImplementedError
