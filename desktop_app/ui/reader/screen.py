"""The Reader: one document at a time, opened at a passage, with chapters, search and names.

Owns which document is shown and joins head, outline, search and the two views. Text is laid out
in `text_view`, pages are drawn in `pdf_view`; everything fetched comes through the reader lane.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.engine.errors import AppError
from desktop_app.engine.types import DocumentRow
from desktop_app.workers.operations import Query

from .body import ReaderBody
from .chapters import ChapterEnriching
from .find_bar import FindBar
from .finding import DocumentSearch
from .head import ReaderHead
from .keys import ReaderKeys
from .loading import Loaded, load_document
from .position import page_words, text_words
from .trail import Stop, Trail
from .underlining import NamesInSight
from .view import DocumentView
from .watch import DocumentWatch

if TYPE_CHECKING:
    from desktop_app.ui.context import Context


class ReaderScreen(QWidget):
    """Shows documents; `open_at` is what citations, mentions and search results call."""

    open_entity = Signal(int)
    show_in_graph = Signal(object)
    ask_about = Signal(str)
    enrich_chapter_requested = Signal(int, int, int)
    closed = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._loaded: Loaded | None = None
        self._wanted: int | None = None
        self._after: Callable[[DocumentView], None] = lambda view: None
        self._trail = Trail(self)
        theme = context.theme
        self.head = ReaderHead(theme, self)
        self.find_bar = FindBar(theme, self)
        self.body = ReaderBody(theme, self)
        self.outline = self.body.outline
        self.text_view, self.pdf_view = self.body.text_view, self.body.pdf_view
        self.search = DocumentSearch(context, self.find_bar, self)
        self.names = NamesInSight(context, self)
        self._chapters = ChapterEnriching(self)
        self.watch = DocumentWatch(context, self._shown, self)
        # said outright: the outline beside the text must not keep a splitter from closing in
        self.setMinimumSize(320, 240)
        self._build()
        self._join()
        self._show_empty()

    # --- what others call -------------------------------------------------------------------

    @property
    def document_id(self) -> int | None:
        """The document that is shown or being opened."""
        return self._wanted

    @property
    def view(self) -> DocumentView | None:
        """The view in use, None while no document is shown."""
        return self.body.view

    def open_document(self, document_id: int) -> None:
        """Show a document from its beginning, or where it is if it is open."""
        if self._shown() == document_id:
            return
        self._leave()
        self._open(document_id, lambda view: None)

    def open_at(self, document_id: int, start: int, end: int) -> None:
        """Show a passage: marked, at about a third of the height."""
        self._leave()

        def land(view: DocumentView) -> None:
            view.show_passage(start, end)

        self._open(document_id, land)

    def back(self) -> None:
        """Return to where one was before the last jump."""
        stop = self._trail.back()
        if stop is None:
            return

        def land(view: DocumentView) -> None:
            view.passage = stop.passage
            view.go_to_place(stop.place)
            view.viewport().update()

        self._open(stop.document_id, land)

    def refresh(self) -> None:
        """Read again what is shown."""
        if self._loaded is None:
            return
        view = self.view
        place = view.place() if view else None
        passage = view.passage if view else None
        document_id, self._loaded = self._loaded.row.id, None

        def land(new: DocumentView) -> None:
            new.passage = passage
            if place is not None and new is view:
                new.go_to_place(place)

        self._open(document_id, land, quiet=True)

    def close_document(self) -> None:
        """Close what is open and say so."""
        self._show_empty()
        self.closed.emit()

    def shut_down(self) -> None:
        """End the reader's own thread; the screen is not used after that."""
        self.pdf_view.work.shut_down()

    # --- opening ----------------------------------------------------------------------------

    def _shown(self) -> int | None:
        return self._loaded.row.id if self._loaded is not None else None

    def _leave(self) -> None:
        view = self.view
        if self._loaded is not None and view is not None:
            self._trail.leave(Stop(self._loaded.row.id, view.place(), view.passage))

    def _open(
        self, document_id: int, land: Callable[[DocumentView], None], *, quiet: bool = False
    ) -> None:
        self._after = land
        view = self.view
        if self._shown() == document_id and view is not None:
            self._wanted = document_id
            land(view)
            return
        if self._wanted == document_id and self._loaded is None and not quiet:
            return  # already on its way; it lands where it was asked for last
        self._wanted, self._loaded = document_id, None
        if not quiet:
            self.head.clear()
            self.body.show_waiting()
        self._fetch(document_id)

    def _fetch(self, document_id: int, *, as_text: bool = False) -> None:
        def take(loaded: Loaded) -> None:
            if self._wanted == document_id:
                self._show(loaded)

        def fail(error: BaseException) -> None:
            if self._wanted == document_id:
                self._show_error(error)

        exploring = self._context.exploring
        lane = self._context.reader_lane
        Query(lane, load_document, exploring, document_id, as_text, owner=self).on_success(
            take
        ).on_error(fail).run()

    def _show(self, loaded: Loaded) -> None:
        self._loaded = loaded
        view = self.body.show_document(loaded)
        self.outline.set_outline(loaded.outline)
        self._chapters.set_document(loaded)
        self._show_title(loaded.row)
        self.head.set_ready(True)
        self.head.set_zoom(view.zoom)
        self.search.set_document(loaded.row.id, view)
        self.names.set_document(loaded.row.id, view)
        self._place_outline()
        self._after(view)
        self._tell_position()

    def _show_empty(self) -> None:
        self._wanted, self._loaded = None, None
        self.body.show_empty()
        self._show_nothing()

    def _show_error(self, error: BaseException) -> None:
        self._loaded = None
        if isinstance(error, AppError):
            if self._wanted is not None:
                self._trail.forget(self._wanted)
            self.body.show_empty(error.message, error.hint, "document")
        else:
            self.body.show_empty("This document can't be shown.", "", "document")
            self._context.messages.show_error(error)
        self._wanted = None
        self._show_nothing()

    def _show_nothing(self) -> None:
        self.search.set_document(None, None)
        self.names.set_document(None, None)
        self.find_bar.hide()
        self.head.clear()
        self.head.set_ready(False)

    def _pdf_failed(self, error: BaseException) -> None:
        """Show the text of a PDF whose pages can't be drawn."""
        if self._loaded is None or self._loaded.content is None:
            return
        if isinstance(error, AppError):
            self._context.messages.show(
                "The pages of this PDF can't be shown, so here is its text.", kind="warn"
            )
        else:
            self._context.messages.show_error(error)
        document_id, self._loaded = self._loaded.row.id, None
        self._fetch(document_id, as_text=True)

    # --- where one is -----------------------------------------------------------------------

    def _tell_position(self) -> None:
        loaded, view = self._loaded, self.view
        if loaded is None or view is None:
            return
        offset = view.top_offset()
        if view is self.text_view:
            offset = self.text_view.offset_at(0, self.text_view.viewport().height() / 3)
        chapter = self.outline.set_offset(offset)
        if view is self.pdf_view:
            n_pages = len(self.pdf_view.work.sizes) or loaded.row.n_pages
            words = page_words(loaded.pages, self.pdf_view.current_page(), n_pages)
        else:
            words = text_words(loaded.outline, chapter, offset, len(loaded.text))
        self.head.position.setText(words)

    def _go_to_heading(self, number: int) -> None:
        loaded, view = self._loaded, self.view
        if loaded is None or view is None:
            return
        self._leave()
        heading = loaded.outline[number]
        if view is self.pdf_view and heading.page_index is not None:
            self.pdf_view.show_heading(heading.page_index, heading.start)
        else:
            view.go_to_place(heading.start)
        view.setFocus()
        if self.body.is_narrow:
            self.head.outline.setChecked(False)

    # --- joining ----------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.find_bar)
        column.addWidget(self.body, 1)
        self.find_bar.hide()

    def _join(self) -> None:
        head = self.head
        head.back.clicked.connect(self.back)
        self._trail.changed.connect(head.back.setEnabled)
        head.close_button.clicked.connect(self.close_document)
        head.search.clicked.connect(self.search.start)
        head.outline.toggled.connect(self._place_outline)
        head.names.toggled.connect(self.names.set_on)
        self.outline.chosen.connect(self._go_to_heading)
        for view in (self.text_view, self.pdf_view):
            view.moved.connect(self._tell_position)
            view.settled.connect(self.names.look)
            view.name_clicked.connect(self.open_entity)
            view.name_in_graph.connect(self._name_in_graph)
            view.ask_about.connect(self.ask_about)
            view.zoom_changed.connect(head.set_zoom)
        self.pdf_view.work.failed.connect(self._pdf_failed)
        self.watch.seen.connect(self._show_title)
        self.watch.gone.connect(self._show_error)
        self.watch.names_changed.connect(self.names.forget)
        self._keys = ReaderKeys(self)

    def _name_in_graph(self, entity_id: int) -> None:
        self.show_in_graph.emit([entity_id])

    def _show_title(self, row: DocumentRow) -> None:
        self.head.title.setText(row.title or row.file_name)

    def _place_outline(self) -> None:
        self.body.show_outline(self.head.outline.isChecked() and self._loaded is not None)
