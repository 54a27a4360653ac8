"""Highlights, areas and bookmarks of the shown document: loading, editing, removing, export.

Owns the list of annotations, the pictures of areas, and the card that edits one. Does not know how
a view draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.file_names import make_file_name
from desktop_app.engine.highlight_colors import DEFAULT_COLOR
from desktop_app.engine.services.annotation_entries import write_pictures
from desktop_app.engine.services.annotations import (
    Annotation,
    AnnotationService,
    Area,
    build_notes_markdown,
)
from desktop_app.engine.services.exporting.output import write_bytes
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..editing.annotation_card import AnnotationCard
from ..editing.edits import EditRunner
from ..translation import tr, trn
from ..widgets.area_pictures import load_image
from ..widgets.save_dialog import ask_where_to_save
from .loading import LoadedDocument
from .ranges import Range
from .view import DocumentView

PICTURE_WIDTH = 640  # pixels of a kept picture of an area: twice as many as its card is wide


def describe_annotation_kind(mark: Annotation) -> str:
    """Return the word for what an annotation is."""
    if mark.area is not None:
        return tr("Area")
    if mark.kind == "bookmark":
        return tr("Bookmark")
    return tr("Underline") if mark.style == "underline" else tr("Highlight")


def load_marks(
    service: AnnotationService, document_id: int, known: Mapping[int, Area]
) -> tuple[list[Annotation], dict[int, QImage], list[str]]:
    """Return the annotations of a document, pictures of areas that are not known yet, and all tags.

    Pictures that are wider than `PICTURE_WIDTH` are made smaller.

    Args:
        known: annotation -> area whose picture is known; it may have another area now.
    """
    marks = service.list_annotations(document_id)
    wanted = [mark.id for mark in marks if mark.area and known.get(mark.id) != mark.area]
    pictures: dict[int, QImage] = {}
    for mark_id, png in (service.fetch_pictures(wanted) if wanted else {}).items():
        image = load_image(png, PICTURE_WIDTH)
        if image is not None:
            pictures[mark_id] = image
    return marks, pictures, service.list_tags()


class Annotations(QObject):
    """Loads and edits the annotations of one document.

    Args:
        owner: the widget over which the card and the file dialog open.
    """

    changed = Signal(list)
    ask_wanted = Signal(object)
    quote_wanted = Signal(int, int)
    color_used = Signal(str, str)  # style, see `STYLES`, or "area"; colour

    def __init__(self, context: SessionContext, owner: QWidget) -> None:
        super().__init__(owner)
        self._context, self._owner = context, owner
        self._edits = EditRunner(context, self)
        self._loaded: LoadedDocument | None = None
        self._view: DocumentView | None = None
        self._open_next: Range | None = None
        self._colors: dict[str, str] = {}  # used last, by style, for keys that name none
        self.marks: list[Annotation] = []
        self.pictures: dict[int, QImage] = {}  # of areas, by annotation
        self.tags: list[str] = []  # of the library
        self.card: AnnotationCard | None = None

    def set_color(self, style: str, color: str) -> None:
        """Use this colour for marks of a style, or for areas, whose colour is not chosen."""
        self._colors[style] = color

    def set_document(self, loaded: LoadedDocument | None, view: DocumentView | None) -> None:
        self.close_card()
        self._loaded, self._view = loaded, view
        self.pictures = {}
        self._show([])
        self.reload()

    def reload(self) -> None:
        if self._loaded is None:
            return
        document_id = self._loaded.row.id  # the text itself would be kept by the query

        def take(found: tuple[list[Annotation], dict[int, QImage], list[str]]) -> None:
            if self._loaded is not None and self._loaded.row.id == document_id:
                self.pictures.update(found[1])
                self.tags = found[2]
                self._show(found[0])

        lane, service = self._context.reader_lane, self._context.annotations
        known = {
            mark.id: mark.area for mark in self.marks if mark.area and mark.id in self.pictures
        }
        Query(lane, load_marks, service, document_id, known, owner=self).on_success(take).run()

    # --- editing ----------------------------------------------------------------------------

    def highlight(
        self, start: int, end: int, color: str = "", *, write: bool = False, style: str = "fill"
    ) -> None:
        """Highlight or underline a passage; with `write`, open its card to write a note.

        Args:
            color: "" for the one used last for this style.
            style: see `Annotation`.
        """
        if self._loaded is None:
            return
        color = self._colors[style] = color or self._colors.get(style, DEFAULT_COLOR)
        self.color_used.emit(style, color)
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

    def mark_area(self, area: Area, png: bytes, span: Range | None, words: str) -> None:
        """Mark an area of a page in the colour of areas.

        Args:
            png: what is printed there, as `engine.png` writes it.
            span, words: from its first to its last letter, and the words in it.
        """
        if self._loaded is not None:
            self._run(
                self._context.annotations.mark_area, self._loaded.row.id, area, png, span, words,
                color=self._colors.get("area", DEFAULT_COLOR), message="",  # the area is seen
            )  # fmt: skip

    def change_area(
        self, annotation_id: int, area: Area, png: bytes, span: Range | None, words: str
    ) -> None:
        """Give an area other sides; the arguments as those of `mark_area`."""
        change = self._context.annotations.change_area
        self._run(change, annotation_id, area, png, span, words, message="")  # it is seen

    def copy_picture(self, annotation_id: int) -> None:
        """Copy the picture of an area to the clipboard."""

        def take(found: dict[int, bytes]) -> None:
            image = load_image(found.get(annotation_id, b""))
            if image is not None:
                QGuiApplication.clipboard().setImage(image)
                self._context.messages.show(tr("Picture copied."), kind="ok")

        lane, fetch = self._context.reader_lane, self._context.annotations.fetch_pictures
        Query(lane, fetch, [annotation_id], owner=self).on_success(take).run()

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
        if mark is not None and mark.area is not None:
            message = tr("Area removed")
        self._run(self._context.annotations.remove, annotation_id, message=message)

    def find(self, annotation_id: int) -> Annotation | None:
        return next((mark for mark in self.marks if mark.id == annotation_id), None)

    def open_card(self, annotation_id: int, where: QPoint, *, tags: bool = False) -> None:
        """Open the card of an annotation beside a point of the screen.

        Args:
            tags: whether tags are to be typed, not a note.
        """
        mark = self.find(annotation_id)
        if mark is None:
            return
        card = self.card = AnnotationCard(
            self._context.theme, mark, self._owner, known_tags=self.tags
        )
        card.changed.connect(self._change_in_card)
        card.removed.connect(self.remove)
        card.asked.connect(self.ask_wanted)
        card.copied.connect(self.copy)
        card.closed.connect(lambda: self._card_closed(card))
        card.show_at(where)
        (card.tags.field if tags else card.note).setFocus()

    def copy(self, mark: Annotation) -> None:
        """Copy a passage with its citation, or the picture of an area."""
        if mark.area is not None:
            self.copy_picture(mark.id)
        else:
            self.quote_wanted.emit(mark.start, mark.end)

    def close_card(self) -> None:
        """Close the open card, if any, and save its changes."""
        if self.card is not None:
            self.card.close_card()

    def _card_closed(self, card: AnnotationCard) -> None:
        if self.card is card:
            self.card = None

    def change(
        self,
        annotation_id: int,
        color: str,
        note: str,
        tags: Sequence[str] | None = None,
        *,
        session: str = "",
    ) -> None:
        """Change the colour, the note and the tags of an annotation.

        Args:
            tags: None for those that it has.
            session: of writing, see `AnnotationService.change`.
        """
        # no message: the changed highlight and its note are in sight, and Ctrl+Z takes them back
        change = self._context.annotations.change
        self._run(
            change, annotation_id, color=color, note=note, tags=tags, session=session, message=""
        )

    def _change_in_card(
        self, annotation_id: int, color: str, note: str, tags: Sequence[str], session: str
    ) -> None:
        self.change(annotation_id, color, note, tags, session=session)

    def _run(
        self, edit: Callable[..., ChangeNotice], *args: Any, message: str, **more: Any
    ) -> None:
        self._edits.run(edit, *args, message=message, then=self.reload, **more)

    # --- display ----------------------------------------------------------------------------

    def _show(self, marks: list[Annotation]) -> None:
        self.marks = marks
        if self._view is not None:
            self._view.set_marks(marks)
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
        if path := ask_where_to_save(self._owner, title, start, kinds):
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the annotations as Markdown, and the pictures of areas into a folder beside it."""
        messages, service = self._context.messages, self._context.annotations
        areas = [mark.id for mark in self.marks if mark.area is not None]
        build = self._prepare_markdown()

        def write() -> None:
            pictures = service.fetch_pictures(areas) if areas else {}
            text = build(picture_paths=write_pictures(path, pictures))
            write_bytes(path, text.encode("utf-8", "replace"))

        def done(_: object) -> None:
            words = trn(
                "{n} note written to “{file}”.",
                "{n} notes written to “{file}”.",
                len(self.marks),
                file=path.name,
            )
            messages.show(words, kind="ok")

        Query(self._context.reader_lane, write, owner=self).on_success(done).run()

    def markdown(self) -> str:
        """Return the annotations as Markdown, see `build_notes_markdown`."""
        return self._prepare_markdown()()

    def _prepare_markdown(self) -> partial[str]:
        """Return `build_notes_markdown` with the present annotations, for any thread."""
        loaded = self._loaded
        assert loaded is not None
        return partial(
            build_notes_markdown,
            loaded.row,
            list(self.marks),
            loaded.outline,
            loaded.pages,
            page_words=tr("p. {page}"),
            bookmark_words=tr("Bookmark"),
            tags_words=tr("Tags: {tags}"),
        )
