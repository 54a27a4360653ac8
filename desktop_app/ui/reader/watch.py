"""Hears of changes in the library and looks what became of the document that is shown.

Owns which changes matter to the reader. Knows no widgets: it tells by signal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.types import DocumentRow
from desktop_app.workers.operations import Query

if TYPE_CHECKING:
    from desktop_app.ui.context import Context


class DocumentWatch(QObject):
    """Watches the document that `shown` names, if any; its text never changes, its title may."""

    seen = Signal(object)
    gone = Signal(object)
    names_changed = Signal()

    def __init__(
        self, context: Context, shown: Callable[[], int | None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._shown = shown
        context.hub.changed.connect(self._changed)

    def _changed(self, change: ChangeSet) -> None:
        document_id = self._shown()
        if document_id is None:
            return
        if change.everything or document_id in change.documents:
            self._look(document_id)
        if change.everything or change.entities or change.documents:
            self.names_changed.emit()

    def _look(self, document_id: int) -> None:
        def take(row: DocumentRow | None) -> None:
            if self._shown() == document_id and row is not None:
                self.seen.emit(row)

        def fail(error: BaseException) -> None:
            if self._shown() == document_id:
                self.gone.emit(error)

        exploring = self._context.exploring
        Query(
            self._context.reader_lane, exploring.get_document, document_id, owner=self
        ).on_success(take).on_error(fail).run()
