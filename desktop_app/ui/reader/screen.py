"""The Reader: one document at a time, opened at a passage, with chapters, search and names.

Owns which document is shown and joins head, outline, search and the two views. Text is laid out
in `text_view`, pages are drawn in `pdf_view`; everything fetched comes through the reader lane.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.errors import AppError
from desktop_app.ui.widgets.states import EmptyState, Skeleton
from desktop_app.workers.operations import Query

from .find_bar import FindBar
from .finding import DocumentSearch
from .head import ReaderHead
from .loading import Loaded, load_document
from .outline_panel import OutlinePanel
from .pdf_view import PdfView
from .text_view import TextView
from .trail import Stop, Trail
from .underlining import NamesInSight
from .view import DocumentView

if TYPE_CHECKING:
    from desktop_app.ui.context import Context

NARROW = 620


class ReaderScreen(QWidget):
    """Shows documents; `open_at` is what citations, mentions and search results call."""

    open_entity = Signal(int)
    show_in_graph = Signal(object)
    ask_about = Signal(str)
    closed = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._loaded: Loaded | None = None
        self._wanted: int | None = None
        self._after: Callable[[DocumentView], None] = lambda view: None
        self._trail = Trail()
        theme = context.theme
        self.head = ReaderHead(theme, self)
        self.find_bar = FindBar(theme, self)
        self.outline = OutlinePanel(theme, self)
        self.text_view = TextView(theme, self)
        self.pdf_view = PdfView(theme, self)
        self.empty = EmptyState(
            theme,
            "reader",
            "Nothing is open",
            "Open a document from the library, or click on a citation to land on its passage.",
        )
        self.empty.text.setMinimumWidth(0)  # beside a chat there may be less room than it likes
        self.empty.text.setMaximumWidth(420)
        self.waiting = Skeleton(theme)
        self.stack = QStackedWidget(self)
        for widget in (self.empty, self.waiting, self.text_view, self.pdf_view):
            self.stack.addWidget(widget)
        self.search = DocumentSearch(context, self.find_bar, self)
        self.names = NamesInSight(context, self)
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
        widget = self.stack.currentWidget()
        return widget if isinstance(widget, DocumentView) else None

    def open_document(self, document_id: int) -> None:
        """Show a document from its beginning, or where it is if it is open."""
        if self._shows(document_id):
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
        self._show_way_back()
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

    def _shows(self, document_id: int) -> bool:
        return self._loaded is not None and self._loaded.row.id == document_id

    def _leave(self) -> None:
        view = self.view
        if self._loaded is not None and view is not None:
            self._trail.leave(Stop(self._loaded.row.id, view.place(), view.passage))
            self._show_way_back()

    def _open(
        self, document_id: int, land: Callable[[DocumentView], None], *, quiet: bool = False
    ) -> None:
        self._after = land
        view = self.view
        if self._shows(document_id) and view is not None:
            self._wanted = document_id
            land(view)
            return
        if self._wanted == document_id and self._loaded is None and not quiet:
            return  # already on its way; it lands where it was asked for last
        self._wanted, self._loaded = document_id, None
        if not quiet:
            self.head.title.setText("")
            self.head.position.setText("")
            self.stack.setCurrentWidget(self.waiting)
            self.waiting.start()
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
        self.waiting.stop()
        view: DocumentView
        if loaded.blocks is None:
            view = self.pdf_view
            self.pdf_view.set_document(
                loaded.content or b"", loaded.password, loaded.text, loaded.pages
            )
        else:
            view = self.text_view
            self.pdf_view.clear()
            self.text_view.set_document(loaded.text, loaded.blocks)
        self.stack.setCurrentWidget(view)
        self.outline.set_outline(loaded.outline)
        self.head.title.setText(loaded.row.title or loaded.row.file_name)
        self.head.set_ready(True)
        self.head.set_zoom(view.zoom)
        self.search.set_document(loaded.row.id, view)
        self.names.set_document(loaded.row.id, view)
        self._place_outline()
        self._after(view)
        self._tell_position()

    def _show_empty(self) -> None:
        self._wanted, self._loaded = None, None
        self.waiting.stop()
        self.empty.set_texts(
            "Nothing is open",
            "Open a document from the library, or click on a citation to land on its passage.",
            "reader",
        )
        self._show_nothing()

    def _show_error(self, error: BaseException) -> None:
        self._loaded = None
        self.waiting.stop()
        if isinstance(error, AppError):
            if self._wanted is not None:
                self._trail.forget(self._wanted)
            self.empty.set_texts(error.message, error.hint, "document")
        else:
            self.empty.set_texts("This document can't be shown.", "", "document")
            self._context.messages.show_error(error)
        self._wanted = None
        self._show_nothing()

    def _show_nothing(self) -> None:
        self.pdf_view.clear()
        self.search.set_document(None, None)
        self.names.set_document(None, None)
        self.find_bar.hide()
        self.outline.hide()
        self.head.title.setText("")
        self.head.position.setText("")
        self.head.set_ready(False)
        self.stack.setCurrentWidget(self.empty)
        self._show_way_back()

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
        title = " ".join(loaded.outline[chapter].title.split()) if chapter >= 0 else ""
        if view is self.pdf_view:
            self.head.position.setText(self._page_words(self.pdf_view.current_page()))
        else:
            share = f"{round(100 * offset / max(1, len(loaded.text)))} %"
            self.head.position.setText(f"{title} · {share}" if title else share)

    def _page_words(self, index: int) -> str:
        loaded = self._loaded
        count = len(self.pdf_view.work.sizes) or (loaded.row.n_pages if loaded else 0)
        label = loaded.pages[index].label if loaded and index < len(loaded.pages) else ""
        if label and label != str(index + 1):
            return f"p. {label} ({index + 1} of {count})"
        return f"p. {index + 1} of {count}" if count else ""

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
        if self.width() < NARROW:
            self.head.outline.setChecked(False)

    # --- joining ----------------------------------------------------------------------------

    def _build(self) -> None:
        self.body = QWidget(self)
        self._body_row = QHBoxLayout(self.body)
        self._body_row.setContentsMargins(0, 0, 0, 0)
        self._body_row.setSpacing(0)
        self._body_row.addWidget(self.stack, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.find_bar)
        column.addWidget(self.body, 1)
        self.outline.setParent(self.body)
        self.find_bar.hide()
        self.outline.hide()

    def _join(self) -> None:
        head = self.head
        head.back.clicked.connect(self.back)
        head.close_button.clicked.connect(self.close_document)
        head.search.clicked.connect(self.search.start)
        head.outline.toggled.connect(self._place_outline)
        head.names.toggled.connect(self.names.set_on)
        head.zoom_stepped.connect(self._zoom_by)
        head.zoom_chosen.connect(self._zoom_to)
        self.outline.chosen.connect(self._go_to_heading)
        for view in (self.text_view, self.pdf_view):
            view.moved.connect(self._tell_position)
            view.settled.connect(self.names.look)
            view.name_clicked.connect(self.open_entity)
            view.name_in_graph.connect(self._name_in_graph)
            view.ask_about.connect(self.ask_about)
            view.zoom_changed.connect(head.set_zoom)
        self.pdf_view.work.failed.connect(self._pdf_failed)
        self._context.hub.changed.connect(self._changed)
        for keys, act in (
            ("Ctrl+F", self.search.start),
            ("F3", self.search.next),
            ("Shift+F3", self.search.previous),
            ("Ctrl++", lambda: self._zoom_by(1)),
            ("Ctrl+=", lambda: self._zoom_by(1)),
            ("Ctrl+-", lambda: self._zoom_by(-1)),
            ("Ctrl+0", lambda: self._zoom_to(1.0)),
            ("Alt+Left", self.back),
        ):
            QShortcut(
                QKeySequence(keys), self, act, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
            )

    def _name_in_graph(self, entity_id: int) -> None:
        self.show_in_graph.emit([entity_id])

    def _zoom_by(self, steps: int) -> None:
        if self.view is not None:
            self.view.zoom_by(steps)

    def _zoom_to(self, zoom: float) -> None:
        if self.view is not None:
            self.view.set_zoom(zoom)

    def _show_way_back(self) -> None:
        self.head.back.setEnabled(len(self._trail) > 0)

    def _changed(self, change: ChangeSet) -> None:
        if self._loaded is None:
            return
        if change.everything or self._loaded.row.id in change.documents:
            self._look_again(self._loaded.row.id)
        if change.everything or change.entities or change.documents:
            self.names.forget()

    def _look_again(self, document_id: int) -> None:
        """See whether the document is still there; its text never changes, its title may."""

        def rename(row: object) -> None:
            if self._shows(document_id) and row is not None:
                self.head.title.setText(row.title or row.file_name)  # type: ignore[attr-defined]

        def fail(error: BaseException) -> None:
            if self._shows(document_id):
                self._show_error(error)

        query = Query(
            self._context.reader_lane,
            self._context.exploring.get_document,
            document_id,
            owner=self,
        )
        query.on_success(rename).on_error(fail).run()

    # --- room -------------------------------------------------------------------------------

    def _place_outline(self) -> None:
        """Put the outline beside the text, or over it where there is little room."""
        shown = self.head.outline.isChecked() and self._loaded is not None
        self._body_row.removeWidget(self.outline)
        if shown and self.width() >= NARROW:
            self._body_row.insertWidget(0, self.outline)
        self.outline.setVisible(shown)
        if shown and self.width() < NARROW:
            self.outline.setGeometry(0, 0, self.outline.width(), self.body.height())
            self.outline.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_outline()
