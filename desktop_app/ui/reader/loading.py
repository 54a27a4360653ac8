"""Loads everything the reader needs of one document, in the reader lane.

Owns what is fetched and whether a document is shown as text or as pages. Knows no widgets.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Protocol

from desktop_app.engine.errors import AppError, UserError
from desktop_app.engine.messages import Message
from desktop_app.engine.model import DocumentRow, Heading, Page

from .text.blocks import Blocks, build_blocks

GONE = Message("This document is no longer in the library.")


class DocumentSource(Protocol):
    """The methods of `LibraryReader` that the reader calls, in the reader lane only."""

    def get_document(self, document_id: int) -> DocumentRow: ...
    def fetch_text(self, document_id: int) -> str: ...
    def fetch_original(self, document_id: int) -> bytes: ...
    def fetch_password(self, document_id: int) -> str | None: ...
    def fetch_pages(self, document_id: int) -> list[Page]: ...
    def fetch_outline(self, document_id: int) -> list[Heading]: ...


class PlaceSource(Protocol):
    """The method of `AnnotationService` that returns the saved position, as JSON."""

    def fetch_reading_position(self, document_id: int) -> str | None: ...


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
    place: object = None  # the saved position, as the view's `place` returned it


def load_with_place(
    source: DocumentSource, places: PlaceSource, document_id: int, as_text: bool = False
) -> LoadedDocument:
    """Return a document with its saved position."""
    loaded = load_document(source, document_id, as_text)
    saved = places.fetch_reading_position(document_id)
    return replace(loaded, place=json.loads(saved)) if saved else loaded


def load_document(
    source: DocumentSource, document_id: int, as_text: bool = False
) -> LoadedDocument:
    """Return a document; a PDF with its bytes, unless `as_text` is set.

    Raises:
        UserError: the document is no longer in the library.
    """
    try:
        row = source.get_document(document_id)
    except (KeyError, IndexError, LookupError) as error:
        raise UserError(GONE) from error
    if row is None:
        raise UserError(GONE)
    text = source.fetch_text(document_id)
    outline = sorted(source.fetch_outline(document_id), key=lambda heading: heading.start)
    pages = list(source.fetch_pages(document_id))
    if row.format.lower() == "pdf" and not as_text:
        try:
            content = source.fetch_original(document_id)
        except AppError:
            content = b""
        if content:
            password = source.fetch_password(document_id)
            return LoadedDocument(row, text, outline, pages, None, content, password)
    return LoadedDocument(row, text, outline, pages, build_blocks(text, outline))
