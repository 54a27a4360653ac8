"""Title, authors, year, DOI and ISBN of documents that older rules read, found again.

Files are read again in the background, once after an upgrade and one after another; the text and
all that was derived from it stay. What the user edited is not changed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from ..changes import ChangeNotice
from ..model import ReadDocument
from ..progress import CancelToken
from ..scheduler import WorkScheduler
from ..store import document_metadata
from ..store.db import Db
from .rereading import reread_documents

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
        on_change: Callable[[ChangeNotice], None] = lambda change: None,
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

        def take(document_id: int, found: Sequence[ReadDocument]) -> bool:
            read = found[0] if len(found) == 1 else None
            with self._db.transaction():
                return document_metadata.update_reference(self._db, document_id, read)

        changed = reread_documents(
            self._db,
            waiting,
            take,
            scheduler=self._scheduler,
            cancel=cancel,
            on_change=on_change,
        )
        log.info("references of %d of %d documents changed", len(changed), len(waiting))
        return changed
