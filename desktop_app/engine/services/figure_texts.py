"""The text in figures is read in the background, so that figures are found by it.

`FigureTextService.run` reads one figure after another with the process that reads scanned pages,
those with a caption first, and at most `MAX_READ` of a document. Scanned pages go first: a run ends
when one waits.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from ..changes import ChangeNotice
from ..errors import AppError, Cancelled, EnvironmentProblem
from ..model import DocumentId
from ..progress import CancelToken
from ..scanned_pages import ScannedPage, build_text
from ..scheduler import Priority, WorkScheduler
from ..store import figures, scanned_pages
from ..store.db import Db
from ..text.ocr.ocr_process import PictureReader
from ..text.page_renderer import PageFailure
from .figure_queue import WantedFigures
from .opened_document import OpenedDocument

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 2  # at a figure that ended with the program
BLOCKED_S = 600.0  # after a problem of the machine
MIN_CONFIDENCE = 0.6  # of a line: drawings have shapes that look like letters


class FigureTextService(WantedFigures):
    """Reads the text in figures that wait; one run at a time, `want_…` from any thread.

    Args:
        db: the read-write connection.
        scheduler: makes the work pause while more urgent work needs the processor.
        open_reader: starts what reads pictures; it is closed at the end of each run.
    """

    def __init__(
        self,
        db: Db,
        scheduler: WorkScheduler | None = None,
        open_reader: Callable[[], PictureReader] = PictureReader,
    ) -> None:
        super().__init__()
        self._db = db
        self._scheduler = scheduler or WorkScheduler()
        self._open_reader = open_reader
        self._document = OpenedDocument(db)
        self._blocked_until = 0.0

    def run(
        self,
        *,
        cancel: CancelToken | None = None,
        on_change: Callable[[ChangeNotice], None] = lambda change: None,
    ) -> None:
        """Read figures until none waits, or a scanned page does.

        Raises:
            Cancelled: the token was set; what was read stays, and a later run continues.
        """
        if not self._db.is_writable or time.monotonic() < self._blocked_until:
            return
        if self._is_done():
            return
        reader: PictureReader | None = None
        try:
            with self._scheduler.hold(Priority.ENRICHMENT, cancel) as permit, permit.suspended():
                reader = self._open_reader()
                while not self._is_done():
                    permit.checkpoint()
                    key = figures.find_waiting_figure(self._db, *self.list_wanted())
                    if key is None:
                        return
                    self._read(reader, *key, permit.cancel)
                    permit.cancel.check()
                    on_change(ChangeNotice(documents=frozenset({DocumentId(key[0])})))
        except EnvironmentProblem as problem:
            # Figures are found by their captions without it; scanned pages report the problem.
            log.warning("the text in figures is not read: %s", problem)
            self._blocked_until = time.monotonic() + BLOCKED_S
        finally:
            if reader is not None:
                reader.close()
            self._document.forget()

    def _is_done(self) -> bool:
        return not figures.count_waiting(self._db) or bool(scanned_pages.count_waiting(self._db))

    def _read(
        self, reader: PictureReader, document_id: int, number: int, cancel: CancelToken
    ) -> None:
        """Read one figure and store its text, or that it can't be read."""
        with self._db.transaction():
            n_attempts = figures.count_attempt(self._db, document_id, number)
        found = figures.find_figure(self._db, document_id, number)
        if found is None or n_attempts > MAX_ATTEMPTS:
            self._settle(document_id, number, "failed")
            return
        token = CancelToken(cancel)
        try:
            opened = self._document.open(reader, document_id)
            if opened is None:
                self._settle(document_id, number, "failed")
                return
            with token.notifying(opened.close):
                token.check()
                page = reader.read_figure(opened, found.figure)
            self._settle(document_id, number, "read", join_figure_words(page))
        except PageFailure as failure:
            if failure.is_final:
                self._settle(document_id, number, "failed")
        except EnvironmentProblem:
            raise
        except Cancelled:
            self._document.forget()
            with self._db.transaction():
                figures.count_attempt(self._db, document_id, number, -1)
        except AppError as error:
            log.info("a figure can't be read: %s", type(error).__name__)
            self._settle(document_id, number, "failed")

    def _settle(self, document_id: int, number: int, state: str, words: str = "") -> None:
        with self._db.transaction():
            figures.settle_figure(self._db, document_id, number, state, words)


def join_figure_words(page: ScannedPage) -> str:
    """Return the text in a figure in one line; uncertain lines, often of shapes, are left out."""
    lines = [line for line in page.lines if line.confidence >= MIN_CONFIDENCE]
    return " ".join(build_text(lines).split())
