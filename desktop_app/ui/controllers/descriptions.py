"""The controller of descriptions of pictures: their progress in the sidebar, pause and stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.scheduler import Priority
from desktop_app.session import Session

from ..context import SessionContext
from ..shell.main_window import MainWindow
from ..translation import tr, trn
from ..widgets.words import format_left, format_number
from .queue_progress import QueueController


class DescriptionController(QueueController):
    """Shows how far pictures of one open library are described, and pauses or stops that."""

    def __init__(self, context: SessionContext, window: MainWindow, session: Session) -> None:
        def count() -> int:  # asked for in the lane, which imports the service
            return context.description_reader.count_waiting()

        super().__init__(context, window, session, context.description_runner, count)
        status = self._status = window.sidebar.description_work
        status.pause_wanted.connect(self._pause)
        status.resume_wanted.connect(self._resume)
        status.cancel_wanted.connect(self._leave)
        self._count()

    # --- actions ----------------------------------------------------------------------------------

    def _pause(self) -> None:
        """Stop now: a picture that is being described is described again later."""
        self.runner.pause()
        self._write(self._context.descriptions.set_paused, True)

    def _resume(self) -> None:
        self._write(self._context.descriptions.set_paused, False, then=self.runner.start)

    def _leave(self) -> None:
        self.runner.pause()

        def done() -> None:
            self._context.messages.show(
                tr("The other pictures are not described. What was described stays.")
            )

        self._write(self._context.descriptions.leave, then=done)

    def _write(
        self, work: Callable[..., ChangeNotice], *args: Any, then: Callable[[], Any] = lambda: None
    ) -> None:
        def done(change: ChangeNotice) -> None:
            self._context.hub.figures_read.emit(change.documents)
            self._count()
            then()

        self._session.write(work, *args, done=done)

    # --- progress ---------------------------------------------------------------------------------

    def _show(self) -> None:
        progress = self._last if self.runner.is_running else None
        # The service is built when it is asked, so it is not where no picture waits.
        if not self._n_waiting or (progress is None and not self._context.descriptions.is_paused):
            self._status.show_work(None, "")
            return
        if progress is None:
            waiting = trn("{n} picture waits", "{n} pictures wait", self._n_waiting)
            self._status.show_work(None, tr("Describing pictures is paused"), detail=waiting)
            return
        title = self.titles.get(progress.document_id or 0, "")
        words = tr("Describing pictures of {title}", title=title)
        detail = tr(
            "Picture {n} of {all}",
            n=format_number(progress.done + 1),
            all=format_number(progress.total),
        )
        waits_for = self._context.scheduler.find_blocker(Priority.ENRICHMENT)
        is_asked = waits_for == Priority.QUESTION
        pace = tr("Paused while answering") if is_asked else format_left(progress.left_s)
        self._status.show_work(
            progress, words if title else tr("Describing pictures"), detail=detail, pace=pace
        )
