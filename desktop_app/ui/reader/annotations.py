"""Highlights and bookmarks of the shown document: loading, adding, editing, removing, export.

Owns the list of annotations and the card that edits one. Does not know how a view draws them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QHBoxLayout, QPlainTextEdit, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.errors import cannot_write
from desktop_app.engine.file_names import make_file_name
from desktop_app.engine.services.annotations import COLORS, Annotation, build_notes_markdown
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.edits import EditRunner
from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets.buttons import Button, IconButton
from ..widgets.note_colors import COLOR_WORDS
from .cards import Card
from .loading import LoadedDocument
from .look import paint_swatch
from .ranges import Range
from .view import DocumentView

WIDTH = 340


class Swatch(QAbstractButton):
    """A button for one highlight colour, with a ring around the chosen one."""

    def __init__(self, theme: Theme, color: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self.color = theme, color
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFixedSize(QSize(28, 28))
        self.setToolTip(tr(COLOR_WORDS[color]))
        self.setAccessibleName(tr(COLOR_WORDS[color]))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(6, 6, -6, -6)
        paint_swatch(painter, self._theme, self.color, area)
        if self.isChecked() or self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self._theme.color("accent" if self.hasFocus() else "text"))
            painter.drawEllipse(area.adjusted(-3, -3, 3, 3))
        painter.end()


class AnnotationCard(Card):
    """Edits one annotation; `changed` carries its id, colour and note if it was edited."""

    changed = Signal(int, str, str)
    removed = Signal(int)
    asked = Signal(object)
    copied = Signal(object)

    def __init__(self, theme: Theme, mark: Annotation, parent: QWidget) -> None:
        super().__init__(theme, WIDTH, parent)
        self._mark = mark
        self._is_removed = False
        top = QHBoxLayout()
        top.setSpacing(2)
        self.swatches = [Swatch(theme, color) for color in COLORS]
        for swatch in self.swatches:
            swatch.setChecked(swatch.color == mark.color)
            swatch.setVisible(mark.kind == "highlight")
            top.addWidget(swatch)
        top.addStretch(1)
        is_bookmark = mark.kind == "bookmark"
        words = tr("Remove bookmark" if is_bookmark else "Remove highlight")
        remove = IconButton(theme, "delete", words)
        remove.clicked.connect(self._remove)
        close = IconButton(theme, "close", tr("Close"), shortcut="Esc")
        close.clicked.connect(self.close_card)
        top.addWidget(remove)
        top.addWidget(close)
        self.column.addLayout(top)
        self.note = QPlainTextEdit(mark.note)
        self.note.setProperty("kind", "field")
        self.note.setPlaceholderText(tr("Add a note"))
        self.note.setAccessibleName(tr("Note"))
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(96)
        self.column.addWidget(self.note)
        row = QHBoxLayout()
        row.setSpacing(8)
        self.ask = Button(tr("Ask about this"))
        self.copy = Button(tr("Copy with citation"))
        for button in (self.ask, self.copy):
            button.setVisible(mark.kind == "highlight")
            row.addWidget(button)
        row.addStretch(1)
        self.column.addLayout(row)
        self.ask.clicked.connect(self._ask)
        self.copy.clicked.connect(self._copy)
        self.closed.connect(self._emit_changes)
        self.note.setFocus()

    def chosen_color(self) -> str:
        return next((s.color for s in self.swatches if s.isChecked()), self._mark.color)

    def _remove(self) -> None:
        self._is_removed = True
        self.close_card()
        self.removed.emit(self._mark.id)

    def _ask(self) -> None:
        self.close_card()
        self.asked.emit(self._mark)

    def _copy(self) -> None:
        self.close_card()
        self.copied.emit(self._mark)

    def _emit_changes(self) -> None:
        note, color = self.note.toPlainText().strip(), self.chosen_color()
        if not self._is_removed and (note != self._mark.note or color != self._mark.color):
            self.changed.emit(self._mark.id, color, note)


class Annotations(QObject):
    """Loads and edits the annotations of one document.

    Args:
        owner: the widget over which the card and the file dialog open.
    """

    changed = Signal(list)
    ask_wanted = Signal(object)
    quote_wanted = Signal(int, int)
    color_used = Signal(str)

    def __init__(self, context: SessionContext, owner: QWidget) -> None:
        super().__init__(owner)
        self._context, self._owner = context, owner
        self._edits = EditRunner(context, self)
        self._loaded: LoadedDocument | None = None
        self._view: DocumentView | None = None
        self._open_next: Range | None = None
        self._color = COLORS[0]  # the one used last, for keys that name none
        self.marks: list[Annotation] = []
        self.card: AnnotationCard | None = None

    def set_color(self, color: str) -> None:
        """Use this colour for highlights whose colour is not chosen."""
        self._color = color

    def set_document(self, loaded: LoadedDocument | None, view: DocumentView | None) -> None:
        self.close_card()
        self._loaded, self._view = loaded, view
        self._show([])
        self.reload()

    def reload(self) -> None:
        if self._loaded is None:
            return
        document_id = self._loaded.row.id  # the text itself would be kept by the query

        def take(marks: list[Annotation]) -> None:
            if self._loaded is not None and self._loaded.row.id == document_id:
                self._show(marks)

        fetch = self._context.annotations.list_annotations
        Query(self._context.reader_lane, fetch, document_id, owner=self).on_success(take).run()

    # --- editing ----------------------------------------------------------------------------

    def highlight(
        self, start: int, end: int, color: str = "", *, write: bool = False, style: str = "fill"
    ) -> None:
        """Highlight or underline a passage; with `write`, open its card to write a note.

        Args:
            color: "" for the one used last.
            style: see `Annotation`.
        """
        if self._loaded is None:
            return
        color = color or self._color
        self._color = color
        self.color_used.emit(color)
        if self._view is not None and (words := self._view.text[start:end].strip()):
            start += self._view.text[start:end].index(words)  # a drag begins between paragraphs
            end = start + len(words)
        if write:
            self._open_next = (start, end)
        self._run(
            self._context.annotations.highlight, self._loaded.row.id, start, end, color=color,
            style=style, message="",  # the highlight itself is seen
        )  # fmt: skip
        if self._view is not None:
            self._view.selection.collapse()

    def bookmark(self, offset: int) -> None:
        """Add a bookmark to the paragraph or page at an offset, or remove the one that it has."""
        loaded, view = self._loaded, self._view
        if loaded is None or view is None:
            return
        start, end = self._place_of(offset)
        existing = view.bookmarks_in(start, max(end, start + 1))
        if existing:
            self.remove(existing[0].id)
            return
        stop = min(end, start + 120)
        message = tr("Bookmark added")
        self._run(self._context.annotations.bookmark, loaded.row.id, start, stop, message=message)

    def _place_of(self, offset: int) -> Range:
        """Return the page of a PDF, or the paragraph of a text, that contains an offset."""
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
        message = tr("Bookmark removed" if is_bookmark else "Highlight removed")
        self._run(self._context.annotations.remove, annotation_id, message=message)

    def find(self, annotation_id: int) -> Annotation | None:
        return next((mark for mark in self.marks if mark.id == annotation_id), None)

    def open_card(self, annotation_id: int, where: QPoint) -> None:
        """Open the card of an annotation beside a point of the screen."""
        mark = self.find(annotation_id)
        if mark is None:
            return
        card = self.card = AnnotationCard(self._context.theme, mark, self._owner)
        card.changed.connect(self.change)
        card.removed.connect(self.remove)
        card.asked.connect(self.ask_wanted)
        card.copied.connect(lambda mark: self.quote_wanted.emit(mark.start, mark.end))
        card.closed.connect(lambda: self._card_closed(card))
        card.show_at(where)
        card.note.setFocus()

    def close_card(self) -> None:
        """Close the open card, if any, and save its changes."""
        if self.card is not None:
            self.card.close_card()

    def _card_closed(self, card: AnnotationCard) -> None:
        if self.card is card:
            self.card = None

    def change(self, annotation_id: int, color: str, note: str) -> None:
        """Change the colour and the note of an annotation."""
        # no message: the changed highlight and its note are in sight, and Ctrl+Z takes them back
        change = self._context.annotations.change
        self._run(change, annotation_id, color=color, note=note, message="")

    def _run(self, edit: Callable[..., ChangeSet], *args: Any, message: str, **more: Any) -> None:
        self._edits.run(edit, *args, message=message, then=self.reload, **more)

    # --- display ----------------------------------------------------------------------------

    def _show(self, marks: list[Annotation]) -> None:
        self.marks = marks
        if self._view is not None:
            self._view.set_notes(marks)
        self.changed.emit(marks)
        span, view = self._open_next, self._view
        mark = next((m for m in marks if (m.start, m.end) == span), None)
        if mark is not None and view is not None:
            self._open_next = None
            middle = view.viewport().rect().center()
            self.open_card(mark.id, view.viewport().mapToGlobal(middle))

    def export(self) -> None:
        """Ask for a file and write the annotations to it as Markdown."""
        loaded = self._loaded
        if loaded is None or not self.marks:
            return
        start = tr("{title} – notes", title=(loaded.row.title or loaded.row.file_name)[:80])
        start = make_file_name(start, "notes") + ".md"
        title, kinds = tr("Export notes"), tr("Markdown (*.md)")
        path, _ = QFileDialog.getSaveFileName(self._owner, title, start, kinds)
        if path:
            self.write(Path(path))

    def write(self, path: Path) -> None:
        """Write the annotations as Markdown."""
        messages = self._context.messages
        try:
            path.write_text(self.markdown(), encoding="utf-8", errors="replace")
        except OSError as error:
            messages.show_error(cannot_write(path.name, error))
            return
        text = trn(
            "{n} note written to “{file}”.",
            "{n} notes written to “{file}”.",
            len(self.marks),
            file=path.name,
        )
        messages.show(text, kind="ok")

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
