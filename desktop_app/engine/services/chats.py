"""Conversations: made, renamed and deleted here; written to by `asking`."""

from __future__ import annotations

from ..store import chats
from ..store.db import Db
from ..types import Answer, ChatId, ChatRow, MessageRow


class Chats:
    """Keeps conversations. Changes are undoable, hence made inside `edit`.

    Args:
        reader, writer: connections for reading and writing (may be the same one).
    """

    def __init__(self, reader: Db, writer: Db) -> None:
        self._reader = reader
        self._writer = writer

    def list_chats(self) -> list[ChatRow]:
        return chats.fetch_chats(self._reader)

    def fetch_messages(self, chat_id: int) -> list[MessageRow]:
        return chats.fetch_messages(self._reader, chat_id)

    def fetch_answer(self, message_id: int) -> Answer | None:
        """Return a kept answer with how it was found; None for what is no answer."""
        return chats.fetch_answer(self._reader, message_id)

    def create_chat(self, title: str = "") -> ChatId:
        with self._writer.transaction():
            return chats.add_chat(self._writer, title)

    def rename_chat(self, chat_id: int, title: str) -> None:
        with self._writer.edit("Rename chat"):
            chats.rename_chat(self._writer, chat_id, title.strip())

    def delete_chat(self, chat_id: int) -> None:
        with self._writer.edit("Delete chat"):
            chats.delete_chat(self._writer, chat_id)
