"""Chats: creating, renaming, sorting, searching and deleting them, and their branches.

Every change is one undoable step. `answering` writes the messages.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import UserError
from ..messages import Message
from ..model import Answer, ChatId, ChatRow, MessageRow, Passage
from ..store import chats, communities, history
from ..store.chats import ChatHit, WaitingQuestion
from ..store.db import Db
from .library_reader import NamedPart, find_named

__all__ = ["ChatHit", "Chats", "NamedPart", "WaitingQuestion"]


class Chats:
    """Reads and changes chats. Changes are made inside `edit`, hence undoable.

    Args:
        reader, writer: connections for reading and writing (may be the same one).
    """

    def __init__(self, reader: Db, writer: Db) -> None:
        self._reader = reader
        self._writer = writer

    def list_chats(self) -> list[ChatRow]:
        return chats.fetch_chats(self._reader)

    def fetch_messages(self, chat_id: int, *, whole: bool = False) -> list[MessageRow]:
        """Return the shown branch; older answers come without passages unless `whole`."""
        if whole:
            return chats.fetch_messages(self._reader, chat_id, None)
        return chats.fetch_messages(self._reader, chat_id)

    def fetch_answer(self, message_id: int) -> Answer | None:
        """Return a stored answer with its retrieval trace; None for other messages."""
        return chats.fetch_answer(self._reader, message_id)

    def find(self, text: str, limit: int = 60, chat_id: int | None = None) -> list[ChatHit]:
        """Return places with all words of `text` in titles, questions and answers.

        Only the newest places of each chat; all places of the chat `chat_id`.
        """
        return chats.find_in_chats(self._reader, text, limit, chat_id)

    def find_named(self, text: str, passages: tuple[Passage, ...]) -> list[NamedPart]:
        """Return the names of the library in a text made from these passages."""
        return find_named(self._reader, text, passages)

    def list_community_names(self, limit: int = 2) -> list[tuple[str, ...]]:
        """Return the members of the largest communities, by weight."""
        found = communities.fetch_communities(self._reader, 0)
        groups = [r.top_names[:3] for r in found if len(r.top_names) > 2 and not r.is_loose]
        return groups[:limit]

    def create_chat(self, title: str = "") -> ChatId:
        with self._writer.session_transaction():
            return chats.add_chat(self._writer, title)

    def rename_chat(self, chat_id: int, title: str) -> None:
        title = title.strip()
        with self._writer.edit(
            Message("Rename chat “{old}” to “{title}”", old=self._title(chat_id), title=title)
        ):
            chats.rename_chat(self._writer, chat_id, title)

    def pin_chat(self, chat_id: int, pinned: bool) -> None:
        title = self._title(chat_id)
        label = (
            Message("Pin chat “{title}”", title=title)
            if pinned
            else Message("Unpin chat “{title}”", title=title)
        )
        with self._writer.edit(label):
            chats.pin_chat(self._writer, chat_id, pinned)

    def put_in_folder(self, chat_id: int, folder: str) -> None:
        """Put a chat in a folder, which is created with its first chat; "" removes it."""
        folder = " ".join(folder.split())
        title = self._title(chat_id)
        label = (
            Message("Move chat “{title}” to folder “{folder}”", title=title, folder=folder)
            if folder
            else Message("Remove chat “{title}” from its folder", title=title)
        )
        with self._writer.edit(label):
            chats.put_in_folder(self._writer, chat_id, folder)

    def rename_folder(self, folder: str, title: str) -> None:
        """Rename a folder; "" removes its chats from it."""
        title = " ".join(title.split())
        label = (
            Message("Rename folder “{folder}” to “{title}”", folder=folder, title=title)
            if title
            else Message("Remove folder “{folder}”", folder=folder)
        )
        with self._writer.edit(label):
            chats.rename_folder(self._writer, folder, title)

    def delete_chat(self, chat_id: int) -> int:
        """Delete a chat and return the step for `undo_delete`."""
        with self._writer.edit(Message("Delete chat “{title}”", title=self._title(chat_id))):
            chats.delete_chat(self._writer, chat_id)
        return self._newest_step()

    def undo_delete(self, step: int) -> None:
        """Restore a deleted chat.

        Raises:
            UserError: there was another edit since, which would be undone instead.
        """
        if step != self._newest_step():
            raise UserError(
                "Something else was changed since the chat was deleted.",
                "Open the history (Ctrl+H) to go back step by step.",
            )
        history.undo(self._writer)

    def _title(self, chat_id: int) -> str:
        return chats.fetch_title(self._writer, chat_id)

    def _newest_step(self) -> int:
        return history.find_newest_edit(self._writer)

    # --- what was written and not asked yet -------------------------------------------------------

    def list_drafts(self) -> dict[int, str]:
        """Return chat -> text in its question box; 0 is the chat that has no question yet."""
        return chats.fetch_drafts(self._reader)

    def save_draft(self, chat_id: int, text: str) -> None:
        """Store the text in the question box of a chat; nothing in a damaged library."""
        if self._writer.damage.found is None:
            with self._writer.session_transaction():
                chats.write_draft(self._writer, chat_id, text)

    def list_waiting(self) -> list[WaitingQuestion]:
        """Return the questions that waited when the program ended, in their order."""
        return chats.fetch_waiting(self._reader)

    def keep_waiting(self, question: WaitingQuestion, is_waiting: Callable[[], bool]) -> None:
        """Store a question until it is asked; nothing if it does not wait any more.

        `AnswerPipeline.ask` removes it in the transaction that adds it to the chat.
        """
        with self._writer.session_transaction():
            if is_waiting():
                chats.add_waiting_question(self._writer, question)

    def remove_waiting(self, chat_id: int, text: str) -> None:
        """Remove a question that is not to be asked."""
        with self._writer.session_transaction():
            chats.remove_waiting(self._writer, chat_id, text)

    # --- branches -------------------------------------------------------------------------------

    def begin_branch(self, chat_id: int, question_id: int) -> None:
        """Make the next question an alternative to this one, which is kept as another branch."""
        with self._writer.session_transaction():
            chats.begin_branch(self._writer, chat_id, question_id)

    def show_branch(self, chat_id: int, message_id: int) -> None:
        """Show the branch that contains this message."""
        with self._writer.session_transaction():
            chats.show_branch(self._writer, chat_id, message_id)
