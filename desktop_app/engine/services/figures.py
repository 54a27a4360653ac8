"""Figures of documents: listing, searching and drawing them, and finding those of older documents.

`FigureReader` answers the screens and commands, `FigureDrawer` draws from a document's file in a
child process, and `FigureUpdate` finds the figures of documents that were read before there were
any. The text in figures is read by `figure_texts`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from ..changes import ChangeNotice
from ..errors import UserError
from ..figures import find_mentions
from ..model import ReadDocument
from ..progress import CancelToken
from ..scheduler import WorkScheduler
from ..store import documents, figures, scanned_pages
from ..store.db import Db
from ..store.figures import StoredFigure
from ..text.page_renderer import FigurePixels, PageLimits, PageRenderer
from .opened_document import OpenedDocument
from .rereading import reread_documents
from .stored_figures import store_document_figures

log = logging.getLogger(__name__)

MOST_FOUND = 200  # figures that a search returns
MOST_OF_ENTITY = 24
MOST_OF_PASSAGE = 4
LARGEST_SIDE = 3_000  # pixels of a figure that is shown large, copied or saved
DRAW_DPI = 300.0  # of a part of a page
LIMITS = PageLimits(idle_s=120.0)


class FigureReader:
    """What the screens and commands ask about figures; in one thread."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def list_figures(self, document_id: int) -> list[StoredFigure]:
        """Return the figures of a document in the order of its text."""
        return figures.fetch_figures(self._db, document_id)

    def find_figure(self, document_id: int, number: int) -> StoredFigure | None:
        return figures.find_figure(self._db, document_id, number)

    def search(
        self, text: str, limit: int = MOST_FOUND, *, captions_only: bool = False
    ) -> list[StoredFigure]:
        """Return figures that have all words of a text in their caption or in the picture."""
        words = text.split()[:12]
        return figures.search_figures(self._db, words, limit, captions_only=captions_only)

    def list_mentioned(
        self, document_id: int, text: str, at: int = 0, limit: int = MOST_OF_PASSAGE
    ) -> list[StoredFigure]:
        """Return the figures that a passage mentions, in its order; first those it shows.

        Args:
            at: the passage's offset; where chapters count from 1 again, the nearest figure counts.
        """
        labels = list(dict.fromkeys(label for _, _, label in find_mentions(text)))
        if not labels:
            return []
        nearest: dict[str, StoredFigure] = {}
        for one in figures.fetch_labelled(self._db, document_id, labels):
            label = one.figure.label
            known = nearest.get(label)
            if known is None or abs(one.figure.start - at) < abs(known.figure.start - at):
                nearest[label] = one
        return [nearest[label] for label in labels if label in nearest][:limit]

    def list_of_entity(self, entity_id: int, limit: int = MOST_OF_ENTITY) -> list[StoredFigure]:
        """Return figures whose caption names an entity."""
        return figures.fetch_of_entity(self._db, entity_id, limit)


class FigureDrawer:
    """Draws figures from the files of a library, in a child process; in one thread.

    The child keeps one document open, and ends when it is idle.

    Args:
        db: a connection for reading.
    """

    def __init__(self, db: Db, renderer: PageRenderer | None = None) -> None:
        self._db = db
        self._renderer = renderer or PageRenderer(LIMITS)
        self._document = OpenedDocument(db)

    def draw(self, document_id: int, number: int, most: int = LARGEST_SIDE) -> FigurePixels:
        """Return a figure with at most so many pixels on its longer side.

        Raises:
            UserError: it is gone or damaged, with the reason.
            PasswordNeeded: its PDF is encrypted.
            EnvironmentProblem: no child process can be started.
            Cancelled: the drawer was closed.
        """
        found = figures.find_figure(self._db, document_id, number)
        if found is None:
            raise UserError("This picture is no longer in the library.", "Open its document again.")
        opened = self._document.open(self._renderer, document_id)
        if opened is None:
            raise UserError(
                "The document's file is missing from the library.", "Add the document again."
            )
        return opened.draw_figure(found.figure, min(most, LARGEST_SIDE), DRAW_DPI)

    def close(self) -> None:
        """End the child; from any thread."""
        self._renderer.close()


class FigureUpdate:
    """Finds the figures of documents that older rules read; one run at a time.

    The text and all that was derived from it stay: the file is read again, and its figures get
    their places in the stored text.

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
        """Return the documents with the files in which figures were found.

        Raises:
            Cancelled: the token was set; a later run continues.
            EnvironmentProblem: the process that reads files can't be started.
        """
        if not self._db.is_writable or not (waiting := figures.fetch_outdated(self._db)):
            return []
        changed = reread_documents(
            self._db,
            waiting,
            self._store,
            scheduler=self._scheduler,
            cancel=cancel,
            on_change=on_change,
            # as in the text that is stored, so that the figures have their places in it
            fetch_scanned=lambda i: scanned_pages.fetch_texts_of_file(self._db, i),
        )
        log.info("figures found in %d of %d documents", len(changed), len(waiting))
        return changed

    def _store(self, document_id: int, found: Sequence[ReadDocument]) -> bool:
        """Store the figures of all documents in a file; return whether there is one."""
        own = {document_id: "", **documents.fetch_inner_places(self._db, document_id)}
        read = {one.place: one for one in reversed(found)}  # the first has the file
        with self._db.transaction():
            has_some = [self._store_one(own_id, read.get(place)) for own_id, place in own.items()]
        return any(has_some)

    def _store_one(self, document_id: int, read: ReadDocument | None) -> bool:
        text = documents.fetch_text(self._db, document_id)
        if read is None or text is None:
            figures.skip_document(self._db, document_id)
            return False
        used = scanned_pages.fetch_page_texts(self._db, document_id).keys()
        return store_document_figures(self._db, document_id, read, text, used, is_same_file=True)
