"""What can be done with a kept chat: rename, delete and bring back, find its names.

Owns these operations and what is said about them. Knows no widgets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.changes import ChangeSet
from desktop_app.ui.context import Context
from desktop_app.workers.operations import Query

from .turns import Turn

MOST_NAMES = 20


class ChatActions(QObject):
    """Emits the chat that was `renamed`, `deleted` or `restored`."""

    renamed = Signal(int)
    rename_failed = Signal()
    deleted = Signal(int)
    restored = Signal(int)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context

    def rename(self, chat_id: int, title: str) -> None:
        def fail(error: BaseException) -> None:
            self._context.messages.show_error(error)
            self.rename_failed.emit()

        rename = self._context.chats.rename_chat
        query = Query(self._context.writer_lane, rename, chat_id, title, owner=self)
        query.on_success(lambda _: self.renamed.emit(chat_id)).on_error(fail).run()

    def delete(self, chat_id: int, title: str) -> None:
        """Delete at once; the message that says so has the way back."""

        def gone(_: object) -> None:
            can_undo = hasattr(self._context.editing, "undo")
            self._context.messages.show(
                f"Deleted the chat “{title}”",
                action_text="Undo" if can_undo else "",
                action=(lambda: self._bring_back(chat_id)) if can_undo else None,
            )
            self.deleted.emit(chat_id)

        delete = self._context.chats.delete_chat
        query = Query(self._context.writer_lane, delete, chat_id, owner=self)
        query.on_success(gone).on_error(self._context.messages.show_error).run()

    def _bring_back(self, chat_id: int) -> None:
        def back(undone: tuple[str | None, ChangeSet]) -> None:
            self._context.hub.changed.emit(undone[1])
            self.restored.emit(chat_id)

        query = Query(self._context.writer_lane, self._context.editing.undo, owner=self)
        query.on_success(back).on_error(self._context.messages.show_error).run()

    def find_names(self, turn: Turn, then: Callable[[list[int]], None]) -> None:
        """Give the entities of an answer: those found for it, else those its passages name."""
        if turn.entities:
            then([row.id for row in turn.entities])
            return
        spans = [(c.document_id, c.start, c.end) for c in turn.citations]
        spans = spans or [(p.document_id, p.best_start, p.best_end) for p in turn.passages]
        exploring = self._context.exploring

        def find() -> list[int]:
            counts = Counter(m[2] for span in spans for m in exploring.mentions_in(*span))
            return [entity_id for entity_id, _ in counts.most_common(MOST_NAMES)]

        def show(ids: list[int]) -> None:
            if ids:
                then(ids)
            else:
                self._context.messages.show("These passages name nobody and nothing.")

        query = Query(self._context.reader_lane, find, owner=self)
        query.on_success(show).on_error(self._context.messages.show_error).run()
