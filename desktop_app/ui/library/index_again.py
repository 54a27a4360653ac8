"""The way from "Index again…" to the queue: asks how, then has documents read again.

Owns the sheet; knows nothing of lists and menus.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.services.preferences import Preferences
from desktop_app.engine.text.chunking import ChunkingSettings
from desktop_app.ui.language import trn
from desktop_app.workers.operations import Query

from .index_again_sheet import IndexAgainSheet


class IndexAgain(QObject):
    """Asks how documents are to be cut and queues them.

    Args:
        count_enriched: how many passages of documents a model has gone over.
        start: has the queue worked off.
    """

    def __init__(
        self,
        context: Any,
        window: QWidget,
        count_enriched: Callable[[list[int]], int],
        start: Callable[[], object],
    ) -> None:
        super().__init__(window)
        self._context, self._window = context, window
        self._count_enriched, self._start = count_enriched, start
        self.sheet: IndexAgainSheet | None = None

    def ask(self, document_ids: Sequence[int]) -> None:
        """Show how documents are cut now, to be changed."""
        ids = list(document_ids)
        if not ids:
            return
        work = self._context.library_work

        def look() -> tuple[ChunkingSettings | None, ChunkingSettings]:
            usual = Preferences().reading
            return work.common_cut(ids, usual), usual

        def show(found: tuple[ChunkingSettings | None, ChunkingSettings]) -> None:
            cut, usual = found
            n_enriched = self._count_enriched(ids)
            sheet = self.sheet = IndexAgainSheet(len(ids), cut, usual, n_enriched, self._window)
            sheet.wanted.connect(lambda chunking: self.run(ids, chunking))
            sheet.open()

        Query(self._context.writer_lane, look, owner=self).on_success(show).run()

    def run(self, document_ids: list[int], chunking: ChunkingSettings | None = None) -> None:
        """Queue documents to be read again; None leaves how they are cut."""

        def done(change: ChangeSet) -> None:
            self._context.hub.tell(change)
            self._start()
            told = trn(
                "{n} document is indexed again.", "{n} documents are indexed again.", len(ids)
            )
            self._context.messages.show(told, kind="ok")

        ids = document_ids
        reindex = self._context.library_work.reindex_documents
        query = Query(self._context.writer_lane, reindex, ids, chunking, owner=self)
        query.on_success(done).run()
