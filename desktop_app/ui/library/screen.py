"""The library screen: all documents with their states, a filter and menus.

Owns the list, its filter and its menus. Adding, indexing and enrichment are requested by signals,
which controllers connect to the services.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import (
    QGuiApplication,
    QHideEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QFileDialog, QMenu, QStackedWidget, QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import message_of
from desktop_app.engine.model import DocumentRow, EntityRow, LibraryOverview
from desktop_app.engine.progress import Progress
from desktop_app.engine.store.enrichment import DocumentEnrichment
from desktop_app.engine.text.file_kinds import SUPPORTED_SUFFIXES
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..translation import tr, tr_message, trn
from ..widgets import Button, EmptyState, PrimaryButton, Skeleton, build_column
from ..widgets.buttons import add_shortcut
from .clipboard import ClipboardImport
from .collections import CollectionsController
from .dialogs import ask_to_delete
from .document_list import DocumentList
from .index_again import IndexAgain
from .narrowing import ValueFilter
from .references import ReferenceExport
from .selection import MAX_OPENED
from .table_model import DocumentTableModel
from .toolbar import QUOTATION_KEYS, LibraryToolbar
from .words import (
    can_index_again,
    can_open,
    can_retry,
    choose_top_names,
    format_busy,
    has_waiting_file,
    has_waiting_pages,
    is_busy,
)

if TYPE_CHECKING:
    from desktop_app.engine.services.enrichment.service import EnrichmentStatus

PATTERNS = " ".join(f"*{suffix}" for suffix in SUPPORTED_SUFFIXES)
MIN_QUERY_CHARS = 2  # for a search in the texts
SETTLE_MS = 1000  # after the last edit, until names are counted again
MAX_TOP_NAMES = 8  # names of the selected document
SELECTED_MS = 60  # a document must be selected so long: arrow keys pass many


class EnrichmentStates(QObject):
    """Loads how far each document is enriched into `by_document`; emits `loaded`."""

    loaded = Signal()
    failures_loaded = Signal(int, object)

    def __init__(self, context: SessionContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.is_loading = False
        self._again = False
        self.by_document: dict[int, DocumentEnrichment] = {}

    def refresh(self) -> None:
        """Load the states; a call while loading loads them once more afterwards."""
        if self.is_loading:
            self._again = True
            return
        self.is_loading = True
        reader = self._context.enrichment_reader
        query = Query(self._context.reader_lane, reader.status, owner=self)
        query.on_success(self._take).on_end(self._ended).run()

    def _take(self, status: EnrichmentStatus) -> None:
        self.by_document = {row.document_id: row for row in status.documents}
        self.loaded.emit()

    def _ended(self) -> None:
        self.is_loading = False
        if self._again:
            self._again = False
            self.refresh()

    def fetch_failures(self, document_id: int) -> None:
        """Load the failed passages of a document with their reasons."""
        reader = self._context.enrichment_reader
        query = Query(self._context.reader_lane, reader.failures, document_id, owner=self)
        query.on_success(lambda found: self.failures_loaded.emit(document_id, found)).run()

    def count_enriched(self, document_ids: Iterable[int]) -> int:
        """Return the number of enriched passages of documents."""
        found = self.sum_numbers(document_ids)
        return found.n_enriched if found is not None else 0

    def sum_numbers(self, document_ids: Iterable[int]) -> DocumentEnrichment | None:
        """Return the summed numbers of several documents, None if none of them is known."""
        rows = [self.by_document[i] for i in document_ids if i in self.by_document]
        if not rows:
            return None
        models = {row.model for row in rows if row.model}
        added = {
            name: sum(getattr(row, name) for row in rows)
            for name in (
                *("n_chunks", "n_enriched", "n_waiting", "n_failed", "n_empty"),
                *("n_tokens", "seconds"),
            )
        }
        return replace(rows[0], **added, model=", ".join(sorted(models)))


class TextFilter(QObject):
    """Filters the list by title at once and by text when the search has finished.

    Args:
        on_change: called whenever other documents are in the list.
    """

    def __init__(
        self,
        context: SessionContext,
        model: DocumentTableModel,
        on_change: Callable[[], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._model, self._on_change = context, model, on_change
        self._words = ""

    def set_text(self, text: str) -> None:
        self._words = text.strip()
        self._model.set_filter(text)
        self._on_change()
        words = self._words
        if len(words) < MIN_QUERY_CHARS:
            return

        def take(ids: list[int]) -> None:
            if words == self._words and ids:
                self._model.set_found(words, ids)
                self._on_change()

        search = self._context.library_reader.find_documents_with_text
        query = Query(self._context.reader_lane, search, words, owner=self)
        query.on_success(take).run()


class LibraryScreen(QWidget):
    """Lists the documents of the open library."""

    files_expected = Signal()  # the user is choosing what to add
    files_dropped = Signal(list)
    text_pasted = Signal(str, str)  # title, text
    demo_wanted = Signal()
    open_document = Signal(int)
    open_beside = Signal(int)  # beside this screen
    open_in_window = Signal(int)
    open_entity = Signal(int)
    names_wanted = Signal(int)  # the list of names of a document
    pause_wanted = Signal()
    resume_wanted = Signal()
    pages_next_wanted = Signal(list)  # of documents with pages that are pictures
    pages_leave_wanted = Signal(list)
    pages_read_wanted = Signal(list)
    cancel_wanted = Signal(int)
    retry_wanted = Signal(int)
    delete_wanted = Signal(list)
    # lists of document ids; for enrichment, an empty list means the whole library
    enrich_wanted = Signal(list)
    enrich_now_wanted = Signal(list)
    enrich_stop_wanted = Signal(list)
    enrich_retry_wanted = Signal(list)
    enrich_settings_wanted = Signal()
    import_graph_wanted = Signal(bool)  # a folder, or a file
    zotero_wanted = Signal()
    zotero_update_wanted = Signal()
    references_wanted = Signal()
    open_passage = Signal(int, int, int)
    watch_wanted = Signal()
    library_file_wanted = Signal()
    quotation_wanted = Signal(str)  # to find this text in the documents, "" to ask for one
    place_opened = Signal()  # a click on a collection, a tag or another place

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.is_loading = False
        self._again = False
        self._are_counts_stale = False
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._count_names)
        self._new_selection = QTimer(self, singleShot=True, interval=SELECTED_MS)
        self._new_selection.timeout.connect(self._load_top_names)
        # a list that is read again has no selection for a moment
        self._follow = QTimer(self, singleShot=True, interval=0)
        self._follow.timeout.connect(self._follow_selection)
        self.model = DocumentTableModel(self)
        self.enrichment = EnrichmentStates(context, self)
        self.collections = CollectionsController(context, self.model, self)
        self.references = ReferenceExport(context, self)
        self.clipboard = ClipboardImport(context.messages.show, self)
        start = self.resume_wanted.emit
        self.indexing = IndexAgain(context, self, self.enrichment.count_enriched, start)
        # an explicit minimum, so that a splitter may make it narrower than its toolbar
        self.setMinimumSize(320, 240)
        self._build()
        self._connect()
        self.refresh()

    # --- building ------------------------------------------------------------

    def _build(self) -> None:
        theme = self._context.theme
        self.list = DocumentList(theme, self.model)
        self.toolbar = bar = LibraryToolbar(theme, self.list)
        self.count, self.filter, self.views = bar.count, bar.filter, bar.views
        self.values_button, self.more_button = bar.values_button, bar.more_button
        self.add_button, self.places_button = bar.add_button, bar.places_button
        self.places_panel = self.collections.panel  # for the sidebar
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # for pasting into an empty library
        self.demo_button = Button(tr("Try the demo library"))
        self.demo_button.clicked.connect(self.demo_wanted)
        add = PrimaryButton(tr("Add files…"), theme=theme, icon="add-file")
        add.clicked.connect(self.add_files)
        text = tr(
            "Books, office files, web pages or plain text, in English or 中文. Scans, photographs, "
            "tables, letters, archives and a Zotero library can be added, too. Inkgraph reads them "
            "on this computer and shows who and what is in them."
        )
        title = tr("Drop a book here")
        self.empty = EmptyState(theme, "library", title, text, [self.demo_button, add])
        clear = Button(tr("Clear filter"))
        clear.clicked.connect(self._clear_filters)
        title = tr("No matching documents")
        self.quotation_button = Button(tr("Find a quotation…"), theme=theme, icon="ph.quotes")
        self.quotation_button.clicked.connect(self._find_quotation)
        clear_or_find = (clear, self.quotation_button)
        self.nothing_found = EmptyState(theme, "search", title, "", clear_or_find)
        again = PrimaryButton(tr("Try again"))
        again.clicked.connect(self.refresh)
        title = tr("The library can't be shown")
        self.failed = EmptyState(theme, "warning-circle", title, "", [again])
        self.skeleton = Skeleton(theme)
        self.stack = QStackedWidget()
        trash = self.collections.trash
        for page in (self.skeleton, self.list, self.empty, self.nothing_found, self.failed, trash):
            self.stack.addWidget(page)
        self.stack.setObjectName("surface")
        build_column(self.toolbar, (self.stack, 1), parent=self, spacing=0)

    def _connect(self) -> None:
        self.texts = TextFilter(self._context, self.model, self.show_page, self)
        self.filter.searched.connect(self.texts.set_text)
        self.filter.searched.connect(self.collections.trash.set_filter)
        self.filter.inputRejected.connect(self._show_cut)
        self.toolbar.quotation_action.triggered.connect(self._find_quotation)
        self.add_button.clicked.connect(lambda: _pop_up(self.build_add_menu(), self.add_button))
        self.toolbar.close_place_button.clicked.connect(self.show_all)
        self.places_button.clicked.connect(
            lambda: _pop_up(self.collections.build_places_menu(), self.places_button)
        )
        self.more_button.clicked.connect(self._show_more)
        self.values = ValueFilter(self._context.theme, self.model, self.collections.places, self)
        self.values.changed.connect(self._show_choice)
        self.values_button.clicked.connect(
            lambda: _pop_up(self.build_filter_menu(), self.values_button)
        )
        inspector = self.list.inspector
        inspector.open_clicked.connect(self.open_document)
        inspector.entity_clicked.connect(self.open_entity)
        inspector.copy_clicked.connect(self._copy)
        self.list.top_names_wanted.connect(lambda _: self._new_selection.start())
        inspector.names_clicked.connect(self.names_wanted)
        inspector.details_clicked.connect(lambda _: self._ask_for_details())
        details = self.collections.details
        details.covers, details.dock = self.list.covers, self.list.dock_details
        self.list.too_narrow_for_details.connect(details.close)
        self.list.table.selectionModel().selectionChanged.connect(lambda *_: self._follow.start())
        for opened in (self.open_document, self.open_beside, self.open_in_window):
            opened.connect(details.leave)
        inspector.same_clicked.connect(lambda same: self.show_documents([same]))
        inspector.stop_clicked.connect(self.cancel_wanted)
        inspector.next_clicked.connect(lambda number: self.collections.read_next([number]))
        for clicked, request in (
            (inspector.pages_next_clicked, self.pages_next_wanted),
            (inspector.pages_leave_clicked, self.pages_leave_wanted),
            (inspector.pages_read_clicked, self.pages_read_wanted),
        ):
            clicked.connect(lambda number, request=request: request.emit([number]))
        inspector.retry_clicked.connect(self.retry_wanted)
        inspector.password_given.connect(self._retry_with_password)
        documents = self._context.documents
        inspector.use_clicked.connect(lambda i: self._change(documents.use_new_version, i))
        inspector.keep_clicked.connect(lambda i: self._change(documents.keep_old_text, [i]))
        inspector.restore_clicked.connect(lambda i: self._change(documents.restore_previous, [i]))
        self._connect_several()
        self._connect_enrichment()
        self.collections.page_changed.connect(self.show_page)
        self.collections.place_changed.connect(self.toolbar.show_place)
        self.collections.places.opened.connect(self.place_opened)
        self.collections.refresh_wanted.connect(self.refresh)
        self.collections.retry_wanted.connect(self.retry_wanted)
        self.clipboard.files_pasted.connect(self.files_dropped)
        self.clipboard.text_shown.connect(self.files_expected)
        self.clipboard.text_pasted.connect(self.text_pasted)
        self.list.covers.wanted.connect(self._load_covers)
        self._context.hub.covers_changed.connect(self.list.covers.forget)
        for view in (self.list.table, self.list.cards):
            view.doubleClicked.connect(lambda index: self.open_row(self.model.row_at(index)))
            view.customContextMenuRequested.connect(self._show_menu)
        self._add_shortcuts()
        self._context.hub.changed.connect(self._on_change)

    def _connect_several(self) -> None:
        """Connect the actions on several selected documents."""
        panel, places = self.list.inspector.several, self.collections
        rows = self.list.selected_rows
        panel.open_button.clicked.connect(lambda: self._open_several(rows()))
        panel.details_button.clicked.connect(lambda: places.details.ask(rows()))
        panel.aside_button.clicked.connect(lambda: self._set_aside(rows()))
        panel.again_button.clicked.connect(lambda: self._index_again(rows()))
        panel.trash_button.clicked.connect(lambda: places.move_to_trash(rows()))
        for button, build in (
            (panel.collect_button, places.build_collection_menu),
            (panel.tags_button, places.build_tag_menu),
            (panel.references_button, self._build_reference_menu),
        ):
            button.clicked.connect(lambda _=False, b=button, f=build: _pop_up(f(rows()), b))

    def _ask_for_details(self) -> None:
        self.collections.details.ask(self.list.selected_rows())

    def _copy(self, words: str) -> None:
        QGuiApplication.clipboard().setText(words)
        self._context.messages.show(tr("Copied."), kind="ok")

    def _open_several(self, rows: Sequence[DocumentRow]) -> None:
        """Open documents in tabs; the first one is shown."""
        for row in reversed(rows):
            self.open_row(row)

    def _build_reference_menu(self, rows: Sequence[DocumentRow]) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.references.add_actions(menu, rows)
        return menu

    def _connect_enrichment(self) -> None:
        states, panel = self.enrichment, self.list.inspector.enrichment
        states.loaded.connect(self._show_enrichment)
        states.failures_loaded.connect(self.list.show_failures)
        self.list.sum_enrichment = states.sum_numbers
        self.list.failures_wanted.connect(states.fetch_failures)
        panel.passage_clicked.connect(self.open_passage)
        for clicked, request in (
            (panel.enrich_clicked, self.enrich_wanted),
            (panel.now_clicked, self.enrich_now_wanted),
            (panel.stop_clicked, self.enrich_stop_wanted),
            (panel.retry_clicked, self.enrich_retry_wanted),
        ):
            clicked.connect(lambda _=False, request=request: request.emit(self.selected_ids()))

    def _add_shortcuts(self) -> None:
        """Add keys for the selected documents; their texts are listed once, for the table."""
        keys: tuple[tuple[Any, Callable[[], None], str], ...] = (
            (Qt.Key.Key_Return, self._open_selected, tr("Open document")),
            (Qt.Key.Key_Enter, self._open_selected, ""),
            (
                QKeySequence.StandardKey.Delete,
                lambda: self.collections.move_to_trash(self.list.selected_rows()),
                tr("Delete selected documents"),
            ),
            (
                Qt.Key.Key_F2,
                lambda: self.collections.details.rename(self.list.current_row()),
                tr("Rename document"),
            ),
        )
        for view in (self.list.table, self.list.cards):
            for key, act, words in keys:
                shortcut = QShortcut(QKeySequence(key), view)
                shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
                shortcut.activated.connect(act)
                shortcut.setWhatsThis(words if view is self.list.table else "")
        add_shortcut(self, "Ctrl+V", self.clipboard.paste, tr("Paste from clipboard"))

    def _open_selected(self) -> None:
        self.open_row(self.list.current_row())

    # --- what is shown ------------------------------------------------------------

    def refresh(self) -> None:
        """Load the documents; a call while loading loads them once more afterwards."""
        if self.is_loading:
            self._again = True
            return
        self.is_loading = True
        if self.model.n_all == 0:
            self.skeleton.start()
        self.enrichment.refresh()
        self._load_read_shares()
        self._are_counts_stale = False
        deleted = self.collections.take_deleted()  # before these rows are read
        query = Query(self._context.reader_lane, self._list_documents, owner=self)
        query.on_success(lambda rows: self._show_rows(rows, deleted))
        query.on_error(self._show_failure).on_end(self._loaded).run()

    def _list_documents(self) -> list[DocumentRow]:
        """Return the documents; without an embedding model, none of them waits for vectors."""
        rows = self._context.library_reader.list_documents()
        if self._context.library_models.embedding_name():
            return rows
        return [replace(row, n_windows=row.n_embedded) for row in rows]

    def _loaded(self) -> None:
        self.is_loading = False
        self.skeleton.stop()
        if self._again:
            self._again = False
            self.refresh()

    def _on_change(self, change: ChangeNotice) -> None:
        if change.documents or change.collections:
            self.refresh()
        elif change.entities:  # only the number of names in each document
            self._are_counts_stale = True
            self._count_soon()

    def _load_covers(self, document_ids: list[int]) -> None:
        fetch, covers = self._context.library_reader.fetch_covers, self.list.covers
        query = Query(self._context.reader_lane, fetch, document_ids, owner=self)
        query.on_success(lambda found: covers.take(document_ids, found))
        query.on_end(lambda: covers.give_up(document_ids)).run()

    def _load_top_names(self) -> None:
        """Load the top names and collections of the selected document, or those of the library."""
        library_reader = self._context.library_reader
        if (row := self.list.current_row()) is None:
            if not self.list.selected_rows():
                query = Query(self._context.reader_lane, self._find_library_names, owner=self)
                query.on_success(self.list.show_library_names).run()
            return
        document_id = row.id

        def read() -> tuple[list[EntityRow], list[str]]:
            names = library_reader.entities_of_document(document_id, 2 * MAX_TOP_NAMES)
            return choose_top_names(names, MAX_TOP_NAMES), library_reader.list_collections_of(
                document_id
            )

        query = Query(self._context.reader_lane, read, owner=self)
        query.on_success(lambda found: self.list.show_top_names(document_id, *found)).run()

    def _find_library_names(self) -> list[EntityRow]:
        """Return the best connected names of the library, most mentions first."""
        names = choose_top_names(
            self._context.library_reader.top_entities(2 * MAX_TOP_NAMES), MAX_TOP_NAMES
        )
        return sorted(names, key=lambda row: -row.n_mentions)

    def _load_read_shares(self) -> None:
        fetch = self._context.annotations.fetch_reading_shares
        query = Query(self._context.reader_lane, fetch, owner=self)
        query.on_success(self._show_read_shares).run()

    def _show_read_shares(self, shares: dict[int, float]) -> None:
        self.model.set_read_shares(shares)
        self._show_narrowed()
        self.list.show_selected()

    def _count_soon(self) -> None:
        if self._are_counts_stale and self.isVisible():
            self._settle.start()

    def _count_names(self) -> None:
        """Load the rows again for the number of names, which takes long in a large library."""
        if not self._are_counts_stale or self.is_loading or not self.isVisible():
            return
        self._are_counts_stale = False
        query = Query(self._context.reader_lane, self._list_documents, owner=self)
        query.on_success(self._show_counts).run()

    def _show_counts(self, rows: list[DocumentRow]) -> None:
        if not self.is_loading:
            self.list.forget_top_names()
            self.model.set_rows(rows)
            self.list.show_selected()

    def _show_rows(self, rows: list[DocumentRow], deleted: frozenset[int]) -> None:
        self.list.forget_top_names()
        self.model.set_rows(rows, unhide=deleted)
        n_busy = sum(is_busy(row) for row in rows)
        self.count.setText(format_busy(n_busy))
        self.collections.set_documents(rows)
        self.show_page()
        self.list.show_selected()

    def _show_enrichment(self) -> None:
        self.model.set_enrichment(self.enrichment.by_document)
        self._show_narrowed()
        self.list.show_selected()

    def _follow_selection(self) -> None:
        self.collections.details.follow(self.list.selected_rows())

    def selected_ids(self) -> list[int]:
        """Return the selected documents that can be enriched."""
        return [row.id for row in self.list.selected_rows() if row.state == "ready"]

    def _show_failure(self, error: BaseException) -> None:
        if self.model.n_all == 0:
            self.failed.set_texts(tr("The library can't be shown"), tr_message(message_of(error)))
            self.stack.setCurrentWidget(self.failed)
        self._context.messages.show_error(error)

    def show_page(self) -> None:
        """Show the list, the trash or an empty state."""
        page: QWidget
        if self.collections.in_trash:
            page = self.collections.trash
        elif self.model.n_all == 0:
            page = self.empty
        elif self.model.rowCount() == 0:
            page = self.nothing_found
        else:
            page = self.list
        had_focus = self.hasFocus()
        self.stack.setCurrentWidget(page)
        # Qt accepts None here, its stubs do not
        self.setFocusProxy(cast(QWidget, self.list if page is self.list else None))
        if had_focus:
            self.setFocus()
        self._fit()

    def show_documents(self, ids: Sequence[int]) -> None:
        """Select documents and scroll to them, without any filter or chosen place."""
        self.collections.places.choose("all")
        self._clear_filters()
        self.texts.set_text("")
        self.list.select(*ids)

    def show_all(self) -> None:
        """Show the documents of all places."""
        self.collections.places.choose("all")

    def set_overview(self, overview: LibraryOverview) -> None:
        """Show the numbers of the whole library below the documents."""
        self.list.set_overview(overview)

    def show_places_button(self, shown: bool) -> None:
        """Show the menu of places: without the sidebar, nothing else leads to them."""
        self.toolbar.name_place_on_button(shown)

    def _find_quotation(self) -> None:
        """Ask for the place of the text in the filter, which is perhaps a sentence."""
        self.quotation_wanted.emit(self.filter.text().strip())

    def _show_cut(self) -> None:
        """Show that a pasted text is too long for the filter, and offer what finds long texts."""
        self._context.messages.show(
            trn(
                "Only the first {n} character of this text is in the search field.",
                "Only the first {n} characters of this text are in the search field.",
                self.filter.maxLength(),
            ),
            kind="warn",
            action_text=tr("Find a quotation…"),
            action=self._find_quotation,
        )

    def _clear_filters(self) -> None:
        self.filter.clear()
        self.values.clear()

    def _show_choice(self) -> None:
        self.toolbar.show_chosen(self.values.n_chosen)
        self.show_page()

    def _show_narrowed(self) -> None:
        """Show the list or "No matching documents" after values of documents changed."""
        if self.values.n_chosen:
            self.show_page()

    def show_progress(self, progress: Progress) -> None:
        """Show the progress of the document that is being read."""
        self.list.show_progress(progress)

    def show_paused(self, paused: bool) -> None:
        """Show whether indexing is paused, in the states of the documents."""
        self.list.show_paused(replace(self.model.paused, indexing=paused))

    def show_page_progress(self, progress: Progress | None, *, paused: bool) -> None:
        """Show how fast pages that are pictures are read; None while none is."""
        self.list.show_paused(replace(self.model.paused, pages=paused))
        self.list.show_page_progress(progress, paused=paused)

    # --- actions ----------------------------------------------------------

    def add_files(self) -> None:
        """Ask for files and request to add them."""
        self.files_expected.emit()
        kinds = f"{tr('Books, papers and notes')} ({PATTERNS});;{tr('All files')} (*)"
        files, _ = QFileDialog.getOpenFileNames(self, tr("Add files"), "", kinds)
        if files:
            self.files_dropped.emit(files)

    def add_folder(self) -> None:
        """Ask for a folder and request to add its files."""
        self.files_expected.emit()
        if folder := QFileDialog.getExistingDirectory(self, tr("Add a folder")):
            self.files_dropped.emit([folder])

    def open_row(self, row: DocumentRow | None) -> None:
        if row is not None and can_open(row):
            self.open_document.emit(row.id)

    def confirm_delete(self, rows: list[DocumentRow]) -> None:
        """Ask in the message bar before deleting; a deletion can't be undone."""
        ask_to_delete(self._context, rows, self.delete_wanted.emit, self)

    def _retry_with_password(self, document_id: int, password: str) -> None:
        work = self._context.documents.retry_document
        self._change(work, document_id, password, then=self.resume_wanted.emit)

    def _change(
        self, method: Callable[..., ChangeNotice], *args: Any, then: Callable[[], Any] | None = None
    ) -> None:
        def done(change: ChangeNotice) -> None:
            self._context.hub.publish_edit(change)
            if then is not None:
                then()

        query = Query(self._context.writer_lane, method, *args, owner=self)
        query.on_success(done).run()

    def _set_aside(self, rows: Sequence[DocumentRow]) -> None:
        """Exclude documents from answers; include them if all are excluded."""
        self.collections.set_aside(rows, not all(row.set_aside for row in rows))

    def _index_again(self, rows: Sequence[DocumentRow]) -> None:
        self.indexing.ask([row.id for row in rows if can_index_again(row)])

    # --- menus and layout ----------------------------------------------------------

    def _show_menu(self, place: QPoint) -> None:
        rows = self.list.selected_rows()
        if rows:
            menu = self.build_document_menu(rows)
            menu.popup(self.list.view.viewport().mapToGlobal(place))

    def _show_more(self) -> None:
        _pop_up(self.build_more_menu(), self.more_button)

    def build_document_menu(self, rows: list[DocumentRow]) -> QMenu:
        """Return the context menu of these documents."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        first = rows[0]
        if len(rows) == 1:
            opening = menu.addAction(tr("Open"), lambda: self.open_document.emit(first.id))
            beside = menu.addAction(
                tr("Open beside the library"), lambda: self.open_beside.emit(first.id)
            )
            window = menu.addAction(
                tr("Open in a new window"), lambda: self.open_in_window.emit(first.id)
            )
            names = menu.addAction(tr("Show its names"), lambda: self.names_wanted.emit(first.id))
            for action in (opening, beside, window):
                action.setEnabled(can_open(first))
            names.setEnabled(first.n_entities > 0)
            menu.addAction(tr("Rename…"), lambda: self.collections.details.rename(first))
        elif 0 < (n := sum(map(can_open, rows))) <= MAX_OPENED:
            words = trn("Open {n} document", "Open {n} documents", n)
            menu.addAction(words, lambda: self._open_several(rows))
        self.collections.add_document_actions(menu, rows)
        self.references.add_actions(menu, rows)
        menu.addSeparator()
        retriable = [row for row in rows if can_retry(row)]
        if retriable:
            word = tr("Retry") if any(row.state == "failed" for row in retriable) else tr("Resume")
            menu.addAction(word, lambda: _emit_each(self.retry_wanted, retriable))
        waiting = [row.id for row in rows if has_waiting_file(row) and not has_waiting_pages(row)]
        if waiting:
            menu.addAction(tr("Index next"), lambda: self.collections.read_next(waiting))
        self._add_page_actions(menu, rows)
        busy = [row for row in rows if is_busy(row) and not has_waiting_pages(row)]
        if busy:
            menu.addAction(tr("Stop"), lambda: _emit_each(self.cancel_wanted, busy))
        self._add_version_actions(menu, rows)
        self._add_enrichment_actions(menu, rows)
        if any(map(can_index_again, rows)):
            menu.addAction(tr("Index again…"), lambda: self._index_again(rows))
        is_excluded = all(row.set_aside for row in rows)
        menu.addAction(
            tr("Include in answers") if is_excluded else tr("Exclude from answers"),
            lambda: self._set_aside(rows),
        )
        menu.addSeparator()
        menu.addAction(tr("Move to Trash"), lambda: self.collections.move_to_trash(rows))
        menu.addAction(tr("Delete permanently…"), lambda: self.confirm_delete(rows))
        return menu

    def _add_page_actions(self, menu: QMenu, rows: list[DocumentRow]) -> None:
        """Add the actions for pages that are pictures."""
        if waiting := [int(row.id) for row in rows if row.scans.n_waiting]:
            menu.addAction(tr("Read its pages next"), lambda: self.pages_next_wanted.emit(waiting))
            menu.addAction(
                tr("Don't read the other pages"), lambda: self.pages_leave_wanted.emit(waiting)
            )
        others = [int(r.id) for r in rows if r.scans.n_left + r.scans.n_failed]
        if others:
            menu.addAction(tr("Read the other pages"), lambda: self.pages_read_wanted.emit(others))

    def _add_version_actions(self, menu: QMenu, rows: list[DocumentRow]) -> None:
        """Add the actions for changed files that were refused, and for previous versions."""
        documents = self._context.documents
        refused = [
            r for r in rows if r.new_version is not None and r.new_version.state == "refused"
        ]
        if refused:
            menu.addAction(tr("Read again"), lambda: _emit_each(self.retry_wanted, refused))
            ids = [row.id for row in refused]
            menu.addAction(
                tr("Keep the old text"), lambda: self._change(documents.keep_old_text, ids)
            )
        if changed := [row.id for row in rows if row.previous is not None]:
            menu.addAction(
                tr("Restore the previous version"),
                lambda: self._change(documents.restore_previous, changed),
            )

    def _add_enrichment_actions(self, menu: QMenu, rows: list[DocumentRow]) -> None:
        """Add the actions for enrichment, if any of the documents is ready for it."""
        ids = [row.id for row in rows if row.state == "ready"]
        found = self.enrichment.sum_numbers(ids)
        if found is None or not found.n_chunks:
            return
        menu.addSeparator()
        menu.addAction(tr("Enrich…"), lambda: self.enrich_wanted.emit(ids))
        menu.addAction(tr("Enrich now"), lambda: self.enrich_now_wanted.emit(ids))
        if found.n_failed:
            retry = self.enrich_retry_wanted
            menu.addAction(tr("Retry failed passages"), lambda: retry.emit(ids))
        if found.n_waiting:
            menu.addAction(tr("Stop enriching"), lambda: self.enrich_stop_wanted.emit(ids))
        menu.addSeparator()

    def build_filter_menu(self) -> QMenu:
        """Return the menu of values that narrow the list."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.values.build_menu(menu)
        return menu

    def build_add_menu(self) -> QMenu:
        """Return the menu of all ways to add something to the library."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        theme = self._context.theme
        for icon, words, keys, act in (
            ("add-file", tr("Add files…"), "Ctrl+O", self.add_files),
            ("add-folder", tr("Add folder…"), "Ctrl+Shift+O", self.add_folder),
            ("ph.clipboard-text", tr("Paste from clipboard"), "Ctrl+V", self.clipboard.paste),
        ):
            menu.addAction(theme.icon(icon), f"{words}\t{keys}", act)
        menu.addSeparator()
        self._add_reference_actions(menu)
        sources = menu.addMenu(tr("Import a graph"))
        import_graph = self.import_graph_wanted
        sources.addAction(tr("Folder of LightRAG or GraphRAG…"), lambda: import_graph.emit(True))
        sources.addAction(tr("JSON or GraphML file…"), lambda: import_graph.emit(False))
        menu.addAction(tr("Watched folders…"), self.watch_wanted.emit)
        menu.addAction(tr("Add the demo documents"), self.demo_wanted.emit)
        return menu

    def build_more_menu(self) -> QMenu:
        """Return the menu of actions without a button of their own."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if rows := self.list.selected_rows():
            chosen = self.build_document_menu(rows)
            chosen.setTitle(tr("Selected documents"))
            menu.addMenu(chosen)
            menu.addSeparator()
        # the key is that of the window's action; another one with it would be ambiguous
        menu.addAction(f"{tr('Find a quotation…')}\t{QUOTATION_KEYS}", self._find_quotation)
        menu.addSeparator()
        menu.addAction(tr("Pause indexing"), self.pause_wanted.emit)
        menu.addAction(tr("Resume indexing"), self.resume_wanted.emit)
        menu.addSeparator()
        menu.addAction(tr("Enrich all…"), lambda: self.enrich_wanted.emit([]))
        menu.addAction(tr("Enrichment settings…"), self.enrich_settings_wanted.emit)
        menu.addSeparator()
        self.collections.add_general_actions(menu)
        menu.addAction(tr("This library…"), self.library_file_wanted.emit)
        menu.addSeparator()
        menu.addAction(tr("Show or hide details"), self.toggle_inspector)
        return menu

    def _add_reference_actions(self, menu: QMenu) -> None:
        """Add the actions for Zotero and files of references."""
        menu.addAction(tr("Add from Zotero…"), self.zotero_wanted.emit)
        menu.addAction(tr("Update from Zotero"), self.zotero_update_wanted.emit)
        menu.addAction(tr("Import references…"), self.references_wanted.emit)

    def toggle_inspector(self) -> None:
        self.list.toggle_inspector()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._load_read_shares()  # reading changes no document
        self._count_soon()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # another screen or a document is in front
            self.collections.details.close()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.toolbar.fit(self.width(), self.model.n_all > 0)


def _pop_up(menu: QMenu, button: QWidget) -> None:
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))


def _emit_each(signal: SignalInstance, rows: Sequence[DocumentRow]) -> None:
    for row in rows:
        signal.emit(row.id)
