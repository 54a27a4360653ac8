"""Keeps how far every document is enriched, and why passages of the selected one failed.

Asks in the reader lane, one question at a time; tells by signals when something is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop_app.workers.operations import Query

if TYPE_CHECKING:
    from .screen import LibraryScreen


class EnrichmentNews(QObject):
    """`by_document` is what was last read; empty where nothing can be enriched yet."""

    came = Signal()
    failures_came = Signal(int, object)

    def __init__(self, context: Any, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._loading = False
        self._again = False
        self.by_document: dict[int, Any] = {}

    def join(self, screen: LibraryScreen) -> None:
        """Show in the list and the facts what is known, and say what is asked for there."""
        screen.list.sum_up = self.sum_up
        screen.list.failures_wanted.connect(self.fetch_failures)
        self.failures_came.connect(screen.list.show_failures)
        panel = screen.list.inspector.enrichment
        panel.passage_clicked.connect(screen.open_passage)
        for pressed, said in (
            (screen.enrich_button.clicked, screen.enrich_requested),
            (panel.enrich_clicked, screen.enrich_requested),
            (panel.now_clicked, screen.enrich_now_requested),
            (panel.stop_clicked, screen.enrich_stop_requested),
            (panel.retry_clicked, screen.enrich_retry_requested),
        ):
            pressed.connect(lambda _=False, said=said: said.emit(screen.selected_ids()))

    def refresh(self) -> None:
        """Read again; a call while reading makes it read once more after."""
        if self._loading:
            self._again = True
            return
        self._loading = True
        telling = self._context.enrich_telling
        query = Query(self._context.reader_lane, telling.status, owner=self)
        query.on_success(self._keep).on_end(self._ended).run()

    def _keep(self, status: Any) -> None:
        self.by_document = {row.document_id: row for row in status.documents}
        self.came.emit()

    def _ended(self) -> None:
        self._loading = False
        if self._again:
            self._again = False
            self.refresh()

    def fetch_failures(self, document_id: int) -> None:
        """Ask which passages of a document were given up, and why."""
        telling = self._context.enrich_telling
        query = Query(self._context.reader_lane, telling.failures, document_id, owner=self)
        query.on_success(lambda found: self.failures_came.emit(document_id, found)).run()

    def count_enriched(self, document_ids: Iterable[int]) -> int:
        """Return how many passages of documents a model has gone over."""
        found = self.sum_up(document_ids)
        return found.n_enriched if found is not None else 0

    def sum_up(self, document_ids: Iterable[int]) -> Any | None:
        """Return the numbers of several documents added up, None if nothing is known of them."""
        rows = [self.by_document[i] for i in document_ids if i in self.by_document]
        if not rows:
            return None
        models = {row.model for row in rows if row.model}
        added = {
            name: sum(getattr(row, name) for row in rows)
            for name in (
                "n_chunks",
                "n_enriched",
                "n_waiting",
                "n_failed",
                "n_empty",
                "n_tokens",
                "seconds",
            )
        }
        return replace(rows[0], **added, model=", ".join(sorted(models)))
