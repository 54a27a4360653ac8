"""The reader screen: shows one document, opened where it was left or at a passage.

Owns which document is shown, connects the head, the search, the side panel and the two views, and
keeps the reader's preferences. Text layout is in `text/`, PDF pages are in `pdf/`; all data is
fetched in the reader lane.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence, Set
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import AppError, DocumentInTrash, PasswordNeeded
from desktop_app.engine.model import DocumentRow, Heading
from desktop_app.engine.services.annotations import find_page_at
from desktop_app.engine.services.document_passwords import shared_passwords
from desktop_app.engine.store.figures import StoredFigure
from desktop_app.engine.text.sections import find_section
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..figures.strip import PassageFigures
from ..translation import later, tr, tr_message
from ..widgets.layout import build_column
from .annotations import Annotations
from .body import ReaderBody
from .gallery import GalleryPanel, PassageStrip
from .head import ReaderHead
from .hit_list import HitList
from .loading import LoadedDocument, PlaceWords, load_document, place_words
from .name_highlight import NameHighlight, NameHighlightStrip, VisibleNames
from .navigation import GoToCard, JumpHistory, LastPosition, Position, Stop, find_typed_page
from .passage_actions import PassageActions
from .password_dialog import PasswordDialog
from .pdf.layout import PageFit
from .pen import Pen
from .preferences import ReaderPreferences
from .ranges import Range
from .scans import ScannedDocument, ScanStrip
from .search import DocumentSearch, FindBar
from .selection_bar import TextSelectionBar
from .side_panel import MATCHES, OutlinePanel
from .view import DocumentView
from .view_card import ViewCard

SEE_LIBRARY = later("See the library for the reason, or to read it again.")
READ_SOON = later("Its text appears here as soon as it has been read.")


class ReaderSession(NamedTuple):
    """What a reader keeps while its tab is not loaded: search, jumps, and the panel."""

    words: str
    stops: tuple[Stop, ...]
    ahead: tuple[Stop, ...] = ()
    has_panel: bool = False  # that was opened where there is little room


class ReaderScreen(QWidget):
    """Shows documents; citations, mentions and search results call `open_at`."""

    open_entity = Signal(int)
    show_in_graph = Signal(object)
    ask_about = Signal(str)
    enrich_chapter_wanted = Signal(int, int, int)
    closed = Signal()

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._loaded: LoadedDocument | None = None
        self._requested_id: int | None = None
        self._on_shown: Callable[[DocumentView], None] = lambda view: None
        self._focus_wanted = False
        self._shortcuts: list[QShortcut] = []
        self._view_card: ViewCard | None = None
        self._history = JumpHistory(self)
        theme = self.theme = context.theme
        self.head = ReaderHead(theme, self)
        self.page_bar = self.head.page_bar
        self.highlight_strip = NameHighlightStrip(theme, self)
        self.scan_strip = ScanStrip(theme, self)
        self.body = ReaderBody(theme, context.messages.show_error, self)
        self._trashed_id: int | None = None  # that is offered to be restored
        self.find_bar = FindBar(theme, self)
        self.outline = self.body.outline
        self.text_view, self.pdf_view = self.body.text_view, self.body.pdf_view
        self.gallery = GalleryPanel(context, self.body.side)
        self.body.side.add_tab("pictures", "ph.image", tr("Pictures"), self.gallery)
        self.hit_list = HitList(theme, self.body.side)
        self.body.side.add_tab(MATCHES, "search", tr("Results"), self.hit_list)
        self._other_tab = "chapters"  # the last one that was not that of the search
        self._is_opened_for_list = False
        self.search = DocumentSearch(
            context, self.find_bar, self.hit_list, self._place_words, self._part_around, self
        )
        self.legend = self.body.legend
        self.names = VisibleNames(context, self.legend, self)
        self.name_highlight = NameHighlight(context, self.highlight_strip, self)
        self.annotations = Annotations(context, self)
        self.scans = ScannedDocument(context, self.scan_strip, self.pdf_view, self)
        views = (self.text_view, self.pdf_view)
        self.passage_actions = PassageActions(
            context, views, self.annotations, self.name_highlight, parent=self
        )
        self.selection_bar = TextSelectionBar(theme, views, self.body.stack)
        self.passage_figures = PassageStrip(
            context, views, PassageFigures(context, self._show_place, self), self
        )
        tools = (self.head.pen, self.head.underliner, self.head.area)
        self.pen = Pen(context, views, self.annotations, tools, self)
        self.last_position = LastPosition(context, self)
        self.position = Position(
            self.head,
            self.body,
            self.head.page_bar,
            self.annotations,
            self.passage_actions,
            self.remember_position,
            self,
        )
        self._chapters = ChapterEnrichment(self.outline, views, self)
        self.watch = DocumentWatch(context, self._shown_id, self._shown_entities, self)
        # an explicit minimum: the outline beside the text must not stop a splitter from closing
        self.setMinimumSize(320, 240)
        self._build()
        self._connect()
        self._add_shortcuts()
        self.preferences = ReaderPreferences(self.head, self.body, self)
        self._show_empty()

    # --- public interface -------------------------------------------------------------------

    @property
    def document_id(self) -> int | None:
        """The document that is shown or being opened."""
        return self._requested_id

    @property
    def loaded(self) -> LoadedDocument | None:
        """The document that is shown, None while another one is being opened."""
        return self._loaded

    @property
    def view(self) -> DocumentView | None:
        """The view in use, None while no document is shown."""
        return self.body.view

    def open_document(self, document_id: int) -> None:
        """Show a document at the position where it was left; does nothing if it is open."""
        if self._shown_id() == document_id:
            return
        self.remember_position()
        self._open(document_id, self.last_position.restore)

    def open_at(self, document_id: int, start: int, end: int) -> None:
        """Show and mark a passage, at about a third of the window's height."""
        self.remember_position()

        def show(view: DocumentView) -> None:
            view.show_passage(start, end)

        self._open(document_id, show)

    def show_figure(self, figure: StoredFigure) -> None:
        """Show the place of a figure: its caption, or where it stands without one."""
        self._show_place(figure.document_id, figure.figure.start, figure.figure.end)

    def _show_place(self, document_id: int, start: int, end: int) -> None:
        if start < end:
            self.open_at(document_id, start, end)
            return
        self.remember_position()
        self._open(document_id, lambda view: view.show_range(start, start + 1))

    def back(self) -> None:
        """Return to the position before the last jump."""
        self._go_to_stop(self._history.back(self._here()))

    def forward(self) -> None:
        """Return to the position that `back` left."""
        self._go_to_stop(self._history.forward(self._here()))

    def _go_to_stop(self, stop: Stop | None) -> None:
        if stop is None:
            return

        def show(view: DocumentView) -> None:
            view.set_passage(stop.passage)
            view.go_to_place(stop.place)

        self._open(stop.document_id, show)

    def refresh(self) -> None:
        """Load the shown document again and keep the position."""
        if self._loaded is None:
            return
        view = self.view
        place = view.place() if view else None
        passage = view.passage if view else None
        document_id, self._loaded = self._loaded.row.id, None
        if view is None:  # it had no text
            self._open(document_id, self._on_shown, quiet=True)
            return

        def show(new: DocumentView) -> None:
            new.set_passage(passage)
            if place is not None and new is view:
                new.go_to_place(place)

        self._open(document_id, show, quiet=True)

    def go_to(self, document_id: int, place: object, passage: Range | None) -> None:
        """Show a document at a place, as its view returned it, with a marked passage."""

        def show(view: DocumentView) -> None:
            view.set_passage(passage)
            if place is not None:
                view.go_to_place(place)

        self._open(document_id, show)

    def focus_text(self) -> None:
        """Move the focus to the text, now or when the document is shown."""
        view = self.view
        self._focus_wanted = view is None
        if view is not None:
            view.setFocus(Qt.FocusReason.OtherFocusReason)

    def keep_session(self) -> ReaderSession:
        """Return what a new reader of the document goes on with; positions are in the library."""
        stops, ahead = self._history.list_stops()
        has_panel = self.preferences.has_kept_panel
        return ReaderSession(self.search.words, tuple(stops), tuple(ahead), has_panel)

    def resume_session(self, session: ReaderSession) -> None:
        self._history.restore(session.stops, session.ahead)
        self.search.resume(session.words)
        self.preferences.keep_panel(session.has_panel)

    def set_alone(self, alone: bool) -> None:
        """Set whether this is the only reader of its tab: then its keys work anywhere in it."""
        self.head.set_alone(alone)
        self.preferences.set_alone(alone)
        context = Qt.ShortcutContext
        for shortcut in self._shortcuts:
            shortcut.setContext(
                context.WindowShortcut if alone else context.WidgetWithChildrenShortcut
            )

    def close_document(self) -> None:
        """Close the document and emit `closed`."""
        self._show_empty()
        self.closed.emit()

    def remember_position(self) -> None:
        """Add the current position to the history, for `back`."""
        here = self._here()
        if here is not None:
            self.last_position.save()
            self._history.add(here)

    def _here(self) -> Stop | None:
        """Return the current position, None while no document is shown."""
        view = self.view
        if self._loaded is None or view is None:
            return None
        return Stop(self._loaded.row.id, view.place(), view.passage)

    def save_changes(self) -> None:
        """Save the note that is being written and the position, before the window closes."""
        self.annotations.close_card()
        self.body.side.annotations.save_note()
        self.last_position.save()

    def shut_down(self) -> None:
        """Stop the reader's own thread and free the text; the screen must not be used after that.

        Python frees the objects of the screen later, when it looks for cycles of references.
        """
        self.save_changes()
        self.last_position.stop()
        self.pdf_view.worker.shut_down()
        self._loaded, self._on_shown = None, lambda view: None
        self._set_document(None, None)
        self.text_view.clear()

    # --- opening ----------------------------------------------------------------------------

    def _shown_id(self) -> int | None:
        return self._loaded.row.id if self._loaded is not None else None

    def _shown_entities(self) -> set[int | None]:
        names = self.view.names if self.view is not None else []
        return {self.name_highlight.entity_id, *(name[2] for name in names)}

    def _open(
        self, document_id: int, show: Callable[[DocumentView], None], *, quiet: bool = False
    ) -> None:
        """Load a document and call `show` with its view.

        Args:
            quiet: keep what is shown until the document is loaded.
        """
        self._on_shown = show
        view = self.view
        if self._shown_id() == document_id and view is not None:
            self._requested_id = document_id
            show(view)
            return
        if self._requested_id == document_id and self._loaded is None and not quiet:
            return  # is being loaded already; the latest `show` is called
        self._requested_id, self._loaded = document_id, None
        if not quiet:
            self.head.clear()
            self.body.show_waiting()
        self._fetch(document_id)

    def _fetch(self, document_id: int, *, as_text: bool = False) -> None:
        def take(loaded: LoadedDocument) -> None:
            if self._requested_id == document_id:
                self._show(loaded)

        def fail(error: BaseException) -> None:
            if self._requested_id == document_id:
                self._show_error(error)

        lane, library, annotations = (
            self._context.reader_lane,
            self._context.library_reader,
            self._context.annotations,
        )
        query = Query(lane, load_document, library, annotations, document_id, as_text, owner=self)
        query.on_success(take).on_error(fail).run()

    def _show(self, loaded: LoadedDocument) -> None:
        self._loaded = loaded
        if not loaded.text and loaded.content is None and loaded.row.state != "ready":
            self._show_unread(loaded.row)
            return
        view = self.body.show_document(loaded)
        self.outline.set_outline(loaded.outline, loaded.pages)
        self._show_title(loaded.row)
        self.head.set_ready(True)
        self._show_zoom_of(view)
        self.head.set_paged(view is self.pdf_view)
        self._set_document(loaded, view)
        self.preferences.show_contents_at_first(loaded.outline)
        self._place_side()
        self._on_shown(view)
        self.position.update_head()
        if self._focus_wanted and self.isVisible():
            self.focus_text()

    def _show_empty(self) -> None:
        self._requested_id, self._loaded = None, None
        self.body.show_empty()
        self._show_nothing()

    def _show_unread(self, row: DocumentRow) -> None:
        """Show why there is no text; the text is shown as soon as there is one."""
        if row.state == "failed":
            self.body.show_empty(tr("This document could not be read"), tr(SEE_LIBRARY), "document")
        else:
            self.body.show_empty(tr("This document has not been read yet"), tr(READ_SOON), "clock")
        self._show_nothing()
        self._show_title(row)

    def _show_error(self, error: BaseException) -> None:
        self._loaded = None
        self._trashed_id = error.document_id if isinstance(error, DocumentInTrash) else None
        if isinstance(error, DocumentInTrash):
            what, how = tr_message(error.message), tr_message(error.hint)
            self.body.show_empty(what, how, "delete", can_restore=True)
        elif isinstance(error, AppError):
            if self._requested_id is not None:
                self._history.forget(self._requested_id)
            self.body.show_empty(tr_message(error.message), tr_message(error.hint), "document")
        else:
            self.body.show_empty(tr("This document can't be shown."), "", "document")
            self._context.messages.show_error(error)
        self._requested_id = None
        self._show_nothing()

    def _restore(self) -> None:
        """Restore the document from the trash and open it where it was to be opened."""
        document_id, show = self._trashed_id, self._on_shown
        if document_id is None:
            return

        def reopen() -> None:
            if self._trashed_id == document_id and self._requested_id is None:
                self._open(document_id, show)

        restore = self._context.documents.restore_document
        message = tr("Restored from the trash")
        self.passage_actions.menu.edits.run(restore, document_id, message=message, then=reopen)

    def _show_nothing(self) -> None:
        self._set_document(None, None)
        self.find_bar.hide()
        self._follow_search(False)
        self.head.clear()
        self.head.set_ready(False)

    def _set_document(self, loaded: LoadedDocument | None, view: DocumentView | None) -> None:
        """Pass the shown document to every part of the screen."""
        document_id = loaded.row.id if loaded is not None else None
        self.position.set_document(loaded)
        self._chapters.set_document(loaded)
        self.passage_actions.set_document(loaded, view)
        self.search.set_document(document_id, view)
        self.names.set_document(document_id, view)
        self.name_highlight.set_document(document_id, view)
        self.annotations.set_document(loaded, view)
        self.gallery.set_document(loaded)
        self.passage_figures.set_document(document_id, view)
        self.last_position.set_document(loaded, view)
        self.scans.set_document(loaded, view)

    def _show_as_text(self, error: BaseException) -> None:
        """Show the text of a PDF whose pages can't be drawn."""
        if self._loaded is None or self._loaded.content is None:
            return
        if isinstance(error, PasswordNeeded):
            self._show_password_needed(self._loaded, error)
        elif isinstance(error, AppError):
            self._context.messages.show(
                tr("The pages of this PDF can't be shown, so here is its text."), kind="warn"
            )
        else:
            self._context.messages.show_error(error)
        document_id, self._loaded = self._loaded.row.id, None
        self._fetch(document_id, as_text=True)

    def _show_password_needed(self, loaded: LoadedDocument, error: PasswordNeeded) -> None:
        """Offer to type the password of a PDF; a wrong one is asked for again at once."""
        content = loaded.content or b""
        if error.wrong:
            self._run_in_reader_lane(shared_passwords().forget, content, then=lambda _: None)
            self._ask_for_password(loaded, wrong=True)
            return
        self._context.messages.show(
            tr("This PDF needs its password to show its pages, so here is its text."),
            kind="warn",
            action_text=tr("Type the password…"),
            action=lambda: self._ask_for_password(loaded, wrong=False),
        )

    def _ask_for_password(self, loaded: LoadedDocument, *, wrong: bool) -> None:
        content, document_id = loaded.content or b"", loaded.row.id

        def open_again(_: object) -> None:
            if self._requested_id == document_id:
                self._fetch(document_id)

        dialog = PasswordDialog(loaded.row.title or loaded.row.file_name, wrong=wrong, parent=self)
        dialog.submitted.connect(
            lambda password: self._run_in_reader_lane(
                shared_passwords().remember, content, password, then=open_again
            )
        )
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _store_password(self) -> None:
        """Store the password that opened the shown PDF."""
        if self._loaded is not None and self._loaded.content and self._loaded.password:
            confirm, content = shared_passwords().confirm, self._loaded.content
            self._run_in_reader_lane(confirm, content, then=lambda _: None)

    def _run_in_reader_lane(
        self, work: Callable[..., Any], *args: Any, then: Callable[[Any], None]
    ) -> None:
        query = Query(self._context.reader_lane, work, *args, owner=self)
        query.on_success(then).run()

    # --- building and connecting ------------------------------------------------------------

    def _build(self) -> None:
        build_column(
            self.head,
            self.find_bar,
            self.highlight_strip,
            self.scan_strip,
            (self.body, 1),
            self.passage_figures,
            parent=self,
            spacing=0,
        )
        self.highlight_strip.hide()

    def _connect(self) -> None:
        head = self.head
        head.back.clicked.connect(self.back)
        head.forward.clicked.connect(self.forward)
        self._history.changed.connect(head.set_history)
        head.close_button.clicked.connect(self.close_document)
        head.outline.toggled.connect(self._place_side)
        head.bookmark.clicked.connect(self.position.bookmark)
        head.note_wanted.connect(self.pen.add_note)
        head.single_chosen.connect(self.pdf_view.set_single)
        head.facing_chosen.connect(self.pdf_view.set_facing)
        head.cover_chosen.connect(self.pdf_view.set_cover)
        head.line_length_chosen.connect(self.text_view.set_line_length)
        for view in (self.text_view, self.pdf_view):
            head.colors_chosen.connect(view.set_page_colors)
        head.names.toggled.connect(self.names.set_on)
        head.every_name_chosen.connect(self.pdf_view.set_every_name)
        head.every_name_chosen.connect(self.legend.set_every_name)
        self.legend.every_toggled.connect(head.every_name.toggle)
        self.legend.switched_off.connect(lambda: head.names.setChecked(False))
        self.legend.closed.connect(self.focus_text)
        head.names.clicked.connect(self._toggle_legend)
        head.names.toggled.connect(lambda on: None if on else self.legend.close_legend())
        head.zoom_stepped.connect(self._zoom_by)
        head.zoom_chosen.connect(self._zoom_to)
        head.page_wanted.connect(self._show_go_to_card)
        head.zoom.clicked.connect(self._toggle_view_card)
        self.pdf_view.settled.connect(lambda: self._show_zoom(self.pdf_view, 1.0))  # pages differ
        self._connect_areas()
        self._connect_page_bar()
        self._connect_search()
        for view in (self.text_view, self.pdf_view):
            view.settled.connect(self.names.update)
            view.name_opened.connect(self.open_entity)
            view.name_in_graph.connect(lambda entity_id: self.show_in_graph.emit([entity_id]))
            view.shown_zoom_changed.connect(partial(self._show_zoom, view))
            view.names_wanted.connect(lambda: head.names.setChecked(True))
        self.pdf_view.worker.failed.connect(self._show_as_text)
        self.pdf_view.worker.letters_ready.connect(lambda _: self.hit_list.refresh())
        self.pdf_view.worker.opened.connect(self._store_password)
        self.gallery.place_wanted.connect(self.show_figure)
        self.gallery.counted.connect(lambda n: self.body.side.set_tab_shown("pictures", n > 0))
        self.passage_actions.entity_opened.connect(self.open_entity)
        self.passage_actions.graph_wanted.connect(self.show_in_graph)
        self.passage_actions.question_started.connect(self.ask_about)
        self._chapters.requested.connect(self._request_enrichment)
        self.watch.row_changed.connect(self._show_changed)
        self.watch.row_missing.connect(self._show_error)
        self.body.restore_button.clicked.connect(self._restore)
        self.watch.names_changed.connect(self.names.reload)
        self.watch.names_changed.connect(self.name_highlight.reload)
        self.watch.names_changed.connect(self.annotations.reload)

    def _toggle_legend(self) -> None:
        """Open the bar of names with the colours of the shown page, or close it."""
        view = self.view
        if view is not None:
            paper = self.pdf_view.paper if view is self.pdf_view else view.look.paper
            self.legend.set_page_tokens(paper or self.theme.tokens)
            self.legend.toggle_legend()

    def _connect_search(self) -> None:
        head, search = self.head, self.search
        head.search.clicked.connect(lambda on: search.start() if on else search.stop())
        search.started.connect(partial(self._follow_search, True))
        search.stopped.connect(partial(self._follow_search, False))
        self.find_bar.list_wanted.connect(self._show_hit_list)
        self.hit_list.closed.connect(lambda: self._show_hit_list(False))
        self.body.side.tab_changed.connect(lambda _: self._follow_side())
        head.outline.toggled.connect(lambda _: self._follow_side())

    def _connect_areas(self) -> None:
        tool = self.pdf_view.areas.tool
        self.pen.pressed_changed.connect(lambda: tool.set_active(self.pen.draws_areas))
        self.head.area.color_changed.connect(tool.set_color)
        self.pdf_view.areas.drawn.connect(self.annotations.mark_area)
        self.pdf_view.areas.changed.connect(self.annotations.change_area)
        view = self.pdf_view
        self.gallery.listed.connect(lambda found: view.set_figures([one.figure for one in found]))

    def _connect_page_bar(self) -> None:
        bar, view = self.page_bar, self.pdf_view
        bar.page_entered.connect(self._go_to_entered_page)
        bar.stepped.connect(view.step_pages)
        bar.zoom_stepped.connect(self._zoom_by)
        bar.zoom_chosen.connect(self._zoom_to)
        self.head.width_wanted.connect(view.fit_width)
        self.head.page_fit_wanted.connect(view.fit_page)
        self.head.text_fit_wanted.connect(lambda: view.set_fits_text(True))
        view.fits_text_changed.connect(self.head.set_fits_text)

    def _go_to_entered_page(self, words: str) -> None:
        if self._loaded is None or not self.pdf_view.worker.sizes:
            return
        n_pages = len(self.pdf_view.worker.sizes)
        index = find_typed_page(words, self._loaded.pages, n_pages)
        if index is not None:
            self.position.go_to_page(index)
            return
        text = tr("There is no page “{page}”. Type a number from 1 to {last}.",
                  page=words.strip()[:20], last=n_pages)  # fmt: skip
        self._context.messages.show(text, kind="warn")

    def _add_shortcuts(self) -> None:
        step = self.name_highlight.step
        for keys, act, words in (
            ("Ctrl+F", self.search.start, tr("Search in document")),
            ("F3", self.search.next, tr("Next match")),
            ("Shift+F3", self.search.previous, tr("Previous match")),
            ("Ctrl++", lambda: self._zoom_by(1), tr("Zoom in")),
            ("Ctrl+=", lambda: self._zoom_by(1), tr("Zoom in")),
            ("Ctrl+-", lambda: self._zoom_by(-1), tr("Zoom out")),
            ("Ctrl+0", lambda: self._zoom_to(1.0), tr("Actual size")),
            ("Alt+Left", self.back, tr("Back")),
            ("Alt+Right", self.forward, tr("Forward")),
            ("Alt+Down", lambda: step(1), tr("Next mention of the highlighted name")),
            ("Alt+Up", lambda: step(-1), tr("Previous mention of the highlighted name")),
            ("Ctrl+D", self.position.bookmark, tr("Add bookmark")),
            ("Ctrl+Shift+H", self.head.pen.click, tr("Highlight selection")),
            ("Ctrl+Shift+U", self.head.underliner.click, tr("Underline selection")),
            (
                "Ctrl+Shift+A",
                self._use_area_tool,
                tr("Mark an area of the page (with Alt, it does not snap)"),
            ),
            ("Ctrl+Shift+C", self._copy_with_citation, tr("Copy with citation")),
            ("Ctrl+G", self._show_go_to_card, tr("Go to page")),
            ("Ctrl+]", lambda: self._rotate(1), tr("Rotate the page right")),
            ("Ctrl+[", lambda: self._rotate(-1), tr("Rotate the page left")),
            ("Ctrl+Shift+]", lambda: self._rotate(1, every=True), tr("Rotate all pages right")),
            ("Ctrl+Shift+[", lambda: self._rotate(-1, every=True), tr("Rotate all pages left")),
            ("F7", self._toggle_caret, tr("Caret browsing")),
            ("F8", lambda: self.scans.step(1), tr("Next uncertain line of a scan")),
            ("Shift+F8", lambda: self.scans.step(-1), tr("Previous uncertain line of a scan")),
            ("F9", self.pdf_view.correct_line_at_caret, tr("Correct the line at the caret")),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.activated.connect(act)
            shortcut.setWhatsThis(words)
            self._shortcuts.append(shortcut)

    def _use_area_tool(self) -> None:
        if self.view is self.pdf_view:
            self.pdf_view.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.head.area.click()

    def _copy_with_citation(self) -> None:
        if self.view is not None and self.view.selection.range is not None:
            self.passage_actions.copy_with_source(*self.view.selection.range)

    def _show_go_to_card(self) -> None:
        if self.view is self.pdf_view:
            self.page_bar.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.page_bar.field.selectAll()
        elif self._loaded is not None:
            card = GoToCard(self.theme, self._loaded, self)
            card.chosen.connect(self.position.go_to)
            card.show_at(self.head.mapToGlobal(self.head.position.geometry().bottomLeft()))
            card.field.setFocus()

    def _toggle_caret(self) -> None:
        if self.view is not None:
            self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.view.caret.toggle()

    def _show_zoom(self, view: DocumentView, _: float) -> None:
        if view is self.view:
            self._show_zoom_of(view)
            if self._view_card is not None:
                self._view_card.refresh()

    def _show_zoom_of(self, view: DocumentView) -> None:
        fit = self.pdf_view.page_fit if view is self.pdf_view else PageFit.FILLS
        self.head.set_zoom(view.shown_zoom, fit)

    def _toggle_view_card(self, wanted: bool) -> None:
        """Open the panel of how the document is shown below its button, or close it."""
        if self._view_card is not None:
            self._view_card.close_card()
        if not wanted or self.view is None:
            self.head.zoom.setChecked(False)
            return
        button, view = self.head.zoom, self.pdf_view
        card = self._view_card = ViewCard(
            self.theme, self.head, self, is_paged=self.view is view, find_fit=view.find_fit
        )
        card.rotation_wanted.connect(self._rotate)
        card.closed.connect(self._forget_view_card)
        card.show_at(button.mapToGlobal(button.rect().bottomLeft()))
        next(iter(card.colors.values())).setFocus(Qt.FocusReason.PopupFocusReason)

    def _forget_view_card(self) -> None:
        self._view_card = None
        self.head.zoom.setChecked(False)

    def _rotate(self, by: int, every: bool = False) -> None:
        """Rotate the page in sight, or all pages, by quarters clockwise."""
        if self.view is self.pdf_view:
            rotator = self.pdf_view.rotator
            if every:
                rotator.rotate_all(by)
            else:
                rotator.rotate_page(by)

    def _zoom_by(self, steps: int) -> None:
        if self.view is not None:
            self.view.zoom_by(steps)

    def _zoom_to(self, zoom: float) -> None:
        if self.view is not None:
            self.view.set_shown_zoom(zoom)

    def _request_enrichment(self, document_id: int, start: int, end: int) -> None:
        if self.document_id == document_id:  # not while another document is being opened
            self.enrich_chapter_wanted.emit(document_id, start, end)

    def _show_changed(self, row: DocumentRow) -> None:
        """Show a new title, or load the text of another version of the file."""
        loaded = self._loaded
        if loaded is not None and (
            (row.taken_at, row.n_chars) != (loaded.row.taken_at, loaded.row.n_chars)
            or (self.view is None and row.state != loaded.row.state)
        ):
            self.refresh()
        self._show_title(row)

    def _show_title(self, row: DocumentRow) -> None:
        self.head.title.setText(row.title or row.file_name)

    def _place_words(self, start: int) -> PlaceWords:
        loaded = self._loaded
        if loaded is None:
            return PlaceWords()
        return place_words(start, loaded.outline, loaded.pages)

    def _part_around(self, start: int) -> Range:
        """Return the range around an offset that belongs together.

        It ends with the section, the page, and the label of a figure, as far as that is known.
        """
        loaded = self._loaded
        if loaded is None:
            return start, start
        starts = [0, *(heading.start for heading in loaded.outline), len(loaded.text)]
        at = bisect.bisect_right(starts, start)
        low, high = starts[at - 1], starts[min(at, len(starts) - 1)]
        if loaded.pages:
            page = loaded.pages[find_page_at(start, loaded.pages)]
            low, high = max(low, page.start), min(high, page.end)
        if self.view is self.pdf_view:
            label = self.pdf_view.label_around(start)
            low, high = max(low, label[0]), min(high, label[1])
        return low, high

    def _show_hit_list(self, wanted: bool) -> None:
        """Show the list of matches in the side panel, or what was there before."""
        side, is_shown = self.body.side, self.body.side.tab == MATCHES
        if wanted:
            side.show_tab(MATCHES)
            if not self.head.outline.isChecked():
                self._is_opened_for_list = True
                self.head.outline.setChecked(True)
        elif is_shown:
            was_opened = self._is_opened_for_list
            side.show_tab(self._other_tab)
            if was_opened:
                self.head.outline.setChecked(False)
        self._follow_side()

    def _follow_side(self) -> None:
        """Show in the search bar whether the list of matches is in sight."""
        if self.body.side.tab != MATCHES:
            self._other_tab, self._is_opened_for_list = self.body.side.tab, False
        is_listed = self.body.side.tab == MATCHES and self.head.outline.isChecked()
        self.find_bar.list_button.setChecked(is_listed)

    def _follow_search(self, is_open: bool) -> None:
        if not is_open:
            self._show_hit_list(False)
        self.body.side.set_tab_shown(MATCHES, is_open)
        if is_open and self.head.outline.isChecked():
            self._show_hit_list(True)  # in the panel that is open
        self.head.search.setChecked(is_open)

    def _place_side(self) -> None:
        self.body.show_side(self.head.outline.isChecked() and self._loaded is not None)


class DocumentWatch(QObject):
    """Reports changes of the shown document: its title, or its text if its file changed.

    Args:
        shown_id: returns the id of the shown document, None if there is none.
        shown_entities: returns the underlined and highlighted entities.
    """

    row_changed = Signal(object)
    row_missing = Signal(object)
    names_changed = Signal()

    def __init__(
        self,
        context: SessionContext,
        shown_id: Callable[[], int | None],
        shown_entities: Callable[[], set[int | None]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._shown_id, self._shown_entities = shown_id, shown_entities
        context.hub.changed.connect(self._on_change)

    def _on_change(self, change: ChangeNotice) -> None:
        document_id = self._shown_id()
        if document_id is None:
            return
        if document_id in change.documents:
            self._fetch_row(document_id)
            self.names_changed.emit()
        elif change.entities:
            self._check_names(document_id, change.entities)

    def _check_names(self, document_id: int, entity_ids: Set[int]) -> None:
        """Emit `names_changed` if one of these entities is named in the shown document."""

        def take(has_names: bool) -> None:
            if has_names and self._shown_id() == document_id:
                self.names_changed.emit()

        if not entity_ids.isdisjoint(self._shown_entities()):
            self.names_changed.emit()
            return
        has_names_of = self._context.annotations.has_names_of
        Query(
            self._context.reader_lane, has_names_of, document_id, entity_ids, owner=self
        ).on_success(take).run()

    def _fetch_row(self, document_id: int) -> None:
        def take(row: DocumentRow | None) -> None:
            if self._shown_id() == document_id and row is not None:
                self.row_changed.emit(row)

        def fail(error: BaseException) -> None:
            if self._shown_id() == document_id:
                self.row_missing.emit(error)

        library_reader = self._context.library_reader
        Query(
            self._context.reader_lane, library_reader.get_document, document_id, owner=self
        ).on_success(take).on_error(fail).run()


CHAPTER = later("Enrich this chapter now")
DOCUMENT = later("Enrich this document now")


def chapter_span(outline: Sequence[Heading], number: int, n_chars: int) -> tuple[int, int]:
    """Return the offsets of a chapter with its sections; -1 is the text before the first.

    A document without chapters is one chapter.
    """
    if not outline:
        return 0, n_chars
    if number < 0:
        return 0, outline[0].start
    own = outline[number]
    following = (h.start for h in outline[number + 1 :] if h.level <= own.level)
    return own.start, next(following, n_chars)


class ChapterEnrichment(QObject):
    """Maps a heading or an offset to a chapter; `requested` carries document, start and end."""

    requested = Signal(int, int, int)

    def __init__(
        self, outline: OutlinePanel, views: Sequence[DocumentView], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._views = views
        self._loaded: LoadedDocument | None = None
        outline.enrich_wanted.connect(self._request)
        for view in views:
            view.enrich_wanted.connect(self._request_at)

    def set_document(self, loaded: LoadedDocument | None) -> None:
        self._loaded = loaded
        if loaded is None:
            return
        for view in self._views:
            view.enrich_words = tr(CHAPTER) if loaded.outline else tr(DOCUMENT)

    def _request_at(self, offset: int) -> None:
        if self._loaded is not None:
            self._request(find_section(self._loaded.outline, offset))

    def _request(self, number: int) -> None:
        loaded = self._loaded
        if loaded is not None:
            start, end = chapter_span(loaded.outline, number, len(loaded.text))
            self.requested.emit(int(loaded.row.id), start, end)
