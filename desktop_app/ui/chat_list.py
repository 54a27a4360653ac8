"""The conversations in the sidebar: open, rename, delete.

Owns the list and its menu; what a conversation holds belongs to the chat screen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QInputDialog, QListWidget, QListWidgetItem, QMenu, QWidget

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.types import ChatRow
from desktop_app.workers.operations import Query

ID_ROLE = Qt.ItemDataRole.UserRole


class ChatList(QListWidget):
    """One line a conversation, the latest first; a click opens it."""

    chat_wanted = Signal(int)

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setAccessibleName("Chats")
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.itemClicked.connect(self._open)
        self.itemActivated.connect(self._open)
        self.customContextMenuRequested.connect(self._show_menu)
        self._rows: list[ChatRow] = []

    def set_chats(self, rows: list[ChatRow]) -> None:
        """Show these; the one that was selected stays so."""
        if rows == self._rows:
            return
        self._rows = list(rows)
        kept = self.current_id()
        self.clear()
        for row in rows:
            shown = QListWidgetItem(row.title or "New chat")
            shown.setData(ID_ROLE, row.id)
            shown.setToolTip(row.title)
            self.addItem(shown)
            if row.id == kept:
                self.setCurrentItem(shown)

    def current_id(self) -> int | None:
        current = self.currentItem()
        return current.data(ID_ROLE) if current is not None else None

    def _open(self, shown: QListWidgetItem) -> None:
        self.chat_wanted.emit(shown.data(ID_ROLE))

    def _show_menu(self, place: QPoint) -> None:
        shown = self.itemAt(place)
        if shown is None:
            return
        chat_id, title = shown.data(ID_ROLE), shown.text()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Rename…", lambda: self._rename(chat_id, title))
        menu.addAction("Delete…", lambda: self.confirm_delete(chat_id, title))
        menu.popup(self.viewport().mapToGlobal(place))

    def _rename(self, chat_id: int, title: str) -> None:
        fresh, agreed = QInputDialog.getText(self, "Rename", "Title", text=title)
        if agreed and fresh.strip():
            self._change(self._context.chats.rename_chat, chat_id, fresh.strip())

    def confirm_delete(self, chat_id: int, title: str) -> None:
        """Ask in the message bar; deleting a conversation has no way back."""
        self._context.messages.show(
            f"Delete the chat “{title}”?",
            kind="warn",
            action_text="Delete",
            action=lambda: self._change(self._context.chats.delete_chat, chat_id),
        )

    def _change(self, method: Callable[..., Any], chat_id: int, *args: Any) -> None:
        def tell(_: Any) -> None:
            self._context.hub.tell(ChangeSet(chats=frozenset({chat_id})))

        query = Query(self._context.writer_lane, method, chat_id, *args, owner=self)
        query.on_success(tell).on_error(self._context.messages.show_error).run()
