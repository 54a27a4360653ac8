"""Title, authors, year, DOI and ISBN of documents that older rules read, found again.

Files are read again in the background, once after an upgrade and one after another; the text and
all that was derived from it stay. What the user edited is not changed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from ..changes import ChangeSet
from ..errors import Cancelled, UserError
from ..model import ReadDocument
from ..progress import CancelToken
from ..scheduler import Priority, WorkPermit, WorkScheduler
from ..store import document_metadata
from ..store.db import Db
from ..store.file_content import StoredContent, find_content
from ..text.parser_process import ParserBug
from ..text.reader_process import DocumentReader
from .document_passwords import shared_passwords

log = logging.getLogger(__name__)


class ReferenceUpdate:
    """Finds references of documents again; one run at a time.

    Args:
        db: the read-write connection.
        scheduler: makes the work pause while there is more urgent work.
    """

    def __init__(self, db: Db, scheduler: WorkScheduler | None = None) -> None:
        self._db = db
        self._scheduler = scheduler or WorkScheduler()

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_change: Callable[[ChangeSet], None] = lambda change: None,
    ) -> list[int]:
        """Return the documents of which something else is known now.

        Raises:
            Cancelled: the token was set; a later run continues.
            EnvironmentProblem: the process that reads files can't be started.
        """
        if not self._db.is_writable:
            return []
        if not (waiting := document_metadata.fetch_outdated_references(self._db)):
            return []
        changed: list[int] = []
        reader = DocumentReader()  # its own: an import never waits for this work
        try:
            with self._scheduler.hold(Priority.ENRICHMENT, cancel) as permit:
                for document_id, file_name in waiting:
                    permit.checkpoint()
                    content = find_content(self._db, "original", document_id)
                    if content is None:
                        continue
                    try:
                        read = _read(reader, permit, content, file_name)
                    except Cancelled:
                        permit.cancel.check()
                        continue  # the file was deleted or replaced
                    with self._db.transaction():
                        is_new = document_metadata.update_reference(self._db, document_id, read)
                    if is_new:
                        changed.append(document_id)
                        on_change(ChangeSet(documents=frozenset({document_id})))
        finally:
            reader.close()
        log.info("references of %d of %d documents changed", len(changed), len(waiting))
        return changed


def _read(
    reader: DocumentReader, permit: WorkPermit, content: StoredContent, file_name: str
) -> ReadDocument | None:
    """Return a document, None if it can't be read; begin again after more urgent work.

    Raises:
        Cancelled: the run was cancelled, or the file is gone.
    """
    while True:
        with permit.step() as token:
            try:
                password = shared_passwords().find(content)
                found = reader.read(content, file_name, password=password, cancel=token)
                return found[0] if len(found) == 1 else None
            except (UserError, ParserBug):
                return None
            except Cancelled:
                if permit.cancel.cancelled or not token.cancelled:
                    raise
