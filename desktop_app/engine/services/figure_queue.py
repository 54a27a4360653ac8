"""What the works on waiting figures share: which are wanted first, and the document they are in.

`figure_texts` reads the text in figures, `figure_descriptions` has a model describe them.
"""

from __future__ import annotations

import threading

from ..file_content import load_bytes
from ..store import documents
from ..store.db import Db
from ..store.file_content import find_content
from ..text.page_renderer import PageRenderer, RemotePdf
from .document_passwords import shared_passwords

MAX_WANTED = 50  # figures and documents that are remembered as wanted


class WantedFigures:
    """Which figures and documents are wanted first, the latest first; from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._figures: list[tuple[int, int]] = []
        self._documents: list[int] = []

    def want_document(self, document_id: int) -> None:
        """Take the waiting figures of this document first, because they are on the screen."""
        with self._lock:
            kept = [i for i in self._documents if i != document_id]
            self._documents = [document_id, *kept][:MAX_WANTED]

    def want_figure(self, document_id: int, number: int) -> None:
        """Take this figure next if it waits, because it is shown large."""
        with self._lock:
            wanted = (document_id, number)
            kept = [key for key in self._figures if key != wanted]
            self._figures = [wanted, *kept][:MAX_WANTED]

    def list_wanted(self) -> tuple[list[tuple[int, int]], list[int]]:
        """Return the wanted figures, as (document, number), and the wanted documents."""
        with self._lock:
            return list(self._figures), list(self._documents)


class OpenedDocument:
    """Keeps the document open in which the last figure was, until another one is opened."""

    def __init__(self, db: Db) -> None:
        self._db = db
        self._opened: tuple[int, RemotePdf] | None = None

    def open(self, renderer: PageRenderer, document_id: int) -> RemotePdf | None:
        """Return the open document, None if it or its file is gone.

        Raises:
            AppError: it can't be opened; see `PageRenderer.open`.
        """
        if self._opened is not None and self._opened[0] == document_id:
            if not self._opened[1].is_closed:
                return self._opened[1]
            self._opened = None
        content = find_content(self._db, "original", document_id)
        if content is None or documents.find_document(self._db, document_id) is None:
            return None
        opened = renderer.open(load_bytes(content), shared_passwords().find(content))
        self._opened = document_id, opened
        return opened

    def forget(self) -> None:
        """Open the document anew next time."""
        self._opened = None
