"""Where one is, in words for the head ("p. ii (2 of 3)", "Chapter 2 · 34 %") and in the panel.

Owns the wording and what is current beside the text. Knows the screen's parts, not how they do it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint

from desktop_app.engine.services.reading import Annotation
from desktop_app.engine.services.reading_notes import tell_place
from desktop_app.engine.types import Heading, Page

if TYPE_CHECKING:
    from .screen import ReaderScreen


def page_words(pages: Sequence[Page], index: int, n_pages: int) -> str:
    """Return the printed page number, with the count if the two differ."""
    label = pages[index].label if index < len(pages) else ""
    if label and label != str(index + 1):
        return f"p. {label} ({index + 1} of {n_pages})"
    return f"p. {index + 1} of {n_pages}" if n_pages else ""


def text_words(outline: Sequence[Heading], chapter: int, offset: int, n_chars: int) -> str:
    """Return the chapter, if one has begun, and how much of the text is behind."""
    share = f"{round(100 * offset / max(1, n_chars))} %"
    title = " ".join(outline[chapter].title.split()) if chapter >= 0 else ""
    return f"{title} · {share}" if title else share


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
        side.thumbs.chosen.connect(self.go_to_page)
        side.notes.chosen.connect(self._go_to_mark)
        side.notes.edit_wanted.connect(self._edit_mark)
        side.notes.removed.connect(lambda mark: screen.notes.remove(mark.id))
        side.notes.asked.connect(lambda mark: screen.ask_about.emit(" ".join(mark.quote.split())))
        side.notes.copied.connect(lambda mark: screen.verbs.copy_with_source(mark.start, mark.end))
        side.notes.export_wanted.connect(screen.notes.export)
        screen.notes.changed.connect(self._list_marks)

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
            screen.body.side.thumbs.set_current(page)
        else:
            words = text_words(loaded.outline, chapter, offset, len(loaded.text))
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

    def bookmark(self) -> None:
        """Put a bookmark where one reads, or take it away."""
        view = self._screen.view
        if view is None:
            return
        offset = view.top_offset()
        if view is self._screen.text_view and view.place() != -1:
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
                marks, lambda start: tell_place(start, outline, pages)
            )

    def _go_to_mark(self, mark: Annotation) -> None:
        end = mark.end if mark.kind == "highlight" else mark.start
        self.go_to(mark.start, end)

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
        if screen.body.is_narrow:
            screen.head.outline.setChecked(False)
