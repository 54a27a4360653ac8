"""A document of which pages are pictures, in the reader: how far it is read, and its corrections.

Owns the strip below the head, which page is wanted first, and the way of a corrected line to the
library. `pdf.scan_layer` shows lines and states on the pages; `OcrService` reads and stores.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.progress import Progress
from desktop_app.engine.scanned_pages import ScannedPage
from desktop_app.engine.services.ocr import ScanProgress
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import tr, tr_message, trn
from ..widgets.buttons import Button, IconButton
from ..widgets.labels import ElidedLabel
from ..widgets.layout import build_row
from ..widgets.words import describe_page_rate, describe_read_pages
from .loading import LoadedDocument
from .pdf.view import PdfView
from .view import DocumentView


class ScanStrip(QFrame):
    """Says how far the pages of a document are read, and what is uncertain on the page in sight.

    `moved` carries +1 or -1 for the next or previous uncertain line.
    """

    read_wanted = Signal()
    pause_wanted = Signal(bool)
    leave_wanted = Signal()
    moved = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(40)
        self.words = ElidedLabel("", "small", self)
        self.read_button = Button(tr("Read this page now"), self, kind="soft")
        self.pause_button = Button(tr("Pause"), self, tooltip=tr("Pause text recognition"))
        self.resume_button = Button(tr("Resume"), self, tooltip=tr("Resume text recognition"))
        self.leave_button = Button(
            tr("Don't read the rest"), self, tooltip=tr("Pages that were read stay")
        )
        self.previous = IconButton(
            theme, "caret-up", tr("Previous uncertain line"), self, shortcut="Shift+F8"
        )
        self.next = IconButton(theme, "caret-down", tr("Next uncertain line"), self, shortcut="F8")
        self.close_button = IconButton(theme, "close", tr("Hide"), self)
        build_row(
            (self.words, 1),
            self.read_button,
            self.pause_button,
            self.resume_button,
            self.leave_button,
            self.previous,
            self.next,
            self.close_button,
            parent=self,
            spacing=4,
            margins=(16, 0, 12, 0),
        )
        self.read_button.clicked.connect(self.read_wanted)
        self.pause_button.clicked.connect(lambda: self.pause_wanted.emit(True))
        self.resume_button.clicked.connect(lambda: self.pause_wanted.emit(False))
        self.leave_button.clicked.connect(self.leave_wanted)
        self.previous.clicked.connect(lambda: self.moved.emit(-1))
        self.next.clicked.connect(lambda: self.moved.emit(1))
        self.close_button.clicked.connect(self.closed)
        self.hide()


class ScannedDocument(QObject):
    """Keeps the strip and the pages of the shown document up to date while its pages are read."""

    def __init__(
        self, context: SessionContext, strip: ScanStrip, pdf_view: PdfView, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._context, self._strip, self._pdf, self._screen = context, strip, pdf_view, parent
        self._document_id: int | None = None
        self._view: PdfView | None = None
        self._found: ScanProgress | None = None
        self._progress: Progress | None = None
        self._is_closed = False
        # a run may read a page a second, where pages of a changed file are the same
        self._soon = QTimer(self, singleShot=True, interval=300)
        self._soon.timeout.connect(self._fetch)
        strip.read_wanted.connect(self.read_now)
        strip.pause_wanted.connect(self._set_paused)
        strip.leave_wanted.connect(self._leave)
        strip.moved.connect(self.step)
        strip.closed.connect(self._close)
        pdf_view.scans.corrected.connect(self._correct)
        pdf_view.scans.stepped.connect(self.step)
        pdf_view.settled.connect(self._look)
        context.ocr_runner.progressed.connect(self._take_progress)
        context.ocr_runner.state_changed.connect(self._take_state)
        context.hub.changed.connect(self._on_change)
        parent.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and watched is self._screen:
            self._look()  # while it was hidden, its pages were not wanted first
        return False

    def set_document(self, loaded: LoadedDocument | None, view: DocumentView | None) -> None:
        """Show another document, or the same one with more of its pages."""
        document_id = loaded.row.id if loaded is not None else None
        if document_id != self._document_id:
            self._is_closed = False
            self._found = None
        is_scan = loaded is not None and loaded.row.scans.n_pages > 0 and view is self._pdf
        self._document_id = document_id if is_scan else None
        self._view = self._pdf if is_scan else None
        self._show()
        if is_scan:
            self._fetch()

    # --- what is known ----------------------------------------------------------------------------

    def _on_change(self, change: ChangeNotice) -> None:
        if self._document_id in change.documents:
            self._soon.start()

    def _fetch(self) -> None:
        """Fetch the states of the pages, and the lines of the pages in sight."""
        document_id, view = self._document_id, self._view
        if document_id is None or view is None:
            return
        reader, seen = self._context.ocr_reader, view.pages_in_sight()

        def fetch() -> tuple[ScanProgress | None, dict[int, ScannedPage]]:
            found = reader.find_progress(document_id)
            pages = {i: reader.find_page(document_id, i) for i in seen} if found else {}
            return found, {i: page for i, page in pages.items() if page is not None}

        def take(fetched: tuple[ScanProgress | None, dict[int, ScannedPage]]) -> None:
            if document_id == self._document_id and view is self._view:
                self._take(view, *fetched)

        Query(self._context.reader_lane, fetch, owner=self).on_success(take).run()

    def _take(
        self, view: PdfView, found: ScanProgress | None, pages: dict[int, ScannedPage]
    ) -> None:
        self._found = found
        view.scans.set_states(found.states if found is not None else {})
        for index, page in pages.items():
            if view.scans.pages.get(index) != page:
                view.scans.set_page(index, page)
                view.worker.set_scanned_page(index, page)
        self._want_pages()
        self._show()

    def _take_progress(self, progress: Progress) -> None:
        self._progress = progress
        self._show()

    def _take_state(self, state: str) -> None:
        if state != "running":
            self._progress = None
        self._show()

    def _look(self) -> None:
        """Take into account that other pages are in sight."""
        if self._view is None:
            return
        known = self._view.scans.pages
        states = self._found.states if self._found is not None else {}
        if any(
            states.get(i, ("",))[0] == "read" and i not in known
            for i in self._view.pages_in_sight()
        ):
            self._fetch()
        self._want_pages()
        self._show()

    def _want_pages(self) -> None:
        """Let the pages in sight be read before others."""
        view, document_id = self._view, self._document_id
        if view is None or document_id is None or not self._screen.isVisible():
            return
        for index in reversed(view.pages_in_sight()):
            if self._state_of(index) == "waiting":
                self._context.ocr.want_page(document_id, index)

    def _state_of(self, index: int) -> str:
        return self._found.states.get(index, ("",))[0] if self._found is not None else ""

    # --- the strip --------------------------------------------------------------------------------

    def _show(self) -> None:
        strip, view, found = self._strip, self._view, self._found
        if view is None or found is None or self._is_closed:
            strip.hide()
            return
        index = view.current_page()
        state, waits = self._state_of(index), found.count.n_waiting > 0
        n_unsure = len(view.scans.list_unsure(index))
        words = self._describe_page(index, state, n_unsure)
        if waits:
            words.append(self._describe_progress(found))
        strip.words.setText(" · ".join(words))
        strip.read_button.setVisible(
            state in ("left", "failed") or (state == "waiting" and found.is_paused)
        )
        strip.pause_button.setVisible(waits and not found.is_paused)
        strip.resume_button.setVisible(waits and found.is_paused)
        strip.leave_button.setVisible(waits)
        for button in (strip.previous, strip.next):
            button.setVisible(view.scans.has_unsure)
        strip.setVisible(bool(words))

    def _describe_progress(self, found: ScanProgress) -> str:
        count, progress = found.count, self._progress
        done = describe_read_pages(count.n_read, count.n_pages)
        if found.is_paused:
            return tr("Paused: {done}", done=done)
        parts = [done]
        if progress is not None:
            parts += describe_page_rate(progress)
        return " · ".join(parts)

    def _describe_page(self, index: int, state: str, n_unsure: int) -> list[str]:
        assert self._found is not None
        if state == "failed":
            reason = tr_message(self._found.states[index][1])
            return [tr("This page can't be read: {reason}", reason=reason)]
        if state == "left":
            return [tr("This page was not read")]
        if state == "waiting":
            return [] if self._found.is_paused else [tr("This page is next")]
        page = self._pdf.scans.pages.get(index)
        words = []
        if n_unsure:
            words.append(
                trn(
                    "{n} uncertain line on this page",
                    "{n} uncertain lines on this page",
                    n_unsure,
                )
            )
        if page is not None and not page.is_certain:
            words.append(tr("order of the lines uncertain"))
        return words

    def _close(self) -> None:
        self._is_closed = True
        self._show()

    # --- actions ----------------------------------------------------------------------------------

    def read_now(self) -> None:
        """Read the page in sight next, also while reading is paused."""
        if self._view is not None and self._document_id is not None:
            service = self._context.ocr
            self._write(service.request_page, self._document_id, self._view.current_page())

    def _set_paused(self, paused: bool) -> None:
        self._write(self._context.ocr.set_paused, paused)

    def _leave(self) -> None:
        if self._document_id is not None:
            self._write(self._context.ocr.leave, [self._document_id])

    def _write(self, work: Callable[..., ChangeNotice], *args: Any) -> None:
        def done(change: ChangeNotice) -> None:
            self._context.hub.publish_edit(change)
            self._context.ocr_runner.start()  # ends at once if nothing is to be read
            self._fetch()

        Query(self._context.writer_lane, work, *args, owner=self).on_success(done).run()

    # --- uncertain lines --------------------------------------------------------------------------

    def step(self, by: int) -> None:
        """Open the next (1) or previous (-1) uncertain line, after saving the one that is open."""
        view = self._view
        if view is None:
            return
        scans = view.scans
        edited = scans.edited
        if edited is not None and scans.editor.is_changed:
            scans.editor.saved.emit(scans.editor.field.text())
        elif edited is not None:
            scans.close_editor()
        start = edited or (view.current_page(), -1 if by > 0 else len(scans.pages))
        found = scans.find_unsure(by, start)
        if found is None:
            self._context.messages.show(tr("No line of the pages that were read is uncertain."))
            return
        view.show_scanned_line(*found)

    def _correct(self, page_index: int, number: int, text: str) -> None:
        document_id, view = self._document_id, self._view
        if document_id is None or view is None:
            return

        def done(change: ChangeNotice) -> None:
            self._context.hub.publish_edit(change)
            self._fetch()

        correct = self._context.ocr.correct_line
        Query(
            self._context.writer_lane, correct, document_id, page_index, number, text, owner=self
        ).on_success(done).run()
