"""The controller of the library's state: shows damage and read-only files, runs the check.

Damage is shown once, in the banner of the window; refused changes are messages of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.errors import AppError
from desktop_app.engine.messages import Message
from desktop_app.session import Session
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query, Work

from ..context import SessionContext
from ..library.check_dialog import CheckDialog
from ..shell.main_window import MainWindow
from ..translation import tr, tr_message

if TYPE_CHECKING:
    from desktop_app.engine.services.library_check import LibraryCheckResult


class LibraryStateController(QObject):
    """Watches the damage of one library; `restore_wanted` asks for the ways back."""

    restore_wanted = Signal()
    _damage_found = Signal(object)  # from any thread

    def __init__(self, context: SessionContext, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._context, self._window, self._session = context, window, session
        self._library = session.library
        self.dialog: CheckDialog | None = None
        self._job: Job | None = None
        self._damage_found.connect(self._show_damage)  # at once, if it was found in this thread
        window.banner.details_wanted.connect(self.check)
        window.banner.restore_wanted.connect(self.restore_wanted)
        listener = self._damage_found.emit
        self._library.damage.listeners.append(listener)
        session.closed.connect(lambda: self._library.damage.listeners.remove(listener))
        if self._library.damage.found is not None:
            self._show_damage(self._library.damage.found)
        elif self._library.writer.is_medium_read_only:
            window.banner.show_state(
                tr("Read-only: this library can be read, searched and asked, not changed."),
                is_damage=False,
            )

    def show_shared(self, is_shared: bool) -> None:
        """Show that another window has the library open, unless something worse is shown."""
        banner = self._window.banner
        if self._library.damage.found is not None or self._library.writer.is_medium_read_only:
            return
        if is_shared:
            text = tr(
                "This library is open in another window too. Its changes are shown here after a "
                "few seconds, and you are asked before one of them is undone."
            )
            banner.show_state(text, is_damage=False)
        else:
            banner.hide()

    def _show_damage(self, what: Message) -> None:
        self._session.stop_background_work()
        self._context.messages.is_damage_shown = True
        text = tr(
            "This library is damaged: {what}. Nothing is written into it any more.",
            what=tr_message(what),
        )
        self._window.banner.show_state(
            text,
            is_damage=True,
            details_text=tr("Check…"),
            restore_text=tr("Restore a backup…"),
        )

    # --- the check ------------------------------------------------------------------------------

    def check(self) -> None:
        """Check the library and show the result in a dialog; closing it cancels the check."""
        if self.dialog is not None:
            self.dialog.activateWindow()
            return
        dialog = self.dialog = CheckDialog(self._window)
        dialog.repair_wanted.connect(self._repair)
        dialog.restore_wanted.connect(dialog.accept)
        dialog.restore_wanted.connect(self.restore_wanted)
        dialog.finished.connect(self._closed)
        dialog.open()
        self._start()

    def _start(self) -> None:
        def work(job: Job) -> LibraryCheckResult:
            from desktop_app.engine.services.library_check import check_open_library

            return check_open_library(
                self._library, cancel=job.cancel_token, on_progress=job.report
            )

        def fail(error: BaseException) -> None:
            dialog.show_failure(error)
            if not isinstance(error, AppError):
                self._context.messages.show_error(error)

        assert self.dialog is not None
        dialog = self.dialog
        query = Work(self._session.lanes["files"], work, owner=dialog, label="checking")
        query.on_progress(dialog.show_progress).on_success(dialog.show_result)
        query.on_error(fail)
        self._job = query.job
        query.run()

    def _repair(self) -> None:
        def done(_: None) -> None:
            if self.dialog is not None:
                self.dialog.accept()
            self._context.messages.show(
                tr("The graph and the search indexes were rebuilt."), kind="ok"
            )

        lane = self._context.writer_lane
        from desktop_app.engine.services.library_check import repair_library

        Query(lane, repair_library, self._library, owner=self).on_success(done).run()

    def _closed(self) -> None:
        self.dialog = None
        if self._job is not None:
            self._job.cancel()
            self._job = None
