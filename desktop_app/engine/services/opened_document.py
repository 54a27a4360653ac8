"""Opens a document of a library for drawing: its file, its place in that, its password.

Used by all that draws or reads pages and figures in the background; the reader of the window has
what it opens in memory already (`ui/reader/loading.py`).
"""

from __future__ import annotations

from ..file_content import load_bytes
from ..store import documents
from ..store.db import Db
from ..store.file_content import find_content
from ..text.page_renderer import PageRenderer, RemotePdf
from .document_passwords import shared_passwords


class OpenedDocument:
    """Keeps the document open that was drawn last, until another one is drawn; in one thread.

    Args:
        db: a connection for reading.
    """

    def __init__(self, db: Db) -> None:
        self._db = db
        self._opened: tuple[str, RemotePdf] | None = None  # with the key of the document

    def open(self, renderer: PageRenderer, document_id: int) -> RemotePdf | None:
        """Return the open document, None if it or its file is gone.

        It is the same object until another document is opened, this one is closed, or its file is
        replaced.

        Raises:
            AppError: it can't be opened; see `PageRenderer.open`.
        """
        key = documents.find_correction_key(self._db, document_id)
        if self._opened is not None:
            known, opened = self._opened
            if known == key and not opened.is_closed:
                return opened
            self._opened = None
        file_id = documents.find_with_file(self._db, document_id)
        content = None if file_id is None else find_content(self._db, "original", file_id)
        if file_id is None or content is None:
            return None
        place = documents.find_inner_place(self._db, document_id)
        password = shared_passwords().find(content)  # also for what lies in the file
        name = documents.fetch_file_name(self._db, file_id)
        opened = renderer.open(load_bytes(content), password, name=name, place=place)
        self._opened = key, opened
        return opened

    def forget(self) -> None:
        """Open the document anew next time."""
        self._opened = None
