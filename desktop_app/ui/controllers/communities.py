"""The controller of communities: updates them after the graph changed and shows report writing.

Communities are updated in the background even if their screen was never opened, since the graph
can be coloured by them.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.progress import Progress
from desktop_app.session import Session
from desktop_app.workers.operations import Query

from ..communities.community_tree import CommunityTree
from ..context import SessionContext
from ..shell.main_window import MainWindow
from ..translation import tr, trn
from ..widgets import format_number
from ..widgets.words import format_pace

# Delay after the last change of the graph; longer where computing takes long, because it slows
# down the edits of a person who works on.
QUIET_MS, MAX_QUIET_MS, QUIET_SHARE = 4000, 60_000, 5
SLOW_MS = 500  # shorter work is not shown in the sidebar


class CommunityController(QObject):
    """Connects the communities of one open library to its window."""

    def __init__(self, context: SessionContext, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._context, self._window, self._session = context, window, session
        self._work = context.communities
        self._progress: Progress | None = None
        self._stopping = False
        self._is_pending = False  # the graph has changed since the communities were computed
        self._has_computed = False  # since the library was opened
        self._quiet = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._quiet.timeout.connect(self._refresh)
        self._slow = QTimer(self, singleShot=True, interval=SLOW_MS)
        self._slow.timeout.connect(self._show_begun)
        self._connect_status()
        self._work.refresh.refreshed.connect(self._session.publish_work)
        self._work.refresh.ended.connect(self._ended)
        context.hub.changed.connect(self._changed)
        self._count()
        self._quiet.start()

    @property
    def is_writing(self) -> bool:
        return self._work.runner.is_running

    # --- updates ----------------------------------------------------------------------------------

    def _changed(self, change: ChangeNotice) -> None:
        if change.entities or change.relations:
            self._work.refresh.cancel()
            self._wait()
            if not self._context.hub.is_edit:  # an edit changes few of them
                self._is_pending = True
                self._window.show_count("communities", None)

    def _wait(self) -> None:
        wanted_ms = round(QUIET_SHARE * 1000 * self._work.refresh.took_s)
        self._quiet.start(min(MAX_QUIET_MS, max(QUIET_MS, wanted_ms)))

    def _refresh(self) -> None:
        if self._session.indexing_runner.is_running:  # the graph still grows
            self._wait()
        else:
            self._work.refresh.start()

    def _ended(self) -> None:
        if not self._quiet.isActive():  # else the graph has changed meanwhile
            self._is_pending, self._has_computed = False, True
            self._count()

    def _count(self) -> None:
        def count() -> int:
            return CommunityTree(self._work.reader.tree()).n_main

        Query(self._work.lane, count, owner=self).on_success(self.show_count).run()

    def show_count(self, n: int) -> None:
        """Show how many communities the list has, unless the graph they are of has changed.

        None may be stored because they were never computed: that says nothing of the graph.
        """
        if not self._is_pending and (n or self._has_computed):
            self._window.show_count("communities", n)

    # --- progress in the sidebar ------------------------------------------------------------------

    def _connect_status(self) -> None:
        foot, runner = self._window.sidebar.report_work, self._work.runner
        foot.pause_wanted.connect(runner.pause)
        foot.resume_wanted.connect(runner.start)
        foot.cancel_wanted.connect(self.stop)
        runner.progressed.connect(self._show_progress)
        runner.changed.connect(self._session.publish_work)
        runner.state_changed.connect(self._show_state)

    def stop(self) -> None:
        """Stop writing reports; finished reports are kept."""
        runner, writing = self._work.runner, self._work.job
        n_done = writing.n_done + (self._progress.done if self._progress else 0)
        writing.clear()
        self._stopping = True
        if runner.state == "running":
            runner.pause()
        runner.start()  # the queue is empty, so the runner stops at once
        self._stopping = False
        self._progress = None
        self._window.sidebar.report_work.hide()
        if n_done:
            self._context.messages.show(tr("Writing stopped. Written reports are kept."))

    def _show_begun(self) -> None:
        """Show progress as soon as writing starts, even while the model is loading."""
        if self.is_writing:
            self._show_progress(self._progress or Progress("reports"))

    def _show_progress(self, progress: Progress) -> None:
        self._progress = progress
        if not self.is_writing or self._slow.isActive():
            return
        detail = ""
        if progress.total:
            done, total = format_number(progress.done), format_number(progress.total)
            detail = tr("{done} of {total} written", done=done, total=total)
        pace = format_pace(progress.left_s, self._work.job.find_blocker())
        self._window.sidebar.report_work.show_work(
            progress, tr("Writing reports"), detail=detail, pace=pace
        )

    def show_blocker(self) -> None:
        """Show what more urgent work the reports wait for, if any."""
        if self._progress is not None:
            self._show_progress(self._progress)

    def _show_state(self, state: str) -> None:
        foot, writing = self._window.sidebar.report_work, self._work.job
        if self._stopping:
            return
        if state == "running":
            self._slow.start()
        elif state == "paused":
            foot.show_work(
                self._progress,
                tr("Writing paused"),
                detail=tr("Written reports are kept."),
                paused=True,
            )
        elif state == "idle":
            foot.hide()
            self._progress = None
            if writing.n_done:
                message = trn("{n} report written.", "{n} reports written.", writing.n_done)
                if n := writing.n_failed:
                    message = tr(
                        "{written} {failed}",
                        written=message,
                        failed=trn(
                            "{n} of them without the model.",
                            "{n} of them without the model.",
                            n,
                        ),
                    )
                self._context.messages.show(message, kind="ok")
                writing.n_done = writing.n_failed = 0
