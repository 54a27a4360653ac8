"""Keeps what is typed in the question box: each chat has its own text, stored in the library.

The text is stored within a second, and when the window closes. It is removed as late: if the
program ends right after a question was sent, the text is there twice and not lost.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..widgets.save_timer import SaveTimer
from .composer import QuestionBox

SAVE_MS = 700
NEW_CHAT = 0  # the chat that has no question yet


class DraftKeeper(QObject):
    """Stores the text of the box for the chat that is shown, and puts it back."""

    def __init__(self, context: SessionContext, box: QuestionBox, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._box = context, box
        self._chat_id = NEW_CHAT
        self._stored: dict[int, str] = {}
        self._timer = SaveTimer(self, SAVE_MS)
        self._timer.timeout.connect(self.save)
        box.edit.textChanged.connect(self._timer.begin)
        Query(context.reader_lane, context.chats.list_drafts, owner=self).on_success(
            self._loaded
        ).run()

    def show(self, chat_id: int | None) -> None:
        """Store the text of the chat that was shown, and show that of another one."""
        if (chat_id or NEW_CHAT) != self._chat_id:
            self.save()
            self._chat_id = chat_id or NEW_CHAT
            self._box.restore(self._stored.get(self._chat_id, ""))

    def move_to(self, chat_id: int) -> None:
        """Store the text for the new chat that is shown and was stored now."""
        self._write(self._chat_id, "")
        self._chat_id = chat_id
        self.save()

    def bring_back(self, chat_id: int, stored: str) -> None:
        """Take the text of a chat that was deleted; what was typed here last is newer."""
        typed = self._stored.get(chat_id, stored)
        self._stored[chat_id] = stored
        self._write(chat_id, typed)
        if chat_id == self._chat_id and not self._box.draft() and self._box.editing is None:
            self._box.restore(typed)

    def save(self) -> None:
        """Store the text now."""
        self._timer.stop()
        self._write(self._chat_id, self._box.draft())

    def _loaded(self, drafts: dict[int, str]) -> None:
        self._stored = {**drafts, **self._stored}
        if not self._box.draft() and self._box.editing is None:
            self._box.restore(drafts.get(self._chat_id, ""))

    def _write(self, chat_id: int, text: str) -> None:
        if text != self._stored.get(chat_id, ""):
            self._stored[chat_id] = text
            save, lane = self._context.chats.save_draft, self._context.writer_lane
            Query(lane, save, chat_id, text, owner=self).run()
