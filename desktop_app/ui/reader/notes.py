"""Highlights and bookmarks of the document that is shown: fetched, made, changed, taken away.

Owns when they are read and how each change is told. Knows a view and the panel, not how they draw.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_app.engine.errors import cannot_write
from desktop_app.engine.services.reading import Annotation
from desktop_app.engine.services.reading_notes import build_notes_markdown
from desktop_app.ui.editing.edits import Edits
from desktop_app.ui.language import tr, trn
from desktop_app.workers.operations import Query

from .loading import Loaded
from .note_card import NoteCard
from .view import DocumentView, Range

if TYPE_CHECKING:
    from desktop_app.ui.context import Context


class Notes(QObject):
    """Keeps the marks of one document in step with the library."""

    changed = Signal(list)
    ask_wanted = Signal(object)
    quote_wanted = Signal(int, int)

    def __init__(self, context: Context, owner: QWidget) -> None:
        super().__init__(owner)
        self._context, self._owner = context, owner
        self._edits = Edits(context, self)
        self._loaded: Loaded | None = None
        self._view: DocumentView | None = None
        self._open_next: Range | None = None
        self.marks: list[Annotation] = []
        self.card: NoteCard | None = None

    def set_document(self, loaded: Loaded | None, view: DocumentView | None) -> None:
        self.close_card()
        self._loaded, self._view = loaded, view
        self._take([])
        self.look()

    def look(self) -> None:
        """Read the marks again: something was marked, undone, or another document opened."""
        loaded = self._loaded
        if loaded is None:
            return

        def take(marks: list[Annotation]) -> None:
            if loaded is self._loaded:
                self._take(marks)

        fetch = self._context.reading.list_annotations
        Query(self._context.reader_lane, fetch, loaded.row.id, owner=self).on_success(take).run()

    # --- marking ----------------------------------------------------------------------------

    def highlight(
        self, start: int, end: int, color: str = "yellow", *, write: bool = False
    ) -> None:
        """Mark a passage; with `write`, its note is opened for writing."""
        if self._loaded is None:
            return
        if write:
            self._open_next = (start, end)
        self._run(
            self._context.reading.highlight, self._loaded.row.id, start, end, color=color,
            told="" if write else tr("Highlighted"),
        )  # fmt: skip
        if self._view is not None:
            self._view.selection.collapse()

    def highlight_selection(self) -> None:
        """Highlight what is selected."""
        chosen = self._view.selection.range if self._view is not None else None
        if chosen is not None:
            self.highlight(*chosen)

    def bookmark(self, offset: int) -> None:
        """Put a bookmark where a line or page begins, or take away the one that is there."""
        loaded, view = self._loaded, self._view
        if loaded is None or view is None:
            return
        start, end = self._place_of(offset)
        there = view.bookmarks_in(start, max(end, start + 1))
        if there:
            self.remove(there[0].id)
            return
        stop = min(end, start + 120)
        told = tr("Bookmark added")
        self._run(self._context.reading.bookmark, loaded.row.id, start, stop, told=told)

    def _place_of(self, offset: int) -> Range:
        """Return the page of a PDF, or the paragraph of a text, that holds an offset."""
        loaded = self._loaded
        assert loaded is not None
        if loaded.blocks is None:
            for page in loaded.pages:
                if page.start <= offset < max(page.end, page.start + 1):
                    return page.start, page.end
            return offset, offset
        at = loaded.blocks.at(offset)
        return int(loaded.blocks.starts[at]), int(loaded.blocks.ends[at])

    def remove(self, annotation_id: int) -> None:
        mark = self.find(annotation_id)
        is_bookmark = mark is not None and mark.kind == "bookmark"
        told = tr("Bookmark removed" if is_bookmark else "Highlight removed")
        self._run(self._context.reading.remove, annotation_id, told=told)

    def find(self, annotation_id: int) -> Annotation | None:
        return next((mark for mark in self.marks if mark.id == annotation_id), None)

    def open_card(self, annotation_id: int, where: QPoint) -> None:
        """Open the card of a mark beside a point of the screen."""
        mark = self.find(annotation_id)
        if mark is None:
            return
        card = self.card = NoteCard(self._context.theme, mark, self._owner)
        card.changed.connect(self._change)
        card.removed.connect(self.remove)
        card.asked.connect(self.ask_wanted)
        card.copied.connect(lambda mark: self.quote_wanted.emit(mark.start, mark.end))
        card.closed.connect(lambda: self._card_closed(card))
        card.show_at(where)
        card.note.setFocus()

    def close_card(self) -> None:
        """Close the card that is open, if any; what was written on it is kept."""
        if self.card is not None:
            self.card.close_card()

    def _card_closed(self, card: NoteCard) -> None:
        if self.card is card:
            self.card = None

    def _change(self, annotation_id: int, color: str, note: str) -> None:
        change, told = self._context.reading.change, tr("Note kept")
        self._run(change, annotation_id, color=color, note=note, told=told)

    def _run(self, verb: Callable[..., object], *args: object, told: str, **more: object) -> None:
        self._edits.run(verb, *args, told=told, then=self.look, **more)

    # --- showing ----------------------------------------------------------------------------

    def _take(self, marks: list[Annotation]) -> None:
        self.marks = marks
        if self._view is not None:
            self._view.set_notes(marks)
        self.changed.emit(marks)
        wanted, view = self._open_next, self._view
        mark = next((m for m in marks if (m.start, m.end) == wanted), None)
        if mark is not None and view is not None:
            self._open_next = None
            middle = view.viewport().rect().center()
            self.open_card(mark.id, view.viewport().mapToGlobal(middle))

    def export(self) -> None:
        """Ask where to and write the marks as Markdown."""
        loaded = self._loaded
        if loaded is None or not self.marks:
            return
        start = tr("{title} – notes", title=(loaded.row.title or loaded.row.file_name)[:80])
        start = start.replace("/", "-") + ".md"
        title, kinds = tr("Export notes"), tr("Markdown (*.md)")
        path, _ = QFileDialog.getSaveFileName(self._owner, title, start, kinds)
        if path:
            self.write(Path(path))

    def write(self, path: Path) -> None:
        """Write the marks as Markdown."""
        messages = self._context.messages
        try:
            path.write_text(self.markdown(), encoding="utf-8")
        except OSError as error:
            messages.show_error(cannot_write(path.name, error))
            return
        told = trn(
            "{n} note written to “{file}”.",
            "{n} notes written to “{file}”.",
            len(self.marks),
            file=path.name,
        )
        messages.show(told, kind="ok")

    def markdown(self) -> str:
        loaded = self._loaded
        if loaded is None:
            return ""
        return build_notes_markdown(
            loaded.row,
            self.marks,
            loaded.outline,
            loaded.pages,
            page_words=tr("p. {page}"),
            bookmark_words=tr("Bookmark"),
        )
