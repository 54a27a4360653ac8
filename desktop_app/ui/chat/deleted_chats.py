"""Chats that are deleted and brought back: by the header, the list of chats, undo or redo.

Owns which chats are known to exist. A deleted chat's questions are stopped; one that comes back
has its typed text again, and its waiting questions as "Not asked yet".
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.services.chats import WaitingQuestion
from desktop_app.workers.operations import Query

from ..context import SessionContext
from .drafts import DraftKeeper
from .turns import QuestionQueue

State = tuple[set[int], dict[int, str], list[WaitingQuestion]]


class DeletedChats(QObject):
    """`restored` gives a chat that came back, after its text and questions did."""

    restored = Signal(int)

    def __init__(
        self,
        context: SessionContext,
        drafts: DraftKeeper,
        questions: QuestionQueue,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._drafts, self._questions = context, drafts, questions
        self._known: set[int] = set()
        Query(context.reader_lane, self._read, owner=self).on_success(
            lambda state: self._known.update(state[0])
        ).run()

    def knows(self, chat_id: int) -> bool:
        """Return whether a chat existed when it was looked at last."""
        return chat_id in self._known

    def add(self, chat_id: int) -> None:
        """Take a chat that was created now."""
        self._known.add(chat_id)

    def remove(self, chat_id: int) -> None:
        """Stop the questions of a chat that was deleted."""
        self._known.discard(chat_id)
        for job in self._questions.of(chat_id, 0):
            self._questions.drop(job)

    def follow(self, chat_ids: Iterable[int]) -> None:
        """Find out which of the changed chats were deleted or brought back."""
        changed = set(chat_ids)

        def apply(state: State) -> None:
            exist, drafts, waiting = state
            for chat_id in (changed & self._known) - exist:
                self.remove(chat_id)
            for chat_id in (changed & exist) - self._known:
                self._known.add(chat_id)
                self._drafts.bring_back(chat_id, drafts.get(chat_id, ""))
                self._questions.hold([one for one in waiting if one.chat_id == chat_id])
                self.restored.emit(chat_id)

        Query(self._context.reader_lane, self._read, owner=self).on_success(apply).run()

    def _read(self) -> State:
        chats = self._context.chats
        return {row.id for row in chats.list_chats()}, chats.list_drafts(), chats.list_waiting()
