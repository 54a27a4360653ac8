"""Access to PDFium, which must not be called from two threads at once.

Code that opens, reads or draws a PDF holds `PDFIUM_LOCK` for one page at a time, so that other
threads can work between pages.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import PasswordNeeded, UserError
from .readers.limits import Unreadable

PDFIUM_LOCK = threading.RLock()
_PASSWORD_ERROR = 4
_SECURITY_ERROR = 5
_DAMAGED_SIZE = (612.0, 792.0)  # points; the default of PDFium for a page without a size


def open_pdf(content: bytes, password: str | None = None) -> Any:
    """Return an open `pypdfium2.PdfDocument`; hold the lock while using and closing it.

    Raises:
        PasswordNeeded: it is encrypted and `password` is missing or wrong.
        Unreadable: it is damaged, or encrypted in an unknown way.
    """
    import pypdfium2

    with PDFIUM_LOCK:
        try:
            return pypdfium2.PdfDocument(content, password=password)
        except pypdfium2.PdfiumError as error:
            code = getattr(error, "err_code", None)
            if code == _PASSWORD_ERROR and password:
                raise PasswordNeeded(
                    "the password does not open it.", "Try again.", wrong=True
                ) from error
            if code == _PASSWORD_ERROR:
                raise PasswordNeeded("it needs a password.", "Type its password.") from error
            if code == _SECURITY_ERROR:
                raise Unreadable(
                    "it is encrypted in a way that is not known here.",
                    "Save a copy without protection in the program that opens it.",
                ) from error
            raise Unreadable(
                "it is damaged or no PDF.", "Download it again, or print it to a new PDF."
            ) from error
        except (ValueError, UnicodeError) as error:
            raise Unreadable("it can't be opened as PDF.", "Download it again.") from error


def read_page_sizes(document: Any) -> list[tuple[float, float]]:
    """Return the width and height of each page in points; a default for damaged pages."""
    import pypdfium2

    sizes = []
    with PDFIUM_LOCK:
        for index in range(len(document)):
            try:
                sizes.append(document.get_page_size(index))
            except pypdfium2.PdfiumError:
                sizes.append(_DAMAGED_SIZE)
    return sizes


@contextmanager
def page_access(index: int) -> Iterator[None]:
    """Hold the lock while one page is drawn or searched, and report a damaged page.

    Raises:
        UserError: this page is damaged.
    """
    import pypdfium2

    with PDFIUM_LOCK:
        try:
            yield
        except pypdfium2.PdfiumError as error:
            raise UserError(
                "Page {page} of this PDF is damaged.",
                "The other pages can be read.",
                page=index + 1,
            ) from error
