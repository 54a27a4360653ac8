"""Names in the text that is in sight, fetched when scrolling has come to rest.

Owns when they are asked for and for which stretch. Knows a view, not how it underlines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.workers.operations import Query

from .view import DocumentView, Name

if TYPE_CHECKING:
    from desktop_app.ui.context import Context

AROUND = 3000


class NamesInSight(QObject):
    """Keeps the view's names in step with what it shows, while switched on."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._document_id: int | None = None
        self._view: DocumentView | None = None
        self._on = False
        self._known: tuple[int, int] = (0, 0)

    def set_document(self, document_id: int | None, view: DocumentView | None) -> None:
        self._document_id, self._view = document_id, view
        self._known = (0, 0)
        self.look()

    def set_on(self, on: bool) -> None:
        self._on = on
        self._known = (0, 0)
        if not on and self._view is not None:
            self._view.set_names([])
        self.look()

    def forget(self) -> None:
        """Fetch again: names were merged, split or renamed."""
        self._known = (0, 0)
        self.look()

    def look(self) -> None:
        """Fetch the names in sight if they are not there yet."""
        view, document_id = self._view, self._document_id
        if not self._on or view is None or document_id is None:
            return
        start, end = view.visible_range()
        if end <= start or (self._known[0] <= start and end <= self._known[1]):
            return
        stretch = (max(0, start - AROUND), end + AROUND)

        def take(names: list[Name]) -> None:
            if self._on and document_id == self._document_id and view is self._view:
                self._known = stretch
                view.set_names([tuple(name) for name in names])

        names_in = self._context.reading.names_in
        query = Query(self._context.reader_lane, names_in, document_id, *stretch, owner=self)
        query.on_success(take).run()
