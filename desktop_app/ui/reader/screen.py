"""The Reader: one document at a time, opened at a passage, with chapters, search and names.

Owns which document is shown and joins head, outline, search and the two views. Text is laid out
in `text_view`, pages are drawn in `pdf_view`; everything fetched comes through the reader lane.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.errors import AppError
from desktop_app.engine.model import DocumentRow, Heading
from desktop_app.workers.operations import Query

from ..language import later, tr, tr_said
from .annotations import Annotations
from .body import ReaderBody
from .head import ReaderHead
from .loading import LoadedDocument, load_with_place
from .name_highlight import NameHighlight, NameHighlightStrip, NamesInSight
from .navigation import GoToCard, JumpHistory, LastPosition, Position, Stop
from .passage_actions import PassageActions
from .preferences import ReaderPreferences
from .search import DocumentSearch, FindBar
from .view import DocumentView

if TYPE_CHECKING:
    from ..context import Context


class ReaderKeys(QObject):
    """Shortcuts of one screen, and the zoom that its head asks for."""

    def __init__(self, screen: ReaderScreen) -> None:
        super().__init__(screen)
        self._screen = screen
        for keys, act, words in (
            ("Ctrl+F", screen.search.start, tr("Search in the document")),
            ("F3", screen.search.next, tr("Next hit")),
            ("Shift+F3", screen.search.previous, tr("Previous hit")),
            ("Ctrl++", lambda: self._zoom_by(1), tr("Larger")),
            ("Ctrl+=", lambda: self._zoom_by(1), tr("Larger")),
            ("Ctrl+-", lambda: self._zoom_by(-1), tr("Smaller")),
            ("Ctrl+0", lambda: self._zoom_to(1.0), tr("Normal size")),
            ("Alt+Left", screen.back, tr("Back")),
            ("Alt+Down", lambda: screen.following.step(1), tr("Next place of the followed name")),
            (
                "Alt+Up",
                lambda: screen.following.step(-1),
                tr("Previous place of the followed name"),
            ),
            ("Ctrl+D", screen.position.bookmark, tr("Bookmark this place")),
            ("Ctrl+Shift+H", screen.notes.highlight_selection, tr("Highlight what is selected")),
            ("Ctrl+G", self._ask_for_page, tr("Go to page")),
            ("F7", self._toggle_caret, tr("Select text with the keys")),
        ):
            reach = Qt.ShortcutContext.WidgetWithChildrenShortcut
            shortcut = QShortcut(QKeySequence(keys), screen, act, context=reach)
            shortcut.setWhatsThis(words)
        screen.head.zoom_stepped.connect(self._zoom_by)
        screen.head.zoom_chosen.connect(self._zoom_to)
        screen.head.page_wanted.connect(self._ask_for_page)

    def _ask_for_page(self) -> None:
        loaded = self._screen.loaded
        if loaded is not None:
            head = self._screen.head
            card = GoToCard(self._screen.theme, loaded, self._screen)
            card.chosen.connect(self._screen.position.go_to)
            card.show_at(head.mapToGlobal(head.position.geometry().bottomLeft()))
            card.field.setFocus()

    def _toggle_caret(self) -> None:
        if self._screen.view is not None:
            self._screen.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._screen.view.caret.toggle()

    def _zoom_by(self, steps: int) -> None:
        if self._screen.view is not None:
            self._screen.view.zoom_by(steps)

    def _zoom_to(self, zoom: float) -> None:
        if self._screen.view is not None:
            self._screen.view.set_zoom(zoom)


class DocumentWatch(QObject):
    """Watches the document that `shown` names, if any; its text never changes, its title may."""

    seen = Signal(object)
    gone = Signal(object)
    names_changed = Signal()

    def __init__(
        self, context: Context, shown: Callable[[], int | None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._shown = shown
        context.hub.changed.connect(self._changed)

    def _changed(self, change: ChangeSet) -> None:
        document_id = self._shown()
        if document_id is None:
            return
        if change.everything or document_id in change.documents:
            self._look(document_id)
        if change.everything or change.entities or change.documents:
            self.names_changed.emit()

    def _look(self, document_id: int) -> None:
        def take(row: DocumentRow | None) -> None:
            if self._shown() == document_id and row is not None:
                self.seen.emit(row)

        def fail(error: BaseException) -> None:
            if self._shown() == document_id:
                self.gone.emit(error)

        exploring = self._context.exploring
        Query(
            self._context.reader_lane, exploring.get_document, document_id, owner=self
        ).on_success(take).on_error(fail).run()


CHAPTER = later("Enrich this chapter now")
DOCUMENT = later("Enrich this document now")


def chapter_span(outline: Sequence[Heading], number: int, n_chars: int) -> tuple[int, int]:
    """Return where a chapter begins and ends, its sections with it; -1 is what is before all.

    A document without chapters is one.
    """
    if not outline:
        return 0, n_chars
    if number < 0:
        return 0, outline[0].start
    own = outline[number]
    following = (h.start for h in outline[number + 1 :] if h.level <= own.level)
    return own.start, next(following, n_chars)


class ChapterEnriching(QObject):
    """Turns a heading or an offset into `enrich_chapter_requested` of the screen."""

    def __init__(self, screen: ReaderScreen) -> None:
        super().__init__(screen)
        self._screen = screen
        self._loaded: LoadedDocument | None = None
        screen.outline.enrich_wanted.connect(self._ask)
        for view in (screen.text_view, screen.pdf_view):
            view.enrich_wanted.connect(self._ask_at)

    def set_document(self, loaded: LoadedDocument) -> None:
        """Speak of this document from now on."""
        self._loaded = loaded
        for view in (self._screen.text_view, self._screen.pdf_view):
            view.enrich_words = tr(CHAPTER) if loaded.outline else tr(DOCUMENT)

    def _ask_at(self, offset: int) -> None:
        if self._loaded is not None:
            starts = [heading.start for heading in self._loaded.outline]
            self._ask(bisect.bisect_right(starts, offset) - 1)

    def _ask(self, number: int) -> None:
        loaded = self._loaded
        if loaded is not None and self._screen.document_id == loaded.row.id:
            span = chapter_span(loaded.outline, number, len(loaded.text))
            self._screen.enrich_chapter_requested.emit(int(loaded.row.id), *span)


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
        self._loaded: LoadedDocument | None = None
        self._wanted: int | None = None
        self._after: Callable[[DocumentView], None] = lambda view: None
        self._trail = JumpHistory(self)
        theme = self.theme = context.theme
        self.head = ReaderHead(theme, self)
        self.find_bar = FindBar(theme, self)
        self.strip = NameHighlightStrip(theme, self)
        self.body = ReaderBody(theme, context.messages.show_error, self)
        self.outline = self.body.outline
        self.text_view, self.pdf_view = self.body.text_view, self.body.pdf_view
        self.search = DocumentSearch(context, self.find_bar, self)
        self.names = NamesInSight(context, self)
        self.following = NameHighlight(context, self.strip, self)
        self.notes = Annotations(context, self)
        self.verbs = PassageActions(context, self)
        self.resuming = LastPosition(context, self)
        self.position = Position(self)
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
    def loaded(self) -> LoadedDocument | None:
        """What is shown."""
        return self._loaded

    @property
    def view(self) -> DocumentView | None:
        """The view in use, None while no document is shown."""
        return self.body.view

    def open_document(self, document_id: int) -> None:
        """Show a document where it was left, or where it is if it is open."""
        if self._shown() == document_id:
            return
        self.leave()
        self._open(document_id, self.resuming.land)

    def open_at(self, document_id: int, start: int, end: int) -> None:
        """Show a passage: marked, at about a third of the height."""
        self.leave()

        def land(view: DocumentView) -> None:
            view.show_passage(start, end)

        self._open(document_id, land)

    def back(self) -> None:
        """Return to where one was before the last jump."""
        stop = self._trail.back()
        if stop is None:
            return

        def land(view: DocumentView) -> None:
            view.set_passage(stop.passage)
            view.go_to_place(stop.place)

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
            new.set_passage(passage)
            if place is not None and new is view:
                new.go_to_place(place)

        self._open(document_id, land, quiet=True)

    def close_document(self) -> None:
        """Close what is open and say so."""
        self._show_empty()
        self.closed.emit()

    def shut_down(self) -> None:
        """End the reader's own thread; the screen is not used after that."""
        self.notes.close_card()
        self.resuming.keep()
        self.resuming.stop()
        self.pdf_view.work.shut_down()

    # --- opening ----------------------------------------------------------------------------

    def _shown(self) -> int | None:
        return self._loaded.row.id if self._loaded is not None else None

    def leave(self) -> None:
        """Remember where one is, for `back`."""
        view = self.view
        if self._loaded is not None and view is not None:
            self.resuming.keep()
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
        def take(loaded: LoadedDocument) -> None:
            if self._wanted == document_id:
                self._show(loaded)

        def fail(error: BaseException) -> None:
            if self._wanted == document_id:
                self._show_error(error)

        context = self._context
        lane, exploring, reading = context.reader_lane, context.exploring, context.reading
        Query(
            lane, load_with_place, exploring, reading, document_id, as_text, owner=self
        ).on_success(take).on_error(fail).run()

    def _show(self, loaded: LoadedDocument) -> None:
        self._loaded = loaded
        view = self.body.show_document(loaded)
        self.outline.set_outline(loaded.outline)
        self._chapters.set_document(loaded)
        self._show_title(loaded.row)
        self.head.set_ready(True)
        self.head.set_zoom(view.zoom)
        self.head.set_paged(view is self.pdf_view)
        self.search.set_document(loaded.row.id, view)
        self.names.set_document(loaded.row.id, view)
        self.following.set_document(loaded.row.id, view)
        self.notes.set_document(loaded, view)
        self.resuming.set_document(loaded, view)
        self._place_side()
        self._after(view)
        self.position.tell()

    def _show_empty(self) -> None:
        self._wanted, self._loaded = None, None
        self.body.show_empty()
        self._show_nothing()

    def _show_error(self, error: BaseException) -> None:
        self._loaded = None
        if isinstance(error, AppError):
            if self._wanted is not None:
                self._trail.forget(self._wanted)
            self.body.show_empty(tr_said(error.message), tr_said(error.hint), "document")
        else:
            self.body.show_empty(tr("This document can't be shown."), "", "document")
            self._context.messages.show_error(error)
        self._wanted = None
        self._show_nothing()

    def _show_nothing(self) -> None:
        self.search.set_document(None, None)
        self.names.set_document(None, None)
        self.following.set_document(None, None)
        self.notes.set_document(None, None)
        self.resuming.set_document(None, None)
        self.find_bar.hide()
        self.head.clear()
        self.head.set_ready(False)

    def _pdf_failed(self, error: BaseException) -> None:
        """Show the text of a PDF whose pages can't be drawn."""
        if self._loaded is None or self._loaded.content is None:
            return
        if isinstance(error, AppError):
            self._context.messages.show(
                tr("The pages of this PDF can't be shown, so here is its text."), kind="warn"
            )
        else:
            self._context.messages.show_error(error)
        document_id, self._loaded = self._loaded.row.id, None
        self._fetch(document_id, as_text=True)

    # --- joining ----------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.find_bar)
        column.addWidget(self.strip)
        column.addWidget(self.body, 1)
        self.find_bar.hide()
        self.strip.hide()

    def _join(self) -> None:
        head = self.head
        head.back.clicked.connect(self.back)
        self._trail.changed.connect(head.back.setEnabled)
        head.close_button.clicked.connect(self.close_document)
        head.search.clicked.connect(self.search.start)
        head.outline.toggled.connect(self._place_side)
        head.bookmark.clicked.connect(self.position.bookmark)
        head.single_chosen.connect(self.pdf_view.set_single)
        head.dark_chosen.connect(self.pdf_view.work.set_dark)
        head.names.toggled.connect(self.names.set_on)
        for view in (self.text_view, self.pdf_view):
            view.settled.connect(self.names.look)
            view.name_opened.connect(self.open_entity)
            view.name_in_graph.connect(lambda entity_id: self.show_in_graph.emit([entity_id]))
            view.zoom_changed.connect(head.set_zoom)
            view.names_wanted.connect(lambda: head.names.setChecked(True))
        self.pdf_view.work.failed.connect(self._pdf_failed)
        self.watch.seen.connect(self._show_title)
        self.watch.gone.connect(self._show_error)
        self.watch.names_changed.connect(self.names.forget)
        self.watch.names_changed.connect(self.following.look)
        self.watch.names_changed.connect(self.notes.look)
        self._keys = ReaderKeys(self)
        self._habits = ReaderPreferences(self)

    def _show_title(self, row: DocumentRow) -> None:
        self.head.title.setText(row.title or row.file_name)

    def _place_side(self) -> None:
        self.body.show_side(self.head.outline.isChecked() and self._loaded is not None)
