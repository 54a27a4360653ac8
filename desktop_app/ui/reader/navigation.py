"""The position in the document: shown in the head, saved, kept in a history, entered by hand.

Owns the text of the position ("p. ii (2 of 3)", "34% read · Chapter 2 · 5 screens left in this
section"), jumps from the side panel, the position saved with each document, "Back" and "Forward".
Fetches and draws nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QObject, QRectF, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_app.engine.model import Heading, Page, has_printed_numbers
from desktop_app.engine.services.annotations import Annotation, find_page_of
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets.cards import Card
from ..widgets.labels import Label
from ..widgets.words import format_authors, format_heading
from .annotations import Annotations
from .body import ReaderBody
from .head import ReaderHead
from .loading import LoadedDocument, format_section_name, place_of_mark
from .passage_actions import PassageActions
from .pdf.page_bar import PageBar
from .view import SECTION_LINE, DocumentView


def text_words(
    outline: Sequence[Heading],
    chapter: int,
    share: float | None,
    n_left: int = 0,
    title: str = "",
    source: str = "",
) -> str:
    """Return the share of the text that is read, the current chapter, and how much is left of it.

    Where the text has no chapter, it is `source`.

    Args:
        title: of the document; see `chapter_words`.
        share: 0 to 1; None if the window shows the whole text.
        n_left: how often the window can be filled with the rest of the chapter.
    """
    shown = "" if share is None else tr("{share}% read", share=round(100 * share))
    # as in the contents, also before the first chapter
    is_before = chapter < 0
    named = (
        format_section_name(outline, -1) if is_before else chapter_words(outline, chapter, title)
    )
    left = ""
    if named and n_left:
        left = trn("{n} screen left in this section", "{n} screens left in this section", n_left)
    # the number first: where there is little room, the end of the chapter's title is cut
    return " · ".join(words for words in (shown, named or source, left) if words)


def count_screens_left(
    outline: Sequence[Heading], chapter: int, bottom: int, n_chars: int, n_per_screen: float
) -> int:
    """Return how often the window can be filled with the rest of a section; 0 without sections.

    Args:
        bottom: the last offset in the window.
        n_per_screen: characters that fill the window, on average.
    """
    if not outline:
        return 0
    end = outline[chapter + 1].start if chapter + 1 < len(outline) else n_chars
    return max(0, ceil((end - bottom) / max(1.0, n_per_screen) - PART_OF_SCREEN))


PART_OF_SCREEN = 0.1  # of a screen: a few lines more are no further screen


def chapter_words(outline: Sequence[Heading], chapter: int, title: str = "") -> str:
    """Return a chapter's title with that of its book or part, on one line.

    It is "" for the text before the first chapter. A heading that is the document's `title` is left
    out: the head and the tab show it already.
    """
    if chapter < 0:
        return ""
    own = outline[chapter]
    above = (h for h in reversed(outline[:chapter]) if h.level < own.level)
    titles = [" ".join(heading.title.split()) for heading in (next(above, None), own) if heading]
    return " › ".join(format_heading(words) for words in titles if words and words != title)


def section_words(outline: Sequence[Heading], number: int, title: str) -> str:
    """Return the words for a section, "3.1 Indexing", as the contents have them.

    Args:
        title: of the document, which the tab shows already.
    """
    words = " ".join(outline[number].title.split()) if number >= 0 else ""
    return "" if words and words == title else format_section_name(outline, number)


FIRST_LINE_PX = 40


class Position(QObject):
    """Keeps head and side panel in step with the view, and goes to what the panel chooses.

    Args:
        remember: called before each jump, so that "Back" returns from it.
    """

    def __init__(
        self,
        head: ReaderHead,
        body: ReaderBody,
        page_bar: PageBar,
        annotations: Annotations,
        actions: PassageActions,
        remember: Callable[[], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._head, self._body, self._annotations = head, body, annotations
        self._page_bar = page_bar
        self._remember = remember
        self._loaded: LoadedDocument | None = None
        self._pdf_view, self._text_view = body.pdf_view, body.text_view
        self._outline, self._thumbs, self._panel = (
            body.side.outline,
            body.side.thumbs,
            body.side.annotations,
        )
        for view in (body.text_view, body.pdf_view):
            view.moved.connect(self.update_head)
            view.selection.changed.connect(self.update_head)
        body.pdf_view.worker.opened.connect(self._list_pages)
        self._outline.chosen.connect(self._go_to_heading)
        self._thumbs.chosen.connect(self._go_to_thumb)
        panel = self._panel
        panel.chosen.connect(self._go_to_mark)
        panel.note_written.connect(
            lambda mark, note, session: annotations.change(
                mark.id, mark.color, note, session=session
            )
        )
        panel.note_begun.connect(self._show_draft)
        panel.removed.connect(lambda mark: annotations.remove(mark.id))
        panel.recolored.connect(lambda mark, color: annotations.change(mark.id, color, mark.note))
        panel.tags_wanted.connect(
            lambda mark, where: annotations.open_card(mark.id, where, tags=True)
        )
        panel.asked.connect(actions.ask_about_mark)
        panel.copied.connect(annotations.copy)
        panel.export_wanted.connect(annotations.export)
        annotations.changed.connect(self._list_marks)
        panel.shown.connect(self._show_marks_in_sight)
        panel.marked.connect(self._outline_chosen_mark)
        body.pdf_view.worker.letters_ready.connect(lambda _: self.update_head())

    def set_document(self, loaded: LoadedDocument | None) -> None:
        self._loaded = loaded

    def update_head(self) -> None:
        """Show the current position in the head and mark it in the side panel."""
        loaded, view = self._loaded, self._body.view
        if loaded is None or view is None:
            return
        offset, bar = view.top_offset(), view.verticalScrollBar()
        share = bar.value() / bar.maximum() if bar.maximum() else None
        if view is self._text_view:
            # the headings of the last screen can't come higher: at the end, the last one counts
            line = 1.0 if share == 1.0 else SECTION_LINE
            offset = self._text_view.offset_at(0, line * view.viewport().height())
        if (chosen := self._find_selected(view)) is not None:
            chapter = self._outline.find_chapter(chosen)
        elif view is self._pdf_view:
            chapter = self._pdf_view.find_section_shown(loaded.outline)
        else:
            chapter = self._outline.find_chapter(offset)
        self._outline.mark_chapter(chapter)
        # a PDF has its pages beside it
        self._head.set_share(None if view is self._pdf_view else share)
        # a year alone says nothing about what is read
        source = format_authors(loaded.row.author, loaded.row.year) if loaded.row.author else ""
        if view is self._pdf_view:
            # what is above the first heading of a page, such as an abstract, has no name of its own
            own = section_words(loaded.outline, chapter, loaded.row.title) if chapter >= 0 else ""
            self._head.set_position(own or source)
        else:
            last, height = len(loaded.text), view.viewport().height()
            n_screens = (bar.maximum() + bar.pageStep()) / max(1, bar.pageStep())
            bottom = last if share in (None, 1.0) else self._text_view.offset_at(0, height)
            n_left = count_screens_left(loaded.outline, chapter, bottom, last, last / n_screens)
            title = loaded.row.title
            words = text_words(loaded.outline, chapter, share, n_left, title, source)
            self._head.set_position(words)
        if view is self._pdf_view:
            page = self._pdf_view.current_page()
            n_pages = len(self._pdf_view.worker.sizes) or loaded.row.n_pages
            self._thumbs.set_current(page)
            label = ""
            if page < len(loaded.pages) and has_printed_numbers(loaded.pages):
                label = loaded.pages[page].number
            n_beside = len(self._pdf_view.placed.row(page)) - 1
            self._page_bar.set_page(page, label, n_pages, n_beside)
        self._show_marks_in_sight()

    @staticmethod
    def _find_selected(view: DocumentView) -> int | None:
        """Return where the selection begins, if that is in sight: its section is meant then."""
        chosen = view.selection.range
        box = view.caret.box_of(chosen[0]) if chosen is not None else None
        if chosen is None or box is None:
            return None
        return chosen[0] if QRectF(view.viewport().rect()).contains(box.center()) else None

    def _show_marks_in_sight(self) -> None:
        """Show in the panel, while that is visible, which annotations are in sight."""
        view = self._body.view
        if view is None or not self._panel.isVisible():
            return
        inside = QRectF(view.viewport().rect())

        def is_in_sight(mark: Annotation) -> bool:
            if mark.area is not None:
                area = self._pdf_view.areas.rect_of(mark)
                return area is not None and inside.intersects(area)
            box = view.caret.box_of(mark.start)
            return box is not None and inside.contains(box.center())

        first, last = view.visible_range()
        near = [mark for mark in view.marks if not mark.lost and first <= mark.start <= last]
        self._panel.show_current([mark.id for mark in near if is_in_sight(mark)])

    def _show_draft(self, mark_id: int, has_words: bool) -> None:
        """Give a highlight the sign of a note as soon as one is being written."""
        for view in (self._text_view, self._pdf_view):
            view.set_draft(mark_id, has_words=has_words)

    def _outline_chosen_mark(self) -> None:
        """Give the highlight that is chosen in the list an edge on the page."""
        if self._body.view is not None:
            self._body.view.set_chosen_mark(self._panel.marked_id)

    def go_to(self, start: int, end: int = 0) -> None:
        """Go to an offset, or show and mark a range; "Back" returns from it."""
        view = self._body.view
        if view is not None:
            self._remember()
            if end > start:
                view.show_passage(start, end)
            else:
                view.go_to_place(start)
            view.setFocus()

    def go_to_page(self, index: int) -> None:
        """Go to a page of the PDF that is shown; "Back" returns from it."""
        self._remember()
        self._pdf_view.show_page(index)
        self._pdf_view.setFocus()

    def bookmark(self) -> None:
        """Add or remove a bookmark at the caret, else at the first line in sight."""
        view = self._body.view
        if view is None:
            return
        offset = view.top_offset()
        if view.caret.at is not None:
            offset = view.caret.at
        elif view is self._text_view and view.place() != -1:
            offset = view.offset_at(0, FIRST_LINE_PX) or offset  # not a line cut by the edge
        self._annotations.bookmark(offset)

    def _list_pages(self) -> None:
        worker = self._pdf_view.worker
        outline = self._loaded.outline if self._loaded is not None else ()
        self._thumbs.pages.set_pages(len(worker.sizes), worker.pages, outline)
        self.update_head()

    def _list_marks(self, marks: list[Annotation]) -> None:
        if self._loaded is not None:
            outline, pages = self._loaded.outline, self._loaded.pages
            self._panel.set_pictures(self._annotations.pictures)
            self._panel.set_marks(marks, lambda mark: place_of_mark(mark, outline, pages))
            colors: dict[int, list[str]] = {}
            for mark in marks:
                if mark.kind == "highlight" and not mark.lost:
                    colors.setdefault(find_page_of(mark, pages), []).append(mark.color)
            self._thumbs.pages.set_colors(colors)
            self._show_marks_in_sight()

    def _go_to_thumb(self, index: int) -> None:
        self.go_to_page(index)

    def _go_to_mark(self, mark: Annotation) -> None:
        if mark.area is not None and self._body.view is self._pdf_view:
            self._remember()
            self._pdf_view.show_area(mark.area)
            self._pdf_view.setFocus()
            return
        end = mark.end if mark.kind == "highlight" else mark.start
        self.go_to(mark.start, end)

    def _go_to_heading(self, number: int) -> None:
        loaded, view = self._loaded, self._body.view
        if loaded is None or view is None:
            return
        if number < 0:
            self.go_to(0)
            return
        heading = loaded.outline[number]
        if view is self._pdf_view and heading.page_index is not None:
            if self._pdf_view.page_of(heading.start) != heading.page_index:
                self.go_to_page(heading.page_index)
                return
            self._remember()
            self._pdf_view.show_line(heading.start)
            self._pdf_view.setFocus()
        else:
            self.go_to(heading.start)


SAVE_DELAY_MS = 1500  # after scrolling has stopped


class LastPosition(QObject):
    """Saves the position of the shown document in the library and restores it."""

    def __init__(self, context: SessionContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._loaded: LoadedDocument | None = None
        self._view: DocumentView | None = None
        self._saved: object = None
        self._timer = QTimer(self, singleShot=True, interval=SAVE_DELAY_MS)
        self._timer.timeout.connect(self.save)

    def set_document(self, loaded: LoadedDocument | None, view: DocumentView | None) -> None:
        self._timer.stop()
        if self._view is not None:
            self._view.settled.disconnect(self._timer.start)
        self._loaded, self._view = loaded, view
        self._saved = loaded.place if loaded is not None else None
        if view is not None:
            view.settled.connect(self._timer.start)

    def restore(self, view: DocumentView) -> None:
        """Go to the saved position, if there is one of this kind of view."""
        if self._loaded is None:
            return
        place, is_text = self._loaded.place, self._loaded.blocks is not None
        if isinstance(place, int) and is_text:
            view.go_to_place(place)
            if self._loaded.is_new:
                view.leave_margin()
        elif isinstance(place, list) and len(place) in (2, 3) and not is_text:
            view.go_to_place((int(place[0]), float(place[1])))

    def save(self) -> None:
        """Write the position to the library, if it differs from the last one written."""
        self._timer.stop()
        loaded, view = self._loaded, self._view
        if loaded is None or view is None:
            return
        place = json.loads(json.dumps(view.position()))
        if place != self._saved:
            self._saved = place
            save = self._context.annotations.store_reading_position
            Query(self._context.writer_lane, save, loaded.row.id, json.dumps(place)).run()

    def stop(self) -> None:
        self._timer.stop()
        self._view = self._loaded = None


MAX_STOPS = 50


@dataclass(frozen=True, slots=True)
class Stop:
    """One position: a document, the place as its view returned it, and the marked passage."""

    document_id: int
    place: object
    passage: tuple[int, int] | None


class JumpHistory(QObject):
    """Positions before each jump, and those that "Back" left; the oldest come first.

    `changed` carries whether `back` has one, and whether `forward` has one.
    """

    changed = Signal(bool, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stops: list[Stop] = []
        self._ahead: list[Stop] = []  # the nearest is the last

    def add(self, stop: Stop) -> None:
        """Add a position, unless it equals the last one; what was ahead is forgotten."""
        self._ahead.clear()
        self._push(stop)
        self._emit()

    def back(self, here: Stop | None) -> Stop | None:
        """Remove and return the last position, None if there is none.

        Args:
            here: to which `forward` returns.
        """
        if not self._stops:
            return None
        stop = self._stops.pop()
        if here is not None:
            self._ahead.append(here)
        self._emit()
        return stop

    def forward(self, here: Stop | None) -> Stop | None:
        """Remove and return the position that `back` left last, None if there is none."""
        if not self._ahead:
            return None
        stop = self._ahead.pop()
        if here is not None:
            self._push(here)
        self._emit()
        return stop

    def _push(self, stop: Stop) -> None:
        if not self._stops or self._stops[-1] != stop:
            self._stops.append(stop)
            del self._stops[:-MAX_STOPS]

    def _emit(self) -> None:
        self.changed.emit(bool(self._stops), bool(self._ahead))

    def list_stops(self) -> tuple[list[Stop], list[Stop]]:
        """Return the positions before and after the present one, for `restore`."""
        return list(self._stops), list(self._ahead)

    def restore(self, stops: Sequence[Stop], ahead: Sequence[Stop] = ()) -> None:
        """Go on with the positions of another reader of the same document."""
        self._stops, self._ahead = list(stops), list(ahead)
        self._emit()

    def forget(self, document_id: int) -> None:
        """Remove the positions of a deleted document."""
        self._stops = [stop for stop in self._stops if stop.document_id != document_id]
        self._ahead = [stop for stop in self._ahead if stop.document_id != document_id]
        self._emit()


def find_typed_page(words: str, pages: Sequence[Page], n_pages: int) -> int | None:
    """Return the index of a page ("xii", "12", "p. 12"); printed numbers come first."""
    words = words.strip().casefold().removeprefix("p.").removeprefix("p").strip()
    first, _, last = words.partition("–")  # "3–4", as shown with two pages side by side
    labels = [page.label.casefold() for page in pages]
    for label in filter(None, (words, first if last.isdecimal() else "")):
        found = [index for index, other in enumerate(labels) if other == label]
        # a title page of LaTeX has the number 1, and the text begins with page 1 again
        counted = [i for i in found if label.isdecimal() and _is_counted_on(labels, i)]
        if found:
            return (counted or found)[0]
    words = first if last.isdecimal() else words
    if words.isdecimal() and len(words) < 9 and 0 < int(words) <= n_pages:
        return int(words) - 1
    return None


def _is_counted_on(labels: Sequence[str], index: int) -> bool:
    """Return whether the page after one with a number has the next number."""
    return index + 1 < len(labels) and labels[index + 1] == str(int(labels[index]) + 1)


def find_typed_offset(words: str, loaded: LoadedDocument) -> int | None:
    """Return the offset at which a page ("xii", "12", "p. 12") or a share ("40%") begins."""
    words = words.strip().casefold().removeprefix("p.").removeprefix("p").strip()
    if words.endswith("%") or (words and not loaded.pages):
        share = words.removesuffix("%").strip()
        if share.replace(".", "", 1).isdigit():
            return round(min(100.0, float(share)) / 100 * max(0, len(loaded.text) - 1))
        return None
    index = find_typed_page(words, loaded.pages, len(loaded.pages))
    return loaded.pages[index].start if index is not None else None


class GoToCard(Card):
    """A field for a page number or a share; `chosen` carries the offset."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, loaded: LoadedDocument, parent: QWidget) -> None:
        super().__init__(theme, 220, parent)
        self._loaded = loaded
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Page" if loaded.pages else "Per cent of the text"))
        self.field.setAccessibleName(tr("Go to page"))
        self.message = Label("", "small", wrap=True)
        self.message.hide()
        self.column.addWidget(self.field)
        self.column.addWidget(self.message)
        self.field.returnPressed.connect(self._go)

    def _go(self) -> None:
        offset = find_typed_offset(self.field.text(), self._loaded)
        if offset is None:
            pages = self._loaded.pages
            last = (pages[-1].label or str(len(pages))) if pages else "100%"
            self.message.setText(tr("There is no such page. The last is {last}.", last=last))
            self.message.show()
            self.place()
            return
        self.close_card()
        self.chosen.emit(offset)
