"""The controller of scanned pages: their progress in the sidebar and the library, pause and stop.

The reader has its own controls for the document that it shows (`reader.scans`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.progress import Progress
from desktop_app.engine.scheduler import Priority
from desktop_app.engine.store.scanned_pages import ScanCount
from desktop_app.session import Session

from ..context import SessionContext
from ..shell.main_window import MainWindow
from ..translation import tr, trn
from ..widgets.words import describe_page_rate, describe_read_pages
from .queue_progress import QueueController


class ScanController(QueueController):
    """Shows how far scanned pages of one open library are read, and pauses or stops that."""

    def __init__(self, context: SessionContext, window: MainWindow, session: Session) -> None:
        reader = context.ocr_reader
        super().__init__(context, window, session, context.ocr_runner, reader.count_waiting)
        self._counts: dict[int, ScanCount] = {}  # by document, as the reader's strip shows them
        self._status = window.sidebar.scan_work
        context.hub.changed.connect(self._count_again)
        status, library = self._status, window.screens.library
        status.pause_wanted.connect(lambda: self._write(context.ocr.set_paused, True))
        status.resume_wanted.connect(lambda: self._write(context.ocr.set_paused, False))
        status.cancel_wanted.connect(lambda: self._leave(None))
        library.pages_next_wanted.connect(self._read_next)
        library.pages_leave_wanted.connect(self._leave)
        library.pages_read_wanted.connect(lambda ids: self._write(context.ocr.read_again, ids))
        self._count()

    # --- actions ----------------------------------------------------------------------------------

    def _read_next(self, document_ids: Sequence[int]) -> None:
        self._context.ocr.want_documents(document_ids)
        self._write(self._context.ocr.set_paused, False)

    def _leave(self, document_ids: Sequence[int] | None) -> None:
        def done() -> None:
            self._context.messages.show(
                tr("The other pages are not read. “Read the other pages” in the library does it.")
            )

        self._write(self._context.ocr.leave, document_ids, then=done)

    def _write(
        self, work: Callable[..., ChangeNotice], *args: Any, then: Callable[[], Any] = lambda: None
    ) -> None:
        def done(change: ChangeNotice) -> None:
            self._session.publish_work(change)
            self.runner.start()  # ends at once if nothing is to be read
            self._count()
            then()

        self._session.write(work, *args, done=done)

    # --- progress ---------------------------------------------------------------------------------

    def _count_again(self, change: ChangeNotice) -> None:
        """Count the pages that wait, if any may be others now."""
        if change.documents:
            self._count()

    def _count(self) -> None:
        """Count the pages of all documents: what was read before this start counts, too."""

        def take(counts: dict[int, ScanCount]) -> None:
            self._counts = counts
            self._n_waiting = sum(count.n_waiting for count in counts.values())
            self._show()

        self._session.read(self._context.ocr_reader.count, done=take)

    def _take_progress(self, progress: Progress) -> None:
        self._last = progress  # it counts the pages since the start, which are never shown
        self._show()

    def _show(self) -> None:
        paused = self._context.ocr.is_paused
        progress = self._last if self.runner.is_running else None
        self._window.screens.library.show_page_progress(progress, paused=paused)
        if not self._n_waiting or (progress is None and not paused):
            self._status.hide()
            return
        waiting = trn("{n} page waits", "{n} pages wait", self._n_waiting)
        if paused:
            self._status.show_work(None, tr("Text recognition is paused"), detail=waiting)
            return
        assert progress is not None
        title = self.titles.get(progress.document_id or 0, "")
        words = tr("Recognising text on scanned pages")
        if title:
            words = tr("Recognising text: {title}", title=title)
        count = self._counts.get(progress.document_id or 0)
        detail = waiting
        if count is not None:
            detail = describe_read_pages(count.n_read, count.n_pages)
            progress = replace(progress, done=count.n_settled, total=count.n_pages)
        waits_for = self._context.scheduler.find_blocker(Priority.IMPORT)
        rate = " · ".join(describe_page_rate(progress))
        pace = tr("Paused while answering") if waits_for == Priority.QUESTION else rate
        self._status.show_work(progress, words, detail=detail, pace=pace)
