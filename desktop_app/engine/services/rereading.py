"""Reads the files of documents again in the background, for what newer rules find in them.

The text and all that was derived from it stay; what becomes of a document that was read is for the
caller to decide (`reference_update`, `figures`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ..changes import ChangeNotice
from ..errors import Cancelled, UserError
from ..model import DocumentId, ReadDocument
from ..progress import CancelToken
from ..scanned_pages import ScannedTexts
from ..scheduler import Priority, WorkPermit, WorkScheduler
from ..store.db import Db
from ..store.file_content import StoredContent, find_content
from ..text.parser_process import ParserBug
from ..text.reader_process import DocumentReader
from .document_passwords import shared_passwords


def reread_documents(
    db: Db,
    waiting: Sequence[tuple[int, str]],
    take: Callable[[int, Sequence[ReadDocument]], bool],
    *,
    scheduler: WorkScheduler,
    cancel: CancelToken | None = None,
    on_change: Callable[[ChangeNotice], None] = lambda change: None,
    fetch_scanned: Callable[[int], ScannedTexts | None] = lambda document_id: None,
) -> list[int]:
    """Read files one after another, with pauses for more urgent work.

    Args:
        waiting: (document id, file name).
        take: gets the documents in a file as they were read now, none if it can't be read; returns
            whether something is new.
        fetch_scanned: returns the texts of the pages of a document that were read as pictures.

    Returns:
        The documents in which something is new.

    Raises:
        Cancelled: the token was set; a later run continues.
        EnvironmentProblem: the process that reads files can't be started.
    """
    changed: list[int] = []
    reader = DocumentReader()  # its own: an import never waits for this work
    try:
        with scheduler.hold(Priority.ENRICHMENT, cancel) as permit:
            for document_id, file_name in waiting:
                permit.checkpoint()
                content = find_content(db, "original", document_id)
                if content is None:
                    continue
                try:
                    found = _read(
                        reader, permit, content, file_name, partial(fetch_scanned, document_id)
                    )
                except Cancelled:
                    permit.cancel.check()
                    continue  # the file was deleted or replaced
                if take(document_id, found):
                    changed.append(document_id)
                    on_change(ChangeNotice(documents=frozenset({DocumentId(document_id)})))
    finally:
        reader.close()
    return changed


def _read(
    reader: DocumentReader,
    permit: WorkPermit,
    content: StoredContent,
    file_name: str,
    fetch_scanned: Callable[[], ScannedTexts | None],
) -> list[ReadDocument]:
    """Return the documents in a file, none if it can't be read; begin again after urgent work.

    Raises:
        Cancelled: the run was cancelled, or the file is gone.
    """
    while True:
        with permit.step() as token:
            try:
                password = shared_passwords().find(content)
                return reader.read(
                    content,
                    file_name,
                    password=password,
                    cancel=token,
                    scanned=fetch_scanned(),
                )
            except (UserError, ParserBug):
                return []
            except Cancelled:
                if permit.cancel.cancelled or not token.cancelled:
                    raise
