"""Reader of pictures: TIFF with one or more pages, PNG, JPEG and the others of `picture_pages`.

The file is only opened here, and its pages counted; their text comes from the process that reads
pictures of pages (`text.ocr`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...model import ReadDocument
from ..picture_pages import PicturePages
from .document_builder import build_document
from .pdf import assemble_pages, note_pages


def read_picture(
    content: bytes, stem: str, scanned: Mapping[int, str] | None = None
) -> ReadDocument:
    """Return the text of a picture's pages that were read; the others are in `pictures`.

    Args:
        scanned: the texts of pages, by page index.

    Raises:
        Unreadable: it is damaged, or too large.
    """
    opened = PicturePages(content)
    try:
        n_pages, kind = len(opened.sizes), opened.format
    finally:
        opened.close()
    scanned = scanned or {}
    indexes = list(range(n_pages))
    raw = [scanned.get(i, "") for i in indexes]
    text, pages = assemble_pages(raw, [""] * n_pages)
    return build_document(
        text,
        format=kind,
        stem=stem,
        title_from_text=False,
        pages=pages,
        notes=note_pages(raw, indexes, scanned),
        pictures=indexes,
    )
