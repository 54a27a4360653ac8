"""Conversations: made, renamed, ordered, searched and deleted here; written to by `asking`.

Owns what a person does with a chat as a whole and with its branches, each as one step that can
be taken back. What an answer names belongs to `naming`.
"""

from __future__ import annotations

from ..errors import UserError
from ..model import Answer, ChatId, ChatRow, MessageRow, Passage
from ..store import chats, communities
from ..store import chats as chat_branches
from ..store import chats as chat_search
from ..store.chats import ChatHit
from ..store.db import Db
from .library_reader import NamedPart, find_named

__all__ = ["ChatHit", "Chats", "NamedPart"]


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

    def fetch_messages(self, chat_id: int, *, whole: bool = False) -> list[MessageRow]:
        """Return the branch shown; older answers come without passages unless `whole`."""
        if whole:
            return chats.fetch_messages(self._reader, chat_id, None)
        return chats.fetch_messages(self._reader, chat_id)

    def fetch_answer(self, message_id: int) -> Answer | None:
        """Return a kept answer with how it was found; None for what is no answer."""
        return chats.fetch_answer(self._reader, message_id)

    def find(self, text: str, limit: int = 60, chat_id: int | None = None) -> list[ChatHit]:
        """Return where all the words of `text` stand, in titles, questions and answers.

        Of each conversation only the newest few places, of the one with `chat_id` all.
        """
        return chat_search.find_in_chats(self._reader, text, limit, chat_id)

    def find_named(self, text: str, passages: tuple[Passage, ...]) -> list[NamedPart]:
        """Return the names of the library in a text made from these passages."""
        return find_named(self._reader, text, passages)

    def list_circles(self, limit: int = 2) -> list[tuple[str, ...]]:
        """Return who belongs together in the broadest themes, the weightiest first."""
        found = communities.fetch_communities(self._reader, 0)
        told = [r.top_names[:3] for r in found if len(r.top_names) > 2 and not r.is_loose]
        return told[:limit]

    def create_chat(self, title: str = "") -> ChatId:
        with self._writer.transaction():
            return chats.add_chat(self._writer, title)

    def rename_chat(self, chat_id: int, title: str) -> None:
        with self._writer.edit("Rename chat"):
            chats.rename_chat(self._writer, chat_id, title.strip())

    def pin_chat(self, chat_id: int, pinned: bool) -> None:
        with self._writer.edit("Pin chat" if pinned else "Unpin chat"):
            chats.pin_chat(self._writer, chat_id, pinned)

    def put_in_folder(self, chat_id: int, folder: str) -> None:
        """Put a chat in a folder, which is there from its first chat on; "" takes it out."""
        with self._writer.edit("Move chat"):
            chats.put_in_folder(self._writer, chat_id, " ".join(folder.split()))

    def rename_folder(self, folder: str, title: str) -> None:
        """Give a folder another name; "" takes its chats out of it."""
        with self._writer.edit("Rename folder" if title else "Dissolve folder"):
            chats.rename_folder(self._writer, folder, " ".join(title.split()))

    def delete_chat(self, chat_id: int) -> int:
        """Delete a chat and return the step that `undo_delete` takes back."""
        with self._writer.edit("Delete chat"):
            chats.delete_chat(self._writer, chat_id)
        return self._newest_step()

    def undo_delete(self, step: int) -> None:
        """Bring a deleted chat back.

        Raises:
            UserError: something else was changed meanwhile, which would be taken back instead.
        """
        if step != self._newest_step():
            raise UserError(
                "Something else was changed since the chat was deleted.",
                "Open the history (Ctrl+H) to go back step by step.",
            )
        self._writer.undo()

    def _newest_step(self) -> int:
        return self._writer.value("SELECT max(id) FROM history WHERE undone = 0") or 0

    # --- branches -------------------------------------------------------------------------------

    def begin_branch(self, chat_id: int, question_id: int) -> None:
        """Let the next question stand in the place of this one, which is kept beside it."""
        with self._writer.transaction():
            chat_branches.begin_branch(self._writer, chat_id, question_id)

    def show_branch(self, chat_id: int, message_id: int) -> None:
        """Show the branch that goes through this message."""
        with self._writer.transaction():
            chat_branches.show_branch(self._writer, chat_id, message_id)
