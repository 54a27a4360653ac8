"""Reads what a page shows in the lane of communities; only the last that was wanted is told.

Owns which community is wanted. Knows no widgets.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from desktop_app.ui.context import Context
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query

from .page import PageContent, read_page


class PageReading(QObject):
    """Emits `came` with a page's content, `failed` with the error, `place_found` in a book."""

    came = Signal(object)
    failed = Signal(object)
    place_found = Signal(int, int, int)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context, self._work = context, context.communities
        self._job: Job | None = None
        self.wanted: int | None = None

    def read(self, number: int) -> None:
        """Read a community's page; one that was wanted before and has not begun never does."""
        self.wanted = number
        if self._job is not None:
            self._job.cancel()
        work = self._work
        query = Query(work.lane, read_page, work.reading, number, owner=self)
        query.on_success(lambda content: self._came(number, content))
        query.on_error(lambda error: self._fail(number, error))
        self._job = query.run()

    def find_place(self, document_id: int, share: float) -> None:
        """Look for the sentence of this community that is nearest to a place of a document."""
        work = self._work

        def tell(place: tuple[int, int] | None) -> None:
            if place is not None:
                self.place_found.emit(document_id, *place)

        find = work.reading.find_place
        query = Query(work.lane, find, self.wanted, document_id, share, owner=self)
        query.on_success(tell).run()

    def _came(self, number: int, content: PageContent) -> None:
        if number == self.wanted:
            self.came.emit(content)

    def _fail(self, number: int, error: BaseException) -> None:
        if number == self.wanted:
            self.wanted = None
            self.failed.emit(error)
