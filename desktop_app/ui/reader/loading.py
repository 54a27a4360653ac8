"""Loads everything the reader needs of one document, and quotes it with its source.

Owns what is fetched, whether a document is shown as text or as pages, and the form of a citation,
which follows the document's language, not the window's. Knows no widgets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from desktop_app.engine.model import DRAWN_FORMATS, DocumentRow, Heading, Page
from desktop_app.engine.scanned_pages import ScannedPage
from desktop_app.engine.services.annotations import (
    Annotation,
    AnnotationService,
    describe_text_place,
    find_page_of,
    find_section_of,
)
from desktop_app.engine.services.document_passwords import shared_passwords
from desktop_app.engine.services.exporting.references import describe_cited_source, reference_of
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.text.file_kinds import HEAD_BYTES, find_picture_kind, is_pdf
from desktop_app.engine.text.sections import complete_outline, find_section, has_front_matter

from ..translation import tr
from ..widgets.words import FRONT_MATTER, format_heading
from .text.blocks import Blocks, build_blocks


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """One document, ready to be shown; `content` is None if it is shown as text."""

    row: DocumentRow
    text: str
    outline: list[Heading]
    pages: list[Page]
    blocks: Blocks | None
    content: bytes | None = None
    password: str | None = None
    place: object = None  # where it is shown at first, as the view's `place` returns it
    is_new: bool = False  # no position was saved: `place` is where its own text begins
    scanned: Mapping[int, ScannedPage] = field(default_factory=dict)
    inner_place: str = ""  # where it lies in its file, see `ReadDocument.place`
    # pages that are shown rotated: quarters clockwise
    rotations: Mapping[int, int] = field(default_factory=dict)


def read_rotations(place: object, n_pages: int) -> dict[int, int]:
    """Return the pages that are rotated, from a stored position; see `PdfView.position`.

    A library may come from another person: what no page can have is left out.
    """
    rotations = place[2] if isinstance(place, list) and len(place) == 3 else None
    if not isinstance(rotations, dict):
        return {}
    return {
        int(key): rotation
        for key, rotation in rotations.items()
        if key.isdecimal() and len(key) < 9 and int(key) < n_pages and rotation in (1, 2, 3)
    }


def load_document(
    library: LibraryReader, annotations: AnnotationService, document_id: int, as_text: bool = False
) -> LoadedDocument:
    """Return a document with its position; a PDF with its bytes, unless `as_text` is set.

    The position is the saved one, else in a text the start of the work, after a licence.

    Raises:
        UserError: the document is no longer in the library.
    """
    row = library.get_document(document_id)
    text = library.fetch_text(document_id)
    pages = library.fetch_pages(document_id)
    outline = complete_outline(library.fetch_outline(document_id), text, pages)
    is_drawn = row.format in DRAWN_FORMATS and not as_text
    content = library.fetch_original(document_id) if is_drawn else b""
    head, inner = content[:HEAD_BYTES], library.find_inner_place(document_id) if content else ""
    if not inner and not is_pdf(head, ".pdf") and find_picture_kind(head) is None:
        content = b""  # the archive that it is in, of a document that an older version read
    saved = annotations.fetch_reading_position(document_id)
    at_first = None if content else library.find_start(document_id) or None
    place = json.loads(saved) if saved else at_first
    return LoadedDocument(
        row,
        text,
        outline,
        pages,
        blocks=None if content else build_blocks(text, outline),
        content=content or None,
        password=shared_passwords().find(content) if content else None,
        place=place,
        is_new=not saved,
        scanned=library.fetch_scanned_pages(document_id) if content else {},
        inner_place=inner,
        rotations=read_rotations(place, len(pages)) if content else {},
    )


class PlaceWords(NamedTuple):
    """The words for a place in the window's language, "" where there is no page or section."""

    page: str = ""
    section: str = ""

    def join(self) -> str:
        """Return "p. 12 · Chapter 3", as far as either is known."""
        return " · ".join(part for part in self if part)


def format_section_name(outline: Sequence[Heading], number: int) -> str:
    """Return "3.1 Indexing" for a section; -1 is the text before the first.

    All parts of the reader name sections so.
    """
    if number < 0:
        if not has_front_matter(outline):
            return ""
        # of a paper: title, authors and abstract on the page where the first section begins
        return tr("Title page") if outline[0].page_index == 0 else tr(FRONT_MATTER)
    return format_heading(" ".join(outline[number].title.split()))


def place_words(start: int, outline: Sequence[Heading], pages: Sequence[Page]) -> PlaceWords:
    """Return the page and the section of an offset, as far as they are known."""
    page = describe_text_place(start, (), pages, page_words=tr("p. {page}"))
    return PlaceWords(page, format_section_name(outline, find_section(outline, start)))


def place_of_mark(
    mark: Annotation, outline: Sequence[Heading], pages: Sequence[Page]
) -> PlaceWords:
    """Return the page and the section of an annotation; pages of areas may have no text."""
    page = tr("p. {page}", page=pages[find_page_of(mark, pages)].number) if pages else ""
    return PlaceWords(page, format_section_name(outline, find_section_of(mark, outline, pages)))


def cite_quotation(words: str, loaded: LoadedDocument, start: int) -> str:
    """Return a quotation with authors, title, year and page, or chapter if there are no pages.

    Args:
        words: the passage; its line breaks are removed.
        start: its offset in the text.
    """
    quoted = " ".join(words.split())
    outline = () if loaded.pages else loaded.outline
    if loaded.row.language.startswith("zh"):
        place = describe_text_place(start, outline, loaded.pages, page_words="第 {page} 页")
        return f"「{quoted}」（{describe_cited_source(reference_of(loaded.row), place)}）"
    place = describe_text_place(start, outline, loaded.pages)
    return f"“{quoted}” ({describe_cited_source(reference_of(loaded.row), place)})"
