"""Opens the pages of a document that are drawn: those of a PDF, or of a picture."""

from __future__ import annotations

from .pdf_pages import PdfPages
from .picture_pages import PicturePages, find_picture_kind, prepare_pictures

__all__ = ["DocumentPages", "open_pages", "prepare_pictures"]

DocumentPages = PdfPages | PicturePages


def open_pages(content: bytes, password: str | None = None) -> DocumentPages:
    """Return the open pages of a PDF or of a picture.

    Raises:
        Unreadable: it is damaged.
        PasswordNeeded: it is an encrypted PDF.
    """
    if find_picture_kind(content[:16]) is not None:
        return PicturePages(content)
    return PdfPages(content, password)
