"""The pictures inside a document's file, drawn one at a time.

For EPUB, Word, Excel, OpenDocument, PowerPoint, Kindle books, FictionBook, saved pages and HTML:
`FigureFile` finds a picture by its path and draws it with Pillow, in a child process only. Pictures
of PDFs are parts of their pages. Readers of other formats are imported when they are needed: a
process that draws pages starts often.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from .file_kinds import HEAD_BYTES, is_fb2, is_pdf
from .pdf_pages import PageLetters, PagePicture
from .pdf_positions import Box
from .picture_pages import PicturePages
from .readers.archives import Archive, Unreadable

_ZIP = b"PK\x03\x04"
_MOBI = b"BOOKMOBI"
_MHT = (b"From: <Saved by", b"MIME-Version: 1.0")


def is_pdf_or_picture(content: bytes) -> bool:
    """Return whether a file is no container of pictures that is opened here."""
    head = content[:1024].lstrip()
    if content.startswith(_ZIP) or head.startswith(_MHT) or content[60:68] == _MOBI:
        return False
    is_markup = head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")
    return not is_markup or is_pdf(content[:HEAD_BYTES], "")


class BookPictures(Protocol):
    """The pictures of a book that is one file without members."""

    def __contains__(self, path: str) -> bool: ...

    def read(self, path: str) -> bytes: ...


class FigureFile:
    """A document whose pictures are drawn; it has no pages.

    Attributes:
        sizes: empty.

    Raises:
        Unreadable: it is damaged.
    """

    def __init__(self, content: bytes) -> None:
        self.sizes: list[tuple[float, float]] = []
        self._archive: Archive | None = None
        self._parts: dict[str, bytes] = {}
        self._data: dict[str, str] = {}
        self._book: BookPictures | None = None
        if content.startswith(_ZIP):
            self._archive = Archive(content)
        elif content[60:68] == _MOBI:
            from .readers.mobi import open_mobi_pictures

            self._book = open_mobi_pictures(content)
        elif is_fb2(content[:HEAD_BYTES].removeprefix(b"\xef\xbb\xbf")):
            from .readers.fb2 import Fb2Pictures

            self._book = Fb2Pictures(content)
        elif content.lstrip().startswith(_MHT):
            import email
            import email.policy

            from .readers.html import list_pictures
            from .readers.mail import load_pictures

            message = email.message_from_bytes(content, policy=email.policy.compat32)
            self._parts = load_pictures(message)
            for part in message.walk():
                if part.get_content_type() in ("text/html", "application/xhtml+xml"):
                    page = part.get_payload(decode=True)
                    self._data |= list_pictures(page) if isinstance(page, bytes) else {}
                    break
        else:
            from .readers.html import list_pictures

            self._data = list_pictures(content)
        self._opened: tuple[str, PicturePages] | None = None

    def close(self) -> None:
        if self._opened is not None:
            self._opened[1].close()
            self._opened = None

    def read(self, path: str) -> bytes:
        """Return the bytes of a picture.

        Raises:
            Unreadable: it is missing or damaged.
        """
        if path in self._data:
            from .readers.flow_figures import decode_data

            return decode_data(self._data[path])
        if self._book is not None and path in self._book:
            return self._book.read(path)
        if self._archive is not None:
            return self._archive.read(path)
        if path in self._parts:
            return self._parts[path]
        raise Unreadable("the picture is no longer in the file.")

    def open_picture(self, path: str) -> PicturePages:
        """Return a picture with one page; the last one stays decoded."""
        if self._opened is None or self._opened[0] != path:
            self.close()
            self._opened = path, PicturePages(self.read(path))
        return self._opened[1]

    def render(self, index: int, scale: float, *, dark: bool = False) -> PagePicture:
        """Refuse: there are no pages."""
        raise _NO_PAGES

    def render_part(
        self, index: int, scale: float, part: tuple[int, int, int, int], *, dark: bool = False
    ) -> PagePicture:
        """Refuse: there are no pages."""
        raise _NO_PAGES

    def find_boxes(
        self, index: int, page_text: str, ranges: Sequence[tuple[int, int]]
    ) -> list[list[Box]]:
        """Refuse: there are no pages."""
        raise _NO_PAGES

    def find_letters(self, index: int, page_text: str, page_start: int) -> PageLetters:
        """Refuse: there are no pages."""
        raise _NO_PAGES


_NO_PAGES = Unreadable("the document has no pages.")


def draw_pixels(picture: PicturePages, most_side: int) -> np.ndarray:
    """Return a picture in red, green and blue, at most so long on its longer side.

    Returns:
        uint8, shape (height, width, 3); it is never enlarged.
    """
    pixels = picture.read_pixels(0, most_side * most_side)
    longest = max(pixels.shape[:2])
    if longest <= most_side:
        return pixels
    from PIL import Image

    share = most_side / longest
    height, width = (max(1, round(side * share)) for side in pixels.shape[:2])
    made = Image.fromarray(pixels).resize((width, height), Image.Resampling.BILINEAR)
    return np.array(made)
