"""Opens what is drawn of a document: the pages of a PDF or a picture, or the pictures in it."""

from __future__ import annotations

from .figure_pages import FigureFile, is_pdf_or_picture
from .file_kinds import PICTURE_HEAD_BYTES, find_picture_kind
from .pdf_pages import PdfPages
from .picture_pages import PicturePages, prepare_pictures

__all__ = ["DocumentPages", "open_pages", "prepare_pictures"]

DocumentPages = PdfPages | PicturePages | FigureFile


def open_pages(content: bytes, password: str | None = None) -> DocumentPages:
    """Return the open pages of a PDF or of a picture, or the file of another document.

    Raises:
        Unreadable: it is damaged.
        PasswordNeeded: it is an encrypted PDF.
    """
    if find_picture_kind(content[:PICTURE_HEAD_BYTES]) is not None:
        return PicturePages(content)
    if not is_pdf_or_picture(content):
        return FigureFile(content)
    return PdfPages(content, password)
