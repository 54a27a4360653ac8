"""Where one is, in words for the head ("p. ii (2 of 3)", "Chapter 2 · 34 %") and in the panel.

Owns the wording and what is current beside the text. Knows the screen's parts, not how they do it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_app.engine.model import Heading, Page
from desktop_app.engine.services.annotations import Annotation
from desktop_app.workers.operations import Query

from ..language import tr
from ..theme.theme import Theme
from ..widgets.labels import Label
from .card import Card
from .citing import place_words
from .loading import LoadedDocument
from .view import DocumentView

if TYPE_CHECKING:
    from ..context import Context
    from .screen import ReaderScreen


def page_words(pages: Sequence[Page], index: int, n_pages: int) -> str:
    """Return the printed page number, with the count if the two differ."""
    label = pages[index].label if index < len(pages) else ""
    if label and label != str(index + 1):
        return tr("p. {label} ({n} of {all})", label=label, n=index + 1, all=n_pages)
    return tr("p. {n} of {all}", n=index + 1, all=n_pages) if n_pages else ""


def text_words(outline: Sequence[Heading], chapter: int, share: float | None) -> str:
    """Return the chapter, if one has begun, and how much of the text is behind.

    Args:
        share: 0 to 1; None if all of the text is in sight.
    """
    told = "" if share is None else tr("{share} %", share=round(100 * share))
    return " · ".join(part for part in (chapter_words(outline, chapter), told) if part)


def chapter_words(outline: Sequence[Heading], chapter: int) -> str:
    """Return a chapter's title on one line, "" for what is before the first."""
    return " ".join(outline[chapter].title.split()) if chapter >= 0 else ""


FIRST_LINE_PX = 40


class Position(QObject):
    """Keeps head and panel in step with the view, and goes where the panel says."""

    def __init__(self, screen: ReaderScreen) -> None:
        super().__init__(screen)
        self._screen = screen
        side = screen.body.side
        for view in (screen.text_view, screen.pdf_view):
            view.moved.connect(self.tell)
        screen.pdf_view.work.opened.connect(self._list_pages)
        side.outline.chosen.connect(self._go_to_heading)
        screen.body.left_panel.connect(self._uncover)
        side.thumbs.chosen.connect(self._go_to_thumb)
        side.notes.chosen.connect(self._go_to_mark)
        side.notes.edit_wanted.connect(self._edit_mark)
        side.notes.removed.connect(lambda mark: screen.notes.remove(mark.id))
        side.notes.asked.connect(lambda mark: screen.verbs.ask_about_mark(mark))
        side.notes.copied.connect(lambda mark: screen.verbs.copy_with_source(mark.start, mark.end))
        side.notes.export_wanted.connect(screen.notes.export)
        screen.notes.changed.connect(self._list_marks)
        screen.find_bar.searched.connect(lambda words: self._uncover())

    def tell(self) -> None:
        """Say where one is."""
        screen = self._screen
        loaded, view = screen.loaded, screen.view
        if loaded is None or view is None:
            return
        offset = view.top_offset()
        if view is screen.text_view:
            offset = screen.text_view.offset_at(0, view.viewport().height() / 3)
        chapter = screen.outline.set_offset(offset)
        if view is screen.pdf_view:
            page = screen.pdf_view.current_page()
            n_pages = len(screen.pdf_view.work.sizes) or loaded.row.n_pages
            words = page_words(loaded.pages, page, n_pages)
            title = chapter_words(loaded.outline, chapter)
            words = f"{words} · {title}" if title else words
            screen.body.side.thumbs.set_current(page)
        else:
            bar = view.verticalScrollBar()
            share = bar.value() / bar.maximum() if bar.maximum() else None
            words = text_words(loaded.outline, chapter, share)
        screen.head.position.setText(words)

    def go_to(self, start: int, end: int = 0) -> None:
        """Go to a place of the document that is shown; back returns from it."""
        view = self._screen.view
        if view is not None:
            self._screen.leave()
            if end > start:
                view.show_passage(start, end)
            else:
                view.go_to_place(start)
            view.setFocus()

    def go_to_page(self, index: int) -> None:
        """Go to a page of the PDF that is shown; back returns from it."""
        self._screen.leave()
        self._screen.pdf_view.show_page(index)
        self._screen.pdf_view.setFocus()

    def _go_to_thumb(self, index: int) -> None:
        self.go_to_page(index)
        self._uncover()

    def bookmark(self) -> None:
        """Put a bookmark at the caret, or where one reads, or take it away."""
        view = self._screen.view
        if view is None:
            return
        offset = view.top_offset()
        if view.caret.at is not None:
            offset = view.caret.at
        elif view is self._screen.text_view and view.place() != -1:
            offset = view.offset_at(0, FIRST_LINE_PX) or offset  # no line that is half in sight
        self._screen.notes.bookmark(offset)

    def _list_pages(self) -> None:
        work = self._screen.pdf_view.work
        self._screen.body.side.thumbs.pages.set_pages(len(work.sizes), work.pages)
        self.tell()

    def _list_marks(self, marks: list[Annotation]) -> None:
        loaded = self._screen.loaded
        if loaded is not None:
            outline, pages = loaded.outline, loaded.pages
            self._screen.body.side.notes.set_marks(
                marks, lambda start: place_words(start, outline, pages)
            )

    def _go_to_mark(self, mark: Annotation) -> None:
        end = mark.end if mark.kind == "highlight" else mark.start
        self.go_to(mark.start, end)
        self._uncover()

    def _edit_mark(self, mark: Annotation, where: QPoint) -> None:
        self._screen.notes.open_card(mark.id, where)

    def _go_to_heading(self, number: int) -> None:
        screen = self._screen
        loaded, view = screen.loaded, screen.view
        if loaded is None or view is None:
            return
        heading = loaded.outline[number]
        if view is screen.pdf_view and heading.page_index is not None:
            self.go_to_page(heading.page_index)
        else:
            self.go_to(heading.start)
        self._uncover()

    def _uncover(self) -> None:
        """Take the panel away where it covers what one went to."""
        if self._screen.body.is_narrow:
            self._screen.head.outline.setChecked(False)


