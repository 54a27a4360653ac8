"""What the head of a chat offers for the chat as a whole, joined to what does it.

Owns nothing but that joining; the operations are `chat_actions`'.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from desktop_app.ui.allowed_sites import forget_sites
from desktop_app.ui.context import Context
from desktop_app.ui.language import tr

from .asks import Asks
from .chat_actions import ChatActions
from .chat_file import as_text
from .conversation import Conversation
from .head import ChatHead


class WholeChat(QObject):
    """`changed` and `opened` give a chat; `gone` where the one shown was deleted."""

    changed = Signal(int)
    opened = Signal(int)
    gone = Signal()

    def __init__(self, context: Context, asks: Asks, actions: ChatActions, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._asks, self._actions = context, asks, actions
        self._window = parent

    def watch(self, head: ChatHead, conversation: Conversation) -> None:
        """Do what this head says with this conversation."""
        self._head, self._talk = head, conversation
        head.rename_wanted.connect(self._rename)
        head.delete_wanted.connect(self._delete)
        head.copy_wanted.connect(self._copy)
        head.export_wanted.connect(self.export)
        head.forget_sites_wanted.connect(self._forget_sites)
        self._actions.renamed.connect(self.changed)
        self._actions.rename_failed.connect(conversation.read_title)
        self._actions.deleted.connect(self._deleted)
        self._actions.restored.connect(self._restored)

    @property
    def title(self) -> str:
        return self._head.title_edit.title()

    def export(self) -> None:
        """Ask where the chat is to be saved, and save it there."""
        if self._talk.chat_id is not None:
            self._actions.ask_where(self._talk.chat_id, self.title, self._window)

    def _rename(self, title: str) -> None:
        if self._talk.chat_id is not None:
            self._actions.rename(self._talk.chat_id, title)

    def _delete(self) -> None:
        if self._talk.chat_id is not None:
            for ask in self._talk.mine():
                self._asks.remove(ask)
            self._actions.delete(self._talk.chat_id, self.title)

    def _deleted(self, chat_id: int) -> None:
        if self._talk.chat_id == chat_id:
            self.gone.emit()
        self.changed.emit(chat_id)

    def _restored(self, chat_id: int) -> None:
        self.opened.emit(chat_id)
        self.changed.emit(chat_id)

    def _forget_sites(self) -> None:
        forget_sites()
        words = tr("Before an address is opened, you are asked again.")
        self._context.messages.show(words, kind="ok")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_text(self._talk.all_turns()))
        self._context.messages.show(tr("Copied the chat"), kind="ok")
