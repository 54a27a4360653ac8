"""The library screen: every document with its state, and what can be done with it.

Owns the list, its filter and its menu. Reading and indexing are asked for by signals; the
window joins them to what does the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.model import DocumentRow
from desktop_app.engine.progress import Progress
from desktop_app.workers.operations import Query

from ..language import tr, tr_said
from ..theme.theme import Theme
from ..widgets import Button, EmptyState, PrimaryButton, Skeleton
from ..widgets.buttons import add_shortcut
from .dialogs import ask_to_delete
from .document_list import DocumentList
from .index_again import IndexAgain
from .menus import build_document_menu, build_more_menu
from .pasting import Pasting
from .shelving import CollectionsController
from .table_model import DocumentTableModel
from .toolbar import LibraryToolbar
from .words import say_how_many


def join_keys(screen: LibraryScreen) -> None:
    """Let keys act on what is selected; their words are told once, for the list of keys."""

    def open_chosen() -> None:
        screen.open_row(screen.list.current_row())

    def rename() -> None:
        screen.shelving.details.rename(screen.list.current_row())

    def throw_away() -> None:
        screen.shelving.throw_away(screen.list.selected_rows())

    keys: tuple[tuple[Any, Callable[[], None], str], ...] = (
        (Qt.Key.Key_Return, open_chosen, tr("Read the document")),
        (Qt.Key.Key_Enter, open_chosen, ""),
        (QKeySequence.StandardKey.Delete, throw_away, tr("Delete the chosen documents")),
        (Qt.Key.Key_F2, rename, tr("Rename the document")),
    )
    for view in (screen.list.table, screen.list.cards):
        for key, act, words in keys:
            shortcut = QShortcut(QKeySequence(key), view)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(act)
            shortcut.setWhatsThis(words if view is screen.list.table else "")
    add_shortcut(screen, "Ctrl+V", screen.pasting.paste, tr("Add what is on the clipboard"))


Press = Callable[[], object]


def build_empty(theme: Theme, add_files: Press, demo_button: Button) -> EmptyState:
    """Return what a library without documents shows."""
    add = PrimaryButton(tr("Add files…"), theme=theme, icon="add-file")
    add.clicked.connect(lambda: add_files())
    return EmptyState(
        theme,
        "library",
        tr("Drop a book here"),
        tr(
            "PDF, EPUB, Word, HTML, Markdown or plain text, in English or 中文. Inkgraph reads it "
            "on this computer and shows who and what is in it."
        ),
        [demo_button, add],
    )


def build_nothing_found(theme: Theme, clear_filter: Press) -> EmptyState:
    clear = Button(tr("Clear the filter"))
    clear.clicked.connect(lambda: clear_filter())
    return EmptyState(theme, "search", tr("No document fits"), "", [clear])


def build_failed(theme: Theme, try_again: Press) -> EmptyState:
    again = PrimaryButton(tr("Try again"))
    again.clicked.connect(lambda: try_again())
    return EmptyState(theme, "warning-circle", tr("The library can't be shown"), "", [again])


PATTERNS = "*.pdf *.epub *.docx *.txt *.md *.html *.htm *.jsonl *.csv"


def ask_for_files(parent: QWidget) -> list[str]:
    """Return the files a person chose; empty if none."""
    files, _ = QFileDialog.getOpenFileNames(
        parent,
        tr("Add files"),
        "",
        f"{tr('Books, papers and notes')} ({PATTERNS});;{tr('All files')} (*)",
    )
    return files


def ask_for_folder(parent: QWidget) -> list[str]:
    """Return the folder a person chose, as a list of one; empty if none."""
    folder = QFileDialog.getExistingDirectory(parent, tr("Add a folder"))
    return [folder] if folder else []


class EnrichmentStates(QObject):
    """`by_document` is what was last read; empty where nothing can be enriched yet."""

    came = Signal()
    failures_came = Signal(int, object)

    def __init__(self, context: Any, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._loading = False
        self._again = False
        self.by_document: dict[int, Any] = {}

    def join(self, screen: LibraryScreen) -> None:
        """Show in the list and the facts what is known, and say what is asked for there."""
        screen.list.sum_up = self.sum_up
        screen.list.failures_wanted.connect(self.fetch_failures)
        self.failures_came.connect(screen.list.show_failures)
        panel = screen.list.inspector.enrichment
        panel.passage_clicked.connect(screen.open_passage)
        for pressed, said in (
            (screen.enrich_button.clicked, screen.enrich_requested),
            (panel.enrich_clicked, screen.enrich_requested),
            (panel.now_clicked, screen.enrich_now_requested),
            (panel.stop_clicked, screen.enrich_stop_requested),
            (panel.retry_clicked, screen.enrich_retry_requested),
        ):
            pressed.connect(lambda _=False, said=said: said.emit(screen.selected_ids()))

    def refresh(self) -> None:
        """Read again; a call while reading makes it read once more after."""
        if self._loading:
            self._again = True
            return
        self._loading = True
        telling = self._context.enrich_telling
        query = Query(self._context.reader_lane, telling.status, owner=self)
        query.on_success(self._keep).on_end(self._ended).run()

    def _keep(self, status: Any) -> None:
        self.by_document = {row.document_id: row for row in status.documents}
        self.came.emit()

    def _ended(self) -> None:
        self._loading = False
        if self._again:
            self._again = False
            self.refresh()

    def fetch_failures(self, document_id: int) -> None:
        """Ask which passages of a document were given up, and why."""
        telling = self._context.enrich_telling
        query = Query(self._context.reader_lane, telling.failures, document_id, owner=self)
        query.on_success(lambda found: self.failures_came.emit(document_id, found)).run()

    def count_enriched(self, document_ids: Iterable[int]) -> int:
        """Return how many passages of documents a model has gone over."""
        found = self.sum_up(document_ids)
        return found.n_enriched if found is not None else 0

    def sum_up(self, document_ids: Iterable[int]) -> Any | None:
        """Return the numbers of several documents added up, None if nothing is known of them."""
        rows = [self.by_document[i] for i in document_ids if i in self.by_document]
        if not rows:
            return None
        models = {row.model for row in rows if row.model}
        added = {
            name: sum(getattr(row, name) for row in rows)
            for name in (
                "n_chunks",
                "n_enriched",
                "n_waiting",
                "n_failed",
                "n_empty",
                "n_tokens",
                "seconds",
            )
        }
        return replace(rows[0], **added, model=", ".join(sorted(models)))


FEWEST = 2  # characters that are worth a search in the texts


class TextFilter(QObject):
    """Narrows the list by title at once and by text a moment later.

    Args:
        shown: called whenever other documents are in the list.
    """

    def __init__(
        self, context: Any, model: DocumentTableModel, shown: Callable[[], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context, self._model, self._shown = context, model, shown
        self._words = ""

    def set_text(self, text: str) -> None:
        self._words = text.strip()
        self._model.set_filter(text)
        self._shown()
        words = self._words
        if len(words) < FEWEST:
            return

        def take(ids: list[int]) -> None:
            if words == self._words and ids:
                self._model.set_found(words, ids)
                self._shown()

        search = self._context.exploring.find_documents_with_text
        query = Query(self._context.reader_lane, search, words, owner=self)
        query.on_success(take).run()


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
        self.news = EnrichmentStates(context, self)
        self.shelving = CollectionsController(context, self)
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
        self.toolbar = bar = LibraryToolbar(theme, self.list)
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
