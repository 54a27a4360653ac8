"""The library screen: every document with its state, and what can be done with it.

Owns the list, its filter and its menu. Reading and indexing are asked for by signals; the
window joins them to what does the work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.progress import Progress
from desktop_app.engine.types import DocumentRow
from desktop_app.ui.language import tr, tr_said
from desktop_app.ui.widgets import Button, Skeleton
from desktop_app.workers.operations import Query

from .adding import ask_for_files, ask_for_folder
from .bar import LibraryBar
from .deleting import ask_to_delete
from .document_list import DocumentList
from .enrichment_news import EnrichmentNews
from .index_again import IndexAgain
from .keys import join_keys
from .menu import build_document_menu, build_more_menu
from .pages import build_empty, build_failed, build_nothing_found
from .pasting import Pasting
from .shelving import Shelving
from .table_model import DocumentTableModel
from .text_filter import TextFilter
from .words import say_how_many

PLACES_FROM = 980


class LibraryScreen(QWidget):
    """Lists the documents of the open library."""

    files_dropped = Signal(list)
    text_pasted = Signal(str, str)  # title, text
    demo_requested = Signal()
    open_document = Signal(int)
    pause_requested = Signal()
    resume_requested = Signal()
    cancel_requested = Signal(int)
    retry_requested = Signal(int)
    delete_requested = Signal(list)
    # lists of documents; to enrich, an empty one stands for the whole library
    enrich_requested = Signal(list)
    enrich_now_requested = Signal(list)
    enrich_stop_requested = Signal(list)
    enrich_retry_requested = Signal(list)
    enrich_settings_requested = Signal()
    import_graph_requested = Signal(bool)  # a folder, or a file
    open_passage = Signal(int, int, int)
    watch_requested = Signal()
    care_requested = Signal()

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._loading = False
        self._again = False
        self.model = DocumentTableModel(self)
        self.news = EnrichmentNews(context, self)
        self.shelving = Shelving(context, self)
        self.pasting = Pasting(self)
        start = self.resume_requested.emit
        self.indexing = IndexAgain(context, self, self.news.count_enriched, start)
        # said outright, so that a splitter may make it narrower than its toolbar would like
        self.setMinimumSize(320, 240)
        self._build()
        self._connect()
        self.refresh()

    # --- building ------------------------------------------------------------

    def _build(self) -> None:
        theme = self._context.theme
        self.list = DocumentList(theme, self.model)
        self.toolbar = bar = LibraryBar(theme, self.list)
        self.count, self.filter, self.views = bar.count, bar.filter, bar.views
        self.enrich_button, self.more_button = bar.enrich_button, bar.more_button
        self.add_files_button, self.add_folder_button = bar.add_files_button, bar.add_folder_button
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # so that one can paste on an empty page
        self.demo_button = Button(tr("Try the demo library"))
        self.demo_button.clicked.connect(self.demo_requested)
        self.empty = build_empty(theme, self.add_files, self.demo_button)
        self.nothing_found = build_nothing_found(theme, self.filter.clear)
        self.failed = build_failed(theme, self.refresh)
        self.skeleton = Skeleton(theme)
        self.stack = QStackedWidget()
        trash = self.shelving.trash
        for page in (self.skeleton, self.list, self.empty, self.nothing_found, self.failed, trash):
            self.stack.addWidget(page)
        self.stack.setObjectName("surface")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self.shelving.places)
        row.addWidget(self.stack, 1)
        column.addLayout(row, 1)

    def _connect(self) -> None:
        self.texts = TextFilter(self._context, self.model, self.show_page, self)
        self.filter.searched.connect(self.texts.set_text)
        self.add_files_button.clicked.connect(self.add_files)
        self.add_folder_button.clicked.connect(self.add_folder)
        self.more_button.clicked.connect(self._show_more)
        inspector = self.list.inspector
        inspector.open_clicked.connect(self.open_document)
        inspector.same_clicked.connect(lambda same: self.show_documents([same]))
        inspector.stop_clicked.connect(self.cancel_requested)
        inspector.next_clicked.connect(lambda number: self.shelving.read_next([number]))
        inspector.retry_clicked.connect(self.retry_requested)
        inspector.password_given.connect(self._retry_with_password)
        self.news.join(self)
        self.news.came.connect(self._show_news)
        for view in (self.list.table, self.list.cards):
            view.doubleClicked.connect(lambda index: self.open_row(self.model.row_at(index)))
            view.customContextMenuRequested.connect(self._show_menu)
        join_keys(self)
        self._context.hub.changed.connect(self._on_change)

    # --- what is shown ------------------------------------------------------------

    def refresh(self) -> None:
        """Read the documents again; a call while reading makes it read once more after."""
        if self._loading:
            self._again = True
            return
        self._loading = True
        if self.model.n_all == 0:
            self.skeleton.start()
        exploring = self._context.exploring
        self.news.refresh()
        query = Query(self._context.reader_lane, exploring.list_documents, owner=self)
        query.on_success(self._show_rows).on_error(self._show_failure).on_end(self._loaded).run()

    def _loaded(self) -> None:
        self._loading = False
        self.skeleton.stop()
        if self._again:
            self._again = False
            self.refresh()

    def _on_change(self, change: ChangeSet) -> None:
        if change.everything or change.documents or change.entities:
            self.refresh()

    def _show_rows(self, rows: list[DocumentRow]) -> None:
        self.model.set_rows(rows)
        n_busy = sum(row.state in ("waiting", "reading", "indexing") for row in rows)
        self.count.setText(say_how_many(len(rows), n_busy))
        self.shelving.set_rows(rows)
        self.show_page()
        self.list.show_selected()

    def _show_news(self) -> None:
        self.model.set_enrichment(self.news.by_document)
        self.list.show_selected()

    def selected_ids(self) -> list[int]:
        """Return the selected documents that can be enriched."""
        return [row.id for row in self.list.selected_rows() if row.state == "ready"]

    def _show_failure(self, error: BaseException) -> None:
        if self.model.n_all == 0:
            self.failed.set_texts(tr("The library can't be shown"), tr_said(str(error)))
            self.stack.setCurrentWidget(self.failed)
        self._context.messages.show_error(error)

    def show_page(self) -> None:
        """Show the list, or what there is instead of it."""
        if self.shelving.in_trash:
            page = self.shelving.trash
        elif self.model.n_all == 0:
            page = self.empty
        elif self.model.rowCount() == 0:
            page = self.nothing_found
        else:
            page = self.list
        had_focus = self.hasFocus()
        self.stack.setCurrentWidget(page)
        self.setFocusProxy(self.list if page is self.list else None)
        if had_focus:
            self.setFocus()
        self._fit()

    def show_documents(self, ids: Sequence[int]) -> None:
        """Bring documents into sight and select them, wherever one looks at the moment."""
        self.shelving.places.choose("all")
        self.filter.clear()
        self.texts.set_text("")
        self.list.select(*ids)

    def show_progress(self, progress: Progress) -> None:
        """Show how fast the document is read that is being read."""
        self.list.show_progress(progress)

    def say(self, text: str) -> None:
        self._context.messages.show(text)

    # --- doing ------------------------------------------------------------

    def add_files(self) -> None:
        if files := ask_for_files(self):
            self.files_dropped.emit(files)

    def add_folder(self) -> None:
        if folder := ask_for_folder(self):
            self.files_dropped.emit(folder)

    def open_row(self, row: DocumentRow | None) -> None:
        if row is not None and row.state not in ("failed", "waiting"):
            self.open_document.emit(row.id)

    def set_aside(self, row: DocumentRow, aside: bool) -> None:
        self._change(self._context.library_work.set_aside, row.id, aside)

    def confirm_delete(self, rows: list[DocumentRow]) -> None:
        """Ask in the message bar; deleting has no way back."""
        ask_to_delete(self._context, rows, self.delete_requested.emit, self)

    def _retry_with_password(self, document_id: int, password: str) -> None:
        work = self._context.library_work.retry_document
        self._change(work, document_id, password, then=self.resume_requested.emit)

    def _change(
        self, method: Callable[..., ChangeSet], *args: Any, then: Callable[[], Any] | None = None
    ) -> None:
        def done(change: ChangeSet) -> None:
            self._context.hub.tell(change)
            if then is not None:
                then()

        query = Query(self._context.writer_lane, method, *args, owner=self)
        query.on_success(done).run()

    # --- menus and room ------------------------------------------------------------

    def _show_menu(self, place: QPoint) -> None:
        rows = self.list.selected_rows()
        if rows:
            menu = build_document_menu(self, rows)
            menu.popup(self.list.view.viewport().mapToGlobal(place))

    def _show_more(self) -> None:
        menu = build_more_menu(self)
        menu.popup(self.more_button.mapToGlobal(self.more_button.rect().bottomLeft()))

    @property
    def _has_places(self) -> bool:
        return self.model.n_all > 0 or self.shelving.has_trash

    def toggle_inspector(self) -> None:
        self.list.toggle_inspector()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.toolbar.fit(self.width(), self.model.n_all > 0)
        self.shelving.show_places(self.width() >= PLACES_FROM and self._has_places)