KEEP_MS = 1500  # after scrolling has come to rest


class LastPosition(QObject):
    """Keeps the place of the document that is shown in the library."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._loaded: LoadedDocument | None = None
        self._view: DocumentView | None = None
        self._kept: object = None
        self._timer = QTimer(self, singleShot=True, interval=KEEP_MS)
        self._timer.timeout.connect(self.keep)

    def set_document(self, loaded: LoadedDocument | None, view: DocumentView | None) -> None:
        """Speak of this document from now on; the one before keeps its place."""
        self._timer.stop()
        if self._view is not None:
            self._view.settled.disconnect(self._timer.start)
        self._loaded, self._view = loaded, view
        self._kept = loaded.place if loaded is not None else None
        if view is not None:
            view.settled.connect(self._timer.start)

    def land(self, view: DocumentView) -> None:
        """Go to where the document was left, if that is known."""
        place = self._loaded.place if self._loaded is not None else None
        if isinstance(place, int) and self._loaded is not None and self._loaded.blocks is not None:
            view.go_to_place(place)
        elif isinstance(place, list) and len(place) == 2 and self._loaded.blocks is None:
            view.go_to_place((int(place[0]), float(place[1])))

    def keep(self) -> None:
        """Write where one is, if that is another place than the one that was written last."""
        self._timer.stop()
        loaded, view = self._loaded, self._view
        if loaded is None or view is None:
            return
        place = json.loads(json.dumps(view.place()))
        if place != self._kept:
            self._kept = place
            keep = self._context.reading.store_reading_position
            Query(self._context.writer_lane, keep, loaded.row.id, json.dumps(place)).run()

    def stop(self) -> None:
        self._timer.stop()
        self._view = self._loaded = None


DEPTH = 50


@dataclass(frozen=True, slots=True)
class Stop:
    """One place: a document, the view's own word for the place, and what was marked there."""

    document_id: int
    place: object
    passage: tuple[int, int] | None


class JumpHistory(QObject):
    """Places in the order they were left; `changed` says whether there is a way back."""

    changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stops: list[Stop] = []

    def leave(self, stop: Stop) -> None:
        """Remember a place; the same one twice is remembered once."""
        if not self._stops or self._stops[-1] != stop:
            self._stops.append(stop)
            del self._stops[:-DEPTH]
            self.changed.emit(True)

    def back(self) -> Stop | None:
        """Return the last place and forget it, None at the start."""
        stop = self._stops.pop() if self._stops else None
        self.changed.emit(bool(self._stops))
        return stop

    def forget(self, document_id: int) -> None:
        """Drop the places of a document that is gone."""
        self._stops = [stop for stop in self._stops if stop.document_id != document_id]
        self.changed.emit(bool(self._stops))


def find_place(words: str, loaded: LoadedDocument) -> int | None:
    """Return the offset that a page ("xii", "12", "p. 12") or a share ("40 %") begins at."""
    words = words.strip().casefold().removeprefix("p.").removeprefix("p").strip()
    if words.endswith("%") or (words and not loaded.pages):
        share = words.removesuffix("%").strip()
        if share.replace(".", "", 1).isdigit():
            return round(min(100.0, float(share)) / 100 * max(0, len(loaded.text) - 1))
        return None
    for page in loaded.pages:
        if page.label and page.label.casefold() == words:
            return page.start
    if words.isdigit() and 0 < int(words) <= len(loaded.pages):
        return loaded.pages[int(words) - 1].start
    return None


class GoToCard(Card):
    """One line; `chosen` carries the offset to go to."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, loaded: LoadedDocument, parent: QWidget) -> None:
        super().__init__(theme, 220, parent)
        self._loaded = loaded
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Page" if loaded.pages else "Per cent of the text"))
        self.field.setAccessibleName(tr("Go to page"))
        self.told = Label("", "small", wrap=True)
        self.told.hide()
        self.column.addWidget(self.field)
        self.column.addWidget(self.told)
        self.field.returnPressed.connect(self._go)

    def _go(self) -> None:
        offset = find_place(self.field.text(), self._loaded)
        if offset is None:
            pages = self._loaded.pages
            last = (pages[-1].label or str(len(pages))) if pages else "100 %"
            self.told.setText(tr("There is no such page. The last is {last}.", last=last))
            self.told.show()
            self.place()
            return
        self.close_card()
        self.chosen.emit(offset)
